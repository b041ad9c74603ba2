"""Definitions that a broken syntax tree hides, told line by line.

Where a file does not parse as a whole (a preprocessor that cuts a function in two, syntax younger than the grammar), part
of its definitions are missing from the tree. A name missed here would be a name called absent, so lines that look like
definitions are taken as such. Only names are known of them: no owner, no parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.code.symbols.nesting import is_hopeless
from docalign_actors.engine.facts import Definition

_LONGEST_LINE = 300
_C = (
    ("macro", r"^\s*#\s*define\s+(\w+)"),
    (
        "class",
        r"^\s*(?:typedef\s+)?(?:class|struct|union|enum(?:\s+class)?|namespace)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)\s*(?:final\s*)?(?:[:{]|$)",
    ),
    ("function", r"^[A-Za-z_][\w :<>,*&]{0,120}[ *&](?:\w+::)*([A-Za-z_]\w*) ?\("),
    ("function", r"^([A-Za-z_]\w*)\([^;]*$"),
)
_PATTERNS = {
    "c": _C,
    "cpp": _C,
    "go": (
        ("function", r"^func\s+(?:\([^)]*\)\s*)?(\w+)"),
        ("type", r"^type\s+(\w+)"),
        ("constant", r"^(?:const|var)\s+(\w+)"),
    ),
    "rust": (
        ("function", r"\bfn\s+(\w+)"),
        ("class", r"^\s*(?:pub(?:\([\w\s]*\))?\s+)?(?:struct|enum|trait|union|type|mod)\s+(\w+)"),
        ("constant", r"^\s*(?:pub(?:\([\w\s]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(\w+)\s*:"),
    ),
    "java": (
        ("class", r"^[\w\s@]{0,80}\b(?:class|interface|enum|record)\s+(\w+)"),
        ("method", r"^\s+(?:public|protected|private|static|default|abstract)\s[\w\s<>\[\],.?]{0,120}\b(\w+)\s*\("),
    ),
    "csharp": (
        ("class", r"^[\w\s]{0,80}\b(?:class|struct|interface|record|enum)\s+(\w+)"),
        (
            "method",
            r"^\s+(?:public|protected|private|internal|static)\s[\w\s<>\[\],.?]{0,120}\b(\w+)\s*(?:<[\w, ]*>)?\(",
        ),
    ),
    "kotlin": (
        ("class", r"^[\w\s@]{0,80}\b(?:class|interface|object|typealias)\s+(\w+)"),
        ("function", r"^[\w\s@]{0,80}\bfun\s+(?:<[^>]*>\s*)?(?:[\w<>?, ]+\.)?(\w+)\s*\("),
        (
            "field",
            r"^\s*(?:(?:public|private|internal|protected|const|override|lateinit|open|abstract)\s+)+va[lr]\s+(\w+)",
        ),
    ),
    "swift": (
        ("class", r"^[\w\s@()]{0,80}\b(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)"),
        ("function", r"^[\w\s@()]{0,80}\bfunc\s+(\w+)"),
    ),
    "ruby": (("method", r"^\s*def\s+(?:self\.)?(\w+[?!=]?)"), ("class", r"^\s*(?:class|module)\s+(?:\w+::)*(\w+)")),
    "php": (
        ("function", r"^[\w\s]{0,80}\bfunction\s+&?(\w+)\s*\("),
        ("class", r"^\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)"),
    ),
    "shell": (("function", r"^\s*(?:function\s+)?([\w:.-]+)\s*\(\)"), ("function", r"^\s*function\s+([\w:.-]+)")),
}


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Compiled when the first file of a language needs them: few do."""
    return tuple((kind, re.compile(pattern)) for kind, pattern in _PATTERNS.get(language, ()))


_COMMENT = ("//", "*", "/*", "--", '"""')
RESERVED = frozenset({
    "if", "else", "for", "while", "switch", "case", "return", "do", "sizeof", "defined", "new", "delete", "throw",
    "catch", "try", "using", "typedef", "int", "char", "void", "long", "unsigned", "signed", "float", "double",
    "bool", "const", "static", "extern", "default", "break", "continue", "goto", "in", "is", "as", "of", "the",
    "and", "or", "not",
})  # fmt: skip
"""Words that a broken tree may show where a name stands, and that never are one."""

_STATEMENT = frozenset({
    "return", "else", "if", "for", "while", "switch", "case", "throw", "goto", "delete", "new", "using", "do",
})  # fmt: skip


def recovered(source: Source, known: Collection[Definition]) -> Iterator[Definition]:
    """What the lines of a file that does not parse define beyond what the tree told; nothing for one that does."""
    if not is_hopeless(source) and not source.tree.root_node.has_error:
        return
    seen = {definition.name for definition in known} | RESERVED
    for number, line in enumerate(source.data.split(b"\n"), 1):
        text = line[:_LONGEST_LINE].decode("utf-8", "replace")
        if text.lstrip().startswith(_COMMENT):
            continue
        for kind, pattern in _patterns(source.language):
            found = pattern.match(text) if pattern.pattern.startswith("^") else pattern.search(text)
            if found and found[1] not in seen and text.split(None, 1)[0] not in _STATEMENT:
                seen.add(found[1])
                yield Definition(found[1], found[1], kind, number)
