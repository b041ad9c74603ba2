"""Names that are the end of a longer one, of which the document leaves the beginning open: `{Type}CipherSeeder`."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_KINDS = frozenset({"symbol", "environment", "configkey", "signature"})
_PART = uncertain("it is the end of a longer name, whose beginning stands for any")


def doubt_parts(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where a placeholder in braces stands right before the name."""
    return [
        (c, _PART if j.verdict is Verdict.DRIFTED and c.kind in _KINDS and _is_part(c, world) else j) for c, j in judged
    ]


def _is_part(claim: Claim, world: World) -> bool:
    line = world.line(claim).decode("utf-8", "replace")
    before = line[: claim.column - 1]
    # `}` may also end a block of code: only a word within the braces is a placeholder.
    opened = before.rpartition("{")[2]
    return before.endswith("}") and opened[:-1].replace("_", "").replace("-", "").isalnum()
