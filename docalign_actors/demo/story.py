"""The demo, step by step: every step waits for what the service really did, and says it."""

from __future__ import annotations

import contextlib
import re
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from docalign_actors.demo.child import ServiceChild
from docalign_actors.demo.errors import DemoError
from docalign_actors.demo.github import FakeGitHub
from docalign_actors.demo.github.model import CheckRun, Delivery, Pull, Repository
from docalign_actors.demo.scene import BRANCH, CHANGE, FILES, REPOSITORY, TITLE

T = TypeVar("T")
_PATIENCE = 60.0
"""Seconds that a step may take; most take less than one."""
_KEPT = 202
_HIDDEN = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_LINK = re.compile(r"\[(`[^`\n]*`)\]\(http[^)\n]*\)")
"""A place or a commit that leads somewhere: on a terminal its name is enough."""


class Story:
    """Tells what happens between a GitHub of our own and a service."""

    def __init__(self, github: FakeGitHub, service: ServiceChild, port: int, say: Callable[[str], None]) -> None:
        self._github = github
        self._service = service
        self._port = port
        self._print = say
        self._began = time.monotonic()
        self._number = 0

    def tell(self) -> None:
        """From the first commit to the green check."""
        self._step(f"A GitHub of our own is at {self._github.address}; nothing leaves this machine.")
        self._service.start(self._port)
        self._step(f"The service is at {self._service.address}, with PostgreSQL inside.")
        if self._port and not self._service.address.endswith(f":{self._port}"):
            self._show(f"Port {self._port} is taken, so it listens on another one.")
        self._show("Its pages, signed in (once, within 10 minutes):", self._service.sign_in)
        self._github.hooks.url = f"{self._service.address}/webhooks/github"
        repository = self._github.create_repository(REPOSITORY, FILES)
        repository.roles["ada"] = "write"
        self._github.install("acme", repository)
        self._step(f"The App is installed on {REPOSITORY}: a small library, a README and a guide.")
        pull = self._open(repository)
        false = self._found_false(repository, pull)
        self._commented(repository)
        self._suggested(repository)
        self._mended(repository, pull, false)

    def _open(self, repository: Repository) -> Pull:
        pull = self._github.open_pull(repository, BRANCH, title=TITLE, files=CHANGE)
        self._step(f"Pull request #{pull.number}: {pull.title}. The documentation still says the old name.")
        self._show(f"{self._github.address}/{REPOSITORY}/pull/{pull.number}")
        base = repository.git.merge_base("main", pull.head)
        self._show(*repository.git.run("diff", "-U0", base, pull.head, "--", "src").splitlines()[4:])
        hook = self._until("webhook", lambda: self._delivered("opened"))
        if hook.code // 100 != 2:
            raise DemoError(f"The service answered the webhook with {hook.code}.")
        self._step(f"Webhook pull_request.{hook.action} is signed, written down and answered with {hook.code}.")
        return pull

    def _found_false(self, repository: Repository, pull: Pull) -> CheckRun:
        check = self._until("check", lambda: _check(repository, pull.heads[0][1]))
        self._step(f"Check {check.name} on {check.head_sha[:9]} is in progress: {check.history[0].partition(': ')[2]}.")
        self._until("conclusion", lambda: check.conclusion)
        if check.conclusion not in ("action_required", "neutral"):
            raise DemoError(f"The check ended with {check.conclusion}: {check.title}.")
        self._step(f"The check ends with {check.conclusion}: {check.title}.")
        for one in check.annotations:
            self._show(f"{one['path']}:{one['start_line']}: {one['message'].splitlines()[0]}")
        self._show(check.details_url)
        return check

    def _commented(self, repository: Repository) -> None:
        comment = self._until("comment", lambda: next(iter(repository.comments.values()), None))
        self._step("One comment, edited in place from now on:")
        self._show(*_LINK.sub(r"\1", _HIDDEN.sub("", comment.body)).strip().splitlines())

    def _suggested(self, repository: Repository) -> None:
        remark = self._until("suggestion", lambda: next(iter(repository.review_comments.values()), None))
        place = remark.review or {}
        self._step(
            f"A suggestion on {place.get('path')}:{place.get('line')}, which the diff shows; one click applies it:"
        )
        self._show(*_HIDDEN.sub("", remark.body).strip().splitlines())

    def _mended(self, repository: Repository, pull: Pull, check: CheckRun) -> None:
        before = pull.head
        self._press(repository, check)
        self._until("fix", lambda: pull.head != before)
        author, subject = repository.git.run("show", "-s", "--format=%an%n%s", pull.head).split("\n")
        self._step(f"Commit {pull.head[:9]} by {author} on branch {pull.head_ref}: {subject}")
        shown = repository.git.run("diff", "-U0", before, pull.head).splitlines()
        self._show(*(line for line in shown if line[:1] in "+-" and line[:3] not in ("+++", "---")))
        green = self._until("green check", lambda: _concluded(repository, pull.head))
        if green.conclusion != "success":
            raise DemoError(f"The check of the fix ended with {green.conclusion}: {green.title}.")
        self._step(f"Check {green.name} on {green.head_sha[:9]} ends with {green.conclusion}: {green.title}.")
        self._show(f"{self._github.address}/{REPOSITORY}/pull/{pull.number}", green.details_url)

    def _press(self, repository: Repository, check: CheckRun) -> None:
        if not check.actions:
            raise DemoError("The check has no button, although its fixes are certain.")
        label, identifier = check.actions[0]["label"], check.actions[0]["identifier"]
        self._step(f"Somebody presses the check's button {label}.")
        self._github.press(repository, check, identifier)
        hook = self._until("answer to the button", lambda: self._delivered("requested_action"))
        if hook.code != _KEPT:
            raise DemoError(f"The service answered the button's webhook with {hook.code}.")

    def _delivered(self, action: str) -> Delivery | None:
        return next((d for d in self._github.hooks.deliveries if d.action == action and d.code), None)

    # Saying and waiting

    def _step(self, text: str) -> None:
        self._number += 1
        self._print(f"{self._number:2}  {time.monotonic() - self._began:5.1f} s  {text}")

    def _show(self, *lines: str) -> None:
        for line in lines:
            self._print(f"               {line}")

    def _until(self, what: str, look: Callable[[], T | None]) -> T:
        """Looks again whenever something has happened at GitHub."""
        found: T | None = None

        def looked() -> bool:
            nonlocal found
            found = look()
            return bool(found)

        with self._github.changed:
            if not self._github.changed.wait_for(looked, _PATIENCE) or found is None:
                raise DemoError(f"The {what} did not come within {_PATIENCE:.0f} seconds.\n{self._service.said()}")
        return found


def _check(repository: Repository, sha: str) -> CheckRun | None:
    return next((c for c in list(repository.checks.values()) if c.head_sha == sha), None)


def _concluded(repository: Repository, sha: str) -> CheckRun | None:
    found = _check(repository, sha)
    return found if found is not None and found.conclusion else None


@contextlib.contextmanager
def stage() -> Iterator[tuple[FakeGitHub, ServiceChild]]:
    """Everything that the story needs; nothing of it is left afterwards."""
    with tempfile.TemporaryDirectory(prefix="docalign-demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with FakeGitHub(folder / "github") as github:
            github.hooks.secret = secrets.token_hex(20)
            service = ServiceChild(folder, github)
            try:
                yield github, service
            finally:
                service.stop()


def run(*, port: int, keep: bool, say: Callable[[str], None]) -> None:
    """The whole demo. `keep`: it stays until somebody interrupts it."""
    with stage() as (github, service):
        Story(github, service, port, say).tell()
        if keep:
            say("Everything stays as it is until Ctrl-C.")
            threading.Event().wait()
        else:
            say("That was all, and nothing of it is left. With --keep the pages stay until Ctrl-C.")
