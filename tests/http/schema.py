"""As much of JSON Schema as the description uses. What it does not know it refuses, so that nothing passes unseen."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from uuid import UUID

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip
_NOTES = {"title", "description", "default", "discriminator"}


def problems_with(value: Any, schema: dict[str, Any], known: dict[str, Any], place: str = "$") -> list[str]:
    """Where a value does not fit; nothing if it does."""
    found: list[str] = []
    for keyword, wanted in schema.items():
        if keyword in _NOTES:
            continue
        check = _CHECKS.get(keyword)
        if check is None:
            raise AssertionError(f"the schema uses {keyword}, which this check does not know")
        found += check(value, wanted, schema, known, place)
    return found


def _ref(value: Any, wanted: str, schema: Any, known: Any, place: str) -> list[str]:
    return problems_with(value, known[wanted.rpartition("/")[2]], known, place)


def _any_of(value: Any, wanted: list[Any], schema: Any, known: Any, place: str) -> list[str]:
    tried = [problems_with(value, one, known, place) for one in wanted]
    return [] if any(not one for one in tried) else [f"{place}: fits none of {len(wanted)}", *tried[0]]


def _type(value: Any, wanted: str, schema: Any, known: Any, place: str) -> list[str]:
    fits = isinstance(value, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
    return [] if fits else [f"{place}: {value!r} is no {wanted}"]


def _properties(value: Any, wanted: dict[str, Any], schema: Any, known: Any, place: str) -> list[str]:
    if not isinstance(value, dict):
        return []
    unknown = [f"{place}.{key}: not described" for key in value if key not in wanted]
    return unknown + [
        p for k, one in wanted.items() if k in value for p in problems_with(value[k], one, known, f"{place}.{k}")
    ]


def _required(value: Any, wanted: list[str], schema: Any, known: Any, place: str) -> list[str]:
    return [f"{place}.{key}: missing" for key in wanted if key not in value]


def _items(value: Any, wanted: dict[str, Any], schema: Any, known: Any, place: str) -> list[str]:
    return [p for i, one in enumerate(value) for p in problems_with(one, wanted, known, f"{place}[{i}]")]


def _enum(value: Any, wanted: list[Any], schema: Any, known: Any, place: str) -> list[str]:
    return [] if value in wanted else [f"{place}: {value!r} is none of {wanted}"]


def _format(value: Any, wanted: str, schema: Any, known: Any, place: str) -> list[str]:
    if not isinstance(value, str):
        return []  # the type is checked elsewhere
    readers: dict[str, Any] = {"uuid": UUID, "date-time": datetime.fromisoformat}
    try:
        readers[wanted](value)
    except ValueError:
        return [f"{place}: {value!r} is no {wanted}"]
    return []


def _free(value: Any, wanted: Any, schema: Any, known: Any, place: str) -> list[str]:
    return []


_CHECKS: dict[str, Any] = {
    "$ref": _ref, "anyOf": _any_of, "type": _type, "properties": _properties, "required": _required, "items": _items,
    "enum": _enum, "const": lambda v, w, s, k, p: _enum(v, [w], s, k, p), "format": _format, "additionalProperties": _free,
    "pattern": lambda v, w, s, k, p: [] if re.search(w, v) else [f"{p}: does not match"],
}  # fmt: skip
