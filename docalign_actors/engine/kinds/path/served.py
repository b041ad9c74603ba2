"""Links of a page that a site serves as a folder: `guide/page.md` at `guide/page/`, from where `../` leads one folder less far.

One link that leads a folder too far is a slip of the pen where pages are read as they lie. Several documents that all do so, and
all find what they name from such an address, were written for a site, whatever makes it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import islice
from weakref import WeakKeyDictionary

from docalign_actors.engine.audience import is_in_manual
from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.inplace import is_shown_in_place
from docalign_actors.engine.world import World

PAGE_SUFFIXES = (
    ".md", ".mdx", ".rst", ".adoc", ".html", ".ipynb", ".markdown",
    "/index.md", "/index.mdx", "/README.md", "/_index.md", "/index.rst",
)  # fmt: skip
_FOLDERS_OWN = frozenset({"index", "_index", "readme"})
"""Pages that are served at the address of their folder."""
_SEVERAL = 3
_habit: WeakKeyDictionary[World, bool] = WeakKeyDictionary()


def leads_on_a_site(claim: Claim, world: World) -> bool:
    """The link leads somewhere from the address at which a site serves its page, and the page is one of a site."""
    if not is_in_manual(claim.file) or not _leads(posixpath.splitext(claim.file)[0], claim.subject, world):
        return False
    return not is_shown_in_place(claim.file, world) or _is_habit(world)


def _is_habit(world: World) -> bool:
    """Several documents have links that lead nowhere from where they lie, and somewhere from such an address."""
    if world not in _habit:
        pages = (d for path, d in world.documents.items() if is_in_manual(path) and _is_written_so(d, world))
        _habit[world] = sum(1 for _ in islice(pages, _SEVERAL)) == _SEVERAL
    return _habit[world]


def _is_written_so(document: Document, world: World) -> bool:
    stem, folder = posixpath.splitext(document.path)[0], posixpath.dirname(document.path)
    return any(not _exists(f"{folder}/{to}", world) and _leads(stem, to, world) for to in _above(document))


def _above(document: Document) -> Iterator[str]:
    """Where the links lead that leave the document's folder."""
    for block in document.blocks:
        for inline in block.every_inline():
            if inline.kind in ("link", "image") and inline.text.startswith("../"):
                yield inline.text.partition("#")[0]


def _leads(stem: str, to: str, world: World) -> bool:
    own = posixpath.basename(stem).lower() in _FOLDERS_OWN
    return to.startswith("../") and not own and _exists(f"{stem}/{to}", world)


def _exists(path: str, world: World) -> bool:
    target = posixpath.normpath(path)
    return any(world.exists(one) for one in (target, *(target + suffix for suffix in PAGE_SUFFIXES)))
