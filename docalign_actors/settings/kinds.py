"""The kinds of values that settings have: secrets that do not show, durations and sizes with units, and words for each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

import msgspec
from msgspec import Meta
from msgspec.inspect import (
    BoolType,
    CustomType,
    FloatType,
    IntType,
    LiteralType,
    Metadata,
    VarTupleType,
    type_info,
)

MASK = "********"

Seconds = Annotated[float, Meta(gt=0, le=10 * 365 * 86400, extra={"unit": "seconds"})]
Bytes = Annotated[int, Meta(ge=0, le=2**60, extra={"unit": "bytes"})]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]

_SCALES: dict[str, dict[str, float]] = {
    "seconds": {"": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400},
    "bytes": {"": 1, "b": 1}
    | {f"{letter}b": 1000**power for power, letter in enumerate("kmgt", start=1)}
    | {f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", start=1)},
}
_UNIT_WORDS = {
    "seconds": "a duration such as 90s, 10m, 2h or 7d, or a number of seconds",
    "bytes": "a size such as 500MB or 2GiB, or a number of bytes",
}
_AMOUNT = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s{0,3}([A-Za-z]{0,3})")


class Secret:
    """A value that shows itself only when asked by name."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def masked(self) -> str:
        """What may be shown: whether there is a value, not which."""
        return MASK if self._value else ""

    def __str__(self) -> str:
        return self.masked()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.masked()!r})"

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash((type(self), self._value))

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a secret is not written anywhere")


class SecretUrl(Secret):
    """An address that may hold a password: everything but that is shown."""

    __slots__ = ()

    def masked(self) -> str:
        text = re.sub(r"(password=)('[^']*'|[^\s&']+)", rf"\1{MASK}", self._value, flags=re.IGNORECASE)
        try:
            password = urlsplit(text).password
        except ValueError:  # not an address at all: nobody knows where the password is
            return MASK
        if password is None:
            return text
        return re.sub(r"(//[^/@]*?:)[^/]*@", rf"\1{quote(MASK, safe='*')}@", text, count=1)


def convert(value: Any, kind: Any) -> Any:
    """A raw value as the kind that the setting has; text may have a unit, or items between commas."""
    info = type_info(kind)
    if isinstance(info, VarTupleType):
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, list):
            value = [_with_unit(each, info.item_type) for each in value]
    return msgspec.convert(_with_unit(value, info), kind, strict=not _textual(value), dec_hook=_custom)


def _textual(value: Any) -> bool:
    """Whether numbers may be written as text: in variables and flags they are."""
    return isinstance(value, str) or (isinstance(value, list) and any(isinstance(each, str) for each in value))


def _with_unit(value: Any, info: Any) -> Any:
    if not isinstance(value, str):
        return value
    unit = _unit(info)
    match = _AMOUNT.fullmatch(value.strip()) if unit else None
    scale = _SCALES[unit].get(match[2].lower()) if match else None
    if match is None or scale is None:
        return value.strip()
    amount = float(match[1]) * scale
    return round(amount) if unit == "bytes" else amount


def _custom(kind: Any, value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError("expected text")
    if issubclass(kind, Path):
        if not value or "\0" in value:
            raise ValueError("expected a path")
        return Path(value).expanduser()
    return kind(value)


def _unit(info: Any) -> str:
    return str((info.extra or {}).get("unit", "")) if isinstance(info, Metadata) else ""


def is_secret(kind: Any) -> bool:
    info = type_info(kind)
    return isinstance(info, CustomType) and issubclass(info.cls, Secret)


def describe(kind: Any) -> str:
    """What is allowed, in words."""
    return _words(type_info(kind))


def _words(info: Any) -> str:
    match info:
        case Metadata():
            return _UNIT_WORDS.get(_unit(info)) or _words(info.type)
        case BoolType():
            return "true or false"
        case IntType():
            return "a whole number" + _bounds(info)
        case FloatType():
            return "a number" + _bounds(info)
        case LiteralType():
            return "one of " + ", ".join(str(value) for value in info.values)
        case VarTupleType():
            return f"a list, each item {_words(info.item_type)}"
        case CustomType() if issubclass(info.cls, Path):
            return "a path"
        case _:
            return "text"


def _bounds(info: IntType | FloatType) -> str:
    lowest = f" from {info.ge:,}" if info.ge is not None else f" above {info.gt:,}" if info.gt is not None else ""
    return lowest + (f" to {info.le:,}" if info.le is not None else "")
