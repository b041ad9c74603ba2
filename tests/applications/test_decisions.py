"""What a subscription is told, decided without a database: whatever happens, in whatever pieces, it ends up with what there is."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from docalign_actors.applications import telling
from docalign_actors.applications.admission import checked_name, checked_subscription, checked_url
from docalign_actors.applications.errors import BadApplicationError, BadSubscriptionError, MasterKeyError
from docalign_actors.applications.keys import GRACE, Generation, MasterKey, hkdf, master_key, signatures
from docalign_actors.applications.model import (
    CREATED,
    DELETED,
    EVENTS,
    RENAMED,
    UPDATED,
    AppId,
    Branch,
    Claim,
    Entry,
    File,
    Listing,
    Subscription,
    SubscriptionId,
)
from docalign_actors.applications.parts import Limits, content, pieces
from docalign_actors.applications.telling import Known, step
from docalign_actors.engine.globs import matcher
from docalign_actors.scans.model import RepoId

NOW = datetime(2030, 1, 1, tzinfo=UTC)
NAMES = [f"{folder}{letter}.md" for folder in ("", "docs/", "src/") for letter in "abc"]
TREES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["1", "2", "3"]), max_size=6)
Tree = Mapping[str, str]


def file(path: str, blob: str) -> File:
    return File(path, "file", blob, 1)


class Service:
    """The store in a few lines: what is promised, the journal, and an application that believes what it is told."""

    def __init__(self, tree: Tree, paths: tuple[str, ...], events: tuple[str, ...] = EVENTS) -> None:
        self.journal: list[Entry] = []
        self.commits: dict[str, Tree] = {"0": dict(tree)}
        self.branch = Branch("", "0")
        self.promised: dict[tuple[str, str], str | None] = {}
        self.subscription = Subscription(
            id=SubscriptionId(UUID(int=1)), app_id=AppId(UUID(int=2)), repo_id=RepoId(UUID(int=3)), branch="", paths=paths,
            events=events, phase="new", commit=None, cursor="", position=0, sequence=0, lane="l", url="u",
        )  # fmt: skip
        self.has: dict[str, str] = {}
        self.heard: list[str] = []

    def push(self, tree: Tree, rename: bool = False) -> None:
        old, commit = self.commits[self.branch.commit or "0"], str(len(self.commits))
        self.commits[commit] = dict(tree)
        gone, new = sorted(old.keys() - tree.keys()), sorted(tree.keys() - old.keys())
        entries: list[dict[str, Any]] = []
        if rename and gone and new:
            moved, target = gone.pop(0), new.pop(0)
            entries.append({"kind": RENAMED, "name": target, "previous_name": moved, "blob": tree[target]})
        entries += [{"kind": DELETED, "name": path} for path in gone]
        entries += [{"kind": CREATED, "name": path, "blob": tree[path]} for path in new]
        entries += [
            {"kind": UPDATED, "name": p, "blob": tree[p]} for p in sorted(tree.keys() & old.keys()) if tree[p] != old[p]
        ]
        for entry in entries:
            self.journal.append(Entry(mode="file", commit=commit, at=NOW, position=len(self.journal) + 1, **entry))
        self.branch = replace(self.branch, commit=commit, position=len(self.journal))

    def feed(self, room: int) -> None:
        one = self.subscription
        promised = dict(self.promised)
        if one.phase in ("files", "claims"):
            sort = "file" if one.phase == "files" else "claim"
            promised = {key: v for key, v in sorted(promised.items()) if key[0] == sort and key[1] > one.cursor}
        listing = Listing.of(file(path, blob) for path, blob in self.commits[one.commit or "0"].items())
        known = Known(
            branch=self.branch, files=listing, promised=dict(list(promised.items())[:3]) if one.phase == "files" else promised,
            all_promised=one.phase != "files" or len(promised) <= 3, entries=self.journal[one.position : one.position + 4],
        )  # fmt: skip
        made = step(one, known, room)
        for key in made.forgotten:
            self.promised.pop(key, None)
        self.promised.update(made.promises)
        for event in made.events:
            self.apply(event)
        self.subscription = replace(
            one, phase=made.phase, commit=made.commit, cursor=made.cursor, position=made.position
        )

    def apply(self, event: telling.Event) -> None:
        self.heard.append(event.kind)
        if event.kind == CREATED:
            assert event.name not in self.has, "created twice"
        if event.kind in (UPDATED, DELETED):
            assert event.name in self.has, f"{event.kind} before it was created"
        if event.kind == RENAMED:
            self.has.pop(event.previous_name)
        if event.kind == DELETED:
            self.has.pop(event.name)
            if self.promised.get(("file", event.name), "x") is None:
                del self.promised["file", event.name]
        elif event.file is not None:
            assert self.has.get(event.name) != event.file.blob, "told what it has"
            self.has[event.name] = event.file.blob

    def catch_up(self, room: int) -> None:
        for _ in range(500):
            one = self.subscription
            if one.phase == "following" and one.position == self.branch.position:
                return
            self.feed(room)
        raise AssertionError(self.subscription)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("push"), TREES, st.booleans()), st.tuples(st.just("feed"), st.integers(1, 3)),
        st.tuples(st.just("resync")), st.tuples(st.just("forget journal")),
    ),
    max_size=12,
)  # fmt: skip


@given(TREES, STEPS, st.sampled_from([(), ("docs/**",), ("*.md", "!src/**")]), st.integers(1, 4))
def test_whatever_happens_an_application_ends_up_with_the_files_that_it_subscribed_to(
    tree: Tree, steps: list[tuple[Any, ...]], paths: tuple[str, ...], room: int
) -> None:
    service = Service(tree, paths)
    for one in steps:
        match one:
            case ("push", pushed, rename):
                service.push(pushed, rename)
            case ("feed", size):
                service.feed(size)
            case ("resync",):
                service.promised.clear()
                service.has.clear()
                service.subscription = replace(service.subscription, phase="new", commit=None, cursor="")
            case _:
                service.branch = replace(service.branch, floor=service.branch.position)
    service.catch_up(room)
    wanted = matcher(paths) if paths else lambda path: True
    last = service.commits[service.branch.commit or "0"]
    assert service.has == {path: blob for path, blob in last.items() if wanted(path)}
    assert {name: str(v).split()[1] for (_, name), v in service.promised.items() if v} == service.has


@given(TREES, st.lists(st.tuples(TREES, st.booleans()), max_size=5), st.sets(st.sampled_from(EVENTS[:4]), min_size=1))
def test_only_what_was_asked_for_is_told(tree: Tree, pushes: list[tuple[Tree, bool]], events: set[str]) -> None:
    service = Service(tree, (), tuple(events))
    service.apply = lambda event: service.heard.append(event.kind)  # type: ignore[method-assign]
    for pushed, rename in pushes:
        service.push(pushed, rename)
        service.catch_up(3)
    assert set(service.heard) <= events | {"snapshot.started", "snapshot.completed"}


@pytest.mark.parametrize("each", [10, 1_000])
@pytest.mark.parametrize("count", [0, 1, 5_000, 5_001, 12_000])
def test_a_large_tree_is_told_in_steps_and_nothing_is_left_out(count: int, each: int) -> None:
    files = Listing.of(file(f"{n:06}.md", "1") for n in range(count))
    one = replace(Service({}, ()).subscription, phase="files", commit="0", paths=(f"*{str(each)[1:]}.md",))
    told: list[str] = []
    while one.phase == "files":
        made = step(one, Known(branch=Branch("", "0"), files=files), 16)
        told += [event.name for event in made.events]
        one = replace(one, phase=made.phase, cursor=made.cursor)
    assert told == [f"{n:06}.md" for n in range(0, count, each)]


def test_one_who_fell_behind_hears_what_differs_however_much_it_has() -> None:
    service = Service(dict.fromkeys(NAMES, "1"), ())
    service.catch_up(3)
    service.heard.clear()
    service.push({**dict.fromkeys(NAMES[2:], "1"), NAMES[5]: "2", "z.md": "1"})
    service.branch = replace(service.branch, floor=service.branch.position)
    service.catch_up(3)
    assert service.has == service.commits["1"]
    assert sorted(service.heard) == sorted([
        "snapshot.started", DELETED, DELETED, UPDATED, CREATED, "snapshot.completed",
    ])  # fmt: skip


def test_open_claims_of_a_snapshot_are_those_in_subscribed_files() -> None:
    one = replace(Service({}, ("docs/**",)).subscription, phase="claims", commit="0")
    claims = [
        Claim(fingerprint=f"c{n}", file=name, data={}) for n, name in enumerate(["README.md", "docs/a.md", "docs/b.md"])
    ]
    made = step(one, Known(branch=Branch("", "0"), claims=claims, promised={("claim", "c9"): "drifted"}), 16)
    assert [(event.kind, event.name) for event in made.events] == [
        ("claim.drifted", "c1"), ("claim.drifted", "c2"), ("claim.fixed", "c9"), ("snapshot.completed", ""),
    ]  # fmt: skip
    assert made.phase == "following"


@given(st.binary(max_size=5_000), st.integers(1, 700), st.integers(0, 4_000))
def test_the_pieces_of_a_file_are_the_file(data: bytes, inline: int, chunked: int) -> None:
    limits = Limits(inline, chunked)
    binary = b"\0" in data[:8_000]
    count = pieces(len(data), binary, limits)
    if count == 0:
        assert len(data) > inline
        assert not binary or len(data) > chunked
        return
    made = [content(data, n, count, "i", limits) for n in range(1, count + 1)]
    if made[0]["encoding"] == "utf-8":
        assert made[0]["text"].encode() == data
    else:
        parts = [base64.b64decode(one["data"]) for one in made]
        assert b"".join(parts) == data
        assert all(len(part) <= inline for part in parts)
        assert {(one["id"], one["chunks"]) for one in made} == {("i", count)}


def test_secrets_are_made_as_rfc_5869_says() -> None:
    made = hkdf(b"\x0b" * 22, b"", 42)
    assert made.hex() == ("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")


def test_every_application_and_every_rotation_has_a_secret_of_its_own() -> None:
    key = MasterKey(b"k" * 32)
    first, second = AppId(UUID(int=1)), AppId(UUID(int=2))
    assert (
        len({key.secret(first, 1), key.secret(first, 2), key.secret(second, 1), MasterKey(b"l" * 32).secret(first, 1)})
        == 4
    )
    assert key.secret(first, 1) == MasterKey(b"k" * 32).secret(first, 1)
    assert "k" not in repr(key).removeprefix("MasterKey")


def test_the_secret_before_signs_for_a_day() -> None:
    key, app, rotated = MasterKey(b"k" * 32), AppId(UUID(int=1)), Generation(2, NOW)
    assert len(signatures(key, app, rotated, "1", b"x", NOW + GRACE - timedelta(seconds=1)).split(", ")) == 2
    assert len(signatures(key, app, rotated, "1", b"x", NOW + GRACE).split(", ")) == 1
    assert len(signatures(key, app, Generation(1, NOW), "1", b"x", NOW).split(", ")) == 1


def test_the_master_key_is_made_once_and_is_its_owner_s_alone(tmp_path: Any) -> None:
    app = AppId(UUID(int=1))
    made = master_key(tmp_path / "data").secret(app, 1)
    path = tmp_path / "data" / "applications.key"
    assert master_key(tmp_path / "data").secret(app, 1) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(path.read_bytes()) == 32
    path.chmod(0o644)
    with pytest.raises(MasterKeyError, match="others than its owner"):
        master_key(tmp_path / "data")
    path.chmod(0o600)
    path.write_bytes(b"short")
    with pytest.raises(MasterKeyError):
        master_key(tmp_path / "data")
    assert hashlib.sha256(path.read_bytes()).digest()


@pytest.mark.parametrize(
    "url", ["", "x", "ftp://x.org", "http://", "http://u:p@x.org", "http://x.org:0", "http://x org", "http://x.org/#a", "http://[", "http://é.org",
            "http://127.0.0.1/", "http://localhost:1", "http://a.localhost", "http://[::1]/", "http://x.org/" + "a" * 2_000, "http://x.org/\n"]
)  # fmt: skip
def test_only_public_web_addresses_are_taken(url: str) -> None:
    with pytest.raises(BadApplicationError):
        checked_url(url, allow_private=False)


def test_an_address_of_this_network_is_taken_where_that_is_allowed() -> None:
    assert checked_url("http://127.0.0.1:8/x", allow_private=True) == "http://127.0.0.1:8/x"
    assert checked_url("https://x.org/a?b=1", allow_private=False)


@given(st.text(max_size=120))
def test_a_name_is_printable_and_short_or_refused(name: str) -> None:
    try:
        assert checked_name(name) == name.strip()
    except BadApplicationError:
        assert not name.strip() or len(name.strip()) > 100 or not name.strip().isprintable()


@pytest.mark.parametrize(
    "branch",
    [
        "-x",
        "a b",
        "a..b",
        "a~1",
        "/a",
        "a/",
        "a//b",
        "x.lock",
        ".a",
        "a/.b",
        "@",
        "a@{1}",
        "a\\b",
        "x\0",
        "a.",
        "é" * 300,
    ],
)
def test_what_cannot_be_a_branch_is_refused(branch: str) -> None:
    with pytest.raises(BadSubscriptionError):
        checked_subscription(branch, (), ())


@pytest.mark.parametrize(
    ("paths", "events"),
    [
        (["a\0"], []),
        ([""], []),
        (["x" * 401], []),
        (["x"] * 101, []),
        (["!"], []),
        ([], ["file.exploded"]),
        ([" "], []),
    ],
)
def test_a_subscription_that_makes_no_sense_is_refused(paths: list[str], events: list[str]) -> None:
    with pytest.raises(BadSubscriptionError):
        checked_subscription("main", paths, events)


@given(st.lists(st.text(max_size=20), max_size=5))
def test_whatever_is_taken_for_a_glob_can_be_matched(paths: list[str]) -> None:
    try:
        taken = checked_subscription("", paths, ())
    except BadSubscriptionError:
        return
    matcher(taken.paths)("docs/a.md")
