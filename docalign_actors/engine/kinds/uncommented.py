"""Whether a word of a source file is more than a comment there."""

from __future__ import annotations

from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.code.source import Source, places
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.reading import words_of

_COMMENTS = {
    "python": "(comment) @c (expression_statement (string) @c)",
    "rust": "(line_comment) @c (block_comment) @c",
    "java": "(line_comment) @c (block_comment) @c",
    "javascript": "(comment) @c",
    "typescript": "(comment) @c",
    "tsx": "(comment) @c",
    "go": "(comment) @c",
}
_SLASHED = frozenset({"java", "javascript", "typescript", "tsx", "go"})
"""Comments begin with `//` or `/*` and nothing else, and are not nested."""
_OF_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Uncommented:
    """The words of a tree's files, without their comments. Each file is parsed once, and only if a look does not tell."""

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
            if language in _SLASHED and word.isidentifier() and stands_in_code(data, word.encode()):
                return True
            self._words[path] = _words(path, language, data)
        return word.encode() in self._words[path]


def stands_in_code(data: bytes, word: bytes) -> bool:
    """In a language whose comments begin with `//` or `/*`: some place of the word is surely in no comment."""
    for at in places(data, word):
        end = at + len(word)
        if (at and data[at - 1] in _OF_WORDS) or (end < len(data) and data[end] in _OF_WORDS):
            continue  # a part of a longer word
        opened = data.rfind(b"/*", 0, at)
        closed = opened < 0 or data.find(b"*/", opened + 2, at) >= 0
        if closed and data.find(b"//", data.rfind(b"\n", 0, at) + 1, at) < 0:
            return True
    return False


def _words(path: str, language: str, data: bytes) -> set[bytes]:
    code = bytearray(data)
    for node in Source(path, language, data).captures(_COMMENTS[language]).get("c", []):
        code[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    return words_of(bytes(code))
