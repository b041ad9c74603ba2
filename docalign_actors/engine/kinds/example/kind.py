"""Code blocks that are meant to be whole and do not parse. Silent unless nothing else can be meant."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from docalign_actors.engine.claims import Claim, Judgement, Rule, verified
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.documents.tone import introduces_mistake
from docalign_actors.engine.kinds.example.syntax import LANGUAGES, looks_whole, syntax_error
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Severity, Verdict

BROKEN = Rule("broken-example", "example", "A whole code example does not parse in its own language.", Severity.LOW)

_FEWEST_LINES = 3
_MOST_LINES = 400
_LONGEST = 40_000
_FRAGMENT = re.compile(
    r"\bno-?(?:run|test|check|lint)\b|\b(?:ignore|skip|invalid|fragment|diff|should_panic|compile_fail)\b"
)

_TITLE = re.compile(r"""title=["'][^"']*\.(?P<suffix>\w{1,6})["']""")
_SUFFIXES = {
    "Python": ("py", "pyi"), "JSON": ("json",), "TOML": ("toml", "lock"), "YAML": ("yaml", "yml"), "Go": ("go",),
    "Rust": ("rs",), "Java": ("java",),
}  # fmt: skip


class ExampleKind:
    """Examples in Python, JSON, TOML, YAML, Go, Rust and Java."""

    name = "example"
    rules = (BROKEN,)
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        """One claim for each whole example; `value` says what is wrong with it, and the text is the line where."""
        for before, block in _examples(document):
            if introduces_mistake(before) or _FRAGMENT.search(block.info) or _is_of_another_format(block):
                continue
            claim = _claim(document, block)
            if claim:
                yield claim

    def verify(self, claim: Claim, world: World) -> Judgement:
        """An example needs nothing but its language."""
        if not claim.value:
            return verified(Evidence(f"parses as {claim.language}"))
        evidence = Evidence(claim.value, claim.file, claim.line)
        message = f"This {LANGUAGES[claim.language]} example does not parse: {claim.value}."
        return Judgement(Verdict.DRIFTED, BROKEN.id, message, (evidence,), 0.9, BROKEN.severity)


def _is_of_another_format(block: Block) -> bool:
    """The block's title names a file of another kind: the language is there for the colours only."""
    title = _TITLE.search(block.info)
    return title is not None and title["suffix"].lower() not in _SUFFIXES[LANGUAGES[block.language]]


def _examples(document: Document) -> Iterator[tuple[str, Block]]:
    """Code blocks in a language that is read here, each with the words before it."""
    before = ""
    for block in document.blocks:
        if block.kind == "code":
            if block.language in LANGUAGES and _FEWEST_LINES <= len(block.lines) <= _MOST_LINES:
                yield before, block
            before = ""
        else:
            before = " ".join((block.info, block.text)) if block.kind == "heading" else block.text


def _claim(document: Document, block: Block) -> Claim | None:
    code = "\n".join(line.text for line in block.lines)
    filled = [line for line in block.lines if line.text.strip()]
    if len(code) > _LONGEST or len(filled) < _FEWEST_LINES or not looks_whole(block.language, code):
        return None
    error = syntax_error(block.language, code)
    place = filled[0]
    if error:
        place = next((line for line in block.lines[error.line :] if line.text.strip()), filled[-1])
        if 0 <= error.line < len(block.lines) and block.lines[error.line].text.strip():
            place = block.lines[error.line]
    text = place.text.strip()
    return Claim(
        "example",
        hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()[:16],
        text,
        document.path,
        place.line,
        place.column + len(place.text) - len(place.text.lstrip()),
        form="example",
        value=error.message if error else "",
        language=block.language,
        section=block.section,
        hypothetical=block.hypothetical,
    )
