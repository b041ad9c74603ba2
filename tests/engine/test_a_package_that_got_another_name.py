"""A top package of Python that was renamed: every dotted name that begins with it is stale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
TEXT = """# Shop

Call `shop.store.fetch_items`. The file is `shop.yml`.

```python
from shop.store import Stock
```
"""
PAGE = "API\n===\n\nSee :class:`shop.store.Stock` and :meth:`shop.store.Stock.add_item`.\n"
CODE = "class Stock:\n    def add_item(self, name):\n        return name\n\n\ndef fetch_items():\n    return Stock()\n"


def shop(repository: Make, folder: str, manifest: str = "") -> Repository:
    files: dict[str, str | bytes] = {f"{folder}shop/__init__.py": "", f"{folder}shop/store.py": CODE}
    return repository({"README.md": TEXT, "docs/api.rst": PAGE, "pyproject.toml": manifest, **files})


@BOTH
@pytest.mark.parametrize("folder", ["", "src/"])
def test_names_and_imports_of_a_renamed_package_are_told_with_its_new_name(
    repository: Make, since: str, folder: str
) -> None:
    repo = shop(repository, folder).move(f"{folder}shop", f"{folder}depot").commit()
    mentions = {(m.file, m.line, m.replacement) for f in repo.drifted(since=since) for m in f.mentions}
    assert mentions == {
        ("README.md", 3, "depot.store.fetch_items"),
        ("README.md", 6, "depot.store"),
        ("docs/api.rst", 4, "depot.store.Stock"),
        ("docs/api.rst", 4, "depot.store.Stock.add_item"),
    }


@BOTH
def test_a_package_that_became_a_dependency_is_still_called_so(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "tool"\nversion = "1"\ndependencies = ["shop>=1"]\n'
    repo = shop(repository, "", manifest).move("shop", "depot").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_package_within_a_package_is_told_with_its_new_name_though_its_init_is_empty(
    repository: Make, since: str
) -> None:
    text = "# Shop\n\nCall `shop.stock.store.fetch_items`.\n\n```python\nfrom shop.stock.store import Stock\n```\n"
    files: dict[str, str | bytes] = {"shop/__init__.py": "", "shop/stock/__init__.py": "", "shop/stock/store.py": CODE}
    repo = repository({"README.md": text, **files}).move("shop/stock", "shop/depot").commit()
    mentions = {(m.line, m.replacement) for f in repo.drifted(since=since) for m in f.mentions}
    assert mentions == {(3, "shop.depot.store.fetch_items"), (6, "shop.depot.store")}


@BOTH
@pytest.mark.parametrize(("new", "written"), [("light", "example.org/lamp/light"), ("internal/light", None)])
def test_a_package_of_go_that_was_moved_is_told_with_its_import_path(
    repository: Make, since: str, new: str, written: str | None
) -> None:
    text = '# Lamp\n\n```go\nimport "example.org/lamp/pkg/light"\n```\n'
    code = "package light\n\n// Dial calls a lamp.\nfunc Dial() {}\n"
    repo = repository({"README.md": text, "go.mod": "module example.org/lamp\n\ngo 1.21\n", "pkg/light/light.go": code})
    repo.move("pkg/light", new).commit()
    (finding,) = repo.drifted(since=since)
    assert [(m.line, m.replacement) for m in finding.mentions] == [(4, written)]


NPM = '{\n  "name": "@acme/core",\n  "version": "2.0.0"\n}\n'
GO = "module example.org/acme/lamp\n\ngo 1.21\n"


@BOTH
def test_an_npm_package_with_another_name_is_told_wherever_its_name_is_written_as_code(
    repository: Make, since: str
) -> None:
    text = (
        "# @acme/core\n\n```sh\nnpm install @acme/core\nnpm install @acme/core@1.2\n```\n\n"
        'Take `@acme/core`, not `@acme/core-extra`.\n\n```js\nimport { brew } from "@acme/core/tea";\n```\n'
    )
    repo = repository({"README.md": text, "package.json": NPM, "tea.js": "export function brew() {}\n"})
    repo.replace("@acme/core", "@acme/engine", "package.json").commit()
    assert {line for _, line in repo.stale_lines(since=since)} == {1, 4, 8, 11}
    (finding,) = repo.drifted()
    assert {m.replacement for m in finding.mentions} == {"@acme/engine"}


@BOTH
def test_a_package_that_another_manifest_still_takes_is_still_called_so(repository: Make, since: str) -> None:
    other = '{\n  "name": "@acme/app",\n  "dependencies": {"@acme/core": "^2.0.0"}\n}\n'
    text = "# App\n\nTake `@acme/core`.\n"
    repo = repository({"README.md": text, "core/package.json": NPM, "app/package.json": other})
    repo.replace("@acme/core", "@acme/engine", "core/package.json").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
@pytest.mark.parametrize("new", ["example.org/acme/lantern", "example.org/acme/lamp/v2"])
def test_a_module_of_go_with_another_path_is_told_in_imports_and_commands(
    repository: Make, since: str, new: str
) -> None:
    text = (
        "# Lamp\n\nCode: https://example.org/acme/lamp\n\n```sh\ngo install example.org/acme/lamp/cmd/lamp@latest\n"
        'git clone https://example.org/acme/lamp\n```\n\n```go\nimport "example.org/acme/lamp/light"\n'
        'import "example.org/acme/lamp/v2/light"\n```\n'
    )
    code = {"light/light.go": "package light\n", "cmd/lamp/main.go": "package main\n\nfunc main() {}\n"}
    repo = repository({"README.md": text, "go.mod": GO, **code})
    repo.replace("example.org/acme/lamp\n", f"{new}\n", "go.mod").commit()
    assert {line for _, line in repo.stale_lines(since=since)} == {6, 11}
    (finding,) = repo.drifted()
    assert {m.replacement for m in finding.mentions} == {new}
