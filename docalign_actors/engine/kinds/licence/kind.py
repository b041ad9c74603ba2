"""Licences: what the documentation says the project is licensed under, against licence files and manifests."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.kinds.licence.names import BADGE, NAMES, display, families, identify
from docalign_actors.engine.kinds.shared.running_text import RunningText
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_GRANT = re.compile(
    r"\b(?:licen[sc]ed|released|distributed|available|published|provided|covered|open[- ]sourced?"
    r"|made available|shared|offered)\b[^.]{0,40}?"
    r"\b(?:under|with|by|as|through|according to)\b(?:\s(?:an?|the|terms|conditions|of|and|permissive"
    r"|open[- ]source|free|standard|both|either|following|same|dual))*\s*$"
    r"|\b(?:licen[sc]e|licensing)\s*(?:\(|:|is|=|\||[-–—])\s*(?:the\s|an?\s)?$|\b(?:uses?"
    r"|under)\s(?:the|an?)\s(?:terms of the\s)?$|^\W*(?:the\s|an?\s)?$",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"^\W*(?:\d+\.?\s*)?(?:licen[sc]e|licensing|licen[sc]es?(?: and | & ).{0,40}|.{0,30}(?: and "
    r"| & )licen[sc]e|copyright.{0,30}|legal)\W*$",
    re.IGNORECASE,
)
_NOT_OURS = re.compile(
    r"\b(?:fonts?|icons?|logos?|images?|assets?|artwork|photos?|sounds?|data ?sets?|data|models?"
    r"|weights|portions?|parts?|uses? .{1,30}\b(?:that|which)|third[- ]party|bundled|vendored|embedded|includes? (?:code|software)"
    r"|based on"
    r"|derived|fork(?:ed)?|adapted|ported|inspired|copied|taken from|borrowed|dependenc(?:y|ies)"
    r"|librar(?:y|ies) (?:is|are|used)|documentation|docs|examples?|templates?|generated"
    r"|original(?:ly)?|uses? the .{0,30} library"
    r"|except|unless|other|some|certain|contrib|samples?|snippets?|header|incompatible|compatible"
    r"|similar|choose|pick|such as|e\.g|versions? (?:before|prior|up to)|prior|previous(?:ly)?|until"
    r"|was|were|enterprise|commercial"
    r"|plugins?|extensions?|packages? (?:are|have)|crates?|sub-?director|folder|directory"
    r"|files? (?:in|under)|your|if you|spec(?:ification)?|schema|website|content|theme|book|course"
    r"|text|equivalent|restrictive|accept(?:ed|able|s)?|allowed)\b",
    re.IGNORECASE,
)
_LICENCE_FILE = re.compile(
    r"^(?:copying|notice|third[-_]?party|copyright|authors)|licen[sc]e[^/]*$|(?:^|/)(?:licen[sc]es?|legal|notices|third[-_]?party)/",
    re.IGNORECASE,
)
"""Licences themselves, as often those of others: as the name of a file or of its folder."""


class LicenceKind:
    """ "Licensed under the MIT License", badges, sections titled "License"."""

    name = "licence"
    rules = (
        Rule(
            "wrong-licence",
            "licence",
            "The documentation names a licence that the project does not have.",
            Severity.HIGH,
        ),
    )
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        if _LICENCE_FILE.search(document.path) or _LICENCE_FILE.match(posixpath.basename(document.path)):
            return
        if not _speaks_for_a_project(document.path):
            return
        for block in document.blocks:
            if block.kind in ("paragraph", "item", "row", "quote", "html") and not block.hypothetical:
                yield from _statements(document, block)
            if block.kind != "code":
                yield from _badges(document, block)

    def verify(self, claim: Claim, world: World) -> Judgement:
        return _judge(claim, world)


def _speaks_for_a_project(path: str) -> bool:
    """A README, or the first page of a site. Others, as contributors' guides, tell of other people's licences as often."""
    folder, name = posixpath.split(path)
    if name.lower().startswith("readme"):
        return True
    return posixpath.splitext(name)[0].lower() in ("index", "license", "licence", "about") and (
        not folder
        or (
            folder.count("/") < 2
            and folder.split("/")[0] in ("docs", "doc", "documentation", "website", "site", "docsite")
        )
    )


def _statements(document: Document, block: Block) -> Iterator[Claim]:
    running = RunningText(block)
    # Items of a list under such a heading are as often the licences of dependencies.
    titled = bool(block.section) and bool(_TITLE.match(block.section[-1])) and block.kind != "item"
    if not titled and "icen" not in running.text:
        return
    for match in NAMES.finditer(running.text):
        first, last = running.sentence(match.start(), match.end())
        before, after = running.text[first : match.start()], running.text[match.end() : last]
        if _NOT_OURS.search(before) or _NOT_OURS.search(after[:80]) or not _grants(before, after, titled):
            continue
        found = identify(match)
        place = running.place(match.start(), match.end())
        target = next((i.text for i in block.every_inline() if i.kind == "link" and match[0] in i.label), "")
        if found and place:
            yield Claim(
                "licence",
                found,
                place.text,
                document.path,
                place.line,
                place.column,
                form="prose",
                owner=target[:200],
                value=found,
                section=block.section,
                context=running.text[first:last].strip()[:300],
                words=tuple(re.findall(r"[A-Za-z_]\w+", place.text))[:3],
                group=block.group,
            )


def _grants(before: str, after: str, titled: bool) -> bool:
    """The words before lead up to a grant; a section about the licence may begin with the name itself."""
    match = _GRANT.search(before)
    if not match:
        return bool(re.search(r"\bor\s*(?:the\s)?$|\band\s*(?:the\s)?$", before)) and titled
    if match[0].strip():
        return True
    return titled or bool(re.match(r"\s*[-]?licen[sc]ed\b", after, re.IGNORECASE))


def _badges(document: Document, block: Block) -> Iterator[Claim]:
    for inline in block.every_inline():
        if inline.kind in ("image", "text", "link") and "badge/" in inline.text:
            for match in BADGE.finditer(inline.text[:1000]):
                text = match["name"]
                found = identify(NAMES.search(re.sub(r"%20|_+", " ", text.replace("--", "-"))))
                if found:
                    yield Claim(
                        "licence",
                        found,
                        text,
                        document.path,
                        inline.line,
                        inline.column + match.start("name"),
                        form="badge",
                        value=found,
                        section=block.section,
                        words=tuple(re.findall(r"[A-Za-z]\w+", text))[:3],
                    )


def _links_elsewhere(claim: Claim, world: World) -> bool:
    """The name is a link to a file of a repository that has none of our packages' names."""
    match = re.search(r"github\.com/[\w.-]+/([\w.-]+)/(?:blob|raw|tree)/", claim.owner)
    names = {re.sub(r"[-_.]", "", name.rpartition("/")[2].lower()) for name in world.index.package_names}
    return match is not None and bool(names) and re.sub(r"[-_.]", "", match[1].lower()) not in names


_by_folder: WeakKeyDictionary[World, dict[str, list[str]]] = WeakKeyDictionary()


def _own_files(world: World) -> dict[str, list[str]]:
    """The files of own code that were read, by the folder they lie in."""
    if world not in _by_folder:
        found: dict[str, list[str]] = {}
        for path in world.index.files:
            if is_own_code(path):
                found.setdefault(path.rpartition("/")[0], []).append(path)
        _by_folder[world] = found
    return _by_folder[world]


def _granted(claim: Claim, world: World) -> list[Evidence]:
    """Licences of the nearest folder that has any: its licence files and its manifest."""
    folder = posixpath.dirname(claim.file)
    while True:
        here = ((path, world.index.files[path]) for path in _own_files(world).get(folder, ()))
        found = [
            Evidence(facts.licence, path, 1) for path, facts in here if facts.licence or facts.language == "licence"
        ]
        if folder == "":
            found += [
                Evidence(f.licence, p, 1)
                for p, f in world.index.files.items()
                if p.startswith("LICENSES/") and f.licence
            ]
        if found or folder == "":
            return found
        folder = posixpath.dirname(folder)


def _speaks_for_package(claim: Claim, granted: list[Evidence]) -> bool:
    """The document stands beside the licence or the manifest, or among the documentation at large."""
    folder = posixpath.dirname(claim.file)
    beside = any(posixpath.dirname(evidence.file) == folder for evidence in granted)
    return (
        beside
        or folder == ""
        or folder.split("/")[0].lower() in ("docs", "doc", ".github", "documentation", "website", "site")
    )


def _judge(claim: Claim, world: World) -> Judgement:
    granted = _granted(claim, world)
    told = families(claim.value)
    for evidence in granted:
        if evidence.text and told & families(evidence.text):
            return verified(Evidence(f"licence {evidence.text}", evidence.file, evidence.line))
    for path, facts in world.index.files.items():
        if "/" not in path and facts.licence and told & families(facts.licence):
            return verified(Evidence(f"licence {facts.licence}", path, 1))
    if not _speaks_for_package(claim, granted) or _links_elsewhere(claim, world):
        return uncertain("it may be the licence of something that is included")
    files = [e for e in granted if world.index.files[e.file].language == "licence"]
    known = [e for e in granted if families(e.text)]
    if not is_own_code(claim.file) or not known:
        return uncertain("no licence of this project is known")
    if any(not e.text for e in files) or len(known) != len([e for e in granted if e.text]):
        return uncertain("a licence text is not recognised")
    if len({frozenset(families(e.text)) for e in known}) > 1 and not any(e in files for e in known):
        return uncertain("manifests disagree about the licence")
    real = next((e for e in known if e in files), known[0])
    names = sorted({identifier for e in known for identifier in e.text.replace("(", "").replace(")", "").split(" OR ")})
    return Judgement(
        Verdict.DRIFTED,
        "wrong-licence",
        f"The documentation says {claim.text}, but {real.file} is {real.text}.",
        tuple(Evidence(f"licence {e.text}", e.file, e.line) for e in known[:3]),
        0.9,
        Severity.HIGH,
        Fix(display(real.text, claim.text), safe=False) if len(names) == 1 and claim.form != "badge" else None,
        claim.value,
    )
