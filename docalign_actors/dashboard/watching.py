"""A repository's schedule and circuit, as its page and the overview show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.parts import button, chip, code, empty, facts, link, post, region, row, table
from docalign_actors.dashboard.words import MINUS, instant, length, short, when
from docalign_actors.reporting.style import plural
from docalign_actors.watch.views import CircuitMoveView, CircuitView, ScheduleView, TroubledView

_TONES = {"closed": "good", "open": "bad", "half_open": "warn"}
_WORDS = {"closed": "closed", "open": "open", "half_open": "half-open"}
RULE_HELP = (
    "every 10 minutes, daily at 03:00, weekdays at 06:15, weekly on sunday at 04:30, or never; in UTC. "
    "Empty: as the service's settings say."
)


def circuit_chip(state: str) -> Markup:
    """The state of a circuit."""
    return chip(_WORDS.get(state, state), _TONES.get(state, "quiet"))


def schedule_region(visit: Visit, view: ScheduleView) -> Markup:
    """When a repository is looked at, and what was seen last."""
    told = facts([
        ("Head is looked at", "by the GitHub App" if view.elsewhere else _rule(view.check, view.own_check)),
        ("Full scan", _rule(view.full, view.own_full)),
        ("Next look", None if view.elsewhere else _ahead(view.next_check_at, visit.now)),
        ("Next full scan", _ahead(view.next_full_at, visit.now)),
        ("Last look", when(view.last_look_at, visit.now)),
        ("Last head seen", code(f"{view.last_branch} {short(view.last_head)}".strip()) if view.last_head else None),
        ("Last look failed", view.last_error or None),
    ])  # fmt: skip
    return region("schedule", "Schedule", told, _form(visit, view) if visit.may("operator") else None)


def circuit_region(visit: Visit, view: CircuitView) -> Markup:
    """Whether git reaches a repository, what became of it, and the button that closes it."""
    told = facts([
        ("State", circuit_chip(view.state)),
        ("Failures in a row", f"{view.failures:,} of {view.opens_at:,}"),
        ("Tried again", _ahead(view.open_until, visit.now) if view.open_until else None),
        ("Last failure", join(view.error, " ", h("code", view.error_code, class_="soft")) if view.error else None),
    ])  # fmt: skip
    troubled = view.state != "closed" or view.failures
    reset: Node = None
    if troubled and visit.may("operator"):
        reset = post(visit, f"/repos/{view.repo_id}/circuit/reset", button("Close it and look now"), class_="buttons")
    return region("circuit", "Circuit", told, reset, _history(visit, view.history))


def troubled_region(visit: Visit, circuits: Sequence[TroubledView]) -> Markup:
    """The circuits that are not closed; nothing where all are."""
    if not circuits:
        return h("div", id="circuits", data_region=True)
    columns = [
        ("Repository", ""),
        ("Circuit", ""),
        ("Failures", "number"),
        ("Since", ""),
        ("Tried again", ""),
        ("Why", "wide"),
    ]
    rows = [
        row(str(one.repo_id), [
            ("Repository", "", link(f"/repos/{one.repo_id}", one.name, class_="name")),
            ("Circuit", "", circuit_chip(one.state)),
            ("Failures", "number", one.failures),
            ("Since", "", when(one.changed_at, visit.now)),
            ("Tried again", "", _ahead(one.open_until, visit.now)),
            ("Why", "wide", one.error),
        ])
        for one in circuits
    ]  # fmt: skip
    heading = plural(len(circuits), "repository that git does not reach", "repositories that git does not reach")
    return region("circuits", heading, table(columns, rows, "Circuits that are not closed"))


def _form(visit: Visit, view: ScheduleView) -> Markup:
    def field(name: str, label: str, value: str) -> Markup:
        made = h("input", id=f"rule-{name}", name=name, type="text", maxlength="100", autocomplete="off", spellcheck="false",
                 value=visit.form.get(name, value), aria_describedby="rule-help")  # fmt: skip
        return h("div", h("label", label, for_=f"rule-{name}"), made, class_="field")

    return h("details",
        h("summary", "Change the schedule"),
        post(
            visit, f"/repos/{view.repo_id}/schedule",
            field("check", "Look at the head", view.check if view.own_check else ""),
            field("full", "Full scan", view.full if view.own_full else ""),
            h("p", RULE_HELP, id="rule-help", class_="soft"),
            button("Set"), class_="add",
        ),
        open=bool(visit.problem and "check" in visit.form),
    )  # fmt: skip


def _history(visit: Visit, history: Sequence[CircuitMoveView]) -> Markup:
    if not history:
        return empty("It has always been closed.")
    columns = [("When", ""), ("Went", ""), ("Why", "wide")]
    rows = [
        row(str(move.id), [
            ("When", "", when(move.at, visit.now)),
            ("Went", "", join(circuit_chip(move.before), " → ", circuit_chip(move.after))),
            ("Why", "wide", _why(move)),
        ])
        for move in history
    ]  # fmt: skip
    return table(columns, rows, "What became of the circuit")


def _why(move: CircuitMoveView) -> Markup:
    counted = f" ({plural(move.failures, 'failure')})" if move.failures else ""
    return join(move.cause, counted, h("div", move.error, class_="soft sub") if move.error else None)


def _rule(rule: str, own: bool) -> Markup:
    return join(rule, None if own else h("span", " (the service's)", class_="soft"))


def _ahead(at: datetime | None, now: datetime) -> Node:
    """How long it is until then; the exact time is there for whoever points at it."""
    if at is None:
        return MINUS
    seconds = (at - now).total_seconds()
    text = f"in {length(round(seconds))}" if seconds >= 1 else "now"
    return h("time", text, datetime=at.isoformat(timespec="seconds"), title=instant(at))
