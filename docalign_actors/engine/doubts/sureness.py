"""What a whole scan may call false without doubt.

A change says which thing went, so that whoever names it is meant. What has been as it is for long was not broken by anything one
could point at: it is called false only where few other readings are left. Which those are was counted on findings that were
looked at by hand (docs/benchmarks-earlier.md): a link that leads nowhere is broken for every reader of that page; a path that
went is meant where a document speaks of the repository itself; a Python example that is no Python helps nobody; a script that a
line of a shell runs is run here. What a manual for users says of options, variables, routes and versions is too often about
something else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence, Set

import msgspec

from docalign_actors.engine.audience import Audience, is_for_a_tool, is_in_manual
from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.records import tells_of_work
from docalign_actors.engine.doubts.contemporary import LONG_AGO
from docalign_actors.engine.doubts.tending import (
    is_led,
    is_left_behind,
    is_of_a_site,
    is_standing,
    led_to,
    read_text,
    tells_of_today,
)
from docalign_actors.engine.inplace import audience_in, is_shown_in_place
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.licence.names import families
from docalign_actors.engine.kinds.path.books import BOOKED
from docalign_actors.engine.kinds.path.names import is_conventional
from docalign_actors.engine.kinds.shared.modules import ALL_READ
from docalign_actors.engine.kinds.version.demands import LISTED, NAMED
from docalign_actors.engine.longago import NAMING, is_noted, is_of_the_past, is_told
from docalign_actors.engine.past import HELD
from docalign_actors.engine.ports import UNCOMMITTED, History
from docalign_actors.engine.roles import is_example
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_VAGUE = frozenset(
    {"invalid syntax", "illegal target for annotation", "only single target (not tuple) can be annotated"}
)
"""What Python says of placeholders, notations and entries of a dictionary too (`"key": 1,`); of a bracket that is not closed or a
comma that is missing it says more."""
_PLAIN = frozenset({"path", "anchor", "navigation", "version", "licence", "example", "suppression"})
"""Kinds that the tree itself answers: a path is there or is not. Of a name, an option or a value only the code of a while ago is
compared with that of now, and each commit in between may have given it another meaning: what the last commit did is plain, what
came before it is for a scan of that change to tell."""
_VERSION = re.compile(r"\d{1,4}\.\d{1,4}(?!\d)")
_LICENCE = re.compile(r"(?:licen[sc]e|copying)(?:[.-]|$)", re.IGNORECASE)
_PAGES = (".md", ".mdx", ".rst", ".adoc")
_INDEX = re.compile(r"(?:README|index|_index)\.(?:md|mdx|adoc)", re.IGNORECASE)
"""A folder's own page: sites make the same address of each of these names."""
_RENAMED = "renamed to "
_LINK = re.compile(r"\[(?P<label>[^\[\]]{1,300})\]\((?P<target>[^\s()#?]{1,300})")
_LONGEST_LINE = 4000
_MANY = 3
IsNew = Callable[[str, int, str], bool]
"""(file, line or 0, name)."""
DOUBTFUL = 0.6
"""How sure one can be, at the most, of what may be read in another way, and went or came about long ago."""


def has_long_ago(history: History) -> bool:
    """There are commits older than the recent ones, or nobody can tell."""
    return history.shallow or not history.young


def hides_the_old(settings: ScanSettings, show: Set[Verdict], history: History) -> bool:
    """What code lost long ago would be doubted too much to be reported, and nobody wants to see what is uncertain.

    Then earlier versions from long ago need not be looked at: what they could tell counts as uncertain with them or without.
    """
    return show <= {Verdict.DRIFTED} and settings.min_confidence > max(DOUBTFUL, LONG_AGO) and has_long_ago(history)


def keep_sure(judged: Sequence[Judged], world: World, history: History, is_new: IsNew) -> list[Judged]:
    """The judgements, with doubt cast on what is false for long and may mean something else.

    is_new   tells whether the last commit wrote a line of code, or took a name out of a file: what is false because of it
             is false of late
    """
    drifted = [(c, j) for c, j in judged if j.verdict is Verdict.DRIFTED]
    newest = history.recent & {world.tree.commit}
    fresh = [(c, j) for c, j in drifted if _is_fresh(c, j, history.recent if c.kind in _PLAIN else newest, is_new)]
    lately = {id(c) for c, _ in fresh}
    wanted = _wanted_pages(judged)
    sure = [(c, j) for c, j in drifted if id(c) not in lately and _is_sure(c, j, world, wanted)]
    # A site lists its pages by itself; what has just gone from under one is missed there, led to or not.
    meant = [*sure, *((c, j) for c, j in fresh if not is_of_a_site(c.file, world.by_name))]
    left = _left_behind({c.file for c, j in meant if tells_of_today(c, j)}, judged, history)
    # What has just gone is missed in a description of the program, looked after or not; in a report of some work it is not.
    reports = {path for path in left if is_noted(path) or tells_of_work(read_text(world.tree, path))}
    doubted = {id(c) for c, j in meant if c.file in (reports if id(c) in lately else left) and tells_of_today(c, j)}
    unread = _unread({c.file for c, _ in sure if c.kind in NAMING}, judged, world, history)
    doubted |= {id(c) for c, _ in sure if c.kind in NAMING and c.file in unread}
    kept = ({id(c) for c, _ in sure} | lately) - doubted
    return [(c, _doubted(j) if j.verdict is Verdict.DRIFTED and id(c) not in kept else j) for c, j in judged]


def _unread(paths: Set[str], judged: Sequence[Judged], world: World, history: History) -> Set[str]:
    """Of these documents those that nobody looks after, and that only pages like them lead to.

    A ticket is linked to by the list of tickets, a plan by the next one: what such a page says of names was right on its day.
    """
    leading = [(c, j) for c, j in judged if c.kind == "navigation" or is_standing(c.file)]
    return _left_behind({path for path in paths if not is_of_a_site(path, world.by_name)}, leading, history)


def _left_behind(paths: Set[str], judged: Sequence[Judged], history: History) -> Set[str]:
    """Of these documents those that nobody looks after, and that none of what was judged leads to."""
    asked = [path for path in sorted(paths) if not is_standing(path)]
    led = led_to(judged) if asked else frozenset()
    asked = [path for path in asked if not is_led(path, led)]
    return {path for path, how in (history.tended(asked) if asked else {}).items() if is_left_behind(how)}


def _is_fresh(claim: Claim, judgement: Judgement, recent: Set[str], is_new: IsNew) -> bool:
    if any(item.commit in recent or UNCOMMITTED in item.text for item in judgement.evidence):
        return True
    # Of an earlier version only a sample is known, which may be older than what changed it: the line of today tells as well.
    return any(not item.commit and is_new(item.file, item.line, claim.text) for item in judgement.evidence)


def _is_sure(claim: Claim, judgement: Judgement, world: World, wanted: Set[str]) -> bool:
    match claim.kind:
        case "path":
            return (
                _is_sure_link(claim, judgement, world, wanted)
                if claim.form in ("link", "image")
                else _is_sure_path(claim, judgement, world)
            )
        case "anchor":
            return _is_sure_anchor(claim, judgement, world)
        case "version":
            return _is_sure_version(claim, judgement, world)
        case "licence":
            return _is_sure_licence(claim, judgement, world)
        case "example":
            return claim.language == "python" and claim.value not in _VAGUE
        case "symbol" | "imports" | "signature":
            return _is_sure_name(claim, judgement, world)
        case "command":
            return _is_sure_script(claim, judgement, world)
    return False


def _is_sure_link(claim: Claim, judgement: Judgement, world: World, wanted: Set[str]) -> bool:
    """Read where it lies, a chapter of a book, or a page whose target is no page of the same site and was once there."""
    was_there = any(item.commit for item in judgement.evidence)
    if any(item.text == BOOKED for item in judgement.evidence):
        return True
    if is_shown_in_place(claim.file, world):
        return was_there or not is_for_a_tool(claim.file)
    return was_there and (
        judgement.subject.split("/")[0] != claim.file.split("/")[0]
        or (judgement.subject not in wanted and _is_page_that_went(claim, judgement, world.documents))
    )


def _is_page_that_went(claim: Claim, judgement: Judgement, documents: Mapping[str, Document]) -> bool:
    """Linked to as the file that it was, ending and all, and deleted, or moved among the pages that lie here.

    What is linked to without its ending is the site's to find; what moved out of the manual may be copied back when it is built.
    """
    if not claim.subject.endswith(_PAGES) or claim.form != "link":
        return False
    moved = [
        item.text.removeprefix(_RENAMED).split(" ")[0] for item in judgement.evidence if item.text.startswith(_RENAMED)
    ]
    top = claim.file.split("/")[0] + "/"
    return all(path.startswith(top) for path in moved) and not (
        _has_another(judgement.subject, documents) or _is_a_folders_page(judgement.subject, documents)
    )


def _wanted_pages(judged: Sequence[Judged]) -> frozenset[str]:
    """Pages that went and that many documents link to: what was written once may be made by a program when the site is built."""
    files: dict[str, set[str]] = {}
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind == "path" and claim.form == "link":
            files.setdefault(judgement.subject, set()).add(claim.file)
    return frozenset(page for page, linking in files.items() if len(linking) >= _MANY)


def _has_another(page: str, documents: Mapping[str, Document]) -> bool:
    """The page is there in another language or version, which a site shows where one has none of its own."""
    parts = page.split("/")
    others = (path.split("/") for path in documents if path.endswith("/" + parts[-1]))
    return any(
        len(other) == len(parts) and sum(a != b for a, b in zip(parts, other, strict=True)) == 1 for other in others
    )


def _is_a_folders_page(page: str, documents: Mapping[str, Document]) -> bool:
    """The folder has such a page still, by another name."""
    folder, _, name = page.rpartition("/")
    if not _INDEX.fullmatch(name):
        return False
    return any(
        posixpath.dirname(path) == folder and _INDEX.fullmatch(path[len(folder) :].strip("/")) for path in documents
    )


def _is_sure_anchor(claim: Claim, judgement: Judgement, world: World) -> bool:
    """The same page, or one that is read where it lies. A page of a manual may be put together from parts that its source does
    not show, unless it once had the very anchor, or has a heading like it; what takes in others may have it in one of them now.
    """
    target = judgement.evidence[0].file
    if claim.form in ("label", "target"):
        return False
    placed = claim.form == "hosted" or is_shown_in_place(target, world)
    if target in world.documents and world.documents[target].open_anchors and not placed:
        return False
    if placed or judgement.fix is not None or any(item.text == HELD for item in judgement.evidence):
        return True
    # No heading is linked to in capitals: some tool makes such an id, of a rule of a grammar or of an object.
    return target == claim.file and claim.value.islower()


def _is_sure_path(claim: Claim, judgement: Judgement, world: World) -> bool:
    """Told to those who work here; or by a README with its folder, or of a file that lay beside it in a folder of their own."""
    who = audience_in(claim.file, world)
    if not _is_from_here(claim, judgement.subject) or _labels_a_file(claim, world):
        return False
    if who is not Audience.VISITORS:
        return who is Audience.WORKERS
    folder = posixpath.dirname(claim.file)
    # At the root a name alone may be the reader's; `./run_tests.sh` is run in a clone of this repository.
    beside = (bool(folder) or claim.subject.startswith("./")) and posixpath.dirname(judgement.subject) == folder
    whole = "/" in claim.subject.removeprefix("./").strip("/")
    return (whole or beside) and not is_conventional(claim.subject)


def _labels_a_file(claim: Claim, world: World) -> bool:
    """`[docs/setup.md](setup.md)`: the words of a link that leads to a file, whatever its path was when they were written."""
    folder = posixpath.dirname(claim.file)
    links = _LINK.finditer(world.line(claim)[:_LONGEST_LINE].decode("utf-8", "replace"))
    targets = [link["target"] for link in links if claim.text in link["label"]]
    return any(posixpath.normpath(posixpath.join(folder, target)) in world.files for target in targets)


def _is_from_here(claim: Claim, path: str) -> bool:
    """The path that went is the one told, from the root or from a folder that the document lies in, not one that ends alike."""
    told = posixpath.normpath(claim.subject.strip("/"))
    if path == told or not path.endswith("/" + told):
        return True
    base = path.removesuffix("/" + told)
    if claim.file.startswith(base + "/"):
        return True
    # A sample project has folders of its own, `pages/api` among them.
    return base == claim.owner.strip("/") or (base in ("src", "docs") and not is_example(claim.file))


def _is_sure_version(claim: Claim, judgement: Judgement, world: World) -> bool:
    """A plain demand, and the manifest's own until some commit, or said of this package by its name or in a list of what it needs.
    A loose one may be about whatever else its sentence speaks of; what came with a tool, about the tool."""
    told = any(item.commit or item.text in (NAMED, LISTED) for item in judgement.evidence)
    # "Add this to your Cargo.toml" supposes a project, but no other version of this crate than the one it had.
    plain = told and claim.form != "loose" and (not claim.hypothetical or claim.form == "cargo")
    if not plain or _is_of_one_version(claim):
        return False
    return audience_in(claim.file, world) is not Audience.USERS and not is_for_a_tool(claim.file)


def _is_sure_licence(claim: Claim, judgement: Judgement, world: World) -> bool:
    """Told by the README that lies beside the licence itself. A manifest may be of a part, a page of a manual of a theme.

    Where a manifest of ours agrees with the README, nobody can tell which of them is wrong.
    """
    told = families(claim.value)
    if any(facts.licence and told & families(facts.licence) for _, facts in world.index.own_files()):
        return False
    folder, name = posixpath.split(claim.file)
    beside = (posixpath.basename(e.file) for e in judgement.evidence if posixpath.dirname(e.file) == folder)
    return name.lower().startswith("readme") and any(map(_LICENCE.match, beside))


def _is_of_one_version(claim: Claim) -> bool:
    """`abi/312.md` with "CPython: 3.12": a page of its own for each version."""
    name = posixpath.basename(claim.file).rpartition(".")[0]
    numbers = [number for number in _VERSION.findall(claim.text) if number in name or number.replace(".", "") in name]
    return bool(numbers)


def _is_sure_name(claim: Claim, judgement: Judgement, world: World) -> bool:
    """A name that code of ours once defined and none has today, that a module or class of ours which was read whole does not
    have, or that a function of ours does not take.

    What stands for a name of the reader's choice is not one that we had, nor written with capitals or of several words, nor
    defined elsewhere in our code.
    """
    if not is_told(claim):
        return False
    # A module that went may be shown by its package still, under the name that it had. Of a name that code still has somewhere
    # only the files that the last commit touched are looked into: what they show must not depend on which these were.
    if any(item.commit for item in judgement.evidence):
        if not any(item.line for item in judgement.evidence):
            return claim.kind == "imports"
        return any(not world.index.occurs_in_code(word) for word in claim.words)
    if claim.kind == "signature":
        return True
    read = any(item.text == ALL_READ.format(_owner(judgement)) for item in judgement.evidence)
    name = judgement.subject.rpartition(".")[2]
    return read and (
        name[:1].isupper() or "_" in name.strip("_") or len(judgement.evidence) > 1 or claim.form == "role"
    )


def _is_sure_script(claim: Claim, judgement: Judgement, world: World) -> bool:
    """A script, a target or an environment that a line of a shell runs, or that those who work here are told of and there once was.

    A manifest within a manual is of a project that is drawn there, extras may be put together when a package is built, and a
    sentence may name the folder that it is run in.
    """
    if judgement.rule != "unknown-script" or claim.hypothetical or is_of_the_past(claim.section):
        return False
    manifest = next((item.file for item in judgement.evidence if item.file), "")
    typed = claim.form == "shell" and claim.value == "script" and not claim.owner.startswith("extra ")
    if typed and manifest and not is_in_manual(manifest):
        return True
    return audience_in(claim.file, world) is Audience.WORKERS and any(item.commit for item in judgement.evidence)


def _owner(judgement: Judgement) -> str:
    return judgement.subject.rpartition(".")[0]


def _doubted(judgement: Judgement) -> Judgement:
    return msgspec.structs.replace(judgement, confidence=min(judgement.confidence, DOUBTFUL))
