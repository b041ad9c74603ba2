"""How a sentence tells a value: the words around it, and whether they call it, or another beside it, the default."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.documents.tone import sentence_ends
from docalign_actors.engine.lost.changed import ChangedValue

DEFAULT_WORD = (
    r"(?:\bdefault|默认|默認|預設|预设|缺省|デフォルト|既定|初期値|기본값|기본 값|по умолчанию|за замовчуванням"
    r"|\bstandard(?:wert|mäßig)|\b(?:par|valeur par) défaut|\bpor defecto|\bpredeterminad|\bpredefinit|\bpadrão|\bvarsayılan)"
)
"""What a default is called, in the languages that manuals are translated into."""
TYPED = r"\((?:string|str|u?int(?:eger)?\d*|bool(?:ean)?|float\d*|number|duration): ?"
"""What stands behind an option's type in brackets is what it is if nobody gives it: `-level (string: "INFO")`."""
_TOLD_BEFORE = re.compile(rf"\bdefault[^();,.]{{0,30}}$|{TYPED}[\"'`]?$", re.IGNORECASE)
_SAID_BEFORE = re.compile(r"\bdefault(?:s|ed|ing)?\W{0,3}(?:(?:value|is|to|as|the|set|of)\W{1,3}){0,4}$", re.IGNORECASE)
_TOLD_AFTER = re.compile(
    r"[`\"'*_ ]*(?:(?:[(\[,]? *(?:is |as |by |the ){0,3}|is (?:an?|the|our) (?:[a-z]{2,20} ){1,2})default"
    r"|,? *(?://|#|/\*) ?(?:the )?default(?=[,;.]|\s*(?:\*/)?$))",
    re.IGNORECASE,
)
"""In a comment behind it the word must stand alone: `true, // default is false` tells another one."""
_TELLS = re.compile(r"\bdefaults?(?: value)?(?: is| to|:| =)\W{0,3}$", re.IGNORECASE)
_CALLED = re.compile(r" (?:--?)?[a-z]")
_KEY_BEFORE = re.compile(
    r"""(?<![\w.-])(?P<key>(?!defaults?\b)[A-Za-z_][\w.-]{0,60})["']?(?:\s?=>?\s?|\s?:\s)["'`]?$"""
)
_MARKS = " .:/,;\"'"
_NEAR = 300


def sentence_of(block: Block, inline: Inline, match: re.Match[str]) -> str:
    """The sentence of a paragraph that the value stands in."""
    flat, at = joined(block.inlines, inline, match)
    ends = [0, *sentence_ends(flat), len(flat)]
    return next((flat[a:b] for a, b in pairwise(ends) if a <= at < b), flat)


def joined(inlines: Sequence[Inline], inline: Inline, match: re.Match[str]) -> tuple[str, int]:
    """The words of the inlines in a row, and where among them the value stands."""
    flat, at = "", 0
    for piece in inlines:
        if piece is inline:
            at = len(flat) + match.start()
        flat += piece.text + " "
    return flat, at


def says_default(text: str, at: int) -> bool:
    """The words right before the value call it the default: `defaults to`, `the default is`."""
    return _TELLS.search(text[max(0, at - 40) : at]) is not None


def is_said(text: str, at: int) -> bool:
    """The word stands right before the value, whatever joins them: `default 64`, `defaults to the 64`."""
    return _SAID_BEFORE.search(text[max(0, at - 40) : at]) is not None


def is_listed(change: ChangedValue, text: str, at: int) -> bool:
    """The new value stands beside the old one, which is not the one called the default: both are values that one may give."""
    around = text[max(0, at - _NEAR) : at + len(change.old) + _NEAR]
    if not re.search(rf"(?<![\w.-]){re.escape(change.new)}(?![\w-]|\.\w)", around):
        return False
    before, after = text[max(0, at - 40) : at], text[at : at + len(change.old) + 40]
    return not (_TOLD_BEFORE.search(before) or _TOLD_AFTER.match(after[len(change.old) :]))


def key_of(inline: Inline, start: int) -> str:
    """The key that code within a sentence gives the value to: `{ path: '/', httpOnly: true }`."""
    found = _KEY_BEFORE.search(inline.text[max(0, start - 80) : start]) if inline.kind == "code" else None
    return found["key"] if found is not None else ""


def is_a_word(inline: Inline, match: re.Match[str]) -> bool:
    """A value that is an English word too, in the midst of a sentence that calls something else the default.

    Or the program that a command calls: "the default way is `other-tool login`".
    """
    if inline.kind == "code" and match.start() == 0 and _CALLED.match(inline.text, match.end()):
        return match.group()[0].isalpha()
    bare = inline.text.strip(_MARKS if inline.kind == "code" else None)  # `git.`: the mark is part of the value
    if not match.group().isalpha() or match.group() == bare:
        return False
    before, after = inline.text[max(0, match.start() - 40) : match.start()], inline.text[match.end() : match.end() + 40]
    return not (before.endswith(("`", '"', "'")) or _SAID_BEFORE.search(before) or _TOLD_AFTER.match(after))
