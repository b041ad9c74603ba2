"""Hidden marks in what we write on GitHub, by which it is found again. They count only in what our own App has written."""

from __future__ import annotations

import re

_CHECK = re.compile(r"[0-9a-f-]{36}:([1-9][0-9]{0,8}):[0-9]{1,9}")
_SUGGESTION = re.compile(r"<!-- docalign:fix((?: [\w./:@+-]{1,100}){1,20}) -->")


def check_name(repo: object, number: int, generation: int) -> str:
    """Under which a check run is found again: GitHub keeps it as its external id."""
    return f"{repo}:{number}:{generation}"


def number_in(name: str) -> int:
    """The pull request that a check run of ours is about; 0 if its name does not say so."""
    found = _CHECK.fullmatch(name)
    return int(found[1]) if found is not None else 0


def reply_marker(place: str, source: int, ordinal: int) -> str:
    """The answer to one command of one comment: it begins with this."""
    return f"<!-- docalign:reply:{place}:{source}:{ordinal} -->"


def suggested_in(body: str) -> tuple[str, ...]:
    """The findings that a comment suggests something about: it begins with a mark that names them."""
    found = _SUGGESTION.match(body)
    return tuple(dict.fromkeys(found[1].split())) if found is not None else ()
