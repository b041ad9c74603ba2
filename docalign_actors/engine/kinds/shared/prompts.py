"""Prompts, by which a session in a document tells what was typed from what was printed."""

from __future__ import annotations

import re

_PROMPT_SIGN = re.compile(r"[$>%❯➜»]|sage:")
_PROMPT = re.compile(
    r"\s{0,12}(?:\([\w.\- ]{1,40}\)\s{0,2})?(?:\[[^\]\n]{1,60}\]\s{0,2})?"
    r"(?:(?:[\w.-]{1,40}@)?(?:\$[A-Z]{1,20}/)?[\w.:~/\\-]{0,80}\s{0,2}[$%❯➜»]|PS[^>\n]{0,80}>|[A-Z]:\\[^>\n]{0,80}>|[Uu]sage:|>)\s+(?=\S)"
)
_SESSION = re.compile(r"^\s*(?:\([\w.-]+\) ?)?(?:[\w.@~:/-]{0,40}[$%❯»]|>{1,3}|\.\.\.|PS [^>]{0,60}>|C:[^>]{0,60}>) ")


def prompt_of(text: str) -> re.Match[str] | None:
    """The prompt of a shell that a line begins with; its command follows. Most lines have none of the signs."""
    return _PROMPT.match(text) if _PROMPT_SIGN.search(text) else None


def is_typed(text: str) -> bool:
    """A line of a session, in a shell or an interpreter, that somebody typed. `#` begins a comment far more often."""
    return _SESSION.match(text) is not None
