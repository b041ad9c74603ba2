"""MyST: directives of Sphinx in the fences of Markdown, read by the reader of reStructuredText on the same lines."""

from __future__ import annotations

import re

from docalign_actors.engine.documents.builder import Builder

_DIRECTIVE = re.compile(r"^\{(?P<name>[A-Za-z][\w:.-]*)\}\s*(?P<argument>.*)$")
_READ = re.compile(
    r"^(?:toctree|include|literalinclude|image|figure|list-table|csv-table|autosummary|auto(?:function|class|method|module|data"
    r"|attribute|exception|decorator|property)|(?:py|js|c|std):\w+|option|envvar|confval)$"
)


def read_fenced_directive(builder: Builder, info: str, first: int, last: int) -> bool:
    """Reads a fence that stands from line index `first` to `last`; False if it is code after all."""
    match = _DIRECTIVE.match(info[:2_000])
    if not match or not (match["name"] == "eval-rst" or _READ.match(match["name"])):
        return False
    from docalign_actors.engine.documents.rst import RstReader, indent_of
    from docalign_actors.engine.documents.rst_directives import Directive, read_directive

    builder.open_anchors = True
    reader = RstReader(builder)
    stop = max(last - 1, first + 1) if last - 1 < len(builder.lines) else len(builder.lines)
    if match["name"] == "eval-rst":
        reader.body(first + 1, stop, reader.margin_of(first + 1, stop))
        return True
    source = builder.lines[first]
    argument = match["argument"].strip()
    column = source.rfind(argument) if argument else 0
    if column >= 0:
        read_directive(reader, Directive(match["name"], argument, first, stop, indent_of(source), column))
    return True
