"""One browser for all tests of a process; every test has pages and cookies of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.chromium import Browser, Page, find
from tests.support.dashboard import Busy, Desk, Empty
from tests.support.page_server import Feed, People, Server, application


class Site:
    """A server with everything that a test may want to turn."""

    def __init__(self, reader: Empty) -> None:
        self.reader = reader
        self.desk = Desk()
        self.people = People()
        self.feed = Feed()
        self.app = application(reader, self.desk, self.people, self.feed)
        self.server = Server(self.app, self.feed)
        self.url = self.server.url

    def signed_in(self, page: Page, path: str = "/", role: str = "admin") -> Page:
        page.goto(f"{self.url}/sign-in?token={role}&back={path}")
        with page.loading():
            page.click("main form button")
        return page


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = find()
    if not program:
        pytest.skip(
            "Chromium is not installed: left out is whether the pages work in a browser (live, by keyboard, on a phone, without script)"
        )
    opened = Browser(program, tmp_path_factory.mktemp("chromium"))
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _no_page_outlives_its_test(browser: Browser) -> Iterator[None]:
    yield
    browser.close_pages()


@pytest.fixture
def site(browser: Browser) -> Iterator[Site]:
    opened = Site(Busy())
    yield opened
    opened.server.close()


@pytest.fixture
def site_of(browser: Browser) -> Iterator[Callable[[Empty], Site]]:
    opened: list[Site] = []

    def make(reader: Empty) -> Site:
        opened.append(Site(reader))
        return opened[-1]

    yield make
    for site in opened:
        site.server.close()
