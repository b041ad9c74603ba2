"""Runs every tool on every mutant, remembers each result on disk, and so goes on where it was stopped."""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.tools import RIVALS, Hit, Outcome, docalign, fingerprint, frozen_engine, grep
from bench.truth import Truth

WHOLE, CHANGE = "docalign", "docalign --changed-since"
BASE = "unmutated"


class Results:
    """One line of JSON a run, in the order of finishing. The last line of a key counts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._rows: dict[tuple[str, str], Outcome] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._rows[row["tool"], row["mutant"]] = _outcome(row["outcome"])

    def get(self, tool: str, mutant: str) -> Outcome | None:
        return self._rows.get((tool, mutant))

    def versions(self, mutants: frozenset[str]) -> set[str]:
        """The engines that these results, and those of the unmutated repositories, are of: one, if they are to be believed."""
        names = mutants | {f"{BASE}|{name}" for name in mutants}
        return {o.version for (tool, name), o in self._rows.items() if tool in (WHOLE, CHANGE) and name in names}

    def put(self, tool: str, mutant: str, outcome: Outcome) -> None:
        row = json.dumps({"tool": tool, "mutant": mutant, "outcome": asdict(outcome)}, ensure_ascii=False)
        with self._lock:
            self._rows[tool, mutant] = outcome
            with self._path.open("a", encoding="utf-8") as file:
                file.write(row + "\n")

    def forget(self, tools: frozenset[str], mutants: frozenset[str]) -> None:
        """Drops what these tools said of these mutants and repositories: the tools have changed."""
        names = mutants | {f"{BASE}|{name}" for name in mutants}
        self._rows = {key: value for key, value in self._rows.items() if key[0] not in tools or key[1] not in names}
        with self._path.open("w", encoding="utf-8") as file:
            for (tool, mutant), outcome in self._rows.items():
                file.write(
                    json.dumps({"tool": tool, "mutant": mutant, "outcome": asdict(outcome)}, ensure_ascii=False) + "\n"
                )


def _outcome(data: dict[str, object]) -> Outcome:
    hits = data["hits"]
    assert isinstance(hits, list)
    read = tuple(
        Hit(
            tuple((p, n) for p, n in h["places"]), h["text"], h["rule"], h["fix"], h["id"],
            tuple((p, n, text, new) for p, n, text, new in h.get("edits", ())),
        )
        for h in hits
    )  # fmt: skip
    return Outcome(read, float(str(data["seconds"])), str(data["error"]), data["summary"], str(data.get("version", "")))  # type: ignore[arg-type]


class Runner:
    """Checks out one mutant at a time in each thread and lets every tool look at it."""

    def __init__(self, shop: Workshop, results: Results, rivals: Path | None) -> None:
        self._shop = shop
        self._results = results
        self._rivals = {name: rivals / name for name in RIVALS if (rivals / name).exists()} if rivals else {}
        self._with_grep = rivals is not None
        self._cache = self._engine = Path()
        self._version = ""

    @property
    def tools(self) -> list[str]:
        return [WHOLE, CHANGE, *self._rivals, *(["grep"] if self._with_grep else [])]

    def run(self, sources: dict[str, Source], truths: list[Truth], jobs: int) -> None:
        """Runs what is not yet in the results: first the unmutated repositories, then the mutants."""
        scratch = Path(tempfile.mkdtemp(prefix="docalign-bench-"))
        try:
            self._cache, self._engine = scratch / "cache", frozen_engine(scratch / "engine")
            self._version = fingerprint(self._engine)
            repositories = sorted({truth.repository for truth in truths})
            work = [(sources[name], sources[name].commit, f"{BASE}|{name}") for name in repositories]
            self._all(work, jobs)
            self._all([(sources[truth.repository], truth.commit, truth.key) for truth in truths], jobs)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def _all(self, work: list[tuple[Source, str, str]], jobs: int) -> None:
        todo = [item for item in work if any(self._missing(item[2]))]
        with ThreadPoolExecutor(jobs) as pool:
            for done, name in enumerate(pool.map(lambda item: self._one(*item), todo), 1):
                if sys.stderr.isatty() or done % 20 == 0 or done == len(todo):
                    print(f"{done} of {len(todo)}: {name}", file=sys.stderr)

    def _missing(self, name: str) -> Iterator[str]:
        for tool in self.tools:
            against_base = tool in (CHANGE, "grep", "readme-drift", "staledocs")
            last = self._results.get(tool, name)
            again = last is None or (bool(last.error) and tool in (WHOLE, CHANGE))
            if again and not (name.startswith(BASE) and against_base):
                yield tool

    def _one(self, source: Source, commit: str, name: str) -> str:
        try:
            checkout = self._shop.checkout(source, commit, re.sub(r"[|/@]", "-", name))
        except RuntimeError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return name
        try:
            for tool in list(self._missing(name)):
                outcome = self._look(tool, checkout)
                outcome = replace(outcome, version=self._version) if tool in (WHOLE, CHANGE) else outcome
                self._results.put(tool, name, outcome)
        finally:
            shutil.rmtree(checkout, ignore_errors=True)
        return name

    def _look(self, tool: str, checkout: Path) -> Outcome:
        if tool == WHOLE:
            return docalign(checkout, self._cache, engine=self._engine)
        if tool == CHANGE:
            return docalign(checkout, self._cache, "--changed-since", "HEAD~1", engine=self._engine)
        if tool == "grep":
            return grep(Path(), checkout)
        return RIVALS[tool](self._rivals[tool], checkout)
