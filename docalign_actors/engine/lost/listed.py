"""Blocks that list settings with the values that they have by default, without a word about it: the samples of a manual.

A value in an example is mostly one that somebody chose. Where a block gives several settings, and the file whose line changed gave
just these values to them, it shows what the program does if nobody chooses anything.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.languages import PROGRAMS
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.kinds.shared.values import same
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit
from docalign_actors.engine.lost.shapes import values_of

_SETTING = re.compile(
    r"""\s*(?:export |- )?(?P<quote>["']?)(?P<key>[A-Za-z][\w.-]{2,160})(?P=quote)\s{0,30}[:=]\s?"""
    r"""(?P<value>"[^"]{0,80}"|'[^']{0,80}'|[^\s"',#;{\[][^\s"',#;]{0,80})\s*,?(?:\s+[#;/].*)?$"""
)
_ENTRY = re.compile(
    r"""(?P<margin>[ ]{0,40})(?P<key>[A-Za-z][\w.-]{0,80}):"""
    r"""(?:[ ]{1,8}(?P<value>"[^"]{0,80}"|'[^']{0,80}'|[^\s"'#|>&*{\[][^\s#]{0,80}))?\s*(?:#.*)?$"""
)
"""A line of YAML: a key with a value, or one that others stand below."""
_GIVEN = re.compile(
    r"""\s*@{0,2}(?P<key>[A-Za-z]\w{2,80})\s{0,30}(?:=|:)\s?(?P<value>"[^"]{0,80}"|'[^']{0,80}'|:?[\w.-]{1,80})[,;]?\s*$"""
)
"""A line of code that gives one thing a plain value: `REAPER_COUNT = 1_000`, `@limit = 5`."""
_NAME = re.compile(r"[\w.-]+")
_MOST_LINES = 2_000
_LEAST_AGREED = 3
_MOST_APART = 3
"""Lines below the one that names a setting on which its value may stand."""


class _Setting(Struct, frozen=True):
    """A line of a block that gives a setting a value."""

    line: Inline
    key: str
    value: str
    start: int


Listing = tuple[Document, Block, list[_Setting]]


def listings(documents: Mapping[str, Document]) -> list[Listing]:
    """The blocks that give several settings their values."""
    found: list[Listing] = []
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            if block.kind == "code" and not block.historical:
                settings = [s for line in block.lines if (s := _setting(line)) is not None]
                if len(settings) > _LEAST_AGREED:
                    found.append((document, block, settings))
    return found


def _setting(line: Inline) -> _Setting | None:
    match = _SETTING.match(line.text[:LONGEST_LINE])
    if match is None:
        return None
    quoted = match["value"][0] in "\"'"
    return _Setting(line, match["key"], match["value"].strip("\"'"), match.start("value") + quoted)


def listed(
    change: ChangedValue, blocks: Sequence[Listing], edits: Sequence[Edit]
) -> Iterator[tuple[Document, Block, Inline, int, str, frozenset[str]]]:
    """The places in such blocks that have the old value for one of the names, by the setting's own name."""
    owners = change.names | change.around
    for document, block, settings in blocks:
        for one in settings:
            name = normal(one.key.rpartition(".")[2] if block.language.lower() in PROGRAMS else one.key)
            if name in owners and one.value and same(one.value, change.old) is True:
                others = [setting for setting in settings if setting is not one]
                told = [edit for edit in edits if _concerns(edit, change, one.key)]
                if block.language.lower() in PROGRAMS:
                    told = [edit for edit in told if _is_copied(block, edit) or _gives_all(settings, edit)]
                if any(_agree(others, edit.before) or _gives_all(settings, edit) for edit in told) and not _is_chosen(
                    block, told
                ):
                    yield document, block, one.line, one.start, one.value, frozenset({name})


def _is_copied(block: Block, edit: Edit) -> bool:
    """A program that an example shows gives what it likes; but for its margins every line of this one stood in the file."""
    had = {line.strip().rstrip(",;") for line in edit.before[:_MOST_LINES]}
    shown = [line.text.strip().rstrip(",;") for line in block.lines if line.text.strip()]
    return sum(line in had for line in shown) * 5 >= len(shown) * 4


def _gives_all(settings: Sequence[_Setting], edit: Edit) -> bool:
    """The file gave each of them that it knows just the value which the block gives it, however it spells the names."""
    given: dict[str, str] = {}
    for line in edit.before[:_MOST_LINES]:
        match = _GIVEN.match(line[:LONGEST_LINE])
        if match is not None:
            given.setdefault(normal(match["key"]), match["value"].strip("\"'"))
    named = [(one.value, given[key]) for one in settings if (key := normal(one.key.rpartition(".")[2])) in given]
    return len(named) > _LEAST_AGREED and all(same(shown, value) is True for shown, value in named)


def _concerns(edit: Edit, change: ChangedValue, key: str) -> bool:
    """The file that the change was read from, or another one in which a line with the setting's name went."""
    return edit.blob.path == change.path or any(key in line for line in edit.gone)


def _is_chosen(block: Block, edits: Sequence[Edit]) -> bool:
    """A file of settings gave some setting of the block another value, at the same place: somebody chose what it shows."""
    shown = dict(_placed([line.text for line in block.lines]))
    for edit in edits if shown else ():
        then = dict(_placed(edit.before)) if edit.data else {}
        if any(same(value, then[place]) is False for place, value in shown.items() if place in then and len(place) > 1):
            return True
    return False


def _placed(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The settings with the keys that they stand below, by their margins: `resources`, `limits`, `memory`."""
    above: list[tuple[int, str]] = []
    for line in lines[:_MOST_LINES]:
        entry = _ENTRY.match(line[:LONGEST_LINE])
        if entry is None:
            continue
        margin = len(entry["margin"])
        while above and above[-1][0] >= margin:
            above.pop()
        if entry["value"]:
            yield (*(key for _, key in above), entry["key"]), entry["value"].strip("\"'")
        else:
            above.append((margin, entry["key"]))


def _agree(settings: Sequence[_Setting], lines: Sequence[str]) -> bool:
    """Most of the settings that the file names had the values there that the block gives them."""
    keys = {setting.key: setting.value for setting in settings}
    named = _named(tuple(lines))
    told: dict[str, bool] = {}
    for first in {key.partition(".")[0] for key in keys}:
        for name, values in named.get(first, {}).items():
            key = next((start for start in _starts(name) if start in keys), "")
            beside = values - {key}
            if key and beside and not told.get(key):
                told[key] = any(same(keys[key], value) is True for value in beside)
    agreed = sum(told.values())
    return agreed >= _LEAST_AGREED and agreed >= 2 * (len(told) - agreed)


@lru_cache(maxsize=32)
def _named(lines: tuple[str, ...]) -> dict[str, dict[str, frozenset[str]]]:
    """What a file names, by what stands before the first dot, with all values on the same lines and just below.

    Made once for all blocks: a long file of settings names a few keys on thousands of lines.
    """
    cut = [line[:LONGEST_LINE] for line in lines]
    values = [values_of(line) for line in cut]
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for number, line in enumerate(cut):
        for name in _NAME.findall(line):
            found[name.partition(".")[0]][name].update(*values[number : number + _MOST_APART])
    return {first: {name: frozenset(v) for name, v in names.items()} for first, names in found.items()}


def _starts(name: str) -> Iterator[str]:
    """The name and what it begins with up to one of its dots, the longest first."""
    yield name
    for end in range(len(name) - 1, 0, -1):
        if name[end] == ".":
            yield name[:end]
