"""What people and programs read, and what a hostile repository cannot do to them."""

from __future__ import annotations

import json
from types import ModuleType

import msgspec
import pytest

from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.findings.report import Note, Report, Summary
from docalign_actors.reporting import concise, github, html, markdown, sarif, text

HOSTILE = "x`|<script>alert(1)</script>\x1b[31m\u202e @everyone [a](b)\n::error::"


def report(claim: str = "src/app.py", message: str = "`src/app.py` was renamed.", file: str = "docs/a.md") -> Report:
    mentions = (
        Mention(file, 3, 7, claim, f"Edit `{claim}`.", replacement="src/main.py", safe=True),
        Mention(file.replace("a", "b"), 9, 1, claim, claim),
    )
    evidence = (Evidence("renamed", file.replace("docs/a.md", "src/app.py"), 4, "abc"),)
    finding = Finding(
        "0123456789ab",
        "missing-path",
        "path",
        Verdict.DRIFTED,
        Severity.HIGH,
        0.95,
        claim,
        message,
        mentions,
        evidence,
        Fix("src/main.py", True),
    )
    return Report(
        Summary(documents=2, claims=9, verified=7, drifted=2, duration_ms=1234),
        [finding],
        [Note("big.md", "too large")],
        "abc123",
    )


def test_sarif_gives_regions_fingerprints_related_places_and_fixes() -> None:
    (run,) = json.loads(sarif.render(report()))["runs"]
    (result,) = run["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 7, "endColumn": 17}
    assert result["partialFingerprints"] == {"docalign/v1": "0123456789ab"}
    assert len(result["relatedLocations"]) == 1
    assert result["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "src/main.py"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "missing-path"


def test_github_gets_one_command_for_each_mention_and_no_more_whatever_the_text() -> None:
    lines = [
        line for line in github.render(report(HOSTILE, f"`{HOSTILE}` is gone.")).splitlines() if line.startswith("::")
    ]
    assert len(lines) == 2
    assert lines[0].startswith("::error file=docs/a.md,line=3,col=7,")


def test_github_is_told_what_to_write_only_where_that_is_known() -> None:
    first, other = (line for line in github.render(report()).splitlines() if line.startswith("::"))
    assert "Write `src/main.py` instead." in first
    assert "instead" not in other


@pytest.mark.parametrize("reporter", [text, github, markdown, html])
def test_a_fix_that_is_not_certain_says_so(reporter: ModuleType) -> None:
    known = report()
    (finding,) = known.findings
    first = msgspec.structs.replace(finding.mentions[0], safe=False)
    doubtful = msgspec.structs.replace(finding, fix=Fix("src/main.py", False), mentions=(first, *finding.mentions[1:]))
    assert "(not certain)" in reporter.render(msgspec.structs.replace(known, findings=[doubtful]))
    assert "(not certain)" not in reporter.render(known)


@pytest.mark.parametrize("before", [0, 30, 62, 63, 200, 900])
def test_a_long_line_is_cut_round_the_claim_so_that_it_fits_a_narrow_terminal(before: int) -> None:
    line = "a" * before + "src/app.py" + "b" * 400
    known = report()
    (finding,) = known.findings
    mention = msgspec.structs.replace(finding.mentions[0], column=before + 1, source=line)
    shown = text.render(
        msgspec.structs.replace(known, findings=[msgspec.structs.replace(finding, mentions=(mention,))])
    )
    source, carets = shown.splitlines()[3:5]
    assert max(len(source), len(carets)) <= 80
    assert source[carets.index("^") : carets.rindex("^") + 1] == "src/app.py"
    assert source.endswith("…")


@pytest.mark.parametrize(
    ("places", "end"), [(21, ":21:1"), (22, ":21:1 and 1 more place (--format concise names each)")]
)
def test_of_very_many_places_the_text_names_the_first(places: int, end: str) -> None:
    known = report()
    (finding,) = known.findings
    many = tuple(Mention("a.md", line, 1, "x") for line in range(1, places + 1))
    shown = text.render(msgspec.structs.replace(known, findings=[msgspec.structs.replace(finding, mentions=many)]))
    (line,) = (line for line in shown.splitlines() if "also at" in line)
    assert line.endswith(end)


def test_the_page_escapes_whatever_a_repository_says() -> None:
    page = html.render(report(HOSTILE, f"{HOSTILE} is gone."))
    assert "<script>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "default-src 'none'" in page


def test_markdown_stays_one_row_and_names_nobody() -> None:
    rows = [
        line for line in markdown.render(report(HOSTILE, f"{HOSTILE} is gone.")).splitlines() if line.startswith("| 🔴")
    ]
    assert len(rows) == 1
    assert "@everyone" not in rows[0]
    assert "<script>" not in rows[0].replace("\\<script\\>", "")


def test_a_terminal_gets_no_control_characters_from_a_repository() -> None:
    shown = text.render(report(HOSTILE, f"{HOSTILE} is gone."))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("form", [text, concise, github, markdown])
def test_the_name_of_a_file_neither_moves_the_cursor_nor_starts_a_line(form: ModuleType) -> None:
    plain, hostile = (form.render(report(file=name)) for name in ("docs/a.md", "docs/\x1b[2Ja\u202e\n::error::\r.md"))
    assert not {"\x1b", "\u202e", "\r"} & set(hostile)
    assert hostile.count("\n") == plain.count("\n")


def test_colour_is_painted_only_when_asked() -> None:
    assert "\x1b[" in text.render(report(), colour=True)
    assert "\x1b[" not in text.render(report())


def test_carets_stand_under_wide_characters() -> None:
    wide = Mention("a.md", 1, 5, "名前.py", "見て `名前.py` 。")
    found = report()
    finding = found.findings[0]
    found.findings = [Finding(**{**{f: getattr(finding, f) for f in finding.__struct_fields__}, "mentions": (wide,)})]
    lines = text.render(found).splitlines()
    assert lines[4] == "  |       " + "^" * 7


def test_concise_is_one_line_a_mention_in_the_order_of_the_documentation() -> None:
    lines = concise.render(report()).splitlines()
    assert lines[0].startswith("docs/a.md:3:7: missing-path[high] ")
    assert lines[1].startswith("docs/b.md:9:1: missing-path[high] ")


@pytest.mark.parametrize("verbose", [True, False])
def test_what_was_not_read_is_counted_and_named_when_asked(verbose: bool) -> None:
    shown = text.render(report(), verbose=verbose)
    assert ("big.md: too large" in shown) is verbose
    assert ("One file was not read in full" in shown) is not verbose


@pytest.mark.parametrize("form", [text, github, markdown, sarif, html])
def test_evidence_names_a_line_only_where_there_is_one_and_a_commit_once(form: ModuleType) -> None:
    found = report()
    commit = "0123456789abcdef"
    grounds = (
        Evidence("nothing gives it", "docs/a.md"),
        Evidence("had it", "b.md", commit=commit),
        Evidence("gone with 012345678", commit=commit),
    )
    found.findings[0] = msgspec.structs.replace(found.findings[0], evidence=grounds)
    told = form.render(found)
    assert "docs/a.md:0" not in told
    told = told.replace("\\(", "(").replace("\\)", ")")
    assert "had it (commit 012345678)" in told
    assert "gone with 012345678 (commit" not in told


def test_a_change_that_touches_no_claim_is_told_apart_from_a_scan_that_examined_nothing() -> None:
    for form in (text, html):
        assert "touches nothing" in form.render(Report(Summary(documents=2), changed_since="HEAD"))
        assert "nothing was examined" in form.render(Report(Summary(documents=2)))


@pytest.mark.parametrize(
    ("older", "said"), [(1, "1 claim about what changed was false"), (2, "2 claims about what changed were")]
)
def test_what_was_false_before_is_counted_in_english(older: int, said: str) -> None:
    known = report()
    known.summary.older = older
    assert said in text.render(known)


@pytest.mark.parametrize("form", [text, markdown])
@pytest.mark.parametrize(("findings", "since", "said"), [(5, "", True), (4, "", False), (5, "main", False)])
def test_what_many_findings_have_in_common_is_told_once(
    form: ModuleType, findings: int, since: str, *, said: bool
) -> None:
    one = report()
    many = msgspec.structs.replace(one, findings=one.findings * findings, changed_since=since)
    assert (f"{findings} of them are false since one commit: abc." in form.render(many)) is said
