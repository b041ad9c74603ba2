"""Files that the index does not hold: what a file of the past yields today, and what stands in files of no known language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from weakref import WeakKeyDictionary

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.kinds.shared.uncommented import COMMENTED, without_comments
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.roles import document_format, is_foreign, is_own_code, is_test
from docalign_actors.engine.searching import words_of
from docalign_actors.engine.world import World


def facts_now(world: World, path: str) -> FileFacts | None:
    """The facts of a file as it is; read on demand, for the index holds only files that some claim gave a reason to parse.

    None if it is not there, or was put among the examples or tests, of which less is read: what it has now cannot be told.
    """
    if path not in world.tree.entries:
        removal = world.past.removal(path)
        now = removal.successor if removal is not None else ""
        if now not in world.tree.entries or (is_own_code(path) and not is_own_code(now)):
            return None
        path = now
    return world.facts(path)


def present_facts(past: PastFile, world: World) -> FileFacts | None:
    """An earlier file as it is now, under its old path or the one it was moved to; nothing is read on that account."""
    if past.path in world.files:
        return world.index.files.get(past.path) or FileFacts()
    removal = world.past.removal(past.path)
    return world.index.files.get(removal.successor) if removal is not None and removal.successor else None


_UNREAD_FILES = 3_000
_UNREAD_BYTES = 200_000
_DATA = re.compile(
    r"\.(?:png|jpe?g|gif|ico|svg|webp|bmp|pdf|woff2?|ttf|eot|otf|zip|gz|bz2|xz|tar|tgz|jar|war|whl|exe|dll|so|dylib|a|o|bin|dat|db|sqlite3?"
    r"|mp[34]|webm|wav|ogg|mov|csv|tsv|parquet|npy|lock|sum|map|min\.js|po|pot|mo|snap|har|pem|crt|key|pyc|class)$",
    re.IGNORECASE,
)
_MANUAL = re.compile(r"\.(?:[1-9][a-z]?|roff|troff|nroff|man|mdoc)(?:\.in)?$")
"""Manual pages tell of the code as documents do: that a word stands there proves nothing."""
_unread: WeakKeyDictionary[World, dict[bytes, str]] = WeakKeyDictionary()


def occurs_in_unread(world: World, words: Iterable[str]) -> str:
    """The path of a file that has one of these words although no collector reads it: a script without a suffix, a service
    unit, a template. "" if there is none. All such files are looked through once, and only when something is about to be
    called gone.
    """
    if world not in _unread:
        found: dict[bytes, str] = {}
        for path in unread_paths(world):
            try:
                data = world.tree.read(path, _UNREAD_BYTES)
            except OSError:
                continue
            if b"\0" not in data[:8192]:
                found.update(dict.fromkeys(words_of(data), path))
        _unread[world] = found
    return next((_unread[world][word.encode()] for word in words if word.encode() in _unread[world]), "")


_MOST_CODE = 3_000
_LEAST_BESIDE = 3
_STRING = re.compile(rb"[\"'`]([A-Za-z][\w-]{0,60})[\"'`]")
_COMPLETION = re.compile(r"complet(?:ions?|er)?\b[^/]*(?:/|$)", re.IGNORECASE)
_quoted: WeakKeyDictionary[World, dict[str, bool]] = WeakKeyDictionary()


def names_in_code(name: str, world: World) -> bool:
    """Own code holds this file name: the program reads or writes such a file, wherever it is run."""
    known = _quoted.setdefault(world, {})
    key = f"anywhere {name}"
    if key not in known:
        known[key] = any(True for _ in _own_code_with(name.encode(), world))
    return known[key]


def is_quoted_in_code(world: World, name: str, suffixes: str = "") -> bool:
    """Own code has the name as a string of its own or as the end of one: it may be made or taken in a way that is not read.

    `suffixes` is a pattern of what may follow the name. Looks through all own code: ask only before calling a thing gone.
    """
    known = _quoted.setdefault(world, {})
    if name not in known:
        told = re.escape(name.encode())  # the whole of a string, its end, or the program of a command line
        pattern = re.compile(rb"[\"'`/\\]" + told + suffixes.encode() + rb"[\"'`]|[\"'`]" + told + rb" ")
        known[name] = any(_has_in_code(path, name, pattern, world) for path in _own_paths(world))
    return known[name]


def may_take_command(world: World, name: str, beside: frozenset[str] = frozenset(), *, by_path: bool) -> bool:
    """Own code has the name of a sub-command as a string, alone or with what it takes (`"add <file>"`), and so may compare with it.

    `by_path`: the end of a path counts as well, which may lead to the command. What a shell completes is told, not taken; nor
    does a file take it that has the names of others `beside` it too: it acts on what the parser has taken.
    """
    known = _quoted.setdefault(world, {})
    key = f"command {name} {by_path}"
    if key not in known:
        before = rb"[\"'`/\\]" if by_path else rb"[\"'`]"
        told = re.compile(before + re.escape(name.encode()) + rb"(?: ?[\"'`]| (?=[\[<{.:-]|[A-Z]{2}))")
        paths = [path for path in _own_paths(world) if not _COMPLETION.search(path)]
        holding = [path for path in paths if _has_in_code(path, name, told, world)]
        known[key] = any(not _acts_on(path, beside, world) for path in holding)
    return known[key]


def _acts_on(path: str, commands: frozenset[str], world: World) -> bool:
    """The file has most of these commands as strings, all of which another one registers."""
    strings = {word.decode() for word in _STRING.findall(world.tree.read(path, SOURCE_LIMIT))}
    return len(commands) >= _LEAST_BESIDE and 2 * len(commands & strings) > len(commands)


def _has_in_code(path: str, name: str, pattern: re.Pattern[bytes], world: World) -> bool:
    """The pattern for a name matches in the file, not only in comments and docstrings: what they quote nothing compares with."""
    data, language = world.tree.read(path, SOURCE_LIMIT), language_of(path)
    found = name.encode() in data and pattern.search(data) is not None
    return found and (language not in COMMENTED or pattern.search(without_comments(data, language)) is not None)


def is_told_in_code(world: World, flag: str) -> bool:
    """Own code has the flag in some text, such as a help text."""
    known = _quoted.setdefault(world, {})
    if flag not in known:
        pattern = re.compile(rb"(?<![\w-])" + re.escape(flag.encode()) + rb"(?![\w-])")
        known[flag] = any(pattern.search(data) for data in _own_code_with(flag.encode(), world))
    return known[flag]


def is_key_in_code(world: World, variable: str) -> bool:
    """Own code has a dotted key of the same words: where `settings.logFormat` is looked up, `SETTINGS_LOG_FORMAT` may be too."""
    known = _quoted.setdefault(world, {})
    key = f"key {variable}"
    if key not in known:
        words = [re.escape(word.encode()) for word in variable.split("_") if word]
        pattern = re.compile(rb"(?i)[\"'`]" + rb"[._-]?".join(words) + rb"[\"'`]") if len(words) > 1 else None
        known[key] = pattern is not None and any(
            b"." in found for data in _own_code(world) for found in pattern.findall(data)
        )
    return known[key]


def is_ending_in_code(world: World, end: str) -> bool:
    """Own code joins something with this ending: `"%s_LIMIT" % prefix`, `f"{prefix}_LIMIT"`."""
    known = _quoted.setdefault(world, {})
    key = f"…{end}"
    if key not in known:
        pattern = re.compile(rb"(?:%s|%\(\w+\)s|\})_?" + re.escape(end.encode()) + rb"(?!\w)")
        known[key] = any(pattern.search(data) for data in _own_code_with(end.encode(), world))
    return known[key]


def _own_code_with(needle: bytes, world: World) -> Iterator[bytes]:
    return (data for data in _own_code(world) if needle in data)


_paths: WeakKeyDictionary[World, list[str]] = WeakKeyDictionary()


def _own_code(world: World) -> Iterator[bytes]:
    return (world.tree.read(path, SOURCE_LIMIT) for path in _own_paths(world))


def _own_paths(world: World) -> list[str]:
    if world not in _paths:
        own = (path for path in world.tree.entries if language_of(path) and is_own_code(path))
        _paths[world] = list(islice(own, _MOST_CODE))
    return _paths[world]


def _is_output(path: str) -> bool:
    """What a program printed, kept for a test to compare with."""
    return path.endswith((".txt", ".out", ".stdout", ".stderr", ".golden")) and is_test(path)


def unread_paths(world: World) -> list[str]:
    candidates = (
        path
        for path, entry in world.tree.entries.items()
        if entry.mode in ("file", "executable") and not (language_of(path) or document_format(path) or is_foreign(path))
    )
    written = (".md", ".rst")
    read = [p for p in candidates if not (_DATA.search(p) or _MANUAL.search(p) or p.endswith(written) or _is_output(p))]
    return read[:_UNREAD_FILES]


def stands_quoted(name: str, path: str, world: World) -> bool:
    """The file still has the name as a string: it may register it in a way that cannot be read."""
    data = world.tree.read(path, SOURCE_LIMIT) if path in world.files else b""
    return any(quote + name.encode() + quote in data for quote in (b'"', b"'", b"`"))


def is_given_by_key(name: str, path: str, world: World) -> bool:
    """The file puts it among the commands in a statement of its own: `COMMANDS["plugins"] = …`, whatever else came in its place."""
    data = world.tree.read(path, SOURCE_LIMIT) if path in world.files else b""
    return re.search(rb"\[[\"']" + re.escape(name.encode()) + rb"[\"']\][ \t]*=(?!=)", data) is not None
