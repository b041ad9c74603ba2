"""What the kinds have said of the same text: nobody tells of it once more, nor against an answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.judging import Judged


class Beside:
    """Claims by the line that they stand on."""

    def __init__(self, judged: Iterable[Judged]) -> None:
        self._lines: dict[tuple[str, int], list[Judged]] = defaultdict(list)
        for claim, judgement in judged:
            self._lines[claim.file, claim.line].append((claim, judgement))

    def of(self, claim: Claim) -> Iterator[Judged]:
        """Those that read some of the same text. What answer settles it, each part that asks decides for itself."""
        on_line = self._lines.get((claim.file, claim.line), ())
        return ((other, told) for other, told in on_line if claim.overlaps(other))
