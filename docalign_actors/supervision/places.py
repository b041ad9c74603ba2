"""Places in a family: who has a thread, who waits for one, who is asked to give one back. Every call under the directory's lock."""

from __future__ import annotations

import itertools

from docalign_actors.supervision.cell import Cell, Family
from docalign_actors.supervision.directory import Directory, Start
from docalign_actors.supervision.mailbox import Control, Parcel

_LOOK_AT = 32
"""How many members are looked at for one that can go, when another wants its place; the sweep looks at all."""


class Places:
    """Sees to it that no more members of a family have a thread than may."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    def take(self, cell: Cell) -> bool:
        """A place for this member, if there is one; else it waits for its turn."""
        family = cell.family
        if family is None:
            return True
        if cell.name in family.live or len(family.live) < family.most_live:
            self._occupy(family, cell)
            return True
        if not cell.queued:
            cell.queued = True
            family.waiting.append(cell)
        self._make_room(family, look_at=_LOOK_AT, ask=1)
        return False

    def leave(self, cell: Cell) -> None:
        """It has no thread any more; whoever waits for a place gets it."""
        family = cell.family
        if family is not None and family.live.pop(cell.name, None) is not None:
            self._admit(family)

    def tidy(self) -> None:
        """Nobody waits while there is a place, and nobody keeps one without need."""
        for family in self._directory.families.values():
            self._admit(family)
            self._make_room(family, look_at=len(family.live), ask=len(family.waiting))

    def suggest_passivation(self, cell: Cell) -> bool:
        """Ask it to give its thread back, if it looks as if it could; it decides itself."""
        incarnation = cell.current
        if incarnation is None or cell.ref is None or incarnation.asked_to_leave:
            return False
        if incarnation.under_way is not None or incarnation.inbox.waiting or incarnation.timers:
            return False
        incarnation.asked_to_leave = True
        cell.ref.tell(Parcel(Control.PASSIVATE))
        return True

    def _admit(self, family: Family) -> None:
        # The place is theirs from now on: a start that comes in between does not get it.
        for _ in range(min(family.most_live - len(family.live), len(family.waiting))):
            cell = family.waiting.popleft()
            cell.queued = False
            self._occupy(family, cell)
            self._directory.report(Start(cell))

    def _occupy(self, family: Family, cell: Cell) -> None:
        if cell.name in family.live:
            return
        family.live[cell.name] = cell
        family.activations += 1
        family.peak = max(family.peak, len(family.live))

    def _make_room(self, family: Family, *, look_at: int, ask: int) -> None:
        """Ask those that were written to longest ago, and have nothing to do, to give their threads back. Busy ones look for
        themselves whether somebody waits, whenever they have done a message."""
        asked: list[Cell] = []
        if ask == 0:
            return
        for cell in itertools.islice(family.live.values(), look_at):
            if self.suggest_passivation(cell):
                asked.append(cell)
                if len(asked) == ask:
                    break
        for cell in asked:
            family.live.move_to_end(cell.name)
