"""What had been put away before: it went out of `backup/`, while the document names the place that it had once.

A document that says `deploy/values.yaml` was false as soon as that file was moved to `backup/deploy/values.yaml`, and that the
backup is thrown away at last makes it no more false. So it is with what such a file defined.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.findings.model import Verdict

_ATTIC = re.compile(r"_?(?:backups?|archived?|archives|attic|old|trash|graveyard|deprecated)/", re.IGNORECASE)
"""A folder at the root where things are kept that nobody uses."""
_AWAY = uncertain("it had been put away before, and went from there")


def doubt_attic(judged: Sequence[Judged]) -> list[Judged]:
    """The judgements of a change, in doubt where all that went had been put away, and the document means the place before."""
    return [(c, _AWAY if j.verdict is Verdict.DRIFTED and _is_of_an_attic(c, j) else j) for c, j in judged]


def _is_of_an_attic(claim: Claim, judgement: Judgement) -> bool:
    paths = [judgement.subject] if claim.kind == "path" else [item.file for item in judgement.evidence if item.file]
    homes = [_ATTIC.match(path) for path in paths]
    if not paths or claim.form in LINKS:
        return False
    return all(home and home.group() not in f"{claim.subject}/{claim.file}" for home in homes)
