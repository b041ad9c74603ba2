"""Reads blocks of HTML in Markdown: headings, preformatted code, links, images, code and words. Comments are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.documents.builder import Builder
from docalign_actors.engine.documents.model import Inline
from docalign_actors.engine.documents.places import Piece, joined
from docalign_actors.engine.documents.spans import plain, read_spans

_HEADING = re.compile(r"<h[1-6]\b[^<>]{0,400}>(?P<title>(?:(?!</?h[1-6]\b)[\s\S]){1,600}?)</h[1-6]>", re.IGNORECASE)
_HASHED = re.compile(r"^\s{0,3}#{1,6}\s+(?P<title>\S.{0,300})$", re.MULTILINE)
"""Some sites read Markdown inside of HTML, which GitHub shows as it stands."""
_PRE = re.compile(r"^\s*<pre\b[^<>]{0,200}>(?:\s*<code\b(?P<attributes>[^<>]{0,200})>)?", re.IGNORECASE)
_PRE_END = re.compile(r"(?:</code>)?\s*</pre>\s*$", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:language|lang|highlight)-([A-Za-z0-9+#_-]+)")


def read_html(builder: Builder, pieces: Sequence[Piece]) -> None:
    """A block of HTML, given its source lines."""
    if not pieces or _read_pre(builder, pieces):
        return
    text = joined(pieces)
    if "<h" in text.lower():
        for match in _HEADING.finditer(text):
            builder.titles.append(" ".join(plain(match["title"]).split()))
    if "#" in text:
        builder.titles.extend(plain(match["title"]).strip() for match in _HASHED.finditer(text))
    builder.html(pieces[0].line, pieces[-1].line, read_spans(pieces, (), builder.comment))


def _read_pre(builder: Builder, pieces: Sequence[Piece]) -> bool:
    """`<pre>`: code, as it stands between the tags."""
    opening = _PRE.match(pieces[0].text)
    if not opening:
        return False
    lines = []
    for number, piece in enumerate(pieces):
        start = opening.end() if number == 0 else 0
        closing = _PRE_END.search(piece.text[-200:], 0)
        end = max(start, len(piece.text) - len(closing[0])) if closing else len(piece.text)
        text = piece.text[start:end].rstrip()
        if text or 0 < number < len(pieces) - 1:
            lines.append(Inline("code", text, piece.line, start + 1 if text else 1))
    language = _LANGUAGE.search(opening["attributes"] or "")
    builder.code(pieces[0].line, pieces[-1].line, lines, language[1].lower() if language else "")
    return True
