"""What a run reports: nothing that is suppressed, the most important first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.findings.model import Evidence, Finding, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.persistence.database import Database
from docalign_actors.scans.merging import certainty, merge, pairs_of, prioritised
from docalign_actors.scans.messages import ScanFacts
from tests.support.spine import Spine, SteppedProcesses


def finding(
    name: str, confidence: float = 0.8, severity: Severity = Severity.HIGH, doc: str = "README.md", code: str = "src/a.py", line: int = 1
) -> Finding:  # fmt: skip
    evidence = (Evidence("x", code, 1),) if code else ()
    places = (Mention(doc, line, 1),)
    return Finding(
        name, "rule", "path", Verdict.DRIFTED, severity, confidence, "x", "m", places, evidence, None, f"c-{name}"
    )


FINDINGS = st.lists(
    st.builds(
        finding, st.sampled_from("abcdef"), st.floats(0, 1), st.sampled_from(Severity), st.sampled_from(["a.md", "b.md"]),
        st.sampled_from(["", "x.py", "y.py"]), st.integers(1, 9),
    ), max_size=12,
)  # fmt: skip
TOGETHER = st.dictionaries(
    st.tuples(st.sampled_from(["x.py", "y.py"]), st.sampled_from(["a.md", "b.md"])), st.integers(0, 30)
)


@pytest.mark.parametrize(("times", "raised"), [(0, 0.8), (1, 0.82), (4, 0.88), (5, 0.9), (50, 0.9)])
def test_each_co_change_raises_the_confidence_by_two_hundredths_up_to_a_tenth(times: int, raised: float) -> None:
    assert certainty(finding("a"), {("src/a.py", "README.md"): times}) == pytest.approx(raised)
    assert certainty(finding("a"), {("src/other.py", "README.md"): times}) == 0.8
    assert certainty(finding("a", 0.95), {("src/a.py", "README.md"): 50}) == 1.0


def test_a_document_that_goes_with_its_code_comes_before_one_that_does_not() -> None:
    plain, joined = finding("a", 0.85, doc="a.md"), finding("b", 0.8, doc="z.md")
    assert prioritised([plain, joined]) == [plain, joined]
    assert prioritised([plain, joined], {("src/a.py", "z.md"): 4}) == [joined, plain]


@given(FINDINGS, TOGETHER)
def test_the_order_is_by_severity_times_confidence_then_by_place(
    findings: list[Finding], together: dict[tuple[str, str], int]
) -> None:
    found = prioritised(findings, together)
    keys = [(-f.severity.weight * certainty(f, together), f.file, f.line) for f in found]
    assert keys == sorted(keys)
    assert sorted(f.id for f in found) == sorted(f.id for f in findings)
    assert all(f.confidence <= certainty(f, together) <= min(1.0, f.confidence + 0.1) for f in findings)
    assert {pair for f in findings for pair in pairs_of([f])} == pairs_of(findings)


@given(FINDINGS, st.sets(st.sampled_from("abcdef")))
def test_what_is_suppressed_is_left_out_and_counted_and_counts_as_nothing_else(
    findings: list[Finding], gone: set[str]
) -> None:
    report = Report(Summary(claims=50, verified=5, drifted=len(findings)), findings)
    results = merge(report, ScanFacts(), [("claim", f"c-{name}") for name in gone], knowledge=False)
    left_out = [f for f in findings if f.id in gone]
    assert sorted(f.id for f in results.findings) == sorted(f.id for f in findings if f.id not in gone)
    assert (results.counts.suppressed, results.counts.drifted) == (len(left_out), len(findings) - len(left_out))


def test_a_scan_asks_how_often_its_files_went_together(database: Database) -> None:
    processes = SteppedProcesses()
    spine = Spine(database, processes)
    repo = spine.add_repo()
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO co_changes (repo_id, code_file, doc_file, commit_sha) SELECT %s, 'src/a.py', 'z.md', n::text"
            " FROM generate_series(1, 4) n",
            (repo,),
        )
    try:
        run = spine.triggers.enqueue_full_scan(repo).result(10)
        found = [finding("a", 0.85, doc="a.md"), finding("b", 0.8, doc="z.md")]
        processes.wait_for(1).report(
            Report(Summary(claims=9, verified=7, drifted=2), found), ScanFacts("main", "f" * 40)
        )
        spine.wait_for_status(run, "completed")
        rows = spine.rows("SELECT fingerprint FROM scan_findings WHERE run_id = %s ORDER BY position", run)
        assert rows == [("b",), ("a",)]
    finally:
        spine.stop()
