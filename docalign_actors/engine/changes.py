"""What one change made false: claims that it wrote, and claims of untouched documents about what it took away.

The cost follows the change: only documents that speak of a removed word are read, and only code that contains a word of
the claims at stake. A claim counts when it does not hold in the head and either stands on a line that the change wrote,
or did hold in the base. What was false before is counted, not shown.
"""

from __future__ import annotations

import posixpath
import time
from collections.abc import Sequence

import msgspec

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.difference import Difference, compare, text_of
from docalign_actors.engine.differential import broken, is_anothers, is_upheld, is_variable
from docalign_actors.engine.discovery import Inventory, take_inventory
from docalign_actors.engine.doubts.ofchanges import doubt_what_a_change_did_not_do
from docalign_actors.engine.doubts.saidfirst import doubt_said_first, is_said_first, was_said_before
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.judging import LINKS, Judged, PastAsker, judge, settle
from docalign_actors.engine.kinds.anchor.kind import target_paths
from docalign_actors.engine.kinds.path.drawings import is_there
from docalign_actors.engine.lenses import tells_of_packages
from docalign_actors.engine.lost.looks import lost_claims
from docalign_actors.engine.past import NoHistory, Past
from docalign_actors.engine.ports import (
    Cache,
    Change,
    Hurry,
    Progress,
    never,
)
from docalign_actors.engine.reading import ReadDocument, Reader
from docalign_actors.engine.roles import is_foreign
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
from docalign_actors.engine.stakes import (
    NUMBER,
    TOKEN,
    spellings,
)
from docalign_actors.engine.workers import Workers
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report

_HOW = frozenset({"symbol", "path"})
"""Kinds whose claims have for a value the way in which they are written: `name`, `call`."""
_MOST_WORDS = 400
"""Words to look for by name; beyond that it is cheaper to read everything."""


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
    documents.extend(_led_to(claims, documents, change, inventory, reader, settings))
    words = words_of_interest(claims)
    containing = change.containing(sorted(words)) if len(words) <= _MOST_WORDS else None
    paths = [p for p in inventory.code if containing is None or p in containing or tells_of_packages(p)]
    world = build_world(reader, change.head, inventory, documents, claims, Past(differential=True), paths)
    claims.extend(c for c in navigation_claims(world, settings) if _at_stake(c, difference))
    judged, older = _judge(change, claims, world, reader, difference, settings)
    facts = reader.on_demand(change.base.source)
    judged = doubt_what_a_change_did_not_do(judged, change, difference.written, facts, world)
    asker = PastAsker(change.past, change.head, reader)
    report = make_report(judged, world, asker, settings, show, source_lines(documents), whole=False)
    report.summary.older = older
    report.notes.extend(collect_notes(inventory, documents, world, change.history, asker))
    return report


def _documents_at_stake(
    change: Change, difference: Difference, inventory: Inventory, reader: Reader, settings: ScanSettings
) -> list[ReadDocument]:
    words = [w for w in difference.removed if len(w) > 1]
    wanted = sorted({text for word in words for text in spellings(word) if len(text) > 1})
    wanted += sorted(difference.taken.anchors | difference.taken.phrases)
    named = change.containing(wanted) if len(wanted) <= 2 * _MOST_WORDS else None
    chosen = {
        path: form
        for path, form in inventory.documents.items()
        if path in difference.written
        or path in difference.changed
        or ((named is None or path in named) and difference.taken.is_told_of(text_of(change.head, path)))
    }
    return read_documents(reader, change.head, chosen, settings)


def _led_to(
    claims: Sequence[Claim],
    known: Sequence[ReadDocument],
    change: Change,
    inventory: Inventory,
    reader: Reader,
    settings: ScanSettings,
) -> list[ReadDocument]:
    """Documents that nothing puts at stake, but whose anchors decide a link that is."""
    read = {one.document.path: one.document for one in known}
    targets: set[str] = set()
    for claim in claims:
        if claim.kind == "anchor":
            targets.update(target_paths(claim.owner))
            within = claim.owner == claim.file
            if claim.form == "xref" or (
                within and claim.file.endswith(".adoc")
            ):  # chapters refer to each other by ids alone
                targets.update(path for path, form in inventory.documents.items() if form == "asciidoc")
            elif within and claim.value not in read[claim.file].anchors:  # a site may show the pages of a folder as one
                folder = posixpath.dirname(claim.file)
                targets.update(path for path in inventory.documents if posixpath.dirname(path) == folder)
    wanted = {path: form for path, form in inventory.documents.items() if path in targets and path not in read}
    return read_documents(reader, change.head, wanted, settings)


def _at_stake(claim: Claim, difference: Difference) -> bool:
    if claim.line in difference.written.get(claim.file, ()):
        return True
    if claim.form in LINKS and claim.file in difference.former:
        return True  # it leads elsewhere from where the document lies now
    value = claim.value[:200] if claim.kind not in _HOW else ""
    told = " ".join((claim.text, claim.subject, claim.owner, value, *claim.words))
    if any(number in difference.removed for number in NUMBER.findall(value)):
        return True
    if claim.kind == "anchor" and difference.taken.takes_anchor(told):
        return True
    return any(map(difference.taken.touches, set(TOKEN.findall(told))))


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
    fresh = doubt_said_first(fresh, change, difference.written, world)
    said = len(fresh)
    facts = reader.on_demand(change.base.source)
    fresh = [j for j in fresh if not was_said_before(*j, change, facts, difference)]
    fresh = _newly_broken(fresh, change, reader, difference, settings)
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
    # What one kind knows to be another's, no other kind that reads the same words calls gone.
    others = {(c.file, c.line, c.column, c.text) for c, j in judged if is_anothers(j)}
    led_nowhere: set[tuple[str, int, str]] = set()
    for claim, now in sorted(judged, key=lambda pair: pair[0].form not in LINKS):
        if now.verdict is Verdict.DRIFTED and (
            base[id(claim)].verdict is Verdict.DRIFTED
            or (claim.file not in former and _was_missed_before(claim, now, base[id(claim)], before))
            or (claim.file in former and claim.form in LINKS and base[id(claim)].verdict is not Verdict.VERIFIED)
            or (claim.kind == "path" and (claim.file, claim.line, claim.text) in led_nowhere)
        ):
            if claim.form in LINKS:  # its words are as false as it was, though a file elsewhere ends like it
                led_nowhere.add((claim.file, claim.line, claim.text))
            older += 1
            continue
        if now.verdict is Verdict.UNCERTAIN and (claim.file, claim.line, claim.column, claim.text) not in others:
            rule = by_name()[claim.kind].rules[0]
            told = broken(claim, base[id(claim)], before.index, world.index, difference.removed, rule)
            now = told if told is not None and not _is_handed_over(claim, told, world) else now
        result.append((claim, now))
    return _with_other_places(settle(result), fresh, world, asker, change, difference), older


def _is_handed_over(claim: Claim, told: Judgement, world: World) -> bool:
    """An example gives it by its place: a variable of its own, whatever parameter of the code was called so."""
    loose = claim.kind == "symbol" and claim.form == "example"
    return loose and is_variable(told.subject, world.line(claim).decode("utf-8", "replace"))


def _newly_broken(
    fresh: Sequence[Judged], change: Change, reader: Reader, difference: Difference, settings: ScanSettings
) -> list[Judged]:
    """Without the examples of which one of the same section was wrong in the same way in the base: a line of it was rewritten."""
    files = {c.file for c, j in fresh if c.kind == "example" and j.verdict is Verdict.DRIFTED}
    asked = {path: difference.before[path] for path in files & difference.before.keys()}
    then = {
        (c.file, c.section, c.language, c.value)
        for read in (read_documents(reader, change.base, asked, settings) if asked else ())
        for c in read.claims
        if c.kind == "example"
    }
    return [
        (c, j)
        for c, j in fresh
        if not (
            c.kind == "example" and j.verdict is Verdict.DRIFTED and (c.file, c.section, c.language, c.value) in then
        )
    ]


def _was_missed_before(claim: Claim, now: Judgement, then: Judgement, before: World) -> bool:
    """The others of its list tell it, and the base did not have it either: of the base, not the whole list is judged."""
    if any(item.commit for item in now.evidence):
        return False
    if claim.kind in ("option", "anchor", "command", "route"):
        return then.verdict is not Verdict.VERIFIED
    if claim.kind == "path" and claim.form == "tree":
        return not is_there(claim, before)  # the drawing was in vain before, when less of it was there
    if claim.kind == "path" and claim.form in LINKS:
        return now.subject != "" and not before.exists(now.subject)
    if claim.kind == "symbol":  # that the mere word stood somewhere does not mean that it held
        return claim.value not in ("module", "namespace") and not is_upheld(then)
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
    read = reader.on_demand(change.base.source).of
    return World(tree=change.base, index=index, documents=documents, past=Past(), read=read, claims=claims)
