"""Words that a sentence calls a file or what is in it: "the `public_api` tests", where `tests/public_api.rs` is there.

That a function once took a parameter of this name says nothing of them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_CALLED = re.compile(
    r"`?[\"*_]{0,2}\s+(?:(?:test|unit|integration)\s)?(?:tests?|suites?|modules?|files?|crates?|scripts?|binary|fixtures?|folders?)\b"
)
_KINDS = frozenset({"signature"})
_FILE = uncertain("the sentence speaks of a file of this name, which is there")


def doubt_stems(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where a word that is no parameter any more is said to be a file that there is."""
    return [
        (c, _FILE if j.verdict is Verdict.DRIFTED and c.kind in _KINDS and _is_file(c, world) else j) for c, j in judged
    ]


def _is_file(claim: Claim, world: World) -> bool:
    after = world.line(claim).decode("utf-8", "replace")[claim.column - 1 + len(claim.text) :]
    return _CALLED.match(after) is not None and any(posixpath.splitext(name)[0] == claim.text for name in world.by_name)
