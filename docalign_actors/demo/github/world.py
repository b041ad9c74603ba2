"""Everything that the fake GitHub knows, and the steps that change it. No HTTP here."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Iterable
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from docalign_actors.demo.github import payloads
from docalign_actors.demo.github.gitstore import Files, GitStore
from docalign_actors.demo.github.hooks import Hooks
from docalign_actors.demo.github.model import (
    App,
    CheckRun,
    Clock,
    Comment,
    Installation,
    Pull,
    Repository,
    Review,
    Token,
    stamp,
)

TOKEN_SECONDS = 3_600
_ZEROS = "0" * 40


@cache
def key_pair() -> tuple[str, str]:
    """One pair for the whole process: making one takes long."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()


class World:
    """People and bots act on it by its methods; each tells the App's hook."""

    def __init__(self, root: Path, app_id: int = 4711, slug: str = "docalign") -> None:
        private, public = key_pair()
        self.root = root
        self.clock = Clock()
        self.lock = threading.RLock()
        self.changed = threading.Condition()
        """Told whenever a request was answered or an event was sent."""
        self.app = App(app_id, slug, "DocAlign", private, public)
        self.installations: dict[int, Installation] = {}
        self.repositories: dict[str, Repository] = {}
        self.renamed: dict[str, str] = {}
        self.tokens: dict[str, Token] = {}
        self.hooks = Hooks(self.clock, self._notify)
        self.codes: dict[str, Any] = {}
        """What was given out for credentials: see `registration.py`."""
        self.base = ""
        self._ids = itertools.count(1_000)
        self._seq = itertools.count(1)
        self.seq = 0

    def _notify(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def next_id(self) -> int:
        return next(self._ids)

    def write(self) -> int:
        """The number of a new write."""
        self.seq = next(self._seq)
        return self.seq

    def now(self) -> str:
        return stamp(self.clock.now())

    # Repositories and installations

    def create_repository(self, full_name: str, files: Files, *, private: bool = True) -> Repository:
        with self.lock:
            made = Repository(self.next_id(), full_name, GitStore(self.root / f"{full_name}.git"), private)
            self.repositories[full_name.lower()] = made
            if files:
                made.git.commit("refs/heads/main", files, message="first")
            return made

    def find(self, full_name: str) -> Repository | None:
        name = full_name.lower()
        return self.repositories.get(self.renamed.get(name, name))

    def install(self, account: str, *repositories: Repository) -> Installation:
        with self.lock:
            made = Installation(self.next_id(), account, self.app, repositories=[r.full_name for r in repositories])
            self.installations[made.id] = made
        self._event("installation", "created", made, repositories=[payloads.short(r) for r in repositories])
        return made

    def installation_event(self, installation: Installation, action: str) -> None:
        """created, deleted, suspend, unsuspend or new_permissions_accepted."""
        with self.lock:
            installation.suspended = action in ("suspend", "deleted")
            if action == "deleted":
                del self.installations[installation.id]
        shown = [payloads.short(r) for r in self.repositories_of(installation)]
        self._event("installation", action, installation, repositories=shown)

    def change_repositories(
        self, installation: Installation, added: Iterable[Repository] = (), removed: Iterable[Repository] = ()
    ) -> None:
        with self.lock:
            installation.repositories += [r.full_name for r in added]
            gone = {r.full_name for r in removed}
            installation.repositories = [name for name in installation.repositories if name not in gone]
        self._event(
            "installation_repositories", "added" if added else "removed", installation,
            repositories_added=[payloads.short(r) for r in added], repositories_removed=[payloads.short(r) for r in removed],
        )  # fmt: skip

    def rename(self, repository: Repository, full_name: str, action: str = "renamed") -> None:
        with self.lock:
            old = repository.full_name
            for one in self.installations.values():
                one.repositories = [full_name if name == old else name for name in one.repositories]
            self.repositories[full_name.lower()] = self.repositories.pop(old.lower())
            self.renamed[old.lower()] = full_name.lower()
            repository.full_name = full_name
        before = {"repository": {"name": {"from": old.partition("/")[2]}}}
        self._event("repository", action, self.installation_of(repository), repository, changes=before)

    def repository_event(self, repository: Repository, action: str, **more: Any) -> None:
        self._event("repository", action, self.installation_of(repository), repository, **more)

    def installation_of(self, repository: Repository) -> Installation | None:
        return next((i for i in self.installations.values() if repository.full_name in i.repositories), None)

    def repositories_of(self, installation: Installation) -> list[Repository]:
        return [found for name in installation.repositories if (found := self.find(name)) is not None]

    def make_token(self, installation: Installation) -> Token:
        # The new format: much longer than the forty characters that people count on.
        value = f"ghs_{installation.app.id}_{secrets.token_urlsafe(90)}"
        made = Token(value, installation, self.clock.now() + timedelta(seconds=TOKEN_SECONDS))
        self.tokens[value] = made
        return made

    # Branches and pull requests

    def push(
        self, repository: Repository, files: Files, *, branch: str = "main", delete: Iterable[str] = (), start: str = "",
        force: bool = False, pusher: str = "ada",
    ) -> str:  # fmt: skip
        """One commit on a branch; open pull requests of that branch follow. `force`: it replaces the branch's commits."""
        with self.lock:
            self.write()
            before = repository.git.resolve(branch)
            parent = repository.git.resolve(start) if start and (force or not before) else ""
            sha = repository.git.commit(f"refs/heads/{branch}", files, delete, parent)
        self._pushed(repository, branch, before, sha, pusher, force=force)
        return sha

    def move_branch(self, repository: Repository, branch: str, sha: str, *, pusher: str) -> None:
        """A branch leads to another commit, which is there already."""
        with self.lock:
            self.write()
            before = repository.git.resolve(branch)
            repository.git.set_ref(f"refs/heads/{branch}", sha)
        self._pushed(repository, branch, before, sha, pusher)

    def _pushed(
        self, repository: Repository, branch: str, before: str, sha: str, pusher: str, *, force: bool = False
    ) -> None:
        payload = {"ref": f"refs/heads/{branch}", "before": before or _ZEROS, "after": sha, "deleted": False, "forced": force,
                   "created": not before, "pusher": {"name": pusher}, "head_commit": {"id": sha}, "commits": []}  # fmt: skip
        self._event("push", None, self.installation_of(repository), repository, **payload)
        for pull in repository.pulls.values():
            if pull.state == "open" and pull.head_ref == branch and pull.head_repo == repository.full_name:
                self.move_head(repository, pull, sha)

    def open_pull(
        self, repository: Repository, branch: str, *, base: str = "main", title: str = "A change", author: str = "ada",
        fork: str = "", draft: bool = False, files: Files | None = None, delete: Iterable[str] = (),
    ) -> Pull:  # fmt: skip
        """A pull request from a branch, or from a fork of this name with these files changed."""
        with self.lock:
            seq, number = self.write(), next(repository.numbers)
            if files is not None or delete:
                ref = f"refs/forks/{number}" if fork else f"refs/heads/{branch}"
                sha = repository.git.commit(ref, files or {}, delete, repository.git.resolve(base), title)
            else:
                sha = repository.git.resolve(branch)
            repository.git.set_ref(f"refs/pull/{number}/head", sha)
            now = self.now()
            pull = Pull(
                number,
                seq,
                title,
                author,
                base,
                branch,
                fork or repository.full_name,
                [(seq, sha)],
                now,
                now,
                draft=draft,
            )
            repository.pulls[number] = pull
        self.pull_event(repository, pull, "opened")
        return pull

    def move_head(self, repository: Repository, pull: Pull, sha: str) -> None:
        with self.lock:
            before = pull.head
            pull.heads.append((self.write(), sha))
            repository.git.set_ref(f"refs/pull/{pull.number}/head", sha)
        self.pull_event(repository, pull, "synchronize", before=before, after=sha)

    def close_pull(self, repository: Repository, pull: Pull, *, merged: bool = False) -> None:
        with self.lock:
            self.write()
            pull.state, pull.merged = "closed", merged
        self.pull_event(repository, pull, "closed")

    def pull_event(self, repository: Repository, pull: Pull, action: str, **more: Any) -> None:
        with self.lock:
            # Two changes within a second have the same time at GitHub too; tests tell them apart by moving the clock.
            pull.updated = self.now()
            shown = payloads.pull(self.base, repository, pull)
        self._event(
            "pull_request",
            action,
            self.installation_of(repository),
            repository,
            number=pull.number,
            pull_request=shown,
            **more,
        )

    # Comments and checks

    def comment(
        self, repository: Repository, number: int, body: str, user: dict[str, Any] | str, via: App | None = None
    ) -> Comment:
        """Somebody writes a comment on a pull request."""
        who = {"login": user, "id": abs(hash(user)) % 10**6, "type": "User"} if isinstance(user, str) else user
        with self.lock:
            made = Comment(self.next_id(), self.write(), body, who, number, self.now(), self.now(), via)
            repository.comments[made.id] = made
        self._event(
            "issue_comment", "created", self.installation_of(repository), repository, sender=who,
            comment=made.json(f"{self.base}/repos/{repository.full_name}"),
            issue={"number": number, "pull_request": {"url": ""} if number in repository.pulls else None},
        )  # fmt: skip
        return made

    def check_event(self, repository: Repository, check: CheckRun, action: str, **more: Any) -> None:
        self._event(
            "check_run", action, self.installation_of(repository), repository,
            check_run=check.json(f"{self.base}/repos/{repository.full_name}"), **more,
        )  # fmt: skip

    def review_event(self, repository: Repository, pull: Pull, review: Review) -> None:
        self._event(
            "pull_request_review", "submitted", self.installation_of(repository), repository, sender=review.user,
            review=review.json(), pull_request=payloads.pull(self.base, repository, pull),
        )  # fmt: skip

    def press(self, repository: Repository, check: CheckRun, identifier: str) -> None:
        """Somebody presses a button of a check run."""
        self.check_event(repository, check, "requested_action", requested_action={"identifier": identifier})

    def ping(self) -> None:
        self._event("ping", None, None, zen="Design for failure.", hook_id=1)

    def other_event(self, repository: Repository, event: str, action: str | None = None, **more: Any) -> None:
        self._event(event, action, self.installation_of(repository), repository, **more)

    def _event(
        self, event: str, action: str | None, installation: Installation | None, repository: Repository | None = None, **more: Any
    ) -> None:  # fmt: skip
        body: dict[str, Any] = {"sender": {"login": "ada", "id": 1, "type": "User"}, **more}
        if action is not None:
            body["action"] = action
        if installation is not None:
            body["installation"] = installation.json() if event == "installation" else {"id": installation.id}
        elif event != "ping":
            return  # the App is not installed there: it is told nothing
        if repository is not None:
            body["repository"] = payloads.repository(self.base, repository, pushed=self.clock.now().timestamp())
        self.hooks.send(event, action, body, installation.id if installation else None)
