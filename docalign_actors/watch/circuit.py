"""The circuit of one repository: closed, open, half-open. Pure; the whole state machine is `after` and `let_through`.

    closed ──(the n-th failure in a row)──▶ open ──(the pause is over, or a person asks)──▶ half-open
       ▲                                     ▲                                                │
       └──────────(success; reset)───────────┼────────────────(failure)───────────────────────┤
       └──────────(success; reset)────────────────────────────────────────────────────────────┘

1. Only git and the right to read count: whether the address answers and lets us in. How a subscriber fares does not.
2. While it is open, nothing is tried by schedule. What a person or a webhook asks for is never refused: it is the try.
3. Half-open lets one try through. Who was let through and never came back is replaced after another pause.
4. A look at the head that succeeds says nothing about a fetch that fails: only a scan takes back what scans have failed at.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

COUNTED = frozenset({"DOCALIGN_E103", "DOCALIGN_E104", "DOCALIGN_E105", "DOCALIGN_E106"})
"""Codes of errors of git and of the right to read: E103 credentials, E104 hidden, E105 forbidden, E106 git."""


class State(Enum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Origin(Enum):
    """Who failed, or succeeded."""

    LOOK = "look"
    SCAN = "scan"


class Rules(Struct, frozen=True):
    """failures: how many in a row open it. pause: seconds that it stays open."""

    failures: int = 5
    pause: float = 1_800.0


class Circuit(Struct, frozen=True, kw_only=True):
    """Where it stands.

    failures     in a row
    origin       who failed last
    open_until   when the pause is over; only while open
    trial_until  until when nobody else is let through; only while half-open
    """

    state: State = State.CLOSED
    failures: int = 0
    origin: Origin | None = None
    open_until: datetime | None = None
    trial_until: datetime | None = None
    error_code: str = ""
    error: str = ""


CLEAN = Circuit()


class Failed(Struct, frozen=True):
    """Git could not reach the repository, or was not let in."""

    origin: Origin
    code: str
    error: str


class Worked(Struct, frozen=True):
    """Git reached the repository."""

    origin: Origin


class CameToNothing(Struct, frozen=True):
    """A scan ended without having said anything about git: it was cancelled, or failed over something else."""


class Asked(Struct, frozen=True):
    """A person or a webhook asked for a scan."""


class Reset(Struct, frozen=True):
    """Somebody says that it works now."""

    cause: str


Happening = Failed | Worked | CameToNothing | Asked | Reset


def after(circuit: Circuit, happening: Happening, rules: Rules, now: datetime) -> Circuit:
    """Where the circuit stands when this has happened."""
    match happening:
        case Reset():
            return CLEAN
        case Worked(origin=Origin.LOOK) if circuit.origin is Origin.SCAN:
            return circuit
        case Worked():
            return CLEAN
        case Failed(origin=origin, code=code, error=error):
            told = replace(circuit, failures=circuit.failures + 1, origin=origin, error_code=code, error=error)
            return _opened(told, rules, now) if _opens(told, rules) else told
        case CameToNothing() if circuit.state is State.HALF_OPEN:
            return replace(circuit, trial_until=now)
        case Asked() if circuit.state is State.OPEN:
            return _half_opened(circuit, rules, now)
    return circuit


def barred_until(circuit: Circuit, now: datetime) -> datetime | None:
    """Until when nothing is tried by schedule; None if a try may be made now."""
    until = circuit.open_until or circuit.trial_until
    return until if until is not None and until > now else None


def let_through(circuit: Circuit, rules: Rules, now: datetime) -> Circuit:
    """Where it stands when a scheduled try is made, which it must allow."""
    return circuit if circuit.state is State.CLOSED else _half_opened(circuit, rules, now)


def cause_of(happening: Happening) -> str:
    """Why it moved, in words."""
    match happening:
        case Reset(cause=cause):
            return cause
        case Worked():
            return "git reached it again"
        case Failed():
            return "git could not reach it"
        case Asked():
            return "a scan was asked for"
        case CameToNothing():
            return "the try came to nothing"


def _opens(told: Circuit, rules: Rules) -> bool:
    return told.state is State.HALF_OPEN or (told.state is State.CLOSED and told.failures >= rules.failures)


def _opened(circuit: Circuit, rules: Rules, now: datetime) -> Circuit:
    until = now + timedelta(seconds=rules.pause)
    return replace(circuit, state=State.OPEN, open_until=until, trial_until=None)


def _half_opened(circuit: Circuit, rules: Rules, now: datetime) -> Circuit:
    until = now + timedelta(seconds=rules.pause)
    return replace(circuit, state=State.HALF_OPEN, open_until=None, trial_until=until)
