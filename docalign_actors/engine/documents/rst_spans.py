"""What stands inside a paragraph of reStructuredText: literals, roles, hyperlinks, and the words between."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.documents.model import Inline, InlineKind
from docalign_actors.engine.documents.places import Mark, Piece, in_place, joined
from docalign_actors.engine.documents.spans import role_name, role_target

# No alternative can run past the next backtick or asterisk, so each character is looked at a bounded number of times.
_SPAN = re.compile(
    r"(?P<escape>\\.)"
    r"|``(?P<literal>(?:[^`]|`(?!`))+?)``(?!`)"
    r"|:(?P<role>[A-Za-z][\w.+:-]{0,60}):`(?P<target>[^`]+)`"
    r"|_?`(?P<phrase>[^`]+)`(?::(?P<after>[A-Za-z][\w.+:-]{0,60}):(?!`)|(?P<reference>__?)(?!\w))?"
    r"|(?P<url>https?://[^\s<>\"'`\])|]+)"
    r"|(?<![\w*])(?P<stars>\*{1,2})(?=[^\s*])(?P<strong>[^*`]+?)(?<=\S)(?P=stars)(?![\w*])"
    r"|(?P<named>(?<![\w.*`\\/])[A-Za-z][\w.-]*[A-Za-z0-9]__?(?=[\s'\")\]}>/:.,;!?\\-]|$)(?!\.[.\w]))"
    r"|\[(?:\d+|#[\w-]*|\*|[A-Za-z][\w.-]*)\](?P<note>_)(?!\w)"
)
_PHRASE_TARGET = re.compile(r"^(?P<label>[^<]*)<(?P<target>[^<>]+)>\s*$")
TARGET = "target"
"""The label of a reference to a title or target of the same document, which is given as words and as a role."""
_PLAIN_ROLES = frozenset({"code", "literal", "samp", "kbd", "command"})


def read_rst_spans(pieces: Sequence[Piece]) -> list[Inline]:
    """The inlines of a paragraph, given its source lines."""
    text = joined(pieces)
    marks: list[Mark] = []
    position = 0
    while match := _SPAN.search(text, position):
        marks.extend(_marks_of(match))
        position = max(match.end(), match.start() + 1)
    return in_place(pieces, sorted(marks))


def plain_rst(text: str) -> str:
    """What a reader sees of a title."""
    return " ".join(_SPAN.sub(_shown, text).split())


def _shown(match: re.Match[str]) -> str:
    if match["escape"]:
        return match[0][1:]
    if match["stars"]:
        return match["strong"]
    if match["target"] is not None:
        titled = _PHRASE_TARGET.match(match["target"])
        return titled["label"] if titled else match["target"].lstrip("~!")
    if match["phrase"] is not None:
        titled = _PHRASE_TARGET.match(match["phrase"])
        return titled["label"] if titled else match["phrase"]
    if match["named"]:
        return match["named"].rstrip("_")
    return match["literal"] or match["url"] or match[0]


def _marks_of(match: re.Match[str]) -> list[Mark]:
    start, end = match.span()
    if match["literal"] is not None:
        return [Mark(start, end, "code", *match.span("literal"))]
    if match["role"]:
        return [_role(match, "target", match["role"])]
    if match["phrase"] is not None:
        return _phrase(match)
    if match["url"]:
        url = match["url"].rstrip(".,;:!?*_~")
        return [Mark(start, start + len(url), "link", start, start + len(url))]
    if match["stars"]:
        width = len(match["stars"])
        return [Mark(start, start + width), Mark(end - width, end)]
    if match["named"]:
        stop = start + len(match["named"].rstrip("_"))
        # A name in capitals is the prefix of environment variables, not a reference.
        plain = match["named"].endswith("__") or match["named"].isupper()
        return [Mark(stop, end) if plain else Mark(stop, end, "role", start, stop, TARGET)]
    if match["note"]:
        return [Mark(start, end)]
    return []


def _role(match: re.Match[str], group: str, name: str) -> Mark:
    offset, target = role_target(match[group])
    first = match.start(group) + offset
    kind: InlineKind = "code" if name in _PLAIN_ROLES else "role"
    return Mark(match.start(), match.end(), kind, first, first + len(target), role_name(name) if kind == "role" else "")


def _phrase(match: re.Match[str]) -> list[Mark]:
    """Between single backticks: a hyperlink, a reference, a role named afterwards, or the default role."""
    start, end = match.span()
    if match["after"]:
        return [_role(match, "phrase", match["after"])]
    if match["reference"]:
        titled = _PHRASE_TARGET.match(match["phrase"])
        first, last = match.span("phrase")
        if not titled:
            named = match["reference"] == "_" and "\n" not in match["phrase"]
            closing = Mark(last, end, "role", first, last, TARGET) if named else Mark(last, end)
            return [Mark(start, first), closing]
        begin = first + titled.start("target")
        label = " ".join(titled["label"].split())
        stop = begin + len(titled["target"])
        if titled["target"].endswith("_") and "/" not in titled["target"]:
            return [Mark(start, first), Mark(first + titled.end("label"), end)]
        return [Mark(start, first), Mark(first + titled.end("label"), end, "link", begin, stop, label)]
    if match[0].startswith("_"):
        return [Mark(start, match.start("phrase")), Mark(match.end("phrase"), end)]
    offset, target = role_target(match["phrase"])
    first = match.start("phrase") + offset
    return [Mark(start, end, "code", first, first + len(target))]
