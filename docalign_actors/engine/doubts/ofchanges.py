"""Every doubt about what a change is blamed for, in the order in which they are raised."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from docalign_actors.engine.doubts.attic import doubt_attic
from docalign_actors.engine.doubts.bothnames import doubt_both_names
from docalign_actors.engine.doubts.citations import doubt_cited
from docalign_actors.engine.doubts.copies import doubt_copied
from docalign_actors.engine.doubts.designs import doubt_designed
from docalign_actors.engine.doubts.droppedoptions import doubt_unseen_options
from docalign_actors.engine.doubts.entries import doubt_entries
from docalign_actors.engine.doubts.filenames import doubt_file_names
from docalign_actors.engine.doubts.hedges import doubt_refused
from docalign_actors.engine.doubts.movedout import doubt_moved
from docalign_actors.engine.doubts.notmeant import doubt_what_is_not_meant
from docalign_actors.engine.doubts.putaway import doubt_put_away
from docalign_actors.engine.doubts.readersown import doubt_readers_settings
from docalign_actors.engine.doubts.receivers import doubt_own_variables
from docalign_actors.engine.doubts.samework import doubt_same_work
from docalign_actors.engine.doubts.tending import doubt_left_behind
from docalign_actors.engine.doubts.unread import doubt_moved_aside, doubt_unread
from docalign_actors.engine.doubts.unused import doubt_unused
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ondemand import FactsOnDemand
from docalign_actors.engine.ports import Change
from docalign_actors.engine.world import World

Doubt = Callable[[Sequence[Judged]], list[Judged]]


def doubt_what_a_change_did_not_do(
    judged: Sequence[Judged], change: Change, written: Mapping[str, Collection[int]], facts: FactsOnDemand, world: World
) -> list[Judged]:
    """The judgements of a change, in doubt where it is not to blame.

    written   for each document that changed, the numbers of the lines that are new
    facts     those of the base
    """
    doubts: tuple[Doubt, ...] = (
        lambda found: doubt_moved(found, change, written, world.index.package_names),
        lambda found: doubt_readers_settings(found, world),
        lambda found: doubt_refused(found, world.documents),
        lambda found: doubt_file_names(found, world),
        lambda found: doubt_both_names(found, world),
        lambda found: doubt_what_is_not_meant(found, world),
        lambda found: doubt_unseen_options(found, change.base, facts, world),
        lambda found: doubt_moved_aside(doubt_unread(found, world), world),
        lambda found: doubt_unused(found, change),
        lambda found: doubt_put_away(doubt_attic(found), change),
        lambda found: doubt_own_variables(found, change.base, facts, world),
        lambda found: doubt_copied(found, world.documents, change.head, change.history, whole=False),
        lambda found: doubt_designed(found, world.documents, change.head),
        lambda found: doubt_entries(found, world.documents),
        lambda found: doubt_same_work(found, change.history, change.head.commit, world.documents, written),
        lambda found: doubt_cited(found, written, change.head),
        lambda found: doubt_left_behind(found, written, change),
    )
    kept = list(judged)
    for doubt in doubts:
        kept = doubt(kept)
    return kept
