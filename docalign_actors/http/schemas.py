"""What the API takes and gives, beyond the views of scans."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from docalign_actors.applications import views as app_views
from docalign_actors.github.views import DeliveryView, FixView
from docalign_actors.scans.views import (
    ClaimView,
    FindingView,
    IncidentView,
    PauseView,
    RepoView,
    RunView,
    SuppressionView,
)
from docalign_actors.supervision.snapshot import ActorInfo, FamilyInfo

DEFAULT_LIMIT = 50
MOST = 200

Limit = Annotated[int, Meta(ge=1, le=MOST, description="How many a page holds at the most.")]
Cursor = Annotated[str, Meta(max_length=6_000, description="`next_cursor` of the page before.")]
Revision = Annotated[str, Meta(min_length=1, max_length=255, description="A branch, a tag or a commit.")]
PullNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
StatusName = Literal["queued", "running", "completed", "partial", "failed", "cancelled"]
VerdictName = Literal["verified", "drifted", "uncertain"]


class NewRepo(Struct, frozen=True, forbid_unknown_fields=True):
    """A repository to register: an absolute path on the service's machine, or an address that git can fetch from."""

    url: Annotated[str, Meta(min_length=1, max_length=2_000)]


class NewSchedule(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules in words. What is left out stays as it is; null gives a rule back to the service."""

    check: Annotated[str, Meta(max_length=100)] | UnsetType | None = UNSET
    full: Annotated[str, Meta(max_length=100)] | UnsetType | None = UNSET


class NewCredentials(Struct, frozen=True, forbid_unknown_fields=True):
    """What git shows at the repository's address."""

    password: Annotated[str, Meta(min_length=1, max_length=4_000)]
    user: Annotated[str, Meta(max_length=200)] = ""

    def __repr__(self) -> str:
        return "NewCredentials(********)"


class FullScan(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="full"):
    """Look at everything."""


class PushScan(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="push"):
    """The default branch went from one commit to another."""

    before: Revision
    after: Revision


class PrScan(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="pr"):
    """A change that is proposed: what `head` adds to `base`."""

    number: PullNumber
    base: Revision
    head: Revision


NewScan = FullScan | PushScan | PrScan


class ScanAccepted(Struct, frozen=True):
    """The scan that does, or will do, what was asked for."""

    scan_run_id: UUID


class CancelAnswer(Struct, frozen=True):
    """Where a scan stands after somebody asked for its end."""

    scan_run_id: UUID
    status: StatusName


class CancelQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`reason` is kept with the scan."""

    reason: Annotated[str, Meta(max_length=200)] = ""


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of a list."""

    limit: Limit = DEFAULT_LIMIT
    cursor: Cursor | None = None


class RunQuery(PageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of scans."""

    repo: UUID | None = None
    status: StatusName | None = None


class ClaimQuery(PageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of claims."""

    verdict: VerdictName | None = None


class RepoPage(Struct, frozen=True):
    """Repositories, newest first."""

    items: list[RepoView]
    next_cursor: str | None


class RunPage(Struct, frozen=True):
    """Scans, newest first."""

    items: list[RunView]
    next_cursor: str | None


class FindingPage(Struct, frozen=True):
    """What a scan reported."""

    items: list[FindingView]
    next_cursor: str | None


class ClaimPage(Struct, frozen=True):
    """Claims, in the order of the documents."""

    items: list[ClaimView]
    next_cursor: str | None


class IncidentPage(Struct, frozen=True):
    """Incidents, newest first."""

    items: list[IncidentView]
    next_cursor: str | None


class NewSuppression(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is to be reported no more: a claim by its id or its finding's, a file by its path, a kind by its name."""

    scope: Literal["claim", "file", "kind"]
    value: Annotated[str, Meta(min_length=1, max_length=1_000)]
    reason: Annotated[str, Meta(min_length=1, max_length=1_000)]
    days: (
        Annotated[int, Meta(ge=1, le=3_650, description="For how long; without it, until it is taken back.")] | None
    ) = None


class Suppressions(Struct, frozen=True):
    """What is not reported, newest first."""

    items: list[SuppressionView]


class Pauses(Struct, frozen=True):
    """What is not checked for now; the whole repository first."""

    items: list[PauseView]


class WebhookAnswer(Struct, frozen=True):
    """What became of a webhook: kept, ignored, or kept although it could not be read."""

    outcome: str


class DeliveryPage(Struct, frozen=True):
    """Webhooks in trouble, newest first."""

    items: list[DeliveryView]
    next_cursor: str | None


class NewApp(Struct, frozen=True, forbid_unknown_fields=True):
    """An application to onboard. Events are sent to its address by POST."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    url: Annotated[str, Meta(min_length=1, max_length=2_000)]


class AppChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Another address for an application."""

    url: Annotated[str, Meta(min_length=1, max_length=2_000)]


class NewToken(Struct, frozen=True):
    """A token, shown this once."""

    token: str


class NewSecret(Struct, frozen=True):
    """A secret, shown this once."""

    secret: str


class NewSubscription(Struct, frozen=True, forbid_unknown_fields=True):
    """What an application is to hear of."""

    repo: UUID
    branch: Annotated[str, Meta(max_length=255, description="The default branch, if it is left out.")] = ""
    paths: Annotated[tuple[str, ...], Meta(max_length=100, description="Globs; everything, if there are none.")] = ()
    events: Annotated[tuple[str, ...], Meta(max_length=20, description="All of them, if there are none.")] = ()


class Replay(Struct, frozen=True, forbid_unknown_fields=True):
    """From which sequence number on."""

    since: Annotated[int, Meta(ge=1, le=2**62)]


class DeliveryQuery(PageQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A page of deliveries."""

    app: UUID | None = None
    subscription: UUID | None = None
    status: Literal["waiting", "delivered", "dead", "dropped"] | None = None


class AppPage(Struct, frozen=True):
    """Applications, in the order of their names."""

    items: list[app_views.AppView]
    next_cursor: str | None


class SubscriptionPage(Struct, frozen=True):
    """Subscriptions, newest first."""

    items: list[app_views.SubscriptionView]
    next_cursor: str | None


class AppDeliveryPage(Struct, frozen=True):
    """Deliveries to applications, newest first."""

    items: list[app_views.AppDeliveryView]
    next_cursor: str | None


class NewFix(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be mended: a pull request, or the default branch; these findings, or all whose fix is certain."""

    pull: PullNumber | None = None
    findings: Annotated[list[Annotated[str, Meta(pattern="^[0-9a-zA-Z_-]{1,64}$")]], Meta(max_length=200)] = []


class FixAccepted(Struct, frozen=True):
    """The fix that does, or will do, what was asked for."""

    fix_id: UUID


class FixPage(Struct, frozen=True):
    """Fixes that were asked for, newest first."""

    items: list[FixView]
    next_cursor: str | None


class Alive(Struct, frozen=True):
    """The process answers."""

    status: Literal["alive"] = "alive"


class Readiness(Struct, frozen=True):
    """Whether the service takes work, and if not, why."""

    ready: bool
    reasons: list[str]


class DeadLetterView(Struct, frozen=True):
    """A message that nobody handled."""

    name: str
    kind: str
    reason: str
    trace: str


class ActorTree(Struct, frozen=True):
    """Every actor that has a thread, parents before children; families in figures; messages that nobody handled."""

    actors: list[ActorInfo]
    families: list[FamilyInfo]
    dead_letters: int
    last_dead_letters: list[DeadLetterView]


class ActorDetail(Struct, frozen=True):
    """One actor, and where its thread is at this moment."""

    actor: ActorInfo
    stack: str
    children: list[str]
