"""Globs as people write them in configuration: `docs/**/*.md`, `*.txt`, `!docs/old/**`."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A test for paths, with the rules of .gitignore (the last matching pattern decides, `!` takes back)."""
    if not patterns:
        return lambda path: False
    import pathspec  # only where the configuration has globs

    spec = pathspec.GitIgnoreSpec.from_lines(patterns)
    return lambda path: bool(spec.match_file(path))
