"""What stands inside a paragraph of Markdown: code spans, links, images, cross-references, and the words between.

The text is scanned once, from left to right, with a stack of open brackets; nothing is tried twice, so a megabyte of
unclosed brackets costs no more than a megabyte of prose. Everything found keeps its place in the source.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Sequence

from docalign_actors.engine.documents.model import Inline, InlineKind
from docalign_actors.engine.documents.places import Mark, Piece, Places, in_place, joined
from docalign_actors.engine.documents.tags import ELEMENTS, attribute

_SPECIAL = re.compile(
    r"""\\[!-/:-@\[-`{-~]|``*|!\[|\[|\]|<!--|<[A-Za-z/][^<>]{0,1000}>|https?://[^\s<>"'`\])|]+|\*\**|__*""", re.ASCII
)
"""Each begins with one of a few characters, for which `re` looks quickly: a repeat or an option at the start would hide that."""
_TARGET = re.compile(
    r"""\(\s*(?:<(?P<angled>[^<>\n]*)>|(?P<bare>[^\s()<][^\s()]*(?:\([^\s()]*\)[^\s()]*)*)|(?P<none>))"""
    r"""(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)"""
)
_REFERENCE = re.compile(r"\[([^\[\]]{0,999})\]")
_ROLE_BEFORE = re.compile(r"\{([A-Za-z][\w:+-]{0,40})\}$|:([a-z][a-z0-9:+_-]{0,40}):$", re.ASCII)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.\w+)+(?:\(\))?", re.ASCII)
_AUTOLINK = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w.-]+)$", re.ASCII)
_TAG = re.compile(r"/?([A-Za-z][A-Za-z0-9-]*)(?:[\s/]|$)", re.ASCII)
_ROLE_TARGET = re.compile(r"<([^<>]+)>\s*$")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,40});")
"""With its semicolon: browsers also take `&not` in `wait&notify` for a sign, Markdown does not."""
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])", re.ASCII)
_LABEL_LIMIT = 300

Comment = Callable[[str, int], None]


def normal_label(label: str) -> str:
    """A reference's label as definitions are looked up by it."""
    return " ".join(label.split()).lower().upper()


def role_target(text: str) -> tuple[int, str]:
    """The target in the inside of a role, and where it begins: `Title <~pkg.name>` gives `pkg.name`."""
    titled = _ROLE_TARGET.search(text)
    start, target = (titled.start(1), titled[1]) if titled else (0, text)
    bare = target.lstrip("~! ")
    return start + len(target) - len(bare), bare.rstrip()


def role_name(name: str) -> str:
    """A role's name without the Python domain, which is the usual one; other domains stay."""
    return name.removeprefix("py:")


def read_spans(
    pieces: Sequence[Piece], references: Container[str] = (), comment: Comment | None = None
) -> list[Inline]:
    """The inlines of a paragraph, given its source lines. `comment` is told of each HTML comment and its line."""
    scanner = _Scanner(joined(pieces), references)
    marks = scanner.marks()
    if comment and scanner.comments:
        places = Places(pieces)
        for start, end in scanner.comments:
            comment(scanner.text[start:end], places.line(start))
    return _unstruck(in_place(pieces, marks))


def _unstruck(inlines: list[Inline]) -> list[Inline]:
    """Without the code, links and images between two `~~`: what is struck out is said not to hold."""
    strokes = sum([inline.text.count("~~") for inline in inlines if inline.kind == "text"])
    if not strokes or strokes % 2:
        return inlines
    struck, kept = False, []
    for inline in inlines:
        if inline.kind == "text":
            struck ^= inline.text.count("~~") % 2 == 1
        if inline.kind == "text" or not struck:
            kept.append(inline)
    return kept


def plain(text: str, references: Container[str] = ()) -> str:
    """What a reader sees of a line of Markdown: the labels of links, the inside of code spans, no images."""
    parts: list[str] = []
    position = 0
    for mark in _Scanner(text, references).marks():
        parts.append(_unescaped(text[position : max(position, mark.start)]))
        if mark.kind in ("code", "role"):
            parts.append(text[mark.first : mark.last])
        position = max(position, mark.end)
    parts.append(_unescaped(text[position:]))
    return "".join(parts)


def _unescaped(text: str) -> str:
    if "\\" in text:
        text = _ESCAPED.sub(r"\1", text)
    if "&" in text:
        import html  # its table of names is large, and most documents name none

        text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return text


class _Scanner:
    """One pass over a paragraph."""

    def __init__(self, text: str, references: Container[str]) -> None:
        self.text = text
        self.references = references
        self.comments: list[tuple[int, int]] = []
        self._marks: list[Mark] = []
        self._open: list[tuple[int, bool, int]] = []
        self._inactive = 0
        self._emphasis: dict[str, list[int]] = {}
        self._ticks: dict[int, list[int]] | None = None
        self._absent: set[str] = set()

    def marks(self) -> list[Mark]:
        """Everything that is not plain words, in order."""
        position = 0
        while match := _SPECIAL.search(self.text, position):
            position = max(self._take(match[0], match.start(), match.end()), match.start() + 1)
        self._marks.sort()
        return self._marks

    def _take(self, found: str, start: int, end: int) -> int:
        """Deals with one special token; returns where to go on."""
        first = found[0]
        if first == "`":
            return self._code(start, len(found))
        if found in ("[", "!["):
            self._open.append((start, found == "![", len(self._marks)))
        elif first == "]":
            return self._close(start)
        elif found == "<!--":
            return self._comment(start)
        elif first == "<":
            return self._tag(found, start, end)
        elif first == "h":
            return self._url(found, start)
        elif first in "*_":
            self._delimiter(found, start, end)
        return end

    def _code(self, start: int, length: int) -> int:
        if self._ticks is None:
            self._ticks = {}
            for run in re.finditer("`+", self.text):
                self._ticks.setdefault(len(run[0]), []).append(run.start())
        runs = self._ticks.get(length, [])
        following = bisect_right(runs, start)
        if following == len(runs):
            return start + length
        close = runs[following]
        before = _ROLE_BEFORE.search(self.text, max(0, start - 44), start)
        if before:
            offset, target = role_target(self.text[start + length : close])
            first = start + length + offset
            role = role_name(before[1] or before[2])
            self._marks.append(Mark(before.start(), close + length, "role", first, first + len(target), role))
        else:
            self._marks.append(Mark(start, close + length, "code", start + length, close))
        return close + length

    def _close(self, at: int) -> int:
        """A closing bracket: the end of a link, of an image, of a reference, or of nothing."""
        if not self._open:
            return at + 1
        opener, image, marks = self._open.pop()
        active = image or len(self._open) >= self._inactive
        self._inactive = min(self._inactive, len(self._open))
        if not active:
            return at + 1
        label = self.text[opener + 1 + image : min(at, opener + _LABEL_LIMIT)]
        target = _TARGET.match(self.text, at + 1)
        if target:
            group = "angled" if target["angled"] is not None else "bare" if target["bare"] is not None else "none"
            first, last = target.span(group)
            self._link(
                opener, at, target.end(), image, marks, Mark(at, target.end(), None, first, last, plain_label(label))
            )
            return target.end()
        return self._reference(opener, at, image, marks, label)

    def _link(self, opener: int, at: int, end: int, image: bool, marks: int, mark: Mark) -> None:
        if image:
            del self._marks[marks:]
            self._marks.append(mark._replace(start=opener, kind="image"))
            return
        self._marks.append(Mark(opener, opener + 1))
        self._marks.append(mark._replace(kind="link"))
        self._inactive = len(self._open)

    def _reference(self, opener: int, at: int, image: bool, marks: int, label: str) -> int:
        """`[label][name]`, `[label][]` and `[label]`: the target stands at the definition, which is read there."""
        match = _REFERENCE.match(self.text, at + 1)
        name = match[1] if match and match[1].strip() else label
        end = match.end() if match else at + 1
        if at - opener <= 1000 and normal_label(name) in self.references:
            if image:
                del self._marks[marks:]
                self._marks.append(Mark(opener, end))
            else:
                self._marks.append(Mark(opener, opener + 1))
                self._marks.append(Mark(at, end))
                self._inactive = len(self._open)
            return end
        if match and not image:
            return self._cross_reference(opener, at, marks, match, label)
        return at + 1

    def _cross_reference(self, opener: int, at: int, marks: int, match: re.Match[str], label: str) -> int:
        """mkdocs: `[label][pkg.name]`, or `[pkg.name][]` with or without backticks."""
        explicit = bool(match[1].strip())
        name = match[1] if explicit else label.strip("`")
        if not _DOTTED.fullmatch(name):
            return at + 1
        if explicit:
            self._marks.append(Mark(opener, opener + 1))
            self._marks.append(Mark(at, match.end(), "role", match.start(1), match.end(1), "obj"))
        else:
            del self._marks[marks:]
            first = opener + 1 + len(label) - len(label.lstrip("`"))
            self._marks.append(Mark(opener, match.end(), "role", first, first + len(name), "obj"))
        return match.end()

    def _comment(self, start: int) -> int:
        close = self._find("-->", start)
        if close < 0:
            return start + 4
        self.comments.append((start, close + 3))
        self._marks.append(Mark(start, close + 3))
        return close + 3

    def _tag(self, token: str, start: int, end: int) -> int:
        inside = token[1:-1]
        if _AUTOLINK.match(inside):
            self._marks.append(Mark(start, end, "link", start + 1, end - 1))
            return end
        tag = _TAG.match(inside)
        name = tag[1].lower() if tag else ""
        if name not in ELEMENTS:
            return start + 1
        if name == "code" and inside[0] != "/":
            close = self._find("</code>", end)
            if close >= 0:
                self._marks.append(Mark(start, close + 7, "code", end, close))
                return close + 7
        kind: InlineKind = "image" if name in ("img", "source", "video") else "link"
        target = attribute(token, "src" if kind == "image" else "href")
        if target is None and name == "source" and (given := attribute(token, "srcset")) is not None:
            target = given[0], re.split(r"[\s,]", given[1], maxsplit=1)[0]  # of several pictures the first
        if target:
            self._marks.append(Mark(start, end, kind, start + target[0], start + target[0] + len(target[1])))
        else:
            self._marks.append(Mark(start, end))
        return end

    def _url(self, token: str, start: int) -> int:
        url = token.rstrip(".,;:!?*_~")
        self._marks.append(Mark(start, start + len(url), "link", start, start + len(url)))
        return start + len(url)

    def _delimiter(self, token: str, start: int, end: int) -> None:
        """Emphasis: only a pair of equal runs is mark-up; `*.py`, `a * b` and `__init__` are words, `__Default__` is none."""
        before, after = self.text[start - 1 : start] or " ", self.text[end : end + 1] or " "
        word = token[0] == "_"
        closes = not before.isspace() and not (word and after.isalnum())
        opens = not after.isspace() and not (word and before.isalnum())
        waiting = self._emphasis.setdefault(token, [])
        if closes and waiting and not (opens and before in "([{"):
            opener = waiting.pop()
            inside = self.text[opener + 2 : min(start, opener + 80)]
            if not (word and len(token) == 2 and inside.isidentifier() and not inside.istitle()):
                self._marks.append(Mark(opener, opener + len(token)))
                self._marks.append(Mark(start, end))
        elif opens:
            waiting.append(start)

    def _find(self, text: str, start: int) -> int:
        """Where a text follows. One that is not there is looked for once only."""
        if text in self._absent:
            return -1
        found = self.text.find(text, start)
        if found < 0:
            self._absent.add(text)
        return found


def plain_label(label: str) -> str:
    """A link's label as the reader sees it, on one line."""
    return " ".join(label.replace("`", "").replace("**", "").split())
