"""Links to a document that is made when the site is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository

LINKS = "".join(f"- [{name}](reference.md#tool-{name})\n" for name in ("one", "two", "three"))


def test_a_document_that_most_links_find_nothing_in_is_doubted(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"docs/index.md": f"# A\n\n{LINKS}", "docs/reference.md": "Filled in by a script.\n"})
    assert repo.drifted() == []


def test_a_document_that_most_links_find_their_heading_in_is_not(tmp_path: Path) -> None:
    headings = "".join(f"## Tool {name}\n\n" for name in ("one", "two"))
    repo = Repository(tmp_path, {"docs/index.md": f"# A\n\n{LINKS}", "docs/reference.md": headings})
    assert [f.claim for f in repo.drifted()] == ["#tool-three"]


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ("docs/checks/other.md", []),
        ("docs/more/other.md", ["#interval"]),
    ],
)
def test_a_heading_of_a_page_beside_may_be_shown_on_the_same_page(
    tmp_path: Path, beside: str, expected: list[str]
) -> None:
    repo = Repository(
        tmp_path, {beside: "# Interval\n\nText.\n", "docs/checks/d.md": "# D\n\nAn [interval](#interval).\n"}
    )
    assert [f.claim for f in repo.drifted()] == expected


def test_a_heading_that_the_page_had_is_missed_there_whatever_the_pages_beside_have(tmp_path: Path) -> None:
    page = "# D\n\nAn [interval](#interval).\n\n## Interval\n\nText.\n"
    repo = Repository(tmp_path, {"docs/a.md": "# Interval\n\nText.\n", "docs/d.md": page})
    repo.replace("## Interval", "## Length", "docs/d.md").commit("rename")
    assert [f.claim for f in repo.drifted()] == ["#interval"]
