"""Routes of Java servers: Spring, JAX-RS, Micronaut by annotations; Javalin, Spark, Vert.x by calls."""

from __future__ import annotations

import re
from collections import defaultdict

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.paths import METHODS, join
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_WORDS = (
    b"Mapping", b"@Path", b"@ApplicationPath", b"@Get", b"@Post", b"@Put", b"@Delete", b"@Patch", b"avalin", b"spark.", b"vertx",
    b"RouterFunction",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH = re.compile(
    rb"Mapping\b|@Path\b|@ApplicationPath|@(Get|Post|Put|Delete|Patch)\b|[jJ]avalin|spark\.|vertx|RouterFunction"
)
_SPRING = {
    "GetMapping": "GET",
    "PostMapping": "POST",
    "PutMapping": "PUT",
    "DeleteMapping": "DELETE",
    "PatchMapping": "PATCH",
    "RequestMapping": "*",
}
_MICRONAUT = {
    "Get": "GET",
    "Post": "POST",
    "Put": "PUT",
    "Delete": "DELETE",
    "Patch": "PATCH",
    "Head": "HEAD",
    "Options": "OPTIONS",
}
_CLASS = frozenset({"RequestMapping", "Path", "Controller"})
_NAMES = "|".join(
    [
        *_SPRING,
        *_MICRONAUT,
        *sorted(METHODS),
        "Path",
        "Controller",
        "ApplicationPath",
        "FeignClient",
        "RegisterRestClient",
    ]
)
_ANNOTATIONS = (
    f"""(annotation name: (identifier) @name (#match? @name "^({_NAMES})$")) @annotation""",
    f"""(marker_annotation name: (identifier) @name (#match? @name "^({_NAMES})$")) @annotation""",
)
_CONSTANTS = "(variable_declarator name: (identifier) @name value: (string_literal) @value)"
_VERBS = "get|post|put|delete|patch|head|options|GET|POST|PUT|DELETE|PATCH"
_CALLS = f"""(method_invocation name: (identifier) @name arguments: (argument_list . (_) @first)
  (#match? @name "^({_VERBS}|ws|sse)$")) @call"""
_TYPES = ("class_declaration", "interface_declaration", "record_declaration")
CONTROLLERS = "@controllers"


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes and mounts of a Java file."""
    if holds_any(source.data, _WORDS) and _WORTH.search(source.data):
        _Collector(source, facts).run()


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.around = Ancestry()
        self.constants: dict[str, str] = {}

    def run(self) -> None:
        for _, found in self.source.matches(_CONSTANTS):
            self.constants.setdefault(text_of(found["name"][0]), text_of(found["value"][0])[1:-1])
        self.annotations()
        if re.search(rb"[jJ]avalin|spark\.|vertx|RouterFunction", self.source.data):
            for _, found in self.source.matches(_CALLS):
                self.call(found["call"][0], text_of(found["name"][0]), found["first"][0])

    def annotations(self) -> None:
        """Gathers annotations by what they stand on, since JAX-RS spreads path and method over two of them."""
        held: dict[int, tuple[Node, dict[str, Node]]] = {}
        for pattern in _ANNOTATIONS:
            for _, found in self.source.matches(pattern):
                node = found["annotation"][0]
                target = node.parent.parent if node.parent is not None else None
                if target is not None:
                    held.setdefault(target.id, (target, {}))[1][text_of(found["name"][0])] = node
        clients = {
            _type_name(t)
            for t, names in held.values()
            if t.type in _TYPES and names.keys() & {"FeignClient", "RegisterRestClient"}
        }
        prefixed: dict[str, list[str]] = defaultdict(list)
        for target, names in sorted(held.values(), key=lambda pair: pair[0].start_byte):
            owner = self.owner(target)
            if target.type in _TYPES:
                self.type(target, names, clients, prefixed)
            elif target.type == "method_declaration" and owner not in clients:
                self.method(target, names, owner)

    def owner(self, node: Node) -> str:
        return next((_type_name(parent) for parent in self.around.of(node) if parent.type in _TYPES), "")

    def type(self, target: Node, names: dict[str, Node], clients: set[str], prefixed: dict[str, list[str]]) -> None:
        name = _type_name(target)
        if "ApplicationPath" in names:
            for path in self.paths(names["ApplicationPath"]):
                self.facts.mounts.append(Mount(path, line_of(target), "", CONTROLLERS))
        if name in clients:
            return
        for annotation in _CLASS & names.keys():
            for path in self.paths(names[annotation]):
                if annotation != "Controller" or path.startswith("/") or "micronaut" in self.source.text:
                    prefixed[name].append(path)
                    self.facts.mounts.append(Mount(path, line_of(names[annotation]), "@" + name, ""))

    def method(self, target: Node, names: dict[str, Node], owner: str) -> None:
        handler = text_of(target.child_by_field_name("name") or target)
        for name, node in names.items():
            if name in _SPRING or name in _MICRONAUT:
                methods = self.methods(node) if name == "RequestMapping" else [_SPRING.get(name) or _MICRONAUT[name]]
                for path in self.paths(node) or [""]:
                    self.add(node, methods, path, owner, handler)
        verbs = [name for name in names if name in METHODS]
        if verbs:
            for path in (self.paths(names["Path"]) if "Path" in names else []) or [""]:
                self.add(target, verbs, path, owner, handler)
        elif "Path" in names:  # a sub-resource locator
            for path in self.paths(names["Path"]):
                self.add(target, ["*"], join(path, "${_}"), owner, handler)

    def add(self, node: Node, methods: list[str], path: str, owner: str, handler: str) -> None:
        for method in methods:
            self.facts.routes.append(Route(method, path, line_of(node), "@" + owner, handler))

    def paths(self, annotation: Node) -> list[str]:
        """The paths of `@X("/a")`, `@X(value = {"/a", "/b"})`, `@X(path = API + "/a")`."""
        listed = annotation.child_by_field_name("arguments")
        for child in listed.named_children if listed is not None else ():
            if child.type == "element_value_pair":
                if text_of(child.child_by_field_name("key") or child) not in ("value", "path", "uri", "uris"):
                    continue
                child = child.child_by_field_name("value") or child
            elif child.type in ("line_comment", "block_comment"):
                continue
            nodes = child.named_children if child.type == "element_value_array_initializer" else [child]
            return [self.text(node) for node in nodes]
        return []

    def methods(self, annotation: Node) -> list[str]:
        """The methods of `@RequestMapping(method = RequestMethod.GET)`; any if it names none."""
        listed = annotation.child_by_field_name("arguments")
        for child in listed.named_children if listed is not None else ():
            if child.type == "element_value_pair" and text_of(child.child_by_field_name("key") or child) == "method":
                found = [
                    m
                    for m in re.findall(r"[A-Z]+\b", text_of(child.child_by_field_name("value") or child))
                    if m in METHODS
                ]
                return found or ["*"]
        return ["*"]

    def text(self, node: Node, depth: int = 0) -> str:
        if node.type == "string_literal":
            return text_of(node)[1:-1]
        if node.type == "binary_expression" and depth < 12:
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            return "".join(self.text(one, depth + 1) if one is not None else "" for one in (left, right))
        if node.type in ("identifier", "field_access"):
            name = text_of(node).rpartition(".")[2]
            return self.constants.get(name, "${" + name + "}")
        return "${_}"

    def call(self, call: Node, name: str, first: Node) -> None:
        """`app.get("/x", handler)`, inside any number of `path("/p", () -> …)`."""
        path = self.text(first)
        receiver = text_of(call.child_by_field_name("object") or call)[-60:]
        if not path.startswith(("/", "{", ":")) or re.search(
            r"(client|request|given\(\)|when\(\)|http)$", receiver, re.IGNORECASE
        ):
            return
        for parent in self.around.of(call):
            if parent.type == "method_invocation" and text_of(parent.child_by_field_name("name") or parent) in (
                "path",
                "nest",
            ):
                given = parent.child_by_field_name("arguments")
                if given is not None and given.named_children and given.named_children[0].start_byte < call.start_byte:
                    path = join(self.text(given.named_children[0]), path)
        arguments = call.child_by_field_name("arguments")
        handler = (
            text_of(arguments.named_children[-1])[:80]
            if arguments is not None and len(arguments.named_children) > 1
            else ""
        )
        named = re.fullmatch(r"[\w.:]+", handler)
        method = name.upper() if name.upper() in METHODS else "*"
        self.facts.routes.append(
            Route(method, path, line_of(call), "", re.split(r"[.:]", handler)[-1] if named else "")
        )


def _type_name(node: Node) -> str:
    return text_of(node.child_by_field_name("name") or node)
