"""What is there all the same, or was never meant, is left alone: options."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.lost.features import FEATURES, in_block
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


def test_a_word_is_a_feature_where_it_is_called_one_or_switched_on() -> None:
    code = Block("code", 1, lines=(Inline("code", "cargo run -F tls --cert tls.pem", 1, 1),))
    assert [start for _, start in in_block("tls", code, FEATURES)] == [13]
    text = Block(
        "paragraph",
        1,
        inlines=(Inline("text", "The feature ", 1, 1), Inline("code", "tls", 1, 13), Inline("text", " is on", 1, 18)),
    )
    assert [inline.text for inline, _ in in_block("tls", text, FEATURES)] == ["tls"]


def test_an_option_that_went_before_the_change_is_not_its_own_though_its_line_is_new(repository: Make) -> None:
    parser = "import argparse\n\np = argparse.ArgumentParser()\np.add_argument('--deep-first')\np.add_argument('--wide-first')\n"
    repo = repository({"README.md": "# Tool\n\n`--deep-first` is how.\n", "tool.py": parser})
    repo.replace("p.add_argument('--deep-first')\n", "", "tool.py").commit()
    repo.replace("is how", "tells how", "README.md").commit()
    assert claims(repo) == set()
