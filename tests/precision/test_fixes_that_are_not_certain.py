"""What `docalign fix` writes unasked must be right: where another reading is left, the fix is only offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.precision.aged import FILES
from tests.support.repository import Repository

TEXT = "".join(f"line {n} of a file that is long enough to be known again\n" for n in range(30))


def test_a_file_that_was_renamed_once_and_kept_its_ending_is_mended_unasked(tmp_path: Path) -> None:
    assert _is_mended_unasked(_renamed(tmp_path, "tool/colours.py"))


def test_a_file_that_went_twice_may_be_meant_at_either_place(tmp_path: Path) -> None:
    repo = _renamed(tmp_path, "tool/colours.py")
    repo.write({"tool/colors.py": TEXT + "more\n"}).commit("back")
    repo.move("tool/colors.py", "tool/paint.py").commit("away again")

    assert not _is_mended_unasked(repo)


def test_one_heir_of_several_is_not_written_where_another_lies_nearer(tmp_path: Path) -> None:
    docs = {"docs/guide.md": "See docs/part.md.\n", "docs/en/guide.md": "See docs/part.md.\n", "docs/part.md": TEXT}
    repo = Repository(tmp_path, {**FILES, **docs})
    repo.move("docs/part.md", "docs/ru/part.md").write({"docs/en/part.md": "# Translated\n"}).commit("translate")
    (finding,) = repo.drifted()
    assert {(m.file, m.safe) for m in finding.mentions} == {("docs/guide.md", True), ("docs/en/guide.md", False)}


def test_another_name_with_another_ending_is_not_written_unasked(tmp_path: Path) -> None:
    assert not _is_mended_unasked(_renamed(tmp_path, "tool/paint.txt"))


def test_empty_files_are_not_taken_for_each_other(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "docs/ios.md": "", "README.md": "See [iOS](docs/ios.md).\n"})
    repo.delete("docs/ios.md").write({"tool/api/empty.api": ""}).commit("change")

    (finding,) = repo.drifted()

    assert finding.message == "`docs/ios.md` was removed from the repository."
    assert finding.fix is None


def test_a_sentence_that_tells_two_versions_of_a_language_is_not_half_mended(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": "# Tool\n\nIt requires Python >= 2.7 or Python >= 3.5.\n"})
    repo.replace(">=3.10", ">=2.7", "pyproject.toml").commit("then")
    repo.replace(">=2.7", ">=3.10", "pyproject.toml").commit("now")

    assert all(finding.fix is None or not finding.fix.safe for finding in repo.drifted())
    assert repo.drifted()


@pytest.mark.parametrize(("heading", "link", "safe"), [("Incident", "incidentphase", False), ("Rates", "rate", True)])
def test_a_heading_that_is_only_the_beginning_of_another_word_is_not_written_unasked(
    tmp_path: Path, heading: str, link: str, safe: bool
) -> None:
    text = f"# Tool\n\nSee [it](#types-of-every-single-{link}).\n\n## Types of every single {heading}\n"

    (finding,) = Repository(tmp_path, {**FILES, "README.md": text}).drifted()

    assert finding.fix is not None
    assert finding.fix.safe is safe


def _is_mended_unasked(repo: Repository) -> bool:
    (finding,) = repo.drifted()
    assert finding.fix is not None
    return finding.fix.safe


def _renamed(tmp_path: Path, to: str) -> Repository:
    repo = Repository(tmp_path, {**FILES, "tool/colors.py": TEXT, "README.md": "# Tool\n\nSee `tool/colors.py`.\n"})
    return repo.move("tool/colors.py", to).commit("away")
