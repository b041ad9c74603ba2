"""A line that names what went and what it is called now: it tells of the renaming itself.

A table of what moved where, `#include "a.h"` → `#include "core/a.h"`, "`old` is now `new`": whoever wrote both knew. That holds
in every language, whatever stands between the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_NAMED = frozenset({"path", "symbol", "environment"})
"""Kinds whose claims name a thing. Two values of a setting, or two options of a command, stand on one line for other reasons."""
_TELLING = re.compile(r"[a-z][A-Z]|\w_\w|[A-Z]{3}")
"""A name that no sentence has by chance."""
_TARGET = re.compile(r"\]\([^()\s]{0,300}\)")
"""Where a link leads: its words may still tell the old place."""
_RENAMED = re.compile(r"renamed to (?P<path>[^\s`]{1,500})")
_PATH = re.compile(r"[\w.@+/-]{1,300}")
_LONGEST_LINE = 4_000
_BOTH = uncertain("the line names what it is called now, too")


def doubt_both_names(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where the line has the new name beside the old one."""
    return [(c, _BOTH if j.verdict is Verdict.DRIFTED and _names_both(c, j, world) else j) for c, j in judged]


def _names_both(claim: Claim, judgement: Judgement, world: World) -> bool:
    if claim.kind not in _NAMED or claim.form in ("link", "image"):
        return False
    new = judgement.fix.replacement if judgement.fix is not None else ""
    moved = [match["path"] for item in judgement.evidence if (match := _RENAMED.search(item.text))]
    if not new and not moved:
        return False
    line = _TARGET.sub("] ", world.line(claim)[:_LONGEST_LINE].decode("utf-8", "replace"))
    return _has(line, new, claim.text) or any(_leads_to(line, path, claim.text) for path in moved)


def _has(line: str, new: str, old: str) -> bool:
    """The new name as a word of its own, not within the old one."""
    if not _TELLING.search(new) or new in old:
        return False
    return re.search(rf"(?<![\w$/-]){re.escape(new)}(?![\w$-])", line.replace(old, " ")) is not None


def _leads_to(line: str, path: str, old: str) -> bool:
    """A path on the line ends as the new one does, told with a folder or by another name than before."""
    old = old.strip("./")
    told = {found.strip("./") for found in _PATH.findall(line)} - {old, ""}
    name = old.rpartition("/")[2]
    return any(
        (path == one or path.endswith(f"/{one}")) and ("/" in one or one != name) and not f"/{old}".endswith(f"/{one}")
        for one in told
    )
