"""What a diagram calls its own nodes: `RadarrAPI["Radarr API"]` is a box with these words, whatever code had of that name.

Where the words are the name, `RowList[RowList]`, the box stands for the thing itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_NODE = re.compile(
    r"(?<![\w-])(?P<id>[A-Za-z_]\w{0,80})(?:\[\(|\(\[|\[\[|\(\(|\{\{|[\[({>])\"?(?P<words>[^\]\[(){}\"]{1,200})"
)
_ALIAS = re.compile(r"\s*(?:participant|actor)\s+(?P<id>\w{1,80})\s+as\s+(?P<words>.{1,200})$")
_DIAGRAMS = frozenset({"mermaid"})
_MOST_LINES = 400
_LONGEST_LINE = 400
_KINDS = frozenset({"symbol", "configkey", "environment"})
_ITS_OWN = uncertain("it is what the diagram calls a box, which has other words")


def doubt_nodes(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where a name is no more than what a diagram calls one of its nodes."""
    return [
        (c, _ITS_OWN if j.verdict is Verdict.DRIFTED and c.kind in _KINDS and _is_node(c, documents) else j)
        for c, j in judged
    ]


def _is_node(claim: Claim, documents: Mapping[str, Document]) -> bool:
    document = documents.get(claim.file)
    block = document.block_at(claim.line) if document is not None else None
    if block is None or block.kind != "code" or block.language.lower() not in _DIAGRAMS:
        return False
    words = _words_of(claim.text, block)
    return bool(words) and not any(claim.text in told for told in words)


def _words_of(name: str, block: Block) -> list[str]:
    """What the boxes of this name read."""
    lines = [line.text[:_LONGEST_LINE] for line in block.lines[:_MOST_LINES] if name in line.text]
    nodes = (node for line in lines for node in (*_NODE.finditer(line), *filter(None, [_ALIAS.match(line)])))
    return [node["words"] for node in nodes if node["id"] == name]
