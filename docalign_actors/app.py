"""The composition root: settings → database → actors → HTTP, started in this order and stopped in the reverse. Read it first.

Supervisor
├── rate-limiter            what may still be asked for today
├── repo/<id>               one for each repository that has something to do
│   └── scan/<run>          one for each scan that runs
├── worker-pool             the permits
├── waiting-room            scans that wait for agents, without a permit
├── task-broker             the agent task queue: many requests in one commit, and those who wait
├── outbound                callbacks and events, out of the outbox
├── chronicle/<repository>  what happened there, for the applications that subscribe to it; woken by app-herald
├── recorder, sweeper       incidents into the database; old things out of it
├── watcher, circuits       looks at repositories that are due; counts what git could not reach
├── github-…                the GitHub App, where there is one: see parts/github.py
└── ingest                  requests into the database, many in one commit
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger

from docalign_actors import __version__
from docalign_actors.agent_tasks.messages import Tidy
from docalign_actors.clock import SystemClock
from docalign_actors.errors import DocAlignError
from docalign_actors.handle import Handle, read_handle, write_handle
from docalign_actors.hosts.belongings import Belongings
from docalign_actors.hosts.mirror_folder import MirrorFolder
from docalign_actors.hosts.processes import LocalProcesses
from docalign_actors.http.pages import page_routes
from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings, Services
from docalign_actors.http.serving import Serving, run_loop, take_address
from docalign_actors.ids import new_id
from docalign_actors.interpreter import settle_down, tune
from docalign_actors.parts.applications import Applications
from docalign_actors.parts.scanning import job_maker, numbers_of
from docalign_actors.parts.tasks import start_tasks
from docalign_actors.parts.watching import Watching
from docalign_actors.persistence.claim import ServiceClaim
from docalign_actors.persistence.connection import usable_address
from docalign_actors.persistence.database import Database
from docalign_actors.persistence.housekeeping import PostgresHousekeeper
from docalign_actors.persistence.migrations import migrate
from docalign_actors.persistence.repos import RepoStore
from docalign_actors.persistence.room import trouble
from docalign_actors.persistence.scans import PostgresScanStore
from docalign_actors.persistence.server import PostgresStarted, Server
from docalign_actors.persistence.tokens import Role, TokenStore
from docalign_actors.persistence.views import Views
from docalign_actors.persistence.waits import PostgresWaits
from docalign_actors.scans.addresses import parse_repository_url
from docalign_actors.scans.assembly import ScanParts, assemble
from docalign_actors.scans.figures import count as count_scans
from docalign_actors.scans.handing_back import hand_back
from docalign_actors.scans.messages import StopGranting
from docalign_actors.scans.model import RepoId, Trigger
from docalign_actors.scans.ports import Job, Started
from docalign_actors.settings import Settings
from docalign_actors.supervision.gauges import expose
from docalign_actors.supervision.policy import Policy
from docalign_actors.supervision.system import ActorSystem
from docalign_actors.telemetry import logs
from docalign_actors.telemetry.events import ActorStopped
from docalign_actors.telemetry.metrics import Metrics
from docalign_actors.telemetry.stream import EventStream
from docalign_actors.telemetry.systemd import into_journal, notify, watchdog_interval
from docalign_actors.telemetry.trace import current_trace
from docalign_actors.upkeep.ports import Keep
from docalign_actors.upkeep.recorder import record_incidents
from docalign_actors.upkeep.sweeper import SweeperActor

if TYPE_CHECKING:
    from docalign_actors.parts.github import GitHubAccess, GitHubApp

_LAST_MOMENTS = 5.0
"""Seconds kept from the drain's deadline to stop the actors themselves."""
EXIT_FAILED = 70
"""An actor failed too often: whoever looks after this process shall start it again."""


def _note_server(event: object) -> None:
    """The first start is no news; everything else that happens to PostgreSQL is."""
    expected = isinstance(event, PostgresStarted) and not event.restarts
    logger.log("INFO" if expected else "WARNING", "PostgreSQL: {}", event)


class Service:
    """The service from start to stop. `run` returns the exit code."""

    def __init__(
        self,
        settings: Settings,
        *,
        register: Sequence[str] = (),
        announce: Callable[[str], None] = print,
        way_in: str = "docalign token create --role admin",
    ) -> None:
        """`way_in`: the command that makes a token for this service."""
        self.settings = settings
        self._register = register
        self._announce = announce
        self._way_in = way_in
        self._stack = contextlib.ExitStack()
        self._code = 0
        self._when_failed: Callable[[], object] = self._end_now
        self.clock = SystemClock()
        self.events = EventStream(clock=self.clock)
        self.data_dir = Path(settings.data_dir)
        self.belongings = Belongings(self.data_dir)
        self.github: GitHubApp | None = None
        self.github_access: GitHubAccess | None = None

    def run(self) -> int:
        """Starts everything, serves until told to stop, and stops everything."""
        tune()
        faulthandler.enable()
        faulthandler.register(signal.SIGUSR1, all_threads=True, chain=False)
        with self._stack:
            self._open()
            run_loop(self._serve())
        logger.info("stopped")
        return self._code

    def _open(self) -> None:
        self._stack.callback(logs.log_events(self.events))
        url = self._start_database()
        migrate(url)
        self._url = url
        self._claim = self._stack.enter_context(ServiceClaim(url))
        database = self.settings.database
        self.database = self._stack.enter_context(
            Database(
                url,
                pool_size=database.pool_size,
                statement_timeout=database.statement_timeout,
                lock_timeout=database.lock_timeout,
                pool_timeout=database.pool_timeout,
                trace=current_trace,
            )
        )
        self.tokens = TokenStore(self.database, self.clock)
        # Before anybody is at work: a service that cannot listen takes no scan up.
        self._listening = take_address(self._http_settings(), self.tokens)
        self._stack.callback(self._listening.close)
        self._start_actors()

    def _start_database(self) -> str:
        if self.settings.database.url:
            return usable_address(self.settings.database.url.reveal())
        self.server = Server(self.data_dir, listener=_note_server)
        logger.info("starting PostgreSQL in {}", self.server.data)
        self.server.start()
        # Others on this machine may be attached to it: they get a moment.
        self._stack.callback(lambda: self.server.stop(linger=2.0))
        return self.server.url

    def _start_actors(self) -> None:
        settings = self.settings
        self.store = PostgresScanStore(self.database)
        self.system = ActorSystem(self.events, clock=self.clock, escalate=self._escalate)
        self._stack.callback(self._stop_actors)
        self.metrics = Metrics(self.events)
        expose(self.system, self.metrics)
        count_scans(self.events, self.metrics.registry)
        parts = ScanParts(
            self.store, LocalProcesses(), self.clock, self.events, new_id, self._job_maker(), PostgresWaits(self.database),
            lambda: self.tasks.queue.do(Tidy()),
        )  # fmt: skip
        house = PostgresHousekeeper(self.database)
        record_incidents(self.system, house, self.events)
        self._start_applications()
        self.tasks = start_tasks(settings, self.database, self.system, self.applications, self.clock, self.events)
        self._open_github()
        self.triggers = assemble(self.system, parts, numbers_of(settings))
        self.applications.start()
        keep = settings.retention
        kept = Keep(
            keep.runs_days, keep.events_days, keep.incidents_days, keep.blob_cache_bytes, settings.mirrors.budget_bytes,
            keep.tasks_days, keep.journal_days, keep.deliveries_days, settings.agents.remember_days,
        )  # fmt: skip
        self._start_github()
        self.repos = RepoStore(self.database, self.belongings.forget, self.clock)
        self.watching = Watching(
            settings.watch, self.database, self.system, self.triggers, self.belongings.credentials, self.metrics, self.clock,
            self.events, github=self.github is not None,
        )  # fmt: skip
        mirrors = MirrorFolder(self.data_dir / "mirrors", house.known_repos, self.belongings.credentials)
        self.system.supervise(
            "sweeper",
            lambda: SweeperActor(house, mirrors, kept, self.events),
            Policy(handler_deadline=600.0, rest=600.0),
        )

    def _start_applications(self) -> None:
        self.applications = Applications(
            self.settings, self.database, self.system,
            lambda repo: self.triggers.enqueue_full_scan(repo, trigger=Trigger.SCHEDULED), self.clock, self.events, self.metrics,
        )  # fmt: skip

    def _open_github(self) -> None:
        """Who the App is, if there is one. Its library takes long to import: who has no App does not wait for it."""
        if self.settings.github.app_id:
            from docalign_actors.parts.github import open_access

            self.github_access = open_access(self.settings.github, self.database, self.clock)

    def _start_github(self) -> None:
        if self.github_access is not None:
            from docalign_actors.github.figures import count
            from docalign_actors.parts.github import GitHubApp

            count(self.events, self.metrics.registry)
            self.github = GitHubApp(
                self.github_access, self.settings.github, self.settings.http.public_url, self.database, self.system, self.triggers,
                self.clock, self.events, self.data_dir / "mirrors", self.settings.agents.event_type, self.belongings.forget,
            )  # fmt: skip

    def _job_maker(self) -> Callable[[Started], Job]:
        def token_for(repo: RepoId) -> str:
            return self.github_access.token_for(repo) if self.github_access is not None else ""

        return job_maker(self.settings, self.belongings, self._url, token_for)

    # HTTP

    async def _serve(self) -> None:
        loop = asyncio.get_running_loop()
        draining = asyncio.Event()
        views = Views(self.database)
        http = self._http_settings()
        services = Services(
            triggers=self.triggers, system=self.system, database=self.database, tokens=self.tokens,
            repos=self.repos, views=views, events=self.events, metrics=self.metrics.render, clock=self.clock,
            settings=http, ready=lambda: trouble(self.data_dir), draining=draining,
            tasks=self.tasks, watch=self.watching.services, apps=self.applications.services,
            webhooks=self.github.webhooks if self.github is not None else None,
            fixes=self.github.fixes if self.github is not None else None,
        )  # fmt: skip
        serving = Serving(make_app(services, page_routes), services, stop_seconds=_LAST_MOMENTS, taken=self._listening)
        address = serving.bind()
        self._write_handle(address)
        stop = asyncio.Event()

        def told(name: str) -> None:
            if stop.is_set():
                logger.warning("{} again: stopping now", name)
                self._end_now()
            logger.info("{}: finishing what is under way", name)
            notify("STOPPING=1")
            stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, told, signal.Signals(number).name)
        self._when_failed = lambda: loop.call_soon_threadsafe(stop.set)
        await asyncio.to_thread(self._register_named)
        server = asyncio.create_task(serving.serve())
        await asyncio.to_thread(self._begin, address)
        watchdog = asyncio.create_task(self._feed_watchdog())
        await stop.wait()
        watchdog.cancel()
        draining.set()
        await asyncio.to_thread(self._drain)
        serving.stop()
        await server

    def _http_settings(self) -> HttpSettings:
        http = self.settings.http
        return HttpSettings(
            host=http.host, port=http.port, public_url=http.public_url, allowed_hosts=http.allowed_hosts,
            body_limit=http.body_limit,
        )  # fmt: skip

    def _register_named(self) -> None:
        """What the command line names is there before anybody can ask."""
        for name in self._register:
            registered = self.repos.register(parse_repository_url(name))
            self.triggers.enqueue_full_scan(
                registered.id, trigger=Trigger.SCHEDULED, user="start of the service"
            ).result(30)

    def _begin(self, address: str) -> None:
        """Says where the service is, and that it is ready."""
        if into_journal():
            self._announce(f"docalign {__version__} is at {address}; {self._way_in} lets you in")
        else:
            sign_in = self.tokens.one_time(Role.ADMIN, "sign-in of this start")
            self._announce(f"docalign {__version__} is at {address}/sign-in?token={sign_in}")
            self._announce(f"The link signs in once, within 10 minutes. Later: {self._way_in}")
        settle_down()
        notify(f"READY=1\nSTATUS=serving on {address}")

    async def _feed_watchdog(self) -> None:
        """Only a supervisor that answers is worth another moment of life."""
        every = watchdog_interval() or 15.0
        while True:
            await asyncio.sleep(every)
            silent = [r for r in await asyncio.to_thread(self.system.healthy) if "supervisor" in r or "timer" in r]
            if silent:
                logger.error("the watchdog is not fed: {}", silent[0])
            else:
                notify("WATCHDOG=1")
            if not await asyncio.to_thread(self._claim.held):
                logger.critical("another service has taken this database")
                self._end_now()

    # Stopping

    def _drain(self) -> None:
        """What runs may finish until the deadline; what does not is handed back by its actor when it is stopped."""
        with contextlib.suppress(DocAlignError):
            self.system.tell("worker-pool", StopGranting())
        changed = threading.Condition()

        def note(_: object) -> None:
            with changed:
                changed.notify_all()

        unsubscribe = self.events.subscribe(note, ActorStopped)
        with changed:
            changed.wait_for(lambda: not self._scanning(), max(0.0, self.settings.scans.drain - _LAST_MOMENTS))
        unsubscribe()

    def _scanning(self) -> list[str]:
        return [info.name for info in self.system.snapshot() if "/scan/" in info.name]

    def _stop_actors(self) -> None:
        left = self.system.stop(_LAST_MOMENTS)
        if left:
            logger.error("did not end in time: {}", ", ".join(left))
        with contextlib.suppress(DocAlignError):
            hand_back(self.store, numbers_of(self.settings).rules, self.clock)

    def _escalate(self, name: str, reason: str) -> None:
        logger.critical("{} failed too often ({}): the process ends, to be started again", name, reason)
        self._code = EXIT_FAILED
        self._when_failed()

    def _end_now(self) -> None:
        """Without another word. Scans and PostgreSQL see that this process is gone, and end."""
        sys.stderr.flush()
        os._exit(self._code or 1)

    def _write_handle(self, address: str) -> None:
        """For the commands of this machine's user. The token is as good as this start, and goes with it."""
        left = read_handle(self.data_dir)
        if left is not None:  # by a service that was killed: its token ends with it, too
            self.tokens.discard(left.token)
        token = self.tokens.create("command line", Role.ADMIN)
        path = write_handle(self.data_dir, Handle(os.getpid(), address, token))
        self._stack.callback(self._withdraw, path, token)

    def _withdraw(self, path: Path, token: str) -> None:
        path.unlink(missing_ok=True)
        with contextlib.suppress(DocAlignError):
            self.tokens.discard(token)
