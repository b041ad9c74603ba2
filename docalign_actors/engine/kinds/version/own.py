"""The project's own version: "the current version is 1.2.3", and dependency snippets that readers copy.

Many projects let such lines lag on purpose, so a claim is false only if the manifest once had this very version and has
another one now, and, in a snippet, only if what it asks for does not accept today's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docalign_actors.engine.claims import Claim, Judgement, uncertain, verified
from docalign_actors.engine.code.manifests.requirement import normalised
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.facts import Version
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.running_text import RunningText
from docalign_actors.engine.kinds.version.spec import compare, number
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_FULL = r"v?(?P<number>\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)(?![\w-]|\.\d)"
_CURRENT = re.compile(
    rf"\b(?:current|latest)\s(?:stable\s)?(?:version|release)(?:\s(?:of\s)?`?(?P<name>[\w.-]{{2,40}})`?)?\s*(?:is|:)\s*(?:now\s)?`?\s?{_FULL}",
    re.IGNORECASE,
)
_TOML = re.compile(
    rf"""^\s*(?P<name>[\w-]{{2,60}})\s*=\s*(?:\{{[^}}\n]{{0,80}}?version\s*=\s*)?["'](?P<caret>\^?){_FULL}["']"""
)
_COORDINATE = re.compile(rf"""["'(\s](?P<group>[\w.-]{{2,60}}):(?P<name>[\w.-]{{2,60}}):{_FULL}""")
_ARTEFACT = re.compile(r"<artifactId>\s*([\w.-]{2,60})\s*</artifactId>")
_XML_VERSION = re.compile(rf"<version>\s*{_FULL}\s*</version>")
_FIELDS = frozenset(
    {"version", "python", "edition", "rust-version", "requires-python", "channel", "resolver", "node", "go", "rust"}
)
_MANIFEST_WORDS = {
    "Cargo.toml": "edition",
    "pom.xml": "modelVersion",
    "package.json": "dependencies",
    "pyproject.toml": "dependencies",
}
_SNIPPETS = frozenset(["toml", "rust", "groovy", "gradle", "kotlin", "kts", "xml", "java", "scala", "sbt"])


def statements(document: Document, block: Block, running: RunningText) -> Iterator[Claim]:
    """Sentences that say what the current version is."""
    lower = running.text.lower()
    is_told = "current" in lower or "latest" in lower
    for match in _CURRENT.finditer(running.text) if is_told else ():
        place = running.place(match.start("number"), match.end("number"))
        if place:
            yield _claim(document, block, place.line, place.column, match["number"], match["name"] or "", "prose")


def coordinates(document: Document, block: Block) -> Iterator[Claim]:
    """Dependency declarations in code blocks: Cargo, Gradle, Maven."""
    if block.language.lower() not in _SNIPPETS:
        return
    artefact = ""
    for line in block.lines:
        text = line.text[:2000]
        if found := _ARTEFACT.search(text):
            artefact = found[1]
        for pattern in (_TOML, _COORDINATE, _XML_VERSION):
            for match in pattern.finditer(text):
                name = match.groupdict().get("name") or artefact
                if name and name not in _FIELDS:
                    form = "cargo" if pattern is _TOML else "coordinate"
                    yield _claim(
                        document, block, line.line, line.column + match.start("number"), match["number"], name, form
                    )


def _claim(document: Document, block: Block, line: int, column: int, value: str, owner: str, form: str) -> Claim:
    return Claim(
        "version",
        "self",
        value,
        document.path,
        line,
        column,
        form=form,
        value=value,
        owner=owner,
        section=block.section,
        hypothetical=block.hypothetical,
        words=(re.split(r"\W", owner)[0],) if owner else (),
    )


def judge(claim: Claim, world: World) -> Judgement:
    """Compares with the manifest of the package that is named, or of the document's own."""
    current = _current(claim, world)
    if current is None:
        return uncertain("no manifest of this repository has this name and a plain version")
    told, real = number(claim.value), number(current.fact.spec)
    if told is None or real is None or not re.fullmatch(r"v?[\d.]+", current.fact.spec):
        return uncertain("not a released version")
    if compare(told, real) == 0:
        return verified(Evidence(f"version {current.fact.spec}", current.path, current.fact.line))
    if compare(told, real) > 0 or (claim.form == "cargo" and _accepts(told, real)) or told[:2] == real[:2]:
        return uncertain("the version told is not older in a way that matters")
    past = _past(claim, current, world)
    if past is None:
        return uncertain("the manifest is not known to have had this version")
    width = len(told)
    return Judgement(
        Verdict.DRIFTED,
        "wrong-version",
        f"{claim.value} is not the version of {claim.owner or 'this project'} any more: {current.path} says {current.fact.spec}.",
        (Evidence(f"version {current.fact.spec}", current.path, current.fact.line), past),
        0.85,
        Severity.LOW,
        Fix(".".join(map(str, (*real, 0, 0, 0)[:width])), safe=True),
        f"{claim.owner or 'self'} {claim.value}",
    )


def _current(claim: Claim, world: World) -> Located[Version] | None:
    package = world.package_of(claim.file)
    found = []
    for entry in world.index.versions.get("self", []):
        facts = world.index.files[entry.path]
        if not is_own_code(entry.path):
            continue
        named = normalised(facts.package) == normalised(claim.owner) if claim.owner else entry.path == package.manifest
        if named:
            found.append(entry)
    return found[0] if len(found) == 1 else None


def _accepts(told: tuple[int, ...], real: tuple[int, ...]) -> bool:
    """Cargo reads `1.2` as `^1.2`: every later version before the next breaking one."""
    leading = next((index for index, part in enumerate(told) if part), len(told) - 1)
    return told[: leading + 1] == real[: leading + 1]


def _past(claim: Claim, current: Located[Version], world: World) -> Evidence | None:
    told = number(claim.value)
    for file in world.past.files(_MANIFEST_WORDS.get(current.path.rpartition("/")[2], "version")):
        if file.path == current.path:
            for version in file.facts.versions:
                value = number(version.spec)
                if version.subject == "self" and value and told and value[: len(told)] == told:
                    return Evidence(f"version {version.spec} until then", file.path, version.line, file.blob.after)
    return None
