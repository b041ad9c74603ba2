"""What people who give commands read, to the letter; and that nobody can misuse it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.github import replies
from docalign_actors.github.learning import Paused, Suppression
from docalign_actors.github.words import Outcome, ended
from tests.github.test_words import HEAD, HOSTILE, compare

AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
PAUSED = Paused(number=3, paused_by="will", paused_at=AT, reason="we move")
WHOLE = Paused(number=0, paused_by="mia", paused_at=AT)
HELD = Suppression(
    id=UUID(int=1), scope="claim", value="c1", reason="a placeholder", created_by="will", created_at=AT, expires_at=AT,
    about="`README.md:3`: `src/app.py` is not there any more.", finding_id="3f2a9c81d07b",
)  # fmt: skip
FILE = Suppression(id=UUID(int=2), scope="file", value="docs/old.md", reason="history", created_by="mia", created_at=AT)
FOUND = Finding(
    "3f2a9c81d07b", "missing-path", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, "src/app.py", "`src/app.py` is not there any more.",
    tuple(Mention("README.md", line, 1, "src/app.py") for line in range(3, 15)),
    (Evidence("renamed to src/main.py", "src/main.py", 1, "c" * 40),), Fix("src/main.py", True), "c1",
)  # fmt: skip
YAML = "check:\n  min_severity_to_block: high\ndoc_patterns: ['docs/**', README.md]\n"
ALL = {
    "help": replies.usage(),
    "unknown": replies.unknown("scna", "scan"),
    "malformed": replies.malformed("ignore", "Say why: others will read the reason."),
    "too_many": replies.too_many(10),
    "refused": replies.refused("pause", "write", "read"),
    "refused_stranger": replies.refused("fix", "write", "none"),
    "no_such_finding": replies.no_such_finding("abc"),
    "several_findings": replies.no_such_finding("abcdef", ["abcdef012345", "abcdef543210"]),
    "not_a_pull": replies.not_a_pull("scan"),
    "closed": replies.closed("scan"),
    "no_fixing": replies.no_fixing(),
    "fix_opened": replies.fixed("opened", "", 12),
    "fix_nothing": replies.fixed("nothing", "none of the findings has a fix that is certain", None),
    "fix_failed": replies.fixed("failed", "the branch @moved. ", None),
    "limited": replies.limited("This repository has had its 100 scans of today. The count begins anew at midnight."),
    "failed": replies.failed("failed", "DOCALIGN_E106", "git fetch failed: no route."),
    "full_clean": replies.full_done(0, 1_240, ""),
    "full_drift": replies.full_done(3, 1_240, "https://docs.example.org/scans/1"),
    "already_paused": replies.already_paused(PAUSED),
    "not_paused": replies.not_paused(False, WHOLE),
    "still_paused": replies.still_paused(PAUSED),
    "explained": replies.explained(FOUND, "A path is named that is not there.", ()),
    "explained_ignored": replies.explained(FOUND, "", (HELD, FILE)),
    "ignored": replies.ignored(HELD),
    "not_ignored": replies.not_ignored("abc"),
    "config": replies.configured(replies.configuration(".docalign.yml", YAML) or "", (WHOLE,), (HELD, FILE)),
    "config_default": replies.configured(replies.default_configuration(), (), ()),
    "config_mistake": replies.configuration(".docalign.yml", "doc_patterns: 3\n") or "",
}


@pytest.mark.parametrize("name", ALL)
def test_what_a_reply_says(name: str) -> None:
    compare(f"reply_{name}", ALL[name] + "\n")


@pytest.mark.parametrize(("name", "paused"), [("pull", PAUSED), ("repository", WHOLE)])
def test_what_a_check_says_while_nothing_is_checked(name: str, paused: Paused) -> None:
    title, notice = replies.paused_notice(paused)
    text = ended(Outcome("cancelled", HEAD, notice=notice, notice_title=title))
    compare(f"check_paused_{name}", f"{text.conclusion}\n\n# {text.title}\n\n{text.summary}\n")


def test_what_a_check_says_of_what_is_suppressed() -> None:
    text = ended(Outcome("completed", HEAD, "main", (), 24, 24, suppressed=2))
    compare("check_suppressed", f"{text.conclusion}\n\n# {text.title}\n\n{text.summary}\n")


TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=80))


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS, TEXTS)
def test_nobody_can_make_a_reply_mention_anybody_or_carry_markup(one: str, two: str, three: str) -> None:
    hostile = Finding(
        "id", "r", "path", Verdict.DRIFTED, Severity.LOW, 0.9, one, f"`{one}` {two}", (Mention(one or "x", 1, 1),),
        (Evidence(two, three, 1),), Fix(three, False), "c",
    )  # fmt: skip
    held = Suppression(
        id=UUID(int=1), scope="file", value=one, reason=two, created_by=three, created_at=AT, about=f"`{one}`: {two}"
    )
    paused = Paused(number=1, paused_by=one, paused_at=AT, reason=two)
    said = [
        replies.unknown(one, ""), replies.limited(two), replies.failed("failed", "", three), replies.no_such_finding(one, [two, three]),
        replies.explained(hostile, "x", (held,)), replies.configured("x", (paused,), (held,)), replies.already_paused(paused),
        replies.configuration(".docalign.yml", f"doc_patterns: [{one!r}]\n{two}: {three}") or "",
        ended(Outcome("cancelled", HEAD, notice=replies.paused_notice(paused)[1], notice_title="Paused")).summary,
    ]  # fmt: skip
    for text in said:
        html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)
        allowed = {"h3", "p", "code", "table", "thead", "tbody", "tr", "th", "td", "br", "ul", "li", "em"}
        assert {tag.lower() for tag in re.findall(r"</?([A-Za-z][\w-]*)", html)} <= allowed, text
        prose = re.sub(r"<code>.*?</code>", "", html, flags=re.DOTALL)
        assert not re.search(r"@\w|#\d|<!--", prose)
        assert len(text) < 60_000
