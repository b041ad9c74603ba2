"""What `.gitignore` files name: made at run time, so its absence from the tree says nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from docalign_actors.engine.ports import Tree

_LIMIT = 200_000
_MOST_FILES = 500


class IgnoreRules:
    """The `.gitignore` files of a tree, read when the first path is asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._files: dict[str, _IgnoreFile] | None = None
        self._known: dict[str, bool] = {}
        self._contents: frozenset[str] = frozenset()

    def fills(self, folder: str) -> bool:
        """Some `.gitignore` names what lies in this folder by its kind, `folder/*.yml`: it is filled at run time."""
        if self._files is None:
            self._files = self._load()
        return folder in self._contents

    def matches(self, path: str) -> bool:
        """Some `.gitignore` on the way to this path names it, or one of the folders above it."""
        if self._files is None:
            self._files = self._load()
        if path not in self._known:
            self._known[path] = any(self._files[prefix].names(path) for prefix in _above(path) & self._files.keys())
        return self._known[path]

    def _load(self) -> dict[str, _IgnoreFile]:
        found: dict[str, _IgnoreFile] = {}
        filled: set[str] = set()
        for path in [p for p in self._tree.entries if posixpath.basename(p) == ".gitignore"][:_MOST_FILES]:
            lines = self._tree.read(path, _LIMIT).decode("utf-8", "replace").splitlines()
            above = posixpath.dirname(path)
            found[above] = _IgnoreFile(above, lines)
            named = (line.strip().rpartition("/") for line in lines if not line.startswith(("#", "!")))
            filled.update(posixpath.join(above, folder.strip("/")) for folder, _, last in named if "*" in last)
        self._contents = frozenset(filled)
        return found


class _IgnoreFile:
    """One of them. To compile patterns takes a library that costs more than a small scan: only those that may fit need it."""

    def __init__(self, folder: str, lines: list[str]) -> None:
        self._folder = folder
        self._lines = lines
        self._texts = {_plain_text(line) for line in map(str.strip, lines) if line and line[0] not in "#!"}
        self._spec: object | None = None

    def names(self, path: str) -> bool:
        """The path, or a folder above it, is one of those that the file names."""
        if not any(text in path for text in self._texts):
            return False
        if self._spec is None:
            import pathspec

            try:
                self._spec = pathspec.GitIgnoreSpec.from_lines(self._lines)
            except ValueError:
                self._texts = set()
                return False
        return _match(self._folder, self._spec, path)


def _plain_text(pattern: str) -> str:
    """The longest text that stands in every path that the pattern fits."""
    if "[" in pattern or "\\" in pattern:
        return ""
    return max((text.strip("/") for text in pattern.replace("?", "*").split("*")), key=len)


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
