"""Links to a heading or an id: `#slug` and `file.md#slug`, checked against what the target document offers."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import msgspec

from docalign_actors.engine.audience import is_read_in_place
from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.documents.anchors import docutils_slug, usual_slug
from docalign_actors.engine.documents.model import Document, Inline
from docalign_actors.engine.documents.rst_spans import TARGET
from docalign_actors.engine.documents.tone import is_history_title
from docalign_actors.engine.kinds.anchor import sites as sites
from docalign_actors.engine.kinds.anchor.offers import Offer, Offers, fix_of
from docalign_actors.engine.kinds.path.hosted import addresses, is_ours
from docalign_actors.engine.past import HELD
from docalign_actors.engine.ports import PastBlob
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Severity, Verdict

MISSING = Rule(
    "missing-anchor", "anchor", "A link points at a heading or id that its document does not have.", Severity.MEDIUM
)

_SCHEME = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:|//)")
_TEMPLATE = re.compile(r"[{}<>$|\\]|\[\[|%7B")
_ANY_ANCHOR = re.compile(
    r"(?:(?:your|my|some|the|a|custom|example|target|header|heading|section)[-_])?(?:anchor|fragment|heading|header|section)(?:[-_](?:name|id|link|title|here))?",
    re.IGNORECASE,
)
"""`[text](#anchor)` shows how a link is written."""
_NOT_A_HEADING = re.compile(
    r"^(?:L\d+|l\d+|fn|fnref|footnote|cite|gid=|/|!|:~:|page=|issuecomment|diff-|r\d+$|x-|\+)|[=/&?]"
)
_CREDIT = re.compile(
    r"^(?:a11y|audio|blog|bug|business|code|content|data|design|doc|example|event\w*|financial|funding\w*|ideas|infra"
    r"|maintenance|mentoring|platform|plugin|project\w*|promotion|question|research|review|security|talk|test|tool"
    r"|translation|tutorial|user\w*|video)-[\w-]+$"
)
_REFERENCES = frozenset({"ref", "numref"})
_LABEL = re.compile(r"^[A-Za-z][\w.-]{2,100}$")
_TITLE = re.compile(r"^[A-Za-z][\w.'()/-]{0,40}(?: [\w.'()/&-]{1,40}){1,10}$")
"""What a heading says: Sphinx can be told to make labels of headings."""
_DOCUMENT_SUFFIXES = (".md", ".mdx", ".markdown", ".rst", ".adoc")
_INDEXES = ("README.md", "index.md", "index.mdx", "readme.md", "README.rst", "index.rst", "README.adoc")
# What Sphinx puts before and after every page: it may define targets.
_EVERYWHERE = ("rst_epilog", "rst_prolog")
_PART = re.compile(r"(?:^|/)(?:_[^/]*|partials?|includes?|snippets|shared)(?:/|$)")
_FORM = re.compile(r"(?:^|[-_.])template\.[a-z]+$")
"""`api-docs-template.md`; but `PULL_REQUEST_TEMPLATE.md` is shown as it is."""
_CHAPTERS = (".adoc", ".asciidoc")
_REMEMBERED = 512
_LONGEST_ADDRESS = 500
_ON_TRUNK = re.compile(r"^https?://(?:www\.)?github\.com/[^/]+/[^/]+/blob/(?:main|master|HEAD)/")
_TAG_NAME = "code"
_TELLING = 12
"""Letters of a heading's slug that hardly two documents have by chance."""


class AnchorKind:
    """Fragments of links between documents."""

    name = "anchor"
    rules = (MISSING,)
    markers: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._offers: dict[int, Offer] = {}
        self._all: WeakKeyDictionary[World, Offers] = WeakKeyDictionary()
        self._parts: tuple[World, frozenset[str]] | None = None

    def _offers_of(self, world: World) -> Offers:
        if world not in self._all:
            self._all[world] = Offers(world.documents.values())
        return self._all[world]

    def _offer(self, document: Document) -> Offer:
        offer = self._offers.get(id(document))
        if offer is None or offer.document is not document:
            if len(self._offers) >= _REMEMBERED:
                self._offers.clear()
            offer = self._offers[id(document)] = Offer(document)
        return offer

    def extract(self, document: Document) -> Iterable[Claim]:
        """One claim for each fragment; the text is the fragment alone, so that the path's claim stands beside it."""
        for block in document.blocks:
            inlines = list(block.every_inline())
            for position, inline in enumerate(inlines):
                if inline.kind == "link" and "#" in inline.text:
                    wordless = _has_no_words(inline, inlines[position + 1 : position + 2])
                    yield from _link(inline, document, block.section, block.group, wordless=wordless)
                elif inline.kind == "role" and inline.label in _REFERENCES and _LABEL.match(inline.text):
                    yield _label_claim(inline, document, block.section, block.group)
                elif inline.kind == "role" and inline.label in _REFERENCES and _TITLE.match(inline.text):
                    claim = _label_claim(inline, document, block.section, block.group)
                    yield msgspec.structs.replace(claim, form="title")
                elif inline.kind == "role" and inline.label in ("xref", TARGET) and not _TEMPLATE.search(inline.text):
                    yield _claim(inline, document, "", inline.text, 0, inline.text, block.section, block.group)

    def extract_past(self, document: Document) -> Iterable[Claim]:
        """What is told of the past may be so no more, but its links still lead somewhere: to what the target once offered."""
        for claim in self.extract(document):
            if claim.form == "link" and not any(map(is_history_title, claim.section)):
                yield msgspec.structs.replace(claim, hypothetical=True)

    def verify(self, claim: Claim, world: World) -> Judgement:
        """Missing where the target was read in full and offers nothing like it: false, whatever the past was."""
        if claim.form == "label":
            return self._verify_label(claim, world)
        if claim.form == "title":
            return _verify_title(claim, world)
        chapter = claim.owner == claim.file and claim.file.endswith(_CHAPTERS)
        if claim.form == "xref" or chapter:
            holder = self._holder(claim, world) or sites.unjudged_holder(claim.value, world)
            if holder:
                return verified(Evidence("this document offers the anchor", holder))
            if (held := world.past.label(claim.value)) is not None:
                return _lost_label(claim, held)
        if claim.value.lower() == "readme" and world.exists(claim.owner):
            return verified(Evidence("GitHub shows the document, or the folder's README, there", claim.owner))
        target = _target(claim, world)
        if isinstance(target, str):
            return uncertain(target)
        offer = self._offer(target)
        if (
            offer.has(claim)
            or sites.is_joined_otherwise(claim, target, world)
            or sites.is_of_markup(claim, target, world)
            or sites.is_term(claim, target, world)
        ):
            return verified(Evidence("the target offers this anchor", target.path))
        if claim.form == "hosted" and (target.path != claim.owner or not is_ours(claim.context, world)):
            return uncertain("the address may be another repository's")
        reason = _doubt(offer, claim) or sites.sphinx_doubt(claim, world) or sites.doxygen_doubt(claim, world)
        if (claim.form == "xref" or chapter) and not reason and claim.file in self._included(world):
            reason = "the document is a part of others, which may have the anchor"
        if not reason and claim.file == target.path and sites.is_part(target.path, world):
            reason = "the document is a part of others, which may have the anchor"
        reason = reason or sites.code_doubt(target.path, world)
        if claim.form == "target" and any(world.index.occurs(word) for word in _EVERYWHERE):
            reason = "the site's settings may define the target"
        held = world.past.anchor(target.path, docutils_slug(claim.value) if claim.form == "target" else claim.value)
        if "." in claim.value and target.open_anchors:
            return uncertain("the target has anchors of objects, which its source does not show")
        if claim.hypothetical:
            reason = reason or "a picture that is a link to nothing in particular, or told of the past"
        if reason and held is None:
            return uncertain(reason)
        # What is read where it lies is read as it is: nothing is put into it.
        placed = claim.form == "hosted" or is_read_in_place(target.path)
        joined = target.open_anchors and not placed if held is not None else _may_be_joined(claim, target)
        if joined and not world.past.differential and self._is_offered_elsewhere(claim, target, world):
            return uncertain("another document has this heading, and the target may include it")
        if held is None and not placed and self._is_offered_beside(claim, target, world):
            return uncertain(
                "a document beside the target has this heading: a site may show them as one page, or alike"
            )
        return _missing(claim, offer, held)

    def _is_offered_elsewhere(self, claim: Claim, target: Document, world: World) -> bool:
        """A heading that moved into a part of the document, which is put back when the site is built."""
        return any(document is not target for document in self._offers_of(world).with_anchor(claim.value.lower()))

    def _is_offered_beside(self, claim: Claim, target: Document, world: World) -> bool:
        """A link within its page, to what it never had. Sites join the chapters of a folder, or give all its pages a frame."""
        if target.path != claim.file:
            return False
        folder = posixpath.dirname(target.path)
        offering = self._offers_of(world).with_anchor(claim.value.lower())
        return any(d is not target and posixpath.dirname(d.path) == folder for d in offering)

    def _holder(self, claim: Claim, world: World) -> str:
        """AsciiDoc: the chapters of a book refer to each other by ids alone, though each is a file of its own."""
        slugs = {claim.value.lower(), usual_slug(claim.value, "asciidoc").lower()}
        return next((d.path for d in self._offers_of(world).with_anchor(*slugs) if d.format == "asciidoc"), "")

    def _included(self, world: World) -> frozenset[str]:
        """The documents that others include."""
        if self._parts is None or self._parts[0] is not world:
            found = {
                _resolve(document.path, inline.text)
                for document in world.documents.values() if document.format == "asciidoc"
                for block in document.blocks for inline in block.inlines
                if inline.kind == "link" and inline.label == "include"
            }  # fmt: skip
            self._parts = (world, frozenset(found))
        return self._parts[1]

    def _verify_label(self, claim: Claim, world: World) -> Judgement:
        """A label may be another project's, so that only one that our own documents once held is missing."""
        slugs = {claim.value.lower(), docutils_slug(claim.value)}
        labelled = self._offers_of(world).with_label(*slugs)
        if labelled:
            return verified(Evidence("this document holds the label", labelled[0].path))
        held = world.past.label(claim.value)
        titled = self._offers_of(world).with_anchor(*slugs)
        if claim.value in world.past.open_labels:
            return uncertain("the past is asked first")
        if titled and (held is None or (sites.is_title(claim.value, titled) and sites.labels_headings(world))):
            return verified(Evidence("a heading of this document makes the label", titled[0].path))
        if held is None:
            return uncertain("no document holds this label, and none did")
        return _lost_label(claim, held)


def _verify_title(claim: Claim, world: World) -> Judgement:
    """A reference by a heading's own words. Which page it means is not said, so only a heading of the same page is missed."""
    if sites.is_title(claim.value, world.documents.values()):
        return verified(Evidence("a heading makes the label", claim.file))
    if not sites.labels_headings(world):
        return uncertain("headings make no labels here")
    held = world.past.anchor(claim.file, docutils_slug(claim.value))
    return _lost_label(claim, held) if held is not None else uncertain("no heading of this page reads so, and none did")


def _lost_label(claim: Claim, held: PastBlob) -> Judgement:
    evidence = Evidence(f"the label `{claim.value}` stood in this document", held.path, commit=held.after)
    message = f"No document holds the label `{claim.value}` any more."
    return Judgement(Verdict.DRIFTED, MISSING.id, message, (evidence,), 0.95, MISSING.severity)


def _label_claim(inline: Inline, document: Document, section: tuple[str, ...], group: int) -> Claim:
    return Claim(
        "anchor", f"label:{inline.text}", inline.text, document.path, inline.line, inline.column, form="label", value=inline.text,
        section=section, group=group,
    )  # fmt: skip


def _has_no_words(link: Inline, following: Sequence[Inline]) -> bool:
    """Nothing but a picture to click on, or nothing at all."""
    return link.label.startswith("![") or (not link.label and not any(inline.kind != "image" for inline in following))


def _link(
    inline: Inline, document: Document, section: tuple[str, ...], group: int, *, wordless: bool
) -> Iterator[Claim]:
    path, _, fragment = inline.text.partition("#")
    if (
        fragment
        and _ON_TRUNK.search(path)
        and (hosted := next(addresses(inline.text[:_LONGEST_ADDRESS]), None)) is not None
    ):
        # `https://github.com/owner/name/blob/main/docs/a.md#slug`: GitHub shows this repository's documents as they lie.
        claim = _claim(inline, document, f"/{hosted[1]}", fragment, len(path), f"#{fragment}", section, group)
        yield msgspec.structs.replace(
            claim, form="hosted", owner=hosted[1], subject=claim.subject.lstrip("/"), context=hosted[0]
        )
        return
    if not fragment or fragment.lower() in ("top", "_top") or _SCHEME.match(path) or _TEMPLATE.search(inline.text):
        return
    if not path and _CREDIT.match(fragment) and not any(c.isascii() and c.isalpha() for c in inline.label):
        return  # an emoji in a table of contributors, which leads nowhere by design
    text = inline.text[len(path) :]
    claim = _claim(inline, document, path.partition("?")[0], fragment, len(path), text, section, group)
    yield msgspec.structs.replace(claim, hypothetical=wordless)


def _claim(
    inline: Inline,
    document: Document,
    path: str,
    fragment: str,
    offset: int,
    text: str,
    section: tuple[str, ...],
    group: int,
) -> Claim:
    resolved = _resolve(document.path, unquote(path))
    return Claim(
        "anchor",
        f"{resolved}#{unquote(fragment)}",
        text,
        document.path,
        inline.line,
        inline.column + offset,
        form={TARGET: "target", "xref": "xref"}.get(inline.label, "link") if inline.kind == "role" else "link",
        value=unquote(fragment),
        owner=resolved,
        section=section,
        context=inline.label,
        words=_EVERYWHERE if inline.kind == "role" and inline.label == TARGET else (),
        group=group,
    )


def _resolve(document: str, path: str) -> str:
    """The path that a link means, from the repository's root; "/…" stays as it is."""
    if not path:
        return document
    if path.startswith("/"):
        return path
    return posixpath.normpath(posixpath.join(posixpath.dirname(document), path))


def target_paths(path: str) -> tuple[str, ...]:
    """The files that a link to this path may mean."""
    return (path, *(path + suffix for suffix in _DOCUMENT_SUFFIXES), *(f"{path}/{name}" for name in _INDEXES))


def _target(claim: Claim, world: World) -> Document | str:
    """The document that a claim points into, or why nothing can be said."""
    path = claim.owner
    if path.startswith("/"):
        return "the link is absolute: only the site knows its root"
    for candidate in target_paths(path):
        document = world.documents.get(candidate)
        if document is not None:
            return document
    if world.exists(path):
        return "the target is not a document that was read"
    return "the target is not there: see the path's own claim"


def _may_be_joined(claim: Claim, target: Document) -> bool:
    """A page of a manual may be put together from others when the site is built. A short word is a heading of many documents."""
    telling = "-" in claim.value or len(claim.value) >= _TELLING
    return telling and not is_read_in_place(target.path)


def _doubt(offer: Offer, claim: Claim) -> str:
    """Why a missing anchor may be there after all; "" if it is not."""
    document, fragment = offer.document, claim.value
    if claim.file == document.path and _PART.search(document.path):
        return "the document is a part of others, which may have the anchor"
    if claim.file == document.path and _FORM.search(document.path):
        return "the document is a form that others fill in"
    if document.open_anchors:
        return "the target has anchors that cannot be read from its source"
    if document.notes or document.format == "text":
        return "the target was not read in full"
    if _NOT_A_HEADING.search(fragment):
        return "the fragment is none of a heading"
    if _ANY_ANCHOR.fullmatch(fragment):
        return "a name that stands for any anchor"
    if "." in fragment and claim.form != "target":
        return "no heading's anchor has a dot: it is an object's"
    bare = sites.letters(fragment)
    if not bare or bare in offer.bare or any(slug.startswith(f"{fragment.lower()}-") for slug in offer.marked):
        return "the target has this heading; sites differ in how they spell its anchor"
    if _TAG_NAME in bare and bare.replace(_TAG_NAME, "") in {known.replace(_TAG_NAME, "") for known in offer.bare}:
        return "the target has this heading; some sites put the name of its tag into the anchor"
    return ""


def _missing(claim: Claim, offer: Offer, held: PastBlob | None) -> Judgement:
    target = offer.document
    fix, nearest = fix_of(claim, offer)
    where = "This document" if target.path == claim.file else f"`{target.path}`"
    evidence = [Evidence(f"no heading or id gives `{claim.value}`", target.path)]
    if swallowed := sites.swallowed(claim.value, target):
        evidence.extend(swallowed)
        fix, nearest = None, None  # the link is right, and the block is to be closed
    if held is not None:
        evidence.append(Evidence(HELD, target.path, commit=held.after))
    if nearest:
        evidence.append(Evidence(f"the nearest heading is `{nearest[1]}`", target.path, nearest[0]))
    return Judgement(
        Verdict.DRIFTED,
        MISSING.id,
        f"{where} has no heading or {'target' if claim.form == 'target' else 'id'} `{claim.text}`.",
        tuple(evidence),
        confidence=0.97,
        severity=MISSING.severity,
        fix=fix,
    )
