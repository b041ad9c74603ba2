"""Variables that envconfig makes of a struct's fields: no code has their names, whatever a container or a script gives them.

That `ENV MAIL_SMTP_MAXRECIPIENTS=300` went from a Dockerfile says nothing while a struct has the field `MaxRecipients`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.lines import MOST_SEARCHED
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

MAKER = b"envconfig"
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_MADE = uncertain("a library may make it of a field of that name")


def doubt_made_variables(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where a variable is called gone and envconfig makes it of a field."""
    called = {c.subject for c, j in judged if _is_called_gone(c, j)}
    made = _made(called, world) if called else set[str]()
    return [(c, _MADE if c.subject in made and _is_called_gone(c, j) else j) for c, j in judged]


def field_of(variable: str) -> re.Pattern[bytes]:
    """The line of a struct that declares what a variable is made of, by its last part."""
    return re.compile(rb"(?im)^\s*" + variable.rpartition("_")[2].encode() + rb"\s+[\w.*\[\]]+\s*(?:`.*)?$")


def _is_called_gone(claim: Claim, judgement: Judgement) -> bool:
    gone = judgement.verdict is Verdict.DRIFTED and claim.kind == "environment"
    return gone and _VARIABLE.fullmatch(claim.subject) is not None


def _made(variables: set[str], world: World) -> set[str]:
    paths = [path for path in world.files if language_of(path) == "go" and is_own_code(path)]
    texts = (world.tree.read(path, SOURCE_LIMIT) for path in (paths if len(paths) <= MOST_SEARCHED else ()))
    telling = [text for text in texts if MAKER in text]
    return {name for name in variables if any(field_of(name).search(text) for text in telling)}
