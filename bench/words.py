"""Plausible new names: what a maintainer might rename a thing to, in the old name's own style."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection
from pathlib import Path

_SYNONYMS: dict[str, str] = dict(
    line.split() for line in Path(__file__).with_name("synonyms.txt").read_text(encoding="utf-8").splitlines()
)
_NEUTRAL = [
    "unit", "frame", "anchor", "bridge", "lane", "ledger", "marker", "panel", "relay", "scope", "shard", "spool", "token",
    "vault", "wedge", "beacon",
]  # fmt: skip
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def parts_of(name: str) -> list[str]:
    """`loadItems`, `load_items`, `LOAD-ITEMS` -> load, items."""
    return _PARTS.findall(name)


def _restyled(part: str, word: str) -> str:
    if part.isupper() and len(part) > 1:
        return word.upper()
    return word.capitalize() if part[0].isupper() else word


def _neutral(part: str, attempt: int) -> str:
    return _NEUTRAL[(zlib.crc32(part.encode()) + attempt) % len(_NEUTRAL)]


def new_name(old: str, taken: Callable[[str], bool], *, keep: int = 0) -> str:
    """Another name in the same style. The first `keep` parts stay, as the prefix of an environment variable does.

    At most two parts are changed, the last ones first among those that have a synonym; a name without one gets a neutral word.
    """
    matches = list(_PARTS.finditer(old))
    if not matches:
        return ""
    for attempt in range(8):
        choice = _changes(old, matches, keep, attempt)
        text = "".join(_pieces(old, matches, choice))
        if text != old and not taken(text):
            return text
    return ""


_AFFIXES = ("next", "new", "alt", "second")


def affixed(old: str, taken: Callable[[str], bool], plain: str = "-") -> str:
    """The name with a word more, before or behind it, as one renames in a hurry: `load_items_next`, `--new-dry-run`."""
    matches = list(_PARTS.finditer(old))
    if not matches:
        return ""
    first, last = matches[0], matches[-1]
    glue = next((sign for sign in "_- " if sign in old[first.start() :]), "")
    joined = glue or ("" if re.search(r"[a-z][A-Z]|^[A-Z][a-z]", old[first.start() :]) else plain)
    for attempt in range(8):
        word = _AFFIXES[(zlib.crc32(old.encode()) + attempt) % len(_AFFIXES)]
        end = old[: last.end()] + joined + _as_last(last.group(), word, joined) + old[last.end() :]
        start = old[: first.start()] + _as_first(first.group(), word) + joined + _inner(old[first.start() :], joined)
        text = start if attempt % 2 and first.start() + len(first.group()) <= len(old) else end
        if text != old and not taken(text):
            return text
    return ""


def _as_last(part: str, word: str, joined: str) -> str:
    if part.isupper() and len(part) > 1:
        return word.upper()
    return word.capitalize() if not joined or part[0].isupper() else word


def _as_first(part: str, word: str) -> str:
    return _restyled(part, word) if not part.isdigit() else word


def _inner(rest: str, joined: str) -> str:
    return rest if joined or not rest else rest[0].upper() + rest[1:]


def _changes(old: str, matches: list[re.Match[str]], keep: int, attempt: int) -> dict[int, str]:
    known = [i for i, m in enumerate(matches) if i >= keep and m.group().lower() in _SYNONYMS]
    if known and attempt == 0:
        return {i: _SYNONYMS[matches[i].group().lower()] for i in known[-2:]}
    if len(known) > 1 and attempt == 1:
        return {known[0]: _SYNONYMS[matches[known[0]].group().lower()]}
    last = len(matches) - 1
    choice = {last: _neutral(old, attempt)}
    if known and known[0] != last:
        choice[known[0]] = _SYNONYMS[matches[known[0]].group().lower()]
    return choice


def _pieces(old: str, matches: list[re.Match[str]], choice: dict[int, str]) -> list[str]:
    pieces: list[str] = []
    at = 0
    for i, match in enumerate(matches):
        pieces.append(old[at : match.start()])
        pieces.append(_restyled(match.group(), choice[i]) if i in choice else match.group())
        at = match.end()
    return [*pieces, old[at:]]


def not_among(words: Collection[str]) -> Callable[[str], bool]:
    """A test for `new_name`: the name must be new to the repository."""
    return lambda text: text in words
