"""The one way to HTML. Text is escaped because it is text; only what this module made itself is taken for markup.

1. A `str` is text, wherever it comes from. There is no function that takes a `str` for markup.
2. An attribute's value is text too, always in quotes. Handlers (`onclick`) and `style` are refused: the policy of the
   pages forbids them anyway.
3. An address (`href`, `src`, `action`) is one of ours, or http(s): never `javascript:`.
4. What a terminal or a browser would obey and nobody can see (control characters, turning of the writing direction) is
   shown as what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from typing import Final, TypeAlias

Node: TypeAlias = "Markup | str | int | Iterable[Node] | None"
Value: TypeAlias = str | int | float | bool | None

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_NAME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
_ADDRESSES: Final = frozenset({"href", "src", "action", "formaction"})
_OURS: Final = re.compile(r"(?:/(?![/\\])|[#?]|https?://)[^\x00-\x20]*|")
_HIDDEN: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff"
_UNSEEN: Final = re.compile(f"[{_HIDDEN}]")
_SPECIAL: Final = re.compile(f"[&<>\"'{_HIDDEN}]")


class Markup:
    """HTML that this module made. It cannot be made out of a `str`, nor joined to one."""

    __slots__ = ("_html",)

    def __init__(self, html: str, *, key: object = None) -> None:
        if key is not _KEY:
            raise TypeError("Markup is made by the functions of this module only")
        self._html = html

    def __str__(self) -> str:
        return self._html

    def __bool__(self) -> bool:
        return bool(self._html)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Markup) and other._html == self._html

    def __hash__(self) -> int:
        return hash(self._html)

    def __repr__(self) -> str:
        return f"Markup({self._html!r})"


_KEY: Final = object()


def h(name: str, /, *children: Node, **attributes: Value) -> Markup:
    """An element. `class_` is class, `aria_label` is aria-label; True is a bare attribute, None and False leave it out."""
    opened = f"<{_name(name)}{''.join(_attribute(n, v) for n, v in attributes.items())}>"
    if name in _VOID:
        return Markup(opened, key=_KEY)
    return Markup(f"{opened}{''.join(_html(child) for child in children)}</{name}>", key=_KEY)


def join(*nodes: Node) -> Markup:
    """Several nodes as one, without an element around them."""
    return Markup("".join(_html(node) for node in nodes), key=_KEY)


def document(root: Markup) -> str:
    """A whole page."""
    return f"<!doctype html>\n{root}\n"


def visible(text: str) -> str:
    """The text with each character that cannot be seen shown by its number."""
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def _html(node: Node) -> str:
    if node is None:
        return ""
    if isinstance(node, Markup):
        return str(node)
    if isinstance(node, str):
        return _text(node)
    if isinstance(node, int):
        return escape(f"{node:,}")
    return "".join(_html(child) for child in node)


def _text(text: str) -> str:
    return escape(visible(text), quote=True) if _SPECIAL.search(text) else text


def _attribute(name: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    written = _written(name)
    if value is True:
        return f" {written}"
    text = str(value)
    if written in _ADDRESSES and not _OURS.fullmatch(visible(text)):
        # Not an error: the address may be a repository's own text, and the page is to be shown all the same.
        text = "#"
    return f' {written}="{_text(text)}"'


@cache
def _written(name: str) -> str:
    """An attribute's name as HTML has it. Our own code names attributes, so there are few."""
    written = _name(name.rstrip("_").replace("_", "-"))
    if written.lower().startswith("on") or written.lower() == "style":
        raise ValueError(f"the pages allow no {written} attribute")
    return written


@cache
def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"not a name of HTML: {name!r}")
    return name
