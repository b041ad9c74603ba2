"""Sentences that are passed over because no word of them can be a name."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.reader import read_document
from docalign_actors.engine.kinds.shared.names import is_distinctive, may_hold_names
from docalign_actors.engine.kinds.symbol.text import extract

_WORDS = st.text("abcXYZ019_.()- ", max_size=40)


@given(_WORDS)
def test_a_text_with_a_distinctive_a_called_or_a_dotted_word_is_never_passed_over(text: str) -> None:
    words = re.findall(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?", text)
    if any(word.endswith("()") or "." in word or is_distinctive(word) for word in words):
        assert may_hold_names(text)


@given(st.text("abcXYZ019_.()- éÉ", max_size=40))
def test_plain_searches_find_what_the_pattern_says(text: str) -> None:
    humps = r"[A-Z][a-z0-9]+[A-Z]|[a-z0-9][A-Z]|[A-Z]{3}[a-z]{2}"
    assert may_hold_names(text) == bool(re.search(rf"\(\)|_|\.[A-Za-z_]|{humps}", text))


def _claims(text: str) -> list[str]:
    document: Document = read_document("README.md", "markdown", text.encode())
    return [claim.text for claim in extract(document)]


def test_a_name_in_a_plain_sentence_is_still_a_claim() -> None:
    assert _claims("Then load_items is run, and after it the JsonReader and close() too.\n") == [
        "load_items", "JsonReader", "close",
    ]  # fmt: skip
    assert _claims("Nothing of this is a name.\n") == []
