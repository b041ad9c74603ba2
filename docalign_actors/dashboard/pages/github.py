"""The GitHub App: what each installation lacks or waits for, what could not be told, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Action, Page, Shown, Visit
from docalign_actors.dashboard.parts import (
    button,
    chip,
    code,
    empty,
    figures,
    hidden,
    link,
    post,
    region,
    row,
    scroller,
    table,
)
from docalign_actors.dashboard.words import MINUS, length, short, when
from docalign_actors.errors import UsageError
from docalign_actors.github.requirements import PURPOSES, missing_permissions, spoken
from docalign_actors.github.standing import state_of, step_of
from docalign_actors.github.views import CheckView, DeliveryView, InstallationView, LastFixView, PausedView, Rate
from docalign_actors.reporting.style import plural

PATH = "/github"
_TONES = {"active": "good", "suspended": "warn", "given up": "bad", "paused": "warn", "tried again": "busy"}
_FIX_TONES = {"pushed": "good", "opened": "good", "nothing": "quiet", "failed": "bad"}
_LONGEST_NUMBER = 15


class InstallationLine(Struct, frozen=True):
    """An installation, and what GitHub last said about its limit."""

    view: InstallationView
    rate: Rate | None = None


class GitHub(Struct, frozen=True, kw_only=True):
    """Everything on the page. `ignored`: events that do not concern us, by name, since this start."""

    installations: Sequence[InstallationLine] = ()
    checks: Sequence[CheckView] = ()
    deliveries: Sequence[DeliveryView] = ()
    pauses: Sequence[PausedView] = ()
    fixes: Sequence[LastFixView] = ()
    ignored: Sequence[tuple[str, int]] = ()


class GitHubReader(Protocol):
    async def github(self) -> GitHub: ...


class GitHubDesk(Protocol):
    """What the page's buttons ask for. Refusals are DocAlignErrors."""

    async def try_again(self, repo: UUID, number: int, sha: str) -> None: ...

    async def carry_out_again(self, position: int) -> None: ...

    async def resume(self, repo: UUID, number: int, user: str) -> None: ...


def page(reader: GitHubReader, desk: GitHubDesk) -> Page:
    async def load(visit: Visit) -> GitHub:
        return await reader.github()

    async def again(visit: Visit) -> str:
        form = visit.form
        await desk.try_again(_repo(visit), _number(form.get("number", "")), form.get("sha", "")[:64])
        return PATH

    async def carry_out(visit: Visit) -> str:
        await desk.carry_out_again(_number(visit.form.get("position", "")))
        return PATH

    async def resume(visit: Visit) -> str:
        await desk.resume(_repo(visit), _number(visit.form.get("number", "")), visit.user)
        return PATH

    actions = (
        Action(f"{PATH}/checks/again", again), Action(f"{PATH}/deliveries/again", carry_out), Action(f"{PATH}/resume", resume),
    )  # fmt: skip
    return Page(
        path=PATH, title="GitHub", load=load, render=render, nav=33, topics=("scan", "incident"), actions=actions
    )


def render(visit: Visit, view: GitHub) -> Shown:
    waiting = sum(line.view.waiting for line in view.installations)
    ignored = sum(count for _, count in view.ignored)
    numbers = figures([
        ("Installations", len(view.installations), ""), ("Checks to tell", waiting, ""),
        ("Stuck", len(view.checks), "bad" if view.checks else ""),
        ("Webhooks that failed", len(view.deliveries), "bad" if view.deliveries else ""),
        ("Ignored since the start", ignored, ""),
    ])  # fmt: skip
    return Shown("GitHub", join(
        h("h1", "GitHub"), h("div", numbers, id="figures", data_region=True),
        region("installations", "Installations", _installations(visit, view.installations)),
        region("checks", "Checks that are stuck", _checks(visit, view.checks)),
        region("pauses", "Paused by people", _pauses(visit, view.pauses)),
        region("fixes", "Last fixes", _fixes(visit, view.fixes)),
        region("deliveries", "Webhooks that could not be read or carried out", _deliveries(visit, view.deliveries)),
        region("ignored", "Events that do not concern this service", _ignored(view.ignored)),
    ))  # fmt: skip


def _installations(visit: Visit, lines: Sequence[InstallationLine]) -> Markup:
    if not lines:
        return empty("The App is installed nowhere. `docalign github doctor` says where to install it.")
    columns = [("Account", ""), ("State", ""), ("Repositories", "number"), ("Checks to tell", "number"),
               ("Requests left", ""), ("Permissions missing", "")]  # fmt: skip
    rows = [
        row(str(line.view.id), [
            ("Account", "", line.view.account or str(line.view.id)), ("State", "", _state(visit, line.view)),
            ("Repositories", "number", line.view.repositories), ("Checks to tell", "number", line.view.waiting),
            ("Requests left", "", _rate(visit, line.rate)), ("Permissions missing", "", _missing(line.view)),
        ])
        for line in lines
    ]  # fmt: skip
    return table(columns, rows, "Installations")


def _state(visit: Visit, view: InstallationView) -> Node:
    if view.paused_until is None or view.paused_until <= visit.now:
        return chip(view.state, _TONES.get(view.state, "quiet"))
    left = length((view.paused_until - visit.now).total_seconds())
    told = f"It goes on in {left}."
    return join(chip("paused", "warn"), h("p", view.pause_reason, " ", told, class_="soft sub"))


def _rate(visit: Visit, rate: Rate | None) -> Node:
    if rate is None or rate.resets_at <= visit.now:
        return MINUS
    low = rate.remaining < rate.limit // 10
    told = f"{rate.remaining:,} of {rate.limit:,} until {rate.resets_at:%H:%M} UTC"
    return join(chip("few", "warn"), " ", told) if low else told


def _missing(view: InstallationView) -> Node:
    lacking = missing_permissions(view.permissions) if view.permissions else []
    if not view.permissions:
        return h("span", "not known yet", class_="soft")
    if not lacking:
        return "none"
    return join(*(h("p", chip(spoken(one), "bad"), f" for {PURPOSES[one.partition(':')[0]]}") for one in lacking))


def _checks(visit: Visit, checks: Sequence[CheckView]) -> Markup:
    if not checks:
        return empty("None. Whatever there was to tell GitHub is told, or on its way.")
    columns = [("Pull request", ""), ("State", ""), ("Next step", ""), ("Since", ""), ("Attempts", "number"),
               ("Last error", ""), ("", "")]  # fmt: skip
    return table(columns, [_check(visit, check) for check in checks], "Checks that are stuck")


def _check(visit: Visit, check: CheckView) -> Markup:
    state = state_of(check)
    name = f"{check.full_name}#{check.number}"
    fields = (hidden("repo", str(check.repo_id)), hidden("number", str(check.number)), hidden("sha", check.head_sha))
    again = (
        post(visit, f"{PATH}/checks/again", *fields, button("Try again", label=f"Try {name} again", look="small"))
        if visit.may("operator")
        else None
    )
    return row(f"{check.repo_id}-{check.number}-{check.head_sha}", [
        ("Pull request", "", join(link(f"/repos/{check.repo_id}", name), " ", code(short(check.head_sha)))),
        ("State", "", chip(state, _TONES[state])), ("Next step", "", step_of(check)),
        ("Since", "", when(check.failing_since or check.due_at, visit.now)), ("Attempts", "number", check.attempts),
        ("Last error", "error-line", check.last_error or MINUS), ("", "", again),
    ])  # fmt: skip


def _pauses(visit: Visit, pauses: Sequence[PausedView]) -> Markup:
    if not pauses:
        return empty("Nothing. `/docalign pause` in a comment pauses a pull request, or its repository.")
    columns = [("What", ""), ("By", ""), ("Since", ""), ("Reason", ""), ("", "")]
    return table(columns, [_pause(visit, one) for one in pauses], "What people have paused")


def _pause(visit: Visit, one: PausedView) -> Markup:
    name = _place(one.full_name, one.number, "the whole repository")
    fields = (hidden("repo", str(one.repo_id)), hidden("number", str(one.number)))
    resume = (
        post(visit, f"{PATH}/resume", *fields, button("Resume", label=f"Check {name} again", look="small"))
        if visit.may("operator")
        else None
    )
    return row(f"{one.repo_id}-{one.number}", [
        ("What", "", link(f"/repos/{one.repo_id}", name)), ("By", "", one.paused_by),
        ("Since", "", when(one.paused_at, visit.now)), ("Reason", "", one.reason or MINUS), ("", "", resume),
    ])  # fmt: skip


def _fixes(visit: Visit, fixes: Sequence[LastFixView]) -> Markup:
    if not fixes:
        return empty("None was asked for yet.")
    columns = [("Where", ""), ("State", ""), ("What came of it", ""), ("Asked by", ""), ("When", "")]
    return table(columns, [_fix(visit, one) for one in fixes], "The last fixes")


def _fix(visit: Visit, one: LastFixView) -> Markup:
    came: Node = one.reason or one.last_error or MINUS
    if one.state == "pushed":
        came = join("commit ", code(short(one.commit_sha)))
    elif one.state == "opened":
        came = join(f"pull request #{one.pull}, commit ", code(short(one.commit_sha)))
    return row(str(one.id), [
        ("Where", "", link(f"/repos/{one.repo_id}", _place(one.full_name, one.number or 0, "default branch"))),
        ("State", "", chip(one.state, _FIX_TONES.get(one.state, "busy"))), ("What came of it", "", came),
        ("Asked by", "", one.asked_by), ("When", "", when(one.ended_at or one.created_at, visit.now)),
    ])  # fmt: skip


def _place(full_name: str, number: int, otherwise: str) -> str:
    return f"{full_name}#{number}" if number else f"{full_name}, {otherwise}"


def _deliveries(visit: Visit, deliveries: Sequence[DeliveryView]) -> Markup:
    if not deliveries:
        return empty("None.")
    return h("ul", [_delivery(visit, one) for one in deliveries], class_="incidents")


def _delivery(visit: Visit, one: DeliveryView) -> Markup:
    what = f"{one.event}.{one.action}" if one.action else one.event
    tried = f", {plural(one.attempts, 'attempt')}" if one.attempts else None
    at = h("span", when(one.received_at, visit.now), tried, class_="soft")
    head = h("p", chip(one.status, "bad"), " ", code(what), " ", code(one.delivery_id, 40), " ", at)
    excerpt = h("details", h("summary", "How it begins"), scroller(one.excerpt, f"Beginning of {one.delivery_id}"))
    again = None
    if one.status == "failed" and visit.may("operator"):
        field = hidden("position", str(one.position))
        again = post(
            visit, f"{PATH}/deliveries/again", field, button("Try again", label=f"Try {what} again", look="small")
        )
    told = h("p", one.error, class_="error-line")
    return h("li", head, told, excerpt if one.excerpt else None, again, data_key=str(one.position))


def _ignored(ignored: Sequence[tuple[str, int]]) -> Markup:
    if not ignored:
        return empty("None since this start.")
    rows = [row(name, [("Event", "", code(name)), ("Number", "number", count)]) for name, count in ignored]
    return table([("Event", ""), ("Number", "number")], rows, "Events that were ignored, since this start")


def _repo(visit: Visit) -> UUID:
    try:
        return UUID(visit.form.get("repo", ""))
    except ValueError:
        raise UsageError("The form does not say which one is meant.") from None


def _number(text: str) -> int:
    if not text.isdecimal() or not text.isascii() or len(text) > _LONGEST_NUMBER:
        raise UsageError("The form does not say which one is meant.")
    return int(text)
