"""Git at GitHub through its data API, as `github.fixes.Workbench` names it.

Commits are made without an author: GitHub then names the App's bot, and signs them. A push by git would do neither, and would
answer a limit or a rule with words instead of a status.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from docalign_actors.errors import GitHubNotFoundError, GitHubUnavailableError
from docalign_actors.github.fixes import NewEntry, OwnPull, PullTarget, TreeEntry
from docalign_actors.hosts.github.client import Talk


class InstallationWorkbench:
    """Each call is one request."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def pull_target(self, repo: str, number: int) -> PullTarget:
        found = self._ask("GET", f"/repos/{repo}/pulls/{number}")
        head = found["head"]
        source = head["repo"]["full_name"] if head.get("repo") else ""
        default = str(found["base"]["repo"]["default_branch"])
        return PullTarget(found["state"] == "open", head["sha"], head["ref"], source, found["base"]["ref"], default)

    def default_branch(self, repo: str) -> str:
        return str(self._ask("GET", f"/repos/{repo}")["default_branch"])

    def tip(self, repo: str, branch: str) -> str:
        try:
            return str(self._ask("GET", f"/repos/{repo}/git/ref/heads/{quote(branch)}")["object"]["sha"])
        except GitHubNotFoundError:
            return ""

    def own_pulls(self, repo: str, base: str) -> list[OwnPull]:
        own = f"{self._talk.slug()}[bot]"
        listed = self._ask("GET", f"/repos/{repo}/pulls?state=open&base={quote(base, safe='')}&per_page=100")
        return [
            OwnPull(p["number"], p["head"]["ref"], p["head"]["sha"], p.get("body") or "")
            for p in listed
            if p["user"]["login"] == own and p["head"].get("repo") and p["head"]["repo"]["full_name"] == repo
        ]

    def root(self, repo: str, commit: str) -> str:
        return str(self._ask("GET", f"/repos/{repo}/git/commits/{commit}")["tree"]["sha"])

    def entries(self, repo: str, tree: str) -> list[TreeEntry]:
        found = self._ask("GET", f"/repos/{repo}/git/trees/{tree}")
        return [TreeEntry(one["path"], one["mode"], one["type"], one["sha"]) for one in found["tree"]]

    def blob(self, repo: str, sha: str) -> bytes:
        return base64.b64decode(self._ask("GET", f"/repos/{repo}/git/blobs/{sha}")["content"])

    def create_blob(self, repo: str, data: bytes) -> str:
        body = {"content": base64.b64encode(data).decode(), "encoding": "base64"}
        return str(self._ask("POST", f"/repos/{repo}/git/blobs", body)["sha"])

    def create_tree(self, repo: str, base: str, entries: Sequence[NewEntry]) -> str:
        tree = [
            {
                "path": e.path,
                "mode": e.mode,
                "type": "blob",
                **({"sha": e.sha} if e.text is None else {"content": e.text}),
            }
            for e in entries
        ]
        return str(self._ask("POST", f"/repos/{repo}/git/trees", {"base_tree": base, "tree": tree})["sha"])

    def create_commit(self, repo: str, message: str, tree: str, parent: str) -> str:
        body = {"message": message, "tree": tree, "parents": [parent]}
        return str(self._ask("POST", f"/repos/{repo}/git/commits", body)["sha"])

    def create_branch(self, repo: str, branch: str, commit: str) -> None:
        self._ask("POST", f"/repos/{repo}/git/refs", {"ref": f"refs/heads/{branch}", "sha": commit})

    def move_branch(self, repo: str, branch: str, commit: str) -> None:
        self._ask("PATCH", f"/repos/{repo}/git/refs/heads/{quote(branch)}", {"sha": commit, "force": False})

    def contains(self, repo: str, tip: str, commit: str) -> bool:
        try:
            return self._ask("GET", f"/repos/{repo}/compare/{commit}...{tip}")["status"] in ("ahead", "identical")
        except GitHubNotFoundError:
            return False

    def create_pull(self, repo: str, title: str, body: str, branch: str, base: str) -> int:
        fields = {"title": title, "body": body, "head": branch, "base": base}
        return int(self._ask("POST", f"/repos/{repo}/pulls", fields)["number"])

    def _ask(self, verb: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            return self._talk.run(lambda github: github.requester.requestJsonAndCheck(verb, path, input=body)[1])
        except (KeyError, TypeError):
            raise GitHubUnavailableError("GitHub's answer is not as expected.") from None
