"""Suggestions on lines of the diff: one review for a head, never the same finding twice, nothing outside the diff."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.gitstore import GitStore
from docalign_actors.demo.github.model import Pull, Repository
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.github.ports import DiffLine
from docalign_actors.github.suggesting import MOST_SUGGESTED, fence_for, review_body, reviewed, suggestions, wanted
from docalign_actors.hosts.diffs import MirrorDiffs, new_lines
from docalign_actors.persistence.database import Database
from docalign_actors.scans.model import RepoId
from tests.github.test_telling import report
from tests.github.test_words import HOSTILE, compare
from tests.support.github.workshop import Workshop
from tests.support.spine import SteppedProcesses

README = "".join(f"line {n}\n" for n in range(1, 41))
FILES = {"README.md": README.replace("line 20\n", "Start with `src/app.py`.\n"), "src/app.py": "x = 1\n"}
HEAD = "a" * 40


def finding(line: int, name: str = "src/app.py", *, file: str = "README.md", new: str = "src/main.py", column: int = 13, safe: bool = True) -> Finding:  # fmt: skip
    mention = Mention(file, line, column, name, replacement=new, safe=safe)
    evidence = (Evidence("renamed to src/main.py", name, 1, "c" * 40),)
    return Finding(
        f"id-{re.sub(r'[^a-z]', '', name)[:20]}", "missing-path", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, name,
        f"`{name}` is not there any more.", (mention,), evidence, Fix(new, safe), f"claim-{name}",
    )  # fmt: skip


@pytest.fixture
def shop(database: Database, github: FakeGitHub, processes: SteppedProcesses, tmp_path: Path) -> Iterator[Workshop]:
    with Workshop(database, github, processes, mirrors=tmp_path / "mirrors") as opened:
        yield opened


@pytest.fixture
def repository(shop: Workshop, processes: SteppedProcesses) -> Repository:
    made = shop.github.create_repository("acme/tool", FILES)
    shop.github.install("acme", made)
    processes.wait_for(1).report()
    shop.settle_all()
    return made


def mirrored(shop: Workshop, repository: Repository) -> None:
    """What a real scan does before it says anything."""
    ((repo,),) = shop.rows("SELECT repo_id FROM github_repos")
    target = shop.mirrors / f"{repo}.git"
    subprocess.run(["rm", "-rf", str(target)], check=True)
    subprocess.run(["git", "clone", "--quiet", "--mirror", str(repository.git.path), str(target)], check=True)


def opened(shop: Workshop, repository: Repository, line: int = 21) -> Pull:
    """A pull request whose diff shows the lines around this one."""
    text = FILES["README.md"].replace(f"line {line}\n", f"line {line}, changed\n")
    pull = shop.github.open_pull(repository, "feature", files={"README.md": text})
    shop.settle()
    mirrored(shop, repository)
    return pull


def test_a_certain_fix_on_a_line_of_the_diff_is_suggested_once_and_the_rest_stays_in_the_comment(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    pull = opened(shop, repository)
    far = finding(40, "line 40", new="line forty", column=1)
    unsure = finding(21, "line", new="row", column=1, safe=False)
    processes.wait_for(2).report(**report(finding(20), far, unsure))
    shop.settle_all()
    (remark,) = repository.review_comments.values()
    assert remark.review is not None
    assert (remark.review["path"], remark.review["line"], remark.review["commit_id"]) == ("README.md", 20, pull.head)
    assert "```suggestion\nStart with `src/main.py`.\n```" in remark.body
    (review,) = repository.reviews.values()
    assert (review.commit, reviewed(review.body)) == (pull.head, (pull.head, ("id-srcapppy",)))
    (comment,) = repository.comments.values()
    assert all(place in comment.body for place in ("README.md:20", "README.md:40", "README.md:21"))
    shop.github.clock.advance(2)
    shop.github.push(repository, {"src/other.py": "y = 2\n"}, branch="feature")
    shop.settle()
    mirrored(shop, repository)
    processes.wait_for(3).report(**report(finding(20), far))
    shop.settle_all()
    assert (len(repository.reviews), len(repository.review_comments)) == (1, 1)


def test_a_later_head_gets_a_review_for_what_is_new_in_it(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    opened(shop, repository)
    processes.wait_for(2).report(**report(finding(20)))
    shop.settle_all()
    shop.github.clock.advance(2)
    text = (repository.git.read("feature", "README.md") or b"").decode().replace("line 39\n", "line 39!\n")
    shop.github.push(repository, {"README.md": text}, branch="feature")
    shop.settle()
    mirrored(shop, repository)
    processes.wait_for(3).report(**report(finding(20), finding(40, "line", new="row", column=1)))
    shop.settle_all()
    assert [r.review["line"] for r in repository.review_comments.values() if r.review] == [20, 40]
    assert len(repository.reviews) == 2


@pytest.mark.parametrize(("kind", "method"), [("after", "POST"), ("before", "POST"), ("secondary", "POST")])
def test_whatever_github_does_there_is_one_review(
    shop: Workshop, repository: Repository, processes: SteppedProcesses, kind: str, method: str
) -> None:
    opened(shop, repository)
    shop.github.fail(kind, method=method, path="/reviews", retry_after=1)
    processes.wait_for(2).report(**report(finding(20)))
    shop.settle_all()
    assert (len(repository.reviews), len(repository.review_comments)) == (1, 1)
    assert [c.conclusion for c in repository.checks.values()] == ["action_required"]


def test_a_review_that_github_refuses_costs_neither_the_comment_nor_the_check(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    opened(shop, repository)
    fault = shop.github.fail("before", status=422, method="POST", path="/reviews", times=None)
    processes.wait_for(2).report(**report(finding(20)))
    shop.settle_all()
    assert fault.hits == 1
    assert not repository.reviews
    assert len(repository.comments) == 1
    assert [c.conclusion for c in repository.checks.values()] == ["action_required"]


def test_a_head_that_was_pushed_away_gets_no_review(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    opened(shop, repository)
    shop.github.hooks.next_fates("lose", "lose")
    shop.github.push(repository, {"README.md": "new\n"}, branch="feature")
    processes.wait_for(2).report(**report(finding(20)))
    processes.wait_for(3).report(**report())
    shop.settle_all()
    assert not repository.reviews


def test_without_a_mirror_github_is_asked_which_lines_the_diff_shows(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    opened(shop, repository)
    subprocess.run(["rm", "-rf", str(shop.mirrors)], check=True)
    far = finding(40, "line 40", new="line forty", column=1)
    processes.wait_for(2).report(**report(finding(20), far))
    shop.settle_all()
    assert [r.review["line"] for r in repository.review_comments.values() if r.review] == [20]
    assert len(shop.github.requests("GET", "/files")) == 1


def test_files_that_github_does_not_list_any_more_get_no_suggestion_and_everything_else(
    shop: Workshop, repository: Repository, processes: SteppedProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docalign_actors.hosts.github.installation._A_PAGE", 1)
    monkeypatch.setattr("docalign_actors.hosts.github.installation._MOST_FILE_PAGES", 2)
    text = FILES["README.md"].replace("line 21\n", "line 21, changed\n")
    shop.github.open_pull(repository, "feature", files={"A.md": "a\n", "B.md": "b\n", "README.md": text})
    shop.settle()
    processes.wait_for(2).report(**report(finding(20)))
    shop.settle_all()
    assert len(shop.github.requests("GET", "/files")) == 2
    assert not repository.reviews
    assert len(repository.comments) == 1


def test_the_button_is_there_when_a_fix_is_certain_and_only_then(
    shop: Workshop, repository: Repository, processes: SteppedProcesses
) -> None:
    opened(shop, repository)
    processes.wait_for(2).report(**report(finding(20)))
    shop.settle_all()
    (check,) = repository.checks.values()
    assert check.actions == [{"label": "Fix", "description": "Commit the fixes that are certain", "identifier": "fix"}]
    shop.github.open_pull(repository, "other", files={"README.md": "x\n"})
    shop.settle()
    processes.wait_for(3).report(**report(finding(1, safe=False)))
    shop.settle_all()
    assert list(repository.checks.values())[-1].actions == []


# What git says of the diff


def test_the_lines_of_a_diff_are_those_that_github_shows_in_renamed_files_too(tmp_path: Path) -> None:
    store = GitStore(tmp_path / "origin.git")
    first = store.commit("refs/heads/main", {"a.md": README, "b.md": "one\r\ntwo\r\n", "old.md": README})
    changed = {"a.md": README.replace("line 10\n", "ten\n"), "b.md": "one\r\n2\r\n", "new.md": README + "more\n"}
    head = store.commit("refs/heads/topic", {**changed, "c.md": "--- x\n@@ -1 +1 @@\n"}, ["old.md"], first)
    repo = RepoId(UUID(int=1))
    subprocess.run(["git", "clone", "-q", "--mirror", str(store.path), str(tmp_path / f"{repo}.git")], check=True)
    everything = {(name, line) for name in ("a.md", "b.md", "new.md", "c.md", "gone.md") for line in range(1, 50)}
    shown = MirrorDiffs(tmp_path).shown(repo, "main", head, everything)
    by_file: dict[str, list[int]] = {}
    for one in shown:
        by_file.setdefault(one.path, []).append(one.line)
    assert by_file == {"a.md": list(range(7, 14)), "b.md": [1, 2], "new.md": [38, 39, 40, 41], "c.md": [1, 2]}
    assert [one.text for one in shown if one.path == "b.md"] == ["one", "2"]
    assert [one.text for one in shown if one.path == "c.md"] == ["--- x", "@@ -1 +1 @@"]
    assert MirrorDiffs(tmp_path).shown(repo, "main", "f" * 40, everything) is None


def test_a_line_that_is_no_text_is_left_out() -> None:
    assert list(new_lines(b"@@ -1,2 +1,2 @@\n a\xff\n-b\n+c\n\\ No newline at end of file")) == [(2, "c")]


# What suggestions say


def test_what_a_suggestion_says() -> None:
    found = [finding(3), finding(3, "run()", new="start()", column=30)]
    lines = [DiffLine("README.md", 3, "Start with `src/app.py` and `run()`, or ```.")]
    edited = [f for f in found if f.claim == "src/app.py"] + [finding(3, "run()", new="start()", column=30)]
    (made,) = suggestions(edited, lines, ())
    compare("suggestion", f"{review_body(HEAD, [made])}\n\n---\n\n{made.body}")


def test_everything_certain_about_one_line_is_one_suggestion() -> None:
    lines = [DiffLine("README.md", 3, "Start with `src/app.py` and `run()`.")]
    (made,) = suggestions([finding(3), finding(3, "run()", new="start()", column=30)], lines, ())
    assert "Start with `src/main.py` and `start()`." in made.body
    assert made.findings == ("id-srcapppy", "id-run")


def test_a_line_that_says_something_else_by_now_is_left_alone() -> None:
    assert suggestions([finding(3)], [DiffLine("README.md", 3, "Something else entirely, long enough.")], ()) == []


def test_what_was_suggested_is_not_wanted_again() -> None:
    assert wanted([finding(3)], ["id-srcapppy"]) == frozenset()
    assert wanted([finding(3)], []) == {("README.md", 3)}


def test_there_are_no_more_than_a_reader_can_bear() -> None:
    many = [finding(n, f"{'abcdefghijklmnopqrstuvwxyz'[n % 26] * (n // 26 + 1)}/x", column=1) for n in range(1, 60)]
    lines = [DiffLine("README.md", n, f.claim) for n, f in enumerate(many, 1)]
    assert len(suggestions(many, lines, ())) == MOST_SUGGESTED


def test_nobody_else_s_text_is_taken_for_a_review_of_ours() -> None:
    assert reviewed("LGTM <!-- docalign:review " + HEAD + " x -->") is None


TEXTS = st.one_of(st.sampled_from([t for t in HOSTILE if "\n" not in t]), st.text(max_size=40))


@settings(deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_no_repository_can_leave_the_fence_of_a_suggestion(before: str, old: str, new: str, ground: str) -> None:
    line = f"{before}{old} ```` ~~~"
    mention = Mention("README.md", 1, len(before) + 1, old, replacement=new, safe=True)
    hostile = Finding(
        "id", "missing-path", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, old, f"`{old}` is not {ground}", (mention,),
        (Evidence(ground, before, 1),), Fix(new, True), "c",
    )  # fmt: skip
    for made in suggestions([hostile], [DiffLine("README.md", 1, line)], ()):
        tokens = MarkdownIt("commonmark").parse(made.body.partition("\n")[2])
        fences = [t for t in tokens if t.type == "fence"]
        assert [t.info for t in fences] == ["suggestion"]
        assert tokens[-1] is fences[0]
        text = f"{before}{new} ```` ~~~"
        assert fences[0].content.replace("\ufffd", "\0") == f"{text}\n".replace("\ufffd", "\0")
        prose = "".join(t.content for t in tokens if t.type == "inline")
        shown = MarkdownIt("commonmark", {"html": True}).render(prose)
        assert not re.search(r"@\w|<!--|<(?!/?(?:p|code)\b)", re.sub(r"<code>.*?</code>", "", shown, flags=re.DOTALL))


@given(st.text(alphabet="`a ~\n", max_size=30))
def test_a_fence_is_longer_than_any_in_the_text(text: str) -> None:
    assert fence_for(text) not in text
