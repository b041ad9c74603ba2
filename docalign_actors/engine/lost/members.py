"""Methods by their owners, and parameters by their names, in languages that no kind binds calls for: `Shop.run_checks(every: 1)`.

The name of a method may stay in the code as something else's, and that of a parameter nearly always does: only the owner, or the
call that it stands in, tells that it is the one which has just got another name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.lost.commands import gone
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit, code_in
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_LANGUAGES = frozenset({"ruby", "php", "csharp", "swift", "kotlin"})
_CALLED = frozenset({"method", "function"})
_MARKS = {"ruby": (".", "#", "::"), "php": ("::",), "csharp": (".",), "swift": (".",), "kotlin": (".",)}
_LEAST = 4
_MOST_FILES = 60
_FAR = 20
"""Lines that a call may go on for."""


class Then(NamedTuple):
    """What a file defined before the edit, and what it defines now, by whole name."""

    edit: Edit
    before: Mapping[str, Definition]
    after: Mapping[str, Definition]
    there: frozenset[str]
    """Every whole name that it defines now, once or several times. Of a file that does not parse, no owners are known."""


def definitions_then(edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Then]:
    """The definitions of the files that went on under their names."""
    telling = [e for e in edits if language_of(e.blob.path) in _LANGUAGES and e.blob.path in world.files][:_MOST_FILES]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: list[Then] = []
    for edit in telling:
        now = facts_now(world, edit.blob.path)
        if now is not None:
            then = facts.of((edit.blob.path, edit.blob.oid))
            there = frozenset(definition.qualname for definition in now.definitions)
            found.append(Then(edit, _callable(then.definitions), _callable(now.definitions), there))
    return found


def lost_methods(thens: Sequence[Then], world: World) -> dict[str, Judgement]:
    """`Owner.method` that is not defined any more, each with the one that came in its place."""
    found: dict[str, Judgement] = {}
    for then in thens:
        for whole, was in then.before.items():
            owner, _, name = whole.rpartition(".")
            owner = owner.rpartition(".")[2]
            if (
                not then.there.isdisjoint((whole, name))
                or not owner[:1].isupper()
                or len(name) < _LEAST
                or _is_elsewhere(whole, name, world)
            ):
                continue
            heirs = [d.name for w, d in then.after.items() if w not in then.before and _is_alike(w, d, whole, was)]
            for mark in _MARKS[language_of(then.edit.blob.path)]:
                new = f"{owner}{mark}{heirs[0]}" if len(heirs) == 1 else ""
                found[f"{owner}{mark}{name}"] = gone(f"{owner}{mark}{name}", new, then.edit)
    return found


def lost_parameters(judged: Sequence[Judged], thens: Sequence[Then], world: World) -> list[Judged]:
    """Arguments that documents pass by a name which the function's parameter has not any more."""
    found: list[Judged] = []
    taken = {(c.file, c.line, c.column) for c, j in judged if j.verdict is Verdict.DRIFTED}
    for then in thens:
        for whole, was in then.before.items():
            now = then.after.get(whole)
            if now is None or was.params is None or now.params is None or _takes_anything(now):
                continue
            names, left = {p.name for p in was.params}, {p.name for p in now.params}
            for name in sorted(names - left):
                new = next(iter(left - names)) if len(left - names) == len(names - left) == 1 else ""
                for document, block, inline, start in _passed(whole, name, then.edit.blob.path, world):
                    if (document.path, inline.line, inline.column + start) not in taken:
                        found.append(_judged(whole, name, new, document, block, inline, start, then.edit))
    return found


def _callable(definitions: Sequence[Definition]) -> dict[str, Definition]:
    """By whole name; what is defined more than once under one name cannot be told apart."""
    found: dict[str, Definition] = {}
    twice: set[str] = set()
    for definition in definitions:
        if definition.kind in _CALLED:
            if definition.qualname in found:
                twice.add(definition.qualname)
            found[definition.qualname] = definition
    return {whole: definition for whole, definition in found.items() if whole not in twice}


def _is_elsewhere(whole: str, name: str, world: World) -> bool:
    return any(found.fact.qualname == whole for found in world.index.definitions.get(name, ()))


def _is_alike(whole: str, definition: Definition, other: str, was: Definition) -> bool:
    same_owner = whole.rpartition(".")[0] == other.rpartition(".")[0]
    return same_owner and definition.params == was.params and definition.kind == was.kind


def _takes_anything(definition: Definition) -> bool:
    return any(param.kind in ("kwargs", "varargs") for param in definition.params or ())


def _passed(whole: str, name: str, path: str, world: World) -> Iterator[tuple[Document, Block, Inline, int]]:
    owner, _, function = whole.rpartition(".")
    owner = owner.rpartition(".")[2]
    alone = len({found.fact.qualname for found in world.index.definitions.get(function, ())} | {whole}) == 1
    lead = rf"(?:\b{re.escape(owner)}(?:\.|::|->|#))" if owner else ""
    if lead and alone and len(function) > _LEAST:
        lead += "?"
    call = re.compile(rf"{lead}(?<!\w){re.escape(function)}\s?[( ]")
    mark = "=" if path.endswith((".kt", ".kts")) else ":(?!:)"
    argument = re.compile(rf"(?<![\w:.$@-]){re.escape(name)}\s?{mark}")
    for document in world.documents.values():
        for block in document.blocks if not document.history else ():
            if name in block.text and function in block.text:
                for inline, start in _arguments(block, call, argument):
                    yield document, block, inline, start


def _arguments(block: Block, call: re.Pattern[str], argument: re.Pattern[str]) -> Iterator[tuple[Inline, int]]:
    """The argument where a call passes it: after the call on its line, or on the lines that it goes on for."""
    open_brackets, lines_left = 0, 0
    for inline in code_in(block):
        text = inline.text[:LONGEST_LINE]
        begun = call.search(text)
        if begun is not None:
            rest, offset = text[begun.end() - 1 :], begun.end() - 1
            open_brackets, lines_left = 0, _FAR
        elif open_brackets > 0 and lines_left > 0 and block.lines:
            rest, offset = text, 0
        else:
            continue
        match = argument.search(rest)
        if match is not None:
            yield inline, offset + match.start()
        open_brackets += rest.count("(") - rest.count(")")
        lines_left -= 1


def _judged(
    whole: str, name: str, new: str, document: Document, block: Block, inline: Inline, start: int, edit: Edit
) -> Judged:
    claim = Claim(
        "signature", name, name, document.path, inline.line, inline.column + start, owner=whole.rpartition(".")[2],
        form="example" if block.kind == "code" else "span", words=(name,), section=block.section,
    )  # fmt: skip
    became = f": it is `{new}` now" if new else ""
    evidence = Evidence(f"`{whole}` took `{name}` until then", edit.blob.path, 0, edit.blob.after)
    told = Judgement(
        Verdict.DRIFTED, "wrong-signature", f"`{whole}` takes no `{name}` any more{became}", (evidence,), 0.85,
        fix=Fix(new, True) if new else None, subject=f"{whole} {name}",
    )  # fmt: skip
    return claim, told
