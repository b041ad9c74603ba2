"""What events lead to, decided without a database or a clock."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.github import events
from docalign_actors.github.events import Known, KnownPull, decide
from docalign_actors.github.payloads import read, take

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HEADS = ["a" * 40, "b" * 40, "c" * 40]
REPO: dict[str, Any] = {"id": 7, "full_name": "acme/tool", "default_branch": "main"}
KNOWN = Known(4711, registered=True)


def pull(
    action: str, head: str = HEADS[0], at: int = 0, state: str = "open", base: str = "main", **more: Any
) -> events.Event:
    moment = (NOW + timedelta(seconds=at)).isoformat()
    body = {
        "number": 3, "state": state, "updated_at": moment, "head": {"ref": "f", "sha": head, "repo": None}, "base": {"ref": base, "sha": "0"}, **more
    }  # fmt: skip
    return event("pull_request", action=action, number=3, pull_request=body)


def event(name: str, **body: Any) -> events.Event:
    taken = take(4711, "d", name, json.dumps({"repository": REPO, "installation": {"id": 5}, **body}).encode())
    assert taken is not None
    assert not taken.error, taken.error
    return read(name, taken.content)


def kinds(commands: events.Commands) -> list[str]:
    return [type(command).__name__ for command in commands]


def test_an_installation_registers_its_repositories_and_looks_at_all_of_each() -> None:
    found = decide(
        event(
            "installation", action="created", installation={"id": 5, "account": {"login": "acme"}}, repositories=[REPO]
        ),
        KNOWN,
    )
    assert found == (
        events.SaveInstallation(5, "acme", "active", {}),
        events.Register(7, "acme/tool", 5, scan=True),
    )
    assert decide(event("installation", action="suspend", installation={"id": 5}), KNOWN)[0] == events.SaveInstallation(
        5, "", "suspended", {}
    )
    assert decide(event("installation", action="deleted", installation={"id": 5}), KNOWN) == (
        events.RemoveInstallation(5),
    )


def test_repositories_come_and_go() -> None:
    other = {"id": 8, "full_name": "acme/other"}
    found = decide(
        event("installation_repositories", action="removed", repositories_added=[REPO], repositories_removed=[other]),
        KNOWN,
    )
    assert kinds(found) == ["SaveInstallation", "Register", "Remove"]


@pytest.mark.parametrize(
    ("action", "more", "expected"),
    [
        ("renamed", {}, ["Rename"]),
        ("transferred", {}, ["Rename", "Register"]),
        ("deleted", {}, ["Remove"]),
        ("archived", {}, ["Archive"]),
        ("edited", {"changes": {"default_branch": {"from": "master"}}}, ["ScanFull"]),
        ("edited", {"changes": {"description": {"from": ""}}}, []),
    ],
)
def test_what_happens_to_a_repository(action: str, more: dict[str, Any], expected: list[str]) -> None:
    assert kinds(decide(event("repository", action=action, **more), KNOWN)) == expected
    assert decide(event("repository", action=action, **more), Known(4711)) == ()


def test_an_installation_gives_up_only_what_is_still_its_own() -> None:
    found = decide(event("installation_repositories", action="removed", repositories_removed=[REPO]), KNOWN)
    assert found[-1] == events.Remove(7, 5)
    assert decide(event("repository", action="transferred"), KNOWN) == (
        events.Rename(7, "acme/tool"),
        events.Register(7, "acme/tool", 5),
    )


def test_an_event_that_is_not_late_gives_the_repository_the_name_that_it_has_now() -> None:
    before = Known(4711, True, pull=KnownPull("open", HEADS[0], "main", NOW), full_name="acme/old")
    rename = events.Rename(7, "acme/tool")
    assert decide(pull("synchronize", HEADS[1], 5), before)[0] == rename
    assert decide(push(), before)[0] == rename
    assert decide(pull("synchronize", HEADS[1], -5), before) == ()
    assert rename not in decide(push("refs/heads/other"), before)


def test_a_pull_request_is_scanned_when_its_head_or_base_is_new_and_stopped_when_it_closes() -> None:
    before = Known(4711, True, pull=KnownPull("open", HEADS[0], "main", NOW))
    assert decide(pull("opened"), KNOWN)[0] == events.ScanPull(7, 3, "main", HEADS[0])
    assert kinds(decide(pull("ready_for_review", at=5), before)) == ["NotePull"]
    assert kinds(decide(pull("synchronize", HEADS[1], 5), before)) == ["ScanPull", "NotePull"]
    assert kinds(decide(pull("edited", at=5, base="next"), before)) == ["ScanPull", "NotePull"]
    assert kinds(decide(pull("edited", at=5), before)) == ["NotePull"]
    assert kinds(decide(pull("closed", at=5, state="closed"), before)) == [
        "CancelPull",
        "NotePull",
        "RecordClosing",
    ]
    closed = Known(4711, True, pull=KnownPull("closed", HEADS[0], "main", NOW))
    assert kinds(decide(pull("reopened", at=5), closed)) == ["ScanPull", "NotePull"]


def test_a_repository_that_nobody_told_us_about_is_registered_by_its_first_event() -> None:
    assert kinds(decide(pull("opened"), Known(4711))) == ["Register", "ScanPull", "NotePull"]


def push(ref: str = "refs/heads/main", after: str = HEADS[1], pushed: int = 100, **more: Any) -> events.Event:
    return event("push", ref=ref, before=HEADS[0], after=after, repository={**REPO, "pushed_at": pushed}, **more)


def test_only_pushes_to_the_default_branch_are_scanned() -> None:
    assert decide(push(), KNOWN)[0] == events.ScanPush(7, HEADS[0], HEADS[1])
    for other in (push("refs/heads/other"), push("refs/tags/v1"), push(after="0" * 40), push(deleted=True)):
        assert decide(other, KNOWN) == ()
    late = Known(4711, True, pushed_at=datetime.fromtimestamp(200, UTC))
    assert decide(push(), late) == ()
    assert decide(push(), Known(4711, True, archived=True)) == ()


def test_only_our_own_check_is_run_again() -> None:
    def check(app: int) -> events.Commands:
        return decide(
            event("check_run", action="rerequested", check_run={"head_sha": HEADS[0], "app": {"id": app}}), KNOWN
        )

    assert check(4711) == (events.ScanHead(7, HEADS[0]),)
    assert check(99) == ()


def after(known: Known, commands: events.Commands) -> Known:
    for command in commands:
        if isinstance(command, events.NotePull):
            noted = KnownPull(command.state, command.head_sha, command.base_ref, command.updated_at)
            known = msgspec.structs.replace(known, pull=noted)
    return known


@given(st.permutations(range(6)), st.lists(st.integers(0, 5), max_size=4))
def test_in_whatever_order_and_however_often_events_come_the_last_head_is_what_is_known(
    order: list[int], doubles: list[int]
) -> None:
    story = [
        pull("opened", HEADS[0], 0), pull("synchronize", HEADS[1], 1), pull("closed", HEADS[1], 2, "closed"),
        pull("reopened", HEADS[1], 3), pull("synchronize", HEADS[2], 4), pull("edited", HEADS[2], 5),
    ]  # fmt: skip
    known, scanned = KNOWN, []
    for number in [*order, *doubles]:
        commands = decide(story[number], known)
        scanned += [c.head for c in commands if isinstance(c, events.ScanPull)]
        known = after(known, commands)
    assert known.pull is not None
    assert (known.pull.head_sha, known.pull.state) == (HEADS[2], "open")
    assert scanned[-1] == HEADS[2]


@given(
    st.one_of(
        st.binary(max_size=80),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda x: (
                st.lists(x, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["action", "repository", "id", "installation", "pull_request"]), x, max_size=4
                )
            ),
            max_leaves=10,
        ).map(lambda v: json.dumps(v).encode()),
    )
)
def test_whatever_a_payload_holds_it_is_read_or_kept_but_never_an_error(raw: bytes) -> None:
    for name in ("pull_request", "push", "installation", "check_run", "unheard_of"):
        taken = take(1, "d", name, raw)
        if taken is not None:
            assert bool(taken.content) != bool(taken.error)


def test_an_installation_whose_dates_are_numbers_is_read() -> None:
    found = event(
        "installation",
        action="created",
        installation={"id": 5, "created_at": 1467819449, "account": None},
        repositories=[],
    )
    assert kinds(decide(found, KNOWN)) == ["SaveInstallation"]


def said(body: str, event_name: str = "issue_comment", **comment: Any) -> events.Commands | None:
    """What a comment leads to; None if it is not even written down."""
    whole = {"id": 77, "body": body, "user": {"login": "ada", "type": "User"}, **comment}
    about = {"issue": {"number": 3, "pull_request": {"url": "x"}}, "pull_request": {"number": 3}}
    sent = {"repository": REPO, "installation": {"id": 5}, "action": "created", "comment": whole, **about}
    taken = take(4711, "d", event_name, json.dumps(sent).encode())
    return decide(read(event_name, taken.content), KNOWN) if taken is not None else None


@pytest.mark.parametrize(("name", "place"), [("issue_comment", "issue"), ("pull_request_review_comment", "review")])
def test_a_comment_that_commands_is_recorded_without_what_else_it_says(name: str, place: str) -> None:
    found = said("My secret.\n/docalign scan\n> /docalign full\n\n/docalign help", name)
    assert found == (events.Record(7, place, 77, 3, True, "ada", ("/docalign scan", "/docalign help")),)
    assert said("nothing to do with us", name) is None


def test_bots_are_recorded_as_such_and_our_own_app_not_at_all() -> None:
    bots: list[dict[str, Any]] = [
        {"user": {"login": "x[bot]", "type": "Bot"}}, {"user": {"login": "x[bot]", "type": "User"}},
        {"performed_via_github_app": {"id": 99}}, {"user": {"login": "acme", "type": "Organization"}},
    ]  # fmt: skip
    for bot in bots:
        (found,) = said("/docalign scan", **bot) or ()
        assert isinstance(found, events.Record)
        assert found.bot
    assert said("/docalign scan", performed_via_github_app={"id": 4711}) == ()
    assert said("/docalign scan", user=None) == ()


def test_an_issue_is_no_pull_request() -> None:
    (found,) = decide(
        event("issue_comment", action="created", issue={"number": 9}, comment={"id": 1, "body": "/docalign full", "user": {"login": "ada"}}),
        KNOWN,
    )  # fmt: skip
    assert isinstance(found, events.Record)
    assert (found.number, found.pull) == (9, False)


def test_only_the_fix_button_of_our_own_check_leads_to_anything() -> None:
    def pressed(identifier: str, app: int = 4711, sender: Any = None, name: str = "") -> events.Commands:
        check = {"id": 55, "head_sha": HEADS[0], "app": {"id": app}, "external_id": name}
        who = sender or {"login": "ada", "type": "User"}
        asked = {"identifier": identifier}
        return decide(
            event("check_run", action="requested_action", check_run=check, requested_action=asked, sender=who), KNOWN
        )

    assert pressed("fix") == (events.RecordAction(7, 0, HEADS[0], "ada"),)
    assert pressed("fix", name=f"{UUID(int=3)}:12:2") == (events.RecordAction(7, 12, HEADS[0], "ada"),)
    assert pressed("other") == pressed("fix", app=9) == ()


def test_a_resolved_thread_is_a_dismissal_only_if_we_began_it_and_a_person_ended_it() -> None:
    def resolved(body: str, login: str = "docalign[bot]", sender: str = "User") -> events.Commands | None:
        first = {"id": 8, "body": body, "user": {"login": login, "type": "Bot"}}
        sent = {
            "repository": REPO, "installation": {"id": 5}, "action": "resolved", "pull_request": {"number": 3}, "thread": {"comments": [first]},
            "sender": {"login": "ada", "type": sender},
        }  # fmt: skip
        taken = take(4711, "d", "pull_request_review_thread", json.dumps(sent).encode())
        known = Known(4711, registered=True, own_login="docalign[bot]")
        return decide(read("pull_request_review_thread", taken.content), known) if taken is not None else None

    ours = "<!-- docalign:fix abc def -->\nWrite it so."
    assert resolved(ours) == (events.Record(7, "thread", 8, 3, True, "ada", ("abc", "def")),)
    assert resolved(ours, login="other[bot]") == resolved(ours, sender="Bot") == ()
    assert resolved("just talk") is None
    assert resolved("talk <!-- docalign:fix abc -->") is None


def test_a_paused_repository_s_pushes_lead_to_nothing() -> None:
    pushed = event("push", ref="refs/heads/main", before="0" * 40, after=HEADS[0])
    assert kinds(decide(pushed, KNOWN))[:1] == ["ScanPush"]
    assert decide(pushed, Known(4711, registered=True, paused=True)) == ()
