"""Reads the directives of reStructuredText, Sphinx's among them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from docalign_actors.engine.documents.model import Inline, InlineKind
from docalign_actors.engine.documents.rst_spans import read_rst_spans
from docalign_actors.engine.documents.rst_tables import read_csv_table, read_list_table
from docalign_actors.engine.documents.spans import role_target

if TYPE_CHECKING:
    from docalign_actors.engine.documents.rst import RstReader

_CODE = frozenset({"code-block", "code", "sourcecode", "prompt", "parsed-literal", "code-cell", "ipython", "terminal"})
_PYTHON = {"testcode": "python", "doctest": "pycon", "testsetup": "python", "ipython": "python"}
_SKIPPED = frozenset(
    {
        "math", "raw", "graphviz", "digraph", "graph", "mermaid", "uml", "plantuml", "default-role", "contents",
        "sectnum", "meta", "index", "tabularcolumns", "replace", "unicode", "date",
        "role", "testoutput", "testcleanup", "plot", "inheritance-diagram", "highlightlang", "todolist", "ifconfig",
        "autosummary-toc", "sidebar-links", "youtube", "video",
    }
)  # fmt: skip
_PAST = frozenset({"versionadded", "versionchanged", "deprecated", "versionremoved", "deprecated-removed"})
_RELEASE_FIRST = frozenset({*_PAST, "versionadded", "versionextended"})
_SIGNATURE = frozenset(
    {
        "function", "class", "method", "attribute", "data", "exception", "decorator", "classmethod", "staticmethod", "property",
        "option", "cmdoption", "envvar", "confval", "setting", "describe", "object", "type", "var", "macro", "struct", "enum",
        "decoratormethod", "variable", "member", "typealias",
    }
)  # fmt: skip
_OPTION = re.compile(r"^\s*:([A-Za-z][\w-]*):\s*(.*?)\s*$")
_ENTRY = re.compile(r"^\s*(?![:.])\S")
_DOMAIN = re.compile(r"^(?:py|c|cpp|js|std|rst|go|rust|http):")


class Directive(NamedTuple):
    """A directive as it stands: lines start to stop, and where its argument begins."""

    name: str
    argument: str
    start: int
    stop: int
    margin: int
    column: int


def read_directive(reader: RstReader, directive: Directive) -> None:
    """Reads what a directive holds, if it holds documentation."""
    name = directive.name
    kind = _DOMAIN.sub("", name)
    if name in _SKIPPED:
        return
    if name == "highlight":
        reader.language = directive.argument.split(" ")[0].lower()
    elif name in _CODE or name in _PYTHON:
        _code(reader, directive)
    elif name in ("image", "figure"):
        _target(reader, directive, "image")
        _content(reader, directive)
    elif name == "program":  # what the options below it belong to: `tool run`
        if " " in directive.argument:
            _target(reader, directive, "code")
    elif name in ("include", "literalinclude"):
        _target(reader, directive, "link")
    elif name == "toctree":
        _entries(reader, directive, "link")
    elif name == "autosummary":
        _entries(reader, directive, "role")
    elif name.startswith("auto"):
        _target(reader, directive, "role")
        _content(reader, directive)
    elif kind in ("module", "currentmodule"):
        _target(reader, directive._replace(name=f"{kind}-directive"), "role")
    elif name == "list-table":
        start, options = _options(reader, directive)
        rows = options.get("header-rows", "0")
        read_list_table(reader, start, directive.stop, int(rows) if rows.isdecimal() and len(rows) < 3 else 0)
    elif name == "csv-table":
        start, options = _options(reader, directive)
        read_csv_table(
            reader, start, directive.stop, [title.strip(' "') for title in options.get("header", "").split(",")]
        )
    elif kind in _SIGNATURE:
        _signature(reader, directive)
    elif ":" in name and not _DOMAIN.match(name):
        start, _ = _options(reader, directive)
        reader.code(start, directive.stop, "", directive.start + 1, name)
    else:
        _prose(reader, directive)


def _options(reader: RstReader, directive: Directive) -> tuple[int, dict[str, str]]:
    """The directive's options, and the first line of its content."""
    options: dict[str, str] = {}
    index = directive.start + 1
    if index < directive.stop and reader.lines[index].strip() == "---":
        # MyST: options as a block of YAML between two rules.
        closing = range(index + 1, directive.stop)
        index = next((n + 1 for n in closing if reader.lines[n].strip() == "---"), index)
    while index < directive.stop:
        match = _OPTION.match(reader.lines[index][:2_000])
        if not match:
            break
        options[match[1]] = match[2]
        index += 1
    while index < directive.stop and not reader.lines[index].strip():
        index += 1
    return index, options


def _content(reader: RstReader, directive: Directive, opening: tuple[Inline, ...] = ()) -> None:
    start, _ = _options(reader, directive)
    kind = "item" if opening else "paragraph"
    reader.body(start, directive.stop, reader.margin_of(start, directive.stop), opening, kind, 0)  # type: ignore[arg-type]


def _code(reader: RstReader, directive: Directive) -> None:
    start, options = _options(reader, directive)
    words = directive.argument.split()
    language = _PYTHON.get(directive.name) or (words[0].lower() if words else reader.language)
    if directive.name == "parsed-literal" or "\n" in language:
        language = ""
    caption = options.get("caption", "")
    reader.code(
        start, directive.stop, language, directive.start + 1, f'{language} title="{caption}"' if caption else language
    )


def _argument(directive: Directive, kind: InlineKind, label: str) -> Inline | None:
    """The argument as an inline; of a title and a target, the target."""
    if not directive.argument:
        return None
    offset, text = role_target(directive.argument) if kind == "role" else (0, directive.argument)
    return Inline(kind, text, directive.start + 1, directive.column + offset + 1, label) if text else None


def _target(reader: RstReader, directive: Directive, kind: InlineKind) -> None:
    inline = _argument(directive, kind, directive.name)
    if kind == "role" and inline and "(" in inline.text:
        name = inline.text.partition("(")[0].rstrip()
        inline = Inline(kind, name, inline.line, inline.column, inline.label) if name else None
    if inline:
        reader.builder.prose("paragraph", inline.line, inline.line, [inline])


def _entries(reader: RstReader, directive: Directive, kind: InlineKind) -> None:
    """The lines of a table of contents: documents, or names whose pages are generated."""
    start, _ = _options(reader, directive)
    group = reader.builder.new_group()
    for index in range(start, directive.stop):
        line = reader.lines[index]
        if not _ENTRY.match(line):
            continue
        indent = len(line) - len(line.lstrip())
        offset, text = role_target(line.strip())
        if text:
            inline = Inline(kind, text, index + 1, indent + offset + 1, directive.name)
            reader.builder.prose("item", index + 1, index + 1, [inline], group)


def _signature(reader: RstReader, directive: Directive) -> None:
    """An object that is described: its signature opens the description."""
    signature = _argument(directive, "code", directive.name)
    index = directive.start + 1
    found = [signature] if signature else []
    while index < directive.stop and reader.lines[index].strip() and not _OPTION.match(reader.lines[index][:2_000]):
        piece = reader.pieces(index, index + 1)[0]
        found.append(Inline("code", piece.text, piece.line, piece.column, directive.name))
        index += 1
    rest = directive._replace(start=index - 1)
    _content(reader, rest, tuple(found))


def _prose(reader: RstReader, directive: Directive) -> None:
    """An admonition or anything like it: argument and content are documentation."""
    past = directive.name in _PAST
    if past:
        reader.builder.begin_past()
    opening: tuple[Inline, ...] = ()
    argument = directive.argument
    column = directive.column
    if directive.name in _RELEASE_FIRST:
        _, _, rest = argument.partition(" ")
        column += len(argument) - len(rest.lstrip())
        argument = rest.strip()
    stop = directive.start + 1
    if argument:
        while stop < directive.stop and reader.lines[stop].strip() and not _OPTION.match(reader.lines[stop][:2_000]):
            stop += 1
        opening = tuple(read_rst_spans(reader.pieces(directive.start, stop, column)))
    if opening:
        reader.builder.prose("paragraph", directive.start + 1, stop, opening)
    _content(reader, directive._replace(start=stop - 1))
    if past:
        reader.builder.end_past()
