"""Lists of words that code gives to something, where documents tell the whole list as a default: `fix, feat, docs, test`.

A list that got a word more, or lost one, is another default; three words in the same order, joined as documents join them, are
nobody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.lines import COMMENT, LONGEST_LINE, MOST_SEARCHED, Edit, alike_languages
from docalign_actors.engine.lost.subjects import DEFAULT_HEADER
from docalign_actors.engine.lost.wording import DEFAULT_WORD, is_said
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict

_RULE = "wrong-default"
_WORD = re.compile(r"""["'`]([^"'`\n\\]{1,60})["'`]""")
_BETWEEN = re.compile(r"""["'`]\s{0,4},\s{0,4}["'`]""")
_JOINTS = (", ", ",", " ", "` `", "`, `", '", "', "', '", '","', "','", " | ", "|")
_LEAST, _MOST_WORDS, _MOST = 3, 40, 20
_DEFAULT = re.compile(DEFAULT_WORD, re.IGNORECASE)
_GOES_ON = re.compile(r"""["'`\]]{0,2}\s{0,2}(?:,|\||and\b|or\b)\s{0,2}["'`]?\w""")


def lost_lists(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made: the old list, told as a default."""
    del judged
    found: list[Judged] = []
    for old, new, edit in _changed(edits):
        if _is_given_still(old, edit, world):
            continue
        for joint in _JOINTS:
            told = joint.join(old)
            for document in world.documents_with(told):
                for block in document.blocks if not document.history else ():
                    found.extend((claim, _judgement(old, new, edit)) for claim in _places(told, document, block))
    return found


def _changed(edits: Sequence[Edit]) -> list[tuple[tuple[str, ...], tuple[str, ...], Edit]]:
    """The lists of lines that came again with a word more or less, and are on no line of the file any more."""
    found: dict[tuple[str, ...], tuple[tuple[str, ...], Edit]] = {}
    for edit in edits:
        come = [words for line in edit.come if (words := _list_of(line))] if edit.come else []
        for line in edit.gone if come else ():
            old = _list_of(line)
            heirs = {new for new in come if _is_heir(old, new)} if len(old) >= _LEAST else set()
            if len(heirs) == 1 and old not in come and not COMMENT.match(line) and len(found) < _MOST:
                found.setdefault(old, (heirs.pop(), edit))
    return [(old, new, edit) for old, (new, edit) in found.items()]


def _is_given_still(old: tuple[str, ...], edit: Edit, world: World) -> bool:
    """Another line of own code has the whole list."""
    alike = alike_languages(edit.blob.path)
    paths = [path for path in world.files if language_of(path) in alike and is_own_code(path)]
    if len(paths) > MOST_SEARCHED:
        return True
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT)
        if all(word.encode() in data for word in old):
            lines = data.decode("utf-8", "replace").split("\n")
            if any(_list_of(line) == old for line in lines if old[0] in line):
                return True
    return False


def _list_of(line: str) -> tuple[str, ...]:
    """The words of the one list on a line."""
    text = line[:LONGEST_LINE]
    words = _WORD.findall(text)
    joined = len(_BETWEEN.findall(text))
    return tuple(words) if len(words) <= _MOST_WORDS and joined == len(words) - 1 else ()


def _is_heir(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Most of the words are the same, in the same order, and some are not."""
    kept = [word for word in old if word in new]
    return old != new and kept == [word for word in new if word in old] and 2 * len(kept) > max(len(old), len(new))


def _places(told: str, document: Document, block: Block) -> Iterator[Claim]:
    if block.historical or is_historical(block.text[:LONGEST_LINE]):
        return
    for cell in block.cells:
        if DEFAULT_HEADER.match(cell.header):
            yield from _within(told, document, block, cell.inlines)
    for inline in block.inlines if _DEFAULT.search(block.text) else ():
        for claim in _within(told, document, block, (inline,)):
            flat = " ".join(i.text for i in block.inlines)
            if is_said(flat, flat.find(told)):
                yield claim
    for line in block.lines:
        at = line.text.find(told)
        if at >= 0 and is_said(line.text, at):
            yield from _within(told, document, block, (line,))


def _within(told: str, document: Document, block: Block, inlines: Sequence[Inline]) -> Iterator[Claim]:
    for inline in inlines:
        at = inline.text.find(told) if inline.kind in ("text", "code") else -1
        if (
            at >= 0
            and not _GOES_ON.match(inline.text, at + len(told))
            and (at == 0 or not inline.text[at - 1].isalnum())
        ):
            yield Claim(
                "default", told, told, document.path, inline.line, inline.column + at, form="prose", value=told,
                section=block.section,
            )  # fmt: skip


def _judgement(old: Sequence[str], new: Sequence[str], edit: Edit) -> Judgement:
    more, less = [w for w in new if w not in old], [w for w in old if w not in new]
    told = " and ".join(
        text
        for words, text in (
            (more, f"has {', '.join(f'`{w}`' for w in more)} too"),
            (less, f"has {', '.join(f'`{w}`' for w in less)} no more"),
        )
        if words
    )
    evidence = Evidence(f"the list {told}", edit.blob.path, 0, edit.blob.after)
    return Judgement(Verdict.DRIFTED, _RULE, f"The list of the code {told}", (evidence,), 0.85, subject=" ".join(old))
