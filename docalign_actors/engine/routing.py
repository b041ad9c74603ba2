"""Routes with the prefixes that their routers are mounted under, over all files of a repository.

Pure functions on facts: the same code joins the routes of today and those of an earlier version of a file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from msgspec import Struct

from docalign_actors.engine.code.routes.modules import Modules
from docalign_actors.engine.code.routes.paths import UNKNOWN, join, rank, segments, statics
from docalign_actors.engine.facts import FileFacts, Mount
from docalign_actors.engine.roles import is_own_code

Node = tuple[str, str]
"""A file and the name that a router has there."""

_UNTOLD = "${_}"
_CONSTANT = re.compile(r"\$\{(\w+)\}")
_MIDDLEWARE = re.compile(
    r"limit|auth|middleware|cors|helmet|logg|parser|session|compress|csrf|guard|check|verify|validat|protect",
    re.IGNORECASE,
)
"""Names of what is put before routes and has none of its own."""
_MOST_PREFIXES = 32
_DEEPEST = 12
_DESCRIPTIONS = (".json", ".yaml", ".yml")
_CONTEXT_PATHS = frozenset({"server.servlet.context-path", "server.context-path", "spring.webflux.base-path"})
CONTROLLERS = "@controllers"
"""The child of a mount that gives all controllers a prefix."""


class JoinedRoute(Struct, frozen=True):
    """A route as a client reaches it. certain: every prefix above it is known."""

    method: str
    path: str
    file: str
    line: int
    certain: bool
    handler: str = ""
    router: str = ""
    local: str = ""
    """The path as registered, without prefixes."""

    @property
    def segments(self) -> tuple[str, ...]:
        return segments(self.path)


class _Edge(Struct, frozen=True):
    parent: Node
    prefix: str
    replaces: bool
    alias: bool = False


class Routing:
    """The routes of a set of files, joined at first use."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = {path: facts for path, facts in files.items() if facts.routes or facts.mounts}
        self._all = files
        self._names = {path: _names(facts) for path, facts in self._files.items()}
        self._modules = Modules(files, self._names)
        self._edges: dict[Node, list[_Edge]] = defaultdict(list)
        self._own: dict[Node, list[str]] = defaultdict(list)
        self._dangling: list[tuple[str, Mount]] = []
        self._before_routes: set[tuple[str, int]] = set()
        self._prefixes: dict[Node, tuple[str, ...]] = {}
        self._fits: dict[tuple[str, ...], list[tuple[int, JoinedRoute]]] = {}
        self._link()

    def _link(self) -> None:
        for path, facts in self._files.items():
            for mount in facts.mounts:
                prefix = self._expand(path, mount.prefix)
                if not mount.child:
                    self._own[_node(path, mount.parent)].append(prefix)
                    continue
                if mount.child == CONTROLLERS:
                    self._globally(path, mount.parent, prefix)
                    continue
                children = (
                    self._view_set(mount.child) if _is_view(mount.child) else self._modules.resolve(path, mount.child)
                )
                for child in children:
                    if child != (path, mount.parent):
                        self._edges[_node(*child)].append(
                            _Edge(_node(path, mount.parent), prefix, mount.replaces, mount.alias)
                        )
                if not children and _MIDDLEWARE.search(mount.child):
                    self._before_routes.add((path, mount.line))
                elif not children and not _is_view(mount.child):
                    self._dangling.append((path, mount))

        for facts in self._all.values():
            for key in facts.keys:
                if key.name in _CONTEXT_PATHS and key.default and key.default.startswith("/"):
                    self._globally("Application.java", "", key.default)
                    self._globally("Application.java", "", "")  # the docs often leave it out

    def _view_set(self, child: str) -> list[Node]:
        """The view set that Django REST framework registers, and the classes that it inherits actions from."""
        wanted, seen, found = [child.rpartition(".")[2]], set[str](), list[Node]()
        while wanted and len(seen) < 20:
            name = wanted.pop()
            seen.add(name)
            found.extend((path, name) for path, names in self._names.items() if name in names)
            wanted.extend(base for base in self._bases.get(name, ()) if base not in seen)
        return found

    @cached_property
    def _bases(self) -> Mapping[str, tuple[str, ...]]:
        classes = (
            d for facts in self._all.values() if facts.language == "python" for d in facts.definitions if d.bases
        )
        return {d.name: tuple(base.rpartition(".")[2] for base in d.bases) for d in classes}

    def _globally(self, path: str, parent: str, prefix: str) -> None:
        """A prefix for every controller (`@Name`) of the same language."""
        suffix = path.rpartition(".")[2]
        for other, names in self._names.items():
            for name in names if other.endswith("." + suffix) else ():
                if name.startswith("@"):
                    self._edges[other, name].append(_Edge((path, parent), prefix, False))

    def _expand(self, path: str, text: str) -> str:
        """`${NAME}` by the constant of this name: the file's own, or the only one there is."""
        return _CONSTANT.sub(lambda m: self._constant(path, m[1]), text) if "${" in text else text

    def _constant(self, path: str, name: str) -> str:
        facts = self._all.get(path)
        for definition in facts.definitions if facts else ():
            if definition.name == name and definition.value is not None:
                return definition.value
        values = self._constants.get(name, set())
        return next(iter(values)) if len(values) == 1 else _UNTOLD

    @cached_property
    def _constants(self) -> Mapping[str, set[str]]:
        wanted = {
            name
            for facts in self._files.values()
            for text in (*(r.path for r in facts.routes), *(m.prefix for m in facts.mounts))
            for name in _CONSTANT.findall(text)
        }
        found: dict[str, set[str]] = defaultdict(set)
        for facts in self._all.values():
            for definition in facts.definitions:
                if definition.name in wanted and definition.value is not None:
                    found[definition.name].add(definition.value)
        return found

    def _mounts_of(self, node: Node) -> list[_Edge]:
        """What a router hangs on. A name for it that nobody mounts is no such thing."""
        return [e for e in self._edges.get(node, []) if not e.alias or self._edges.get(e.parent)]

    def prefixes(self, node: Node, depth: int = 0) -> tuple[str, ...]:
        """Every prefix a router is reached under. A router that nobody is seen to mount is kept bare, and under an unknown one."""
        if node in self._prefixes:
            return self._prefixes[node]
        if depth > _DEEPEST:
            return (_UNTOLD,)
        self._prefixes[node] = (_UNTOLD,)  # what a cycle of mounts sees
        own = self._own.get(node, [])
        edges = self._mounts_of(node)
        found: list[str] = []
        for edge in edges:
            for above in self.prefixes(edge.parent, depth + 1):
                for mine in [""] if edge.replaces else (own or [""]):
                    found.append(join(join(above, edge.prefix), mine))
        if not edges:
            found = list(own) or [""]
            if not node[1].startswith("@"):  # a controller, or a router that is made where it is used, needs no mount
                found += [join(_UNTOLD, mine) for mine in own]
        result = tuple(dict.fromkeys(found))[:_MOST_PREFIXES]
        self._prefixes[node] = result
        return result

    @cached_property
    def routes(self) -> list[JoinedRoute]:
        """Every route of code, under every prefix. What is mounted but not found is a route of unknown end."""
        found: list[JoinedRoute] = []
        for path, facts in self._files.items():
            for route in facts.routes if not path.endswith(_DESCRIPTIONS) else ():
                local = self._expand(path, route.path)
                node = _node(path, route.router)
                prefixes = self.prefixes(node)
                orphan = len(prefixes) > 1 and not self._mounts_of(node)
                for prefix in prefixes:
                    full = join(prefix, local)
                    certain = not orphan and UNKNOWN not in segments(full)
                    found.append(
                        JoinedRoute(route.method, full, path, route.line, certain, route.handler, route.router, local)
                    )
        for path, mount in self._dangling:
            for prefix in self.prefixes(_node(path, mount.parent)):
                full = join(join(prefix, self._expand(path, mount.prefix)), _UNTOLD)
                found.append(JoinedRoute("*", full, path, mount.line, False))
        return [
            route for route in found if any(part not in ("*", UNKNOWN) for part in route.segments) or not route.segments
        ]

    @cached_property
    def prefixed(self) -> list[JoinedRoute]:
        """Every prefix that some router, or the whole program, is put under."""
        found: list[JoinedRoute] = []
        for path, facts in self._files.items():
            for mount in facts.mounts:
                if not mount.prefix.strip("/") or (path, mount.line) in self._before_routes:
                    continue
                node = _node(path, mount.parent)
                tail = self._expand(path, mount.prefix) if mount.child else ""
                for above in self.prefixes(node) if mount.child != CONTROLLERS else ("",):
                    found.append(JoinedRoute("*", join(above, tail), path, mount.line, False))
        for path, facts in self._all.items():
            for key in facts.keys:
                if key.name in _CONTEXT_PATHS and key.default and key.default.startswith("/"):
                    found.append(JoinedRoute("*", key.default, path, key.line, False))
        return found

    @cached_property
    def described(self) -> list[JoinedRoute]:
        """What OpenAPI files list, under whatever their servers put before it."""
        return [
            JoinedRoute(route.method, join(_UNTOLD, route.path), path, route.line, False, route.handler, "", route.path)
            for path, facts in self._files.items()
            if path.endswith(_DESCRIPTIONS)
            for route in facts.routes
        ]

    def described_with(self, words: Iterable[str]) -> list[JoinedRoute]:
        """What OpenAPI files list and has one of these words for a segment, in their order."""
        places = {place for word in words for place in self._described_by_word.get(word, ())}
        return [self.described[place] for place in sorted(places)]

    @cached_property
    def _described_by_word(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for place, route in enumerate(self.described):
            for word in {*statics(route.segments), *statics(segments(route.local))}:
                found[word].append(place)
        return found

    @cached_property
    def opaque(self) -> bool:
        """Some file registers routes in a way that cannot be read."""
        return any("routes" in facts.opaque for facts in self._all.values())

    def matching(self, claim: tuple[str, ...]) -> list[tuple[int, JoinedRoute]]:
        """The routes that a claimed path fits, the best fit first."""
        if claim not in self._fits:
            found = [(rank(route.segments, claim), route) for route in self.routes]
            self._fits[claim] = sorted((f for f in found if f[0]), key=lambda f: (-f[0], not f[1].certain))
        return self._fits[claim]


def _is_view(name: str) -> bool:
    return name.endswith(("ViewSet", "Viewset", "View"))


def _node(path: str, name: str) -> Node:
    """A Go package is one name space over the files of a folder."""
    return (
        (path.rpartition("/")[0] + "/*.go", name) if path.endswith(".go") and not name.startswith("@") else (path, name)
    )


def own_routing(files: Mapping[str, FileFacts]) -> Routing:
    """The routing of a repository's own code: no tests, no examples."""
    return Routing({path: facts for path, facts in files.items() if is_own_code(path)})


def joined_routes(files: Mapping[str, FileFacts]) -> list[JoinedRoute]:
    """Every route of the repository's own code as a client reaches it."""
    return own_routing(files).routes


def _names(facts: FileFacts) -> frozenset[str]:
    """What a file calls its routers."""
    return frozenset({route.router for route in facts.routes} | {mount.parent for mount in facts.mounts})
