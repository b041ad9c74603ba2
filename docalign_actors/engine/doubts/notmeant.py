"""The doubts that lie in the documents and the code of today: whole scans and scans of a change ask them alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.lost.lines import MOST_SEARCHED
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_NAMES = frozenset({"symbol", "signature", "environment", "route", "default", "configkey", "option", "command"})


def doubt_what_is_not_meant(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where the words are the example's own, a message's, a column's, or differ in capitals only."""
    if not any(j.verdict is Verdict.DRIFTED and c.kind in _NAMES for c, j in judged):
        return list(judged)  # most scans find none, and need not load what doubts them
    from docalign_actors.engine.doubts.anycase import doubt_mere_case
    from docalign_actors.engine.doubts.columns import doubt_columns
    from docalign_actors.engine.doubts.declared import doubt_declared
    from docalign_actors.engine.doubts.diagrams import doubt_nodes
    from docalign_actors.engine.doubts.handedover import doubt_handed_over
    from docalign_actors.engine.doubts.madeof import doubt_made_variables
    from docalign_actors.engine.doubts.messages import doubt_messages
    from docalign_actors.engine.doubts.parts import doubt_parts
    from docalign_actors.engine.doubts.stems import doubt_stems
    from docalign_actors.engine.doubts.tongues import doubt_other_languages

    doubts: tuple[Callable[[Sequence[Judged]], list[Judged]], ...] = (
        lambda found: doubt_declared(found, world.documents, lru_cache(partial(_has_class, world))),
        lambda found: doubt_messages(found, world.documents),
        lambda found: doubt_handed_over(found, world),
        lambda found: doubt_columns(found, world.documents),
        lambda found: doubt_mere_case(found, world),
        lambda found: doubt_made_variables(found, world),
        lambda found: doubt_parts(found, world),
        lambda found: doubt_other_languages(found, world.documents),
        lambda found: doubt_nodes(found, world.documents),
        lambda found: doubt_stems(found, world),
    )
    kept = list(judged)
    for doubt in doubts:
        kept = doubt(kept)
    return kept


def _has_class(world: World, name: str) -> bool:
    """Own code declares a class of this name, whether or not the file was read for its facts."""
    if name in world.index.definitions:
        return True
    paths = [path for path in world.files if language_of(path) and is_own_code(path)]
    declares = re.compile(
        rb"\b(?:class|interface|trait|struct|object|record|protocol|enum)\s+" + name.encode() + rb"\b"
    )
    return len(paths) > MOST_SEARCHED or any(declares.search(world.tree.read(p, SOURCE_LIMIT)) for p in paths)
