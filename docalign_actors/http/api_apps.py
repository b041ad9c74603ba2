"""Applications over HTTP: onboarding, subscriptions, the log of deliveries, and what is too large to be sent.

Operators manage all of it. An application, by its own token, sees itself and what belongs to it: it may pause, resume, resync,
replay and end its subscriptions, but which repositories it reads is an operator's decision.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import quote
from uuid import UUID

import msgspec
from starlette.responses import Response, StreamingResponse

from docalign_actors.applications import errors
from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.applications.views import AppDeliveryView, AppView, Onboarded, SubscriptionView
from docalign_actors.errors import StateConflictError, UnknownRepositoryError
from docalign_actors.http import cursors
from docalign_actors.http.app_desk import AppDesk
from docalign_actors.http.errors import NotAllowedError, NotSignedInError
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import (
    AppChange,
    AppDeliveryPage,
    AppPage,
    DeliveryQuery,
    NewApp,
    NewSecret,
    NewSubscription,
    NewToken,
    PageQuery,
    Replay,
    SubscriptionPage,
)
from docalign_actors.persistence.tokens import Role

T = TypeVar("T")


def _desk(call: Call) -> AppDesk:
    return AppDesk(call.context.services)


async def _do(call: Call, work: Callable[..., T], *given: Any) -> T:
    return await call.context.desk.run(work, *given)


def own_app(call: Call) -> AppId | None:
    """The application that asks by its own token; None for people, who see all of them."""
    principal = call.principal
    if principal is None:
        raise NotSignedInError
    if principal.role is not Role.SUBSCRIBER:
        return None
    try:
        return AppId(UUID(principal.tenant))
    except ValueError:
        raise errors.UnknownApplicationError from None


def _app(call: Call, *, change: bool = False) -> AppId:
    """The application in the path, if whoever asks may look at it, or change something of it. Another one is not there."""
    wanted, own = AppId(call.id(errors.UnknownApplicationError)), own_app(call)
    if own is not None and own != wanted:
        raise errors.UnknownApplicationError
    if own is None and change:
        _operator(call)
    return wanted


def _operator(call: Call) -> None:
    role = call.principal.role if call.principal is not None else None
    if role is None or not role.allows(Role.OPERATOR):
        raise NotAllowedError("This needs the role operator.")


def _subscription(call: Call) -> SubscriptionId:
    try:
        return SubscriptionId(msgspec.convert(call.request.path_params["subscription"], UUID))
    except msgspec.ValidationError:
        raise errors.UnknownSubscriptionError from None


async def add(call: Call) -> Answer:
    body: NewApp = call.body
    made = await _do(call, _desk(call).add, body.name, body.url, call.user)
    return Answer(made, 201, {"Location": f"/api/apps/{made.application.id}", "Cache-Control": "no-store"})


async def show_all(call: Call) -> Answer:
    query: PageQuery = call.query
    desk, own = _desk(call), own_app(call)
    if own is not None:
        return Answer(AppPage([await _do(call, desk.app, own)], None))
    after = cursors.decode("apps", query.cursor, tuple[str])[0] if query.cursor is not None else ""
    page = await _do(call, desk.apps.log.apps, query.limit, after)
    return Answer(AppPage(page.items, cursors.encode("apps", page.after) if page.after else None))


async def show(call: Call) -> Answer:
    return Answer(await _do(call, _desk(call).app, _app(call)))


async def change(call: Call) -> Answer:
    body: AppChange = call.body
    return Answer(await _do(call, _desk(call).move, AppId(call.id(errors.UnknownApplicationError)), body.url))


async def remove(call: Call) -> Answer:
    await _do(call, _desk(call).remove, AppId(call.id(errors.UnknownApplicationError)))
    return Answer(None, 204)


async def rotate_token(call: Call) -> Answer:
    return Answer(NewToken(await _do(call, _desk(call).rotate_token, _app(call, change=True))), 200, _ONCE)


async def rotate_secret(call: Call) -> Answer:
    return Answer(NewSecret(await _do(call, _desk(call).rotate_secret, _app(call, change=True))), 200, _ONCE)


async def subscribe(call: Call) -> Answer:
    app = AppId(call.id(errors.UnknownApplicationError))
    made = await _do(call, _desk(call).subscribe, app, call.body)
    return Answer(made, 201, {"Location": f"/api/apps/{app}/subscriptions/{made.id}"})


async def subscriptions(call: Call) -> Answer:
    query: PageQuery = call.query
    desk, app = _desk(call), _app(call)
    await _do(call, desk.app, app)
    before = cursors.decode("subscriptions", query.cursor, tuple[UUID])[0] if query.cursor is not None else None
    page = await _do(call, desk.apps.log.subscriptions, app, query.limit, before)
    return Answer(SubscriptionPage(page.items, cursors.encode("subscriptions", page.after) if page.after else None))


async def subscription(call: Call) -> Answer:
    return Answer(await _do(call, _desk(call).subscription, _app(call), _subscription(call)))


async def unsubscribe(call: Call) -> Answer:
    await _do(call, _desk(call).unsubscribe, _app(call, change=True), _subscription(call))
    return Answer(None, 204)


async def replay(call: Call) -> Answer:
    body: Replay = call.body
    app, one = _app(call, change=True), _subscription(call)
    return Answer(await _do(call, _desk(call).replay, app, one, body.since))


def _changing(name: str) -> Callable[[Call], Awaitable[Answer | Response]]:
    async def change(call: Call) -> Answer | Response:
        return Answer(await _do(call, getattr(_desk(call), name), _app(call, change=True), _subscription(call)))

    return change


async def deliveries(call: Call) -> Answer:
    query: DeliveryQuery = call.query
    own = own_app(call)
    if own is not None and query.app not in (None, own):
        raise errors.UnknownApplicationError
    before = cursors.decode("deliveries", query.cursor, tuple[cursors.Number])[0] if query.cursor is not None else None
    log = _desk(call).apps.log
    page = await call.context.desk.run(
        log.deliveries, query.limit, before, app=own or query.app, subscription=query.subscription, status=query.status
    )
    return Answer(AppDeliveryPage(page.items, cursors.encode("deliveries", page.after) if page.after else None))


async def delivery(call: Call) -> Answer:
    return Answer(await _do(call, _desk(call).delivery, call.id(errors.UnknownDeliveryError), own_app(call)))


async def replay_delivery(call: Call) -> Answer:
    wanted, own = call.id(errors.UnknownDeliveryError), own_app(call)
    if own is None:
        _operator(call)
    return Answer(await _do(call, _desk(call).replay_one, wanted, own))


async def content(call: Call) -> Response:
    """The file that a delivery is about, as it was at its commit."""
    desk, wanted = _desk(call), call.id(errors.UnknownDeliveryError)
    found = await _do(call, desk.apps.log.content, wanted, own_app(call))
    if found is None:
        raise errors.UnknownDeliveryError
    pieces = (
        await _do(call, desk.apps.trees.stream, found.repo_id, found.blob, desk.apps.fetch_bytes)
        if found.blob
        else None
    )
    if pieces is None:
        raise errors.NoContentError
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name.rpartition('/')[2], safe='')}",
        "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store",
    }  # fmt: skip
    return StreamingResponse(pieces, media_type="application/octet-stream", headers=headers)


_ONCE = {"Cache-Control": "no-store"}
_ALL, _ONE = "/api/apps", "/api/apps/{id}"
_SUBSCRIPTIONS, _SUBSCRIPTION = _ONE + "/subscriptions", _ONE + "/subscriptions/{subscription}"
_UNKNOWN = (errors.UnknownApplicationError,)
_NONE = (errors.UnknownApplicationError, errors.UnknownSubscriptionError)
_CHANGES = (
    ("pause", "pauseSubscription", "Send nothing until it is resumed. What happens meanwhile is kept."),
    (
        "resume",
        "resumeSubscription",
        "Go on where it stopped, also after a failure: what was given up is the first to go.",
    ),
    ("resync", "resyncSubscription", "Begin anew with a snapshot, as if nothing had ever been sent."),
)

OPERATIONS = (
    Operation(
        method="POST", path=_ALL, name="addApplication", handler=add, role=Role.OPERATOR, takes=NewApp,
        summary="Onboard an application. Its token and its secret are shown this once.",
        gives=(Gives(201, "It is onboarded; `Location` is its address.", Onboarded),),
        errors=(errors.BadApplicationError, errors.ApplicationExistsError),
    ),
    Operation(
        method="GET", path=_ALL, name="listApplications", handler=show_all, role=Role.SUBSCRIBER, query=PageQuery,
        summary="The applications, in the order of their names; an application sees itself.",
        gives=(Gives(200, "A page of them.", AppPage),),
    ),
    Operation(
        method="GET", path=_ONE, name="getApplication", handler=show, role=Role.SUBSCRIBER, errors=_UNKNOWN,
        summary="One application.", gives=(Gives(200, "The application.", AppView),),
    ),
    Operation(
        method="PATCH", path=_ONE, name="changeApplication", handler=change, role=Role.OPERATOR, takes=AppChange,
        summary="Give an application another address. What waits for it goes there, too.",
        gives=(Gives(200, "The application as it is now.", AppView),), errors=(*_UNKNOWN, errors.BadApplicationError),
    ),
    Operation(
        method="DELETE", path=_ONE, name="removeApplication", handler=remove, role=Role.OPERATOR, errors=_UNKNOWN,
        summary="Remove an application with its token, its subscriptions and whatever waits for it.",
        gives=(Gives(204, "It is removed."),),
    ),
    Operation(
        method="POST", path=_ONE + "/token", name="rotateToken", handler=rotate_token, role=Role.SUBSCRIBER, errors=_UNKNOWN,
        summary="Make a new token; the one before it ends at once.",
        gives=(Gives(200, "The token, shown this once.", NewToken),),
    ),
    Operation(
        method="POST", path=_ONE + "/secret", name="rotateSecret", handler=rotate_secret, role=Role.SUBSCRIBER, errors=_UNKNOWN,
        summary="Make a new secret; for a day everything is signed with the one before it, too.",
        gives=(Gives(200, "The secret, shown this once.", NewSecret),),
    ),
    Operation(
        method="POST", path=_SUBSCRIPTIONS, name="subscribe", handler=subscribe, role=Role.OPERATOR, takes=NewSubscription,
        summary="Let an application hear what changes on a branch of a repository. It begins with a snapshot.",
        gives=(Gives(201, "The subscription; `Location` is its address.", SubscriptionView),),
        errors=(*_UNKNOWN, UnknownRepositoryError, errors.BadSubscriptionError, errors.SubscriptionExistsError),
    ),
    Operation(
        method="GET", path=_SUBSCRIPTIONS, name="listSubscriptions", handler=subscriptions, role=Role.SUBSCRIBER,
        query=PageQuery, summary="What an application subscribes to, newest first.", errors=_UNKNOWN,
        gives=(Gives(200, "A page of it.", SubscriptionPage),),
    ),
    Operation(
        method="GET", path=_SUBSCRIPTION, name="getSubscription", handler=subscription, role=Role.SUBSCRIBER, errors=_NONE,
        summary="One subscription: how far it has got, and why it failed if it has.",
        gives=(Gives(200, "The subscription.", SubscriptionView),),
    ),
    Operation(
        method="DELETE", path=_SUBSCRIPTION, name="unsubscribe", handler=unsubscribe, role=Role.SUBSCRIBER, errors=_NONE,
        summary="End a subscription. What waits for it is not sent any more.", gives=(Gives(204, "It has ended."),),
    ),
    *(
        Operation(
            method="POST", path=f"{_SUBSCRIPTION}/{action}", name=name, handler=_changing(action), role=Role.SUBSCRIBER,
            summary=text, gives=(Gives(200, "The subscription.", SubscriptionView),), errors=(*_NONE, StateConflictError),
        )
        for action, name, text in _CHANGES
    ),
    Operation(
        method="POST", path=f"{_SUBSCRIPTION}/replay", name="replaySubscription", handler=replay, role=Role.SUBSCRIBER,
        takes=Replay, summary="Send what has arrived again, from a sequence number on, each under its own id.",
        gives=(Gives(200, "The subscription.", SubscriptionView),), errors=(*_NONE, StateConflictError),
    ),
    Operation(
        method="GET", path="/api/deliveries", name="listDeliveries", handler=deliveries, role=Role.SUBSCRIBER,
        query=DeliveryQuery, summary="The log of deliveries, newest first; an application sees its own.",
        gives=(Gives(200, "A page of it.", AppDeliveryPage),), errors=_UNKNOWN,
    ),
    Operation(
        method="GET", path="/api/deliveries/{id}", name="getDelivery", handler=delivery, role=Role.SUBSCRIBER,
        summary="One delivery.", gives=(Gives(200, "The delivery.", AppDeliveryView),), errors=(errors.UnknownDeliveryError,),
    ),
    Operation(
        method="POST", path="/api/deliveries/{id}/replay", name="replayDelivery", handler=replay_delivery,
        role=Role.SUBSCRIBER, errors=(errors.UnknownDeliveryError, StateConflictError),
        summary="Send a delivery again, under its own id; one that was given up resumes its subscription.",
        gives=(Gives(200, "The delivery.", AppDeliveryView),),
    ),
    Operation(
        method="GET", path="/api/deliveries/{id}/content", name="getContent", handler=content, role=Role.SUBSCRIBER,
        summary="The file that a delivery is about, as it was at its commit.",
        gives=(Gives(200, "The bytes of the file.", media="application/octet-stream"),),
        errors=(errors.UnknownDeliveryError, errors.NoContentError),
    ),
)  # fmt: skip
