"""Texts of several parts that own code wrote as a whole string and writes otherwise now: `ide:meta`, `/reports/all`, `--dry-run`.

How a framework registers its commands, routes and events is not known for every language. That a line of own code is the same
but for one string, and that no file has the old string any more, says what became of it all the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.code.routes.paths import rank, segments
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.configkey.text import FILE_ENDING
from docalign_actors.engine.kinds.route.kind import is_open
from docalign_actors.engine.kinds.shared.filesnow import unread_paths
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.commands import (
    gone,
    is_likest,
    lost_commands,
    lost_files,
    lost_options,
    own_names,
    successor,
)
from docalign_actors.engine.lost.lines import (
    BORROWS,
    HOOKS,
    LONGEST_LINE,
    MOST_SEARCHED,
    Edit,
    alike_languages,
    words_in,
)
from docalign_actors.engine.lost.members import definitions_then, lost_methods, lost_parameters
from docalign_actors.engine.lost.parsed import parsed_names
from docalign_actors.engine.lost.places import Place, command_places, option_places, written
from docalign_actors.engine.lost.qualified import lost_qualified
from docalign_actors.engine.lost.strings import WITH_COLLECTORS, lost_words
from docalign_actors.engine.roles import is_foreign, is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Fix, Verdict

_LITERAL = re.compile(
    r"""["'`](?P<text>--[a-z][\w-]{2,60}|(?:/-)?/?[A-Za-z_][\w-]{1,60}(?:[:./][\w{}<>:$=*-]{1,60}){0,8}[/.]?)"""
    r"""(?:["'`]|(?=[ ]+[{\[<]|$))"""
)
"""A whole string, or the first word of one that goes on with arguments: `'users:sync {--force}'`."""
_PLACEHOLDER = re.compile(r"\$\{(?P<text>[a-z][\w-]*(?:\.[\w-]{1,60}){1,6})(?=[:}])")
"""A property that a framework puts in: `@Value("${mail.sendEnabled:false}")`."""
_FILE_NAME = re.compile(r"""["'`/](?P<text>[._]?[A-Za-z][\w-]{2,60}(?:\.[\w-]{1,20}){0,2}\.[a-z][a-z0-9]{1,7})["'`]""")
"""A file that the program writes or looks for: `'models' => '_ide_helper_models.php'`, `${folder}/.toolrc.json`."""
_KEPT = re.compile(
    r"(?<![\w$%~])(?P<text>(?:~|\$[A-Z][A-Z_]{2,40}|%[A-Z]{3,20}%)(?:/[\w.-]{1,60}){1,6})(?![\w{}%-]|/\w)"
)
"""Where a program keeps something or looks for it, as its help or a comment says: `$XDG_CONFIG_HOME/tool/config.toml`."""
_CHAIN = re.compile(
    r"(?<![\w.\"'`/])(?P<text>[a-z_]\w{1,40}(?:\.[a-z]\w{1,40}){1,4}\.[a-z]+[_A-Z]\w{1,60})(?![\w(./-])"
)
"""A setting by all the names that lead to it, as code and documents write it alike: `settings.networking.trust_env`."""
_BARE = re.compile(r"(?<![\w.\"'`/$%~-])(?P<text>[a-z][\w-]{1,40}(?:\.[a-z][\w-]{1,40}){2,5})(?![\w(./-])")
"""A key of three parts as a shell writes it, without quotes: `git config --get tool.fetch.prune-tags`."""
_NOTHING = re.compile(r"(?!)(?P<text>)")
_ROUTE_LINE = re.compile(
    r"^\s*(?:-\s*)?(?:path|prefix|pattern|route|url)\s*:\s*['\"]?(?P<text>/[\w{}<>/.:-]{3,200})['\"]?\s*$"
)
_PROPERTY = re.compile(r"^\s*(?P<text>[a-z][\w-]{1,40}(?:\.[\w-]{1,60}){1,6})\s*[=:]")
_JSON_KEY = re.compile(r"""^\s*"(?P<text>[a-z][\w-]{1,40}(?:\.[\w-]{1,60}){1,6})"\s*:""")
_HOOK = re.compile(r"^\s*-?\s*id:\s*['\"]?(?P<text>[a-z][\w]*-[\w-]{2,60})['\"]?\s*$")
"""What a repository calls a hook that it offers to others' pre-commit, if it is no plain word."""
_KEY_PATH = re.compile(r"[a-z][\w-]*(?:\.[\w-]+){2,}|[a-z]\w*\.[a-z]\w*(?:-\w+)+")
"""Three names with dots between them, or two of which the last is joined: no English, and no file."""
_JOINED_STEM = re.compile(r"[a-z0-9][_-][a-z0-9]|[a-z][A-Z]|^\.[a-z]{3,}\.")
_PARTS = re.compile(r"[A-Za-z0-9]{2,}[:./][A-Za-z{:<]|^/(?:-/)?_{0,2}[A-Za-z]")
"""Two parts with a mark between them, or a path: no English, no plain name."""
_FILE = re.compile(r"\.(?:[a-z]{1,4}\d?|json5?|html|toml|yaml|properties|lock)$", re.IGNORECASE)
_DJANGO = re.compile(
    r"""\b(?:re_)?(?:path|url)\(\s*r?["']\^?(?P<text>[a-z][\w.-]{1,60}(?:/[\w<>:.-]{1,60}){0,6})/?\??\$?["']"""
)
"""How Django names a route below whatever an application is mounted at: `path("revoke_token/", …)`."""
_ANCHORED = re.compile(r"\^(?P<text>(?:/[A-Za-z][\w-]{1,60}){2,8})(?![\w-])")
"""A route that is matched with a regular expression, its slashes bare: `/^\\/api\\/items(\\/.*)?$/`."""
_MARKED = re.compile(r"\s*def (?:self\.)?(?P<text>[a-z_]\w{2,60})!(?=[\s(]|$)")
"""A method of Ruby whose mark is a part of its name: code may well have the word without it."""
_VARIABLE = re.compile(r"(?<=/):[A-Za-z_]\w*|\{[^{}/]{1,60}\}|<[^<>/]{1,60}>")
"""A part of a route that stands for any value."""
_PUT_IN = re.compile(r"\$?\{[^{}]{0,80}\}")
"""What a string is filled with: `{self.version}`, `${version}`."""
_ROUTING = re.compile(r"(?i)path|route|url|handle|mux|endpoint|\.(?:get|post|put|delete|patch)\(")
_MOUNTED = re.compile(
    r"(?i)\b(?:use|mount|prefix|url_prefix|group|nest|scope|base_?path|register|include_router|routes?)\b"
    r"[^\"'`]{0,60}[\"'`](?P<text>/[a-z][\w-]{1,40})[\"'`]"
)
"""What a router, and so every route of it, lies below."""
_WORD = re.compile(r"[A-Za-z_]\w+")
_HOME = re.compile(
    r"^(?:https?://)?(?:localhost|127\.|0\.0\.0\.0|\[?::1|\$|\{|<|your|my|example|[\w.-]*example\.)", re.IGNORECASE
)
_ANY_PREFIX = re.compile(r"\{[\w.-]{1,60}\}|<[\w .-]{1,60}>|\$\{?\w{1,60}\}?")
"""What stands for whatever the router is mounted at: `{router_prefix}/search`."""
_TAKES_ALL = re.compile(r"\{\w{0,40}:path\}|<path:|\*|\{\.\.\.|\(\.\*\)")
_LEAST = 6
_MOST = 80
_MOST_BEFORE = 3
"""Segments that a framework, or a router above, puts before a route."""
_SAME_TEXT = frozenset({"route", "path", "anchor", "navigation", "imports", "command", "option"})


def lost_literals(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made: places where documents have a string that own code has just changed."""
    routed = _routed(edits) | _unset(edits)
    edits = [edit for edit in edits if not edit.data]
    commands = lost_words(edits, world) | lost_options(edits, world) | lost_commands(edits, world)
    thens = definitions_then(edits, world, asker)
    names = lost_methods(thens, world) | lost_qualified(edits, world)
    commands = parsed_names(edits, world, asker) | commands
    told = _changed(edits, own_names(world)) | routed | commands | lost_files(world, asker.history) | names
    lost = dict(list(told.items())[:_MOST])
    named = {old: places for old in lost if (places := list(_found(old, world, lost[old])))} if lost else {}
    routes = [(c, c.subject.rstrip("/")) for c, j in judged if c.kind == "route" and is_open(j)] if lost else []
    lost |= _tails((route for _, route in routes), lost)
    named.update({old: [] for _, old in routes if old in lost and old not in named})
    gone_now = [old for old in named if not _is_written(old, world, lost[old])] if named else []
    beside = Beside(judged if gone_now else ())
    found = [(_claim(old, *place), _told(lost[old], old, place[-1])) for old in gone_now for place in named[old]]
    gone_texts = [(c, j) for c, j in found if not any(_settles(c, j, *said) for said in beside.of(c))]
    taken = {(c.file, c.line, c.column) for c, _ in gone_texts}
    gone_texts += [(c, lost[old]) for c, old in routes if old in gone_now and (c.file, c.line, c.column) not in taken]
    gone_texts += [(c, j) for c, j in _below_lost(judged, edits, world) if (c.file, c.line, c.column) not in taken]
    return [*gone_texts, *lost_parameters([*judged, *gone_texts], thens, world)]


def _tails(routes: Iterable[str], lost: Mapping[str, Judgement]) -> dict[str, Judgement]:
    """Routes that documents tell without what they all lie below, and code with it: `/items/{id}` of `/api/items/{id}`."""
    found: dict[str, Judgement] = {}
    for route in routes:
        whole = next((old for old in lost if old[0] == "/" and old.endswith(route)), "")
        if whole and whole != route and route.count("/") > 1:
            found[route] = msgspec.structs.replace(lost[whole], fix=None)
    return found


def _below_lost(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> Iterator[Judged]:
    """Routes below a prefix that a router was mounted at until then, where the kind cannot tell what they lie below."""
    mounted: dict[str, Judgement] = {}
    for edit in edits:
        for line in edit.gone:
            for match in _MOUNTED.finditer(line):
                new = successor(line, match, edit.come)
                if new.startswith("/") and not f"{new}/".startswith(f"{match['text']}/"):
                    mounted.setdefault(match["text"], gone(match["text"], new, edit))
            mounted = dict(_matched(line, edit)) | mounted
    lost = [old for old, told in mounted.items() if not _is_written(old, world, told)]
    for claim, judgement in judged if lost else ():
        old = next((old for old in lost if claim.subject.startswith(f"{old}/")), "")
        if claim.kind == "route" and old and is_open(judgement) and not claim.hypothetical:
            now = mounted[old].fix
            fix = Fix(claim.text.replace(old, now.replacement, 1), True) if now and claim.text.count(old) == 1 else None
            yield claim, msgspec.structs.replace(mounted[old], fix=fix)


def _found(old: str, world: World, told: Judgement) -> Iterator[Place]:
    if " " in old:
        return command_places(old, world.documents)
    places = _places(old, world)
    if old.startswith("-"):
        places = option_places(old, _pattern(old), world, told.evidence[0].file)
    return places


def _told(judgement: Judgement, old: str, text: str) -> Judgement:
    """The judgement at a place where only a part of the old text stands, or more than it."""
    if text == old or judgement.fix is None:
        return judgement
    new = judgement.fix.replacement.rpartition(" ")[2]
    last = old.rpartition(" ")[2]
    fix = Fix(text.replace(last, new), True) if " " in old and text.count(last) == 1 else None
    return msgspec.structs.replace(judgement, fix=fix)


def _changed(edits: Sequence[Edit], own: frozenset[str] = frozenset()) -> dict[str, Judgement]:
    """The strings that stand on a line which came again with another string, each with what it became."""
    found: dict[str, Judgement] = {}
    for edit in edits:
        bare = _BARE if _is_shell(edit.blob.path) else _NOTHING
        for line in edit.gone:
            for match in (*_strings(line, own), *bare.finditer(line)) if not BORROWS.search(line) else ():
                old = match["text"]
                telling = (
                    _is_telling(old)
                    or match.re in (_PLACEHOLDER, _FILE_NAME, _KEPT)
                    or (len(old) == _LEAST - 1 and old[0] == "/" and _ROUTING.search(line))
                )
                if old in found or not telling or (old.startswith("--") and _is_read(edit)):
                    continue
                new = successor(line, match, edit.come)
                if new and not _serves(new, old) and _shape(new) != _shape(old):
                    heir = new if is_likest(line, match, new, edit.gone) else ""
                    found[old] = _without_fix(gone(old, heir, edit), old + new)
            below = _DJANGO.search(line) if edit.blob.path.endswith(".py") and "/" in line else None
            if below and re.search(r"\w[_/.-]\w", below["text"]) and (new := successor(line, below, edit.come)):
                old, new = f"/{below['text']}", f"/{new.strip('/')}"
                found.setdefault(old, _without_fix(gone(old, new, edit), old + new))
            found = dict(_in_other_marks(line, edit)) | found
    return found


def _in_other_marks(line: str, edit: Edit) -> Iterator[tuple[str, Judgement]]:
    """What a line has in a form of its own: a route in a regular expression, a method with a mark."""
    yield from _matched(line, edit)
    marked = _MARKED.match(line) if edit.blob.path.endswith(".rb") else None
    if marked is not None and (new := successor(line, marked, edit.come)):
        yield f"{marked['text']}!", gone(f"{marked['text']}!", f"{new}!", edit)


def _matched(line: str, edit: Edit) -> Iterator[tuple[str, Judgement]]:
    """Routes that a regular expression matches, and what lies below them."""
    bare = line.replace("\\/", "/") if "\\/" in line and "^" in line else ""
    for match in _ANCHORED.finditer(bare):
        if new := successor(bare, match, [other.replace("\\/", "/") for other in edit.come]):
            yield match["text"], gone(match["text"], new, edit)


def _routed(edits: Sequence[Edit]) -> dict[str, Judgement]:
    """Addresses that a file of routes gave, and what stands before their first variable, which ends with a slash here."""
    found: dict[str, Judgement] = {}
    for edit in edits:
        for line in edit.gone if edit.data and "rout" in edit.blob.path.lower() else ():
            match = _ROUTE_LINE.match(line)
            new = _rerouted(match["text"], edit) if match is not None else ""
            if match is None or not new or _serves(new, match["text"]):
                continue
            found[match["text"]] = _without_fix(gone(match["text"], new, edit), match["text"] + new)
            then, now = (text[: text.find("{")] if "{" in text else "" for text in (match["text"], new))
            if then.count("/") > 2 and then != now:
                found[then] = gone(then.rstrip("/"), now.rstrip("/"), edit)
    return found


def _unset(edits: Sequence[Edit]) -> dict[str, Judgement]:
    """Keys of several parts that own properties or an own schema gave: `mail.cache.key=default`, `"tool.lint.on": {`."""
    found: dict[str, Judgement] = {}
    forms = {"properties": _PROPERTY, "json": _JSON_KEY}
    for edit in edits:
        offers = edit.blob.path == HOOKS
        form = _HOOK if offers else forms.get(language_of(edit.blob.path))
        for line in edit.gone if form is not None else ():
            match = form.match(line) if form is not None and (offers or "." in line) else None
            new = successor(line, match, edit.come) if match is not None else ""
            if match is not None and new and not FILE_ENDING.search(match["text"]):
                found[match["text"]] = gone(match["text"], new, edit)
    return found


def _rerouted(route: str, edit: Edit) -> str:
    """The one address that came and ends alike, from the first variable on; the only one that came, if there is none."""
    come = {match["text"] for line in edit.come if (match := _ROUTE_LINE.match(line))}
    alike = {text for text in come if "{" in route and text[text.find("{") :] == route[route.find("{") :]} or come
    return next(iter(alike)) if len(alike) == 1 else ""


def _strings(line: str, own: frozenset[str] = frozenset()) -> Iterator[re.Match[str]]:
    yield from _LITERAL.finditer(line)
    if "${" in line:
        yield from _PLACEHOLDER.finditer(line)
    if line.count(".") > 1:
        yield from _CHAIN.finditer(line)
    if "/" in line and any(mark in line for mark in "~$%"):
        yield from _KEPT.finditer(line)
    if "." in line:
        # Two words in one, or the program's own name: a file that nobody else has called so.
        yield from (
            m
            for m in _FILE_NAME.finditer(line)
            if _FILE.search(m["text"])
            and (_JOINED_STEM.search(m["text"]) or m["text"].lstrip("._").partition(".")[0].lower() in own)
        )


def _is_shell(path: str) -> bool:
    return language_of(path) == "shell" or "." not in posixpath.basename(path)


def _serves(new: str, old: str) -> bool:
    """The new route takes every address of the old one: `/files/{name:path}` for `/files/{name}`."""
    return old.startswith("/") and new.startswith("/") and rank(segments(new), segments(old)) > 0


def _shape(text: str) -> str:
    """What is the same whatever is put in: `HTTP/{version}` and `HTTP/{self.version}` give the same texts."""
    return _PUT_IN.sub("{}", text)


def _is_read(edit: Edit) -> bool:
    """The options of this language are read by collectors of their own, which know whose they are."""
    return language_of(edit.blob.path) in WITH_COLLECTORS


def _is_telling(text: str) -> bool:
    if text.startswith("--"):
        return "-" in text[2:] or re.search(r"[a-z][A-Z]", text) is not None
    return len(text) >= _LEAST and bool(_PARTS.search(text)) and "//" not in text and not FILE_ENDING.search(text)


def _without_fix(judgement: Judgement, text: str) -> Judgement:
    """A route with a part that stands for any value is not to be put where an address stands."""
    return msgspec.structs.replace(judgement, fix=None) if _VARIABLE.search(text) else judgement


def _pattern(text: str) -> re.Pattern[str]:
    if "\\" in text:  # written twice where a string holds it
        return re.compile(r"(?<!\w)" + r"\\{1,2}".join(map(re.escape, text.split("\\"))) + r"(?![\w\\])")
    pieces = [re.escape(piece) for piece in _VARIABLE.split(text)]
    whole = r"[^/\s\"'`]{1,80}".join(pieces)
    if text.startswith("/"):
        ends = r"(?![\w-])" + (r"(?!/\w)" if not text.endswith("/") else "")
        return re.compile(rf"(?<!/){whole.removesuffix('/')}{ends}")
    if text.startswith("-"):
        return re.compile(rf"(?<![\w-]){whole}(?![\w-])")
    start = r"(?:(?<![\w:./])(?<!\w-)|(?<=[\s\"'`(]-D)|(?<=^-D))"  # `mvn -Dtool.skip=true`: a property of Java
    if text.endswith("."):
        return re.compile(rf"{start}{whole}(?![:/-])")  # what names begin with
    return re.compile(rf"{start}{whole}(?![\w:/-])(?!\.\w)")


def _places(text: str, world: World) -> Iterator[Place]:
    pattern = _pattern(text)
    everywhere = _KEY_PATH.fullmatch(text) or (_FILE.search(text) and _JOINED_STEM.search(text) and "/" not in text)
    key = max(_WORD.findall(_VARIABLE.sub(" ", text)), key=len, default="")
    for document in world.documents_with(key) if key else ():
        for block in document.blocks:
            for inline in written(block) if everywhere else words_in(block):
                if key in inline.text:
                    for match in pattern.finditer(inline.text[: 4 * LONGEST_LINE]):
                        if not text.startswith("/") or _is_at_home(inline.text, match):
                            yield document, block, inline, match.start(), match.group()


def _is_at_home(text: str, match: re.Match[str]) -> bool:
    """A path of our own server: no other host before it, and a few segments at the most."""
    lead = re.split(r"[\s\"'`(\[]", text[: match.start()])[-1].lstrip("^")
    host, _, path = lead.rpartition("://")[2].partition("/")
    if "://" in lead or re.search(r"\.\w|:\d", host):
        return _HOME.match(lead.rpartition("://")[2]) is not None and path.count("/") < _MOST_BEFORE
    if not lead or _ANY_PREFIX.fullmatch(lead):
        return True
    return lead.startswith("/") and lead.count("/") <= _MOST_BEFORE


def _is_written(text: str, world: World, told: Judgement) -> bool:
    """Some file other than a document has the string, by itself or as the end of another.

    A path that a server answers to is gone although tests and clients in another language still ask for it.
    """
    if " " in text:
        return False  # a sub-command: the file that declared it has been looked at
    words = _WORD.findall(_VARIABLE.sub(" ", text))
    known = [world.index.occurs(word) for word in words if word in world.index.words]
    paths = [p for p in world.files if language_of(p) and not (is_foreign(p) or p.startswith(".github/"))]
    if known:
        shared = frozenset.intersection(*map(frozenset, known))
        paths = [path for path in paths if path in shared]
    if text.startswith("/"):
        alike = alike_languages(told.evidence[0].file)
        paths = [path for path in paths if is_own_code(path) and language_of(path) in alike]
    else:
        paths += [path for path in unread_paths(world) if not path.startswith(".github/")]
    if len(paths) > MOST_SEARCHED:
        return True
    text = text.rstrip("/")
    pattern = re.compile(rb"(?<![\w-])" + re.escape(text.encode()) + rb"(?![\w-])")
    return any(
        text.encode() in data and pattern.search(data)
        for path in paths
        if not _is_rendered(path, world) and (data := _data(path, world))
    )


def _is_rendered(path: str, world: World) -> bool:
    """A page that was made of the document beside it, and says what that says: `man/tool.html` of `man/tool.md`."""
    stem, suffix = posixpath.splitext(path)
    return suffix in (".html", ".htm") and any(stem + ending in world.documents for ending in (".md", ".rst", ".adoc"))


def _data(path: str, world: World) -> bytes:
    data = world.tree.read(path, SOURCE_LIMIT)
    return b"" if b"\0" in data[:8192] else data


def _claim(old: str, document: Document, block: Block, inline: Inline, start: int, text: str) -> Claim:
    form = "example" if block.kind == "code" else "span"
    kind = {"/": "route", "-": "option"}.get(old[0], "command" if " " in old else "symbol")
    return Claim(
        kind, text, text, document.path, inline.line, inline.column + start, form=form, words=(text,), section=block.section
    )  # fmt: skip


def _settles(claim: Claim, told: Judgement, other: Claim, judgement: Judgement) -> bool:
    """A claim on the same text has been found false, or all of it true by a kind that reads such texts.

    That another program takes whatever lies below a path says nothing of the route that this one has under another name now.
    """
    if judgement.verdict is Verdict.VERIFIED:
        shown = judgement.evidence[0] if other.kind == "route" and judgement.evidence else None
        if shown is not None and _TAKES_ALL.search(shown.text) and shown.file != told.evidence[0].file:
            return False
        return other.kind in _SAME_TEXT and len(other.text) >= len(claim.text)
    return judgement.verdict is Verdict.DRIFTED
