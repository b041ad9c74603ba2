"""What people taught the service about a repository, as a section of its page."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Visit
from docalign_actors.dashboard.parts import button, chip, code, empty, hidden, post, prose, region, row, table
from docalign_actors.dashboard.views import RepoDetail
from docalign_actors.dashboard.words import when
from docalign_actors.reporting.style import plural
from docalign_actors.scans.views import PauseView, SuppressionView

_SCOPES = ("claim", "file", "kind")


def paused(visit: Visit, pauses: Sequence[PauseView]) -> Markup | None:
    """Why nothing is checked, and how that ends; nothing where nothing is paused."""
    if not pauses:
        return None
    return region("paused", "Paused", h("ul", [h("li", _pause(visit, one)) for one in pauses]))


def _pause(visit: Visit, one: PauseView) -> Markup:
    what = f"Pull request #{one.number}" if one.number else "The whole repository"
    how = "/docalign resume" if one.number else "/docalign resume repo"
    why = join(" (", one.reason, ")") if one.reason else None
    return join(what, " is not checked: ", one.paused_by, " paused it ", when(one.paused_at, visit.now), why, ". ",
                "Comment ", code(how), " on a pull request to go on.")  # fmt: skip


def suppressed(visit: Visit, view: RepoDetail) -> Markup:
    """What is not reported, why, and a way back."""
    known = view.suppressions
    columns = [("What", ""), ("Reason", ""), ("By", ""), ("Until", "")]
    if visit.may("operator"):
        columns.append(("Undo", ""))
    shown = table(columns, [_row(visit, view, one) for one in known], "Suppressions") if known else empty(
        "Everything that is found is reported."
    )  # fmt: skip
    heading = plural(len(known), "suppression") if known else "Suppressions"
    return region("suppressions", heading, shown, _form(visit, view) if visit.may("operator") else None)


def _row(visit: Visit, view: RepoDetail, one: SuppressionView) -> Markup:
    about = h("div", prose(one.about), class_="soft sub") if one.about else None
    until: Node = when(one.expires_at, visit.now) if one.expires_at is not None else "it is taken back"
    cells: list[tuple[str, str, Node]] = [
        ("What", "", join(chip(one.scope, "quiet"), " ", code(one.value, 80), about)),
        ("Reason", "", one.reason), ("By", "", join(one.created_by, ", ", when(one.created_at, visit.now))), ("Until", "", until),
    ]  # fmt: skip
    if visit.may("operator"):
        back = post(
            visit, f"/repos/{view.repo.id}/unsuppress", hidden("suppression", str(one.id)), button("Report again")
        )
        cells.append(("Undo", "", back))
    return row(str(one.id), cells)


def _form(visit: Visit, view: RepoDetail) -> Markup:
    chosen = visit.form.get("scope", "claim")
    options = [h("option", name, value=name, selected=True if name == chosen else None) for name in _SCOPES]
    return h(
        "details",
        h("summary", "Suppress something"),
        post(
            visit, f"/repos/{view.repo.id}/suppress",
            h("label", "What", for_="scope"), h("select", options, id="scope", name="scope"),
            h("label", "The id of the claim, the path of the file, or the name of the kind", for_="value"),
            _field("value", visit, maxlength="1000"),
            h("label", "Reason", for_="reason"), _field("reason", visit, maxlength="1000"),
            h("label", "Days (empty: until it is taken back)", for_="days"),
            h("input", id="days", name="days", type="number", min="1", max="3650", value=visit.form.get("days", "")),
            button("Suppress"), class_="add",
        ),
        open=True if visit.form.get("value") else None,
    )  # fmt: skip


def _field(name: str, visit: Visit, **more: str) -> Markup:
    return h(
        "input",
        id=name,
        name=name,
        type="text",
        required=True,
        autocomplete="off",
        value=visit.form.get(name, ""),
        **more,
    )
