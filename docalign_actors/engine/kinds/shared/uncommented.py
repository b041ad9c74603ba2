"""Whether a word of a source file is more than a comment there.

Told by the marks that begin and end comments and strings, in one pass: this runs beside the judging, where no parser may
keep the scan waiting. Each pattern takes what it has begun to its end or to the end of the file, so it looks at nothing twice.
"""

from __future__ import annotations

import re

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.code.source import places
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.searching import words_of

_QUOTED = rb'"(?:[^"\\\n]|\\.)*+"?' + rb"|'(?:[^'\\\n]|\\.)*+'?"
_SLASHED = re.compile(rb"//[^\n]*|/\*.*?(?:\*/|\Z)|(?:" + _QUOTED + rb"|`(?:[^`\\]|\\.)*+`?)", re.DOTALL)
_OF_RUST = re.compile(
    rb'//[^\n]*|/\*.*?(?:\*/|\Z)|r#+".*?(?:"#|\Z)|"(?:[^"\\]|\\.)*+"?' + rb"|'(?:[^'\\\n]|\\.)'", re.DOTALL
)
_OF_PYTHON = re.compile(
    rb'#[^\n]*|(?P<string>[A-Za-z]{0,2}(?:""".*?(?:"""|\Z)|' + rb"'''.*?(?:'''|\Z)|" + _QUOTED + rb"))", re.DOTALL
)
_COMMENTS = {
    "python": _OF_PYTHON, "rust": _OF_RUST, "java": _SLASHED, "javascript": _SLASHED, "typescript": _SLASHED,
    "tsx": _SLASHED, "go": _SLASHED,
}  # fmt: skip
COMMENTED = frozenset(_COMMENTS)
"""The languages whose comments are known."""
_OF_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_TRIPLE = (b'"""', b"'''")
_GOES_ON = (b"(", b"[", b"{", b",", b"=", b"+", b"%", b"|", b"\\")
_NEAR = 400
_MOST_PLACES = 50
"""Places of a word that are looked at one by one before the whole file is."""


class Uncommented:
    """The words of a tree's files, without their comments. Each file is gone through once, and only if a look does not tell."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._words: dict[str, set[bytes]] = {}

    def holds(self, path: str, word: str) -> bool:
        """The word stands in the file outside of comments; of languages whose comments are not known, anywhere."""
        language = language_of(path)
        if language not in _COMMENTS:
            return True
        if path not in self._words:
            data = self._tree.read(path, SOURCE_LIMIT)
            if language != "python" and word.isidentifier() and stands_in_code(data, word.encode()):
                return True
            self._words[path] = words_of(without_comments(data, language))
        return word.encode() in self._words[path]


def stands_in_code(data: bytes, word: bytes) -> bool:
    """In a language whose comments begin with `//` or `/*`: some place of the word is surely in no comment."""
    for number, at in enumerate(places(data, word)):
        if number == _MOST_PLACES:
            return False
        end = at + len(word)
        if (at and data[at - 1] in _OF_WORDS) or (end < len(data) and data[end] in _OF_WORDS):
            continue  # a part of a longer word
        opened = data.rfind(b"/*", 0, at)
        closed = opened < 0 or data.find(b"*/", opened + 2, at) >= 0
        if closed and data.find(b"//", data.rfind(b"\n", 0, at) + 1, at) < 0:
            return True
    return False


def without_comments(data: bytes, language: str) -> bytes:
    """The file with a space for each comment, and for each string that is a statement of its own, as docstrings are."""

    def keep(found: re.Match[bytes]) -> bytes:
        text = found[0]
        if language == "python":
            return b" " if found["string"] is None or _is_statement(found) else text
        return b" " if text.startswith((b"//", b"/*")) else text

    return _COMMENTS[language].sub(keep, data)


def _is_statement(found: re.Match[bytes]) -> bool:
    """Nothing but its indentation stands before a string, nothing after it, and the line before does not go on with it."""
    data, start = found.string, found.start()
    before = data[max(0, start - _NEAR) : start]
    line, said = before[before.rfind(b"\n") + 1 :], before.rstrip()
    end = data.find(b"\n", found.end(), found.end() + _NEAR)
    after = data[found.end() : end if end >= 0 else found.end() + _NEAR]
    if line.strip() or after.split(b"#")[0].strip(b" \t\r;"):
        return False
    return not said or said.endswith(b":") or (found[0].endswith(_TRIPLE) and not said.endswith(_GOES_ON))
