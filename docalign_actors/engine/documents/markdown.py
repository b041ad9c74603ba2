"""Reads Markdown and MDX. The block structure is pulldown-cmark's; columns are found again in the source lines."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from itertools import accumulate

from docalign_actors.engine.documents.anchors import github_slug
from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.fenced_directives import read_fenced_directive
from docalign_actors.engine.documents.markdown_blocks import NESTING, Definitions, Part, read_blocks
from docalign_actors.engine.documents.markdown_source import Prepared, prepare
from docalign_actors.engine.documents.model import BlockKind, Cell, Inline
from docalign_actors.engine.documents.places import Piece
from docalign_actors.engine.documents.spans import normal_label, plain, read_spans

_COMMENT = re.compile(r"[\W_]+|comment", re.IGNORECASE)
"""The label of a definition that nobody links by: `[//]: # (…)` is how Markdown is told to leave a line out."""
_DEFINITION = re.compile(r"\[(?P<label>(?:[^\[\]\\]|\\.){1,999})\]:\s*(?:<(?P<angled>[^<>]*)>|(?P<bare>\S+))?")
_LABEL = re.compile(r"\[([^\[\]]{1,999})\]")
_HEADING_ID = re.compile(
    r"(?:\s+|(?=\{[:#.]))\{:?\s*(?:#(?P<id>[^\s}]+)|[.\w-]+)[^{}]{0,200}\}\s*$"
    r"|\s+\[\[(?P<bracketed>[\w-]{1,100})\]\]\s*$"
)
"""`Title {#id}` or `Title [[id]]`; but `/users/{id}` is a title that ends in a placeholder."""
_HEADING_NOTE = re.compile(r"\s*<(span|small|sup|sub|em|i|kbd)\b[^<>]{0,200}>[^<]{0,300}</\1>\s*$")
_ALERT = re.compile(r"^\W*(?:\[!\w+\]|(?:note|tip|important|warning|caution|info|hint|attention)\b)", re.IGNORECASE)
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)*[ \t]*")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#-]+(?:\.[A-Za-z0-9]+)?")
_DIRECTIVE = re.compile(r"^\{([A-Za-z][\w:.-]*)\}\s*(\S*)")
_OPTION = re.compile(r"^:[A-Za-z][\w-]*:(?:\s|$)")
_NOT_A_LANGUAGE = frozenset({"code-block", "code", "sourcecode", "code-cell", "parsed-literal", "literalinclude"})


def read_markdown(builder: Builder, *, mdx: bool = False) -> None:
    """Reads all of a Markdown file's lines into the builder."""
    prepared = prepare(builder.lines, mdx=mdx)
    blocks = read_blocks(prepared.lines, mdx=mdx)
    for text, line in prepared.comments:
        builder.comment(text, line)
    builder.open_anchors |= prepared.open_anchors
    if blocks.too_deep:
        builder.note(f"nested more than {NESTING} deep: not read further in")
    _MarkdownBlocks(builder, prepared, blocks.definitions).read(blocks.parts)


def language_of_info(info: str) -> str:
    """The language that a fence names: `python title="x"`, `{.python}`, `{code-block} python`, `js{1,3}` are plain names."""
    directive = _DIRECTIVE.match(info)
    if directive:
        name, argument = directive[1].lower(), directive[2]
        if name in _NOT_A_LANGUAGE or ":" in name:
            return argument.lower() if name in ("code-block", "code", "sourcecode", "code-cell") else ""
        return name
    match = _LANGUAGE.search(info.strip().lstrip("{. ").split("=")[0].split(" ")[0])
    name = match[0].lower() if match else ""
    return name.removeprefix("language-")


def _labels(lines: Sequence[str]) -> Counter[str]:
    """How often each text stands in brackets, as references are looked up."""
    return Counter(map(normal_label, _LABEL.findall("\n".join(lines))))


class _MarkdownBlocks:
    """Goes through the parts once."""

    def __init__(self, builder: Builder, prepared: Prepared, references: Definitions) -> None:
        self.builder = builder
        self.lines = builder.lines
        self.prepared = prepared
        self.references = references
        self.lists: list[int] = []
        self.items: list[bool] = []
        self.quotes: list[bool] = []
        self.above: list[tuple[tuple[int, str, bool], ...]] = []
        self.table = 0
        self.headers: list[str] = []
        extras: list[tuple[int, Inline | tuple[Cell, ...]]] = [
            *self._definitions(),
            *((inline.line, inline) for inline in prepared.generated),
            *((cells[0].inlines[0].line, cells) for cells in prepared.fields),
        ]
        self.extras = deque(sorted(extras, key=lambda extra: extra[0]))
        self.past = self._past_lines()

    def read(self, parts: Sequence[Part]) -> None:
        for index, part in enumerate(parts):
            if self.builder.titles_only and part.kind != "heading":
                continue
            if self.extras and self.extras[0][0] <= part.first and not part.kind.endswith("_end"):
                self._add_extras(part.first)
            getattr(self, "_on_" + part.kind)(part, parts, index)
        if not self.builder.titles_only:
            self._add_extras(len(self.lines))

    def _definitions(self) -> list[tuple[int, Inline]]:
        """Where each link reference is defined that some text links by: its target, as written."""
        found = []
        labels = _labels(self.prepared.lines) if self.references else Counter[str]()
        for first, last in self.references.values():
            pieces = self._pieces("\n".join(self.prepared.lines[first:last]), first)
            text = "\n".join(piece.text for piece in pieces)
            match = _DEFINITION.search(text[:4_000])
            group = "angled" if match and match["angled"] is not None else "bare"
            if not match or not match[group] or _COMMENT.fullmatch(match["label"]):
                continue
            if labels[normal_label(match["label"])] < 2 and "\\" not in match["label"]:
                continue  # nothing but the definition itself: no reader is shown the link
            before = text[: match.start(group)]
            piece = pieces[before.count("\n")]
            column = piece.column + len(before) - before.rfind("\n") - 1
            found.append((piece.line, Inline("link", match[group], piece.line, column, match["label"])))
        return found

    def _past_lines(self) -> list[int]:
        """For each line, from 1, in how many directives that tell of the past it stands."""
        steps = [0] * (len(self.lines) + 3)
        for start, end in self.prepared.past:
            steps[start] += 1
            steps[end + 1] -= 1
        return list(accumulate(steps))

    def _add_extras(self, before: int) -> None:
        while self.extras and self.extras[0][0] <= before:
            line, extra = self.extras.popleft()
            if isinstance(extra, Inline):
                self.builder.prose("paragraph", line, line, [extra])
            else:
                self.builder.row(line, extra, self.builder.new_group())

    # Containers

    def _on_list(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.lists.append(self.builder.new_group())

    def _on_list_end(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.lists.pop()

    def _on_item(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.items.append(True)

    def _on_item_end(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.items.pop()

    def _on_quote(self, part: Part, parts: Sequence[Part], index: int) -> None:
        # An alert, or a note written as a quotation, is the project's own word.
        self.quotes.append(not _ALERT.match(parts[index + 1].content[:80]))
        self.above.append(self.builder.headings)

    def _on_quote_end(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.quotes.pop()
        self.builder.back_to(self.above.pop())

    # Leaves

    def _on_heading(self, part: Part, parts: Sequence[Part], index: int) -> None:
        content, first, last = part.content, part.first, part.last
        attributes = _HEADING_ID.search(content[-400:])
        if attributes:
            # A renderer that does not know `{#id}`, such as GitHub's, takes it for words of the title.
            self.builder.ids.add(github_slug(plain(content, self.references).strip()))
            content = content[: len(content) - len(attributes[0])]
            if given := attributes["id"] or attributes["bracketed"]:
                self.builder.ids.add(given)
        inlines = read_spans(self._pieces(content, first), self.references, self.builder.comment)
        shown = plain(content, self.references)
        title = " ".join(shown.split())
        if shown != title:
            # GitHub makes a hyphen of each blank, of the one before an image at the end too.
            self.builder.ids.add(github_slug(shown))
        if _HEADING_NOTE.search(content[-600:]):
            # `### config <span>(root only)</span>`: some sites leave the element out of the anchor.
            self.builder.ids.add(github_slug(plain(_HEADING_NOTE.sub("", content), self.references).strip()))
        self.builder.heading(part.level, first + 1, last, inlines, title)

    def _on_paragraph(self, part: Part, parts: Sequence[Part], index: int) -> None:
        first, last = part.first, part.last
        inlines = read_spans(self._pieces(part.content, first), self.references, self.builder.comment)
        kind: BlockKind = "quote" if any(self.quotes) else "paragraph"
        group = 0
        if self.items:
            group = self.lists[-1]
            if self.items[-1]:
                kind = "item"
                self.items[-1] = False
        past = self.past[first + 1] > 0
        if past:
            self.builder.begin_past()
        self.builder.prose(kind, first + 1, last, inlines, group)
        if past:
            self.builder.end_past()

    def _on_fence(self, part: Part, parts: Sequence[Part], index: int) -> None:
        if not (part.info.startswith("{") and read_fenced_directive(self.builder, part.info, part.first, part.last)):
            self._code(part.content, part.first + 1, part.first + 1, part.last, part.info)

    def _on_indented(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self._code(part.content, part.first, part.first + 1, part.last, "")

    def _code(self, content: str, first: int, line: int, last: int, info: str) -> None:
        texts = content.split("\n")
        if texts and not texts[-1]:
            texts.pop()
        if info.startswith("{"):
            # MyST: a directive's options stand before its content.
            while texts and _OPTION.match(texts[0]):
                texts.pop(0)
                first += 1
        lines = [
            self._code_line(text, first + offset)
            for offset, text in enumerate(texts)
            if first + offset < len(self.lines)
        ]
        self.builder.code(line, last, lines, language_of_info(info), info)

    def _code_line(self, text: str, index: int) -> Inline:
        """A line of code in its place. Where a tab was split between margin and code, the code's own indent goes."""
        source = self.lines[index]
        if not source.endswith(text):
            text = text.strip()
        at = source.rfind(text) if text else 0
        return Inline("code", text, index + 1, at + 1) if at >= 0 else Inline("code", "", index + 1, 1)

    def _on_html(self, part: Part, parts: Sequence[Part], index: int) -> None:
        from docalign_actors.engine.documents.markup import read_html

        pieces = [Piece(self.lines[i], i + 1, 1) for i in range(part.first, min(part.last, len(self.lines)))]
        read_html(self.builder, pieces)

    # Tables

    def _on_table(self, part: Part, parts: Sequence[Part], index: int) -> None:
        self.table = self.builder.new_group()
        self.headers = []

    def _on_row(self, part: Part, parts: Sequence[Part], index: int) -> None:
        row = part.first
        cells = self._cells(row)
        if not self.headers:
            self.headers = [" ".join(plain(cell.text, self.references).split()) for cell in cells] or [""]
            return
        self.builder.row(
            row + 1,
            [
                Cell(self.headers[i] if i < len(self.headers) else "", tuple(self._cell_spans(cell)))
                for i, cell in enumerate(cells[: len(self.headers)])
            ],
            self.table,
        )

    def _cell_spans(self, cell: Piece) -> list[Inline]:
        return read_spans([cell], self.references, self.builder.comment) if cell.text else []

    def _cells(self, row: int) -> list[Piece]:
        """A row's cells: split at pipes that no backslash precedes, in code spans too, as GitHub does."""
        source = self.lines[row]
        content = self.prepared.lines[row].strip()
        mark = _QUOTE_MARK.match(source)
        start = mark.end() if mark else 0
        if content and source.rstrip().endswith(content) and not content.startswith(">"):
            start = max(start, len(source.rstrip()) - len(content))
        if source[start : start + 1] == "|":
            start += 1
        cells: list[Piece] = []
        for end in [*_pipes(source, start), len(source)]:
            raw = source[start:end]
            text = raw.strip()
            cells.append(Piece(text, row + 1, start + 1 + len(raw) - len(raw.lstrip())))
            start = end + 1
        if cells and not cells[-1].text:
            cells.pop()
        return cells

    # Positions

    def _pieces(self, content: str, first: int) -> list[Piece]:
        """The source lines of a parser's content. The parser has cut quotation marks, indents and list marks off."""
        pieces = []
        for offset, raw in enumerate(content.split("\n")):
            index, text = first + offset, raw.strip()
            if index >= len(self.lines):
                break
            source = self.lines[index]
            stripped = source.rstrip()
            at = len(stripped) - len(text) if stripped.endswith(text) else source.find(text)
            pieces.append(Piece(text, index + 1, at + 1) if at >= 0 else Piece("", index + 1, 1))
        return pieces


def _pipes(source: str, start: int) -> list[int]:
    found = []
    at = source.find("|", start)
    while at >= 0:
        if source[at - 1 : at] != "\\" or at == 0:
            found.append(at)
        at = source.find("|", at + 1)
    return found
