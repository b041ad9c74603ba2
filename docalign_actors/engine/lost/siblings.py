"""Words that stood among others of their kind until a moment ago: one of several commands, options, keys, events or themes.

What a framework calls them need not be known. Lines of code that are alike but for one word tell what is of a kind
(`register("sync")`, `register("show")`, or `sync: run,` below `show: run,`), and a document that lists the old word with two of
those that are still there speaks of them, whatever else the word may mean elsewhere in the code.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.lines import BORROWS, LONGEST_LINE, MOST_SEARCHED, TOKEN, Edit, code_in
from docalign_actors.engine.lost.parsed import is_quoted
from docalign_actors.engine.lost.still import still_named
from docalign_actors.engine.roles import is_foreign, is_own_code, is_release_note
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_COMMENT = re.compile(r"\s*(?://|/?\*|#(?!\[|define)|<!--|--\s|;)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_HEAD = re.compile(r"\W{0,3}(?P<name>[A-Za-z][\w-]*\w)(?=\W|$)")
_TERM = re.compile(r"(?P<name>[A-Za-z][\w-]*\w)\s*(?:[:=]|[–—-]\s|$)")
_QUOTED = re.compile(r"""["'](?P<name>[a-z][\w-]{2,60})["']""")
_TITLE = re.compile(r"[A-Z][a-z]+")
_LISTED = re.compile(
    r"^\s*(?:-\w,?\s+)?(?:- )?-{0,2}[\"']?(?P<name>[A-Za-z][\w-]*\w)[\"']?(?=\s{2,}|\s*[:=](?![:=])|,? ?[<\[(]|,? -\w(?!\w)|,?\s*$)"
)
_CHOICE = re.compile(
    r"(?P<open>[{(<\[])(?P<names>[a-z][\w-]{1,40}(?:(?P<mark>[,|])\s?[a-z][\w-]{1,40})(?:(?P=mark)\s?[a-z][\w-]{1,40}){1,40})[})>\]]"
)
"""The commands that a program takes, as its usage prints them: `{check,run,start}`, `(start|stop|status)`."""
_WRITES = re.compile(r"\bset_?(?:Attribute|Header|Property)s?\s*\(", re.IGNORECASE)
"""What code gives to others (an element of a page, an answer) is theirs by name."""
_HUMP = re.compile(r"[a-z][A-Z]")
_GIVEN = re.compile(r"[\w\])]\s*=\s*$")
_LEAST_LENGTH = 3
_LEAST_BESIDE = 2
_STILL_QUOTED = 2
"""Files of own code that have a word as a string: what went from a list is something to them all the same."""
_NEAR = 30
_MOST = 60
_MOST_LINES = 3_000
_MOST_OF_A_WORD = 8
"""Lines that are looked at for one word: the first may be a use of it, and another the place where it is listed."""
_MOST_FILES = 80
_MOST_IN_GROUP = 400

_KEYWORDS = frozenset(
    "def class function const let var fn func fun type struct enum val case when public private static string desc option".split()
)
_CONSTANTS = frozenset("None True False null NULL nil undefined NaN self this super void".split())
"""Words of the languages themselves: that one stood in a place where a name stands now says nothing of it."""
_IMPORTED = re.compile(r"""\s*(?:[\w.]{1,40} )?"[\w./-]{1,200}"\s*""")
_Heads = dict[str, tuple[Block, Inline, int]]
_Group = tuple[object, ...]


class Renamed(Struct, frozen=True):
    """A word, what stands in its place now ("": nothing), and the line that tells it."""

    old: str
    new: str
    line: str
    number: int
    edit: Edit


def lost_siblings(judged: Sequence[Judged], edits: Sequence[Edit], world: World) -> list[Judged]:
    """Claims that no kind made, or that a kind holds true because the word stands somewhere."""
    renamed: dict[str, list[Renamed]] = defaultdict(list)
    for edit in edits:
        for one in (*renamed_words(edit), *_dropped(edit)):
            renamed[one.old].append(one)
    listing = list(_listing(frozenset(renamed), world.documents)) if renamed else []
    asked = {old: ones for old, ones in renamed.items() if any(old in heads for _, heads in listing)}
    told = {(c.file, c.line, c.column) for c, j in judged if j.verdict is Verdict.DRIFTED} if asked else set()
    found: list[Judged] = []
    for one in [one for ones in list(asked.values())[:_MOST] for one in ones[:_MOST_OF_A_WORD]]:
        beside = _beside(one, world)
        vague = not one.new or "_" in one.old or _HUMP.search(one.old)
        if len(beside) < _LEAST_BESIDE or one.old in beside or (vague and _is_still_meant(one, world)):
            continue
        if one.new and is_quoted(one.old, one.edit.blob.path, world, _STILL_QUOTED):
            continue  # the list was put elsewhere, or the word is one of another kind now
        if f".{one.old}(" in one.line and _is_still_a_member(one.old, beside, world):
            continue
        pages: dict[str, Document] = {}
        for document, heads in listing:
            if one.old in heads and _is_theirs(one, heads, beside):
                pages[document.path] = document
                found.append(_judged(one, document, heads[one.old], beside))
        for document in pages.values():
            found.extend(_judged(one, document, place, beside) for place in _alone(one.old, document))
    return [(c, j) for c, j in _once(found) if (c.file, c.line, c.column) not in told]


def renamed_words(edit: Edit) -> Iterator[Renamed]:
    """The words that one other word stands in the place of, on a line that is otherwise the same."""
    if len(edit.gone) > _MOST_LINES or not edit.come:
        return
    come: dict[str, set[str]] = defaultdict(set)
    for line in edit.come:
        for word, rests in _slots(line).items():
            for rest in rests:
                come[rest].add(word)
    seen: Counter[str] = Counter()
    found: list[Renamed] = []
    for number, line in edit.numbered:
        for word, rests in _slots(line).items() if not (_is_borrowed(line) or _COMMENT.match(line)) else ():
            if len(word) < _LEAST_LENGTH or word in _CONSTANTS or seen[word] >= _MOST_OF_A_WORD:
                continue
            heirs = set().union(*(come.get(rest, ()) for rest in rests))
            same = normal(word) in map(normal, heirs)  # another spelling is the same word
            if len(heirs) == 1 and not same and not _is_named_anew(word, edit.come):
                seen[word] += 1
                found.append(Renamed(word, heirs.pop(), line, number, edit))
    # What came once for several that went is the heir of none: a list of names that got shorter.
    left = {new: {one.old for one in found if one.new == new} for new in {one.new for one in found}}
    yield from (one for one in found if len(left[one.new]) == 1)


def _is_borrowed(line: str) -> bool:
    """What others define, by a line that says so, or as Go lists what a file imports: nothing but a string."""
    return BORROWS.search(line) is not None or _IMPORTED.fullmatch(line) is not None


def _dropped(edit: Edit) -> Iterator[Renamed]:
    """The words that went as whole strings, and no other in their place."""
    heirs = {one.old for one in renamed_words(edit)} if edit.come else set()
    for number, line in edit.numbered if len(edit.gone) <= _MOST_LINES and not edit.data else ():
        told = not (_is_borrowed(line) or _COMMENT.match(line) or _WRITES.search(line))
        for match in _QUOTED.finditer(line) if told else ():
            if match["name"] not in heirs and not _is_named_anew(match["name"], edit.come):
                yield Renamed(match["name"], "", line, number, edit)


def _is_still_meant(one: Renamed, world: World) -> bool:
    """A key of a file of settings is another one although an option or a function is called so still: `args.syncPath`."""
    if not (one.edit.data and one.new and _HUMP.search(one.old)):
        return _is_still_named(one.old, world)
    key = re.compile(rf"""[\"'`]{one.old}[\"'`\s]|^\s*(?:- )?{one.old}\s*[:=]""".encode(), re.MULTILINE)
    paths = [path for path in world.files if language_of(path) and not (is_foreign(path) or is_release_note(path))]
    return len(paths) > MOST_SEARCHED or any(key.search(world.tree.read(path, SOURCE_LIMIT)) for path in paths)


def _is_still_a_member(word: str, beside: frozenset[str], world: World) -> bool:
    """A type of own code has it still, with two of the others: `Create` beside `Get` and `List`. A line that
    called it calls another now, and took nothing away."""
    named = world.index.definitions
    owners = [owner for found in named.get(word, ()) if (owner := _owner(found.fact))]
    return any(
        sum(any(_owner(found.fact) == owner for found in named.get(other, ())) for other in beside) >= _LEAST_BESIDE
        for owner in owners
    )


def _owner(definition: Definition) -> str:
    return definition.qualname.rpartition(".")[0]


def _is_still_named(word: str, world: World) -> bool:
    """Some code quotes it, or another file has it: a list may have become a file of data."""
    return is_quoted(word, "", world) or bool(still_named((word,), world))


def _is_named_anew(word: str, come: Iterable[str]) -> bool:
    """The same change writes the word as a string: `dev` became a group with a command of its own, and did not go."""
    return any(f"{mark}{word}{mark}" in line for line in come for mark in "\"'")


def _slots(line: str) -> dict[str, list[str]]:
    """For each word the line without it, wherever it stands on it, and without the first one alone: `sync: sync,`."""
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for match in TOKEN.finditer(line):
        start, end = match.span()
        before = line[max(0, start - 1) : start]
        joined = before == ":" and line[max(0, start - 2) : start - 1].isalnum()  # `build:tui` is one name
        if not (before == "-" or before.isalnum() or joined or line[end : end + 1] == "-"):
            places[match.group()].append((start, end))
    return {
        word: [
            *(_cut(line, spans[:most]) for most in {1, len(spans)} if most == len(spans) or not _is_read(word, line)),
            *_with_parts(word, line),
        ]
        for word, spans in places.items()
    }


def _with_parts(word: str, line: str) -> Iterator[str]:
    """The line without the word and without it as a part of longer names, which change with it: `"sync": command_sync`."""
    capital = word[:1].upper() + word[1:]
    if f"_{word}" in line or f"{word}_" in line or (capital != word and capital in line):
        bare = re.sub(rf"(?<![A-Za-z0-9-]){re.escape(word)}(?![A-Za-z0-9-])", "\0", line)
        yield re.sub(rf"(?<=[a-z0-9]){re.escape(capital)}(?![a-z])", "\0\0", bare)


def _is_read(word: str, line: str) -> bool:
    """`const limit = options.limit`: what the first one is called is nobody's but the function's, and the key is the second."""
    _, _, after = line.partition(word)
    read = f".{word}" in after or f'"{word}"' in after or f"'{word}'" in after
    return read and after.lstrip().startswith(("= ", ":= "))


def _cut(line: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in spans:
        pieces.append(line[at:start])
        at = end
    return "\0".join((*pieces, line[at:]))


def _listing(words: frozenset[str], documents: Mapping[str, Document]) -> Iterator[tuple[Document, _Heads]]:
    """What documents list together, where one of the words is among it."""
    for document in documents.values():
        if document.history:
            continue
        groups: dict[_Group, _Heads] = defaultdict(dict)
        for block in document.blocks:
            if block.historical:
                continue
            for key, name, inline, start in _heads(block):
                if len(groups[key]) < _MOST_IN_GROUP:
                    groups[key].setdefault(name, (block, inline, start))
        yield from ((document, heads) for heads in groups.values() if not words.isdisjoint(heads))


def _heads(block: Block) -> Iterator[tuple[_Group, str, Inline, int]]:
    """(group, name, where) of what a row, an item, a title or a line of a block begins with, and of the code in a sentence."""
    if block.kind == "code":
        for line in block.lines:
            text = line.text[:LONGEST_LINE]
            for choice in _CHOICE.finditer(text) if "," in text or "|" in text else ():
                if choice["mark"] == "|" or choice["open"] == "{":
                    yield from (
                        ((line.line, "choice", choice.start()), name.group(), line, name.start())
                        for name in re.compile(r"[a-z][\w-]*").finditer(
                            text, choice.start("names"), choice.end("names")
                        )
                    )
            if (match := _LISTED.match(text)) is not None:
                # A key below another one is not of its kind; options are written at any margin.
                bare = text.lstrip()
                margin = -1 if bare.startswith("-") else len(text) - len(bare)
                yield (block.line, "lines", margin), match["name"], line, match.start("name")
        return
    for number, cell in enumerate(block.cells[:2]):
        yield from _first(cell.inlines[:1], (block.group, "rows", number))
    if block.kind in ("item", "heading") and not _is_said_in_words(block):
        yield from _first(block.inlines[:1], (*block.section, block.kind, block.level))
    spans = [inline for inline in block.inlines if inline.kind == "code"]
    for span in spans if len(spans) > _LEAST_BESIDE else ():
        if (match := _HEAD.fullmatch(span.text)) is not None:
            yield (block.line, "spans"), match["name"], span, match.start("name")


def _is_said_in_words(block: Block) -> bool:
    """`* Weather`: what a program offers, as anybody would call it; the type that makes it may have another name any day."""
    return block.kind == "item" and _TITLE.fullmatch(block.text.strip()) is not None and block.inlines[0].kind == "text"


def _first(inlines: Sequence[Inline], group: _Group) -> Iterator[tuple[_Group, str, Inline, int]]:
    for inline in inlines:
        match = (
            (_HEAD if inline.kind == "code" else _TERM).match(inline.text) if inline.kind in ("code", "text") else None
        )
        if match is not None:
            yield group, match["name"], inline, match.start("name")


def _beside(one: Renamed, world: World) -> frozenset[str]:
    """The words that stand where the new one does, on lines of own code that are alike: in its file, else in its folder."""
    start = _position(one.old, one.line)
    left, right = one.line[:start].lstrip(), one.line[start + len(one.old) :][:1]
    if _GIVEN.search(left) and not one.edit.data:
        return frozenset()  # a variable that is handed over: its name is nobody's but the function's
    own = one.edit.blob.path if one.edit.blob.path in world.files else ""
    if not _WORD.search(left):  # nothing but a mark before it: what is of its kind stands right beside it
        slot = re.compile(rf"^{re.escape(one.line[:start])}([A-Za-z_][\w-]*\w){re.escape(right)}")
        lines = _lines(own, world) if own else []
        at = next((n for n, line in enumerate(lines) if line == one.line.replace(one.old, one.new)), one.number)
        near = lines[max(0, at - _NEAR) : at + _NEAR]
    else:
        slot = re.compile(rf"^\s*{_loose(left, one.old)}([A-Za-z_][\w-]*\w){re.escape(right)}")
        near = _lines(own, world) if own else []
        if sum(1 for line in near if slot.match(line)) <= _LEAST_BESIDE:
            near = [line for path in _neighbours(one.edit.blob.path, world) for line in _lines(path, world)]
    return frozenset(match[1] for line in near if (match := slot.match(line)) and match[1] != one.new)


def _position(word: str, line: str) -> int:
    match = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line)
    return match.start() if match is not None else 0


def _loose(left: str, word: str) -> str:
    """A pattern of what stands before a word: what is called stays, other words may be others (`const sync = add("`, `SYNC: "`)."""
    pieces: list[str] = []
    end = 0
    for match in _WORD.finditer(left):
        pieces.append(re.escape(left[end : match.start()]))
        called = left[match.end() : match.end() + 1] in ("(", ".", "<", ":", "") or left[: match.start()].endswith(
            (".", ">")
        )
        stays = (called and normal(match.group()) != normal(word)) or match.group() in _KEYWORDS
        pieces.append(re.escape(match.group()) if stays else r"\w+")
        end = match.end()
    return "".join((*pieces, re.escape(left[end:])))


def _neighbours(path: str, world: World) -> list[str]:
    folder, language = posixpath.dirname(path), language_of(path)
    alike = (p for p in sorted(world.files) if posixpath.dirname(p) == folder and language_of(p) == language)
    return [p for p in alike if is_own_code(p)][:_MOST_FILES]


def _lines(path: str, world: World) -> list[str]:
    data = world.tree.read(path, SOURCE_LIMIT)
    return (
        [line[:LONGEST_LINE] for line in data.decode("utf-8", "replace").split("\n")]
        if b"\0" not in data[:8192]
        else []
    )


def _is_theirs(one: Renamed, heads: _Heads, beside: frozenset[str]) -> bool:
    """Two of the others stand in the list, most of it or many are such, and the new word is not there yet."""
    others = heads.keys() - {one.old}
    known = others & beside
    most = 2 * len(known) >= len(others) or len(known) >= 2 * _LEAST_BESIDE
    return len(known) >= _LEAST_BESIDE and most and one.new not in heads


def _alone(word: str, document: Document) -> Iterator[tuple[Block, Inline, int]]:
    """Spans of nothing else in a document that lists the word with the others."""
    for block in document.blocks:
        for inline in code_in(block) if block.kind != "code" and not block.historical else ():
            match = _HEAD.fullmatch(inline.text) if inline.kind == "code" else None
            if match is not None and match["name"] == word:
                yield block, inline, match.start("name")


def _judged(one: Renamed, document: Document, place: tuple[Block, Inline, int], beside: frozenset[str]) -> Judged:
    block, inline, start = place
    kind = "option" if inline.text[:start].endswith("--") else "configkey"
    claim = Claim(
        kind, one.old, one.old, document.path, inline.line, inline.column + start, form="example" if block.lines else "span",
        words=(one.old,), section=block.section,
    )  # fmt: skip
    evidence = Evidence(
        f"it stood here until then, beside {', '.join(sorted(beside)[:4])}", one.edit.blob.path, 0, one.edit.blob.after
    )
    message = f"`{one.old}` is not among {', '.join(f'`{word}`' for word in sorted(beside)[:3])} any more"
    message += f": it is `{one.new}` now" if one.new else ""
    rule = "unknown-option" if kind == "option" else "unknown-config-key"
    return claim, Judgement(
        Verdict.DRIFTED,
        rule,
        message,
        (evidence,),
        0.85,
        fix=Fix(one.new, True) if one.new else None,
        subject=one.old,
        seen=True,
    )


def _once(found: Sequence[Judged]) -> Iterator[Judged]:
    seen: set[tuple[str, int, int]] = set()
    for claim, judgement in found:
        if (at := (claim.file, claim.line, claim.column)) not in seen:
            seen.add(at)
            yield claim, judgement
