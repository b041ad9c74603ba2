"""What `.gitignore` files name: made at run time, so its absence from the tree says nothing."""

from __future__ import annotations

import posixpath

from docalign_actors.engine.ports import Tree

_LIMIT = 200_000
_MOST_FILES = 500


class IgnoreRules:
    """The `.gitignore` files of a tree, compiled when the first path is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._specs: list[tuple[str, object]] | None = None

    def matches(self, path: str) -> bool:
        """Some `.gitignore` on the way to this path names it, or one of the folders above it."""
        if self._specs is None:
            self._specs = self._load()
        return any(self._match(prefix, spec, path) for prefix, spec in self._specs)

    def _load(self) -> list[tuple[str, object]]:
        import pathspec  # costs more than a small scan: only where something is missing

        found: list[tuple[str, object]] = []
        for path in [p for p in self._tree.entries if posixpath.basename(p) == ".gitignore"][:_MOST_FILES]:
            lines = self._tree.read(path, _LIMIT).decode("utf-8", "replace").splitlines()
            try:
                spec = pathspec.GitIgnoreSpec.from_lines(lines)
            except ValueError:
                continue
            found.append((posixpath.dirname(path), spec))
        return found

    @staticmethod
    def _match(prefix: str, spec: object, path: str) -> bool:
        if prefix and not path.startswith(prefix + "/"):
            return False
        inner = path[len(prefix) + 1 :] if prefix else path
        # A trailing slash too: `dist/` names the folder only when it is asked for as one.
        return bool(spec.match_file(inner) or spec.match_file(inner + "/"))  # type: ignore[attr-defined]
