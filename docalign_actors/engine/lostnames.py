"""Names that own code defined until a moment ago and has nowhere now, wherever documents still write them as code.

The kinds judge what they can read as a claim. A name may also stand where no kind looks for one: in the middle of a code
span, in a comment of an example, in a link to generated pages. That own code defined it, that the last commits or the change
under scan took it away, and that no file has it any more is evidence enough, whatever it is written on.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import MANIFESTS, SOURCE_LIMIT, language_of
from docalign_actors.engine.differential import FOREIGN, VERY_FRESH
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical, is_history_title, is_mapping, sentence_ends
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.filesnow import unread_paths
from docalign_actors.engine.kinds.lookup import symbols_of
from docalign_actors.engine.kinds.spellings import identifiers
from docalign_actors.engine.kinds.symbol_owners import taken_from_others
from docalign_actors.engine.ports import PastBlob
from docalign_actors.engine.roles import is_aside, is_for_other_tools, is_foreign, is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_MOST_FILES = 600
"""Files that the last commits changed. More than that is an import or a reformatting, and tells nothing."""
_MOST_NAMES = 300
_MOST_SEARCHED = 6_000
_MOST_COMPARED = 20
"""Lines that are compared to learn under which name a thing goes on."""
_LONGEST_LINE = 1_000
_LEAST = 6

_TOKEN = re.compile(r"[A-Za-z_][\w-]*\w")
_JOINED = re.compile(r"[A-Za-z0-9][_-][A-Za-z0-9]|[a-z0-9][A-Z]")
"""Two words in one: hardly English, hardly a name that somebody else has chosen too."""
_KEY = re.compile(r"""["'`]([A-Za-z_][\w-]*\w)["'`]|^\s*([A-Za-z_][\w-]*\w)\s*:(?![:=])""")
"""A whole string, or what stands before a colon: how code writes the keys that it reads."""
_BORROWS = re.compile(
    r"^\s*(?:import|from|use|using|require|include|#include|package|export \*)\b|\brequire\s*\(|\bfrom\s*['\"]"
)
"""Lines that name what others define."""
_DATA = frozenset(
    "toml ini cfg conf properties yaml yml json json5 jsonc sh bash shell console text txt env dotenv".split()
)
_DEFINES = (
    r"\b(?:def|class|function|const|let|var|fn|func|fun|type|struct|enum|interface|trait|record|val|module)\s+{name}\b"
    r"|^\s*(?:>>> )?{name}\s*(?::[^=\n]{{1,60}})?:?=(?!=)"
)
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


class _Edit(Struct, frozen=True):
    """A file that the last commits changed: the lines that went, those that came, and the words that only the former have."""

    blob: PastBlob
    gone: list[str]
    come: list[str]
    words: frozenset[str]


def lost_claims(judged: Sequence[Judged], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, each with its judgement: places where documents name what the code has just lost."""
    edits = list(_edits(world, asker))
    words = frozenset().union(*(edit.words for edit in edits))
    named = _named(words, world.documents) if words else {}
    lost = _lost(edits, frozenset(named), asker) if named else {}
    if not lost:
        return []
    there = _still_there(lost, world)
    symbols = symbols_of(world)
    gone = [name for name in lost if name not in there and not taken_from_others(name, symbols, world)]
    return list(_judged({name: named[name] for name in gone}, lost, judged))


def _edits(world: World, asker: PastAsker) -> Iterator[_Edit]:
    """What the last commits took away from own files, as far as it is joined words that the files have not any more."""
    blobs = [blob for blob in asker.blobs if blob.age <= VERY_FRESH and _tells(blob.path)]
    for blob in blobs if len(blobs) <= _MOST_FILES else ():
        then = asker.history.source.read(blob.path, blob.oid, SOURCE_LIMIT + 1)
        if len(then) > SOURCE_LIMIT or b"\0" in then[:8192]:
            continue
        now = world.tree.read(blob.path, SOURCE_LIMIT) if blob.path in world.files else b""
        gone = _other_lines(then, now)
        kept = set(_TOKEN.findall(now.decode("utf-8", "replace")))
        words = frozenset(
            word for line in gone for word in _TOKEN.findall(line) if _is_telling(word) and word not in kept
        )
        if words:
            yield _Edit(blob, gone, _other_lines(now, then), words)


def _lost(edits: Sequence[_Edit], named: frozenset[str], asker: PastAsker) -> dict[str, Lost]:
    """Those of the names that earlier versions of own files defined, or read as keys."""
    telling = [edit for edit in edits if not edit.words.isdisjoint(named)]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling)
    found: dict[str, Lost] = {}
    for edit in telling:
        then = facts.of((edit.blob.path, edit.blob.oid))
        for name, line in _defined(then, edit.gone, edit.words & named):
            if name not in found:
                renamed = _renamed(name, edit.gone, edit.come)
                found[name] = Lost(edit.blob.path, line, edit.blob.after, renamed)
    return found


def _tells(path: str) -> bool:
    """Code that documentation speaks of: no manifest, no build script, no pipeline."""
    if language_of(path) in MANIFESTS or is_foreign(path):
        return False
    return is_own_code(path) and not (is_aside(path) or is_for_other_tools(path))


def _is_telling(word: str) -> bool:
    return len(word) >= _LEAST and _JOINED.search(word) is not None and not word.startswith("_")


def _other_lines(these: bytes, those: bytes) -> list[str]:
    """The lines of one version that the other has not."""
    kept = Counter(those.split(b"\n"))
    others: list[str] = []
    for line in these.split(b"\n"):
        kept[line] -= 1
        if kept[line] < 0:
            others.append(line[:_LONGEST_LINE].decode("utf-8", "replace"))
    return others


def _renamed(name: str, gone: Sequence[str], come: Sequence[str]) -> str:
    """The one other name that stands on every line which is otherwise the same, "" if there is none or more than one."""
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    successors: set[str] = set()
    for line in [line for line in gone if whole.search(line)][:_MOST_COMPARED]:
        like = re.compile(r"([\w-]+)".join(map(re.escape, whole.split(line))))
        heirs = [match.groups() for other in come if (match := like.fullmatch(other))]
        if not heirs:
            return ""
        successors.update(heir for groups in heirs for heir in groups)
    return successors.pop() if len(successors) == 1 else ""


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
        if not _BORROWS.search(line):
            for match in _KEY.finditer(line):
                if (match[1] or match[2]) in words:
                    yield match[1] or match[2], 0


def _named(words: frozenset[str], documents: Mapping[str, Document]) -> dict[str, list[_Mention]]:
    """The words that documents write as code, with every place; none that a document defines for itself."""
    found: dict[str, list[_Mention]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for inline in _code(block):
                for match in _TOKEN.finditer(inline.text[: 4 * _LONGEST_LINE]):
                    if match.group() in words:
                        found[match.group()].append((document, block, inline, match.start()))
    few = list(found.items())[:_MOST_NAMES]
    return {name: places for name, places in few if not _is_defined_in(documents.values(), name)}


def _code(block: Block) -> Iterator[Inline]:
    if block.historical and (block.kind == "code" or any(map(is_history_title, block.section))):
        return
    if is_mapping([cell.header for cell in block.cells]):  # a table of old names against new ones
        return
    for inline in block.every_inline():
        if inline.kind != "text" and not (block.historical and _is_of_the_past(inline, block)):
            yield inline
    if block.kind == "code":
        yield from block.lines


def _is_of_the_past(inline: Inline, block: Block) -> bool:
    """The sentence that it stands in tells of the past, not only another one of the same paragraph."""
    text = block.text
    ends = [0, *sentence_ends(text), len(text)]
    told = [text[a:b] for a, b in pairwise(ends) if inline.text in text[a:b]]
    return not told or any(map(is_historical, told))


def _is_defined_in(documents: Iterable[Document], name: str) -> bool:
    """An example defines it: it is the reader's own."""
    pattern = re.compile(_DEFINES.format(name=re.escape(name)))
    blocks = (block for document in documents for block in document.blocks if block.kind == "code")
    return any(
        pattern.search(line.text[:_LONGEST_LINE])
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
    if len(paths) > _MOST_SEARCHED:
        return set(spellings)
    searched = sorted(wanted - seen)
    pattern = re.compile(rb"(?<!\w)(?:" + b"|".join(re.escape(word.encode()) for word in searched) + rb")(?!\w)")
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
            if not any(_settles(claim, other, told) for other, told in lines[claim.file, claim.line]):
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
