"""The list of mutants as it is written to disk: the truth that every tool is scored by."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.doctext import Place
from bench.files import Snapshot
from bench.mutants import VARIANTS, Repo
from bench.mutate import mutants


@dataclass(frozen=True)
class Truth:
    """One mutant: what was changed, in which commit, and which doc lines are stale because of it."""

    id: str
    repository: str
    part: str
    kind: str
    language: str
    old: str
    new: str
    commit: str
    stale: tuple[Place, ...]
    tolerated: tuple[Place, ...]
    variant: str = "rename"

    @property
    def key(self) -> str:
        """What results are filed under: a mutant that was made anew is looked at anew."""
        return f"{self.id}@{self.commit[:10]}"

    @classmethod
    def read(cls, row: dict[str, object]) -> Truth:
        data = dict(row)
        for key in ("stale", "tolerated"):
            places = data[key]
            assert isinstance(places, list)
            data[key] = tuple((str(path), int(line)) for path, line in places)
        return cls(**data)  # type: ignore[arg-type]


def build(
    shop: Workshop, source: Source, seed: int, most: int, variants: tuple[str, ...] = VARIANTS[:1]
) -> list[Truth]:
    """Makes the mutants of one repository and writes their commits."""
    repo = Repo(Snapshot.read(shop.base(source), source.commit), source.name)
    found: list[Truth] = []
    for mutant in mutants(repo, seed, most, variants=variants):
        found.append(
            Truth(
                mutant.identity(source.name), source.name, source.part, mutant.kind, mutant.language, mutant.old, mutant.new,
                shop.commit(source, mutant), mutant.stale, mutant.tolerated, mutant.variant,
            )
        )  # fmt: skip
    return found


def load(path: Path) -> list[Truth]:
    """The mutants of a file that `save` wrote; none if there is no such file."""
    if not path.exists():
        return []
    return [Truth.read(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def save(path: Path, rows: Iterable[Truth]) -> None:
    """Writes the list, one mutant a line."""
    lines = ",\n".join(json.dumps(asdict(row), ensure_ascii=False) for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
