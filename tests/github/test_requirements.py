"""What the App needs is said once, and everything else agrees with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.errors import UsageError
from docalign_actors.github.diagnosis import (
    SeenApp,
    SeenDelivery,
    SeenHook,
    SeenInstallation,
    of_app,
    of_deliveries,
    of_hook,
    of_installations,
)
from docalign_actors.github.payloads import EVENTS as HANDLED
from docalign_actors.github.registration import account_name, default_name, form_target, is_code, manifest, place_of
from docalign_actors.github.requirements import (
    EVENTS,
    PERMISSIONS,
    PURPOSES,
    missing_events,
    missing_permissions,
    spoken,
)

PAGE = (Path(__file__).parents[2] / "docs" / "github.md").read_text()
FULL = dict(PERMISSIONS)
HOOK = "https://docs.example.org/webhooks/github"


def test_the_documentation_names_every_permission_and_event_and_no_other() -> None:
    told = re.search(r"repository permissions: ([^;.]+)[;.]", PAGE)
    events = re.search(r"events: ([^.]+)\.", PAGE)
    assert told is not None
    assert events is not None
    permissions = {f"{name} {level}" for name, level in re.findall(r"\*([^*]+)\* (\w+)", " ".join(told[1].split()))}
    assert permissions == {spoken(f"{name}: {level}") for name, level in PERMISSIONS.items()}
    named = {name.lower().replace(" ", "_") for name in re.findall(r"\*([^*]+)\*", " ".join(events[1].split()))}
    assert named == set(EVENTS)


def test_every_event_that_leads_to_something_is_subscribed_to() -> None:
    assert set(EVENTS) >= {name for name in HANDLED if not name.startswith("installation")}
    assert PURPOSES.keys() == PERMISSIONS.keys()


def test_the_manifest_asks_for_what_is_needed() -> None:
    made = manifest("DocAlign", "https://docs.example.org", "http://127.0.0.1:1/created")
    assert (made["default_permissions"], tuple(made["default_events"])) == (PERMISSIONS, EVENTS)
    assert made["hook_attributes"] == {"url": HOOK, "active": True}
    assert made["public"] is False


@given(
    st.dictionaries(st.sampled_from([*PERMISSIONS, "actions"]), st.sampled_from(["read", "write", "admin", "", "?"]))
)
def test_exactly_what_is_not_granted_is_missing(granted: dict[str, str]) -> None:
    missing = {line.partition(":")[0] for line in missing_permissions(granted)}
    enough = {"write": ("write", "admin"), "read": ("read", "write", "admin")}
    assert missing == {name for name, level in PERMISSIONS.items() if granted.get(name, "") not in enough[level]}


@given(st.sets(st.sampled_from([*EVENTS, "star"])))
def test_exactly_the_events_that_are_not_subscribed_to_are_missing(subscribed: set[str]) -> None:
    assert set(missing_events(subscribed)) == set(EVENTS) - subscribed


@pytest.mark.parametrize(
    ("base", "web", "api"),
    [
        ("https://github.com", "https://github.com", "https://api.github.com"),
        ("github.com/", "https://github.com", "https://api.github.com"),
        ("https://api.github.com", "https://github.com", "https://api.github.com"),
        ("https://github.example.org", "https://github.example.org", "https://github.example.org/api/v3"),
        ("https://github.example.org/api/v3/", "https://github.example.org", "https://github.example.org/api/v3"),
        ("http://127.0.0.1:3000", "http://127.0.0.1:3000", "http://127.0.0.1:3000/api/v3"),
        ("https://acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com"),
        ("https://api.acme.ghe.com", "https://acme.ghe.com", "https://api.acme.ghe.com"),
    ],
)  # fmt: skip
def test_a_github_is_known_by_its_base_address(base: str, web: str, api: str) -> None:
    assert (place_of(base).web_url, place_of(base).api_url) == (web, api)


@pytest.mark.parametrize(
    "base", ["", "ftp://x", "https://", "https://u:p@h", "https://h/path", "https://h?x=1", "https://h:port", "//"]
)
def test_what_is_no_base_address_is_refused(base: str) -> None:
    with pytest.raises(UsageError):
        place_of(base)


@given(st.text(max_size=60))
def test_no_name_of_an_organisation_leads_elsewhere(text: str) -> None:
    try:
        name = account_name(text)
    except UsageError:
        return
    target = form_target(place_of("github.com"), name, "s/t?a&te")
    inside = f"/organizations/{name}" if name else ""
    assert target == f"https://github.com{inside}/settings/apps/new?state=s%2Ft%3Fa%26te"
    assert re.fullmatch(r"[A-Za-z0-9_-]*", name)


def test_names_fit_and_codes_are_no_paths() -> None:
    assert len(default_name("https://a-very-long-name-of-a-host.documentation.example.org")) <= 34
    assert is_code("a1b2_-")
    assert not any(is_code(text) for text in ("", "../x", "a/b", "a" * 201, "a b", "a\n"))


def test_the_doctor_names_each_thing_that_is_amiss() -> None:
    app = SeenApp("DocAlign", "docalign", "acme", "https://x/apps/docalign", {**FULL, "checks": "read"}, EVENTS[1:])
    assert list(of_app(app)) == [
        ("permissions", False, "grant Checks write (for the check beside each head) on the App's page"),
        ("events", False, "subscribe to check_run on the App's page"),
    ]
    assert of_hook(SeenHook(HOOK, "json", False), HOOK) == ("webhook", True, f"goes to {HOOK}")
    for hook in (SeenHook("", "", False), SeenHook("https://other/hook", "json", False), SeenHook(HOOK, "form", False)):
        assert not of_hook(hook, HOOK)[1]
    assert "http.public_url" in of_hook(SeenHook(HOOK, "json", False), "/webhooks/github")[2]
    good, bad = SeenDelivery("push", "now", "OK", 202), SeenDelivery("push", "now", "timed out", 0)
    assert [of_deliveries(d)[1] for d in ([], [good, bad], [bad, good])] == [True, True, False]
    assert of_deliveries([bad, good])[2].startswith(
        "1 of the last 2 were answered; not the newest, push at now: timed out."
    )
    lacking, asleep = {**FULL, "contents": "read"}, SeenInstallation(2, "asleep", True, FULL)
    told = list(of_installations([SeenInstallation(1, "acme", False, lacking), asleep], ""))
    assert [(name, good) for name, good, _ in told] == [("installation acme", False), ("installation asleep", False)]
    assert told[0][2].startswith("accept Contents write")
