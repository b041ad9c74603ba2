"""mdBook: a list of chapters says which pages there are, and each of their links is read from the page's own folder."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote
from weakref import WeakKeyDictionary

from msgspec import Struct

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.kinds.path.targets import ancestors
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence

BOOKED = "mdBook looks for it from the folder of this page, which is a chapter"
_CHAPTER = re.compile(rb"\]\(\s{0,4}<?([^)\s>]{1,300}\.md)")
_TAKES_IN = re.compile(rb"\{\{#\w*include\s+([^}:\s]{1,300})")
_LONGEST = 400_000
_MOST_CHAPTERS = 2_000
_FOLDERS_PAGES = ("index.md", "readme.md")
"""mdBook makes the one of the other."""
_TO_COME = ("todo.md", "tbd.md", "fixme.md")
"""Who writes that knows that nothing is there yet."""
_books: WeakKeyDictionary[World, dict[str, _Book]] = WeakKeyDictionary()


class _Book(Struct, frozen=True):
    """chapters  the pages that the list names, there or not; taken in: the files that chapters take into their own text"""

    chapters: frozenset[str]
    taken_in: frozenset[str]


def missing_in_book(claim: Claim, target: str, world: World) -> Evidence | None:
    """Says that a chapter links to a page that is not there; None where the page may be made, or read from another folder."""
    name = posixpath.basename(target)
    if claim.form != "link" or claim.subject.startswith("/") or not name.endswith(".md"):
        return None
    if name.lower() in (*_FOLDERS_PAGES, *_TO_COME) or any(c in claim.subject for c in "{}<>$*|\\^[] "):
        return None
    listing = _listing(claim.file, world)
    book = _book(listing, world) if listing else None
    if book is None or claim.file not in book.chapters or claim.file in book.taken_in or target in book.chapters:
        return None
    return Evidence(BOOKED, listing)


def _listing(page: str, world: World) -> str:
    """The list of chapters nearest above a page, of a book that has its settings there or further up."""
    folders = [*ancestors(posixpath.dirname(page)), ""]
    for at, folder in enumerate(folders):
        listing = posixpath.join(folder, "SUMMARY.md")
        if listing in world.files:
            return listing if any(posixpath.join(above, "book.toml") in world.files for above in folders[at:]) else ""
    return ""


def _book(listing: str, world: World) -> _Book:
    known = _books.setdefault(world, {})
    if listing not in known:
        chapters = _named(_CHAPTER, listing, world)
        there = [path for path in sorted(chapters) if path in world.files][:_MOST_CHAPTERS]
        known[listing] = _Book(chapters, frozenset().union(*(_named(_TAKES_IN, path, world) for path in there)))
    return known[listing]


def _named(pattern: re.Pattern[bytes], path: str, world: World) -> frozenset[str]:
    """The files that a document names by a pattern, from its own folder."""
    folder = posixpath.dirname(path)
    found = (
        unquote(match[1].decode("utf-8", "replace")) for match in pattern.finditer(world.tree.read(path, _LONGEST))
    )
    return frozenset(posixpath.normpath(posixpath.join(folder, name)) for name in found)
