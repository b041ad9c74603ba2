"""What a scan of a change reports on real histories, judged by hand: is it false there, and did this change make it so?"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.files import git
from bench.precision import Judgement, detail, draft, judged, judgements
from bench.ranges import Range, choose
from bench.recall import CHANGE, Results
from bench.tools import Outcome, docalign, fingerprint, frozen_engine

_COLUMNS = ("false by the change", "false before", "not false", "unjudged")

Row = tuple[Source, Range, Outcome]


def arguments(command: argparse.ArgumentParser) -> None:
    """Adds the options of `bench changes`."""
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--singles", type=int, default=7, help="single commits of one repository")
    command.add_argument("--ranges", type=int, default=3, help="ranges of 5 to 30 commits of one repository")
    command.add_argument("--year", action="store_true", help="the last year of each repository, too")
    command.add_argument("--fresh", action="store_true", help="run this engine again on what it has already seen")
    command.add_argument("--found", action="store_true", help="with --fresh: only where it reported something")
    command.add_argument("--tables-only", action="store_true", help="run nothing, print what the results say")


def main(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    """Scans the chosen changes of each history, and prints what is known and what has still to be judged."""
    results = Results(shop.work / "changes.jsonl")
    known = judgements()
    rows: list[Row] = []
    scratch = Path(tempfile.mkdtemp(prefix="docalign-bench-"))
    try:
        engine = frozen_engine(scratch / "engine")
        for source in sources:
            try:
                ranges = choose(
                    shop.base(source), source, options.seed, options.singles, options.ranges, year=options.year
                )
            except (FileNotFoundError, RuntimeError) as error:
                print(f"{source.name}: {error}", file=sys.stderr)
                continue
            for chosen in ranges:
                last = results.get(CHANGE, chosen.key(source))
                again = options.fresh and (not options.found or (last is not None and last.hits))
                if not options.tables_only and (last is None or again):
                    last = _scan(shop, source, chosen, engine, scratch / "cache", known)
                    results.put(CHANGE, chosen.key(source), last)
                if last is not None:
                    rows.append((source, chosen, last))
            shutil.rmtree(scratch / "cache", ignore_errors=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"\n{by_length(rows, known)}\n\n{by_rule(rows, known)}")
    _save_drafts(shop.work / "unjudged-changes.json", rows, known)
    return 0


def _scan(shop: Workshop, source: Source, chosen: Range, engine: Path, cache: Path, known: list[Judgement]) -> Outcome:
    """Runs the engine as it would run on this change, and prints what it reports beside the lines that it means."""
    try:
        checkout = shop.checkout(source, chosen.head, f"changes-{source.folder}")
    except RuntimeError as error:  # a stored snapshot may lack its largest files
        return Outcome(error=str(error)[:300])
    for path in filter(None, git(checkout, "ls-files", "-d", "-z").decode("utf-8", "surrogateescape").split("\0")):
        (checkout / path).parent.mkdir(parents=True, exist_ok=True)
        (checkout / path).touch()  # what a snapshot lacks is not gone
    outcome = docalign(checkout, cache, "--changed-since", chosen.base, engine=engine)
    print(f"{chosen.key(source)} ({chosen.commits}): {outcome.error or len(outcome.hits)} in {outcome.seconds:.1f} s")
    there = replace(source, commit=chosen.head)
    for hit in outcome.hits:
        print(detail(there, checkout, hit, judged(hit, there, known, chosen.base)), end="\n\n")
    sys.stdout.flush()
    shutil.rmtree(checkout, ignore_errors=True)
    return replace(outcome, version=fingerprint(engine))


def by_length(rows: list[Row], known: list[Judgement]) -> str:
    """How many findings single commits and longer ranges have, and how many of them are right."""
    lines = [f"| | ranges | failed | with findings | findings | {' | '.join(_COLUMNS)} |", "|---" * 9 + "|"]
    single = [row for row in rows if row[1].commits == 1 and not row[1].year]
    several = [row for row in rows if row[1].commits > 1 and not row[1].year]
    year = [row for row in rows if row[1].year]
    for name, part in (
        ("single commits", single),
        ("5 to 30 commits", several),
        ("the last year", year),
        ("all", rows),
    ):
        counts = Counter(verdict for _, verdict in _verdicts(part, known))
        failed = sum(bool(outcome.error) for *_, outcome in part)
        found = sum(bool(outcome.hits) for *_, outcome in part)
        cells = [len(part), failed, found, counts.total(), *(counts[column] for column in _COLUMNS)]
        lines.append(f"| {name} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def by_rule(rows: list[Row], known: list[Judgement]) -> str:
    """The share of each rule's findings that are right, and the change's."""
    counts = Counter(_verdicts(rows, known))
    rules = sorted({rule for rule, _ in counts})
    lines = [f"| rule | {' | '.join(_COLUMNS)} | precision |", "|---" * 6 + "|"]
    for rule in [*rules, "all"]:
        cells = [sum(n for (r, v), n in counts.items() if v == c and rule in (r, "all")) for c in _COLUMNS]
        decided = sum(cells[:3])
        share = f"{cells[0] / decided:.0%}" if decided else "–"
        lines.append(f"| {rule} | " + " | ".join(map(str, cells)) + f" | {share} |")
    return "\n".join(lines)


def _verdicts(rows: list[Row], known: list[Judgement]) -> list[tuple[str, str]]:
    """(rule, column) of every finding."""
    found: list[tuple[str, str]] = []
    for source, chosen, outcome in rows:
        for hit in outcome.hits:
            judgement = judged(hit, replace(source, commit=chosen.head), known, chosen.base)
            if judgement is None:
                verdict = "unjudged"
            elif judgement.true:
                verdict = _COLUMNS[0] if judgement.caused else _COLUMNS[1]
            else:
                verdict = "not false"
            found.append((hit.rule, verdict))
    return found


def _save_drafts(path: Path, rows: list[Row], known: list[Judgement]) -> None:
    drafts = [
        {**draft(there, hit), "base": chosen.base, "caused": None}
        for source, chosen, outcome in rows
        for hit in outcome.hits
        if judged(hit, there := replace(source, commit=chosen.head), known, chosen.base) is None
    ]
    path.write_text("[\n" + ",\n".join(json.dumps(d, ensure_ascii=False) for d in drafts) + "\n]\n", encoding="utf-8")
    print(
        f"\n{len(drafts)} findings to judge are drafted in {path.name} of the work folder: set `true`, `caused`, `reason`"
    )
