"""Where a file or a folder went, as the renames that git tells of one commit show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

_ALIKE = frozenset(
    "go.mod go.sum package.json package-lock.json yarn.lock pnpm-lock.yaml tsconfig.json Cargo.toml Cargo.lock __init__.py setup.py"
    " requirements.txt pom.xml .gitignore .npmignore LICENSE".split()
)
"""Files that are nearly the same in many folders: git pairs those of one that was deleted with those of another that is new."""


def successor(path: str, renames: Mapping[str, str], present: Collection[str], gone: Iterable[str]) -> str:
    """Where a file, or half of a folder at the least, went in one commit; "" if it was deleted or has moved on since.

    `gone`: the files that the commit took out of the folder, moved or not; looked at only for a folder.
    """
    if path in renames:
        new = _moved_down(path, renames)
        return new if new in present else ""
    moved: dict[str, int] = {}
    for old, new in renames.items():
        tail = old[len(path) :]
        if old.startswith(path + "/") and new.endswith(tail) and tail.rpartition("/")[2] not in _ALIKE:
            moved[new[: -len(tail)]] = moved.get(new[: -len(tail)], 0) + 1
    best = max(moved, key=lambda target: moved[target]) if moved else ""
    if best and 2 * moved[best] < sum(old.rpartition("/")[2] not in _ALIKE for old in gone):
        return ""  # a part of it is there: what became of the rest, and of the whole, is not known
    return best if any(there.startswith(f"{best}/") for there in present) else ""


def _moved_down(path: str, renames: Mapping[str, str]) -> str:
    """What a commit renamed a file to: as git tells it, or the old path with folders put in, if that is another one's new path.

    Of files that are alike git pairs any two: `docs/main/a.md` with `content/docs/v1/a.md`, and so `docs/v1/a.md` with the other.
    """
    parts = path.split("/")
    if len(parts) < 2 or _is_within(parts, renames[path]):
        return renames[path]
    found = [new for new in renames.values() if new.endswith(f"/{parts[-1]}") and _is_within(parts, new)]
    return found[0] if len(found) == 1 else renames[path]


def _is_within(parts: Sequence[str], path: str) -> bool:
    """The path has all these parts, in this order."""
    rest = iter(path.split("/"))
    return all(part in rest for part in parts)


def former_folder(folder: str, came: Mapping[str, str]) -> str:
    """Where a folder lay before its files were renamed: one that most of them kept their places below; "" if there is none."""
    inner = ((old, new[len(folder) :]) for old, new in came.items())
    roots = Counter(old[: -len(rest)] for old, rest in inner if old.endswith(rest))
    root, count = roots.most_common(1)[0] if roots else ("", 0)
    return root if 2 * count > len(came) else ""
