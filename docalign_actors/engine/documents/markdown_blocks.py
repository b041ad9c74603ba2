"""The blocks of Markdown in the order of the text, as pulldown-cmark finds them.

It tells events, with offsets in bytes; here they become parts with lines. What stands inside a paragraph is read elsewhere
(`spans.py`): those events only show where a paragraph of a tight list lies, which has no event of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from pyromark import Options, events_with_range, reference_definitions

from docalign_actors.engine.documents.builder import MOST_BLOCKS, CrowdedError
from docalign_actors.engine.documents.spans import normal_label

NESTING = 40
"""Lists, items and quotations within each other. What lies deeper is not read."""
_DEEPEST_COMPONENT = 6
_MOST_PARTS = 4 * MOST_BLOCKS
"""An item of a list takes three of them: where it begins, its paragraph, where it ends."""
_OPENERS = {"List": "list", "Item": "item", "BlockQuote": "quote"}
_CLOSERS = {"List": "list_end", "Item": "item_end", "BlockQuote": "quote_end"}
_LEAVES = frozenset({"Heading", "Paragraph", "CodeBlock", "HtmlBlock", "Table"})
_ROWS = frozenset({"TableHead", "TableRow"})
_ATX = re.compile(r"#{1,6}(?:[ \t]+|$)")
_ATX_END = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_MARGIN = re.compile(r"[ \t]*>[ \t]?")

PartKind = Literal[
    "list", "list_end", "item", "item_end", "quote", "quote_end",
    "heading", "paragraph", "fence", "indented", "html", "table", "row",
]  # fmt: skip
Definitions = dict[str, tuple[int, int]]
"""The lines of each definition of a link, by its label as it is looked up."""


class Part(NamedTuple):
    """A leaf, or where a container begins or ends. Lines count from 0; `last` is the line after it."""

    kind: PartKind
    first: int
    last: int
    content: str = ""
    """What a paragraph, a heading or code holds, without the marks of the containers around it."""
    info: str = ""
    level: int = 0


class Blocks(NamedTuple):
    """All of a text. `too_deep`: some of it was left out."""

    parts: list[Part]
    definitions: Definitions
    too_deep: bool


def read_blocks(lines: Sequence[str], *, mdx: bool = False, depth: int = 0) -> Blocks:
    """The blocks of these lines. In MDX nothing is code because it is indented: it stands in a component."""
    text = "\n".join(lines).replace("\r", " ").replace("\0", " ")
    walk = _Walk(lines, text, depth if mdx else None)
    for event, span in events_with_range(text, options=Options.ENABLE_TABLES):
        walk.take(event, span["start"], span["end"])
        if len(walk.parts) > _MOST_PARTS:
            raise CrowdedError(f"more than {MOST_BLOCKS:,} blocks")
    walk.end_paragraph()
    if "]:" in text:
        found = reference_definitions(text, options=Options.ENABLE_TABLES)
        for label, told in found.items():
            lines_of = walk.lines_of(told["span"]["start"], told["span"]["end"])
            walk.definitions.setdefault(normal_label(label), lines_of)
    return Blocks(walk.parts, walk.definitions, walk.too_deep)


class _Walk:
    """Goes through the events once."""

    def __init__(self, lines: Sequence[str], text: str, component: int | None) -> None:
        """`component`: how many components this text was found in, if indented text is none of code."""
        self.lines = lines
        self.data = text.encode("utf-8", "replace")
        lengths = map(len, lines) if len(self.data) == len(text) else (len(s.encode("utf-8", "replace")) for s in lines)
        self.starts = list(accumulate((length + 1 for length in lengths), initial=0))
        self.component = component
        self.parts: list[Part] = []
        self.definitions: Definitions = {}
        self.too_deep = False
        self.depth = 0
        self.quotes = 0
        self.leaf = ""
        self.code: list[str] = []
        self.paragraph: tuple[int, int] | None = None
        """From where to where there is text of no leaf: a paragraph of a tight list."""

    def take(self, event: Any, start: int, end: int) -> None:
        if isinstance(event, str):
            if event == "Rule":
                self.end_paragraph()
            return
        [(name, value)] = event.items()
        what = value if isinstance(value, str) else next(iter(value)) if isinstance(value, Mapping) else ""
        if self.leaf:
            self._inside(name, what, value, start, end)
        elif name == "Start" and (what in _OPENERS or what in _LEAVES):
            self.end_paragraph()
            self._begin(what, value, start, end)
        elif name == "End" and what in _CLOSERS:
            self.end_paragraph()
            self.depth -= 1
            self.quotes -= what == "BlockQuote"
            self._add(_CLOSERS[what], start, end)
        else:
            first, last = self.paragraph or (start, end)
            self.paragraph = (first, max(last, end))

    def _begin(self, what: str, value: Any, start: int, end: int) -> None:
        if what in _OPENERS:
            self._add(_OPENERS[what], start, start)
            self.depth += 1
            self.quotes += what == "BlockQuote"
            return
        self.leaf = what
        if self.depth >= NESTING - 1:
            self.too_deep = True
        elif what == "Heading":
            self._add_heading(int(value["Heading"]["level"][1]), start, end)
        elif what == "Paragraph":
            self._add_text("paragraph", start, end)
        elif what == "HtmlBlock":
            self._add("html", start, end)
        elif what == "Table":
            self._add("table", start, end)

    def _inside(self, name: str, what: str, value: Any, start: int, end: int) -> None:
        if name == "Text" and self.leaf == "CodeBlock":
            self.code.append(value)
        elif name == "Start" and what in _ROWS and self.depth < NESTING - 1:
            self._add("row", start, end)
        elif name == "End" and what == self.leaf:
            self.leaf = ""
            if what == "CodeBlock":
                self._add_code(start, end)

    def end_paragraph(self) -> None:
        """What had no leaf around it was a paragraph; it ends here."""
        if self.paragraph is None:
            return
        start, end = self.paragraph
        self.paragraph = None
        if self.depth >= NESTING - 1:
            self.too_deep = True
            return
        # The event of an escaped mark begins behind its backslash.
        self._add_text("paragraph", start - (self.data[start - 1 : start] == b"\\"), end)

    # Parts

    def _add(self, kind: str, start: int, end: int, content: str = "", info: str = "", level: int = 0) -> None:
        first, last = self.lines_of(start, end)
        self.parts.append(Part(kind, first, last, content, info, level))  # type: ignore[arg-type]

    def _add_text(self, kind: str, start: int, end: int) -> None:
        first, last = self.lines_of(start, end)
        self._add(kind, start, end, "\n".join(self._content(start, first, last)))

    def _add_heading(self, level: int, start: int, end: int) -> None:
        first, last = self.lines_of(start, end)
        texts = self._content(start, first, last)
        mark = _ATX.match(texts[0])
        # Without one, the last line underlines the others.
        content = _ATX_END.sub("", texts[0][mark.end() :]).strip() if mark else "\n".join(texts[:-1] or texts)
        self._add("heading", start, end, content, level=level)

    def _add_code(self, start: int, end: int) -> None:
        content, self.code = "".join(self.code), []
        if self.depth >= NESTING - 1:
            return
        opening = self._content(start, *self.lines_of(start, start + 1))[0]
        if opening.startswith(("```", "~~~")):
            self._add("fence", start, end, content, opening.lstrip(opening[0]).strip())
        elif self.component is None or self.component >= _DEEPEST_COMPONENT:
            self._add("indented", start, end, content)
        else:
            self._add_component(content, self.lines_of(start, end)[0])

    def _add_component(self, content: str, first: int) -> None:
        texts = content.split("\n")
        margin = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
        inner = read_blocks([text[margin:] for text in texts], mdx=True, depth=(self.component or 0) + 1)
        self.parts.extend(part._replace(first=part.first + first, last=part.last + first) for part in inner.parts)
        for label, (start, end) in inner.definitions.items():
            self.definitions.setdefault(label, (start + first, end + first))

    # Lines

    def lines_of(self, start: int, end: int) -> tuple[int, int]:
        """The line that an offset stands on, and the one after the last that has something up to another."""
        while end > start + 1 and self.data[end - 1] in b"\n\r \t":
            end -= 1
        return bisect_right(self.starts, start) - 1, max(bisect_right(self.starts, end - 1), 1)

    def _content(self, start: int, first: int, last: int) -> list[str]:
        """The lines from an offset on, without the marks of the quotations they are in."""
        found = [self.data[start : self.starts[first + 1] - 1].decode("utf-8", "replace")]
        for line in self.lines[first + 1 : last]:
            at = 0
            for _ in range(self.quotes):
                mark = _MARGIN.match(line, at)
                if mark is None:
                    break
                at = mark.end()
            found.append(line[at:].strip())
        return found
