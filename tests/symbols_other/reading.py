"""Short ways to ask what a piece of source defines."""

from __future__ import annotations

import importlib

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import Definition, FileFacts

COLLECTORS = {"go": "go", "rust": "rust", "java": "java"}


def collected(path: str, text: str | bytes) -> FileFacts:
    """The facts that the collector of the file's language gives, exceptions not caught."""
    language = language_of(path)
    module = importlib.import_module(f"docalign_actors.engine.code.symbols.{COLLECTORS.get(language, 'names')}")
    facts = FileFacts(language=language)
    module.collect(Source(path, language, text.encode() if isinstance(text, str) else text), facts)
    return facts


def defined(path: str, text: str) -> dict[str, Definition]:
    """Definitions by qualified name; the first of several."""
    found: dict[str, Definition] = {}
    for definition in collected(path, text).definitions:
        found.setdefault(definition.qualname, definition)
    return found


def shape(definition: Definition) -> list[str]:
    """Parameters as `name`, `*name` or `name=default`."""
    assert definition.params is not None
    return [
        ("*" if p.kind == "varargs" else "**" if p.kind == "kwargs" else "")
        + p.name
        + (f"={p.default}" if p.default is not None else "")
        for p in definition.params
    ]
