"""Finds what documentation says of HTTP routes: spans, headings, tables, lists, prose, URLs and client calls in examples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.routes.paths import statics
from docalign_actors.engine.documents.model import Block, Cell, Document, Inline
from docalign_actors.engine.kinds.route.spelling import claim_segments, is_path, local_url

METHOD = r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_PATH = r"/(?:[\w.~%@!*+=,-]|[:;](?=\w)|\$?\{[^{}\s]{0,60}\}|<[\w:. -]{1,40}>|\[[\w.]{1,40}\]|\$(?=\w)|/)*"
_QUERY = r"(?:\?[^\s`'\"|)]*)?"
_WITH_METHOD = re.compile(rf"(?<![\w-])({METHOD}(?:[/|,] ?{METHOD})*)[ :\t]+({_PATH})")
_WITH_URL = re.compile(rf"(?<![\w-])({METHOD})[ \t]+(https?://(?:[^\s`'\"<>|]|<[\w:.-]{{1,40}}>)+)")
_URL = re.compile(r"https?://[^\s/`'\"|)\\]{1,200}/[^\s`'\"|)\\]*")
_LOCAL = re.compile(r"(?<![\w/.:@-])(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::\d+)?(/[^\s`'\"|)\\]*)")
_BASE_VARIABLE = re.compile(
    r"(?:\$\{?\w*(?:URL|HOST|BASE|API|SERVER|ENDPOINT)\w*\}?|\{\{?\s*\w*(?:url|host|base)\w*\s*\}?\})(/[^\s`'\"|)\\]*)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"(?<![\w/.:<>~$\\*{{}}-])({_PATH})(?![\w/])")
_ARGUMENT = re.compile(rf"(?<![^\s=\"'])({_PATH})(?=[\s\"',?]|$)")
_ONLY_METHODS = re.compile(rf"^\W*({METHOD}(?:\s*[/|,]\s*{METHOD})*)\W*$")
_ENDS_IN_METHOD = re.compile(rf"(?:^|[^\w-])({METHOD})\W{{0,4}}$")
_CURL_METHOD = re.compile(rf"(?:-X|--request)[ =]?['\"]?({METHOD})\b")
_HTTPIE = re.compile(
    rf"^\s*(?:[$>%#]\s+)?(?:http|https|xh|xhs)\s+(?:-\S+\s+)*(?:({METHOD})\s+)?((?::\d*|localhost[:\d]*|127\.0\.0\.1[:\d]*)?(/[^\s'\"]*))"
)
_CLIENT_CALL = re.compile(
    r"(?:\b(?:test_?client|client|axios|session|requests?|httpx|http|\$http|agent|api|apiClient|c)|request\(\w+\))\.(get|post|put|patch|delete|head)"
    r"\(\s*[fbr]?[\"'`]([^\"'`\s]{1,300})[\"'`]",
    re.IGNORECASE,
)
_FETCH = re.compile(r"\bfetch\(\s*[\"'`]([^\"'`\s]{1,300})[\"'`]")
_DEFINES = re.compile(
    r"^[ \t]*@[\w.]+\.(?:get|post|put|delete|patch|route|websocket|api_route)\(|^[ \t]*@(?:get|post|put|delete|patch|route)\("
    r"|\b(?:app|router|route|server|r|e|mux|api|fastify|web|s|srv)\.(?:get|post|put|delete|patch|all|use|route|GET|POST|PUT|DELETE|PATCH|Get|Post|Put|Delete|Any"
    r"|Handle|HandleFunc|Route|Group|Mount|add_route|add_get|add_post|register)\(\s*[\"'`]/[^\"'`]*[\"'`]\s*,\s*(?!\{|json|data|params|headers)"
    r"|\bhttp\.Handle(?:Func)?\(|\b(?:Route|Mount|re_path|path|web\.(?:get|post|put|delete))\(\s*r?[\"'][^\"']*[\"']\s*,"
    r"|\.route\(\s*\"/|#\[(?:get|post|put|delete|patch)\(|@(?:Get|Post|Put|Delete|Patch|Request)Mapping|@(?:Get|Post|Put|Delete|Patch|Controller|Path)\(",
    re.MULTILINE,
)
_DEFINING_WORDS = (
    "get(", "post(", "put(", "delete(", "patch(", "route(", "socket(", "all(", "use(", "any(", "handle(", "func(", "group(",
    "mount(", "register(", "path(", "controller(", "mapping",
)  # fmt: skip
"""How the calls end that define a route."""
_NAMED = re.compile(METHOD)
_ONLY_PATH = re.compile(_PATH + _QUERY)
_LITERAL = re.compile(r"[\"'`](/[^\"'`\s]{0,200})[\"'`]")
_PATH_HEADER = re.compile(r"^\W*(?:path|end ?-?points?|routes?|urls?|uri|resource|api)\b", re.IGNORECASE)
_LONGEST_LINE = 2_000


class Mention(Struct, frozen=True):
    """A path as found: `text` from `column` on is what the claim quotes, `path` the part of it that is the route."""

    text: str
    path: str
    line: int
    column: int
    method: str
    form: str


def _at(inline: Inline, start: int, path: str, method: str, form: str, text: str = "") -> Mention:
    """A mention that begins `start` characters into an inline."""
    return Mention(text or path, path, inline.line, inline.column + start, method, form)


def extract(document: Document) -> Iterator[Claim]:
    """Every claim about a route, one for each place. Paths that the document's own examples define are left out."""
    taught = _taught(document)
    seen: set[tuple[int, int]] = set()
    for block in document.blocks:
        if block.historical:
            continue
        for mention in _mentions(block):
            parts = claim_segments(mention.path)
            words = tuple(dict.fromkeys(word for part in statics(parts) for word in re.findall(r"\w+", part)))
            if not words or parts in taught or (mention.line, mention.column) in seen:
                continue
            seen.add((mention.line, mention.column))
            yield Claim(
                kind="route", subject=mention.path, text=mention.text, file=document.path, line=mention.line, column=mention.column,
                form=mention.form, value=mention.method, owner=mention.method, section=block.section, words=words,
                group=block.group, hypothetical=block.hypothetical,
            )  # fmt: skip


def _taught(document: Document) -> frozenset[tuple[str, ...]]:
    """Paths of apps that the document's examples define: a tutorial's, not this repository's."""
    found: set[tuple[str, ...]] = set()
    for block in document.blocks:
        if block.kind == "code" and _defines(block.text[:20_000]):
            found.update(claim_segments(path) for path in _LITERAL.findall(block.text[:20_000]))
    return frozenset(found)


def _defines(code: str) -> bool:
    lower = code.lower()
    return any(word in lower for word in _DEFINING_WORDS) and bool(_DEFINES.search(code))


def names_method(text: str) -> bool:
    """The text holds the name of an HTTP method, be it as a part of a word."""
    return _NAMED.search(text) is not None


def _mentions(block: Block) -> Iterator[Mention]:
    if block.kind == "code":
        yield from _code_block(block)
    elif block.kind == "row":
        yield from _row(block)
    else:
        yield from _inlines(block.inlines, {"heading": "heading", "item": "list"}.get(block.kind, "span"))


def _inlines(inlines: tuple[Inline, ...], form: str, method: str = "", bare: bool = False) -> Iterator[Mention]:
    """Paths in a run of inlines. A method may stand in the inline before: **GET** `/users`."""
    before = ""
    for position, inline in enumerate(inlines):
        text = inline.text[:_LONGEST_LINE]
        ahead = method or before
        if "/" not in text:
            pass  # every path and every address has one
        elif inline.kind == "code":
            yield from _span(inline, text, ahead, form)
        elif inline.kind == "link":
            yield from _urls(inline, text, "", form)
        elif inline.kind == "text":
            first = position == 0 and (bare or form in ("heading", "list"))
            yield from _prose(inline, text, form, ahead, first)
        may_end = inline.kind in ("text", "code") and names_method(text[-20:])
        ends = _ENDS_IN_METHOD.search(text[-40:]) if may_end else None
        before = ends[1] if ends else ""


def _span(inline: Inline, text: str, method: str, form: str) -> Iterator[Mention]:
    found = list(_with_methods(inline, text, form))
    if found:
        yield from found
        return
    stripped = text.strip().strip("\"'")
    path = stripped.partition("?")[0]
    if _ONLY_PATH.fullmatch(stripped) and is_path(path, bool(method)):
        yield _at(inline, text.find(stripped), path, method, form)
    else:
        yield from _urls(inline, text, method, form)


def _with_methods(inline: Inline, text: str, form: str) -> Iterator[Mention]:
    if "/" not in text or not names_method(text):
        return
    for match in _WITH_METHOD.finditer(text):
        path = match[2].rstrip(".,:;!")
        if is_path(path, True):
            whole = text[match.start() : match.start(2) + len(path)]
            yield _at(inline, match.start(), path, _single(match[1]), form, whole)
    for match in _WITH_URL.finditer(text):
        path = local_url(match[2])
        if path:
            yield _at(inline, match.start(2) + match[2].find(path, match[2].find("//") + 2), path, match[1], form)


def _single(methods: str) -> str:
    """One method, or "" where several are listed: each of them may be right."""
    return methods if methods.isalpha() else ""


def _urls(inline: Inline, text: str, method: str, form: str) -> Iterator[Mention]:
    """URLs of a local host, with or without a scheme."""
    if "/" not in text:
        return
    for match in _URL.finditer(text):
        path = local_url(match[0])
        if path and is_path(path, True):
            yield _at(inline, match.start() + match[0].find(path, match[0].find("//") + 2), path, method, form)
    for match in _LOCAL.finditer(text):
        path = re.split(r"[?#]", match[1])[0].rstrip(".,;:")
        if is_path(path, True):
            yield _at(inline, match.start(1), path, method, form)


def _prose(inline: Inline, text: str, form: str, method: str, first: bool) -> Iterator[Mention]:
    taken: list[tuple[int, int]] = []
    for mention in (*_with_methods(inline, text, form), *_urls(inline, text, "", form)):
        start = mention.column - inline.column
        taken.append((start, start + len(mention.text)))
        yield mention
    for match in _BARE.finditer(text) if "/" in text else ():
        path = match[1].rstrip(".,:;!")
        start = match.start(1)
        leads = first and not text[:start].strip()
        if any(a <= start < b for a, b in taken) or "://" in text[max(0, start - 8) : start]:
            continue
        if is_path(path, bool(leads and method)) and len(path) > 2:
            yield Mention(
                path, path, inline.line, inline.column + start, method if leads else "", form if leads else "prose"
            )


def _row(block: Block) -> Iterator[Mention]:
    """A table row: the method stands in a cell of its own or before the path."""
    methods = [match[1] for cell in block.cells if (match := _ONLY_METHODS.match(_cell_text(cell)))]
    method = _single(methods[0]) if len(methods) == 1 else ""
    for cell in block.cells:
        in_column = bool(_PATH_HEADER.match(cell.header))
        yield from _inlines(cell.inlines, "table", method if in_column or methods else "", in_column)


def _cell_text(cell: Cell) -> str:
    return " ".join(inline.text for inline in cell.inlines)[:80]


def _code_block(block: Block) -> Iterator[Mention]:
    if _defines(block.text[:20_000]):
        return
    command: list[Inline] = []
    for line in block.lines:
        command.append(line)
        if not line.text.rstrip().endswith("\\"):
            yield from _command(command, block.language)
            command = []
    if command:
        yield from _command(command, block.language)


def _command(lines: list[Inline], language: str) -> Iterator[Mention]:
    """One shell command over its continuation lines, or one line of anything else."""
    whole = " ".join(line.text[:_LONGEST_LINE] for line in lines)[: 4 * _LONGEST_LINE]
    is_curl = bool(re.search(r"\b(?:curl|wget)\b", whole))
    method, form = "", "shell" if is_curl else "example"
    if is_curl:
        named = _CURL_METHOD.search(whole)
        method = named[1] if named else ""  # without -X it may be GET or POST: the path alone is claimed
    for line in lines:
        text = line.text[:_LONGEST_LINE]
        taken: list[tuple[int, int]] = []
        for mention in _line(line, text, method, form):
            if not any(start <= mention.column < end for start, end in taken):
                taken.append((mention.column, mention.column + len(mention.text)))
                yield mention


def _line(line: Inline, text: str, method: str, form: str) -> Iterator[Mention]:
    if form != "shell":
        yield from _with_methods(line, text, "http")
        match = _HTTPIE.match(text)
        if match and is_path(path := match[3].partition("?")[0], True):
            yield _at(line, match.start(3), path, match[1] or "", "shell")
        for pattern in (_CLIENT_CALL, _FETCH) if "(" in text and ("." in text or "fetch" in text) else ():
            yield from _calls(line, text, pattern)
    yield from _urls(line, text, method, form)
    for match in _BASE_VARIABLE.finditer(text):
        path = match[1].partition("?")[0]
        if is_path(path, True):
            yield _at(line, match.start(1), path, method, form)
    for match in (
        _ARGUMENT.finditer(text) if "/" in text else ()
    ):  # `path: /healthz`, `location /api {`, `--get /-/versions.json`
        if is_path(match[1], False):
            yield _at(line, match.start(1), match[1], "", "block")


def _calls(line: Inline, text: str, pattern: re.Pattern[str]) -> Iterator[Mention]:
    """`client.get("/users")`, `fetch("/users")`; whole URLs only of a local host."""
    for match in pattern.finditer(text):
        group = match.re.groups
        target = match[group]
        path = target.partition("?")[0] if target.startswith("/") else local_url(target)
        if path and is_path(path, True):
            yield _at(
                line, match.start(group) + target.find(path), path, match[1].upper() if group == 2 else "", "example"
            )
