"""Where documents write a name: as code, alone (a term of a list, a cell, a title, a word in bold), and in running text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.names import OF_EVERY_SCRIPT, is_argument, is_installed
from docalign_actors.engine.kinds.shared.spellings import identifiers, parts
from docalign_actors.engine.lost.lines import LONGEST_LINE, TOKEN, words_in

_PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
"""`GitHub`, `JavaScript`: outside code more likely a product than a class."""
_UNMISTAKABLE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]{2,}[a-z0-9]*(?:[A-Z][a-z0-9]+)+")
"""`max_age`, `maxAge`: nobody writes so but of code. A word with a hyphen may be English."""
_PERMALINK = re.compile(r"/(?:blob|tree|raw)/[0-9a-f]{7,40}/")
"""Leads to one commit for good, whatever became of the file since."""
_CLASS = re.compile(r"""\bclass(?:Name)?=["'][^"'<>]{0,200}$""")
"""Markup gives its elements classes, which are as often the reader's."""
_INSTALLED = ("node_modules/", "site-packages/", "bower_components/")
_DATA = frozenset(
    "toml ini cfg conf properties yaml yml json json5 jsonc sh bash shell console text txt env dotenv".split()
)
_SETTINGS = frozenset(
    "hcl tf terraform groovy gradle kotlin kts kt nginx caddyfile lua nix js javascript jsx ts typescript tsx rust java cs".split()
)
"""Languages in which `name = value` gives a setting, or what was declared before, its value, and defines nothing."""
_DECLARES = (
    r"\b(?:def|class|function|const|let|var|fn|func|fun|type|struct|enum|interface|trait|record|val|module)\s+{name}\b"
)
_ASSIGNS = r"^\s*(?:>>> )?{name}\s*(?::[^=\n]{{1,60}})?:?=(?!=)"
_METHOD = r"(?!\(\s*(?:self|cls)\b)"
"""Not the method of a class of Python."""
NOT = "no-"
"""What turns an option off that is on otherwise: `--no-colour` is what `--colour` is."""
_MOST_NAMES = 300
_LEAST_FOLDED = 8


class Mention(NamedTuple):
    """A place where a name stands, as it is written there."""

    document: Document
    block: Block
    inline: Inline
    start: int
    written: str


def spellings(name: str) -> tuple[str, ...]:
    """A name of several parts as options, variables and fields may be written: `npm_registry`, `npm-registry`, `NPM_REGISTRY`."""
    words = parts(name)
    several = len(words) > 1 and sum(map(len, words)) >= _LEAST_FOLDED
    return tuple(dict.fromkeys((name, *((*identifiers(name), "-".join(words)) if several else ()))))


def mentions(words: Collection[str], documents: Mapping[str, Document]) -> dict[str, list[Mention]]:
    """The words that documents write as code or alone, with every place; none that a document defines for itself."""
    known: dict[str, set[str]] = defaultdict(set)
    for word in words:
        for spelled in spellings(word):
            known[spelled].add(word)
    found: dict[str, list[Mention]] = defaultdict(list)
    for document in documents.values():
        for block in document.blocks if not document.history else ():
            others = _labels_of_others(block)
            for inline in words_in(block):
                if inline.kind == "text" and inline.text.strip() in others:
                    continue
                for start, token in _tokens(inline, block, known):
                    for word in known.get(token, ()):
                        found[word].append(Mention(document, block, inline, start, token))
    few = list(found.items())[:_MOST_NAMES]
    return {
        name: places
        for name, places in few
        if not is_defined_in(documents.values(), name, _METHOD if _is_explained(places) else "")
    }


def _is_explained(places: Iterable[Mention]) -> bool:
    """A sentence speaks of it, too: what an example defines under this name is what the reader is to write for us to call."""
    return any(
        m.block.kind != "code" and m.inline.text.rstrip("()") == m.written for m in places if m.inline.kind == "code"
    )


def _labels_of_others(block: Block) -> frozenset[str]:
    """What links to other places call them: `[Swagger-UI](https://…)` is a project. What is ours is written as code."""
    links = (inline for inline in block.every_inline() if inline.kind == "link")
    return frozenset(link.label for link in links if link.text.startswith(("https:", "http:")))


def _tokens(inline: Inline, block: Block, wanted: Container[str]) -> Iterator[tuple[int, str]]:
    """The names of a text with their places, and maybe some that are not wanted."""
    text = inline.text[: 4 * LONGEST_LINE]
    if inline.kind == "link" and _PERMALINK.search(text):
        return
    for match in TOKEN.finditer(text):
        token = match.group()
        if token not in wanted and "__" not in token and not token.startswith(NOT):
            continue
        if block.lines and (is_argument(text, match) or is_installed(text, match)):
            continue
        if inline.kind == "link" and "-" in token and "#" in text[: match.start()]:
            continue  # the slug of a heading
        if inline.kind == "text" and _PASCAL.fullmatch(token):
            continue
        if text.endswith(_INSTALLED, 0, match.start()):
            continue  # a package, and others'
        if text.endswith(".", 0, match.start()) and text.endswith(tuple(OF_EVERY_SCRIPT), 0, match.end()):
            continue
        if "class" in text and _CLASS.search(text[max(0, match.start() - 240) : match.start()]):
            continue
        yield match.start(), token
        if token.startswith(NOT) and text[: match.start()].endswith("--"):
            yield match.start() + len(NOT), token[len(NOT) :]
        if "__" in token:  # the keys that a variable joins: `Metrics__RetainedPoints`
            start = 0
            for part in token.split("__"):
                yield match.start() + start, part
                start += len(part) + 2


def in_running_text(names: Iterable[str], documents: Mapping[str, Document]) -> Iterator[tuple[str, Mention]]:
    """Names that nobody could take for English, in the midst of sentences."""
    wanted = [name for name in names if _UNMISTAKABLE.fullmatch(name)]
    pattern = (
        re.compile(rf"(?:(?<![\w./])|(?<=[\s(]\.))(?<!\w-)(?:{'|'.join(map(re.escape, wanted))})(?![\w/-]|\.\w)")
        if wanted
        else None
    )
    for document in documents.values() if pattern is not None else ():
        for block in document.blocks if not document.history else ():
            for inline in block.every_inline() if not block.historical else ():
                told = inline.kind == "text" and TOKEN.fullmatch(inline.text) is None
                for match in pattern.finditer(inline.text[: 4 * LONGEST_LINE]) if told and pattern is not None else ():
                    yield match.group(), Mention(document, block, inline, match.start(), match.group())


def is_defined_in(documents: Iterable[Document], name: str, unless: str = "") -> bool:
    """An example defines it, or gives it a value and then uses it: it is the reader's own.

    unless: what may follow a definition that is not the reader's, as a pattern.
    """
    declares, assigns = (re.compile(form.format(name=re.escape(name))) for form in (_DECLARES + unless, _ASSIGNS))
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    for document in documents:
        blocks = [b for b in document.blocks if b.kind == "code" and b.language not in _DATA]
        lines = [
            (b.language.lower(), line.text[:LONGEST_LINE]) for b in blocks for line in b.lines if name in line.text
        ]
        given = [text for language, text in lines if language not in _SETTINGS and assigns.search(text)]
        used = sum(1 for _, text in lines if whole.search(text) and not assigns.search(text))
        if (given and used) or any(declares.search(text) for _, text in lines):
            return True
    return False
