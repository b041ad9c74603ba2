"""The page that leads to GitHub and back: served by the command itself, to this machine only, until the App exists.

GET  /<key>        the manifest, and the form that takes it to GitHub; `?organisation=` says for whom
GET  /created      where GitHub leads back to, with a code for the credentials and the state that it was given
Nobody who does not know the key, which only the terminal shows, gets a page; a code without the state is refused.
"""

from __future__ import annotations

import json
import queue
import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from docalign_actors.clock import Clock
from docalign_actors.dashboard.assets import asset
from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.layout import bare
from docalign_actors.dashboard.page import Problem
from docalign_actors.dashboard.parts import alert, button, hidden, link
from docalign_actors.errors import (
    DocAlignError,
    PortTakenError,
    RegistrationCodeError,
    RegistrationDeniedError,
    UsageError,
)
from docalign_actors.github.registration import Place, account_name, form_target, is_code, manifest
from docalign_actors.github.requirements import EVENTS, PERMISSIONS, PURPOSES, spoken
from docalign_actors.hosts.github.registration import Registered, convert

_LASTS = 3_600.0
"""Seconds that GitHub gives for the whole of it."""
_ANSWER_SECONDS = 30.0
"""How long somebody who comes back waits for the outcome."""
_IDLE_SECONDS = 3.0
"""A browser opens connections that it does not use."""


class SetupPage:
    """with SetupPage(…) as page: it is served; `wait` gives the App that came of it."""

    def __init__(
        self, place: Place, public_url: str, name: str, organisation: str, clock: Clock, *, port: int = 0, lasts: float = _LASTS
    ) -> None:  # fmt: skip
        self.place, self.public_url, self.name = place, public_url, name
        self.organisation = account_name(organisation)
        self.clock, self._lasts = clock, lasts
        self.key, self.state = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self._outcome: queue.Queue[Registered | DocAlignError] = queue.Queue()
        self._told = threading.Event()
        self._page = ""
        self._taken = threading.Lock()
        try:
            self._server = _Server(("127.0.0.1", port), self)
        except OSError as error:
            raise PortTakenError(f"Port {port} cannot be listened on: {error.strerror}.") from None
        self.port: int = self._server.server_address[1]
        self.address = f"http://127.0.0.1:{self.port}/{self.key}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)

    def __enter__(self) -> SetupPage:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._told.set()
        self._server.shutdown()
        self._server.server_close()

    def wait(self) -> Registered:
        """Until GitHub has led somebody back. What went wrong there is raised."""
        try:
            found = self._outcome.get(timeout=self._lasts)
        except queue.Empty:
            raise RegistrationDeniedError("Nobody came back from GitHub within an hour.") from None
        if isinstance(found, DocAlignError):
            self._say(_failed(found))
            raise found
        return found

    def finish(self, made: Registered) -> None:
        """The credentials are kept: whoever waits at the page is told so."""
        self._say(_done(self.place, made))

    # Answers

    def answer(self, target: str) -> tuple[int, str]:
        parts = urlsplit(target)
        query = dict(parse_qsl(parts.query, max_num_fields=20))
        if parts.path == f"/{self.key}":
            return self._form(query.get("organisation", self.organisation))
        if parts.path == "/created":
            return self._created(query)
        return 404, bare("Not found", h("h1", "Not found"), h("p", "Open the address that the command printed."))

    def _form(self, organisation: str) -> tuple[int, str]:
        try:
            owner = account_name(organisation)
        except UsageError as error:
            return 422, bare("Not understood", alert(Problem(error.code, str(error), error.hint)), self._choice(""))
        wanted = manifest(self.name, self.public_url, f"http://127.0.0.1:{self.port}/created")
        go = h(
            "form", hidden("manifest", json.dumps(wanted)), button(f"Create it for {owner or 'my own account'}"),
            method="post", action=form_target(self.place, owner, self.state),
        )  # fmt: skip
        body = join(
            h("h1", "Create the GitHub App"),
            h("p", "GitHub shows the App's name, which can be changed there, and creates it. It then leads back here."),
            go, self._choice(owner), _needs(), h("h2", "Where events go"), h("p", h("code", wanted["hook_attributes"]["url"])),
        )  # fmt: skip
        return 200, bare("Create the GitHub App", body)

    def _choice(self, owner: str) -> Markup:
        field = h("input", type="text", name="organisation", value=owner, id="organisation", autocomplete="off")
        label = h("label", "Organisation, empty for your own account", for_="organisation")
        return h("form", label, field, button("Choose", look="plain"), method="get", action=f"/{self.key}")

    def _created(self, query: dict[str, str]) -> tuple[int, str]:
        if not secrets.compare_digest(query.get("state", "").encode(), self.state.encode()):
            told = "This answer does not belong to the page that was opened here. Nothing was changed."
            return 400, bare("Not ours", h("h1", "Not ours"), h("p", told))
        with self._taken:
            if not self._page:
                self._outcome.put(self._exchange(query))
                self._told.wait(_ANSWER_SECONDS)
        return 200, self._page or bare("One moment", h("h1", "One moment"), h("p", "The command says how it went."))

    def _exchange(self, query: dict[str, str]) -> Registered | DocAlignError:
        if "error" in query:
            told = query.get("error_description") or query["error"]
            return RegistrationDeniedError(f"GitHub did not create the App: {told[:200]!r}.")
        if not is_code(query.get("code", "")):
            return RegistrationCodeError("GitHub led back without a code.")
        try:
            return convert(self.place, query["code"], self.clock)
        except DocAlignError as error:
            return error

    def _say(self, page: str) -> None:
        self._page = page
        self._told.set()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # whoever waits at the page gets it before the server is gone
    allow_reuse_address = False

    def __init__(self, address: tuple[str, int], page: SetupPage) -> None:
        self.page = page
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    timeout = _IDLE_SECONDS
    server: _Server

    def do_GET(self) -> None:
        page = self.server.page
        if self.headers.get("Host", "") not in (f"127.0.0.1:{page.port}", f"localhost:{page.port}"):
            self._send(421, b"This is not the name of this page.", "text/plain")
            return
        found = asset(urlsplit(self.path).path.removeprefix("/static/")) if self.path.startswith("/static/") else None
        if found is not None:
            self._send(200, found.data, found.type, "max-age=3600")
            return
        status, text = page.answer(self.path)
        self._send(status, text.encode(), "text/html; charset=utf-8")

    def _send(self, status: int, data: bytes, kind: str, kept: str = "no-store") -> None:
        self.send_response(status)
        origin = self.server.page.place.web_url
        headers = {
            "Content-Type": kind, "Content-Length": str(len(data)), "Cache-Control": kept,
            "Content-Security-Policy": (
                f"default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' {origin};"
                " frame-ancestors 'none'; base-uri 'none'"
            ),
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Connection": "close",
        }  # fmt: skip
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Addresses hold the key and the code: nothing of them is printed."""


def _needs() -> Node:
    granted = [h("li", h("strong", spoken(f"{n}: {level}")), f": {PURPOSES[n]}") for n, level in PERMISSIONS.items()]
    events = ", ".join(event.replace("_", " ") for event in EVENTS)
    return join(h("h2", "What it may do"), h("ul", granted), h("h2", "What it is told of"), h("p", events))


def _done(place: Place, made: Registered) -> str:
    install = f"{made.html_url or f'{place.web_url}/apps/{made.slug}'}/installations/new"
    return bare(
        "The App exists", h("h1", "The App exists"), h("p", f"{made.name or made.slug} is ready, and its credentials are kept."),
        h("p", link(install, "Install it on your repositories")), h("p", "The terminal says the rest."),
    )  # fmt: skip


def _failed(error: DocAlignError) -> str:
    return bare("It did not work", h("h1", "It did not work"), alert(Problem(error.code, str(error), error.hint)))
