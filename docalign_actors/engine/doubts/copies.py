"""Folders that are kept in step with another repository, whose documents speak of that one and are mended there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping

from docalign_actors.engine.documents.model import Document

_SAYS_SO = re.compile(
    r"\b(?:do(?:n['’]t| not)|never) (?:touch|edit|modify|change) (?:(?:any |the )?(?:files|anything) in )?"
    r"th(?:is|ese) (?:folder|director)"
    r"|\b(?:overwritten|managed|maintained|synced|synchroni[sz]ed|copied) by (?:an? )?(?:automation|bot|script)"
    r"|\b(?:synced|synchroni[sz]ed|mirrored|vendored) (?:automatically )?from\b"
    r"|\bcop(?:y of|ied from) (?:the )?(?:upstream|[\w.-]+/[\w.-]+)",
    re.IGNORECASE,
)
_FIRST = 12
"""Blocks of a README in which such a thing is told."""
_LONGEST = 2_000


def copied_folders(documents: Mapping[str, Document], asked: Iterable[str]) -> frozenset[str]:
    """Of the folders above these documents, the root aside, those whose README says that they are a copy."""
    folders: set[str] = set()
    for path in asked:
        folder = posixpath.dirname(path)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    readmes = (
        (folder, documents.get(f"{folder}/{name}"))
        for folder in folders
        for name in ("README.md", "README.rst", "README")
    )
    return frozenset(folder for folder, readme in readmes if readme is not None and _is_copy(readme))


def _is_copy(readme: Document) -> bool:
    return any(_SAYS_SO.search(block.text[:_LONGEST]) for block in readme.blocks[:_FIRST] if block.kind != "code")


def lies_in(path: str, folders: frozenset[str]) -> bool:
    """The path is below one of the folders."""
    return any(path.startswith(f"{folder}/") for folder in folders)
