"""Plain words and names of files that own code had as whole strings, where documents write nothing else in a span.

A label (`groupname`), a report that a program writes (`artifacts.json`): one word says little, so it must be gone from everything
but documents, and what stands in its place must be seen; of a plain word on two lines at least, for one alone may be anybody's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.path.names import is_conventional
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import gone, programs_of, successor
from docalign_actors.engine.lost.lines import BORROWS, COMMENT, LONGEST_LINE, Edit, code_in
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_WORD = re.compile(r"""["'](?P<text>[a-z]{6,40})["']""")
_FILE = re.compile(
    r"""["'`](?P<text>[A-Za-z][\w-]{3,60}\.(?:json5?|ya?ml|toml|xml|html|csv|txt|log|md|db|sqlite3?|lock|conf|cfg|ini))["'`]"""
)
_DOTTED = re.compile(r"""["'`](?P<text>\.[a-z][a-z0-9]{4,40})["'`]""")
"""What a file's name begins or ends with, and too long for an ending that everybody knows: `.htdeployment`, `.deploytmp`."""
_ENDING = re.compile(r"(?<![\w./])(?:<[\w .-]{1,40}>)?(?P<text>\.[a-z][a-z0-9]{4,40})(?![\w-]|[./]\w)")
_LEAST_LINES = 2
_MOST = 40

_Place = tuple[Document, Block, Inline, int]


def lost_spans(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made: spans of nothing but such a word or such a name."""
    lost = _lost(edits, world)
    named = _named(lost, world.documents) if lost else {}
    there = still_written(named, world) if named else set()
    beside = Beside(judged if named else ())
    found: list[Judged] = []
    for name, places in named.items():
        for place in places if name not in there else ():
            claim = _claim(name, *place)
            if not any(told.verdict is not Verdict.UNCERTAIN for _, told in beside.of(claim)):
                found.append((claim, lost[name]))
    return found


def _lost(edits: Sequence[Edit], world: World) -> dict[str, Judgement]:
    """The strings that one other string stands in the place of, wherever they stood."""
    lines: Counter[str] = Counter()
    heirs: dict[str, set[str]] = defaultdict(set)
    told: dict[str, Judgement] = {}
    for edit in edits:
        for line in edit.gone if not edit.data and edit.come else ():
            for match in _strings(line) if not (BORROWS.search(line) or COMMENT.match(line)) else ():
                old, new = match["text"], successor(line, match, edit.come)
                lines[old] += 1
                heirs[old].add(new)
                told.setdefault(old, gone(old, new, edit))
    programs = programs_of(world) if told else frozenset[str]()
    return {
        old: judgement
        for old, judgement in list(told.items())[:_MOST]
        if len(heirs[old]) == 1 and "" not in heirs[old] and old not in programs
        if (_is_no_file(old, world) if "." in old else lines[old] >= _LEAST_LINES)
    }


def _is_no_file(name: str, world: World) -> bool:
    """Nobody else calls a file so, and none of ours is called so; what tests expect may still be."""
    return not (is_conventional(name) or any(map(is_own_code, world.by_name.get(name, ()))))


def _strings(line: str) -> Iterator[re.Match[str]]:
    yield from _WORD.finditer(line)
    if "." in line:
        yield from _FILE.finditer(line)
        yield from _DOTTED.finditer(line)


def _named(names: Mapping[str, object], documents: Mapping[str, Document]) -> dict[str, list[_Place]]:
    found: dict[str, list[_Place]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block) if not block.hypothetical else ():
                if inline.kind == "code" and inline.text in names and block.kind != "code":
                    found[inline.text].append((document, block, inline, 0))
                for match in _ENDING.finditer(inline.text[:LONGEST_LINE]) if inline.kind != "link" else ():
                    if match["text"] in names and match["text"] != inline.text:
                        found[match["text"]].append((document, block, inline, match.start("text")))
    return found


def _claim(name: str, document: Document, block: Block, inline: Inline, start: int) -> Claim:
    return Claim(
        "configkey", name, name, document.path, inline.line, inline.column + start, form="span", words=(name,),
        section=block.section,
    )  # fmt: skip
