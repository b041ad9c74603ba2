"""One name in the spellings that languages and formats give it: snake, kebab, camel, Pascal, upper case."""

from __future__ import annotations

import re
from functools import lru_cache

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=65536)
def parts(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `maxRetries`, `max-retries` and `MAX_RETRIES` give (max, retries)."""
    return tuple(part.lower() for part in _PART.findall(name[:200]))


@lru_cache(maxsize=65536)
def identifiers(name: str) -> tuple[str, ...]:
    """The name as identifiers: as written if it is one, then snake, camel, Pascal and upper case."""
    words = parts(name)
    if not words:
        return ()
    snake, pascal = "_".join(words), "".join(word.capitalize() for word in words)
    found = [name] if re.fullmatch(r"[A-Za-z_]\w*", name) else []
    return tuple(dict.fromkeys([*found, snake, words[0] + pascal[len(words[0]) :], pascal, snake.upper()]))


@lru_cache(maxsize=65536)
def normal(name: str) -> str:
    """What all spellings of a name share."""
    return "".join(parts(name))


def respelled(name: str, like: str) -> str:
    """The name as another one is spelled: `only_mirror` like `--npm-registry` is `only-mirror`."""
    words = parts(name)
    if "-" in like:
        return "-".join(words)
    if like.isupper():
        return "_".join(words).upper()
    if "_" in like:
        return "_".join(words)
    pascal = "".join(word.capitalize() for word in words)
    return pascal if like[:1].isupper() else pascal[:1].lower() + pascal[1:]
