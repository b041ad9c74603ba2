"""The inbox: gathers webhooks and writes them down, many in one commit, before GitHub gets its answer."""

from __future__ import annotations

from docalign_actors.errors import DocAlignError
from docalign_actors.github.messages import DISPATCH, Dispatch, Flush, Keep
from docalign_actors.github.ports import Inbox
from docalign_actors.scans.ingest import StoppingError
from docalign_actors.supervision.actor import Actor
from docalign_actors.telemetry.trace import traced

_MOST = 256


class InboxActor(Actor):
    """While one batch is being written, the next gathers by itself."""

    def __init__(self, inbox: Inbox) -> None:
        super().__init__()
        self._inbox = inbox
        self._gathered: list[Keep] = []
        self._flushing = False

    def receive(self, message: object) -> None:
        match message:
            case Keep():
                self._gathered.append(message)
                if not self._flushing:
                    self._flushing = True
                    self.context.tell_self(Flush())
            case Flush():
                self._flushing = False
                while self._gathered:
                    batch, self._gathered = self._gathered[:_MOST], self._gathered[_MOST:]
                    self._write(batch)

    def stopping(self) -> None:
        gathered, self._gathered = self._gathered, []
        for one in gathered:
            _fail(one, StoppingError())

    def _write(self, batch: list[Keep]) -> None:
        try:
            with traced(""):
                self._inbox.keep([one.taken for one in batch])
        except Exception as error:
            for one in batch:
                _fail(one, error)
            if not isinstance(error, DocAlignError):
                raise
            return
        for one in batch:
            if not one.reply.done():
                one.reply.set_result(True)
        self.context.tell(DISPATCH, Dispatch())


def _fail(one: Keep, error: BaseException) -> None:
    if not one.reply.done():
        one.reply.set_exception(error)
