"""The steps of a fix against a model of GitHub: killed, cut off and overtaken by people at any request."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docalign_actors.errors import GitHubError, GitHubForbiddenError, GitHubNotFoundError, GitHubUnavailableError
from docalign_actors.findings.model import Finding, Mention, Severity, Verdict
from docalign_actors.github.fix_steps import Seen, next_step
from docalign_actors.github.fixes import Fix, Making, NewEntry, OwnPull, PullTarget, Scanned, TreeEntry
from docalign_actors.github.mender import Mender
from docalign_actors.github.mending import chosen, inside, is_for, mend, message, paths_of, pull_body, title
from docalign_actors.scans.model import RepoId
from tests.github.test_words import HOSTILE, compare

T = TypeVar("T")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OLD, NEW = b"# Tool\n\nCall `run()`.\n", b"# Tool\n\nCall `start()`.\n"


def finding(
    line: int = 3, text: str = "run()", new: str = "start()", file: str = "README.md", column: int = 7, source: str = ""
) -> Finding:
    mention = Mention(file, line, column, text, source, new, True)
    return Finding(
        f"id-{text}",
        "missing-symbol",
        "symbol",
        Verdict.DRIFTED,
        Severity.HIGH,
        0.9,
        text,
        "m",
        (mention,),
        (),
        None,
        "c",
    )


class KilledError(Exception):
    """The process is gone."""


class Store:
    """One row, in memory."""

    def __init__(self, fix: Fix, bench: Bench) -> None:
        self.fix = fix
        self.bench = bench
        self.ended: tuple[str, str, int | None] | None = None

    def put(self, **more: Any) -> None:
        self.fix = msgspec.structs.replace(self.fix, **more)

    def next_fix(self, installation: int, now: datetime) -> Fix | None:
        return None if self.ended else self.fix

    def scanned(self, fix: Fix, commit: str) -> Scanned:
        false = self.bench.files[commit]["README.md"].count(b"run()")
        return Scanned("decided", (finding(self.bench.line(commit)),) if false else ())

    def record_making(self, fix: Fix, making: Making) -> None:
        self.put(state="making", **{name: getattr(making, name) for name in making.__struct_fields__})

    def start_over(self, fix: Fix) -> None:
        self.put(
            state="asked", parent_sha="", branch="", base_ref="", commit_sha="", pull=None, attempts=fix.attempts + 1
        )

    def end(self, fix: Fix, state: str, reason: str, pull: int | None) -> None:
        self.ended = (state, reason, pull)

    def put_off(self, fix: Fix, error: str, delay: timedelta) -> None:
        self.put(attempts=fix.attempts + 1)


class Bench:
    """GitHub: commits with their files, branches, pull requests. The dice say what goes wrong with each request."""

    def __init__(self, dice: Sequence[int] = (), *, fork: bool = False) -> None:
        self.dice = list(dice)
        self.numbers = itertools.count(1)
        self.files: dict[str, dict[str, bytes]] = {}
        self.parents: dict[str, str] = {}
        self.ours: set[str] = set()
        self.branches: dict[str, str] = {}
        self.pulls: list[OwnPull] = []
        self.fork = fork
        self.protected = False
        self.modes: dict[str, str] = {}
        self.branches["main"] = self.branches["feature"] = self.commit("", {"README.md": OLD})

    def commit(self, parent: str, files: dict[str, bytes], *, own: bool = False) -> str:
        sha = f"{next(self.numbers):040x}"
        self.files[sha], self.parents[sha] = files, parent
        if own:
            self.ours.add(sha)
        return sha

    def line(self, commit: str) -> int:
        return next(n for n, row in enumerate(self.files[commit]["README.md"].split(b"\n"), 1) if b"run()" in row)

    def person_pushes(self) -> None:
        tip = self.branches["feature"]
        files = {**self.files[tip], "README.md": b"A line.\n" + self.files[tip]["README.md"]}
        self.branches["feature"] = self.commit(tip, files)

    def history(self, branch: str) -> list[str]:
        found, at = [], self.branches[branch]
        while at:
            found.append(at)
            at = self.parents[at]
        return found

    def asked(self, work: Callable[[], T]) -> T:
        luck = self.dice.pop() if self.dice else 0
        if luck == 1:
            raise GitHubUnavailableError
        if luck == 4:
            self.person_pushes()
        done = work()
        if luck == 2:
            raise GitHubUnavailableError
        if luck == 3:
            raise KilledError
        return done

    def pull_target(self, repo: str, number: int) -> PullTarget:
        source = "somebody/tool" if self.fork else "acme/tool"
        return self.asked(lambda: PullTarget(True, self.branches["feature"], "feature", source, "main"))

    def default_branch(self, repo: str) -> str:
        return self.asked(lambda: "main")

    def tip(self, repo: str, branch: str) -> str:
        return self.asked(lambda: self.branches.get(branch, ""))

    def own_pulls(self, repo: str, base: str) -> list[OwnPull]:
        return self.asked(lambda: [msgspec.structs.replace(p, head_sha=self.branches[p.head_ref]) for p in self.pulls])

    def root(self, repo: str, commit: str) -> str:
        return self.asked(lambda: f"tree of {commit}")

    def entries(self, repo: str, tree: str) -> list[TreeEntry]:
        commit = tree.removeprefix("tree of ")
        return self.asked(
            lambda: [TreeEntry(n, self.modes.get(n, "100644"), "blob", f"{commit}:{n}") for n in self.files[commit]]
        )

    def blob(self, repo: str, sha: str) -> bytes:
        commit, _, name = sha.partition(":")
        return self.asked(lambda: self.files[commit][name])

    def create_blob(self, repo: str, data: bytes) -> str:
        return self.asked(lambda: f"blob {data!r}")

    def create_tree(self, repo: str, base: str, entries: Sequence[NewEntry]) -> str:
        self.made = {**self.files[base.removeprefix("tree of ")], **{e.path: (e.text or "").encode() for e in entries}}
        return self.asked(lambda: "new tree")

    def create_commit(self, repo: str, message: str, tree: str, parent: str) -> str:
        return self.asked(lambda: self.commit(parent, self.made, own=True))

    def create_branch(self, repo: str, branch: str, commit: str) -> None:
        def work() -> None:
            if self.protected or branch in self.branches:
                raise GitHubError("Reference already exists")
            self.branches[branch] = commit

        self.asked(work)

    def move_branch(self, repo: str, branch: str, commit: str) -> None:
        def work() -> None:
            if self.protected or self.branches[branch] not in (commit, self.parents[commit]):
                raise GitHubError("Update is not a fast forward")
            self.branches[branch] = commit

        self.asked(work)

    def contains(self, repo: str, tip: str, commit: str) -> bool:
        found, at = False, tip
        while at and not found:
            found, at = at == commit, self.parents[at]
        return self.asked(lambda: found)

    def create_pull(self, repo: str, title: str, body: str, branch: str, base: str) -> int:
        def work() -> int:
            if any(p.head_ref == branch for p in self.pulls):
                raise GitHubError("A pull request already exists")
            self.pulls.append(OwnPull(len(self.pulls) + 7, branch, self.branches[branch], body))
            return self.pulls[-1].number

        return self.asked(work)


def carried_out(bench: Bench, **more: Any) -> Store:
    """One fix to its end, whatever the dice do."""
    store = Store(Fix(UUID(int=1), RepoId(UUID(int=2)), "acme/tool", **more), bench)
    mender = Mender(store, lambda *_: None, lambda *_: True)
    for _ in range(400):
        found = mender.next_fix(1, NOW)
        if found is None:
            return store
        try:
            mender.carry_out(*found, bench)
        except GitHubError as error:
            mender.failed(*found, error)
        except KilledError:
            mender = Mender(store, lambda *_: None, lambda *_: True)
    raise AssertionError("it does not come to an end")


REQUESTS = 14
"""No fix of these needs more, if nothing goes wrong."""


def disasters(lucks: int) -> list[list[int]]:
    """Every pair of things that can go wrong, at every pair of requests."""
    found = []
    for first, second in itertools.product(range(REQUESTS), range(REQUESTS)):
        for one, other in itertools.product(range(1, lucks), range(lucks)):
            dice = [0] * (2 * REQUESTS)
            dice[-1 - first] = one
            dice[-2 - first - second] = other
            found.append(dice)
    return found


def test_whatever_happens_a_pull_request_s_branch_gets_the_fix_once_and_loses_nothing() -> None:
    for dice in disasters(5):
        bench = Bench(dice)
        store = carried_out(bench, number=3)
        assert store.ended is not None
        assert store.ended[0] == "pushed", (dice, store.ended)
        history = bench.history("feature")
        assert len([sha for sha in history if sha in bench.ours]) == 1, dice
        assert bench.files[history[0]]["README.md"] == b"A line.\n" * (len(history) - 2) + NEW, dice


@pytest.mark.parametrize("fork", [False, True])
def test_whatever_happens_there_is_one_pull_request_of_our_own(fork: bool) -> None:
    for dice in disasters(4):
        bench = Bench(dice, fork=fork)
        store = carried_out(bench, number=3 if fork else None)
        assert store.ended is not None
        assert store.ended[0] == "opened", (dice, store.ended)
        (pull,) = bench.pulls
        assert bench.files[bench.branches[pull.head_ref]]["README.md"] == NEW
        assert bench.branches["main"] not in bench.ours
        assert is_for(pull.body, 3 if fork else None)


def test_an_open_pull_request_of_ours_is_not_doubled_and_gets_what_is_new() -> None:
    bench = Bench()
    carried_out(bench)
    again = carried_out(bench)
    assert again.ended is not None
    assert again.ended[0] == "nothing"
    assert again.ended[2] == bench.pulls[0].number
    tip = bench.branches[bench.pulls[0].head_ref]
    bench.branches[bench.pulls[0].head_ref] = bench.commit(tip, {"README.md": OLD})
    third = carried_out(bench)
    assert third.ended == ("pushed", "", 7)
    assert len(bench.pulls) == 1
    assert bench.files[bench.branches[bench.pulls[0].head_ref]]["README.md"] == NEW


def test_a_branch_that_may_not_be_pushed_to_is_said_and_not_tried_for_ever() -> None:
    bench = Bench()
    bench.protected = True
    ended = carried_out(bench, number=3).ended
    assert ended is not None
    assert ended[0] == "failed"
    assert "feature" in ended[1]


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_what_is_no_plain_file_is_never_touched(mode: str) -> None:
    bench = Bench()
    bench.modes["README.md"] = mode
    ended = carried_out(bench, number=3).ended
    assert ended is not None
    assert ended[0] == "nothing"


def test_a_finding_that_is_not_there_is_named() -> None:
    assert carried_out(Bench(), number=3, findings=("nope",)).ended == (
        "nothing", "finding nope is not there, or not any more", None,
    )  # fmt: skip


def test_a_permission_that_is_missing_is_named() -> None:
    class Strict(Bench):
        def create_tree(self, *_: Any) -> str:
            raise GitHubForbiddenError("Resource not accessible by integration.")

    ended = carried_out(Strict(), number=3).ended
    assert ended is not None
    assert "Contents: write" in ended[1]


def test_a_pull_request_that_is_not_there_is_said() -> None:
    class Empty(Bench):
        def pull_target(self, *_: Any) -> PullTarget:
            raise GitHubNotFoundError

    assert carried_out(Empty(), number=3).ended == ("failed", "there is no such pull request", None)


def test_a_fix_that_waits_for_ever_is_given_up() -> None:
    fix = Fix(UUID(int=1), RepoId(UUID(int=2)), "acme/tool", 3, attempts=60)
    assert getattr(next_step(fix, Seen()), "state", "") == "failed"


# What is written into files


def test_ends_of_lines_and_bytes_that_are_no_text_stay_as_they_are() -> None:
    data = b"\xef\xbb\xbf# Tool \xff\r\n\r\nCall `run()`.\r\n"
    work = mend([finding()], {"README.md": data})
    assert work.files == {"README.md": data.replace(b"run()", b"start()")}
    assert [(m.file, m.line) for m in work.mended] == [("README.md", 3)]


def test_only_what_is_put_right_is_named() -> None:
    work = mend([finding(), finding(2, "gone()"), finding(file="other.md")], {"README.md": OLD})
    assert [one.finding for one in work.mended] == ["id-run()"]


def test_a_line_that_moved_is_found_if_there_is_only_one_like_it() -> None:
    moved = finding(source="Call `run()`.")
    assert mend([moved], {"README.md": b"a\nb\nc\nCall `run()`.\r\n"}).files == {
        "README.md": b"a\nb\nc\nCall `start()`.\r\n"
    }
    assert mend([moved], {"README.md": b"x\nCall `run()`.\nCall `gun()`.\nCall `run()`.\n"}).files == {}
    assert mend([finding()], {"README.md": b"a\nb\nc\nCall `run()`.\n"}).files == {}


@pytest.mark.parametrize(
    "path", ["../x.md", "/etc/x.md", "a/../../x.md", ".git/config", "a/.GIT/hooks/x", "a//b.md", "a\\b.md", "", "."]
)
def test_paths_that_lead_out_of_the_repository_are_refused(path: str) -> None:
    assert not inside(path)
    assert chosen([finding(file=path)], ()) == []
    assert paths_of([finding(file=path)]) == []


def test_what_the_commit_and_the_pull_request_say() -> None:
    fix = Fix(UUID(int=1), RepoId(UUID(int=2)), "acme/tool", 12, asked_by="ada", base_ref="main")
    mended = mend(
        [finding(), finding(4, "gun()", "sun()")], {"README.md": b"\n\nCall `run()`.\nCall `gun()`.\n"}
    ).mended
    own = msgspec.structs.replace(fix, number=None)
    direct = msgspec.structs.replace(fix, base_ref="")
    parts = [
        message(direct, mended[:1]),
        title(fix, mended),
        pull_body(fix, mended),
        title(own, mended),
        pull_body(own, mended),
    ]
    compare("fix", "\n\n---\n\n".join(parts) + "\n")


@settings(deadline=None)
@given(st.sampled_from(HOSTILE), st.sampled_from(HOSTILE))
def test_no_file_s_name_can_mention_anybody_or_close_an_issue(path: str, person: str) -> None:
    fix = Fix(UUID(int=1), RepoId(UUID(int=2)), "acme/tool", None, asked_by=person)
    mended = mend([finding(file="x")], {"x": OLD}).mended
    hostile = tuple(msgspec.structs.replace(one, file=f"fixes {path}#1 GH-1") for one in mended)
    said = message(fix, hostile)
    assert "#1" not in said
    assert "GH-1" not in said
    assert "@e" not in said
    assert len(said.splitlines()) == 5
