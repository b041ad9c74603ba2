"""The real application in a real browser: what the service says of itself is what the open page listens for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docalign_actors.http.api_repos import register_repository
from docalign_actors.http.pages import page_routes
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.tokens import Role
from docalign_actors.scans.events import ScanMoved
from docalign_actors.supervision.policy import Policy
from tests.http.house import House, Listener
from tests.support.chromium import Browser, Page
from tests.support.page_server import Feed, Server

LIVE = "document.getElementById('connection').textContent === 'Live'"


@pytest.fixture
def page(browser: Browser, database: Database) -> Iterator[tuple[Page, House]]:
    house = House(database, pages=page_routes)
    house.system.family("repo", lambda key: Listener(), Policy())
    server = Server(house.app, Feed(), lifespan="on")
    shown = browser.page()
    shown.goto(f"{server.url}/sign-in?token={house.tokens.one_time(Role.ADMIN)}")
    with shown.loading():
        shown.click("main form button")
    shown.until(LIVE)
    yield shown, house
    browser.close_pages()
    server.close()
    house.system.stop(5.0)


def test_a_scan_that_starts_elsewhere_appears_moves_and_is_cancelled_on_the_page(page: tuple[Page, House]) -> None:
    shown, house = page
    shown.until("document.querySelector('#scans').innerText.includes('Nothing is being scanned')")
    repo = register_repository(house.services, "https://github.com/owner/payments").id
    run = house.services.triggers.enqueue_full_scan(repo).result(5)
    house.events.publish(ScanMoved(run, repo, 0, "queued", "queued"))
    shown.until("document.querySelector('#scans').innerText.includes('1 scan waits')")
    house.start(run)
    house.store.append_event(run, 1, "progress", {"stage": "index", "done": 3, "total": 9}, "index")
    house.events.publish(ScanMoved(run, repo, 1, "progress", "running", "index", 3, 9))
    shown.until("document.querySelector('.stages .now')?.innerText.includes('3 of 9')")
    with shown.loading():
        shown.click("#scans button")
    shown.until("document.querySelector('#scans').innerText.includes('stopping')")
    assert shown.complaints == []
