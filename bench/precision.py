"""What is reported, judged by hand: `judgements.json` says of each finding whether it is true, and why.

A finding is known by repository, commit and id; where the id has changed with the engine, by its rule and claim.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.tools import Hit, Outcome, docalign

JUDGEMENTS = Path(__file__).with_name("judgements.json")


@dataclass(frozen=True)
class Judgement:
    """A verdict by hand. `true`: the documentation is really false there.

    base     for a finding of a change: the commit that `commit` was compared with; "" for one of a whole scan
    caused   it became false by that change, and not before it
    """

    repository: str
    commit: str
    id: str
    rule: str
    claim: str
    true: bool
    reason: str
    message: str
    base: str = ""
    caused: bool = True


def judgements(path: Path = JUDGEMENTS) -> list[Judgement]:
    """All judgements; none if there is no file."""
    if not path.exists():
        return []
    return [Judgement(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def judged(hit: Hit, source: Source, known: list[Judgement], base: str = "") -> Judgement | None:
    """The judgement of a finding, if there is one; with a base, of a finding of that change."""
    here = [j for j in known if j.repository == source.name and j.commit == source.commit and j.base == base]
    for judgement in here:
        if judgement.id == hit.id:
            return judgement
    claim = hit.text.split(": ")[0]
    return next((j for j in here if (j.rule, j.claim) == (hit.rule, claim)), None)


def main(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    """Scans each repository as it is, and prints what is known and what has still to be judged."""
    known = judgements()
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])  # true, false, unjudged
    drafts: list[dict[str, object]] = []
    print(
        "| repository | documents | claims | verified | uncertain | reported | true | false | unjudged | seconds |\n"
        + "|---" * 10
        + "|"
    )
    details: list[str] = []
    for source in sources:
        checkout = shop.checkout(source, source.commit, f"precision-{source.folder}")
        outcome = docalign(checkout, shop.work / "cache-precision")
        row = [0, 0, 0]
        for hit in outcome.hits:
            judgement = judged(hit, source, known)
            at = 2 if judgement is None else 0 if judgement.true else 1
            row[at] += 1
            counts[hit.rule][at] += 1
            if judgement is None:
                drafts.append(draft(source, hit))
            if judgement is None or options.verbose or not judgement.true:
                details.append(detail(source, checkout, hit, judgement))
        print(_row(source, outcome, row))
        shutil.rmtree(checkout, ignore_errors=True)
    shutil.rmtree(shop.work / "cache-precision", ignore_errors=True)
    print(f"\n{_by_rule(counts)}\n\n" + "\n\n".join(details))
    saved = shop.work / "unjudged.json"
    saved.write_text("[\n" + ",\n".join(json.dumps(d, ensure_ascii=False) for d in drafts) + "\n]\n", encoding="utf-8")
    print(
        f"\n{len(drafts)} findings to judge are drafted in {saved.name} of the work folder; set `true` and "
        f"`reason`, and move them to judgements.json"
    )
    return 0


def _row(source: Source, outcome: Outcome, row: list[int]) -> str:
    s = outcome.summary
    if outcome.error:
        return f"| {source.name} | failed: {outcome.error[:200]} |"
    counts = " | ".join(str(s.get(key, "")) for key in ("documents", "claims", "verified", "uncertain"))
    return f"| {source.name} | {counts} | {sum(row)} | {row[0]} | {row[1]} | {row[2]} | {outcome.seconds:.1f} |"


def _by_rule(counts: dict[str, list[int]]) -> str:
    rows = ["| rule | true | false | unjudged | precision |", "|---|---|---|---|---|"]
    total = [sum(c[i] for c in counts.values()) for i in range(3)]
    for rule, (true, false, unjudged) in [*sorted(counts.items()), ("all", total)]:
        share = f"{true / (true + false):.1%}" if true + false else "–"
        rows.append(f"| {rule} | {true} | {false} | {unjudged} | {share} |")
    return "\n".join(rows)


def draft(source: Source, hit: Hit) -> dict[str, object]:
    """A finding as `judgements.json` has it, without its verdict."""
    claim, _, message = hit.text.partition(": ")
    return {
        "repository": source.name, "commit": source.commit, "id": hit.id, "rule": hit.rule, "claim": claim,
        "true": None, "reason": "", "message": f"{hit.places[0][0]}:{hit.places[0][1]} {message}",
    }  # fmt: skip


def detail(source: Source, checkout: Path, hit: Hit, judgement: Judgement | None) -> str:
    """A finding beside the lines that it means."""
    verdict = "UNJUDGED" if judgement is None else f"{'TRUE' if judgement.true else 'FALSE'} ({judgement.reason})"
    lines = [f"{source.name} {hit.id} {hit.rule} {verdict}", f"  {hit.text}"]
    for path, number in hit.places[:4]:
        text = (checkout / path).read_text(encoding="utf-8", errors="replace").splitlines()
        lines.append(f"  {path}:{number}: {text[number - 1].strip()[:160] if 0 < number <= len(text) else ''}")
    if len(hit.places) > 4:
        lines.append(f"  and {len(hit.places) - 4} more mentions")
    if hit.fix:
        lines.append(f"  fix: {hit.fix}")
    return "\n".join(lines)
