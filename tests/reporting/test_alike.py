"""Many findings that are alike are told by a few of them."""

from __future__ import annotations

from docalign_actors.findings.model import Evidence, Finding, Mention, Severity, Verdict
from docalign_actors.findings.report import Report, Summary
from docalign_actors.reporting import concise, text
from docalign_actors.reporting.alike import LEAST_ALIKE, heaps


def finding(line: int, claim: str = "", *, commit: str = "abc", verdict: Verdict = Verdict.DRIFTED) -> Finding:
    claim = claim or f"../guide/page-{line}.md"
    mention = Mention("docs/index.md", line, 3, claim, f"See [it]({claim}).")
    evidence = (Evidence("gone", commit=commit),)
    return Finding(
        f"id{line}{claim}", "missing-link-target", "path", verdict, Severity.MEDIUM, 0.9, claim, "Gone.", (mention,), evidence
    )  # fmt: skip


MANY = [finding(line) for line in range(1, LEAST_ALIKE + 1)]


def test_many_links_into_one_folder_are_together() -> None:
    other = finding(4, "README.md")
    assert heaps([*MANY[:4], other, *MANY[4:]]) == [MANY, [other]]


def test_few_stay_as_they_are() -> None:
    assert heaps(MANY[1:]) == [[one] for one in MANY[1:]]


def test_names_are_never_alike_since_each_tells_something_of_its_own() -> None:
    names = [finding(line, f"load_{line}") for line in range(1, 20)]
    assert heaps(names) == [[one] for one in names]


def test_what_two_commits_took_away_is_two_heaps() -> None:
    others = [finding(line, commit="def") for line in range(20, 20 + LEAST_ALIKE)]
    assert heaps([*MANY, *others]) == [MANY, others]


def test_anchors_of_one_page_are_alike_and_what_is_shown_beside_drift_is_not() -> None:
    anchors = [finding(line, f"api.md#part-{line}") for line in range(1, 10)]
    assert heaps(anchors) == [anchors]
    verified = [finding(line, verdict=Verdict.VERIFIED) for line in range(1, 10)]
    assert heaps(verified) == [[one] for one in verified]


def test_the_text_shows_three_of_a_heap_and_says_where_the_others_are() -> None:
    report = Report(Summary(documents=1, claims=8, drifted=8), list(MANY))
    told = text.render(report)
    assert told.count("-->") == 3
    assert (
        "... 5 more findings of missing-link-target alike in docs/index.md, lines 4 to 8 (--verbose shows each)" in told
    )
    assert "8 findings (8 medium)" in told
    assert text.render(report, verbose=True).count("-->") == LEAST_ALIKE


def test_a_format_for_programs_tells_each() -> None:
    assert concise.render(Report(Summary(), list(MANY))).count("missing-link-target[") == LEAST_ALIKE
