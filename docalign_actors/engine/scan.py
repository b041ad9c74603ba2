"""A scan, from a tree of files to a report. Read this first to know the engine.

    report = scan(tree, history, ScanSettings(), cache=None, progress=quiet)

Discovery → documents → claims → code index → judgement (claim by claim, with the past where it is asked) → weighing → findings.
`changes.py` does the same for what one change made false.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from docalign_actors.engine.claims import Claim, Judgement, Kind, Rule, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.discovery import Inventory, take_inventory
from docalign_actors.engine.documents.reader import source_lines as read_lines
from docalign_actors.engine.doubts.sureness import hides_the_old
from docalign_actors.engine.foresight import Foresight
from docalign_actors.engine.gathering import SourceLine, count, date, gather, put_aside
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.judging import Judged, PastAsker, judge
from docalign_actors.engine.kinds.registry import kinds
from docalign_actors.engine.past import Past
from docalign_actors.engine.ports import Cache, History, Hurry, Progress, Tree, never
from docalign_actors.engine.reading import DOCUMENT_LIMIT, ReadDocument, Reader, load_collectors, ticker
from docalign_actors.engine.recipes import made_by_programs
from docalign_actors.engine.roles import is_fixture
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.suppressing import RULES as SUPPRESSION_RULES
from docalign_actors.engine.suppressing import suppress, unknown_rules
from docalign_actors.engine.workers import Workers
from docalign_actors.engine.world import World
from docalign_actors.findings.model import CLAIMED, Verdict
from docalign_actors.findings.report import Note, Report, Summary

_LONGEST_LINE = 600


def quiet(stage: str, done: int, total: int) -> None:
    """Progress that nobody wants to see."""


def all_rules() -> dict[str, Rule]:
    """Every rule by its id, those about suppressions included."""
    return {rule.id: rule for rule in (*(r for kind in kinds() for r in kind.rules), *SUPPRESSION_RULES)}


def scan(
    tree: Tree, history: History, settings: ScanSettings, *, cache: Cache | None = None, progress: Progress = quiet,
    show: frozenset[Verdict] = frozenset({Verdict.DRIFTED}), hurry: Hurry = never,
) -> Report:  # fmt: skip
    """Judges every claim of every document in a tree."""
    started = time.perf_counter()
    with Workers(settings.jobs) as workers:
        report = _scan(tree, history, settings, Reader(cache, workers, progress, hurry), show)
    report.summary.duration_ms = round((time.perf_counter() - started) * 1000)
    return report


def _scan(tree: Tree, history: History, settings: ScanSettings, reader: Reader, show: frozenset[Verdict]) -> Report:
    history.begin()
    foresight = Foresight(history, tree, reader.workers, of_late=hides_the_old(settings, show, history))
    reader.on_demand(history.source)  # before the processes start that shall know of it
    inventory = take_inventory(tree.entries, settings)
    # Where something is remembered, so is most of the past.
    ahead = partial(load_collectors, inventory.code)
    documents = read_documents(reader, tree, inventory.documents, settings, foresight.begin, ahead)
    claims = [claim for read in documents for claim in read.claims if claim.file.startswith(settings.under)]
    world = build_world(
        reader, tree, inventory, documents, claims, Past(shallow=history.shallow), meanwhile=_load_weighing
    )
    claims.extend(navigation_claims(world, settings))
    reader.progress("claims", 0, len(claims))
    asker = PastAsker(history, tree, reader, world.index.occurs_in_code, foresight)
    judged = judge(claims, by_name(), world, asker, ticker(reader.progress, "claims", len(claims)))
    from docalign_actors.engine.weighing import weigh  # loaded by now, where other processes read the code

    judged = weigh(judged, world, asker, settings)
    reader.progress("claims", len(claims), len(claims))
    report = make_report(judged, world, asker, settings, show, source_lines(documents))
    report.notes.extend(collect_notes(inventory, documents, world, history, asker))
    return report


def _load_weighing() -> None:
    importlib.import_module("docalign_actors.engine.weighing")


def by_name() -> Mapping[str, Kind]:
    """The kinds by their names."""
    return {kind.name: kind for kind in kinds()}


def read_documents(
    reader: Reader, tree: Tree, documents: Mapping[str, str], settings: ScanSettings,
    begin: Callable[[], None] | None = None, meanwhile: Callable[[], None] | None = None,
) -> list[ReadDocument]:  # fmt: skip
    """Reads all documents. Those outside the wanted folder are read too: links lead to them."""
    items = [(path, tree.entries[path].oid, form) for path, form in documents.items()]
    return reader.documents(items, tree.source, settings.claim_types, begin, meanwhile)


def build_world(
    reader: Reader, tree: Tree, inventory: Inventory, documents: Sequence[ReadDocument], claims: Sequence[Claim], past: Past,
    paths: Iterable[str] | None = None, meanwhile: Callable[[], None] | None = None,
) -> World:  # fmt: skip
    """Reads the code that the claims give a reason to read, and joins it with the documents.

    `meanwhile` is done while other processes read.
    """
    wanted = words_of_interest(claims)
    items = [(path, tree.entries[path].oid) for path in (inventory.code if paths is None else paths)]
    code = reader.code(items, tree.source, wanted, meanwhile=meanwhile)
    index = CodeIndex(code.files, code.occurrences, tuple(tree.entries), frozenset(wanted), variables_of(claims))
    by_path = {read.document.path: read.document for read in documents}
    return World(
        tree=tree, index=index, documents=by_path, past=past, read=reader.on_demand(tree.source).of, claims=claims
    )


def variables_of(claims: Iterable[Claim]) -> frozenset[str]:
    """The words of the claims that may be variables of the environment."""
    told = (c for c in claims if c.kind == "environment" or (c.kind == "default" and c.form != "port"))
    return frozenset(word for claim in told for word in claim.words if word.isupper())


def words_of_interest(claims: Iterable[Claim]) -> set[str]:
    """The words of the claims, and the markers of the kinds that have any."""
    used: set[str] = set()
    words: set[str] = set()
    for claim in claims:
        used.add(claim.kind)
        words.update(claim.words)
    return words.union(*(kind.markers for kind in kinds() if kind.name in used))


def navigation_claims(world: World, settings: ScanSettings) -> list[Claim]:
    """Claims that stand in no document: the pages that a site's navigation lists."""
    found: list[Claim] = []
    for kind in kinds():
        extract = getattr(kind, "extract_navigation", None)
        if extract is None or (settings.claim_types and kind.name not in settings.claim_types):
            continue
        for path, facts in world.index.files.items():
            if path.startswith(settings.under) and not is_fixture(path) and facts.navigation:
                lines = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace").split("\n")
                found.extend(extract(path, facts, lines))
    return found


def source_lines(documents: Iterable[ReadDocument]) -> Mapping[tuple[str, int], str]:
    """The source line of every claim, by file and line."""
    return {(c.file, c.line): line for read in documents for c, line in zip(read.claims, read.lines, strict=True)}


def make_report(
    judged: Sequence[Judged], world: World, asker: PastAsker, settings: ScanSettings, show: frozenset[Verdict],
    sources: Mapping[tuple[str, int], str], *, whole: bool = True,
) -> Report:  # fmt: skip
    """Counts, suppresses, gathers, dates and orders. Not `whole`: only some claims of the documents were judged."""
    documents = {path: d for path, d in world.documents.items() if path.startswith(settings.under)}
    judged = [(claim, judgement) for claim, judgement in judged if _is_asked_for(claim, settings)]
    # What is suppressed stays so when it grows old and doubtful: the suppression is not called unused for that.
    rules = all_rules()
    unsuppressed, suppressed = suppress(judged, documents, settings.suppress, rules, whole=whole)
    kept = put_aside(
        (c, j) if j.verdict is not Verdict.DRIFTED or j.confidence >= settings.min_confidence else (c, _doubted(j))
        for c, j in unsuppressed
    )
    counts = count(kept)
    generated = made_by_programs({c.file for c, j in kept if j.verdict is Verdict.DRIFTED}, documents, world.tree)
    shown = gather((item for item in kept if item[1].verdict in show), rules, _line_reader(sources, world), generated)
    shown = [f for f in shown if f.verdict is not Verdict.DRIFTED or f.severity.weight >= settings.min_severity.weight]
    findings = date(shown, asker.history.droppers)
    summary = Summary(
        documents=len(documents),
        claims=sum(counts[verdict] for verdict in CLAIMED),
        verified=counts[Verdict.VERIFIED],
        drifted=counts[Verdict.DRIFTED],
        uncertain=counts[Verdict.UNCERTAIN],
        aside=counts[Verdict.ASIDE],
        suppressed=suppressed,
        code_files=len(world.index.files),
    )
    notes = [Note("", text) for text in unknown_rules(settings.suppress, rules)]
    return Report(summary, findings, notes, commit=world.tree.commit)


def _is_asked_for(claim: Claim, settings: ScanSettings) -> bool:
    """Of the wanted folder and kinds: the looks for what went read every document, and tell of every kind."""
    return claim.file.startswith(settings.under) and (not settings.claim_types or claim.kind in settings.claim_types)


def _line_reader(sources: Mapping[tuple[str, int], str], world: World) -> SourceLine:
    """The line that a claim stands on: as it was read with the document's claims, or from the document itself."""
    texts: dict[str, list[str]] = {}

    def line(claim: Claim) -> str:
        if (claim.file, claim.line) in sources:
            return sources[claim.file, claim.line]
        if claim.file not in texts:
            texts[claim.file] = read_lines(world.tree.read(claim.file, DOCUMENT_LIMIT))
        return "".join(texts[claim.file][claim.line - 1 : claim.line])[:_LONGEST_LINE]

    return line


def _doubted(judgement: Judgement) -> Judgement:
    return uncertain(f"too little evidence ({judgement.confidence:.2f}): {judgement.message}")


def collect_notes(
    inventory: Inventory, documents: Sequence[ReadDocument], world: World, history: History, asker: PastAsker
) -> list[Note]:
    """Everything that was not read, and why."""
    notes = list(inventory.notes)
    notes.extend(Note(read.document.path, text) for read in documents for text in read.document.notes)
    notes.extend(Note(path, text) for path, facts in world.index.files.items() for text in facts.notes)
    if history.shallow:
        notes.append(
            Note(
                "",
                "This is a shallow clone: without its history fewer claims can be decided. Run `git fetch --unshallow`.",
            )
        )
    notes.extend(Note("", failure) for failure in asker.reader.failures)
    if asker.capped:
        notes.append(Note("", "The history is long: only the newest earlier versions of files were looked into."))
    return notes
