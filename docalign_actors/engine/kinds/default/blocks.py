"""Defaults that code blocks state: help texts, comments beside settings, examples said to show the defaults, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.kinds.default.text import Stated

_LONGEST = 600
_OPTION_LINE = re.compile(r"^\s{0,12}(?:-\w(?:,? | \w+, ))?(-{1,2}[a-zA-Z](?:[\w.-]*\w)?)")
_HELP_DEFAULT = re.compile(
    r"[(\[]\s?default(?:s to|[:=]| is)? ?(\"[^\"\]]{0,60}\"|'[^'\]]{0,60}'|[^\s)\]][^)\]]{0,60}?)\s?[)\]]",
    re.IGNORECASE,
)
_HELP_PLAIN = re.compile(
    r"\b(?:[Dd]efaults to|[Dd]efault(?: value)?(?: is)?:?) (\"[^\"]{0,60}\"|'[^']{0,60}'|`[^`]{1,60}`|-?\d[\d_.]*)(?=[\s.,;)\]]|$)"
)
_SETTING = re.compile(
    r"""^(\s*)((?:\#|//|;)?\s?(?:export )?(?:-\s)?["']?([A-Za-z_][\w.\-]{0,80})["']?\s?(?:=|:)\s?)"""
    r"""("[^"]{0,80}"|'[^']{0,80}'|[^\s,#;"'{\[][^,#;"'{]{0,80}?)?\s*,?\s*((?:\#|//|--|/\*|;)\s?(.{0,200}))?$"""
)
_UNSET = re.compile(
    r"""\s*#\s?(?:export )?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=(?P<value>"[^"\s]{1,80}"|'[^'\s]{1,80}'|[^\s"'#]{1,80})\s*$"""
)
_MOST_LINES = 2_000
_FIRST_LINES = 12
_USAGE = re.compile(r"usage: \S+ .*<flags>", re.IGNORECASE)
_PRINTED = re.compile(
    r"""\s{1,12}(?:-\w, )?(?P<flag>--[a-z](?:[\w.-]*\w)?)="?(?P<value>[^\s"=]{1,60})"?(?:\s{2,}\S|\s*$)"""
)
_COMMENT = re.compile(r"^\s*(?:#|//|/\*|\*|--|;)\s?(.{0,200})$")
_IS_DEFAULT = re.compile(
    r"(?i)^\(?(?:the |this is the )?default(?:s| value)?\)?\.?\s*(?:\*/)?$|^(?:the )?default[,;] |\((?:the )?default\)"
)
_DEFAULT_IS = re.compile(
    r"(?i)\bdefaults?(?: value)?(?: ?(?:is|to|:|=)){0,2} ?"
    r"(\"[^\"]{0,60}\"|'[^']{0,60}'|`[^`]{1,60}`|-?\d[\d_.]*(?:\s?(?:ms|s|m|h|kb|mb|gb))?\b|true\b|false\b)"
)
_SHOWS_DEFAULTS = re.compile(
    r"(?i)\b(?:defaults?|default (?:values?|settings?|options?|config\w*))\b(?:[^.]{0,60})(?::|below|follow\w*|are|is)\s*$"
    r"|\b(?:following|these|below)\b[^.]{0,40}\bdefaults?\b"
    r"|\bdefault (?:configuration|config|settings|options|values)\b[^.]{0,60}:?\s*$"
)
_EXAMPLE = re.compile(r"(?i)\boverrid|\bchange|\binstead|\bcustomi[sz]|\bset (?:it|them|this)\b|\bnon-default\b")
_HELP = frozenset(
    {
        "",
        "text",
        "txt",
        "console",
        "shell",
        "sh",
        "bash",
        "shell-session",
        "plain",
        "plaintext",
        "none",
        "output",
        "help",
        "usage",
    }
)


def in_code(block: Block, before: str) -> Iterator[Stated]:
    """What one code block says about defaults; `before` is the text above it."""
    mentions = any("default" in line.text.lower() for line in block.lines)
    if block.language.lower() in _HELP and mentions:
        yield from _help(block.lines)
    if mentions:
        yield from _comments(block.lines)
    yield from _commented_out(block.lines)
    yield from printed_defaults(block)
    before = before[-250:]
    shows = "default" in before.lower() and _SHOWS_DEFAULTS.search(before) and not _EXAMPLE.search(before)
    if shows and block.language.lower() not in ("sh", "bash", "console", "shell", "python", "py"):
        yield from _shown(block.lines)


def printed_defaults(block: Block) -> Iterator[Stated]:
    """`--namespace="kube-system"  Where it runs.` below `usage:`: kingpin prints the default there, or a word in capitals."""
    if not any(_USAGE.match(line.text[:_LONGEST]) for line in block.lines[:_FIRST_LINES]):
        return
    for line in block.lines[:_MOST_LINES]:
        found = _PRINTED.match(line.text[:_LONGEST])
        if found and not found["value"].isupper():
            at = line.column + found.start("value")
            yield Stated(found["flag"], found["value"], found["value"], line.line, at, "block")


def _commented_out(lines: tuple[Inline, ...]) -> Iterator[Stated]:
    """`# APP_LIMIT="20"`, a variable that is not set there: what it has anyway. The past tells whether that is so."""
    for line in lines[:_MOST_LINES]:
        found = _UNSET.match(line.text[:_LONGEST])
        if found:
            value = found["value"].strip("\"'")
            at = found.start("value") + (value != found["value"])
            yield Stated(found["name"], value, value, line.line, line.column + at, "block")


def _help(lines: tuple[Inline, ...]) -> Iterator[Stated]:
    """`--port INT   Port to listen on  [default: 8080]`, the default on the same line or on one below."""
    flag = ""
    for line in lines:
        text = line.text[:_LONGEST]
        option = _OPTION_LINE.match(text)
        if option:
            long = re.search(r"(?<![\w-])--[a-zA-Z](?:[\w.-]*\w)?", text[: option.end() + 40])
            flag = long[0] if long and long.start() < 16 + option.start(1) else option[1]
        elif text.strip() and not text[:1].isspace():
            flag = ""
        for found in (*_HELP_DEFAULT.finditer(text), *_HELP_PLAIN.finditer(text)):
            if flag:
                value = found[1]
                yield Stated(flag, value.strip("`"), value, line.line, line.column + found.start(1), "help")


def _comments(lines: tuple[Inline, ...]) -> Iterator[Stated]:
    """`timeout: 30  # default`, `timeout = 30  # default: 20`, and a comment line above its setting."""
    waiting: list[tuple[Inline, re.Match[str]]] = []
    for number, line in enumerate(lines):
        text = line.text[:_LONGEST]
        setting = _SETTING.match(text)
        comment = _COMMENT.match(text)
        if setting and not (comment and _DEFAULT_IS.search(comment[1])):
            name = setting[3]
            for earlier, told in waiting:
                yield _told(name, earlier, told)
            waiting = []
            yield from _beside(name, setting, line)
        elif comment:
            says = _DEFAULT_IS.search(text)
            if says:
                waiting.append((line, says))
        elif not text.strip():
            waiting = waiting if _is_unset(lines, number + 1) else []


def _is_unset(lines: tuple[Inline, ...], number: int) -> bool:
    """A variable that is commented out follows: what is said above an empty line is said of it."""
    return number < len(lines) and _UNSET.match(lines[number].text[:_LONGEST]) is not None


def _beside(name: str, setting: re.Match[str], line: Inline) -> Iterator[Stated]:
    note = setting[6]
    if not note or "default" not in note.lower():
        return
    told = _DEFAULT_IS.search(note)
    if told:
        at = setting.start(6) + told.start(1)
        yield Stated(
            name, told[1].strip("`"), told[1].strip("`"), line.line, line.column + at + (told[1][0] == "`"), "comment"
        )
    elif setting[4] and _IS_DEFAULT.search(note):
        yield Stated(name, setting[4], setting[4], line.line, line.column + setting.start(4), "comment")


def _told(name: str, line: Inline, told: re.Match[str]) -> Stated:
    quoted = told[1][0] == "`"
    return Stated(
        name, told[1].strip("`"), told[1].strip("`"), line.line, line.column + told.start(1) + quoted, "comment"
    )


def _shown(lines: tuple[Inline, ...]) -> Iterator[Stated]:
    """Settings of an example that the text above calls the defaults."""
    for line in lines[:200]:
        setting = _SETTING.match(line.text[:_LONGEST])
        if setting and setting[4] and setting[4].strip():
            value = setting[4].rstrip()
            yield Stated(setting[3], value, value, line.line, line.column + setting.start(4), "block")


_CALL = re.compile(
    r"^(?:\.\. [\w:-]+::\s*)?(?:async |def |class |function |func )*([A-Za-z_][\w.]*)\((.{1,400})\)(?:\s?->.*|:)?$"
)
_ARGUMENT = re.compile(
    r"""(?:^|,)\s*\*{0,2}([A-Za-z_]\w*)(?:\s?:\s?[^=,]{1,60})?(?:\s?=\s?("[^"]{0,60}"|'[^']{0,60}'|[^,\s"'][^,"']{0,60}))?"""
)


def in_signature(text: str) -> Iterator[tuple[str, str, str, int]]:
    """(function, parameter, value, offset of the value) for each default of a signature `f(a, b=1)`.

    A call such as `f(1, b=2)` is no signature: all that stands before a default must be names.
    """
    text = text.rstrip()
    call = _CALL.match(text[:500])
    if call is None or "=" not in call[2]:
        return
    inside = re.sub(r"[\[\]]", " ", call[2])
    if re.search(r"[({]", inside):
        return
    for found in _ARGUMENT.finditer(inside):
        if found[2]:
            yield call[1], found[1], found[2].rstrip(), call.start(2) + found.start(2)
