"""Where the documents speak of code: code spans, code blocks, link targets, roles and directives, line by line.

A line is `told` if it speaks of the present; lines of a changelog section, of a "deprecated since" paragraph and
of a comment are not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bench.files import Snapshot, is_document, is_scored

Place = tuple[str, int]
_LONGEST = 2_000
_FENCE = re.compile(r"^\s*(?:>\s*)*(?:[-*+]\s+|\d+\.\s+)?(`{3,}|~{3,})\s*([^`]*)$")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)([^`].*?|[^`])\1(?!`)")
_TARGET = re.compile(
    r"\]\(\s*<?([^)\s>]+)|^\s*\[[^\]]+\]:\s*(\S+)|(?:href|src)\s*=\s*[\"']([^\"']+)|<code>([^<]+)</code>|`[^`<]*<([^`>]+)>`_"
)
_DIRECTIVE = re.compile(r"^\s*\.\.\s+[\w:.-]+::\s*(\S.*)$")
_RST_CODE = re.compile(
    r"^(\s*)\.\. (?:code-block|code|sourcecode|prompt|click:example|click:run|parsed-literal|highlight|literalinclude)::"
)
_RST_COMMENT = re.compile(r"^(\s*)\.\.(?:\s+(?![\w:.+-]+::)(?!_)(?!\[\w)(?!\|)|\s*$)")
_PAST = re.compile(
    r"deprecat|removed in|renamed|no longer|versionchanged|versionadded|formerly|previously|used to be|changed in"
    r"|added in|introduced in"
    r"|was called|in favou?r of|backwards? compat|legacy|prior to|before v?\d|since v?\d|as of v?\d|until v?\d"
    r"|\bNo `|not (?:supported|implemented|available)",
    re.IGNORECASE,
)
_PAST_HEADING = re.compile(
    r"change ?log|release notes|^v?\d+\.\d+|history|migrat|upgrad|deprecat|breaking", re.IGNORECASE
)
_ADOC_FENCE = re.compile(r"^(-{4,}|\.{4,})\s*$")


@dataclass
class Page:
    """One document: its lines, the code parts of each, and which lines are not about the present."""

    path: str
    lines: list[str]
    code: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    blocks: dict[int, str] = field(default_factory=dict)
    """Line -> language tag, for lines inside a code block."""
    untold: set[int] = field(default_factory=set)


class DocText:
    """All documents of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.pages = {path: read_page(path, text) for path, text in sorted(snapshot.texts.items()) if is_document(path)}

    @cached_property
    def code_words(self) -> dict[str, list[Place]]:
        """Word -> the places where it stands in a code part of a scored document."""
        found: dict[str, list[Place]] = defaultdict(list)
        for page in self._scored():
            for number in sorted(page.code):
                for word in dict.fromkeys(w for part in page.code[number] for w in re.findall(r"\w+", part)):
                    found[word].append((page.path, number))
        return found

    def _scored(self) -> Iterator[Page]:
        return (page for page in self.pages.values() if is_scored(page.path))

    def stale(self, pattern: re.Pattern[str]) -> list[Place]:
        """Lines about the present whose code parts match."""
        return [
            (page.path, number)
            for page in self._scored()
            for number in sorted(page.code)
            if number not in page.untold and any(pattern.search(part) for part in page.code[number])
        ]

    def all_lines(self, pattern: re.Pattern[str]) -> list[Place]:
        """Every line of every document that matches, code or prose, present or past."""
        return [
            (page.path, number)
            for page in self.pages.values()
            for number, line in enumerate(page.lines, 1)
            if pattern.search(line[:_LONGEST])
        ]

    def told_lines(self, pattern: re.Pattern[str]) -> list[Place]:
        """Lines about the present that match, code or prose."""
        return [p for p in self.all_lines(pattern) if is_scored(p[0]) and p[1] not in self.pages[p[0]].untold]

    def line(self, place: Place) -> str:
        return self.pages[place[0]].lines[place[1] - 1]


def read_page(path: str, text: str) -> Page:
    """Reads one document by its suffix."""
    page = Page(path, [line[:_LONGEST] for line in text.splitlines()])
    suffix = path.rpartition(".")[2].lower()
    if suffix == "rst":
        _read_rst(page)
    elif suffix in ("adoc", "asciidoc"):
        _read_asciidoc(page)
    else:
        _read_markdown(page)
    _mark_past(page)
    return page


def _spans(page: Page, number: int, line: str) -> None:
    for match in _SPAN.finditer(line):
        page.code[number].append(match.group(2))
    for match in _TARGET.finditer(line):
        page.code[number].append(next(g for g in match.groups() if g))


def _read_markdown(page: Page) -> None:
    fence, language, comment = "", "", False
    for number, line in enumerate(page.lines, 1):
        opened = _FENCE.match(line)
        if fence:
            if opened and opened.group(1).startswith(fence) and not opened.group(2).strip():
                fence = ""
            else:
                page.code[number].append(line)
                page.blocks[number] = language
        elif opened and not comment:
            fence, language = opened.group(1), opened.group(2).strip().split(" ")[0].lower()
            _fence_head(page, number, opened.group(2))
        else:
            comment = _comment(page, number, line, comment)
            indented = line.startswith(("    ", "\t")) and line.strip() and _after_blank(page, number)
            if indented:
                page.code[number].append(line)
            else:
                _spans(page, number, line)


def _fence_head(page: Page, number: int, head: str) -> None:
    """MyST directives carry their argument on the fence's line: `{autofunction} name`."""
    if head.startswith("{"):
        page.code[number].append(head.partition("}")[2])


def _comment(page: Page, number: int, line: str, inside: bool) -> bool:
    if inside or "<!--" in line:
        page.untold.add(number)
    last_open, last_close = line.rfind("<!--"), line.rfind("-->")
    if last_open == last_close == -1:
        return inside
    return last_open > last_close


def _after_blank(page: Page, number: int) -> bool:
    """An indented line is code if what it follows, over blank and indented lines, is no list item."""
    at = number - 2
    while at >= 0 and (not page.lines[at].strip() or page.lines[at].startswith(("    ", "\t"))):
        at -= 1
    return at < number - 2 and not re.match(r"\s*([-*+]|\d+[.)])\s", page.lines[at] if at >= 0 else "")


def _read_rst(page: Page) -> None:
    block: int | None = None  # indentation of the line that opened a literal block
    comment: int | None = None
    language = ""
    for number, line in enumerate(page.lines, 1):
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if comment is not None and indent > comment:
            page.untold.add(number)
            continue
        comment = None
        if block is not None and indent > block:
            page.code[number].append(line)
            page.blocks[number] = language
            continue
        block = None
        if _RST_COMMENT.match(line):
            comment = indent
            page.untold.add(number)
            continue
        if opened := _RST_CODE.match(line):
            block, language = len(opened.group(1)), line.partition("::")[2].strip().lower()
        elif line.rstrip().endswith("::") and not line.lstrip().startswith(".. "):
            block, language = indent, ""
        if directive := _DIRECTIVE.match(line):
            page.code[number].append(directive.group(1))
        _spans(page, number, line)


def _read_asciidoc(page: Page) -> None:
    fence = ""
    for number, line in enumerate(page.lines, 1):
        if fence:
            if line.rstrip() == fence:
                fence = ""
            else:
                page.code[number].append(line)
                page.blocks[number] = ""
        elif _ADOC_FENCE.match(line):
            fence = line.rstrip()
        else:
            _spans(page, number, line)
            for target in re.findall(r"(?:link|xref|image|include)::?([^\[\s]+)\[", line):
                page.code[number].append(target)


def _mark_past(page: Page) -> None:
    """Marks paragraphs that tell of the past, and whole sections under a heading that does."""
    section_level = 0
    first = True  # the title, which may hold the project's own name; that a file is history its name tells
    paragraph: list[int] = []
    for number, line in enumerate([*page.lines, ""], 1):
        if number in page.blocks:
            if section_level:
                page.untold.add(number)
            continue
        heading = re.match(r"^(#{1,6}|={1,6})\s+(.*)", line)
        if heading:
            level = len(heading.group(1))
            if section_level and level <= section_level:
                section_level = 0
            if not section_level and _PAST_HEADING.search(heading.group(2)) and not (level == 1 and first):
                section_level = level
            first = False
        if line.strip() and not heading and not re.match(r"\s*([-*+|]|\d+\.)\s", line):
            paragraph.append(number)
        else:
            _close_paragraph(page, paragraph)
            paragraph = [number] if line.strip() else []
        if section_level:
            page.untold.add(number)


def _close_paragraph(page: Page, paragraph: list[int]) -> None:
    if any(_PAST.search(page.lines[n - 1]) for n in paragraph):
        page.untold.update(paragraph)
