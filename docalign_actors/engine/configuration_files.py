"""Where a configuration may stand. Apart from what reads it, which takes longer to load than a remembered answer takes."""

from __future__ import annotations

import os
from collections.abc import Iterator

CONFIGURATION_FILES = (".docalign.yml", ".docalign.yaml", "pyproject.toml")
"""In a folder with several the first that has a configuration is used."""


def configuration_places(root: str, start: str) -> Iterator[str]:
    """Every path that may hold the configuration of a folder or file: from there up to the repository's root."""
    folder, top = os.path.realpath(start), os.path.realpath(root)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    while True:
        yield from (os.path.join(folder, name) for name in CONFIGURATION_FILES)
        if folder in (top, os.path.dirname(folder)):
            return
        folder = os.path.dirname(folder)
