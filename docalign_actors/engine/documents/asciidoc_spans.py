"""What stands inside a paragraph of AsciiDoc: monospaced spans, macros, URLs, and the words between."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.documents.model import Inline
from docalign_actors.engine.documents.places import Mark, Piece, in_place, joined

_SPAN = re.compile(
    r"``(?P<double>[^`]+)``|`\+(?P<passed>[^`+]+)\+`|`(?P<code>[^`\n]+(?:\n[^`\n]+){0,2})`"
    r"|(?<![\w+])\+(?P<mono>[^\s+][^+\n]{0,200}?)\+(?![\w+])"
    r"|(?P<macro>link|xref|image):(?!:)(?P<target>(?:[^\[\]\s]|\{[^}\s]*\}){1,1000})\[(?P<label>[^\]]{0,500})\]"
    r"|<<(?P<cross>[^<>,]{1,300})(?:,(?P<shown>[^<>]{0,300}))?>>"
    r"|(?P<url>https?://[^\s<>\"'`\[\]|]+)(?:\[(?P<text>[^\]]{0,500})\])?"
    r"|\[\[[^\]]{1,200}\]\]|anchor:[^\[\s]{1,200}\[[^\]]{0,200}\]"
    r"|(?<![\w*])(?P<stars>\*{1,2})(?=[^\s*])(?P<strong>[^*`\n]{1,300}?)(?<=\S)(?P=stars)(?![\w*])"
)
_FILE_TARGET = re.compile(r"[#/]|\.(?:adoc|asciidoc|html?)$")


def read_asciidoc_spans(pieces: Sequence[Piece]) -> list[Inline]:
    """The inlines of a paragraph, given its source lines. A reference to an id alone is a role named `xref`."""
    text = joined(pieces)
    marks: list[Mark] = []
    for match in _SPAN.finditer(text):
        marks.extend(_marks_of(match))
    return in_place(pieces, sorted(marks))


def plain_asciidoc(text: str) -> str:
    """What a reader sees of a title."""
    return " ".join(_SPAN.sub(_shown, text).split())


def _shown(match: re.Match[str]) -> str:
    for group in ("double", "passed", "code", "mono", "strong", "label", "shown", "text", "cross", "url"):
        if match[group]:
            return match[group]
    return ""


def _marks_of(match: re.Match[str]) -> list[Mark]:
    start, end = match.span()
    for group in ("double", "passed", "code", "mono"):
        if match[group] is not None:
            return [Mark(start, end, "code", *match.span(group))]
    if match["macro"]:
        kind = "image" if match["macro"] == "image" else "link"
        if match["macro"] == "xref" and not _FILE_TARGET.search(match["target"]):
            return _labelled(match, Mark(start, end, "role", *match.span("target"), "xref"), "label")
        mark = Mark(start, end, kind, *match.span("target"), _label(match["label"]))  # type: ignore[arg-type]
        return [mark] if kind == "image" else _labelled(match, mark, "label")
    if match["cross"]:
        kind = "link" if _FILE_TARGET.search(match["cross"]) else "role"
        label = _label(match["shown"]) if kind == "link" else "xref"
        return _labelled(match, Mark(start, end, kind, *match.span("cross"), label), "shown")  # type: ignore[arg-type]
    if match["url"]:
        url = match["url"] if match["text"] is not None else match["url"].rstrip(".,;:!?*_~)")
        return _labelled(
            match,
            Mark(start, start + len(url) if match["text"] is None else end, "link", start, start + len(url)),
            "text",
        )
    if match["stars"]:
        width = len(match["stars"])
        return [Mark(start, start + width), Mark(end - width, end)]
    return [Mark(start, end)]


def _label(text: str | None) -> str:
    return " ".join((text or "").replace("`", "").rstrip("^").split())


def _labelled(match: re.Match[str], mark: Mark, group: str) -> list[Mark]:
    """A link whose label is read as words, and as code where it is monospaced."""
    if not match[group]:
        return [mark]
    first, last = match.span(group)
    shown = match[group]
    if shown.startswith("`") and shown.endswith("`") and len(shown) > 2:
        return [mark._replace(end=first), Mark(first, last, "code", first + 1, last - 1), Mark(last, mark.end)]
    return [mark._replace(end=first), Mark(last, mark.end)]
