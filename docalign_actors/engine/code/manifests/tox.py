"""tox's generative names: `py{39,310}-lint,docs` stands for three environments."""

from __future__ import annotations

import re

_MOST = 200
_BRACES = re.compile(r"\{([^{}]*)\}")


def expand(text: str) -> list[str]:
    """Every environment that a list of names stands for, at most 200 of them; nothing for what only tox can work out."""
    found: list[str] = []
    for name in _split(text):
        found.extend(_expand_one(name))
        if len(found) > _MOST:
            break
    return [name for name in dict.fromkeys(found[:_MOST]) if name and not set(name) & set("{}[]:$ ")]


def _expand_one(name: str) -> list[str]:
    names = [name]
    for _ in range(6):
        match = _BRACES.search(names[0])
        if match is None or len(names) > _MOST:
            break
        names = [
            one[: m.start()] + _value(choice) + one[m.end() :]
            for one in names
            if (m := _BRACES.search(one))
            for choice in _choices(m[1])
        ][: _MOST + 1]
        if not names:
            return []
    return names


def _choices(inside: str) -> list[str]:
    """`39,310` is two choices, `39-41` three numbers."""
    found: list[str] = []
    for choice in inside.split(","):
        span = re.fullmatch(r"\s*(\d{1,4})-(\d{1,4})\s*", choice)
        if span and 0 <= int(span[2]) - int(span[1]) < 50:
            found.extend(str(number) for number in range(int(span[1]), int(span[2]) + 1))
        else:
            found.append(choice)
    return found


def _value(choice: str) -> str:
    return choice.strip()


def _split(text: str) -> list[str]:
    """Splits at commas and blanks that stand outside braces."""
    parts, depth, current = [], 0, ""
    for character in text[:10_000]:
        depth += (character == "{") - (character == "}")
        if depth <= 0 and (character in ",\n\r\t "):
            parts.append(current)
            current = ""
        elif character not in "\n\r":
            current += character
    return [part.strip() for part in (*parts, current) if part.strip()]
