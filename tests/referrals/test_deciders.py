"""What is asked of agents, and what their answers come to: decisions without a database."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.contracts import (
    Citation,
    ClaimExtractionResult,
    ClaimInQuestion,
    Excerpt,
    ExtractedClaim,
    RepositoryAtCommit,
    VerificationTask,
)
from docalign_actors.contracts.tasks import LONGEST_EXCERPT, MOST_EVIDENCE, MOST_EXCERPTS, MOST_HINTS
from docalign_actors.engine.documents.reader import read_document
from docalign_actors.findings.model import Finding, Verdict
from docalign_actors.scans.answering import RULE, citations, follow_ups, locate, settle
from docalign_actors.scans.messages import ScanFacts
from docalign_actors.scans.model import RepoId, Run, RunId, ScanType, Status, Trigger
from docalign_actors.scans.outcomes import Ending, Rules, after
from docalign_actors.scans.passages import passages
from docalign_actors.scans.referrals import Answer, Kept, Resumed, asking_of
from docalign_actors.scans.referring import (
    REASONS,
    Place,
    excerpts,
    hints,
    question_of,
    referred,
    verification,
    windows,
    words_of,
)
from docalign_actors.settings.model import AgentSettings
from tests.referrals.questions import REPOSITORY, claim, question, reading, report, says

CODE = [f"line {n}" for n in range(1, 101)]


# Which claims


def test_what_somebody_who_reads_the_code_could_tell_is_referred_and_nothing_else() -> None:
    asked = claim("timeout", message="The code has several defaults.")
    foreign = claim("other", message="Not this repository's.", line=4)
    true, false = claim("a", Verdict.VERIFIED, line=5), claim("b", Verdict.DRIFTED, line=6)
    assert referred([foreign, true, asked, false], 50) == [asked]


def test_a_claim_that_code_decided_somewhere_is_not_referred() -> None:
    assert referred([claim("x"), claim("x", Verdict.DRIFTED)], 50) == []


def test_of_kinds_that_read_the_same_words_one_asks_and_none_where_another_has_decided() -> None:
    symbol = claim("conn.handle", message="An object of unknown class.", kind="symbol")
    key = claim(
        "conn.handle", message="Nothing shows that it is a key of this project's configuration.", kind="configkey"
    )
    assert referred([key, symbol], 50) == [key]
    assert referred([symbol, claim("conn.handle", Verdict.VERIFIED, kind="path")], 50) == []


def test_what_is_most_worth_asking_comes_first_and_the_rest_is_cut_off() -> None:
    little = claim("a", message="An object of unknown class.")
    much, later = claim("b", message="Manifests disagree.", line=9), claim("c", message="Manifests disagree.", line=20)
    assert referred([little, later, much], 2) == [much, later]
    assert referred([little], 0) == []


def test_every_reason_for_which_a_claim_is_referred_is_one_that_a_kind_gives() -> None:
    from pathlib import Path

    import docalign_actors.engine as engine

    text = "\n".join(path.read_text() for path in Path(engine.__path__[0]).rglob("*.py"))
    assert [reason for reason in REASONS if reason not in text] == []


def test_the_words_of_a_claim_are_its_names_in_the_spellings_of_code() -> None:
    assert words_of(claim("--max-retries")) == ("max-retries", "max_retries")
    assert words_of(claim("defaults to 30")) == ()


# Path 1 and path 2


def task_for(*places: Place, finding: Finding | None = None, code: list[str] = CODE) -> VerificationTask:
    changed = frozenset({"src/changed.py"})
    return verification(finding or claim("timeout"), "run", REPOSITORY, places, changed, lambda _: code)


def test_few_places_go_along_as_evidence() -> None:
    task = task_for(Place("src/a.py", 50), Place("src/a.py", 55), Place("tests/test_a.py", 1))
    assert task.verification_path == 1
    ((excerpt),) = task.evidence
    assert (excerpt.file, excerpt.line, excerpt.text.split("\n")[0]) == ("src/a.py", 38, "line 38")
    assert excerpt.text.split("\n")[-1] == "line 67"
    assert "several defaults" in task.routing_reason


def test_many_places_become_hints_and_what_the_change_touched_comes_first() -> None:
    task = task_for(*(Place(f"src/m{n}.py", 1) for n in range(20)), Place("src/changed.py", 7))
    assert (task.verification_path, task.evidence) == (2, ())
    assert len(task.mapped_files) == MOST_HINTS
    assert (task.mapped_files[0].path, task.mapped_files[0].confidence) == ("src/changed.py", 0.9)


def test_evidence_that_does_not_fit_is_not_cut_but_left_to_the_agent_to_read() -> None:
    task = task_for(Place("src/a.py", 1), code=["x" * LONGEST_EXCERPT, "y"])
    assert (task.verification_path, [hint.path for hint in task.mapped_files]) == (2, ["src/a.py"])


def test_a_claim_that_no_code_names_goes_without_hints() -> None:
    task = task_for()
    assert (task.verification_path, task.mapped_files) == (2, ())
    assert "No file is seen to name it" in task.routing_reason


@given(
    st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py", "d.py"]), st.lists(st.integers(-5, 3_000), min_size=1), min_size=1),
    st.integers(0, 400), st.integers(0, 900),
)  # fmt: skip
def test_evidence_and_hints_stay_within_their_limits(by_file: dict[str, list[int]], height: int, width: int) -> None:
    found = excerpts(by_file, lambda _: ["x" * width] * height)
    assert len(found) <= MOST_EXCERPTS
    assert sum(len(one.text) for one in found) <= MOST_EVIDENCE
    assert all(len(one.text) <= LONGEST_EXCERPT for one in found)
    assert len(hints(by_file, frozenset())) <= MOST_HINTS


@given(st.lists(st.integers(-10, 400)), st.integers(0, 300))
def test_windows_hold_their_lines_and_never_meet(numbers: list[int], length: int) -> None:
    found = windows(numbers, length)
    inside = [n for n in numbers if 0 < n <= length]
    assert all(any(first <= n <= last for first, last in found) for n in inside)
    assert all(1 <= first <= last <= length for first, last in found)
    assert all(a[1] + 1 < b[0] for a, b in itertools.pairwise(found))


# Prose

PROSE = """# Tool

The queue is kept in memory and every message is written once.

Have fun with it, and tell your friends about it!

For example, you might have a server that stores requests in a database.

Does it retry requests when the server stops?

The worker polls the database for requests, as ever it did.
"""


def test_new_prose_that_says_what_the_code_does_is_given_to_agents() -> None:
    document = read_document("README.md", "markdown", PROSE.encode())
    found = passages(document, PROSE.split("\n"), {3, 5, 7, 9}, set(), 8)
    assert [(one.line, one.section) for one in found] == [(3, ("Tool",))]
    assert found[0].text == PROSE.split("\n")[2]


def test_prose_with_a_claim_that_is_dealt_with_is_not_given_away_and_no_more_than_asked_for() -> None:
    document = read_document("README.md", "markdown", PROSE.encode())
    lines = PROSE.split("\n")
    assert passages(document, lines, {3}, {3}, 8) == []
    assert passages(document, lines, {3, 11}, set(), 1)[0].line == 3
    assert passages(read_document("CHANGELOG.md", "markdown", PROSE.encode()), lines, {3}, set(), 8) == []


# Answers


def answer(about: Finding, verdict: str, confidence: float = 0.9, **more: object) -> Answer:
    asked = question(about)
    return Answer(
        about.claim_id,
        asked.command,
        asked.payload,
        "COMPLETED",
        msgspec.json.encode(says(verdict, confidence, **more)).decode(),
    )


def settled(claims: list[Finding], answers: list[Answer], lines: tuple[int, ...] | None = (1,)) -> list[Finding]:
    resumed = Resumed(Kept(report(*claims), ScanFacts()), tuple(answers))
    return settle(resumed, lines, 0.7).report.findings


def test_drifted_with_evidence_that_stands_there_is_a_finding_that_says_who_said_so() -> None:
    (found,) = settled([claim("x")], [answer(claim("x"), "drifted", severity="high")], (12,))
    assert (found.verdict, found.rule, found.decided_by, found.severity.value) == (
        Verdict.DRIFTED,
        RULE,
        "agent",
        "high",
    )
    assert [(e.file, e.line) for e in found.evidence] == [("src/app.py", 12)]
    assert found.message.startswith("An agent found it false")


def test_what_an_agent_says_is_bounded_and_has_no_control_characters() -> None:
    said = answer(claim("x"), "drifted", reasoning="a\x1b[31m\u0000\nb" + "c" * 3_000)
    (found,) = settled([claim("x")], [said])
    assert found.message.isprintable()
    assert len(found.message) < 700


@pytest.mark.parametrize(
    ("suggestion", "fix"), [("y", "y"), ("", None), ("a `y`", None), ("two\nlines", None), ("\x1b[31my", None)]
)
def test_a_suggestion_is_a_fix_that_is_not_certain_if_it_can_stand_where_the_claim_stands(
    suggestion: str, fix: str | None
) -> None:
    (found,) = settled([claim("x")], [answer(claim("x"), "drifted", suggestion=suggestion)])
    assert (found.fix.replacement if found.fix else None) == fix
    assert found.fix is None or not found.fix.safe


@pytest.mark.parametrize(
    ("verdict", "confidence", "lines"),
    [
        ("drifted", 0.9, (0,)),
        ("drifted", 0.69, (1,)),
        ("verified", 0.69, (1,)),
        ("uncertain", 1.0, (1,)),
        ("drifted", 0.9, None),
    ],
)
def test_what_cannot_be_shown_or_is_not_sure_stays_undecided(
    verdict: str, confidence: float, lines: tuple[int, ...] | None
) -> None:
    (found,) = settled([claim("x")], [answer(claim("x"), verdict, confidence)], lines)
    assert (found.verdict, found.decided_by) == (Verdict.UNCERTAIN, "")


@pytest.mark.parametrize("verdict", [Verdict.VERIFIED, Verdict.DRIFTED])
def test_what_code_decided_is_never_overruled(verdict: Verdict) -> None:
    known = claim("x", verdict, "Said by code.")
    for said in ("verified", "drifted"):
        assert settled([known], [answer(claim("x"), said)]) == [known]


def test_a_task_that_nobody_did_changes_nothing_and_is_counted() -> None:
    asked = question(claim("x"))
    dead = Answer(claim("x").claim_id, asked.command, asked.payload, "FAILED", "", "lease expired")
    resumed = Resumed(Kept(report(claim("x")), ScanFacts()), (dead,))
    found = settle(resumed, (), 0.7)
    assert (found.asked, found.answered, found.decided) == (1, 0, 0)
    assert found.notice == "Agents answered 0 of 1 questions; what the others ask stays undecided."
    assert found.report.findings == [claim("x")]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["verified", "drifted", "uncertain"]), st.floats(0, 1),
                          st.integers(0, 3)), max_size=8), st.lists(st.sampled_from(list(Verdict)), min_size=6, max_size=6))  # fmt: skip
def test_the_counts_agree_with_the_findings_whatever_is_answered(
    answers: list[tuple[str, str, float, int]], verdicts: list[Verdict]
) -> None:
    claims = [
        claim(text, verdict, times=n % 3 + 1) for n, (text, verdict) in enumerate(zip("abcdef", verdicts, strict=True))
    ]
    given_ = [answer(claim(text), verdict, confidence) for text, verdict, confidence, _ in answers]
    resumed = Resumed(Kept(report(*claims), ScanFacts()), tuple(given_))
    found = settle(resumed, [line for *_, line in answers], 0.7).report
    summary = found.summary
    for verdict, number in (
        (Verdict.VERIFIED, summary.verified),
        (Verdict.DRIFTED, summary.drifted),
        (Verdict.UNCERTAIN, summary.uncertain),
    ):
        assert number == sum(len(f.mentions) for f in found.findings if f.verdict is verdict)
    assert summary.claims == sum(len(f.mentions) for f in found.findings)
    for before in claims:
        if before.verdict is not Verdict.UNCERTAIN:
            assert before in found.findings
    assert all(f.evidence for f in found.findings if f.verdict is Verdict.DRIFTED)


@pytest.mark.parametrize(
    ("quote", "line", "found"),
    [
        ("line 7", 7, 7), ("line 7", 9, 7), ("line 7", 20, 0), ("line 7\n  line 8", 7, 7), ("line 7", 100, 0),
        ("line 7", 101, 0), ("line 7 is", 7, 0), ("line 100", 100, 100), ("line 100\nline 101", 100, 0),
    ],
)  # fmt: skip
def test_a_quotation_counts_only_where_it_stands_or_close_by(quote: str, line: int, found: int) -> None:
    assert locate(CODE, Citation("a", line, quote)) == found


@given(st.lists(st.text(max_size=20), max_size=12), st.text(min_size=1, max_size=30), st.integers(1, 20))
def test_what_is_located_is_there(lines: list[str], quote: str, line: int) -> None:
    found = locate(lines, Citation("a", line, quote))
    assert found == 0 or abs(found - line) <= 3
    if found:
        assert " ".join(quote.split()) in " ".join(" ".join(lines[found - 1 :]).split())


def test_citations_come_in_the_order_in_which_they_are_settled() -> None:
    one, two = answer(claim("a"), "drifted"), answer(claim("b"), "drifted")
    assert len(citations([one, two])) == 2
    found = settled([claim("a"), claim("b")], [one, two], (0, 4))
    assert {f.claim: f.verdict for f in found} == {"a": Verdict.UNCERTAIN, "b": Verdict.DRIFTED}


def test_a_result_that_was_taken_under_other_rules_counts_as_none() -> None:
    asked = question(claim("x"))
    odd = Answer(claim("x").claim_id, asked.command, asked.payload, "COMPLETED", '{"verdict": "maybe"}')
    assert settled([claim("x")], [odd], ()) == [claim("x")]


# What becomes of the run

WAIT = datetime(2026, 1, 1, 12, 30, tzinfo=UTC)


@given(st.booleans(), st.booleans(), st.integers(0, 2), st.integers(0, 2))
def test_a_run_waits_in_the_queue_unless_it_is_to_stop_or_its_place_is_taken(
    cancelled: bool, taken: bool, attempt: int, repairs: int
) -> None:
    run = Run(RunId(UUID(int=1)), 1, RepoId(UUID(int=2)), ScanType.PR, Trigger.PR, Status.RUNNING, 7, attempt=attempt,
              repairs=repairs, cancel_requested=cancelled)  # fmt: skip
    successor = RunId(UUID(int=3)) if taken else None
    found = after(run, Ending("referred", until=WAIT), Rules(), WAIT, 0.5, successor)
    if cancelled or taken:
        assert (found.status, found.superseded_by) == (Status.CANCELLED, successor)
    else:
        assert (found.status, found.not_before) == (Status.QUEUED, WAIT)
    assert (found.attempt, found.repairs) == (attempt, repairs)


@pytest.mark.parametrize(
    ("scan", "settings", "asks"),
    [
        (ScanType.PR, AgentSettings(), False), (ScanType.PR, AgentSettings(enabled=True), True),
        (ScanType.PUSH, AgentSettings(enabled=True, full_scans=True), False), (ScanType.FULL, AgentSettings(enabled=True), False),
        (ScanType.FULL, AgentSettings(enabled=True, full_scans=True), True), (ScanType.FULL, AgentSettings(full_scans=True), False),
    ],
)  # fmt: skip
def test_only_scans_that_may_ask_agents_ask_them(scan: ScanType, settings: AgentSettings, asks: bool) -> None:
    asking = asking_of(settings, scan, "acme/tool")
    assert bool(asking is not None and asking.claims and asking.passages) == asks
    assert (asking is not None) == settings.enabled  # what was decided before counts for all of them


# What is asked further


def test_each_claim_that_agents_read_out_of_prose_is_asked_about_once() -> None:
    asked = reading()
    found = ExtractedClaim("README.md", 9, "It is fast.", mapped_files=("src/app.py",))
    result = msgspec.json.encode(
        ClaimExtractionResult((found, found, ExtractedClaim("README.md", 9, "The queue is kept in memory.")))
    )
    answers = [Answer("", asked.command, asked.payload, "COMPLETED", result.decode())]
    tasks = follow_ups(answers, 10)
    assert [task.claim.text for task in tasks] == ["It is fast.", "The queue is kept in memory."]
    assert follow_ups(answers, 1) == tasks[:1]
    again = Answer(tasks[0].claim.id, "verification", msgspec.json.encode(tasks[0]).decode(), "FAILED")
    assert follow_ups([*answers, again], 10) == tasks[1:]


def _asked(path: int, **changed: Any) -> VerificationTask:
    asked = ClaimInQuestion("1", "default", "timeout", "README.md", 3, "It is `timeout`.")
    task = VerificationTask(
        "run", RepositoryAtCommit("r", "acme/widget", "https://example.org/x", "c" * 40), asked, path,
        evidence=(Excerpt("src/app.py", 1, "RETRIES = 3"),),
    )  # fmt: skip
    return msgspec.structs.replace(task, **changed)


def test_the_same_question_about_the_same_lines_is_the_same_at_another_commit() -> None:
    later = RepositoryAtCommit("r", "acme/renamed", "https://example.org/y", "d" * 40, "c" * 40)
    assert question_of(_asked(1)) == question_of(_asked(1, run_id="other", repository=later))


@pytest.mark.parametrize("changed", [
    {"repository": RepositoryAtCommit("other", "acme/widget", "https://example.org/x", "c" * 40)},
    {"claim": ClaimInQuestion("1", "default", "timeout", "README.md", 4, "It is `timeout`.")},
    {"evidence": (Excerpt("src/app.py", 1, "RETRIES = 4"),)},
    {"evidence": (Excerpt("src/app.py", 90, "RETRIES = 3"),)},
])  # fmt: skip
def test_another_line_of_code_or_of_the_document_makes_another_question(changed: dict[str, Any]) -> None:
    assert question_of(_asked(1)) != question_of(_asked(1, **changed))


def test_whoever_has_to_look_for_himself_is_asked_at_every_commit() -> None:
    later = RepositoryAtCommit("r", "acme/widget", "https://example.org/x", "d" * 40)
    assert question_of(_asked(2)) != question_of(_asked(2, repository=later))
