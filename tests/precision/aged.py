"""A repository whose documents may have been wrong for long."""

from __future__ import annotations

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

MANIFEST = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
SITE = ".readthedocs.yaml"
"""The sign of a site that is made of the pages below `docs`."""
FILES: dict[str, str | bytes] = {
    "pyproject.toml": MANIFEST,
    "tool/__init__.py": "def run(path):\n    return path\n",
    "tool/parts/reader.py": "x = 1\n",
    SITE: "version: 2\n",
    "Makefile": "test:\n\tpytest\nlint:\n\truff\nold-docs:\n\tsphinx\n",
}
DOUBTFUL_TOO = ScanSettings(jobs=1, min_confidence=0.5)


def told(repo: Repository, settings: ScanSettings | None = None) -> list[tuple[str, str]]:
    """(document, claim) of every finding."""
    return [(finding.file, finding.claim) for finding in repo.drifted(settings=settings)]
