"""The looks for what the last commits took away, in their order.

What one look has told of a text no later one tells again, so the order decides what a finding says. It goes from what is known
of a thing to what it merely resembles: a whole string (`tool list`, `/api/items`) before the names in it, a name before the value
beside it, what has a declaration of its own before what only stands among others of its kind, and a file's whole path last,
because a path in a document is nearly always some other claim's text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from docalign_actors.engine.claims import NOWHERE, Claim, Judgement
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.lost.arguments import lost_arguments
from docalign_actors.engine.lost.called import lost_calls
from docalign_actors.engine.lost.choices import lost_choices
from docalign_actors.engine.lost.declared import lost_declared
from docalign_actors.engine.lost.demanded import lost_demands
from docalign_actors.engine.lost.features import lost_features
from docalign_actors.engine.lost.keys import lost_keys
from docalign_actors.engine.lost.letters import lost_letters
from docalign_actors.engine.lost.lines import Edit, edits_of
from docalign_actors.engine.lost.literals import lost_literals
from docalign_actors.engine.lost.names import lost_names
from docalign_actors.engine.lost.packages import lost_packages
from docalign_actors.engine.lost.paths import lost_paths, lost_whole_paths
from docalign_actors.engine.lost.printed import lost_prints
from docalign_actors.engine.lost.required import lost_required
from docalign_actors.engine.lost.segments import lost_segments
from docalign_actors.engine.lost.several import lost_lists
from docalign_actors.engine.lost.siblings import lost_siblings
from docalign_actors.engine.lost.spans import lost_spans
from docalign_actors.engine.lost.values import lost_values
from docalign_actors.engine.world import World


class Scene(NamedTuple):
    """What every look may look at: the judgements of the kinds, the lines that went, the world, and who asks the past."""

    judged: Sequence[Judged]
    edits: Sequence[Edit]
    world: World
    asker: PastAsker

    @property
    def code(self) -> list[Edit]:
        """The lines that went from code, without those of files of settings."""
        return [edit for edit in self.edits if not edit.data]


LOOKS: dict[str, Callable[[Scene], Iterable[Judged]]] = {
    "strings that went": lambda s: lost_literals(s.judged, s.edits, s.world, s.asker),
    "names that went": lambda s: lost_names(s.judged, s.edits, s.world, s.asker),
    "values that changed": lambda s: lost_values(s.judged, s.edits, s.world),
    "lists that changed": lambda s: lost_lists(s.judged, s.code, s.world),
    "versions that manifests demand": lambda s: lost_demands(s.judged, s.edits, s.world),
    "packages that got another name": lambda s: lost_packages(s.judged, s.edits, s.world),
    "parts of routes that went": lambda s: lost_segments(s.judged, s.code, s.world),
    "lines of help that changed": lambda s: lost_prints(s.judged, s.code, s.world),
    "parameters of declarations that went": lambda s: lost_declared(s.judged, s.code, s.world, s.asker),
    "arguments that went": lambda s: lost_arguments(s.judged, s.code, s.world, s.asker),
    "methods that are not called": lambda s: lost_calls(s.judged, s.code, s.world, s.asker),
    "keys that went": lambda s: lost_keys(s.judged, s.code, s.world, s.asker),
    "features that went": lambda s: lost_features(s.judged, s.edits, s.world),
    "one of several that went": lambda s: lost_siblings(s.judged, s.edits, s.world),
    "letters that went": lambda s: lost_letters(s.judged, s.code, s.world, s.asker),
    "values that went": lambda s: lost_choices(s.judged, s.edits, s.world),
    "words of spans that went": lambda s: lost_spans(s.judged, s.edits, s.world),
    "files that are required": lambda s: lost_required(s.judged, s.world, s.asker.history),
    "files that went": lambda s: lost_paths(s.judged, s.world, s.asker.history),
    "paths that went": lambda s: lost_whole_paths(s.judged, s.world, s.asker),
}
"""By what each looks for; the earlier has the first word."""


def lost_claims(judged: Sequence[Judged], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, each with its judgement: places where documents name what the code has just lost."""
    scene = Scene(judged, list(edits_of(world, asker)), world, asker)
    found = (found for name, look in LOOKS.items() for found in asker.guarded(name, partial(look, scene)))
    return each_once(item for item in found if not _is_put_together(*item, world))


def _is_put_together(claim: Claim, judgement: Judgement, world: World) -> bool:
    """It stands nowhere to the letter, and is a variable of settings all the same: a prefix, and a field's name below it."""
    declared = world.index.environment.get(claim.text, ())
    return NOWHERE in judgement.message and any(not variable.fact.prefix for variable in declared)


def each_once(found: Iterable[Judged]) -> list[Judged]:
    """What one look has told of a text, no later one tells again: a command's name is also a name with a hyphen."""
    told: dict[tuple[str, int], list[Claim]] = defaultdict(list)
    kept: list[Judged] = []
    for claim, judgement in found:
        beside = told[claim.file, claim.line]
        if not any(claim.overlaps(other) for other in beside):
            kept.append((claim, judgement))
            beside.append(claim)
    return kept
