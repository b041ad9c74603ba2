"""The name of a file that is there, read as that of a function: `python run_tests.py`, whatever code lost a `run_tests`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_ENDING = re.compile(r"\.[a-z]{1,5}(?![\w(.-])")
_A_FILE = uncertain("the name of a file that is there")


def doubt_file_names(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where what follows a name makes it that of a file of the repository."""
    return [(c, _A_FILE if j.verdict is Verdict.DRIFTED and _is_a_file(c, world) else j) for c, j in judged]


def _is_a_file(claim: Claim, world: World) -> bool:
    if claim.kind != "symbol":
        return False
    behind = world.line(claim).decode("utf-8", "replace")[claim.column - 1 + len(claim.text) :]
    ending = _ENDING.match(behind)
    return ending is not None and claim.text + ending[0] in world.by_name
