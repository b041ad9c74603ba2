"""Every setting of the service, with its default and what it means. A new capability adds a group here, and only here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from docalign_actors.settings.kinds import Bytes, Count, Seconds, Secret, SecretUrl


def default_data_dir() -> Path:
    """The user's own folder for data."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "docalign"


class Group(Struct, frozen=True, kw_only=True):
    """Settings that belong together; the sentence after one says what its name does not."""

    def problem(self) -> str:
        """What is wrong with the values together, if anything."""
        return ""


class DatabaseSettings(Group, frozen=True, kw_only=True):
    """Where the state is kept."""

    url: SecretUrl = SecretUrl()
    """A PostgreSQL of your own; without it the service runs one in the data directory."""
    pool_size: Annotated[int, Meta(ge=1, le=50)] = 8
    statement_timeout: Seconds = 10.0
    lock_timeout: Seconds = 5.0
    pool_timeout: Seconds = 10.0


class HttpSettings(Group, frozen=True, kw_only=True):
    """Where the service listens, and to whom."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    body_limit: Bytes = 2**20
    allowed_hosts: tuple[str, ...] = ()
    """Names by which the service may be called, besides the address it listens on."""
    public_url: str = ""
    """The address that people use where a proxy stands before the service: https://docs.example.org"""


class ScanSettings(Group, frozen=True, kw_only=True):
    """How scans run."""

    permits: Annotated[int, Meta(ge=1, le=64)] = 5
    deadline: Seconds = 600.0
    attempts: Annotated[int, Meta(ge=1, le=10)] = 3
    retry_delays: tuple[Seconds, ...] = (1.0, 2.0, 4.0)
    """Seconds before the second attempt, the third and so on; the last one serves for all further ones."""
    repairs: Annotated[int, Meta(ge=0, le=10)] = 2
    """How often a run whose process died is taken up again."""
    claims_per_pr: Annotated[int, Meta(ge=1, le=200)] = 50
    jobs: Annotated[int, Meta(ge=1, le=64)] = 1
    """Processes that one scan may use."""
    drain: Seconds = 30.0
    """When the service is told to stop, scans that run may finish for so long; then they are handed back."""

    def problem(self) -> str:
        return "" if self.retry_delays else "retry_delays must name at least one delay"


class LimitSettings(Group, frozen=True, kw_only=True):
    """How many scans may be asked for."""

    per_repository: Count = 100
    """In one day (UTC)."""
    per_organisation: Count = 1000
    """In one day (UTC)."""
    per_user: Count = 1000
    """Full scans that one person may ask for in one day (UTC)."""


class ActorSettings(Group, frozen=True, kw_only=True):
    """How actors live."""

    idle: Seconds = 120.0
    """An actor of a repository without work ends after this time."""
    most_live: Annotated[int, Meta(ge=10, le=10_000)] = 500
    handler_deadline: Seconds = 60.0
    """An actor whose message takes longer is given up and replaced."""


class MirrorSettings(Group, frozen=True, kw_only=True):
    """The clones that the service keeps."""

    budget_bytes: Bytes = 20 * 2**30
    fetch_timeout: Seconds = 300.0
    depth: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """How many commits of history are fetched; 0 is all of them."""


class RetentionSettings(Group, frozen=True, kw_only=True):
    """How long things are kept."""

    runs_days: Count = 90
    events_days: Count = 7
    incidents_days: Count = 30
    tasks_days: Count = 30
    """Agent tasks that have ended."""
    journal_days: Count = 30
    """What subscribers have not been told by then, they learn from a comparison."""
    deliveries_days: Count = 7
    """Deliveries to applications that have ended."""
    blob_cache_bytes: Bytes = 2 * 2**30


class TaskSettings(Group, frozen=True, kw_only=True):
    """The agent task queue."""

    lease: Seconds = 300.0
    """How long a worker has for a task if it does not say."""
    longest_lease: Seconds = 3600.0
    backoff: Literal["fixed", "linear", "exponential", "exp_equal_jitter", "exp_full_jitter"] = "exp_full_jitter"
    """How the delay after a failed delivery grows."""
    backoff_base: Seconds = 5.0
    backoff_most: Seconds = 900.0
    jwks_url: str = ""
    """Where the RSA keys stand that sign tokens of others (JWT). Without it, only tokens of the service are taken."""
    jwks_file: str = ""
    """The same, in a file."""
    jwt_issuer: str = ""
    jwt_audience: str = "codeq-worker"
    jwt_producers: str = "codeq-producer"
    """The audience of tokens that may create tasks, whatever their scopes."""
    jwt_leeway: Annotated[float, Meta(ge=0, le=600)] = 60.0
    """Seconds by which the clocks may differ."""
    jwks_refresh: Seconds = 300.0
    """How long keys are used before they are fetched anew."""
    jwks_interval: Seconds = 30.0
    """For an unknown key they are fetched at once, but not more often."""

    def problem(self) -> str:
        if self.lease > self.longest_lease:
            return "lease must not be longer than longest_lease"
        if self.jwks_url and self.jwks_file:
            return "jwks_url and jwks_file cannot both be set"
        if (self.jwks_url or self.jwks_file) and not (self.jwt_issuer and self.jwt_audience):
            return "jwt_issuer and jwt_audience must be set with jwks_url or jwks_file"
        here = ("http://127.0.0.1", "http://localhost", "http://[::1]")
        if self.jwks_url and not self.jwks_url.startswith(("https://", *here)):
            return "jwks_url must be an https address; http is for this machine alone"
        return ""


class AgentSettings(Group, frozen=True, kw_only=True):
    """Agents, who judge what code cannot (docs/agent-tasks.md)."""

    enabled: bool = False
    """Whether scans of pull requests ask them."""
    full_scans: bool = False
    """Whether full scans do as well."""
    deadline: Seconds = 1800.0
    """How long a scan waits; what is decided by then counts."""
    claims_per_scan: Annotated[int, Meta(ge=1, le=200)] = 50
    passages_per_scan: Annotated[int, Meta(ge=0, le=8)] = 4
    """Passages of new prose that they are given to read claims out of."""
    min_confidence: Annotated[float, Meta(ge=0, le=1)] = 0.7
    """An answer that is less sure leaves the claim undecided."""
    attempts: Annotated[int, Meta(ge=1, le=20)] = 3
    """How often one task is delivered."""
    remember_days: Annotated[int, Meta(ge=0, le=3650)] = 30
    """How long a verdict is remembered: while what it rests on is the same, nobody is asked again. 0: always ask."""
    tenant: Annotated[str, Meta(max_length=100)] = ""
    """Whose workers get the tasks."""
    dispatch: bool = False
    """Whether a repository's workflow on GitHub is told of its tasks; without it, workers claim them of their own accord."""
    event_type: Annotated[str, Meta(min_length=1, max_length=100)] = "docalign-scan"
    """What that workflow listens for."""


class OutboundSettings(Group, frozen=True, kw_only=True):
    """What the service sends to addresses that others gave it."""

    secret: Secret = Secret()
    """Signs every callback; without it one is made at the first start, in the file outbound-secret of the data directory."""
    allow_private: bool = False
    """Whether callbacks may go to addresses of this machine and its network."""
    ca_file: str = ""
    """Authorities whose certificates are trusted, in PEM; without it, those of the machine."""
    timeout: Seconds = 10.0
    attempts: Annotated[int, Meta(ge=1, le=100)] = 8
    """After so many a callback is given up, and shown as a dead letter."""


class WatchSettings(Group, frozen=True, kw_only=True):
    """Repositories are looked at by themselves."""

    enabled: bool = True
    """Whether they are."""
    check: str = "every 5 minutes"
    """How often the head of a default branch is looked at, where the repository has no rule of its own."""
    full: str = "every week"
    """How often everything is scanned, whether or not it changed."""
    lookups: Annotated[int, Meta(ge=1, le=200)] = 16
    """Looks under way at once."""
    look_timeout: Seconds = 20.0
    retry_failed: Seconds = 3600.0
    """A scan that failed for another reason than git is tried again after this time, or when the head has moved."""
    spread: Seconds = 300.0
    """What became due while the service was down is spread over this time."""
    circuit_failures: Annotated[int, Meta(ge=1, le=1000)] = 5
    """So many failures of git in a row open a repository's circuit."""
    circuit_pause: Seconds = 1800.0
    """For so long nothing is tried by schedule then."""


class ApplicationSettings(Group, frozen=True, kw_only=True):
    """What subscribed applications are sent."""

    attempts: Annotated[int, Meta(ge=1, le=100)] = 5
    """After so many a delivery is given up, and its subscription has failed."""
    backoff_base: Seconds = 30.0
    """The longest delay after a first failed attempt; it doubles with each further one."""
    backoff_most: Seconds = 900.0
    inline_bytes: Annotated[int, Meta(ge=1_024, le=10 * 2**20, extra={"unit": "bytes"})] = 64 * 2**10
    """A file of at most this size is sent whole; of a larger binary file, as much at a time."""
    chunked_bytes: Annotated[int, Meta(ge=0, le=16 * 2**20, extra={"unit": "bytes"})] = 2**20
    """A binary file of at most this size is sent in pieces; a larger one is to be fetched."""
    fetch_bytes: Bytes = 64 * 2**20
    """What is given of a file that is fetched, at the most."""


class LogSettings(Group, frozen=True, kw_only=True):
    """What is logged, and how."""

    level: Literal["trace", "debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json", "auto"] = "auto"
    """`auto`: for people on a terminal, JSON otherwise."""


class HealthSettings(Group, frozen=True, kw_only=True):
    """When the service calls itself unhealthy."""

    answer_within: Seconds = 5.0
    """The supervisor and the database must answer in this time."""
    oldest_message: Seconds = 120.0
    """No message may wait longer."""
    free_bytes: Bytes = 200 * 10**6
    """So much must be free on the data directory's disk."""


class GitHubSettings(Group, frozen=True, kw_only=True):
    """The GitHub App. Without an id there is none."""

    app_id: Annotated[int, Meta(ge=0)] = 0
    private_key: Secret = Secret()
    """The key itself, in PEM; or"""
    private_key_file: str = ""
    """the file that holds it, which only the service may read."""
    webhook_secret: Secret = Secret()
    previous_webhook_secret: Secret = Secret()
    """Accepted as well, while a new one takes its place."""
    api_url: str = "https://api.github.com"
    """Of GitHub Enterprise Server: https://github.example.org/api/v3"""
    web_url: str = "https://github.com"
    """Where people and git find the repositories."""
    timeout: Annotated[int, Meta(ge=1, le=60)] = 10
    """Seconds that one request to GitHub may take."""
    write_interval: Annotated[float, Meta(ge=0, le=60)] = 1.0
    """Seconds between two writes of one installation; GitHub asks for at least one."""
    writes_per_minute: Annotated[int, Meta(ge=0, le=100_000)] = 80
    """Writes of one installation in any minute; 0: no limit, as on a GitHub Enterprise Server that has none."""
    writes_per_hour: Annotated[int, Meta(ge=0, le=1_000_000)] = 500
    """The same in any hour."""
    reconcile_every: Seconds = 300.0
    """How often it is looked for what no webhook told us."""
    body_limit: Bytes = 25 * 10**6
    """GitHub sends no larger payload."""
    comment_when_clean: bool = False
    """Whether a pull request with nothing false gets a comment as well."""

    def problem(self) -> str:
        if self.app_id and not (self.private_key or self.private_key_file):
            return "private_key or private_key_file must be set with app_id"
        if self.app_id and not self.webhook_secret:
            return "webhook_secret must be set with app_id"
        return ""


class Settings(Group, frozen=True, kw_only=True):
    """Everything that can be set."""

    data_dir: Path = field(default_factory=default_data_dir)
    """The directory that holds everything the service keeps."""
    database: DatabaseSettings = DatabaseSettings()
    http: HttpSettings = HttpSettings()
    scans: ScanSettings = ScanSettings()
    limits: LimitSettings = LimitSettings()
    actors: ActorSettings = ActorSettings()
    mirrors: MirrorSettings = MirrorSettings()
    retention: RetentionSettings = RetentionSettings()
    tasks: TaskSettings = TaskSettings()
    agents: AgentSettings = AgentSettings()
    applications: ApplicationSettings = ApplicationSettings()
    outbound: OutboundSettings = OutboundSettings()
    watch: WatchSettings = WatchSettings()
    log: LogSettings = LogSettings()
    health: HealthSettings = HealthSettings()
    github: GitHubSettings = GitHubSettings()


# Variables that begin like a setting but are none: read by other parts, before or without the settings.
OTHER_VARIABLES = frozenset(
    {
        "DOCALIGN_CONFIG", "DOCALIGN_CACHE_DIR", "DOCALIGN_DEBUG", "DOCALIGN_POSTGRES_BIN", "DOCALIGN_AGENT_TOKEN",
        "DOCALIGN_GIT_TOKEN", "DOCALIGN_SERVER",
    }
)  # fmt: skip
# Names that other tools have made a custom.
ALIASES = {"DATABASE_URL": "database.url"}
