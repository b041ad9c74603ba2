"""Options and sub-commands that a parser of own code took until a moment ago, also where no kind reads a claim.

In what a program prints of itself, in the settings of another program that calls ours: there is no command line there, but the
text is the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

from docalign_actors.engine.claims import Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import PastAsker
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.lost.commands import gone, programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, MOST_SEARCHED, TOKEN, Edit
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_FLAG = re.compile(r"(?<![\w-])--[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+(?![\w-])")
"""Of two words at least: one of a single word may be any program's."""
_DASHED = re.compile(r"(?<![\w-])-[A-Za-z][A-Za-z0-9]{3,}(?:[-_.][A-Za-z0-9]+)*(?![\w-])")
"""With one dash and five letters: no letters in a row, and no word that only hangs on another."""
_READ = frozenset({"python", "javascript", "typescript", "tsx", "go", "rust", "java"})
_DECLARES = re.compile(r"(?i)command|parser|\buse\b|\bname\b")
_ARGUMENT = re.compile(r" ([a-z][\w-]{2,40})(?![\w./-])")
_BEGINNING = re.compile(r"(?<![\w./-])(?=[^ ])")
_LONGEST_PROGRAM = 120
_LONGEST_BLOCK = 60 * LONGEST_LINE
_MOST = 40


def parsed_names(edits: Sequence[Edit], world: World, asker: PastAsker) -> dict[str, Judgement]:
    """Options by their flags and sub-commands behind their program, each with what came in its place where only one did."""
    edits = [edit for edit in edits if is_read(edit)]
    words = {word for edit in edits for line in edit.gone for word in TOKEN.findall(line)}
    flags = _flags(world.documents) if words else set()
    spelled = {flag.lstrip("-").replace("-", "_") for flag in flags}
    programs = programs_of(world) if any(_may_declare(edit) for edit in edits) else frozenset[str]()
    called = _called(programs, words, world.documents) if programs else set()
    found: dict[str, Judgement] = {}
    facts = asker.reader.on_demand(asker.history.source)
    for edit in edits:
        held = {word for line in edit.gone for word in TOKEN.findall(line)}
        has_option = not spelled.isdisjoint(word.replace("-", "_") for word in held)
        if not (has_option or any(name in held for _, name in called)) or len(found) > _MOST:
            continue
        now, then = facts_now(world, edit.blob.path), facts.of((edit.blob.path, edit.blob.oid))
        went, came = _difference(_options(then), _options(now))
        for flag in went & flags - world.index.options.keys():
            found[flag] = gone(flag, min(came) if len(went) == len(came) == 1 else "", edit)
        went, came = _difference(_commands(then), _commands(now))
        renamed = len(went) == len(came) == 1
        for program, name in called:
            # Where another command has come in its place, a string of that name in the same file is something else.
            aside = edit.blob.path if renamed else ""
            if name in went and name not in world.index.commands and not is_quoted(name, aside, world):
                new = f"{program} {min(came)}" if renamed else ""
                found[f"{program} {name}"] = gone(f"{program} {name}", new, edit)
    return found


def is_read(edit: Edit) -> bool:
    """A file whose options and commands a collector reads."""
    return language_of(edit.blob.path) in _READ


def _difference(then: set[str], now: set[str]) -> tuple[set[str], set[str]]:
    return then - now, now - then


def _options(facts: FileFacts | None) -> set[str]:
    options = facts.options if facts is not None else ()
    return {name for option in options if not option.literal for name in option.names}


def _commands(facts: FileFacts | None) -> set[str]:
    """Those of the program itself: what hangs below a group is the group's."""
    return {command.name for command in (facts.commands if facts is not None else ()) if not command.parent}


def _may_declare(edit: Edit) -> bool:
    return any(_DECLARES.search(line) for line in edit.gone)


def is_quoted(name: str, aside: str, world: World, least: int = 1) -> bool:
    """A file of own code, but for one, has the word as a string: not everything that declares commands can be read.

    `least`: so many files have it.
    """
    quoted = re.compile(rb"[\"'`]" + re.escape(name.encode()) + rb"[\"'`\s]")
    paths = [p for p in world.files if language_of(p) in _READ and is_own_code(p) and p != aside]
    having = (path for path in paths if quoted.search(world.tree.read(path, SOURCE_LIMIT)))
    return len(paths) > MOST_SEARCHED or len(list(islice(having, least))) == least


def _flags(documents: Mapping[str, Document]) -> set[str]:
    texts = (block.text for document in documents.values() for block in document.blocks)
    told = (text[:_LONGEST_BLOCK] for text in texts if "-" in text)
    return {flag for text in told for form in (_FLAG, _DASHED) for flag in form.findall(text)}


def _called(
    programs: Collection[str], words: Collection[str], documents: Mapping[str, Document]
) -> set[tuple[str, str]]:
    """(program, word) where code or a title has one of the words right after one of the programs."""
    # Not one pattern of all programs: a repository may make thousands, each of which would be tried at each word.
    found: set[tuple[str, str]] = set()
    for text in _texts(documents):
        for argument in _ARGUMENT.finditer(text):
            if argument[1] in words:
                before = text[max(0, argument.start() - _LONGEST_PROGRAM) : argument.start()]
                found.update((program, argument[1]) for program in _at_end(before) if program in programs)
    return found


def _at_end(text: str) -> Iterator[str]:
    """What may be a program at the end of a text: its last two words, from each mark between on."""
    end = " ".join(text.rsplit(" ", 2)[-2:])
    return (end[start.start() :] for start in _BEGINNING.finditer(end))


def _texts(documents: Mapping[str, Document]) -> Iterator[str]:
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            yield block.text[:_LONGEST_BLOCK]
