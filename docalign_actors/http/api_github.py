"""GitHub's webhook, and what became of deliveries that could not be read or carried out.

The signature is over the bytes that came, so nothing is read of a body before it was compared. The answer comes when the
delivery is committed; everything that follows from it happens later.
"""

from __future__ import annotations

import re

from docalign_actors.errors import DatabaseError
from docalign_actors.github.payloads import take
from docalign_actors.github.signatures import is_signed
from docalign_actors.github.telemetry import WebhookTaken
from docalign_actors.http import cursors
from docalign_actors.http.bodies import read_json
from docalign_actors.http.errors import (
    BadRequestError,
    NoAnswerError,
    NotSignedError,
    SlowRequestError,
    TooLargeError,
    WrongMediaTypeError,
)
from docalign_actors.http.heads import header
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import DeliveryPage, PageQuery, WebhookAnswer

_WORD = re.compile(r"[a-z0-9_]{1,60}")
_DELIVERY = re.compile(r"[A-Za-z0-9-]{1,100}")
_LARGE = 1_000_000
"""Bytes from which on reading a body is no work for the event loop."""
_LAST = 2**63 - 1


async def receive(call: Call) -> Answer:
    services = call.context.services
    webhooks, scope = services.webhooks, call.request.scope
    signature = header(scope, b"x-hub-signature-256")
    if webhooks is None or signature is None:
        raise NotSignedError
    body = await read_json(call.request, webhooks.body_limit, services.settings.body_seconds)
    if not is_signed(body, signature, webhooks.secrets):
        raise NotSignedError
    event, delivery = header(scope, b"x-github-event") or "", header(scope, b"x-github-delivery") or ""
    if not _WORD.fullmatch(event) or not _DELIVERY.fullmatch(delivery):
        raise BadRequestError(
            "X-GitHub-Event and X-GitHub-Delivery say what this is; one of them is missing or malformed."
        )
    if len(body) > _LARGE:
        taken = await call.context.desk.run(take, webhooks.app_id, delivery, event, body)
    else:
        taken = take(webhooks.app_id, delivery, event, body)
    if taken is None:
        services.events.publish(WebhookTaken(event, "ignored"))
        return Answer(WebhookAnswer("ignored"), 200)
    await call.context.bridge.wait(webhooks.keep(taken), services.settings.answer_seconds)
    outcome = "unreadable" if taken.error else "kept"
    services.events.publish(WebhookTaken(event, outcome))
    return Answer(WebhookAnswer(outcome), 202)


async def trouble(call: Call) -> Answer:
    query: PageQuery = call.query
    before = cursors.decode("deliveries", query.cursor, tuple[cursors.Number])[0] if query.cursor is not None else _LAST
    page = await call.context.desk.run(call.context.services.views.webhook_trouble, query.limit, before)
    return Answer(DeliveryPage(page.items, cursors.encode("deliveries", page.after) if page.after else None))


OPERATIONS = (
    Operation(
        method="POST", path="/webhooks/github", name="receiveWebhook", handler=receive, role=None,
        summary="GitHub's webhook. Signed with the App's secret; the same delivery twice does nothing twice.",
        gives=(
            Gives(202, "It is written down and will be carried through.", WebhookAnswer),
            Gives(200, "It says nothing that concerns this service.", WebhookAnswer),
        ),
        errors=(NotSignedError, TooLargeError, WrongMediaTypeError, SlowRequestError, NoAnswerError, DatabaseError),
    ),
    Operation(
        method="GET", path="/api/github/deliveries", name="listWebhookTrouble", handler=trouble, query=PageQuery,
        summary="Webhooks that could not be read or carried out, newest first.",
        gives=(Gives(200, "A page of them.", DeliveryPage),),
    ),
)  # fmt: skip
