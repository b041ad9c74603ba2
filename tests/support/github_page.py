"""Views of the GitHub App's page: of a quiet, a troubled and a hostile one."""

from __future__ import annotations

from uuid import UUID

from docalign_actors.dashboard.pages.github import GitHub, InstallationLine
from docalign_actors.errors import StateConflictError
from docalign_actors.github.requirements import PERMISSIONS
from docalign_actors.github.views import CheckView, DeliveryView, InstallationView, LastFixView, PausedView, Rate
from tests.support.views import NOW, SHA, XSS, ago, uid

LATER = NOW + (NOW - ago(minutes=42))


def installation(number: int, account: str, **changes: object) -> InstallationView:
    values: dict[str, object] = {
        "id": number, "account": account, "state": "active", "permissions": dict(PERMISSIONS), "paused_until": None,
        "pause_reason": "", "repositories": 12, "waiting": 0,
    }  # fmt: skip
    return InstallationView(**{**values, **changes})  # type: ignore[arg-type]


def check(number: int, **changes: object) -> CheckView:
    values: dict[str, object] = {
        "repo_id": uid(2), "full_name": "acme/tool", "number": number, "head_sha": SHA, "final": True, "has_check": True,
        "posting": False, "commented": 2, "reviewed": 2, "wanted": 2, "told": 1, "attempts": 3, "failing_since": ago(minutes=9), "paused": False,
        "due_at": ago(seconds=5), "last_error": "GitHub answered with 502. (DOCALIGN_E102)", "suspended": False,
    }  # fmt: skip
    return CheckView(**{**values, **changes})  # type: ignore[arg-type]


def delivery(position: int, **changes: object) -> DeliveryView:
    values: dict[str, object] = {
        "position": position, "delivery_id": f"8f14e45f-ceea-467f-a0e6-{position:012}", "event": "pull_request", "action": "opened",
        "installation_id": 1, "status": "failed", "attempts": 8, "error": "The database did not answer in time.", "excerpt": "",
        "received_at": ago(hours=3),
    }  # fmt: skip
    return DeliveryView(**{**values, **changes})  # type: ignore[arg-type]


def pause(number: int, **changes: object) -> PausedView:
    values: dict[str, object] = {
        "repo_id": uid(2), "full_name": "acme/tool", "number": number, "paused_by": "mia", "paused_at": ago(hours=3), "reason": "until the move",
    }  # fmt: skip
    return PausedView(**{**values, **changes})  # type: ignore[arg-type]


def fix(nth: int, **changes: object) -> LastFixView:
    values: dict[str, object] = {
        "id": uid(80 + nth), "repo_id": uid(2), "full_name": "acme/tool", "number": nth, "asked_by": "will", "state": "pushed", "reason": "",
        "last_error": "", "commit_sha": SHA, "pull": None, "created_at": ago(minutes=9), "ended_at": ago(minutes=8),
    }  # fmt: skip
    return LastFixView(**{**values, **changes})  # type: ignore[arg-type]


QUIET = GitHub(installations=[InstallationLine(installation(1, "acme"), Rate(4_871, 5_000, LATER))])
TROUBLED = GitHub(
    installations=[
        InstallationLine(installation(1, "acme", waiting=3), Rate(212, 5_000, LATER)),
        InstallationLine(installation(2, "a-very-long-name-of-an-organisation-as-github-allows", state="suspended", waiting=1)),
        InstallationLine(installation(3, "ada", permissions={"metadata": "read", "contents": "read", "checks": "write"})),
        InstallationLine(
            installation(4, "team", paused_until=LATER, pause_reason="GitHub's secondary limit is reached; requests go on at 14:42:00 UTC.")
        ),
        InstallationLine(installation(5, "new", permissions={})),
    ],
    checks=[
        check(7), check(8, told=2, attempts=50, last_error="GitHub says: Resource not accessible by integration. (DOCALIGN_E105)"),
        check(9, final=False, has_check=False, last_error="", failing_since=None, due_at=ago(minutes=2), suspended=True, attempts=0),
        check(10, commented=1, paused=True),
    ],
    deliveries=[
        delivery(31), delivery(30, status="unreadable", attempts=0, action="", excerpt='{"action": 7, "pull_request": [',
                               error="ValidationError: Expected `str`, got `int` - at `$.action`"),
    ],
    pauses=[pause(12), pause(0, reason="")],
    fixes=[
        fix(7), fix(8, state="failed", reason="The branch is protected.", commit_sha=""), fix(9, number=None, state="opened", pull=31),
        fix(10, state="asked", commit_sha="", ended_at=None),
    ],
    ignored=[("star", 1_204), ("workflow_run", 388), ("fork", 2)],
)  # fmt: skip
HOSTILE = GitHub(
    installations=[InstallationLine(installation(1, XSS, state=XSS, permissions={XSS: XSS}, paused_until=LATER, pause_reason=XSS))],
    checks=[check(1, full_name=XSS, head_sha=XSS, last_error=XSS * 40)],
    deliveries=[delivery(1, delivery_id=XSS, event=XSS, action=XSS, error=XSS, excerpt=XSS * 50)],
    pauses=[pause(1, full_name=XSS, paused_by=XSS, reason=XSS * 20)],
    fixes=[fix(1, full_name=XSS, asked_by=XSS, state=XSS, reason=XSS)],
    ignored=[(XSS, 1)],
)  # fmt: skip


class GitHubDesk:
    """Remembers what was asked for."""

    def __init__(self, view: GitHub = TROUBLED) -> None:
        self.view = view
        self.asked: list[tuple[object, ...]] = []

    async def github(self) -> GitHub:
        return self.view

    async def try_again(self, repo: UUID, number: int, sha: str) -> None:
        if number > 100:
            raise StateConflictError("Nothing is to be told of this head any more.")
        self.asked.append((repo, number, sha))

    async def carry_out_again(self, position: int) -> None:
        self.asked.append((position,))

    async def resume(self, repo: UUID, number: int, user: str) -> None:
        self.asked.append((repo, number))
