"""Methods of one plain word that got another name: `.leaves()`, `seek()`.

A word says little, and code has it for other things too: an option, a key, a property. That it is called says more. Where a method
of this name was defined until a moment ago, nothing calls or defines one any more, and a document has it as a title or a span of
its own, with brackets and without an owner, it is that method; and so is what the document's examples call by this name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import gone
from docalign_actors.engine.lost.lines import LONGEST_LINE, MOST_SEARCHED, Edit, code_in, is_joined, renamed_to
from docalign_actors.engine.lost.mentions import is_defined_in
from docalign_actors.engine.roles import is_foreign, is_release_note
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_ITSELF = re.compile(r"[.#]?(?P<name>[a-z][a-z0-9]{3,40})\((?P<taken>[^()]{0,120})\)")
_CALL = re.compile(r"(?<![\w$])(?P<name>[a-z][a-z0-9]{3,40})\s?\(")
_MOST = 40

_Place = tuple[Document, Block, Inline, int]


def lost_calls(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, or that one holds true because the word stands somewhere."""
    called = {match["name"] for edit in edits for line in edit.gone for match in _CALL.finditer(line)}
    named = _named(called, world.documents) if called else {}
    lost = _lost(edits, frozenset(named), asker) if named else {}
    still = _still_called(frozenset(lost), world) if lost else frozenset[str]()
    beside = Beside(judged if lost else ())
    found: list[Judged] = []
    for name, told in lost.items():
        if name in still or is_defined_in(world.documents.values(), name):
            continue
        for place in (place for path in named[name] for place in _places(name, world.documents[path])):
            claim = _claim(name, *place)
            if not any(judgement.verdict is Verdict.DRIFTED for _, judgement in beside.of(claim)):
                found.append((claim, told))
    return found


def _named(called: set[str], documents: Mapping[str, Document]) -> dict[str, list[str]]:
    """The documents that have one of the names for itself, by name."""
    found: dict[str, list[str]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for _, match in _for_itself(block):
                if match["name"] in called and document.path not in found[match["name"]]:
                    found[match["name"]].append(document.path)
    return {name: paths for name, paths in found.items() if paths}


def _for_itself(block: Block) -> Iterator[tuple[Inline, re.Match[str]]]:
    """A title that is nothing but a call, and spans of nothing else."""
    for inline in block.inlines if not block.historical else ():
        if inline.kind == "code" or (block.kind == "heading" and inline.kind == "text"):
            match = _ITSELF.fullmatch(inline.text.strip()[:200])
            if match is not None:
                yield inline, match


def _lost(edits: Sequence[Edit], names: frozenset[str], asker: PastAsker) -> dict[str, Judgement]:
    """Those that a file defined as methods, each with the one name that came in its place."""
    found: dict[str, Judgement] = {}
    facts = asker.reader.on_demand(asker.history.source)
    for edit in edits:
        held = {match["name"] for line in edit.gone for match in _CALL.finditer(line)} & names
        then = facts.of((edit.blob.path, edit.blob.oid)) if held and not edit.data else None
        methods = {d.name for d in then.definitions if d.kind == "method"} if then is not None else set[str]()
        for name in sorted(held & methods)[:_MOST]:
            new = renamed_to(name, _calls(name, edit.gone), edit.come)
            if new and not is_joined(name):
                message = f"No method is called `{name}` any more: it is `{new}` now"
                found.setdefault(name, msgspec.structs.replace(gone(name, new, edit), message=message))
    return found


def _calls(name: str, lines: Sequence[str]) -> list[str]:
    call = re.compile(rf"(?<![\w$]){name}\s?\(")
    return [line for line in lines if call.search(line)]


def _still_called(names: frozenset[str], world: World) -> frozenset[str]:
    """Those that code calls or defines somewhere, whoever's they are."""
    paths = [p for p in world.files if language_of(p) and not (is_foreign(p) or is_release_note(p))]
    if len(paths) > MOST_SEARCHED:
        return names
    pattern = re.compile(rb"(?<![\w$])(" + b"|".join(name.encode() for name in sorted(names)) + rb")\s?\(")
    found: set[str] = set()
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT)
        found.update(match[1].decode() for match in pattern.finditer(data) if b"\0" not in data[:8192])
    return frozenset(found)


def _places(name: str, document: Document) -> Iterator[_Place]:
    """Where a document has the name for itself, and where its examples call it."""
    call = re.compile(rf"(?<=[\w)\]]\.){name}(?=\s?\()")
    for block in document.blocks:
        for inline, match in _for_itself(block):
            if match["name"] == name:
                yield document, block, inline, inline.text.index(name)
        for line in code_in(block) if block.kind == "code" else ():
            for match in call.finditer(line.text[:LONGEST_LINE]):
                yield document, block, line, match.start()


def _claim(name: str, document: Document, block: Block, inline: Inline, start: int) -> Claim:
    form = "example" if block.kind == "code" else "span"
    return Claim(
        "symbol", name, name, document.path, inline.line, inline.column + start, form=form, words=(name,), section=block.section
    )  # fmt: skip
