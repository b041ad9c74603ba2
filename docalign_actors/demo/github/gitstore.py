"""A bare repository, written by plumbing and served by git's own CGI program."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

_WHO = {
    "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_DATE": "2024-05-01T12:00:00Z", "GIT_COMMITTER_DATE": "2024-05-01T12:00:00Z",
}  # fmt: skip
Files = Mapping[str, str | bytes]


class GitStoreError(RuntimeError):
    """git refused."""


class GitStore:
    """One bare repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        path.mkdir(parents=True, exist_ok=True)
        self.run("init", "--bare", "--quiet", "--initial-branch=main", ".")
        for name in ("uploadpack.allowAnySHA1InWant", "uploadpack.allowFilter", "http.receivepack"):
            self.run("config", name, "true")

    def run(self, *arguments: str, stdin: bytes = b"", index: str = "", who: Mapping[str, str] | None = None) -> str:
        extra = {**({"GIT_INDEX_FILE": index} if index else {}), **(who or {})}
        done = subprocess.run(
            ["git", "-C", str(self.path), *arguments],
            input=stdin, env={**os.environ, **_WHO, **extra}, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise GitStoreError(f"git {' '.join(arguments)}: {done.stderr.decode()}")
        return done.stdout.decode("utf-8", "replace").strip()

    def resolve(self, revision: str) -> str:
        """The commit of a branch or an id; "" if there is none."""
        for name in (f"refs/heads/{revision}", revision):
            done = subprocess.run(
                ["git", "-C", str(self.path), "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"],
                capture_output=True, check=False,
            )  # fmt: skip
            if done.returncode == 0:
                return done.stdout.decode().strip()
        return ""

    def commit(
        self, ref: str, files: Files, delete: Iterable[str] = (), parent: str = "", message: str = "change"
    ) -> str:
        """Adds one commit to a ref (`refs/heads/main`) on top of a parent: the ref itself if none is named."""
        with self._lock:
            index = str(self.path / "index.tmp")
            Path(index).unlink(missing_ok=True)
            parent = parent or self.resolve(ref)
            if parent:
                self.run("read-tree", parent, index=index)
            lines = [f"0 {'0' * 40}\t{name}" for name in delete]
            for name, content in files.items():
                data = content.encode() if isinstance(content, str) else content
                lines.append(f"100644 {self.run('hash-object', '-w', '--stdin', stdin=data)}\t{name}")
            self.run("update-index", "--index-info", stdin="".join(f"{line}\n" for line in lines).encode(), index=index)
            tree = self.run("write-tree", index=index)
            parents = ["-p", parent] if parent else []
            sha = self.run("commit-tree", tree, *parents, "-m", message)
            self.run("update-ref", ref, sha)
            return sha

    def tree(self, base: str, lines: Iterable[str]) -> str:
        """A tree with these entries changed, as `git update-index --index-info` takes them."""
        with self._lock:
            index = str(self.path / "index.tmp")
            Path(index).unlink(missing_ok=True)
            if base:
                self.run("read-tree", base, index=index)
            self.run("update-index", "--index-info", stdin="".join(f"{line}\n" for line in lines).encode(), index=index)
            return self.run("write-tree", index=index)

    def write_commit(self, tree: str, parents: Iterable[str], message: str, name: str, email: str) -> str:
        """A commit that no ref leads to."""
        who = {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_COMMITTER_NAME": "GitHub"}
        given = [word for parent in parents for word in ("-p", parent)]
        return self.run("commit-tree", tree, *given, stdin=message.encode(), who=who)

    def ref(self, ref: str) -> str:
        """The commit of a ref by its whole name; "" if there is none."""
        return self.run("for-each-ref", "--format=%(objectname)", ref)

    def blob(self, oid: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(self.path), "cat-file", "blob", oid], capture_output=True, check=True
        ).stdout

    def contains(self, commit: str, older: str) -> bool:
        """Whether a commit is the other one or has come from it."""
        done = subprocess.run(
            ["git", "-C", str(self.path), "merge-base", "--is-ancestor", older, commit],
            capture_output=True,
            check=False,
        )
        return done.returncode == 0

    def set_ref(self, ref: str, sha: str) -> None:
        self.run("update-ref", ref, sha)

    def read(self, revision: str, path: str) -> bytes | None:
        done = subprocess.run(
            ["git", "-C", str(self.path), "cat-file", "blob", f"{revision}:{path}"], capture_output=True, check=False
        )
        return done.stdout if done.returncode == 0 else None

    def merge_base(self, one: str, other: str) -> str:
        return self.run("merge-base", one, other)

    def changed(self, base: str, head: str) -> list[dict[str, object]]:
        """The files that differ, as GitHub lists them."""
        words = {"A": "added", "M": "modified", "D": "removed", "R": "renamed", "T": "changed"}
        found: list[dict[str, object]] = []
        for line in self.run("diff", "--name-status", "-M", base, head).splitlines():
            mark, *names = line.split("\t")
            one: dict[str, object] = {"filename": names[-1], "status": words[mark[0]], "sha": "0" * 40}
            if mark[0] == "R":
                one["previous_filename"] = names[0]
            patch = self.run("diff", base, head, "--", *names).partition("\n@@")[2]
            one.update({"patch": f"@@{patch}", "additions": patch.count("\n+"), "deletions": patch.count("\n-")})
            found.append({**one, "changes": patch.count("\n+") + patch.count("\n-")})
        return found


def serve(
    root: Path, path: str, query: str, method: str, headers: Mapping[str, str], body: bytes
) -> tuple[int, list[tuple[str, str]], bytes]:
    """One request of the smart protocol, answered by `git http-backend`."""
    environment = {
        **os.environ, **_WHO, "GIT_PROJECT_ROOT": str(root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
        "REQUEST_METHOD": method, "CONTENT_TYPE": headers.get("content-type", ""), "CONTENT_LENGTH": str(len(body)),
        "REMOTE_USER": "x-access-token", "REMOTE_ADDR": "127.0.0.1", "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
    }  # fmt: skip
    done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=False)
    head, _, content = done.stdout.partition(b"\r\n\r\n")
    pairs = [tuple(line.split(": ", 1)) for line in head.decode("latin-1").split("\r\n") if ": " in line]
    status = next((int(value.split()[0]) for name, value in pairs if name.lower() == "status"), 200)
    return status, [(n, v) for n, v in pairs if n.lower() != "status"], content
