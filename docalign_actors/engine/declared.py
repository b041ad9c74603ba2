"""Names that a document's own example declares, with a type and a value: `List<Format> formats = …`.

Such a variable is the reader's. That code had one of the same name, and has it no more, says nothing of the example. What is
given up: a listing of own code that declares the name in just this way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_TYPED = frozenset("java kotlin scala groovy csharp c# cs c cpp c++ cc dart objc".split())
_DECLARATION = re.compile(
    r"\s*(?:(?:final|const) )?[A-Za-z_][\w.:]*(?:<[^;=\n]{0,120}>)?(?:\[\])?[&*]{0,2} +[&*]{0,2}([A-Za-z_]\w*) *=(?!=)"
)
_DECLARED = uncertain("the document's own example declares it")
_LONGEST = 600


def doubt_declared(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where the name that code lost is a variable of the document's examples."""
    known: dict[str, frozenset[str]] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        if judgement.verdict is Verdict.DRIFTED and claim.kind in ("symbol", "environment"):
            if claim.file not in known:
                known[claim.file] = _declared(documents.get(claim.file))
            name = (judgement.subject or claim.subject).rpartition(".")[2]
            if name in known[claim.file] and re.split(r"[.(:#]", claim.text)[0] == name:
                judgement = _DECLARED
        result.append((claim, judgement))
    return result


def _declared(document: Document | None) -> frozenset[str]:
    return frozenset(
        match[1]
        for block in (document.blocks if document else ())
        if block.language.lower() in _TYPED
        for line in block.lines
        if (match := _DECLARATION.match(line.text[:_LONGEST]))
    )
