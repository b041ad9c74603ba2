"""The methods that Lombok's annotations add to a Java class: documentation names them, no source file does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docalign_actors.engine.facts import Definition, Param

_GETTERS = frozenset({"Getter", "Data", "Value"})
_SETTERS = frozenset({"Setter", "Data"})
_BUILDERS = frozenset({"Builder", "SuperBuilder"})
_WITHERS = frozenset({"With", "Wither"})
_LOGGERS = frozenset({
    "Slf4j", "Log", "Log4j", "Log4j2", "CommonsLog", "JBossLog", "Flogger", "XSlf4j", "CustomLog",
})  # fmt: skip


def generated(definitions: Sequence[Definition], marks: Mapping[str, frozenset[str]]) -> list[Definition]:
    """What Lombok adds to the classes among these definitions, each on the line of the field or class it comes from.

    `marks` holds the keywords of each field (`static`, `final`), and `boolean` for a field of that type.
    """
    present = {d.qualname for d in definitions}
    classes = {d.qualname: d for d in definitions if d.kind == "class" and d.decorators}
    added: list[Definition] = []
    for definition in definitions:
        if definition.kind == "class":
            added.extend(_for_class(definition))
        elif definition.kind == "field":
            owner = definition.qualname.rpartition(".")[0]
            added.extend(_for_field(definition, owner, classes.get(owner), marks.get(definition.qualname, frozenset())))
    return [d for d in added if d.qualname not in present]


def _names(definition: Definition | None) -> frozenset[str]:
    """The simple names of a definition's annotations."""
    decorators = definition.decorators if definition is not None else ()
    return frozenset(text.split("(", 1)[0].rpartition(".")[2].strip() for text in decorators)


def _for_class(owner: Definition) -> Iterator[Definition]:
    names = _names(owner)
    if names & _BUILDERS:
        builder = f"{owner.qualname}.{owner.name}Builder"
        yield _method("builder", owner.qualname, owner.line)
        yield Definition(f"{owner.name}Builder", builder, "class", owner.line)
        yield _method("build", builder, owner.line)
        if any("toBuilder" in text for text in owner.decorators):
            yield _method("toBuilder", owner.qualname, owner.line)
    if names & _LOGGERS:
        yield Definition("log", f"{owner.qualname}.log", "field", owner.line, public=False)


def _for_field(field: Definition, owner: str, owning: Definition | None, marks: frozenset[str]) -> Iterator[Definition]:
    if "static" in marks:
        return
    own, names = _names(field), _names(owning)
    both = own | names
    fluent = any(text.startswith("Accessors") and "fluent" in text for text in (owning.decorators if owning else ()))
    stem = field.name[:1].upper() + field.name[1:]
    if both & _GETTERS:
        prefix = "is" if "boolean" in marks else "get"
        bare_flag = prefix == "is" and field.name.startswith("is") and field.name[2:3].isupper()
        yield _method(field.name if fluent or bare_flag else prefix + stem, owner, field.line)
    if own & _SETTERS or (names & _SETTERS and "final" not in marks):
        yield _method(field.name if fluent else f"set{stem}", owner, field.line, field.name)
    if both & _WITHERS:
        yield _method(f"with{stem}", owner, field.line, field.name)
    if names & _BUILDERS:
        yield _method(field.name, f"{owner}.{owner.rpartition('.')[2]}Builder", field.line, field.name)


def _method(name: str, owner: str, line: int, *params: str) -> Definition:
    return Definition(name, f"{owner}.{name}", "method", line, tuple(Param(param) for param in params))
