"""Where documents state a value as a default, or as a port: in a sentence, a row, an option's help, a sample of settings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.kinds.default.blocks import printed_defaults
from docalign_actors.engine.lost.changed import ChangedValue
from docalign_actors.engine.lost.lines import LONGEST_LINE
from docalign_actors.engine.lost.stated import (
    Stated,
    has_terms,
    named_in,
    spellings_of,
    states_of,
    without_owner,
)
from docalign_actors.engine.lost.subjects import (
    DEFAULT_HEADER,
    UNIT,
    begins_with_another,
    entry_of,
    in_help,
    in_words,
    number_of,
    of_example,
    of_option_above,
    of_parent,
    of_row,
    of_section,
    of_summary,
    of_text,
    of_title,
    of_words,
    spelled,
    tells_another,
)
from docalign_actors.engine.lost.tabular import row_of_defaults
from docalign_actors.engine.lost.wording import (
    DEFAULT_WORD,
    TYPED,
    is_a_word,
    is_listed,
    is_said,
    joined,
    key_of,
    says_default,
    sentence_of,
)
from docalign_actors.engine.world import World

_DEFAULT = re.compile(rf"{DEFAULT_WORD}|{TYPED}", re.IGNORECASE)
_GIVEN_DEFAULT = re.compile(r"(?<![\w-])--?[a-z][\w-]{0,40}[= ]default\b")
"""`--type default`: what an option is given is no word about defaults."""
_PORT = re.compile(r"\bports?\b", re.IGNORECASE)
_DEFAULTS_FOLLOW = re.compile(
    r"\bdefault (?:configuration|config|settings|values|options)\b[^.]{0,80}[:.]?$|\bdefaults\b[^.]{0,40}:$"
    r"|(?:^|\. )(?:(?:the|its) )?defaults?(?: value)?(?: is| are)?(?: as follows)?:?$|\bdefaults to:?$"
    r"|\bwith (?:their|its|all|the) (?:[a-z]+ )?default(?:s| values?| settings?)\b",
    re.IGNORECASE,
)
_SETTING = re.compile(r"\s*[\"']?(?P<key>[\w.-]{2,160})[\"']?\s*[:=]\s*(?P<value>\S{1,80})(?:\s+[#;/].*)?$")
_REMARK = re.compile(
    r"\s*[\"']?(?P<key>[A-Za-z_][\w.-]{1,80})[\"']?\s*[:=]\s*[^\s:=][^/#]{0,80}\s(?://|#)\s.*\bdefault", re.IGNORECASE
)
"""What is given on the line, and behind it a remark that tells the default of that very thing."""
_COMMENT = re.compile(r"\s*(?:#|;|//)+")
_HELP_HEAD = re.compile(r"^\s{0,16}(?:(?:-\w(?:,? | \w+, ))?--?[a-zA-Z]|\.\w+\()")
"""What a default that is told on a line, or below it, belongs to: an option, or a link of a chain of calls."""
_NOTED = re.compile(r"[`\"']?\s+\([^()]{1,60}\)$")
_NUMBER = re.compile(r"\d[\d_.,]{0,12}")
_LOCAL = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0):$")
DISTINCT = re.compile(r"(?=.{8,60}$)[A-Za-z]{2,}\w*(?:[-_.][A-Za-z]{2,}\w*)+[-_.:]?")
"""A text that hardly anything else is: what a sentence calls the default is this one, whatever code calls what takes it."""
_OF_A_TYPE = re.compile(r"(?i)types?|defaults?(?: value)?|required")
"""What the first column of a table tells that has no column for names: it is about what its title says."""
_BESIDE, _ABOVE = 80, 4


def telling_blocks(world: World) -> list[tuple[Document, Block]]:
    """The blocks that speak of a default, which most do not."""
    return [
        (document, block)
        for document in world.documents.values()
        for number, block in enumerate(document.blocks if not document.history else ())
        if not ((block.historical and block.kind == "code") or has_terms(block))
        and (
            _DEFAULT.search(_GIVEN_DEFAULT.sub("", block.text) if block.lines else block.text)
            or any(DEFAULT_HEADER.match(cell.header) for cell in block.cells)
            or (block.lines and (_is_of_defaults(document, number) or any(True for _ in printed_defaults(block))))
        )
    ]


def _is_of_defaults(document: Document, number: int) -> bool:
    """Settings that the title or the sentence above calls the defaults: `The default configuration looks like this:`"""
    section = document.blocks[number].section
    above = document.blocks[number - 1] if number else None
    told = above is not None and above.kind == "paragraph" and _DEFAULTS_FOLLOW.search(above.text) is not None
    return told or (bool(section) and _DEFAULT.search(section[-1]) is not None)


def stated_places(change: ChangedValue, telling: Sequence[tuple[Document, Block]]) -> Iterator[Stated]:
    for text in (*spellings_of(change), *(states := states_of(change))):
        united = rf"(?={UNIT}(?!\w))|" if text.isdigit() else ""
        pattern = re.compile(
            rf"(?<![\w.-])(?<!\d:)(?<!::)(?<!\d \* ){re.escape(text)}(?! ?\* ?\d)(?:{united}(?![\w-]|\.\w|:\d|://))"
        )
        one = without_owner(change) if text == change.constant else change
        for document, block in telling:
            if text not in states or block.cells:
                yield from _in_block(one, text, pattern, document, block)


def _in_block(
    change: ChangedValue, text: str, pattern: re.Pattern[str], document: Document, block: Block
) -> Iterator[Stated]:
    """The places in a block; none where the new value stands already, which may hold the old one: `The region (default: a)`."""
    told = _stated_in(change, text, pattern, document, block)
    if text not in change.new:
        yield from told
        return
    for place in told:
        before = change.new.find(text)
        if not place.inline.text.startswith(change.new, max(0, place.start - before)):
            yield place


def _stated_in(
    change: ChangedValue, text: str, pattern: re.Pattern[str], document: Document, block: Block
) -> Iterator[Stated]:
    if block.lines:
        for number, line in enumerate(block.lines):
            for match in _said_if_any(pattern, line.text[:LONGEST_LINE]) if text in line.text else ():
                if row := row_of_defaults(block, number, match.start()):
                    if names := named_in(change, set(spelled([row]))):
                        yield Stated(document, block, line, match.start(), text, names)
                    continue
                word = is_a_word(line, match) and not _SETTING.match(line.text[:LONGEST_LINE])
                owners = _told_in_code(change, text, document, block, number) if not word else None
                if owners is not None and not is_listed(change, line.text[:LONGEST_LINE], match.start()):
                    yield Stated(document, block, line, match.start(), text, owners)
        return
    for cell in block.cells:
        for inline in cell.inlines:
            for match in pattern.finditer(inline.text) if _is_text(inline) else ():
                whole = cell.text or inline.text  # of an address that is a link by itself, the cell has no text
                by_column = bool(DEFAULT_HEADER.match(cell.header)) and _is_all(whole.strip(" `\"'[]"), text)
                called = bool(_DEFAULT.search(cell.text)) and not tells_another(block, text)
                nameless = by_column and _OF_A_TYPE.fullmatch(block.cells[0].header.strip())
                about = of_row(block) | (of_title(block) if called or nameless else set())  # one of several choices
                names = named_in(change, about) if by_column or called else frozenset()
                said = by_column or not (
                    is_a_word(inline, match) or is_listed(change, *joined(cell.inlines, inline, match))
                )
                alone = DISTINCT.fullmatch(text) and (by_column or is_said(inline.text, match.start()))
                if (names or alone) and said:
                    yield Stated(document, block, inline, match.start(), text, names)
    links = {inline.label for inline in block.inlines if inline.kind == "link" and not _NUMBER.fullmatch(inline.label)}
    for inline in block.inlines:
        for match in pattern.finditer(inline.text) if _is_text(inline) else ():
            if inline.text.strip() in links and not says_default(*joined(block.inlines, inline, match)):
                continue  # `(see [index.js](…) for the defaults)`: the file where they stand
            sentence = sentence_of(block, inline, match)
            if not _DEFAULT.search(sentence) or is_historical(sentence):
                continue
            if key := key_of(inline, match.start()):
                if names := named_in(change, set(spelled([key]))):
                    yield Stated(document, block, inline, match.start(), text, names)
                if names or text.isalpha():
                    continue
            flat, at = joined(block.inlines, inline, match)
            if is_listed(change, flat, at) or is_a_word(inline, match):
                continue
            if text.isalpha() and not _DEFAULT.search(flat[max(0, at - _BESIDE) : at + _BESIDE]):
                continue
            names = named_in(change, of_text(block)) or named_in(change, of_parent(document, block))
            names = names or named_in(change, of_option_above(document, block) or of_summary(document, block))
            names = names or named_in(change, of_example(document, block) or of_section(document, block))
            if not names and not begins_with_another(block, text):
                names = in_words(sentence, change.phrases) or named_in(change, of_words(block, flat, at, text))
            told = _PORT.search(sentence) or _LOCAL.search(inline.text[: match.start()])
            alone = DISTINCT.fullmatch(text) and is_said(flat, at)
            if names or alone or (is_port(change, text) and told):
                yield Stated(document, block, inline, match.start(), text, names)


def _said_if_any(pattern: re.Pattern[str], line: str) -> list[re.Match[str]]:
    """`limit: 64, // default 64`: of two that are alike, the one that is called the default; what is given is chosen."""
    found = list(pattern.finditer(line))
    said = [match for match in found if is_said(line, match.start())] if len(found) > 1 else []
    return said or found


def _is_text(inline: Inline) -> bool:
    """What is read as it stands: words, code, and an address that is a link by itself."""
    return inline.kind in ("text", "code") or (inline.kind == "link" and not inline.label)


def _is_all(told: str, text: str) -> bool:
    """The value and nothing else, but for a note in brackets, or a path that ends in it: `[root]/pids`."""
    return text in (told, _NOTED.sub("", told)) or (
        text.isalpha() and re.fullmatch(rf"[^\s/]{{1,40}}/{text}/?", told) is not None
    )


def _told_in_code(
    change: ChangedValue, text: str, document: Document, block: Block, number: int
) -> frozenset[str] | None:
    """Help, or a comment: the default is told on this line, and the option stands on it or a little above."""
    line = block.lines[number].text[:LONGEST_LINE]
    if not _DEFAULT.search(line):
        if (flag := _printed(text, block, number)) is not None:
            return named_in(change, set(spelled([flag.lstrip("-")]))) or None
        key = _SETTING.match(line)
        if (
            key is None
            or key["value"].strip("\"',") != text
            or not _is_of_defaults(document, number_of(document, block))
        ):
            return None
        return named_in(change, set(spelled([key["key"]]))) or None
    if is_port(change, text) and _PORT.search(line):
        return frozenset()
    if (entry := entry_of(block, number)) is not None:
        return named_in(change, set(spelled([entry]))) or None
    if (remark := _REMARK.match(line)) is not None:
        return named_in(change, set(spelled([remark["key"]]))) or None
    names: set[str] = set()
    for above in reversed(block.lines[max(0, number - _ABOVE) : number + 1]):
        if not above.text.strip():
            break
        names.update(spelled(in_help(above.text[:LONGEST_LINE])))
        if _HELP_HEAD.match(above.text):
            break
    if (mark := _COMMENT.match(line)) is not None:  # a comment that tells of the command or the key below it
        below = [one.text[:LONGEST_LINE] for one in block.lines[number + 1 : number + _ABOVE]]
        names.update(spelled(in_help(next((text for text in below if not text.startswith(mark.group())), ""))))
        keys = [_SETTING.match(text.removeprefix(mark.group())) for text in below[:1]]
        names.update(name for key in keys if key is not None for name in spelled([key["key"]]))
    return named_in(change, names) or in_words(line, change.phrases) or None


def _printed(text: str, block: Block, number: int) -> str | None:
    """The option behind which a line of a program's help has the value: `--buffer=10m0s  How long.`"""
    line = block.lines[number].line
    return next((one.subject for one in printed_defaults(block) if one.line == line and one.value == text), None)


def is_port(change: ChangedValue, text: str) -> bool:
    return change.port and bool(re.fullmatch(r"\d{4,5}", text))
