"""Keys with dashes are looked up in a set of whole words, made once for each file."""

from __future__ import annotations

import pytest

from docalign_actors.engine.dashed import dashed_words, is_dashed


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"trigger-rule": 1', True), ("--trigger-rule=x", True), ("a--trigger-rule", True), ("-trigger-rule", True),
        ("trigger-rule-mismatch", False), ("on-trigger-rule", False), ("trigger-rule-", False), ("trigger-rules", False),
        ("--trigger-rule--other", False), ("trigger_rule", False),
    ],
)  # fmt: skip
def test_only_a_whole_word_is_found(text: str, found: bool) -> None:
    assert (b"trigger-rule" in dashed_words(text.encode())) is found


def test_words_of_other_signs_are_not_looked_up_in_that_set() -> None:
    assert is_dashed("max-retries")
    assert is_dashed("a-b-c")
    assert not any(map(is_dashed, ["max_retries", "max.retries-now", "-retries", "retries-", "größe-x", "a--b"]))
