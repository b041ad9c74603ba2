"""Repositories and pull requests as GitHub shows them, as much of them as anybody here reads."""

from __future__ import annotations

from typing import Any

from docalign_actors.demo.github.model import Pull, Repository


def short(repository: Repository) -> dict[str, Any]:
    """As in an installation's list."""
    return {
        "id": repository.id,
        "name": repository.name,
        "full_name": repository.full_name,
        "private": repository.private,
    }


def repository(base: str, one: Repository, pushed: float = 0.0) -> dict[str, Any]:
    web = base.removesuffix("/api/v3")
    return {
        **short(one), "owner": {"login": one.owner, "id": 1, "type": "Organization"}, "default_branch": one.default_branch,
        "archived": one.archived, "url": f"{base}/repos/{one.full_name}", "html_url": f"{web}/{one.full_name}",
        "clone_url": f"{web}/{one.full_name}.git", "pushed_at": int(pushed), "fork": False,
    }  # fmt: skip


def pull(base: str, repo: Repository, one: Pull, seq: int | None = None) -> dict[str, Any]:
    head_repo = {**repository(base, repo), "full_name": one.head_repo, "fork": one.head_repo != repo.full_name}
    return {
        "id": repo.id * 1_000 + one.number, "number": one.number, "state": one.state, "title": one.title, "body": one.body,
        "draft": one.draft, "merged": one.merged, "mergeable": None, "user": {"login": one.author, "id": 2, "type": "User"},
        "created_at": one.created, "updated_at": one.updated, "url": f"{base}/repos/{repo.full_name}/pulls/{one.number}",
        "html_url": f"{base.removesuffix('/api/v3')}/{repo.full_name}/pull/{one.number}",
        "head": {"ref": one.head_ref, "sha": one.head_at(seq), "repo": head_repo, "label": one.head_ref},
        "base": {"ref": one.base_ref, "sha": repo.git.resolve(one.base_ref), "repo": repository(base, repo), "label": one.base_ref},
    }  # fmt: skip
