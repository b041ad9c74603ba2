"""What an operator can have done, by the running service or, while it is down, through the database itself."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import islice
from typing import Any, Protocol
from urllib.parse import quote
from uuid import UUID

import msgspec

from docalign_actors.cli.service.link import Link, find_service, open_database
from docalign_actors.clock import SystemClock
from docalign_actors.errors import (
    BadRepositoryUrlError,
    DocAlignError,
    UnknownRepositoryError,
    UnknownScanError,
    UsageError,
)
from docalign_actors.github.deciding import Suppress
from docalign_actors.hosts.belongings import Belongings
from docalign_actors.ids import new_id
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.suppressions import SuppressionStore
from docalign_actors.persistence.views import Views
from docalign_actors.persistence.watch import PostgresWatchStore
from docalign_actors.scans.addresses import check_repository, parse_repository_url
from docalign_actors.scans.admission import run_of
from docalign_actors.scans.limits import Counter, Limits, Refusal, reserve
from docalign_actors.scans.model import RepoId, Request, RunId
from docalign_actors.scans.suppressing import check_suppression
from docalign_actors.scans.triggers import TriggerService
from docalign_actors.settings import Settings
from docalign_actors.watch.credentials import check_credentials
from docalign_actors.watch.defaults import numbers_of, rules_of

_PAGE = 200
_HOST_AND_PATH = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:/[\w.~-]+){1,}")
"""What people copy from a browser that hides the scheme."""
_LIST = """
SELECT r.id::text, r.url, r.name, r.status, r.health_score, r.claims_total, r.claims_drifted, r.last_error,
       w.check_rule, w.full_rule, coalesce(c.state, 'closed')
  FROM repos r LEFT JOIN watch_schedules w ON w.repo_id = r.id LEFT JOIN circuits c ON c.repo_id = r.id
 WHERE r.removed_at IS NULL ORDER BY r.id DESC
"""
_COLUMNS = (
    "id", "url", "name", "status", "health_score", "claims_total", "claims_drifted", "last_error", "check_rule", "full_rule",
    "circuit",
)  # fmt: skip


class Desk(Protocol):
    """The same wishes, whoever fulfils them."""

    running: bool

    def add(self, url: str) -> str: ...

    def repos(self) -> list[dict[str, Any]]: ...

    def remove(self, repo: str) -> None: ...

    def request(self, repo: str, body: dict[str, Any]) -> str: ...

    def cancel(self, run: str, reason: str) -> str: ...

    def scans(self, repo: str, status: str | None, limit: int) -> list[dict[str, Any]]:
        """The newest, of every repository if none is named."""
        ...

    def scan(self, run: str) -> dict[str, Any]: ...

    def findings(self, run: str) -> Iterator[dict[str, Any]]: ...

    def schedule(self, repo: str, changes: dict[str, str | None]) -> dict[str, Any]:
        """The schedule, after these rules were set; None gives one back to the service."""
        ...

    def circuit(self, repo: str, *, reset: bool) -> dict[str, Any]: ...

    def set_credentials(self, repo: str, user: str, password: str) -> None: ...

    def remove_credentials(self, repo: str) -> None: ...

    def suppressions(self, repo: str) -> list[dict[str, Any]]: ...

    def suppress(self, repo: str, wanted: dict[str, Any]) -> str: ...

    def unsuppress(self, repo: str, suppression: str) -> None: ...


@contextmanager
def open_desk(settings: Settings) -> Iterator[Desk]:
    """The running service if there is one, otherwise the database."""
    link = find_service(settings.data_dir)
    if link is not None:
        yield RemoteDesk(link)
        return
    with open_database(settings) as database:
        yield LocalDesk(database, settings)


class RemoteDesk:
    """The running service."""

    running = True

    def __init__(self, link: Link) -> None:
        self.link = link

    def add(self, url: str) -> str:
        return str(self.link.call("POST", "/api/repos", {"url": url})["id"])

    def repos(self) -> list[dict[str, Any]]:
        return list(self.link.items("/api/repos"))

    def remove(self, repo: str) -> None:
        self.link.call("DELETE", f"/api/repos/{find_repo(self.repos(), repo)}")

    def request(self, repo: str, body: dict[str, Any]) -> str:
        found = find_repo(self.repos(), repo)
        return str(self.link.call("POST", f"/api/repos/{found}/scans", body)["scan_run_id"])

    def cancel(self, run: str, reason: str) -> str:
        why = f"?reason={quote(reason, safe='')}" if reason else ""
        answer = self.link.call("POST", f"/api/scans/{quote(run, safe='')}/cancel{why}")
        return str(answer.get("status", "cancelled")) if isinstance(answer, dict) else "cancelled"

    def scans(self, repo: str, status: str | None, limit: int) -> list[dict[str, Any]]:
        wanted = {"repo": find_repo(self.repos(), repo)} if repo else {}
        return list(islice(self.link.items("/api/scans", **wanted, **({"status": status} if status else {})), limit))

    def scan(self, run: str) -> dict[str, Any]:
        found: dict[str, Any] = self.link.call("GET", f"/api/scans/{quote(run, safe='')}")
        return found

    def findings(self, run: str) -> Iterator[dict[str, Any]]:
        return self.link.items(f"/api/scans/{quote(run, safe='')}/findings")

    def schedule(self, repo: str, changes: dict[str, str | None]) -> dict[str, Any]:
        found: dict[str, Any] = self.link.call("PUT" if changes else "GET", self._of(repo, "schedule"), changes or None)
        return found

    def circuit(self, repo: str, *, reset: bool) -> dict[str, Any]:
        path = self._of(repo, "circuit")
        found: dict[str, Any] = self.link.call("POST", f"{path}/reset") if reset else self.link.call("GET", path)
        return found

    def set_credentials(self, repo: str, user: str, password: str) -> None:
        self.link.call("PUT", self._of(repo, "credentials"), {"user": user, "password": password})

    def remove_credentials(self, repo: str) -> None:
        self.link.call("DELETE", self._of(repo, "credentials"))

    def _of(self, repo: str, part: str) -> str:
        return f"/api/repos/{find_repo(self.repos(), repo)}/{part}"

    def suppressions(self, repo: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.link.call("GET", self._suppressions(repo))["items"]
        return found

    def suppress(self, repo: str, wanted: dict[str, Any]) -> str:
        return str(self.link.call("POST", self._suppressions(repo), wanted)["id"])

    def unsuppress(self, repo: str, suppression: str) -> None:
        self.link.call("DELETE", f"{self._suppressions(repo)}/{suppression}")

    def _suppressions(self, repo: str) -> str:
        return f"/api/repos/{find_repo(self.repos(), repo)}/suppressions"


class LocalDesk:
    """The database, while the service is down: what is asked for waits for its next start."""

    running = False

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        belongings = Belongings(settings.data_dir)
        self._credentials = belongings.credentials
        self._repos = RepoStore(database, belongings.forget)
        self._watch = PostgresWatchStore(
            database, numbers_of(settings.watch), rules_of(settings.watch), github=bool(settings.github.app_id)
        )
        store = PostgresScanStore(database)
        limits = settings.limits
        allowed = Limits(limits.per_repository, limits.per_organisation, limits.per_user)
        self._clock = clock = SystemClock()

        def ingest(request: Request) -> Future[RunId]:
            day = clock.now().date()

            def count(demands: Sequence[tuple[Counter, ...]]) -> Sequence[Refusal | None]:
                return reserve(demands, store.counters(day), allowed)[0]

            answer: Future[RunId] = Future()
            answer.set_result(run_of(store.enqueue([request], [RunId(new_id())], day, count)[0]))
            return answer

        self._triggers = TriggerService(store, ingest, lambda name, message: None)

    def add(self, url: str) -> str:
        address = parse_repository_url(url)
        check_repository(address)
        return str(self._repos.register(address).id)

    def repos(self) -> list[dict[str, Any]]:
        with self._database.transaction() as connection:
            rows = connection.execute(_LIST).fetchall()
        return [dict(zip(_COLUMNS, row, strict=True)) for row in rows]

    def remove(self, repo: str) -> None:
        if self._repos.remove(self._find(repo)) is None:
            raise UnknownRepositoryError

    def request(self, repo: str, body: dict[str, Any]) -> str:
        found = self._find(repo)
        if body["type"] == "push":
            asked = self._triggers.enqueue_push_scan(found, body["before"], body["after"])
        elif body["type"] == "pr":
            asked = self._triggers.enqueue_pr_scan(found, body["number"], body["base"], body["head"])
        else:
            asked = self._triggers.enqueue_full_scan(found, user="command line")
        return str(asked.result(0))

    def cancel(self, run: str, reason: str) -> str:
        return self._triggers.cancel_scan(_run(run), reason or "asked for on the command line").after.value

    def scans(self, repo: str, status: str | None, limit: int) -> list[dict[str, Any]]:
        found = Views(self._database).runs(limit, repo=self._find(repo) if repo else None, status=status)
        return [msgspec.to_builtins(scan) for scan in found.items]

    def scan(self, run: str) -> dict[str, Any]:
        found = Views(self._database).run(_run(run))
        if found is None:
            raise UnknownScanError
        shown: dict[str, Any] = msgspec.to_builtins(found)
        return shown

    def findings(self, run: str) -> Iterator[dict[str, Any]]:
        views, after = Views(self._database), 0
        while True:
            page = views.findings(_run(run), _PAGE, after)
            yield from (msgspec.to_builtins(finding) for finding in page.items)
            if page.after is None:
                return
            (after,) = page.after

    def schedule(self, repo: str, changes: dict[str, str | None]) -> dict[str, Any]:
        found = self._find(repo)
        if changes:
            rules = [changes[name] or "" if name in changes else None for name in ("check", "full")]
            self._watch.set_schedule(found, rules[0], rules[1], self._clock.now())
        shown: dict[str, Any] = msgspec.to_builtins(self._watch.schedule(found))
        return shown

    def circuit(self, repo: str, *, reset: bool) -> dict[str, Any]:
        found = self._find(repo)
        if reset:
            self._watch.reset_circuit(found, "reset on the command line", self._clock.now())
        shown: dict[str, Any] = msgspec.to_builtins(self._watch.circuit(found))
        return shown

    def set_credentials(self, repo: str, user: str, password: str) -> None:
        found = self._find(repo)
        url = next(one["url"] for one in self.repos() if one["id"] == str(found))
        check_credentials(url, user, password)
        self._credentials.put(found, user, password)
        self._watch.reset_circuit(found, "its credentials were changed", self._clock.now())

    def remove_credentials(self, repo: str) -> None:
        self._credentials.remove(self._find(repo))

    def _find(self, repo: str) -> RepoId:
        return RepoId(UUID(find_repo(self.repos(), repo)))

    def suppressions(self, repo: str) -> list[dict[str, Any]]:
        found = SuppressionStore(self._database).holding(self._find(repo), self._clock.now())
        return [msgspec.to_builtins(one) for one in found]

    def suppress(self, repo: str, wanted: dict[str, Any]) -> str:
        check_suppression(wanted["scope"], wanted["value"])
        expires = self._clock.now() + timedelta(days=wanted["days"]) if "days" in wanted else None
        effect = Suppress(wanted["scope"], wanted["value"], wanted["reason"], expires, "", "api")
        made = SuppressionStore(self._database).add(self._find(repo), "command line", effect)
        if made is None:
            raise UnknownRepositoryError
        return str(made.id)

    def unsuppress(self, repo: str, suppression: str) -> None:
        if not SuppressionStore(self._database).remove(self._find(repo), UUID(suppression), "command line"):
            raise UsageError("There is no such suppression.", hint="See `docalign suppressions list`.")


def _run(text: str) -> RunId:
    try:
        return RunId(UUID(text))
    except ValueError:
        raise UnknownScanError(f"{text!r} is not the id of a scan.", hint="See `docalign scans list`.") from None


def find_repo(repos: Sequence[dict[str, Any]], wanted: str) -> str:
    """The id of the repository that is meant: by its id, its address, its path or, if that is clear, its name."""
    exact = [r for r in repos if wanted in (r["id"], r["url"])]
    if not exact:
        with suppress(DocAlignError):  # no address at all: then it is a name
            url = parse_repository_url(absolute(wanted)).url
            exact = [r for r in repos if r["url"] == url]
    exact = exact or [r for r in repos if r["name"] == wanted]
    if len(exact) == 1:
        return str(exact[0]["id"])
    if len(exact) > 1:
        raise UsageError(f"{len(exact)} repositories are called {wanted!r}.", hint="Name it by its id or its address.")
    raise UnknownRepositoryError(f"There is no repository {wanted!r}.", hint="List them with `docalign repo list`.")


def absolute(text: str) -> str:
    """A path as the service must know it: the service stands in another folder."""
    if _HOST_AND_PATH.fullmatch(text) and not os.path.exists(text):
        raise BadRepositoryUrlError(f"There is no folder {text} here.", hint=f"If it is an address: https://{text}")
    if "://" not in text and (os.path.isdir(text) or (text and ":" not in text and not text.startswith("-"))):
        return os.path.realpath(text)
    return text
