"""pom.xml: artefact, versions, licence. Read tag by tag, so that entities and depth cost nothing."""

from __future__ import annotations

import re

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Version

_TOKEN = re.compile(r"<!--|<!\[CDATA\[|<\?[^<>]*\?>|<(/?)([A-Za-z_][\w.:-]*)([^<>]*)>|\n")
_JAVA = ("maven.compiler.release", "maven.compiler.source", "maven.compiler.target", "java.version", "jdk.version")
_REFERENCE = re.compile(r"\$\{([\w.-]+)\}")
_MOST_TOKENS = 100_000

Leaf = tuple[tuple[str, ...], str, int]
"""(tags from the root, text, line) of an element without children."""


def leaves(text: str) -> list[Leaf]:
    """Every element that contains only text."""
    found: list[Leaf] = []
    stack: list[str] = []
    line, position, start, opened = 1, 0, 0, 0
    for _ in range(_MOST_TOKENS):
        match = _TOKEN.search(text, position)
        if match is None:
            break
        position = match.end()
        if match[0] == "\n":
            line += 1
        elif match[0] in ("<!--", "<![CDATA["):
            end = text.find("-->" if match[0] == "<!--" else "]]>", position)
            end = len(text) if end < 0 else end + 3
            line += text.count("\n", position, end)
            position = end
        elif match[2] and match[1]:
            if start and stack and stack[-1] == match[2]:
                found.append((tuple(stack), text[start : match.start()].strip()[:300], opened))
            if match[2] in stack[-60:]:
                while stack and stack.pop() != match[2]:
                    pass
            start = 0
        elif match[2] and not match[3].endswith("/") and len(stack) < 60:
            stack.append(match[2])
            start, opened = position, line
    return found


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a Maven project; other XML yields nothing."""
    if source.path.rpartition("/")[2] != "pom.xml":
        return
    found = leaves(source.text)
    properties = {tags[-1]: text for tags, text, _ in found if tags[:-1] == ("project", "properties")}
    for tags, text, line in found:
        value = _REFERENCE.sub(lambda match: properties.get(match[1], match[0]), text)
        match tags:
            case ("project", "artifactId"):
                facts.package = value
            case ("project", "version") if "$" not in value:
                facts.versions.append(Version("self", value, line, "self"))
            case ("project", "properties", name) if name in _JAVA:
                _java(value, line, facts)
            case ("project", "build", *_, "configuration", "release" | "source") if "$" not in value:
                _java(value, line, facts)
            case ("project", "licenses", "license", "name"):
                facts.licence = facts.licence or value
    _dependencies(found, properties, facts)


def _java(value: str, line: int, facts: FileFacts) -> None:
    number = value.removeprefix("1.")
    if number.isdecimal():
        facts.versions.append(Version("java", number, line, "requires"))


def _dependencies(found: list[Leaf], properties: dict[str, str], facts: FileFacts) -> None:
    artefact = ""
    for tags, text, line in found:
        if tags[-2:] == ("dependency", "artifactId"):
            artefact = text
        elif tags[-2:] == ("dependency", "version") and artefact:
            spec = _REFERENCE.sub(lambda match: properties.get(match[1], match[0]), text)
            if "$" not in spec:
                facts.versions.append(Version(artefact, spec, line, "dependency"))
