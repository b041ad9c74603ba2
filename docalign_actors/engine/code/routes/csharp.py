"""Routes of ASP.NET: attributes of controllers, calls of minimal APIs and endpoint builders. Read line by line, without a tree.

What is registered by convention, through constants or in groups that another method is given cannot be read: a file with
routes says so, and what is not found among them is not called false for that.
"""

from __future__ import annotations

import re

from docalign_actors.engine.code.routes.paths import METHODS, join
from docalign_actors.engine.code.source import Source, holds_any
from docalign_actors.engine.facts import FileFacts, Mount, Route

_WORDS = (b"[Http", b"[Route(", b".Map", b"ControllerRoute(")
_LONGEST_LINE = 600
_ATTRIBUTE = re.compile(
    r"[\[,]\s?(?P<name>Http(?:Get|Post|Put|Delete|Patch|Head|Options)|Route)\b"
    r"(?:\(\s*(?:template:\s*)?@?\"(?P<path>[^\"\n]{0,200})\")?"
)
_TYPE = re.compile(r"^\s*(?:\w+ ){0,5}(?:class|record|interface) (?P<name>\w+)")
_METHOD = re.compile(r"^\s*(?:\w+ ){1,4}?[\w<>\[\]?.,]+(?: [\w<>\[\]?.,]+)? (?P<name>\w+)(?:<\w+>)?\(")
_BETWEEN = re.compile(r"^\s*(?:\[|//|/?\*|#|$)")
_MAP = re.compile(
    r"(?P<on>\b\w+|\))?\s?\.Map(?P<verb>Get|Post|Put|Delete|Patch|Group|HealthChecks|Hub<[\w.]{1,80}>|)"
    r"\(\s*(?:pattern:\s*)?@?\"(?P<path>[^\"\n]{0,200})\""
)
_GROUP = re.compile(r"\b(?P<name>\w+)\s*=\s*[\w.]{1,80}\s?\.MapGroup\(")
_PATTERN = re.compile(r"^\s*pattern:\s*@?\"(?P<path>[^\"\n]{1,200})\"")
_CONVENTION = re.compile(r"\bMap(?:Area)?ControllerRoute\(")
_ROOTS = frozenset({"app", "endpoints", "endpoint", "routes", "builder", "webApp", "application", "routeBuilder"})
"""What the routes of the whole server are put on, by the names that everybody gives it."""
_UNTOLD = "${_}"
_LINES_OF_A_CALL = 6


def collect(source: Source, facts: FileFacts) -> None:
    """Adds the routes of a C# file."""
    if not holds_any(source.data, _WORDS):
        return
    lines = [line[:_LONGEST_LINE] for line in source.text.splitlines()]
    _controllers(lines, facts)
    _calls(lines, facts)
    if facts.routes and "routes" not in facts.opaque:
        facts.opaque.append("routes")


def _controllers(lines: list[str], facts: FileFacts) -> None:
    """`[Route("api/[controller]")]` above a class, `[HttpGet("{id}")]` above its methods."""
    waiting: list[tuple[str, str | None, int]] = []
    owner = ""
    for number, line in enumerate(lines, 1):
        waiting += [(m["name"], m["path"], number) for m in _ATTRIBUTE.finditer(line) if line.lstrip().startswith("[")]
        if _BETWEEN.match(line):
            continue
        kind = _TYPE.match(line)
        if kind is not None:
            owner = kind["name"]
            for _, path, at in waiting:
                facts.mounts.append(Mount(_filled(path or "", owner, ""), at, f"@{owner}", ""))
        elif waiting:
            method = _METHOD.match(line)
            _add_handler(waiting, owner, method["name"] if method is not None else "", facts)
        waiting = []


def _add_handler(waiting: list[tuple[str, str | None, int]], owner: str, handler: str, facts: FileFacts) -> None:
    verbs = [(name[4:].upper(), path, at) for name, path, at in waiting if name.startswith("Http")]
    routed = [path for name, path, _ in waiting if name == "Route" and path is not None]
    for verb, path, at in verbs or [("*", None, waiting[0][2])]:
        for one in [path] if path is not None else routed or [""]:
            whole = _filled(one, owner, handler)
            router = "" if whole.startswith(("/", "~/")) else f"@{owner}"
            facts.routes.append(Route(verb if verb in METHODS else "*", whole.lstrip("~"), at, router, handler))


def _filled(path: str, owner: str, handler: str) -> str:
    """`[controller]` and `[action]` as addresses have them mostly: without case."""
    named = owner.removesuffix("Controller").lower()
    return path.replace("[controller]", named).replace("[action]", handler.lower() or "{action}")


def _calls(lines: list[str], facts: FileFacts) -> None:
    """`app.MapGet("/x", …)`, also on a group, and `pattern: "x"` of a route by convention."""
    groups: dict[str, str] = {}
    open_until = 0
    for number, line in enumerate(lines, 1):
        given = _GROUP.search(line)
        for match in _MAP.finditer(line):
            path = join(_prefix(match["on"] or "", groups), match["path"])
            if match["verb"] != "Group":
                verb = match["verb"].upper()
                facts.routes.append(Route(verb if verb in METHODS else "*", path, number))
            elif given is not None:
                groups[given["name"]] = path
        if _CONVENTION.search(line):
            open_until = number + _LINES_OF_A_CALL
        pattern = _PATTERN.match(line) if number <= open_until else None
        if pattern is not None:
            facts.routes.append(Route("*", pattern["path"], number))


def _prefix(on: str, groups: dict[str, str]) -> str:
    return groups.get(on, "" if on in _ROOTS else _UNTOLD)
