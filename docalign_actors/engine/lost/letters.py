"""Options of one letter that a parser of own code took until a moment ago: `tool -d` when the field that gave the letter went.

A letter stands on no line of its own where a parser makes it of a name, so that the words of the lines that went do not lead to
it. The options that the file declared then and declares now do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import FileFacts, Option
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import gone, programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, MOST_SEARCHED, Edit, code_in
from docalign_actors.engine.lost.parsed import is_read
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_LETTER = re.compile(r"-[A-Za-z]")
_BUILT_IN = frozenset(("-h", "-v", "-V", "-?"))
"""Parsers take these by themselves."""
_MOST = 20


def lost_letters(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims on letters that a program of ours does not take any more."""
    facts = asker.reader.on_demand(asker.history.source)
    went: dict[str, tuple[Option, Judgement]] = {}
    for edit in edits:
        if is_read(edit) and any("short" in line or "-" in line for line in edit.before):
            now, then = facts_now(world, edit.blob.path), facts.of((edit.blob.path, edit.blob.oid))
            taken = _taken(now)  # none at all: the file went, or is read no more
            for letter, option in _letters(then).items() if taken else ():
                if letter not in taken and letter not in world.index.options and len(went) < _MOST:
                    went.setdefault(letter, (option, gone(letter, _heir(option, now), edit)))
    went = {letter: told for letter, told in went.items() if not _is_written(letter, world)}
    programs = programs_of(world) if went else frozenset[str]()
    beside = Beside(judged if programs else ())
    found: list[Judged] = []
    for letter, (option, told) in went.items() if programs else ():
        for place in _places(letter, option, programs, world):
            claim = _claim(letter, *place)
            if not any(other.kind == "option" and _is_answered(judgement) for other, judgement in beside.of(claim)):
                found.append((claim, told))
    return found


def _is_answered(judgement: Judgement) -> bool:
    return judgement.verdict is not Verdict.UNCERTAIN


def _taken(facts: FileFacts | None) -> set[str]:
    return {name for option in (facts.options if facts is not None else ()) for name in option.names}


def _is_written(letter: str, world: World) -> bool:
    """Some file of own code has it as a string: not every parser is read, and of a change not every file is."""
    quoted = re.compile(rb"[\"'`, ]" + re.escape(letter.encode()) + rb"[\"'`,= |]")
    paths = [path for path in world.files if language_of(path) and is_own_code(path)]
    return len(paths) > MOST_SEARCHED or any(quoted.search(world.tree.read(path, SOURCE_LIMIT)) for path in paths)


def _letters(facts: FileFacts | None) -> dict[str, Option]:
    options = [option for option in (facts.options if facts is not None else ()) if not option.literal]
    return {name: o for o in options for name in o.names if _LETTER.fullmatch(name) and name not in _BUILT_IN}


def _heir(option: Option, facts: FileFacts | None) -> str:
    """The letter that the same option has now."""
    longs = {name for name in option.names if name.startswith("--")}
    alike = [o for o in (facts.options if facts is not None else ()) if not longs.isdisjoint(o.names)]
    letters = {name for o in alike for name in o.names if _LETTER.fullmatch(name)} - set(option.names)
    return letters.pop() if len(letters) == 1 else ""


def _places(
    letter: str, option: Option, programs: frozenset[str], world: World
) -> Iterator[tuple[Document, Block, Inline, int]]:
    """Behind a program of ours in a command, and beside the option's own long name in help and lists."""
    names = "|".join(map(re.escape, sorted(programs, key=len, reverse=True)))
    flag = rf"({re.escape(letter)})(?![\w-])"
    longs = "|".join(re.escape(name) for name in option.names if name.startswith("--"))
    forms = [rf"(?<![\w./-])(?:{names}) (?:[^|;&\n]{{0,200}} )?{flag}"]
    forms += [rf"(?:{longs}),? {flag}", rf"(?<!\S){flag},? (?:{longs})(?![\w-])"] if longs else []
    patterns = [re.compile(form) for form in forms]
    for document in world.documents.values():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block):
                match = next(filter(None, (form.search(inline.text[:LONGEST_LINE]) for form in patterns)), None)
                if match is not None:
                    yield document, block, inline, match.start(1)


def _claim(letter: str, document: Document, block: Block, inline: Inline, start: int) -> Claim:
    return Claim(
        "option", letter, letter, document.path, inline.line, inline.column + start,
        form="example" if block.kind == "code" else "span", words=(), section=block.section,
    )  # fmt: skip
