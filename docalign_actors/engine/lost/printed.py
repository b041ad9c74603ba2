"""Lines of help that own code printed until a moment ago, where documents show them as they were.

Many programs keep their usage as a text, and many manuals show it. Where a line of that text is another now, the line that a
document shows word for word is what the program does not print any more, whatever parser reads the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import LONGEST_LINE, MOST_SEARCHED, Edit, code_in
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_OPTION = re.compile(r"-{1,2}[A-Za-z][\w-]{0,40}(?=[ ,|=<\[]).{0,80}?(?: {2,}|\t)\S")
"""An option, and what it is for behind a gap: nobody writes so but in help."""
_FRAME = re.compile(r"""^[\s"'`+f(]{0,60}|(?:\\n)?["'`,;)\s+\\]{0,12}$""")
"""What makes a string of a line of code."""
_WORD = re.compile(r"[\w.,:-]*\w")
_MOST = 60
_MOST_LINES = 300
"""Of one file: each that went is compared with each that came."""


class _Changed(NamedTuple):
    """The word that is another, where it stands in the line as it is printed, what stands there now, and the file."""

    old: str
    at: int
    new: str
    edit: Edit


def lost_prints(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made: lines of help that are shown as they were."""
    lost = dict(list(_lost(edits))[:_MOST])
    shown = _shown(lost, world.documents) if lost else {}
    there = _still_there(shown, world) if shown else set()
    beside = Beside(judged if shown else ())
    found: list[Judged] = []
    for line, places in shown.items():
        for document, block, inline in places if line not in there else ():
            claim = _claim(lost[line], line, document, block, inline)
            if not any(told.verdict is Verdict.DRIFTED for _, told in beside.of(claim)):
                found.append((claim, _told(lost[line])))
    return found


def _lost(edits: Sequence[Edit]) -> Iterator[tuple[str, _Changed]]:
    """The lines of help that came again with one other word."""
    for edit in edits:
        gone = _options(edit.gone) if not edit.data else []
        come = _options(edit.come) if gone else []
        for text in gone:
            heirs = {changed for other in come if (changed := _difference(text, other)) is not None}
            if len(heirs) == 1:
                at, old, new = heirs.pop()
                yield text, _Changed(old, at, new, edit)


def _options(lines: Iterable[str]) -> list[str]:
    """The lines of help among some lines of code, as they are printed; of very many the first."""
    printed = (_FRAME.sub("", line[:LONGEST_LINE]) for line in lines if "-" in line)
    return list(dict.fromkeys(islice(filter(_OPTION.match, printed), _MOST_LINES)))


def _difference(then: str, now: str) -> tuple[int, str, str] | None:
    """(place, old, new) of the one word that is another; what is between words may have grown or shrunk with it."""
    words, others = list(_WORD.finditer(then)), list(_WORD.finditer(now))
    if len(words) != len(others):
        return None
    pairs = [(a, b) for a, b in zip(words, others, strict=True) if a.group() != b.group()]
    return (pairs[0][0].start(), pairs[0][0].group(), pairs[0][1].group()) if len(pairs) == 1 else None


def _shown(
    lines: Mapping[str, _Changed], documents: Mapping[str, Document]
) -> dict[str, list[tuple[Document, Block, Inline]]]:
    found: dict[str, list[tuple[Document, Block, Inline]]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            for inline in code_in(block) if block.kind == "code" else ():
                if inline.text[:LONGEST_LINE].strip() in lines:
                    found[inline.text[:LONGEST_LINE].strip()].append((document, block, inline))
    return found


def _still_there(lines: Mapping[str, object], world: World) -> set[str]:
    """Those that some file other than a document has still."""
    paths = [path for path in world.files if language_of(path) and not is_foreign(path)]
    if len(paths) > MOST_SEARCHED:
        return set(lines)
    left = {line: line.encode() for line in lines}
    found: set[str] = set()
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT)
        found.update(line for line, text in left.items() if text in data)
    return found


def _claim(changed: _Changed, line: str, document: Document, block: Block, inline: Inline) -> Claim:
    start = inline.text.index(line) + changed.at
    kind = "option" if line[: changed.at].endswith("-") else "default"
    text = changed.old
    return Claim(
        kind, text, text, document.path, inline.line, inline.column + start, form="example", words=(text,),
        section=block.section,
    )  # fmt: skip


def _told(changed: _Changed) -> Judgement:
    evidence = Evidence("it was printed here until then", changed.edit.blob.path, 0, changed.edit.blob.after)
    option = changed.at and changed.at < len(changed.old) + 8 and not changed.old[0].isdigit()
    return Judgement(
        Verdict.DRIFTED, "unknown-option" if option else "wrong-default",
        f"The help has `{changed.new}` where it had `{changed.old}`", (evidence,), 0.85, fix=Fix(changed.new, True),
        subject=f"{changed.old} {changed.new}",
    )  # fmt: skip
