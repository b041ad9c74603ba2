"""Real git repositories that are renamed in, force-pushed, emptied, and lose their mirrors: the right events all the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest

from docalign_actors.applications.model import SubscriptionId
from docalign_actors.scans.model import RepoId, ScanType
from tests.applications.world import World, spoken, told
from tests.outbound.receiver import Receiver
from tests.support.repository import Repository
from tests.support.waiting import until

Make = Callable[[dict[str, str | bytes]], Repository]
LONG = "".join(f"line {n}\n" for n in range(40))
FILES: dict[str, str | bytes] = {"README.md": "# A\n", "docs/a.md": LONG, "src/x.py": "x = 1\n"}


class Following:
    """A subscription that has had its snapshot, and what it hears from then on."""

    def __init__(self, world: World, repository: Repository, receiver: Receiver, *paths: str, branch: str = "") -> None:
        self.world, self.repository, self.receiver = world, repository, receiver
        self.repo: RepoId = world.register(repository)
        world.scan(self.repo, repository)
        self.app = world.app(receiver.url)
        self.id: SubscriptionId = world.subscribe(self.app, self.repo, paths, branch=branch)
        if branch:
            world.scan(self.repo, repository)
        world.quiet(self.repo)
        receiver.got.clear()

    def hears(self, **found: list[str]) -> list[str]:
        """After a scan."""
        self.world.scan(self.repo, self.repository, **found)
        return self.heard()

    def heard(self) -> list[str]:
        self.world.quiet(self.repo)
        heard = [spoken(event) for event in told([body for _, body in self.receiver.got])]
        self.receiver.got.clear()
        return heard

    def tree(self) -> dict[str, str]:
        lines = self.repository.git("ls-tree", "-r", "HEAD").splitlines()
        return {line.partition("\t")[2]: line.split()[2] for line in lines}


def test_a_force_push_is_told_as_the_difference_of_two_trees(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        one.repository.write({"docs/b.md": "b\n"}).commit("to be lost")
        assert one.hears() == ["file.created docs/b.md"]
        one.repository.git("reset", "-q", "--hard", "HEAD~1")
        one.repository.write({"docs/c.md": "c\n"}).commit("instead")
        assert one.hears() == ["file.deleted docs/b.md", "file.created docs/c.md"]
        assert world.has(one.id) == one.tree()


def test_a_history_without_a_common_ancestor_is_told_as_well(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        one.repository.git("checkout", "-q", "--orphan", "fresh")
        one.repository.git("rm", "-rqf", "docs")
        one.repository.write({"README.md": "# B\n"}).commit("fresh")
        one.repository.git("branch", "-qM", "main")
        assert one.hears() == ["file.updated README.md", "file.deleted docs/a.md"]
        assert world.has(one.id) == one.tree()


def test_an_emptied_branch_has_no_files_and_what_comes_back_is_new(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        one.repository.delete("README.md", "docs", "src").commit("empty")
        assert one.hears() == ["file.deleted README.md", "file.deleted docs/a.md", "file.deleted src/x.py"]
        assert world.has(one.id) == {}
        one.repository.write({"README.md": "# A\n"}).commit("again")
        assert one.hears() == ["file.created README.md"]


def test_a_rename_across_the_subscribed_paths_is_a_deletion_or_a_creation(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver, "docs/**")
        one.repository.move("docs/a.md", "docs/z.md").commit()
        assert one.hears() == ["file.renamed docs/a.md → docs/z.md"]
        one.repository.move("docs/z.md", "elsewhere.md").commit()
        assert one.hears() == ["file.deleted docs/z.md"]
        one.repository.move("elsewhere.md", "docs/back.md").commit()
        assert one.hears() == ["file.created docs/back.md"]


def test_a_file_that_becomes_executable_or_a_link_is_updated(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        one.repository.git("update-index", "--chmod=+x", "src/x.py")
        one.repository.git("commit", "-qm", "mode")
        assert one.hears() == ["file.updated src/x.py"]
        (one.repository.root / "README.md").unlink()
        (one.repository.root / "README.md").symlink_to("docs/a.md")
        one.repository.git("update-index", "--chmod=+x", "src/x.py")
        one.repository.git("add", "README.md")
        one.repository.git("commit", "-qm", "link")
        world.scan(one.repo, one.repository)
        world.quiet(one.repo)
        (event,) = told([body for _, body in receiver.got])
        assert (event["event"], event["file"]["mode"]) == ("file.updated", "symlink")
        assert event["file"]["content"] == {"encoding": "utf-8", "text": "docs/a.md"}


def test_names_that_are_no_utf_8_are_told_apart(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        for name in (b"a-\xff.md", b"a-\xfe.md", "ü.md".encode()):
            (one.repository.root / os.fsdecode(name)).write_bytes(name)
        one.repository.commit()
        assert one.hears() == ["file.created a-\\xfe.md", "file.created a-\\xff.md", "file.created ü.md"]
        (one.repository.root / os.fsdecode(b"a-\xff.md")).unlink()
        one.repository.commit()
        assert one.hears() == ["file.deleted a-\\xff.md"]
        assert {"a-\\xfe.md", "ü.md"} < set(world.has(one.id))


def test_another_branch_is_followed_for_its_files_alone(world: World, repository: Make) -> None:
    repo = repository(FILES)
    repo.git("branch", "side")
    with Receiver() as receiver:
        one = Following(world, repo, receiver, branch="side")
        repo.write({"README.md": "# main\n"}).commit()
        assert one.hears(drifted=["x"]) == []
        repo.git("checkout", "-q", "side")
        repo.write({"README.md": "# side\n"}).commit()
        assert one.hears(drifted=["y"]) == ["file.updated README.md"]
        repo.git("checkout", "-q", "main")
        repo.git("branch", "-qD", "side")
        assert one.hears() == ["file.deleted README.md", "file.deleted docs/a.md", "file.deleted src/x.py"]


def test_the_scan_of_a_pull_request_tells_nothing(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        one.repository.write({"README.md": "# B\n"}).commit()
        world.scan(one.repo, one.repository, drifted=["x"], kind=ScanType.PR)
        world.fail(one.repo, ScanType.PR)
        assert world.rows("SELECT count(*) FROM journal_notes") == [(0,)]
        assert one.heard() == []


def test_claims_and_health_are_told_once_whatever_is_scanned_again(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        assert one.hears(drifted=["a", "b"], verified=["c", "d"]) == [
            "claim.drifted a",
            "claim.drifted b",
            "health.changed",
        ]
        assert one.hears(drifted=["a", "b"], verified=["c", "d"]) == []
        assert one.hears(drifted=["b", "c"], verified=["a", "d"]) == ["claim.fixed a", "claim.drifted c"]
        assert one.hears(verified=["a"]) == ["claim.fixed b", "claim.fixed c", "health.changed"]


def test_a_scan_that_failed_and_a_breaker_are_told(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        run = world.fail(one.repo, error="no such host")
        world.quiet(one.repo)
        (event,) = told([body for _, body in receiver.got])
        assert event["scan"] == {
            "scan_run_id": str(run), "type": "full", "trigger": "manual", "attempts": 1, "code": "DOCALIGN_E106", "error": "no such host",
        }  # fmt: skip
        receiver.got.clear()
        moves = [
            ("closed", "open"),
            ("open", "half_open"),
            ("half_open", "open"),
            ("open", "half_open"),
            ("half_open", "closed"),
        ]
        for before, after in moves:
            world.rows(
                "INSERT INTO circuit_history (repo_id, at, before, after, cause, failures) VALUES (%s, now(), %s, %s, 'failed', 5)",
                one.repo, before, after,
            )  # fmt: skip
        world.look(one.repo)
        assert one.heard() == ["breaker.opened", "breaker.closed"]


def test_when_the_commit_before_is_not_to_be_had_what_differs_is_told(world: World, repository: Make) -> None:
    """The mirror was thrown away, and the repository was force-pushed meanwhile."""
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        shutil.rmtree(world.folder / "mirrors")
        one.repository.write({"README.md": "# B\n", "new.md": "n\n"}).delete("src").git("add", "-A")
        one.repository.git("commit", "-q", "--amend", "-m", "rewritten")
        one.repository.git("reflog", "expire", "--expire=now", "--all")
        one.repository.git("gc", "-q", "--prune=now")
        assert one.hears() == [
            "snapshot.started", "file.updated README.md", "file.created new.md", "file.deleted src/x.py", "snapshot.completed",
        ]  # fmt: skip
        assert world.has(one.id) == one.tree()


def test_without_a_mirror_a_scan_is_asked_for_and_its_end_starts_the_snapshot(world: World, repository: Make) -> None:
    repo = repository(FILES)
    repo_id = world.register(repo)
    world.scan(repo_id, repo)
    shutil.rmtree(world.folder / "mirrors")
    with Receiver() as receiver:
        subscription = world.subscribe(world.app(receiver.url), repo_id)
        until(lambda: repo_id in world.asked_for)
        world.scan(repo_id, repo)
        world.quiet(repo_id)
        assert set(world.has(subscription)) == set(FILES)
        assert world.asked_for == [repo_id]


def test_a_repository_that_was_never_scanned_is_and_then_the_snapshot_begins(world: World, repository: Make) -> None:
    repo = repository(FILES)
    repo_id = world.register(repo)
    with Receiver() as receiver:
        subscription = world.subscribe(world.app(receiver.url), repo_id)
        until(lambda: world.asked_for == [repo_id])
        world.scan(repo_id, repo)
        world.quiet(repo_id)
        assert set(world.has(subscription)) == set(FILES)


def test_one_who_was_away_for_longer_than_the_journal_is_kept_gets_what_differs(world: World, repository: Make) -> None:
    with Receiver() as receiver:
        one = Following(world, repository(FILES), receiver)
        world.store.pause(one.app, one.id)
        one.repository.write({"README.md": "# B\n"}).commit()
        world.scan(one.repo, one.repository)
        one.repository.write({"README.md": "# C\n"}).delete("docs").commit()
        world.scan(one.repo, one.repository)
        until(lambda: not world.rows("SELECT 1 FROM journal_notes"))
        world.rows("UPDATE journal SET at = now() - interval '31 days'")
        from docalign_actors.persistence.housekeeping import PostgresHousekeeper
        from docalign_actors.upkeep.ports import Keep

        assert PostgresHousekeeper(world.database).sweep(Keep())["journal"] == 1
        world.store.resume(one.app, one.id)
        world.look(one.repo)
        assert one.heard() == [
            "snapshot.started",
            "file.updated README.md",
            "file.deleted docs/a.md",
            "snapshot.completed",
        ]


@pytest.mark.parametrize("size", [100, 65_536, 65_537, 200_000, 2**20 + 1])
def test_binary_files_come_in_pieces_with_one_id_and_large_ones_by_address(
    world: World, repository: Make, size: int
) -> None:
    import base64

    data = bytes(range(256)) * (size // 256) + bytes(size % 256)
    repo = repository({"x.bin": data})
    repo_id = world.register(repo)
    world.scan(repo_id, repo)
    with Receiver() as receiver:
        app = world.app(receiver.url)
        subscription = world.subscribe(app, repo_id)
        world.quiet(repo_id)
        contents = [event["file"]["content"] for event in told([body for _, body in receiver.got]) if "file" in event]
    if size > 2**20:
        delivery = next(one for one in world.log.deliveries(10, app=app).items if one.name == "x.bin")
        assert contents == [
            {"encoding": "url", "url": f"https://docs.example.org/api/deliveries/{delivery.id}/content"}
        ]
    else:
        assert b"".join(base64.b64decode(content["data"]) for content in contents) == data
        assert len({content["id"] for content in contents}) == 1
        assert [content["chunk"] for content in contents] == list(range(1, contents[0]["chunks"] + 1))
    assert set(world.has(subscription)) == {"x.bin"}
