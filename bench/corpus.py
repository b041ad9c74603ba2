"""The repositories of the benchmark: names and commits in corpus.json, clones in the work folder."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from bench.files import git
from bench.mutants import Mutant

CORPUS = Path(__file__).with_name("corpus.json")
_WHO = {
    "GIT_AUTHOR_NAME": "Maintainer", "GIT_AUTHOR_EMAIL": "maintainer@example.org",
    "GIT_COMMITTER_NAME": "Maintainer", "GIT_COMMITTER_EMAIL": "maintainer@example.org",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A repository of the corpus. `part`: tuning (looked at while developing), heldout (not before
    the end), judged (scanned as they are for false alarms; no mutants) or changes (changes of their
    histories were judged, see the judgements with a `base`)."""

    name: str
    commit: str
    part: str

    @property
    def folder(self) -> str:
        return self.name.replace("/", "+")


def corpus() -> list[Source]:
    """All repositories, in order."""
    data = json.loads(CORPUS.read_text(encoding="utf-8"))
    return [Source(row["name"], row["commit"], row["part"]) for row in data["repositories"]]


class Workshop:
    """The work folder. `repos` is where clones or bare repositories lie, each named owner+name."""

    def __init__(self, work: Path, repos: Path) -> None:
        self.work = work
        self.repos = repos
        work.mkdir(parents=True, exist_ok=True)

    def base(self, source: Source) -> Path:
        """A bare copy of the repository at the recorded commit, made once. Mutants' commits are written into it."""
        path = self.work / "base" / f"{source.folder}.git"
        if not path.exists():
            given = self.given(source.name)
            if given is None:
                raise FileNotFoundError(f"{source.name} is neither in {self.repos} as {source.folder} nor as a clone")
            path.parent.mkdir(parents=True, exist_ok=True)
            building = path.with_suffix(".part")
            shutil.rmtree(building, ignore_errors=True)
            git(self.work, "clone", "-q", "--bare", "--shared", str(given), str(building))
            for ref in git(building, "for-each-ref", "--format=%(refname)", "refs/heads").decode().split():
                git(building, "update-ref", "-d", ref)
            git(building, "update-ref", "refs/heads/main", source.commit)
            git(building, "symbolic-ref", "HEAD", "refs/heads/main")
            building.rename(path)
        return path

    def given(self, repository: str) -> Path | None:
        """Where the clone or the bare repository of this name lies; None if it is not there."""
        folder = repository.replace("/", "+")
        for name in (folder, f"{folder}.git", repository.rpartition("/")[2]):
            for path in (self.repos / name, self.repos / name / "repo", self.repos / name / "repo" / ".git"):
                if (path / "HEAD").exists() or (path / ".git").exists():
                    return path.resolve()
        return None

    def checkout(self, source: Source, commit: str, name: str) -> Path:
        """A clone with full history whose branch `main` is at the commit. Objects are shared, so it costs little."""
        path = self.work / "checkout" / name
        shutil.rmtree(path, ignore_errors=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        git(self.work, "clone", "-q", "--shared", "--no-checkout", str(self.base(source)), str(path))
        git(path, "-c", "core.symlinks=true", "checkout", "-q", "-B", "main", commit)
        return path

    def commit(self, source: Source, mutant: Mutant) -> str:
        """Writes the mutant as one commit on top of the recorded one, without a work tree. The same mutant gives the same id."""
        base = self.base(source)
        index = self.work / f"index-{os.getpid()}"
        env = {**os.environ, **_WHO, "GIT_INDEX_FILE": str(index.resolve())}
        when = str(int(git(base, "log", "-1", "--format=%ct", source.commit)) + 86_400) + " +0000"
        env |= {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        try:
            git(base, "read-tree", source.commit, env=env)
            git(base, "update-index", "-z", "--index-info", stdin=self._rows(base, source, mutant, env), env=env)
            tree = git(base, "write-tree", env=env).decode().strip()
            message = f"Refactor {mutant.kind}: {mutant.new or mutant.old}"
            return git(base, "commit-tree", tree, "-p", source.commit, "-m", message, env=env).decode().strip()
        finally:
            index.unlink(missing_ok=True)

    def _rows(self, base: Path, source: Source, mutant: Mutant, env: dict[str, str]) -> bytes:
        rows: list[str] = []
        for path in sorted({*mutant.changes, *mutant.moves, *mutant.deletes}):
            if path in mutant.deletes:
                rows.append(f"0 {'0' * 40}\t{path}")
                continue
            mode, _, blob = git(base, "ls-tree", source.commit, "--", path).decode().split("\t")[0].split()
            if path in mutant.changes:
                data = mutant.changes[path].encode("utf-8", "surrogateescape")
                blob = git(base, "hash-object", "-w", "--stdin", stdin=data, env=env).decode().strip()
            if path in mutant.moves:
                rows.append(f"0 {'0' * 40}\t{path}")
            rows.append(f"{mode} {blob}\t{mutant.moves.get(path, path)}")
        return "".join(row + "\0" for row in rows).encode("utf-8", "surrogateescape")
