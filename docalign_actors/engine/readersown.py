"""Files that a manual tells its readers to have: `.travis.yml` or `gulpfile.js` alone, in a page for users, is one of theirs.

That this repository had one too, and went to another service, says nothing of it. Pages for those who work here, and paths with a
folder, are not meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.roles import is_for_other_tools, is_hidden_settings
from docalign_actors.findings.model import Verdict

_THEIRS = uncertain("a manual for users means a file of their own")


def doubt_readers_settings(judged: Sequence[Judged]) -> list[Judged]:
    """The judgements, in doubt where all that went is this repository's own file for a service that its users may use too."""
    return [(c, _THEIRS if j.verdict is Verdict.DRIFTED and _is_theirs(c) else j) for c, j in judged]


def _is_theirs(claim: Claim) -> bool:
    named = claim.kind == "path" and claim.form not in ("link", "image") and "/" not in claim.subject
    settings = is_hidden_settings(claim.subject) or is_for_other_tools(claim.subject)
    return named and settings and audience(claim.file) is Audience.USERS
