"""Where a link may lead: from its document, from the root of a site, through GitHub's pages, or by a site generator's rules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from weakref import WeakKeyDictionary

from docalign_actors.engine.audience import is_in_manual, is_read_in_place
from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.kinds.path.served import PAGE_SUFFIXES, leads_on_a_site
from docalign_actors.engine.roles import document_format
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence

_SERVED = frozenset(
    [
        "public",
        "static",
        "assets",
        "pages",
        "content",
        "contents",
        "docs",
        "doc",
        "src",
        "app",
        "website",
        "site",
        "www",
    ]
)
_ON_GITHUB = re.compile(r"^(?:\.\./)+(?:blob|tree|raw|edit|blame)/[^/]+/(?P<path>.+)$")
_OF_GITHUB = re.compile(
    r"^(?:\.\./)+(?:issues|pulls?|wiki|releases|actions|discussions|projects|milestones?|labels|commits?|compare|graphs|security"
    r"|stargazers|network|tags|branches|packages|settings|new|search|fork)(?:[/?]|$)"
)
_ANTORA = re.compile(r"^(?P<module>(?:.*/)?modules/[^/]+)/")
_FAMILY = re.compile(r"^(?P<family>page|partial|image|attachment|example)\$(?P<path>.+)$")
_FAMILIES = {
    "page": "pages", "partial": "partials", "image": "images", "attachment": "attachments", "example": "examples",
}  # fmt: skip
_FRONT_MATTER = 2_000
_ADDRESS = re.compile(
    rb"^\s*(?:-\s+|(?:permalink|slug|url|id|aliases|redirect_from|redirect_to)\s*:\s*|:page-(?:permalink|redirect_from):\s*)"
    rb"[\"'\[]*(/?[\w./-]+)",
    re.MULTILINE,
)
_ASCIIDOC = (".adoc", ".asciidoc")
_SITE_PAGE = 20_000
_docsify: WeakKeyDictionary[World, dict[str, bool]] = WeakKeyDictionary()
_lowered: WeakKeyDictionary[World, dict[str, str]] = WeakKeyDictionary()
_shown_at: WeakKeyDictionary[World, dict[str, list[str]]] = WeakKeyDictionary()
"""The folders of the symbolic links that lead to a document."""
_WRITTEN_BY_SITES = frozenset(
    "llms.txt llms-full.txt sitemap.xml robots.txt feed.xml rss.xml atom.xml index.xml objects.inv"
    " searchindex.js search.json".split()
)
_LONGEST_TARGET = 4_096
_addresses: WeakKeyDictionary[World, frozenset[str]] = WeakKeyDictionary()


def link_targets(claim: Claim, world: World) -> list[str]:
    """What a link may mean, the likeliest first; empty if it leads out of the repository."""
    folder, subject = posixpath.dirname(claim.file), claim.subject
    if subject.startswith("/"):
        subject = posixpath.normpath(
            f"/{subject.lstrip('/')}"
        )  # nothing is above a root: `/../pictures` is `/pictures`
        roots = ["", *ancestors(folder)]
        return [posixpath.normpath(posixpath.join(root, subject.lstrip("/"))) for root in roots]
    target = posixpath.normpath(posixpath.join(folder, subject))
    through = _ON_GITHUB.match(subject)
    if through:
        return [through["path"].rstrip("/"), *([] if target.startswith("..") else [target])]
    if target.startswith("..") or (_OF_GITHUB.match(subject) and not world.exists(target)):
        return []
    others = (*_docsify_targets(claim, world), *_docusaurus_targets(claim, world), *_linked_targets(claim, world))
    return [*_antora_targets(claim), target, *others]


def _antora_targets(claim: Claim) -> list[str]:
    """Antora: a page is named from its module's `pages`, an image from `images`, whatever the folder of the document."""
    module = _ANTORA.match(claim.file)
    if module is None or not claim.file.endswith((".adoc", ".asciidoc")) or claim.subject.startswith("./"):
        return []
    family = _FAMILY.match(claim.subject)
    if family:
        return [posixpath.normpath(f"{module['module']}/{_FAMILIES[family['family']]}/{family['path']}")]
    home = "images" if claim.form == "image" else "pages"
    return [posixpath.normpath(f"{module['module']}/{home}/{claim.subject}")]


def _docsify_targets(claim: Claim, world: World) -> list[str]:
    """docsify reads a link from the folder of its `index.html`, whatever the folder of the document."""
    folder = posixpath.dirname(claim.file)
    roots = [root for root in ancestors(folder) if f"{root}/index.html" in world.files and _is_docsify(root, world)]
    return [path for root in roots if not (path := posixpath.normpath(f"{root}/{claim.subject}")).startswith("..")]


def _docusaurus_targets(claim: Claim, world: World) -> list[str]:
    """Docusaurus looks for `guide/page.md` beside the document, then from the root of its pages."""
    bare = claim.subject.endswith((".md", ".mdx")) and not claim.subject.startswith(".")
    if not bare or not any(f"docusaurus.config.{end}" in world.by_name for end in ("js", "ts", "mjs", "cjs")):
        return []
    above = ancestors(posixpath.dirname(claim.file))[1:]
    return [path for root in above if (path := posixpath.normpath(f"{root}/{claim.subject}")) in world.files]


def _linked_targets(claim: Claim, world: World) -> list[str]:
    """Where the link leads from the folder of a symbolic link through which the document is shown: `README.md` at the root."""
    if world not in _shown_at:
        found: dict[str, list[str]] = {}
        for path in world.doors:
            folder = posixpath.dirname(path)
            target = world.tree.read(path, _LONGEST_TARGET).decode("utf-8", "replace") if document_format(path) else ""
            found.setdefault(posixpath.normpath(posixpath.join(folder, target)), []).append(folder)
        _shown_at[world] = found
    joined = (posixpath.normpath(posixpath.join(at, claim.subject)) for at in _shown_at[world].get(claim.file, ()))
    return [path for path in joined if not path.startswith("..")]


def _is_docsify(root: str, world: World) -> bool:
    known = _docsify.setdefault(world, {})
    if root not in known:
        known[root] = b"docsify" in world.tree.read(f"{root}/index.html", _SITE_PAGE)
    return known[root]


def ancestors(folder: str) -> list[str]:
    """A folder and all above it, the root left out."""
    found: list[str] = []
    while folder:
        found.append(folder)
        folder = folder[: max(folder.rfind("/"), 0)].rstrip("/")
    return found


def is_address(subject: str, world: World) -> bool:
    """A page says in its front matter that it is served there. All are looked through once, when one is about to be called gone."""
    if world not in _addresses:
        found: set[str] = set()
        for path in world.documents:
            head = world.tree.read(path, _FRONT_MATTER)
            if head.startswith((b"---", b"+++")) or path.endswith(_ASCIIDOC):
                found.update(m[1].decode("ascii", "replace").strip("/") for m in _ADDRESS.finditer(head))
        _addresses[world] = frozenset(found)
    # In AsciiDoc a link names a file (`guide.adoc`) of which the site makes an address (`/docs/guide/`).
    stem, suffix = posixpath.splitext(posixpath.basename(subject))
    return subject.strip("/") in _addresses[world] or (
        suffix in _ASCIIDOC and any(address.rpartition("/")[2] == stem for address in _addresses[world])
    )


def is_generated(subject: str) -> bool:
    """A page that documentation tools write, or a name of code that they resolve: rustdoc's `Router::nest`, `struct.Foo.html`."""
    made = subject.endswith((".html", ".htm")) or posixpath.basename(subject) in _WRITTEN_BY_SITES
    return made or "::" in subject or not re.search(r"[./]", subject)


def served(subject: str, world: World) -> str:
    """What a site shows under a path from its root: a file of that path below some folder (`public`, `static`, `pages`)."""
    name = posixpath.basename(subject)
    stems = (name, *(name + suffix for suffix in PAGE_SUFFIXES if suffix.startswith(".")))
    paths = (p for stem in stems for p in world.by_name.get(stem, ()) if not _SERVED.isdisjoint(p.split("/")[:-1]))
    return next((p for p in paths if f"/{posixpath.splitext(p)[0]}".endswith(f"/{posixpath.splitext(subject)[0]}")), "")


def spelled(target: str, world: World) -> str:
    """The file of that path in other capitals, if there is just one: GitHub and most sites tell them apart."""
    if world not in _lowered:
        found: dict[str, str] = {}
        for path in world.files:
            found[path.lower()] = path if path.lower() not in found else ""
        _lowered[world] = found
    return _lowered[world].get(target.lower(), "")


def from_elsewhere(claim: Claim, world: World) -> str:
    """What a link would lead to from the root, or from a folder above or below its own by one; "" if not just one thing.

    A folder only by two names at least: `../tests/unit/`.
    """
    if claim.subject.startswith("/"):
        return ""
    tail = posixpath.normpath(claim.subject)
    folder = posixpath.dirname(claim.file)
    joined = (
        posixpath.normpath(path) for path in (tail, f"{folder}/../{tail}", f"{folder}/{tail.removeprefix('../')}")
    )
    there = world.directories if tail.replace("../", "").count("/") else frozenset()
    found = {path for path in joined if (path in world.files or path in there) and path != claim.file}
    return found.pop() if len(found) == 1 else ""


def put_elsewhere(claim: Claim, target: str, world: World) -> str:
    """Why a link that never led anywhere may do so on a site, "" if nothing says so.

    What lies at the root, and a README, are read where they lie.
    """
    folder, name = posixpath.split(claim.file)
    if not folder or name.lower().startswith("readme"):
        return ""
    if len(world.by_name.get(posixpath.basename(target), ())) == 1:
        return "it never was there, and the only file of this name is elsewhere: the page may be put elsewhere too"
    if is_made_of_a_folder(claim, target, world):
        return "it never was there, and a site may make the page of the folder of that name"
    # What stood there before the change under scan led somewhere, or was false before.
    if not world.past.differential and leads_on_a_site(claim, world):
        return "it never was there, and a site that serves each page as a folder finds it"
    return ""


def nearest(claim: Claim, target: str, world: World) -> tuple[Evidence, ...]:
    """Where a file of that name is, if it is somewhere else."""
    same = spelled(target, world) or from_elsewhere(claim, world)
    elsewhere = (same,) if same else world.by_name.get(posixpath.basename(target), ())[:1]
    return tuple(Evidence(f"there is {path}", path) for path in elsewhere) or (Evidence(f"no file at {target}"),)


_SECTION = re.compile(r"\{\{[#^/][\w ]{1,60}")
_SNIPPET = re.compile(r"(?:^|[-_.])snippets?(?:[-_.]|$)", re.IGNORECASE)
_filled_in: WeakKeyDictionary[World, dict[str, bool]] = WeakKeyDictionary()


def is_filled_in(path: str, world: World) -> bool:
    """A template with parts that are left out or repeated (`{{#if found}}`), or a snippet: its links lead on from what is
    made of it, or from where it is put."""
    known = _filled_in.setdefault(world, {})
    if path not in known:
        blocks = world.documents[path].blocks if path in world.documents else ()
        known[path] = _SNIPPET.search(path.rpartition("/")[2]) is not None or any(
            _SECTION.search(block.text) for block in blocks if "{{" in block.text and not block.lines
        )
    return known[path]


def is_of_a_notebook(targets: Iterable[str], world: World) -> bool:
    """`nb/tutorial.ipynb` is made into `docs/tutorial.md` when the site is built."""
    pages = (posixpath.splitext(posixpath.basename(target)) for target in targets)
    return any(suffix in (".md", ".rst", ".html") and world.by_name.get(f"{stem}.ipynb") for stem, suffix in pages)


def is_made_of_a_folder(claim: Claim, target: str, world: World) -> bool:
    """`../examples/words`: a site makes a page of each folder of its examples, where a program and no page lies."""
    stem, suffix = posixpath.splitext(target)
    tail = "/" + "/".join((stem if suffix in PAGE_SUFFIXES else target).split("/")[-2:])
    if target.count("/") < 2 or is_at_its_place(claim.file):
        return False
    folders = [folder + "/" for folder in world.directories if f"/{folder}".endswith(tail)]
    inside = [path for path in world.files if path.startswith(tuple(folders))] if folders else []
    return any(map(language_of, inside)) and not any(map(document_format, inside))


def is_at_its_place(path: str) -> bool:
    """Nobody reads it on a site: its links lead where they lead."""
    return is_read_in_place(path) and not is_in_manual(path)
