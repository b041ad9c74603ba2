"""Routes of Rust servers: axum, actix-web, Rocket, poem, warp's `path!`.

A router is what a chain of calls builds. It goes by its variable and function (`main:app`), by its function if that
returns it, or by its place if it is built as an argument. Attribute routes (`#[get("/x")]`) go by their function.
"""

from __future__ import annotations

import re
from functools import cached_property

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.paths import METHODS
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_WORDS = (
    b".route(", b".nest(", b".service(", b".mount(", b".merge(", b".at(", b".configure(",
    b"#[get(", b"#[post(", b"#[put(", b"#[delete(",
    b"#[patch(", b"#[head(", b"#[options(", b"#[route(", b"path!",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH = re.compile(
    rb"\.(route|nest|service|mount|merge|at|configure)\(|#\[(get|post|put|delete|patch|head|options|route)\(|path!"
)
_CHAIN = ("route", "nest", "nest_service", "merge", "service", "configure", "mount", "at", "to", "route_service")
_CALLS = f"""(call_expression function: (field_expression field: (field_identifier) @name)
  (#match? @name "^({"|".join(_CHAIN)})$")) @call"""
_ATTRIBUTES = (
    """(attribute_item (attribute [(identifier) (scoped_identifier)] @name arguments: (token_tree) @arguments)) @item"""
)
_PREFIXED = """(call_expression function: (scoped_identifier) @name (#match? @name "(scope|resource)$")) @call"""
_MACROS = """(macro_invocation macro: [(identifier) (scoped_identifier)] @name (token_tree) @tokens (#match? @name "path$"))"""
_CONSTANTS = """[
  (const_item name: (identifier) @name value: (string_literal) @value)
  (static_item name: (identifier) @name value: (string_literal) @value)
]"""
_TAILS = "(function_item name: (identifier) @function body: (block (identifier) @tail .))"
_LINKS = frozenset({"field_expression", "call_expression", "await_expression", "try_expression"})
_LONGEST_CHAIN = 20_000
_VERB = re.compile(r"(?:^|[.:(\s])(get|post|put|delete|patch|head|options|any)(?:_service|_with)?\(\s*([\w:]*)")
_TO = re.compile(r"\.to\(\s*([\w:]+)")


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes and mounts of a Rust file."""
    if holds_any(source.data, _WORDS) and _WORTH.search(source.data):
        _Collector(source, facts).run()


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.around = Ancestry()
        self.roots: dict[int, Node] = {}
        self.holders: dict[int, str] = {}

    @cached_property
    def constants(self) -> dict[str, str]:
        matches = self.source.matches(_CONSTANTS)
        return {text_of(found["name"][0]): text_of(found["value"][0])[1:-1] for _, found in matches}

    def run(self) -> None:
        if b"#[" in self.source.data:
            self.attributes()
        for _, found in self.source.matches(_PREFIXED) if holds_any(self.source.data, (b"scope", b"resource")) else ():
            call = found["call"][0]
            given = _arguments(call)
            if given:
                self.mount(call, self.text(given[0]), _place(call), "")
                self.mount(call, "", self.holder(call), _place(call))
        for _, found in self.source.matches(_CALLS):
            self.call(found["call"][0], text_of(found["name"][0]))
        if b"path!" in self.source.data:
            self.macros()
        for _, found in self.source.matches(_TAILS) if self.facts.mounts or self.facts.routes else ():
            function, tail = text_of(found["function"][0]), text_of(found["tail"][0])
            if any(name == f"{function}:{tail}" for m in self.facts.mounts for name in (m.parent, m.child)) or any(
                route.router == f"{function}:{tail}" for route in self.facts.routes
            ):
                self.facts.mounts.append(
                    Mount("", line_of(found["tail"][0]), function, f"{function}:{tail}", alias=True)
                )

    def text(self, node: Node) -> str:
        if node.type in ("string_literal", "raw_string_literal"):
            return re.sub(r'^r?#*"|"#*$', "", text_of(node))
        if node.type == "reference_expression" and node.named_children:
            return self.text(node.named_children[-1])
        if node.type in ("identifier", "scoped_identifier"):
            name = text_of(node).rpartition("::")[2]
            return self.constants.get(name, "${" + name + "}")
        if node.type == "macro_invocation":  # format!("{}/x", PREFIX), concat!("/api", "/x")
            strings = re.findall(r'"([^"]*)"', text_of(node)[:400])
            return (
                re.sub(r"\{(\w*)\}", lambda m: self.constants.get(m[1], "${_}"), "".join(strings))
                if strings
                else "${_}"
            )
        return "${_}"

    def mount(self, node: Node, prefix: str, parent: str, child: str) -> None:
        if child != parent:
            self.facts.mounts.append(Mount(prefix, line_of(node), parent, child))

    def holder(self, call: Node) -> str:
        """The router that a chain of calls builds, by whatever holds the chain."""
        if call.start_byte not in self.holders:  # the calls of one chain start at the same place
            self.holders[call.start_byte] = self.find_holder(call)
        return self.holders[call.start_byte]

    def root(self, call: Node) -> Node:
        if call.start_byte not in self.roots:
            self.roots[call.start_byte] = _root(call)
        return self.roots[call.start_byte]

    def find_holder(self, call: Node) -> str:
        root = self.root(call)
        if root.type in ("identifier", "self"):
            return self.variable(root)
        parent = next(
            (a for a in self.around.of(call) if a.start_byte != call.start_byte or a.type not in _LINKS), None
        )
        if parent is not None and parent.type == "let_declaration":
            return (
                f"{self.function(call)}:{text_of(parent.child_by_field_name('pattern') or parent).removeprefix('mut ')}"
            )
        if parent is not None and parent.type in ("arguments", "array_expression", "tuple_expression"):
            return _place(call)
        return self.function(call)

    def function(self, node: Node) -> str:
        return next((_name(parent) for parent in self.around.of(node) if parent.type == "function_item"), "")

    def variable(self, node: Node) -> str:
        name = text_of(node)
        for function in self.around.of(node):
            if function.type == "function_item":
                given = text_of(function.child_by_field_name("parameters") or function)[:1000]
                inside = _name(function)
                return inside if re.search(rf"[(,]\s*(?:mut\s+)?{re.escape(name)}\s*:", given) else f"{inside}:{name}"
        return name

    def call(self, call: Node, name: str) -> None:
        given = _arguments(call)
        if not given:
            return
        root = self.root(call)
        prefixed = root.type == "call_expression" and re.search(
            r"\b(scope|resource)$", text_of(root.child_by_field_name("function") or root)
        )
        parent = _place(call) if prefixed else self.holder(call)
        if name in ("route", "at", "route_service") and len(given) > 1:
            self.routes(call, self.text(given[0]), given[1], parent)
        elif name == "route":
            self.routes(call, "", given[0], parent)
        elif name == "to" and prefixed:
            self.facts.routes.append(Route("*", "", line_of(call), parent, text_of(given[0]).rpartition("::")[2]))
        elif name in ("nest", "nest_service") and len(given) > 1:
            self.mount(call, self.text(given[0]), parent, self.child(given[1]))
        elif name in ("merge", "service", "configure"):
            child = self.child(given[0])
            if child:
                self.mount(call, "", parent, child)
        elif name == "mount" and len(given) > 1:
            listed = re.search(r"routes!\s*[\[(]([^\])]*)[\])]", text_of(given[1])[:4000])
            for handler in listed[1].split(",") if listed else []:
                if handler.strip():
                    self.mount(call, self.text(given[0]), "", handler.strip())
            if listed is None:
                self.mount(call, self.text(given[0]), "", self.child(given[1]))

    def routes(self, call: Node, path: str, target: Node, router: str) -> None:
        if re.fullmatch(r"\$\{\w+\}", path):
            self.facts.opaque.append("routes")
            return
        text = text_of(target)[:600]
        found = [(m[1], m[2]) for m in _VERB.finditer(text)]
        to = _TO.search(text)
        for verb, handler in found or [("any", "")]:
            method = "*" if verb == "any" else verb.upper()
            name = (to[1] if to else handler).rpartition("::")[2]
            self.facts.routes.append(Route(method, path, line_of(call), router, name))

    def child(self, node: Node) -> str:
        """What is mounted: a chain built in place, a function that returns a router, a variable, an attribute route."""
        if node.type == "identifier":
            name = text_of(node)
            known = any(route.router == name for route in self.facts.routes)
            return name if known or self.is_function(name) else self.variable(node)
        if node.type == "scoped_identifier":
            return text_of(node)
        if node.type != "call_expression":
            return ""
        root = self.root(node)
        function = root.child_by_field_name("function") if root.type == "call_expression" else None
        text = text_of(function) if function is not None else ""
        if re.search(r"::(new|default|scope|resource)$", text) or text in ("scope", "resource"):
            return _place(node)
        if re.fullmatch(r"[\w:]+", text):
            return text
        return self.variable(root) if root.type == "identifier" else ""

    def is_function(self, name: str) -> bool:
        return any(i.alias == name for i in self.facts.imports) or any(
            d.name == name and d.kind == "function" for d in self.facts.definitions
        )

    def attributes(self) -> None:
        """`#[get("/x")]` on a function: somebody is to mount it by the function's name."""
        for _, found in self.source.matches(_ATTRIBUTES):
            verb = text_of(found["name"][0]).rpartition("::")[2]
            path = re.match(r'\(\s*(?:uri\s*=\s*|path\s*=\s*)?"([^"]*)"', text_of(found["arguments"][0]))
            if path is None or (verb.upper() not in METHODS and verb != "route"):
                continue
            item: Node | None = found["item"][0]
            for _ in range(20):
                item = item.next_named_sibling if item is not None else None
                if item is None or item.type == "function_item":
                    break
            if item is None or item.type != "function_item":
                continue
            methods = (
                [verb.upper()]
                if verb != "route"
                else re.findall(r'method\s*=\s*"(\w+)"', text_of(found["arguments"][0])) or ["*"]
            )
            for method in methods:
                self.facts.routes.append(Route(method, path[1], line_of(found["item"][0]), _name(item), _name(item)))
            self.facts.mounts.append(Mount("", line_of(item), _name(item), ""))

    def macros(self) -> None:
        """warp: `path!("users" / u32)`."""
        for _, found in self.source.matches(_MACROS):
            tokens = text_of(found["tokens"][0])[1:-1]
            parts = [part.strip() for part in tokens[:300].split("/")]
            path = "/".join(
                part.strip('"') if part.startswith('"') else "*" if ".." in part else "{_}" for part in parts if part
            )
            self.facts.routes.append(Route("*", "/" + path, line_of(found["name"][0]), "", ""))


def _arguments(call: Node) -> list[Node]:
    listed = call.child_by_field_name("arguments")
    return [child for child in listed.named_children if "comment" not in child.type] if listed is not None else []


def _root(call: Node) -> Node:
    """The first element of a chain of method calls."""
    node = call
    for _ in range(_LONGEST_CHAIN):
        function = node.child_by_field_name("function") if node.type == "call_expression" else node
        if function is not None and function.type == "field_expression":
            node = function.child_by_field_name("value") or node
        elif node.type in ("await_expression", "try_expression") and node.named_children:
            node = node.named_children[0]
        else:
            return node
    return node


def _name(function: Node) -> str:
    return text_of(function.child_by_field_name("name") or function)


def _place(node: Node) -> str:
    return f"@{node.start_point[0] + 1}:{node.start_point[1]}"
