"""Version numbers and demands, in the spelling of every package manager that a manifest may belong to."""

from __future__ import annotations

import re

Number = tuple[int, ...]

_NUMBER = re.compile(r"^[vV=]?(\d{1,6}(?:\.\d{1,6}){0,3})")
_COMPARATOR = re.compile(r"(===?|!=|~=|~>|>=|<=|=>|[<>^~=])?\s*([vV]?\d[\w.*+-]*|\*|x)", re.IGNORECASE)
_HYPHEN = re.compile(r"\s+-\s+")


def number(text: str) -> Number | None:
    """`3.8`, `v18.17.0`, `1.21rc2` as numbers; None if it does not begin with one."""
    match = _NUMBER.match(text.strip())
    return tuple(int(part) for part in match[1].split(".")) if match else None


def minimum(spec: str, major: int | None = None) -> Number | None:
    """The lowest version that a demand accepts, in a major version if that is asked for; None if it sets no lower bound.

    `>=2.7,!=3.0.*,!=3.1.*` accepts 3.2 of major version 3; `^18 || ^20` accepts 18.
    """
    found: list[Number] = []
    for choice in re.split(r"\|\|?", spec[:300]):
        lowest = _lowest(choice)
        if lowest is None:
            return None
        found.append(lowest)
    best = min(found)
    if major is None or best[0] >= major:
        return best
    same = [lowest for lowest in found if lowest[0] == major]
    return min(same) if same else _after_exclusions(spec, major)


def _lowest(choice: str) -> Number | None:
    choice = _HYPHEN.split(choice.strip())[0]
    bounds: list[Number] = []
    for operator, text in _COMPARATOR.findall(choice):
        if operator in ("<", "<=", "!="):
            continue
        value = number(text)
        if value is None or operator == ">":
            return None
        bounds.append(value)
    return max(bounds) if bounds else None


def _after_exclusions(spec: str, major: int) -> Number | None:
    excluded = {number(text) for operator, text in _COMPARATOR.findall(spec) if operator == "!="}
    minor = 0
    while (major, minor) in excluded:
        minor += 1
    return (major, minor) if minor else None


def compare(told: Number, real: Number) -> int:
    """-1, 0 or 1 as the told version is below, the same as or above the real one, as precisely as it is told."""
    if real[: len(told)] == told:
        return 0
    width = max(len(told), len(real))
    left, right = _padded(told, width), _padded(real, width)
    return (left > right) - (left < right)


def _padded(value: Number, width: int) -> Number:
    return value + (0,) * (width - len(value))


def spelled(real: Number, like: Number) -> str:
    """The real version as precisely as the told one was; a bare major version is made more precise where that matters."""
    width = len(like)
    if width == 1 and any(real[1:2]):
        width = 2
    return ".".join(map(str, _padded(real, width)[:width]))
