"""Defaults that are told without the word: what happens if a thing is not set, what it falls back to, how it is declared.

"If `limit` is not set, 25 is used", "`limit` falls back to 25", a title `limit: int = 25`, `[limit=25]` in a list of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

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


def untold(change: ChangedValue, documents: Mapping[str, Document]) -> Iterator[Stated]:
    """All such places of one value."""
    texts = spellings_of(change)
    patterns = [(text, re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-]|\.\w|:\d|://)")) for text in texts]
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            if block.historical:
                continue
            if block.kind == "heading":
                yield from _declared(change, texts, document, block)
            yield from _optional(change, texts, document, block)
            yield from _states(change, document, block)
            if not block.lines and block.kind != "html" and _SPEAKS.search(block.text):
                for text, pattern in patterns:
                    if text in block.text:
                        yield from _unset(change, text, pattern, document, block)


def _states(change: ChangedValue, document: Document, block: Block) -> Iterator[Stated]:
    """`Enabled by default` of a flag that was turned round, below its title or beside its name."""
    turned = {change.old.lower(), change.new.lower()} == set(_STATES)
    if not turned or block.lines or "default" not in block.text.lower():
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
