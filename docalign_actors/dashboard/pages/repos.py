"""Repositories: the list with the form that adds one, one repository with its health, and its removal."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from docalign_actors.dashboard import learnt
from docalign_actors.dashboard.charts import health_tone, history, sparkline
from docalign_actors.dashboard.findings import article
from docalign_actors.dashboard.html import Markup, h, join
from docalign_actors.dashboard.page import Action, Page, Problem, Shown, Visit
from docalign_actors.dashboard.parts import (
    alert,
    button,
    code,
    empty,
    facts,
    figures,
    link,
    meter,
    post,
    region,
    row,
    status,
    steps,
    table,
)  # fmt: skip
from docalign_actors.dashboard.paths import uuid
from docalign_actors.dashboard.runs import listing
from docalign_actors.dashboard.views import Desk, Reader, RepoDetail, RepoLine, Repos
from docalign_actors.dashboard.watching import circuit_chip, circuit_region, schedule_region
from docalign_actors.dashboard.words import MINUS, short, when
from docalign_actors.reporting.style import plural
from docalign_actors.scans.views import RepoView

ADD_HELP = (
    "An absolute path of a repository on the machine that runs this service, or an https://, ssh:// or git:// address."
)


def pages(reader: Reader, desk: Desk) -> list[Page]:
    async def load_list(visit: Visit) -> Repos:
        return await reader.repos(visit.query.get("after", ""))

    async def load_one(visit: Visit) -> RepoDetail:
        return await reader.repo(_id(visit))

    async def add(visit: Visit) -> str:
        return f"/repos/{await desk.add_repo(visit.form.get('url', '').strip(), visit.user)}"

    async def scan(visit: Visit) -> str:
        return f"/scans/{await desk.scan_now(_id(visit), visit.user)}"

    async def remove(visit: Visit) -> str:
        await desk.remove_repo(_id(visit))
        return "/repos"

    async def set_schedule(visit: Visit) -> str:
        await desk.set_schedule(_id(visit), visit.form.get("check", "").strip(), visit.form.get("full", "").strip())
        return f"/repos/{_id(visit)}#schedule"

    async def reset_circuit(visit: Visit) -> str:
        await desk.reset_circuit(_id(visit), visit.user)
        return f"/repos/{_id(visit)}#circuit"

    async def suppress(visit: Visit) -> str:
        await desk.suppress(_id(visit), visit.form, visit.user)
        return f"/repos/{_id(visit)}#suppressions"

    async def unsuppress(visit: Visit) -> str:
        await desk.unsuppress(_id(visit), visit.form.get("suppression", ""), visit.user)
        return f"/repos/{_id(visit)}#suppressions"

    one = Page(path="/repos/{id}", title="Repository", load=load_one, render=render_one, topics=("scan", "repo"),
               actions=(Action("/repos/{id}/scan", scan), Action("/repos/{id}/schedule", set_schedule),
                        Action("/repos/{id}/circuit/reset", reset_circuit), Action("/repos/{id}/suppress", suppress),
                        Action("/repos/{id}/unsuppress", unsuppress)))  # fmt: skip
    removal = Page(path="/repos/{id}/remove", title="Remove", load=load_one, render=render_removal,
                   actions=(Action("/repos/{id}/remove", remove),))  # fmt: skip
    many = Page(path="/repos", title="Repositories", load=load_list, render=render_list, nav=20, topics=("repo", "scan"),
                actions=(Action("/repos", add),))  # fmt: skip
    return [many, one, removal]


def _id(visit: Visit) -> UUID:
    return uuid(visit.params["id"], "repository")


def render_list(visit: Visit, view: Repos) -> Shown:
    onwards = steps("/repos", visit.query, view.after, first=not visit.query.get("after"))
    lines = repo_table(visit, view.lines) if view.lines else empty("No repository is registered yet.")
    return Shown("Repositories", join(
        h("h1", "Repositories"),
        _add_form(visit) if visit.may("operator") else None,
        region("repos", "Registered", lines, onwards),
    ))  # fmt: skip


def _add_form(visit: Visit) -> Markup:
    field = h("input", id="url", name="url", type="text", required=True, maxlength="2000", autocomplete="off", spellcheck="false",
              value=visit.form.get("url", ""), aria_describedby="url-help",
              aria_invalid="true" if visit.problem else None)  # fmt: skip
    return post(
        visit, "/repos",
        h("label", "Path or address", for_="url"),
        h("div", field, button("Add and scan", look="main"), class_="field"),
        h("p", ADD_HELP, id="url-help", class_="soft"),
        class_="add",
    )  # fmt: skip


def repo_table(visit: Visit, lines: Sequence[RepoLine]) -> Markup:
    """Repositories with their health."""
    columns = [
        ("Repository", ""),
        ("Health", "wide"),
        ("Trend", ""),
        ("False", "number"),
        ("Last full scan", ""),
        ("Now", ""),
    ]
    return table(columns, [_row(visit, line) for line in lines], "Repositories")


def _row(visit: Visit, line: RepoLine) -> Markup:
    repo = line.repo
    return row(str(repo.id), [
        ("Repository", "", join(link(f"/repos/{repo.id}", repo.name, class_="name"), h("div", repo.url, class_="soft sub"))),
        ("Health", "wide", health(repo)),
        ("Trend", "", sparkline(line.scores, line.trend)),
        ("False", "number", repo.claims_drifted),
        ("Last full scan", "", when(repo.last_full_scan_at, visit.now)),
        ("Now", "", _now(repo)),
    ])  # fmt: skip


def health(repo: RepoView) -> Markup:
    """The score as a number and a bar."""
    score = repo.health_score
    if score is None:
        return h("span", "not known yet" if not repo.last_full_scan_at else "nothing to decide", class_="soft")
    label = f"Health {score} of 100"
    return h("div", h("b", str(score)), meter(score, label, health_tone(score)), class_="health")


def _now(repo: RepoView) -> Markup:
    if repo.running is not None:
        return link(f"/scans/{repo.running}", status("running"))
    now = join(status("queued"), f" {repo.queued:,}") if repo.queued else status(repo.status)
    return (
        now
        if repo.circuit == "closed"
        else join(now, " ", h("div", "circuit ", circuit_chip(repo.circuit), class_="sub"))
    )


def render_one(visit: Visit, view: RepoDetail) -> Shown:
    repo = view.repo
    remove = (
        link(f"/repos/{repo.id}/remove", "Remove …", class_="button plain danger") if visit.may("operator") else None
    )
    scan = post(visit, f"/repos/{repo.id}/scan", button("Scan now", look="main")) if visit.may("operator") else None
    buttons = h("div", scan, remove, class_="buttons")
    head = h(
        "div",
        h("h1", repo.name, class_="name"),
        status(repo.status),
        buttons,
        class_="title",
        id="repo-title",
        data_region=True,
    )
    return Shown(repo.name, join(
        link("/repos", "Repositories", class_="up"), head,
        alert(Problem("last scan", repo.last_error)) if repo.last_error and not visit.problem else None,
        learnt.paused(visit, view.pauses), _about(visit, view),
        circuit_region(visit, view.circuit) if view.circuit is not None and view.circuit.state != "closed" else None,
        _health(view), _drifted(view), learnt.suppressed(visit, view),
        region("runs", "Scans", listing(visit, view.runs, of_repo=True, nothing="It has not been scanned yet.")),
        schedule_region(visit, view.schedule) if view.schedule is not None else None,
        circuit_region(visit, view.circuit) if view.circuit is not None and view.circuit.state == "closed" else None,
    ))  # fmt: skip


def _about(visit: Visit, view: RepoDetail) -> Markup:
    repo = view.repo
    numbers = figures([
        ("Health", MINUS if view.health.score is None else str(view.health.score), health_tone(view.health.score)),
        ("Claims", repo.claims_total, ""), ("True", repo.claims_verified, ""),
        ("False", repo.claims_drifted, "bad" if repo.claims_drifted else ""),
        ("Waiting scans", repo.queued, ""),
    ])  # fmt: skip
    told = facts([
        ("Host", repo.host), ("Organisation", repo.organisation),
        ("Default branch", code(repo.default_branch) if repo.default_branch else None),
        ("Head", code(short(repo.head_sha)) if repo.head_sha else None),
        ("Last full scan", when(repo.last_full_scan_at, visit.now)), ("Registered", when(repo.created_at, visit.now)),
        ("Address", code(repo.url)),
    ])  # fmt: skip
    return h("div", numbers, told, id="about", data_region=True)


def _health(view: RepoDetail) -> Markup:
    drawn = history(view.health.history)
    if drawn is None:
        return region("health", "Health", empty("A line appears here after the second scan of the default branch."))
    return region("health", "Health", drawn, aside=h("span", view.health.trend, class_="soft"))


def _drifted(view: RepoDetail) -> Markup:
    if not view.drifted:
        known = view.repo.last_full_scan_at is not None
        nothing = empty(
            "Nothing is known to be false." if known else "Nothing is known before the first scan has ended."
        )
        return region("drifted", "False claims", nothing)
    # The figures above count every mention; here those with one cause stand together.
    counted = plural(len(view.drifted), "finding") + " on the default branch"
    heading = f"The worst {counted}" if view.more else counted
    return region("drifted", heading, [article(finding) for finding in view.drifted])


def render_removal(visit: Visit, view: RepoDetail) -> Shown:
    """Asks before it is done: a link leads here, only the form removes."""
    repo = view.repo
    body = join(
        link(f"/repos/{repo.id}", repo.name, class_="up"),
        h("h1", "Remove ", h("span", repo.name, class_="name"), "?"),
        h("p", "Its scans are stopped and no new one starts. What is known of it is deleted when its time of retention is over. "
               "The repository itself is not touched."),
        post(visit, f"/repos/{repo.id}/remove", button("Remove it", look="main danger"), " ",
             link(f"/repos/{repo.id}", "Keep it", class_="button plain"), class_="buttons") if visit.may("operator")
        else h("p", "Only an operator can remove a repository."),
    )  # fmt: skip
    return Shown(f"Remove {repo.name}", body)
