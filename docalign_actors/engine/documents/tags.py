"""HTML as it occurs in Markdown: which names are elements, and where an attribute's value stands."""

from __future__ import annotations

import re

ELEMENTS = frozenset(
    {
        "a", "abbr", "address", "article", "aside", "audio", "b", "bdi", "bdo", "big", "blockquote", "body", "br", "button",
        "caption", "center", "cite", "code", "col", "colgroup", "data", "dd", "del", "details", "dfn", "div", "dl", "dt",
        "em", "embed", "figcaption", "figure", "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head",
        "header", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "li", "link", "main", "map", "mark",
        "menu", "meta", "nav", "object", "ol", "option", "p", "param", "picture", "pre", "q", "s", "samp", "script",
        "section", "select", "small", "source", "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table",
        "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "title", "tr", "tt", "u", "ul", "var",
        "video", "wbr", "path", "rect", "g",
    }
)  # fmt: skip
_ATTRIBUTE = re.compile(r"""\s([A-Za-z_:-]{1,40})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.ASCII)


def attribute(tag: str, name: str) -> tuple[int, str] | None:
    """An attribute's value in a tag, and the offset at which it begins."""
    for match in _ATTRIBUTE.finditer(tag):
        if match[1].lower() == name:
            group = next(g for g in (2, 3, 4) if match[g] is not None)
            return match.start(group), match[group]
    return None
