"""A mutant: one documented fact refactored away from all of the code and from none of the docs, and the truth about it."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from bench.definitions import Definition, definitions
from bench.doctext import DocText, Place
from bench.files import Snapshot, is_document
from bench.manifests import commands
from bench.registrations import Registration, registrations
from bench.words import affixed, new_name, not_among

KINDS = (
    "file", "directory", "function", "method", "class", "parameter", "option", "subcommand", "env", "script",
    "route", "prefix", "default", "port", "version", "config-key", "heading", "module",
)  # fmt: skip
VARIANTS = ("rename", "affix", "removal", "moved")
"""How the fact goes: another name or value; the name with a word more, or the next value; nothing in its place; another folder."""
MOST_LINES = 60


@dataclass(frozen=True)
class Mutant:
    """changes: path -> new text; moves: path -> new path (applied after changes). stale: lines a tool has to point at.
    tolerated: lines that speak of the old name in passing, so that pointing at them is neither demanded nor unrelated."""

    kind: str
    language: str
    old: str
    new: str
    stale: tuple[Place, ...]
    tolerated: tuple[Place, ...] = ()
    changes: dict[str, str] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    deletes: frozenset[str] = frozenset()
    variant: str = "rename"

    def identity(self, repository: str) -> str:
        """A short name, the same in every run."""
        digest = hashlib.sha256(f"{repository}|{self.kind}|{self.old}|{self.new}".encode()).hexdigest()[:8]
        variant = "" if self.variant == "rename" else f"-{self.variant}"
        return f"{repository.replace('/', '+')}-{self.kind}{variant}-{digest}"


@dataclass(frozen=True)
class Proposal:
    """A fact that may become a mutant. `make` does the work and returns None if an honest mutant cannot be had."""

    kind: str
    old: str
    make: Callable[[], Mutant | None]
    rank: int = 0
    """Proposals of a lower rank are tried first."""


class Repo:
    """What the mutators look at."""

    def __init__(self, snapshot: Snapshot, name: str = "own/tool") -> None:
        self.snapshot = snapshot
        self.docs = DocText(snapshot)
        self.name = name
        self.variant = "rename"

    @cached_property
    def commands(self) -> frozenset[str]:
        """The names under which the repository's own programs are called."""
        return commands(self.snapshot, self.name)

    @cached_property
    def registrations(self) -> list[Registration]:
        """The command-line options that own code registers."""
        return registrations(self.snapshot)

    @cached_property
    def definitions(self) -> dict[str, list[Definition]]:
        """Name -> its definitions in any code file."""
        table: dict[str, list[Definition]] = defaultdict(list)
        for path in sorted(self.snapshot.code):
            for definition in definitions(path, self.snapshot.code[path]):
                table[definition.name].append(definition)
        return table

    @property
    def defined(self) -> Collection[str]:
        return self.definitions.keys()

    def rename(self, old: str, *, keep: int = 0) -> str:
        """A new name that stands nowhere in the repository, "" if none is found."""
        if self.variant == "affix":
            return affixed(old, not_among(self.snapshot.all_words), "_")
        return new_name(old, not_among(self.snapshot.all_words), keep=keep)

    def rename_token(self, old: str, *, keep: int = 0) -> str:
        """The same for names that are no single word: `--dry-run`, `/api/items`, `docs/guide.md`."""
        if self.variant == "affix":
            return affixed(old, self.stands_somewhere)
        return new_name(old, self.stands_somewhere, keep=keep)

    @cached_property
    def _everything(self) -> str:
        return "\0".join([*self.snapshot.texts.values(), *sorted(self.snapshot.paths)])

    def stands_somewhere(self, text: str) -> bool:
        return text in self._everything

    def with_text(self, literal: str) -> list[str]:
        """Code files that contain the text, word or not."""
        return [path for path, text in sorted(self.snapshot.code.items()) if literal in text]

    def replaced(self, pattern: re.Pattern[str], new: str, files: Iterable[str]) -> dict[str, str]:
        """The code files that change when the pattern becomes `new`, what its first group holds kept before it."""
        changes: dict[str, str] = {}
        for path in files:
            text = self.snapshot.code[path]
            changed = pattern.sub(lambda m: (m.group(1) if m.re.groups else "") + new, text)
            if changed != text:
                changes[path] = changed
        return changes


def whole_word(name: str) -> re.Pattern[str]:
    """The name as a word of its own."""
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def honest(mutant: Mutant, repo: Repo, left: re.Pattern[str] | None) -> Mutant | None:
    """The mutant, if it keeps the rules: code changed, docs not, the old name gone from code, and some line stale.

    left: what must not be found in any code file after the change; None where the fact is a value and not a name.
    """
    if not (mutant.changes or mutant.moves) or mutant.new == mutant.old:
        return None
    if not mutant.new and mutant.variant != "removal":
        return None
    if not 1 <= len(mutant.stale) <= MOST_LINES * (2 if mutant.kind == "prefix" else 1):
        return None
    touched = set(mutant.changes) if mutant.kind != "heading" else set()
    if any(is_document(path) for path in touched):
        return None
    if left is not None and _still_there(mutant, repo, left):
        return None
    return mutant


def _still_there(mutant: Mutant, repo: Repo, left: re.Pattern[str]) -> bool:
    snapshot = repo.snapshot
    return any(left.search(mutant.changes.get(path, text)) for path, text in snapshot.code.items())
