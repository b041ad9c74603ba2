"""Paths of routes in one form, however a framework writes them, and whether two of them can be the same.

A path is a tuple of segments. A static segment stands for itself; the others are:
`{}` exactly one segment (`{id}`, `:id`, `<int:id>`, `[id]`, `(?P<id>…)`), `*` any run of segments (`{path:path}`, `(.*)`),
`**` a run of segments that the code does not tell (a prefix that is computed).
"""

from __future__ import annotations

import re
from functools import lru_cache

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"})
ONE, RUN, UNKNOWN = "{}", "*", "**"
_WILD = frozenset({ONE, RUN, UNKNOWN})
_ONE, _RUN, _UNKNOWN = "\0", "\1", "\2"
_LONGEST = 500
_MOST_SEGMENTS = 24
_MULTI = re.compile(r"^\*|^path:|:path$|:\.[*+]$|\.\.\.$|\.\.$|^\.\.\.|:\*+$")
_REGEX_HINT = re.compile(r"\(|^\^|\$$|\\|\.\*|\.\+|/\?$|\][+*]")


@lru_cache(maxsize=65536)
def segments(path: str) -> tuple[str, ...]:
    """The normal form of a route's path as code registers it."""
    text = _braces(path[:_LONGEST])
    if _REGEX_HINT.search(text):
        text = _without_regex(text)
    elif not text.endswith("?"):
        text = text.partition("?")[0]
    found: list[str] = []
    for part in text.replace(_UNKNOWN, f"/{_UNKNOWN}/").split("/"):
        token = _segment(part)
        if token and not (token == UNKNOWN and found[-1:] == [UNKNOWN]):
            found.append(token)
    return tuple(found[:_MOST_SEGMENTS])


def _segment(part: str) -> str:
    if part == _UNKNOWN:
        return UNKNOWN
    if _RUN in part or part.startswith(("*", "[[", "[...")):
        return RUN
    if _ONE in part:
        return ONE
    if part.startswith(":") and len(part) > 1:
        return RUN if part[-1] in "?*+" else ONE
    if part.startswith("[") and part.endswith("]"):
        return ONE
    return part


def _braces(path: str) -> str:
    """Placeholders in braces and angle brackets, and constants (`${NAME}`) that nobody resolved, as marks."""
    out: list[str] = []
    at = 0
    while at < len(path):
        char = path[at]
        close = {"{": "}", "<": ">"}.get(char)
        if close is None or path[max(at - 2, 0) : at] == "?P":
            out.append(char)
            at += 1
            continue
        end = _closing(path, at, char, close)
        if end < 0:
            out.append(char)
            at += 1
            continue
        inner = path[at + 1 : end]
        if char == "{" and out[-1:] == ["$"]:
            out[-1] = _UNKNOWN
        elif not re.fullmatch(r"\d+,?\d*", inner):  # `{8}` repeats what stands before it in a regular expression
            out.append(_RUN if _MULTI.search(inner) else _ONE)
        at = end + 1
    return "".join(out)


def _closing(text: str, start: int, opening: str, closing: str) -> int:
    """Where the bracket that opens at `start` closes, or -1."""
    depth = 0
    at = start
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == opening:
            depth += 1
        elif char == closing:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return -1


def _without_regex(text: str) -> str:
    """A regular expression's path: groups and classes become placeholders, what is optional goes."""
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        piece, width = char, 1
        if char == "\\":
            following = text[at + 1 : at + 2]
            piece = "" if following in "AZzb" else _ONE if following in "dwSWDs" else following
            width = 2
        elif char in "([":
            end = _closing(text, at, char, ")" if char == "(" else "]")
            if end < 0:
                break
            piece, width = _group(text[at : end + 1]), end + 1 - at
            if char == "(" and re.search(r":\w+$", "".join(out[-40:])):
                piece = ""  # Express: `:id(\d+)`
        elif char in "^$":
            piece = ""
        elif text[at : at + 2] in (".*", ".+"):
            piece, width = _RUN, 2
        at += width
        while at < len(text) and text[at] in "?+*" and char not in "/:" + _RUN:
            optional = text[at] in "?*" and (char == "(" or piece not in (_ONE, _RUN))
            piece = "" if optional else piece
            at += 1
        if char == "/" and text[at : at + 1] == "?":
            at += 1
        out.append(piece)
    return "".join(out)


def _group(group: str) -> str:
    if group.startswith("["):
        return _RUN if "/" in group and not group.startswith("[^") else _ONE
    inner = re.sub(r"^\((\?P?<\w+>|\?:)?", "", group)[:-1]
    if "/" in inner.replace("[^/]", ""):
        return "/" + _RUN
    if re.search(r"(?<!\\)\.[*+]", inner):
        return _RUN
    if re.fullmatch(r"/?[\w-]+/?", inner) and inner:
        return inner
    return _ONE


@lru_cache(maxsize=65536)
def rank(route: tuple[str, ...], claim: tuple[str, ...]) -> int:
    """How well a claimed path fits a route: 2 to the letter, 1 by placeholders, 0 not at all."""
    if route == claim:
        return 2
    if RUN not in route and UNKNOWN not in route and RUN not in claim:
        if len(route) != len(claim):
            return 0
        return 1 if all(_fits(r, c) for r, c in zip(route, claim, strict=True)) else 0
    return 1 if _fits_run(route, claim) else 0


def _fits(route: str, claim: str) -> bool:
    return route in (claim, ONE) or claim == ONE


def _fits_run(route: tuple[str, ...], claim: tuple[str, ...]) -> bool:
    """The same with runs: which prefixes of the claim can each prefix of the route consume."""
    reach = {0}
    if claim and claim[-1] == RUN:  # `/api/*` in the docs: some route is below it
        head = claim[:-1]
        return len(route) >= len(head) and all(_fits(r, c) for r, c in zip(route, head, strict=False))
    for part in route:
        if part in (RUN, UNKNOWN):
            reach = set(range(min(reach), len(claim) + 1)) if reach else reach
        else:
            reach = {at + 1 for at in reach if at < len(claim) and part in (claim[at], ONE)}
        if not reach:
            return False
    return len(claim) in reach


@lru_cache(maxsize=65536)
def without_unknown(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The path as it is if what the code does not tell is empty."""
    return tuple(part for part in parts if part != UNKNOWN)


def statics(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The segments that stand for themselves."""
    return tuple(part for part in parts if part not in _WILD)


def join(prefix: str, path: str) -> str:
    """A path under a prefix, one slash between them."""
    if not prefix or prefix == "/":
        return path if path.startswith(("/", "^")) or not path else "/" + path
    if not path or path == "/":
        return prefix
    return prefix.rstrip("/").removesuffix("$") + "/" + path.lstrip("/^")
