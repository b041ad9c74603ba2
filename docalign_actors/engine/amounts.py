"""Amounts that code works out, as documents write them: `60 * time.Second` is `60s` and "1 minute", `32 << 20` is `33554432`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.kinds.shared.values import Value, parse

_FACTOR = (
    r"(?:\d[\d_]*(?:[uU]?[lL]{0,2})?(?!\w)|(?:time\.)?(?:Nanosecond|Microsecond|Millisecond|Second|Minute|Hour)\b)"
)
_WORKED_OUT = re.compile(
    rf"{_FACTOR}(?:\s?(?:\*|<<)\s?{_FACTOR}){{1,6}}"
    r"|(?:from_|of)(?:secs|millis|mins|hours|seconds|minutes|days)\(\d[\d_.]{0,20}\)|timedelta\(\s?\w{1,20}\s?=\s?[\d_.* ]{1,40}\)",
    re.IGNORECASE,
)
_TYPED = re.compile(r"(?<=\d)[uUlL]{1,3}(?!\w)")
"""What tells the type of a number in C, Java and C#: `30UL`."""
_UNIT_NAMES = {"sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 0.001, "millis": 0.001, "minutes": 60.0}
_SMALL_UNITS = frozenset(("us", "usec", "usecs", "micros", "ns", "nanos", "msec", "msecs"))
_TIMES = ((1.0, ("s", " seconds", " second", "sec", " sec")), (60.0, ("m", "min", " minutes", " minute")),
          (3600.0, ("h", " hours", " hour")), (86400.0, ("d", " days")), (0.001, ("ms", " ms", " milliseconds")))  # fmt: skip
_SIZES = (
    (1024.0, ("KiB", " KiB", "KB", " KB", "kb", "k")),
    (1024.0**2, ("MiB", " MiB", "MB", " MB", "mb", "M")),
    (1024.0**3, ("GiB", " GiB", "GB", " GB")),
)
_MEMORY = re.compile(r"(\d{1,6})([kmgKMG])")
_RELEASE = re.compile(r"(\d{1,4}\.\d{1,4})\.\d{1,4}")
_GROUPED = re.compile(r"\d{1,3}(?:_\d{3})+")
_NUMERAL = re.compile(r"\d[\d_]*")
_MOST = 1e15
_LEAST_WORD = 5
"""Letters of a unit that is a word, with the blank before it: ` days`, and not ` sec`."""


def worked_out(then: str, now: str) -> list[tuple[str, str]]:
    """How documents may write the one amount of a line that is another now, each with what it is now."""
    before, after = (_WORKED_OUT.findall(line[:400]) for line in (then, now))
    others = [(a, b) for a, b in zip(before, after, strict=True) if a != b] if len(before) == len(after) else []
    if len(others) == 1:
        old, new = (parse(_TYPED.sub("", text.replace(" ", ""))) for text in others[0])
        if old.kind == new.kind == "number" and old.dimension == new.dimension:
            return list(dict.fromkeys(_spelled(old, new)))
    return []


def otherwise(old: str, new: str) -> list[tuple[str, str]]:
    """A size as documents write it, `256m` as `256mb`; a number in groups; of a version its first two parts, if they are others."""
    if _GROUPED.fullmatch(old) and _NUMERAL.fullmatch(new):
        return [(old.replace("_", mark), new.replace("_", mark)) for mark in ("", ",")]
    sizes = [_MEMORY.fullmatch(text) for text in (old, new)]
    if all(sizes):
        (many, unit), (more, other) = (match.groups() for match in sizes if match is not None)
        if unit.lower() == other.lower():
            ends = (f"{unit.lower()}b", f"{unit.upper()}B", f" {unit.upper()}B", f" {unit.upper()}iB", unit.upper())
            return [(many + end, more + end) for end in ends]
    times = [parse(text) for text in (old, new)]
    if all(value.kind == "number" and value.dimension == "s" for value in times):
        return [pair for pair in dict.fromkeys(_spelled(*times)) if pair[0] != old]
    releases = [_RELEASE.fullmatch(text) for text in (old, new)]
    short = [match[1] for match in releases if match is not None]
    return [(short[0], short[1])] if len(short) > 1 and short[0] != short[1] else []


def is_timed(parts: Sequence[str]) -> bool:
    """A name that ends in a unit of time, which documents leave out: `lifetime_us`."""
    return len(parts) > 1 and (parts[-1] in _UNIT_NAMES or parts[-1] in _SMALL_UNITS)


def timed(old: str, new: str, parts: Sequence[str]) -> list[tuple[str, str]]:
    """The same for a plain number whose name ends in a unit of time."""
    unit = _UNIT_NAMES.get(parts[-1]) if len(parts) > 1 else None
    if unit is None or not (old.isdigit() and new.isdigit()):
        return []
    values = (Value("number", float(text) * unit, dimension="s") for text in (old, new))
    return list(dict.fromkeys(_spelled(*values)))


def _spelled(old: Value, new: Value) -> Iterator[tuple[str, str]]:
    if not 0 < old.number < _MOST or not 0 < new.number < _MOST:
        return
    if not old.dimension:
        yield _plain(old.number), _plain(new.number)
        yield f"{old.number:,.0f}", f"{new.number:,.0f}"
    if old.dimension == "s" and old.number % 60 == 0 and new.number % 60 == 0:
        yield _as_go_prints(old.number), _as_go_prints(new.number)
    for size, units in _TIMES if old.dimension == "s" else _SIZES:
        amount = old.number / size
        if amount >= 1 and abs(amount - round(amount)) < 1e-9:
            now = _plain(new.number / size)
            yield from ((f"{round(amount)}{unit}", now + _counted(unit, now)) for unit in units)


def _counted(unit: str, number: str) -> str:
    """The unit as it is said of a number: 1 minute, 2 minutes."""
    if len(unit) < _LEAST_WORD:
        return unit
    return unit.removesuffix("s") if number == "1" else unit.removesuffix("s") + "s"


def _as_go_prints(seconds: float) -> str:
    """`10m0s`, `1h0m0s`."""
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours}h{minutes}m0s" if hours else f"{minutes}m0s"


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")
