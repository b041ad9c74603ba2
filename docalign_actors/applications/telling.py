"""Decides what a subscription is told next, out of what it has been promised and what there is. Pure.

The rule that everything follows from: after each event the application has what the event says, and an event is made only if
that differs from what it had been promised before. So whatever is read twice is told once, a subscription that fell behind
is brought up to date by looking at the difference, and what it does not want to hear is still known to have happened.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from docalign_actors.applications.model import (
    CLAIM_EVENTS,
    CREATED,
    DELETED,
    DRIFTED,
    FILE_EVENTS,
    FIXED,
    RENAMED,
    SNAPSHOT_COMPLETED,
    SNAPSHOT_STARTED,
    UPDATED,
    Branch,
    Claim,
    Entry,
    File,
    Listing,
    Phase,
    Sort,
    Subscription,
)
from docalign_actors.engine.globs import matcher

Key = tuple[str, str]
"""Sort and name of something that an application can have."""
Promises = Mapping[Key, str | None]

MOST_LOOKED_AT = 5_000
"""Files of a snapshot that one step looks at, whether or not they are wanted."""


class Event(Struct, frozen=True, kw_only=True):
    """Something to tell. `version`: what the application has then, None if the thing is gone."""

    kind: str
    sort: Sort = ""
    name: str = ""
    previous_name: str = ""
    version: str | None = None
    file: File | None = None
    is_binary: bool | None = None
    """None where nobody has looked yet."""
    commit: str = ""
    data: dict[str, Any] = {}
    snapshot: bool = False
    at: Any = None


class Step(Struct, kw_only=True):
    """What a subscription is told, what it is promised by that, and where it stands then."""

    events: list[Event] = field(default_factory=list)
    promises: dict[Key, str | None] = field(default_factory=dict)
    """None: gone, and the application is told. A key in `forgotten` is gone without a word."""
    forgotten: set[Key] = field(default_factory=set)
    phase: Phase = "new"
    commit: str | None = None
    cursor: str = ""
    position: int = 0


class Known(Struct, frozen=True, kw_only=True):
    """What there is, as far as the next step needs it.

    files      of a snapshot's commit
    promised   what has been promised: in a snapshot, from the cursor on, in order; whether that is all of it says `all_promised`
    entries    of the journal, after the subscription's position
    claims     that are open, after the cursor
    """

    branch: Branch
    files: Listing = Listing()
    promised: Promises = {}
    all_promised: bool = True
    entries: Sequence[Entry] = ()
    claims: Sequence[Claim] = ()
    all_claims: bool = True


def step(subscription: Subscription, known: Known, room: int) -> Step:
    """The next step; `room`: after so many events it ends. A file in several pieces counts once."""
    made = Step(
        phase=subscription.phase, commit=subscription.commit, cursor=subscription.cursor, position=subscription.position
    )
    wants = _wanted(subscription)
    if made.phase == "following" and made.position < known.branch.floor:
        made.phase, made.commit = "new", None  # the journal does not reach back so far
    if made.phase == "new":
        if known.branch.commit is None:
            return made
        made.phase, made.commit, made.cursor = "files", known.branch.commit, ""
        made.position = known.branch.position
        made.events.append(Event(kind=SNAPSHOT_STARTED, commit=known.branch.commit, snapshot=True))
        return made
    if made.phase == "files":
        _files(made, subscription, known, wants, room)
    elif made.phase == "claims":
        _claims(made, subscription, known, wants, room)
    else:
        for entry in known.entries:
            if len(made.events) >= room:
                break
            _follow(made, subscription, entry, known.promised, wants)
            made.position = entry.position
    return made


def _wanted(subscription: Subscription) -> Callable[[str], bool]:
    return matcher(subscription.paths) if subscription.paths else lambda path: True


def _files(
    made: Step, subscription: Subscription, known: Known, wants: Callable[[str], bool], room: int
) -> None:  # fmt: skip
    """The difference between the commit and what has been promised, path by path."""
    if any(kind in subscription.events for kind in FILE_EVENTS):
        start = bisect_right(known.files.paths, made.cursor) if made.cursor else 0
        ahead = {file.path: file for file in known.files.files[start : start + MOST_LOOKED_AT]}
        promised = [name for (sort, name) in known.promised if sort == "file"]
        last = _last(list(ahead), promised, len(known.files.paths) > start + MOST_LOOKED_AT, not known.all_promised)
        for path in sorted({*ahead, *promised}):
            if len(made.events) >= room or (last is not None and path > last):
                return
            file = ahead.get(path)
            if file is not None and wants(path):
                _have(made, subscription, file, known.promised, commit=made.commit or "", snapshot=True)
            elif known.promised.get(("file", path)) is not None:
                _gone(made, subscription, path, known.promised, commit=made.commit or "", snapshot=True)
            made.cursor = path
        if last is not None:
            return
    made.phase, made.cursor = "claims", ""


def _last(ahead: Sequence[str], promised: Sequence[str], more_ahead: bool, more_promised: bool) -> str | None:
    """Up to which path both lists are whole; None if they are to the end."""
    ends = [names[-1] for names, more in ((ahead, more_ahead), (promised, more_promised)) if more and names]
    return min(ends) if ends else None


def _claims(
    made: Step, subscription: Subscription, known: Known, wants: Callable[[str], bool], room: int
) -> None:  # fmt: skip
    if any(kind in subscription.events for kind in CLAIM_EVENTS):
        there = {claim.fingerprint: claim for claim in known.claims}
        promised = [name for (sort, name) in known.promised if sort == "claim"]
        last = _last(list(there), promised, not known.all_claims, not known.all_promised)
        for name in sorted({*there, *promised}):
            if len(made.events) >= room or (last is not None and name > last):
                return
            claim = there.get(name)
            if claim is not None and wants(claim.file):
                _drifted(made, subscription, name, claim.data, known.promised, commit=made.commit or "", snapshot=True)
            elif known.promised.get(("claim", name)) is not None:
                _fixed(made, subscription, name, {}, known.promised, commit=made.commit or "", snapshot=True)
            made.cursor = name
        if last is not None:
            return
    made.events.append(Event(kind=SNAPSHOT_COMPLETED, commit=made.commit or "", snapshot=True))
    made.phase, made.cursor = "following", ""


def _follow(
    made: Step, subscription: Subscription, entry: Entry, promised: Promises, wants: Callable[[str], bool]
) -> None:  # fmt: skip
    file = entry.file
    more: dict[str, Any] = {"commit": entry.commit, "at": entry.at}
    if entry.kind in FILE_EVENTS:
        if not any(kind in subscription.events for kind in FILE_EVENTS):
            return
        if entry.kind == RENAMED and file is not None:
            _renamed(made, subscription, entry, file, promised, wants)
        elif file is not None:
            if wants(file.path):
                _have(made, subscription, file, promised, is_binary=entry.is_binary, **more)
        else:
            _gone(made, subscription, entry.name, promised, **more)
    elif entry.kind in CLAIM_EVENTS:
        if not any(kind in subscription.events for kind in CLAIM_EVENTS) or not wants(str(entry.data.get("file", ""))):
            return
        tell = _drifted if entry.kind == DRIFTED else _fixed
        tell(made, subscription, entry.name, entry.data, promised, **more)
    elif entry.kind in subscription.events:
        made.events.append(Event(kind=entry.kind, data=entry.data, **more))


def _renamed(
    made: Step, subscription: Subscription, entry: Entry, file: File, promised: Promises, wants: Callable[[str], bool]
) -> None:  # fmt: skip
    """A file that comes from outside of what is subscribed to is new, one that goes there is gone."""
    old, new = ("file", entry.previous_name), ("file", file.path)
    had, has = _has(made, old, promised), _has(made, new, promised)
    more: dict[str, Any] = {"commit": entry.commit, "at": entry.at}
    if wants(file.path) and had is not None and has is None and RENAMED in subscription.events:
        made.events.append(
            Event(
                kind=RENAMED, sort="file", name=file.path, previous_name=entry.previous_name, version=file.version, file=file,
                is_binary=entry.is_binary, **more,
            )
        )  # fmt: skip
        made.promises[new], made.promises[old] = file.version, None
        return
    if had is not None:
        _gone(made, subscription, entry.previous_name, promised, **more)
    if wants(file.path):
        _have(made, subscription, file, promised, is_binary=entry.is_binary, **more)


def _has(made: Step, key: Key, promised: Promises) -> str | None:
    if key in made.forgotten:
        return None
    return made.promises[key] if key in made.promises else promised.get(key)


def _have(
    made: Step, subscription: Subscription, file: File, promised: Promises, *, is_binary: bool | None = None, **more: Any
) -> None:  # fmt: skip
    key = ("file", file.path)
    before = _has(made, key, promised)
    if before == file.version:
        return
    kind = CREATED if before is None else UPDATED
    made.promises[key] = file.version
    made.forgotten.discard(key)
    if kind in subscription.events:
        made.events.append(
            Event(
                kind=kind, sort="file", name=file.path, version=file.version, file=file, is_binary=is_binary, **more
            )
        )  # fmt: skip


def _gone(made: Step, subscription: Subscription, path: str, promised: Promises, **more: Any) -> None:
    _lose(made, subscription, ("file", path), Event(kind=DELETED, sort="file", name=path, **more), promised)


def _drifted(
    made: Step, subscription: Subscription, name: str, data: dict[str, Any], promised: Promises, **more: Any
) -> None:  # fmt: skip
    key = ("claim", name)
    if _has(made, key, promised) is not None:
        return
    made.promises[key] = "drifted"
    made.forgotten.discard(key)
    if DRIFTED in subscription.events:
        made.events.append(Event(kind=DRIFTED, sort="claim", name=name, version="drifted", data=data, **more))


def _fixed(
    made: Step, subscription: Subscription, name: str, data: dict[str, Any], promised: Promises, **more: Any
) -> None:  # fmt: skip
    event = Event(kind=FIXED, sort="claim", name=name, data=data or {"id": name}, **more)
    _lose(made, subscription, ("claim", name), event, promised)


def _lose(made: Step, subscription: Subscription, key: Key, event: Event, promised: Promises) -> None:
    if _has(made, key, promised) is None:
        return
    if event.kind in subscription.events:
        made.promises[key] = None
        made.forgotten.discard(key)
        made.events.append(event)
    else:
        made.promises.pop(key, None)
        made.forgotten.add(key)
