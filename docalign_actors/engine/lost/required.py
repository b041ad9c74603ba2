"""Files of Ruby's load path that have just gone, where a document requires them: `require "tool/server"`, and in a Gemfile
`gem "tool", require: ["tool/rails"]`. What is required is a path without its `lib/` and its suffix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.path.fixes import gone
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import LONGEST_LINE, code_in
from docalign_actors.engine.ports import History
from docalign_actors.engine.roles import is_fixture, is_foreign
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_FEATURE = re.compile(r"(?:[\w.-]+/){0,6}lib/(?P<name>[a-z]\w*(?:[/-]\w+)*)\.rb")
_REQUIRES = re.compile(r"(?<![\w.])require:?[\s(]")
_OF_TWO_WORDS = re.compile(r"\w[/_-]\w")
_MOST = 60


def lost_required(judged: Sequence[Judged], world: World, history: History) -> list[Judged]:
    """Claims that no kind made: what documents require, and no file of a load path is called so any more."""
    went = {path: name for path in history.lately_removed() if (name := _feature(path))}
    here = {name for path in world.files if (name := _feature(path))} if went else set()
    asked = [path for path, name in went.items() if name not in here and not (is_foreign(path) or is_fixture(path))]
    removals = history.removed(asked[:_MOST]) if asked else {}
    told = {went[path]: removal for path, removal in removals.items() if removal.recent}
    beside = Beside(judged if told else ())
    return [
        (claim, gone(told[claim.subject], "missing-path", 0.9, _feature(told[claim.subject].successor)))
        for claim in _places(told, world.documents)
        if not any(judgement.verdict is not Verdict.UNCERTAIN for _, judgement in beside.of(claim))
    ]


def _feature(path: str) -> str:
    """What a file is required as; "" for a file elsewhere, and for one of a single common word."""
    match = _FEATURE.fullmatch(path)
    return match["name"] if match is not None and _OF_TWO_WORDS.search(match["name"]) else ""


def _places(names: Mapping[str, object], documents: Mapping[str, Document]) -> Iterator[Claim]:
    quoted = re.compile(rf"[\"'](?P<name>{'|'.join(map(re.escape, names))})[\"']") if names else None
    for document in documents.values() if quoted is not None else ():
        for block in document.blocks if not document.history else ():
            if quoted is not None and any(name in block.text for name in names):
                yield from _in_block(quoted, document, block)


def _in_block(quoted: re.Pattern[str], document: Document, block: Block) -> Iterator[Claim]:
    for inline in code_in(block):
        text = inline.text[:LONGEST_LINE]
        required = _REQUIRES.search(text)
        for match in quoted.finditer(text, required.end()) if required is not None else ():
            yield Claim(
                "path", match["name"], match["name"], document.path, inline.line, inline.column + match.start("name"),
                form="span", section=block.section,
            )  # fmt: skip
