"""What agents decided is remembered: by which files it holds, and scans as they really run that go by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from docalign_actors.contracts import ClaimInQuestion, Excerpt, FileHint, RepositoryAtCommit, VerificationTask
from docalign_actors.hosts.processes import LocalProcesses
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.housekeeping import PostgresHousekeeper
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import RepoId, RunId
from docalign_actors.scans.ports import Job, Started
from docalign_actors.scans.referrals import Answer, Asking, Kept, RememberedVerdict, Resumed
from docalign_actors.scans.remembering import files_of, holds, key_of, recall, worth_keeping
from docalign_actors.upkeep.ports import Keep
from tests.referrals.questions import REPORT_OF_ONE, TIMEOUT, says
from tests.referrals.waiting import findings, hand_in, open_tasks, take
from tests.support.repository import Repository
from tests.support.spine import PATIENCE, Spine

# Which verdicts hold

CLAIM = ClaimInQuestion(TIMEOUT.claim_id, "default", "timeout", "README.md", 3, "It is `timeout`.")
REPOSITORY = RepositoryAtCommit("r", "acme/widget", "https://example.org/acme/widget", "c" * 40)
LINES = {"src/app.py": ["RETRIES = 3"]}


def task(
    *, evidence: tuple[str, ...] = ("src/app.py",), hints: tuple[str, ...] = (), line: int = 3
) -> VerificationTask:
    claim = msgspec.structs.replace(CLAIM, line=line)
    found = tuple(Excerpt(file, 1, "RETRIES = 3") for file in evidence)
    return VerificationTask(
        "run", REPOSITORY, claim, 1 if found else 2, evidence=found, mapped_files=tuple(map(FileHint, hints))
    )


def known(rests_on: dict[str, str], verdict: str = "drifted", **more: Any) -> RememberedVerdict:
    return RememberedVerdict(key_of(CLAIM), CLAIM.id, msgspec.json.encode(says(verdict, **more)).decode(), rests_on)


def test_a_claim_is_known_wherever_in_its_document_it_has_moved_but_not_in_other_words() -> None:
    assert key_of(task(line=90).claim) == key_of(CLAIM)
    for change in ({"context": "It was `timeout`."}, {"text": "timeouts"}, {"file": "docs/a.md"}, {"kind": "option"}):
        assert key_of(msgspec.structs.replace(CLAIM, **change)) != key_of(CLAIM)


@pytest.mark.parametrize(
    ("rests_on", "asked", "still"),
    [
        ({"src/app.py": "a1"}, task(), True),
        ({"src/app.py": "a1", "src/b.py": "b1"}, task(), True),
        ({"src/app.py": "other"}, task(), False),
        ({"src/app.py": "a1", "src/gone.py": "g1"}, task(), False),
        ({"src/app.py": "a1", "src/gone.py": ""}, task(), True),
        ({"src/app.py": "a1", "src/b.py": ""}, task(), False),
        ({"src/app.py": "a1"}, task(hints=("src/b.py",)), False),
        ({"src/b.py": "b1"}, task(), False),
    ],
)
def test_a_verdict_holds_while_its_files_are_the_same_and_no_other_names_the_thing(
    rests_on: dict[str, str], asked: VerificationTask, still: bool
) -> None:
    tree = {"src/app.py": "a1", "src/b.py": "b1"}
    assert holds(known(rests_on), asked, lambda file: tree.get(file, "")) is still


def resumed(payload: VerificationTask, result: dict[str, Any], *, remembered: bool = False, **blobs: str) -> Resumed:
    text = msgspec.json.encode(payload).decode()
    answer = Answer(
        CLAIM.id, "verification", text, "COMPLETED", msgspec.json.encode(result).decode(), remembered=remembered
    )
    return Resumed(Kept(REPORT_OF_ONE, ScanFacts(), {"src/app.py": "a1", **blobs}), (answer,))


def test_what_is_worth_keeping_rests_on_the_files_of_its_question_and_of_its_citations() -> None:
    asked = task(evidence=(), hints=("src/app.py",))
    elsewhere = {"file": "src/b.py", "line": 1, "quote": "x"}
    (kept,) = worth_keeping(resumed(asked, {**says("verified"), "evidence": [elsewhere]}), [1], {"src/b.py": "b1"})
    assert (kept.rests_on, kept.claim_id) == ({"src/app.py": "a1", "src/b.py": "b1"}, CLAIM.id)
    assert files_of(asked) == ("src/app.py",)


def test_what_rests_on_nothing_or_was_no_answer_is_not_kept() -> None:
    nothing = task(evidence=())
    assert worth_keeping(resumed(nothing, says("verified", cites=False)), [], {}) == ()
    assert worth_keeping(resumed(task(), says("drifted")), [0], {"src/app.py": "a1"}) == ()  # it does not stand there
    assert worth_keeping(resumed(task(), says("drifted")), None, {}) == ()  # nobody could look
    assert worth_keeping(resumed(task(), says("drifted"), remembered=True), [1], {"src/app.py": "a1"}) == ()
    assert worth_keeping(resumed(task(), says("verified")), [1], {"src/app.py": "a1"})


def test_what_is_recalled_is_looked_up_again_and_need_not_be_sure_twice() -> None:
    def recalled(one: RememberedVerdict, lines: dict[str, list[str]]) -> str:
        found = recall(REPORT_OF_ONE, ScanFacts(), [(task(), one)], lambda file: lines.get(file, []), 0.7)
        assert found.claims == {CLAIM.id}
        return found.report.findings[0].verdict.value

    assert recalled(known({"src/app.py": "a1"}), LINES) == "drifted"
    assert recalled(known({"src/app.py": "a1"}), {"src/app.py": ["x"]}) == "uncertain"
    assert recalled(known({"src/app.py": "a1"}, confidence=0.5), LINES) == "uncertain"
    assert recalled(known({"src/app.py": "a1"}, "verified"), LINES) == "verified"


def test_a_verdict_that_cannot_be_read_any_more_is_asked_for_again() -> None:
    broken = RememberedVerdict(
        key_of(CLAIM), CLAIM.id, '{"type": "verification", "verdict": "maybe"}', {"src/app.py": "a1"}
    )
    found = recall(REPORT_OF_ONE, ScanFacts(), [(task(), broken)], lambda file: LINES.get(file, []), 0.7)
    assert (found.claims, found.report.findings) == (frozenset(), REPORT_OF_ONE.findings)


# Scans that go by them

README = "# Tool\n\n" + "It is a tool.\n\n" * 3 + "Call `connect_quickly` on the connection to begin.\n"
CODE = "def use(conn):\n    return conn.connect_quickly\n"
DRIFTED = {
    "type": "verification", "verdict": "drifted", "confidence": 0.95, "reasoning": "It is an attribute.",
    "evidence": [{"file": "src/use.py", "line": 2, "quote": "return conn.connect_quickly"}],
}  # fmt: skip


class AskingSpine(Spine):
    """Its full scans ask agents; its pushes go by what they decided."""

    def job(self, started: Started) -> Job:
        most = 0 if started.run.type.value == "push" else 50
        return msgspec.structs.replace(super().job(started), asking=Asking(most, 0, "acme/tool"))


@pytest.fixture
def spine(database: Database, tmp_path: Path) -> Iterator[Spine]:
    made = AskingSpine(database, LocalProcesses(), mirrors=tmp_path / "mirrors")
    yield made
    made.stop()


class Story:
    """A repository that agents have been asked about once: they called its only open claim false."""

    def __init__(self, spine: Spine, repo: Repository) -> None:
        self.spine, self.repo = spine, repo
        self.id: RepoId = spine.add_repo(str(repo.root))
        self.first = self.scan()
        (asked,) = take(spine, 1)
        hand_in(spine, asked, DRIFTED)
        self.ended(self.first)

    def scan(self) -> RunId:
        return self.spine.triggers.enqueue_full_scan(self.id).result(PATIENCE)

    def push(self, before: str) -> RunId:
        head = self.repo.git("rev-parse", "HEAD").strip()
        return self.spine.triggers.enqueue_push_scan(self.id, before, head).result(PATIENCE)

    def change(self, **files: str) -> str:
        """The commit before it."""
        before = self.repo.git("rev-parse", "HEAD").strip()
        self.repo.write(
            {name.replace("__", "/") + (".md" if name == "README" else ".py"): text for name, text in files.items()}
        )
        self.repo.commit("more")
        return before

    def ended(self, run: RunId) -> dict[str, Any]:
        row = self.spine.wait_for_status(run, "completed", "failed")
        assert row["status"] == "completed", row["last_error"]
        return row

    def is_asked_again(self, run: RunId) -> bool:
        def settled() -> bool:
            row = self.spine.row(run)
            return (row["status"], row["stage"]) == ("queued", "agents") or row["status"] == "completed"

        self.spine.wait_until(settled)
        return open_tasks(self.spine) > 0


@pytest.fixture
def story(spine: Spine, repository: Callable[[dict[str, str | bytes]], Repository]) -> Story:
    return Story(spine, repository({"README.md": README, "src/use.py": CODE}))


def test_a_later_scan_goes_by_what_an_agent_decided_and_asks_nobody(story: Story) -> None:
    story.change(src__other="TIMEOUT = 3\n", README=README.replace("# Tool\n", "# Tool\n\nNew.\n"))
    run = story.scan()
    row = story.ended(run)
    assert (row["claims_drifted"], row["agent_remembered"], row["total_token_cost"]) == (1, 1, 0)
    (found,) = findings(story.spine, run)
    assert (found["claim"], found["decided_by"], found["mentions"][0]["line"]) == ("connect_quickly", "agent", 11)
    assert open_tasks(story.spine) == 0


def test_a_push_that_may_ask_nobody_goes_by_it_too(story: Story) -> None:
    run = story.push(story.change(src__other="TIMEOUT = 3\n"))
    assert (story.ended(run)["claims_drifted"], story.ended(run)["agent_remembered"]) == (1, 1)


@pytest.mark.parametrize(
    "files",
    [
        {"src__use": CODE + "\n\ndef more(): ...\n"},
        {"src__new": "def again(conn):\n    return conn.connect_quickly\n"},
        {"README": README.replace("to begin", "to start")},
    ],
    ids=["what it rests on", "another file that names it", "the sentence"],
)
def test_it_is_asked_again_when_something_that_it_rests_on_has_changed(story: Story, files: dict[str, str]) -> None:
    story.change(**files)
    assert story.is_asked_again(story.scan())


def test_a_push_after_such_a_change_leaves_the_claim_undecided(story: Story) -> None:
    run = story.push(story.change(src__use=CODE + "\n\ndef more(): ...\n"))
    assert (story.ended(run)["claims_drifted"], story.ended(run)["agent_remembered"]) == (0, 0)


def test_old_verdicts_are_thrown_away(story: Story) -> None:
    house = PostgresHousekeeper(story.spine.database)
    assert "agent_verdicts" not in house.sweep(Keep(verdicts_days=30))
    story.spine.rows("UPDATE agent_verdicts SET decided_at = now() - interval '31 days' RETURNING 1")
    again = story.scan()
    assert story.is_asked_again(again)  # too old to go by
    assert house.sweep(Keep(verdicts_days=30))["agent_verdicts"] == 1


def test_the_answers_of_tasks_that_were_cleaned_up_are_remembered_still(story: Story) -> None:
    story.spine.rows("DELETE FROM agent_tasks RETURNING 1")
    assert story.ended(story.scan())["agent_remembered"] == 1
