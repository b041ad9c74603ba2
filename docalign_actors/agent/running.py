"""The agent from start to stop: a few threads that claim, work, keep their leases, and let go when they are told to."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from docalign_actors.agent.halting import Halt, HaltedError
from docalign_actors.agent.models import ModelError
from docalign_actors.agent.prompts import clean
from docalign_actors.agent.work import Done, HopelessError, NotDoneError, Worker
from docalign_actors.client import LeaseLostError, QueueError, Task, TaskClient, UnreachableError

EXIT_DONE, EXIT_NOT_DONE, EXIT_REFUSED, EXIT_UNREACHABLE = 0, 1, 2, 3
_WAIT = 5
"""Seconds that a claim waits in the service: as long as it may take to stop when there is nothing to do."""
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
_LONGEST_REASON = 1_500


class Limits(Struct, frozen=True):
    """How much one agent does.

    once      stop when there is nothing left to do, or when the service cannot be reached for a while
    tasks     stop after so many; 0 is no bound
    tokens    claim nothing more after so many; 0 is no bound
    failures  stop when the model has failed so often in a row: going on would only use up the tasks' attempts
    """

    concurrency: int = 1
    lease: int = 300
    once: bool = False
    tasks: int = 0
    tokens: int = 0
    failures: int = 5


Say = Callable[[str], None]


class Agent:
    """One agent. `run` returns the exit code; `stop` may be called from a signal's handler."""

    def __init__(self, client: TaskClient, worker: Worker, commands: Sequence[str], limits: Limits, say: Say) -> None:
        self._client = client
        self._worker = worker
        self._commands = commands
        self._limits = limits
        self._say = say
        self._stop = Halt()
        self._lock = threading.Lock()
        self._claimed = 0
        self._done = 0
        self._tokens = 0
        self._failures = 0
        self._left = 0
        self._code = EXIT_DONE
        self._wait = 1 if limits.once else _WAIT

    def run(self) -> int:
        threads = [
            threading.Thread(target=self._work, name=f"agent-{number}") for number in range(self._limits.concurrency)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tried = f"{self._done:,} of {self._claimed:,} tasks done, about {self._tokens:,} tokens"
        self._say(f"stopped: {tried}" + (f" ({self._stop.reason})" if self._stop.reason else ""))
        return self._code or (EXIT_NOT_DONE if self._left else EXIT_DONE)

    def stop(self, reason: str) -> None:
        """Ends what is under way, and gives it back."""
        # In a thread: a signal's handler must not wait for a lock that the main thread may hold.
        threading.Thread(target=self._stop.set, args=(reason,), daemon=True).start()

    def _work(self) -> None:
        pauses = 0
        try:
            while self._may_claim():
                try:
                    task = self._client.claim(self._commands, lease=self._limits.lease, wait=self._wait)
                except QueueError as error:
                    self._unclaim()
                    if not self._wait_out(error, pauses):
                        return
                    pauses += 1
                    continue
                pauses = 0
                if task is None:
                    self._unclaim()
                    if self._limits.once:
                        return
                else:
                    self._do(task)
        except Exception as error:  # a mistake of ours must not leave the others waiting for this thread
            self._give_up(EXIT_REFUSED, f"the agent itself failed: {type(error).__name__}: {error}")
        finally:
            self._client.close()

    def _may_claim(self) -> bool:
        """Whether one more task is taken; if so, it is counted at once, so that two threads do not take the last."""
        limits = self._limits
        with self._lock:
            spent = limits.tokens and self._tokens >= limits.tokens
            if self._stop.reason or spent or (limits.tasks and self._claimed >= limits.tasks):
                if spent:
                    self._say(f"the bound of {limits.tokens:,} tokens is reached")
                return False
            self._claimed += 1
            return True

    def _unclaim(self) -> None:
        with self._lock:
            self._claimed -= 1

    def _wait_out(self, error: QueueError, pauses: int) -> bool:
        """After a claim that failed: whether it is worth another."""
        if not isinstance(error, UnreachableError) and 400 <= error.status < 500 and error.status not in (408, 429):
            self._give_up(EXIT_REFUSED, f"the service refuses: {error.status} {error.text}")
            return False
        if self._limits.once and pauses >= len(_PAUSES) - 1:
            self._give_up(EXIT_UNREACHABLE, f"the service does not answer: {error.text}")
            return False
        self._say(f"the service does not answer ({error.text[:200]}); trying again")
        return not self._stop.wait(_PAUSES[min(pauses, len(_PAUSES) - 1)])

    def _give_up(self, code: int, why: str) -> None:
        self._code = self._code or code
        self._say(why)
        self._stop.set("given up")

    def _do(self, task: Task) -> None:
        name = f"{task.command} {task.id[-12:]}"
        self._say(f"{name}: claimed, delivery {task.attempts} of {task.max_attempts}")
        began = time.monotonic()
        halt = Halt()
        with self._stop.ending(lambda: halt.set("stopping")), _Beating(self._client, task, self._limits.lease, halt):
            said = self._attempt(task, halt)
        self._say(f"{name}: {said} after {time.monotonic() - began:.1f} s")

    def _attempt(self, task: Task, halt: Halt) -> str:
        """Works on a task, and says what came of it. Whatever happens, the queue hears of it or the lease runs out."""
        try:
            done = self._worker.do(task, halt)
        except HaltedError:
            return self._let_go(task, halt)
        except LeaseLostError:
            return "the lease is lost; let go"
        except HopelessError as error:
            return self._refuse(task, str(error), hopeless=True)
        except NotDoneError as error:
            self._failed(fatal=False)
            return self._refuse(task, str(error))
        except ModelError as error:
            self._failed(fatal=error.fatal)
            return self._refuse(task, str(error))
        except QueueError as error:
            return self._not_done(f"the result was not taken: {error.text}")
        except Exception as error:  # a mistake of ours: the task goes back, with a word
            return self._refuse(task, f"the agent failed: {type(error).__name__}: {error}")
        return self._completed(done)

    def _completed(self, done: Done) -> str:
        with self._lock:
            self._done += 1
            self._tokens += done.tokens
            self._failures = 0
        return f"{done.said}, handed in" + (" at the second try" if done.asked > 1 else "")

    def _let_go(self, task: Task, halt: Halt) -> str:
        if halt.reason != "stopping":
            return "the lease is lost; let go"
        try:
            self._client.abandon(task)
        except QueueError as error:
            return f"stopping, and it could not be given back: {error.text}"
        with self._lock:
            self._claimed -= 1
        return "given back"

    def _refuse(self, task: Task, reason: str, *, hopeless: bool = False) -> str:
        told = clean(reason)[:_LONGEST_REASON]
        try:
            if hopeless:
                self._client.fail(task, told)
                return self._not_done(f"failed: {told}")
            where = self._client.nack(task, told)
        except QueueError as error:
            return self._not_done(f"{told}; and the queue was not told: {error.text}")
        return self._not_done(f"not done ({'a dead letter' if where == 'dlq' else 'it is tried again'}): {told}")

    def _not_done(self, said: str) -> str:
        with self._lock:
            self._left += 1
        return said

    def _failed(self, *, fatal: bool) -> None:
        with self._lock:
            self._failures += 1
            enough = fatal or (self._limits.failures and self._failures >= self._limits.failures)
        if enough:
            self._give_up(EXIT_NOT_DONE, "the model fails again and again; nothing more is claimed")


class _Beating:
    """Keeps the lease while work goes on: three times in its length, so that two may fail. Sets the halt when it is lost."""

    def __init__(self, client: TaskClient, task: Task, lease: int, halt: Halt) -> None:
        self._client = client
        self._task = task
        self._lease = lease
        self._halt = halt
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="agent-lease")

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _beat(self) -> None:
        held = time.monotonic() + self._lease
        while not self._over.wait(self._lease / 3):
            asked = time.monotonic()
            try:
                self._client.heartbeat(self._task, self._lease)
                held = asked + self._lease
            except LeaseLostError:
                self._halt.set("lost")
                break
            except QueueError:
                if time.monotonic() >= held:  # nobody has heard of us for as long as the lease lasts
                    self._halt.set("lost")
                    break
        self._client.close()


def say_to_stderr(text: str) -> None:
    """One line, with the time, and nothing in it that a terminal would obey."""
    line = "".join(c if c.isprintable() else "?" for c in text)
    print(f"{time.strftime('%H:%M:%S')} {line[:2_000]}", file=sys.stderr, flush=True)
