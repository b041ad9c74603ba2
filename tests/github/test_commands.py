"""Commands in comments: which lines command, what they ask for, what is decided. No database, no GitHub."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from docalign_actors.findings.model import Evidence, Finding, Fix, Mention, Severity, Verdict
from docalign_actors.github import answering, commands
from docalign_actors.github.answering import Given, allowed, next_step
from docalign_actors.github.commands import lines_of, parse
from docalign_actors.github.deciding import (
    AskFix,
    Facts,
    Hold,
    NoteDismissal,
    Release,
    Revoke,
    StartFull,
    StartScan,
    Suppress,
    decide,
)
from docalign_actors.github.learning import Paused, Suppression
from docalign_actors.scans.model import RepoId

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
PAUSED = Paused(number=3, paused_by="ada", paused_at=NOW)
HELD = Suppression(
    id=UUID(int=5), scope="claim", value="c1", reason="we know", created_by="ada", created_at=NOW, finding_id="abcdef012345"
)  # fmt: skip


def finding(name: str = "abcdef012345") -> Finding:
    places = (Mention("README.md", 3, 13, "src/app.py"),)
    evidence = (Evidence("renamed to src/main.py", "src/main.py", 1, "c" * 40),)
    return Finding(
        name, "missing-path", "path", Verdict.DRIFTED, Severity.HIGH, 0.9, "src/app.py", "`src/app.py` is not there.", places,
        evidence, Fix("src/main.py", True), f"claim-{name}",
    )  # fmt: skip


def command(line: str, **more: Any) -> Given:
    base: dict[str, Any] = {
        "id": 1, "repo_id": RepoId(UUID(int=9)), "installation": 5, "full_name": "acme/tool", "place": "issue", "source": 77,
        "ordinal": 0, "number": 3, "pull": True, "author": "ada", "line": line, "permission": "write", "head_sha": "f" * 40,
        "base_ref": "main",
    }  # fmt: skip
    return Given(**{**base, **more})


def facts(**more: Any) -> Facts:
    return Facts(**{"now": NOW, "can_fix": True, "findings": (finding(),), "scanned": "f" * 40, **more})


# Which lines command


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/docalign scan", ["/docalign scan"]),
        ("Thanks!\n\n  /DocAlign   fix  abc \r\n/docalign help", ["/DocAlign fix abc", "/docalign help"]),
        ("Please run /docalign scan", []),
        ("/docalignment is nice", []),
        ("> /docalign scan\n\n/docalign help", ["/docalign help"]),
        ("> quoted\n/docalign scan", []),
        ("```\n/docalign scan\n```\n/docalign help", ["/docalign help"]),
        ("````md\n```\n/docalign scan\n```\n````\n", []),
        ("~~~\n/docalign scan", []),
        ("    /docalign scan", []),
        ("\t/docalign scan", []),
        ("`/docalign scan`", []),
        ("<!-- \n/docalign scan\n-->\n/docalign help", ["/docalign help"]),
        ("<!-- x --> <!-- y\n/docalign scan -->\n/docalign help", ["/docalign help"]),
        ("<pre>\n/docalign scan\n</pre>", []),
        ("``` not a fence ```\n/docalign scan", ["/docalign scan"]),
        ("/docalign scan\x00\u202e\x1b[31m now", ["/docalign scan [31m now"]),
        ("", []),
    ],
)
def test_code_quotations_and_what_is_hidden_do_not_command(comment: str, expected: list[str]) -> None:
    assert list(lines_of(comment)) == expected


def test_a_comment_gives_ten_commands_and_the_rest_is_one_refusal() -> None:
    lines = lines_of("/docalign scan\n" * 500)
    assert len(lines) == commands.MOST + 1
    assert commands.asked("issue", lines[10], 10) == commands.TooMany()


HOSTILE = st.lists(
    st.sampled_from(
        ["/docalign", "scan", "ignore", "for", "30", "days", "--scope", "file", "```", "~~~", "> ", "<!--", "-->", "<pre", "\n", " ", "\t", "\0",
         "\u2028", "x" * 600, "é", "@all", "99999", "-1"]
    ), max_size=60,
).map("".join)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given_by(st.one_of(st.text(max_size=300), HOSTILE))
def test_no_comment_is_too_much_and_what_is_kept_reads_the_same_again(comment: str) -> None:
    lines = lines_of(comment)
    assert all(len(line) <= commands.LONGEST and line.isprintable() for line in lines)
    assert lines_of("\n".join(lines)) == lines
    for line in lines:
        parse(line)


def test_a_very_long_comment_is_read_in_no_time() -> None:
    for part in ("<!--", "<pre", "/docalign ignore for 1 day ", "```\n", "> \n", "--scope file "):
        lines_of(part * 20_000)
        parse("/docalign ignore x " + part * 20_000)


# What a line asks for


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/docalign", commands.Help()),
        ("/docalign HELP me", commands.Help()),
        ("/docalign scan", commands.Scan()),
        ("/docalign full", commands.Full()),
        ("/docalign config", commands.Config()),
        ("/docalign fix", commands.Fix()),
        ("/docalign fix `abc`, def abc", commands.Fix(("abc", "def"))),
        ("/docalign explain abc", commands.Explain("abc")),
        ("/docalign unignore abc", commands.Unignore("abc")),
        ("/docalign ignore abc it is a placeholder", commands.Ignore("abc", "it is a placeholder")),
        ("/docalign ignore abc --scope file generated", commands.Ignore("abc", "generated", "file")),
        ("/docalign ignore abc generated --scope=kind", commands.Ignore("abc", "generated", "kind")),
        ("/docalign ignore abc for 30 days until the move", commands.Ignore("abc", "until the move", "claim", 30)),
        ("/docalign ignore abc moving for 2 weeks", commands.Ignore("abc", "moving", "claim", 14)),
        ("/docalign pause", commands.Pause()),
        ("/docalign pause repo while we move", commands.Pause(True, "while we move")),
        ("/docalign pause it is noisy", commands.Pause(False, "it is noisy")),
        ("/docalign resume repository", commands.Resume(True)),
        ("/docalign scna", commands.Unknown("scna", "scan")),
        ("/docalign deploy", commands.Unknown("deploy", "")),
        ("/docalign dismiss abc", commands.Unknown("dismiss", "")),
    ],
)  # fmt: skip
def test_what_a_line_asks_for(line: str, expected: commands.Asked) -> None:
    assert parse(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "/docalign ignore", "/docalign ignore abc", "/docalign ignore <script> x", "/docalign ignore abc --scope all x",
        "/docalign ignore abc for 0 days x", "/docalign ignore abc for 99999 years x", "/docalign ignore abc for 3 days", "/docalign explain",
        "/docalign explain a b", "/docalign unignore", "/docalign fix ../<x>", "/docalign fix 1 2 3 4 5 6 7 8 9 10 11", "/docalign resume now",
    ],
)  # fmt: skip
def test_what_lacks_something_is_told_what(line: str) -> None:
    found = parse(line)
    assert isinstance(found, commands.Malformed)
    decided = decide(command(line), facts())
    assert decided.result == "refused"
    assert found.why in decided.reply


# Who may


@pytest.mark.parametrize("verb", ["scan", "full", "fix", "ignore x y", "unignore x", "pause", "resume"])
@pytest.mark.parametrize("permission", ["none", "read"])
def test_whatever_changes_something_needs_the_right_to_write_and_a_refusal_says_so(verb: str, permission: str) -> None:
    asked = command(f"/docalign {verb}", permission=permission)
    decided = decide(asked, facts())
    assert (decided.result, decided.effect, decided.rescan) == ("refused", None, False)
    assert "needs *write* permission" in decided.reply
    assert ("you have *read*" in decided.reply) == (permission == "read")


@pytest.mark.parametrize("verb", ["help", "explain abcdef012345", "config", "nonsense"])
def test_who_may_read_may_ask(verb: str) -> None:
    assert allowed(parse(f"/docalign {verb}"), "read")
    assert not allowed(parse(f"/docalign {verb}"), "none")


# What is decided


def test_a_scan_is_of_the_head_that_github_named() -> None:
    assert decide(command("/docalign scan"), facts()).effect == StartScan("main", "f" * 40)
    assert decide(command("/docalign full", pull=False), facts()).effect == StartFull()


@pytest.mark.parametrize(
    ("line", "more", "known", "words"),
    [
        ("scan", {"pull": False}, {}, "is about a pull request"),
        ("scan", {}, {"pull_open": False}, "closed"),
        ("scan", {}, {"paused": (PAUSED,)}, "`/docalign resume` ends it"),
        ("full", {}, {"paused": (Paused(number=0, paused_by="ada", paused_at=NOW),)}, "`/docalign resume repo` ends it"),
        ("fix", {}, {"can_fix": False}, "Fixing is not available"),
        ("fix nothing", {}, {}, "no finding `nothing`"),
        ("explain nothing", {}, {}, "no finding `nothing`"),
        ("ignore nothing x", {}, {}, "no finding `nothing`"),
        ("explain abcdef", {}, {"findings": (finding(), finding("abcdef999999"))}, "several ids"),
        ("unignore nothing", {}, {}, "Nothing is suppressed"),
        ("pause", {"pull": False}, {}, "is about a pull request"),
        ("pause", {}, {"paused": (PAUSED,)}, "is paused already"),
        ("resume", {}, {}, "is not paused"),
        ("resume", {}, {"paused": (Paused(number=0, paused_by="ada", paused_at=NOW),)}, "`/docalign resume repo` ends it"),
        ("scna", {}, {}, "Did you mean `/docalign scan`?"),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_changes_nothing(
    line: str, more: dict[str, Any], known: dict[str, Any], words: str
) -> None:
    decided = decide(command(f"/docalign {line}", **more), facts(**known))
    assert (decided.result, decided.effect) == ("refused", None)
    assert words in decided.reply


def test_an_id_may_be_written_in_part_as_long_as_it_is_clear() -> None:
    assert decide(command("/docalign fix abcdef"), facts()).effect == AskFix(("abcdef012345",))
    assert decide(command("/docalign fix abcde"), facts()).result == "refused"
    assert decide(command("/docalign fix claim-abcdef012345"), facts()).effect == AskFix(("abcdef012345",))


@pytest.mark.parametrize(
    ("words", "scope", "value"),
    [("", "claim", "claim-abcdef012345"), ("--scope file", "file", "README.md"), ("--scope kind", "kind", "path")],
)
def test_what_is_ignored_is_the_claim_its_file_or_its_kind(words: str, scope: str, value: str) -> None:
    decided = decide(command(f"/docalign ignore abcdef012345 {words} for 2 days we know"), facts())
    assert isinstance(decided.effect, Suppress)
    assert (decided.effect.scope, decided.effect.value, decided.effect.reason) == (scope, value, "we know")
    assert decided.effect.expires_at == NOW + timedelta(days=2)
    assert (decided.result, decided.reply, decided.rescan) == ("done", "", True)


def test_what_was_ignored_is_found_by_the_id_that_people_knew() -> None:
    decided = decide(command("/docalign unignore abcdef012345"), facts(findings=(), suppressions=(HELD,)))
    assert (decided.effect, decided.rescan) == (Revoke((HELD.id,)), True)
    told = decide(command("/docalign explain abcdef012345"), facts(findings=(), suppressions=(HELD,)))
    assert "ada said so on 2026-01-02 03:04 UTC (we know)" in told.reply


def test_pausing_and_resuming() -> None:
    assert decide(command("/docalign pause too noisy"), facts()).effect == Hold(3, "too noisy")
    assert decide(command("/docalign pause repo", pull=False), facts()).effect == Hold(0, "")
    resumed = decide(command("/docalign resume"), facts(paused=(PAUSED,)))
    assert (resumed.effect, resumed.rescan) == (Release(3), True)


def test_the_second_dismissal_of_a_finding_that_is_still_there_suppresses_it() -> None:
    waved = command("abcdef012345", place="thread", author="bob")
    assert decide(waved, facts()).effect == NoteDismissal("abcdef012345", None)
    second = decide(waved, facts(dismissals=("ada",)))
    assert isinstance(second.effect, NoteDismissal)
    assert second.effect.suppress is not None
    assert (second.effect.suppress.value, second.effect.suppress.reason) == (
        "claim-abcdef012345", "dismissed 2 times: by ada and bob",
    )  # fmt: skip
    assert decide(waved, facts(findings=(), dismissals=("ada",))).effect is None
    assert decide(waved, facts(scanned="e" * 40, dismissals=("ada",))).effect is None
    mere_reader = command("abcdef012345", place="thread", permission="read")
    assert (decide(mere_reader, facts()).effect, decide(mere_reader, facts()).reply) == (None, "")


# What GitHub is asked and told


class Model:
    """GitHub and the row of one command, with an actor that may be killed between an effect and its record."""

    def __init__(self, given: Given, kills: list[int]) -> None:
        self.given = given
        self.kills = kills
        self.comments: list[str] = []
        self.reactions: list[str] = []

    def put(self, **more: Any) -> None:
        if not (self.kills and self.kills.pop()):
            self.given = Given(**{**{f: getattr(self.given, f) for f in self.given.__struct_fields__}, **more})

    def run(self) -> None:
        for _ in range(200):
            if self.given.state in ("ready", "told"):
                return
            self.step(next_step(self.given))
        raise AssertionError("it does not come to an end")

    def step(self, step: answering.Step) -> None:
        match step:
            case answering.React(content=content):
                self.reactions += [content] if content not in self.reactions else []
                self.put(**({"seen": True} if content == "eyes" else {"state": "told"}))
            case answering.AskPermission():
                self.put(permission="write")
            case answering.LookAtPull():
                self.put(head_sha="f" * 40)
            case answering.LookAtConfiguration():
                self.put(material="x")
            case answering.LookAtReactions():
                self.put(state="told")
            case answering.Ready():
                self.put(state="ready")
            case answering.LookForReply():
                found = [n for n, body in enumerate(self.comments) if body.startswith(self.given.marker)]
                self.put(reply_id=found[0] if found else None, replying=False)
            case answering.Reply(body=body):
                kills, self.kills = self.kills, []
                self.put(replying=True)  # before anything is sent
                self.kills = kills
                self.comments.append(body)
                self.put(reply_id=len(self.comments) - 1, replying=False)
            case answering.Finish():
                self.put(state="told")


@settings(deadline=None)
@given_by(
    st.sampled_from(["scan", "help", "config", "ignore a b", "explain abc", "resume"]),
    st.sampled_from(["started", "done", "refused"]),
    st.sampled_from(["", "Because."]),
    st.sampled_from(["issue", "review", "check", "thread"]),
    st.lists(st.integers(0, 1), max_size=12),
)
def test_whatever_is_killed_each_command_gets_one_reply_and_its_two_reactions(
    verb: str, result: str, reply: str, place: str, kills: list[int]
) -> None:
    model = Model(command(f"/docalign {verb}", place=place, permission=None, head_sha=""), kills)
    model.run()
    assert model.given.state == "ready"
    model.kills = kills[::-1]
    model.given = Given(
        **{**{f: getattr(model.given, f) for f in model.given.__struct_fields__}, "state": "answered", "result": result, "reply": reply}
    )  # fmt: skip
    model.run()
    assert len(model.comments) == (1 if reply else 0)
    ends = {"started": "rocket", "done": "+1", "refused": "confused"}
    assert model.reactions == (["eyes", ends[result]] if place in ("issue", "review") else [])
