"""Routes of Python web frameworks.

FastAPI, Starlette, Flask, Quart, Django (REST framework and Ninja too), aiohttp, Tornado, Sanic, Falcon, Bottle, Litestar, Pyramid.
Frameworks share their words, so calls are told apart by shape: a decorator with a path, a constructor of a router,
`path(…)` in a list. A router goes by the name of the variable that holds it.
"""

from __future__ import annotations

import re
from operator import itemgetter

from tree_sitter import Node

from docalign_actors.engine.code.routes.ancestry import Ancestry
from docalign_actors.engine.code.routes.paths import METHODS, join
from docalign_actors.engine.code.routes.python_values import (
    Arguments,
    Values,
    assigned_name,
    call_name,
    decorated,
    elements,
    enclosing_class,
    name_of,
)
from docalign_actors.engine.code.source import Source, holds_any, line_of, places, text_of
from docalign_actors.engine.facts import FileFacts, Mount, Route

_SURE = (b"route", b"Route", b"lueprint", b"urlpatterns", b"@action(", b"Mount(", b"Namespace(")
"""One of these is reason enough."""
_DECORATED = re.compile(rb"@[\w.]{0,200}\.?(?:get|post|put|delete|patch|websocket|page)\(")
_WORDS = (b"andler", b"include(", b".register(", b".mount(", b".add_", b"web.")
"""Without one of these `_WORTH` does not match."""
_WORTH = re.compile(
    rb"andlers?\b\s*[=,)\]]|\binclude\("
    rb"|\.(?:register|mount|add_(?:get|post|put|delete|patch|view|resource|static|subapp|namespace|url_rule|handler))\(|web\.(?:get|post|put|delete)\("
)
_VERBS = {method.lower(): method for method in METHODS}
_DECORATORS = {*_VERBS, "route", "api_route", "websocket", "websocket_route", "page", "stream", "sse"}
_LISTED = {"path", "re_path", "url", "Route", "WebSocketRoute", "Mount", "URLSpec", "Rule"}
_ROUTERS = {
    "APIRouter", "Blueprint", "Router", "Namespace", "Api", "NinjaAPI", "APIBlueprint", "SimpleRouter", "DefaultRouter",
}  # fmt: skip
_MOUNTERS = {
    "include_router", "register_blueprint", "blueprint", "mount", "add_subapp", "add_namespace", "add_router", "nest",
}  # fmt: skip
_ADDERS = {
    "add_route", "add_api_route", "add_api_websocket_route", "add_websocket_route", "add_url_rule", "add_resource",
    "add_view", "add_static", "add_handler", *(f"add_{verb}" for verb in _VERBS),
}  # fmt: skip
_NAMES = {
    name.encode() for name in _DECORATORS | _LISTED | _ROUTERS | _MOUNTERS | _ADDERS | {"register", "action", "group"}
}
_PATHS = frozenset({"string", "concatenated_string", "binary_operator"})
_HANDLERS = frozenset({"identifier", "attribute", "call"})
_URLS = """(attribute object: (_) @router attribute: (identifier) @name (#eq? @name "urls")) @urls"""
_RETURNS = "(function_definition name: (identifier) @function body: (block (return_statement (identifier) @value)))"
_STATICS = {"StaticFiles", "static"}


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes and mounts of a Python file."""
    if _is_worth_a_look(source.data):
        _Collector(source, facts).run()


def _is_worth_a_look(data: bytes) -> bool:
    if holds_any(data, _SURE) or any(_DECORATED.match(data, at) for at in places(data, b"@")):
        return True
    return holds_any(data, _WORDS) and _WORTH.search(data) is not None


def _calls(source: Source) -> list[Node]:
    """The calls by one of the names, in the order of these: of a chain, the inner before the outer."""
    found: list[tuple[int, Node]] = []
    for call in source.nodes("call"):
        name = call.child_by_field_name("function")
        if name is not None and name.type == "attribute":
            name = name.child_by_field_name("attribute")
        if name is not None and name.type == "identifier" and name.text in _NAMES:
            found.append((name.start_byte, call))
    return [call for _, call in sorted(found, key=itemgetter(0))]


class _Collector:
    def __init__(self, source: Source, facts: FileFacts) -> None:
        self.source = source
        self.facts = facts
        self.values = Values(source)
        self.around = Ancestry()

    def run(self) -> None:
        for call in _calls(self.source):
            self.call(call)
        if b"andler" in self.source.data or b"ornado" in self.source.data:
            self.tuples()
        if b".urls" in self.source.data:
            self.spread()
        self.returned()

    def call(self, call: Node) -> None:
        receiver, name = call_name(call)
        arguments = Arguments(call)
        definition = decorated(call)
        if definition is not None:
            if name in _DECORATORS:
                self.decorator(call, receiver, name, arguments, definition)
            elif name == "action":
                self.action(call, arguments, definition)
        elif name in _LISTED:
            self.listed(call, receiver, name, arguments)
        elif name in _ROUTERS:
            self.router(call, name, arguments)
        elif name in _MOUNTERS:
            self.mounted(call, receiver, name, arguments)
        elif name in _ADDERS:
            self.added(call, receiver, name, arguments)
        elif name == "register" and receiver:
            self.registered(call, receiver, arguments)
        elif name in _VERBS and receiver.rpartition(".")[2] == "web":
            self.add(
                call,
                (_VERBS[name],),
                self.values.text(arguments.get(0, "path")),
                assigned_name(call, self.around),
                arguments.get(1),
            )

    def add(
        self, node: Node, methods: tuple[str, ...], path: str | None, router: str, handler: Node | str | None
    ) -> None:
        """A route whose path is not a string at all makes the file's routes unreadable."""
        if path is None or re.fullmatch(r"\$\{\w+\}", path):
            self.opaque()
            return
        name = handler if isinstance(handler, str) else _handler(handler)
        for method in methods:
            self.facts.routes.append(Route(method, path, line_of(node), router, name))

    def opaque(self) -> None:
        if "routes" not in self.facts.opaque:
            self.facts.opaque.append("routes")

    def mount(self, node: Node, prefix: str | None, parent: str, child: str, replaces: bool = False) -> None:
        self.facts.mounts.append(Mount("${_}" if prefix is None else prefix, line_of(node), parent, child, replaces))

    def decorator(self, call: Node, receiver: str, name: str, arguments: Arguments, definition: Node) -> None:
        """`@router.get("/x")`, `@app.route("/x", methods=[…])`, Litestar's and Bottle's `@get("/x")`."""
        owner = enclosing_class(call, self.around)
        given = arguments.get(0, "path", "rule", "uri")
        paths = [self.values.text(node) for node in elements(given) or [given]] if given is not None else [""]
        if given is None and (owner is None or receiver):
            return
        router = receiver
        if owner is not None and not receiver:
            router = name_of(owner)
            self.controller(owner, router)
        for path in paths:
            if path is None or not (
                path == "" or path.startswith(("/", "$", "^", "<")) or (owner is not None and not receiver)
            ):
                continue
            self.add(
                call,
                self.methods(name, arguments, definition.type == "class_definition"),
                path,
                router,
                name_of(definition),
            )

    def controller(self, owner: Node, router: str) -> None:
        """Litestar: the `path` of the controller's class stands before those of its handlers."""
        body = owner.child_by_field_name("body")
        if any(m.parent == router and not m.child for m in self.facts.mounts) or body is None:
            return
        for statement in body.named_children:
            inner = (
                statement.named_children[0]
                if statement.type == "expression_statement" and statement.named_children
                else None
            )
            if (
                inner is not None
                and inner.type == "assignment"
                and text_of(inner.child_by_field_name("left") or inner) == "path"
            ):
                self.mount(inner, self.values.text(inner.child_by_field_name("right")), router, "")

    def methods(self, name: str, arguments: Arguments, any_method: bool = False) -> tuple[str, ...]:
        """The methods a registration names; Flask and Starlette mean GET when it names none."""
        if name in _VERBS:
            return (_VERBS[name],)
        given = arguments.keywords.get("methods") or arguments.keywords.get("method")
        if given is not None:
            texts = [self.values.text(node) for node in elements(given) or [given]]
            known = tuple(text.upper() for text in texts if text is not None and text.upper() in METHODS)
            return known if known and len(known) == len(texts) else ("*",)
        return ("*",) if any_method or arguments.splat or name not in ("route", "api_route") else ("GET",)

    def action(self, call: Node, arguments: Arguments, definition: Node) -> None:
        """Django REST framework: `@action(detail=True, url_path="x")` hangs below whatever the view set is registered as."""
        detail = arguments.get(-1, "detail")
        path = self.values.text(arguments.keywords.get("url_path")) or name_of(definition)
        middle = "{}/" if detail is not None and text_of(detail) == "True" else ""
        owner = name_of(enclosing_class(call, self.around))
        self.add(call, ("*",), f"{middle}{path}", owner, name_of(definition))
        self.mount(call, "", owner, "")

    def nesting(self, call: Node) -> tuple[str, str]:
        """The prefix of the `path(…)`/`Mount(…)` calls around a call, and the variable that holds the whole."""
        prefix = ""
        for parent in self.around.of(call):
            if parent.type == "call":
                receiver, name = call_name(parent)
                if name in ("path", "re_path", "url", "Mount") and not (receiver and name == "path"):
                    prefix = join(self.values.text(Arguments(parent).get(0, "path")) or "${_}", prefix)
            elif parent.type in ("function_definition", "class_definition", "module"):
                break
        return prefix, assigned_name(call, self.around)

    def listed(self, call: Node, receiver: str, name: str, arguments: Arguments) -> None:
        """Entries of lists: Django's `path`, Starlette's `Route` and `Mount`, Tornado's `url`."""
        path = self.values.text(arguments.get(0, "path", "route", "regex", "pattern"))
        if name == "path" and (receiver not in ("", "urls") or len(arguments.positional) + len(arguments.keywords) < 2):
            return  # os.path(…), click.path(…)
        target = arguments.get(1, "view", "endpoint", "app", "routes", "handler")
        outer, router = self.nesting(call)
        if target is None or (path is None and name in ("path", "url")):
            return
        child = self.child(target)
        if child or (name == "Mount" and (target.type == "list" or "routes" in arguments.keywords)):
            if child:
                self.mount(call, join(outer, path or "${_}") if outer else path, router, child)
            return
        if target.type == "call" and call_name(target)[1] == "include":
            return  # a list inside: its entries stand for themselves
        any_method = name != "Route" or text_of(target)[:1].isupper()
        full = join(outer, path) if outer and path is not None else path
        self.add(call, self.methods("route", arguments, any_method), full, router, target)

    def child(self, node: Node) -> str:
        """The router that a mount names: `include("app.urls")`, `router.urls`, `users.router`, `StaticFiles(…)`."""
        if node.type == "call":
            _, name = call_name(node)
            inner = Arguments(node)
            if name == "include":
                return self.included(inner)
            return name if name in _STATICS or name[:1].isupper() else ""
        text = text_of(node)
        if node.type == "attribute" and text.endswith((".urls", ".router", ".routes", ".app")):
            return text
        return (
            text
            if node.type == "identifier" and node.parent is not None and _keyword(node) in ("app", "routes")
            else ""
        )

    def included(self, arguments: Arguments) -> str:
        target = arguments.get(0, "arg")
        if target is None:
            return ""
        if target.type == "tuple" and target.named_children:
            target = target.named_children[0]
        if target.type in ("identifier", "attribute"):
            return text_of(target)
        text = self.values.text(target)
        return f"module:{text}" if text else ""

    def router(self, call: Node, name: str, arguments: Arguments) -> None:
        """A router with a prefix of its own; an empty one is noted too, since somebody is to mount it."""
        variable = assigned_name(call, self.around)
        prefix = arguments.get(-1, "prefix", "url_prefix", "path")
        text = self.values.text(prefix) if prefix is not None else ""
        if name == "Namespace" and prefix is None:
            text = "/" + (self.values.text(arguments.get(0, "name")) or "${_}")
        if name in ("NinjaAPI", "Api") and prefix is None:
            return
        if variable:
            self.mount(call, text, variable, "")
        for handler in elements(arguments.keywords.get("route_handlers") or arguments.keywords.get("routes")):
            if handler.type in ("identifier", "attribute"):
                self.mount(call, "" if variable else text, variable, text_of(handler))

    def mounted(self, call: Node, receiver: str, name: str, arguments: Arguments) -> None:
        """`app.include_router(users.router, prefix="/users")`, `app.mount("/static", …)`, `add_subapp("/admin", admin)`."""
        if not receiver:
            return
        path_first = name in ("mount", "add_subapp", "add_router", "nest")
        child = arguments.get(1 if path_first else 0, "app", "router", "blueprint")
        prefix = arguments.get(0 if path_first else -1, "prefix", "url_prefix", "path")
        if child is None:
            return
        text = self.values.text(prefix) if prefix is not None else ""
        if path_first and (text is None or not text.startswith(("/", "$"))):
            return
        replaces = name in ("register_blueprint", "blueprint") and prefix is not None
        for node in elements(child) or [child]:
            self.mount(call, text, receiver, self.target(node), replaces)

    def target(self, node: Node) -> str:
        if node.type == "call":
            receiver, name = call_name(node)
            return f"{receiver}.{name}".lstrip(".")
        if node.type == "string":
            module, _, attribute = (self.values.text(node) or "").rpartition(".")
            return f"module:{module}:{attribute}"
        return text_of(node)

    def added(self, call: Node, receiver: str, name: str, arguments: Arguments) -> None:
        """`add_route` and its kin: the path is the first argument that looks like one, a method may stand before it."""
        method = ""
        for position, node in enumerate(
            [*arguments.positional[:3], *_named(arguments, "path", "rule", "uri_template", "pattern")]
        ):
            text = self.values.text(node) if node.type in ("string", "concatenated_string", "binary_operator") else None
            if text is None:
                continue
            if text.upper() in METHODS or text == "*":
                method = text.upper()
            elif text.startswith(("/", "^", "${", "(")) or (position == 1 and name == "add_route" and not method):
                others = [n for n in arguments.positional if n.id != node.id and n.type != "string"]
                handler = arguments.get(-1, "view_func", "endpoint", "handler") or (others[0] if others else None)
                methods = (method,) if method else self.added_methods(name, arguments)
                self.add(call, methods, text, receiver.removesuffix(".router"), handler)
                if name != "add_resource":
                    return

    def added_methods(self, name: str, arguments: Arguments) -> tuple[str, ...]:
        verb = name.removeprefix("add_")
        return (_VERBS[verb],) if verb in _VERBS else self.methods("", arguments, True)

    def registered(self, call: Node, receiver: str, arguments: Arguments) -> None:
        """Django REST framework: `router.register("users", UserViewSet)` makes a list and a detail route."""
        path = self.values.text(arguments.get(0, "prefix"))
        view = arguments.get(1, "viewset")
        if (
            path is None
            or view is None
            or not text_of(view).rpartition(".")[2].endswith(("ViewSet", "View", "Viewset", "Set"))
        ):
            return
        for below in ("", "{pk}"):
            self.add(call, ("*",), join(path.strip("^/$") or "/", below), receiver, view)
        self.mount(call, path, receiver, text_of(view))

    def spread(self) -> None:
        """Django REST framework: `[*router.urls]`, `urlpatterns += router.urls`."""
        for _, found in self.source.matches(_URLS):
            node = found["urls"][0]
            if node.parent is not None and node.parent.type in (
                "list_splat",
                "binary_operator",
                "augmented_assignment",
                "assignment",
            ):
                outer, variable = self.nesting(node)
                self.mount(node, outer, variable, text_of(found["router"][0]))

    def tuples(self) -> None:
        """Tornado: `(r"/x", Handler)`."""
        for pair in self.source.nodes("tuple"):
            first, handler = (*pair.named_children[:2], None, None)[:2]
            if first is None or handler is None or first.type not in _PATHS or handler.type not in _HANDLERS:
                continue
            path = self.values.text(first)
            in_list = pair.parent is not None and pair.parent.type in ("list", "argument_list")
            if in_list and path and path.startswith(("/", "^/", "(")) and _handler(handler)[:1].isupper():
                self.add(first, ("*",), path, assigned_name(handler, self.around), handler)

    def returned(self) -> None:
        """A function that returns a router stands for it: `include_router(make_router())`."""
        known = {route.router for route in self.facts.routes} | {mount.parent for mount in self.facts.mounts}
        if not known:
            return
        for _, found in self.source.matches(_RETURNS):
            if text_of(found["value"][0]) in known:
                function = found["function"][0]
                self.facts.mounts.append(
                    Mount("", line_of(function), text_of(function), text_of(found["value"][0]), alias=True)
                )


def _keyword(node: Node) -> str:
    parent = node.parent
    if parent is None or parent.type != "keyword_argument":
        return ""
    name = parent.child_by_field_name("name")
    return text_of(name) if name is not None else ""


def _named(arguments: Arguments, *names: str) -> list[Node]:
    return [arguments.keywords[name] for name in names if name in arguments.keywords]


def _handler(node: Node | None) -> str:
    """`views.index`, `UserView.as_view()` and `handler` by their bare names."""
    if node is None:
        return ""
    text = text_of(node)[:120].partition("(")[0].removesuffix(".as_view")
    return text.rpartition(".")[2] if re.fullmatch(r"[\w.]+", text) else ""
