"""Values that own code gave to something until a moment ago, and what it gives now: `default: 4010` that became `default: 4020`.

A line that came again with another value in the same place tells both, whatever the language and whatever the framework;
the names on it, and on the lines of the same call, tell whose value it is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import prod

from msgspec import Struct

from docalign_actors.engine.amounts import is_timed, otherwise, timed, worked_out
from docalign_actors.engine.kinds.shared.spellings import normal, parts
from docalign_actors.engine.kinds.shared.values import parse, same
from docalign_actors.engine.lost.around import ABOVE, BELOW, MOST_LINES, around_of, given_by
from docalign_actors.engine.lost.lines import Edit, tests_within
from docalign_actors.engine.lost.shapes import DEFAULTED, NAME, STOP, names_of, shape_of

_CONSTANT = re.compile(
    r"""^[\w\s]{0,60}?\b(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\s*(?::[^=]{1,40})?=\s*["'](?P<text>[\w.-]{2,80})["']"""
)
_NAMED_CONSTANT = re.compile(
    r"\s*(?:(?:pub(?:lic)?|private|internal|export|static|final|const|val|let|var|constexpr|inline) ){0,4}"
    r"(?:[A-Za-z]\w{0,20} )?(?P<name>[A-Z][A-Z0-9_]{2,60}|[a-z]{1,12}[A-Z]\w{2,60}|[A-Z][a-z]+[A-Z]\w{2,60})"
    r"\s*(?::[^=]{1,40})?=(?!=)"
)
_SAID = re.compile(
    r"\bdefaults?(?: value)?(?: is| to|:|=) ?[\"'`]?(?P<text>\w(?:[\w./:-]{0,60}\w)?(?:,\w[\w./:-]{0,40}){0,12})"
    r"(?=[\"'`\])},;\s]|\.?$|\.[\"'`\s])",
    re.IGNORECASE,
)
"""A default that an option's help says in words: `"File format. [default: svg]"`."""
PRODUCT = re.compile(r"(?<![\w.])\d[\d_]{0,9}[uUlL]{0,3}(?: ?\* ?\d[\d_]{0,9}[uUlL]{0,3}){1,4}(?![\w.])")
_OPTION = re.compile(r"""["']--?(?:\[no-\])?([A-Za-z][\w-]{1,60})(?=["' =])""")
_INSIDE = re.compile(r"""[^\s,;=:'"{}()]+|[\s,;=:'"{}()]+""")
_CONDITION = re.compile(r"#!?\[cfg|\bcfg!\(")
"""Whether code is built: what Rust compares there is given to nothing."""
_ITEM = re.compile(r"\s*(?:-\s+)?\0,?\s*")
"""A line, its values taken out, that is nothing but a value: one of a list."""
_COUNTED = re.compile(r"\d")
_MOST_OF_A_LINE = 3
_MOST = 120
_ADDRESS = r"(?:localhost|0\.0\.0\.0|127\.0\.0\.1|\[::1?\])"
_PORT_WORDS = frozenset("port ports addr address listen bind host url expose endpoint server socket".split())


class ChangedValue(Struct, frozen=True):
    """What a line of code gave, and gives. `names` stand on the line itself, `around` beside it; both as `normal` writes them."""

    old: str
    new: str
    names: frozenset[str]
    around: frozenset[str]
    path: str
    commit: str
    port: bool
    """The line speaks of a port or an address."""
    written: tuple[tuple[str, str], ...] = ()
    """The old value and the new one in other spellings: `60 * time.Second` is `60s` in documents."""
    phrases: frozenset[tuple[str, ...]] = frozenset()
    """The parts of those of the names that have several: what documents may say in words."""
    line: str = ""
    """The line as it stood."""
    constant: str = ""
    """The old value as the line named it, where it is a constant: `Logger::WARN`."""


def changed_values(edits: Sequence[Edit]) -> list[ChangedValue]:
    """The values that came again otherwise, each line once."""
    found: dict[tuple[str, str, frozenset[str]], ChangedValue] = {}
    for edit in edits:
        for change in _in_edit(edit):
            found.setdefault((change.old, change.new, change.names), change)
            if len(found) >= _MOST:
                return list(found.values())
    return list(found.values())


def _in_edit(edit: Edit) -> Iterator[ChangedValue]:
    come: dict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    moved: set[tuple[str, tuple[str, ...]]] = set()
    for line in edit.come:
        shape, values = shape_of(line, edit.data)
        if values:
            come[shape].append((values, line))
            moved.add((shape.strip(), values))
    kept = {row[0][0] for shape, rows in come.items() if _ITEM.fullmatch(shape) for row in rows}
    tests = tests_within(edit) if edit.come else set[int]()
    lines = edit.numbered if edit.come else ()
    gone = [(number, line, *shape_of(line, edit.data)) for number, line in lines if number not in tests]
    products = [line for line in edit.come if _is_product(line)]
    items = sum(1 for _, _, shape, values in gone if values and _ITEM.fullmatch(shape))
    for number, line, shape, values in gone:
        if (shape.strip(), values) in moved or _CONDITION.search(line):
            continue  # it only stands deeper, or less deep, than before
        if values and _ITEM.fullmatch(shape) and (values[0] in kept or items > 1):
            continue  # it has only got a neighbour, and a comma with it; or one of several that went, and none came in its place
        heirs = {pairs: other for now, other in come.get(shape, ()) if (pairs := _differences(values, now))}
        spoken = all(" " in old for pairs in heirs for old, _ in pairs)  # a sentence, which may tell a default
        told = _said(line, edit.come) if spoken else None
        told = told or (_multiplied(line, edit.come if _is_product(line) else products) if not heirs else None)
        if told is not None:
            yield _changed(edit, number, line, *told)
        if len(heirs) == 1:
            pairs, other = heirs.popitem()
            yield from (
                _changed(edit, number, line, other, *pair)
                for pair in pairs
                if not (_is_one(*pair) or (_is_key(pair[0], line) and _is_key(pair[1], other)))
            )


def _is_key(value: str, line: str) -> bool:
    """`{"branch": name}`: what is given something, and nothing that is given."""
    return re.search(rf"[\"'`]{re.escape(value)}[\"'`]:(?!:)", line) is not None


def _said(line: str, come: Sequence[str]) -> tuple[str, str, str] | None:
    """The line that came again with another default in its words, that default and the new one."""
    match = _SAID.search(line)
    if match is None:
        return None
    before, after = line[: match.start("text")], line[match.end("text") :]
    heirs = {
        other: other[len(before) : len(other) - len(after)]
        for other in come
        if other.startswith(before) and other.endswith(after) and len(other) > len(before) + len(after)
    }
    other, new = heirs.popitem() if len(heirs) == 1 else ("", "")
    return (other, match["text"], new) if re.fullmatch(r"[\w./:,-]{1,200}", new) and new != match["text"] else None


def _multiplied(line: str, come: Sequence[str]) -> tuple[str, str, str] | None:
    """The line that came again with a product for a number, or the other way round: `300` and `2 * 60`."""
    shape, values = shape_of(_folded(line), False)
    heirs: dict[str, tuple[str, str]] = {}
    for other in come if values else ():
        like, now = shape_of(_folded(other), False)
        pairs = _differences(values, now) if like == shape else ()
        if len(pairs) == 1:
            heirs[other] = pairs[0]
    return (next(iter(heirs)), *next(iter(heirs.values()))) if len(heirs) == 1 else None


def _is_product(line: str) -> bool:
    return "*" in line and PRODUCT.search(line[:400]) is not None


def _folded(line: str) -> str:
    return PRODUCT.sub(
        lambda match: str(prod(map(int, re.findall(r"\d+", match.group().replace("_", ""))))), line[:400]
    )


def _option_above(lines: Sequence[str], number: int) -> frozenset[str]:
    """The option whose help a line is part of, or that stands before its help on the line itself."""
    for line in reversed(lines[max(0, number - 3 * ABOVE) : number + 1]):
        if found := _OPTION.findall(line):
            return frozenset(map(normal, found))
    return frozenset()


def _is_one(old: str, new: str) -> bool:
    """Two spellings of one value. Of texts, only those in other letters: `a.txt` is not `b.txt`, nor `7.4.2` `8.0.2`."""
    return same(old, new) is True and (parse(old).kind != "text" or old.casefold() == new.casefold())


def _changed(edit: Edit, number: int, line: str, now: str, old: str, new: str) -> ChangedValue:
    names = names_of(line) - {normal(old)}
    if old.isdecimal() and new.isdecimal() and re.search(rf"{_ADDRESS}:{old}(?!\d)", line[:400]):
        old, new = f":{old}", f":{new}"  # `php -S 127.0.0.1:8090`: a port, whatever the line is about
    inside = _inside(old, new)
    if inside is not None:
        names |= names_of(" ".join(f"'{name}'" for name in NAME.findall(old)))
        old, new = inside
    names |= _held(names, edit.before) if any(name.isupper() for name in NAME.findall(line)) else frozenset()
    names |= _handed_over(line, edit.before) | given_by(line, edit.before)
    around = around_of(edit.before, number, not names) - names
    if _SAID.search(line):
        around |= _option_above(edit.before, number)
    spoken = NAME.findall(line)
    told = {word for name in spoken for word in parts(name)} | (around if not names else frozenset())
    timings = [pair for name in spoken for pair in timed(old, new, parts(name))]
    if old.isdecimal() and (unit := re.search(rf"(?<!\w){old} (seconds|minutes|hours|days)\b", line[:400])) is not None:
        timings += otherwise(f"{old} {unit[1]}", f"{new} {unit[1]}")
    return ChangedValue(
        old, new, names | _untimed(spoken), around | {outer + name for outer in around for name in names}, edit.blob.path,
        edit.blob.after, not _PORT_WORDS.isdisjoint(told) or bool(re.search(r":\d{2,5}$", old)),
        tuple(dict.fromkeys([*worked_out(line, now), *timings, *otherwise(old, new)])),
        phrases_of(edit.before[max(0, number - ABOVE) : number + BELOW], names | around), line,
    )  # fmt: skip


def phrases_of(lines: Sequence[str], names: frozenset[str]) -> frozenset[tuple[str, ...]]:
    """The parts of the names that stand on these lines, as far as they tell something."""
    spoken = {name for line in lines for name in NAME.findall(line[:400]) if normal(name) in names}
    found = (tuple(part for part in parts(name.rpartition(".")[2]) if part not in STOP) for name in spoken)
    return frozenset(phrase for phrase in found if len(phrase) > 1)


def _untimed(names: Sequence[str]) -> frozenset[str]:
    """The names without the unit at their end: `timeoutSeconds` is told of as the timeout."""
    found = {"".join(parts(name)[:-1]) for name in names if is_timed(parts(name))}
    return frozenset({DEFAULTED.sub("", name) for name in found} - {""} - STOP)


def _differences(then: Sequence[str], now: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The values that are others: one, or a few of a list of numbers and addresses."""
    others = tuple((a, b) for a, b in zip(then, now, strict=True) if a != b) if len(then) == len(now) else ()
    few = len(others) == 1 or all(_COUNTED.search(value) for pair in others for value in pair)
    return others if len(others) <= _MOST_OF_A_LINE and few and all(map(all, others)) else ()


def _inside(then: str, now: str) -> tuple[str, str] | None:
    """The one value that is another within a string of several: `timeout,default=30s` in a tag, `${app.limit:20}`."""
    before, after = _INSIDE.findall(then), _INSIDE.findall(now)
    if len(before) != len(after) or len(before) < 3:
        return None
    others = [number for number, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    if len(others) != 1 or not others[0] or before[others[0] - 1] not in ("=", ":", ":="):
        return None
    old, new = before[others[0]], after[others[0]]
    if then.startswith("${") and old[0] == new[0] and old[0] in "-=" and len(old) > 1 < len(new):
        old, new = old[1:], new[1:]  # a shell's `${FACILITY:-local0}`
    told = "default" in before[others[0] - 2].lower() or then.startswith("${")
    return (old, new) if told and re.fullmatch(r"[\w./-]+", old + new) else None


def _held(names: frozenset[str], lines: Sequence[str]) -> frozenset[str]:
    """What the constants on the line hold, as the same file tells: `DEPTH = 'runner.depth'` stands for a key."""
    found: set[str] = set()
    for line in lines[:MOST_LINES]:
        match = _CONSTANT.match(line[:400])
        if match is not None and normal(match["name"]) in names:
            found.update(names_of(f"'{match['text']}'"))
    return frozenset(found)


def _handed_over(line: str, lines: Sequence[str]) -> frozenset[str]:
    """What a constant is handed over with, or given to, as the same file tells: `read(config, "rounds", N_ROUNDS)` gives it to a
    key, `MaxWait: defaultWait,` to a field, and `Value: defaultWait,` to whatever the lines around it name."""
    told = _NAMED_CONSTANT.match(line[:400])
    if told is None:
        return frozenset()
    used = re.compile(
        rf"""(?:\(.{{0,200}}["'](?P<key>[A-Za-z][\w.-]{{1,60}})["'],\s*|^\s*(?:\w+\.)?(?P<field>[A-Za-z]\w{{2,60}})\s*[:=]\s*)"""
        rf"""(?:\w+\.)?{told["name"]}\b"""
    )
    keys: set[frozenset[str]] = set()
    for number, other in enumerate(lines[:MOST_LINES]):
        match = used.search(other[:400]) if told["name"] in other else None
        if match is not None:
            names = names_of(f"'{match['key'] or match['field']}'")
            keys.add(names or around_of(lines, number, alone=True))  # `Value: defaultWait,` below `Name: "wait",`
    return keys.pop() if len(keys) == 1 else frozenset()
