"""Receivers that refuse, fail, hang, break off and lie: what is tried again, what is given up, and who is held up by it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from docalign_actors.applications.model import AppId, SubscriptionId
from docalign_actors.outbound.actor import CARRIERS
from docalign_actors.scans.model import RepoId
from tests.applications.receiver_process import ReceiverProcess
from tests.applications.world import World, spoken
from tests.support.repository import Repository
from tests.support.waiting import until

Make = Callable[[dict[str, str | bytes]], Repository]
Subscribed = tuple[World, RepoId, AppId, SubscriptionId]
WHOLE = ["snapshot.started", "file.created a.md", "file.created b.md", "snapshot.completed"]


@pytest.fixture
def repo(world: World, repository: Make) -> RepoId:
    made = repository({"a.md": "a\n", "b.md": "b\n"})
    repo = world.register(made)
    world.scan(repo, made)
    return repo


def subscribed(world: World, repo: RepoId, url: str, name: str = "reader") -> tuple[AppId, SubscriptionId]:
    app = world.app(url, name)
    return app, world.subscribe(app, repo)


@pytest.mark.parametrize("manner", ["500", "503", "429", "reset", "nonsense"])
def test_what_may_pass_is_tried_again_and_nothing_overtakes_it(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str, manner: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "200", manner, manner, "200"))
    world.quiet(repo)
    heard = [spoken(event) for event in receivers.events(path)]
    assert heard == [WHOLE[0], WHOLE[1], WHOLE[1], WHOLE[1], WHOLE[2], WHOLE[3]]
    ids = [event["id"] for event in receivers.events(path)]
    assert ids[1] == ids[2] == ids[3]
    assert len(set(ids)) == 4
    assert world.subscription(subscription)[:2] == ("active", "following")
    assert {row.attempts for row in world.log.deliveries(10, app=app).items} == {1, 3}


@pytest.mark.parametrize("manner", ["422", "401", "302"])
def test_a_refusal_fails_the_subscription_at_once_keeps_the_answer_and_resuming_goes_on_where_it_stopped(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str, manner: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "200", manner))
    world.until(lambda: world.subscription(subscription)[0] == "failed")
    status, _, failure, answer = world.subscription(subscription)
    assert (status, answer) == ("failed", f'{{"error": "no  [31m{manner}"}}')
    assert failure.startswith(f"answered {manner}")
    (dead,) = world.log.deliveries(10, app=app, status="dead").items
    assert (dead.name, dead.attempts, dead.answer) == ("a.md", 1, answer)
    world.look(repo)
    world.post()
    assert len(receivers.arrived(path)) == 2
    receivers.meet(path, "200")
    world.store.resume(app, subscription)
    world.post()
    world.quiet(repo)
    assert [spoken(event) for event in receivers.events(path, ["200"])] == WHOLE
    assert world.log.deliveries(10, app=app, status="dead").items == []


def test_five_strikes_and_a_delivery_is_a_dead_letter_and_its_subscription_has_failed(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "503"))
    world.until(lambda: world.subscription(subscription)[0] == "failed")
    assert len(receivers.arrived(path)) == 5
    assert len({event["id"] for event in receivers.events(path)}) == 1
    assert world.log.deliveries(10, app=app, status="dead").items[0].attempts == 5


def test_another_address_is_tried_at_once_and_with_all_attempts(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "503"))
    for attempts in range(1, 5):
        world.clock.advance(900)
        until(lambda n=attempts: world.rows("SELECT attempts FROM outbox ORDER BY position LIMIT 1") == [(n,)])  # type: ignore[misc]
    world.store.move(app, receivers.meet(f"{path}-new", "503", "503", "503", "503", "200"))
    world.post()  # no time passes
    receivers.wait_for(f"{path}-new", 1)
    world.quiet(repo)
    assert [spoken(event) for event in receivers.events(f"{path}-new", ["200"])] == WHOLE
    assert world.subscription(subscription)[0] == "active"


def test_those_who_hang_and_one_who_is_slow_hold_up_nobody(
    make_world: Callable[..., World], repository: Make, receivers: ReceiverProcess, path: str
) -> None:
    """More receivers hang than there are carriers in all: whoever answers does not notice."""
    world = make_world(attempts=100, patience=1.0)
    made = repository({"a.md": "a\n", "b.md": "b\n"})
    repo = world.register(made)
    world.scan(repo, made)
    hanging = sum(CARRIERS.values()) + 4
    for number in range(hanging):
        subscribed(world, repo, receivers.meet(f"{path}-hangs-{number}", "hang"), f"hangs-{number}")
    until(lambda: world.rows("SELECT count(*) FROM outbox_lanes WHERE failures > 0") == [(hanging,)])
    world.clock.advance(900)  # all of them are due again
    subscribed(world, repo, receivers.meet(f"{path}-slow", "slow"), "slow")
    subscribed(world, repo, receivers.meet(f"{path}-fine", "200"), "fine")
    for name in (f"{path}-fine", f"{path}-slow"):
        # On a machine that is busy enough they are late, too, and hear something twice.
        world.until(lambda name=name: list(dict.fromkeys(map(spoken, receivers.events(name)))) == WHOLE)  # type: ignore[misc]


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(world: World, repo: RepoId, tmp_path: Path) -> None:
    receiver = ReceiverProcess(str(self_signed(tmp_path / "own.pem")))
    try:
        _, subscription = subscribed(world, repo, receiver.url("x"))
        world.until(lambda: world.subscription(subscription)[0] == "failed")
    finally:
        receiver.close()
    assert "certificate" in world.subscription(subscription)[2].lower()


def test_what_is_sent_is_signed_with_the_application_s_own_secret_and_after_a_rotation_with_both(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str
) -> None:
    app, _ = subscribed(world, repo, receivers.meet(path, "200"))
    world.quiet(repo)
    (first, *_) = receivers.arrived(path)
    assert first["headers"]["x-docalign-event"] == "snapshot.started"
    assert first["headers"]["x-docalign-delivery"] == receivers.events(path)[0]["id"]
    assert given(first) == [signed(world.key.secret(app, 1), first)]
    assert world.store.rotate_secret(app) == 2
    delivery = world.log.deliveries(1, app=app).items[0]
    world.log.replay(delivery.id)
    world.post()
    last = receivers.wait_for(path, 5)[-1]
    assert given(last) == [signed(world.key.secret(app, 2), last), signed(world.key.secret(app, 1), last)]
    assert world.key.secret(app, 1) not in str(world.rows("SELECT * FROM applications, tokens, app_deliveries"))


def given(arrived: dict[str, dict[str, str]]) -> list[str]:
    return arrived["headers"]["x-docalign-signature"].split(", ")


def signed(secret: str, arrived: dict[str, dict[str, str]]) -> str:
    text = f"{arrived['headers']['x-docalign-timestamp']}.{arrived['body']}".encode()
    return f"sha256={hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()}"


def test_nothing_is_sent_while_a_subscription_is_paused_and_everything_afterwards(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str, tmp_path: Path
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "200"))
    world.quiet(repo)
    world.store.pause(app, subscription)
    made = Repository.__new__(Repository)
    made.root = tmp_path / "repository"
    for number in range(3):
        made.write({"a.md": f"{number}\n"}).commit()
        world.scan(repo, made)
    until(lambda: not world.rows("SELECT 1 FROM journal_notes"))
    world.look(repo)
    assert len(receivers.arrived(path)) == 4
    world.store.resume(app, subscription)
    world.look(repo)
    world.quiet(repo)
    assert [event["file"]["content"]["text"] for event in receivers.events(path)[4:]] == ["0\n", "1\n", "2\n"]


def test_a_delivery_that_has_arrived_is_replayed_under_its_own_id(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "200"))
    world.quiet(repo)
    first = receivers.events(path)
    world.log.replay_since(app, subscription, 2)
    world.post()
    receivers.wait_for(path, 7)
    assert receivers.events(path)[4:] == first[1:]
    world.quiet(repo)
    assert {one.status for one in world.log.deliveries(10, app=app).items} == {"delivered"}


def test_a_resync_drops_what_waits_and_sends_everything_again(
    world: World, repo: RepoId, receivers: ReceiverProcess, path: str
) -> None:
    app, subscription = subscribed(world, repo, receivers.meet(path, "200", "200", "422"))
    world.until(lambda: world.subscription(subscription)[0] == "failed")
    receivers.meet(path, "200")
    world.store.resync(app, subscription)
    world.look(repo)
    world.quiet(repo)
    heard = receivers.events(path, ["200"])
    assert [spoken(event) for event in heard] == [*WHOLE[:2], *WHOLE]
    sequences = [event["sequence"] for event in heard]
    assert sequences == sorted(sequences)
    assert {row.status for row in world.log.deliveries(20, app=app).items} == {"delivered", "dropped"}


def self_signed(path: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path
