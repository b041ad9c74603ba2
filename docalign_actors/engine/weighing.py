"""What follows when each claim of a scan has been judged: what went is looked for where no kind reads a claim, and doubt is cast.

A module of its own, because much is loaded for it that is not needed before: that is done while other processes read code.
"""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.engine.differential import VERY_FRESH
from docalign_actors.engine.doubts.bothnames import doubt_both_names
from docalign_actors.engine.doubts.contemporary import keep_contemporary
from docalign_actors.engine.doubts.copies import doubt_copied
from docalign_actors.engine.doubts.crowds import doubt_crowds
from docalign_actors.engine.doubts.designs import doubt_designed
from docalign_actors.engine.doubts.entries import doubt_entries
from docalign_actors.engine.doubts.filenames import doubt_file_names
from docalign_actors.engine.doubts.hedges import doubt_refused
from docalign_actors.engine.doubts.made import doubt_made
from docalign_actors.engine.doubts.notmeant import doubt_what_is_not_meant
from docalign_actors.engine.doubts.plausibility import keep_plausible
from docalign_actors.engine.doubts.samecommit import doubt_written_with
from docalign_actors.engine.doubts.samework import doubt_same_work
from docalign_actors.engine.doubts.sureness import has_long_ago, keep_sure
from docalign_actors.engine.doubts.unread import doubt_moved_aside
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.lost.looks import lost_claims
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.spreading import spread
from docalign_actors.engine.world import World


def weigh(judged: Sequence[Judged], world: World, asker: PastAsker, settings: ScanSettings) -> list[Judged]:
    """The judgements with those about further places of what went, each as sure as it is when all is known."""
    history = asker.history
    lost = lost_claims(judged, world, asker)
    judged = [*judged, *lost]
    fresh = {blob.after for blob in asker.looked_into if blob.age <= VERY_FRESH} | world.past.removers()
    fresh |= {item.commit for _, judgement in lost for item in judgement.evidence if item.commit}
    judged.extend(asker.guarded("further places", lambda: spread(judged, world, fresh)))
    judged = doubt_both_names(doubt_file_names(doubt_refused(judged, world.documents), world), world)
    judged = doubt_what_is_not_meant(doubt_moved_aside(judged, world), world)
    judged = doubt_designed(doubt_made(doubt_crowds(judged), world.documents, world.tree), world.documents, world.tree)
    judged = doubt_same_work(doubt_entries(judged, world.documents), history, world.tree.commit, world.documents)
    judged = keep_plausible(keep_contemporary(judged, world.documents, history, asker.looked_into))
    if has_long_ago(history):
        judged = keep_sure(judged, world, history, asker.is_new)
    judged = doubt_copied(judged, world.documents, world.tree, history, whole=True)
    return doubt_written_with(judged, history, settings.min_confidence)
