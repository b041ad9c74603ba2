"""Routes of JavaScript and TypeScript servers: Express, Polka, Fastify, Koa, Hono, Elysia, hapi, Nest, Next, Nuxt, SvelteKit.

A router goes by the name of its variable; one that a function takes as a parameter goes by the function's name, so that
whoever calls the function, or registers it as a plugin, mounts its routes. `default` is what a module exports as a whole.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.javascript_values import (
    Values,
    arguments,
    assigned_name,
    chain,
    is_function,
    option,
    owner,
    place,
)
from docalign_actors.engine.code.routes.nest import collect_nest
from docalign_actors.engine.code.routes.paths import METHODS
from docalign_actors.engine.code.source import Source, holds_any, line_of, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_WORDS = (
    b".get(", b".post(", b".put(", b".patch(", b".delete(", b".del(", b".all(", b".route(",
    b".use(", b".register(", b".group(", b".mount(",
    b".prefix(", b".basePath(", b".setGlobalPrefix(", b"@Controller(", b"new Hono", b"new Elysia",
    b"new OpenAPIHono", b"new Router",
)  # fmt: skip
"""Without one of these nothing can match."""
_WORTH = re.compile(
    rb"(?:app|outers?|server|astify|[aA]pi|[rR]outes?|koa|hono|[gG]roup|instance|scope|\br|\)|v\d)\s*\.(?:get|post|put|patch|delete|del|all|route|use|register"
    rb"|group|mount|prefix|basePath|setGlobalPrefix)\(|@Controller\(|new (?:Hono|Elysia|OpenAPIHono|Router)\b",
)
_VERBS = {**{method.lower(): method for method in METHODS}, "del": "DELETE", "all": "*", "any": "*", "ws": "*"}
_NAMES = "|".join(
    sorted({*_VERBS, "route", "use", "register", "group", "mount", "prefix", "basePath", "setGlobalPrefix", "on"})
)
_CALLS = f"""(call_expression function: (member_expression property: (property_identifier) @name)
  (#match? @name "^({_NAMES})$")) @call"""
_MADE = (
    """(new_expression constructor: [(identifier) (member_expression)] @made
      (#match? @made "(Router|Hono|Elysia|OpenAPIHono)$")) @node""",
    """(call_expression function: [(identifier) (member_expression)] @made
      (#match? @made "(Router|^polka|^express|^[fF]astify)$")) @node""",
)
_EXPORTS = """[
  (export_statement value: (identifier) @value)
  (assignment_expression left: (member_expression) @left right: (identifier) @value (#eq? @left "module.exports"))
]"""
_HANDED = "(call_expression function: [(identifier) (call_expression)] @callee arguments: (arguments . (identifier) @app)) @call"
_RETURNS = (
    "(function_declaration name: (identifier) @function body: (statement_block (return_statement (identifier) @value)))"
)
_CLIENT = re.compile(
    r"(axios|client|http|request|supertest|agent|\$http|cache|redis|map|params|headers|storage|session|fetch\w*|got|ky|nock|scope)s?$",
    re.IGNORECASE,
)
_SERVER = re.compile(
    r"(app|router|routes?|server|fastify|api|r|hono|instance|scope|koa|web|elysia|group|v\d+)$", re.IGNORECASE
)
_NEAR, _LONGEST_CHAIN = 40, 20_000
"""Links of a chain: as far as a `.route("/x")` is looked for, and as far as its beginning is."""
_FILE_ROUTES = (
    re.compile(r"(?:^|/)(?:src/)?pages/(api/.*?|api)(?:/index)?\.[jt]sx?$"),
    re.compile(r"(?:^|/)app/(.*?)/?route\.[jt]sx?$"),
    re.compile(r"(?:^|/)server/(api/.*?)(?:/index)?(?:\.(?:get|post|put|patch|delete))?\.[jt]s$"),
    re.compile(r"(?:^|/)src/routes/(.*?)/?\+server\.[jt]s$"),
)


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes and mounts of a JavaScript or TypeScript file."""
    _by_file(source, facts)
    if not holds_any(source.data, _WORDS) or not _WORTH.search(source.data):
        return
    _Collector(source, facts).run()
    if b"@" in source.data and source.language in ("typescript", "tsx"):
        collect_nest(source, facts)


def file_route(path: str) -> str | None:
    """The route that a file stands for by its place: Next, Nuxt, SvelteKit."""
    for pattern in _FILE_ROUTES:
        found = pattern.search(path)
        if found:
            parts = [part for part in found[1].split("/") if part and not re.match(r"^\(.*\)$|^@", part)]
            return "/" + "/".join(parts)
    return None


def _by_file(source: Source, facts: FileFacts) -> None:
    path = file_route(source.path)
    if path is None:
        return
    methods = re.findall(
        rb"export\s+(?:async\s+)?(?:function|const)\s+(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b", source.data
    )
    for method in dict.fromkeys(methods) or [b"*"]:
        facts.routes.append(Route(method.decode(), path, 1, "", ""))


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.values = Values(source)
        self.around = Ancestry()
        self.chains: dict[int, str | None] = {}
        self.made: set[str] = set()

    def run(self) -> None:
        for pattern in _MADE:
            for _, found in self.source.matches(pattern):
                self.router(found["node"][0], text_of(found["made"][0]))
        for _, found in self.source.matches(_CALLS):
            self.call(found["call"][0], text_of(found["name"][0]))
        known = (
            {route.router for route in self.facts.routes} | {mount.parent for mount in self.facts.mounts} | self.made
        )
        self.exported(known)
        self.handed(known)

    def router(self, node: Node, made: str) -> None:
        """A router with a prefix of its own; one without is noted too, since somebody is to mount it."""
        name = assigned_name(node, self.around) or place(node)
        self.made.add(name)
        given = arguments(node)
        prefix = option(given[0], "prefix") if given else None
        if (made.endswith("Router") and not name.startswith("@")) or prefix is not None:
            self.mount(node, self.values.text(prefix) if prefix is not None else "", name, "")

    def mount(self, node: Node, prefix: str | None, parent: str, child: str) -> None:
        self.facts.mounts.append(Mount("${_}" if prefix is None else prefix, line_of(node), parent, child))

    def call(self, call: Node, name: str) -> None:
        given = arguments(call)
        receiver, route = self.receiver(call)
        if receiver is None or not given:
            return
        if name in _VERBS:
            self.verb(call, name, receiver, route, given)
        elif name == "on" and len(given) > 2:
            methods = [m.upper() for m in self.values.strings(given[0]) if m.upper() in METHODS]
            self.add(call, methods, self.values.strings(given[1]), receiver, given[-1])
        elif name == "route" and given[0].type in ("object", "array"):
            for entry in given[0].named_children if given[0].type == "array" else [given[0]]:
                self.entry(entry, receiver)
        elif name in ("use", "mount", "route", "group"):
            self.mounted(call, name, receiver, given)
        elif name == "register":
            self.registered(call, receiver, given)
        elif name in ("prefix", "basePath") and given[0].type in ("string", "template_string", "identifier"):
            self.mount(call, self.values.text(given[0]), receiver or assigned_name(call, self.around), "")
        elif name == "setGlobalPrefix":
            self.mount(call, self.values.text(given[0]), "", "@controllers")
            if len(given) > 1:
                self.mount(call, "", "", "@controllers")

    def receiver(self, call: Node) -> tuple[str | None, Node | None]:
        """The router a chain of calls begins with, and the `.route("/x")` that stands in it. None if it is a client."""
        if call.start_byte not in self.chains:  # the calls of one chain start at the same place
            self.chains[call.start_byte] = self.chain_router(call)
        router = self.chains[call.start_byte]
        return router, next((c for c in chain(call, _NEAR) if _is_route(c)), None) if router is not None else None

    def chain_router(self, call: Node) -> str | None:
        *_, first = chain(call, _LONGEST_CHAIN)
        function = first.child_by_field_name("function")
        if first.id != call.id and (function is None or function.type != "member_expression"):
            node: Node | None = first
        else:
            node = function.child_by_field_name("object") if function is not None else None
        if node is None:
            return None
        if node.type in ("new_expression", "call_expression"):
            made = text_of(node.child_by_field_name("constructor") or node.child_by_field_name("function") or node)
            is_made = re.search(r"(Router|Hono|Elysia|polka|express|astify)$", made[-40:])
            return assigned_name(call, self.around) or place(node) if is_made else None
        name = text_of(node)[:200].removeprefix("this.")
        last = name.rpartition(".")[2]
        if name in self.made:
            return name
        return None if _CLIENT.search(last) or not _SERVER.search(last) else owner(name, node, self.around)

    def verb(self, call: Node, name: str, receiver: str, route: Node | None, given: list[Node]) -> None:
        if route is not None:
            self.add(call, [_VERBS[name]], self.values.strings(arguments(route)[0]), receiver, given[-1])
        elif len(given) > 1 and given[-1].type != "object" and not self.is_awaited(call):
            paths = self.values.strings(given[0])
            if given[0].type != "regex":
                paths = [path for path in paths if path.startswith(("/", "*", "$")) or path == ""]
            self.add(call, [_VERBS[name]], paths, receiver, given[-1])

    def is_awaited(self, call: Node) -> bool:
        """`await api.put("/x", values)` asks a server; who registers a route does not wait for it."""
        around = next(self.around.of(call), None)
        return around is not None and around.type == "await_expression"

    def add(self, node: Node, methods: list[str], paths: list[str], router: str, handler: Node | None) -> None:
        for path in paths:
            if re.fullmatch(r"\$\{\w+\}", path):
                if "routes" not in self.facts.opaque:
                    self.facts.opaque.append("routes")
                continue
            for method in methods:
                self.facts.routes.append(Route(method, path, line_of(node), router, _handler(handler)))

    def entry(self, entry: Node, receiver: str) -> None:
        """hapi and Fastify: `{ method: "GET", path: "/x", handler }`."""
        paths = self.values.strings(option(entry, "url", "path"))
        methods = [m.upper() for m in self.values.strings(option(entry, "method"))]
        known = [m for m in methods if m in METHODS] or ["*"]
        self.add(entry, known, paths, receiver, option(entry, "handler"))

    def mounted(self, call: Node, name: str, parent: str, given: list[Node]) -> None:
        """`app.use("/api", router)`, Hono's `app.route("/p", sub)`, Elysia's `group("/v1", app => …)`."""
        if name == "use" and len(given) == 2 and given[0].type == given[1].type == "member_expression":
            self.tabled(call, parent, given)
            return
        prefix = (
            self.values.text(given[0]) if given[0].type in ("string", "template_string", "binary_expression") else None
        )
        if (
            prefix is None
            and given[0].type in ("identifier", "member_expression")
            and len(given) > 1
            and name != "group"
        ):
            text = self.values.text(given[0]) or ""
            prefix = text if text.startswith("/") else None
        rest = given[1:] if prefix is not None else given
        if not rest or (prefix is None and name != "use"):
            return
        routed = [node for node in rest if re.search(r"\.(routes|middleware)\(\)$", text_of(node)[-40:])]
        for node in routed or [rest[-1]]:
            child = self.child(node)
            if child and (prefix or self.is_router(child)):
                self.mount(call, prefix or "", parent, child)

    def tabled(self, call: Node, parent: str, given: list[Node]) -> None:
        """`routes.forEach((r) => router.use(r.path, r.route))`: by the objects of the file that have both keys."""
        keys = [text_of(node.child_by_field_name("property") or node) for node in given]
        entries = self.source.captures("(object) @object").get("object", [])
        pairs = [(option(entry, keys[0]), option(entry, keys[1])) for entry in entries[:500]]
        for path, route in pairs:
            if path is not None and route is not None:
                self.mount(path, self.values.text(path), parent, self.child(route))
        if not any(path is not None for path, _ in pairs):
            self.facts.opaque.append("routes")

    def is_router(self, child: str) -> bool:
        return (
            child.startswith(("module:", "@"))
            or child in self.made
            or any(i.alias == child.partition(".")[0] for i in self.facts.imports)
        )

    def child(self, node: Node) -> str:
        """What is mounted: a name, `require("./x")`, a function written in place, or a call that makes it."""
        if is_function(node):
            return place(node)
        if node.type == "await_expression" and node.named_children:
            node = node.named_children[0]
        if node.type == "call_expression":
            function = node.child_by_field_name("function")
            text = text_of(function) if function is not None else ""
            given = arguments(node)
            if text in ("require", "import") and given:
                return f"module:{self.values.text(given[0])}"
            return re.sub(r"\.(routes|middleware)$", "", text) if re.fullmatch(r"[\w.$]+", text) else ""
        text = text_of(node)
        required = re.fullmatch(r"require\(['\"]([^'\"]+)['\"]\)(?:\.(\w+))?", text)
        if required:
            return f"module:{required[1]}" + (f":{required[2]}" if required[2] else "")
        return text if re.fullmatch(r"[\w.$]+", text) else ""

    def registered(self, call: Node, parent: str, given: list[Node]) -> None:
        """Fastify: `register(plugin, { prefix: "/v1" })`."""
        options = given[1] if len(given) > 1 else None
        prefix = option(options, "prefix")
        if option(options, "dir") is not None:
            self.facts.opaque.append("routes")
            return
        child = self.child(given[0])
        if child and (prefix is not None or self.is_router(child)):
            self.mount(call, self.values.text(prefix) if prefix is not None else "", parent, child)

    def exported(self, known: set[str]) -> None:
        if not known:
            return
        for name in [text_of(node) for node in self.source.captures(_EXPORTS).get("value", [])]:
            if name in known:
                self.facts.mounts.append(Mount("", 1, "default", name, alias=True))
        for _, found in self.source.matches(_RETURNS):
            if text_of(found["value"][0]) in known:
                function = found["function"][0]
                self.facts.mounts.append(
                    Mount("", line_of(function), text_of(function), text_of(found["value"][0]), alias=True)
                )

    def handed(self, known: set[str]) -> None:
        """`usersRoutes(app)`, `require("./users")(app)`: the function's routes hang on what it is given."""
        for _, found in self.source.matches(_HANDED):
            app = text_of(found["app"][0])
            if app not in known and not re.match(r"(app|router|server|fastify)$", app):
                continue
            child = self.child(found["callee"][0])
            if (child and self.is_router(child)) or child in known:
                self.mount(found["call"][0], "", owner(app, found["app"][0], self.around), child)


def _is_route(call: Node) -> bool:
    function = call.child_by_field_name("function")
    return (
        function is not None
        and text_of(function.child_by_field_name("property") or function) == "route"
        and len(arguments(call)) == 1
    )


def _handler(node: Node | None) -> str:
    """The bare name of a handler; a function written in place has none."""
    if node is None:
        return ""
    text = text_of(node)[:120]
    return text.rpartition(".")[2] if re.fullmatch(r"[\w.$]+", text) else ""
