"""Reads commands out of comments. Pure, and made for hostile text: linear, bounded, and it never fails.

A command is a line that begins with `/docalign`. What GitHub shows as code or as a quotation does not command, nor does what
it does not show at all: the person who wrote the comment need not have meant it.
"""

from __future__ import annotations

import difflib
import re

from msgspec import Struct

WORD = "/docalign"
MOST = 10
"""Commands that one comment may give; `TooMany` stands for the rest."""
LONGEST = 500
"""Characters that are read of a command."""
_LONGEST_COMMENT = 70_000
_MOST_DAYS = 3_650
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTE = re.compile(r" {0,3}>")
_LINE = re.compile(r" {0,3}/docalign(?=\s|$)", re.IGNORECASE)
_BLOCKS = (
    ("<!--", "-->"),
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
)
_ID = re.compile(r"[\w./:@+-]{1,100}")
_SCOPE = re.compile(r"(?:^|\s)--scope(?:=|\s+)(\S{1,20})")
_EXPIRY = re.compile(r"(?:^|\s)for\s+(\d{1,5})\s+(day|week|month|year)s?\b", re.IGNORECASE)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_REPOSITORY = ("repo", "repository")
SCOPES = ("claim", "file", "kind")


class Scan(Struct, frozen=True, tag="scan"):
    """Look at this pull request again."""


class Full(Struct, frozen=True, tag="full"):
    """Look at the whole default branch."""


class Fix(Struct, frozen=True, tag="fix"):
    """Write the fixes that are certain; of these findings, or of all."""

    ids: tuple[str, ...] = ()


class Ignore(Struct, frozen=True, tag="ignore"):
    """Report a finding no more. `days`: for so long; None for good."""

    id: str
    reason: str
    scope: str = "claim"
    days: int | None = None


class Unignore(Struct, frozen=True, tag="unignore"):
    """Report it again."""

    id: str


class Explain(Struct, frozen=True, tag="explain"):
    """Say everything that is known about a finding."""

    id: str


class Pause(Struct, frozen=True, tag="pause"):
    """Check nothing for now: this pull request, or the whole repository."""

    repository: bool = False
    reason: str = ""


class Resume(Struct, frozen=True, tag="resume"):
    repository: bool = False


class Config(Struct, frozen=True, tag="config"):
    """Say by which rules the repository is checked."""


class Help(Struct, frozen=True, tag="help"):
    """Say what can be said."""


class Dismiss(Struct, frozen=True, tag="dismiss"):
    """Nobody writes this: a suggestion about this finding was waved away."""

    id: str


class LookBack(Struct, frozen=True, tag="look_back"):
    """Nobody writes this either: a pull request was closed, and what people thought of our suggestions is looked at."""


class Unknown(Struct, frozen=True, tag="unknown"):
    """No command of ours; `nearest` is one that is spelt much like it, "" if none is."""

    word: str
    nearest: str = ""


class Malformed(Struct, frozen=True, tag="malformed"):
    """A command that lacks something, or has too much."""

    verb: str
    why: str


class TooMany(Struct, frozen=True, tag="too_many"):
    """More commands than one comment may give."""


Asked = (
    Scan | Full | Fix | Ignore | Unignore | Explain | Pause | Resume | Config | Help | Dismiss | LookBack | Unknown | Malformed
    | TooMany
)  # fmt: skip
_PLAIN: dict[str, Asked] = {"scan": Scan(), "full": Full(), "config": Config(), "help": Help()}
VERBS = ("scan", "full", "fix", "ignore", "unignore", "explain", "pause", "resume", "config", "help")


def lines_of(comment: str) -> tuple[str, ...]:
    """The lines of a comment that command, in order, each on one line and within bounds; one more than may be is a sign."""
    found: list[str] = []
    fence = closing = ""
    quoted = False
    for line in comment[:_LONGEST_COMMENT].splitlines():
        if closing:
            closing = "" if closing in line.lower() else closing
            continue
        if fence:
            fence = "" if _ends(fence, line) else fence
            continue
        opened = _FENCE.match(line)
        if opened is not None and not (opened[1][0] == "`" and "`" in line[opened.end() :]):
            fence, quoted = opened[1], False
            continue
        # A line right below a quotation is shown as a part of it.
        quoted = bool(_QUOTE.match(line)) or (quoted and bool(line.strip()))
        if not quoted and _LINE.match(line) and len(found) <= MOST:
            found.append(_clean(line))
        closing = _opened(line.lower())
    return tuple(found)


def asked(place: str, line: str, ordinal: int = 0) -> Asked:
    """What a recorded command asks for. Only comments hold text that somebody wrote."""
    if ordinal >= MOST:
        return TooMany()
    if place in ("thread", "reaction"):
        return Dismiss(line)
    if place == "closing":
        return LookBack()
    return Fix() if place == "check" else parse(line)


def parse(line: str) -> Asked:
    """What a line that commands asks for."""
    words = _clean(line).split()[1:]
    if not words:
        return Help()
    verb, rest = words[0].lower(), words[1:]
    match verb:
        case "scan" | "full" | "config" | "help":
            return _PLAIN[verb]
        case "fix":
            ids = tuple(dict.fromkeys(_id(word) for word in rest))
            if not all(ids) or len(ids) > MOST:
                return Malformed(verb, "It takes ids of findings, ten at the most, or nothing for all of them.")
            return Fix(ids)
        case "explain" | "unignore":
            if len(rest) != 1 or not _id(rest[0]):
                return Malformed(verb, "It takes the id of one finding.")
            return Explain(_id(rest[0])) if verb == "explain" else Unignore(_id(rest[0]))
        case "ignore":
            return _ignore(rest)
        case "pause":
            whole = bool(rest) and rest[0].lower() in _REPOSITORY
            return Pause(whole, " ".join(rest[1:] if whole else rest))
        case "resume":
            if len(rest) > 1 or (rest and rest[0].lower() not in _REPOSITORY):
                return Malformed(verb, "It takes nothing, or the word `repo`.")
            return Resume(bool(rest))
    near = difflib.get_close_matches(verb[:20], VERBS, 1, 0.6)
    return Unknown(words[0][:40], near[0] if near else "")


def _ignore(rest: list[str]) -> Asked:
    if not rest or not _id(rest[0]):
        return Malformed("ignore", "It takes the id of a finding and a reason.")
    text = " ".join(rest[1:])
    scope, expiry = _SCOPE.search(text), _EXPIRY.search(text)
    if scope is not None and scope[1] not in SCOPES:
        return Malformed("ignore", "`--scope` is `claim`, `file` or `kind`.")
    days = None
    if expiry is not None:
        days = int(expiry[1]) * _DAYS[expiry[2].lower()]
        if not 1 <= days <= _MOST_DAYS:
            return Malformed("ignore", "A suppression lasts from one day to ten years; without `for …` it has no end.")
    reason = " ".join(_EXPIRY.sub(" ", _SCOPE.sub(" ", text, count=1), count=1).split())
    if not reason:
        return Malformed("ignore", "Say why: others will read the reason.")
    return Ignore(_id(rest[0]), reason, scope[1] if scope is not None else "claim", days)


def _id(word: str) -> str:
    """An id as people write it, maybe as code; "" if it cannot be one."""
    bare = word.strip("`,")
    return bare if _ID.fullmatch(bare) else ""


def _clean(line: str) -> str:
    """On one line, without control characters, within bounds."""
    return " ".join("".join(c if c.isprintable() else " " for c in line[: LONGEST * 2]).split())[:LONGEST]


def _ends(fence: str, line: str) -> bool:
    bare = line.strip()
    return len(line) - len(line.lstrip(" ")) <= 3 and len(bare) >= len(fence) and not bare.strip(fence[0])


def _opened(line: str) -> str:
    """What ends the block that this line opens and leaves open; "" if it opens none."""
    found = ""
    at = 0
    while at < len(line):
        starts = [(i, end) for start, end in _BLOCKS if (i := line.find(start, at)) >= 0]
        if not starts:
            return ""
        begin, found = min(starts)
        at = line.find(found, begin)
        if at < 0:
            return found
        at += len(found)
    return ""
