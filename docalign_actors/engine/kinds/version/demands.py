"""Whether a told minimum is the one that the nearest manifest demands."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim, Judgement, uncertain, verified
from docalign_actors.engine.code.manifests.requirement import normalised
from docalign_actors.engine.facts import Version
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.version.spec import Number, compare, minimum, number, spelled
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_DISPLAY = {
    "python": "Python",
    "node": "Node.js",
    "go": "Go",
    "rust": "Rust",
    "java": "Java",
    "php": "PHP",
    "ruby": "Ruby",
    "deno": "Deno",
    "bun": "Bun",
}
_ENGINES = ("engines",)
_PAST_WORDS = {
    "python": ("python_requires", "classifiers", "dependencies", "requires"),
    "node": _ENGINES,
    "npm": _ENGINES,
    "yarn": _ENGINES,
    "pnpm": _ENGINES,
    "go": ("indirect", "toolchain", "module"),
    "rust": ("edition", "rust"),
    "java": ("modelVersion", "sourceCompatibility", "languageVersion", "maven"),
    "php": ("autoload", "php"),
    "ruby": ("required_ruby_version",),
}
"""Words that manifests contain and code hardly does: looking for them in the past costs little."""
_GENERIC = frozenset({
    "it", "this", "the", "project", "package", "library", "tool", "app", "application", "you", "we", "module",
    "framework", "server", "client", "crate", "cli", "sdk", "plugin", "code", "software", "program", "our",
    "currently", "now", "also", "installation", "latest", "release", "version", "source", "building", "build",
    "running", "compiling", "development", "which", "and", "that", "only", "a", "an", "in", "of", "to",
    "everything", "all", "repo", "repository", "workspace", "api", "service", "backend", "frontend", "bot",
    "extension", "action", "environment", "mcp", "gem", "team", "engine", "driver", "binding", "bindings",
    "wrapper", "utility", "command", "line", "interface", "programs", "core", "itself", "is", "are", "be", "for",
    "using",
})  # fmt: skip
_LICENCES = ("LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING")
_SITES = frozenset({"docs", "doc", "documentation", "website", "site", "www"})
_PARTS = frozenset({
    "providers", "plugins", "adapters", "integrations", "extensions", "backends", "drivers", "examples", "tests", "benchmarks",
    "runners", "add-ons",
})  # fmt: skip
"""Parts of a project that may need more or less than the whole of it."""
_BY_ITS_NATURE = re.compile(r"\b(?:minimum supported rust version|msrv)\b", re.IGNORECASE)
"""Words for what the crate itself compiles with, and nothing else."""
NAMED = "the sentence speaks of this very package"
LISTED = "a list of what this package needs"
_NEEDS = re.compile(r"\b(?:(?:pre-?)?requisites?|requirements?|you(?:['’]ll| will)? need)\b", re.IGNORECASE)
"""Titles of such lists; one of compatibility or of dependencies tells of others too."""
_PROMISES = re.compile(
    r"[-*\s]{0,8}(?:fully )?(?:compatible with|works (?:with|on)|runs on|supports|requires|needs)[\s*_`]{1,4}",
    re.IGNORECASE,
)
_SEVERAL = 3
"""Versions of one thing in one list or table: which of our releases each goes with, not what is needed today."""
_LONE_PRONOUNS = frozenset({"this", "it", "which", "that", "all"})

Demand = Located[Version]


def judge(claim: Claim, world: World) -> Judgement:
    """Compares with the nearest manifest that demands something of the subject."""
    told = number(claim.value)
    if told is None:
        return uncertain("not a version")
    if claim.subject == "java" and told[0] == 1 and len(told) > 1:
        told = told[1:]
    if not (is_own_code(claim.file) or _is_manual(claim.file)):
        return uncertain("an example or a test may need something else")
    if _is_another_work(claim.file, world):
        return uncertain("the folder has a licence of its own and no manifest: a work of others")
    demands = _demands(claim, world)
    if not demands:
        return _by_toolchain(claim, told, world)
    for demand in demands:
        real = minimum(demand.fact.spec, told[0])
        if real is not None and compare(told, real) == 0:
            return verified(_evidence(demand))
    wrong = [(demand, real) for demand in demands if (real := minimum(demand.fact.spec, told[0])) is not None]
    if len(demands) > 1 and (changed := _just_changed(claim, told, demands, world)) is not None:
        return _judge_difference(claim, told, *changed, world)
    if len(wrong) != len(demands):
        return uncertain("the manifest sets no plain minimum")
    if any(compare(real, wrong[0][1]) != 0 for _, real in wrong):  # `3.12` and `3.12.0` are one
        return uncertain("manifests disagree")
    return _judge_difference(claim, told, wrong[0][0], wrong[0][1], world)


def _is_another_work(path: str, world: World) -> bool:
    """It lies, below its package, in a folder with a licence of its own: what others wrote was copied there."""
    package = world.package_of(path).root
    folders = [folder for folder in _folders(path) if len(folder) > len(package)]
    return any(world.exists(f"{folder}/{name}") for folder in folders for name in _LICENCES)


def _is_manual(path: str) -> bool:
    """A tutorial among the documentation tells what the project needs, unlike one that has code of its own."""
    parts = [part for part in path.split("/") if part.lower() not in ("tutorial", "tutorials")]
    return parts[0].lower() in ("docs", "doc", "documentation", "website") and is_own_code("/".join(parts))


def _judge_difference(claim: Claim, told: Number, demand: Demand, real: Number, world: World) -> Judgement:
    before = _once_demanded(claim, told, demand, world)
    if claim.language == "list" and compare(told, real) > 0:
        return uncertain("a list of versions need not begin with the lowest")
    if len({other.value for other in world.neighbours(claim) if other.subject == claim.subject}) >= _SEVERAL:
        return uncertain("the list tells what several versions go with")
    if audience(claim.file) is Audience.USERS and len(world.versions[claim.file, claim.subject]) >= _SEVERAL:
        return uncertain("the page tells what several of its parts need")
    if before is None and not _says_it_of_this(claim, told, real, world):
        return uncertain("the sentence may speak of something else")
    if before is None and _another_agrees(claim, told, world):
        return uncertain("another package of the repository demands this version")
    name = _DISPLAY.get(claim.subject, claim.subject)
    evidence = [_evidence(demand)]
    if before:
        evidence.append(before)
    elif compare(told, real) < 0 and _names_it(claim, demand, world):
        evidence.append(Evidence(NAMED, claim.file, claim.line))
    elif compare(told, real) < 0 and _is_listed(claim, demand):
        evidence.append(Evidence(LISTED, claim.file, claim.line))
    return Judgement(
        Verdict.DRIFTED,
        "wrong-version",
        f"The documentation says {name} {claim.value}, but {demand.path} demands {demand.fact.spec}.",
        tuple(evidence),
        0.95 if before else 0.9,
        Severity.MEDIUM,
        _fix(claim, told, real),
        f"{claim.subject} {claim.value}",
    )


def _evidence(demand: Demand) -> Evidence:
    return Evidence(
        f"{_DISPLAY.get(demand.fact.subject, demand.fact.subject)} {demand.fact.spec}", demand.path, demand.fact.line
    )


def _fix(claim: Claim, told: Number, real: Number) -> Fix | None:
    """The number exchanged, all else left as it stands. A list of versions would need more than that."""
    highest = number(claim.language.removeprefix("range:")) if claim.language.startswith("range:") else None
    if claim.language == "list" or claim.text.count(claim.value) != 1 or (highest and compare(highest, real) <= 0):
        return None
    return Fix(claim.text.replace(claim.value, spelled(real, told)), safe=not _is_told_twice(claim))


def _is_told_twice(claim: Claim) -> bool:
    """`Python >= 2.7 or Python >= 3.5`: who mends the first number has to mend the sentence."""
    told = rf"\b{re.escape(claim.subject)}\W{{0,6}}v?\d"
    return len(re.findall(told, claim.context, re.IGNORECASE)) > 1


def _demands(claim: Claim, world: World) -> list[Demand]:
    """What manifests in the nearest folder above the document demand; failing that, those below its folder.

    A page of a site tells of the whole project, and what builds a site is demanded by the site's own manifest.
    """
    found = [
        entry
        for name in dict.fromkeys((claim.subject, normalised(claim.subject)))
        for entry in world.index.versions.get(name, [])
        if is_own_code(entry.path) and entry.fact.spec and entry.fact.origin in _origins(claim)
    ]
    for folder in _folders(claim.file):
        here = [entry for entry in found if posixpath.dirname(entry.path) == folder]
        if here and not (folder.lower() in _SITES and len(here) < len(found)):
            return here
    folder = posixpath.dirname(claim.file)
    top = claim.file.split("/")[0].lower()
    if not folder or top in _SITES:
        return [entry for entry in found if entry.path.split("/")[0].lower() not in _SITES] or found
    return [entry for entry in found if entry.path.startswith(folder + "/")]


def _origins(claim: Claim) -> tuple[str, ...]:
    return ("dependency", "optional") if claim.form == "requirement" else ("requires",)


def _folders(path: str) -> list[str]:
    """The folders above a file, the nearest first, the root last."""
    found = []
    while path:
        path = posixpath.dirname(path)
        found.append(path)
    return found or [""]


def _by_toolchain(claim: Claim, told: Number, world: World) -> Judgement:
    """Without a demand, the version that developers use tells nothing but by having changed."""
    pinned = [
        e for e in world.index.versions.get(claim.subject, []) if e.fact.origin == "toolchain" and is_own_code(e.path)
    ]
    for entry in pinned:
        real = number(entry.fact.spec)
        if real and compare(told, real) == 0:
            return verified(_evidence(entry))
    return uncertain("no manifest demands a version")


def _another_agrees(claim: Claim, told: Number, world: World) -> bool:
    for entry in world.index.versions.get(claim.subject, []):
        real = minimum(entry.fact.spec, told[0]) if entry.fact.origin in _origins(claim) else None
        if real is not None and compare(told, real) == 0:
            return True
    return False


def _says_it_of_this(claim: Claim, told: Number, real: Number, world: World) -> bool:
    """Without the past's word: a plain demand, of this project, and where it is stricter than the manifest, a formal one."""
    if claim.hypothetical or not _is_ours(claim, world):
        return False
    if claim.form == "badge":
        return True
    higher = compare(told, real) > 0
    if claim.form == "requirement":
        return not higher and bool(
            re.search(r"require|depend|prerequisite", " ".join(claim.section[-1:]), re.IGNORECASE)
        )
    # More than the manifest demands may be what is supported or tested; less is a promise that it does not keep.
    return not higher


def _is_ours(claim: Claim, world: World) -> bool:
    """The sentence's subject is this project, or nothing in particular."""
    words = [normalised(word) for word in re.split(r"[\s`'’/]+", claim.owner) if word.strip("-._ ")]
    if not words:
        return True
    if len(words) == 1 and words[0] in _LONE_PRONOUNS:
        # At the top of a document "it" is the project; further down it is whatever was spoken of last.
        return words[0] == "it" and len(claim.section) <= 1
    names = {part for name in world.index.package_names for part in _name_parts(name)}
    return any(word in names or word.replace("-", "") in names for word in words) or all(
        word in _GENERIC for word in words
    )


def _names_it(claim: Claim, demand: Demand, world: World) -> bool:
    """The sentence names the package whose manifest it is, or says what only that package can have."""
    if _BY_ITS_NATURE.search(claim.text) or _is_promised(claim, demand):
        return True
    words = [normalised(word) for word in re.split(r"[\s`'’/]+", claim.owner) if word.strip("-._ ")]
    names = _name_parts(world.index.package_of(demand.path).name)
    return any(word in names for word in words) and all(word in names or word in _GENERIC for word in words)


def _is_promised(claim: Claim, demand: Demand) -> bool:
    """The README beside the manifest has an entry or a sentence that begins so, "Compatible with Python 3.9+", or a badge."""
    folder, name = posixpath.split(claim.file)
    told = _PROMISES.match(claim.context)
    beside = name.lower().startswith("readme") and posixpath.dirname(demand.path) == folder
    if beside and claim.form == "badge":
        return True
    return beside and told is not None and claim.context[told.end() :].startswith(claim.text.lstrip("*_` "))


def _is_listed(claim: Claim, demand: Demand) -> bool:
    """`Python 3.8+` and nothing before it, below `Requirements`, in a document beside the manifest."""
    beside = posixpath.dirname(demand.path) == posixpath.dirname(claim.file)
    alone = claim.context.lstrip("*_` ").startswith(claim.text.lstrip("*_` "))
    return beside and alone and not claim.owner and bool(claim.section) and bool(_NEEDS.search(claim.section[-1]))


def _name_parts(name: str) -> set[str]:
    plain = normalised(name.rpartition("/")[2])
    return {
        plain,
        plain.replace("-", ""),
        plain.removeprefix("python-"),
        plain.removesuffix("-python"),
        plain.removesuffix("-js"),
        plain.removesuffix("-rs"),
    }


def _once_demanded(claim: Claim, told: Number, demand: Demand, world: World) -> Evidence | None:
    """The same manifest demanded just what the documentation says."""
    if claim.owner and claim.owner.split()[-1].lower() in _PARTS:
        return None
    words: Sequence[str] = _PAST_WORDS.get(claim.subject, ()) if claim.form != "requirement" else (claim.words or ())
    for word in words:
        for file in world.past.files(word):
            if claim.form == "loose" and not file.is_fresh:
                continue
            if _is_same_manifest(file, demand.path) and (line := _demanded_line(file, claim, told)):
                return Evidence(f"demanded {claim.value} until then", file.path, line, file.blob.after)
    return None


def _just_changed(claim: Claim, told: Number, demands: Sequence[Demand], world: World) -> tuple[Demand, Number] | None:
    """The one of several demands of a manifest that took the place of what the documentation says, a moment ago.

    A build has a Java that it runs with and one that it builds for: which of them a sentence means is told by what changed.
    """
    for word in _PAST_WORDS.get(claim.subject, ()) if claim.form != "requirement" else ():
        for file in world.past.files(word):
            here = [demand for demand in demands if _is_same_manifest(file, demand.path)]
            if not here or not (file.is_fresh or world.past.differential) or not _demanded_line(file, claim, told):
                continue
            then = {version.spec for version in file.facts.versions if version.subject == claim.subject}
            come = {demand.fact.spec: demand for demand in here if demand.fact.spec not in then}
            for spec, demand in come.items() if len(come) == 1 else ():
                if (real := minimum(spec)) is not None:
                    return demand, real
    return None


def _is_same_manifest(file: PastFile, path: str) -> bool:
    """A manifest in the same folder: projects move from setup.py to pyproject.toml."""
    return posixpath.dirname(file.path) == posixpath.dirname(path)


def _demanded_line(file: PastFile, claim: Claim, told: Number) -> int:
    names = (claim.subject, normalised(claim.subject))
    for version in file.facts.versions:
        if version.subject in names and version.origin in _origins(claim):
            real = minimum(version.spec, told[0])
            if real is not None and compare(told, real) == 0:
                return version.line
    return 0
