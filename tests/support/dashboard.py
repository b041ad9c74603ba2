"""Readers and desks for the pages, without a database or an actor: what a busy, an empty and a hostile service shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from docalign_actors.applications.errors import UnknownApplicationError
from docalign_actors.dashboard.app_views import AppDetail, Apps
from docalign_actors.dashboard.page import Page
from docalign_actors.dashboard.pages import apps, github, outbound, standard, tasks
from docalign_actors.dashboard.views import (
    ActorDetail,
    Incidents,
    Overview,
    RepoDetail,
    RepoLine,
    Repos,
    ScanDetail,
    Scans,
    Tree,
)  # fmt: skip
from docalign_actors.errors import BadRepositoryUrlError, UnknownRepositoryError, UnknownScanError
from docalign_actors.scans.views import FindingView, PauseView, RunView, SuppressionView
from docalign_actors.supervision import ActorInfo, FamilyInfo
from docalign_actors.telemetry.events import DeadLetter
from tests.support.github_page import HOSTILE, TROUBLED, GitHubDesk
from tests.support.task_pages import BusyTasks, EmptyTasks, HostileTasks, TaskDeskBook
from tests.support.views import (
    OTHER_SHA,
    SHA,
    XSS,
    actor,
    ago,
    app,
    app_delivery,
    circuit,
    failed,
    finding,
    health,
    incident,
    pause,
    queued,
    repo,
    run,
    running,
    schedule,
    subscription,
    suppression,
    troubled,
    uid,
)  # fmt: skip

LONG = "very-long-organisation-name/" + "a-repository-whose-name-nobody-wanted-to-shorten-" * 3 + "x"
STACK = """  File "docalign_actors/supervision/actor.py", line 88, in _run
    message = self.actor_inbox.get()
  File "/usr/lib/python3.11/queue.py", line 171, in get
    self.not_empty.wait()
  File "/usr/lib/python3.11/threading.py", line 327, in wait
    waiter.acquire()"""


class Empty(EmptyTasks):
    """A service on its first day."""

    actors: Sequence[ActorInfo] = (
        actor("supervisor", parent="", kind="Supervisor"), actor("ingest", kind="IngestActor"), actor("rate-limiter", kind="RateLimiterActor"), actor("worker-pool", kind="WorkerPoolActor"),
        actor("sweeper", kind="SweeperActor"),
    )  # fmt: skip
    lines: Sequence[RepoLine] = ()
    runs: Sequence[RunView] = ()
    found: Sequence[FindingView] = ()
    reasons: Sequence[str] = ()
    families: Sequence[FamilyInfo] = (FamilyInfo("repo", 0, 500, 0, 0, 0, 0),)
    letters: Sequence[DeadLetter] = ()
    said: str = "git ls-remote of https://git.example.org/team/gone.git failed: not found"
    suppressions: Sequence[SuppressionView] = ()
    pauses: Sequence[PauseView] = ()

    def _tree(self) -> Tree:
        return Tree(
            actors=self.actors,
            families=self.families,
            letters=self.letters,
            dead_letters=len(self.letters),
            names={str(line.repo.id): line.repo.name for line in self.lines},
        )

    async def overview(self) -> Overview:
        waiting = [r for r in self.runs if r.status == "queued"]
        return Overview(
            tree=self._tree(), repos=self.lines[:10], repos_total=len(self.lines), reasons=self.reasons,
            drifted_total=sum(line.repo.claims_drifted for line in self.lines),
            running=[r for r in self.runs if r.status == "running"], waiting=waiting[:5], waiting_total=len(waiting),
            incidents=(await self.incidents("")).incidents[:5],
            troubled=[troubled(line.repo.id, line.repo.name, self.said) for line in self.lines if line.repo.circuit != "closed"],
        )  # fmt: skip

    async def repos(self, after: str) -> Repos:
        return Repos(lines=self.lines, after="more" if len(self.lines) > 3 and not after else "")

    async def repo(self, repo: UUID) -> RepoDetail:
        line = next((line for line in self.lines if line.repo.id == repo), None)
        if line is None:
            raise UnknownRepositoryError
        past = health(list(line.scores), repo, line.trend)
        runs = [r for r in self.runs if r.repo_id == repo]
        return RepoDetail(
            repo=line.repo, health=past, runs=runs, drifted=self.found if line.repo.claims_drifted else [],
            schedule=schedule(repo, self.said), circuit=circuit(repo, self.said, line.repo.circuit),
            suppressions=self.suppressions, pauses=self.pauses,
        )  # fmt: skip

    async def scans(self, status: str, after: str) -> Scans:
        return Scans(
            runs=[r for r in self.runs if status in ("", r.status)], after="more" if not status and self.runs else ""
        )

    async def scan(self, run: UUID) -> ScanDetail:
        found = next((r for r in self.runs if r.id == run), None)
        if found is None:
            raise UnknownScanError
        done = found.status in ("completed", "partial") and found.claims_drifted
        hint = "Run the same git command by hand to see what is wrong with the repository." if found.last_error else ""
        return ScanDetail(run=found, findings=self.found if done else [], hint=hint)

    async def tree(self) -> Tree:
        return self._tree()

    async def actor(self, name: str) -> ActorDetail:
        found = next(a for a in self.actors if a.name == name)
        children = Tree(actors=[a for a in self.actors if a.parent == name], names=self._tree().names)
        return ActorDetail(actor=found, tree=children, stack=STACK)

    async def incidents(self, after: str) -> Incidents:
        return Incidents()

    onboarded: Sequence[AppDetail] = ()

    async def apps(self, after: str) -> Apps:
        return Apps(apps=[one.app for one in self.onboarded], after="more" if self.onboarded and not after else "")

    async def app(self, app: UUID, after: str) -> AppDetail:
        found = next((one for one in self.onboarded if one.app.id == app), None)
        if found is None:
            raise UnknownApplicationError
        return found


class Busy(BusyTasks, Empty):
    """Much to do, and much that goes wrong."""

    def __init__(self) -> None:
        self.lines = _lines()
        self.runs = _runs()
        self.actors = _actors()
        self.found = _findings()
        self.families = [FamilyInfo("repo", 41, 500, 0, 12_870, 12_829, 500)]
        self.letters = [
            DeadLetter(f"repo/{uid(n)}/scan/{uid(300 + n)}", "ProcessEnded", "the actor ended", "9f3c1a20b7d84e55")
            for n in (1, 2)
        ]
        self.suppressions = [
            suppression(1),
            suppression(2, scope="file", value="docs/" + "deep/" * 40, about="", expires_at=ago(days=-9)),
        ]
        self.pauses = [pause(0), pause(1287, reason="")]
        self.onboarded = _onboarded()
        self.reasons = ["`repo/0190` has failed 5 times within 60 s: it is not started again."]

    async def incidents(self, after: str) -> Incidents:
        found = [
            incident(9, kind="escalated", actor=f"repo/{uid(3)}", error="It failed 5 times within 60 s."),
            incident(8), incident(7, kind="fenced", actor=f"repo/{uid(5)}/scan/{uid(300)}", error="A handler ran for 61 s: " + "x" * 300),
            incident(6, kind="restarted", at=ago(days=2)),
        ]  # fmt: skip
        return Incidents(incidents=found, names=self._tree().names, after="" if after else "5")


class Hostile(HostileTasks, Busy):
    """Everything that a repository can name is named to do harm."""

    def __init__(self) -> None:
        super().__init__()
        evil = repo(
            1,
            name=XSS,
            url="javascript:alert(1)" + XSS,
            last_error=XSS,
            default_branch=XSS,
            head_sha=XSS,
            organisation=XSS,
            circuit="open",
        )
        self.lines = [RepoLine(repo=evil, scores=[90, 91])]
        self.runs = [run(n, repo_name=XSS, base_ref=XSS, commit_sha=XSS, requested_by=XSS, last_error=XSS, last_error_code=XSS,
                         cancel_reason=XSS, status=s, stage=XSS, cancel_requested_at=ago(seconds=1) if n % 2 else None)
                     for n, s in enumerate(("completed", "partial", "failed", "cancelled", "running", "queued"), 200)]  # fmt: skip
        self.found = [finding(1, rule=XSS, message=XSS, claim=XSS, file=XSS, severity=XSS, kind=XSS, id=XSS, column=1,
                              evidence=[{"file": XSS, "line": 1, "commit": XSS, "text": XSS}],
                              mentions=[{"file": XSS, "line": 3, "column": 1, "text": XSS, "source": XSS, "replacement": XSS}] * 2,
                              fix={"replacement": XSS, "safe": False})]  # fmt: skip
        self.actors = [actor(XSS, kind=XSS, state=XSS, under_way=XSS, last_error=XSS, depth=1)]
        self.reasons = [XSS]
        self.suppressions = [suppression(1, scope=XSS, value=XSS, reason=XSS, about=XSS, created_by=XSS, origin=XSS)]
        self.pauses = [pause(7, paused_by=XSS, reason=XSS)]
        self.onboarded = [
            AppDetail(
                app=app(1, name=XSS, url="javascript:alert(1)" + XSS, created_by=XSS),
                subscriptions=[
                    subscription(1, repo_name=XSS, branch=XSS, paths=[XSS], status="failed", failure=XSS, answer=XSS)
                ],
                deliveries=[app_delivery(1, name=XSS, previous_name=XSS, event=XSS, error=XSS)],
                dead=[app_delivery(2, name=XSS, event=XSS, error=XSS, answer=XSS, status="dead")],
            )
        ]
        self.families = [FamilyInfo(XSS, 1, 2, 3, 4, 5, 6)]
        self.letters = [DeadLetter(XSS, XSS, XSS, XSS)]
        self.said = XSS

    async def incidents(self, after: str) -> Incidents:
        return Incidents(incidents=[incident(1, actor=XSS, kind=XSS, error=XSS + "\n" + XSS, trace=XSS)])


def all_pages(reader: Empty, desk: Desk) -> list[Page]:
    """The pages of the spine, of the task queue, of the GitHub App and of applications."""
    app = GitHubDesk(HOSTILE if isinstance(reader, Hostile) else TROUBLED)
    own = [*standard(reader, desk), *tasks.pages(reader, desk), *outbound.pages(reader, desk), github.page(app, app)]
    return [*own, *apps.pages(reader, desk)]


class Desk(TaskDeskBook):
    """Writes down what was asked for."""

    async def add_repo(self, url: str, user: str) -> UUID:
        if not url.startswith(("/", "https://", "ssh://", "git://")):
            raise BadRepositoryUrlError
        self.asked.append(("add", url, user))
        return uid(1)

    async def remove_repo(self, repo: UUID) -> None:
        self.asked.append(("remove", repo))

    async def scan_now(self, repo: UUID, user: str) -> UUID:
        self.asked.append(("scan", repo, user))
        return uid(100)

    async def cancel(self, run: UUID, user: str) -> None:
        self.asked.append(("cancel", run, user))

    async def set_schedule(self, repo: UUID, check: str, full: str) -> None:
        self.asked.append(("schedule", repo, check, full))

    async def reset_circuit(self, repo: UUID, user: str) -> None:
        self.asked.append(("reset", repo, user))

    async def suppress(self, repo: UUID, form: Mapping[str, str], user: str) -> None:
        self.asked.append(("suppress", repo, form.get("value"), user))

    async def unsuppress(self, repo: UUID, suppression: str, user: str) -> None:
        self.asked.append(("unsuppress", repo, suppression, user))

    async def change_subscription(self, action: str, app: UUID, subscription: UUID) -> None:
        self.asked.append((action, app, subscription))

    async def replay_delivery(self, app: UUID, delivery: UUID) -> None:
        self.asked.append(("replay", app, delivery))

    async def remove_app(self, app: UUID) -> None:
        self.asked.append(("remove app", app))


def _onboarded() -> list[AppDetail]:
    answer = '{"error": "unknown tenant", "hint": "' + "ask somebody else " * 30 + '"}'
    subscriptions = [
        subscription(1, status="failed", failure="answered 422", answer=answer, failed_at=ago(minutes=9), waiting=7, behind=112),
        subscription(2, repo_id=uid(2), repo_name=LONG, branch="release/2.x", paths=["docs/**/*.md", "*.rst", "!docs/old/**", "README.md", "x"], phase="files",
                     waiting=16, files=3),
        subscription(3, repo_id=uid(5), repo_name="handbook", status="paused", behind=3, events=[str(n) for n in range(10)]),
    ]  # fmt: skip
    dead = [
        app_delivery(
            9, status="dead", error="answered 422", answer=answer, name="docs/api/" + "deeply/nested/" * 6 + "client.md"
        )
    ]
    sent = [
        app_delivery(8, status="waiting", ended_at=None, attempts=3, error="no answer within 10 s"), *dead,
        app_delivery(7, event="file.renamed", name="docs/new.md", previous_name="docs/old.md"),
        app_delivery(6, event="file.created", name="assets/logo.png", chunk=2, chunks=3),
        app_delivery(5, event="claim.drifted", name="c0ffee" * 6), app_delivery(4, event="health.changed", name=""),
        app_delivery(3, event="snapshot.completed", name="", status="dropped"),
    ]  # fmt: skip
    return [
        AppDetail(app=app(1, name="search-index", failed=1, subscriptions=3), subscriptions=subscriptions, deliveries=sent, dead=dead, after="more"),
        AppDetail(app=app(2, name=LONG, url="https://" + "very-long-host." * 12 + "example.org/hook", subscriptions=0, token_last_used_at=None)),
    ]  # fmt: skip


def _lines() -> list[RepoLine]:
    url = "https://git.example.org/" + LONG + ".git"
    return [
        RepoLine(repo=repo(1, name="docalign-actors", queued=2, running=uid(300)), scores=[88, 88, 91, 90, 93, 93, 96], trend="improving"),
        RepoLine(repo=repo(2, name=LONG, url=url, health_score=71, claims_drifted=118), scores=[92, 90, 90, 84, 79, 71], trend="declining"),
        RepoLine(repo=repo(3, name="payments", status="failing", circuit="open", health_score=84, last_error="Git could not fetch: the repository was not found.")),
        RepoLine(repo=repo(4, name="new-one", status="registered", health_score=None, last_full_scan_at=None, head_sha="", claims_total=0,
                           claims_verified=0, claims_drifted=0, queued=1, default_branch="")),
        RepoLine(repo=repo(5, name="handbook", health_score=100, claims_drifted=0), scores=[100, 100, 100, 100]),
        *(RepoLine(repo=repo(n, name=f"service-{n}", claims_drifted=n % 3, health_score=100 - n % 7), scores=[97, 98, 97, 99 - n % 4])
          for n in range(6, 14)),
    ]  # fmt: skip


def _runs() -> list[RunView]:
    return [
        running(300, "verification", 1204, 3391, repo_name="docalign-actors"),
        running(301, "fetch", repo_id=uid(2), repo_name=LONG, type="pr", pr_number=1287, trigger="pr", base_ref="main", requested_by=""),
        running(302, "index", 88, 412, repo_id=uid(6), repo_name="service-6", type="push", trigger="push", base_ref=OTHER_SHA, attempt=1,
                requested_by=""),
        running(303, "merge", 1, 1, repo_id=uid(7), repo_name="service-7", cancel_requested_at=ago(seconds=2), cancel_reason="ada asked"),
        *(queued(310 + n, repo_name="docalign-actors", type="pr", pr_number=40 + n, base_ref="main", created_at=ago(minutes=n)) for n in range(8)),
        queued(330, repo_id=uid(3), repo_name="payments", attempt=1, last_error="Git could not fetch.", last_error_code="DOCALIGN_E106"),
        run(299), failed(298, repo_id=uid(3), repo_name="payments"),
        run(297, status="partial", last_error_code="DOCALIGN_E407", last_error="The scan did not end within its deadline.", stage="verification",
            total_duration_ms=600_000, stage_done=900, stage_total=3391),
        run(296, status="cancelled", type="pr", pr_number=12, base_ref="main", superseded_by=uid(299), stage="index"),
        run(295, status="cancelled", cancel_reason="ada asked", stage="extraction", type="push", base_ref=OTHER_SHA),
        run(294, claims_drifted=0, repo_id=uid(5), repo_name="handbook", completed_at=ago(days=1)),
        run(293, repo_id=uid(2), repo_name=LONG, claims_drifted=118, completed_at=ago(days=3)),
    ]  # fmt: skip


def _actors() -> list[ActorInfo]:
    found = list(Empty.actors)
    found[1] = actor(
        "ingest", kind="IngestActor", state="busy", under_way="scan.enqueue", under_way_for=0.004, depth=12, oldest=0.31
    )
    found[3] = actor(
        "worker-pool", kind="WorkerPoolActor", restarts=2, last_error="OperationalError: the connection is closed"
    )
    for n in range(1, 41):
        name = f"repo/{uid(n)}"
        stuck = n == 3
        found.append(actor(name, state="restarting" if stuck else "busy" if n == 2 else "running", restarts=5 if stuck else 0,
                           depth=1840 if n == 2 else 0, oldest=75.2 if n == 2 else 0, under_way="repo.run_queued" if n == 2 else "",
                           under_way_for=61.5 if n == 2 else 0, last_error="RuntimeError: boom" if stuck else ""))  # fmt: skip
        if n in (1, 2, 6, 7):
            found.append(actor(f"{name}/scan/{uid(299 + n)}", name, kind="ScanActor", state="busy", under_way="scan.stage_reached",
                               under_way_for=0.02))  # fmt: skip
    found.append(
        actor(
            f"repo/{uid(5)}/scan/{uid(300)}",
            f"repo/{uid(5)}",
            kind="ScanActor",
            state="fenced",
            under_way="scan.cancel",
            under_way_for=61,
        )
    )
    return found


def _findings() -> list[FindingView]:
    wide = (
        "The option `--output-directory-for-everything` " + "and a very long sentence that goes on " * 12 + "ends here."
    )
    return [
        finding(1),
        finding(2, rule="wrong-default", severity="medium", new=False, message="The default of `timeout` is 30, not 10", claim="10", confidence=0.91,
                file="docs/api/" + "deeply/nested/" * 6 + "client.md", line=7, column=30, fix={"replacement": "30", "safe": False},
                evidence=[{"file": "src/client.py", "line": 41, "commit": None, "text": "`timeout: float = 30`"}],
                mentions=[{"file": "docs/api/client.md", "line": 7, "column": 30, "text": "10", "source": "Requests are given up after  10 seconds."}]),
        finding(3, rule="missing-option", severity="low", new=False, message="`--output-directory-for-everything` is not an option of `tool` any more",
                claim="--output-directory-for-everything", column=13, fix=None, evidence=[], file="README.md", line=402,
                mentions=[{"file": "README.md", "line": 402, "column": 13, "text": "--output-directory-for-everything", "source": wide}]),
        finding(4, rule="missing-path", message="There is no `docs/old.md`", claim="docs/old.md", mentions=[], fix={"replacement": "docs/new.md", "safe": True},
                evidence=[{"file": None, "line": None, "commit": SHA, "text": "renamed to `docs/new.md`"}]),
    ]  # fmt: skip
