"""Which files of a tree are documentation, which are code, and which are left alone."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.globs import matcher
from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.ports import Entry
from docalign_actors.engine.roles import (
    document_format,
    is_fixture,
    is_foreign,
    is_release_note,
    is_test,
)
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.report import Note

_VERSION_FOLDER = re.compile(
    r"^(?:(?:@?v|version-?v?)?\d{1,4}(?:\.(?:\d{1,4}|x)){0,3}|v\d{1,4}(?:[-_](?:\d{1,4}|x)){1,3})$", re.IGNORECASE
)


_NUMBERED_FOLDER = re.compile(r"[0-9x]/")
"""What a path with a version's folder contains: cheaper to tell than to take every path apart."""
_OF_DOCUMENTS = re.compile(r"doc(?!k)|site|content")
"""`docs/`, `versioned_docs/`, `website/`; but not `docker/`."""
_VERSION_NAME = re.compile(r"[-_.]v(?P<major>\d{1,3})(?:\.x)?\.\w+$")
"""A document for one line of releases: `DOCUMENTATION-v4.md`."""

_FORM = re.compile(r"[_.]?template\.\w+$", re.IGNORECASE)
"""A form that whoever writes the next document copies and fills in."""

_COPY = re.compile(r".*(?: copy(?: \d+)?| - copy(?: \(\d+\))?| \(\d+\))\.\w+$", re.IGNORECASE)
"""What a file manager calls the copy of a file: somebody put it aside, or forgot it."""

_STARTER = re.compile(r"^(?:template[-_].*|.*[-_]templates?|starters?|boilerplates?)$", re.IGNORECASE)
"""A folder of what new projects begin with: its documents are theirs."""


_CAPITALS = re.compile(r"[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*\.(?:md|rst|adoc)$")


_CHAPTERS = frozenset(
    {"docs", "doc", "documentation", "guide", "guides", "manual", ".agents", ".claude", ".cursor", "skills"}
)
"""Folders whose own folders are chapters."""
_DJANGO = "manage.py"
_PAGES = ("docs", "doc", "documentation", "help", "guide")


class Inventory(Struct):
    """What a scan is going to read. `documents` maps a path to its format."""

    documents: dict[str, str]
    code: list[str]
    notes: list[Note]


def take_inventory(
    entries: Mapping[str, Entry], settings: ScanSettings, among: Iterable[str] | None = None
) -> Inventory:
    """Sorts the files of a tree, or those among some paths.

    Symlinks and submodules are neither documentation nor code: a link's target is listed under its own name.
    """
    wanted, excluded = matcher(settings.doc_patterns), matcher(settings.exclude)
    coded = matcher(settings.code_patterns)
    inventory = Inventory({}, [], [])
    paths = entries if among is None else sorted(path for path in among if path in entries)
    superseded: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    if among is None or any(map(document_format, paths)):  # of code nothing else in the tree has to be known
        superseded = (*superseded_folders(entries), *superseded_documents(entries))
        pages = rendered_pages(entries)
    for path in paths:
        entry = entries[path]
        if entry.mode == "submodule":
            inventory.notes.append(Note(path, "a submodule: not read"))
            continue
        if entry.mode == "symlink" or excluded(path):
            continue
        if "\ufffd" in path and (document_format(path) or language_of(path)):
            # What git lists under such a name cannot be opened by it.
            inventory.notes.append(Note(path, "its name is not UTF-8: not read"))
            continue
        if (
            wanted(path)
            if settings.doc_patterns
            else _is_documentation(path, pages) and not path.startswith(superseded)
        ):
            inventory.documents[path] = document_format(path) or "text"
        language = language_of(path)
        wanted_code = not settings.code_patterns or coded(path)
        if language and wanted_code and not (is_foreign(path) or is_release_note(path)):
            inventory.code.append(path)
    return inventory


def rendered_pages(entries: Iterable[str]) -> tuple[str, ...]:
    """Folders of pages among a Django project's templates: `templates/docs/` beside `manage.py` is its own manual."""
    projects = [path[: -len(_DJANGO)] for path in entries if path == _DJANGO or path.endswith("/" + _DJANGO)]
    return tuple(f"{folder}templates/{name}/" for folder in projects for name in _PAGES)


def superseded_folders(entries: Iterable[str]) -> tuple[str, ...]:
    """Folders of documentation for versions that are not the newest: `docs/v1/` beside `docs/v2/`."""
    versions: dict[str, set[tuple[tuple[int, ...], str]]] = {}
    for folder in {path.rpartition("/")[0] for path in entries}:
        if not _NUMBERED_FOLDER.search(folder + "/"):
            continue
        parts = folder.split("/")
        for depth, part in enumerate(parts):
            if _VERSION_FOLDER.match(part):
                numbers = tuple(int(number) for number in re.findall(r"\d+", part))
                versions.setdefault("/".join(parts[:depth]), set()).add((numbers, part))
    old = (f"{parent}/{name}/".lstrip("/") for parent, found in versions.items() for _, name in sorted(found)[:-1])
    return tuple(folder for folder in old if _OF_DOCUMENTS.search(folder.lower()))


def superseded_documents(entries: Iterable[str]) -> tuple[str, ...]:
    """Documents for a line of releases after which their own folder speaks of a later one: `MANUAL-v4.md`, `migration-v5.md`."""
    numbered: dict[str, list[tuple[int, str]]] = {}
    for path in entries:
        match = _VERSION_NAME.search(path) if document_format(path) else None
        if match:
            numbered.setdefault(posixpath.dirname(path), []).append((int(match["major"]), path))
    return tuple(
        path for found in numbered.values() for major, path in found if major < max(number for number, _ in found)
    )


def _is_documentation(path: str, pages: tuple[str, ...] = ()) -> bool:
    """A document that speaks for this repository, today."""
    is_page = bool(pages) and path.startswith(pages)
    if not document_format(path) or is_foreign(path) or (is_fixture(path) and not is_page) or tells_history(path):
        return False
    name = posixpath.basename(path)
    if _FORM.match(name) or _COPY.match(name) or any(_STARTER.match(part) for part in path.split("/")[:-1]):
        return False
    return (
        not is_test(path) or name.lower().startswith("readme") or _is_about_tests(path) or _is_for_testers(path, name)
    )


def _is_for_testers(path: str, name: str) -> bool:
    """`tests/HOW_TO_TEST.md`: what lies at the top of the tests in capitals is written for people, not for a test."""
    above = posixpath.dirname(posixpath.dirname(path))
    return _CAPITALS.match(name) is not None and not is_test(posixpath.join(above, "x"))


def _is_about_tests(path: str) -> bool:
    """`docs/testing/fixtures.md`, `.agents/skills/testing/SKILL.md`: a chapter on testing, not a test."""
    folders = path.split("/")[:-1]
    told = next((n for n, part in enumerate(folders) if part in _CHAPTERS), len(folders))
    return not is_test("/".join((*folders[:told], "x"))) and all(
        part.lower() == "testing" or not is_test(f"{part}/x") for part in folders[told:]
    )
