"""What the pages in docs/rules show is what the tool prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docalign_actors.reporting.text import render
from tests.reporting.rule_pages import EXAMPLES
from tests.support.repository import Repository

_PAGES = Path(__file__).parents[2] / "docs" / "rules"
_SHOWN = re.compile(r"^## Example\n.*?^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_page_has_an_example() -> None:
    assert {page.stem for page in _PAGES.glob("*.md")} == set(EXAMPLES)


@pytest.mark.parametrize("page", EXAMPLES)
def test_the_example_of_a_page_is_what_a_scan_prints(tmp_path: Path, page: str) -> None:
    repo = Repository(tmp_path)
    EXAMPLES[page](repo)
    printed, _, summary = render(repo.scan()).rpartition("\n\n")
    assert summary.startswith("1 finding")
    shown = _SHOWN.search((_PAGES / f"{page}.md").read_text())
    assert shown is not None
    assert shown[1].strip() == printed.strip()
