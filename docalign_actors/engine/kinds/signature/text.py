"""Finds the parameters that a document claims: keyword arguments, documented signatures, parameter lists and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.examples import Argument, Examples, read_examples
from docalign_actors.engine.kinds.shared.lookup import words_in
from docalign_actors.engine.kinds.shared.names import code_words, is_keyword, parse_name

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_FIELD = re.compile(
    r":(?:param|parameter|arg|argument|key|keyword|kwarg|type) +(?:[\w.\[\], |]+ +)?\\?\*{0,2}(?P<name>[A-Za-z_]\w*) *:"
)
_KEYWORD = re.compile(r"\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)")
_POSITIONAL = re.compile(r"\s*\[?\s*(?P<name>[A-Za-z_]\w*)\??\s*(?::[^=]*(?:=[^=].*)?)?\]?\s*$")
"""A name of a documented signature, alone or with its type, and with the default behind that."""
_OPENERS, _CLOSERS = "([{", ")]}"


def extract(document: Document) -> Iterator[Claim]:
    """Claims with the parameter as subject and the function as owner ("" where only the surroundings tell).

    value: keyword (an argument by name), positional (a name in a documented signature), import/typed + keyword for
    examples whose function is known by an import, mention (a parameter named on its own), override (a parameter of a method
    that overrides the owner).
    """
    examples = read_examples(document)
    lead = ""
    for block in document.blocks:
        if block.kind == "code":
            continue
        finder = _Block(document.path, block, lead, examples)
        yield from finder.claims()
        if block.kind in ("paragraph", "heading"):
            # A list of parameters is introduced by the paragraph before it.
            lead = block.text[-400:] if block.kind == "paragraph" else block.text[:200]
    for argument in examples.arguments:
        claim = _from_argument(document.path, argument, examples)
        if claim is not None:
            yield claim


class _Block:
    def __init__(self, file: str, block: Block, lead: str, examples: Examples) -> None:
        self.file = file
        self.block = block
        self.examples = examples
        self._lead = lead

    @cached_property
    def context(self) -> str:
        return " ".join((self.block.text[:500], self._lead if self.block.kind in ("item", "row", "quote") else ""))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The functions that are named nearby: the code that defines them has to be read."""
        return code_words(" ".join((*self.block.section[-2:], self.context)))[:8]

    def claims(self) -> Iterator[Claim]:
        for inline in self.block.every_inline():
            if inline.kind == "code" or (inline.kind == "text" and self.block.kind == "heading"):
                yield from self._signature(inline)
            if inline.kind == "code":
                yield from self._mention(inline)
            elif inline.kind == "text" and inline.text.lstrip().startswith(":"):
                for match in _FIELD.finditer(inline.text[:500]):
                    yield self._claim("", match["name"], inline, match.start("name"), "mention", "field")

    def _claim(self, owner: str, name: str, inline: Inline, start: int, value: str, form: str) -> Claim:
        words = (name, *words_in(owner.split("."))) if owner else (name, *self.names)
        return Claim(
            "signature", name, name, self.file, inline.line, inline.column + start, form, value, owner, "",
            self.block.section, self.context, words, self.block.group, self.block.hypothetical,
        )  # fmt: skip

    def _signature(self, inline: Inline) -> Iterator[Claim]:
        text = inline.text.rstrip()
        if "(" not in text or len(text) > 300:
            return
        name = parse_name(text.strip())
        if name is None or not name.arguments or self.examples.invents(name.parts[-1]):
            return
        opening = text.index("(", text.index(name.text) + len(name.text))
        owner = ".".join(self.examples.meanings.get(name.parts[0], name.parts[:1]) + name.parts[1:])
        how = "import" if name.parts[0] in self.examples.meanings else ""
        for start, piece in _arguments(text, opening):
            match = _KEYWORD.match(piece)
            kind = "keyword" if match else "positional"
            match = match or _POSITIONAL.match(piece)
            if match and not is_keyword(match["name"]):
                value = f"{how} {kind}".strip()
                yield self._claim(owner, match["name"], inline, start + match.start("name"), value, "span")

    def _mention(self, inline: Inline) -> Iterator[Claim]:
        text = inline.text
        match = _IDENTIFIER.match(text)
        if match is None or len(match.group()) < 3 or not re.fullmatch(r"(=.{0,80}|: .{0,80})?", text[match.end() :]):
            return
        if not match.group().isupper() and match.group() not in (
            "self",
            "True",
            "False",
            "None",
            "true",
            "false",
            "null",
        ):
            yield self._claim("", match.group(), inline, 0, "mention", "span")


def _arguments(text: str, opening: int) -> Iterator[tuple[int, str]]:
    """(position, text) of each argument of a call whose bracket opens at `opening`."""
    depth, start = 0, opening + 1
    for position in range(opening, len(text)):
        character = text[position]
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth -= 1
        if (character == "," and depth == 1) or depth == 0:
            yield start, text[start:position]
            start = position + 1
        if depth == 0:
            return


def _from_argument(file: str, argument: Argument, examples: Examples) -> Claim | None:
    function = argument.function
    is_plain = len(function) == 1 or argument.how == "member" or function[0] in ("self", "cls", "this")
    if (is_plain and function[-1] in examples.defined) or function[0].startswith((".", "/")):
        return None
    if argument.how != "import" and function[0] in examples.defined:
        return None
    place = argument.place
    how = argument.how if argument.how in ("import", "typed", "override") else ""
    value = how if how == "override" else f"{how} keyword".strip()
    return Claim(
        "signature", argument.name, place.text, file, place.line, place.column, "example", value,
        ".".join(function), argument.language, (), " ".join(argument.passed), (argument.name, *words_in(function)),
        hypothetical=argument.block.hypothetical,
    )  # fmt: skip
