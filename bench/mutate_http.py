"""Mutants of HTTP interfaces: a route, and the prefix that routers are mounted under."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from bench.files import language_of
from bench.keepers import is_told
from bench.mutants import Mutant, Proposal, Repo, honest

_SEGMENTS = r"(/[A-Za-z-][\w./{}:<>*()?+\\-]*)"
_ROUTES = (
    re.compile(rf"@\w+(?:\.\w+)?\.(?:route|get|post|put|delete|patch|websocket)\(\s*r?[\"']{_SEGMENTS}[\"']"),
    re.compile(rf"\b(?:Route|WebSocketRoute|path|re_path|url|add_route|add_get|add_post)\(\s*(?:method=\w+,\s*)?[rf]?[\"']{_SEGMENTS}[\"']"),
    re.compile(rf"\(\s*r[\"']{_SEGMENTS}[\"'],\s*[\w.]+\s*[,)]"),
    re.compile(rf"\b(?:app|router|server|fastify|route|api|r|mux|e|g|engine|group|http)\.(?:get|post|put|delete"
    rf"|patch|all|Get|Post|Put|Delete|Patch|GET|POST|PUT|DELETE|PATCH|HandleFunc|Handle|Methods|Any"
    rf"|HEAD)\(\s*[`'\"](?:[A-Z]+ )?{_SEGMENTS}[`'\"]"),
    re.compile(rf"\badd_route\(\s*[\w.()]+,\s*r?[\"']{_SEGMENTS}"),
    re.compile(rf"\.route\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"@(?:Get|Post|Put|Delete|Patch)(?:Mapping)?\(\s*(?:value\s*=\s*|path\s*=\s*)?\{{?\s*\"{_SEGMENTS}\""),
    re.compile(rf"(?m)^  {_SEGMENTS}:\s*$"),
    re.compile(rf"#\[(?:get|post|put|delete|patch)\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"web::resource\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"\burl:\s*['\"]{_SEGMENTS}['\"]"),
    re.compile(rf"@Path\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"\w\.(?:GET|POST|PUT|DELETE|PATCH|HandleFunc|Handle)\(\s*\"(?:[A-Z]+ )?{_SEGMENTS}\""),
    re.compile(rf"==\s*\"{_SEGMENTS}\"|HasPrefix\([\w.]*[Pp]ath,\s*\"{_SEGMENTS}\""),
)  # fmt: skip
_CONSTANT = (
    r"(?m)^(?:const |static |var )?[ \t]{0,8}\w{0,40}?(?:[Pp]refix|PREFIX|BasePath|BASE_PATH)\w{0,40}"
    r"\s{0,9}(?::[^=\n]{1,60})?=\s{0,9}"
)
_PREFIXES = (
    re.compile(rf"\b(?:prefix|url_prefix|root_path)\s*=\s*[\"']{_SEGMENTS}[\"']"),
    re.compile(rf"\bMount\(\s*[\"']{_SEGMENTS}[\"']"),
    re.compile(rf"\b(?:app|router|r|server|api)\.use\(\s*['\"`]{_SEGMENTS}['\"`]\s*,"),
    re.compile(rf"\.(?:Group|Route|Mount|PathPrefix|nest|scope)\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"\bweb::scope\(\s*\"{_SEGMENTS}\""),
    re.compile(rf"@RequestMapping\(\s*(?:value\s*=\s*|path\s*=\s*)?\{{?\s*\"{_SEGMENTS}\""),
    re.compile(r"(?m)context-path\s*[=:]\s*(/\w[\w/-]*)"),
    re.compile(rf"@Controller\(\s*(?:value\s*=\s*)?[\"']{_SEGMENTS}[\"']"),
    re.compile(rf"\b(?:prefix|basePath|base_path|baseUrl|pathPrefix)\s*:\s*['\"`]{_SEGMENTS}['\"`]"),
    re.compile(rf"\b(?:MapGroup|Route::prefix|scope|mount)[( ]\s*['\"]{_SEGMENTS}['\"]"),
    re.compile(_CONSTANT + rf"['\"]{_SEGMENTS}['\"]"),
    re.compile(rf"(?m)^const\s+\w*[Pp]refix\w*\s*=\s*\"{_SEGMENTS}\""),
)
_STATIC = re.compile(r"^((?:/[A-Za-z-][\w-]*)+)(?![\w.])")
_DULL = frozenset(
    [
    "/", "/static", "/index", "/home", "/docs", "/api", "/test", "/users", "/items", "/hello", "/foo", "/bar", "/login",
    "/posts", "/tmp", "/etc", "/usr", "/bin", "/dev", "/var", "/opt",
]
)  # fmt: skip
_HTTP_FILE = re.compile(r"\.(py|js|mjs|cjs|ts|go|rs|java|kt|cs|rb|php|ya?ml|properties)$")


def routes(repo: Repo) -> Iterator[Proposal]:
    """Routes registered in own code whose fixed part the docs name."""
    yield from _proposals(repo, "route", _ROUTES)


def prefixes(repo: Repo) -> Iterator[Proposal]:
    """Prefixes of routers whose fixed part the docs name."""
    yield from _proposals(repo, "prefix", _PREFIXES)


def _proposals(repo: Repo, kind: str, patterns: tuple[re.Pattern[str], ...]) -> Iterator[Proposal]:
    mounted = _found(repo, _PREFIXES)
    found = {route: path for route, path in _found(repo, patterns).items() if len(route) >= 5 and route not in _DULL}
    for route, path in sorted(found.items()):
        if route.rpartition("/")[2] in repo.docs.code_words or "-" in route or "." in route:
            yield Proposal(kind, route, _moved(repo, kind, route, path, mounted))


_HOST = r"(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|[\w.-]+\.(?:com|org|io|net|local)|\$?\{?\w*(?:host|url|HOST|URL)\w*\}?)?(?::\d+)?"


_OTHERS = r"(?!(?:[\w-]+\.)*(?:example|mydomain|yourdomain|your-domain|my-domain)\.)(?:[\w-]+\.)+(?:org|com|io|net|dev)"
"""Hosts with a name of their own are seldom the reader's."""


def route_token(route: str, mounted: Collection[str] = ()) -> re.Pattern[str]:
    """The route, or what lies below it, after a host, a prefix of the repository, or at the start of a path."""
    before = "".join(f"|{re.escape(prefix)}" for prefix in sorted(mounted, key=len, reverse=True) if prefix != route)
    return re.compile(
        rf"(?<![\w}}<>)/.~-])(?!https?://(?:{_OTHERS})[/:])({_HOST}(?:{before.lstrip('|')})?){re.escape(route)}(?![\w-]|\.\w)"
    )


def _found(repo: Repo, patterns: tuple[re.Pattern[str], ...]) -> dict[str, str]:
    """Fixed part of a path -> the file that registers it."""
    found: dict[str, str] = {}
    for path, text in sorted(repo.snapshot.own.items()):
        if _HTTP_FILE.search(path) and not path.startswith(".github/"):
            for match in (m for pattern in patterns for m in pattern.finditer(text)):
                fixed = _STATIC.match(next(group for group in match.groups() if group))
                if fixed and not is_told(path, text, match.start()):
                    found.setdefault(fixed.group(1).rstrip("."), path)
    return found


def _moved(repo: Repo, kind: str, route: str, path: str, mounted: Collection[str]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        head, _, last = route.rpartition("/")
        version = re.fullmatch(r"v(\d+)", last)
        renamed = f"v{int(version.group(1)) + 4}" if version else repo.rename_token(last)
        new = f"{head}/{renamed}"
        if kind == "prefix" and repo.variant == "removal":
            new = head  # what was mounted below it is mounted above
        token = route_token(route, mounted)
        stale = repo.docs.stale(token)
        if not renamed or not stale or _is_file(repo, route) or _is_below(repo, route, path):
            return None
        changes = repo.replaced(token, new, repo.with_text(route))
        if kind == "prefix" and repo.variant == "removal":
            return honest(
                Mutant(
                    kind, language_of(path) or repo.snapshot.language, route, new or "/", tuple(stale),
                    tuple(repo.docs.all_lines(re.compile(re.escape(route)))), changes, variant="removal",
                ),
                repo, token,
            )  # fmt: skip
        tolerated = repo.docs.all_lines(re.compile(re.escape(route)))
        language = language_of(path) or repo.snapshot.language
        return honest(Mutant(kind, language, route, new, tuple(stale), tuple(tolerated), changes), repo, token)

    return make


_CLASS_PREFIX = re.compile(
    r"@(?:Controller|RequestMapping|Path)\([^)\n]*[\"']/?[\w{][^)\n]*\)\s*(?:@\w[^\n]*\s+)*"
    r"(?:public\s+)?(?:\w+\s+)?class\b"
)
_IN_IMAGE = re.compile(r"(?m)^(?:VOLUME|WORKDIR|RUN mkdir)\b.*?(/[\w/-]+)")


def _is_below(repo: Repo, route: str, path: str) -> bool:
    """The class gives it a prefix, without which the docs mean another; or the name is also that of a folder in an image."""
    text = repo.snapshot.code[path]
    if route.count("/") == 1 and _CLASS_PREFIX.search(text):
        return True
    images = (t for p, t in repo.snapshot.code.items() if "Dockerfile" in p)
    return any(match.group(1).startswith(route) for t in images for match in _IN_IMAGE.finditer(t))


def _is_file(repo: Repo, route: str) -> bool:
    """Docs that name such a path may mean a file."""
    inside = route.strip("/")
    return inside in repo.snapshot.paths or inside in repo.snapshot.directories
