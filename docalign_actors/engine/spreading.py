"""What is known to have just gone is gone wherever documents write it, also where no kind reads a claim.

An option in a string of a compose file, a route in the address of somebody's server: too little to be a claim by itself, but
another place of the documentation has shown what it means.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement, Why
from docalign_actors.engine.code.options.common import UBIQUITOUS_PROGRAMS
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.path.text import is_in_tag
from docalign_actors.engine.kinds.shared.programs import shipped_programs
from docalign_actors.engine.lost.commands import programs_of
from docalign_actors.engine.lost.lines import MOST_SEARCHED, alike_languages
from docalign_actors.engine.lost.mentions import is_defined_in
from docalign_actors.engine.lost.places import command_places
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_RULES = {
    "option": "unknown-option",
    "route": "unknown-route",
    "environment": "unknown-environment-variable",
    "path": "missing-path",
    "command": "unknown-command",
    "symbol": "missing-symbol",
}
_ALONE = re.compile(r"/(?=[\w-]*[_-])[\w-]{4,60}")
"""A route of one part that is no plain word: documents name it without the slash too."""
_NAMES = re.compile(r"(?<!\S)[A-Za-z][\w-]*(?!\S)")
"""The program, its groups and the command; no address that is given between them."""
_CALLS_BEFORE = re.compile(r"\b(?:flag|option|switch)\W{0,3}$", re.IGNORECASE)
_CALLS_AFTER = re.compile(r"\W{0,3}(?:command[- ]line )?(?:flag|option|switch)\b", re.IGNORECASE)
_ROUTE_AFTER = re.compile(r"\s{0,2}(?:(?:HTTP|REST|API|web) ){0,2}(?:end-?point|route|resource)s?\b", re.IGNORECASE)
_PART = re.compile(r"[A-Za-z][\w-]{2,40}")
_LEAST_CALLED = 4
_NEAR = 40
_LONGEST = 4_000
_MOST = 200
_UNDECIDED = {"route": Why.UNREGISTERED, "environment": Why.UNSHOWN, "symbol": Why.UNFOLLOWED}
"""What the kinds say of what they could not follow: into the past, or through a module that is gone."""
_WORD = re.compile(r"[a-z]{6,40}")
_FENCES = {
    "rb": "ruby",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "rs": "rust",
    "golang": "go",
    "kt": "kotlin",
    "cs": "csharp",
}
_KEY = re.compile(r"[a-z][\w-]*(?:\.[\w-]+)+")
_LEAST_KEY = 3
"""Words of a key that are its own program's only: `tool.feed.interval`."""
_TELLING = re.compile(r"--[a-z0-9]+(?:-[a-z0-9]+){2,}")
"""An option of three words: under whatever name the program is called, it is hardly another's."""
_OF_THREE_PARTS = re.compile(r"[A-Za-z0-9]{2,}(?:[._-][A-Za-z0-9]{2,}){2,6}")
"""`docker-compose.redis.yml`, `tool-core-api`: a file or a module that hardly anybody else has, although no folder is told."""
_HOST = r"(?:^|[\s\"'`(=<>|,;]|://[\w.\-${}<>\[\]]+(?::[\w<>${}]+)?)"
_ADDRESS = re.compile(r"https?://[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?$")
_LOCAL_HOST = r"(?:^|[\s\"'`(=<>|,;]|://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|[\w.-]*example[\w.-]*|[\w.\-${}<>]+(?=:))(?::[\w<>${}]+)?)"


def spread(
    judged: Sequence[Judged], world: World, fresh: Collection[str], others: Sequence[Judged] = ()
) -> list[Judged]:
    """Further places of what was called gone on the evidence of these commits; of any, where the past is a change's base.

    others: judgements that tell nothing about what went, but have an answer for their own places.
    """
    lines: dict[tuple[str, int], list[Judged]] = defaultdict(list)
    gone: dict[tuple[str, str], Judgement] = {}
    for claim, judgement in others:
        lines[claim.file, claim.line].append((claim, judgement))
    for claim, judgement in judged:
        lines[claim.file, claim.line].append((claim, judgement))
        if _has_just_gone(claim, judgement, world, fresh) and len(gone) < _MOST:
            gone.setdefault((claim.kind, _text(claim, world)), judgement)
        elif len(gone) < _MOST and (variable := _variable_of(claim, judgement, world, fresh)):
            gone.setdefault(("environment", variable), _gone_with_its_key(judgement, variable))
    found: list[Judged] = []
    shipped = shipped_programs(world) if any(kind == "option" for kind, _ in gone) else frozenset[str]()
    for (kind, text), judgement in gone.items():
        called = _calls(text, judgement, world) if kind == "symbol" and "." not in text else None
        for claim in called if called is not None else _claims(kind, text, world):
            if not _is_judged(claim, lines[claim.file, claim.line], shipped):
                told = msgspec.structs.replace(judgement, fix=None, subject=judgement.subject or text)
                lines[claim.file, claim.line].append((claim, told))
                found.append((claim, told))
    return found


def _claims(kind: str, text: str, world: World) -> Iterator[Claim]:
    """Every place that has the text in this sense."""
    if kind == "command":
        for document, block, inline, start, told in command_places(text, world.documents):
            yield Claim(kind, told, text, document.path, inline.line, inline.column + start, section=block.section)
        return
    pattern = _pattern(kind, text)
    bare = text[1:] if kind == "route" and _ALONE.fullmatch(text) else ""
    parts = _own_parts(text, world) if kind == "route" else frozenset[str]()
    called = text.lstrip("-") if kind == "option" and len(text) > _LEAST_CALLED else ""
    everywhere = kind == "option" and "-" in text.lstrip("-")
    for document, block, inline in _code(world.documents, everywhere):
        if bare and inline.text == bare and inline.kind == "code" and block.kind != "code":
            yield Claim(kind, text, bare, document.path, inline.line, inline.column, section=block.section)
        if inline.kind == "code" and inline.text in parts and block.kind != "code" and _is_called_route(block, inline):
            yield Claim(kind, text, inline.text, document.path, inline.line, inline.column, section=block.section)
        if called and inline.text == called and inline.kind == "code" and _is_called_option(block, inline):
            yield Claim(kind, text, called, document.path, inline.line, inline.column, section=block.section)
        for match in pattern.finditer(inline.text[:_LONGEST]) if text in inline.text else ():
            column = inline.column + match.start("text")
            claim = Claim(kind, text, text, document.path, inline.line, column, section=block.section)
            before = inline.text[: match.start("text")]
            if kind == "option" and _is_given_to_another(before, world):
                continue
            if kind == "path" and is_in_tag(before):
                continue
            if kind == "route" and _is_of_another_server(before, text, world):
                continue
            if _is_meant(claim, block.text if block.kind == "code" else inline.text, world):
                yield claim


def _calls(name: str, judgement: Judgement, world: World) -> Iterator[Claim]:
    """Calls of a function of one plain word in examples of its language: `visitable :order`, `visitable(order)`."""
    languages = alike_languages(judgement.evidence[0].file)
    call = re.compile(rf"(?:^\s*|(?<=\w\.))(?P<text>{re.escape(name)})(?=\(|[ ][:\"'{{]|[ ]do\b|\s*$)")
    for document, block, line in _code(world.documents, everywhere=False):
        fence = block.language.lower()
        if block.kind == "code" and _FENCES.get(fence, fence) in languages and name in line.text:
            for match in call.finditer(line.text[:_LONGEST]):
                column = line.column + match.start("text")
                yield Claim(
                    "symbol", name, name, document.path, line.line, column, form="example", section=block.section
                )


def _own_parts(route: str, world: World) -> frozenset[str]:
    """The words of a route that no path of own code has any more: "the `purge` endpoint" speaks of it."""
    words = {part for part in route.strip("/").split("/") if _PART.fullmatch(part)}
    pattern = re.compile(rb"/(?:" + b"|".join(re.escape(word.encode()) for word in sorted(words)) + rb")(?![\w-])")
    paths = [path for path in world.files if language_of(path) and is_own_code(path)] if words else []
    if len(paths) > MOST_SEARCHED:
        return frozenset()
    there = {m.group()[1:].decode() for path in paths for m in pattern.finditer(world.tree.read(path, SOURCE_LIMIT))}
    return frozenset(words - there)


def _is_called_route(block: Block, inline: Inline) -> bool:
    """The words behind it say that it is a route: "the `purge` endpoint", "the `metrics` API resource"."""
    row = next((row for row in (block.inlines, *(c.inlines for c in block.cells)) if any(i is inline for i in row)), ())
    at = next((number for number, one in enumerate(row) if one is inline), 0)
    return at + 1 < len(row) and _ROUTE_AFTER.match(row[at + 1].text[:_NEAR]) is not None


def _is_called_option(block: Block, inline: Inline) -> bool:
    """A word in code that the text beside it calls an option: "pass the flag `guess`", "the `guess` flag"."""
    row = next((row for row in (block.inlines, *(c.inlines for c in block.cells)) if any(i is inline for i in row)), ())
    at = next((number for number, one in enumerate(row) if one is inline), 0)
    before, after = row[at - 1].text if at else "", row[at + 1].text if at + 1 < len(row) else ""
    return bool(_CALLS_BEFORE.search(before[-_NEAR:]) or _CALLS_AFTER.match(after[:_NEAR]))


def _has_just_gone(claim: Claim, judgement: Judgement, world: World, fresh: Collection[str]) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or claim.kind not in _RULES or judgement.rule != _RULES[claim.kind]:
        return False
    if claim.kind == "path" and not ("/" in claim.text.strip("./") or _OF_THREE_PARTS.fullmatch(claim.text)):
        return False
    if claim.kind == "command" and (
        "/" in claim.owner or len(_NAMES.findall(claim.subject)) > 2 or not _owner(claim, world)
    ):
        return False  # below a group it is that group's: another may have one of the same name
    if claim.kind == "symbol" and not (judgement.why is Why.MODULE_GONE and "." in claim.subject):
        return _is_a_lost_word(claim, judgement, world, fresh)
    commits = [item.commit for item in judgement.evidence if item.commit]
    return world.past.differential or any(commit in fresh for commit in commits)


def _is_a_lost_word(claim: Claim, judgement: Judgement, world: World, fresh: Collection[str]) -> bool:
    """A plain word that a function was called, that nothing in the code is called any more, and that no example defines."""
    if not _WORD.fullmatch(claim.subject) or claim.form != "span" or judgement.why is not Why.NAME_GONE:
        return False
    lately = world.past.differential or any(item.commit in fresh for item in judgement.evidence if item.commit)
    return lately and not (
        still_written([claim.subject], world) or is_defined_in(world.documents.values(), claim.subject)
    )


def _variable_of(claim: Claim, judgement: Judgement, world: World, fresh: Collection[str]) -> str:
    """`tool.feed.interval-max` is `TOOL_FEED_INTERVAL_MAX` in the environment, where the one is read the other is too."""
    if judgement.verdict is not Verdict.DRIFTED or judgement.rule != "unknown-config-key" or not judgement.fix:
        return ""
    commits = [item.commit for item in judgement.evidence if item.commit]
    if not (world.past.differential or any(commit in fresh for commit in commits)):
        return ""
    for _, _, inline in _code({claim.file: world.documents[claim.file]}, everywhere=False):
        for match in _KEY.finditer(inline.text[:_LONGEST]) if inline.line == claim.line else ():
            if inline.column + match.start() < claim.column <= inline.column + match.end():
                variable = re.sub(r"[.-]", "_", match.group()).upper()
                several = variable.count("_") >= _LEAST_KEY - 1
                return variable if several and not still_written([variable], world) else ""
    return ""


def _gone_with_its_key(judgement: Judgement, variable: str) -> Judgement:
    message = f"No code reads the key that the environment variable `{variable}` stands for any more"
    return msgspec.structs.replace(judgement, rule=_RULES["environment"], message=message, subject=variable)


def _owner(claim: Claim, world: World) -> str:
    """The program that a sub-command is one of: where nothing tells it, the only one that there is."""
    programs = programs_of(world) if not claim.owner else frozenset[str]()
    return claim.owner or (next(iter(programs)) if len(programs) == 1 else "")


def _text(claim: Claim, world: World) -> str:
    """What stands in the text: of a route the path alone, without the method before it."""
    if claim.kind == "path":
        return claim.text.rstrip("/")
    if claim.kind == "symbol":
        return claim.subject
    if claim.kind == "command":
        return claim.text if " " in claim.text else f"{_owner(claim, world)} {claim.text}"
    return claim.subject.rstrip("/") if claim.kind == "route" and claim.subject in claim.text else claim.text


def _pattern(kind: str, text: str) -> re.Pattern[str]:
    whole = f"(?P<text>{re.escape(text)})"
    if kind == "route":
        host = _HOST if text.strip("/").count("/") else _LOCAL_HOST
        return re.compile(rf"{host}{whole}(?![\w.-])", re.MULTILINE)
    if kind == "path":
        return re.compile(
            rf"(?:(?<![\w./-])|(?<=[\s\"'`=]\./)|(?<=^\./)|(?<=\$PWD/)|(?<=\$\(pwd\)/)|(?<=\$\{{PWD\}}/))"
            rf"{whole}(?![\w-]|[/.]\w)"
        )
    if kind == "symbol":
        return re.compile(rf"(?<![\w./-]){whole}(?![\w/-])")
    return re.compile(rf"(?<![\w./-]){whole}(?![\w/-]|\.\w)")


def _code(documents: Mapping[str, Document], everywhere: bool) -> Iterator[tuple[Document, Block, Inline]]:
    """What is written as code; `everywhere`: plain words too."""
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            if not block.historical:
                for inline in block.lines if block.kind == "code" else block.every_inline():
                    if everywhere or inline.kind in ("code", "link", "role") or block.kind == "code":
                        yield document, block, inline


def _is_meant(claim: Claim, text: str, world: World) -> bool:
    """An option of one word may be any program's: ours must stand on the same line, or in the same example."""
    if claim.kind != "option" or "-" in claim.text.lstrip("-"):
        return True
    words = set(re.findall(r"[\w.-]+", text[:_LONGEST]))
    return not words.isdisjoint(programs_of(world))


def _is_of_another_server(before: str, route: str, world: World) -> bool:
    """An address that own code asks too, under the name of its host: that server has the path still."""
    host = _ADDRESS.search(before[-_LONGEST:])
    whole = (host.group() + route).encode() if host is not None else b""
    paths = [path for path in world.files if language_of(path)] if whole else []
    return len(paths) <= MOST_SEARCHED and any(whole in world.tree.read(path, SOURCE_LIMIT) for path in paths)


def _is_given_to_another(before: str, world: World) -> bool:
    """`npm install -g tool`: a program that everybody has is told it, and ours is only what it is told about."""
    words = re.findall(r"[\w.-]+", before[-_LONGEST:])
    first = next((word for word in words if word not in ("sudo", "env")), "")
    return first in UBIQUITOUS_PROGRAMS and programs_of(world).isdisjoint(words)


def _is_judged(claim: Claim, beside: Sequence[Judged], shipped: Collection[str]) -> bool:
    """A kind has read this very text and has an answer."""
    for other, judgement in beside:
        if not claim.overlaps(other):
            continue
        called = (
            claim.kind == "route" and "/" not in claim.text
        )  # a word that the text calls a route, whatever else is called so
        if judgement.verdict is not Verdict.UNCERTAIN and not (called and judgement.verdict is Verdict.VERIFIED):
            return True
        stranger = claim.kind == "option" and judgement.why is Why.OF_ANOTHER_PROGRAM
        if stranger and (other.owner in shipped or _TELLING.fullmatch(claim.text)):
            continue
        if other.kind == claim.kind and judgement.why is not _UNDECIDED.get(claim.kind):
            return True
    return False
