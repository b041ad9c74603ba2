"""One model for every document format, flat and in reading order.

The rule that everything else leans on: an `Inline` and a code line stand in the source exactly where they say, so that
`source_line[column - 1 : column - 1 + len(text)] == text`. Lines and columns count from 1, columns in characters.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Literal

from msgspec import Struct

Format = Literal["markdown", "mdx", "rst", "asciidoc", "text"]
InlineKind = Literal["text", "code", "link", "image", "role"]
BlockKind = Literal["heading", "paragraph", "item", "row", "code", "quote", "html"]


class Inline(Struct, frozen=True, array_like=True):
    """A run of text on one source line.

    text   plain words (a paragraph of three source lines gives at least three of them)
    code   the inside of a code span
    link   `text` is the target as written, `label` what the reader sees; a code span inside the label is an inline of its own
    image  the same for an image
    role   a cross-reference (`:func:` in reStructuredText, `[label][mod.name]` in mkdocs): `label` is the role's name
    """

    kind: InlineKind
    text: str
    line: int
    column: int
    label: str = ""


class Cell(Struct, frozen=True, array_like=True):
    """A table cell, with the header above it."""

    header: str
    inlines: tuple[Inline, ...]

    @property
    def text(self) -> str:
        return " ".join(i.text for i in self.inlines if i.kind != "link").strip()


class Block(Struct, frozen=True, dict=True, array_like=True):
    """A paragraph, list item, table row, heading or code block.

    section     the headings above it, outermost first
    info        a code block's info string; a heading's title as the reader sees it
    group       blocks of one list or one table share a number: neighbours
    historical  it tells of the past (changelog section, "removed in 2.0", a `versionchanged` note): never judged
    hypothetical it speaks of what may be, or of the reader's own project ("for example", "create a file")
    """

    kind: BlockKind
    line: int
    section: tuple[str, ...] = ()
    inlines: tuple[Inline, ...] = ()
    cells: tuple[Cell, ...] = ()
    level: int = 0
    language: str = ""
    info: str = ""
    lines: tuple[Inline, ...] = ()
    group: int = 0
    historical: bool = False
    hypothetical: bool = False

    def every_inline(self) -> Iterator[Inline]:
        """The inlines of the block and of its cells, in order."""
        if not self.cells:
            return iter(self.inlines)
        return chain(self.inlines, *(cell.inlines for cell in self.cells))

    @cached_property
    def text(self) -> str:
        """What the block says, as one string: code spans in backticks, lines joined by a blank."""
        if self.lines:
            return "\n".join([line.text for line in self.lines])
        parts = [
            f"`{i.text}`" if i.kind == "code" else i.text for i in self.every_inline() if i.kind in ("text", "code")
        ]
        return " ".join(" ".join(parts).split())


class Suppression(Struct, frozen=True, array_like=True):
    """`docalign: ignore[rule] reason` in a comment. Covers the lines first to last; last 0 is the end of the file."""

    rules: tuple[str, ...]
    reason: str
    line: int
    first: int
    last: int
    column: int = 1


class Document(Struct, frozen=True, array_like=True):
    """A document as read. `anchors` are all the ids that a link may point at, headings' slugs included.

    labels        the anchors that are written out, in lower case: what `:ref:` finds
    open_anchors  ids may exist that cannot be read from the source (templates, includes, generated API pages)
    history       the whole document tells of the past: a changelog, release notes, a migration guide
    notes         what was not read, and why
    generated     the line on which it says that a program wrote it; 0 if it does not
    """

    path: str
    format: Format
    blocks: tuple[Block, ...] = ()
    anchors: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    open_anchors: bool = False
    history: bool = False
    suppressions: tuple[Suppression, ...] = ()
    notes: tuple[str, ...] = ()
    generated: int = 0

    def position(self, line: int) -> int:
        """Which of the blocks holds a line, or is the last one above it; -1 above all of them."""
        return bisect_right(self.blocks, line, key=lambda block: block.line) - 1

    def block_at(self, line: int) -> Block | None:
        """The block that holds a line, or the last one above it."""
        position = self.position(line)
        return self.blocks[position] if position >= 0 else None
