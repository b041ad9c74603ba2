"""What is sent to others: callbacks that wait, fail and are tried again, were given up, or have arrived."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Action, Page, Shown, Visit
from docalign_actors.dashboard.parts import button, chip, code, empty, figures, post, region, row, steps, table
from docalign_actors.dashboard.paths import uuid
from docalign_actors.dashboard.task_views import Letters, TaskDesk, TaskReader
from docalign_actors.dashboard.words import MINUS, when
from docalign_actors.errors import UnknownLetterError
from docalign_actors.outbound.model import LetterView

FILTERS = {"waiting": "Waiting", "failing": "Failing", "dead": "Dead letters", "delivered": "Delivered"}
NOTHING = {
    "waiting": "Nothing waits to be sent.", "failing": "Nothing has failed and is tried again.",
    "dead": "Nothing was given up.", "delivered": "Nothing has arrived in the last days.",
}  # fmt: skip
KINDS = {"codeq.result": "a task has ended", "codeq.available": "there is work"}


def pages(reader: TaskReader, desk: TaskDesk) -> list[Page]:
    async def load(visit: Visit) -> Letters:
        return await reader.outgoing(visit.tenant, _status(visit), visit.query.get("after", ""))

    async def replay(visit: Visit) -> str:
        await desk.replay(visit.tenant, _id(visit))
        return "/outbound?status=waiting"

    return [Page(path="/outbound", title="Outbound", load=load, render=render, nav=37, topics=("actors",),
                 actions=(Action("/outbound/{id}/replay", replay, "admin"),))]  # fmt: skip


def _id(visit: Visit) -> UUID:
    return uuid(visit.params["id"], UnknownLetterError)


def _status(visit: Visit) -> str:
    wanted = visit.query.get("status", "")
    return wanted if wanted in FILTERS else "waiting"


def render(visit: Visit, view: Letters) -> Shown:
    wanted = _status(visit)
    filters = h("nav", h("ul", [
        h("li", h("a", text, href=f"/outbound?status={word}", aria_current="true" if word == wanted else None))
        for word, text in FILTERS.items()
    ]), class_="filters", aria_label="Callbacks by status")  # fmt: skip
    counted = view.figures
    numbers = figures([
        ("Waiting", counted.waiting, ""), ("Failing", counted.failing, "warn" if counted.failing else ""),
        ("Dead letters", counted.dead, "bad" if counted.dead else ""),
    ])  # fmt: skip
    found = _table(visit, view.letters) if view.letters else empty(NOTHING[wanted])
    onwards = steps("/outbound", visit.query, view.after, first=not visit.query.get("after"))
    return Shown(f"Outbound: {FILTERS[wanted].lower()}", join(
        h("h1", "Outbound"), h("div", numbers, id="figures", data_region=True), filters,
        region("letters", "Newest first", found, onwards),
    ))  # fmt: skip


def _table(visit: Visit, letters: Sequence[LetterView]) -> Markup:
    columns = [("To", ""), ("Says", ""), ("Status", ""), ("Attempts", "number"), ("When", ""), ("", "")]
    return table(columns, [_row(visit, letter) for letter in letters], "Callbacks")


def _row(visit: Visit, letter: LetterView) -> Markup:
    error = (
        h("div", letter.last_error, class_="soft sub") if letter.last_error and letter.status != "delivered" else None
    )
    return row(str(letter.id), [
        ("To", "", join(code(letter.url, 120), error)), ("Says", "", KINDS.get(letter.kind, letter.kind)),
        ("Status", "", _chip(letter)), ("Attempts", "number", letter.attempts),
        ("When", "", when(letter.ended_at or letter.created_at, visit.now)), ("", "end", _replay(visit, letter)),
    ])  # fmt: skip


def _chip(letter: LetterView) -> Markup:
    if letter.status == "dead":
        return chip("given up", "bad")
    if letter.status == "delivered":
        return chip("delivered", "good")
    return chip("failing", "warn") if letter.attempts else chip("waiting", "quiet")


def _replay(visit: Visit, letter: LetterView) -> Node:
    if letter.status != "dead" or not visit.may("admin"):
        return MINUS
    return post(
        visit, f"/outbound/{letter.id}/replay", button("Send again", label=f"Send again: {letter.url}", look="small")
    )
