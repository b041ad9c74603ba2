"""Routes of Go servers: net/http, chi, gin, echo, fiber, gorilla/mux, httprouter, routegroup.

A router is named by its variable and the function that holds it; a function that takes a router stands for it, so that a
call of the function mounts its routes, and so does a function that returns one.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.routes.go_values import Scopes, Values, arguments, call_name, function_name
from docalign_actors.engine.code.routes.paths import METHODS, join
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_WORDS = (
    b".Handle", b".Get(", b".Post(", b".Put(", b".Patch(", b".Delete(", b".GET(", b".POST(",
    b".PUT(", b".PATCH(", b".DELETE(", b".Any(",
    b".All(", b".Mount(", b".Group(", b".Route(", b".PathPrefix(",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH = re.compile(
    rb"\.(Handle|HandleFunc|HandlerFunc|Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|Any|All|Mount|Group|Route|PathPrefix)\("
)
_VERBS = {**{m: m for m in METHODS}, **{m.capitalize(): m for m in METHODS}, "Any": "*", "All": "*"}
_PASSING = frozenset(
    {
        "Subrouter",
        "With",
        "Methods",
        "Name",
        "Host",
        "Schemes",
        "Headers",
        "Queries",
        "NewRoute",
        "StrictSlash",
        "MatcherFunc",
    }
)
_PREFIXING = frozenset({"Group", "PathPrefix", "Party", "Path", "NewGroup"})
_REGISTERING = frozenset(
    {"Handle", "HandleFunc", "HandlerFunc", "Handler", "Method", "MethodFunc", "Add", "Match", "Static", "StaticFS"}
)
_NAMES = "|".join(sorted({*_VERBS, *_REGISTERING, "Mount", "Route", "Group"}))
_CALLS = f"""(call_expression function: (selector_expression field: (field_identifier) @name)
  (#match? @name "^({_NAMES})$")) @call"""
_ASSIGNED = """[
  (short_var_declaration left: (expression_list . (_) @left) right: (expression_list . (call_expression) @right))
  (assignment_statement left: (expression_list . (_) @left) right: (expression_list . (call_expression) @right))
]"""
_MAKERS = (b"Group", b"Subrouter", b"Party", b"With", b"Mount")
"""What makes a router of another has one of these in its name."""
_RETURNS = "(return_statement (expression_list . [(identifier) (selector_expression)] @value))"
_HANDED = """(call_expression function: [(identifier) (selector_expression)] @callee
  arguments: (argument_list [(identifier) (selector_expression) (call_expression)] @given)
  (#match? @callee "([Rr]oute|[Rr]egister|[Ss]etup|[Mm]ount|[Ii]nit|[Bb]ind|[Hh]andlers?|[Aa]dd|[Aa]ttach|[Cc]onfigure)")) @call"""
_ROUTERISH = re.compile(
    r"^(r|e|g|rg|mux|app|srv|router|api|group|engine|server|root|public|private|v\d+|\w*(?:Router|Group|Mux|API|Api))$"
)


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes and mounts of a Go file."""
    if holds_any(source.data, _WORDS) and _WORTH.search(source.data):
        _Collector(source, facts).run()


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.values = Values(source)
        self.scopes = Scopes(source)
        self.gorilla = b"gorilla/mux" in source.data or b"PathPrefix(" in source.data

    def run(self) -> None:
        for _, found in self.source.matches(_CALLS):
            self.call(found["call"][0], text_of(found["name"][0]))
        for _, found in self.source.matches(_ASSIGNED) if holds_any(self.source.data, _MAKERS) else ():
            self.assigned(found["left"][0], found["right"][0])
        for _, found in self.source.matches(_HANDED):
            self.handed(found["call"][0], found["callee"][0], found["given"][0])
        self.returned()

    def mount(self, node: Node, prefix: str, parent: str, child: str) -> None:
        if parent != child:
            self.facts.mounts.append(Mount(prefix, line_of(node), parent, child))

    def router(self, node: Node | None) -> tuple[str, str, list[str]]:
        """(router, prefix, methods) of what a call hangs on: `r.Group("/v1")`, `r.Methods("GET").Path("/x")`."""
        prefix, methods = "", []
        for _ in range(40):
            if node is None or node.type != "call_expression":
                break
            operand, name = call_name(node)
            given = [self.values.text(one) for one in arguments(node)]
            if (name in _PREFIXING and given) or (name == "Mount" and len(given) == 1):
                prefix = join(given[0] or "${_}", prefix) if prefix else given[0] or "${_}"
            elif name == "Group" and not given:  # routegroup: a group without a prefix
                pass
            elif name == "Methods":
                methods = [m.upper() for m in given if m and m.upper() in METHODS]
            elif name not in _PASSING:
                return "", prefix, methods
            node = operand
        return (self.scopes.router(node) if node is not None else "", prefix, methods)

    def call(self, call: Node, name: str) -> None:
        operand, _ = call_name(call)
        given = arguments(call)
        if not given:
            return
        literal = given[-1] if given[-1].type == "func_literal" else None
        if name in ("Route", "Group") and literal is not None and not _is_handler(literal):
            router, prefix, _ = self.router(operand)
            path = self.values.text(given[0]) if len(given) > 1 else ""
            self.mount(call, join(prefix, path or "${_}") if len(given) > 1 else prefix, router, function_name(literal))
        elif name == "Mount" and len(given) > 1:
            router, prefix, _ = self.router(operand)
            self.mount(call, join(prefix, self.values.text(given[0]) or "${_}"), router, self.child(given[1]))
        elif name in _VERBS and len(given) > 1:
            self.add(call, operand, [_VERBS[name]], self.values.text(given[0]), given[-1])
        elif name in _REGISTERING:
            self.registered(call, operand, name, given)

    def add(self, call: Node, operand: Node | None, methods: list[str], path: str | None, handler: Node | None) -> None:
        if path is None or re.fullmatch(r"\$\{\w+\}", path):
            if (
                "routes" not in self.facts.opaque
                and operand is not None
                and _ROUTERISH.match(text_of(operand).rpartition(".")[2])
            ):
                self.facts.opaque.append("routes")
            return
        if path and not path.startswith(("/", "$", "*", ":")):
            return
        router, prefix, chained = self.router(operand)
        full = join(prefix, path) if prefix else path
        for method in chained or methods:
            self.facts.routes.append(Route(method, full, line_of(call), router, _handler(handler)))

    def registered(self, call: Node, operand: Node | None, name: str, given: list[Node]) -> None:
        """`HandleFunc(pattern, h)`, `Handle("GET", "/x", h)`, Go 1.22's `"GET /x/{id}"`, gorilla's chains."""
        texts = [self.values.text(one) for one in given[:2]]
        first = texts[0] or ""
        methods = self.after(call)
        if name in ("Handler", "HandlerFunc") and len(given) == 1:
            router, prefix, chained = self.router(operand)
            if prefix:
                tail = "/*" if "PathPrefix" in text_of(operand or call) else ""
                for method in methods or chained or ["*"]:
                    self.facts.routes.append(Route(method, prefix + tail, line_of(call), router, _handler(given[0])))
            return
        if len(given) < 2:
            return
        if first.upper() in METHODS and len(given) > 2:
            self.add(call, operand, [first.upper()], texts[1], given[-1])
            return
        if name == "Match":
            self.add(call, operand, ["*"], texts[1], given[-1])
            return
        # Only net/http knows patterns with a host, which has a dot: elsewhere a path without its slash answers to nothing.
        host = "" if self.gorilla else r"(?:(?:localhost|[\w-]+(?:\.[\w-]+)+)(?=/))?"
        pattern = re.fullmatch(rf"(?:([A-Z]+)\s+)?{host}(/\S*|\$\{{\w+\}}\S*)", first)
        if pattern is None:
            self.add(call, operand, methods or ["*"], texts[0], given[-1]) if texts[0] is None or "$" in first else None
            return
        path = pattern[2].removesuffix("{$}")
        if name in ("Static", "StaticFS"):
            path = path.rstrip("/") + "/*"
        elif path.endswith("/") and len(path) > 1 and not self.gorilla and not pattern[2].endswith("{$}"):
            stripped = re.search(r"StripPrefix\([^,]+,\s*([\w.]+)", text_of(given[1])[:200])
            if stripped and stripped[1].partition(".")[0] != "http":
                router, prefix, _ = self.router(operand)
                self.mount(call, join(prefix, path), router, self.child_text(stripped[1], given[1]))
            path = path.rstrip("/") + "/*"
        self.add(call, operand, [pattern[1]] if pattern[1] else methods or ["*"], path, given[1])

    def after(self, call: Node) -> list[str]:
        """gorilla: `HandleFunc("/x", h).Methods("GET", "POST")`, however far down the chain."""
        node = call
        for _ in range(10):
            selector = node.parent
            outer = selector.parent if selector is not None and selector.type == "selector_expression" else None
            if outer is None or outer.type != "call_expression":
                return []
            if call_name(outer)[1] == "Methods":
                return [m.upper() for one in arguments(outer) if (m := self.values.text(one)) and m.upper() in METHODS]
            node = outer
        return []

    def assigned(self, left: Node, right: Node) -> None:
        """`v1 := r.Group("/v1")`, `s.api = r.PathPrefix("/api").Subrouter()`."""
        operand, name = call_name(right)
        bare = name == "Mount" and len(arguments(right)) == 1  # routegroup: `api := router.Mount("/api")`
        if operand is None or (name not in ("Group", "Subrouter", "Party", "NewGroup", "With") and not bare):
            return
        router, prefix, _ = self.router(right)
        if router:
            self.mount(left, prefix, router, self.scopes.router(left))

    def handed(self, call: Node, callee: Node, given: Node) -> None:
        """`registerUsers(v1)`, `users.Register(r.Group("/users"))`."""
        if call_name(call)[1] in _REGISTERING or call_name(call)[1] in ("Mount", "Group", "Route"):
            return
        base = given if given.type != "call_expression" else call_name(given)[0]
        if given.type == "call_expression" and call_name(given)[1] not in ("Group", "Subrouter", "PathPrefix", "With"):
            return
        if base is None or not _ROUTERISH.match(text_of(base).rpartition(".")[2]):
            return
        router, prefix, _ = self.router(given)
        name = text_of(callee)
        if router and re.fullmatch(r"[\w.]+", name):
            self.mount(call, prefix, router, name)

    def child(self, node: Node) -> str:
        """`sub`, `users.Router()`, `usersResource{}.Routes()`."""
        if node.type in ("identifier", "selector_expression"):
            return self.scopes.router(node) if node.type == "identifier" else text_of(node)
        if node.type == "call_expression":
            return re.sub(r"\{[^{}]*\}|[&()*]", "", text_of(node.child_by_field_name("function") or node)[:200])
        return ""

    def child_text(self, name: str, around: Node) -> str:
        node = next((n for n in _names(around) if text_of(n) == name), None)
        return self.child(node) if node is not None else name

    def returned(self) -> None:
        known = (
            {route.router for route in self.facts.routes}
            | {m.parent for m in self.facts.mounts}
            | {m.child for m in self.facts.mounts}
        )
        if not known:
            return
        for node in self.source.captures(_RETURNS).get("value", []):
            name = self.scopes.router(node)
            if name in known and ":" in name:
                self.facts.mounts.append(Mount("", line_of(node), name.rpartition(":")[0], name, alias=True))


def _names(node: Node) -> list[Node]:
    found: list[Node] = []
    for child in arguments(node) if node.type == "call_expression" else []:
        found.extend([child] if child.type in ("identifier", "selector_expression") else _names(child)[:20])
    return found


def _is_handler(literal: Node) -> bool:
    return bool(
        re.search(
            r"http\.ResponseWriter|gin\.Context|echo\.Context|fiber\.Ctx",
            text_of(literal.child_by_field_name("parameters") or literal)[:300],
        )
    )


def _handler(node: Node | None) -> str:
    """The bare name of a handler, through one wrapper: `auth(h.List)` is `List`."""
    if node is None:
        return ""
    text = text_of(node)[:160]
    if node.type == "func_literal":
        return ""
    names = re.findall(r"[A-Za-z_]\w*(?=\s*(?:\)|$|,|\(\)))", text)
    return names[-1] if names else ""
