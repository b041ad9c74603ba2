"""Time for tests of deliveries: it passes when nothing can be sent before it does."""

from __future__ import annotations

from docalign_actors.persistence.database import Database
from tests.support.clock import ManualClock

_NEXT = """
    SELECT min(due_at) FILTER (WHERE due_at > %(now)s), count(*) FILTER (WHERE due_at <= %(now)s)
      FROM outbox_lanes WHERE waiting > 0 AND NOT held
"""


def pass_time(database: Database, clock: ManualClock) -> None:
    """To the next attempt, if all that waits does so for that: nothing is due that has not been tried."""
    with database.transaction() as connection:
        row = connection.execute(_NEXT, {"now": clock.now()}).fetchone()
    if row is not None and row[0] is not None and row[1] == 0:
        clock.advance((row[0] - clock.now()).total_seconds())
