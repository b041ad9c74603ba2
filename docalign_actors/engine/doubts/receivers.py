"""What an example asks of its own variables: `configuration.get_run_log()`, where the example's function is given `configuration`.

A function that went from a module is called by its name or behind the module's. Behind a variable that the example itself makes
stands a method of whatever that is, and that a function of the same name went says nothing of it. What is given up: a function
that readers reach through a variable which holds the module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ondemand import FactsOnDemand
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_MADE = (
    r"\b(?:def|function|fn|func|fun)\s+\w{{0,80}}\s*\([^()\n]{{0,200}}(?<![\w.]){name}(?![\w.(])"
    r"|^\s*(?:(?:const|let|var|final|auto) )?{name}(?:\s*:\s*[\w.]{{1,60}})?\s*:?=(?!=)"
)
"""A function is given it, or a line gives it a value."""
_TAKEN = re.compile(r"\brequire\b|\bimport\b|\bdynamic_import\b|\bimportlib\b")
_LONGEST = 600
_OF_THE_EXAMPLE = uncertain("the example asks it of a variable of its own, and what went was a function")


def doubt_own_variables(judged: Sequence[Judged], base: Tree, facts: FactsOnDemand, world: World) -> list[Judged]:
    """The judgements, in doubt where an example calls a method of its own variable, and a mere function of that name went.

    `facts` are those of the base.
    """
    return [(c, _OF_THE_EXAMPLE if _is_of_the_example(c, j, base, facts, world) else j) for c, j in judged]


def _is_of_the_example(claim: Claim, judgement: Judgement, base: Tree, facts: FactsOnDemand, world: World) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or claim.kind != "symbol" or judgement.fix is not None:
        return False
    if claim.file not in world.documents:
        return False
    name = (judgement.subject or claim.subject).rpartition(".")[2]
    block = _block(claim, world.documents[claim.file])
    receiver = _receiver(name, claim, block) if block is not None else ""
    if block is None or not receiver or not _makes(receiver, block):
        return False
    paths = [item.file for item in judgement.evidence if item.file in base.entries]
    return bool(paths) and all(_is_mere_function(name, facts.of((path, base.entries[path].oid))) for path in paths)


def _block(claim: Claim, document: Document) -> Block | None:
    """The example that holds the claim's line."""
    return next((b for b in document.blocks if b.lines and b.lines[0].line <= claim.line <= b.lines[-1].line), None)


def _receiver(name: str, claim: Claim, block: Block) -> str:
    """What stands before the name on its line, everywhere the same; "" if it stands alone somewhere."""
    texts = [line.text[:_LONGEST] for line in block.lines if line.line == claim.line]
    used = re.compile(rf"(?:(?<![\w.])([A-Za-z_]\w*)\.)?(?<!\w){re.escape(name)}(?!\w)")
    found = {match[1] or "" for text in texts for match in used.finditer(text)}
    return found.pop() if len(found) == 1 else ""


def _makes(name: str, block: Block) -> bool:
    made = re.compile(_MADE.format(name=re.escape(name)))
    lines = [line.text[:_LONGEST] for line in block.lines if name in line.text]
    return any(made.search(line) and not _TAKEN.search(line) for line in lines)


def _is_mere_function(name: str, facts: FileFacts) -> bool:
    """The file defined functions of this name, and nothing that belongs to a class."""
    kinds = {definition.kind for definition in facts.definitions if definition.name == name}
    return kinds == {"function"} or (not kinds and any(name in (i.name, i.alias) for i in facts.imports))
