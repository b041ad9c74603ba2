"""A scan of one folder, or of some kinds of claims, tells of nothing else."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.engine.settings import ScanSettings
from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def renamed(repository: Make) -> Repository:
    """Two documents that name a method and a file, both of which have just got other names."""
    text = "# Shop\n\nCall `Shop.add_item`, which is in `shop/store.py`.\n"
    code = "class Shop:\n    def add_item(self, name):\n        return name\n"
    repo = repository({"README.md": text, "docs/guide.md": text, "shop/store.py": code, "shop/__init__.py": ""})
    return repo.move("shop/store.py", "shop/stock.py").replace("add_item", "put_away", "shop/stock.py").commit()


@BOTH
def test_a_scan_of_one_folder_tells_nothing_of_documents_outside_of_it(repository: Make, since: str) -> None:
    report = renamed(repository).scan(since=since, settings=ScanSettings(jobs=1, under="docs/"))
    assert {m.file for f in report.drifted for m in f.mentions} == {"docs/guide.md"}
    assert report.summary.drifted == 2


@BOTH
def test_kinds_that_are_not_to_be_checked_are_not_told_of_by_the_looks_for_what_went(
    repository: Make, since: str
) -> None:
    report = renamed(repository).scan(since=since, settings=ScanSettings(jobs=1, claim_types=("path",)))
    assert {f.rule for f in report.drifted} == {"missing-path"}
    assert report.summary.drifted == 2
