"""Remembers whole reports: a scan of what has been scanned before is a look-up.

Everything that decides a report goes into its key: the files, the commit, the settings, what is shown, the version.
The engine itself is loaded only when the answer is not known; loading it takes longer than the look-up.
"""

from __future__ import annotations

import hashlib
import time

import msgspec

from docalign_actors.engine.identity import engine_identity
from docalign_actors.engine.ports import Cache, Change, History, Progress, Tree
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Verdict
from docalign_actors.findings.report import Report


def remembered_scan(
    tree: Tree,
    history: History,
    settings: ScanSettings,
    *,
    cache: Cache | None,
    progress: Progress,
    show: frozenset[Verdict],
) -> Report:
    """A whole scan, or the report of one just like it."""
    started = time.perf_counter()
    history.begin()  # before the engine is loaded, which takes a while
    key = _key(f"scan:{'shallow' if history.shallow else 'whole'}", (tree,), settings, show) if cache else ""
    report = _recall(cache, key)
    if report is None:
        from docalign_actors.engine.scan import scan

        report = scan(tree, history, settings, cache=cache, progress=progress, show=show)
        _remember(cache, key, report)
    report.summary.duration_ms = round((time.perf_counter() - started) * 1000)
    return report


def remembered_change(
    change: Change,
    settings: ScanSettings,
    *,
    cache: Cache | None,
    progress: Progress,
    show: frozenset[Verdict],
    since: str,
) -> Report:
    """A scan of a change, or the report of one just like it."""
    started = time.perf_counter()
    key = _key(f"change:{since}", (change.base, change.head), settings, show) if cache else ""
    report = _recall(cache, key)
    if report is None:
        from docalign_actors.engine.changes import scan_change

        report = scan_change(change, settings, cache=cache, progress=progress, show=show, since=since)
        _remember(cache, key, report)
    report.summary.duration_ms = round((time.perf_counter() - started) * 1000)
    return report


def _key(what: str, trees: tuple[Tree, ...], settings: ScanSettings, show: frozenset[Verdict]) -> str:
    digest = hashlib.sha256(f"{engine_identity()}\0{what}\0{sorted(v.value for v in show)}\0".encode())
    digest.update(msgspec.json.encode(settings))
    for tree in trees:
        listing = (f"{path}\0{entry.oid}\0{entry.mode}" for path, entry in tree.entries.items())
        digest.update("\n".join((tree.commit, *listing, "")).encode("utf-8", "replace"))
    return f"report:{digest.hexdigest()}"


def _recall(cache: Cache | None, key: str) -> Report | None:
    found = cache.get_many([key]).get(key) if cache else None
    try:
        return msgspec.msgpack.decode(found, type=Report) if found else None
    except msgspec.DecodeError:
        return None


def _remember(cache: Cache | None, key: str, report: Report) -> None:
    if cache and not report.is_hasty:
        cache.put_many({key: msgspec.msgpack.encode(report)})
