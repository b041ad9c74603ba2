"""What tells what was found false here: that a name stands in a report, or in a baseline, does not make it true."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docalign_actors.engine.ports import Entry, FileSource, Tree

_NAME = re.compile(
    r"(?:.*[-_.])?docalign(?:[-_.][\w.-]{0,100})?\.(?:json|html?|txt)|\.docalign[\w.-]{0,100}|.*\.sarif(?:\.json)?",
    re.IGNORECASE,
)
_BEGINNING = re.compile(
    rb"\s{0,100}\{\s{0,100}\"version\":\s{0,9}1,\s{0,100}"
    rb"\"(?:summary\":\s{0,9}\{\s{0,100}\"documents\"|findings\":\s{0,9}\[\s{0,100}\{\s{0,100}\"id\")"
    rb"|\s{0,100}\{\s{0,100}(?:\"version\":\s{0,9}\"2[.\d]{1,9}\",\s{0,100})?\"\$schema\":\s{0,9}\"[^\"\n]{0,300}sarif"
    rb"|<!doctype html>[^>]{0,100}><head><meta charset=utf-8><meta name=generator content=docalign>"
    rb"|(?:[^\n]{1,400}:\d{1,9}:\d{1,9}: )?[a-z][a-z-]{2,60}\[(?:high|medium|low)\]:? |## Documentation check\n"
)
"""Of each format, and of a baseline."""


def is_called_report(name: str) -> bool:
    """A file of this name is a report, a baseline, or the configuration with what is suppressed."""
    return _NAME.fullmatch(name) is not None


def is_report(data: bytes) -> bool:
    """A file of this content is a report, or a baseline, whatever it is called."""
    return _BEGINNING.match(data) is not None


class TreeWithoutReports:
    """A tree in which reports are there, and empty."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @property
    def commit(self) -> str:
        return self._tree.commit

    @property
    def entries(self) -> Mapping[str, Entry]:
        return self._tree.entries

    @property
    def source(self) -> FileSource:
        return self._tree.source

    def read(self, path: str, limit: int) -> bytes:
        data = self._tree.read(path, limit)
        return b"" if is_report(data) else data
