"""A snapshot of the real service, killed in its midst again and again: it goes on where it stopped, in order, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.applications.receiver_process import ReceiverProcess
from tests.support.repository import Repository
from tests.support.service import ServiceProcess

FILES = 48
KILLS = 2


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    made = ServiceProcess.prepared(tmp_path / "data", DOCALIGN_OUTBOUND_ALLOW_PRIVATE="true")
    yield made
    made.kill()
    made.wait_until_nothing_is_left()


@pytest.fixture
def receiver() -> Iterator[ReceiverProcess]:
    made = ReceiverProcess()
    yield made
    made.close()


@pytest.mark.timeout(240)
def test_a_snapshot_goes_on_where_kill_9_stopped_it(
    service: ServiceProcess, receiver: ReceiverProcess, tmp_path: Path
) -> None:
    (tmp_path / "repository").mkdir()
    repository = Repository(tmp_path / "repository", {f"docs/{n:03}.md": f"# {n}\n" for n in range(FILES)})
    service.start("--register", str(repository.root))
    service.until(lambda: service.get("/api/scans")[1]["items"])
    run = service.get("/api/scans")[1]["items"][-1]
    assert service.wait_for_end(run["id"])["status"] == "completed"
    status, made = service.call("POST", "/api/apps", {"name": "reader", "url": receiver.url("reader")})
    assert status == 201, made
    app = made["application"]["id"]
    status, subscription = service.call("POST", f"/api/apps/{app}/subscriptions", {"repo": run["repo_id"]})
    assert status == 201, subscription
    for kill in range(KILLS):
        receiver.wait_for("reader", (kill + 1) * FILES // (KILLS + 1))
        service.kill()
        service.wait_until_nothing_is_left()
        service.start()
    address = f"/api/apps/{app}/subscriptions/{subscription['id']}"
    service.until(lambda: _settled(service.get(address)[1]))
    events = receiver.events("reader")
    first = list({event["id"]: event for event in events}.values())
    assert [event["sequence"] for event in first] == list(range(1, FILES + 3))
    paths = [event["file"]["path"] for event in first if "file" in event]
    assert paths == [f"docs/{n:03}.md" for n in range(FILES)]
    # What came twice was under way when the process was killed: at most one for each kill, and at once after the start.
    assert len(events) - len(first) <= KILLS
    numbers = [event["sequence"] for event in events]
    assert numbers == sorted(numbers)
    assert service.get(address)[1]["files"] == FILES


def _settled(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and found.get("phase") == "following"
        and not found.get("waiting")
        and not found.get("behind")
    )
