"""Scans: the list, and one scan with its stages and what it found."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.dashboard.findings import article
from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Action, Page, Problem, Shown, Visit
from docalign_actors.dashboard.parts import alert, chip, code, empty, facts, figures, link, region, status, steps
from docalign_actors.dashboard.paths import local, uuid
from docalign_actors.dashboard.runs import OPEN, cancel, listing, name, stage_bars, subject, waits
from docalign_actors.dashboard.views import Desk, Reader, ScanDetail, Scans
from docalign_actors.dashboard.words import instant, length, when
from docalign_actors.reporting.style import plural
from docalign_actors.scans.model import Status
from docalign_actors.scans.views import RunView

STATUSES = tuple(status.value for status in Status)


def pages(reader: Reader, desk: Desk) -> list[Page]:
    async def load_list(visit: Visit) -> Scans:
        return await reader.scans(_status(visit), visit.query.get("after", ""))

    async def load_one(visit: Visit) -> ScanDetail:
        return await reader.scan(_id(visit))

    async def stop(visit: Visit) -> str:
        await desk.cancel(_id(visit), visit.user)
        return local(visit.form.get("back", ""), f"/scans/{_id(visit)}")

    one = Page(path="/scans/{id}", title="Scan", load=load_one, render=render_one, topics=("scan",),
               actions=(Action("/scans/{id}/cancel", stop),))  # fmt: skip
    many = Page(path="/scans", title="Scans", load=load_list, render=render_list, nav=30, topics=("scan",))
    return [many, one]


def _id(visit: Visit) -> UUID:
    return uuid(visit.params["id"], "scan")


def _status(visit: Visit) -> str:
    wanted = visit.query.get("status", "")
    return wanted if wanted in STATUSES else ""


def render_list(visit: Visit, view: Scans) -> Shown:
    wanted = _status(visit)
    choices = [("", "All"), *((word, word.capitalize()) for word in STATUSES)]
    filters = h("nav", h("ul", [
        h("li", h("a", text, href=f"/scans?status={word}" if word else "/scans", aria_current="true" if word == wanted else None))
        for word, text in choices
    ]), class_="filters", aria_label="Scans by status")  # fmt: skip
    nothing = f"No scan is {wanted}." if wanted else "Nothing has been scanned yet."
    onwards = steps("/scans", visit.query, view.after, first=not visit.query.get("after"))
    title = f"Scans: {wanted}" if wanted else "Scans"
    found = region("scans", "Newest first", listing(visit, view.runs, nothing=nothing), onwards)
    return Shown(title, join(h("h1", "Scans"), filters, found))


def render_one(visit: Visit, view: ScanDetail) -> Shown:
    run = view.run
    title = f"{name(run)} of {run.repo_name}"
    head = h(
        "div", h("h1", name(run)), status(run.status),
        h("div", cancel(visit, run, f"/scans/{run.id}"), class_="buttons"), class_="title", id="scan-title", data_region=True,
    )  # fmt: skip
    return Shown(title, join(
        link(f"/repos/{run.repo_id}", run.repo_name, class_="up name"), head, _trouble(view), _progress(run), _counts(run),
        _about(visit, run), _findings(view),
    ))  # fmt: skip


def _trouble(view: ScanDetail) -> Markup:
    run = view.run
    told: Node = None
    if run.last_error and run.status in ("failed", "partial"):
        told = alert(Problem(run.last_error_code, run.last_error, view.hint))
    elif run.last_error and run.status == "queued":
        told = h(
            "p", "It is tried again. The last attempt: ", run.last_error, " ", code(run.last_error_code), class_="note"
        )
    elif run.superseded_by is not None:
        told = h(
            "p",
            "A newer scan of the same pull request has ",
            link(f"/scans/{run.superseded_by}", "taken its place"),
            ".",
            class_="note",
        )
    elif run.status == "cancelled":
        told = h("p", "It was cancelled", f": {run.cancel_reason}" if run.cancel_reason else "", ".", class_="note")
    return h("div", told, id="trouble", data_region=True)


def _progress(run: RunView) -> Markup:
    """The bars. How far it has come is also said in one sentence, for those who hear the page."""
    if waits(run):
        told = _waiting(run)
    elif run.status == "queued":
        told = "It waits for its turn."
    elif run.status == "running":
        told = (
            f"Stage {run.stage or 'fetch'}: {run.stage_done:,} of {run.stage_total:,}."
            if run.stage_total
            else f"Stage {run.stage or 'fetch'}."
        )
    else:
        told = f"It has ended: {run.status}."
    spoken = h("p", told, class_="unseen" if run.status != "queued" else None, aria_live="polite")
    return region("stages", "Stages", stage_bars(run), spoken)


def _waiting(run: RunView) -> str:
    left = run.agent_tasks - run.agent_tasks_done
    until = f"; at {instant(run.waits_until)} it goes on without them" if run.waits_until is not None else ""
    since = f" since {instant(run.waited_since)}" if run.waited_since is not None else ""
    if not left:
        return f"Agents have answered; it waits for its turn{since}."
    return f"It waits for {plural(left, 'answer')} of agents{since}{until}."


def _counts(run: RunView) -> Markup:
    if run.status not in ("completed", "partial"):
        return h("div", id="counts", data_region=True)
    drifted = run.claims_drifted
    return h("div", figures([
        ("Claims", run.claims_checked, ""), ("True", run.claims_verified, ""), ("False", drifted, "bad" if drifted else ""),
        ("Undecided", run.claims_uncertain, ""),
        ("Took", length(run.total_duration_ms / 1000) if run.total_duration_ms else "–", ""),
    ]), id="counts", data_region=True)  # fmt: skip


def _about(visit: Visit, run: RunView) -> Markup:
    attempts = run.attempt + 1 if run.status in OPEN else run.attempt
    return h("div", facts([
        ("Repository", link(f"/repos/{run.repo_id}", run.repo_name, class_="name")), ("Looks at", subject(run)),
        ("Asked by", join(run.requested_by, " " if run.requested_by else "", h("span", f"({run.trigger})", class_="soft"))),
        ("Asked", when(run.created_at, visit.now)), ("Started", when(run.started_at, visit.now)),
        ("Ended", when(run.completed_at, visit.now) if run.completed_at else None),
        ("Attempts", plural(attempts, "attempt") if attempts > 1 else None),
        ("Repairs", plural(run.repairs, "worker died", "workers died") if run.repairs else None),
        ("Stop asked for", join(when(run.cancel_requested_at, visit.now), " ", run.cancel_reason)
                           if run.cancel_requested_at else None),
        ("Agents", _agents(visit, run)),
        ("Id", code(str(run.id))),
    ]), id="about", data_region=True)  # fmt: skip


def _agents(visit: Visit, run: RunView) -> Node:
    """What it asked of agents, and what they left open."""
    known = f"{plural(run.agent_remembered, 'answer')} remembered from earlier scans" if run.agent_remembered else ""
    if run.waited_since is None:
        return known or None
    asked = f"{run.agent_tasks_done:,} of {plural(run.agent_tasks, 'task')} ended; asked "
    notice = f". {run.agent_notice}" if run.agent_notice else ""
    return join(asked, when(run.waited_since, visit.now), f"; {known}" if known else "", notice)


def _findings(view: ScanDetail) -> Markup:
    if not view.findings:
        return region("findings", "Findings", empty(_nothing(view.run)))
    fresh = sum(finding.new for finding in view.findings)
    aside = chip(f"{fresh} new", "busy") if fresh else None
    heading = (
        f"The first {plural(len(view.findings), 'finding')}" if view.more else plural(len(view.findings), "finding")
    )
    return region("findings", heading, [article(f) for f in view.findings], _more(view), aside=aside)


def _nothing(run: RunView) -> str:
    if run.status in OPEN:
        return "What is found is shown when the scan has ended."
    if run.status == "partial":
        return "Nothing false was found in the part that was looked at."
    if run.status != "completed":
        return "It ended before it found anything."
    return "Nothing false was found." if run.claims_checked else "No checkable claim was found."


def _more(view: ScanDetail) -> Markup | None:
    if not view.more:
        return None
    whole = link(f"/api/scans/{view.run.id}/findings", "the API")
    return h("p", "There are more than are shown here; ", whole, " gives them all.", class_="note")
