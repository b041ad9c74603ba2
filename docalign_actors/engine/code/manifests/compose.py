"""Docker Compose files: services, the ports they publish, the environment they set."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.tree import Node, short
from docalign_actors.engine.facts import EnvVar, FileFacts, Port, Script, Version

_NAME = re.compile(r"^(docker-)?compose([.-].*)?\.ya?ml$")
_SUBSTITUTION = re.compile(r"\$\{([A-Za-z_]\w*)(?::?[-=]([^{}]{0,200}))?[^{}]{0,200}\}")
_VARIABLE = re.compile(r"^[A-Za-z_]\w*$")


def is_compose(name: str) -> bool:
    """A Compose file by its name."""
    return bool(_NAME.match(name))


def collect_compose(root: Node, facts: FileFacts) -> None:
    """Services as things to run, their ports and variables."""
    for name, service in root.get("services").pairs():
        facts.scripts.append(Script(name, "compose", service.line))
        for entry in service.get("ports").elements():
            _port(name, entry, facts)
        _environment(service.get("environment"), facts)
        image, _, tag = service.get("image").string.rpartition(":")
        if image and re.match(r"v?\d", tag):
            facts.versions.append(Version(image.rpartition("/")[2], tag, service.get("image").line, "image"))
    if root.get("include"):
        facts.opaque.append("scripts")


def _port(service: str, entry: Node, facts: FileFacts) -> None:
    """Both sides of a published port: readers use the one outside, the documentation of the service the one inside."""
    text = entry.string
    variables(text, entry.line, facts)
    text = _SUBSTITUTION.sub(lambda match: match[2] or "", text).partition("/")[0]
    sides = [entry.get("published").string, entry.get("target").string] if entry.table else text.split(":")[-2:]
    for side in dict.fromkeys(sides):
        if side.isdecimal() and 0 < int(side[:6]) < 65536:
            facts.ports.append(Port(int(side[:6]), entry.line, service))


def _environment(environment: Node, facts: FileFacts) -> None:
    pairs = [(name, value.text, value.line) for name, value in environment.pairs()]
    for entry in environment.elements():
        name, given, value = entry.string.partition("=")
        pairs.append((name, value if given else None, entry.line))
    for name, text, line in pairs:
        if _VARIABLE.match(name):
            facts.env.append(EnvVar(name, line, None if text is None or "$" in text else short(text)))
        if text:
            variables(text, line, facts)


def variables(text: str, line: int, facts: FileFacts) -> None:
    """`${PORT:-8080}`: a variable read from outside, with its default."""
    for match in _SUBSTITUTION.finditer(text[:2000]):
        facts.env.append(EnvVar(match[1], line, match[2] or None))
