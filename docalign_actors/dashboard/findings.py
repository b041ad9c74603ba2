"""One false claim as people read it: what is wrong, where it stands, how that is known, what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docalign_actors.dashboard.html import Markup, Node, h, join
from docalign_actors.dashboard.parts import chip, code, prose
from docalign_actors.dashboard.words import SEVERITY_TONES, short
from docalign_actors.reporting.style import plural
from docalign_actors.scans.views import FindingView

CUT = 400
"""The most of a line that is shown: a line may be a whole book."""
SHORTEST_COMMIT = 7
"""Digits by which a sentence may name a commit already."""


def article(finding: FindingView) -> Markup:
    """A finding with all that is known about it."""
    first = _first(finding)
    return h(
        "article",
        h("h3", prose(finding.message)),
        h("p", chip(f"{finding.severity} severity", SEVERITY_TONES.get(finding.severity, "quiet")), " ",
          chip("new", "busy") if finding.new else None, " ",
          chip("said by an agent", "quiet") if finding.decided_by else None, " ", h("code", finding.rule, class_="rule"), " ",
          h("span", f"{finding.confidence:.0%} certain", class_="soft"), class_="tags"),
        excerpt(first) or h("p", "The claim: ", code(finding.claim)),
        _evidence(finding),
        fix(first, finding.fix),
        _mentions(finding),
        class_=f"finding {SEVERITY_TONES.get(finding.severity, 'quiet')}", id=f"f-{finding.id}", data_key=finding.id,
    )  # fmt: skip


def _first(finding: FindingView) -> Mapping[str, Any]:
    place = {"file": finding.file, "line": finding.line, "column": finding.column}
    found = finding.mentions[0] if finding.mentions else {}
    return {"text": finding.claim, **place, **{k: v for k, v in found.items() if v is not None}}


def excerpt(mention: Mapping[str, Any]) -> Markup | None:
    """The line of the document, with the claim marked."""
    place = h("span", f"{mention.get('file', '')}:{mention.get('line', 0)}", class_="place")
    source, text = str(mention.get("source") or ""), str(mention.get("text") or "")
    if not source:
        return h("figure", h("figcaption", place), h("pre", h("mark", text))) if text else None
    before, marked, after = parted(source, text, int(mention.get("column") or 1))
    return h("figure", h("figcaption", place), h("pre", before, h("mark", marked) if marked else None, after))


def parted(source: str, text: str, column: int) -> tuple[str, str, str]:
    """The line before the claim, the claim, and the line behind it; cut where it is too long. Bad columns mark nothing."""
    start = column - 1
    if not text or source[max(start, 0) : start + len(text)] != text:
        return source[:CUT], "", "…" if len(source) > CUT else ""
    end = start + len(text)
    before, after = source[:start], source[end:]
    if len(before) > CUT:
        before = "…" + before[-CUT:]
    return before, text, after if len(after) <= CUT else after[:CUT] + "…"


def _evidence(finding: FindingView) -> Markup | None:
    if not finding.evidence:
        return None
    return h("div", h("h4", "Evidence"), h("ul", [h("li", _one(item)) for item in finding.evidence]), class_="evidence")


def _one(item: Mapping[str, Any]) -> Markup:
    place = str(item.get("file") or "")
    if place and item.get("line"):
        place += f":{item['line']}"
    text, commit = str(item.get("text") or ""), str(item.get("commit") or "")
    told = commit[:SHORTEST_COMMIT] in text
    return join(
        prose(text),
        join(" ", code(place)) if place else None,
        None if told else join(" at ", code(short(commit))),
    )


def fix(mention: Mapping[str, Any], remedy: Mapping[str, Any] | None) -> Markup | None:
    """What to write instead, as a small difference of one line."""
    offered = remedy or {}
    replacement = mention.get("replacement", offered.get("replacement"))
    if replacement is None:
        return None
    text, source = str(mention.get("text") or ""), str(mention.get("source") or "")
    before, marked, after = parted(source, text, int(mention.get("column") or 1))
    if not marked:
        before, marked, after = "", text, ""
    minus = _line("-", before, h("del", marked), after)
    plus = _line("+", before, h("ins", str(replacement)), after)
    safe = mention.get("safe") or offered.get("safe")
    doubt = None if safe else h("span", " (not certain: read it before you apply it)", class_="soft")
    return h("div", h("h4", "Fix", doubt), h("pre", minus, plus, class_="diff"))


def _line(sign: str, before: str, change: Node, after: str) -> Markup:
    return h("span", f"{sign} ", before, change, after, "\n", class_="minus" if sign == "-" else "plus")


def _mentions(finding: FindingView) -> Markup | None:
    others = finding.mentions[1:]
    if not others:
        return None
    shown = [h("li", excerpt(mention) or code(f"{mention.get('file')}:{mention.get('line')}")) for mention in others]
    return h(
        "details",
        h("summary", plural(len(others), "further place", "further places")),
        h("ul", shown, class_="mentions"),
    )
