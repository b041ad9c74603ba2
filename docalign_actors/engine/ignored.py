"""What `.gitignore` files name: made at run time, so its absence from the tree says nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from docalign_actors.engine.ports import Tree

_LIMIT = 200_000
_MOST_FILES = 500


class IgnoreRules:
    """The `.gitignore` files of a tree, compiled when the first path is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._specs: dict[str, object] | None = None
        self._known: dict[str, bool] = {}

    def matches(self, path: str) -> bool:
        """Some `.gitignore` on the way to this path names it, or one of the folders above it."""
        if self._specs is None:
            self._specs = self._load()
        if path not in self._known:
            self._known[path] = any(
                _match(prefix, self._specs[prefix], path) for prefix in _above(path) & self._specs.keys()
            )
        return self._known[path]

    def _load(self) -> dict[str, object]:
        import pathspec  # costs more than a small scan: only where something is missing

        found: dict[str, object] = {}
        for path in [p for p in self._tree.entries if posixpath.basename(p) == ".gitignore"][:_MOST_FILES]:
            lines = self._tree.read(path, _LIMIT).decode("utf-8", "replace").splitlines()
            try:
                spec = pathspec.GitIgnoreSpec.from_lines(lines)
            except ValueError:
                continue
            found[posixpath.dirname(path)] = spec
        return found


def matching(pattern: str, folder: str, paths: Iterable[str]) -> list[str]:
    """Those of the paths that a pattern of a file in this folder (`.gitignore`, `.gitattributes`) names."""
    import pathspec

    try:
        spec = pathspec.GitIgnoreSpec.from_lines([pattern])
    except ValueError:
        return []
    return [path for path in paths if folder in _above(path) and _match(folder, spec, path)]


def _above(path: str) -> set[str]:
    """The folders that a path lies in, the root included."""
    parts = path.split("/")[:-1]
    return {"/".join(parts[:depth]) for depth in range(len(parts) + 1)}


def _match(prefix: str, spec: object, path: str) -> bool:
    inner = path[len(prefix) + 1 :] if prefix else path
    # A trailing slash too: `dist/` names the folder only when it is asked for as one.
    return bool(spec.match_file(inner) or spec.match_file(inner + "/"))  # type: ignore[attr-defined]
