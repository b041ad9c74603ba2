"""Features and profiles of a crate that its manifest had until a moment ago, where documents choose them or call them so.

`cargo install tool --features tls`, "behind the `tls` feature": short words, which say nothing by themselves; that a manifest
declared such a feature, and that none does any more, tells what they mean here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_MANIFEST = "Cargo.toml"
_TABLE = re.compile(r"^\s*\[+\s*([^\[\]]{1,120}?)\s*\]+")
_KEY = re.compile(r"""^\s*["']?([A-Za-z_][\w-]{1,60})["']?\s*=""")
_DEPENDENCY = re.compile(r"dependencies(?:\.([\w-]{1,60}))?$")
_OPTIONAL = re.compile(r"\boptional\s*=\s*true\b")
_SWITCHED = re.compile(
    r"(?:--features?|(?<!\S)-F)[ =]?[\"']?(?P<list>[\w/-]{2,60}(?:(?:,| (?=\w+[\"' ,]))[\w/-]{2,60}){0,12})"
)
_BEHIND = re.compile(r"[`\"'*]{0,3} (?:cargo |crate )?(?:feature|build)s?\b", re.IGNORECASE)
_BEFORE = re.compile(r"\bfeatures?(?: flags?| called| named)? [`\"'*]{0,3}$", re.IGNORECASE)
_PROFILE = re.compile(r"profile\.([A-Za-z][\w-]{1,60})")
_BUILT_IN = frozenset({"dev", "release", "test", "bench"})
_CHOSEN = re.compile(r"--profile[ =][\"']?(?P<list>[\w-]{2,60})")
_AFTER_PROFILE = re.compile(r"[`\"'*]{0,3} (?:cargo |build )?profiles?\b", re.IGNORECASE)
_BEFORE_PROFILE = re.compile(r"\bprofiles?(?: called| named)? [`\"'*]{0,3}$", re.IGNORECASE)
_MOST_MANIFESTS = 200

_Found = tuple[Document, Block, Inline, int]


class _Sort(NamedTuple):
    """What a manifest declares: how it is called, read, chosen in a command, and told of before and behind its name."""

    called: str
    read: Callable[[Iterable[str]], set[str]]
    chosen: re.Pattern[str]
    behind: re.Pattern[str]
    before: re.Pattern[str]


def lost_features(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made: the features and profiles that went, at every place that names one as such."""
    gone = {(sort, name): told for sort in (FEATURES, PROFILES) for name, told in _gone(edits, world, sort)}
    found: list[Judged] = []
    beside = Beside(item for item in (judged if gone else ()) if item[1].verdict is Verdict.DRIFTED)
    for (sort, name), judgement in gone.items():
        for document, block, inline, start in _places(name, world.documents, sort):
            claim = Claim(
                "configkey", name, name, document.path, inline.line, inline.column + start,
                form="example" if block.lines else "span", words=(name,), section=block.section,
            )  # fmt: skip
            if not any(beside.of(claim)):
                found.append((claim, judgement))
    return found


def _gone(edits: Sequence[Edit], world: World, sort: _Sort) -> Iterator[tuple[str, Judgement]]:
    changed = [
        edit for edit in edits if edit.blob.path.rpartition("/")[2] == _MANIFEST and edit.blob.path in world.files
    ]
    manifests = [p for p in world.files if p.rpartition("/")[2] == _MANIFEST] if changed else []
    if not changed or len(manifests) > _MOST_MANIFESTS:
        return
    now = {path: sort.read(_lines(path, world)) for path in manifests}
    anywhere = set().union(*now.values())
    for edit in changed:
        then = sort.read(edit.before)
        went, came = then - anywhere, now[edit.blob.path] - then
        new = min(came) if len(went) == len(came) == 1 else ""
        for name in sorted(went):
            evidence = Evidence(f"it was a {sort.called} here until then", edit.blob.path, 0, edit.blob.after)
            became = f": it is `{new}` now" if new else ""
            yield name, Judgement(
                Verdict.DRIFTED, "unknown-config-key", f"`{name}` is no {sort.called} any more{became}", (evidence,), 0.9,
                fix=Fix(new, True) if new else None, subject=name,
            )  # fmt: skip


def features(lines: Iterable[str]) -> set[str]:
    """The features of a manifest: its own, and dependencies that may be left out."""
    found: set[str] = set()
    table = ""
    for line in lines:
        if (opened := _TABLE.match(line)) is not None:
            table = opened[1]
        elif table == "features" and (key := _KEY.match(line)) is not None:
            found.add(key[1])
        elif (of := _DEPENDENCY.search(table)) is not None and _OPTIONAL.search(line):
            key = _KEY.match(line)
            found.update(name for name in (of[1], key[1] if key and key[1] != "optional" else "") if name)
    return found - {"default"}


def profiles(lines: Iterable[str]) -> set[str]:
    """The profiles that a manifest declares beside those that everybody has."""
    tables = (opened[1] for line in lines if (opened := _TABLE.match(line)) is not None)
    return {match[1] for table in tables if (match := _PROFILE.fullmatch(table))} - _BUILT_IN


def _lines(path: str, world: World) -> list[str]:
    return world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace").split("\n")


def _places(name: str, documents: Mapping[str, Document], sort: _Sort) -> Iterator[_Found]:
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            if not block.historical and name in block.text and not is_historical(block.text[:LONGEST_LINE]):
                yield from ((document, block, *place) for place in in_block(name, block, sort))


def in_block(name: str, block: Block, sort: _Sort) -> Iterator[tuple[Inline, int]]:
    """Where a block chooses the feature or profile, or calls the word one."""
    inlines = block.lines or tuple(block.every_inline())
    word = re.compile(rf"(?<![\w/.-]){re.escape(name)}(?![\w/.-])")
    for number, inline in enumerate(inlines):
        text = inline.text[:LONGEST_LINE]
        switched = [match.span("list") for match in sort.chosen.finditer(text)] if "-" in text else []
        before = inlines[number - 1].text[-60:] if number and not block.lines else ""
        after = inlines[number + 1].text[:60] if number + 1 < len(inlines) and not block.lines else ""
        for match in word.finditer(text):
            start, end = match.span()
            whole = start == 0 and end == len(text)
            told = sort.behind.match(text[end:] + (f" {after.lstrip()}" if whole else "")) or sort.before.search(
                (f"{before.rstrip()} " if whole else "") + text[:start]
            )
            if told or any(a <= start < b for a, b in switched):
                yield inline, start


FEATURES = _Sort("feature", features, _SWITCHED, _BEHIND, _BEFORE)
PROFILES = _Sort("profile", profiles, _CHOSEN, _AFTER_PROFILE, _BEFORE_PROFILE)
