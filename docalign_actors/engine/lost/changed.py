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
from docalign_actors.engine.kinds.spellings import normal, parts
from docalign_actors.engine.kinds.values import parse, same
from docalign_actors.engine.lost.chains import called_on, is_link
from docalign_actors.engine.lost.lines import Edit, tests_within

_VALUE = re.compile(
    r"""(?P<quote>["'`])(?P<text>[^"'`\n]{0,80})(?P=quote)|(?<![\w.])(?P<bare>(?<!:):[a-z_]\w*(?=\s*(?:[,)}\]#]|$))|-?\d[\d_]*(?:\.\d+)*(?:ms|s|m|h|[uU]?[lL]{1,2}|[uU])?|true|false|True|False)\b(?!\.\d)"""
)
_ASSIGNED = re.compile(r"^(?P<key>\s*-?\s*[\w.-]{2,80}\s*(?:[?:+]?=|:)\s*)(?P<text>[^\s\"'#{\[][^\n#]{0,80}?)\s*$")
"""A line of a properties, YAML or dotenv file: a key and all that it is given."""
_NAME = re.compile(r"[A-Za-z][\w.-]*\w")
_CONSTANT = re.compile(
    r"""^[\w\s]{0,60}?\b(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)\s*(?::[^=]{1,40})?=\s*["'](?P<text>[\w.-]{2,80})["']"""
)
_NAMED_CONSTANT = re.compile(
    r"\s*(?:(?:pub(?:lic)?|private|internal|export|static|final|const|val|let|var|constexpr|inline) ){0,4}"
    r"(?:[A-Za-z]\w{0,20} )?(?P<name>[A-Z][A-Z0-9_]{2,60}|[a-z]{1,12}[A-Z]\w{2,60}|[A-Z][a-z]+[A-Z]\w{2,60})"
    r"\s*(?::[^=]{1,40})?=(?!=)"
)
_TYPED = re.compile(r"(?<=\d)[uUlL]{1,3}\Z")
"""What tells the type of a number in C, Java and C#: `30UL`."""
_ENTRY_NAME = re.compile(r"""(?:- )?(?:name|key|id|flag|option|env): ["']?(?P<name>[A-Za-z][\w.-]{1,80})["']?\s*$""")
_ENTRY_KEY = re.compile(r"""["']?(?P<name>[A-Za-z][\w.-]{1,80})["']?:\s*$""")
_MAKER = re.compile(
    r"\s*(?:pub(?:\([a-z]+\))? |async |static |const ){0,3}(?:fn|def|func|function) (?P<name>[a-z_]\w{2,80})\("
)
_ATTRIBUTE = ("#[", "@")
_COMMENT = re.compile(r"\s*(?:/[/*]|\*|#|--|\"\"\"|$)")
_TELLS_DEFAULT = re.compile(r"\s*(?:/[/*]|\*|#|--).*\bdefaults?\b", re.IGNORECASE)
_SAID = re.compile(
    r"\bdefaults?(?: value)?(?: is| to|:|=) ?[\"'`]?(?P<text>\w(?:[\w./:-]{0,60}\w)?(?:,\w[\w./:-]{0,40}){0,12})"
    r"(?=[\"'`\])},;\s]|\.?$|\.[\"'`\s])",
    re.IGNORECASE,
)
"""A default that an option's help says in words: `"File format. [default: svg]"`."""
_PRODUCT = re.compile(r"(?<![\w.])\d[\d_]{0,9}[uUlL]{0,3}(?: ?\* ?\d[\d_]{0,9}[uUlL]{0,3}){1,4}(?![\w.])")
_OPTION = re.compile(r"""["']--?(?:\[no-\])?([A-Za-z][\w-]{1,60})(?=["' =])""")
_DEFAULTED = re.compile(r"^default(?=[a-z])|default(?:value)?$")
"""As `normal` writes names: `DEFAULT_PORT` and `portDefault` tell of the port."""
_GIVEN_TO = re.compile(
    r"\b([A-Za-z_]\w*)\.(?:convention|set|set_?[vV]alue|value|defaults?_?[tT]o|with_?[dD]efault|set_?[dD]efault|orElse)\s*\("
)
"""What a property is given: `baseImage.convention("…")`."""
_INSIDE = re.compile(r"""[^\s,;=:'"{}()]+|[\s,;=:'"{}()]+""")
_CONDITION = re.compile(r"#!?\[cfg|\bcfg!\(")
"""Whether code is built: what Rust compares there is given to nothing."""
_ITEM = re.compile(r"\s*(?:-\s+)?\0,?\s*")
"""A line, its values taken out, that is nothing but a value: one of a list."""
_COUNTED = re.compile(r"\d")
_MOST_OF_A_LINE = 3
_ABOVE, _BELOW = 7, 6
_MOST_LINES = 4_000
_MOST = 120
_LONGEST_NAME = 80
_ADDRESS = r"(?:localhost|0\.0\.0\.0|127\.0\.0\.1|\[::1?\])"
_PORT_WORDS = frozenset("port ports addr address listen bind host url expose endpoint server socket".split())
_STOP = frozenset(
    """default defaults value values int integer int32 int64 uint string str bool boolean float double number var let const val
    static final private public protected export flag flags option options opt arg args argument argument parameter field type
    types name names help env environ getenv get set usage description desc self this return new none null nil true false long
    short alias config settings os process cmd click typer add def class func function duration time second seconds default_value
    required optional minute minutes hour hours millisecond milliseconds count help_text describe demandoption defaultvalue
    defaultsto""".split()
)


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
        shape, values = _shape(line, edit.data)
        if values:
            come[shape].append((values, line))
            moved.add((shape.strip(), values))
    kept = {row[0][0] for shape, rows in come.items() if _ITEM.fullmatch(shape) for row in rows}
    tests = tests_within(edit) if edit.come else set[int]()
    lines = edit.numbered if edit.come else ()
    gone = [(number, line, *_shape(line, edit.data)) for number, line in lines if number not in tests]
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
    shape, values = _shape(_folded(line), False)
    heirs: dict[str, tuple[str, str]] = {}
    for other in come if values else ():
        like, now = _shape(_folded(other), False)
        pairs = _differences(values, now) if like == shape else ()
        if len(pairs) == 1:
            heirs[other] = pairs[0]
    return (next(iter(heirs)), *next(iter(heirs.values()))) if len(heirs) == 1 else None


def _is_product(line: str) -> bool:
    return "*" in line and _PRODUCT.search(line[:400]) is not None


def _folded(line: str) -> str:
    return _PRODUCT.sub(
        lambda match: str(prod(map(int, re.findall(r"\d+", match.group().replace("_", ""))))), line[:400]
    )


def _option_above(lines: Sequence[str], number: int) -> frozenset[str]:
    """The option whose help a line is part of, or that stands before its help on the line itself."""
    for line in reversed(lines[max(0, number - 3 * _ABOVE) : number + 1]):
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
        names |= names_of(" ".join(f"'{name}'" for name in _NAME.findall(old)))
        old, new = inside
    names |= _held(names, edit.before) if any(name.isupper() for name in _NAME.findall(line)) else frozenset()
    names |= _handed_over(line, edit.before)
    around = _around(edit.before, number, not names) - names
    if _SAID.search(line):
        around |= _option_above(edit.before, number)
    spoken = _NAME.findall(line)
    told = {word for name in spoken for word in parts(name)} | (around if not names else frozenset())
    timings = [pair for name in spoken for pair in timed(old, new, parts(name))]
    return ChangedValue(
        old, new, names | _untimed(spoken), around | {outer + name for outer in around for name in names}, edit.blob.path,
        edit.blob.after, not _PORT_WORDS.isdisjoint(told) or bool(re.search(r":\d{2,5}$", old)),
        tuple(dict.fromkeys([*worked_out(line, now), *timings, *otherwise(old, new)])),
        _phrases(edit.before[max(0, number - _ABOVE) : number + _BELOW], names | around),
    )  # fmt: skip


def _phrases(lines: Sequence[str], names: frozenset[str]) -> frozenset[tuple[str, ...]]:
    """The parts of the names that stand on these lines, as far as they tell something."""
    spoken = {name for line in lines for name in _NAME.findall(line[:400]) if normal(name) in names}
    found = (tuple(part for part in parts(name.rpartition(".")[2]) if part not in _STOP) for name in spoken)
    return frozenset(phrase for phrase in found if len(phrase) > 1)


def _untimed(names: Sequence[str]) -> frozenset[str]:
    """The names without the unit at their end: `timeoutSeconds` is told of as the timeout."""
    found = {"".join(parts(name)[:-1]) for name in names if is_timed(parts(name))}
    return frozenset({_DEFAULTED.sub("", name) for name in found} - {""} - _STOP)


def _shape(line: str, data: bool) -> tuple[str, tuple[str, ...]]:
    """The line with its values taken out, and the values."""
    whole = _ASSIGNED.match(line) if data else None
    if whole:
        return whole["key"], (whole["text"],)
    values = tuple(
        match["text"] if match["quote"] else _TYPED.sub("", match["bare"]) for match in _VALUE.finditer(line)
    )
    return _VALUE.sub("\0", line), values


def values_of(line: str) -> tuple[str, ...]:
    """All values that a line of code or of settings holds."""
    return (*_shape(line, False)[1], *_shape(line, True)[1])


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


def names_of(line: str) -> frozenset[str]:
    """The names of a line, in code, as whole strings and as symbols; sentences in quotes tell nothing."""
    values = _VALUE.finditer(line)
    strings = [m["text"] if m["quote"] else m["bare"][1:] for m in values if m["quote"] or m["bare"][0] == ":"]
    found: set[str] = set()
    for text in (_VALUE.sub(" ", line), *(text for text in strings if not re.search(r"\s", text))):
        for name in _NAME.findall(text[:400]):
            if len(name) <= _LONGEST_NAME:
                found.update(spelling for part in (name, name.rpartition(".")[2]) if len(spelling := normal(part)) > 1)
    found |= {normal(name) for name in _GIVEN_TO.findall(line[:400])}
    for name in _NAME.findall(line[:400]):
        if "_DEFAULT_" in name:  # `CONF_DEFAULT_RETRY_LIMIT` is of `conf_retry_limit`, or of `retry_limit`
            found |= {normal(name.replace("_DEFAULT_", "_")), normal(name.partition("_DEFAULT_")[2])}
    found |= {bare for name in found if (bare := _DEFAULTED.sub("", name)) != name and len(bare) > 1}
    return frozenset(found - _STOP)


def _held(names: frozenset[str], lines: Sequence[str]) -> frozenset[str]:
    """What the constants on the line hold, as the same file tells: `DEPTH = 'runner.depth'` stands for a key."""
    found: set[str] = set()
    for line in lines[:_MOST_LINES]:
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
    for number, other in enumerate(lines[:_MOST_LINES]):
        match = used.search(other[:400]) if told["name"] in other else None
        if match is not None:
            names = names_of(f"'{match['key'] or match['field']}'")
            keys.add(names or _around(lines, number, alone=True))  # `Value: defaultWait,` below `Name: "wait",`
    return keys.pop() if len(keys) == 1 else frozenset()


def _of_entry(lines: Sequence[str], number: int) -> frozenset[str]:
    """What a value of a YAML file belongs to: the key above it that it is indented below, or the name of its list entry."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[max(0, number - _ABOVE) : number]):
        text = line.lstrip()
        if (named := _ENTRY_NAME.match(text)) is not None:
            return names_of(f"'{named['name']}'")
        if text and len(line) - len(text) < indent and (key := _ENTRY_KEY.match(text)) is not None:
            return names_of(f"'{key['name']}'")
    return frozenset()


def _statement(lines: Sequence[str], number: int) -> str:
    """The first line of a call without brackets that goes on here: `option :depth,` and below it `default: 3`."""
    first = ""
    for line in reversed(lines[max(0, number - _ABOVE) : number]):
        if not line.rstrip().endswith(","):
            break
        first = line
    return first


def _around(lines: Sequence[str], number: int, alone: bool) -> frozenset[str]:
    """The names of the call or declaration that the line is part of; of its other lines only if the line names nothing itself."""
    found: set[str] = set()
    closed = 0
    above: list[str] = []
    if is_link(lines, number):
        return names_of(called_on(lines, number, _ABOVE))
    for line in reversed(lines[max(0, number - _ABOVE) : number]):
        closed += sum(line.count(mark) for mark in ")]}") - sum(line.count(mark) for mark in "([{")
        above.append(line)
        if closed < 0:
            found.update(*map(names_of, above if alone else (line,)))
            break
    else:
        found.update(names_of(_statement(lines, number)))
        found.update(_of_entry(lines, number) if alone else ())
    if lines[number].lstrip().startswith(_ATTRIBUTE):  # an attribute tells of what it stands above
        found.update(_below(lines, number))
    elif _TELLS_DEFAULT.match(lines[number][:400]):
        found.update(_documented(lines, number))
    elif alone and (maker := _MAKER.match(lines[number - 1][:400])):
        found.update(_made_for(maker["name"], lines))
    return frozenset(found)


def _below(lines: Sequence[str], number: int) -> frozenset[str]:
    found: set[str] = set()
    for line in lines[number + 1 : number + _BELOW]:
        found.update(names_of(line))
        if not line.lstrip().startswith(("#", "@", "/", "*")):
            break
    return frozenset(found)


def _documented(lines: Sequence[str], number: int) -> frozenset[str]:
    """What a comment stands above: `/** Defaults to 5000. */` tells of the field below."""
    below = (line for line in lines[number + 1 : number + _BELOW] if not _COMMENT.match(line))
    return names_of(next(below, "")[:400])


def _made_for(function: str, lines: Sequence[str]) -> frozenset[str]:
    """What a function gives its default to, as the same file tells: `#[serde(default = "page_size")]` above a field."""
    found: set[str] = set()
    for number, line in enumerate(lines[:_MOST_LINES]):
        if function in line and "default" in line and not _MAKER.match(line[:400]):
            attribute = line.lstrip().startswith(_ATTRIBUTE)
            found.update(_below(lines, number) if attribute else names_of(line))
    return frozenset(found - {normal(function)})
