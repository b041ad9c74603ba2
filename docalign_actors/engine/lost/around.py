"""What stands around a line and tells what it is of: the call that it is part of, the entry above it, the field below a comment."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.lost.chains import called_on, is_link
from docalign_actors.engine.lost.shapes import names_of

ABOVE, BELOW = 7, 6
_PROPERTY = re.compile(
    r"\s*(?:(?:public|protected|private|static|readonly|var) ){1,3}(?:\??[\w|]{2,30} )?"
    r"\$?(?P<name>[a-z]\w{2,80})\s*(?::[^=]{1,40})?="
)
"""A property of a class that is given a value where it is declared."""
_METHOD = re.compile(
    r"\b(?:function|def)\s+(?P<name>[A-Za-z_]\w*)|^\s*(?:public |async )*(?P<bare>[a-z]\w+)\([^()]{0,200}\)[^;]*\{\s*$"
)
_MAKES = re.compile(r"__\w+|initialize|constructor|new")
MOST_LINES = 4_000
_ENTRY_NAME = re.compile(r"""(?:- )?(?:name|key|id|flag|option|env): ["']?(?P<name>[A-Za-z][\w.-]{1,80})["']?\s*$""")
_ENTRY_KEY = re.compile(r"""["']?(?P<name>[A-Za-z][\w.-]{1,80})["']?:\s*$""")
_MAKER = re.compile(
    r"\s*(?:pub(?:\([a-z]+\))? |async |static |const ){0,3}(?:fn|def|func|function) (?P<name>[a-z_]\w{2,80})\("
)
_ATTRIBUTE = re.compile(r"\s*(?:#\[|@(?!@?\w+\s*(?:\|\||&&)?=(?!=)))")
"""What stands above a thing and tells of it. In Ruby `@limit = 20` is a variable of its own."""
_COMMENT = re.compile(r"\s*(?:/[/*]|\*|#|--|\"\"\"|$)")
_TELLS_DEFAULT = re.compile(r"\s*(?:/[/*]|\*|#|--).*\bdefaults?\b", re.IGNORECASE)
_CALLED = re.compile(r"\s*\$?(?P<name>[a-z]\w{0,40})(?:(?:->|\.)default\w*\(.*|\s*)$")
"""A line that gives a variable's object its default, or that is nothing but the variable, with the calls below it."""


def around_of(lines: Sequence[str], number: int, alone: bool) -> frozenset[str]:
    """The names of the call or declaration that the line is part of; of its other lines only if the line names nothing itself."""
    found: set[str] = set(_made_as(lines[number], lines, number))
    closed = 0
    above: list[str] = []
    if is_link(lines, number):
        link = called_on(lines, number, ABOVE)
        return names_of(link) | _made_as(link, lines, number)
    for line in reversed(lines[max(0, number - ABOVE) : number]):
        closed += sum(line.count(mark) for mark in ")]}") - sum(line.count(mark) for mark in "([{")
        above.append(line)
        if closed < 0:
            found.update(*map(names_of, above if alone else (line,)))
            found.update(_rest_of(lines, number) if _ATTRIBUTE.match(line) else ())
            break
    else:
        found.update(names_of(_statement(lines, number)))
        found.update(_of_entry(lines, number) if alone else ())
    if _ATTRIBUTE.match(lines[number]):  # an attribute tells of what it stands above
        found.update(_below(lines, number))
    elif _TELLS_DEFAULT.match(lines[number][:400]):
        found.update(_documented(lines, number))
    elif alone and (maker := _MAKER.match(lines[number - 1][:400])):
        found.update(_made_for(maker["name"], lines))
    return frozenset(found)


def _made_as(line: str, lines: Sequence[str], number: int) -> frozenset[str]:
    """What the variable is that a line calls: `$node = new ScalarNode('max_age');` above `$node->defaultValue(0)`."""
    called = _CALLED.match(line[:400])
    if called is None:
        return frozenset()
    made = re.compile(rf"\s*(?:(?:const|let|var|val|auto) )?\$?{called['name']}\s*:?=(?!=)\s*\S")
    above = (text for text in reversed(lines[max(0, number - 2 * ABOVE) : number]) if made.match(text[:400]))
    return names_of(next(above, "")[:400])


def _of_entry(lines: Sequence[str], number: int) -> frozenset[str]:
    """What a value of a YAML file belongs to: the key above it that it is indented below, or the name of its list entry."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    for line in reversed(lines[max(0, number - ABOVE) : number]):
        text = line.lstrip()
        if (named := _ENTRY_NAME.match(text)) is not None:
            return names_of(f"'{named['name']}'")
        if text and len(line) - len(text) < indent and (key := _ENTRY_KEY.match(text)) is not None:
            return names_of(f"'{key['name']}'")
    return frozenset()


def _statement(lines: Sequence[str], number: int) -> str:
    """The first line of a call without brackets that goes on here: `option :depth,` and below it `default: 3`."""
    first = ""
    for line in reversed(lines[max(0, number - ABOVE) : number]):
        if not line.rstrip().endswith(","):
            break
        first = line
    return first


def _rest_of(lines: Sequence[str], number: int) -> frozenset[str]:
    """What an attribute of several lines says below a line of it; in Rust also what it stands above, which is one thing."""
    found: set[str] = set()
    open_ones = 1 + _opened(lines[number])
    for at in range(number + 1, min(number + 1 + ABOVE, len(lines))):
        if open_ones <= 0:
            break
        open_ones += _opened(lines[at])
        found.update(names_of(lines[at]))
        if open_ones <= 0 and lines[at].rstrip().endswith(")]"):
            found.update(_below(lines, at))
    return frozenset(found)


def _opened(line: str) -> int:
    return sum(line.count(mark) for mark in "([{") - sum(line.count(mark) for mark in ")]}")


def _below(lines: Sequence[str], number: int) -> frozenset[str]:
    found: set[str] = set()
    for line in lines[number + 1 : number + BELOW]:
        found.update(names_of(line))
        if not line.lstrip().startswith(("#", "@", "/", "*")):
            break
    return frozenset(found)


def _documented(lines: Sequence[str], number: int) -> frozenset[str]:
    """What a comment stands above: `/** Defaults to 5000. */` tells of the field below."""
    below = (line for line in lines[number + 1 : number + BELOW] if not _COMMENT.match(line))
    return names_of(next(below, "")[:400])


def _made_for(function: str, lines: Sequence[str]) -> frozenset[str]:
    """What a function gives its default to, as the same file tells: `#[serde(default = "page_size")]` above a field."""
    found: set[str] = set()
    for number, line in enumerate(lines[:MOST_LINES]):
        if function in line and "default" in line and not _MAKER.match(line[:400]):
            attribute = _ATTRIBUTE.match(line) is not None
            found.update(_below(lines, number) if attribute else names_of(line))
    return frozenset(found - {normal(function)})


def given_by(line: str, lines: Sequence[str]) -> frozenset[str]:
    """The method that gives a property another value, as the same file tells: `waitAtMost($s) { $this->limit = $s; }`."""
    told = _PROPERTY.match(line[:400])
    if told is None:
        return frozenset()
    given = re.compile(rf"\s*(?:\$this->|this\.|self\.|@){told['name']}\s*=\s*\$?[A-Za-z_]\w*\s*;?\s*$")
    found: set[str] = set()
    for number, other in enumerate(lines[:MOST_LINES]):
        if told["name"] in other and given.match(other[:400]):
            above = (_METHOD.search(text[:400]) for text in reversed(lines[max(0, number - ABOVE) : number]))
            method = next((match["name"] or match["bare"] for match in above if match is not None), "")
            found.update((normal(method),) if method and not _MAKES.fullmatch(method) else ())
    return frozenset(found)
