"""Designs: documents that show what was to be written.

Their files, names and values are those of a plan; that the code had one of them for a while, and has another now, makes the plan
no more false than it was. Where their links lead is asked all the same: who reads a design follows them today.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.reader import lead_of, title_of
from docalign_actors.engine.documents.records import is_design
from docalign_actors.engine.doubts.tending import read_text
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import Tree
from docalign_actors.findings.model import Verdict

_DESIGNED = uncertain("a design of what was to be written")


def doubt_designed(judged: Sequence[Judged], documents: Mapping[str, Document], tree: Tree) -> list[Judged]:
    """The judgements, in doubt where a design speaks of code."""
    asked = {c.file for c, j in judged if j.verdict is Verdict.DRIFTED and is_of_code(c) and c.file in documents}
    designs = {path for path in asked if _is_design(documents[path], tree)}
    return [
        (c, _DESIGNED if j.verdict is Verdict.DRIFTED and c.file in designs and is_of_code(c) else j) for c, j in judged
    ]


def is_of_code(claim: Claim) -> bool:
    """It is false only if the document speaks of today: who follows a link or an anchor does so today, whatever it is in."""
    return claim.kind not in ("anchor", "navigation") and claim.form not in ("link", "image")


def _is_design(document: Document, tree: Tree) -> bool:
    blocks = document.blocks
    return is_design(document.path, title_of(blocks), lead_of(blocks), read_text(tree, document.path))
