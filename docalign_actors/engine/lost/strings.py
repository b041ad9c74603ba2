"""Words of a command line that own code has as strings, whatever framework takes them: `"truncate"` that became `"empty"`.

A line that came again with another string in the same place tells that a word got another name. Where no string of the language has
the old word any more, and documents write it after a program of ours, after another string of that line, or as an option,
it is what they mean. In languages whose collectors know how commands are declared, the line must say that it declares one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docalign_actors.engine.claims import Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.lost.commands import gone, programs_of
from docalign_actors.engine.lost.lines import BORROWS, LONGEST_LINE, MOST_SEARCHED, Edit
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_LANGUAGES = frozenset({"csharp", "ruby", "php", "c", "cpp", "swift", "kotlin"})
"""Those whose declarations of options and commands no collector reads."""
WITH_COLLECTORS = frozenset({"python", "javascript", "typescript", "tsx", "go", "rust", "java"})
"""Those whose collectors know many ways to declare a command, and not every one."""
_DECLARES = re.compile(
    r"(?i)(?:sub_?)?(?:command|cmd|parser)s?\w*[\"'`]?\s*[(\[{=:]|\b(?:os\.Args|(?:sys|process)\.argv|argv)\[\d\]\s*===?"
)
"""A call, an entry or a comparison that says so itself: `parser.AddCommand(`, `commands: {`, `os.Args[1] ==`."""
_ABOVE = 2
_STRING = re.compile(r"([\"'])((?:[^\"'\\\n]|\\.){0,300})\1")
_WORDS = re.compile(r"-{0,2}[A-Za-z][\w-]{0,60}[=:]?(?:[|,] ?-{0,2}[A-Za-z][\w-]{0,60}[=:]?){0,3}")
"""`truncate`, `--silent`, `d=|directory=`: names, and nothing else."""
_NAME = re.compile(r"[A-Za-z][\w-]{1,60}")
_LEAST = 3
"""Letters of a word that tells something; what stands in its place may be shorter."""
_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_MOST = 40


class Renamed(NamedTuple):
    """A word of a string, what stands in its place, and the other words that the line has as strings."""

    old: str
    new: str
    beside: tuple[str, ...]
    edit: Edit
    option: bool = True
    """It may be an option as well as a sub-command."""


def lost_words(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """Options (`--old`) and sub-commands (`program old`) by the words that strings had, each with what it is called now."""
    renamed = [one for edit in edits for one in _renamed(edit)][:_MOST]
    languages = {language_of(one.edit.blob.path) for one in renamed}
    kept = _still_strings({one.old for one in renamed}, languages, world) if renamed else set()
    programs = sorted(programs_of(world)) if renamed else []
    found: dict[str, Judgement] = {}
    for one in renamed:
        if one.old in kept:
            continue
        if one.option:
            found.setdefault(f"--{one.old}", gone(f"--{one.old}", f"--{one.new}", one.edit))
        for owner in (one.beside or programs) if _COMMAND.fullmatch(one.old) else ():
            found.setdefault(f"{owner} {one.old}", gone(f"{owner} {one.old}", f"{owner} {one.new}", one.edit))
    return found


def _renamed(edit: Edit) -> Iterator[Renamed]:
    language = language_of(edit.blob.path)
    if language not in _LANGUAGES | WITH_COLLECTORS:
        return
    come: dict[str, list[list[str]]] = defaultdict(list)
    for line in edit.come:
        come[_shape(line)].append(_strings(line))
    for number, line in edit.numbered if come else ():
        then = _strings(line)
        if not then or BORROWS.search(line) or (language in WITH_COLLECTORS and not _is_declared(edit, number)):
            continue
        pairs = {pair for now in come.get(_shape(line), ()) if (pair := _difference(then, now))}
        if len(pairs) == 1:
            old, new = next(iter(pairs))
            beside = tuple(text for text in then if _COMMAND.fullmatch(text) and text != old)
            yield Renamed(old, new, beside, edit, language in _LANGUAGES)


def _is_declared(edit: Edit, number: int) -> bool:
    """The line, or the call that it goes on, declares a command by its own words."""
    if _DECLARES.search(edit.before[number][:LONGEST_LINE]):
        return True
    above = edit.before[max(0, number - _ABOVE) : number]
    return any(line.rstrip().endswith(("(", "{", "[")) and _DECLARES.search(line[:LONGEST_LINE]) for line in above)


def _shape(line: str) -> str:
    """The line without its strings; how far its columns stand apart changes with them."""
    return re.sub(r"[ \t]+", " ", _STRING.sub("\0", line[:LONGEST_LINE]))


def _strings(line: str) -> list[str]:
    """The strings of a line that are names; sentences may change with them."""
    return [match[2] for match in _STRING.finditer(line[:LONGEST_LINE]) if _WORDS.fullmatch(match[2])]


def _difference(then: Sequence[str], now: Sequence[str]) -> tuple[str, str] | None:
    """The one word that is another."""
    others = [(a, b) for a, b in zip(then, now, strict=False) if a != b] if len(then) == len(now) else []
    if len(others) != 1:
        return None
    old, new = _NAME.findall(others[0][0]), _NAME.findall(others[0][1])
    words = [(a, b) for a, b in zip(old, new, strict=False) if a != b] if len(old) == len(new) else []
    return words[0] if len(words) == 1 and len(words[0][0]) >= _LEAST else None


def _still_strings(words: set[str], languages: set[str], world: World) -> set[str]:
    """Those that some string of own code holds as a name, or that something is defined by."""
    searched = languages & WITH_COLLECTORS | (_LANGUAGES if languages & _LANGUAGES else frozenset())
    paths = [path for path in world.files if language_of(path) in searched and is_own_code(path)]
    if len(paths) > MOST_SEARCHED:
        return words
    found: set[str] = set()
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
        for word in [word for word in words - found if word in data]:
            held = rf"[\"'](?:[\w=:-]+[|,] ?)*-{{0,2}}{re.escape(word)}[=:]?(?:[|,] ?[\w=:-]+)*[\"']"
            if re.search(held + rf"|\bdef (?:self\.)?{re.escape(word)}\b|[\[(,]\s*:{re.escape(word)}\b", data):
                found.add(word)
    return found
