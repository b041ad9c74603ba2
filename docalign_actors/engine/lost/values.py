"""Places where documents state a value as a default, or as a port, that own code has just changed to another.

The kinds read defaults where a collector knows how a language gives them. What a change did is plainer: a line of own code is
the same but for one value, and a sentence, a row or an option's help has the old value beside the name on that line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_historical
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.default import ports as defaultports
from docalign_actors.engine.kinds.default.blocks import printed_defaults
from docalign_actors.engine.kinds.shared.programs import own_programs
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.kinds.shared.values import rewritten
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.changed import ChangedValue, changed_values
from docalign_actors.engine.lost.constants import changed_constants
from docalign_actors.engine.lost.copied import copied, shown_lines
from docalign_actors.engine.lost.lines import LONGEST_LINE, Edit, alike_languages
from docalign_actors.engine.lost.listed import listed, listings
from docalign_actors.engine.lost.nodefaults import is_no_default
from docalign_actors.engine.lost.offered import choices, offered
from docalign_actors.engine.lost.stated import (
    OLD_PORT,
    Stated,
    has_terms,
    named_in,
    otherwise_told,
    speaking,
    spellings_of,
    states_of,
    without_owner,
)
from docalign_actors.engine.lost.still import gives_beside, is_given, of_package, still_given, still_written, tells_of
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
from docalign_actors.engine.lost.untold import unsaid, untold
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
from docalign_actors.findings.model import Evidence, Fix, Verdict

_RULE = "wrong-default"
_DEFAULT = re.compile(rf"{DEFAULT_WORD}|{TYPED}", re.IGNORECASE)
_GIVEN_DEFAULT = re.compile(r"(?<![\w-])--?[a-z][\w-]{0,40}[= ]default\b")
"""`--type default`: what an option is given is no word about defaults."""
_PORT = re.compile(r"\bports?\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z][\w.-]*\w")
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
_DOTTED = re.compile(r"(?P<owner>(?:[A-Za-z][\w-]{0,40}\.){1,6})(?P<name>[A-Za-z][\w-]{1,60})(?![\w.-])")
_NOTED = re.compile(r"[`\"']?\s+\([^()]{1,60}\)$")
_NUMBER = re.compile(r"\d[\d_.,]{0,12}")
_LISTENS = re.compile(r"port$|listen|bind|expose|addr|^serve")
_REPORTS = re.compile(r"(?i)\b(?:listening|running|started|serving|available)\b")
"""What a program prints of itself: nobody chose the port there."""
_LOCAL = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0):$")
_ANOTHERS = re.compile(r"\b(?P<who>[A-Z][\w-]{2,40})['’]s (?:own )?default\b[^.;]{0,60}$")
_DISTINCT = re.compile(r"(?=.{8,60}$)[A-Za-z]{2,}\w*(?:[-_.][A-Za-z]{2,}\w*)+[-_.:]?")
"""A text that hardly anything else is: what a sentence calls the default is this one, whatever code calls what takes it."""
_OF_A_TYPE = re.compile(r"(?i)types?|defaults?(?: value)?|required")
"""What the first column of a table tells that has no column for names: it is about what its title says."""
_BESIDE, _ABOVE = 80, 4


def lost_values(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made, or could not decide: old values beside the names that had them."""
    found: list[Judged] = []
    taken: set[tuple[str, int, int]] = set()
    given = [*changed_values(edits), *changed_constants(edits)]
    changes = [c for c in given if not is_no_default(c)]
    telling = _telling(world) if changes else []
    undecided: dict[str, list[Claim]] = defaultdict(list)
    beside = Beside(judged if changes else ())
    for claim, judgement in judged if changes else ():
        if claim.form == "port" and judgement.verdict is Verdict.UNCERTAIN and not claim.hypothetical:
            told = any(said.verdict is Verdict.DRIFTED for _, said in beside.of(claim))  # `:8080` whole, say
            undecided[claim.value].extend([] if told else [claim])
    plain = speaking(changes, world)
    blocks = listings(world.documents) if changes else []
    code = shown_lines(world.documents) if changes else {}
    entries, silent = choices(world.documents) if changes else [], unsaid(world.documents if changes else {})
    for change in changes:
        shown = [Stated(*place) for place in listed(change, blocks, edits)]
        copies = [Stated(*place) for place in copied(change, code, edits)]
        whole = set(map(id, copies))  # a copy of the file is false with the file, whatever other code gives
        stated = (
            *copies, *_places(change, telling), *otherwise_told(change, plain, world.documents), *shown,
            *offered(change, entries), *untold(change, silent),
        )  # fmt: skip
        places = [p for p in stated if not any(_settles(change, p, *said, world) for said in beside.of(_claim(p)))]
        open_ports = [
            claim
            for claim in undecided.get(_port_of(change), ())
            if not (_is_chosen(claim, world) or _is_of_another(claim, change, world))
        ]
        still = still_given(change, world) if places or open_ports else None
        if still is not None and "" not in still:
            places += [place for claim in open_ports for place in _place(claim, world)]
        for place in places:
            givers = still and of_package(still, place.document.path, change.path, world)
            kept = givers is None or is_given(place.names, _titles(place), change, givers)
            if kept and id(place) not in whole:
                continue
            if not place.names and _DISTINCT.fullmatch(place.text) and still_written({place.text}, world):
                continue
            if gives_beside(place.document.path, place.names, change, world) or _is_anothers(place, world):
                continue
            if not any(map(str.isalnum, place.text)) and place.inline.kind != "code":
                continue  # a mark of punctuation in a sentence ends a part of it
            at = (place.document.path, place.inline.line, place.inline.column + place.start)
            if at not in taken:
                taken.add(at)
                found.append(_judged(place, change))
    return found


def _is_anothers(place: Stated, world: World) -> bool:
    """`Bun's default of 10 seconds`: what another program does, of which no code of ours is called."""
    match = _ANOTHERS.search(place.inline.text[:LONGEST_LINE], 0, place.start)
    if match is None:
        return False
    who = normal(match["who"])
    own = {normal(name) for name in (*own_programs(world), *(package.name for package in world.index.packages))}
    return who not in own and match["who"] not in world.index.definitions


def _port_of(change: ChangedValue) -> str:
    """The port that a server of ours listened on by default, "" if the line does not tell so much."""
    found = OLD_PORT.search(change.old) if change.port else None
    listens = any(_LISTENS.search(name) for name in change.names or change.around) or change.old.startswith(
        (":", "0.0.0.0:", "127.0.0.1:")
    )
    return found[1] if found and listens else ""


def _is_of_another(claim: Claim, change: ChangedValue, world: World) -> bool:
    """The row or the item that has the port is about a setting of its own: `auth_local` asks another program there."""
    for place in _place(claim, world):
        first = (place.block.cells[0].inlines if place.block.cells else place.block.inlines)[:1]
        if begins_with_another(place.block, claim.text) and not named_in(change, set(spelled([first[0].text.strip()]))):
            return True
    return False


def _is_chosen(claim: Claim, world: World) -> bool:
    """The document gives the port to a program itself, in the same chapter."""
    chosen = re.compile(
        # Published under its own number it is the program's; under another, the reader's.
        rf"(?i)port\W{{1,3}}{claim.value}\b|-[pl][= ]?{claim.value}\b(?!:)|{claim.value}:(?!{claim.value}\b)\d"
        rf"|(?<!\d)(?!{claim.value}:)\d{{2,5}}:{claim.value}\b"
    )
    document = world.documents[claim.file]
    blocks = [block for block in document.blocks if claim.value in block.text]
    own = next((b for b in blocks if any(i.line == claim.line for i in (*b.every_inline(), *b.lines))), None)
    depth = 1 if len({block.section[:1] for block in document.blocks if block.section}) == 1 else 0  # below the title
    chapter = own.section[depth : depth + 1] if own is not None else ()
    return any(
        chosen.search(line.text[:LONGEST_LINE]) and not _REPORTS.search(line.text[:LONGEST_LINE])
        for block in blocks
        if not chapter or block.section[depth : depth + 1] in ((), chapter)
        for line in block.lines
    )


def _place(claim: Claim, world: World) -> Iterator[Stated]:
    """Where a claim stands in its document, unless that tells of the past."""
    document = world.documents[claim.file]
    for block in document.blocks if not document.history else ():
        for inline in (*block.every_inline(), *block.lines) if not block.historical else ():
            start = claim.column - inline.column
            if inline.line == claim.line and start >= 0 and inline.text[start : start + len(claim.text)] == claim.text:
                yield Stated(document, block, inline, start, claim.text, frozenset())
                return


def _telling(world: World) -> list[tuple[Document, Block]]:
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


def _places(change: ChangedValue, telling: Sequence[tuple[Document, Block]]) -> Iterator[Stated]:
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
                alone = _DISTINCT.fullmatch(text) and (by_column or is_said(inline.text, match.start()))
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
            alone = _DISTINCT.fullmatch(text) and is_said(flat, at)
            if names or alone or (_is_port(change, text) and told):
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
    if _is_port(change, text) and _PORT.search(line):
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


def _is_port(change: ChangedValue, text: str) -> bool:
    return change.port and bool(re.fullmatch(r"\d{4,5}", text))


def _settles(change: ChangedValue, place: Stated, claim: Claim, judgement: Judgement, world: World) -> bool:
    """A kind has read this very value and says the same, or has found it in code of the same sort."""
    if judgement.verdict is Verdict.VERIFIED and claim.kind in ("default", "version"):
        told = {item.file for item in judgement.evidence if language_of(item.file) in alike_languages(change.path)}
        own = of_package({"": told}, place.document.path, change.path, world)[""]
        return bool(tells_of(own, _titles(place), change.path))
    return judgement.verdict is Verdict.DRIFTED


def _titles(place: Stated) -> tuple[str, ...]:
    """What the place is below: its headings, and what the names beside it are told to belong to, with a dot (`store.cache.`)."""
    texts = (i.text[:LONGEST_LINE] for i in (*place.block.every_inline(), *place.block.lines) if i.kind != "link")
    dotted = (match for text in texts for match in _DOTTED.finditer(text))
    return (*place.block.section, *(match["owner"] for match in dotted if normal(match["name"]) in place.names))


def _judged(place: Stated, change: ChangedValue) -> Judged:
    port = _is_port(change, place.text)
    now = OLD_PORT.search(change.new) if port else None
    written = dict(change.written).get(place.text, "")
    new = now[1] if now else written or change.new
    rule = defaultports.RULE if port else _RULE
    evidence = Evidence(f"was `{change.old}` until then, is `{change.new}` now", change.path, 0, change.commit)
    replacement = written or rewritten(place.text, new) or (new if re.fullmatch(r"[\w.:/-]{1,80}", new) else "")
    message = f"The code gives `{new}` where it gave `{place.text if place.to_be_mended else change.old}`"
    fix = Fix(replacement, bool(place.names)) if replacement and place.to_be_mended else None
    told = Judgement(Verdict.DRIFTED, rule, message, (evidence,), 0.85, fix=fix, subject=f"{place.text} {new}")
    return _claim(place), told


def _claim(place: Stated) -> Claim:
    return Claim(
        "default", place.text, place.text, place.document.path, place.inline.line, place.inline.column + place.start,
        form="example" if place.block.kind == "code" else "prose", value=place.text, section=place.block.section,
    )  # fmt: skip
