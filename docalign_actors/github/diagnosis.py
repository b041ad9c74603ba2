"""Decides what is amiss with the App as GitHub has it. Pure: (what was seen, what is needed) → checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from docalign_actors.github.requirements import PURPOSES, missing_events, missing_permissions, spoken

Check = tuple[str, bool, str]
"""(what was looked at, whether it is fine, what is to be said of it)"""


class SeenApp(Struct, frozen=True):
    """The App itself."""

    name: str
    slug: str
    owner: str
    html_url: str
    permissions: dict[str, str]
    events: tuple[str, ...]


class SeenHook(Struct, frozen=True):
    """Where its webhook goes."""

    url: str
    content_type: str
    insecure: bool


class SeenDelivery(Struct, frozen=True):
    """One attempt to deliver an event."""

    event: str
    at: str
    status: str
    code: int

    @property
    def good(self) -> bool:
        return 200 <= self.code < 300


class SeenInstallation(Struct, frozen=True):
    """The App on one account."""

    id: int
    account: str
    suspended: bool
    permissions: dict[str, str]


def of_app(app: SeenApp) -> Iterator[Check]:
    """Each permission and each event that the App lacks is named."""
    lacking = missing_permissions(app.permissions)
    yield "permissions", not lacking, _lacking("grant", lacking, " on the App's page") or "everything that is needed"
    unheard = missing_events(app.events)
    yield "events", not unheard, f"subscribe to {', '.join(unheard)} on the App's page" if unheard else "all of them"


def of_hook(hook: SeenHook, wanted: str) -> Check:
    """Whether events come here, and readable."""
    if not hook.url:
        return "webhook", False, f"the App has none. Set it to {wanted} on the App's page."
    if wanted.startswith("/"):
        return "webhook", False, f"goes to {hook.url}; http.public_url does not say whether that is this service."
    if hook.url.rstrip("/") != wanted:
        told = f"goes to {hook.url}, not to {wanted}. Correct it on the App's page, or http.public_url here."
        return "webhook", False, told
    if hook.content_type != "json":
        return "webhook", False, f"its content type is {hook.content_type or 'not set'}; it must be application/json."
    return "webhook", True, f"goes to {hook.url}" + (", without a look at the certificate" if hook.insecure else "")


def of_deliveries(deliveries: Sequence[SeenDelivery]) -> Check:
    """Newest first. The newest one decides: what failed before it is made good by asking for it again."""
    failed = [one for one in deliveries if not one.good]
    if not deliveries:
        return "deliveries", True, "none yet"
    answered = f"{len(deliveries) - len(failed)} of the last {len(deliveries)} were answered"
    if deliveries[0].good:
        return "deliveries", True, answered
    last = deliveries[0]
    told = f"{answered}; not the newest, {last.event} at {last.at}: {last.status or last.code}."
    return "deliveries", False, f"{told} Those that failed are asked for again while the service runs."


def of_installations(found: Sequence[SeenInstallation], html_url: str) -> Iterator[Check]:
    """New permissions hold for an installation when its owner has accepted them."""
    if not found:
        yield "installations", True, f"none yet: install the App at {html_url}/installations/new"
    for one in found:
        lacking = missing_permissions(one.permissions)
        told = "suspended" if one.suspended else _lacking("accept", lacking) or "has what it needs"
        yield f"installation {one.account or one.id}", not (lacking or one.suspended), told


def _lacking(verb: str, missing: Sequence[str], where: str = "") -> str:
    told = [f"{spoken(p)} (for {PURPOSES[p.partition(':')[0]]})" for p in missing]
    return f"{verb} {', '.join(told)}{where}" if told else ""
