"""Which identifiers a file holds, and which of many files hold all words of a text. Nothing is parsed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from docalign_actors.engine.ports import FileSource

READ_TOGETHER = 32
"""Earlier versions of files that are held in memory at once."""
_FEW = 8
"""So many words are looked for faster one by one than by taking the file apart."""
_DIGITS = b"0123456789"
_AFTER_DIGITS = b":"
"""What begins with a digit sorts before this, and no other word does."""
_ONLY_WORDS = bytes(c if c == 95 or (chr(c).isalnum() and c < 128) else 32 for c in range(256))
"""Everything that no identifier holds becomes a space, which is faster than a pattern."""

Item = tuple[str, str]
"""Path and blob id."""
Needs = Mapping[str, frozenset[bytes]]
"""Texts, each with all its words."""


def held_words(data: bytes, wanted: Collection[bytes]) -> frozenset[bytes]:
    """Those of the words that a file contains. What begins with a digit is no word here."""
    if len(wanted) <= _FEW:
        wanted = [word for word in wanted if word in data]
    return frozenset(wanted).intersection(data.translate(_ONLY_WORDS).split()) if wanted else frozenset()


def words_of(data: bytes) -> set[bytes]:
    """Every identifier in a file."""
    words = set(data.translate(_ONLY_WORDS).split())
    numbers = [word for word in words if word < _AFTER_DIGITS]
    words.difference_update(numbers)
    words.update(word.lstrip(_DIGITS) for word in numbers)
    words.discard(b"")
    return words


def by_longest_word(needs: Needs) -> dict[bytes, list[str]]:
    """The texts by the longest of their words."""
    found: dict[bytes, list[str]] = defaultdict(list)
    for text, words in needs.items():
        found[max(words, key=len)].append(text)
    return found


def first_holders(source: FileSource, items: Sequence[Item], needs: Needs, limit: int) -> list[list[str]]:
    """For each file, given the newest first, the texts all of whose words it is the first of its path to hold."""
    by_word = by_longest_word(needs)
    seen: set[tuple[str, str]] = set()
    found: list[list[str]] = []
    for (path, _), data in zip(items, _read(source, items, limit), strict=True):
        texts = [
            text
            for word in held_words(data, by_word)
            for text in by_word[word]
            if (text, path) not in seen and all(other in data for other in needs[text])
        ]
        seen.update((text, path) for text in texts)
        found.append(texts)
    return found


def _read(source: FileSource, items: Sequence[Item], limit: int) -> Iterator[bytes]:
    for start in range(0, len(items), READ_TOGETHER):
        yield from source.read_many(items[start : start + READ_TOGETHER], limit)
