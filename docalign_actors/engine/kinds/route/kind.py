"""Claims about HTTP routes: a path, perhaps with a method, against the routes that the code registers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.code.routes.paths import rank, segments, statics, without_unknown
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.kinds.route.past import Loss, RoutePast, lost_file
from docalign_actors.engine.kinds.route.spelling import claim_segments, readings_of, rewritten
from docalign_actors.engine.kinds.route.text import extract
from docalign_actors.engine.past import Past
from docalign_actors.engine.routing import JoinedRoute, Routing, own_routing
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

UNKNOWN_ROUTE = Rule(
    "unknown-route", "route", "The docs name an HTTP route that the code does not register.", Severity.HIGH
)
WRONG_METHOD = Rule(
    "wrong-method", "route", "The docs give an HTTP method that the route does not accept.", Severity.HIGH
)
_LISTED = frozenset({"table", "list", "heading"})
_LOOSE = frozenset({"span", "prose", "list", "heading", "table", "block"})
_TOLERANT = frozenset({"HEAD", "OPTIONS"})
_SHARE = 0.6
_LONGEST_BLOCK = 20_000
_SEVERAL = 2


class RouteKind:
    """`GET /users/{id}` in the docs, against routers with their prefixes."""

    name = "route"
    rules = (UNKNOWN_ROUTE, WRONG_METHOD)
    markers = frozenset({
        "APIRouter", "FastAPI", "Starlette", "Blueprint", "Flask", "Quart", "urlpatterns", "include_router",
        "register_blueprint", "add_url_rule", "RouteTableDef", "add_routes", "Litestar", "Sanic", "DefaultRouter",
        "SimpleRouter", "NinjaAPI", "add_route", "express", "Router", "fastify", "Hono", "Elysia", "setGlobalPrefix",
        "Controller", "HandleFunc", "ServeMux", "NewRouter", "chi", "gin", "echo", "fiber", "mux", "httprouter", "axum",
        "actix_web", "rocket", "ServiceConfig", "RequestMapping", "GetMapping", "PostMapping", "RestController", "Javalin",
        "MapGet", "MapPost", "MapGroup", "MapControllerRoute", "HttpGet", "HttpPost", "ApiController",
    })  # fmt: skip

    def __init__(self) -> None:
        self._extracted: tuple[Document, list[Claim]] | None = None
        self._routing: WeakKeyDictionary[CodeIndex, Routing] = WeakKeyDictionary()
        self._past: WeakKeyDictionary[Past, RoutePast] = WeakKeyDictionary()

    def extract(self, document: Document) -> Iterable[Claim]:
        """The claims about routes in a document."""
        return extract(document)

    def routing(self, index: CodeIndex) -> Routing:
        """The routes of the repository's own code, joined once a scan."""
        if index not in self._routing:
            self._routing[index] = own_routing(index.files)
        return self._routing[index]

    def verify(self, claim: Claim, world: World) -> Judgement:
        """Holds it to the registered routes, then to those of the past, then to its neighbours."""
        now = self.routing(world.index)
        readings = readings_of(claim.subject)
        for parts in readings:
            exact = [route for _, route in now.matching(parts) if without_unknown(route.segments) == parts]
            if exact:
                return self._method(claim, parts, exact, now, world)
        if not claim.value and _is_place(claim.subject, world):
            return uncertain("a path of the repository")
        if not claim.value and not now.routes and not now.described and claim.form in _LOOSE:
            return uncertain("this repository registers no routes", Why.UNROUTED)
        for parts in readings:
            loss = self._lost(claim, world, parts) or lost_file(parts, now, world)
            if loss is not None and loss.successor is not None and _is_below(parts, loss.successor, claim, world):
                return verified(_place(loss.successor))
            if loss is not None and _is_still_written(loss, world):
                return uncertain("its file has the path as a string still, and may register it in another way")
            if loss is not None:
                return _gone(claim, parts, loss)
        if world.past.awaits(*(word for parts in readings for word in statics(parts))):
            return uncertain("the past has not answered yet")  # what is verified now is not judged again
        return self._otherwise(claim, world, readings[0], now)

    def _otherwise(self, claim: Claim, world: World, parts: tuple[str, ...], now: Routing) -> Judgement:
        """Neither registered to the letter nor known to have gone."""
        loose = [route for _, route in now.matching(parts) if _shares(route, parts)]
        if any(route.certain for route in loose):
            return self._method(claim, parts, loose, now, world)
        if loose:
            return uncertain("a prefix is not known", Why.UNROUTED)
        described = [
            r
            for r in now.described_with(statics(parts))
            if rank(r.segments, parts) and _shares(r, parts) and accepts(r, claim.value)
        ]
        if described:
            return verified(_place(described[0]))
        below = [r for r in now.routes if not claim.value and r.certain and r.segments[: len(parts)] == parts]
        if below:
            return verified(_place(below[0]))
        return self._by_neighbours(claim, world, parts, now)

    def _lost(self, claim: Claim, world: World, parts: tuple[str, ...]) -> Loss | None:
        if world.past not in self._past:
            self._past[world.past] = RoutePast(self.routing(world.index))
        return self._past[world.past].loss(claim, parts, world)

    def _method(
        self, claim: Claim, parts: tuple[str, ...], routes: list[JoinedRoute], now: Routing, world: World
    ) -> Judgement:
        """The path is there: is the method? A route that fits by a placeholder may be the one that answers."""
        answering = [route for route in (*routes, *(r for _, r in now.matching(parts))) if accepts(route, claim.value)]
        if answering:
            return verified(_place(answering[0]))
        allowed = sorted({route.method for route in routes})
        sure = all(route.certain and route.segments == parts for route in routes)
        if not sure or claim.hypothetical:
            return uncertain(f"registered with {', '.join(allowed)}")
        replacement = None
        if len(allowed) == 1 and claim.text.startswith(claim.value):
            # A list that has the other method already would tell it twice: it is this entry that has no route.
            told = any(n.value == allowed[0] and n.subject == claim.subject for n in world.neighbours(claim))
            replacement = Fix(allowed[0] + claim.text.removeprefix(claim.value), not told)
        loss = self._lost(claim, world, parts)
        return Judgement(
            Verdict.DRIFTED,
            WRONG_METHOD.id,
            f"`{claim.subject}` does not accept {claim.value}: the code registers it for {_listed(allowed)}.",
            (*(() if loss is None else (_former(loss),)), *(_place(route) for route in routes[:3])),
            0.9,
            fix=replacement,
            subject=f"{claim.value} /{'/'.join(parts)}",
        )

    def _by_neighbours(self, claim: Claim, world: World, parts: tuple[str, ...], now: Routing) -> Judgement:
        """A list of our own routes, of which most are there, names one that is not."""
        listed = claim.form in _LISTED and bool(claim.value) and not claim.hypothetical
        if not listed or now.opaque or now.matching(parts):
            return uncertain("no such route, and nothing tells that there ever was", Why.UNREGISTERED)
        document = world.documents.get(claim.file)
        siblings = self._siblings(document, claim) if document else []
        there = [c for c in siblings if self._holds(c, now)]
        related = [c for c in there if claim_segments(c.subject)[:1] == parts[:1]]
        if len(there) < 2 or not related or len(there) < _SHARE * (len(siblings) + 1):
            return uncertain("no such route, and too few of its neighbours are registered here", Why.UNROUTED)
        place = now.matching(claim_segments(related[0].subject))[0][1]
        beside = f"`{related[0].subject}`, which stands beside it in the docs, is registered here"
        evidence = (Evidence(beside, place.file, place.line),)
        message = f"No route of the code matches `{claim.value} {claim.subject}`, although {len(there)} routes listed beside it do."
        return Judgement(Verdict.DRIFTED, UNKNOWN_ROUTE.id, message, evidence, 0.85, subject=f"/{'/'.join(parts)}")

    def _siblings(self, document: Document, claim: Claim) -> list[Claim]:
        """The other claims with a method of the same table or list, or under headings of the same level."""
        if self._extracted is None or self._extracted[0] is not document:
            self._extracted = (document, list(extract(document)))
        found: list[Claim] = []
        for other in self._extracted[1]:
            same = (
                other.group == claim.group
                if claim.group
                else other.section[:-1] == claim.section[:-1] and not other.group
            )
            if same and other.value and (other.subject, other.value) != (claim.subject, claim.value):
                found.append(other)
        return found

    @staticmethod
    def _holds(claim: Claim, now: Routing) -> bool:
        """The route is there, and nobody but one service here has it: `/health` of several tells nothing of a list."""
        parts = claim_segments(claim.subject)
        fitting = [r for _, r in now.matching(parts) if accepts(r, claim.value) and r.certain and _shares(r, parts)]
        return bool(fitting) and len({_service(r.file) for r in fitting if r.segments == parts}) < _SEVERAL


def accepts(route: JoinedRoute, method: str) -> bool:
    """The route answers a request with this method, as far as is known."""
    return not method or route.method in ("*", method) or method in _TOLERANT


def _service(path: str) -> str:
    """The first two folders, `services/gateway`: what a repository of several services keeps apart."""
    return "/".join(path.split("/")[:-1][:2])


def _is_place(path: str, world: World) -> bool:
    """It is written as a folder or a file, and is one."""
    return (path.endswith("/") or "." in path.rpartition("/")[2]) and world.exists(path)


def _shares(route: JoinedRoute, parts: tuple[str, ...]) -> bool:
    """They have a word in common: a route that is nothing but a placeholder proves nothing."""
    return bool(set(statics(route.segments)) & set(statics(parts)))


def _is_below(parts: tuple[str, ...], now: JoinedRoute, claim: Claim, world: World) -> bool:
    """The document tells the start of all its paths once, and leaves it out from then on: `/api/v1` before `POST /users`."""
    whole = without_unknown(now.segments)
    start = "/" + "/".join(whole[: len(whole) - len(parts)])
    document = world.documents.get(claim.file)
    if document is None or start == "/" or whole[-len(parts) :] != parts:
        return False
    told = re.compile(rf"(?:^|[\s\"'`(<:=]|://[\w.:-]{{1,200}}){re.escape(start)}/?(?:$|[\s\"'`)>,;.])")
    return any(start in block.text and told.search(block.text[:_LONGEST_BLOCK]) for block in document.blocks)


def _is_still_written(loss: Loss, world: World) -> bool:
    """Of a loop over a table of paths, say, nothing is read."""
    path = _told(loss.route.path).strip("/").encode()
    if loss.successor is not None or not path or loss.file not in world.files:
        return False
    text = world.tree.read(loss.file, SOURCE_LIMIT)
    whole = re.search(rb"[\"'`]/" + re.escape(path) + rb"/?[\"'`]", text) is not None
    return whole or any(_is_put_together(*cut, text) for cut in _cuts(path))


def _cuts(path: bytes) -> list[tuple[bytes, bytes]]:
    """Every way to cut a path in two at a slash."""
    parts = path.split(b"/")
    return [(b"/".join(parts[:at]), b"/".join(parts[at:])) for at in range(1, len(parts))]


def _is_put_together(start: bytes, rest: bytes, text: bytes) -> bool:
    """A function of the file's own puts the start before what it is given: `Sprintf("/web/%s", path)`, `add(m, "home", …)`."""
    prefix = re.search(rb"/" + re.escape(start) + rb"/(?:[%{]|\$\{|#\{|[\"'`]\s?[+.]\s?[a-z_$])", text)
    given = rb"\w\(\s*(?:[\w.&*]+,\s*)?[\"'`]/?" + re.escape(rest) + rb"/?[\"'`]\s*,"
    return prefix is not None and re.search(given, text) is not None


def _gone(claim: Claim, parts: tuple[str, ...], loss: Loss) -> Judgement:
    shown = f"{claim.value} {claim.subject}".strip()
    fix = None
    heir = _told(loss.successor.path) if loss.successor is not None else ""
    became = f"; it is `{heir}` now" if heir and loss.certain else ""
    if heir:
        new = rewritten(claim.subject, without_unknown(loss.route.segments), heir)
        head, _, _ = claim.text.rpartition(claim.subject)
        if new and claim.text.endswith(claim.subject):
            fix = Fix(head + new, loss.certain)
    later = (_place(loss.successor),) if loss.successor is not None and loss.certain else ()
    return Judgement(
        Verdict.DRIFTED,
        UNKNOWN_ROUTE.id,
        f"`{shown}` is not a route any more{became}.",
        (_former(loss), *later),
        0.95 if fix else 0.9,
        fix=fix,
        subject=f"/{'/'.join(parts)}",
    )


def _former(loss: Loss) -> Evidence:
    return Evidence(f"`{_told(loss.route.path)}` was registered here", loss.file, loss.line, loss.commit)


def _place(route: JoinedRoute) -> Evidence:
    return Evidence(re.sub(r"^\* ", "", f"{route.method} {_told(route.path)}"), route.file, route.line)


def _told(path: str) -> str:
    """The path as people are told of it: without what the code does not tell, and without regular expressions."""
    if re.search(r"[()\\^]", path):
        return "/" + "/".join(without_unknown(segments(path)))
    return re.sub(r"//+", "/", re.sub(r"\$\{\w+\}", "", path))


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def is_open(judgement: Judgement) -> bool:
    """This kind could not tell: it does not know how a framework registers routes, or what they lie below."""
    return judgement.why in (Why.UNROUTED, Why.UNREGISTERED)
