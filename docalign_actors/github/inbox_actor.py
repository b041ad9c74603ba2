"""The inbox: writes webhooks down, many in one commit, before GitHub gets its answer."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError
from docalign_actors.github.messages import DISPATCH, Dispatch, Keep
from docalign_actors.github.ports import Inbox
from docalign_actors.supervision.intake import GatheringActor, Intake, fail, settle
from docalign_actors.telemetry.trace import traced

_MOST = 256
"""Webhooks in one transaction."""


class InboxActor(GatheringActor[Keep]):
    """Takes what has gathered in the intake."""

    def __init__(self, intake: Intake[Keep], inbox: Inbox) -> None:
        super().__init__(intake, _MOST)
        self._inbox = inbox

    def answer(self, batch: list[Keep]) -> None:
        try:
            # A batch belongs to many traces, so to none. Statements without a trace are prepared.
            with traced(""):
                self._inbox.keep([one.taken for one in batch])
        except Exception as error:
            for one in batch:
                fail(one.reply, error)
            if not isinstance(error, DocAlignError):
                raise
            return
        for one in batch:
            settle(one.reply, True)
        self.context.tell(DISPATCH, Dispatch())
