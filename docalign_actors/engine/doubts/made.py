"""Links within a page that a program writes: what they lead to was never there, and whoever reads the page cannot mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.recipes import made_by_programs
from docalign_actors.findings.model import Verdict

_MADE = uncertain("a program writes the page, and its links to itself with it")


def doubt_made(judged: Sequence[Judged], documents: Mapping[str, Document], tree: Tree) -> list[Judged]:
    """The judgements, in doubt where a page that a program writes leads nowhere within itself, and never did otherwise."""
    dead = {
        id(c): c.file
        for c, j in judged
        if c.kind == "anchor"
        and c.owner == c.file
        and j.verdict is Verdict.DRIFTED
        and not any(item.commit for item in j.evidence)
    }
    made = made_by_programs(frozenset(dead.values()), documents, tree) if dead else {}
    return [(c, _MADE if dead.get(id(c)) in made else j) for c, j in judged]
