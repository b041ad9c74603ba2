"""Parameters of functions that documents declare with their types, as manuals of typed languages do: `send(String topic)`.

Calls of these languages pass arguments by their places, so no claim is made of an argument's name. A declaration names it: that the
function has no such parameter any more, under none of its signatures, makes it false.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit, code_in
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_TYPE = r"[A-Za-z_][\w.]{0,60}(?:<[^<>()]{0,60}>)?(?:\[\]|\?|\*|&)?"
_TYPED = {
    "java": rf"(?:final |@\w+ )?{_TYPE}(?:\.\.\.)? (?P<name>\w+)",
    "csharp": rf"(?:ref |out |params |this )?{_TYPE} (?P<name>\w+)(?: ?=.{{0,40}})?",
    "kotlin": r"(?P<name>\w+) ?: ?.{1,80}",
    "typescript": r"(?P<name>\w+)\?? ?: ?.{1,80}",
    "rust": r"(?:mut )?(?P<name>\w+) ?: ?.{1,80}",
    "go": rf"(?P<name>\w+) (?:\.\.\.|\[\]|\*)?{_TYPE}",
}
"""How each language writes a parameter with its type."""
_WITH_BRACKETS = re.compile(r"(?<!\w)([A-Za-z_]\w{3,60})(?:<[^<>()]{1,40}>)?\(")
_MOST_FILES = 60
_LEAST = 4
"""Letters of a function's name that is told without its owner."""


def lost_declared(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made: parameters in declarations, by names that the functions do not give them any more."""
    telling = _telling(edits, world)[:_MOST_FILES]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: list[Judged] = []
    taken = {(c.file, c.line, c.column) for c, j in judged if j.verdict is Verdict.DRIFTED}
    for edit in telling:
        now = facts_now(world, edit.blob.path)
        before = _named(facts.of((edit.blob.path, edit.blob.oid)).definitions)
        after = _named(now.definitions) if now is not None else {}
        for function, names in before.items():
            left = after.get(function)
            for name in sorted(names - left) if left else ():
                new = next(iter(left - names)) if left and len(left - names) == len(names - left) == 1 else ""
                found += _places(function, name, new, edit, world)
    return [(c, j) for c, j in found if (c.file, c.line, c.column) not in taken]


def _telling(edits: Sequence[Edit], world: World) -> list[Edit]:
    """The files that lost a line with a function which some document writes with its brackets: no other is worth parsing."""
    typed = [e for e in edits if language_of(e.blob.path) in _TYPED and e.blob.path in world.files]
    names = {name for edit in typed for line in edit.gone for name in _WITH_BRACKETS.findall(line)}
    told = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted(names)))})(?=[(<])") if names else None
    blocks = (block for document in world.documents.values() for block in document.blocks) if told else ()
    said = {name for block in blocks for name in (told.findall(block.text) if told else ())}
    return [e for e in typed if any(not said.isdisjoint(_WITH_BRACKETS.findall(line)) for line in e.gone)]


def _named(definitions: Iterable[Definition]) -> Mapping[str, set[str]]:
    """The parameters of each function, under all of its signatures; of several functions of one name, all of them."""
    found: dict[str, set[str]] = defaultdict(set)
    for definition in definitions:
        if definition.kind in ("method", "function") and definition.params and len(definition.name) >= _LEAST:
            found[definition.name].update(param.name for param in definition.params)
    return found


def _places(function: str, name: str, new: str, edit: Edit, world: World) -> Iterator[Judged]:
    declared = re.compile(rf"(?<![\w.]){re.escape(function)}(?:<[^<>()]{{1,40}}>)?\((?P<list>[^()]{{1,400}})\)")
    typed = re.compile(_TYPED[language_of(edit.blob.path)])
    elsewhere = {
        param.name
        for found in world.index.definitions.get(function, ())
        for param in found.fact.params or ()
        if found.path != edit.blob.path
    }
    for document in world.documents.values() if name not in elsewhere else ():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block) if function in block.text and name in block.text else ():
                for match in declared.finditer(inline.text[:LONGEST_LINE]):
                    at = _among(match["list"], name, typed)
                    if at >= 0:
                        start = match.start("list") + at
                        yield _judged(function, name, new, document, block, inline, start, edit)


def _among(listed: str, name: str, typed: re.Pattern[str]) -> int:
    """Where the parameter stands in a list of which every entry is declared with its type, -1 if it does not."""
    found, at = -1, 0
    for entry in re.split(r",(?![^<]*>)", listed):
        match = typed.fullmatch(entry.strip())
        if match is None:
            return -1
        if match["name"] == name:
            found = at + len(entry) - len(entry.lstrip()) + match.start("name")
        at += len(entry) + 1
    return found


def _judged(
    function: str, name: str, new: str, document: Document, block: Block, inline: Inline, start: int, edit: Edit
) -> Judged:
    claim = Claim(
        "signature", name, name, document.path, inline.line, inline.column + start, owner=function,
        form="example" if block.kind == "code" else "span", words=(name,), section=block.section,
    )  # fmt: skip
    became = f": it is `{new}` now" if new else ""
    evidence = Evidence(f"`{function}` took `{name}` until then", edit.blob.path, 0, edit.blob.after)
    told = Judgement(
        Verdict.DRIFTED, "wrong-signature", f"`{function}` takes no `{name}` any more{became}", (evidence,), 0.85,
        fix=Fix(new, True) if new else None, subject=f"{function} {name}",
    )  # fmt: skip
    return claim, told
