"""What the code examples of a document import, use and call. Three kinds of claim read it, so it is made once a document.

Names are followed through a document from block to block: an `app = Starlette()` of the first example types the `app` of
the third.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from docalign_actors.engine.documents.model import Block, Document, Inline

LANGUAGES = {
    "python": "python", "py": "python", "python3": "python", "pycon": "python", "py3": "python", "ipython": "python",
    "doctest": "python", "pyi": "python", "javascript": "javascript", "js": "javascript", "jsx": "javascript", "mjs":
    "javascript", "cjs": "javascript", "node": "javascript", "typescript": "typescript", "ts": "typescript", "tsx":
    "tsx", "go": "go", "golang": "go", "rust": "rust", "rs": "rust", "java": "java",
    "kotlin": "java", "kt": "java", "groovy": "java", "scala": "java",
}  # fmt: skip
_PROMPT = re.compile(r"^(\s*)(>>> ?|\.\.\. ?|In \[\d+\]: )")
_PYTHON = re.compile(
    r"^\s*(>>> |from [\w.]+ import |import \w+(\.\w+)*( as \w+)?$|(async )?def \w+\(|class \w+[(:]|@\w+[\w.]*(\(|$)"
    r"|([\w.]{1,80} = )?[A-Za-z_][\w.]{0,80}\(([^()\n]{0,200}, ?)?[a-z_]\w{0,60}=[^=> \n])",
    re.MULTILINE,
)
"""The last: a call that gives an argument by its name, as hardly another language writes it."""
_SCRIPT = re.compile(
    r"^\s*((const|let|var) [\w{ ,}]+ = |import .{1,200} from ['\"]|module\.exports|function \w+\()", re.MULTILINE
)
_MAX_BLOCK = 40_000


class Place(Struct, frozen=True):
    """A piece of an example: text at (line, column), on one line."""

    text: str
    line: int
    column: int


class Use(Struct, frozen=True):
    """A name in an example.

    how  import (the parts are an imported name's full path), typed (the first parts name the class of the object),
         free (written so, bound nowhere), member (an attribute of something unknown: one part),
         override (a method of a class whose parent the first parts name)
    origin  the module that the object comes from, as far as the example tells: `databases` for what
            `databases.Database().transaction()` gives
    """

    parts: tuple[str, ...]
    how: str
    place: Place
    call: bool
    block: Block
    language: str
    origin: str = ""


class Argument(Struct, frozen=True):
    """A keyword argument in a call. `passed` are the names among the other arguments: the call may hand it on to them."""

    function: tuple[str, ...]
    how: str
    name: str
    place: Place
    block: Block
    language: str
    passed: tuple[str, ...] = ()


class Imported(Struct, frozen=True):
    """An import. `name` is "" for a whole module. `place` is the name if there is one, the module otherwise."""

    module: str
    name: str
    place: Place
    block: Block
    language: str


class Examples(Struct):
    """Everything that a document's examples say, in reading order, and the names that they define themselves."""

    uses: list[Use] = []
    arguments: list[Argument] = []
    imports: list[Imported] = []
    defined: set[str] = set()
    overridden: set[str] = set()
    """Those among them that stand for a parent's method."""
    bound: set[str] = set()
    meanings: dict[str, tuple[str, ...]] = {}
    """What a variable or an imported name stands for at the end of the document: a class, a function, a module."""
    origins: dict[str, str] = {}
    """Variable → the module that it comes from."""

    def invents(self, name: str) -> bool:
        """The examples define the name, and not in place of a parent's."""
        return name in self.defined and name not in self.overridden


class Lines:
    """An example's text without prompts, and the way back from it to the source."""

    def __init__(self, lines: tuple[Inline, ...], prompts: bool) -> None:
        self.kept: list[tuple[str, Inline, int]] = []
        for inline in lines:
            match = _PROMPT.match(inline.text) if prompts else None
            cut = match.end() if match else 0
            text = inline.text[cut:] if match or not prompts else ""
            self.kept.append((text[:2000], inline, cut))
        self.text = "\n".join(text for text, _, _ in self.kept)

    def place(self, row: int, start: int, end: int, *, in_bytes: bool = False) -> Place | None:
        """The source place of columns [start, end) of a row."""
        if row >= len(self.kept):
            return None
        text, inline, cut = self.kept[row]
        if in_bytes and not text.isascii():
            raw = text.encode()
            start, end = len(raw[:start].decode("utf-8", "replace")), len(raw[:end].decode("utf-8", "replace"))
        return Place(text[start:end], inline.line, inline.column + cut + start) if text[start:end] else None


_OF_WHAT_IS_PRINTED = frozenset({"diff", "console", "text", "plaintext"})
"""How an example may be coloured after what it prints."""
_SESSION = re.compile(r"\s*>>> [A-Za-z_]")


def language_of_block(block: Block) -> str:
    """The language of an example: as declared, or told by its first lines where nothing is declared."""
    declared = block.language.lower().strip("{}. ")
    if declared in _OF_WHAT_IS_PRINTED and block.lines and _SESSION.match(block.lines[0].text):
        return "python"
    if declared:
        return LANGUAGES.get(declared, "")
    text = "\n".join(inline.text[:200] for inline in block.lines[:40])
    return "python" if _PYTHON.search(text) else "javascript" if _SCRIPT.search(text) else ""


_last: tuple[Document, Examples] | None = None


def read_examples(document: Document) -> Examples:
    """The examples of a document; the last document's are remembered, because several kinds ask in a row."""
    global _last
    if _last is None or _last[0] is not document:
        _last = (document, _read(document))
    return _last[1]


def _read(document: Document) -> Examples:
    from docalign_actors.engine.kinds.shared import examples_python, examples_script, examples_text

    examples = Examples()
    python, script = examples_python.Reader(examples), examples_script.Reader(examples)
    for block in _code_blocks(document):
        language = language_of_block(block)
        prompts = any(line.text.lstrip().startswith(">>>") for line in block.lines)
        lines = Lines(block.lines, prompts)
        if not language or len(lines.text) > _MAX_BLOCK:
            continue
        if language == "python":
            python.read(block, lines)
        elif language in ("javascript", "typescript", "tsx"):
            script.read(block, lines, language)
        else:
            examples_text.read(examples, block, lines, language)
    for reader in (python, script):
        examples.meanings.update({name: parts for name, parts in reader.imported.items() if len(parts) > 1})
        examples.meanings.update(reader.types)
        examples.origins.update(reader.origins)
        examples.bound.update(reader.bound, reader.types, reader.arguments)
    return examples


def _code_blocks(document: Document) -> Iterator[Block]:
    return (block for block in document.blocks if block.kind == "code" and block.lines)
