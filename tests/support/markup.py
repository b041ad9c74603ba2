"""Reads a page as strictly as a person who wrote it by hand: every element closed, in order, by its own name."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


class Element:
    def __init__(self, name: str, attributes: dict[str, str | None]) -> None:
        self.name = name
        self.attributes = attributes
        self.text = ""

    def __repr__(self) -> str:
        return f"<{self.name} {self.attributes}>"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []
        self.elements: list[Element] = []
        self.text = ""
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if len({name for name, _ in attrs}) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1].name != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1:] or 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        for element in self.open:
            element.text += data

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"a comment: {data}")


class Document:
    """A page that has been read. Raises if it is not well-formed."""

    def __init__(self, html: str) -> None:
        reader = _Reader()
        reader.feed(html)
        reader.close()
        reader.faults.extend(f"{element} is never closed" for element in reader.open)
        if reader.faults:
            raise AssertionError("\n".join(reader.faults[:10]))
        self.elements = reader.elements
        self.text = " ".join(reader.text.split())

    def all(self, name: str, /, **attributes: str) -> list[Element]:
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [e for e in self.elements if e.name == name and wanted.items() <= e.attributes.items()]

    def values(self, attribute: str) -> list[str]:
        return [e.attributes[attribute] or "" for e in self.elements if attribute in e.attributes]
