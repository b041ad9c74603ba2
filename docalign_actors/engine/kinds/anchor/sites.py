"""Sites that show a document with more than its source: labels of all pages (Sphinx, Doxygen), headings of the code (rustdoc)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from weakref import WeakKeyDictionary

from docalign_actors.engine.audience import is_read_in_place
from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.anchors import explicit_ids, python_markdown_slug, unicode_slug, usual_slug
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.reader import DOCUMENT_LIMIT
from docalign_actors.engine.owntime import tells_history
from docalign_actors.engine.roles import is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence

_TITLE = re.compile(r"#{2,6} +(\S.*?)\s*$")
_MARK = re.compile(r"\s\^\([^()]{1,40}\)\s*$|\s:[a-z]+\[[^\]]{1,40}\]\s*$")
_CRATE = 200_000
_OF_A_TAG = re.compile(r"(?:a|span|img|code|br|sup|kbd|small|strong|em|b|i)-", re.IGNORECASE)
_LEFT_OUT, _BETWEEN = re.compile(r"[.()?]"), re.compile(r"[^a-z0-9]+")
_TERM = re.compile(r"^([^\s:#>|][^\n]{0,120})\n(?:[ \t]*\n)?:[ \t]", re.MULTILINE)
_PROGRAMS = (".go", ".rs", ".rb", ".java", ".kt", ".cs", ".swift")
"""Languages of programs; those of sites (JavaScript, Python) name documents to list them."""
_MOST_BESIDE = 40
"""Files of code in a document's folder that are looked into."""
_TAKES_IN = re.compile(
    rb"^import \w{1,80} from [\"']([^\"'\n]{1,200}\.mdx?)[\"']"
    rb"|(?:--8<--|\binclude\b)[^\w\n]{0,12}(?:file=)?[\"' ]([\w./@-]{1,200}\.mdx?)\b",
    re.MULTILINE,
)
_parts: WeakKeyDictionary[World, frozenset[str]] = WeakKeyDictionary()
"""The names of the documents that others take in."""
_MKDOCS = ("mkdocs.yml", "mkdocs.yaml")
_SEPARATOR = re.compile(
    r"^[ \t]*-?[ \t]*toc:[ \t]*\n(?:[ \t]+[\w.]+:[^\n]{0,200}\n){0,12}?[ \t]+separator:[ \t]*[\"']?(?P<mark>[^\s\"'#])",
    re.MULTILINE,
)
"""mkdocs: what the extension that makes the anchors is told to put between two words."""
_OPENS = re.compile(r" {0,3}(?:```|~~~)\w")
"""The first line of another block of code: within a block it tells that the one around it was to end before."""
_DOXYFILES = ("Doxyfile", "Doxyfile.in", "doxyfile", "doxyfile.in", "doxygen.cfg", "doxygen.conf")
_DOXYGEN = tuple(
    f"{folder}{name}"
    for folder in ("", "doc/", "docs/", "doxygen/", "doc/doxygen/", "docs/doxygen/")
    for name in _DOXYFILES
)


def code_doubt(path: str, world: World) -> str:
    """Why code may show the document with more than it holds; "" if it does not."""
    if _is_shown_by_rustdoc(path, world):
        return "rustdoc shows the document with headings of the code"
    if not is_read_in_place(path) and _is_taken_in(path, world):
        return "code beside the document takes it into a text of its own"
    return ""


def _is_taken_in(path: str, world: World) -> bool:
    """`//go:embed usage.md`: a file of code in the same folder names the document."""
    folder, name = posixpath.split(path)
    beside = (p for p in world.files if p.startswith(f"{folder}/") and posixpath.dirname(p) == folder)
    code = islice((p for p in beside if p.endswith(_PROGRAMS)), _MOST_BESIDE)
    return any(name.encode() in world.tree.read(p, SOURCE_LIMIT) for p in code)


def _is_shown_by_rustdoc(path: str, world: World) -> bool:
    """`#![doc = include_str!("../README.md")]`: the page of the crate goes on where its README ends."""
    folder, name = posixpath.split(path)
    root = posixpath.join(folder, "src/lib.rs")
    if root not in world.files:
        return False
    return bool(re.search(rb"include_str!\(\s*\"[./]*" + re.escape(name.encode()), world.tree.read(root, _CRATE)))


def doxygen_doubt(claim: Claim, world: World) -> str:
    """Doxygen: `#name` is any label of the whole site, in documents (`@page name`) and in comments of the code."""
    if claim.form != "link" or claim.owner != claim.file or is_read_in_place(claim.file):
        return ""
    if world.by_name.keys().isdisjoint(_DOXYFILES):
        return ""
    folder = posixpath.dirname(claim.file)
    while True:
        if any(posixpath.join(folder, name) in world.files for name in _DOXYGEN):
            return "on a Doxygen site the fragment may be a label of any page"
        if not folder:
            return ""
        folder = posixpath.dirname(folder)


def is_joined_otherwise(claim: Claim, target: Document, world: World) -> bool:
    """The settings of the target's site put another mark between the words of a heading than a hyphen, and so does the link."""
    if target.format != "markdown" or world.by_name.keys().isdisjoint(_MKDOCS):
        return False
    folder = posixpath.dirname(target.path)
    paths = [posixpath.join(folder, name) for name in _MKDOCS]
    while folder and world.files.isdisjoint(paths):
        folder = posixpath.dirname(folder)
        paths = [posixpath.join(folder, name) for name in _MKDOCS]
    settings = next((path for path in paths if path in world.files), "")
    told = _SEPARATOR.search(world.tree.read(settings, SOURCE_LIMIT).decode("utf-8", "replace")) if settings else None
    if told is None or told["mark"] == "-":
        return False
    titles = (block.info for block in target.blocks if block.kind == "heading")
    slugs = (slug(title) for title in titles for slug in (python_markdown_slug, unicode_slug))
    return claim.value.lower() in {slug.replace("-", told["mark"]) for slug in slugs}


def is_of_markup(claim: Claim, target: Document, world: World) -> bool:
    """Old sites make an anchor of a heading's source, tags and all: `#a-name-list-a-list` of `<a name="list"></a> List`."""
    if target.format not in ("markdown", "mdx") or not _OF_A_TAG.match(claim.value):
        return False
    lines = world.tree.read(target.path, DOCUMENT_LIMIT).decode("utf-8", "replace").split("\n")
    titles = (lines[b.line - 1] for b in target.blocks if b.kind == "heading" and b.line <= len(lines))
    slugs = (_BETWEEN.sub("-", _LEFT_OUT.sub("", title.lower())).strip("-") for title in titles if "<" in title)
    return claim.value.lower() in slugs


def is_term(claim: Claim, target: Document, world: World) -> bool:
    """Some sites make anchors of the terms of a definition list: a line, and below it one that begins with a colon."""
    if target.format not in ("markdown", "mdx") or is_read_in_place(target.path):
        return False
    text = world.tree.read(target.path, DOCUMENT_LIMIT).decode("utf-8", "replace")
    return claim.value.lower() in {usual_slug(term.strip("`*_ "), target.format) for term in _TERM.findall(text)}


_unjudged: WeakKeyDictionary[World, dict[str, str]] = WeakKeyDictionary()


def unjudged_holder(name: str, world: World) -> str:
    """AsciiDoc: the chapter that writes out the id and is not judged, such as a guide to migration; "" if there is none."""
    if world not in _unjudged:
        found = _unjudged[world] = {}
        for path in sorted(world.files):
            if path.endswith((".adoc", ".asciidoc")) and path not in world.documents and tells_history(path):
                lines = world.tree.read(path, DOCUMENT_LIMIT).decode("utf-8", "replace").split("\n")
                found.update(dict.fromkeys(explicit_ids(lines, "asciidoc"), path))
    return _unjudged[world].get(name, "")


def is_part(path: str, world: World) -> bool:
    """Another document takes it in: `import Part from '../fragments/part.mdx'`, `--8<-- "part.md"`, `{% include "part.md" %}`."""
    if is_read_in_place(path):
        return False
    if world not in _parts:
        _parts[world] = frozenset(
            posixpath.basename((found[1] or found[2]).decode("utf-8", "replace"))
            for document in world.documents
            for found in _TAKES_IN.finditer(world.tree.read(document, DOCUMENT_LIMIT))
        )
    return posixpath.basename(path) in _parts[world]


def sphinx_doubt(claim: Claim, world: World) -> str:
    """MyST: on a Sphinx site `#name` may be any label or object of the whole site."""
    folder = posixpath.dirname(claim.file)
    while folder and f"{folder}/conf.py" not in world.files:
        folder = posixpath.dirname(folder)
    if f"{folder}/conf.py".lstrip("/") not in world.files:
        return ""
    if "-" not in claim.value and claim.form != "target":
        return "on a Sphinx site the fragment may be a label or an object"
    site = (document for path, document in world.documents.items() if path.startswith(folder))
    return "another page of the Sphinx site has this label" if any(claim.value in d.anchors for d in site) else ""


def labels_headings(world: World) -> bool:
    """Sphinx is told to make labels of headings; without a configuration to read, it may be."""
    paths = [path for path in world.by_name.get("conf.py", ()) if not is_foreign(path)]
    return not paths or any(b"autosectionlabel" in world.tree.read(path, SOURCE_LIMIT) for path in paths)


def is_title(label: str, documents: Iterable[Document]) -> bool:
    """Sphinx may be told to make labels of headings, which are then written as the headings are."""
    wanted = label.rpartition(":")[2].strip().lower()
    return any(b.kind == "heading" and b.info.lower() == wanted for document in documents for b in document.blocks)


def letters(fragment: str) -> str:
    """A fragment's letters and digits: what every slug rule keeps."""
    return "".join(c for c in fragment.lower() if c.isalnum())


def marked(headings: Mapping[str, tuple[int, str]]) -> tuple[str, ...]:
    """The slugs of headings such as `Table attribute ^(2.13.3)`: what a plug-in makes a badge of is no part of the anchor."""
    return tuple(slug for slug, (_, text) in headings.items() if _MARK.search(text))


def swallowed(fragment: str, document: Document) -> list[Evidence]:
    """The heading, where it stands in a code block that nobody closed: it goes to the document's end, or to the end of the next."""
    if document.format != "markdown" or not document.blocks:
        return []
    open_ones = (
        block
        for block in document.blocks
        if block.kind == "code"
        and (block is document.blocks[-1] or any(_OPENS.match(line.text) for line in block.lines))
    )
    titles = (
        (block.line, line.line, title[1])
        for block in open_ones
        for line in block.lines
        if (title := _TITLE.match(line.text[:300]))
    )
    found = ((begin, line) for begin, line, title in titles if usual_slug(title, document.format) == fragment.lower())
    told = "the heading is taken for code: a block begins at line {} and is not closed before it"
    return [Evidence(told.format(begin), document.path, line) for begin, line in islice(found, 1)]
