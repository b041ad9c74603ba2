"""One index of a repository's code, for every kind of claim."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from msgspec import Struct

from docalign_actors.engine.facts import (
    Command,
    Definition,
    EnvVar,
    FileFacts,
    Key,
    Option,
    Route,
    Script,
    Version,
)
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.roles import is_example, is_fixture, is_foreign, is_own_code, is_test

T = TypeVar("T")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIDE_BY_SIDE = 4
"""Tests that are read together, by as many processes as there are: more of them might be read in vain."""


class Located(Struct, Generic[T], frozen=True):
    """A fact and the file it stands in."""

    path: str
    fact: T


class Package(Struct, frozen=True):
    """A part of the repository with a manifest of its own. `root` is its folder, "" for the repository's."""

    root: str
    name: str
    manifest: str
    language: str


class _NamesElsewhere:
    """Answers for one name at a time, so that only the tests in which it occurs are read."""

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._names: dict[str, frozenset[str]] = {}
        self._known: dict[str, bool] = {}

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name not in self._known:
            self._known[name] = self._look_for(name, [path for path in self._paths(name) if not is_own_code(path)])
        return self._known[name]

    def _look_for(self, name: str, paths: Sequence[str]) -> bool:
        """Those that were read for another name come first: to read one more takes a thousand times as long."""
        if any(name in self._names[path] for path in paths if path in self._names):
            return True
        unread = [path for path in paths if path not in self._names]
        for start in range(0, len(unread), _SIDE_BY_SIDE):
            part = unread[start : start + _SIDE_BY_SIDE]
            read_ahead((self._index.files[path] for path in part), "definitions")
            if any(name in self._of(path) for path in part):
                return True
        return False

    def _paths(self, name: str) -> Iterable[str]:
        """The files that may define it. In which files a word occurs is known only of the words that were looked for."""
        words = _WORD.findall(name)
        if not words or not self._index.words.issuperset(words):
            return self._index.files
        files = self._index.files
        return [path for path in frozenset.intersection(*map(self._index.occurs, words)) if path in files]

    def _of(self, path: str) -> frozenset[str]:
        if path not in self._names:
            self._names[path] = frozenset(d.name for d in self._index.files[path].definitions)
        return self._names[path]


_MANIFEST_NAMES = {
    "pyproject.toml": "python", "setup.py": "python", "setup.cfg": "python", "package.json": "javascript", "go.mod": "go",
    "Cargo.toml": "rust", "pom.xml": "java", "build.gradle": "java", "build.gradle.kts": "java", "composer.json": "php",
}  # fmt: skip


class CodeIndex:
    """Facts by file, and by whatever a claim may name. Look-ups are dictionaries made at first use.

    `occurrences` says in which files (code of any role, manifests) each word that some claim asks for occurs.
    """

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        occurrences: Mapping[str, frozenset[str]],
        paths: Iterable[str],
        words: frozenset[str] = frozenset(),
        variables: frozenset[str] = frozenset(),
    ) -> None:
        self.files = files
        self.words = words
        """The words that were looked for."""
        self.variables = variables
        """Those of them that some claim takes for a variable of the environment."""
        self._occurrences = occurrences
        self._own_occurrences: dict[str, list[str]] = {}
        self._taken: dict[str, frozenset[str]] = {}
        self.paths = paths
        """Of all files, read or not."""

    def occurs(self, word: str) -> frozenset[str]:
        """The files that contain this word. Only words that some claim names in its `words` are known."""
        return self._occurrences.get(word, frozenset())

    def occurs_in_code(self, word: str) -> bool:
        """Some code of the repository's own (tests and examples do not count) contains this word."""
        return bool(self.own_occurrences(word))

    def own_occurrences(self, word: str) -> Sequence[str]:
        """The files of the repository's own code that contain this word, in their order."""
        if word not in self._own_occurrences:
            self._own_occurrences[word] = sorted(filter(is_own_code, self.occurs(word)))
        return self._own_occurrences[word]

    def own_files(self) -> Sequence[tuple[str, FileFacts]]:
        """The files that define what the documentation speaks of: no tests, examples or other people's code."""
        return self._own

    @cached_property
    def _own(self) -> list[tuple[str, FileFacts]]:
        return [(path, facts) for path, facts in self.files.items() if is_own_code(path)]

    def parameters_of(self, name: str) -> frozenset[str]:
        """The parameters of whatever is defined by this name. Hundreds of classes have an `__init__`: looked through once."""
        if name not in self._taken:
            found = (param.name for entry in self.definitions.get(name, ()) for param in entry.fact.params or ())
            self._taken[name] = frozenset(found)
        return self._taken[name]

    @cached_property
    def definitions(self) -> Mapping[str, list[Located[Definition]]]:
        """By last part of the name: `run` gives `Server.run` too. Own code only."""
        found: dict[str, list[Located[Definition]]] = defaultdict(list)
        for path, facts in self.own_files():
            for definition in facts.definitions:
                found[definition.name].append(Located(path, definition))
        return found

    @cached_property
    def test_names(self) -> Container[str]:
        """Names that tests, examples and fixtures define."""
        return _NamesElsewhere(self)

    @cached_property
    def options(self) -> Mapping[str, list[Located[Option]]]:
        """By each spelling: `-p`, `--port`. Own code only."""
        found: dict[str, list[Located[Option]]] = defaultdict(list)
        for path, facts in self.own_files():
            for option in facts.options:
                for name in option.names:
                    found[name].append(Located(path, option))
        return found

    @cached_property
    def commands(self) -> Mapping[str, list[Located[Command]]]:
        """Sub-commands by name and alias. Own code only."""
        found: dict[str, list[Located[Command]]] = defaultdict(list)
        for path, facts in self.own_files():
            for command in facts.commands:
                for name in (command.name, *command.aliases):
                    found[name].append(Located(path, command))
        return found

    @cached_property
    def environment(self) -> Mapping[str, list[Located[EnvVar]]]:
        """Environment variables by name, tests included: what a test sets, something reads."""
        # Of tests and examples only those are read that hold such a word of some claim: most hold none.
        told = frozenset().union(*map(self.occurs, self.variables))
        files = [(p, f) for p, f in self.files.items() if not is_foreign(p) and (is_own_code(p) or p in told)]
        read_ahead((facts for _, facts in files), "env")
        found: dict[str, list[Located[EnvVar]]] = defaultdict(list)
        for path, facts in files:
            for variable in facts.env:
                found[variable.name].append(Located(path, variable))
        return found

    @cached_property
    def keys(self) -> Mapping[str, list[Located[Key]]]:
        """Configuration keys by their last part."""
        found: dict[str, list[Located[Key]]] = defaultdict(list)
        for path, facts in self.own_files():
            for key in facts.keys:
                found[key.name.rpartition(".")[2]].append(Located(path, key))
        return found

    @cached_property
    def scripts(self) -> Mapping[str, list[Located[Script]]]:
        """By name, whatever runs them; examples' scripts included, for documents that stand beside them."""
        found: dict[str, list[Located[Script]]] = defaultdict(list)
        for path, facts in self.files.items():
            if not (is_foreign(path) or is_fixture(path)):
                for script in facts.scripts:
                    found[script.name].append(Located(path, script))
        return found

    @cached_property
    def versions(self) -> Mapping[str, list[Located[Version]]]:
        """By subject: `python`, `node`, a package's name, `self`."""
        found: dict[str, list[Located[Version]]] = defaultdict(list)
        for path, facts in self.files.items():
            if not (is_foreign(path) or is_fixture(path) or is_test(path)):
                for version in facts.versions:
                    found[version.subject].append(Located(path, version))
        return found

    @cached_property
    def routes(self) -> list[Located[Route]]:
        """Routes as registered, prefixes not yet joined. Own code only."""
        return [Located(path, route) for path, facts in self.own_files() for route in facts.routes]

    @cached_property
    def packages(self) -> tuple[Package, ...]:
        """Every folder with a manifest, deepest first."""
        found: dict[str, Package] = {}
        for path in sorted(self.paths):
            root, _, name = path.rpartition("/")
            if name in _MANIFEST_NAMES and not is_foreign(path):
                facts = self.files.get(path)
                package = Package(root, facts.package if facts else "", path, _MANIFEST_NAMES[name])
                if root not in found or (package.name and not found[root].name):
                    found[root] = package
        return tuple(sorted(found.values(), key=lambda package: -len(package.root)))

    def package_of(self, path: str) -> Package:
        """The innermost package a path belongs to; the repository itself if there is no manifest above it."""
        folder = path.rpartition("/")[0]
        while folder and folder not in self._by_root:
            folder = folder.rpartition("/")[0]
        return self._by_root.get(folder) or Package("", "", "", "")

    @cached_property
    def _by_root(self) -> Mapping[str, Package]:
        """The packages by their folders: a repository may have a thousand of them."""
        return {package.root: package for package in self.packages}

    def is_opaque(self, subject: str, under: str = "") -> bool:
        """Some own code below a folder defines such things in a way that cannot be read."""
        return any(path.startswith(under) for path in self._opaque.get(subject, ()))

    @cached_property
    def _opaque(self) -> Mapping[str, list[str]]:
        """The files that define something in a way that cannot be read, by what it is."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, facts in self.own_files():
            for subject in facts.opaque:
                found[subject].append(path)
        return found

    @cached_property
    def package_names(self) -> frozenset[str]:
        """The names of the repository's own packages, examples left out."""
        return frozenset(p.name for p in self.packages if p.name and not is_example(p.manifest))
