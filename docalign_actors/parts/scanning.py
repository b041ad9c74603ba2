"""The scans' part of the composition root: what an operator may set of them, and what a scan's process is given."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.hosts.belongings import Belongings
from docalign_actors.scans.assembly import ScanNumbers
from docalign_actors.scans.limits import Limits
from docalign_actors.scans.model import RepoId
from docalign_actors.scans.outcomes import Rules
from docalign_actors.scans.ports import Job, Started
from docalign_actors.scans.referrals import asking_of, rules_of
from docalign_actors.settings import Settings


def numbers_of(settings: Settings) -> ScanNumbers:
    """The scans' numbers, as the settings say."""
    scans, actors, limits = settings.scans, settings.actors, settings.limits
    return ScanNumbers(
        permits=scans.permits,
        deadline=scans.deadline,
        idle=actors.idle,
        most_live=actors.most_live,
        handler_deadline=actors.handler_deadline,
        rules=Rules(scans.attempts, scans.retry_delays, scans.repairs),
        limits=Limits(limits.per_repository, limits.per_organisation, limits.per_user),
        agents=rules_of(settings.agents),
        further=settings.agents.claims_per_scan,
    )


def job_maker(
    settings: Settings, belongings: Belongings, database_url: str, token_for: Callable[[RepoId], str]
) -> Callable[[Started], Job]:
    """What makes a job of a run. `token_for`: what opens a repository that has no credentials of its own."""

    def make(started: Started) -> Job:
        run = started.run
        own = belongings.credentials.get(run.repo_id)
        return Job(
            run_id=str(run.id),
            repo_id=str(run.repo_id),
            url=started.repo.url,
            type=run.type.value,
            mirror=str(belongings.mirror(run.repo_id)),
            database=database_url,
            base=run.base_ref,
            head=run.commit_sha,
            fetch_timeout=settings.mirrors.fetch_timeout,
            depth=settings.mirrors.depth,
            jobs=settings.scans.jobs,
            max_claims=settings.scans.claims_per_pr,
            asking=asking_of(settings.agents, run.type, started.repo.name),
            token=own.password or token_for(run.repo_id),
            user=own.user,
        )

    return make
