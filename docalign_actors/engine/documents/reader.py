"""Reads a document of any format. Whatever is in the file, the answer is a `Document`: what was not read is noted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.documents import tone
from docalign_actors.engine.documents.anchors import explicit_ids, heading_slugs, may_have_more
from docalign_actors.engine.documents.builder import Builder, CrowdedError
from docalign_actors.engine.documents.generated import line_that_says_so
from docalign_actors.engine.documents.model import Block, Document, Format
from docalign_actors.engine.documents.records import is_closed, is_record, is_tracker
from docalign_actors.engine.documents.suppressions import read_suppressions
from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.reports import is_report

DOCUMENT_LIMIT = 4_000_000
"""Bytes. A longer document is data; its beginning alone would be judged wrongly, so it is left out."""
LINE_LIMIT = 20_000
"""Characters. A longer line is data in the midst of a document: it is read as an empty one."""
_MOST_NOTES = 5
_BEFORE_TITLE = 4
"""Blocks, of which one may be the title: badges, a picture or a link back may stand before it."""
_DIRECTIVE = re.compile(rb"^ {0,8}\.\. (?:[a-z][a-z0-9:-]{2,40}::(?:\s|$)|_[\w .-]{1,80}:(?:\s|$))", re.MULTILINE)
_LEAD = 16
"""Blocks at the top, among which a document says what it is."""


def source_lines(data: bytes) -> list[str]:
    """A document's lines, as every position counts them: cut at line feeds only; a stray carriage return is a blank."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", " ").split("\n")


def read_document(path: str, format: str, data: bytes) -> Document:
    """Reads a document. Never raises on a document's account."""
    known: Format = format if format in ("markdown", "mdx", "rst", "asciidoc") else "text"  # type: ignore[assignment]
    if len(data) > DOCUMENT_LIMIT:
        return Document(path, known, open_anchors=True, notes=(f"larger than {DOCUMENT_LIMIT:,} bytes: not read",))
    if known == "text" and _DIRECTIVE.search(data):
        known = "rst"  # Django's manual, and many an old README, is reStructuredText that ends in `.txt` or in nothing
    if b"\0" in data:
        return Document(path, known, open_anchors=True, notes=("binary: not read",))
    notes: list[str] = []
    builder = Builder(_readable(source_lines(data), notes), titles_only=tells_history(path))
    for note in notes[:_MOST_NOTES]:
        builder.note(note)
    if not _is_utf8(data):
        builder.note("not UTF-8: unreadable characters were replaced")
    try:
        _read(builder, known)
    except CrowdedError as error:
        return Document(path, known, open_anchors=True, notes=(*builder.notes, f"{error}: not judged"))
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, RecursionError) as error:
        builder.note(f"not read to the end: {type(error).__name__}: {str(error)[:120]}")
        builder.open_anchors = True
    return _document(path, known, builder)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _readable(lines: list[str], notes: list[str]) -> list[str]:
    """Lines that are too long are emptied; a byte order mark becomes a blank, so columns stay."""
    for index, line in enumerate(lines):
        if len(line) > LINE_LIMIT:
            notes.append(f"line {index + 1} is longer than {LINE_LIMIT:,} characters: not read")
            lines[index] = ""
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = " " + lines[0][1:]
    return lines


def _read(builder: Builder, format: Format) -> None:
    """Hands the lines to the format's reader; each is imported when a document of its format is met."""
    if format in ("markdown", "mdx"):
        from docalign_actors.engine.documents.markdown import read_markdown

        read_markdown(builder, mdx=format == "mdx")
    elif format == "rst":
        from docalign_actors.engine.documents.rst import read_rst

        read_rst(builder)
    elif format == "asciidoc":
        from docalign_actors.engine.documents.asciidoc import read_asciidoc

        read_asciidoc(builder)
    else:
        from docalign_actors.engine.documents.plain import read_plain

        read_plain(builder)


def title_of(blocks: Sequence[Block]) -> str:
    """A document's title. A heading with text before it is a section's: the title stands in the front matter, or nowhere."""
    return next((block.info for block in blocks[:_BEFORE_TITLE] if block.kind == "heading"), "")


def lead_of(blocks: Sequence[Block]) -> Iterator[str]:
    """What stands between the title and the first section, as far as a document would say there what it is."""
    headings = 0
    for block in blocks[:_LEAD]:
        headings += block.kind == "heading"
        if headings > 1:
            return
        if block.kind in ("paragraph", "item", "row", "quote"):
            yield _by_lines(block)


def _by_lines(block: Block) -> str:
    """What the block says, a line of it on a line: `Version: 2`, and below it `Status: Draft`."""
    lines: dict[int, list[str]] = {}
    for inline in block.every_inline():
        if inline.kind in ("text", "code"):
            lines.setdefault(inline.line, []).append(inline.text)
    return "\n".join(" ".join(" ".join(parts).split()) for parts in lines.values())


def _document(path: str, format: Format, builder: Builder) -> Document:
    title = title_of(builder.blocks)
    labels = builder.ids | explicit_ids(builder.lines, format)
    is_of_its_time = is_record(path, title, lead_of(builder.blocks)) or is_tracker(path, builder.lines)
    is_of_its_time = (
        is_of_its_time or is_closed(path, builder.lines) or is_report("\n".join(builder.lines[:2]).encode())
    )
    return Document(
        path,
        format,
        blocks=tuple(builder.blocks),
        anchors=frozenset(heading_slugs(builder.titles, format) | labels),
        labels=frozenset(label.lower() for label in labels),
        open_anchors=builder.open_anchors or may_have_more(builder.lines, format),
        history=tells_history(path) or tone.is_history_document(title) or is_of_its_time,
        suppressions=read_suppressions(builder.comments, builder.lines, builder.extents),
        notes=tuple(builder.notes),
        generated=line_that_says_so(builder.lines),
    )
