"""What functions and classes of a file take, read from its facts alone."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.facts import Definition, FileFacts, Param

CONSTRUCTORS = ("__init__", "__new__", "constructor")
_RECORDS = frozenset(("BaseModel", "Struct", "NamedTuple", "TypedDict", "BaseSettings", "SQLModel"))
DATACLASSES = (
    "dataclass",
    "dataclasses.dataclass",
    "attr.s",
    "attrs",
    "attrs.define",
    "define",
    "attr.define",
    "frozen",
    "attrs.frozen",
)


def fields(facts: FileFacts, owner: str) -> tuple[Param, ...]:
    """The fields of a class as parameters: what a dataclass or a model takes."""
    return tuple(
        Param(d.name, "keyword", d.value, d.value is None)
        for d in facts.definitions
        if d.kind == "field" and d.qualname.rpartition(".")[0] == owner
    )


def is_record(definition: Definition) -> bool:
    """A class whose fields are what its constructor takes."""
    bases = {base.rpartition(".")[2] for base in definition.bases}
    return bool(bases & _RECORDS) or any(decorator in DATACLASSES for decorator in definition.decorators)


def takers_then(facts: FileFacts) -> dict[str, dict[str, tuple[Definition, str]]]:
    """Parameter → functions and classes of a past version that took it, each with the parameter's kind."""
    found: dict[str, dict[str, tuple[Definition, str]]] = {}
    records = {d.qualname: d for d in facts.definitions if d.kind == "class" and is_record(d)}
    for definition in facts.definitions:
        owner, _, last = definition.qualname.rpartition(".")
        for param in definition.params or ():
            if param.kind != "kwargs":
                taker = owner if last in CONSTRUCTORS else definition.qualname
                found.setdefault(param.name, {}).setdefault(taker, (definition, param.kind))
        if definition.kind == "field" and owner in records:
            found.setdefault(definition.name, {}).setdefault(owner, (records[owner], "keyword"))
    return found


def params_then(facts: FileFacts, qualname: str) -> tuple[Param, ...]:
    """What a function or class of a past version took: its parameters, its constructor's, or its fields."""
    names = {qualname, *(f"{qualname}.{constructor}" for constructor in CONSTRUCTORS)}
    found = [param for d in facts.definitions if d.qualname in names for param in d.params or ()]
    return tuple(found) or fields(facts, qualname)


def shapes(params: Sequence[Param]) -> list[tuple[str, tuple[object, ...]]]:
    """Parameters as `renames.successor` wants them."""
    return [(param.name, (param.kind, param.default, param.required)) for param in params]
