"""Reads Markdown and MDX. The block structure is markdown-it's; columns are found again in the source lines."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from docalign_actors.engine.documents.anchors import github_slug
from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.fenced_directives import read_fenced_directive
from docalign_actors.engine.documents.markdown_source import Prepared, prepare
from docalign_actors.engine.documents.model import BlockKind, Cell, Inline
from docalign_actors.engine.documents.places import Piece
from docalign_actors.engine.documents.spans import normal_label, plain, read_spans

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NESTING = 40
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


@cache
def _parser(mdx: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table").disable("inline")
    # MDX has no indented code: what is indented there stands in a component.
    return parser.disable("code") if mdx else parser


def read_markdown(builder: Builder, *, mdx: bool = False) -> None:
    """Reads all of a Markdown file's lines into the builder."""
    prepared = prepare(builder.lines, mdx=mdx)
    environment: dict[str, Any] = {}
    tokens = _parser(mdx).parse("\n".join(prepared.lines), environment)
    for text, line in prepared.comments:
        builder.comment(text, line)
    builder.open_anchors |= prepared.open_anchors
    _MarkdownBlocks(builder, prepared, environment.get("references", {})).read(tokens)


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
    """Goes through the parser's tokens once."""

    def __init__(self, builder: Builder, prepared: Prepared, references: dict[str, Any]) -> None:
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
        extras = [*self._definitions(), *((inline.line, inline) for inline in prepared.generated)]
        self.extras = deque(sorted(extras, key=lambda extra: extra[0]))
        self.past = self._past_lines()

    def read(self, tokens: Sequence[Token]) -> None:
        if any(token.level >= _NESTING - 1 for token in tokens):
            self.builder.note(f"nested more than {_NESTING} deep: not read further in")
        for index, token in enumerate(tokens):
            if self.builder.titles_only and token.type != "heading_open":
                continue
            if token.map and self.extras and self.extras[0][0] <= token.map[0] and token.nesting >= 0:
                self._add_extras(token.map[0])
            handler = getattr(self, "_on_" + token.type, None)
            if handler:
                handler(token, tokens, index)
        if not self.builder.titles_only:
            self._add_extras(len(self.lines))

    def _definitions(self) -> list[tuple[int, Inline]]:
        """Where each link reference is defined that some text links by: its target, as written."""
        found = []
        labels = _labels(self.prepared.lines) if self.references else Counter[str]()
        for reference in self.references.values():
            first, last = reference["map"]
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
            line, inline = self.extras.popleft()
            self.builder.prose("paragraph", line, line, [inline])

    # Containers

    def _on_bullet_list_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.lists.append(self.builder.new_group())

    _on_ordered_list_open = _on_bullet_list_open

    def _on_bullet_list_close(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.lists.pop()

    _on_ordered_list_close = _on_bullet_list_close

    def _on_list_item_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.items.append(True)

    def _on_list_item_close(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.items.pop()

    def _on_blockquote_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        # An alert, or a note written as a quotation, is the project's own word.
        inside = tokens[index + 2].content if index + 2 < len(tokens) else ""
        self.quotes.append(not _ALERT.match(inside[:80]))
        self.above.append(self.builder.headings)

    def _on_blockquote_close(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.quotes.pop()
        self.builder.back_to(self.above.pop())

    # Leaves

    def _on_heading_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        content = tokens[index + 1].content
        first, last = token.map or [0, 1]
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
        self.builder.heading(int(token.tag[1]), first + 1, last, inlines, title)

    def _on_paragraph_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        first, last = token.map or [0, 1]
        inlines = read_spans(self._pieces(tokens[index + 1].content, first), self.references, self.builder.comment)
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

    def _on_fence(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        first, last = token.map or [0, 1]
        info = token.info.strip()
        if not (info.startswith("{") and read_fenced_directive(self.builder, info, first, last)):
            self._code(token.content, first + 1, first + 1, last, info)

    def _on_code_block(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        first, last = token.map or [0, 1]
        self._code(token.content, first, first + 1, last, "")

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

    def _on_html_block(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        from docalign_actors.engine.documents.markup import read_html

        first, last = token.map or [0, 1]
        pieces = [Piece(self.lines[i], i + 1, 1) for i in range(first, min(last, len(self.lines)))]
        read_html(self.builder, pieces)

    # Tables

    def _on_table_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        self.table = self.builder.new_group()
        self.headers = []

    def _on_tr_open(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        row = (token.map or [0, 1])[0]
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
