"""Versions that a manifest demanded of something else until a moment ago, where documents demand them still: `Maven 3.9.0`.

Runtimes have a kind of their own, which knows where each language keeps the version. What else a project needs (`Django 4.2+`,
`Spring Boot 3.5 or later`) is a line of a manifest with a name and a version; documents write the same two beside each other.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import MANIFESTS, SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.spellings import normal, parts
from docalign_actors.engine.kinds.version.text import is_requirement_section
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_RULE = "wrong-version"
_DEMAND = re.compile(
    r"""["'`]?(?P<name>[A-Za-z][\w.-]{1,60})(?:\[[\w,-]{1,60}\])?["'`]?\s{0,8}(?:[:=,(]\s{0,8})?["'`\[(]{0,2}"""
    r"""(?P<least>>=|~>|~=|\^|\[)?\s?v?(?P<version>\d{1,4}(?:\.\d{1,4}){1,3})(?![\w.-])"""
)
"""`"django>=4.2"`, `"react": "^18.2.0"`, `gem "rails", "~> 7.1"`, `spring-boot = "3.5.0"`."""
_ELEMENT = re.compile(
    r"<(?P<name>[A-Za-z][\w.-]{1,60})>\s{0,8}(?P<least>\[)?(?P<version>\d{1,4}(?:\.\d{1,4}){1,3})(?=[,<])"
)
"""`<maven>[3.9.0,)</maven>`, `<spring-boot.version>3.5.0</spring-boot.version>`."""
_OF_A_VERSION = re.compile(r"[._-]?versions?$", re.IGNORECASE)
_NO_NAMES = frozenset("version versions release python requires node java target source go rust php ruby".split())
_LATER = re.compile(r"\s?\+|\s?\(?(?:or|and) (?:newer|later|higher|above|greater|up)\b|\.x\b", re.IGNORECASE)
_LEAST_BEFORE = re.compile(r"(?:>=|≥|at least|minimum(?: of)?|requires?|needs?)\s{0,2}[`\"'*]{0,3}$", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:since|introduced|added|before|until|up to|tested|example|e\.g|if|when|optional)\b", re.IGNORECASE
)
_LOCKS = ("lock", "lock.json", "lock.yaml", "lockfile")
_BUILDS = (".gemspec", ".gradle", ".gradle.kts", ".csproj")
_WORK = re.compile(
    r"(?i)dev(?:elop)?|tests?\b|testing|docs?\b|lint|typing|benchmark|build-system|build_?script|plugin|optional|extras"
)
_OPENS = re.compile(r"[{\[(:]\s*$|\bdo\b|^\s*\[|<\w[\w.-]*>\s*$")
_ABOVE = 200
_MOST = 40


class Demand(NamedTuple):
    """What a manifest demanded, and what it demands now."""

    name: str
    old: str
    new: str
    path: str
    commit: str


def lost_demands(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made, or could not decide: the old version beside the name of what it is of."""
    found: list[Judged] = []
    beside: Beside | None = None
    for demand in _changed(edits):
        places = list(_places(demand, world))
        if not places or _is_demanded_still(demand, world):
            continue
        beside = beside or Beside(item for item in judged if item[1].verdict is not Verdict.UNCERTAIN)
        found.extend((claim, _judgement(demand, claim)) for claim in places if not any(beside.of(claim)))
    return found


def _changed(edits: Sequence[Edit]) -> list[Demand]:
    found: dict[str, Demand] = {}
    for edit in edits:
        path = edit.blob.path
        if not _is_manifest(path) or not is_own_code(path):
            continue
        come = {name: version for line in edit.come for name, version in _demands(line)}
        for number, line in edit.numbered:
            for name, version in _demands(line):
                new = come.get(name, version)
                changed = _numbers(new) != _numbers(version) and not _is_for_work(edit.before, number)
                if changed and len(found) < _MOST:
                    found.setdefault(name, Demand(name, version, new, path, edit.blob.after))
    return list(found.values())


def _is_for_work(lines: Sequence[str], number: int) -> bool:
    """What only those need who work on the project: `devDependencies`, an extra for tests, a group of a Gemfile."""
    if _WORK.search(lines[number][:LONGEST_LINE]):
        return True
    indent = _indent(lines[number])
    for line in reversed(lines[max(0, number - _ABOVE) : number]):
        if line.strip() and (_indent(line) < indent or line.startswith("[")):
            if _OPENS.search(line) and _WORK.search(line):
                return True
            indent = min(indent, _indent(line))
            if line.startswith("["):
                return False
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_manifest(path: str) -> bool:
    """What says what the project needs; a pipeline says what it is tried with, a lock what was found."""
    name = posixpath.basename(path).lower()
    if path.startswith(".") or name.endswith(_LOCKS) or _WORK.search(name):
        return False
    return language_of(path) in MANIFESTS or name == "setup.py" or name.endswith(_BUILDS)


def _demands(line: str) -> Iterator[tuple[str, str]]:
    """The names on a line of a manifest, as `normal` writes them, each with the version beside it."""
    for pattern in (_ELEMENT, _DEMAND):
        for match in pattern.finditer(line[:LONGEST_LINE]):
            name = "-".join(parts(_OF_A_VERSION.sub("", match["name"])))
            if name and name not in _NO_NAMES:
                yield name, match["version"]


def _numbers(version: str) -> tuple[int, ...]:
    """`3.9.0` is `3.9`."""
    told = [int(part) for part in version.split(".")]
    while len(told) > 1 and told[-1] == 0:
        told.pop()
    return tuple(told)


def _places(demand: Demand, world: World) -> Iterator[Claim]:
    words = demand.name.split("-")
    name = r"[ ._-]?".join(map(re.escape, words)) + r"(?:\.?js)?"
    told = re.compile(
        rf"(?<![\w./@-])(?P<name>{name})[`*\"'\])]{{0,3}}(?: version| framework)?\s?[:(]?\s?(?:>=|≥)?\s?[`*\"'(v]{{0,3}}"
        rf"(?P<version>\d{{1,4}}(?:\.\d{{1,4}}){{1,3}})(?![\w-]|\.\d)",
        re.IGNORECASE,
    )
    for document in world.documents_with(".".join(map(str, _numbers(demand.old)))):
        for block in document.blocks if not document.history else ():
            if block.kind == "code" or block.historical or block.hypothetical:
                continue
            for inline in block.every_inline() if any(map(str.isdigit, block.text)) else ():
                for match in told.finditer(inline.text[:LONGEST_LINE]) if inline.kind in ("text", "code") else ():
                    if _numbers(match["version"]) == _numbers(demand.old) and _is_demanded(block, inline, match):
                        yield _claim(document, block, inline, match)


def _is_demanded(block: Block, inline: Inline, match: re.Match[str]) -> bool:
    """The document says that so much is needed, where it stands or by its heading."""
    before, after = inline.text[max(0, match.start() - 60) : match.start()], inline.text[match.end() :]
    if is_historical(block.text[:LONGEST_LINE]) or _OTHERWISE.search(before):
        return False
    least = re.search(r">=|≥", match.group()) or _LATER.match(after) or _LEAST_BEFORE.search(before)
    return bool(least) or is_requirement_section(block.section)


def _claim(document: Document, block: Block, inline: Inline, match: re.Match[str]) -> Claim:
    return Claim(
        "version", match["name"], match["version"], document.path, inline.line, inline.column + match.start("version"),
        form="prose", value=match["version"], section=block.section,
    )  # fmt: skip


def _is_demanded_still(demand: Demand, world: World) -> bool:
    """Another manifest has the old version, or this one has it in another place."""
    for path in world.files:
        if _is_manifest(path) and is_own_code(path):
            text = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
            for line in text.split("\n") if demand.old in text else ():
                if demand.old in line and (demand.name, demand.old) in _demands(line):
                    return True
    return False


def _judgement(demand: Demand, claim: Claim) -> Judgement:
    evidence = Evidence(f"was `{demand.old}` until then, is `{demand.new}` now", demand.path, 0, demand.commit)
    message = f"{claim.subject} {claim.value} is not what `{demand.path}` asks for any more: it asks for {demand.new}"
    kept = ".".join(demand.new.split(".")[: max(claim.value.count("."), len(_numbers(demand.new)) - 1) + 1])
    return Judgement(
        Verdict.DRIFTED, _RULE, message, (evidence,), 0.9, fix=Fix(kept, True), subject=f"{normal(claim.subject)} {claim.value}"
    )  # fmt: skip
