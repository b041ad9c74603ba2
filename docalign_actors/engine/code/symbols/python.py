"""The names that a Python file defines, imports and exports.

One query finds every node that matters; a stack of enclosing classes and functions, kept by byte ranges, gives each its
qualified name. Nothing is walked twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from tree_sitter import Node

from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import Definition, FileFacts, Import, Param

_QUERY = """
(class_definition) @class
(function_definition) @function
(decorated_definition) @decorated
(expression_statement (assignment) @assignment)
(expression_statement (augmented_assignment) @augmented)
(import_statement) @import
(import_from_statement) @from
(type_alias_statement) @alias
"""
_LITERALS = frozenset({"string", "integer", "float", "true", "false", "none"})
_FIELD_MAKERS = re.compile(r"(^|\.)(field|Field|attrib|ib|mapped_column|Query|Header|Path|Body|Option|Argument)$")
_DYNAMIC = re.compile(
    rb"\bglobals\(\)\s*(\[|\.update|,|\))|\bsetattr\(|\bvars\(\w+\)\s*\[|__dict__\s*(\[|\.update)|sys\.modules\[__name__\]"
)
_DYNAMIC_WORDS = (b"globals()", b"setattr(", b"vars(", b"__dict__", b"sys.modules[")
_MAX_DEPTH = 12


class _Scope(Struct):
    """An enclosing class or function."""

    end: int
    qualname: str
    is_class: bool
    owner: str
    """The class whose method this is, so that `self.x = ...` inside it is a field of that class."""
    receiver: str = ""


def collect(source: Source, facts: FileFacts) -> None:
    """Fills definitions, imports and exports."""
    _Collector(source, facts).run()


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.scopes: list[_Scope] = []
        self.decorators: dict[int, tuple[str, ...]] = {}
        self.seen: set[str] = set()
        self.is_package = source.path.rsplit("/", 1)[-1] in ("__init__.py", "__init__.pyi")

    def run(self) -> None:
        for kind, node in self._nodes():
            while self.scopes and self.scopes[-1].end <= node.start_byte:
                self.scopes.pop()
            if len(self.scopes) < _MAX_DEPTH:
                getattr(self, f"_{kind}")(node)
        names = {d.qualname for d in self.facts.definitions}
        data = self.source.data
        if "__getattr__" in names or (holds_any(data, _DYNAMIC_WORDS) and _DYNAMIC.search(data)):
            self.facts.opaque.append("symbols")
        self._mark_exported()

    def _nodes(self) -> Iterator[tuple[str, Node]]:
        captures = self.source.captures(_QUERY)
        for node in captures.pop("decorated", []):
            definition = node.child_by_field_name("definition")
            if definition is not None:
                names = (_decorator_name(child) for child in node.named_children if child.type == "decorator")
                self.decorators[definition.start_byte] = tuple(name for name in names if name)
        found = [(kind, node) for kind, nodes in captures.items() for node in nodes]
        found.sort(key=lambda item: (item[1].start_byte, -item[1].end_byte))
        yield from found

    @property
    def _scope(self) -> _Scope | None:
        return self.scopes[-1] if self.scopes else None

    def _qualify(self, name: str) -> str:
        return f"{self.scopes[-1].qualname}.{name}" if self.scopes else name

    def _add(self, definition: Definition) -> None:
        self.facts.definitions.append(definition)

    def _class(self, node: Node) -> None:
        name = _field_text(node, "name")
        if not name:
            return
        qualname = self._qualify(name)
        arguments = node.child_by_field_name("superclasses")
        bases = tuple(_base_name(child) for child in arguments.named_children) if arguments else ()
        decorators = self.decorators.get(node.start_byte, ())
        self._add(
            Definition(
                name,
                qualname,
                "class",
                line_of(node),
                bases=tuple(b for b in bases if b),
                public=_public(name),
                decorators=decorators,
            )
        )
        self.scopes.append(_Scope(node.end_byte, qualname, True, qualname))

    def _function(self, node: Node) -> None:
        name = _field_text(node, "name")
        if not name:
            return
        scope = self._scope
        in_class = scope is not None and scope.is_class
        decorators = self.decorators.get(node.start_byte, ())
        params = list(_params(node.child_by_field_name("parameters")))
        receiver = ""
        if in_class and "staticmethod" not in decorators and params and params[0].kind == "positional":
            receiver = params.pop(0).name
        qualname = self._qualify(name)
        kind = "method" if in_class else "function"
        if in_class and any(
            d in ("property", "cached_property") or d.endswith((".property", ".cached_property", ".setter"))
            for d in decorators
        ):
            kind = "field"
        self._add(
            Definition(
                name,
                qualname,
                kind,
                line_of(node),
                None if kind == "field" else tuple(params),
                public=_public(name),
                decorators=decorators,
            )
        )
        owner = scope.owner if scope else ""
        self.scopes.append(_Scope(node.end_byte, qualname, False, owner, receiver or (scope.receiver if scope else "")))

    def _assignment(self, node: Node) -> None:
        left = node.child_by_field_name("left")
        value = node.child_by_field_name("right")
        # `a = b = 1` nests assignments: every left side gets the last value.
        while left is not None:
            self._target(left, value, line_of(node))
            if value is None or value.type != "assignment":
                return
            left, value = value.child_by_field_name("left"), value.child_by_field_name("right")

    def _target(self, left: Node, value: Node | None, line: int) -> None:
        scope = self._scope
        if left.type in ("pattern_list", "tuple_pattern"):
            for child in left.named_children:
                self._target(child, None, line)
        elif left.type == "attribute":
            receiver = left.child_by_field_name("object")
            if (
                scope
                and scope.owner
                and scope.receiver
                and receiver is not None
                and text_of(receiver) == scope.receiver
            ):
                self._field(_field_text(left, "attribute"), scope.owner, value, line)
        elif left.type == "identifier":
            name = text_of(left)
            if scope is None:
                self._constant(name, value, line)
            elif scope.is_class:
                self._field(name, scope.qualname, value, line)

    def _constant(self, name: str, value: Node | None, line: int) -> None:
        if name == "__all__":
            self._all(value)
            return
        if name not in self.seen:
            self.seen.add(name)
            alias = (text_of(value),) if value is not None and value.type == "identifier" else ()
            self._add(
                Definition(name, name, "constant", line, value=_literal(value), bases=alias, public=_public(name))
            )

    def _field(self, name: str, owner: str, value: Node | None, line: int) -> None:
        qualname = f"{owner}.{name}"
        if name and qualname not in self.seen:
            self.seen.add(qualname)
            self._add(Definition(name, qualname, "field", line, value=_field_default(value), public=_public(name)))

    def _augmented(self, node: Node) -> None:
        if not self.scopes and _field_text(node, "left") == "__all__":
            self._all(node.child_by_field_name("right"))

    def _all(self, value: Node | None) -> None:
        if self.facts.exports is None:
            self.facts.exports = []
        strings = [child for child in value.named_children if child.type == "string"] if value else []
        self.facts.exports.extend(text for text in map(_literal, strings) if text)
        if value is None or value.type not in ("list", "tuple") or len(strings) != value.named_child_count:
            self.facts.opaque.append("exports")

    def _alias(self, node: Node) -> None:
        left = node.child_by_field_name("left") or (node.named_children[0] if node.named_children else None)
        if left is not None:
            name = re.match(r"\w*", text_of(left))
            if name and name.group():
                self._add(
                    Definition(
                        name.group(), self._qualify(name.group()), "type", line_of(node), public=_public(name.group())
                    )
                )

    def _import(self, node: Node) -> None:
        for child in node.named_children:
            module, alias = _aliased(child)
            self.facts.imports.append(
                Import(module, "", alias or module, line_of(node), self._is_export(module, alias))
            )

    def _from(self, node: Node) -> None:
        module_node = node.child_by_field_name("module_name")
        module = text_of(module_node).replace(" ", "") if module_node else ""
        for child in node.named_children:
            if module_node is not None and child.start_byte == module_node.start_byte:
                continue
            if child.type == "wildcard_import":
                self.facts.imports.append(Import(module, "*", "*", line_of(node), True))
            elif child.type in ("dotted_name", "aliased_import"):
                name, alias = _aliased(child)
                self.facts.imports.append(
                    Import(module, name, alias or name, line_of(node), self._is_export(name, alias))
                )

    def _is_export(self, name: str, alias: str) -> bool:
        return not self.scopes and (self.is_package or (bool(alias) and alias == name))

    def _mark_exported(self) -> None:
        exports = set(self.facts.exports or ())
        for position, entry in enumerate(self.facts.imports):
            if entry.alias in exports and not entry.exported:
                self.facts.imports[position] = Import(entry.module, entry.name, entry.alias, entry.line, True)


def _public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _field_text(node: Node, field: str) -> str:
    child = node.child_by_field_name(field)
    return text_of(child) if child is not None else ""


def _aliased(node: Node) -> tuple[str, str]:
    if node.type == "aliased_import":
        return _field_text(node, "name"), _field_text(node, "alias")
    return text_of(node).replace(" ", ""), ""


def _decorator_name(node: Node) -> str:
    inner = node.named_children[0] if node.named_children else None
    if inner is not None and inner.type == "call":
        inner = inner.child_by_field_name("function")
    return text_of(inner)[:200] if inner is not None and inner.type in ("identifier", "attribute") else "?"


def _base_name(node: Node) -> str:
    """A parent as written, type arguments cut off; `?` for what only running the code would tell."""
    if node.type == "keyword_argument":
        return (
            "?"
            if _field_text(node, "name") == "metaclass" and _field_text(node, "value").rpartition(".")[2] != "ABCMeta"
            else ""
        )
    if node.type in ("subscript", "generic_type"):
        inner = node.child_by_field_name("value") or node.named_children[0]
        return _base_name(inner)
    return text_of(node) if node.type in ("identifier", "attribute") else "" if node.type == "comment" else "?"


def _params(node: Node | None) -> Iterator[Param]:
    keyword_only = False
    for child in node.named_children if node else ():
        if child.type == "keyword_separator":
            keyword_only = True
            continue
        target = child.named_children[0] if child.type == "typed_parameter" else child
        if target.type == "list_splat_pattern":
            keyword_only = True
            yield Param(text_of(target).lstrip("* "), "varargs", required=False)
        elif target.type == "dictionary_splat_pattern":
            yield Param(text_of(target).lstrip("* "), "kwargs", required=False)
        elif target.type in ("default_parameter", "typed_default_parameter"):
            default = _field_default(target.child_by_field_name("value"))
            yield Param(_field_text(target, "name"), "keyword" if keyword_only else "positional", default, False)
        elif target.type == "identifier":
            yield Param(text_of(target), "keyword" if keyword_only else "positional")


def _literal(node: Node | None) -> str | None:
    """The value as text, if it is a literal."""
    if node is None:
        return None
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    if (
        node.type == "unary_operator"
        and node.named_child_count == 1
        and node.named_children[0].type in ("integer", "float")
    ):
        return text_of(node).replace(" ", "")
    if node.type not in _LITERALS:
        return None
    if node.type != "string":
        return text_of(node)
    children = node.named_children
    if any(child.type == "interpolation" for child in children):
        return None
    return "".join(text_of(child) for child in children if child.type == "string_content")


def _field_default(node: Node | None) -> str | None:
    """A literal, or the default inside `field(default=...)` and its like."""
    if node is None or node.type != "call":
        return _literal(node)
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not _FIELD_MAKERS.search(_field_text(node, "function")):
        return None
    for argument in arguments.named_children:
        if argument.type == "keyword_argument":
            if _field_text(argument, "name") == "default":
                return _literal(argument.child_by_field_name("value"))
        elif argument.type != "comment" and argument == arguments.named_children[0]:
            return _literal(argument)
    return None
