"""Versions: what the documentation says a project needs, against what its manifests demand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docalign_actors.engine.claims import Claim, Judgement, Rule, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.documents.tone import is_hypothetical
from docalign_actors.engine.kinds.shared.running_text import RunningText
from docalign_actors.engine.kinds.version import demands as version_judgement
from docalign_actors.engine.kinds.version import own as version_self
from docalign_actors.engine.kinds.version.text import (
    DEMAND,
    Statement,
    badges,
    dependencies,
    is_requirement_section,
    runtime,
    statements,
)
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Severity

_WORDS = {
    "python": ("python_requires",),
    "node": ("engines",),
    "ruby": ("required_ruby_version",),
    "java": ("maven", "sourceCompatibility", "languageVersion", "JavaVersion", "jvmTarget"),
}
_OLD_DOCUMENT = re.compile(r"(^|/)(versioned_docs|version-v?[\dx.]+|v\d+(\.[\dx]+)*)/")
"""Documentation that is kept for earlier versions."""
_SINCE = re.compile(
    r"\b(?:starting (?:from|with)|since|as of|from|until|before|prior to|beginning with)\s+[`*\"']*$", re.IGNORECASE
)
"""`Starting from tool>=3.0`: when a thing came, not what is needed."""
_DIGIT = re.compile(r"\d")
_PROSE = frozenset({"paragraph", "item", "row", "quote", "html"})


class VersionKind:
    """`Python 3.8+`, `Node >= 18`, `MSRV 1.70`, `click>=8`, badges; and the project's own version."""

    name = "version"
    rules = (
        Rule(
            "wrong-version", "version", "The documentation names a version that the manifest does not.", Severity.MEDIUM
        ),
    )
    markers = frozenset({"python_requires", "setuptools"})

    def extract(self, document: Document) -> Iterable[Claim]:
        if _OLD_DOCUMENT.search(document.path):
            return
        for block in document.blocks:
            if block.kind in _PROSE and (block.lines or _DIGIT.search(block.text)):
                running = RunningText(block)
                yield from _requirements(document, block, running)
                yield from _dependencies(document, block, running)
                yield from version_self.statements(document, block, running)
            elif block.kind == "code":
                yield from version_self.coordinates(document, block)
            if block.kind != "code":
                yield from _badges(document, block)

    def verify(self, claim: Claim, world: World) -> Judgement:
        if claim.subject == "self":
            return version_self.judge(claim, world)
        if not claim.value:
            return uncertain("no version is told")
        return version_judgement.judge(claim, world)


def _requirements(document: Document, block: Block, running: RunningText) -> Iterator[Claim]:
    for statement in statements(block, running):
        place = running.place(statement.start, statement.end) or running.place(
            statement.first, statement.first + len(statement.number)
        )
        if place:
            first, last = running.sentence(statement.start, statement.end)
            yield Claim(
                "version",
                statement.subject,
                place.text,
                document.path,
                place.line,
                place.column,
                form=statement.form,
                value=statement.number,
                owner=statement.owner,
                section=block.section,
                context=running.text[first:last].strip()[:300],
                words=_WORDS.get(statement.subject, ()),
                group=block.group,
                hypothetical=_may_be(block, running.text[first:last]) or not statement.strong,
                language=_shape(statement),
            )


def _may_be(block: Block, sentence: str) -> bool:
    """The sentence itself supposes something: "options such as Docker" in the next one says nothing of this demand."""
    return block.hypothetical and (block.kind == "code" or is_hypothetical(sentence))


def _shape(statement: Statement) -> str:
    """How the versions are told: the first of a list, the start of a range, or alone."""
    return "list" if statement.several else f"range:{statement.highest}" if statement.highest else ""


def _dependencies(document: Document, block: Block, running: RunningText) -> Iterator[Claim]:
    for match in dependencies(running):
        place = running.place(match.start(), match.end())
        first, last = running.sentence(match.start(), match.end())
        sentence = running.text[first:last]
        told_since = _SINCE.search(running.text[max(first, match.start() - 40) : match.start()])
        if place and not told_since and not re.search(r"\b(pip|uv|npm|poetry|conda) (install|add)\b", sentence):
            strong = is_requirement_section(block.section) and not re.search(
                r"optional|extra|\bfor\b|\bif\b|recommend", sentence, re.IGNORECASE
            )
            yield Claim(
                "version",
                match["name"],
                place.text,
                document.path,
                place.line,
                place.column,
                form="requirement",
                value=match["number"],
                section=block.section,
                context=sentence.strip()[:300],
                words=(re.split(r"\W", match["name"])[0],),
                group=block.group,
                hypothetical=block.hypothetical or not (strong or DEMAND.search(sentence)),
            )


def _badges(document: Document, block: Block) -> Iterator[Claim]:
    for inline in (*block.every_inline(), *(block.lines if block.kind == "html" else ())):
        if "badge/" not in inline.text:
            continue
        for match in badges(inline.text):
            several = bool(re.search(r"\d\.\d", match["rest"]))
            subject = runtime(match["name"])
            if subject in ("python", "rust", "go", "php") and "." not in match["number"]:
                continue
            yield Claim(
                "version",
                subject,
                match["number"],
                document.path,
                inline.line,
                inline.column + match.start("number"),
                form="badge",
                value=match["number"],
                section=block.section,
                context=match[0][:200],
                words=_WORDS.get(subject, ()),
                language="list" if several else "",
            )
