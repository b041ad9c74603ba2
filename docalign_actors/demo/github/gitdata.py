"""Commits, trees, blobs and refs: what is needed to change a repository without a clone of it."""

from __future__ import annotations

import base64
import re
from typing import Any

from docalign_actors.demo.github.gitstore import GitStore, GitStoreError
from docalign_actors.demo.github.model import Repository
from docalign_actors.demo.github.routing import Call, RefusedError, route

_SHA = re.compile(r"[0-9a-f]{40}")
_MODES = {"100644", "100755", "040000", "160000", "120000"}
MOST_TREE = 7 * 2**20


@route("GET", "{repo}/git/commits/(?P<sha>[^/]+)")
def show_commit(call: Call, owner: str, name: str, sha: str) -> Any:
    git = call.repository(owner, name, "contents").git
    _known(git, sha, "commit")
    return _commit(git, sha)


@route("GET", "{repo}/git/trees/(?P<sha>[^/]+)")
def show_tree(call: Call, owner: str, name: str, sha: str) -> Any:
    git = call.repository(owner, name, "contents").git
    _known(git, sha, "tree")
    deep = ["-r", "-t"] if call.query.get("recursive") else []
    entries = []
    for line in git.run("ls-tree", "-z", *deep, sha).split("\0"):
        if line:
            mode, kind, rest = line.split(" ", 2)
            oid, _, path = rest.partition("\t")
            entries.append({"path": path, "mode": mode, "type": kind, "sha": oid})
    return {"sha": sha, "tree": entries, "truncated": False}


@route("GET", "{repo}/git/blobs/(?P<sha>[^/]+)")
def show_blob(call: Call, owner: str, name: str, sha: str) -> Any:
    git = call.repository(owner, name, "contents").git
    _known(git, sha, "blob")
    data = git.blob(sha)
    return {"sha": sha, "size": len(data), "encoding": "base64", "content": base64.encodebytes(data).decode()}


@route("POST", "{repo}/git/blobs")
def create_blob(call: Call, owner: str, name: str) -> Any:
    git = call.repository(owner, name, "contents", "write").git
    text = call.body["content"]
    data = base64.b64decode(text) if call.body.get("encoding") == "base64" else text.encode()
    return 201, {"sha": git.run("hash-object", "-w", "--stdin", stdin=data)}


@route("POST", "{repo}/git/trees")
def create_tree(call: Call, owner: str, name: str) -> Any:
    git = call.repository(owner, name, "contents", "write").git
    base, entries = call.body.get("base_tree", ""), call.body["tree"]
    if base:
        _known(git, base, "tree")
    lines = []
    for one in entries:
        if one["mode"] not in _MODES or one["path"].startswith("/") or ".." in one["path"].split("/"):
            raise RefusedError(422, "tree.path contains a malformed path component")
        oid = one.get("sha") or git.run("hash-object", "-w", "--stdin", stdin=one["content"].encode())
        lines.append(f"{one['mode']} {oid}\t{one['path']}")
    return 201, {"sha": git.tree(base, lines)}


@route("POST", "{repo}/git/commits")
def create_commit(call: Call, owner: str, name: str) -> Any:
    git = call.repository(owner, name, "contents", "write").git
    for sha in call.body["parents"]:
        _known(git, sha, "commit")
    _known(git, call.body["tree"], "tree")
    bot = call.world.app.bot
    who = call.body.get("author") or {
        "name": bot["login"], "email": f"{bot['id']}+{bot['login']}@users.noreply.github.com",
    }  # fmt: skip
    made = git.write_commit(call.body["tree"], call.body["parents"], call.body["message"], who["name"], who["email"])
    call.world.write()
    return 201, _commit(git, made)


@route("GET", "{repo}/git/ref/(?P<ref>heads/.+)")
def show_ref(call: Call, owner: str, name: str, ref: str) -> Any:
    repository = call.repository(owner, name, "contents")
    sha = repository.git.ref(f"refs/{ref}")
    if not sha:
        raise RefusedError(404, "Not Found")
    return _ref(ref, sha)


@route("POST", "{repo}/git/refs")
def create_ref(call: Call, owner: str, name: str) -> Any:
    repository = call.repository(owner, name, "contents", "write")
    ref, sha = call.body["ref"], call.body["sha"]
    if not re.fullmatch(r"refs/heads/[\w./-]+", ref) or not repository.git.resolve(sha):
        raise RefusedError(422, "Reference is not valid")
    if repository.git.ref(ref):
        raise RefusedError(422, "Reference already exists")
    _move(call, repository, ref.removeprefix("refs/heads/"), sha)
    return 201, _ref(ref.removeprefix("refs/"), sha)


@route("PATCH", "{repo}/git/refs/(?P<ref>heads/.+)")
def update_ref(call: Call, owner: str, name: str, ref: str) -> Any:
    repository = call.repository(owner, name, "contents", "write")
    before, sha = repository.git.ref(f"refs/{ref}"), call.body["sha"]
    if not before or not repository.git.resolve(sha):
        raise RefusedError(422, "Reference does not exist" if not before else "Object does not exist")
    if not call.body.get("force") and not repository.git.contains(sha, before):
        raise RefusedError(422, "Update is not a fast forward")
    if before != sha:
        _move(call, repository, ref.removeprefix("heads/"), sha)
    return _ref(ref, sha)


def _move(call: Call, repository: Repository, branch: str, sha: str) -> None:
    if branch in repository.protected:
        raise RefusedError(422, "Repository rule violations found: changes must be made through a pull request.")
    call.world.move_branch(repository, branch, sha, pusher=call.world.app.bot["login"])


def _known(git: GitStore, sha: str, kind: str) -> None:
    try:
        found = git.run("cat-file", "-t", sha) if _SHA.fullmatch(sha) else ""
    except GitStoreError:
        found = ""
    if found != kind:
        raise RefusedError(404, "Not Found")


def _commit(git: GitStore, sha: str) -> dict[str, Any]:
    tree, parents, who, mail, message = git.run("show", "-s", "--format=%T%n%P%n%an%n%ae%n%B", sha).split("\n", 4)
    return {
        "sha": sha, "tree": {"sha": tree}, "parents": [{"sha": one} for one in parents.split()],
        "author": {"name": who, "email": mail}, "message": message,
    }  # fmt: skip


def _ref(ref: str, sha: str) -> dict[str, Any]:
    return {"ref": f"refs/{ref}", "object": {"type": "commit", "sha": sha}}
