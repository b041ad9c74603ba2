"""The two live streams: one scan's steps, and everything that the live page wants to know."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from uuid import UUID

from starlette.responses import Response

from docalign_actors.errors import DocAlignError, UnknownScanError
from docalign_actors.http.context import Context
from docalign_actors.http.hub import Watcher
from docalign_actors.http.routing import Answer, Call
from docalign_actors.http.sse import KEEP_ALIVE, EventSource, frame, last_event_id
from docalign_actors.scans.model import Status

_BATCH = 200


async def scan_events(call: Call) -> Answer | Response:
    """The steps of one scan, from the first or from where the client left off, to its end."""
    run = call.id(UnknownScanError)
    context = call.context
    status = await context.desk.run(context.services.views.run_status, run)
    if status is None:
        raise UnknownScanError
    seen = last_event_id(call.request.headers.get("last-event-id"))
    if seen and Status(status).final and not await context.desk.run(context.services.views.events, run, seen, 1):
        return Answer(None, 204)  # tells a browser not to connect again
    return _source(call, run, lambda watcher: _steps(call, run, watcher, seen))


async def all_events(call: Call) -> Response:
    """Scans that moved, repositories that changed, the actor tree at most once a second, incidents.

    It begins with `hello`: whatever happened before is read from the lists. `reset` says the same to one who fell behind.
    """
    return _source(call, None, lambda watcher: _everything(call, watcher))


def _source(call: Call, run: UUID | None, frames: Callable[[Watcher], AsyncGenerator[bytes, None]]) -> Response:
    context = call.context
    return EventSource(context.hub.watch(run), frames, context.services.settings.send_seconds)


async def _steps(call: Call, run: UUID, watcher: Watcher, seen: int) -> AsyncGenerator[bytes, None]:
    context = call.context
    views, quiet = context.services.views, context.services.settings.keep_alive
    while not watcher.ended:
        rows = await context.desk.run(views.events, run, seen, _BATCH)
        for row in rows:
            yield frame(row.kind, row.data, row.seq)
            seen = row.seq
            if row.kind == "end":
                return
        if len(rows) == _BATCH:
            continue
        # The bell is the fast way; looking again now and then finds what nobody rang for.
        status = await context.desk.run(views.run_status, run)
        if status is None or Status(status).final:
            if not await context.desk.run(views.events, run, seen, 1):
                yield frame("end", {"status": status})  # its steps have been swept away
                return
            continue
        if not await watcher.wait(quiet):
            yield KEEP_ALIVE
            if not await _may_stay(context, call):
                return


async def _everything(call: Call, watcher: Watcher) -> AsyncGenerator[bytes, None]:
    yield frame("hello", {})
    quiet = call.context.services.settings.keep_alive
    while not watcher.ended:
        if not await watcher.wait(quiet):
            yield KEEP_ALIVE
            if not await _may_stay(call.context, call):
                return
        for name, data in watcher.take():
            yield frame(name, data)


async def _may_stay(context: Context, call: Call) -> bool:
    """Whether the token still holds. A database that is away for a while ends no stream."""
    if call.principal is None:
        return False
    try:
        return await context.gate.still_holds(call.request, call.principal)
    except DocAlignError:
        return True
