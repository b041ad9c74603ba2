"""From a scan's results to an application's receiver: what is told, in which order, and what is known of it afterwards."""

from __future__ import annotations

from collections.abc import Callable

from tests.applications.world import World, spoken, told
from tests.outbound.receiver import Receiver
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
FILES: dict[str, str | bytes] = {
    "README.md": "# A\n",
    "docs/a.md": "a\n",
    "docs/b.md": "b\n" * 50,
    "src/x.py": "x = 1\n",
}


def heard(receiver: Receiver) -> list[str]:
    return [spoken(event) for event in told([body for _, body in receiver.got])]


def test_a_new_subscription_begins_with_a_snapshot_and_goes_on_with_what_changes(
    world: World, repository: Make
) -> None:
    repo = repository(FILES)
    repo_id = world.register(repo)
    world.scan(repo_id, repo, drifted=["src/gone.py"], verified=["src/x.py"])
    with Receiver() as receiver:
        subscription = world.subscribe(world.app(receiver.url), repo_id, ["*.md"])
        world.quiet(repo_id)
        assert heard(receiver) == [
            "snapshot.started", "file.created README.md", "file.created docs/a.md", "file.created docs/b.md",
            "claim.drifted src/gone.py", "snapshot.completed",
        ]  # fmt: skip
        assert {event["commit"] for event in told([body for _, body in receiver.got])} == {
            repo.git("rev-parse", "HEAD").strip()
        }
        assert set(world.has(subscription)) == {"README.md", "docs/a.md", "docs/b.md"}
        receiver.got.clear()
        repo.write({"docs/a.md": "new\n", "docs/c.md": "c\n"}).move("docs/b.md", "docs/z.md").delete(
            "README.md"
        ).commit()
        world.scan(repo_id, repo, drifted=["docs/b.md"], verified=["src/x.py"])
        world.quiet(repo_id)
        assert heard(receiver) == [
            "file.deleted README.md", "file.updated docs/a.md", "file.created docs/c.md",
            "file.renamed docs/b.md → docs/z.md", "claim.fixed src/gone.py", "claim.drifted docs/b.md",
        ]  # fmt: skip
        assert set(world.has(subscription)) == {"docs/a.md", "docs/c.md", "docs/z.md"}
        assert world.rows("SELECT count(*) FROM outbox") == [(0,)]
