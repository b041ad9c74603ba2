"""Names that own code defined until a moment ago and has nowhere now, wherever documents still write them as code.

The kinds judge what they can read as a claim. A name may also stand where no kind looks for one: in the middle of a code
span, in a comment of an example, in a link to generated pages. That own code defined it, that the last commits or the change
under scan took it away, and that no file has it any more is evidence enough, whatever it is written on.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.differential import FOREIGN
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.filesnow import unread_paths
from docalign_actors.engine.kinds.lookup import symbols_of
from docalign_actors.engine.kinds.spellings import identifiers
from docalign_actors.engine.kinds.symbol_owners import taken_from_others
from docalign_actors.engine.lost.keys import lost_keys
from docalign_actors.engine.lost.lines import (
    BORROWS,
    LONGEST_LINE,
    MOST_SEARCHED,
    TOKEN,
    Edit,
    code_in,
    edits_of,
    renamed_to,
)
from docalign_actors.engine.lost.literals import lost_literals
from docalign_actors.engine.lost.values import lost_values
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_MOST_NAMES = 300

_KEY = re.compile(
    r"""["'`]([A-Za-z_][\w-]*\w)(?:["'`]|(?=,[\w]))|(?:^|[(,{])\s*([A-Za-z_][\w-]*\w)\s*:(?![:=])|[\[(,]\s*:([a-z_]\w+)\b"""
    r"""|^\s*(?:option|cmake_dependent_option|set)\(\s*([A-Z][A-Z0-9_]*\w)\s"""
)
"""A whole string or the first of a list in one (`flag:"dry-run,help=…"`), what stands before a colon, a symbol of Ruby, or an
option of CMake."""
_DATA = frozenset(
    "toml ini cfg conf properties yaml yml json json5 jsonc sh bash shell console text txt env dotenv".split()
)
_DEFINES = (
    r"\b(?:def|class|function|const|let|var|fn|func|fun|type|struct|enum|interface|trait|record|val|module)\s+{name}\b"
    r"|^\s*(?:>>> )?{name}\s*(?::[^=\n]{{1,60}})?:?=(?!=)"
)
_PERMALINK = re.compile(r"/(?:blob|tree|raw)/[0-9a-f]{7,40}/")
"""Leads to one commit for good, whatever became of the file since."""
_OPENS = re.compile(r"[\w\]] \[ *$")
_VETOES = (
    "said to be", "code may build", "code builds", "the examples take it", "reported under", "it is a ", "the text around it",
    "of `",
)  # fmt: skip
"""Reasons for doubt that lie in the text or in how code makes names; "of `x`" begins the doubt whether an object is ours."""

Place = tuple[str, int]
_Mention = tuple[Document, Block, Inline, int]
"""Where a name stands: the inline and the offset in it."""


class Lost(Struct, frozen=True):
    """Where a name was defined, and what took it away."""

    path: str
    line: int
    commit: str
    renamed: str = ""
    """What stands in its place now, on lines that are the same but for it."""


def lost_claims(judged: Sequence[Judged], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, each with its judgement: places where documents name what the code has just lost."""
    edits = list(edits_of(world, asker))
    code = [edit for edit in edits if not edit.data]
    return [
        *asker.guarded("names that went", lambda: _lost_names(judged, code, world, asker)),
        *asker.guarded("strings that went", lambda: lost_literals(judged, edits, world, asker)),
        *asker.guarded("values that changed", lambda: lost_values(judged, edits, world)),
        *asker.guarded("keys that went", lambda: lost_keys(judged, code, world, asker)),
    ]


def _lost_names(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    words = frozenset().union(*(edit.words for edit in edits))
    named = _named(words, world.documents) if words else {}
    lost = _lost(edits, frozenset(named), asker) if named else {}
    if not lost:
        return []
    there = _still_there(lost, world)
    symbols = symbols_of(world)
    gone = [name for name in lost if name not in there and not taken_from_others(name, symbols, world)]
    return list(_judged({name: named[name] for name in gone}, lost, judged))


def _lost(edits: Sequence[Edit], named: frozenset[str], asker: PastAsker) -> dict[str, Lost]:
    """Those of the names that earlier versions of own files defined, or read as keys."""
    telling = [edit for edit in edits if not edit.words.isdisjoint(named)]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: dict[str, Lost] = {}
    for edit in telling:
        then = facts.of((edit.blob.path, edit.blob.oid))
        for name, line in _defined(then, edit.gone, edit.words & named):
            if name not in found:
                renamed = renamed_to(name, edit.gone, edit.come)
                found[name] = Lost(edit.blob.path, line, edit.blob.after, renamed)
    return found


def _defined(facts: FileFacts, gone: Iterable[str], words: frozenset[str]) -> Iterator[tuple[str, int]]:
    """(name, line) of what a file defined or read by name, among some words."""
    for definition in facts.definitions:
        if definition.name in words:
            yield definition.name, definition.line
        yield from ((param.name, definition.line) for param in definition.params or () if param.name in words)
    for key in facts.keys:
        if key.name.rpartition(".")[2] in words:
            yield key.name.rpartition(".")[2], key.line
    for line in gone:
        if not BORROWS.search(line):
            for match in _KEY.finditer(line):
                name = match[1] or match[2] or match[3] or match[4]
                if name in words:
                    yield name, 0


def _named(words: frozenset[str], documents: Mapping[str, Document]) -> dict[str, list[_Mention]]:
    """The words that documents write as code, with every place; none that a document defines for itself."""
    found: dict[str, list[_Mention]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block):
                text = inline.text[: 4 * LONGEST_LINE]
                if inline.kind == "link" and _PERMALINK.search(text):
                    continue
                for match in TOKEN.finditer(text):
                    if match.group() in words and not (block.lines and _is_argument(text, match)):
                        if inline.kind == "link" and "-" in match.group() and "#" in text[: match.start()]:
                            continue  # the slug of a heading
                        found[match.group()].append((document, block, inline, match.start()))
                    elif "__" in match.group():
                        for name, start in _nested(match.group()):
                            if name in words:
                                found[name].append((document, block, inline, match.start() + start))
    few = list(found.items())[:_MOST_NAMES]
    return {name: places for name, places in few if not _is_defined_in(documents.values(), name)}


def _nested(name: str) -> Iterator[tuple[str, int]]:
    """The keys that a variable joins: `Metrics__RetainedPoints`."""
    start = 0
    for part in name.split("__"):
        yield part, start
        start += len(part) + 2


def _is_argument(text: str, match: re.Match[str]) -> bool:
    """`tool start [BASE_DIR]`: what stands for an argument that may be left out."""
    before = text[max(0, match.start() - 8) : match.start()]
    return _OPENS.search(before) is not None and text[match.end() : match.end() + 8].lstrip().startswith("]")


def _is_defined_in(documents: Iterable[Document], name: str) -> bool:
    """An example defines it: it is the reader's own."""
    pattern = re.compile(_DEFINES.format(name=re.escape(name)))
    blocks = (block for document in documents for block in document.blocks if block.kind == "code")
    return any(
        pattern.search(line.text[:LONGEST_LINE])
        for block in blocks
        if block.language not in _DATA
        for line in block.lines
        if name in line.text
    )


def _still_there(lost: Mapping[str, Lost], world: World) -> set[str]:
    """Those of the names that some file other than a document has, by themselves or, with a hyphen, in another spelling.

    Where it is seen what a name was changed to, another spelling is not what documents mean.
    """
    spellings = {
        name: (name, *(identifiers(name) if "-" in name and not known.renamed else ())) for name, known in lost.items()
    }
    wanted = {spelling for found in spellings.values() for spelling in found}
    seen = {word for word in wanted if any(not is_foreign(path) for path in world.index.occurs(word))}
    unknown = sorted(word for word in wanted - seen if word not in world.index.words)
    paths = [p for p in world.files if language_of(p) and not is_foreign(p)] if unknown else []
    paths += unread_paths(world)
    if len(paths) > MOST_SEARCHED:
        return set(spellings)
    searched = sorted(wanted - seen)
    # `key-order` is not in `ignore-key-order`, but it is in `--key-order`.
    pattern = re.compile(
        rb"(?<!\w)(?<!\w-)(?:" + b"|".join(re.escape(word.encode()) for word in searched) + rb")(?!-?\w)"
    )
    for path in paths if searched else ():
        data = world.tree.read(path, SOURCE_LIMIT)
        if b"\0" not in data[:8192]:
            seen.update(match.decode() for match in pattern.findall(data))
    return {name for name, found in spellings.items() if not seen.isdisjoint(found)}


def _judged(
    named: Mapping[str, Sequence[_Mention]], lost: Mapping[str, Lost], judged: Sequence[Judged]
) -> Iterator[Judged]:
    lines: dict[Place, list[Judged]] = defaultdict(list)
    for claim, judgement in judged:
        lines[claim.file, claim.line].append((claim, judgement))
    for name, places in named.items():
        for document, block, inline, start in places:
            claim = Claim(
                "configkey" if "-" in name else "symbol", name, name, document.path, inline.line, inline.column + start,
                form="example" if block.kind == "code" else "span", words=(name,), section=block.section,
            )  # fmt: skip
            beside = lines[claim.file, claim.line]
            if lost[
                name
            ].renamed:  # what a manifest may hold in a way that is not read has got another name, as was seen
                beside = [(other, told) for other, told in beside if other.kind != "command" or told.evidence]
            if not any(_settles(claim, other, told) for other, told in beside):
                yield claim, _gone(claim, lost[name])


def _settles(claim: Claim, other: Claim, judgement: Judgement) -> bool:
    """Another claim on the same text has an answer."""
    if not (claim.column < other.column + len(other.text) and other.column < claim.column + len(claim.text)):
        return False
    if judgement.verdict is Verdict.VERIFIED:
        # No file has the name: what holds all the same holds under another spelling, unless it is a file's own name.
        return other.kind in ("path", "anchor", "navigation", "imports")
    if judgement.verdict is Verdict.DRIFTED:
        return True
    return judgement.message.startswith(_VETOES) or FOREIGN.search(judgement.message) is not None


def _gone(claim: Claim, lost: Lost) -> Judgement:
    rule = "unknown-config-key" if claim.kind == "configkey" else "missing-symbol"
    evidence = Evidence("it stood here until then", lost.path, lost.line, lost.commit)
    became = f": it is `{lost.renamed}` now" if lost.renamed else "."
    return Judgement(
        Verdict.DRIFTED, rule, f"`{claim.text}` is nowhere in the code any more{became}", (evidence,), 0.85,
        fix=Fix(lost.renamed, True) if lost.renamed else None, subject=claim.text,
    )  # fmt: skip
