"""Strings, names and arguments of Python calls, as far as a file tells them."""

from __future__ import annotations

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.constants import DEPTH, Constants
from docalign_actors.engine.code.source import text_of

_CONSTANTS = "(assignment left: (identifier) @name right: [(string) (concatenated_string) (binary_operator)] @value)"


class Values(Constants):
    """The strings of Python."""

    query = _CONSTANTS

    def text(self, node: Node | None, depth: int = 0) -> str | None:
        """The string a node stands for; None if it is no string that can be told."""
        if node is None or depth > DEPTH:
            return None
        match node.type:
            case "string":
                return self._string(node, depth)
            case "concatenated_string" | "parenthesized_expression":
                return self._joined(list(node.named_children), depth)
            case "binary_operator":
                return self._binary(node, depth)
            case "identifier":
                return self.named(node, depth)
            case "attribute":
                return "${" + text_of(node.child_by_field_name("attribute") or node) + "}"
        return None

    def _string(self, node: Node, depth: int) -> str | None:
        parts: list[str] = []
        formatted = b"f" in (node.children[0].text or b"").lower()
        for child in node.named_children:
            if child.type == "string_content":
                content = text_of(child)
                parts.append(content.replace("{{", "{").replace("}}", "}") if formatted else content)
            elif child.type == "interpolation":
                parts.append(self.text(child.child_by_field_name("expression"), depth + 1) or "${_}")
        return "".join(parts)

    def _joined(self, nodes: list[Node], depth: int) -> str | None:
        values = [self.text(node, depth + 1) for node in nodes if node.type != "comment"]
        return "".join(v for v in values if v is not None) if values and None not in values else None

    def _binary(self, node: Node, depth: int) -> str | None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = text_of(node.child_by_field_name("operator") or node)
        head = self.text(left, depth + 1)
        if operator == "+":
            tail = self.text(right, depth + 1)
            return None if head is None and tail is None else (head or "${_}") + (tail or "${_}")
        if operator == "%" and head is not None and right is not None:
            given = list(right.named_children) if right.type == "tuple" else [right]
            for one in given:
                head = head.replace("%s", self.text(one, depth + 1) or "${_}", 1)
            return head
        return None


class Arguments:
    """A call's arguments."""

    def __init__(self, call: Node) -> None:
        self.positional: list[Node] = []
        self.keywords: dict[str, Node] = {}
        self.splat = False
        listed = call.child_by_field_name("arguments")
        for child in listed.named_children if listed is not None else ():
            if child.type == "keyword_argument":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None and value is not None:
                    self.keywords[text_of(name)] = value
            elif child.type in ("list_splat", "dictionary_splat"):
                self.splat = True
            elif child.type != "comment":
                self.positional.append(child)

    def get(self, position: int, *names: str) -> Node | None:
        for name in names:
            if name in self.keywords:
                return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else None


def call_name(call: Node) -> tuple[str, str]:
    """(receiver, name) of a call: `app.router.add_get(…)` gives `app.router` and `add_get`."""
    function = call.child_by_field_name("function")
    if function is None:
        return "", ""
    if function.type == "attribute":
        receiver, name = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        return (text_of(receiver) if receiver is not None else "", text_of(name) if name is not None else "")
    return "", text_of(function)


def elements(node: Node | None) -> list[Node]:
    """The elements of a list, tuple or set; none of anything else."""
    if node is None or node.type not in ("list", "tuple", "set"):
        return []
    return [child for child in node.named_children if child.type != "comment"]


def assigned_name(node: Node, around: Ancestry) -> str:
    """The variable that the expression around a node is assigned to, "" if none: `app = Flask(__name__)` gives `app`."""
    for parent in around.of(node):
        if parent.type in ("assignment", "augmented_assignment", "named_expression"):
            left = parent.child_by_field_name("left") or parent.child_by_field_name("name")
            return text_of(left) if left is not None else ""
        if parent.type in ("function_definition", "class_definition", "module", "block"):
            return ""
    return ""


def decorated(node: Node) -> Node | None:
    """The function or class that a decorator's call decorates."""
    parent = node.parent
    if parent is None or parent.type != "decorator" or parent.parent is None:
        return None
    return parent.parent.child_by_field_name("definition")


def enclosing_class(node: Node, around: Ancestry) -> Node | None:
    """The class a method stands in."""
    for parent in around.of(node):
        if parent.type == "class_definition":
            return parent
        if parent.type in ("function_definition", "module"):
            return None
    return None


def name_of(node: Node | None) -> str:
    """The name of a definition."""
    name = node.child_by_field_name("name") if node is not None else None
    return text_of(name) if name is not None else ""
