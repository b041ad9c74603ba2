"""The words that people read on GitHub, to the letter; and that no repository can misuse them.

The files in `snapshots` are what is read. `DOCALIGN_SNAPSHOTS=write` writes them anew, to be looked at before they are kept.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docalign_actors.errors import ScanLimitError
from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.github.remembering import LeftOut, Said
from docalign_actors.github.replies import limited_notice
from docalign_actors.github.words import (
    MARKER,
    Conclusion,
    Outcome,
    comment,
    conclusion,
    ended,
    prose,
    remarks,
    remembered,
    under_way,
)

SNAPSHOTS = Path(__file__).parent / "snapshots"
HEAD, NEXT = "abcdef0123" * 4, "9876543210" * 4
HOSTILE = [
    "@everyone", "#1 closes #2", "<img src=x onerror=alert(1)>", "<!-- docalign:sticky -->", "-->", "```", "` `` ```", "| a | b |", "[x](javascript:alert(1))",
    "![](https://evil.example/p.png)", "a\n\n# heading", "\u202egnp.exe", "~~", "</details>", "https://evil.example", "www.evil.example", "GH-12", "gh-7", "\0", "\\", "&lt;", "x" * 3_000,
]  # fmt: skip


def finding(
    name: str = "src/app.py",
    *,
    severity: Severity = Severity.HIGH,
    file: str = "README.md",
    mentions: int = 1,
    text: str = "",
) -> Finding:
    places = tuple(Mention(file, line + 3, 13, name, replacement="src/main.py") for line in range(mentions))
    evidence = (Evidence(text or "renamed to src/main.py", name, 1, "c" * 40),)
    message = f"`{name}` is not there any more"
    return Finding(
        f"id-{name}",
        "missing-path",
        "path",
        Verdict.DRIFTED,
        severity,
        0.9,
        name,
        message,
        places,
        evidence,
        Fix("src/main.py", True),
        name,
    )


DRIFT = Outcome(
    "completed",
    HEAD,
    "main",
    (finding(), finding("--port", severity=Severity.LOW, file="docs/usage.md", mentions=7)),
    24,
    22,
    "medium",
)
LIMIT = ScanLimitError("This repository has had its 100 scans of today.", resets_at=datetime(2026, 1, 2, tzinfo=UTC))
CLEAN = Outcome("completed", NEXT, "main", (), 24, 24)
OUTCOMES = {
    "drift": DRIFT,
    "clean": CLEAN,
    "nothing_affected": Outcome("completed", HEAD, "main"),
    "partial": Outcome("partial", HEAD, "main", (finding(),), 10, 9),
    "failed": Outcome("failed", HEAD, code="DOCALIGN_E106", error="git fetch from https://github.com/acme/tool failed: no route. Look whether it answers."),
    "superseded": Outcome("cancelled", HEAD, superseded=True),
    "closed": Outcome("cancelled", HEAD, reason="the pull request was closed"),
    "limited": Outcome("cancelled", HEAD, notice=limited_notice(LIMIT)),
    "cut": Outcome("completed", HEAD, "main", (finding(),), 24, 12, cut=11),
}  # fmt: skip


def compare(name: str, text: str) -> None:
    file = SNAPSHOTS / f"{name}.md"
    if os.environ.get("DOCALIGN_SNAPSHOTS") == "write":
        SNAPSHOTS.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_a_check_says(name: str) -> None:
    text = ended(OUTCOMES[name])
    compare(f"check_{name}", f"{text.conclusion}\n\n# {text.title}\n\n{text.summary}\n\n{text.text}\n")


@pytest.mark.parametrize("stage", ["", "fetch", "extraction", "index", "verification", "merge"])
def test_what_a_check_says_while_a_scan_is_under_way(stage: str) -> None:
    text = under_way(stage)
    assert text.conclusion == ""
    compare(f"stage_{stage or 'waiting'}", f"# {text.title}\n\n{text.summary}\n")


def test_what_the_comment_says_from_the_first_finding_to_the_last_fix() -> None:
    first = remembered((), DRIFT)
    compare("comment_first", comment(DRIFT, first))
    fewer = Outcome("completed", NEXT, "main", DRIFT.findings[1:], 24, 23)
    second = remembered(first, fewer)
    compare("comment_one_fixed", comment(fewer, second))
    last = msgspec.structs.replace(CLEAN, head="5432109876" * 4)
    compare("comment_all_fixed", comment(last, remembered(second, last)))


def test_what_an_annotation_says() -> None:
    lines = [
        f"{a.path}:{a.start_line} {a.annotation_level} {a.title}\n{a.message}" for a in remarks(DRIFT.findings)[:2]
    ]
    compare("annotations", "\n\n".join(lines) + "\n")


def test_only_a_finding_of_the_threshold_or_above_asks_for_action() -> None:
    low = Outcome("completed", HEAD, findings=(finding(severity=Severity.LOW),))
    assert conclusion(low) is Conclusion.ACTION_REQUIRED
    assert conclusion(Outcome("completed", HEAD, findings=low.findings, threshold="medium")) is Conclusion.NEUTRAL
    assert conclusion(Outcome("failed", HEAD, findings=low.findings)) is Conclusion.NEUTRAL
    assert conclusion(Outcome("partial", HEAD)) is Conclusion.NEUTRAL


def test_what_a_partial_scan_did_not_get_to_is_not_called_fixed() -> None:
    before = (Said("id-x", "README.md:1", "x"),)
    assert remembered(before, Outcome("partial", HEAD)) == before
    assert remembered(before, Outcome("completed", HEAD))[0].fixed == HEAD


def test_only_what_a_commit_put_right_is_called_fixed() -> None:
    """On the same head nothing was committed, and what somebody suppressed is not reported, whatever was committed."""
    before = remembered((), DRIFT)
    assert remembered(before, Outcome("completed", HEAD, "main", DRIFT.findings[1:])) == before[1:]
    for scope, value in (("claim", "id-src/app.py"), ("file", "README.md"), ("kind", "path"), ("kind", "missing-path")):
        quiet = Outcome("completed", NEXT, "main", left_out=(LeftOut(scope, value),))
        assert "id-src/app.py" not in {one.id for one in remembered(before, quiet)}
    known = Outcome("completed", NEXT, "main", left_out=(LeftOut("claim", "c", "id-src/app.py"),))
    assert [(one.id, one.fixed) for one in remembered(before, known)] == [("id---port", NEXT)]
    fixed = remembered(before, CLEAN)
    assert remembered(fixed, Outcome("completed", NEXT, "main", left_out=(LeftOut("file", "README.md"),))) == fixed


def test_what_more_findings_push_off_the_list_is_not_called_fixed() -> None:
    before = remembered((), DRIFT)
    many = tuple(finding(f"new-{number}") for number in range(60))
    assert not [
        one for one in remembered(before, Outcome("completed", NEXT, "main", (*many, *DRIFT.findings))) if one.fixed
    ]
    cut = Outcome("completed", NEXT, "main", many[:50], cut=12)
    assert not [one for one in remembered(before, cut) if one.fixed]
    assert ended(cut).title == "62 statements of the documentation would be false"
    assert "12 more findings are not shown" in ended(cut).summary


def test_places_and_commits_are_links_where_it_is_known_where_people_see_them() -> None:
    seen = msgspec.structs.replace(DRIFT, site="https://github.com/acme/tool")
    compare("comment_links", comment(seen, (*remembered((), seen), Said("gone", "README.md:1", "x", NEXT))))
    for path in ("../../evil", "a//b", "./x", "x" * 201):
        outcome = Outcome("completed", HEAD, "main", (finding(file=path),), 1, site="https://github.com/acme/tool")
        assert "/blob/" not in comment(outcome, ())


TEXTS = st.one_of(
    st.sampled_from(HOSTILE), st.text(max_size=60), st.lists(st.sampled_from(HOSTILE), max_size=4).map(" ".join)
)


@settings(deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_no_repository_can_leave_its_cell_mention_anybody_or_make_markup(
    name: str, path: str, text: str, fix: str
) -> None:
    mention = Mention(path or "x", 3, 1, name, replacement=fix)
    hostile = Finding(
        "id",
        "missing-path",
        "path",
        Verdict.DRIFTED,
        Severity.HIGH,
        0.9,
        name,
        f"`{name}` is not {text}",
        (mention,),
        (Evidence(text, path, 1),),
        Fix(fix, True),
        "c",
    )
    site = "https://github.com/acme/tool"
    outcome = Outcome("completed", HEAD, "main", (hostile,), 1, site=site)
    body = comment(outcome, (*remembered((), outcome), Said("gone", path, f"`{name}` {text}", NEXT)))
    assert body.startswith(MARKER)
    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(body.removeprefix(MARKER))
    assert all(link.startswith(f"{site}/") for link in re.findall(r'href="([^"]*)"', html))
    allowed = {"a", "h3", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "br", "ul", "li", "s"}
    assert {tag.lower() for tag in re.findall(r"</?([A-Za-z][\w-]*)", html)} <= allowed
    prose = re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
    said = re.sub(r"<a [^>]*>", "", prose)
    assert not re.search(r"@\w|#\d|<!--|\bGH-\d|\bwww\.|://", said, re.IGNORECASE)
    assert html.count("<tr>") == 2


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 400), st.integers(1, 40), st.integers(1, 3_000))
def test_no_body_is_longer_than_github_takes(findings: int, mentions: int, length: int) -> None:
    many = tuple(
        finding(f"{number}{'`|<' * length}"[:length], mentions=mentions, text="#" * length)
        for number in range(findings)
    )
    outcome = Outcome("completed", HEAD, "main", many, findings, site=f"https://github.com/{'a' * 39}/{'b' * 100}")
    said = (*remembered((), outcome), *(Said(f"{n}", "x" * length, "`" * length, HEAD) for n in range(50)))
    assert len(comment(outcome, said)) < 65_536
    text = ended(outcome)
    assert max(len(text.summary), len(text.text)) < 65_535
    assert all(len(a.message) < 65_536 for a in remarks(many[:5]))


def test_an_address_outside_code_is_no_link_and_inside_it_stays_as_it_is() -> None:
    assert prose("see https://evil.example and `https://good.example`.") == (
        "see https:\u200b//evil.example and `https://good.example`."
    )
