"""Reads JavaScript and TypeScript examples: imports, uses of names, keys of options objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, text_of
from docalign_actors.engine.documents.model import Block
from docalign_actors.engine.kinds.imports.paths import served_package
from docalign_actors.engine.kinds.shared.examples import Argument, Examples, Imported, Lines, Place, Use

_QUERY = """
(import_statement) @import
(export_statement) @export
(variable_declarator) @variable
[(class_declaration) (function_declaration)] @definition
(arrow_function) @arrow
(member_expression) @member
(call_expression) @call
(new_expression) @new
"""
"""Only what stands for itself: a query that looks into its nodes takes several times as long to compile."""
_PARAMETERS = {"javascript": "(formal_parameters) @parameters", "typescript": "(required_parameter) @parameter"}


def _named(module: str) -> str:
    """The module, or the package that a site for scripts serves: an address has dots of its own."""
    return served_package(module) or module


def _field(node: Node, name: str, kind: str) -> Node | None:
    """A node's field, if it is of this kind."""
    found = node.child_by_field_name(name)
    return found if found is not None and found.type == kind else None


def _all_required(calls: Iterable[Node]) -> list[Node]:
    """The modules that are required, in their order."""
    named = ((call, _field(call, "function", "identifier")) for call in calls)
    told = [
        _field(call, "arguments", "arguments") for call, name in named if name is not None and name.text == b"require"
    ]
    found = (node for given in told if given is not None for node in given.named_children if node.type == "string")
    return sorted(found, key=attrgetter("start_byte"))


def _own_arguments(captures: Mapping[str, list[Node]]) -> Iterator[str]:
    """The parameters of the example's own functions."""
    found = [_field(node, "parameter", "identifier") for node in captures.get("arrow", [])]
    found += [_field(node, "pattern", "identifier") for node in captures.get("parameter", [])]
    lists = captures.get("parameters", [])
    found += [node for given in lists for node in given.named_children if node.type == "identifier"]
    yield from (text_of(node) for node in found if node is not None)


class Reader:
    """Follows names from block to block of one document."""

    def __init__(self, examples: Examples) -> None:
        self.examples = examples
        self.imported: dict[str, tuple[str, ...]] = {}
        self.types: dict[str, tuple[str, ...]] = {}
        self.origins: dict[str, str] = {}
        self.bound: set[str] = set()
        self.arguments: set[str] = set()

    def read(self, block: Block, lines: Lines, language: str) -> None:
        """Adds a block's imports, uses and arguments."""
        self.block, self.lines, self.language = block, lines, language
        parameters = _PARAMETERS["javascript" if language == "javascript" else "typescript"]
        captures = Source("", language, lines.text.encode()).captures(_QUERY + parameters)
        self.arguments.update(_own_arguments(captures))
        exports = [node for node in captures.get("export", []) if _field(node, "source", "string")]
        for node in captures.get("import", []) + exports:
            self._import(node)
        for node in _all_required(captures.get("call", [])):
            self._require(node)
        for node in captures.get("definition", []):
            name = node.child_by_field_name("name")
            if name is not None and (node.type == "class_declaration" or name.type == "identifier"):
                self.examples.defined.add(text_of(name))
                self.bound.add(text_of(name))
        for node in captures.get("variable", []):
            self._variable(node)
        for node in captures.get("member", []):
            self._member(node)
        for node in captures.get("call", []) + captures.get("new", []):
            self._call(node)

    def _place(self, node: Node) -> Place | None:
        row, start = node.start_point
        end_row, end = node.end_point
        return self.lines.place(row, start, end, in_bytes=True) if row == end_row else None

    def _inside(self, node: Node) -> Node:
        """A string's content without its quotes."""
        return node.named_children[0] if node.named_children else node

    def _module(self, node: Node, module: str) -> None:
        place = self._place(node)
        if place:
            self.examples.imports.append(Imported(module, "", place, self.block, self.language))

    def _import(self, node: Node) -> None:
        source = node.child_by_field_name("source")
        if source is None:
            return
        inside = self._inside(source)
        module = text_of(inside)
        self._module(inside, module)
        clause = next(
            (child for child in node.named_children if child.type in ("import_clause", "export_clause")), None
        )
        for child in clause.named_children if clause is not None else ():
            if child.type == "identifier":
                self.imported[text_of(child)] = (_named(module),)
            elif child.type == "namespace_import" and child.named_children:
                self.imported[text_of(child.named_children[0])] = (_named(module),)
            elif child.type == "named_imports":
                for item in child.named_children:
                    self._named(module, item, item.child_by_field_name("name"), item.child_by_field_name("alias"))

    def _named(self, module: str, item: Node, name: Node | None, alias: Node | None) -> None:
        if name is None:
            return
        self.imported[text_of(alias if alias is not None else name)] = (_named(module), text_of(name))
        place = self._place(name)
        if place:
            self.examples.imports.append(Imported(module, text_of(name), place, self.block, self.language))

    def _require(self, node: Node) -> None:
        inside = self._inside(node)
        self._module(inside, text_of(inside))

    def _variable(self, node: Node) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return
        if value is not None and value.type == "await_expression" and value.named_children:
            value = value.named_children[0]
        module = _required(value)
        if module and name.type == "identifier":
            member = (
                text_of(value.child_by_field_name("property") or value)
                if value is not None and value.type == "member_expression"
                else ""
            )
            self.imported[text_of(name)] = (_named(module), member) if member else (_named(module),)
        elif module and name.type == "object_pattern":
            for child in name.named_children:
                key = child.child_by_field_name("key") if child.type == "pair_pattern" else child
                self._named(
                    module, child, key, child.child_by_field_name("value") if child.type == "pair_pattern" else None
                )
        elif name.type == "identifier":
            self._bind(text_of(name), value)

    def _bind(self, name: str, value: Node | None) -> None:
        self.types.pop(name, None)
        self.imported.pop(name, None)
        maker = (
            value.child_by_field_name("constructor") if value is not None and value.type == "new_expression" else None
        )
        path = self._path(maker)
        if path:
            self.types[name] = self._meaning(path)[0]
        else:
            self.bound.add(name)

    def _path(self, node: Node | None) -> tuple[str, ...]:
        parts: list[str] = []
        while node is not None and node.type == "member_expression" and len(parts) < 8:
            prop = node.child_by_field_name("property")
            parts.insert(0, text_of(prop) if prop is not None else "")
            node = node.child_by_field_name("object")
        return (text_of(node), *parts) if node is not None and node.type == "identifier" else ()

    def _meaning(self, path: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        root = path[0]
        if root in self.imported:
            return self.imported[root] + path[1:], "import"
        if root in self.types and len(path) > 1:
            return self.types[root] + path[1:2], "typed"
        return path, "free"

    def _origin(self, path: tuple[str, ...]) -> str:
        root = path[0] if path else ""
        if root in self.imported:
            return self.imported[root][0]
        return self.origins.get(root, "")

    def _member(self, node: Node) -> None:
        parent = node.parent
        if parent is not None and parent.type == "member_expression":
            return
        call = (
            parent is not None
            and parent.type in ("call_expression", "new_expression")
            and parent.named_children[0] == node
        )
        last = node.child_by_field_name("property")
        path = self._path(node)
        if last is None:
            return
        if not path:
            self._add((text_of(last),), "member", last, call, node)
            return
        full, how = self._meaning(path)
        if how == "typed" and len(path) > 2:
            self._add(path[-1:], "member", last, call, node)
        else:
            self._add(full, how, node, call)

    def _call(self, node: Node) -> None:
        function = node.child_by_field_name("function") or node.child_by_field_name("constructor")
        path = self._path(function)
        arguments = node.child_by_field_name("arguments")
        if not path or function is None:
            return
        full, how = self._meaning(path)
        known = (self.bound, self.types, self.arguments, ("require",))
        unbound = len(path) == 1 and not any(path[0] in names for names in known)
        if unbound and (how != "import" or (len(full) > 1 and full[-1] == path[0])):
            self._add(full, how, function, True)
        for child in arguments.named_children if arguments is not None else ():
            if child.type == "object":
                self._keys(full, how, child)

    def _keys(self, function: tuple[str, ...], how: str, node: Node) -> None:
        for child in node.named_children:
            key = child.child_by_field_name("key") if child.type == "pair" else child
            if key is not None and key.type in ("property_identifier", "shorthand_property_identifier"):
                place = self._place(key)
                if place:
                    self.examples.arguments.append(
                        Argument(function, how, text_of(key), place, self.block, self.language)
                    )

    def _add(self, parts: tuple[str, ...], how: str, node: Node, call: bool, whole: Node | None = None) -> None:
        place = self._place(node)
        if place is None and node.type == "member_expression":
            last = node.child_by_field_name("property")
            place = self._place(last) if last is not None else None
        if place is not None and all(parts):
            root = whole or node
            while (
                root.type in ("member_expression", "call_expression", "await_expression", "subscript_expression")
                and root.named_children
            ):
                root = root.named_children[0]
            origin = self._origin((text_of(root),)) if root.type == "identifier" else ""
            self.examples.uses.append(Use(parts, how, place, call, self.block, self.language, origin))


def _required(node: Node | None) -> str:
    if node is not None and node.type == "member_expression":
        node = node.child_by_field_name("object")
    if node is None or node.type != "call_expression":
        return ""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or text_of(function) != "require" or arguments is None or not arguments.named_children:
        return ""
    first = arguments.named_children[0]
    return text_of(first)[1:-1] if first.type == "string" else ""
