"""go.mod: the module's path, Go's version, what it requires."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Version

_MAJOR_VERSION = re.compile(r"^v\d+$")
_REQUIRE = re.compile(r"^([\w./~-]+)\s+(v[\w.+-]+)")


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a Go module."""
    block = ""
    for number, line in numbered(source.text):
        text, _, comment = line.partition("//")
        text = text.strip()
        if text == ")":
            block = ""
        elif text.endswith("("):
            block = text[:-1].strip()
        elif text:
            word, _, rest = text.partition(" ")
            _directive(block or word, text if block else rest.strip(), number, "indirect" in comment, facts)


def _directive(word: str, rest: str, number: int, indirect: bool, facts: FileFacts) -> None:
    match word:
        case "module":
            facts.package = rest.strip('"')
        case "go":
            facts.versions.append(Version("go", rest, number, "requires"))
        case "toolchain":
            facts.versions.append(Version("go", rest.removeprefix("go"), number, "toolchain"))
        case "require" if match := _REQUIRE.match(rest):
            facts.versions.append(Version(match[1], match[2], number, "indirect" if indirect else "dependency"))


def package_name(path: str) -> str:
    """What a module or package is called by its path, if nothing else is said: `gopkg.in/yaml.v3` and `x/yaml/v3` give `yaml`."""
    parts = path.split("/")
    last = parts[-2] if len(parts) > 1 and _MAJOR_VERSION.match(parts[-1]) else parts[-1]
    stem, _, suffix = last.rpartition(".")
    return stem if stem and _MAJOR_VERSION.match(suffix) else last
