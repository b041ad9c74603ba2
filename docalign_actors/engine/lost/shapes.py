"""A line of code or of settings without its values, the values, and the names that stand on it."""

from __future__ import annotations

import re

from docalign_actors.engine.kinds.shared.spellings import normal

_VALUE = re.compile(
    r"""(?P<quote>["'`])(?P<text>[^"'`\n]{0,80})(?P=quote)|(?<![\w.])(?P<bare>(?<!:):[a-z_]\w*(?=\s*(?:[,)}\]#]|$))|-?\d[\d_]*(?:\.\d+)*(?:ms|s|m|h|[uU]?[lL]{1,2}|[uU])?|true|false|True|False)\b(?!\.\d)"""
)
_ASSIGNED = re.compile(r"^(?P<key>\s*-?\s*[\w.-]{2,80}\s*(?:[?:+]?=|:)\s*)(?P<text>[^\s\"'#{\[][^\n#]{0,80}?)\s*$")
"""A line of a properties, YAML or dotenv file: a key and all that it is given."""
_TYPED = re.compile(r"(?<=\d)[uUlL]{1,3}\Z")
"""What tells the type of a number in C, Java and C#: `30UL`."""
NAME = re.compile(r"[A-Za-z][\w.-]*\w")
DEFAULTED = re.compile(r"^default(?=[a-z])|default(?:value)?$")
"""As `normal` writes names: `DEFAULT_PORT` and `portDefault` tell of the port."""
_GIVEN_TO = re.compile(
    r"\b([A-Za-z_]\w*)\.(?:convention|set|set_?[vV]alue|value|defaults?_?[tT]o|with_?[dD]efault|set_?[dD]efault|orElse)\s*\("
)
"""What a property is given: `baseImage.convention("…")`."""
_DEFAULT_IN_NAME = re.compile(r"\bdefault_?([Tt]rue|[Ff]alse)\(\)")
"""A call whose name is the default that it gives: `->defaultTrue()`."""
_LONGEST_NAME = 80
STOP = frozenset(
    """default defaults value values int integer int32 int64 uint string str bool boolean float double number var let const val
    static final private public protected export flag flags option options opt arg args argument argument parameter field type
    types name names help env environ getenv get set usage description desc self this return new none null nil true false long
    short alias config settings os process cmd click typer add def class func function duration time second seconds default_value
    required optional minute minutes hour hours millisecond milliseconds count help_text describe demandoption defaultvalue
    defaultsto""".split()
)


_OF_A_DEFAULT = frozenset({"duration", "count"})
"""Mostly the type of something; `DefaultDuration` is what is given for the duration."""


def shape_of(line: str, data: bool) -> tuple[str, tuple[str, ...]]:
    """The line with its values taken out, and the values."""
    whole = _ASSIGNED.match(line) if data else None
    if whole:
        return whole["key"], (whole["text"],)
    if "default" in line:
        line = _DEFAULT_IN_NAME.sub(lambda match: f"default({match[1].lower()})", line)
    values = tuple(
        match["text"] if match["quote"] else _TYPED.sub("", match["bare"]) for match in _VALUE.finditer(line)
    )
    return _VALUE.sub("\0", line), values


def values_of(line: str) -> tuple[str, ...]:
    """All values that a line of code or of settings holds."""
    return (*shape_of(line, False)[1], *shape_of(line, True)[1])


def names_of(line: str) -> frozenset[str]:
    """The names of a line, in code, as whole strings and as symbols; sentences in quotes tell nothing."""
    values = _VALUE.finditer(line)
    strings = [m["text"] if m["quote"] else m["bare"][1:] for m in values if m["quote"] or m["bare"][0] == ":"]
    found: set[str] = set()
    for text in (_VALUE.sub(" ", line), *(text for text in strings if not re.search(r"\s", text))):
        for name in NAME.findall(text[:400]):
            if len(name) <= _LONGEST_NAME:
                found.update(spelling for part in (name, name.rpartition(".")[2]) if len(spelling := normal(part)) > 1)
    found |= {normal(name) for name in _GIVEN_TO.findall(line[:400])}
    for name in NAME.findall(line[:400]):
        if "_DEFAULT_" in name:  # `CONF_DEFAULT_RETRY_LIMIT` is of `conf_retry_limit`, or of `retry_limit`
            found |= {normal(name.replace("_DEFAULT_", "_")), normal(name.partition("_DEFAULT_")[2])}
    found |= {bare for name in found if (bare := DEFAULTED.sub("", name)) != name and len(bare) > 1}
    told = {bare for name in found if (bare := DEFAULTED.sub("", name)) in _OF_A_DEFAULT and bare != name}
    return frozenset(found - STOP | told)
