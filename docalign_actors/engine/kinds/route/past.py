"""Whether a claimed route was registered once: the routes of the code as it stood at sampled points of the past."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile

from msgspec import Struct

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.routes.javascript import file_route
from docalign_actors.engine.code.routes.paths import ONE, RUN, UNKNOWN, rank, segments, statics, without_unknown
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import successor
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.routing import JoinedRoute, Routing, own_routing
from docalign_actors.engine.world import World

_MOST_POINTS = 24
_MOST_READ = 20
_READ = 400_000
_LONGEST_LINE = 2_000
_IMPORTS = re.compile(r"\b(?:import|require|from|include)\b")
_VERSIONS = frozenset({"v1", "v2", "v3"})
_GENERIC = frozenset({"api", "rest"}) | _VERSIONS
_DESCRIPTIONS = (".json", ".yaml", ".yml")


class Loss(Struct, frozen=True):
    """A route that was, where it was registered, and the one that has its handler now."""

    route: JoinedRoute
    file: str
    line: int
    commit: str
    successor: JoinedRoute | None = None
    certain: bool = False


class _Point(Struct, frozen=True):
    """The code at a point of the past: files that have changed since as they were, the others as they are."""

    files: dict[str, PastFile]
    routing: Routing
    gone: list[JoinedRoute]
    """The routes of then that are not there now."""
    prefixes: list[JoinedRoute]
    """The prefixes of then that nothing is put under now."""


class RoutePast:
    """The points of the past, joined once for all claims: every claim's words bring in the files that contained them."""

    def __init__(self, now: Routing) -> None:
        self._now = now
        self._present = {(route.method, route.segments) for route in now.routes}
        self._taken = self._present | {(method, _narrow(segments)) for method, segments in self._present}
        """With placeholders of one segment, too: `{id:path}` takes what `{id}` took."""
        self._words: set[str] = set()
        self._joined = 0
        self._points: list[_Point] = []
        self._prefixes = {without_unknown(prefix.segments) for prefix in now.prefixed}
        self._written: dict[tuple[str, bool], bool] = {}
        self._fitting: dict[tuple[str, ...], bool] = {}

    def loss(self, claim: Claim, parts: tuple[str, ...], world: World) -> Loss | None:
        """The newest point at which the code had a route that the claim names and nothing has now."""
        mine = statics(parts)
        self._words.update(mine)
        answers = [world.past.files(word) for word in mine]
        if not any(answers):
            return None
        fits_now = self._fits_now(parts)
        for point in self._at(world):
            for route in self._lost_routes(claim, parts, point, fits_now):
                heir, certain = self._successor(route, point.routing, point is self._points[0])
                file = point.files.get(route.file) or _teller(route, point.files.values())
                # Another route stands in its place since a few commits ago: a word that is left over means something else.
                replaced = heir is not None and file is not None and file.is_fresh
                fresh = file is not None and file.is_fresh
                if not certain and not replaced and self._may_be_here(route, parts, world, fresh):
                    continue
                if file is not None:
                    return Loss(route, file.path, _line(route, file), file.blob.after, heir, certain)
        return None if fits_now else self._lost_prefix(parts, world) or self._lost_local(claim, parts, world)

    def _fits_now(self, parts: tuple[str, ...]) -> bool:
        """Some route of today fits. Claims of one path are many, and each asks again in every round."""
        if parts not in self._fitting:
            self._fitting[parts] = any(rank(without_unknown(segments), parts) for _, segments in self._present)
        return self._fitting[parts]

    def _lost_local(self, claim: Claim, parts: tuple[str, ...], world: World) -> Loss | None:
        """The docs name a route by what its own router registers, without prefixes, and its handler has another path now."""
        if any(segments(route.local) == parts for route in self._now.routes):
            return None
        for point in self._at(world):
            for route in point.gone:
                file = point.files.get(route.file)
                if file is None or segments(route.local) != parts or claim.value not in ("", "*", route.method):
                    continue
                _, certain = self._successor(route, point.routing, point is self._points[0])
                if certain and not self._is_written("/".join(_head(parts)), world, as_path=True):
                    return Loss(route, file.path, route.line, file.blob.after)
        return None

    def _lost_prefix(self, parts: tuple[str, ...], world: World) -> Loss | None:
        """The claim lies under a prefix that something was mounted at, and that no path of the code begins with now."""
        for point in self._at(world):
            for prefix in point.prefixes:
                mine = without_unknown(prefix.segments)
                file = point.files.get(prefix.file)
                if file is None or parts[: len(mine)] != mine or set(mine) <= _GENERIC - _VERSIONS:
                    continue
                if self._begins(mine) or self._is_written("/".join(mine), world, as_path=True):
                    continue
                below = {
                    word
                    for r in point.routing.routes
                    if r.segments[: len(mine)] == mine
                    for word in r.segments[len(mine) :]
                }
                if set(mine) <= _GENERIC and below and below.isdisjoint(parts[len(mine) :]):
                    continue  # `/api/v2/alerts` of a program that is no service of ours
                return Loss(prefix, prefix.file, prefix.line, file.blob.after)
        return None

    def _begins(self, prefix: tuple[str, ...]) -> bool:
        """Some route or mount of today begins so, or a path that a description lists in full."""
        described = (segments(route.local) for route in self._now.described)
        paths = (*self._prefixes, *(without_unknown(parts) for _, parts in self._present), *described)
        return any(path[: len(prefix)] == prefix for path in paths)

    def _at(self, world: World) -> list[_Point]:
        """The points, newest first. All words are asked for before the first answer comes, so this is done once a scan."""
        if self._joined != len(self._words):
            self._joined = len(self._words)
            answers = [world.past.files(word) for word in sorted(self._words)]
            found = {(f.path, f.blob.oid): f for files in answers for f in files}
            own = [f for f in found.values() if is_own_code(f.path)]
            read_ahead((f.facts for f in own), "routes")
            files = [f for f in own if _tells(f)]
            self._points = []
            held: dict[str, PastFile] = {}
            for before in _newest_first(answers)[:_MOST_POINTS]:
                then = {f.path: f for f in files if f.blob.before == before}
                if then:
                    held = {**held, **then}
                    facts = {**world.index.files, **{path: file.facts for path, file in held.items()}}
                    then_routing = own_routing(facts)
                    gone = [
                        r
                        for r in then_routing.routes
                        if (r.method, r.segments) not in self._taken and statics(r.segments)
                    ]
                    left = [
                        p
                        for p in then_routing.prefixed
                        if (mine := without_unknown(p.segments))
                        and statics(mine) == mine
                        and mine not in self._prefixes
                    ]
                    self._points.append(_Point(held, then_routing, gone, left))
        return self._points

    def _lost_routes(self, claim: Claim, parts: tuple[str, ...], then: _Point, fits_now: bool) -> list[JoinedRoute]:
        """Routes of the past that the claim fits: to the letter, by placeholders, as their prefix, in that order."""
        right = [r for r in then.gone if not claim.value or r.method in ("*", claim.value)]
        exact = [r for r in right if without_unknown(r.segments) == parts]
        if exact or fits_now:
            return exact
        bare = [(r, without_unknown(r.segments)) for r in right]
        loose = [r for r, segments in bare if rank(segments, parts) and _telling(segments, parts)]
        return loose or self._described(claim, parts, then.routing) or self._below(claim, parts, right)

    def _described(self, claim: Claim, parts: tuple[str, ...], then: Routing) -> list[JoinedRoute]:
        """Paths that an OpenAPI file listed."""
        words = _particular(parts)
        listed = [r for r in then.described_with(words) if rank(r.segments, parts) and _ends(segments(r.local), parts)]
        if not listed or any(_ends(segments(r.local), parts) for r in self._now.described_with(words)):
            return []
        return [r for r in listed if not claim.value or r.method in ("*", claim.value)]

    def _below(self, claim: Claim, parts: tuple[str, ...], gone: list[JoinedRoute]) -> list[JoinedRoute]:
        """`/api/v1` alone: the prefix of routes, and of none now."""
        if claim.value or (len(parts) < 2 and set(parts) <= _GENERIC):
            return []
        if any(without_unknown(segments)[: len(parts)] == parts for _, segments in self._present):
            return []
        return [r for r in gone if without_unknown(r.segments)[: len(parts)] == parts]

    def _may_be_here(self, route: JoinedRoute, parts: tuple[str, ...], world: World, fresh: bool) -> bool:
        """The route's words are all in the code yet, and something of today's routes cannot be read.

        What was registered as `/tags/` a moment ago is not there because something else is called `tags`.
        """
        unread = self._now.opaque or any(UNKNOWN in s and rank(s, parts) for _, s in self._present)
        text = route.local.strip("/^$")
        if route.file.endswith(_DESCRIPTIONS):
            return self._is_written("/".join(_head(segments(route.local))), world, as_path=True)
        if unread and all(self._is_written(part, world) for part in statics(route.segments)):
            return True
        registered = any(r.local.strip("/^$") == text for r in self._now.routes)
        return (
            bool(statics(route.segments))
            and not registered
            and bool(re.search(r"\w{2}", text))
            and self._is_written(text, world, as_path=fresh and not unread and route.local.startswith("/"))
        )

    def _is_written(self, text: str, world: World, as_path: bool = False) -> bool:
        """The code of today has a string of which this text is the whole or some whole segments.

        as_path: the text is a path in a string, whatever stands before it and below it.
        """
        if (text, as_path) not in self._written:
            words = re.findall(r"\w+", text)
            paths = sorted(world.index.occurs(max(words, key=len))) if words else []
            own = [p for p in paths if is_own_code(p) and not p.endswith(_DESCRIPTIONS)][:_MOST_READ]
            around = (r"[\"'`][^\"'`\s]{0,80}/", r"[/\"'`$?{]") if as_path else (r"[\"'`/]", r"/?[\"'`$?]")
            quoted = re.compile(around[0] + re.escape(text) + around[1])
            lines = (
                line
                for p in own
                for line in world.tree.read(p, _READ).decode("utf-8", "replace").splitlines()
                if text in line
            )
            self._written[text, as_path] = any(
                quoted.search(line[:_LONGEST_LINE]) and not _IMPORTS.search(line[:_LONGEST_LINE]) for line in lines
            )
        return self._written[text, as_path]

    def _successor(self, route: JoinedRoute, then: Routing, newest: bool) -> tuple[JoinedRoute | None, bool]:
        """The route that the same handler has now and did not have then; of late also the one in the same place."""
        before = {(r.method, r.segments) for r in then.routes}
        new = [r for r in self._now.routes if (r.method, r.segments) not in before and r.method == route.method]
        come = [r for r in new if r.certain or r.segments[:1] == (UNKNOWN,) == route.segments[:1]]
        alone = route.handler and len({r.segments for r in then.routes if r.handler == route.handler}) == 1
        local = [r for r in come if r.file == route.file and r.local == route.local and r.handler == route.handler]
        for same in (local, [r for r in come if alone and r.handler == route.handler]):
            if len({r.segments for r in same}) == 1:
                return same[0], True
        if not newest:
            return None, False
        before_here = [(r.local, (r.method, r.handler)) for r in then.routes if r.file == route.file]
        after_here = [(r.local, (r.method, r.handler)) for r in self._now.routes if r.file == route.file]
        name = successor(route.local, before_here, after_here)
        placed = [r for r in come if name is not None and r.file == route.file and r.local == name[0]]
        return (placed[0], False) if len({r.segments for r in placed}) == 1 else (None, False)


def lost_file(parts: tuple[str, ...], now: Routing, world: World) -> Loss | None:
    """A route that a file was by its place (Next, SvelteKit), if the repository has such routes and the file is gone."""
    if statics(parts) != parts or not any(r.path == file_route(r.file) for r in now.routes if r.line == 1):
        return None
    path = "/".join(parts)
    for tail in ("/route.ts", "/route.js", ".ts", ".js", "/index.ts", "/+server.ts"):
        removal = world.past.removal(f"**/{path}{tail}")
        if removal is not None and file_route(removal.path) == f"/{path}":
            heir = file_route(removal.successor) if removal.successor else None
            after = JoinedRoute("*", heir, removal.successor, 1, True) if heir else None
            route = JoinedRoute("*", f"/{path}", removal.path, 1, True)
            return Loss(route, removal.path, 1, removal.commit.sha, after, after is not None)
    return None


def _narrow(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(ONE if part == RUN else part for part in parts)


def _tells(file: PastFile) -> bool:
    """The file has something to do with routes: registrations, mounts, or constants that may be paths."""
    return (
        bool(file.facts.routes or file.facts.mounts)
        or any(d.value and "/" in d.value for d in file.facts.definitions)
        or any(key.name.endswith(("context-path", "base-path")) for key in file.facts.keys)
    )


def _newest_first(answers: Iterable[Sequence[PastFile]]) -> list[str]:
    """The sampled points in order. Each answer is in order, none has all of them."""
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for files in answers:
        points = list(dict.fromkeys(file.blob.before for file in files))
        for position, point in enumerate(points):
            sorter.add(point, *points[max(0, position - 1) : position])
    try:
        return list(sorter.static_order())
    except CycleError:
        return []


def _particular(parts: tuple[str, ...]) -> list[str]:
    """The segments that stand for themselves and tell something of the route."""
    return [part for part in statics(parts) if part not in _GENERIC]


def _telling(route: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """A fit by placeholders means something: two words of its own in common, and values only where placeholders are."""
    common = [part for part in _particular(route) if part in parts]
    return len(common) >= 2 or (
        bool(common) and all(r == c or c in (ONE, RUN) for r, c in zip(route, parts, strict=False))
    )


def _head(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The segments up to the first placeholder."""
    return tuple(takewhile(lambda part: statics((part,)), parts))


def _ends(listed: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    """The claim ends in a path that a description lists, under nothing but a general prefix or with two words in common."""
    head, tail = parts[: -len(listed)], parts[-len(listed) :]
    if len(tail) != len(listed) or not rank(listed, tail):
        return False
    common = [part for part in _particular(listed) if part in tail]
    literal = all(r == c or c in (ONE, RUN) for r, c in zip(listed, tail, strict=True))
    return bool(common) and (len(common) > 1 or (literal and set(head) <= _GENERIC))


def _teller(route: JoinedRoute, files: Iterable[PastFile]) -> PastFile | None:
    """The file of the past that gave a route its prefix: by a mount, or by a constant."""
    told = [f for f in files if any(m.prefix.strip("/") and m.prefix.strip("/") in route.path for m in f.facts.mounts)]
    told = told or [
        f
        for f in files
        if any(d.value and d.value.strip("/") and d.value.strip("/") in route.path for d in f.facts.definitions)
    ]
    return told[0] if told else None


def _line(route: JoinedRoute, file: PastFile) -> int:
    """Where the past file tells of the route: its registration, the mount or the constant that gave its prefix."""
    if route.file == file.path:
        return route.line
    for mount in file.facts.mounts:
        if mount.prefix.strip("/") and mount.prefix.strip("/") in route.path:
            return mount.line
    return next(
        (d.line for d in file.facts.definitions if d.value and d.value.strip("/") in route.path and "/" in d.value), 1
    )
