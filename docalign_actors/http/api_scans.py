"""Scans: asked for, shown, followed, cancelled."""

from __future__ import annotations

import re
from concurrent.futures import Future
from math import ceil

from starlette.responses import Response

from docalign_actors.errors import BadRevisionError, ScanLimitError, UnknownRepositoryError, UnknownScanError
from docalign_actors.http import cursors, problems
from docalign_actors.http.errors import BadRequestError, BusyError, NoAnswerError
from docalign_actors.http.heads import header
from docalign_actors.http.routing import Answer, Call, Gives, Operation
from docalign_actors.http.schemas import (
    CancelAnswer,
    CancelQuery,
    FindingPage,
    FullScan,
    NewScan,
    PageQuery,
    PrScan,
    PushScan,
    RunPage,
    RunQuery,
    ScanAccepted,
)
from docalign_actors.http.services import Services
from docalign_actors.http.sse import MEDIA_TYPE
from docalign_actors.http.streams import all_events, scan_events
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.addresses import check_revision
from docalign_actors.scans.events import ScanMoved
from docalign_actors.scans.limits import next_day
from docalign_actors.scans.model import RepoId, RunId, Status
from docalign_actors.scans.ports import Cancelling
from docalign_actors.scans.views import RunView

_DELIVERY = re.compile(r"[\x21-\x7e]{1,200}")


async def request_scan(call: Call) -> Answer | Response:
    """Answers when the run is committed, and waits for nothing else."""
    repo = RepoId(call.id(UnknownRepositoryError))
    services = call.context.services
    try:
        run = await call.context.bridge.wait(enqueue(call, repo, call.body), services.settings.answer_seconds)
    except ScanLimitError as refused:
        now = services.clock.now()
        seconds = (next_day(now.date()) - now).total_seconds()
        return problems.respond(refused, call.trace, {"Retry-After": str(ceil(seconds))})
    return Answer(ScanAccepted(run), 202, {"Location": f"/api/scans/{run}"})


def enqueue(call: Call, repo: RepoId, wanted: NewScan) -> Future[RunId]:
    triggers = call.context.services.triggers
    delivery, trace, user = delivery_of(call), call.trace, call.user
    match wanted:
        case PrScan(number=number, base=base, head=head):
            check_revision(base, "base"), check_revision(head, "head")
            return triggers.enqueue_pr_scan(repo, number, base, head, delivery=delivery, trace=trace, user=user)
        case PushScan(before=before, after=after):
            check_revision(before, "before"), check_revision(after, "after")
            return triggers.enqueue_push_scan(repo, before, after, delivery=delivery, trace=trace, user=user)
        case FullScan():
            return triggers.enqueue_full_scan(repo, delivery=delivery, trace=trace, user=user)


async def show_all(call: Call) -> Answer:
    query: RunQuery = call.query
    before = cursors.decode("scans", query.cursor, tuple[cursors.Number])[0] if query.cursor is not None else None
    views = call.context.services.views
    page = await call.context.desk.run(views.runs, query.limit, before, repo=query.repo, status=query.status)
    return Answer(RunPage(page.items, cursors.encode("scans", page.after) if page.after else None))


async def show(call: Call) -> Answer:
    found = await call.context.desk.run(call.context.services.views.run, call.id(UnknownScanError))
    if found is None:
        raise UnknownScanError
    return Answer(found)


async def findings(call: Call) -> Answer:
    query: PageQuery = call.query
    run = call.id(UnknownScanError)
    views, desk = call.context.services.views, call.context.desk
    shape = tuple[cursors.SmallNumber]
    after = cursors.decode("findings", query.cursor, shape)[0] if query.cursor is not None else 0
    page = await desk.run(views.findings, run, query.limit, after)
    if not page.items and await desk.run(views.run_status, run) is None:
        raise UnknownScanError
    return Answer(FindingPage(page.items, cursors.encode("findings", page.after) if page.after else None))


async def cancel(call: Call) -> Answer:
    run = RunId(call.id(UnknownScanError))
    query: CancelQuery = call.query
    met = await call.context.desk.run(cancel_scan, call.context.services, run, call.user, query.reason)
    return Answer(CancelAnswer(run, met.after.value), 200 if met.before.final else 202)


def cancel_scan(services: Services, run: RunId, user: str, reason: str = "") -> Cancelling:
    """Writes the wish down and tells the actor; those who watch a run that only waited learn that it has ended."""
    asked = f"asked for by {user}" if user else "somebody asked"
    met = services.triggers.cancel_scan(run, f"{reason} ({asked})" if reason else asked)
    if met.before is Status.QUEUED and met.after.final:
        services.events.publish(ScanMoved(run, met.repo_id, 0, "end", met.after.value))
    return met


def delivery_of(call: Call) -> tuple[str, str] | None:
    given = header(call.request.scope, b"x-delivery-id")
    if given is None:
        return None
    if not _DELIVERY.fullmatch(given):
        raise BadRequestError("X-Delivery-Id has 1 to 200 printable characters of ASCII, without spaces.")
    return ("api", given)


_ONE = "/api/scans/{id}"

OPERATIONS = (
    Operation(
        method="POST", path="/api/repos/{id}/scans", name="requestScan", handler=request_scan, role=Role.OPERATOR,
        summary="Ask for a scan. With an `X-Delivery-Id` header the same request may be sent again and starts nothing twice.",
        takes=NewScan,
        gives=(Gives(202, "It is written down and will be carried through; `Location` is its address.", ScanAccepted),),
        errors=(UnknownRepositoryError, ScanLimitError, BadRevisionError, NoAnswerError),
    ),
    Operation(
        method="GET", path="/api/scans", name="listScans", handler=show_all, query=RunQuery,
        summary="Scans, newest first; of one repository or in one status if asked for.",
        gives=(Gives(200, "A page of them.", RunPage),),
    ),
    Operation(
        method="GET", path=_ONE, name="getScan", handler=show, errors=(UnknownScanError,),
        summary="One scan.", gives=(Gives(200, "The scan.", RunView),),
    ),
    Operation(
        method="GET", path=_ONE + "/findings", name="listFindings", handler=findings, query=PageQuery,
        summary="What a scan reported, in its order.",
        gives=(Gives(200, "A page of it.", FindingPage),), errors=(UnknownScanError,),
    ),
    Operation(
        method="POST", path=_ONE + "/cancel", name="cancelScan", handler=cancel, query=CancelQuery, role=Role.OPERATOR,
        summary="Stop a scan, queued or running.",
        gives=(
            Gives(202, "It ends as soon as may be.", CancelAnswer),
            Gives(200, "It had ended already.", CancelAnswer),
        ),
        errors=(UnknownScanError,),
    ),
    Operation(
        method="GET", path=_ONE + "/events", name="followScan", handler=scan_events,
        summary="The steps of a scan as server-sent events: stage, progress, note, end. Their ids are numbers; "
        "`Last-Event-ID` goes on after one. The stream ends after `end`.",
        gives=(
            Gives(200, "The stream.", None, MEDIA_TYPE),
            Gives(204, "The scan has ended and the client has seen all of it: do not connect again."),
        ),
        errors=(UnknownScanError, BusyError),
    ),
    Operation(
        method="GET", path="/api/events", name="followAll", handler=all_events,
        summary="Everything that moves, as server-sent events: hello, scan, repo, actors (at most once a second), incident, "
        "and reset for one who fell behind.",
        gives=(Gives(200, "The stream.", None, MEDIA_TYPE),), errors=(BusyError,),
    ),
)  # fmt: skip
