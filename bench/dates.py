"""How long before a thing went the document was written that names it, for findings that were judged by hand.

The engine leaves alone what a document says that was written in the very days before (docalign_actors/engine/doubts/samework.py).
Whether that tells true findings from wrong ones is counted here, by git alone: when the document came, when it was touched last
and when the path or the name that the finding speaks of went.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.files import git
from bench.precision import Judgement, judgements
from docalign_actors.engine.doubts.tending import is_standing

_DAY = 86_400
_PLACE = re.compile(r"(?P<file>.+?):\d+ [^`]*`(?P<what>[^`]+)`")
_STEPS = (0, 1, 7, 14, 30, 90)
_MOST = 4
"""Findings of one document that are counted: a heap would decide everything."""


@dataclass(frozen=True)
class Dated:
    """A judged finding with its dates, in seconds since 1970."""

    repository: str
    file: str
    true: bool
    began: int
    written: int
    touched: int
    went: int

    @property
    def of_the_work(self) -> bool:
        """What the engine's rule asks for."""
        days = (self.went - self.written) / _DAY
        return 0 <= days <= 14 and self.written - self.began >= 10 * _DAY and self.touched <= self.went


def main(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    """Prints, for documents that every reader takes for today's and for others, how many findings of each gap were true."""
    counted: dict[tuple[str, str], int] = defaultdict(int)
    found: list[Dated] = []
    for judgement in judgements():
        place = _PLACE.match(judgement.message)
        given = shop.given(judgement.repository)
        if judgement.rule not in ("missing-path", "missing-symbol") or place is None or given is None:
            continue
        counted[judgement.repository, place["file"]] += 1
        if counted[judgement.repository, place["file"]] <= _MOST:
            dated = _dated(given, judgement, place["file"], place["what"])
            found.extend([dated] if dated else [])
    for standing, title in ((False, "other documents"), (True, "documents that are taken for today's by their names")):
        rows = [one for one in found if is_standing(one.file) is standing]
        print(
            f"\n{title}\n\n| days from the document to the going | true | wrong | documents, true | wrong |\n"
            + "|---" * 5
            + "|"
        )
        for step, part in _by_gap(rows):
            print(_row(step, part))
        print(_row("of the same work, by the rule", [one for one in rows if one.of_the_work]))
    return 0


def _by_gap(rows: list[Dated]) -> list[tuple[str, list[Dated]]]:
    parts: dict[str, list[Dated]] = {**{f"up to {step}": [] for step in _STEPS}, "more": []}
    for one in rows:
        days = (one.went - one.written) / _DAY
        parts[next((f"up to {step}" for step in _STEPS if days <= step), "more")].append(one)
    return list(parts.items())


def _row(title: str, part: list[Dated]) -> str:
    true, wrong = [one for one in part if one.true], [one for one in part if not one.true]
    documents = [len({(one.repository, one.file) for one in some}) for some in (true, wrong)]
    return f"| {title} | {len(true)} | {len(wrong)} | {documents[0]} | {documents[1]} |"


def _dated(repository: Path, judgement: Judgement, file: str, what: str) -> Dated | None:
    try:
        touched = [int(when) for when in _told(repository, judgement.commit, "%ct", "--", file)]
        came = _told(repository, judgement.commit, "%ct", "--follow", "--diff-filter=A", "--", file)
        went = _went(repository, judgement, what)
        roots = _told(repository, judgement.commit, "%ct", "--max-parents=0")
    except RuntimeError:  # a copy that lacks an object
        return None
    if not (touched and came and went and roots):
        return None
    return Dated(
        judgement.repository, file, judgement.true, min(map(int, roots)), int(came[-1]), max(touched), int(went[0])
    )


def _went(repository: Path, judgement: Judgement, what: str) -> list[str]:
    if judgement.rule == "missing-path":
        paths = ("--", what, f"{what.rstrip('/')}/*")
        return _told(repository, judgement.commit, "%ct", "-1", "--diff-filter=D", "--no-renames", *paths)
    documents = (":!*.md", ":!*.mdx", ":!*.rst", ":!*.adoc")
    return _told(repository, judgement.commit, "%ct", "-1", f"-S{what.rpartition('.')[2]}", "--", ".", *documents)


def _told(repository: Path, commit: str, form: str, *arguments: str) -> list[str]:
    options = [argument for argument in arguments if argument.startswith("-") and argument != "--"]
    rest = arguments[arguments.index("--") :] if "--" in arguments else ()
    return git(repository, "log", f"--format={form}", *options, commit, *rest).decode().split()
