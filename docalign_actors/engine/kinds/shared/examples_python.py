"""Reads Python examples: imports, uses of names, keyword arguments."""

from __future__ import annotations

from tree_sitter import Node

from docalign_actors.engine.code.source import Source, text_of
from docalign_actors.engine.documents.model import Block
from docalign_actors.engine.kinds.shared.examples import Argument, Examples, Imported, Lines, Place, Use
from docalign_actors.engine.kinds.shared.names import is_distinctive

_QUERY = """
(import_statement) @import
(import_from_statement) @from
(class_definition name: (identifier) @defined)
(class_definition superclasses: (argument_list)) @subclass
(function_definition name: (identifier) @defined)
(assignment) @assignment
(named_expression) @assignment
(as_pattern) @with
(typed_parameter) @parameter
(typed_default_parameter) @parameter
(parameters (identifier) @argument)
(default_parameter name: (identifier) @argument)
(lambda_parameters (identifier) @argument)
(for_statement left: (identifier) @argument)
(for_in_clause left: (identifier) @argument)
(identifier) @identifier
(attribute) @attribute
(call) @call
"""
_NOT_TYPES = frozenset((
    "str", "int", "float", "bool", "bytes", "dict", "list", "tuple", "set", "Any", "None", "Optional", "Union",
    "Annotated", "Literal",
))  # fmt: skip


class Reader:
    """Follows names from block to block of one document."""

    def __init__(self, examples: Examples) -> None:
        self.examples = examples
        self.imported: dict[str, tuple[str, ...]] = {}
        self.types: dict[str, tuple[str, ...]] = {}
        self.origins: dict[str, str] = {}
        self.bound: set[str] = set()
        self.arguments: set[str] = set()
        """Parameters of the example's own functions, loop variables: objects of unknown class, never functions of ours."""
        self.within: dict[str, list[tuple[int, int]]] = {}
        """Of the block's parameters with a type, where the functions stand that have them."""

    def read(self, block: Block, lines: Lines) -> None:
        """Adds a block's imports, uses and arguments."""
        self.block, self.lines, self.within = block, lines, {}
        captures = Source("", "python", lines.text.encode()).captures(_QUERY)
        self.identifiers = captures.get("identifier", [])
        for node in captures.get("import", []):
            self._import(node)
        for node in captures.get("from", []):
            self._from(node)
        for node in captures.get("defined", []):
            self.examples.defined.add(text_of(node))
            self.bound.add(text_of(node))
            self.imported.pop(text_of(node), None)
        for node in captures.get("argument", []):
            self.arguments.add(text_of(node))
            self.types.pop(text_of(node), None)
        for node in captures.get("parameter", []):
            self._parameter(node)
        for node in captures.get("assignment", []):
            self._assignment(node)
        for node in captures.get("with", []):
            self._with(node)
        for node in captures.get("attribute", []):
            self._attribute(node)
        for node in captures.get("identifier", []):
            self._identifier(node)
        for node in captures.get("call", []):
            self._call(node)
        for node in captures.get("subclass", []):
            self._overrides(node)

    def _overrides(self, node: Node) -> None:
        """The methods of a class that extends an imported one: hooks that the parent calls by name."""
        parents, body = node.child_by_field_name("superclasses"), node.child_by_field_name("body")
        first = parents.named_children[0] if parents is not None and parents.named_children else None
        path = self._path(first)
        if not path or body is None:
            return
        full, how = self._meaning(path, node)
        for child in body.named_children if how in ("import", "free") and full[-1][:1].isupper() else ():
            method = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
            name = (
                method.child_by_field_name("name")
                if method is not None and method.type == "function_definition"
                else None
            )
            place = self._place(name) if name is not None else None
            if name is not None and place is not None:
                self.examples.uses.append(Use((*full, text_of(name)), "override", place, False, self.block, "python"))
                self.examples.overridden.add(text_of(name))
                self._taken((*full, text_of(name)), method)

    def _taken(self, function: tuple[str, ...], method: Node | None) -> None:
        """The parameters of an overriding method, wherever the method names them: the parent's have the same names."""
        listed = method.child_by_field_name("parameters") if method is not None else None
        names: set[str] = set()
        for child in listed.named_children if listed is not None else ():
            name = child.child_by_field_name("name") or (child.named_children[0] if child.named_children else child)
            if is_distinctive(text_of(name)):
                names.add(text_of(name))
        if not names or method is None:
            return
        for node in self.identifiers:
            place = self._place(node) if method.start_byte <= node.start_byte < method.end_byte else None
            if place is not None and place.text in names:
                self.examples.arguments.append(Argument(function, "override", place.text, place, self.block, "python"))

    def _place(self, node: Node) -> Place | None:
        row, start = node.start_point
        end_row, end = node.end_point
        return self.lines.place(row, start, end, in_bytes=True) if row == end_row else None

    def _import(self, node: Node) -> None:
        for child in node.named_children:
            target = child.child_by_field_name("name") if child.type == "aliased_import" else child
            if target is None:
                continue
            module = text_of(target)
            alias = child.child_by_field_name("alias")
            if alias is not None:
                self.imported[text_of(alias)] = tuple(module.split("."))
            else:
                first = module.split(".")[0]
                self.imported[first] = (first,)
            place = self._place(target)
            if place:
                self.examples.imports.append(Imported(module, "", place, self.block, "python"))

    def _from(self, node: Node) -> None:
        origin = node.child_by_field_name("module_name")
        module = text_of(origin) if origin else ""
        if origin is None or module.startswith("."):
            return
        place = self._place(origin)
        if place:
            self.examples.imports.append(Imported(module, "", place, self.block, "python"))
        for child in node.named_children:
            target = child.child_by_field_name("name") if child.type == "aliased_import" else child
            if target is None or target.type != "dotted_name" or child.start_byte == origin.start_byte:
                continue
            alias = child.child_by_field_name("alias")
            name = text_of(target)
            self.imported[text_of(alias) if alias is not None else name] = (*module.split("."), name)
            place = self._place(target)
            if place:
                self.examples.imports.append(Imported(module, name, place, self.block, "python"))

    def _path(self, node: Node | None) -> tuple[str, ...]:
        """`a.b.c` as parts; empty if it is anything but names and dots."""
        parts: list[str] = []
        while node is not None and node.type == "attribute" and len(parts) < 8:
            parts.insert(0, _field(node, "attribute"))
            node = node.child_by_field_name("object")
        return (text_of(node), *parts) if node is not None and node.type == "identifier" else ()

    def _meaning(self, path: tuple[str, ...], node: Node) -> tuple[tuple[str, ...], str]:
        """The full name behind a path, and how it is known."""
        root = path[0]
        if root in self.within and not any(start <= node.start_byte < end for start, end in self.within[root]):
            return path[-1:], "bound" if len(path) == 1 else "member"  # the parameter is another function's
        if root in self.imported:
            return self.imported[root] + path[1:], "import"
        if root in self.types and len(path) > 1:
            return self.types[root] + path[1:2], "typed"
        if root in self.bound or root in ("self", "cls", "super"):
            return path[-1:], "bound" if len(path) == 1 else "member"
        return path, "free"

    def _origin(self, path: tuple[str, ...]) -> str:
        """The module that a path starts from, "" if that is not known."""
        root = path[0] if path else ""
        if root in self.imported:
            return self.imported[root][0]
        return self.types[root][0] if root in self.types else self.origins.get(root, "")

    def _bind(self, name: str, node: Node | None) -> None:
        """A variable that holds what a call of `node` gives, or what the type `node` says."""
        path = self._path(node)
        self.origins[name] = self._origin(path)
        full, how = self._meaning(path, node) if path and node is not None else ((), "")
        self.types.pop(name, None)
        self.imported.pop(name, None)
        # Only what is called like a class is taken for one: a function returns anything.
        if how in ("import", "free") and full[-1][:1].isupper() and full[-1] not in _NOT_TYPES:
            self.types[name] = full
        else:
            self.bound.add(name)

    def _parameter(self, node: Node) -> None:
        name = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else None)
        annotation = node.child_by_field_name("type")
        if name is not None and name.type == "identifier" and annotation is not None and annotation.named_children:
            self._bind(text_of(name), annotation.named_children[0])
            function = node.parent.parent if node.parent is not None else None
            if function is not None:
                self.within.setdefault(text_of(name), []).append((function.start_byte, function.end_byte))

    def _assignment(self, node: Node) -> None:
        left = node.child_by_field_name("left") or node.child_by_field_name("name")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if left is None or left.type != "identifier":
            return
        if right is not None and right.type == "await" and right.named_children:
            right = right.named_children[0]
        function = right.child_by_field_name("function") if right is not None and right.type == "call" else None
        self._bind(text_of(left), function)
        self.within.pop(text_of(left), None)

    def _with(self, node: Node) -> None:
        value, target = (
            (node.named_children[0], node.named_children[-1]) if node.named_child_count >= 2 else (None, None)
        )
        if value is not None and target is not None and target.named_child_count == 1 and value.type == "call":
            self._bind(text_of(target), value.child_by_field_name("function"))

    def _attribute(self, node: Node) -> None:
        parent = node.parent
        if parent is not None and parent.type == "attribute":
            return
        call = parent is not None and parent.type in ("call", "decorator") and parent.named_children[0] == node
        if call and parent is not None and parent.type == "call":
            function = parent.child_by_field_name("function")
            call = (
                function is not None and function.start_byte == node.start_byte and function.end_byte == node.end_byte
            )
        path = self._path(node)
        last = node.child_by_field_name("attribute")
        if last is None:
            return
        if not path:
            self._add((text_of(last),), "member", last, call, node)
            return
        full, how = self._meaning(path, node)
        typed_deep = how == "typed" and len(path) > 2
        if how == "typed":
            first = node
            for _ in range(len(path) - 2):
                first = first.child_by_field_name("object") or first
            self._add(full, how, first, call and not typed_deep)
        if how in ("member", "bound") or typed_deep:
            self._add(path[-1:], "member", last, call, node)
        elif how in ("import", "free"):
            self._add(full, how, node, call)

    def _identifier(self, node: Node) -> None:
        name = text_of(node)
        if name in self.imported and len(self.imported[name]) > 1:
            how, full = "import", self.imported[name]
            if full[-1] != name or self._is_label(node):
                return
            self._add(full, how, node, False)
        elif self._is_called(node) and not any(
            name in known for known in (self.bound, self.types, self.imported, self.arguments)
        ):
            self._add((name,), "free", node, True)

    def _is_called(self, node: Node) -> bool:
        parent = node.parent
        if parent is None:
            return False
        if parent.type == "call":
            function = parent.child_by_field_name("function")
            return (
                function is not None and function.start_byte == node.start_byte and function.end_byte == node.end_byte
            )
        if parent.type == "subscript" and parent.parent is not None:
            parent = parent.parent
        if parent.type == "argument_list" and parent.parent is not None:
            return parent.parent.type == "class_definition"
        return parent.type == "decorator"

    def _is_label(self, node: Node) -> bool:
        """A keyword's name, an attribute's name or part of an import is no use of the imported name."""
        parent = node.parent
        if parent is None or parent.type in ("dotted_name", "aliased_import"):
            return True
        if parent.type == "attribute":
            return True  # `name.x` is taken as a whole; `x.name` is another name
        field = parent.child_by_field_name("name")
        return (
            parent.type in ("keyword_argument", "class_definition", "function_definition", "default_parameter")
            and field == node
        )

    def _call(self, node: Node) -> None:
        path = self._path(node.child_by_field_name("function"))
        arguments = node.child_by_field_name("arguments")
        if not path or arguments is None:
            return
        full, how = self._meaning(path, node)
        if how == "bound" or (how == "typed" and len(path) > 2):
            return
        passed = tuple(
            text_of(child) for child in arguments.named_children if child.type in ("identifier", "attribute")
        )
        for child in arguments.named_children:
            before = child.prev_sibling
            if before is not None and (before.type in (":", "ERROR")):
                continue  # `tick: bool=False`: a signature, and what stands before the sign is a type
            name = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            place = self._place(name) if name is not None else None
            if name is not None and place is not None:
                self.examples.arguments.append(Argument(full, how, text_of(name), place, self.block, "python", passed))

    def _add(self, parts: tuple[str, ...], how: str, node: Node, call: bool, whole: Node | None = None) -> None:
        place = self._place(node)
        if place is None and node.type == "attribute":
            last = node.child_by_field_name("attribute")
            place = self._place(last) if last is not None else None
        if place is not None and parts and parts[-1]:
            root = whole or node
            while (
                root.type in ("attribute", "call", "await", "subscript", "parenthesized_expression")
                and root.named_children
            ):
                root = root.named_children[0]
            origin = self._origin((text_of(root),)) if root.type == "identifier" else ""
            self.examples.uses.append(Use(parts, how, place, call, self.block, "python", origin))


def _field(node: Node, field: str) -> str:
    child = node.child_by_field_name(field)
    return text_of(child) if child is not None else ""
