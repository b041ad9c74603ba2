"""What can go wrong between a client and the queue."""

from __future__ import annotations


class QueueError(Exception):
    """The queue refused a request. `status` is HTTP's; the text is the queue's own."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status = status
        self.text = text


class LeaseLostError(QueueError):
    """The task is somebody else's now, or has ended: whatever is being done for it is in vain."""


class UnreachableError(QueueError):
    """The queue does not answer, however often it was asked."""

    def __init__(self, text: str) -> None:
        super().__init__(0, text)
