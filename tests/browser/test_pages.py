"""The pages in a real browser: live, by keyboard, on a phone, in the dark, without script."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.browser.conftest import Site
from tests.support.chromium import Browser
from tests.support.dashboard import Empty, Hostile
from tests.support.page_server import Server
from tests.support.views import run, running, uid

PATHS = [
    "/", "/repos", f"/repos/{uid(1)}", f"/repos/{uid(2)}", f"/repos/{uid(2)}/remove", "/scans", f"/scans/{uid(300)}", f"/scans/{uid(299)}",
    f"/scans/{uid(298)}", f"/scans/{uid(297)}", f"/scans/{uid(330)}", "/actors", f"/actors/repo/{uid(2)}", "/incidents",
    "/apps", f"/apps/{uid(701)}", f"/apps/{uid(702)}", f"/apps/{uid(701)}/remove",
    "/tasks", "/tasks?status=FAILED", f"/tasks/{uid(501)}", f"/tasks/{uid(505)}", f"/tasks/{uid(507)}",
    "/tasks/purge?command=docalign.verification", "/outbound", "/outbound?status=dead",
    "/github",
]  # fmt: skip
PICTURES = os.environ.get("DOCALIGN_PICTURES", "")
"""A folder for pictures of every page, for whoever wants to look at them."""


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)], ids=["light", "dark", "phone"])
def test_every_page_fits_the_screen_and_the_browser_has_nothing_to_complain_about(
    browser: Browser, site: Site, width: int, dark: bool
) -> None:
    page = site.signed_in(browser.page(width=width, height=740, dark=dark))
    for path in PATHS:
        page.goto(site.url + path)
        assert page.eval("document.documentElement.scrollWidth") <= width, path
        assert page.eval("document.querySelectorAll('h1').length") == 1
        if PICTURES:
            name = re.sub(r"[/?=]", "-", path.strip("/")) or "overview"
            page.screenshot(Path(PICTURES) / f"{name}-{width}{'-dark' if dark else ''}.png")
    assert page.complaints == []


@pytest.mark.parametrize("width", [1280, 360])
def test_hostile_repositories_run_no_script(browser: Browser, site_of: Callable[[Empty], Site], width: int) -> None:
    site = site_of(Hostile())
    page = site.signed_in(browser.page(width=width))
    for path in (
        "/",
        "/repos",
        f"/repos/{uid(1)}",
        "/scans",
        *(f"/scans/{uid(n)}" for n in range(200, 206)),
        "/actors",
        "/incidents",
        "/github",
        "/apps",
        f"/apps/{uid(701)}",
        "/tasks",
        f"/tasks/{uid(501)}",
        f"/tasks/{uid(505)}",
        "/outbound?status=dead",
    ):
        page.goto(site.url + path)
        assert page.eval("document.scripts.length") == 1
        assert page.eval("document.images.length") == 0
        assert page.eval("document.documentElement.scrollWidth") <= width, path
    assert page.complaints == []


def test_one_signs_in_by_keyboard_alone(browser: Browser, site: Site) -> None:
    page = browser.page()
    page.goto(f"{site.url}/scans")
    page.until("document.activeElement.id === 'token'")
    page.type("operator")
    with page.loading():
        page.press("Enter", 13)
    assert page.eval("location.pathname") == "/scans"
    page.press("Tab", 9)
    assert page.eval("document.activeElement.textContent") == "Skip to the contents"
    assert page.eval("document.activeElement.getBoundingClientRect().left") >= 0
    page.press("Enter", 13)
    page.until("location.hash === '#main' && document.activeElement.id === 'main'")


def test_what_has_the_focus_can_be_seen(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page())
    for _ in range(12):
        page.press("Tab", 9)
        assert page.eval("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_everything_that_can_be_used_or_looked_at_has_a_name_for_those_who_hear_the_page(
    browser: Browser, site: Site
) -> None:
    page = site.signed_in(browser.page())
    page.call("Accessibility.enable")
    for path in PATHS:
        page.goto(site.url + path)
        nodes = [n for n in page.call("Accessibility.getFullAXTree")["nodes"] if not n["ignored"]]
        named = [
            n
            for n in nodes
            if n["role"]["value"]
            in ("button", "link", "textbox", "progressbar", "image", "region", "table", "navigation")
        ]
        assert named
        assert [n["role"]["value"] for n in named if not n["name"]["value"]] == [], path


def test_a_repository_that_was_removed_meanwhile_is_said_to_be_gone(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(), f"/repos/{uid(1)}")
    page.until("document.getElementById('connection').textContent === 'Live'")
    site.reader.lines = []
    site.feed.tell("repo")
    page.until("document.getElementById('connection').textContent === 'This is not there any more'")


def test_a_one_time_link_does_not_stay_in_the_address_bar(browser: Browser, site: Site) -> None:
    page = browser.page()
    page.goto(f"{site.url}/sign-in?token=once")
    assert page.eval("location.href") == f"{site.url}/sign-in"
    with page.loading():
        page.click("main form button")
    assert page.eval("document.querySelector('h1').textContent") == "Overview"
    assert site.people.used == {"once"}


def test_a_scan_moves_on_the_open_page_and_the_reader_is_not_disturbed(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(height=500))
    page.until("document.getElementById('connection').textContent === 'Live'")
    page.eval("document.querySelector('.incidents details').open = true")
    page.eval("document.querySelector('#incidents-heading').scrollIntoView(); window.before = scrollY")
    page.eval(
        f"window.button = document.querySelector('form[action=\"/scans/{uid(300)}/cancel\"] button'); button.focus({{preventScroll: true}})"
    )
    site.reader.runs = [running(300, "merge", 3, 7, repo_name="docalign-actors"), *site.reader.runs[1:]]
    site.feed.tell("scan")
    page.until("document.querySelector('.stages .now').innerText.includes('3 of 7')")
    assert page.eval("document.activeElement === window.button")
    assert page.eval("document.querySelector('.incidents details').open")
    assert page.eval("scrollY === window.before")
    assert page.complaints == []


def test_scans_come_and_go_on_the_open_page(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page())
    page.until("document.getElementById('connection').textContent === 'Live'")
    kept = site.reader.runs
    page.eval(f"window.row = document.querySelector('[data-key=\"{uid(302)}\"]')")
    site.reader.runs = [running(777, "fetch", repo_name="brand-new"), kept[2]]
    site.feed.tell("scan")
    page.until("document.querySelector('#scans').innerText.includes('brand-new')")
    assert page.eval("[...document.querySelectorAll('.run')].map(e => e.dataset.key)") == [str(uid(777)), str(uid(302))]
    assert page.eval(f"window.row === document.querySelector('[data-key=\"{uid(302)}\"]')")
    site.reader.runs = []
    site.feed.tell("scan")
    page.until("document.querySelector('#scans').innerText.includes('Nothing is being scanned')")
    site.reader.runs = kept
    site.feed.tell("scan")
    page.until("document.querySelectorAll('.run').length === 4")


def test_the_findings_appear_when_the_scan_ends(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(), f"/scans/{uid(300)}")
    page.until("document.getElementById('connection').textContent === 'Live'")
    assert page.eval("document.querySelectorAll('article').length") == 0
    site.reader.runs = [run(300, repo_name="docalign-actors")]
    site.feed.tell("scan")
    page.until("document.querySelectorAll('article').length === 4")
    assert page.eval("document.querySelector('h1 + .chip').textContent") == "completed"
    assert page.eval("document.querySelector('.title button')") is None


def test_events_that_do_not_concern_a_page_leave_it_alone(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(), "/incidents")
    page.until("document.getElementById('connection').textContent === 'Live'")
    page.eval("window.asked = 0; window.real = fetch; window.fetch = (...all) => { asked += 1; return real(...all); }")
    site.feed.tell("scan")
    site.feed.tell("incident")
    page.until("asked === 1")


def test_a_lost_connection_is_said_and_comes_back(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page())
    page.until("document.getElementById('connection').textContent === 'Live'")
    site.server.close()
    page.until("document.getElementById('connection').textContent.startsWith('Connection lost')")
    site.server = Server(site.app, site.feed, site.server.port)
    page.until("document.getElementById('connection').textContent === 'Live'", 20)


def test_one_who_was_signed_out_elsewhere_is_told(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page())
    page.until("document.getElementById('connection').textContent === 'Live'")
    site.people.sessions.clear()
    site.feed.tell("scan")
    page.until("document.getElementById('connection').textContent.startsWith('Signed out')")


def test_without_script_everything_can_be_read_and_done(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(script=False))
    assert page.eval("document.querySelector('#scans').innerText").count("Cancel") == 3 + 5
    assert "every 10 seconds" in page.eval("document.querySelector('#as-of').innerText")
    with page.loading():
        page.click(f"form[action='/scans/{uid(302)}/cancel'] button")
    assert site.desk.asked == [("cancel", uid(302), "ada-admin")]
    assert page.eval("location.pathname") == "/"
    page.goto(f"{site.url}/repos")
    page.click("#url")
    page.type("not a repository")
    with page.loading():
        page.click("form.add button")
    assert "DOCALIGN_E408" in page.eval("document.querySelector('[role=alert]').innerText")
    assert page.eval("document.querySelector('#url').value") == "not a repository"
    with page.loading():
        page.click(".who button")
    assert page.eval("document.querySelector('h1').textContent") == "Sign in"


def test_a_page_can_be_printed(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(), f"/scans/{uid(299)}")
    page.call("Emulation.setEmulatedMedia", media="print")
    assert page.eval("getComputedStyle(document.querySelector('.top nav')).display") == "none"
    assert page.eval("getComputedStyle(document.querySelector('pre')).whiteSpace") == "pre-wrap"


def test_a_failed_subscription_is_resumed_and_a_delivery_replayed_by_their_buttons(
    browser: Browser, site: Site
) -> None:
    page = site.signed_in(browser.page(), f"/apps/{uid(701)}")
    assert "unknown tenant" in page.eval("document.querySelector('#dead').innerText")
    with page.loading():
        page.click(f"form[action='/apps/{uid(701)}/subscriptions/{uid(721)}/resume'] button")
    with page.loading():
        page.click("#dead form button")
    assert site.desk.asked == [("resume", uid(701), uid(721)), ("replay", uid(701), uid(749))]
    assert page.eval("location.pathname") == f"/apps/{uid(701)}"


def test_an_open_page_of_an_application_shows_what_was_delivered(browser: Browser, site: Site) -> None:
    page = site.signed_in(browser.page(), f"/apps/{uid(701)}")
    page.until("document.getElementById('connection').textContent === 'Live'")
    found = site.reader.onboarded[0]
    site.reader.onboarded = [replace(found, deliveries=found.deliveries[2:], dead=())]
    site.feed.tell("app")
    page.until("!document.querySelector('#deliveries').innerText.includes('waiting')")
    page.until("document.querySelector('#dead') === null")
