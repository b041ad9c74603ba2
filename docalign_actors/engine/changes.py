"""What one change made false: claims that it wrote, and claims of untouched documents about what it took away.

The cost follows the change: only documents that speak of a removed word are read, and only code that contains a word of
the claims at stake. A claim counts when it does not hold in the head and either stands on a line that the change wrote,
or did hold in the base. What was false before is counted, not shown.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.declared import doubt_declared
from docalign_actors.engine.differential import broken, is_anothers
from docalign_actors.engine.discovery import Inventory, take_inventory
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.judging import LINKS, Judged, PastAsker, judge, settle
from docalign_actors.engine.lenses import is_manifest, near_differences, tells_of_packages
from docalign_actors.engine.lost.names import lost_claims
from docalign_actors.engine.movedout import doubt_moved
from docalign_actors.engine.past import NoHistory, Past
from docalign_actors.engine.ports import (
    Cache,
    Change,
    Hurry,
    Progress,
    Tree,
    never,
)
from docalign_actors.engine.readersown import doubt_readers_settings
from docalign_actors.engine.reading import DOCUMENT_LIMIT, ReadDocument, Reader
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.saidfirst import doubt_said_first, is_said_first, was_said_before
from docalign_actors.engine.scan import (
    build_world,
    by_name,
    collect_notes,
    make_report,
    navigation_claims,
    quiet,
    read_documents,
    source_lines,
    words_of_interest,
)
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.spreading import spread
from docalign_actors.engine.workers import Workers
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
"""A port, a default or a version may be all that documentation has in common with the line that went."""
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_COMMON = frozenset(
    "a an and any are as at be but by can do for from has if in into is it its no not of on or so than that the then this to "
    "was when which will with bool class const def elif else end export fn func function import int let new none null package "
    "private protected pub public return self static str string struct true type use var void while".split()
)
"""Words of every text and every language: a line that has one and went takes it away only if the file has fewer of them now."""
_MOST_PARTS = 12
_BELOW = 12
_MOST_WORDS = 400
"""Words to look for by name; beyond that it is cheaper to read everything."""


class Difference(Struct):
    """What a change did, as far as documentation may care.

    removed      words on lines that went, with the names of paths that went: what claims may have lost
    written      for each document that changed, the numbers of the lines that are new
    """

    changed: set[str]
    removed: set[str]
    written: dict[str, set[int]]
    before: Mapping[str, str] = {}
    """The documents of the base that changed or went, with their formats."""
    former: dict[str, str] = {}
    """What a document was called before it was renamed."""
    words: frozenset[str] = frozenset()
    """The removed words in lower case, and with their parts set apart: `dryrun`, `dry run`."""
    runs: frozenset[str] = frozenset()
    """Every run of parts of the removed words: `dry run`, `dry`, `run`."""
    known: dict[str, bool] = {}
    """Words that were asked about, and whether they are touched: documentation has the same words again and again."""


def scan_change(
    change: Change, settings: ScanSettings, *, cache: Cache | None = None, progress: Progress = quiet,
    show: frozenset[Verdict] = frozenset({Verdict.DRIFTED}), since: str = "",
    hurry: Hurry = never,
) -> Report:  # fmt: skip
    """Judges what a change may have made false."""
    started = time.perf_counter()
    with Workers(settings.jobs) as workers:
        reader = Reader(cache, workers, progress, hurry)
        reader.kept = {}
        report = _scan_change(change, settings, reader, show)
    report.changed_since = since
    report.summary.duration_ms = round((time.perf_counter() - started) * 1000)
    return report


def _scan_change(change: Change, settings: ScanSettings, reader: Reader, show: frozenset[Verdict]) -> Report:
    inventory = take_inventory(change.head.entries, settings)
    difference = compare(change, inventory.documents, reader, settings)
    documents = _documents_at_stake(change, difference, inventory, reader, settings)
    claims = [
        c for read in documents for c in read.claims if c.file.startswith(settings.under) and _at_stake(c, difference)
    ]
    words = words_of_interest(claims)
    containing = change.containing(sorted(words)) if len(words) <= _MOST_WORDS else None
    paths = [p for p in inventory.code if containing is None or p in containing or tells_of_packages(p)]
    world = build_world(reader, change.head, inventory, documents, claims, Past(differential=True), paths)
    claims.extend(c for c in navigation_claims(world, settings) if _at_stake(c, difference))
    judged, older = _judge(change, claims, world, reader, difference, settings)
    judged = doubt_readers_settings(doubt_moved(judged, change, difference.written))
    judged = doubt_declared(judged, world.documents)
    asker = PastAsker(change.past, change.head, reader)
    report = make_report(judged, world, asker, settings, show, source_lines(documents), whole=False)
    report.summary.older = older
    report.notes.extend(collect_notes(inventory, documents, world, change.history, asker))
    return report


def compare(change: Change, documents: Mapping[str, str], reader: Reader, settings: ScanSettings) -> Difference:
    """The difference of two trees, told from their blob ids and the text of the files that differ."""
    old, new = change.base.entries, change.head.entries
    changed = {path for path, entry in old.items() if path not in new or new[path].oid != entry.oid}
    changed.update(path for path in new if path not in old)
    before = take_inventory(old, settings, changed).documents
    difference = Difference(changed, set(), {}, before)
    gone = [path for path in before if path not in new]
    for path in changed:
        if path in old and language_of(path) and not is_foreign(path):
            lost = _lost_words(change, path)
            # Documentation says `Python 3.8`, the manifest `python_requires`: there the parts count too.
            difference.removed.update(lost, *(map(_PART.findall, lost) if is_manifest(path) else ()))
        if path in old and path not in new:
            difference.removed.update(word for word in _WORD.findall(path) if len(word) > 2)
        if path in documents:
            difference.written[path] = new_lines(change, path, gone)
            if former := _former(change, path, gone):
                difference.former[path] = former
    touched = [(p, before[p]) for p in changed if p in before]
    difference.removed.update(_lost_anchors(change, touched, documents, reader, settings))
    known = {word.lower() for word in difference.removed} | {_apart(word) for word in difference.removed}
    difference.words = frozenset(word for word in known if len(word) > 1)
    difference.runs = frozenset(run for word in difference.removed for run in _runs(_apart(word)) if len(run) > 1)
    return difference


@lru_cache(maxsize=65536)
def _apart(word: str) -> str:
    """The parts of a word in lower case: `dry run` for `dryRun` and `DRY_RUN`."""
    return " ".join(_PART.findall(word)).lower()


@lru_cache(maxsize=65536)
def _runs(apart: str) -> frozenset[str]:
    """All parts that stand side by side: `max`, `retry`, `count`, `max retry`, `retry count`, `max retry count`."""
    parts = apart.split(" ")[:_MOST_PARTS]
    return frozenset(" ".join(parts[a:b]) for a in range(len(parts)) for b in range(a + 1, len(parts) + 1))


def _lines(tree: Tree, path: str, limit: int) -> list[str]:
    return tree.read(path, limit).decode("utf-8", "replace").split("\n") if path in tree.entries else []


def _lost_words(change: Change, path: str) -> set[str]:
    """The words on the lines that a file lost, each line taken together with the next.

    In Rust also those a little below: the attributes of a field come before its name.
    """
    then, now = change.base.read(path, SOURCE_LIMIT), b""
    if path in change.head.entries:
        now = change.head.read(path, SOURCE_LIMIT)
    near = near_differences(then, now, _BELOW if language_of(path) == "rust" else 0)
    lost = near.decode("utf-8", "replace").split("\n")
    words = {word for line in lost for word in (*_WORD.findall(line), *_NUMBER.findall(line)) if len(word) > 1}
    common = {word for word in words if word.lower() in _COMMON}
    return words - {word for word in common if _occurrences(word, then) <= _occurrences(word, now)}


def _occurrences(word: str, data: bytes) -> int:
    return len(re.findall(rb"\b%s\b" % re.escape(word.encode()), data))


def new_lines(change: Change, path: str, gone: Sequence[str]) -> set[int]:
    """The lines that the change wrote. What a document took over from one that went is not new: it was renamed."""
    before = [path] if path in change.base.entries else gone
    known = Counter(line for old in before for line in _lines(change.base, old, DOCUMENT_LIMIT))
    written: set[int] = set()
    for number, line in enumerate(_lines(change.head, path, DOCUMENT_LIMIT), 1):
        known[line] -= 1
        if known[line] < 0:
            written.add(number)
    return written


def _lost_anchors(
    change: Change,
    touched: Sequence[tuple[str, str]],
    documents: Mapping[str, str],
    reader: Reader,
    settings: ScanSettings,
) -> set[str]:
    """The words of anchors that changed documents had and have no more: links to them are at stake."""
    then = read_documents(reader, change.base, dict(touched), settings)
    now = {
        r.document.path: r.document
        for r in read_documents(reader, change.head, {p: f for p, f in touched if p in documents}, settings)
    }
    lost: set[str] = set()
    for read in then:
        present = now.get(read.document.path)
        gone = read.document.anchors - (present.anchors if present else frozenset())
        for anchor in gone | (read.document.labels - (present.labels if present else frozenset())):
            lost.update(_WORD.findall(anchor), _NUMBER.findall(anchor))
    return lost


def _documents_at_stake(
    change: Change, difference: Difference, inventory: Inventory, reader: Reader, settings: ScanSettings
) -> list[ReadDocument]:
    words = sorted(w for w in difference.removed if len(w) > 1)
    spellings = sorted({spelling for word in words for spelling in _spellings(word) if len(spelling) > 1})
    named = change.containing(spellings) if len(spellings) <= 2 * _MOST_WORDS else None
    chosen = {
        path: form
        for path, form in inventory.documents.items()
        if named is None or path in named or path in difference.written or path in difference.changed
    }
    return read_documents(reader, change.head, chosen, settings)


def _spellings(word: str) -> set[str]:
    """As documents may write a word: `dry_run` as `dry-run`, the `Post` of `PostMapping` as `POST`, `DEFAULT_A_B` as `a-b`."""
    parts = _PART.findall(word)
    methods = {part for part in parts if part.upper() in _METHODS}
    rest = [part.lower() for part in parts[1:]] if parts[0:1] and parts[0].lower() == "default" else []
    named = {"-".join(rest), "_".join(rest), "_".join(rest).upper()} if len("".join(rest)) > 3 else set()
    return {word, word.replace("_", "-"), "-".join(parts).lower()} | methods | named


def _at_stake(claim: Claim, difference: Difference) -> bool:
    if claim.line in difference.written.get(claim.file, ()):
        return True
    if claim.form in LINKS and claim.file in difference.former:
        return True  # it leads elsewhere from where the document lies now
    told = " ".join((claim.text, claim.subject, claim.owner, claim.value[:200], *claim.words))
    if any(number in difference.removed for number in _NUMBER.findall(claim.value[:200])):
        return True
    known = difference.known
    for word in set(_WORD.findall(told)):
        if word not in known:
            known[word] = _is_touched(word, difference)
        if known[word]:
            return True
    return False


def _is_touched(word: str, difference: Difference) -> bool:
    """The word was removed, or is part of a removed word, or has one for a part: `APP_DRY_RUN` when `dry_run` went."""
    apart = _apart(word)
    if difference.runs.isdisjoint(apart.split(" ")):
        return word.lower() in difference.words
    return apart in difference.runs or not difference.words.isdisjoint((word.lower(), *_runs(apart)))


def _judge(
    change: Change,
    claims: Sequence[Claim],
    world: World,
    reader: Reader,
    difference: Difference,
    settings: ScanSettings,
) -> tuple[list[Judged], int]:
    """The claims as this change left them, and how many were false before it."""
    written = [c for c in claims if c.line in difference.written.get(c.file, ())]
    standing = [c for c in claims if c.line not in difference.written.get(c.file, ())]
    asker = PastAsker(change.past, change.head, reader)
    judged = judge(standing, by_name(), world, asker)
    world.past = Past(shallow=change.history.shallow)
    fresh = judge(written, by_name(), world, PastAsker(change.history, change.head, reader))
    fresh = doubt_said_first(fresh, change, difference.written)
    said = len(fresh)
    fresh = [j for j in fresh if not was_said_before(*j, change)]
    older = said - len(fresh)
    doubtful = [c for c, j in judged if j.verdict is not Verdict.VERIFIED]
    if not doubtful:
        return _with_other_places(judged, fresh, world, asker, change, difference), older
    before = _base_world(change, world, doubtful, reader, difference, settings)
    # Links of a document that was renamed led elsewhere from where it lay.
    former = difference.former
    asked = [msgspec.structs.replace(c, file=former[c.file]) if c.file in former else c for c in doubtful]
    then = judge(asked, by_name(), before, PastAsker(NoHistory(), change.base, reader))
    base = dict(zip(map(id, doubtful), (j for _, j in then), strict=True))
    result: list[Judged] = []
    for claim, now in judged:
        if now.verdict is Verdict.DRIFTED and (
            base[id(claim)].verdict is Verdict.DRIFTED
            or _was_missed_before(claim, now, base[id(claim)], before)
            or (claim.file in former and claim.form in LINKS and base[id(claim)].verdict is not Verdict.VERIFIED)
        ):
            older += 1
            continue
        if now.verdict is Verdict.UNCERTAIN and not is_anothers(now):
            rule = by_name()[claim.kind].rules[0]
            now = broken(claim, base[id(claim)], before.index, world.index, difference.removed, rule) or now
        result.append((claim, now))
    return _with_other_places(settle(result), fresh, world, asker, change, difference), older


def _was_missed_before(claim: Claim, now: Judgement, then: Judgement, before: World) -> bool:
    """The others of its list tell it, and the base did not have it either: of the base, not the whole list is judged."""
    if any(item.commit for item in now.evidence):
        return False
    if claim.kind in ("option", "anchor", "command"):
        return then.verdict is not Verdict.VERIFIED
    listed = claim.kind in ("environment", "configkey")
    return listed and not before.index.occurs(claim.subject) and not before.past.differential


def _with_other_places(
    standing: Sequence[Judged],
    written: Sequence[Judged],
    world: World,
    asker: PastAsker,
    change: Change,
    difference: Difference,
) -> list[Judged]:
    """All judgements, with the places that no kind read a claim from."""
    world.past = Past(differential=True)
    lost = lost_claims([*standing, *written], world, asker)
    others = [*lost, *asker.guarded("further places", lambda: spread([*standing, *lost], world, (), written))]
    return [*standing, *(j for j in others if not is_said_first(j[0], change, difference.written)), *written]


def _base_world(
    change: Change,
    world: World,
    claims: Sequence[Claim],
    reader: Reader,
    difference: Difference,
    settings: ScanSettings,
) -> World:
    """The base as far as it differs: files that did not change are taken from the head."""
    same = {p: f for p, f in world.index.files.items() if p not in difference.changed}
    entries = change.base.entries
    items = [
        (p, entries[p].oid)
        for p in sorted(difference.changed)
        if p in entries and language_of(p) and not is_foreign(p) and entries[p].mode != "submodule"
    ]
    wanted = world.index.words
    code = reader.code(items, change.base.source, wanted, everything=True)
    occurrences = {
        word: frozenset(p for p in world.index.occurs(word) if p not in difference.changed)
        | code.occurrences.get(word, frozenset())
        for word in wanted
    }
    index = CodeIndex({**same, **code.files}, occurrences, tuple(change.base.entries), wanted, world.index.variables)
    documents = {p: d for p, d in world.documents.items() if p not in difference.changed}
    documents.update(
        (r.document.path, r.document) for r in read_documents(reader, change.base, difference.before, settings)
    )
    for path, former in difference.former.items():
        if former in documents:
            documents[path] = msgspec.structs.replace(documents[former], path=path)
    return World(tree=change.base, index=index, documents=documents, past=Past(), claims=claims)


def _former(change: Change, path: str, gone: Sequence[str]) -> str:
    """The document that this one was before it was renamed: most of its lines are that one's; "" if it is new."""
    lines = (
        Counter(_lines(change.head, path, DOCUMENT_LIMIT)) if gone and path not in change.base.entries else Counter()
    )
    shared = {old: (lines & Counter(_lines(change.base, old, DOCUMENT_LIMIT))).total() for old in gone} if lines else {}
    best = max(shared, key=lambda old: shared[old], default="")
    return best if best and 2 * shared[best] > lines.total() else ""
