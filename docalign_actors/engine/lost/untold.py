"""Defaults that are told without the word: what happens if a thing is not set, what it falls back to, how it is declared.

"If `limit` is not set, 25 is used", "`limit` falls back to 25", a title `limit: int = 25`, `[limit=25]` in a list of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE
from docalign_actors.engine.lost.stated import Stated, named_in, spellings_of
from docalign_actors.engine.lost.subjects import of_row, of_text, spelled
from docalign_actors.engine.lost.wording import is_a_word, is_listed, joined

_UNSET = re.compile(
    r"\b(?:if|when|where)\b[^.;]{0,80}?\b"
    r"(?:not (?:been )?(?:set|given|specified|provided|defined|present|passed|configured|supplied)"
    r"|unset|unspecified|undefined|omitted|absent|missing|left (?:out|empty|blank|unset))\b,?[^.;,]{0,40}\W{0,3}$"
    r"|\bfalls? back to\W{1,3}(?:the \w{1,20} )?\W{0,3}$"
    r"|\binitial(?:ly)?(?: value)?(?: (?:of|for) \W?[\w.-]{1,60}\W?)?(?: is|:)\W{1,3}$",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\bnot |\bun(?:set|specified|defined)\b|\bomitted\b|\babsent\b|\bmissing\b|\bleft \w|\bfalls? back\b|\binitial",
    re.IGNORECASE,
)
_DECLARED = re.compile(
    r"(?P<name>[A-Za-z_][\w.]{1,60})(?:\s?:\s?[\w\[\], |.\"']{1,60}?)?\s?=\s?[\"'`]?(?P<value>[^\s\"'`][^\"'`]{0,60}?)[\"'`]?"
)
_IN_BRACKETS = re.compile(
    r"\[(?P<owner>(?:[A-Za-z_]\w{0,40}\.){0,4})(?P<name>[A-Za-z_]\w{1,60})\s?=\s?[\"'`]?(?P<value>[^\s\"'`\]][^\"'`\]]{0,60}?)[\"'`]?\]"
)
_BEFORE = 140
_ON, _OFF = r"(?:enabled|active|(?:turned |switched )?on)", r"(?:disabled|inactive|(?:turned |switched )?off)"
_STATES = {
    "true": re.compile(rf"\b{_ON} by default\b|\bby default,? (?:it is |is )?{_ON}\b", re.IGNORECASE),
    "false": re.compile(rf"\b{_OFF} by default\b|\bby default,? (?:it is |is )?{_OFF}\b", re.IGNORECASE),
}
"""What a sentence calls a flag whose default has just been turned round."""
_NEGATED = ("disable", "no", "not", "without", "skip", "ignore", "exclude", "hide", "suppress")
_TURNS_ON = re.compile(r"^(?:is|use|with|enabled?|allow)(?=[a-z]{3})")


class Unsaid(NamedTuple):
    """The blocks that may tell a default without the word, each for what it may say."""

    declaring: list[tuple[Document, Block]]
    bracketed: list[tuple[Document, Block]]
    speaking: list[tuple[Document, Block]]
    states: list[tuple[Document, Block]]


def unsaid(documents: Mapping[str, Document]) -> Unsaid:
    """All such blocks, looked for once."""
    found = Unsaid([], [], [], [])
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            text = block.text if not block.historical else ""
            if block.kind == "heading" and "=" in text:
                found.declaring.append((document, block))
            if "=" in text and _IN_BRACKETS.search(text):
                found.bracketed.append((document, block))
            if text and not block.lines and block.kind != "html" and _SPEAKS.search(text):
                found.speaking.append((document, block))
            if "default" in text and not block.lines and any(state.search(text) for state in _STATES.values()):
                found.states.append((document, block))
    return found


def untold(change: ChangedValue, among: Unsaid) -> Iterator[Stated]:
    """All such places of one value."""
    texts = spellings_of(change)
    for document, block in among.declaring:
        yield from _declared(change, texts, document, block)
    for document, block in among.bracketed:
        yield from _optional(change, texts, document, block)
    for document, block in among.states:
        yield from _states(change, document, block)
    for text in texts if among.speaking else ():
        pattern = re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-]|\.\w|:\d|://)")
        for document, block in among.speaking:
            if text in block.text:
                yield from _unset(change, text, pattern, document, block)


def _states(change: ChangedValue, document: Document, block: Block) -> Iterator[Stated]:
    """`Enabled by default` of a flag that was turned round, below its title or beside its name."""
    turned = {change.old.lower(), change.new.lower()} == set(_STATES)
    if not turned:
        return
    pattern = _STATES[change.old.lower()]
    own = change.names | {_TURNS_ON.sub("", name) for name in change.names}
    for inline in block.every_inline():
        match = pattern.search(inline.text[:LONGEST_LINE]) if inline.kind == "text" else None
        names = frozenset(of_row(block) if block.cells else of_text(block)) & own if match is not None else frozenset()
        if match is not None and names and not any(name.startswith(_NEGATED) for name in names):
            yield Stated(document, block, inline, match.start(), match.group(), names, to_be_mended=False)


def _unset(
    change: ChangedValue, text: str, pattern: re.Pattern[str], document: Document, block: Block
) -> Iterator[Stated]:
    rows = [(cell.inlines, of_row(block)) for cell in block.cells] or [(block.inlines, of_text(block))]
    for inlines, about in rows:
        for inline in inlines:
            for match in pattern.finditer(inline.text[:LONGEST_LINE]) if inline.kind in ("text", "code") else ():
                flat, at = joined(inlines, inline, match)
                before = flat[max(0, at - _BEFORE) : at]
                if not _UNSET.search(before) or is_historical(before) or is_listed(change, flat, at):
                    continue
                names = named_in(change, about)
                if names and not is_a_word(inline, match):
                    yield Stated(document, block, inline, match.start(), text, names)


def _declared(change: ChangedValue, texts: list[str], document: Document, block: Block) -> Iterator[Stated]:
    """A title that declares the thing: `limit: int = 25`."""
    for inline in block.inlines:
        match = _DECLARED.fullmatch(inline.text.strip()) if "=" in inline.text[:LONGEST_LINE] else None
        if match is not None and match["value"] in texts:
            yield from _named(change, match, document, block, inline, inline.text.find(inline.text.strip()))


def _optional(change: ChangedValue, texts: list[str], document: Document, block: Block) -> Iterator[Stated]:
    """A parameter in brackets, with what it is if it is left out: `[options.limit=25]`."""
    for inline in (*block.every_inline(), *block.lines):
        for match in _IN_BRACKETS.finditer(inline.text[:LONGEST_LINE]) if "=" in inline.text else ():
            if match["value"] in texts and inline.kind in ("text", "code"):
                yield from _named(change, match, document, block, inline, 0)


def _named(
    change: ChangedValue, match: re.Match[str], document: Document, block: Block, inline: Inline, offset: int
) -> Iterator[Stated]:
    if names := named_in(change, set(spelled([match["name"]]))):
        yield Stated(document, block, inline, offset + match.start("value"), match["value"], names)
