"""A scan wherever it is shown: its name, its stages as bars, a row of a list, the button that stops it."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.parts import button, chip, code, empty, hidden, link, post, row, status, table
from docalign_actors.dashboard.words import MINUS, STAGE_WORDS, length, short, when
from docalign_actors.scans.stages import AGENTS, stages_of
from docalign_actors.scans.views import RunView

OPEN = ("queued", "running")


def name(run: RunView) -> str:
    """What a scan is called: by what it looks at."""
    if run.type == "pr":
        return f"Pull request {run.pr_number}"
    return "Push" if run.type == "push" else "Full scan"


def subject(run: RunView) -> Node:
    """The commits that it looks at."""
    if run.base_ref and run.commit_sha:
        return join(code(short(run.base_ref), 24), " → ", code(short(run.commit_sha), 24))
    return code(short(run.commit_sha), 24) if run.commit_sha else None


def stage_bars(run: RunView) -> Markup:
    """One bar a stage: full, under way with n of m, or empty."""
    stages = stages_of(agents=run.waited_since is not None or run.stage == AGENTS)
    at = stages.index(run.stage) if run.stage in stages else -1
    # A partial scan that came to the last stage went through it; one that did not, stopped on its way.
    if run.status == "completed" or (run.status == "partial" and run.stage == stages[-1]):
        at = len(stages)
    places = ["done" if n < at else "now" if n == at else "next" for n in range(len(stages))]
    items = [_stage(run, stage, place) for stage, place in zip(stages, places, strict=True)]
    return h("ol", items, class_="stages", aria_label="Stages")


def _stage(run: RunView, stage: str, place: str) -> Markup:
    ended = run.status not in OPEN
    told = {"done": "done", "next": "not reached" if ended else "to come"}.get(place) or _progress(run)
    value, most = (1, 1) if place == "done" else (0, 1)
    if place == "now" and waits(run) and run.agent_tasks:
        value, most = run.agent_tasks_done, run.agent_tasks
    elif place == "now" and run.stage_total:
        value, most = min(run.stage_done, run.stage_total), run.stage_total
    # Without a value the bar moves to and fro: under way, nobody knows how far.
    moving = place == "now" and not run.stage_total and run.status == "running"
    bar = h("progress", told, value=None if moving else str(value), max=str(most), aria_label=f"{stage}: {told}")
    return h(
        "li", h("span", stage, class_="stage-name"), bar, h("span", told, class_="stage-told"), class_=place,
        title=STAGE_WORDS[stage], data_key=stage, aria_current="step" if place == "now" and not ended else None,
    )  # fmt: skip


def waits(run: RunView) -> bool:
    """Whether it waits for agents."""
    return run.status == "queued" and run.waits_until is not None


def _progress(run: RunView) -> str:
    if waits(run):
        return f"{run.agent_tasks_done:,} of {run.agent_tasks:,} answered"
    if run.stage_total:
        return f"{run.stage_done:,} of {run.stage_total:,}"
    return "under way" if run.status == "running" else "stopped here"


def cancel(visit: Visit, run: RunView, back: str) -> Markup | None:
    """The button that stops a scan; a word instead, once somebody has pressed it."""
    if run.status not in OPEN:
        return None
    if run.cancel_requested_at is not None:
        return chip("stopping", "warn")
    if not visit.may("operator"):
        return None
    label = f"Cancel: {name(run)} of {run.repo_name}"
    return post(
        visit, f"/scans/{run.id}/cancel", hidden("back", back), button("Cancel", label=label, look="small danger")
    )


def under_way(visit: Visit, run: RunView, back: str) -> Markup:
    """A running scan with its bars."""
    started = h("span", "started ", when(run.started_at, visit.now), class_="soft")
    side = h("div", started, again(run), cancel(visit, run, back), class_="run-side")
    head = h("div", h("div", _of_repo(run), class_="run-name"), side, class_="run-head")
    return h("li", head, stage_bars(run), data_key=str(run.id), class_="run")


def _of_repo(run: RunView) -> Markup:
    return join(
        link(f"/scans/{run.id}", name(run)), " of ", link(f"/repos/{run.repo_id}", run.repo_name, class_="name")
    )


def again(run: RunView) -> Markup | None:
    """That it is not the first attempt."""
    tries = run.attempt + run.repairs
    return chip(f"attempt {tries + 1}", "warn") if tries and run.status in OPEN else None


def waiting_row(visit: Visit, run: RunView, back: str) -> Markup:
    return row(str(run.id), [
        ("Scan", "", _of_repo(run)),
        ("Waiting since", "", join(when(run.waited_since if waits(run) else run.created_at, visit.now), " ", _for_agents(run))),
        ("Asked by", "", run.requested_by or run.trigger),
        ("", "end", cancel(visit, run, back) or MINUS),
    ])  # fmt: skip


def _for_agents(run: RunView) -> Node:
    return chip(f"for agents: {_progress(run)}", "busy") if waits(run) else again(run)


def waiting_table(visit: Visit, runs: Sequence[RunView], back: str) -> Markup:
    columns = [("Scan", ""), ("Waiting since", ""), ("Asked by", ""), ("", "")]
    return table(columns, [waiting_row(visit, run, back) for run in runs], "Scans that wait")


def listing(visit: Visit, runs: Sequence[RunView], *, of_repo: bool = False, nothing: str) -> Markup:
    """Scans, newest first."""
    if not runs:
        return empty(nothing)
    columns = [
        ("Scan", ""),
        ("Repository", ""),
        ("Status", ""),
        ("False", "number"),
        ("Claims", "number"),
        ("Took", "number"),
        ("When", ""),
    ]
    kept = [column for column in columns if not (of_repo and column[0] == "Repository")]
    return table(kept, [_row(visit, run, of_repo) for run in runs], "Scans")


def _row(visit: Visit, run: RunView, of_repo: bool) -> Markup:
    known = run.status in ("completed", "partial")
    cells: list[tuple[str, str, Node]] = [
        ("Scan", "", join(link(f"/scans/{run.id}", name(run)), h("div", subject(run), class_="soft sub"))),
        ("Repository", "row-wide", link(f"/repos/{run.repo_id}", run.repo_name, class_="name")),
        ("Status", "", join(status(run.status), " ", _aside(run))),
        ("False", "number", run.claims_drifted if known else MINUS),
        ("Claims", "number", run.claims_checked if known else MINUS),
        ("Took", "number", length(run.total_duration_ms / 1000) if run.total_duration_ms else MINUS),
        ("When", "", when(run.completed_at or run.started_at or run.created_at, visit.now)),
    ]
    return row(str(run.id), [cell for cell in cells if not (of_repo and cell[0] == "Repository")])


def _aside(run: RunView) -> Node:
    if run.superseded_by is not None:
        return link(f"/scans/{run.superseded_by}", "superseded", class_="soft")
    if run.status == "running" and run.stage:
        return h("span", run.stage, class_="soft")
    if waits(run):
        return h("span", "for agents", class_="soft")
    return code(run.last_error_code) if run.last_error_code and run.status in ("failed", "partial") else again(run)
