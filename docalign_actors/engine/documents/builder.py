"""Gathers a document's blocks in reading order, with the headings above each and the tone of its words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from docalign_actors.engine.documents import tone
from docalign_actors.engine.documents.model import Block, BlockKind, Cell, Inline

_FAR = 60
"""Lines below a heading in which its releases would be listed."""
_DEEPEST = 12


class Extent:
    """The lines a block takes up, for suppressions that cover a block."""

    __slots__ = ("first", "group", "last")

    def __init__(self, first: int, last: int, group: int) -> None:
        self.first = first
        self.last = last
        self.group = group


MOST_MARKS = 30_000
"""Code spans, links and the like. The longest manuals have half as many; a document with more is data in the form of one."""
MOST_BLOCKS = 80_000
"""Blocks and lines of code; the longest manuals have 50,000."""


class CrowdedError(Exception):
    """There is more in the document than any document for people has: the rest need not be read."""


class Builder:
    """What a reader tells of a document, as it goes through it from top to bottom.

    `titles_only`: nobody will judge the document, so a reader may leave out everything but what links point at.
    """

    def __init__(self, lines: Sequence[str], *, titles_only: bool = False) -> None:
        self.lines = lines
        self.titles_only = titles_only
        self.blocks: list[Block] = []
        self.extents: list[Extent] = []
        self.titles: list[str] = []
        self.ids: set[str] = set()
        self.notes: list[str] = []
        self.comments: list[tuple[str, int]] = []
        self.open_anchors = False
        self._headings: list[tuple[int, str, bool]] = []
        self.section: tuple[str, ...] = ()
        """The headings above, outermost first."""
        self._past_above = False
        self._groups = 0
        self._past_depth = 0
        self._past_list = False
        self._marks = self._parts = 0

    def new_group(self) -> int:
        """A number for a list or a table."""
        self._groups += 1
        return self._groups

    def note(self, text: str) -> None:
        """Says what was not read, once."""
        if text not in self.notes:
            self.notes.append(text)

    def comment(self, text: str, line: int) -> None:
        """A comment in the source: it may hold a suppression."""
        if "docalign" in text:
            self.comments.append((text, line))

    def begin_past(self) -> None:
        """What follows, until `end_past`, tells of the past."""
        self._past_depth += 1

    def end_past(self) -> None:
        self._past_depth -= 1

    @property
    def in_past(self) -> bool:
        """Some heading above, or the directive around, says that this tells of the past."""
        return self._past_depth > 0 or self._past_above

    @property
    def headings(self) -> tuple[tuple[int, str, bool], ...]:
        """The headings above with their levels, to come back to behind a quotation."""
        return tuple(self._headings)

    def back_to(self, headings: tuple[tuple[int, str, bool], ...]) -> None:
        """A heading that is quoted is none of what follows the quotation."""
        self._headings = list(headings)

    def heading(self, level: int, line: int, last: int, inlines: Sequence[Inline], title: str) -> None:
        """A heading; it ends the sections of its level and below."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._past_list = False
        self._look_above()
        past = tone.is_history_title(title) and not tone.is_about_releasing(title, self.lines[last : last + _FAR])
        historical = past or self.in_past
        block = Block("heading", line, self.section, tuple(inlines), level=level, info=title, historical=historical)
        self._add(block, last)
        if len(self._headings) < _DEEPEST:
            self._headings.append((level, title, past))
            self._look_above()
        self.titles.append(title)

    def _look_above(self) -> None:
        self.section = tuple(title for _, title, _ in self._headings)
        self._past_above = any(past for _, _, past in self._headings)

    def prose(self, kind: BlockKind, line: int, last: int, inlines: Sequence[Inline], group: int = 0) -> None:
        """A paragraph, an item, a quotation. A long one that tells of the past in places is cut at the sentences.

        The items below "Older versions need:" tell of the past with it.
        """
        if not inlines:
            return
        past = self.in_past or (self._past_list and kind == "item")
        block = Block(kind, line, self.section, tuple(inlines), group=group, historical=past)
        text = block.text
        if kind != "item":
            self._past_list = text.rstrip().endswith(":") and tone.is_historical(_last_sentence(text))
        if tone.is_hypothetical(text):
            block = replace(block, hypothetical=True)
        if block.historical or not tone.is_historical(text):
            self._add(block, last)
        elif len(text) <= tone.BLOCK_SCOPE:
            self._add(replace(block, historical=True), last)
        else:
            for part, historical in _by_sentence(inlines):
                self._add(replace(block, line=part[0].line, inlines=tuple(part), historical=historical), last)

    def row(self, line: int, cells: Sequence[Cell], group: int, last: int = 0) -> None:
        """A table's row."""
        if not any(cell.inlines for cell in cells):
            return
        block = Block("row", line, self.section, cells=tuple(cells), group=group)
        text = block.text
        headers = [cell.header for cell in cells]
        past = self.in_past or tone.is_historical(text) or tone.is_mapping(headers)
        past = past or tone.is_to_be_done(headers, [cell.text for cell in cells])
        hypothetical = tone.is_hypothetical(text)
        if past or hypothetical:
            block = replace(block, historical=past, hypothetical=hypothetical)
        self._add(block, last or line)

    def code(self, line: int, last: int, lines: Sequence[Inline], language: str = "", info: str = "") -> None:
        """A code block. It takes its tone from the paragraph before it, not from its own words."""
        before = self.blocks[-1] if self.blocks else None
        invented = bool(
            before and before.kind in ("paragraph", "item", "quote") and tone.introduces_invention(before.text)
        )
        past = self._past_depth > 0 or any(past and tone.is_past_in_code(title) for _, title, past in self._headings)
        block = Block(
            "code", line, self.section, language=language, info=info, lines=tuple(lines), historical=past, hypothetical=invented
        )  # fmt: skip
        self._add(block, last)

    def html(self, line: int, last: int, inlines: Sequence[Inline]) -> None:
        """What could be read of a block of HTML."""
        if inlines:
            self._add(Block("html", line, self.section, tuple(inlines), historical=self.in_past), last)

    def _add(self, block: Block, last: int) -> None:
        self.blocks.append(block)
        self.extents.append(Extent(block.line, max(block.line, last), block.group))
        self._parts += 1 + len(block.lines)
        self._marks += len([inline for inline in block.every_inline() if inline.kind != "text"])
        if self._marks > MOST_MARKS:
            raise CrowdedError(f"more than {MOST_MARKS:,} code spans and links")
        if self._parts > MOST_BLOCKS:
            raise CrowdedError(f"more than {MOST_BLOCKS:,} blocks and lines of code")


def _last_sentence(text: str) -> str:
    return text[max(tone.sentence_ends(text), default=0) :]


def _by_sentence(inlines: Sequence[Inline]) -> list[tuple[list[Inline], bool]]:
    """Runs of sentences that do, or do not, tell of the past."""
    runs: list[tuple[list[Inline], bool]] = []
    for sentence in _sentences(inlines):
        past = tone.is_historical(Block("paragraph", 1, inlines=tuple(sentence)).text)
        if runs and runs[-1][1] == past:
            runs[-1][0].extend(sentence)
        else:
            runs.append((sentence, past))
    return runs


def _sentences(inlines: Sequence[Inline]) -> list[list[Inline]]:
    found: list[list[Inline]] = [[]]
    for index, inline in enumerate(inlines):
        if inline.kind != "text":
            found[-1].append(inline)
            continue
        start = 0
        for end in tone.sentence_ends(inline.text):
            _append_part(found[-1], inline, start, end)
            found.append([])
            start = end
        _append_part(found[-1], inline, start, len(inline.text))
        following = inlines[index + 1] if index + 1 < len(inlines) else None
        if (
            inline.text.endswith((".", "!", "?"))
            and following
            and (following.kind != "text" or not following.text[0].islower())
        ):
            found.append([])
    return [sentence for sentence in found if sentence]


def _append_part(sentence: list[Inline], inline: Inline, start: int, end: int) -> None:
    raw = inline.text[start:end]
    text = raw.strip()
    if text:
        sentence.append(replace(inline, text=text, column=inline.column + start + len(raw) - len(raw.lstrip())))
