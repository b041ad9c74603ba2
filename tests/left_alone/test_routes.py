"""What is there all the same, or was never meant, is left alone: routes."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PACKAGE = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


def test_a_route_that_was_none_before_is_not_the_change_s_though_those_beside_it_are_there(repository: Make) -> None:
    page = """# API

- `GET /api/items/:year/:month`
- `POST /api/items`
- `PUT /api/items/:id`
- `DELETE /api/items/:id`
- `POST /api/items/:year/:month/copy-previous`
"""
    head = "const express = require('express');\nconst app = express();\n"
    routes = (("get", "/:year/:month"), ("post", ""), ("put", "/:id"), ("delete", "/:id"), ("get", "/all-previous"))
    code = head + "".join(f"app.{method}('/api/items{rest}', run);\n" for method, rest in routes)
    button = "export const copyPrevious = () => {};\nexport const button = 'copy-previous';\n"
    files: dict[str, str | bytes] = {"README.md": page, "package.json": PACKAGE, "server.js": code}
    repo = repository(files | {"src/button.js": button, "src/other.js": button})
    repo.write(
        {"src/button.js": "export const button = 'all';\n", "README.md": "Text.\n\n- An item.\n\n" + page}
    ).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
