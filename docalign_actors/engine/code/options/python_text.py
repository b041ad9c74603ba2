"""Small readers of Python syntax trees: strings, literals, call arguments."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from docalign_actors.engine.code.source import text_of

_LITERALS = frozenset({"integer", "float", "true", "false", "none"})


def string_value(node: Node | None) -> str | None:
    """The text of a plain string; None for anything else, an f-string with holes included."""
    if node is None:
        return None
    if node.type == "concatenated_string":
        parts = [string_value(child) for child in node.named_children]
        return None if None in parts else "".join(p for p in parts if p)
    if node.type != "string" or any(child.type == "interpolation" for child in node.named_children):
        return None
    return "".join(text_of(child) for child in node.named_children if child.type == "string_content")


def literal_value(node: Node | None) -> str | None:
    """A literal as source text without quotes; None where it is not a literal."""
    if node is None:
        return None
    if node.type in _LITERALS or (node.type == "unary_operator" and text_of(node)[1:2].isdigit()):
        return text_of(node)
    return string_value(node)


def strings_of(node: Node | None) -> list[str]:
    """The plain strings of a string, list, tuple or set."""
    if node is None:
        return []
    value = string_value(node)
    if value is not None:
        return [value]
    if node.type in ("list", "tuple", "set", "parenthesized_expression"):
        return [text for child in node.named_children if (text := string_value(child)) is not None]
    return []


def positional(call: Node) -> list[Node]:
    """The positional arguments of a call, comments left out."""
    arguments = call.child_by_field_name("arguments")
    if arguments is None:
        return []
    return [a for a in arguments.named_children if a.type not in ("keyword_argument", "comment", "dictionary_splat")]


def keywords(call: Node) -> dict[str, Node]:
    """The keyword arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    found: dict[str, Node] = {}
    for argument in arguments.named_children if arguments is not None else ():
        name, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
        if argument.type == "keyword_argument" and name is not None and value is not None:
            found[text_of(name)] = value
    return found


def callee(call: Node) -> tuple[str, str]:
    """What a call calls: (receiver as written, last name): `parser.add_argument` gives ("parser", "add_argument")."""
    function = call.child_by_field_name("function")
    if function is None:
        return "", ""
    if function.type == "attribute":
        receiver, name = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        return (text_of(receiver)[:200] if receiver else ""), (text_of(name) if name else "")
    return "", text_of(function) if function.type == "identifier" else ""


def assigned_name(call: Node) -> str:
    """The variable that a call's value is assigned to, as written (`self.parser`); "" if there is none."""
    parent = call.parent
    if parent is not None and parent.type in ("assignment", "named_expression", "as_pattern"):
        left = parent.child_by_field_name("left") or parent.child_by_field_name("name")
        return text_of(left)[:200] if left is not None else ""
    return ""


def enclosing_function(node: Node) -> Node | None:
    """The function that a node stands in."""
    parent = node.parent
    while parent is not None and parent.type != "function_definition":
        parent = parent.parent
    return parent


class Scopes:
    """What a variable stands for, in the function where it is assigned and in those within."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], str] = {}

    def assign(self, call: Node, value: str) -> None:
        """The variable that the call's value is assigned to stands for `value`."""
        name = assigned_name(call)
        function = None if name.startswith("self.") else enclosing_function(call)
        if name:
            self._found[function.id if function is not None else 0, name] = value

    def find(self, node: Node, name: str) -> str | None:
        """What a name stands for at a node."""
        function = enclosing_function(node)
        while function is not None:
            if (function.id, name) in self._found:
                return self._found[function.id, name]
            function = enclosing_function(function)
        return self._found.get((0, name))


class Parameter:
    """A parameter of a function as command frameworks see it."""

    def __init__(self, node: Node) -> None:
        name = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else node)
        self.name = text_of(name) if name.type == "identifier" else ""
        self.type = node.child_by_field_name("type")
        self.default = node.child_by_field_name("value")
        self.line = node.start_point[0] + 1

    @property
    def annotation(self) -> str:
        return text_of(self.type)[:400] if self.type is not None else ""


def parameters(function: Node) -> Iterator[tuple[Parameter, bool]]:
    """Each named parameter, and whether it may only be given by keyword."""
    listed = function.child_by_field_name("parameters")
    keyword_only = False
    for child in listed.named_children if listed is not None else ():
        if child.type in ("keyword_separator", "list_splat_pattern"):
            keyword_only = True
        elif child.type in ("typed_parameter", "default_parameter", "typed_default_parameter", "identifier"):
            parameter = Parameter(child)
            if parameter.name:
                yield parameter, keyword_only
