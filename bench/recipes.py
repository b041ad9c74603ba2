"""Mutants written by hand: a recipe says which files move and what is edited, and which lines of the docs it makes false.

A line of a document that moves may be given by its old path or by its new one. In `replace`, `\\1` is what the first group
of `find` holds. Documents are edited only by recipes of the kind `heading`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.corpus import Source, Workshop
from bench.doctext import Place
from bench.files import Snapshot, is_document
from bench.mutants import Mutant
from bench.truth import Truth

LISTS = Path(__file__).with_name("handwritten")
KINDS = (
    "file", "directory", "function", "method", "class", "parameter", "option", "sub-command", "environment variable", "script",
    "route", "prefix", "default", "port", "version", "configuration key", "heading", "module",
)  # fmt: skip
_KEYS = {"id", "kind", "language", "what", "moves", "edits", "gone", "false", "tolerated"}
_GLOB = re.compile(r"(\*\*/)|(\*\*)|(\*)|(\?)|\{([^{}]*)\}|(.)", re.DOTALL)


class WrongRecipeError(Exception):
    """A recipe that does not do what it says."""


@dataclass(frozen=True)
class Edit:
    """What is replaced in the files that the globs name."""

    files: tuple[re.Pattern[str], ...]
    find: re.Pattern[str]
    replace: str

    def touches(self, path: str) -> bool:
        return any(glob.fullmatch(path) for glob in self.files)


@dataclass(frozen=True)
class Recipe:
    """One refactoring that forgets the documentation. `gone`: what must not be found any more in the files that it edits."""

    id: str
    kind: str
    language: str
    what: str
    moves: tuple[tuple[str, str], ...]
    edits: tuple[Edit, ...]
    gone: re.Pattern[str] | None
    stale: tuple[Place, ...]
    tolerated: tuple[Place, ...]

    def mutant(self, snapshot: Snapshot) -> Mutant:
        """The files as they are after it. Raises WrongRecipeError if something that it names is not there."""
        moves = self._moved(snapshot)
        now = {moves.get(path, path): path for path in snapshot.texts}
        after = {new: snapshot.texts[old] for new, old in now.items() if self.kind == "heading" or not is_document(new)}
        before = dict(after)
        for edit in self.edits:
            self._edit(edit, after)
        if self.gone is not None:
            self._check_gone(self.gone, after)
        stale, tolerated = (
            tuple((moves.get(path, path), line) for path, line in places) for places in (self.stale, self.tolerated)
        )
        _check_places((*stale, *tolerated), {new: snapshot.texts[old] for new, old in now.items()})
        changes = {now[path]: text for path, text in after.items() if text != before[path]}
        if not stale or not (changes or moves):
            raise WrongRecipeError("it changes nothing" if stale else "no line becomes false by it")
        return Mutant(self.kind, self.language, self.what, "", stale, tolerated, changes, moves)

    def _moved(self, snapshot: Snapshot) -> dict[str, str]:
        moves: dict[str, str] = {}
        for old, new in self.moves:
            old, new = old.rstrip("/"), new.rstrip("/")
            found = [p for p in (*snapshot.paths, *snapshot.links) if p == old or p.startswith(old + "/")]
            if not found:
                raise WrongRecipeError(f"there is no {old}")
            moves |= {path: new + path[len(old) :] for path in found}
        return moves

    def _edit(self, edit: Edit, texts: dict[str, str]) -> None:
        count = 0
        for path in [path for path in texts if edit.touches(path)]:
            texts[path], times = edit.find.subn(edit.replace, texts[path])
            count += times
        if not count:
            raise WrongRecipeError(f"nothing matches {edit.find.pattern}")

    def _check_gone(self, gone: re.Pattern[str], texts: dict[str, str]) -> None:
        for path, text in sorted(texts.items()):
            if any(edit.touches(path) for edit in self.edits) and (left := gone.search(text)):
                raise WrongRecipeError(f"{path}:{text.count(chr(10), 0, left.start()) + 1} still has {left.group()!r}")


def _check_places(places: tuple[Place, ...], texts: dict[str, str]) -> None:
    for path, line in places:
        lines = texts.get(path, "").split("\n")
        if not 1 <= line <= len(lines) or not lines[line - 1].strip():
            raise WrongRecipeError(f"nothing stands at {path}:{line}")


def read(path: Path) -> list[tuple[Source, list[Recipe]]]:
    """The repositories of a list and their recipes."""
    rows = json.loads(path.read_text(encoding="utf-8"))["repositories"]
    return [
        (Source(row["name"], row["commit"], "handwritten"), [_recipe(path.name, mutant) for mutant in row["mutants"]])
        for row in rows
    ]


def build(shop: Workshop, source: Source, recipes: list[Recipe]) -> Iterator[Truth | str]:
    """The mutants of one repository, their commits written; for a recipe that is wrong, what is wrong with it."""
    snapshot = Snapshot.read(shop.base(source), source.commit)
    ids = [recipe.id for recipe in recipes]
    for recipe in recipes:
        name = f"{source.folder}-{recipe.id}"
        try:
            if ids.count(recipe.id) > 1:
                raise WrongRecipeError("another recipe has its id")
            mutant = recipe.mutant(snapshot)
        except WrongRecipeError as wrong:
            yield f"{name}: {wrong}"
            continue
        commit = shop.commit(source, mutant)
        yield Truth(
            name, source.name, source.part, mutant.kind, mutant.language, mutant.old, mutant.new, commit, mutant.stale,
            mutant.tolerated,
        )  # fmt: skip


def _recipe(name: str, row: dict[str, Any]) -> Recipe:
    where = f"{name}: {row.get('id', '(no id)')}"
    if unknown := sorted(row.keys() - _KEYS):
        raise ValueError(f"{where}: unknown {', '.join(unknown)}")
    if row["kind"] not in KINDS:
        raise ValueError(f"{where}: {row['kind']} is no kind")
    edits = [
        Edit(tuple(glob(one) for one in edit["files"]), re.compile(edit["find"], re.MULTILINE), edit["replace"])
        for edit in row.get("edits", [])
    ]
    return Recipe(
        row["id"], row["kind"], row["language"], row["what"],
        tuple((old, new) for old, new in row.get("moves", [])), tuple(edits),
        re.compile(row["gone"], re.MULTILINE) if row.get("gone") else None,
        _places(row["false"]), _places(row.get("tolerated", [])),
    )  # fmt: skip


def _places(words: list[str]) -> tuple[Place, ...]:
    return tuple((path, int(line)) for path, _, line in (word.rpartition(":") for word in words))


def glob(text: str) -> re.Pattern[str]:
    """A path with `*`, `**`, `?` and `{a,b}`; a single star stays within a folder."""
    return re.compile("".join(_piece(match) for match in _GLOB.finditer(text)), re.DOTALL)


def _piece(match: re.Match[str]) -> str:
    folders, anything, star, one, words, plain = match.groups()
    if folders:
        return "(?:[^/]+/)*"
    if anything or star or one:
        return ".*" if anything else "[^/]*" if star else "[^/]"
    if words is not None:
        return "(?:" + "|".join(re.escape(word) for word in words.split(",")) + ")"
    return re.escape(plain)
