"""What a place of a document may be about: the names beside a value, those above it, and what it says in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.lines import LONGEST_LINE, TOKEN
from docalign_actors.engine.lost.wording import DEFAULT_WORD

DEFAULT_HEADER = re.compile(rf"^\W*(?:(?:значение )?{DEFAULT_WORD}|défaut|standard$|initial|value if)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w.-]*\w")
_HEAD = re.compile(r"^\W*([A-Za-z][\w.-]*\w)")
_KEYED = re.compile(r"""([A-Za-z][\w.-]*\w)["'`]?\s*[:=]""")
_CODE_NAME = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w.-]*\w|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b[a-z]\w*(?:[_.-]\w+)+\b|\b[a-z]+[A-Z]\w*"
)
_CONSTANT_NAME = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_DEFAULT_ITEM = re.compile(r"\W{0,3}(?:(?:the )?defaults?\b|description\W{1,4}\w)", re.IGNORECASE)
_FEW_WORDS = re.compile(r"[A-Za-z]{2,20}(?: [A-Za-z]{2,20}){1,3}")
_BEFORE = re.compile(r"([A-Za-z][\w-]{2,60})\W{1,3}(?:(?:is|to|of|as) )?\W{0,3}$")
UNIT = r"(?:[KMGT]i?B|[kmgt]b|ms|s|min|h|%)"
_AFTER = re.compile(rf"(?: ?{UNIT}(?= ))?\W{{1,3}}([A-Za-z][\w-]{{2,60}})")
_TERM = re.compile(r"\W{0,3}([A-Za-z][\w-]{2,60}) ?\([^()]{1,60}\):")
_IN_BRACKETS = re.compile(r"\((?:the )?default(?:s to| is|:)?[ \"']{1,3}$", re.IGNORECASE)
_FIRST = re.compile(r"\W{0,3}([A-Za-z][\w-]{3,60})(?= )")
"""`Timeout in 1 second (default 2 seconds)`: what an item begins with, if it ends with the default in brackets."""
_SYNOPSIS = re.compile(r"\s*(?:-\w,? )?--(?:\[no-\])?(?P<name>[A-Za-z][\w-]{1,60})(?:[ =]\S{1,40}){0,3}\s*")
"""A line of a manual that is nothing but an option: `-b, --base NAME`."""
_THIS = re.compile(
    r"\bth(?:is|at|e same) (?:parameter|option|setting|flag|switch|variable|argument|key)\b", re.IGNORECASE
)
_SETTING = re.compile(r"--[a-z][\w-]{1,60}|[A-Za-z]\w*(?:[_.-]\w+){1,8}|[a-z]+(?:[A-Z]\w*)+")
_THE_DEFAULT = re.compile(r"\W{0,3}(?:(?:the|its) default|by default|(?:it )?defaults?) ", re.IGNORECASE)
_SET = re.compile(
    r"""\s*(?:[\w$@:]{1,60}(?:\.|->)){0,5}[$@"']?(?P<key>[A-Za-z_][\w-]{2,60})["']?\s?(?:=>?|:(?!:))\s?[^\s=>].*"""
)
"""A line that gives a value to something: `config.limit = 5`, `limit: 5`, `LIMIT=5`."""
_GIVES = re.compile(r"(?:with|set)(?:_(?=[a-z])|(?=[A-Z]))(\w{3,60})")
_OWN_DEFAULT = re.compile(r"(?P<margin>\s{1,40})[\"']?default[\"']?\s?:\s")
"""A line of a schema that tells the default of the entry which it is indented below."""
_KEY_ABOVE = re.compile(r"\s{0,40}(?:- )?[\"']?(?P<key>[A-Za-z][\w.-]{0,80})[\"']?\s?:")
_GIVEN_TITLE = re.compile(r"(?P<name>[A-Za-z][\w.-]{1,60})=\S{1,30}$")
_LONGEST_ENTRY = 40
_BESIDE = 80
_ITEMS_ABOVE = 8
_ONE_BLANK = 2
_PARAGRAPHS_ABOVE = 3
_WORD = re.compile(r"[a-z]+|\d+")
_LEAST_PARTS = 2
_LEAST_ALONE = 3
_LEAST_JOINED = 7
"""Letters of a field's whole name that a library makes a variable of: `APP_SMTP_MAXRECIPIENTS` of `MaxRecipients`."""
_SMALL = frozenset("per of in on to by for at and or the a an is as with from".split())
"""Words that every sentence has: that one has the `per` of `requests_per_sec` tells nothing."""


def tells_another(block: Block, value: str) -> bool:
    """The row has a column for defaults, which says something else: what the description calls so is not this row's default."""
    return any(DEFAULT_HEADER.match(c.header) and c.text.strip() and value not in c.text for c in block.cells)


def of_row(block: Block) -> set[str]:
    """What a row of a table may be about: the first cells, whole or their code."""
    first = block.cells[0].text[:LONGEST_LINE] if block.cells else ""
    names = set(spelled(_CONSTANT_NAME.findall(first)))
    for cell in block.cells:
        if not DEFAULT_HEADER.match(cell.header):
            names.update(normal(i.text) for i in cell.inlines if i.kind == "code" or len(cell.inlines) == 1)
            if len(cell.inlines) == 1 and _NAME.fullmatch(cell.text):
                names.update(spelled([cell.text]))
            names.update(n for i in cell.inlines if i.kind == "code" for n in spelled(_NAME.findall(i.text)))
    return names - {""}


def of_text(block: Block) -> set[str]:
    """What a paragraph or an item may be about: its code, cross-references, what is written like code, and the heading above it."""
    names: set[str] = set()
    for inline in block.inlines:
        pattern = _CODE_NAME if inline.kind == "text" else _NAME
        if inline.kind in ("code", "text", "role"):
            names.update(spelled(pattern.findall(inline.text[:LONGEST_LINE])))
    return (names | of_title(block) | _of_head(block)) - {""}


def _of_head(block: Block) -> set[str]:
    """What an item begins with, set apart from its text: `**limit**: …`, a term of a list of definitions, `**limit=**`."""
    head = block.inlines[0].text.strip("-=: ") if block.kind == "item" and len(block.inlines) > 1 else ""
    return set(spelled([head])) if TOKEN.fullmatch(head) else set()


def of_title(block: Block) -> set[str]:
    """What the heading above is about: `Badge Style` tells of `--badge-style`."""
    title = block.section[-1].strip("`* ") if block.section else ""
    given = _GIVEN_TITLE.match(title)  # `quality=NN`
    named = [title] if " " not in title else _CODE_NAME.findall(title[:LONGEST_LINE])
    names = set(spelled([given["name"]] if given is not None else named)) if title else set()
    return (names | ({"".join(title.lower().split())} if _FEW_WORDS.fullmatch(title) else set())) - {""}


def of_words(block: Block, flat: str, at: int, value: str) -> set[str]:
    """What plain words may call it: beside the value (`the light theme`, `2 CPUs`), or as a term (`limit (int, optional): …`)."""
    before, after = _BEFORE.search(flat[max(0, at - _BESIDE) : at]), _AFTER.match(flat[at + len(value) :][:_BESIDE])
    term = _TERM.match(block.text[:LONGEST_LINE])
    if block.kind == "item" and _IN_BRACKETS.search(flat[max(0, at - _BESIDE) : at]):
        term = term or _FIRST.match(flat)
    found = {normal(match[1]) for match in (before, after, term) if match is not None}
    return found | ({normal(after[1]).removesuffix("s")} if after is not None and value.isdigit() else set())


def begins_with_another(block: Block, value: str) -> bool:
    """The item or the row is about a setting that it names first, as code: its words are about that one."""
    first = next(iter(block.cells[0].inlines if block.cells else block.inlines), None)
    told = first.text.strip() if first is not None and first.kind == "code" and block.kind in ("item", "row") else ""
    return _SETTING.fullmatch(told) is not None and told != value


def number_of(document: Document, block: Block) -> int:
    return next((number for number, other in enumerate(document.blocks) if other is block), 0)


def of_parent(document: Document, block: Block) -> set[str]:
    """`- default value: x` or `- Description: …, defaults to x` below `- --option: …`: what the item above is about."""
    if block.kind not in ("item", "paragraph") or not block.inlines or not _DEFAULT_ITEM.match(block.text):
        return set()
    at = number_of(document, block)
    for above in reversed(document.blocks[max(0, at - _ITEMS_ABOVE) : at]):
        if above.kind == "heading" or (above.kind != "item" and block.kind == "item"):
            break
        if above.kind == "item" and above.inlines and _is_within(block, above.inlines[0]):
            first = above.inlines[0].text.strip("`* ")
            return of_text(above) | (set(spelled([first])) if TOKEN.fullmatch(first) else set())
    return set()


def of_section(document: Document, block: Block) -> set[str]:
    """`- Default: x` in a section that begins with a setting and nothing else: that is what the section is about."""
    if block.kind not in ("item", "paragraph") or not block.section or not _DEFAULT_ITEM.match(block.text):
        return set()
    within = [other for other in document.blocks if other.section == block.section and other.kind == "paragraph"]
    heads = [other.inlines[0].text for other in within if len(other.inlines) == 1 and other.inlines[0].kind == "code"]
    named = [name for name in heads if _SETTING.fullmatch(name)]
    first = within[0].inlines if within else ()
    alone = len(named) == len(heads) == 1 and len(first) == 1 and first[0].text == named[0]
    return set(spelled(named)) if alone else set()


def of_example(document: Document, block: Block) -> set[str]:
    """What the code beside a paragraph sets, if that is one thing: `… every 30s by default, you can change it by setting:`"""
    if block.kind not in ("paragraph", "item"):
        return set()
    at = number_of(document, block)
    told = _THE_DEFAULT.match(block.text[:LONGEST_LINE])
    above = document.blocks[at - 1] if at and told else None
    below = document.blocks[at + 1] if at + 1 < len(document.blocks) else None
    if below is not None and not (block.text.endswith(":") or block.kind == "item"):
        below = None
    for other in (below, above):
        if other is not None and other.kind == "code" and other.section == block.section:
            return _set_in(other)
    return set()


def of_summary(document: Document, block: Block) -> set[str]:
    """What a part that opens on a click is about: `<details><summary>limit</summary>`, nothing but a blank line between."""
    at, below = number_of(document, block), block.line
    for above in reversed(document.blocks[max(0, at - _ITEMS_ABOVE) : at]):
        last = max((inline.line for inline in (*above.every_inline(), *above.lines)), default=0)
        if above.kind == "heading" or below - last > _ONE_BLANK:
            break  # the end of such a part is no block
        if above.kind == "html":
            told = above.inlines[0].text.strip("`* ") if len(above.inlines) == 1 else ""
            return set(spelled([told])) if TOKEN.fullmatch(told) else set()
        below = above.line
    return set()


def _set_in(block: Block) -> set[str]:
    """The one thing that a piece of code gives a value; none of several."""
    found = (_SET.match(line.text[:LONGEST_LINE]) for line in block.lines[:_LONGEST_ENTRY])
    keys = {match["key"] for match in found if match is not None}
    return set(spelled(sorted(keys))) if len(keys) == 1 else set()


def _is_within(block: Block, head: Inline) -> bool:
    """An item further right, or a paragraph that goes on where the item's own text began."""
    first = block.inlines[0]
    goes_on = block.kind == "paragraph" and first.column > 1 and head.column - (head.kind == "code") <= first.column
    return goes_on or _is_above(head, first)


def _is_above(head: Inline, inside: Inline) -> bool:
    """It begins further left; or a directive opens it (`.. data:: LIMIT`), whose name stands further right than its text."""
    return head.column < inside.column or (head.kind == "code" and ":" in head.label)


def of_option_above(document: Document, block: Block) -> set[str]:
    """What a paragraph tells of that stands right below an option's synopsis, or that speaks of "this option"."""
    at = number_of(document, block) if block.kind in ("paragraph", "item") else 0
    if at and _THIS.search(block.text[: 4 * LONGEST_LINE]):
        before = document.blocks[max(0, at - _PARAGRAPHS_ABOVE) : at]
        told = (_options_of(b) for b in reversed(before) if b.section == block.section and b.kind == "paragraph")
        return next(filter(None, told), set())
    above = document.blocks[at - 1].text[:LONGEST_LINE].replace("`", "").replace(" ,", ",") if at else ""
    match = _SYNOPSIS.fullmatch(" ".join(above.split()))
    return set(spelled([match["name"]])) if match is not None else set()


def _options_of(block: Block) -> set[str]:
    """What a paragraph writes as code; of several things it does not say which one the next speaks of."""
    names = {i.text for i in block.inlines if i.kind == "code" and _SETTING.fullmatch(i.text)}
    return set(spelled(sorted(names))) if len({normal(name) for name in names}) == 1 else set()


def spelled(names: Sequence[str]) -> Iterator[str]:
    """The names and what stands last in them: `Server.port` is told of as `port` too, `APP_LOG_LEVEL` as `log_level`, and what
    gives something is told of as what it gives: `withRetries(…)`, `set_retries`."""
    for name in names:
        yield normal(name)
        yield normal(name.rpartition(".")[2])
        if (given := _GIVES.match(name.rpartition(".")[2])) is not None:
            yield normal(given[1])
        words = name.split("_") if name.isupper() else []
        if len(words) > 1 and len(words[-1]) >= _LEAST_JOINED:
            yield f"_{words[-1].lower()}"
        yield from ("".join(words[at:]).lower() for at in range(1, len(words) - 1))


def in_words(sentence: str, phrases: Iterable[Sequence[str]], *, surely: bool = False) -> frozenset[str]:
    """The names whose parts the sentence says in words: `workerMaxHeapSize` where workers "use at most 256 MB of heap size".

    Two parts and two thirds of them; where nothing else tells what the value is (`surely`), three and all but one.
    """
    said = {_stem(word) for word in _WORD.findall(sentence.lower())}
    found: set[str] = set()
    for phrase in phrases:
        telling = [part for part in phrase if part not in _SMALL]
        told = sum(1 for part in telling if _stem(part) in said)
        least, most = (_LEAST_ALONE, len(telling) - 1) if surely else (_LEAST_PARTS, 2 * len(telling) / 3)
        if told >= least and told >= most:
            found.add("".join(phrase))
    return frozenset(found)


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def entry_of(block: Block, number: int) -> str | None:
    """The key whose default a line of a schema tells, by its margin, and nothing that its description names."""
    told = _OWN_DEFAULT.match(block.lines[number].text[:LONGEST_LINE])
    for above in reversed(block.lines[max(0, number - _LONGEST_ENTRY) : number]) if told is not None else ():
        text = above.text[:LONGEST_LINE]
        if told is not None and text.strip() and len(text) - len(text.lstrip()) < len(told["margin"]):
            key = _KEY_ABOVE.match(text)
            return key["key"] if key is not None else ""
    return None


def in_help(line: str) -> list[str]:
    """The names of a line of help or settings: its first, keys, and what is written like code; words of its text are none."""
    return [*_HEAD.findall(line), *_KEYED.findall(line), *_CODE_NAME.findall(line)]
