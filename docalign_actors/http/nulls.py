"""Clients that write out every field send null for what they leave open: on the queue's wire, null is not given."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Raw, Struct, inspect


def without_nulls(raw: bytes, kind: type[Struct]) -> bytes:
    """The same JSON without the fields that are null, in an object of this type and in lists of objects in it.

    What a field without a shape holds (a payload, a result) stays as it came, to the letter.
    """
    return _stripped(raw, _lists(kind))


_Lists = dict[str, "_Lists"]
"""The fields that hold lists of objects, and the same of those objects."""


@cache
def _lists(kind: type[Struct]) -> _Lists:
    found: _Lists = {}
    for field in inspect.type_info(kind).fields:  # type: ignore[attr-defined]
        kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        for one in kinds:
            if isinstance(one, inspect.ListType) and isinstance(one.item_type, inspect.StructType):
                found[field.encode_name] = _lists(one.item_type.cls)
    return found


def _stripped(raw: bytes | Raw, lists: _Lists) -> bytes:
    try:
        fields = msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.ValidationError:  # no object: it is for the typed reading to say so
        return bytes(raw)
    left = {name: value for name, value in fields.items() if bytes(value) != b"null"}
    for name in lists.keys() & left.keys():
        left[name] = _items(left[name], lists[name])
    return msgspec.json.encode(left)


def _items(raw: Raw, lists: _Lists) -> Raw:
    try:
        items = msgspec.json.decode(raw, type=list[Raw])
    except msgspec.ValidationError:
        return raw
    return Raw(msgspec.json.encode([Raw(_stripped(item, lists)) for item in items]))
