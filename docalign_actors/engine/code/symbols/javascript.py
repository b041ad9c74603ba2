"""The names that a JavaScript or TypeScript file defines, imports and exports, CommonJS and ES modules alike.

As in Python: one query, then a stack of enclosing classes, interfaces, enums and functions kept by byte ranges.
"""

from __future__ import annotations

import re

from msgspec import Struct
from tree_sitter import Node

from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.code.symbols.javascript_imports import imported, required
from docalign_actors.engine.code.symbols.javascript_values import (
    alias_bases,
    bases,
    declared,
    field_text,
    is_function,
    literal,
    property_name,
    read_params,
    required_module,
    unwrap,
)
from docalign_actors.engine.facts import Definition, FileFacts, Import

_COMMON = """
(class_declaration) @class
(function_declaration) @function
(generator_function_declaration) @function
(method_definition) @method
(variable_declarator) @variable
(assignment_expression) @assignment
(import_statement) @import
(export_statement) @export
(expression_statement (call_expression) @call)
(arrow_function) @anonymous
(function_expression) @anonymous
"""
_QUERIES = {
    "javascript": _COMMON + "(field_definition) @field",
    "typescript": _COMMON
    + """
(public_field_definition) @field
(abstract_class_declaration) @class
(interface_declaration) @class
(enum_declaration) @enum
(type_alias_declaration) @alias
(function_signature) @function
(method_signature) @method
(abstract_method_signature) @method
(property_signature) @field
""",
}
_DYNAMIC = re.compile(
    rb"Object\.assign\(\s*(module\.)?exports|Object\.assign\(\s*\w+\.prototype|\w\[[a-z]\w*\] = function"
)
_BORROWED = re.compile(r":\s*typeof import\([\"']([^\"']{1,200})[\"']\)")
"""What a file of declarations takes from elsewhere for everybody: `const ref: typeof import('vue')['ref']`."""
_EXPORTS = ("module.exports", "exports")
_MAX_DEPTH = 12
_OBJECT_DEPTH = 4


class _Scope(Struct):
    """An enclosing class or function. `owner` is what `this` means inside."""

    start: int
    end: int
    qualname: str
    is_class: bool
    owner: str


def collect(source: Source, facts: FileFacts) -> None:
    """Fills definitions, imports and exports."""
    _Collector(source, facts).run()


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.scopes: list[_Scope] = []
        self.seen: set[str] = set()
        self.exported: dict[str, None] = {}
        self.open_exports = False
        self.aliases: set[str] = set()  # `var proto = module.exports = ...`

    def run(self) -> None:
        captures = self.source.captures(
            _QUERIES["javascript" if self.source.language == "javascript" else "typescript"]
        )
        found = [(kind, node) for kind, nodes in captures.items() for node in nodes]
        found.sort(key=lambda item: (item[1].start_byte, -item[1].end_byte))
        for kind, node in found:
            while self.scopes and self.scopes[-1].end <= node.start_byte:
                self.scopes.pop()
            if len(self.scopes) < _MAX_DEPTH:
                getattr(self, f"_{kind}")(node)
        if holds_any(self.source.data, (b"Object.assign(", b"] = function")) and _DYNAMIC.search(self.source.data):
            self.facts.opaque.append("symbols")
            self.open_exports = True
        if self.exported or self.open_exports:
            self.facts.exports = list(self.exported)
        if self.open_exports:
            self.facts.opaque.append("exports")

    def _qualify(self, name: str) -> str:
        return f"{self.scopes[-1].qualname}.{name}" if self.scopes and self.scopes[-1].qualname else name

    def _owner(self) -> str:
        return self.scopes[-1].owner if self.scopes else ""

    def _define(
        self, qualname: str, kind: str, node: Node, value: Node | None = None, bases: tuple[str, ...] = ()
    ) -> None:
        name = qualname.rpartition(".")[2]
        key = f"{qualname}:{line_of(node)}"
        if not name or key in self.seen:
            return
        self.seen.add(key)
        params = read_params(value) if value is not None and is_function(value) else None
        self.facts.definitions.append(
            Definition(
                name, qualname, kind, line_of(node), params, literal(value), bases, not name.startswith(("_", "#"))
            )
        )

    def _enter(self, node: Node, qualname: str, *, is_class: bool, owner: str) -> None:
        self.scopes.append(_Scope(node.start_byte, node.end_byte, qualname, is_class, owner))

    def _class(self, node: Node) -> None:
        name = field_text(node, "name")
        qualname = self._qualify(name)
        kind = "type" if node.type == "interface_declaration" else "class"
        self._define(qualname, kind, node, bases=tuple(bases(node)))
        self._enter(node, qualname, is_class=True, owner=qualname)

    def _enum(self, node: Node) -> None:
        qualname = self._qualify(field_text(node, "name"))
        self._define(qualname, "class", node)
        body = node.child_by_field_name("body")
        for child in body.named_children if body else ():
            if child.type == "enum_assignment":
                name, value = property_name(child, "name"), child.child_by_field_name("value")
                self._define(f"{qualname}.{name}", "member", child, value)
            elif child.type in ("property_identifier", "string"):
                self._define(f"{qualname}.{text_of(child).strip(chr(39) + chr(34))}", "member", child)

    def _alias(self, node: Node) -> None:
        qualname = self._qualify(field_text(node, "name"))
        value = node.child_by_field_name("value")
        self._define(qualname, "type", node, bases=tuple(alias_bases(value)) if value is not None else ())
        self._enter(node, qualname, is_class=True, owner=qualname)

    def _function(self, node: Node) -> None:
        qualname = self._qualify(field_text(node, "name"))
        self._define(qualname, "function", node, node)
        # In a constructor function `this.x` is a field of what it makes.
        self._enter(node, qualname, is_class=False, owner=qualname if qualname[:1].isupper() else self._owner())

    def _anonymous(self, node: Node) -> None:
        """A function without a name of its own: what it declares is local to it."""
        if not any(scope.start == node.start_byte and scope.end == node.end_byte for scope in self.scopes):
            self._enter(node, self.scopes[-1].qualname if self.scopes else "", is_class=False, owner=self._owner())

    def _method(self, node: Node) -> None:
        name = property_name(node, "name")
        scope = self.scopes[-1] if self.scopes else None
        if scope is None or not scope.is_class:
            return
        accessor = any(child.type in ("get", "set") for child in node.children[:3])
        self._define(f"{scope.qualname}.{name}", "field" if accessor else "method", node, None if accessor else node)
        if name == "constructor":
            parameters = node.child_by_field_name("parameters")
            for child in parameters.named_children if parameters else ():
                pattern = child.child_by_field_name("pattern")
                if pattern is not None and any(
                    c.type in ("accessibility_modifier", "readonly") for c in child.children
                ):
                    self._define(f"{scope.qualname}.{text_of(pattern)}", "field", child)
        self._enter(node, f"{scope.qualname}.{name}", is_class=False, owner=scope.owner)

    def _field(self, node: Node) -> None:
        scope, value = self.scopes[-1] if self.scopes else None, node.child_by_field_name("value")
        if scope is None or not scope.is_class:
            return
        name = property_name(node, "name") or property_name(node, "property")
        callable_ = value is not None and is_function(value)
        self._define(f"{scope.qualname}.{name}", "method" if callable_ else "field", node, value)

    def _variable(self, node: Node) -> None:
        name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if (
            name_node is None
            or (value is not None and self._is_required(name_node, value))
            or name_node.type != "identifier"
        ):
            return
        name = text_of(name_node)
        borrowed = _BORROWED.match(field_text(node, "type") or "") if value is None else None
        if borrowed is not None:
            self.facts.imports.append(Import(borrowed[1], name, name, line_of(node), False))
            return
        if value is not None and value.type == "assignment_expression":
            value = self._chained(name, value)
        self._bind(self._qualify(name), node, value, local=bool(self.scopes))

    def _chained(self, name: str, value: Node) -> Node | None:
        """`var app = exports = module.exports = {...}`: the name stands for what is exported."""
        inner: Node | None = value
        while inner is not None and inner.type == "assignment_expression":
            if field_text(inner, "left") in _EXPORTS:
                self.aliases.add(name)
                self.exported.setdefault(name)
            inner = inner.child_by_field_name("right")
        return inner

    def _bind(self, qualname: str, node: Node, value: Node | None, *, local: bool) -> None:
        """A name that gets a value: by the value it is a function, a class, an object or a constant."""
        value = unwrap(value)
        if value is not None and is_function(value):
            self._define(qualname, "function", node, value)
            self._enter(value, qualname, is_class=False, owner=qualname if qualname[:1].isupper() else "")
        elif value is not None and value.type == "class":
            self._define(qualname, "class", node, bases=tuple(bases(value)))
            self._enter(value, qualname, is_class=True, owner=qualname)
        elif not local:
            self._define(qualname, "constant", node, value)
            if value is not None and value.type == "object":
                self._members(qualname, value, 0)

    def _members(self, qualname: str, value: Node, depth: int) -> None:
        for child in value.named_children:
            if child.type == "pair":
                inner = unwrap(child.child_by_field_name("value"))
                name = f"{qualname}.{property_name(child, 'key')}"
                self._define(name, "method" if inner is not None and is_function(inner) else "field", child, inner)
                if inner is not None and inner.type == "object" and depth < _OBJECT_DEPTH:
                    self._members(name, inner, depth + 1)
            elif child.type == "method_definition":
                self._define(f"{qualname}.{property_name(child, 'name')}", "method", child, child)
            elif child.type == "shorthand_property_identifier":
                self._define(f"{qualname}.{text_of(child)}", "field", child)

    def _assignment(self, node: Node) -> None:
        left = node.child_by_field_name("left")
        value = node.child_by_field_name("right")
        while value is not None and value.type == "assignment_expression":
            value = value.child_by_field_name("right")
        if left is None or left.type != "member_expression":
            return
        path = text_of(left).replace("?.", ".") if left.end_byte - left.start_byte < 200 else ""
        if path in _EXPORTS:
            self._export_value(value, node)
        elif re.fullmatch(r"[\w$]+(\.[\w$#]+)+", path):
            self._assign(path, node, value)

    def _assign(self, path: str, node: Node, value: Node | None) -> None:
        parts = path.split(".")
        if parts[0] == "this":
            if self._owner() and len(parts) == 2:
                function = value is not None and is_function(value)
                self._define(f"{self._owner()}.{parts[1]}", "method" if function else "field", node, value)
            return
        if parts[:2] == ["module", "exports"]:
            parts = parts[1:]
        if parts[0] == "exports" and len(parts) == 2:
            self.exported.setdefault(parts[1])
            self._bind(parts[1], node, value, local=False)
            return
        parts = [part for part in parts if part not in ("prototype", "exports")]
        if len(parts) == 2 and not (self.scopes and parts[0][:1].islower()):
            value = unwrap(value)
            function = value is not None and is_function(value)
            if parts[0] in self.aliases:  # what is put on an exported object is exported
                self.exported.setdefault(parts[1])
            self._define(".".join(parts), "method" if function else "field", node, value)
            if function and value is not None:
                self._enter(value, ".".join(parts), is_class=False, owner=parts[0])

    def _export_value(self, value: Node | None, node: Node) -> None:
        """`module.exports = value`."""
        if value is None or self.scopes:
            return
        if value.type == "identifier":
            self.aliases.add(text_of(value))
            self.exported.setdefault(text_of(value))
        elif value.type == "object":
            self._exported_object(value)
        elif value.type == "call_expression":
            module = required_module(value)
            self.open_exports = True
            if module:
                self.facts.imports.append(Import(module, "*", "*", line_of(node), True))
        elif is_function(value) or value.type == "class":
            name = field_text(value, "name")
            if name:
                self.exported.setdefault(name)
                self._bind(name, node, value, local=False)

    def _exported_object(self, value: Node) -> None:
        for child in value.named_children:
            if child.type == "shorthand_property_identifier":
                self.exported.setdefault(text_of(child))
            elif child.type == "pair":
                self._exported_pair(child)
            elif child.type == "method_definition":
                name = property_name(child, "name")
                self.exported.setdefault(name)
                accessor = any(c.type in ("get", "set") for c in child.children[:3])
                self._define(name, "field" if accessor else "function", child, None if accessor else child)
            elif child.type == "spread_element":
                self.open_exports = True

    def _exported_pair(self, pair: Node) -> None:
        name, inner = property_name(pair, "key"), unwrap(pair.child_by_field_name("value"))
        self.exported.setdefault(name)
        module = required_module(inner) if inner is not None and inner.type == "call_expression" else ""
        if module:
            self.facts.imports.append(Import(module, "default", name, line_of(pair), True))
        elif inner is not None and inner.type != "identifier":
            self._define(name, "function" if is_function(inner) else "constant", pair, inner)
            if inner.type == "object":
                self._members(name, inner, 0)
        elif inner is not None and text_of(inner) != name:
            self._define(name, "constant", pair)

    def _is_required(self, name: Node, value: Node) -> bool:
        found = required(name, value)
        self.facts.imports.extend(found or ())
        return found is not None

    def _import(self, node: Node) -> None:
        self.facts.imports.extend(imported(node))

    def _call(self, node: Node) -> None:
        """`Object.defineProperty(Foo.prototype, 'x', …)`, `defineGetter(req, 'x', …)`."""
        function = field_text(node, "function") if node.end_byte - node.start_byte < 20_000 else ""
        arguments = node.child_by_field_name("arguments")
        if arguments is None or "efine" not in function:
            return
        values = [child for child in arguments.named_children if child.type != "comment"]
        if (
            len(values) >= 2
            and values[1].type == "string"
            and values[0].type in ("identifier", "member_expression", "this")
        ):
            owner = text_of(values[0]).removesuffix(".prototype")
            name = literal(values[1]) or ""
            if owner in _EXPORTS:
                self.exported.setdefault(name)
                self._define(name, "field", node)
            elif re.fullmatch(r"\w+", owner):
                self._define(f"{self._owner() if owner == 'this' else owner}.{name}", "field", node)

    def _export(self, node: Node) -> None:
        origin = literal(node.child_by_field_name("source")) or ""
        declaration = node.child_by_field_name("declaration")
        if any(child.type == "default" for child in node.children):
            self.exported.setdefault("default")
        elif declaration is not None:
            for name in declared(declaration):
                self.exported.setdefault(name)
        for child in node.children:
            if child.type == "*":
                self.facts.imports.append(Import(origin, "*", "*", line_of(node), True))
                self.open_exports = True
            elif child.type == "namespace_export":
                self.exported.setdefault(text_of(child.named_children[0]))
            elif child.type == "export_clause":
                self._export_clause(origin, child)

    def _export_clause(self, origin: str, clause: Node) -> None:
        for child in clause.named_children:
            name = field_text(child, "name")
            alias = field_text(child, "alias") or name
            if name:
                self.exported.setdefault(alias)
                if origin:
                    self.facts.imports.append(Import(origin, name, alias, line_of(child), True))
