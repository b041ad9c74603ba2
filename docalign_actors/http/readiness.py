"""Whether the service should be sent work. Anybody may ask, so many who ask at once are answered by one look."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from docalign_actors.errors import DocAlignError
from docalign_actors.http.desk import Desk
from docalign_actors.http.services import Services

_WITHIN = 3.0
"""Seconds in which each part has to answer."""
_FRESH = 1.0
"""Seconds for which an answer holds."""


class Readiness:
    """Asks the database, the actor system and the service itself."""

    def __init__(self, services: Services, desk: Desk) -> None:
        self._services = services
        self._desk = desk
        self._looking: asyncio.Task[list[str]] | None = None
        self._looked = float("-inf")

    async def reasons(self) -> list[str]:
        """Why it should not, one sentence each; none if it should."""
        now = self._services.clock.monotonic()
        looking = self._looking
        if looking is None or (looking.done() and now - self._looked >= _FRESH):
            looking = self._looking = asyncio.ensure_future(self._look())
        return await asyncio.shield(looking)

    async def _look(self) -> list[str]:
        services = self._services
        found = await asyncio.gather(
            self._ask("the database", services.views.trouble),
            self._ask("the actor system", services.system.healthy),
            self._ask("the service", services.ready),
        )
        self._looked = services.clock.monotonic()
        return list(dict.fromkeys(reason for reasons in found for reason in reasons))

    async def _ask(self, name: str, question: Callable[[], Sequence[str]]) -> Sequence[str]:
        try:
            async with asyncio.timeout(_WITHIN):
                return await self._desk.run(question)
        except TimeoutError:
            return [f"{name} does not answer within {_WITHIN:.0f} s"]
        except DocAlignError as error:
            return [f"{name}: {(type(error).__doc__ or '').strip()} ({error.code})"]
