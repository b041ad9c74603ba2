"""Values that documents state without calling them a default where they stand: in plain words, in brackets, below a term.

What calls them so stands elsewhere: a type beside the name, a sentence above the whole list, the term of a list of definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE
from docalign_actors.engine.lost.subjects import DEFAULT_HEADER, in_words, spelled
from docalign_actors.engine.lost.wording import is_listed, joined, sentence_of
from docalign_actors.engine.world import World

_DEFAULT = re.compile(r"\bdefault", re.IGNORECASE)
_APPENDED = re.compile(r"\(\s*[\"'`]?[^()\"'`]{1,60}[\"'`]?\s*\)\W*$")
"""An item that ends with a value in brackets, after its type and what it is for: `limit (int) - How many. (600)`."""
_TYPED_HEAD = re.compile(r"\W{0,3}(?P<name>[A-Za-z][\w.-]{1,60})\W{1,3}\([a-z][\w \[\]<>]{1,30}\)")
_WHOLE = re.compile(r"\d{1,9}\.0")
_INSTANCE = re.compile(r"\b(?:e\.g\.|for example|for instance|example|such as|suppose|say)\b", re.IGNORECASE)
_LEAST_SAID = 2
OLD_PORT = re.compile(r"(?:^|:)(\d{4,5})$")
_PROMISES = re.compile(
    r"\(\s?(?:the |with |and their )?defaults?(?: values?)?\s?\)\W{0,4}$"
    r"|\bdefaults?(?: values?)?(?: are| is)? (?:given |shown |told )?in (?:brackets|parenthes[ei]s)",
    re.IGNORECASE,
)
"""A sentence that tells where the entries below it have their defaults: `the following variables with (defaults):`"""
_HEADED = re.compile(r"\W{0,3}(?P<name>[A-Za-z][\w.-]{2,60})\b")
_TOLD_LAST = re.compile(r"\bdefaults?(?: to| is|:| value is| value:)\s*$", re.IGNORECASE)
_TERM = re.compile(r"[A-Za-z][\w.-]*[_.-][\w.-]*\w|[A-Z][A-Z0-9]{2,60}")
_LONGEST_VALUE = 40
_FACTORS = ((1000,), (1000, 60), (1000, 60, 60), (1000, 60, 60, 24), (60, 60), (60, 60, 24), (1024,), (1024, 1024))
_LEAST_PRODUCT, _MOST_TIMES = 4, 1000
"""Digits of a number that one may rather write as a product, and how often the factors may stand in it."""
_PROMISED_ABOVE = 60
"""Blocks of a chapter between a sentence and the entries that it speaks of."""


class Stated(Struct, frozen=True):
    """A place where a document has an old value."""

    document: Document
    block: Block
    inline: Inline
    start: int
    text: str
    names: frozenset[str]
    """Those of the names that stand here; none where a port is told of by its number alone."""
    to_be_mended: bool = True
    """The value is to be replaced; not where it is right and only what is said of it is not."""


def spellings_of(change: ChangedValue) -> list[str]:
    """The old value as documents may write it: the whole, of an address its port, and what an expression amounts to."""
    port = OLD_PORT.search(change.old) if change.port else None
    new = OLD_PORT.search(change.new) if port else None
    ports = [port[1]] if port and new and port[1] not in (change.old, new[1]) else []
    whole = [change.old.removesuffix(".0")] if _WHOLE.fullmatch(change.old) else []
    whole += [f"{change.old}.0"] if change.old.isdecimal() and len(change.old) > 1 else []
    return list(
        dict.fromkeys([change.old, *whole, *ports, *(old for old, _ in change.written), *_products(change.old)])
    )


def _products(old: str) -> Iterator[str]:
    """A number as the product that people write for it, mostly of milliseconds, seconds or bytes: `1000 * 60`, `24 * 60 * 60`."""
    number = int(old) if old.isdecimal() and len(old) in range(_LEAST_PRODUCT, 13) else 0
    for factors in _FACTORS if number else ():
        whole = prod(factors)
        if number % whole == 0 and number // whole < _MOST_TIMES:
            told = [*map(str, factors)]
            more = [str(number // whole)] if number != whole else []
            yield from (" * ".join(one) for one in (told + more, more + told, told[::-1] + more, more + told[::-1]))


def states_of(change: ChangedValue) -> tuple[str, ...]:
    """How a column of defaults writes what code has as a number: `yes` for 1."""
    of = {("1", "0"): ("yes", "true", "on", "enabled"), ("0", "1"): ("no", "false", "off", "disabled")}
    return of.get((change.old, change.new), ())


def without_owner(change: ChangedValue) -> ChangedValue:
    """What `Logger::WARN` belongs to stands in it: that it does says nothing of whose default it is."""
    owner = re.split(r"\.|::", change.constant)[-2:-1]
    return replace(change, names=change.names - set(map(normal, owner)))


def named_in(change: ChangedValue, names: set[str]) -> frozenset[str]:
    """Those of the names that the change is of. With a line before it, what a variable ends in: a name of several parts in one."""
    joined_up = {whole for phrase in change.phrases if (whole := "".join(phrase)) in change.names}
    ends = {name[1:] for name in names if name[:1] == "_"} & joined_up
    return frozenset(names & (change.names | change.around)) | ends


def otherwise_told(
    change: ChangedValue, blocks: Sequence[tuple[Document, Block]], documents: Mapping[str, Document]
) -> Iterator[Stated]:
    """All such places of one value."""
    yield from _plainly(change, blocks)
    yield from _appended(change, blocks)
    for document in documents.values():
        for number, block in enumerate(document.blocks if not document.history else ()):
            if block.kind == "item" and not block.historical:
                yield from _promised(change, document, number)
            elif block.kind == "html" and not block.historical:
                yield from _of_a_term(change, document, block)


def _promised(change: ChangedValue, document: Document, number: int) -> Iterator[Stated]:
    """`APP_LIMIT - How many ("15")` below a sentence that promises the defaults in brackets."""
    block = document.blocks[number]
    head = _HEADED.match(block.text[:LONGEST_LINE])
    names = named_in(change, set(spelled([head["name"]]))) if head is not None else frozenset[str]()
    if not names or not _is_promised(document, number):
        return
    for text in spellings_of(change):
        pattern = re.compile(rf"(?<=[(\"'`]){re.escape(text)}(?=[\"'`]?\s*\))")
        for inline in block.inlines if text in block.text else ():
            match = pattern.search(inline.text) if inline.kind in ("text", "code") else None
            if match is not None:
                yield Stated(document, block, inline, match.start(), text, names)


def _is_promised(document: Document, number: int) -> bool:
    section = document.blocks[number].section
    for above in reversed(document.blocks[max(0, number - _PROMISED_ABOVE) : number]):
        if above.section[: len(section)] != section:
            return False
        if above.kind == "paragraph" and _PROMISES.search(above.text[:LONGEST_LINE]):
            return True
    return False


def has_terms(block: Block) -> bool:
    """A list of definitions in HTML: what it says of one term it does not say of the others."""
    return block.kind == "html" and sum(1 for i in block.every_inline() if _TERM.fullmatch(i.text.strip())) > 1


def _of_a_term(change: ChangedValue, document: Document, block: Block) -> Iterator[Stated]:
    """`<dt>LIMIT<dd>How many<dd>defaults to 15`, `<td>LIMIT<td>False<td>15`: the last term above the value is what it is of."""
    term = ""
    texts = spellings_of(change)
    before = ""
    heads: list[str] = []
    at = 0
    for inline in block.every_inline():
        bare = inline.text.strip()
        at += 1
        in_column = bool(term) and at == _column_of_defaults(heads)
        if inline.kind in ("text", "code") and _TERM.fullmatch(bare) and not (in_column or _TOLD_LAST.search(before)):
            term, at = bare, 0
        if not term and bare:
            heads.append(bare)
        names = named_in(change, set(spelled([term]))) if term else frozenset[str]()
        for text in texts if names and inline.kind in ("text", "code") else ():
            whole = rf"(?<![\w.-]){re.escape(text)}(?=[\"'`)\]]{{0,2}}(?:[.,;]?\s|[.,;]?$))"
            match = re.search(whole, inline.text[:LONGEST_LINE])
            told = match is not None and _TOLD_LAST.search(
                f"{before} {inline.text[: match.start()]}".rstrip("\"'`[( ") + " "
            )
            if match is not None and (told or (in_column and bare.strip("\"'`") == text)):
                yield Stated(document, block, inline, match.start(), text, names)
                break
        before = inline.text if inline.kind == "text" else ""


def _column_of_defaults(heads: Sequence[str]) -> int:
    """Which cell behind the first one of a row tells the default, by the words before the first term; 0 if none does."""
    return next((number for number, head in enumerate(heads) if DEFAULT_HEADER.match(head)), 0)


def speaking(changes: Sequence[ChangedValue], world: World) -> list[tuple[Document, Block]]:
    """The blocks that hold an old value which is not of every text, whether or not they speak of a default."""
    values = {text for change in changes for text in spellings_of(change) if _is_rare(text)}
    wanted = re.compile("|".join(map(re.escape, values))) if values else None
    return [
        (document, block)
        for document in (world.documents.values() if wanted is not None else ())
        for block in document.blocks
        if block.kind in ("paragraph", "item") and not (document.history or block.historical or block.hypothetical)
        if wanted is not None and wanted.search(block.text)
    ]


def _plainly(change: ChangedValue, blocks: Sequence[tuple[Document, Block]]) -> Iterator[Stated]:
    """`The lowest supported version of Gradle is 7.4`: what the value is of is said in words, all but one."""
    for text in filter(_is_rare, spellings_of(change)):
        pattern = re.compile(rf"(?<![\w.-]){re.escape(text)}(?![\w-]|\.\w)")
        for document, block in blocks if any(len(phrase) > _LEAST_SAID for phrase in change.phrases) else ():
            for inline in block.inlines if text in block.text else ():
                for match in pattern.finditer(inline.text) if inline.kind in ("text", "code") else ():
                    sentence = sentence_of(block, inline, match)
                    names = in_words(sentence, change.phrases, surely=True)
                    told = _DEFAULT.search(sentence) or is_historical(sentence) or _INSTANCE.search(sentence)
                    if names and not told and not is_listed(change, *joined(block.inlines, inline, match)):
                        yield Stated(document, block, inline, match.start(), text, names)


def _appended(change: ChangedValue, blocks: Sequence[tuple[Document, Block]]) -> Iterator[Stated]:
    """`limit (int) - How many. (600)`: the last thing that an item says of what it begins with, and of which it tells the type."""
    for text in filter(_is_rare, spellings_of(change)):
        pattern = re.compile(rf"(?<=[(\"'`]){re.escape(text)}(?=[\"'`]?\s*\)\W*$)")
        for document, block in blocks:
            head = _TYPED_HEAD.match(block.text[:LONGEST_LINE]) if block.kind == "item" and text in block.text else None
            names = named_in(change, set(spelled([head["name"]]))) if head is not None else frozenset()
            last = block.inlines[-1] if names and _APPENDED.search(block.text) else None
            match = pattern.search(last.text) if last is not None and last.kind == "text" else None
            if last is not None and match is not None:
                yield Stated(document, block, last, match.start(), text, names)


def _is_rare(text: str) -> bool:
    return len(text) > 1 and any(map(str.isdigit, text)) and len(text) < _LONGEST_VALUE
