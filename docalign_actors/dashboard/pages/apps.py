"""Applications: the list, and one with its subscriptions, its last deliveries and those that failed."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.applications.errors import UnknownApplicationError
from docalign_actors.applications.views import AppDeliveryView, AppView, SubscriptionView
from docalign_actors.dashboard.app_views import AppButtons, AppDetail, AppReader, Apps
from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.page import Action, Page, Shown, Visit
from docalign_actors.dashboard.parts import (
    button,
    chip,
    code,
    empty,
    facts,
    figures,
    link,
    post,
    region,
    row,
    scroller,
    steps,
    table,
)  # fmt: skip
from docalign_actors.dashboard.words import MINUS, short, when
from docalign_actors.reporting.style import plural

TONES = {
    "active": "good",
    "paused": "quiet",
    "failed": "bad",
    "waiting": "busy",
    "delivered": "good",
    "dead": "bad",
    "dropped": "quiet",
}
PHASES = {"new": "waits to begin", "files": "snapshot: files", "claims": "snapshot: claims", "following": "follows"}
NOTHING = "No application is onboarded yet."
ADD_HELP = "On the machine that runs the service: `docalign app add NAME --url ADDRESS`, or POST /api/apps."
ACTIONS = ("pause", "resume", "resync", "unsubscribe")


def pages(reader: AppReader, buttons: AppButtons) -> list[Page]:
    async def load_list(visit: Visit) -> Apps:
        return await reader.apps(visit.query.get("after", ""))

    async def load_one(visit: Visit) -> AppDetail:
        return await reader.app(_id(visit.params["id"]), visit.query.get("after", ""))

    def changing(action: str) -> Action:
        async def change(visit: Visit) -> str:
            await buttons.change_subscription(action, _id(visit.params["id"]), _id(visit.params["subscription"]))
            return f"/apps/{_id(visit.params['id'])}"

        return Action(f"/apps/{{id}}/subscriptions/{{subscription}}/{action}", change)

    async def replay(visit: Visit) -> str:
        await buttons.replay_delivery(_id(visit.params["id"]), _id(visit.params["delivery"]))
        return f"/apps/{_id(visit.params['id'])}"

    async def remove(visit: Visit) -> str:
        await buttons.remove_app(_id(visit.params["id"]))
        return "/apps"

    many = Page(path="/apps", title="Applications", load=load_list, render=render_list, nav=36, topics=("app",))
    one = Page(
        path="/apps/{id}", title="Application", load=load_one, render=render_one, topics=("app",),
        actions=(*(changing(action) for action in ACTIONS), Action("/apps/{id}/deliveries/{delivery}/replay", replay)),
    )  # fmt: skip
    removal = Page(
        path="/apps/{id}/remove", title="Remove", load=load_one, render=render_removal,
        actions=(Action("/apps/{id}/remove", remove),),
    )  # fmt: skip
    return [many, one, removal]


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise UnknownApplicationError from None


def render_list(visit: Visit, view: Apps) -> Shown:
    onwards = steps("/apps", visit.query, view.after, first=not visit.query.get("after"))
    columns = [
        ("Application", ""),
        ("Subscriptions", "number"),
        ("Failed", "number"),
        ("Token used", ""),
        ("Since", ""),
    ]
    lines = table(columns, [_app_row(visit, app) for app in view.apps], "Applications") if view.apps else empty(NOTHING)
    intro = h(
        "p", "Applications hear what changes in the repositories that they subscribe to. ", _help(), class_="soft"
    )
    return Shown("Applications", join(h("h1", "Applications"), intro, region("apps", "Onboarded", lines, onwards)))


def _help() -> Markup:
    before, command, after = ADD_HELP.split("`")
    return join(before, code(command), after)


def _app_row(visit: Visit, app: AppView) -> Markup:
    return row(str(app.id), [
        ("Application", "", join(link(f"/apps/{app.id}", app.name, class_="name"), h("div", app.url, class_="soft sub"))),
        ("Subscriptions", "number", app.subscriptions),
        ("Failed", "number", chip(str(app.failed), "bad") if app.failed else 0),
        ("Token used", "", when(app.token_last_used_at, visit.now)),
        ("Since", "", when(app.created_at, visit.now)),
    ])  # fmt: skip


def render_one(visit: Visit, view: AppDetail) -> Shown:
    app = view.app
    state = chip(plural(app.failed, "failed subscription"), "bad") if app.failed else chip("in order", "good")
    remove = link(f"/apps/{app.id}/remove", "Remove …", class_="button plain danger") if visit.may("operator") else None
    head = h("div", h("h1", app.name, class_="name"), state, h("div", remove, class_="buttons"), class_="title", id="app-title",
             data_region=True)  # fmt: skip
    return Shown(app.name, join(
        link("/apps", "Applications", class_="up"), head, _about(visit, view), _subscriptions(visit, view),
        _dead(visit, view), _deliveries(visit, view),
    ))  # fmt: skip


def _about(visit: Visit, view: AppDetail) -> Markup:
    app = view.app
    numbers = figures([
        ("Subscriptions", app.subscriptions, ""), ("Failed", app.failed, "bad" if app.failed else ""),
        ("Files it has", sum(one.files for one in view.subscriptions), ""),
        ("Deliveries waiting", sum(one.waiting for one in view.subscriptions), ""),
    ])  # fmt: skip
    told = facts([
        ("Onboarded", when(app.created_at, visit.now)), ("By", app.created_by),
        ("Token used", when(app.token_last_used_at, visit.now)),
        ("Secret", join(f"number {app.secret_generation}, made ", when(app.secret_rotated_at, visit.now))),
        ("Address", code(app.url)), ("Id", code(str(app.id))),
    ])  # fmt: skip
    return h("div", numbers, told, id="about", data_region=True)


def _subscriptions(visit: Visit, view: AppDetail) -> Markup:
    if not view.subscriptions:
        nothing = empty(
            "It subscribes to nothing yet.", "An operator does that with ", code("docalign app subscribe"), "."
        )
        return region("subscriptions", "Subscriptions", nothing)
    columns = [("Repository", ""), ("State", ""), ("What", "wide"), ("Files", "number"), ("Waiting", "number"),
               ("Behind", "number"), ("", "")]  # fmt: skip
    lines = [_subscription_row(visit, one) for one in view.subscriptions]
    more = h("p", "Older ones are listed by the API.", class_="soft") if view.more else None
    return region("subscriptions", "Subscriptions", table(columns, lines, "Subscriptions"), more)


def _subscription_row(visit: Visit, one: SubscriptionView) -> Markup:
    branch = join(" at ", code(one.branch, 40)) if one.branch else ", default branch"
    name = join(link(f"/repos/{one.repo_id}", one.repo_name, class_="name"), h("span", branch, class_="soft"))
    failure = h("div", one.failure, class_="soft sub") if one.failure else None
    return row(str(one.id), [
        ("Repository", "", name),
        ("State", "", join(chip(one.status, TONES[one.status]), h("div", PHASES[one.phase], class_="soft sub"), failure)),
        ("What", "wide", join(_paths(one), h("div", _events(one), class_="soft sub"))),
        ("Files", "number", one.files), ("Waiting", "number", one.waiting), ("Behind", "number", one.behind),
        ("", "end actions row-wide", _buttons(visit, one) or MINUS),
    ])  # fmt: skip


def _paths(one: SubscriptionView) -> Node:
    if not one.paths:
        return "every file"
    shown = [join(code(path, 40), " ") for path in one.paths[:4]]
    return join(shown, f"and {len(one.paths) - 4} more" if len(one.paths) > 4 else None)


def _events(one: SubscriptionView) -> str:
    return "every event" if len(one.events) == 10 else ", ".join(one.events)


def _buttons(visit: Visit, one: SubscriptionView) -> Markup | None:
    if not visit.may("operator"):
        return None
    shown = [("pause", "Pause")] if one.status == "active" else [("resume", "Resume")]
    forms = [_form(visit, one, action, word, "small") for action, word in (*shown, ("resync", "Resync"))]
    return h("div", forms, _form(visit, one, "unsubscribe", "End", "small danger"), class_="buttons")


def _form(visit: Visit, one: SubscriptionView, action: str, word: str, look: str) -> Markup:
    address = f"/apps/{one.app_id}/subscriptions/{one.id}/{action}"
    return post(visit, address, button(word, label=f"{word}: {one.repo_name}", look=look))


def _dead(visit: Visit, view: AppDetail) -> Markup | None:
    if not view.dead:
        return None
    return region("dead", "Given up", h("ul", [_dead_one(visit, one) for one in view.dead], class_="incidents"))


def _dead_one(visit: Visit, one: AppDeliveryView) -> Markup:
    named = code(one.name, 80) if one.name else None
    ended = h("span", when(one.ended_at, visit.now), class_="soft")
    head = h("p", chip("given up", "bad"), " ", h("b", one.event), " ", named, " ", ended)
    told = h("p", f"{one.error}, after {plural(one.attempts, 'attempt')}.", class_="error-line")
    said = scroller(one.answer, f"Answer to {one.event}")
    answer = h("details", h("summary", "What it answered"), said, open=True) if one.answer else None
    return h("li", head, told, answer, _replay(visit, one), data_key=str(one.id))


def _replay(visit: Visit, one: AppDeliveryView) -> Markup | None:
    if not visit.may("operator"):
        return None
    address = f"/apps/{one.app_id}/deliveries/{one.id}/replay"
    return post(visit, address, button("Replay", label=f"Replay {one.event} {one.name}", look="small"))


def _deliveries(visit: Visit, view: AppDetail) -> Markup:
    here = f"/apps/{view.app.id}"
    onwards = steps(here, visit.query, view.after, first=not visit.query.get("after"))
    if not view.deliveries:
        return region("deliveries", "Deliveries", empty("Nothing has been sent yet."), onwards)
    columns = [("Event", ""), ("What", "wide"), ("State", ""), ("Attempts", "number"), ("When", ""), ("", "")]
    lines = [_delivery_row(visit, one) for one in view.deliveries]
    return region("deliveries", "Deliveries, newest first", table(columns, lines, "Deliveries"), onwards)


def _delivery_row(visit: Visit, one: AppDeliveryView) -> Markup:
    piece = f", piece {one.chunk} of {one.chunks}" if one.chunks > 1 else ""
    moved = join(code(one.previous_name, 60), " → ") if one.previous_name else None
    what: Node = join(moved, code(_named(one), 60), h("span", piece, class_="soft")) if one.name else MINUS
    again = _replay(visit, one) if one.status == "delivered" else None
    error = h("div", one.error, class_="soft sub") if one.error else None
    return row(str(one.id), [
        ("Event", "", join(one.event, h("span", f" {one.sequence:,}", class_="soft"))),
        ("What", "wide", what),
        ("State", "", join(chip(one.status, TONES[one.status]), error)),
        ("Attempts", "number", one.attempts),
        ("When", "", when(one.ended_at or one.created_at, visit.now)),
        ("", "end", again or MINUS),
    ])  # fmt: skip


def _named(one: AppDeliveryView) -> str:
    return short(one.name) if one.event.startswith("claim.") else one.name


def render_removal(visit: Visit, view: AppDetail) -> Shown:
    """Asks before it is done: a link leads here, only the form removes."""
    app = view.app
    body = join(
        link(f"/apps/{app.id}", app.name, class_="up"),
        h("h1", "Remove ", h("span", app.name, class_="name"), "?"),
        h("p", "Its token ends, its subscriptions end, and what waits for it is not sent any more. Nothing of it is kept."),
        post(visit, f"/apps/{app.id}/remove", button("Remove it", look="main danger"), " ",
             link(f"/apps/{app.id}", "Keep it", class_="button plain"), class_="buttons") if visit.may("operator")
        else h("p", "Only an operator can remove an application."),
    )  # fmt: skip
    return Shown(f"Remove {app.name}", body)
