"""A worker: claims tasks, does them, says how they ended, and lets go when a lease is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from docalign_actors.client.errors import LeaseLostError, QueueError, UnreachableError
from docalign_actors.client.tasks import Task, TaskClient

_WAIT = 20
_PAUSE = 1.0


class Lease:
    """Whether the task is still ours. Long work looks at `lost` now and then, and stops when it is set."""

    def __init__(self) -> None:
        self.lost = threading.Event()


Handler = Callable[[Task, Lease], Any]


def work(
    client: TaskClient,
    commands: Sequence[str],
    handle: Handler,
    *,
    lease: int = 300,
    stop: threading.Event | None = None,
) -> int:
    """Does tasks one after the other until `stop` is set; gives how many were completed.

    What `handle` returns is the result. An error that it raises is a nack: the task is tried again, by whoever claims it
    next, until its attempts are used up. A lease that is lost is kept quiet about: the task has another owner.
    """
    stop = stop or threading.Event()
    completed = 0
    while not stop.is_set():
        try:
            task = client.claim(commands, lease=lease, wait=_WAIT)
        except (UnreachableError, QueueError) as error:
            if isinstance(error, QueueError) and 400 <= error.status < 500:
                raise
            stop.wait(_PAUSE)  # the service is being started again
            continue
        if task is not None:
            completed += do(client, task, handle, lease)
    client.close()
    return completed


def do(client: TaskClient, task: Task, handle: Handler, lease: int) -> bool:
    """One task, with heartbeats while it is being done. Says whether it was completed."""
    held = Lease()
    done = threading.Event()
    beating = threading.Thread(target=_beat, args=(client, task, held, done, lease), daemon=True)
    beating.start()
    try:
        try:
            result = handle(task, held)
        finally:
            done.set()
            beating.join()
        client.complete(task, result if result is not None else {})
        return True
    except LeaseLostError:
        return False
    except QueueError:
        return False  # the lease runs out, and the task comes back
    except Exception as error:
        if not held.lost.is_set():
            _nack(client, task, f"{type(error).__name__}: {error}")
        return False


def _nack(client: TaskClient, task: Task, reason: str) -> None:
    try:
        client.nack(task, reason[:2_000])
    except QueueError:
        pass  # the lease runs out, and the task comes back


def _beat(client: TaskClient, task: Task, held: Lease, done: threading.Event, lease: int) -> None:
    """Three times in a lease, so that two may fail."""
    while not done.wait(lease / 3):
        try:
            client.heartbeat(task, lease)
        except LeaseLostError:
            held.lost.set()
            break
        except QueueError:
            continue
    client.close()
