"""What a document offers to links, and which of it a link meant that finds nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.anchors import docutils_slug, usual_slug
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.kinds.anchor import sites as sites
from docalign_actors.findings.model import Fix

_SITE_PREFIXES = ("user-content-", "content-", "markdown-header-", "readme-")
_ALIKE = 0.85
_EXTENDED = 0.7
_SUGGESTED = 0.6
_ENDING = 3
"""Letters. `configure` and `configuring` are one word; `incident` and `incidentphase` are two."""
_STEM = 5
_MOST_HEADINGS = 1_000
_MOST_COMPARED = 20_000
"""Pairs of a broken link and a heading, in one document: the rest of its links gets no suggestion."""


class Offer:
    """What a document offers to links, worked out once for all of them."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.lowered = frozenset(anchor.lower() for anchor in document.anchors)
        self.bare = frozenset(sites.letters(anchor) for anchor in document.anchors)
        self.compared = 0
        links = (inline for block in document.blocks for inline in block.every_inline() if inline.kind == "link")
        # reStructuredText: the label of a link is a name for its address.
        self.names = frozenset(docutils_slug(link.label) for link in links) if document.format == "rst" else frozenset()
        self.headings: dict[str, tuple[int, str]] = {}
        for block in document.blocks:
            if block.kind == "heading" and block.info and len(self.headings) < _MOST_HEADINGS:
                self.headings.setdefault(usual_slug(block.info, document.format)[:200], (block.line, block.info))
        self.headings.pop("", None)
        self.joined = _joined(document)
        self.marked = sites.marked(self.headings)

    def has(self, claim: Claim) -> bool:
        """Some site would find it. Case does not matter: GitHub scrolls to it all the same."""
        wanted = claim.value.lower()
        if wanted in self.lowered or any(wanted.removeprefix(prefix) in self.lowered for prefix in _SITE_PREFIXES):
            return True
        if wanted in self.joined:
            return True
        heading, tabs, tab = wanted.partition("--")
        if tabs and heading in self.lowered and tab in self.lowered:
            return True  # mkdocs: a tab below a heading
        slug = docutils_slug(claim.value) if claim.form == "target" else ""
        return claim.form == "target" and (not slug or slug in self.lowered or slug in self.names)


class Offers:
    """Which of many documents offer something, worked out once for all links."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._anchors: dict[str, list[tuple[int, Document]]] = defaultdict(list)
        self._labels: dict[str, list[tuple[int, Document]]] = defaultdict(list)
        for number, document in enumerate(documents):
            for anchor in {anchor.lower() for anchor in document.anchors}:
                self._anchors[anchor].append((number, document))
            for label in document.labels:
                self._labels[label].append((number, document))

    def with_anchor(self, *slugs: str) -> list[Document]:
        """The documents that have one of these anchors, in their order."""
        return _in_order(self._anchors, slugs)

    def with_label(self, *slugs: str) -> list[Document]:
        """The documents that write out one of these labels, in their order."""
        return _in_order(self._labels, slugs)


def _in_order(places: Mapping[str, Sequence[tuple[int, Document]]], slugs: Iterable[str]) -> list[Document]:
    found = dict(place for slug in slugs for place in places.get(slug, ()))
    return [found[number] for number in sorted(found)]


def _joined(document: Document) -> frozenset[str]:
    """Some sites give a heading the slugs of those above it and its own, joined: `data-api-setitem`."""
    found: set[str] = set()
    for block in document.blocks:
        if block.kind == "heading" and block.info and len(found) < 2 * _MOST_HEADINGS:
            titles = [title for title in block.section if title != block.info]
            slugs = [usual_slug(title, document.format)[:200] for title in (*titles, block.info)]
            found.update("-".join(slugs[start:]) for start in range(len(slugs) - 1))
    return frozenset(found)


def fix_of(claim: Claim, offer: Offer) -> tuple[Fix | None, tuple[int, str] | None]:
    """The heading that took the place of the one linked to, if one stands out."""
    offer.compared += len(offer.headings)
    if offer.compared > _MOST_COMPARED:
        return None, None
    from difflib import SequenceMatcher  # only where something is missing

    headings = offer.headings
    named = usual_slug(claim.context, offer.document.format)
    elsewhere, first = offer.document.path != claim.file, next(iter(headings), "")
    if claim.form == "link" and named in headings:  # the link's own words are the heading's
        # A page's title names that page, `Event` all that is like `#events-prepare`: which section is meant, the words do not tell.
        safe = named != first and not _is_a_part(named, claim.value.lower())
        return Fix(_replacement(claim, named, headings), safe=safe), headings[named]
    old = docutils_slug(claim.value) if claim.form == "target" else claim.value.lower()
    matcher = SequenceMatcher(b=old)
    scored = []
    for slug in headings:
        matcher.set_seq1(slug)
        if matcher.real_quick_ratio() >= _SUGGESTED and matcher.quick_ratio() >= _SUGGESTED:
            scored.append((matcher.ratio(), slug))
    extended = [slug for ratio, slug in scored if ratio >= _EXTENDED and _extends(slug, old)]
    alike = [slug for ratio, slug in scored if ratio >= _ALIKE and (_inflects(slug, old) or _extends(slug, old))]
    respelt = [slug for _, slug in scored if slug.replace("-", "") == old.replace("-", "")]
    for certain in (respelt, alike, extended):
        if len(certain) == 1:
            # `#windows-installation` was a part of what is called `Installation`: where that went, another page may tell.
            part = len(certain[0]) < len(old)
            whole = part and (elsewhere or certain[0] == first or _is_linked(offer.document, certain[0]))
            # One word that two headings have, `Install` and `npm installation`: either may be what is left of `Installation`.
            shared = "-" not in old and certain[0] != old and _is_shared(certain[0], old, headings)
            return Fix(_replacement(claim, certain[0], headings), safe=not (whole or shared)), headings[certain[0]]
    best = max(((ratio, slug) for ratio, slug in scored if _shares_a_word(slug, old)), default=(0.0, ""))
    if best[0] >= _SUGGESTED:
        return Fix(_replacement(claim, best[1], headings), safe=False), headings[best[1]]
    return None, None


def _is_linked(document: Document, slug: str) -> bool:
    """The page leads to that heading too: it is another one, and was there all along."""
    inlines = (inline for block in document.blocks for inline in block.every_inline())
    return any(inline.kind == "link" and inline.text.lower() == f"#{slug}" for inline in inlines)


def _replacement(claim: Claim, slug: str, headings: Mapping[str, tuple[int, str]]) -> str:
    if claim.form == "target":
        return headings[slug][1]
    return f"#{slug}" if claim.text.startswith("#") else slug


def _shares_a_word(slug: str, old: str) -> bool:
    """`#pagination` and `#validation` are alike as letters, and nobody who misses one looks for the other."""
    before = {word[:_STEM] for word in old.split("-") if len(word) > 2}
    return not before.isdisjoint(word[:_STEM] for word in slug.split("-"))


def _is_a_part(slug: str, old: str) -> bool:
    """The anchor that is gone says all that this one does, and more."""
    words, before = slug.split("-"), old.split("-")
    return len(words) < len(before) and {word[:_STEM] for word in words} <= {word[:_STEM] for word in before}


def _is_shared(chosen: str, old: str, headings: Iterable[str]) -> bool:
    return any(slug != chosen and _shares_a_word(slug, old) for slug in headings)


def _inflects(slug: str, old: str) -> bool:
    """Word for word the same, but for endings: `acr` and `scalr` are alike as letters, and two different things."""
    words, before = slug.split("-"), old.split("-")
    pairs = list(zip(words, before, strict=False))
    return len(words) == len(before) and all(
        a == b or (min(len(a), len(b)) > 2 and abs(len(a) - len(b)) <= _ENDING and (a.startswith(b) or b.startswith(a)))
        for a, b in pairs
    )


def _extends(slug: str, old: str) -> bool:
    """One is the other with words put before or after it."""
    longer, shorter = (slug, old) if len(slug) > len(old) else (old, slug)
    return len(shorter) >= 4 and (longer.startswith(shorter + "-") or longer.endswith("-" + shorter))
