"""A top package of Python that was renamed: every dotted name that begins with it is stale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])
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
