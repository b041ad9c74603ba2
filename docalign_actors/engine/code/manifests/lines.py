"""Lines of a text file as line-based collectors read them: bounded, numbered, continuations joined."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST = 2000


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number, cut at 2,000 characters."""
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line[:LONGEST].rstrip("\r")


def logical(text: str) -> Iterator[tuple[int, str]]:
    """Lines with those joined that a backslash continues; the number is the first one's. At most 10,000 characters."""
    start, parts, length = 0, [], 0
    for number, line in numbered(text):
        start = start or number
        continued = line.endswith("\\") and length < 10_000
        parts.append(line[:-1] if continued else line)
        length += len(line)
        if not continued:
            yield start, " ".join(parts)
            start, parts, length = 0, [], 0
    if parts:
        yield start, " ".join(parts)
