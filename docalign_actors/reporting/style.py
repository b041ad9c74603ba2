"""Colour for terminals, and text from repositories made safe to print on one."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


class Style:
    """Paints text, or does not."""

    def __init__(self, *, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, *names: str) -> str:
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"


def printable(text: str) -> str:
    """A repository's text without what would move the cursor, hide words or turn them round."""
    return _CONTROL.sub("�", text.replace("\t", "    "))


def printable_path(path: str) -> str:
    """A file's name on one line: whoever names files may put line breaks into them too."""
    return printable(path.replace("\n", "\r"))


def width(text: str) -> int:
    """How many columns a terminal gives to a text: wide characters take two, marks that combine take none."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def plural(count: int, one: str, many: str = "") -> str:
    """1 finding, 2 findings, 1,000 findings. `many`: where it is not `one` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
