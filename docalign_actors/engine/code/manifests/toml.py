"""TOML files: values by the standard library, lines by a scan of our own; what they are is told by their name."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from docalign_actors.engine.code.manifests import navigation, python_project, rust_project, version_file
from docalign_actors.engine.code.manifests.tree import DEEPEST, GENERIC_LIMIT, Node, collect_keys
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_HEADER = re.compile(r"^\s*(\[\[?)([^\]\n]{1,300})\]")
_PART = re.compile(r"""\s*("[^"]*"|'[^']*'|[^\s."'=]+)\s*(\.|$|=)""")
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#|[\[\]{},]|[^\s"\'#\[\]{},]+')
_LOCKS = frozenset({"poetry.lock", "uv.lock", "pdm.lock", "Cargo.lock"})

_LONG_KEY = re.compile(r"""(?:(?:[\w-]{1,60}|"[^"\n]{0,60}"|'[^'\n]{0,60}')[ \t]*\.[ \t]*){64}""")
"""The standard library's reader takes memory by the square of a dotted key's length."""

Path = tuple[str | int, ...]


class UnreadableError(ValueError):
    """The file is not TOML as it stands."""


def read_toml(text: str) -> Node:
    """The tree of a TOML text. Values have the line of their key, elements of a list their own."""
    if text.count(".") >= 64 and _LONG_KEY.search(text):
        raise UnreadableError("a key of more than 64 parts")
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise UnreadableError(str(error)[:100] or type(error).__name__) from None
    return _convert(data, (), _Lines(text).found, 1)


def _convert(value: Any, path: Path, lines: dict[Path, int], above: int) -> Node:
    line = lines.get(path, above)
    if len(path) > DEEPEST:
        return Node(line)
    if isinstance(value, dict):
        return Node(line, table={key: _convert(child, (*path, key), lines, line) for key, child in value.items()})
    if isinstance(value, list):
        return Node(line, items=[_convert(child, (*path, index), lines, line) for index, child in enumerate(value)])
    return Node(line, str(value).lower() if isinstance(value, bool) else str(value))


class _Lines:
    """Which line each key, table and list element starts on. Knows just enough of TOML to skip strings and comments."""

    def __init__(self, text: str) -> None:
        self.found: dict[Path, int] = {}
        self._table: Path = ()
        self._counts: dict[Path, int] = {}
        self._open = ""
        self._depth = 0
        self._array: Path = ()
        self._index = -1
        self._expect = False
        for number, line in enumerate(text.splitlines(), 1):
            self._line(line, number)

    def _line(self, line: str, number: int) -> None:
        start = 0
        if not self._open and not self._depth:
            if header := _HEADER.match(line):
                self._header(header[1], header[2], number)
                return
            start = self._assignment(line, number)
        self._scan(line, start, number)

    def _header(self, brackets: str, name: str, number: int) -> None:
        path: Path = ()
        parts = _split(name)
        for index, part in enumerate(parts, 1):
            path = (*path, part)
            if path in self._counts and (brackets == "[" or index < len(parts)):
                path = (*path, self._counts[path])
        if brackets == "[[":
            self._counts[path] = self._counts.get(path, -1) + 1
            self.found.setdefault(path, number)
            path = (*path, self._counts[path])
        self.found.setdefault(path, number)
        self._table = path

    def _assignment(self, line: str, number: int) -> int:
        parts: list[str] = []
        position = 0
        while match := _PART.match(line, position):
            parts.append(match[1].strip("\"'"))
            position = match.end()
            if match[2] == "=":
                self._array = (*self._table, *parts)
                self._index, self._expect = -1, False
                for end in range(len(self._table) + 1, len(self._array) + 1):
                    self.found.setdefault(self._array[:end], number)
                return position
            if match[2] != ".":
                break
        return 0

    def _scan(self, line: str, position: int, number: int) -> None:
        while True:
            if self._open:
                end = line.find(self._open, position)
                if end < 0:
                    return
                position, self._open = end + 3, ""
            match = _TOKEN.search(line, position)
            if match is None or match[0] == "#":
                return
            position = match.end()
            self._token(match[0], number)

    def _token(self, lexeme: str, number: int) -> None:
        if self._depth == 1 and self._expect and lexeme not in ",]":
            self._index, self._expect = self._index + 1, False
            self.found[(*self._array, self._index)] = number
        if lexeme in ('"""', "'''"):
            self._open = lexeme
        elif lexeme in "[{":
            self._depth += 1
            self._expect = self._expect or (self._depth == 1 and lexeme == "[")
        elif lexeme in "]}":
            self._depth = max(0, self._depth - 1)
        elif lexeme == "," and self._depth == 1:
            self._expect = self._index >= 0


def _split(name: str) -> tuple[str, ...]:
    return tuple(match[1].strip("\"'") for match in _PART.finditer(name.strip()))


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a TOML file, by what it is."""
    name = source.path.rpartition("/")[2]
    if name in _LOCKS:
        return
    known = name in ("pyproject.toml", "Cargo.toml", "Pipfile")
    if len(source.data) > GENERIC_LIMIT and not known:
        facts.notes.append("TOML data: not parsed")
        return
    try:
        root = read_toml(source.text)
    except UnreadableError as error:
        facts.notes.append(f"TOML not read: {error}")
        if known:
            facts.opaque.append("scripts")
        return
    if name == "pyproject.toml":
        python_project.collect_pyproject(root, facts)
    elif name == "Pipfile":
        python_project.collect_pipfile(root, facts)
    elif name == "Cargo.toml":
        rust_project.collect_cargo(root, facts)
    elif name == "rust-toolchain.toml":
        version_file.collect_toolchain(root.get("toolchain", "channel"), facts)
    elif name == "book.toml":
        navigation.collect_book(source.path, root, facts)
    else:
        if name == "tox.toml":
            python_project.collect_tox(root, facts)
        collect_keys(source.path, len(source.data), root, facts)
