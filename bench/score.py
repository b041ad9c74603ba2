"""What a run is worth: which mutants a tool found, how many of their stale lines it pointed at, and what it said besides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.fixes import Certain, leads_to_the_new_name
from bench.recall import BASE, Results
from bench.tools import Hit, Outcome
from bench.truth import Truth


@dataclass(frozen=True)
class Score:
    """One tool on one mutant. `fixed`: the finding proposes the new name.

    `right` and `wrong`: what the tool would write by itself, and whether that leads to the new name.
    """

    truth: Truth
    found: bool
    lines: int
    unrelated: tuple[Hit, ...] = ()
    fixed: bool = False
    error: str = ""
    missed: tuple[tuple[str, int], ...] = ()
    right: tuple[Certain, ...] = ()
    wrong: tuple[Certain, ...] = ()


def score(truth: Truth, outcome: Outcome, base: Outcome | None) -> Score:
    """Scores by what the unmutated repository did not already give."""
    known = {_key(hit, _moved(truth, place)) for hit in (base.hits if base else ()) for place in hit.places}
    stale = {_moved(truth, place) for place in truth.stale}
    near = stale | {_moved(truth, place) for place in truth.tolerated}
    fresh = [(hit, {p for p in hit.places if _key(hit, p) not in known}) for hit in outcome.hits]
    fresh = [(hit, places) for hit, places in fresh if places]
    pointed = {place for _, places in fresh for place in places} & stale
    unrelated = tuple(hit for hit, places in fresh if not places & near)
    fixed = any(hit.fix and hit.fix.strip("`-/") in truth.new for hit, places in fresh if places & stale)
    missed = tuple(sorted(stale - pointed))
    # A recipe tells in words what went and what came: no fix can be compared with it.
    scored = truth.part != "handwritten"
    certain = [Certain(*edit) for hit, places in fresh for edit in hit.edits if scored and edit[:2] in places]
    right = tuple(edit for edit in certain if leads_to_the_new_name(truth, edit))
    wrong = tuple(edit for edit in certain if edit not in right)
    return Score(truth, bool(pointed), len(pointed), unrelated, fixed, outcome.error, missed, right, wrong)


def _moved(truth: Truth, place: tuple[str, int]) -> tuple[str, int]:
    """Where a place is in the mutant: a folder that is renamed takes the documents in it along."""
    path, line = place
    if truth.kind == "directory" and path.startswith(f"{truth.old.rstrip('/')}/"):
        return f"{truth.new.rstrip('/')}/{path[len(truth.old.rstrip('/')) + 1 :]}", line
    return place


def _key(hit: Hit, place: tuple[str, int]) -> tuple[str, int, str, str]:
    """A rule's finding about a claim at a place. The message may change with the code around it; the claim does not."""
    return (*place, hit.rule, hit.text.split(": ")[0])


def scores(results: Results, tool: str, truths: Iterable[Truth]) -> list[Score]:
    """The scores of all mutants that the tool has looked at."""
    found = []
    for truth in truths:
        outcome = results.get(tool, truth.key)
        if outcome is not None:
            found.append(score(truth, outcome, results.get(tool, f"{BASE}|{truth.repository}")))
    return found


def table(title: str, columns: dict[str, list[Score]], key: Callable[[Truth], str]) -> str:
    """Mutants found, by group and tool, in per cent; for the first two tools the stale lines as well."""
    groups: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for tool, found in columns.items():
        for one in found:
            groups[key(one.truth)][tool].append(one)
            groups["all"][tool].append(one)
    names = [*sorted(group for group in groups if group != "all"), *(["all"] if "all" in groups else [])]
    head = f"| {title} | mutants | " + " | ".join(columns) + " |"
    rows = [head, "|" + "---|" * (len(columns) + 2)]
    for name in names:
        size = max(len(found) for found in groups[name].values())
        cells = [_cell(groups[name][tool]) for tool in columns]
        rows.append(f"| {name} | {size} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _cell(found: list[Score]) -> str:
    if not found:
        return "–"
    return f"{sum(one.found for one in found)} ({sum(one.found for one in found) / len(found):.0%})"


def totals(columns: dict[str, list[Score]]) -> str:
    """Stale lines, unrelated findings and right fixes, by tool."""
    rows = [
        "| tool | mutants found | stale lines pointed at | unrelated findings | right fix | certain fixes right | failed runs |",
        "|---|---|---|---|---|---|---|",
    ]
    for tool, found in columns.items():
        if found:
            lines, all_lines = sum(one.lines for one in found), sum(len(one.truth.stale) for one in found)
            unrelated = sum(len(one.unrelated) for one in found)
            hit = sum(one.found for one in found)
            fixes = str(sum(one.fixed for one in found)) if any(one.truth.new for one in found) else "–"
            rows.append(
                f"| {tool} | {hit} of {len(found)} ({hit / len(found):.1%}) | {lines} of {all_lines} "
                f"({lines / all_lines:.1%}) | {unrelated} "
                f"| {fixes} | {_certain(found)} | {sum(bool(one.error) for one in found)} |"
            )
    return "\n".join(rows)


def _certain(found: Iterable[Score]) -> str:
    """What would be written by itself and is right, of all that would be; "–" for tools that write nothing."""
    right, wrong = (sum(map(len, edits)) for edits in zip(*((one.right, one.wrong) for one in found), strict=True))
    return f"{right} of {right + wrong}" if right + wrong else "–"


def misses(found: Iterable[Score]) -> str:
    """Every mutant not found, every stale line not pointed at, every unrelated finding: by name."""
    rows = []
    for one in found:
        truth = one.truth
        changed = f"{truth.old} -> {truth.new}" if truth.new else truth.old
        head = f"{truth.id} [{truth.language}] {changed} ({truth.commit[:10]})"
        if one.error:
            rows.append(f"FAILED   {head}: {one.error}")
        elif not one.found:
            rows.append(f"MISSED   {head}: {_places(one.missed)}")
        elif one.missed:
            rows.append(f"PARTLY   {head}: {one.lines} of {len(truth.stale)}, not {_places(one.missed)}")
        rows.extend(f"WRONG FIX {head}: {e.path}:{e.line} {e.text!r} -> {e.replacement!r}" for e in one.wrong)
        rows.extend(
            f"UNRELATED {head}: {hit.rule} {hit.places[0][0]}:{hit.places[0][1]} {hit.text[:140]}"
            for hit in one.unrelated
        )
    return "\n".join(rows)


def _places(places: tuple[tuple[str, int], ...]) -> str:
    shown = ", ".join(f"{path}:{line}" for path, line in places[:6])
    return shown + (f" and {len(places) - 6} more" if len(places) > 6 else "")
