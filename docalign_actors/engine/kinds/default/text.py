"""Finds in a document where it says what something's default is: the subject, the value, and where the value stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from docalign_actors.engine.documents.model import Block, Cell, Document, Inline

_LONGEST = 4000


class Stated(Struct, frozen=True):
    """`value` is what is said of `subject`; `text` is the part of it that stands at (line, column).

    form    table, list, prose, help, comment, block (an example that shows defaults), signature, near (a default is told,
            and `others` are the things named beside it)
    """

    subject: str
    value: str
    text: str
    line: int
    column: int
    form: str
    owner: str = ""
    others: tuple[str, ...] = ()


class _Flat:
    """A block as one string, code spans in backticks, with the way back to the source."""

    def __init__(self, inlines: tuple[Inline, ...]) -> None:
        self.pieces: list[tuple[int, Inline]] = []
        parts: list[str] = []
        size = 0
        for inline in inlines:
            if inline.kind not in ("text", "code", "role") or size > _LONGEST:
                continue
            mark = "`" if inline.kind != "text" else ""
            parts.append(f"{mark}{inline.text}{mark} ")
            self.pieces.append((size + len(mark), inline))
            size += len(inline.text) + 2 * len(mark) + 1
        self.text = "".join(parts)

    def place(self, start: int, end: int) -> tuple[int, int] | None:
        """The source line and column of a range, if one inline holds all of it."""
        for offset, inline in self.pieces:
            if offset <= start and end <= offset + len(inline.text):
                return inline.line, inline.column + start - offset
        return None


_UNITS = (
    r"(?:ns|us|µs|ms|msecs?|milliseconds?|microseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|weeks?"
    r"|bytes?|[KMGT]i?B|[kmg]b|kib|mib|gib|megabytes?|kilobytes?|gigabytes?|%)"
)
_NUMBER = rf"-?\d[\d_]*(?:,\d{{3}})*(?:\.\d+)?(?:\s?{_UNITS})?(?![\w.]*[\w])"
_PLAIN = rf"""{_NUMBER}|"[^"`\n]{{1,60}}"|'[^'`\n]{{1,60}}'|(?i:true|false|none|null|nil)\b"""
_VALUE = rf"(?:`(?P<span>[^`\n]{{1,80}})`(?P<unit>\s(?:{_UNITS})\b)?|(?P<plain>{_PLAIN}))"
_STATED = re.compile(
    r"(?<!will )(?<!would )(?<!may )(?<!might )(?<!could )(?<!not )(?<!longer )\b"
    r"(?P<verb>[Dd]efault(?:s|ed|ing)?)(?: (?:value|port|timeout|size|limit|level|number|interval|setting)s?)?"
    r"(?P<joint>(?: ?(?:is|to|of|:|=|are|will be|being|set to|value)){0,3}) ?" + _VALUE
)
_AFTER = re.compile(
    r"(?:\bis|\bare|\bto|\bof|\buses?|\bat|=|:) (?:set to )?" + _VALUE + r" (?:by default|\(default\)|\(the default\))"
)
_IS = re.compile(_VALUE + r" (?:is|being) the default(?: value| setting)?(?= ?(?:[.,;)]|$))")
"""`10s` is the default value: the value first."""
_BEFORE = re.compile(
    r"\b[Bb]y default,? (?:the )?`(?P<subject>[^`]{1,60})` (?:option |setting |parameter )?(?:is|equals|=|has"
    r"|will be) (?:set to )?" + _VALUE
)
_OF = re.compile(
    r"\b[Dd]efault(?: value)? (?:of|for) (?:the )?`(?P<subject>[^`]{1,60})` (?:option |setting "
    r"|parameter )?(?:is|equals|=|:) " + _VALUE
)
_HEDGE = re.compile(
    r"(?i)\bdepend|\bplatform|\bcomput|\bvar(?:y|ies)\b|\bunless\b|\botherwise\b|\bwindows\b|\bmacos\b"
    r"|\bon linux\b|\bif (?:not|the|you|it|running|unset)\b"
    r"|\bwhen\b|\binherit|\bsame as\b|\bfalls? back\b|\bor (?:the|later)\b"
)
_FLAG = re.compile(r"(?<![\w-])(--[a-zA-Z](?:[\w.-]*\w)?|-[a-zA-Z]\b(?!-)|-[a-z][\w-]{2,})")
_LONG_FLAG = re.compile(r"(?<![\w-])(--[a-zA-Z](?:[\w.-]*\w)?)")
_ENV = re.compile(r"^\$?\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\}?(?:=.*)?$")
_KEY = re.compile(r"^([A-Za-z_][\w.\-]*)\??(?:\(\))?(?:\s?[:=(\[].*| [A-Za-z<].{0,30})?$")
_LEADING = re.compile(r"^[\s:*]*([A-Za-z_][\w.\-]{1,60})\s*(?:\(|:|–|—| - )")
_TYPE_SAID = re.compile(r"\b[Tt]ypes?: {0,2}(?:`[^`\n]{1,120}`(?: ?(?:or|,|\||/) ?)?){1,6}")
"""Type: `Array`: what sort of thing it is, and not the thing."""
_SENTENCE = re.compile(r"[.!?] (?=[A-Z`])|; ")
_CLAUSE = re.compile(_SENTENCE.pattern + r"|, and ")
"""A clause of its own takes nothing back: "the default is 10, and if you need more …"."""
_DEFAULT_HEADER = re.compile(r"(?i)^(?:default(?:s|s? values?| setting)?|default \(.*\))$")
_SUBJECT_HEADER = re.compile(
    r"(?i)^(?:(?:environment )?variables?|name|option|flag|key|setting|parameter|param|argument|arg|property"
    r"|prop|field|attribute|config\w*"
    r"|environment|env(?: var)?|long|switch|command[- ]line|cli)\b"
)
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_GIVEN = re.compile(r"=(?P<value>[^\s\"'`,;:]{1,60})(?=\s|$)")
_SPOKEN = re.compile(r"(?i)\bdefault")
_NEAR_VALUE = re.compile(r"`(?P<span>\d[\d_.]*\d|[a-z]{3,20})`|(?<![\w.`/:#-])(?P<plain>\d[\d_]*\d)(?![\w.`/:%-]*\w)")
_MOST_NEAR = 6
_NO_VALUE = re.compile(
    r"^[\s\-–—*/?]*$|(?i:^(?:required|n/?a|not set|unset|varies|see .*|optional|auto-?\w*|generated|random|computed)\b)"
)


def subject_of(text: str) -> str:
    """What a span names: `--port PORT` → `--port`; `$APP_PORT` → `APP_PORT`; `timeout: int` → `timeout`."""
    text = text.strip()[:120]
    flag = _LONG_FLAG.search(text) or _FLAG.search(text)
    if flag and text.startswith("-"):
        return flag[1]
    env = _ENV.match(text)
    if env:
        return env[1]
    key = _KEY.match(text)
    return (
        key[1].strip(".")
        if key and not re.match(r"(?i)^(?:true|false|none|null|nil|default|string|int|bool|number)$", key[1])
        else ""
    )


def stated(document: Document) -> Iterator[Stated]:
    """Every default that a document states."""
    before = ""
    for block in document.blocks:
        if block.kind == "row":
            yield from _in_row(block)
        elif block.kind == "code":
            from docalign_actors.engine.kinds.default.blocks import in_code

            yield from in_code(block, before)
        elif block.kind != "html" or len(block.inlines) < 40:
            yield from _in_text(block, before)
            yield from _assigned(block)
        if block.kind in ("paragraph", "item", "heading"):
            before = block.text[:400]


def _in_row(block: Block) -> Iterator[Stated]:
    named = _subject_cell(block)
    subject = _subject_in(named) if named is not None else ""
    if not subject or named is None:
        return
    owner = owner_of(block)
    for cell in block.cells:
        if cell is named:
            continue
        if _DEFAULT_HEADER.match(cell.header.strip()):
            yield from _in_default_cell(cell, subject, owner)
        else:
            flat = _Flat(cell.inlines)
            for found in _STATED.finditer(flat.text):
                if not _is_adjective(found):
                    yield from _made(flat, found, subject, "table", owner)


def _subject_cell(block: Block) -> Cell | None:
    cells = block.cells
    if len(cells) < 2:
        return None
    chosen = next((cell for cell in cells if _SUBJECT_HEADER.match(cell.header.strip())), cells[0])
    return chosen if not _DEFAULT_HEADER.match(chosen.header.strip()) else None


def _subject_in(cell: Cell) -> str:
    spans = [i.text for i in cell.inlines if i.kind == "code"] or [cell.text]
    long = next((m[1] for text in spans for m in [_LONG_FLAG.search(text)] if m), "")
    return long or next((s for s in map(subject_of, spans) if s), "")


def _in_default_cell(cell: Cell, subject: str, owner: str) -> Iterator[Stated]:
    spans = [i for i in cell.inlines if i.kind == "code"]
    words = " ".join(i.text for i in cell.inlines if i.kind == "text").strip()
    if _HEDGE.search(words) or len(spans) > 1:
        return
    if spans:
        span = spans[0]
        unit = re.match(rf"^{_UNITS}$", words)
        yield Stated(
            subject, f"{span.text} {words}" if unit else span.text, span.text, span.line, span.column, "table", owner
        )
    elif len(cell.inlines) == 1 and words and not _NO_VALUE.match(words) and len(words.split()) <= 2:
        inline = cell.inlines[0]
        text = inline.text.strip()
        yield Stated(subject, text, text, inline.line, inline.column + inline.text.index(text), "table", owner)


def _in_text(block: Block, before: str) -> Iterator[Stated]:
    if "default" not in " ".join([inline.text for inline in block.inlines]).lower():
        return
    flat = _Flat(block.inlines)
    if "default" not in flat.text.lower():
        return
    form = "list" if block.kind == "item" else "prose"
    taken: set[int] = set()
    for found in (*_BEFORE.finditer(flat.text), *_OF.finditer(flat.text)):
        taken.add(found.start("span") if found["span"] else found.start("plain"))
        yield from _made(flat, found, subject_of(found["subject"]), form, owner_of(block))
    for pattern in (_STATED, _AFTER, _IS):
        for found in pattern.finditer(flat.text):
            start = found.start("span") if found["span"] else found.start("plain")
            if start in taken or (pattern is _STATED and _is_adjective(found)):
                continue
            taken.add(start)
            subject = _subject_before(flat.text, found.start(), start, block, before)
            if subject:
                yield from _made(flat, found, subject, form, owner_of(block))
            else:
                taken.discard(start)
    yield from _near(flat, taken)


def _assigned(block: Block) -> Iterator[Stated]:
    """An entry of a list of variables: `LIMIT`=20, and what it is for. It may be an example, which the past tells."""
    first, second = block.inlines[:2] if block.kind == "item" and len(block.inlines) > 1 else (None, None)
    if first is None or second is None or first.kind != "code" or second.kind != "text":
        return
    given = _GIVEN.match(second.text)
    if given and _VARIABLE.fullmatch(first.text):
        yield Stated(first.text, given[1], given[1], second.line, second.column + given.start(1), "block")


def _near(flat: _Flat, taken: set[int]) -> Iterator[Stated]:
    """Values in a sentence that speaks of a default without saying whose, with everything that the block names."""
    named = [subject_of(m[1]) for m in re.finditer(r"`([^`\n]{1,120})`", flat.text)] + _LONG_FLAG.findall(flat.text)
    others = tuple(dict.fromkeys(n for n in named if n.startswith("--") or "_" in n or re.search(r"[a-z][A-Z]", n)))
    if not others or len(others) > _MOST_NEAR:
        return
    start = 0
    for end in [*(m.end() for m in _SENTENCE.finditer(flat.text)), len(flat.text)]:
        if _SPOKEN.search(flat.text, start, end) and not _HEDGE.search(flat.text, start, end):
            for found in _NEAR_VALUE.finditer(flat.text, start, end):
                group = "span" if found["span"] else "plain"
                place = flat.place(*found.span(group))
                if found.start(group) not in taken and place is not None:
                    yield Stated(others[0], found[group], found[group], *place, "near", "", others)
        start = end


def _is_adjective(found: re.Match[str]) -> bool:
    """The default `Server` header: no value follows, only a name. In brackets, `(default 30)`, a value follows."""
    if found["verb"].lower() != "default" or found["joint"].strip():
        return False
    return not re.search(r"[(\[,;:–—*-]\s*$", found.string[: found.start()])


def _made(flat: _Flat, found: re.Match[str], subject: str, form: str, owner: str) -> Iterator[Stated]:
    group = "span" if found["span"] else "plain"
    start, end = found.span(group)
    rest = _CLAUSE.split(flat.text[found.end() : found.end() + 120])[0]
    if not subject or _HEDGE.search(rest) or re.match(r" ?(?:and|or|/|to) [`\d]", flat.text[end + 1 : end + 12]):
        return
    value = found[group] + (found["unit"] or "" if group == "span" else "")
    quantity = re.match(r"^(-?\d[\d_,.]*\d|-?\d)\s?[a-zµA-Z]", found[group]) if group == "plain" else None
    text = quantity[1] if quantity else found[group]
    place = flat.place(start, start + len(text))
    if place is not None and subject != found[group]:
        yield Stated(subject, value, text, place[0], place[1], form, owner)


def _subject_before(text: str, end: int, value_start: int, block: Block, before: str) -> str:
    """The thing whose default is told: named in the sentence, at the head of the item, in the heading, in the block before."""
    sentences = list(_SENTENCE.finditer(text, 0, end))
    start = sentences[-1].end() if sentences else 0
    spans = [m[1] for m in re.finditer(r"`([^`\n]{1,120})`", _TYPE_SAID.sub("", text[start:end]))]
    names = [s for s in map(subject_of, spans) if s]
    strong = [n for n in names if _is_strong(n)]
    leading = _leading_name(block, text)
    if block.kind == "item" and leading and (not strong or start == 0):
        return leading
    if strong:
        return strong[-1]
    if names:
        return names[-1]
    if leading:
        return leading
    opening = re.match(r"^[\s:*-]*`([^`]{1,120})`", before)
    above = subject_of(opening[1]) if opening and re.match(r"(?i)^[\s:*(-]*defaults?\b", text) else ""
    title = subject_of(block.section[-1].strip("`* ")) if block.section else ""
    if title and " " not in block.section[-1].strip("`* ") and not _is_strong(above):
        return title
    return above


def _is_strong(name: str) -> bool:
    """An option or a variable, which hardly anything else is called like."""
    return name.startswith("-") or (name.isupper() and "_" in name)


def _leading_name(block: Block, text: str) -> str:
    opening = re.match(r"^[\s:*]*`([^`]{1,120})`(?:(?:, | / |/| or )`([^`]{1,120})`)?", text)
    if opening:
        both = [subject_of(part) for part in opening.groups() if part]
        return next((name for name in both if name.startswith("--")), both[0]) if both else ""
    flag = re.match(r"^\s*(?:-\w, ?)?(--[a-zA-Z][\w-]*)", text)
    if flag:
        return flag[1]
    plain = _LEADING.match(text) if block.kind == "item" else None
    return plain[1] if plain else ""


def owner_of(block: Block) -> str:
    """The function or class that the nearest heading names: `connect()`, `class Pool`, `Server.run(app)`."""
    for title in reversed(block.section[-3:]):
        found = re.search(r"([A-Za-z_][\w.]*)\(|\bclass ([A-Za-z_][\w.]*)|^`?([A-Za-z_]\w*(?:\.\w+)*)`?$", title)
        if found:
            return next(group for group in found.groups() if group)
    return ""
