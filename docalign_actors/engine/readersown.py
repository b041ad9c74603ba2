"""Files that a manual tells its readers to have: `.travis.yml` or `gulpfile.js` alone, in a page for users, is one of theirs.

So is `tool.toml`, which the program `tool` looks for in a folder of theirs. That this repository had one too says nothing of it.
Pages for those who work here, and paths with a folder, are not meant.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.commands import own_names
from docalign_actors.engine.roles import is_for_other_tools, is_hidden_settings
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_THEIRS = uncertain("a manual for users means a file of their own")


_SETTINGS = frozenset((".toml", ".yml", ".yaml", ".json", ".json5", ".ini", ".conf", ".cfg"))


def doubt_readers_settings(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where all that went is this repository's own file of a kind that its users have too."""
    return [(c, _THEIRS if j.verdict is Verdict.DRIFTED and _is_theirs(c, j, world) else j) for c, j in judged]


def _is_theirs(claim: Claim, judgement: Judgement, world: World) -> bool:
    if claim.kind != "path" or claim.form in ("link", "image"):
        return False
    settings = is_hidden_settings(claim.subject) or is_for_other_tools(claim.subject)
    if settings and "/" not in claim.subject and audience(claim.file) is Audience.USERS:
        return True
    stem, suffix = posixpath.splitext(claim.text.lstrip(".").lower())
    # Told by its name alone, although the one that went lay in a folder: it is looked for elsewhere.
    told = suffix in _SETTINGS and f"`{claim.text}`" not in judgement.message
    return told and audience(claim.file) is not Audience.WORKERS and stem in own_names(world)
