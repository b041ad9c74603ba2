"""Hidden marks in what we write on GitHub, by which it is found again. They count only in what our own App has written."""

from __future__ import annotations

import re

_SUGGESTION = re.compile(r"<!-- docalign:fix((?: [\w./:@+-]{1,100}){1,20}) -->")


def reply_marker(place: str, source: int, ordinal: int) -> str:
    """The answer to one command of one comment: it begins with this."""
    return f"<!-- docalign:reply:{place}:{source}:{ordinal} -->"


def suggested_in(body: str) -> tuple[str, ...]:
    """The findings that a comment suggests something about: it begins with a mark that names them."""
    found = _SUGGESTION.match(body)
    return tuple(dict.fromkeys(found[1].split())) if found is not None else ()
