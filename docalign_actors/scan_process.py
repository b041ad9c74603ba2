"""A scan in a process of its own: what is hostile, slow or large happens here, where it can be ended at any instant.

Reads a Job from standard input, says StageReached, then ReportMade or ScanFailed, one JSON document a line. The line
"hurry" asks it to keep what is decided and end. When standard input closes, whoever started it is gone, and it ends too,
with everything that it started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from docalign_actors.engine.configuration import Configuration, parse_pyproject, parse_yaml
from docalign_actors.engine.configuration_files import CONFIGURATION_FILES
from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES
from docalign_actors.engine.ports import Cache, Tree
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.errors import ConfigurationError, DocAlignError
from docalign_actors.findings.model import CLAIMED
from docalign_actors.findings.report import Report, Summary
from docalign_actors.hosts.mirrors import Mirror
from docalign_actors.hosts.referring import Referred, blob_of, reader_of, refer
from docalign_actors.persistence.patterns import kept_patterns
from docalign_actors.scans.answering import locate
from docalign_actors.scans.messages import CitationsChecked, ReportMade, ScanFacts, ScanFailed, StageReached
from docalign_actors.scans.ports import Job
from docalign_actors.scans.stages import ENGINE_STAGES, FETCH, STAGES, VERIFICATION

_PR_SET_PDEATHSIG = 1
_CONFIGURATION_LIMIT = 256 * 1024
_TICK = 0.2
"""Seconds between two reports of progress in one stage."""


def main() -> None:
    """The process from its first to its last line."""
    _end_with_the_parent()
    os.nice(5)  # the service itself must answer while scans run
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not get between the lines
    source = sys.stdin.buffer
    job = msgspec.json.decode(source.readline(), type=Job)
    if job.parent and os.getppid() != job.parent:
        return
    hurry = threading.Event()
    threading.Thread(target=_listen, args=(source, hurry), daemon=True).start()
    voice = Voice(out)
    try:
        with kept_patterns():
            voice.say(look_up(job, voice) if job.citations else run(job, voice, hurry))
    except DocAlignError as error:
        permanent = isinstance(error, ConfigurationError)
        voice.say(ScanFailed(error.code, error.with_hint(), permanent))
    except MemoryError:
        voice.say(ScanFailed("DOCALIGN_E000", "The scan ran out of memory.", permanent=True))
    finally:
        out.close()
        _end_children()


def _end_with_the_parent() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))


def _listen(source: BinaryIO, hurry: threading.Event) -> None:
    for line in source:
        if line.strip() == b"hurry":
            hurry.set()
    os.killpg(0, signal.SIGKILL)


def _end_children() -> None:
    """This process leads its group: what is left of it after the last line has no reader any more."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os._exit(0)


class Voice:
    """Says things on standard output, progress not too often."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._stage = ""
        self._next = 0.0
        self._lock = threading.Lock()

    def say(self, message: object) -> None:
        with self._lock:
            self._out.write(msgspec.json.encode(message) + b"\n")
            self._out.flush()

    def progress(self, step: str, done: int, total: int) -> None:
        stage = ENGINE_STAGES.get(step, VERIFICATION)
        if STAGES.index(stage) < STAGES.index(self._stage or stage):
            return  # a look back, at the base or the past, is no step back
        now = time.monotonic()
        if stage != self._stage or done >= total or now >= self._next:
            self._stage, self._next = stage, now + _TICK
            self.say(StageReached(stage, done, total))


def look_up(job: Job, voice: Voice) -> CitationsChecked:
    """Where what agents cited stands, at the commit that was scanned."""
    from docalign_actors.hosts.localgit.trees import CommitTree

    mirror = Mirror(Path(job.mirror), job.token, job.user)
    if not (Path(job.mirror) / "HEAD").exists() or not mirror.has(job.head):
        mirror.fetch(job.url, (job.head,), timeout=job.fetch_timeout, depth=job.depth)
    tree = CommitTree(mirror.git, job.head)
    read = reader_of(tree)
    lines = tuple(locate(read(one.file), one) for one in job.citations)
    return CitationsChecked(lines, {one.file: blob_of(tree, one.file) for one in job.citations})


def run(job: Job, voice: Voice, hurry: threading.Event) -> ReportMade:
    """Fetches, scans, and says what it learnt on its way."""
    voice.say(StageReached(FETCH, 0, 1))
    mirror = Mirror(Path(job.mirror), job.token, job.user)
    mirror.fetch(job.url, (job.base, job.head), timeout=job.fetch_timeout, depth=job.depth)
    branch, tip = mirror.default_branch(job.url, timeout=job.fetch_timeout)
    voice.say(StageReached(FETCH, 1, 1))
    head = mirror.resolve(job.head) if job.head else tip
    if not head:
        return ReportMade(Report(Summary()), ScanFacts(branch=branch))
    with _cache(job) as cache:
        return _scan(job, mirror, branch, head, cache, voice, hurry)


@contextlib.contextmanager
def _cache(job: Job) -> Iterator[Cache | None]:
    if not job.database:
        yield None
        return
    from docalign_actors.persistence.blobs import BlobCache

    with BlobCache(job.database) as cache:
        yield cache


def _scan(
    job: Job, mirror: Mirror, branch: str, head: str, cache: Cache | None, voice: Voice, hurry: threading.Event
) -> ReportMade:
    from docalign_actors.engine.changes import scan_change
    from docalign_actors.engine.scan import scan
    from docalign_actors.hosts.localgit.changes import GitChange
    from docalign_actors.hosts.localgit.history import GitHistory
    from docalign_actors.hosts.localgit.trees import CommitTree

    tree = CommitTree(mirror.git, head)
    # A push that rewrote history, or whose beginning nobody knows, is no step from one commit to the next.
    step = job.type == "push" and mirror.follows(job.base, head)
    configuration = configuration_of(tree)
    settings = msgspec.structs.replace(configuration.settings, jobs=job.jobs)
    change: GitChange | None = None
    most = min(configuration.max_claims_per_pr or job.max_claims, job.max_claims)
    if job.type == "pr":
        base = mirror.resolve(job.base) if job.base else mirror.resolve(branch)
        if not mirror.related(base, head):
            mirror.deepen(job.url, (base, head), timeout=job.fetch_timeout)
        change = GitChange(mirror.git, base, tree)
        report = scan_change(
            change, settings, cache=cache, progress=voice.progress, show=CLAIMED, since=base, hurry=hurry.is_set
        )
        touched = mirror.changed_files(change.base.commit, head)
    else:
        history = GitHistory(mirror.git, tree)
        report = scan(tree, history, settings, cache=cache, progress=voice.progress, show=CLAIMED, hurry=hurry.is_set)
        touched = mirror.changed_files(job.base, head) if step else ()
    code, docs = sorted_files(touched, settings, tree)
    whole = job.type != "pr" and not step
    facts = ScanFacts(
        branch, head, code, docs, most, configuration.fail_on.value, whole, configuration.comment_when_clean
    )
    asked = (
        refer(job, mirror.git, tree, change, report, facts) if job.asking and not hurry.is_set() else Referred(report)
    )
    return ReportMade(asked.report, facts, hurry.is_set(), asked.referrals, asked.blobs, asked.remembered)


def configuration_of(tree: Tree) -> Configuration:
    """The repository's own configuration at this commit; the default if it has none."""
    for name in CONFIGURATION_FILES:
        if name in tree.entries:
            text = tree.read(name, _CONFIGURATION_LIMIT).decode("utf-8", "replace")
            found = (parse_pyproject if name.endswith(".toml") else parse_yaml)(text, name, KIND_NAMES)
            if found is not None:
                return found
    return Configuration()


def sorted_files(paths: Sequence[str], settings: ScanSettings, tree: Tree) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Changed paths as code and as documents; what is neither is left out."""
    from docalign_actors.engine.discovery import take_inventory

    inventory = take_inventory(tree.entries, settings)
    code = set(inventory.code) - inventory.documents.keys()
    return tuple(p for p in paths if p in code), tuple(p for p in paths if p in inventory.documents)


if __name__ == "__main__":
    main()
