"""Fixes that people ask for, over real HTTP, git and PostgreSQL: on the branch, for a fork, for the default branch."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any
from uuid import uuid4

import pytest

from docalign_actors.demo.github.model import Pull, Repository
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import RepoId
from tests.github.test_telling import report
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses

README = "# Tool\r\n\r\nStart with `src/app.py`.\r\n"
FILES = {"README.md": README, "docs/guide/use.md": "Run `src/app.py`.\n", "src/app.py": "x = 1\n"}
MOVED: dict[str, Any] = {"files": {"src/main.py": "x = 1\n"}, "delete": ["src/app.py"]}


def finding(*, safe: bool = True) -> Finding:
    places = (
        Mention("README.md", 3, 13, "src/app.py", "Start with `src/app.py`.", "src/main.py", safe),
        Mention("docs/guide/use.md", 1, 6, "src/app.py", "Run `src/app.py`.", "src/main.py", safe),
    )
    return Finding(
        "f00dfeed0123", "missing-path", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, "src/app.py",
        "`src/app.py` is not there any more.", places, (Evidence("renamed"),), Fix("src/main.py", safe), "claim",
    )  # fmt: skip


@pytest.fixture
def repository(shop: Workshop, processes: SteppedProcesses) -> Repository:
    made = shop.github.create_repository("acme/tool", FILES)
    shop.github.install("acme", made)
    head = made.git.resolve("main")
    processes.wait_for(1).report(report(finding())["report"], ScanFacts("main", head))
    shop.settle_all()
    return made


def repo_of(shop: Workshop) -> RepoId:
    ((repo,),) = shop.rows("SELECT repo_id FROM github_repos")
    return RepoId(repo)


def ask(shop: Workshop, pull: int | None, *findings: str, source: str = "") -> bool:
    assert shop.services.fixes is not None
    return shop.services.fixes.ask_fix(repo_of(shop), pull, findings, "ada", source or str(uuid4()))


def fixes(shop: Workshop) -> list[tuple[Any, ...]]:
    return shop.rows("SELECT state, reason, pull FROM github_fixes ORDER BY position")


def found_false(shop: Workshop, repository: Repository, processes: SteppedProcesses, **more: Any) -> Pull:
    pull = shop.github.open_pull(repository, "feature", **{**MOVED, **more})
    shop.settle()
    processes.wait_for(2).report(**report(finding()))
    shop.settle_all()
    return pull


def test_a_fix_is_one_commit_of_the_bot_s_on_the_branch_and_the_check_turns_green(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    shop.github.clock.advance(2)
    assert ask(shop, pull.number)
    processes.wait_for(3).report(**report())
    shop.settle_all()
    git = repository.git
    assert git.read(pull.head, "README.md") == README.replace("app.py", "main.py").encode()
    assert git.read(pull.head, "docs/guide/use.md") == b"Run `src/main.py`.\n"
    assert git.read(pull.head, "src/main.py") == b"x = 1\n"
    said = git.run("show", "-s", "--format=%an%n%P%n%B", pull.head).splitlines()
    assert said[:3] == [
        "docalign[bot]",
        pull.heads[0][1],
        "Documentation: put right a statement that is not true any more",
    ]
    assert "- README.md:3: missing-path (f00dfeed0123)" in said
    assert fixes(shop) == [("pushed", "", None)]
    assert [c.conclusion for c in repository.checks.values()] == ["action_required", "success"]
    (comment,) = repository.comments.values()
    assert f"fixed in `{pull.head[:9]}`" in comment.body


def test_a_pull_request_from_the_default_branch_is_mended_by_a_pull_request_to_that_branch(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    """As from main to a branch of releases: nobody's default branch gets a commit because somebody pressed a button."""
    repository.git.set_ref("refs/heads/stable", repository.git.resolve("main"))
    head = shop.github.push(repository, **MOVED)
    shop.settle()
    processes.wait_for(2).report(report(finding())["report"], ScanFacts("main", head))
    shop.settle_all()
    release = shop.github.open_pull(repository, "main", base="stable")
    shop.settle()
    processes.wait_for(3).report(**report(finding()))
    shop.settle_all()
    shop.github.clock.advance(2)
    assert ask(shop, release.number)
    processes.wait_for(4).report(**report())
    shop.settle_all()
    assert repository.git.resolve("main") == head
    ((state, _, number),) = fixes(shop)
    assert (state, repository.pulls[number].base_ref) == ("opened", "main")
    assert repository.pulls[number].body.startswith("<!-- docalign:fixes -->")
    assert repository.git.read(repository.pulls[number].head, "docs/guide/use.md") == b"Run `src/main.py`.\n"


def test_the_same_wish_is_carried_out_once_and_a_second_one_finds_nothing_left(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    shop.github.clock.advance(2)
    assert [ask(shop, pull.number, source="delivery 1") for _ in range(2)] == [True, False]
    processes.wait_for(3).report(**report())
    shop.settle_all()
    assert ask(shop, pull.number)
    shop.settle_all()
    assert fixes(shop) == [("pushed", "", None), ("nothing", "nothing is false", None)]
    assert len(pull.heads) == 2


def test_a_fix_waits_for_the_scan_of_a_head_that_was_pushed_meanwhile(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    shop.github.clock.advance(2)
    theirs = shop.github.push(repository, {"docs/guide/use.md": "Run it.\n"}, branch="feature")
    shop.settle()
    process = processes.wait_for(3)
    assert ask(shop, pull.number, "f00dfeed0123")
    process.report(**report(finding()))
    processes.wait_for(4).report(**report())
    shop.settle_all()
    assert repository.git.contains(pull.head, theirs)
    assert repository.git.read(pull.head, "docs/guide/use.md") == b"Run it.\n"
    assert b"src/main.py" in (repository.git.read(pull.head, "README.md") or b"")
    assert fixes(shop) == [("pushed", "", None)]


def test_a_branch_that_moves_under_the_fix_gets_it_on_its_new_head(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    shop.github.clock.advance(2)
    held = shop.github.fail("hang", method="POST", path="/git/commits")
    assert ask(shop, pull.number)
    shop.wait_until(lambda: held.hits == 1)
    theirs = shop.github.push(repository, {"src/more.py": "y = 2\n"}, branch="feature")
    held.lift()
    shop.settle()
    processes.wait_for(3).report(**report(finding()))
    processes.wait_for(4).report(**report())
    shop.settle_all()
    assert repository.git.run("rev-list", f"{theirs}..{pull.head}").count("\n") == 0
    assert repository.git.contains(pull.head, theirs)
    assert fixes(shop) == [("pushed", "", None)]


def test_a_branch_that_is_protected_is_named_in_the_comment_and_nothing_is_forced(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    repository.protected.add("feature")
    assert ask(shop, pull.number)
    shop.settle_all()
    ((state, reason, _),) = fixes(shop)
    assert state == "failed"
    assert "branch feature cannot be written to" in reason
    (comment,) = repository.comments.values()
    assert "The fixes could not be committed: branch feature cannot be written to" in comment.body
    assert len(pull.heads) == 1


def test_a_fork_gets_a_pull_request_of_our_own_with_nothing_of_the_fork_in_it(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes, fork="eve/tool")
    assert ask(shop, pull.number)
    processes.wait_for(3).report(**report(finding()))
    shop.settle_all()
    own = repository.pulls[2]
    assert (own.base_ref, own.author) == ("main", "docalign[bot]")
    assert own.title.startswith("Documentation for #1:")
    changed = repository.git.run("diff", "--name-only", "main", own.head)
    assert changed.split() == ["README.md", "docs/guide/use.md"]
    assert fixes(shop) == [("opened", "", 2)]
    sticky = [c.body for c in repository.comments.values() if c.number == 1]
    assert "The fixes that are certain are in #2." in sticky[0]


def test_the_default_branch_is_mended_by_a_pull_request_that_a_second_wish_does_not_double(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    assert ask(shop, None)
    processes.wait_for(2).report(**report())
    shop.settle_all()
    (own,) = repository.pulls.values()
    assert own.head_ref.startswith("docalign/fixes-")
    assert repository.git.read(own.head, "README.md") == README.replace("app.py", "main.py").encode()
    assert repository.git.read("main", "README.md") == README.encode()
    assert ask(shop, None)
    shop.settle_all()
    assert len(repository.pulls) == 1
    assert [state for state, _, _ in fixes(shop)] == ["opened", "nothing"]


def test_what_is_not_certain_is_not_committed(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = shop.github.open_pull(repository, "feature", **MOVED)
    shop.settle()
    processes.wait_for(2).report(**report(finding(safe=False)))
    shop.settle_all()
    assert ask(shop, pull.number)
    shop.settle_all()
    assert fixes(shop) == [("nothing", "no fix is certain enough to be made unasked", None)]


def test_an_app_that_may_not_write_says_which_permission_it_needs(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = found_false(shop, repository, processes)
    next(iter(shop.github.installations.values())).permissions["contents"] = "read"
    assert ask(shop, pull.number)
    shop.settle_all()
    assert "Contents: write" in fixes(shop)[0][1]


@pytest.mark.parametrize(
    ("kind", "method", "path"),
    [
        ("after", "POST", "/git/commits"),
        ("after", "PATCH", "/git/refs"),
        ("before", "PATCH", "/git/refs"),
        ("secondary", "PATCH", "/git/refs"),
    ],
)
def test_whatever_github_does_there_is_one_commit(
    shop: Workshop, repository: Repository, processes: SteppedProcesses, kind: str, method: str, path: str
) -> None:
    pull = found_false(shop, repository, processes)
    shop.github.clock.advance(2)
    shop.github.fail(kind, method=method, path=path, retry_after=1)
    assert ask(shop, pull.number)
    processes.wait_for(3).report(**report())
    shop.settle_all()
    assert len(pull.heads) == 2
    assert fixes(shop) == [("pushed", "", None)]


def post(shop: Workshop, body: Any, role: Role = Role.OPERATOR, delivery: str = "") -> tuple[int, Any]:
    request = urllib.request.Request(
        f"{shop.address}/api/repos/{repo_of(shop)}/fix", json.dumps(body).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {shop.tokens.create('olga', role)}",
         **({"X-Delivery-Id": delivery} if delivery else {})},
    )  # fmt: skip
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def test_a_fix_is_asked_for_over_http_once_for_each_delivery_id_and_shown_with_its_end(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    first = post(shop, {}, delivery="one")
    assert first[0] == 202
    assert post(shop, {}, delivery="one") == (200, first[1])
    processes.wait_for(2).report(**report())
    shop.settle_all()
    address = f"{shop.address}/api/repos/{repo_of(shop)}/fixes"
    with urllib.request.urlopen(urllib.request.Request(address, headers=shop.bearer()), timeout=10) as answer:
        (shown,) = json.load(answer)["items"]
    assert (shown["id"], shown["state"], shown["pull"]) == (first[1]["fix_id"], "opened", 1)
    assert {one["file"] for one in shown["mended"]} == {"README.md", "docs/guide/use.md"}
    assert post(shop, {"pull": 0})[0] == 422
    assert post(shop, {"findings": ["x'; --"]})[0] == 422
    assert post(shop, {}, Role.VIEWER)[0] == 403


def test_a_repository_that_is_not_github_s_is_told_so(shop: Workshop, repository: Repository) -> None:
    shop.rows("UPDATE github_repos SET archived = archived RETURNING 1")
    assert shop.services.fixes is not None
    plain = shop.add_repo()
    assert shop.services.fixes.ask(plain, None, (), "ada", "x") is None
