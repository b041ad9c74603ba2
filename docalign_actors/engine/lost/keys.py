"""Keys that a type or a file of settings took until a moment ago, where documents give them among its other keys.

`createServer({ port, storage, mailDir })` while the type that the function takes has `directory` now: the word may well stand in
the code for something else still, but the keys beside it tell which type the object is of.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property

from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.lost.lines import LONGEST_LINE, TOKEN, Edit
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_PROGRAMS = frozenset("js javascript ts typescript jsx tsx mjs python py go golang rust rs java kotlin kt".split())
_DATA = frozenset("json json5 jsonc yaml yml toml ini cfg conf properties hjson".split())
_KEY = re.compile(r"""(?:^|[{(,])\s*["']?(?P<key>[A-Za-z_][\w-]*)["']?\s*(?::(?![:=])|=(?![=>]))""")
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_SHORTHAND = re.compile(r"^\s*(?P<key>[a-z]\w+),\s*$")
_DECLARES = re.compile(
    r"\s*(?:(?:export|default|public|internal|abstract|sealed|final|data|pub(?:\([a-z]+\))?) ){0,4}"
    r"(?:class|struct|interface|record|type|enum|object) (?P<name>[A-Za-z_]\w*)"
)
_SETTINGS = frozenset({"settings", "schema"})
_LEAST_BESIDE = 2
_LEAST_IN_TABLE = 3
_LEAST_LENGTH = 4
_MOST_LINES = 400
_MOST_FILES = 200


class _Lost(Struct, frozen=True):
    """A key that went, and those that its owner has now. `data`: it is a key of files of settings."""

    name: str
    owner: str
    beside: frozenset[str]
    renamed: str
    path: str
    line: int
    commit: str
    data: bool


def lost_keys(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, or that a kind holds true because the word stands somewhere."""
    words = {word for edit in edits for line in edit.gone for word in TOKEN.findall(line) if len(word) >= _LEAST_LENGTH}
    given = list(_given(world.documents, words)) if words and len(edits) <= _MOST_FILES else []
    named = {key for _, _, keys in given for key in keys}
    lost = list(_lost([edit for edit in edits if _holds(edit, named)], named, world, asker)) if named else []
    others = _OtherTypes(world)
    places = [found for one in lost for block in given for found in _in_block(one, *block, others)]
    told = {(c.file, c.line, c.column) for c, j in judged if j.verdict is Verdict.DRIFTED} if places else set()
    return [(claim, judgement) for claim, judgement in places if (claim.file, claim.line, claim.column) not in told]


def _holds(edit: Edit, names: set[str]) -> bool:
    return any(not names.isdisjoint(TOKEN.findall(line)) for line in edit.gone)


_Keys = dict[str, tuple[Inline, int]]


def _given(documents: Mapping[str, Document], words: set[str]) -> Iterator[tuple[Document, Block, _Keys]]:
    """The examples and tables that give one of the words among other keys."""
    for document in documents.values():
        yield from _tabled(document, words)
        for block in document.blocks if not document.history else ():
            readable = block.kind == "code" and not block.historical and block.language.lower() in _PROGRAMS | _DATA
            if readable and not words.isdisjoint(TOKEN.findall(block.text[: 60 * LONGEST_LINE])):
                keys = _keys(block)
                if len(keys) > _LEAST_BESIDE and not words.isdisjoint(keys):
                    yield document, block, keys


def _tabled(document: Document, words: set[str]) -> Iterator[tuple[Document, Block, _Keys]]:
    """The tables whose rows begin with the name of a key, as code."""
    rows: dict[int, _Keys] = defaultdict(dict)
    blocks: dict[int, Block] = {}
    for block in document.blocks if not document.history else ():
        first = block.cells[0].inlines if block.kind == "row" and block.cells and not block.historical else ()
        named = next((inline for inline in first if inline.kind == "code"), None)
        if named is not None and _NAME.fullmatch(named.text):
            rows[block.group].setdefault(named.text, (named, 0))
            blocks.setdefault(block.group, block)
    for group, keys in rows.items():
        if len(keys) > _LEAST_IN_TABLE and not words.isdisjoint(keys):
            yield document, blocks[group], keys


def _keys(block: Block) -> _Keys:
    found: _Keys = {}
    for line in block.lines[:_MOST_LINES]:
        text = line.text[:LONGEST_LINE]
        matches = [*_KEY.finditer(text)] or [*filter(None, [_SHORTHAND.match(text)])]
        for match in matches:
            found.setdefault(match["key"], (line, match.start("key")))
    return found


def _lost(edits: Sequence[Edit], named: set[str], world: World, asker: PastAsker) -> Iterator[_Lost]:
    facts = asker.reader.on_demand(asker.history.source)
    for edit in edits:
        now = facts_now(world, edit.blob.path)
        then = _members(facts.of((edit.blob.path, edit.blob.oid))) if now is not None else {}
        present = _members(now) if now is not None and then else {}
        for owner, members in then.items():
            kept = present.get(owner, {})
            gone, come = members.keys() - kept.keys(), kept.keys() - members.keys()
            if not gone or not kept or len(gone) > len(kept):
                continue
            renamed = next(iter(come)) if len(gone) == len(come) == 1 else ""
            for name in gone & named:
                if not owner[0] and not renamed and _is_taken_still(name, edit.blob.path, world):
                    continue
                yield _Lost(
                    name, owner[0], frozenset(kept), renamed, edit.blob.path, members[name], edit.blob.after, not owner[0]
                )  # fmt: skip


def _is_taken_still(name: str, path: str, world: World) -> bool:
    """Another file of own code declares a setting of this name: which of the two an example gives, its level alone tells.

    Or the file itself has it as a key still, in a type or deeper within its settings.
    """
    keyed = re.compile(rb"(?m)^[ \t]*(?:readonly )?[\"']?" + re.escape(name.encode()) + rb"[\"']?\??[ \t]*:(?!:)")
    if keyed.search(world.tree.read(path, SOURCE_LIMIT)):
        return True
    others = (facts for other, facts in world.index.own_files() if other != path)
    return any(name == k.name.rpartition(".")[2] and k.origin in _SETTINGS for facts in others for k in facts.keys)


class _OtherTypes:
    """The types of own code as they are now. What has the same keys, the lost one with them, is another type's."""

    def __init__(self, world: World) -> None:
        self._world = world

    def have(self, lost: _Lost, beside: Set[str]) -> bool:
        """One of the others has the lost key still, and all that the document gives beside it of what is known of its owner."""
        wanted = {lost.name, *beside}
        return any(owner != lost.owner and wanted <= names for owner, names in self._by_name.get(lost.name, ()))

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[tuple[str, Set[str]]]]:
        found: dict[str, list[tuple[str, Set[str]]]] = defaultdict(list)
        for _, facts in self._world.index.own_files():
            for (owner, _), names in _members(facts).items():
                for name in names if owner else ():
                    found[name].append((owner, names.keys()))
        return found


def _members(facts: FileFacts) -> dict[tuple[str, str], dict[str, int]]:
    """The keys by what takes them: a type's fields, or the file's settings."""
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for definition in facts.definitions:
        owner, _, name = definition.qualname.rpartition(".")
        if owner and definition.kind == "field" and len(name) >= _LEAST_LENGTH:
            found[owner, "type"][name] = definition.line
    for key in facts.keys:
        name = key.name.rpartition(".")[2]
        if key.origin in _SETTINGS and len(name) >= _LEAST_LENGTH:
            found["", "settings"][name] = key.line
    return found


def _is_of_another_type(owner: str, line: Inline, block: Block) -> bool:
    """The example declares a type of its own around the line: `class whois(BaseModule):` sets options as each such class does."""
    indent = _indent(line.text)
    for other in reversed([o for o in block.lines[:_MOST_LINES] if o.line < line.line and o.text.strip()]):
        if (left := _indent(other.text)) < indent:
            indent = left
            declared = _DECLARES.match(other.text[:LONGEST_LINE])
            if declared is not None:
                return declared["name"] != owner.rpartition(".")[2]
    return False


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _in_block(lost: _Lost, document: Document, block: Block, keys: _Keys, others: _OtherTypes) -> Iterator[Judged]:
    tabled = block.kind == "row"
    if lost.name not in keys or (not tabled and (block.language.lower() in _DATA) is not lost.data):
        return
    beside = keys.keys() - {lost.name}
    known = beside & lost.beside
    # Most of what stands beside it must be the owner's: otherwise the object is another's.
    if (
        len(known) < (_LEAST_IN_TABLE if tabled else _LEAST_BESIDE)
        or 2 * len(known) < len(beside)
        or lost.renamed in keys
    ):
        return
    if lost.owner and others.have(lost, known):
        return
    line, start = keys[lost.name]
    if lost.owner and not tabled and _is_of_another_type(lost.owner, line, block):
        return
    claim = Claim(
        "configkey", lost.name, lost.name, document.path, line.line, line.column + start, form="table" if tabled else "example",
        words=(lost.name,), section=block.section,
    )  # fmt: skip
    of = f"`{lost.owner}`" if lost.owner else "the settings"
    became = f": it is `{lost.renamed}` now" if lost.renamed else ""
    evidence = Evidence(
        f"it stood here until then, beside {', '.join(sorted(known)[:4])}", lost.path, lost.line, lost.commit
    )
    yield claim, Judgement(
        Verdict.DRIFTED, "unknown-config-key", f"`{lost.name}` is no key of {of} any more{became}", (evidence,), 0.85,
        fix=Fix(lost.renamed, True) if lost.renamed else None, subject=lost.name,
    )  # fmt: skip
