"""Whether own code has an old value beside a name still, after a line of it has got another one.

A program with several parts gives many things of one name, each its own default: `limit` of one widget is not that of the next.
Where the chapter is called like the file whose line changed, what other files give is not what it tells of.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.kinds.shared.spellings import normal, parts
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import COMMENT, LONGEST_LINE, MOST_SEARCHED, alike_languages
from docalign_actors.engine.lost.shapes import values_of
from docalign_actors.engine.roles import is_foreign, is_own_code, is_release_note
from docalign_actors.engine.world import World

_NAME = re.compile(r"[A-Za-z][\w.-]*\w")
_SETTINGS = ("values.yaml", "values.yml", "config.yaml", "config.yml", "config.toml", "settings.toml", "settings.yaml")
_OF_SETTINGS = frozenset({"settings", "config", "configuration", "conf", "properties", "options", "props"})
"""What a file is called beside the thing whose settings it holds."""
_LEAST_KEY = 3
_ASKS = re.compile(r"\b(?:if|unless|case|when|match|switch|elif|elsif|while)\b|[=!]==?")
_REMARK = re.compile(r"[;,{(})]\s{1,8}(?://|/\*|#)\s.*$")
"""What is said of a line behind it: `limit = 300;  // the library's own default: 600`."""

_MIGRATION = re.compile(r"(?:^|/)(?:db/migrate|migrations?)/")
"""What a database was given once; nobody changes it after."""
_DOCSTRING = re.compile(rb"\s*[rR]?(\"\"\"|''')")
"""A line that begins with a text of its own; one that goes on with it begins with what is given the text."""

Givers = Mapping[str, Collection[str]]
"""The files that have the value beside a name; beside anything, below ""."""


def still_given(change: ChangedValue, world: World) -> Givers | None:
    """The names that own code has beside the old value still; None if there is too much code to look through."""
    alike = alike_languages(change.path)
    paths = [path for path in world.files if language_of(path) in alike and is_own_code(path)]
    if not _MIGRATION.search(change.path):
        paths = [path for path in paths if not _MIGRATION.search(path)]
    if len(paths) > MOST_SEARCHED:
        return None
    old = (change.constant or change.old).encode()
    compared = re.compile(rf"(?:[=!]==?|\bwhen|\bcase)\s*[\"'`]?{re.escape(change.old)}(?![\w.-])")
    names: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT)
        if old not in data or b"\0" in data[:8192]:
            continue
        lines = data.split(b"\n")
        said = _said(lines) if path.endswith(".py") else set[int]()
        for number, line in enumerate(lines):
            text = line[:LONGEST_LINE].decode("utf-8", "replace") if old in line and number not in said else ""
            text = _REMARK.sub("", text)
            if text and not COMMENT.match(text) and _holds(change, compared.sub("", text)):
                for name in ("", *map(normal, _NAME.findall(text))):
                    names[name].add(path)
    return names


def of_package(still: Givers, document: str, changed: str, world: World) -> Givers:
    """Those of the package whose manual it is, where the line that changed is the package's own: its neighbours have values too."""
    root = world.package_of(document).root
    if not root or world.package_of(changed).root != root:
        return still
    return {name: [path for path in paths if path.startswith(f"{root}/")] for name, paths in still.items()}


def _said(lines: Sequence[bytes]) -> set[int]:
    """The numbers of the lines of Python's docstrings, which give nothing; a text that is handed to something may."""
    found: set[int] = set()
    mark = b""
    for number, line in enumerate(lines):
        opened = _DOCSTRING.match(line) if not mark else None
        if mark or opened is not None:
            found.add(number)
        if opened is not None and line.count(opened[1]) == 1:
            mark = opened[1]
        elif mark and mark in line:
            mark = b""
    return found


def _holds(change: ChangedValue, line: str) -> bool:
    """The line gives the value, or the constant that stands for it."""
    if not change.constant:
        return change.old in values_of(line)
    given = re.search(rf"(?<![\w.:]){re.escape(change.constant)}(?![\w.:])", line)
    return given is not None and not _ASKS.search(line)


def is_given(names: Collection[str], section: Sequence[str], change: ChangedValue, still: Givers) -> bool:
    """Some file that this chapter may tell of gives one of the names the old value.

    Where a name is told with what it belongs to (`f.diff.strip`), its last part alone (`strip`) may be another's.
    """
    own = normal(change.old)  # a constant that holds it is called by it, too, which tells nothing beside another name
    told = [name for name in names if name != own] or names
    whole = [name for name in told if not any(other != name and other.endswith(name) for other in told)]
    return bool(tells_of({path for name in whole or ("",) for path in still.get(name, ())}, section, change.path))


def gives_beside(document: str, names: Collection[str], change: ChangedValue, world: World) -> bool:
    """A file of settings beside the document gives the old value still: the README of a chart tells of its `values.yaml`."""
    folder = posixpath.dirname(document)
    beside = (f"{folder}/{name}" for name in _SETTINGS) if folder and names else ()
    for path in beside:
        text = world.tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace") if path in world.files else ""
        for line in text.split("\n") if path != change.path and change.old in text else ():
            told = tuple(word for name in _NAME.findall(line[:LONGEST_LINE]) if len(word := normal(name)) > _LEAST_KEY)
            # The keys above it are no part of the line: `interface:` below `host:` is `host.interface`.
            if change.old in values_of(line[:LONGEST_LINE]) and any(name.endswith(told) for name in names):
                return True
    return False


def tells_of(paths: Collection[str], section: Sequence[str], changed: str) -> list[str]:
    """The files that a chapter may tell of: where it is called like the one that changed, those that it is called like."""
    about = _is_about(section, changed)
    return [path for path in paths if not about or path == changed or _is_about(section, path)]


def _is_about(section: Sequence[str], path: str) -> bool:
    """A title says what the file's name ends with: `Hacker News` and `widget-hacker-news.go`.

    Of a name that is told with what it belongs to (`store.cache.size`), the file may also say the end: `CacheSettings.java`.
    """
    words = parts(posixpath.basename(path).partition(".")[0])
    for title in section:
        told = parts(title.strip("`* "))
        if told and words[-len(told) :] == told:
            return True
        if title.endswith(".") and words[-1:] and words[-1] in _OF_SETTINGS and len(words) > 1:
            bare = words[:-1]
            if bare[-len(told) :] == told or told[-len(bare) :] == bare:
                return True
    return False


def still_named(names: Collection[str], world: World) -> set[str]:
    """Those of the names that some file other than a document has, in whatever letters, but for comments."""
    pattern = rf"(?i)(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, names))})(?![A-Za-z0-9])"
    found = _outside_comments(pattern, world)
    return set(names) if found is None else {name.casefold() for name in found}


def still_written(names: Collection[str], world: World) -> set[str]:
    """Those that some file other than a document has, in these very letters, but for comments."""
    found = _outside_comments(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])", world)
    return set(names) if found is None else found


def _outside_comments(pattern: str, world: World) -> set[str] | None:
    """What of a pattern stands in code, None if there is too much code to look through."""
    paths = [path for path in world.files if language_of(path) and not (is_foreign(path) or is_release_note(path))]
    if len(paths) > MOST_SEARCHED:
        return None
    whole = re.compile(pattern.encode())
    found: set[str] = set()
    for path in paths:
        data = world.tree.read(path, SOURCE_LIMIT)
        for match in whole.finditer(data) if b"\0" not in data[:8192] else ():
            start = data.rfind(b"\n", 0, match.start()) + 1
            if not COMMENT.match(data[start : match.start()].decode("utf-8", "replace")):
                found.add(match.group().decode())
    return found
