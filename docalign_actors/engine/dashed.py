"""Words with dashes, as keys and options are spelled, and in which files they stand: each file is gone through once."""

from __future__ import annotations

import re

from docalign_actors.engine.ports import Tree

_READ = 1_000_000
_KEPT = b"-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ONLY_WORDS = bytes(c if c in _KEPT else 32 for c in range(256))
_DASHED = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)+")


def is_dashed(word: str) -> bool:
    """Parts with a dash between each two of them."""
    return _DASHED.fullmatch(word) is not None


def dashed_words(data: bytes) -> frozenset[bytes]:
    """Every whole one: `trigger-rule` stands in `--trigger-rule`, and not in `trigger-rule-mismatch` or `on-trigger-rule`."""
    words = (
        word.rpartition(b"--")[2].lstrip(b"-") for word in set(data.translate(_ONLY_WORDS).split()) if b"-" in word
    )
    return frozenset(word for word in words if b"-" in word and not word.endswith(b"-"))


class DashedWords:
    """The words with dashes in a tree's files."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._words: dict[str, frozenset[bytes]] = {}

    def holds(self, path: str, word: str) -> bool:
        """The file has this very word."""
        if path not in self._words:
            self._words[path] = dashed_words(self._tree.read(path, _READ))
        return word.encode() in self._words[path]
