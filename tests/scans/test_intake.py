"""Where requests wait for the commit that they share."""

from __future__ import annotations

import threading

from docalign_actors.ids import new_id
from docalign_actors.scans.ingest import Intake
from docalign_actors.scans.model import RepoId, Request, ScanType, Trigger

_LONG = 60.0


def asked() -> Request:
    return Request(RepoId(new_id()), ScanType.FULL, Trigger.MANUAL)


def test_whoever_gathers_goes_on_as_soon_as_those_who_are_expected_have_come() -> None:
    intake, gathered = Intake(), threading.Event()

    def gather() -> None:
        intake.gather(3, _LONG)
        gathered.set()

    thread = threading.Thread(target=gather)
    thread.start()
    for _ in range(3):
        assert not gathered.is_set()
        intake.add(asked(), lambda _: None)
    assert gathered.wait(_LONG / 2)
    thread.join(_LONG)
    assert len(intake.take(10)) == 3


def test_those_who_have_come_already_are_not_waited_for() -> None:
    intake = Intake()
    intake.add(asked(), lambda _: None)
    intake.gather(1, _LONG)
    assert len(intake) == 1


def test_those_who_do_not_come_are_not_waited_for_for_ever() -> None:
    intake = Intake()
    intake.add(asked(), lambda _: None)
    intake.gather(2, 0.0)
    assert len(intake.take(10)) == 1
