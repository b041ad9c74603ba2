"""Links to a document that is made when the site is built."""

from __future__ import annotations

from pathlib import Path

from tests.support.repository import Repository

LINKS = "".join(f"- [{name}](reference.md#tool-{name})\n" for name in ("one", "two", "three"))


def test_a_document_that_most_links_find_nothing_in_is_doubted(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"docs/index.md": f"# A\n\n{LINKS}", "docs/reference.md": "Filled in by a script.\n"})
    assert repo.drifted() == []


def test_a_document_that_most_links_find_their_heading_in_is_not(tmp_path: Path) -> None:
    headings = "".join(f"## Tool {name}\n\n" for name in ("one", "two"))
    repo = Repository(tmp_path, {"docs/index.md": f"# A\n\n{LINKS}", "docs/reference.md": headings})
    assert [f.claim for f in repo.drifted()] == ["#tool-three"]
