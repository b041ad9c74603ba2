"""`.python-version`, `.nvmrc`, `.tool-versions`, `rust-toolchain`: what developers of the project use."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.manifests.tree import Node
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Version

_SUBJECTS = {
    ".python-version": "python",
    ".nvmrc": "node",
    ".node-version": "node",
    ".ruby-version": "ruby",
    "rust-toolchain": "rust",
}
_TOOLS = {"nodejs": "node", "golang": "go"}
_NUMBER = re.compile(r"^v?(\d+(?:\.\d+)*)$")
_CHANNEL = re.compile(r"""^\s*(?:channel\s*=\s*)?["']?([\w.-]+)["']?\s*$""")


def collect(source: Source, facts: FileFacts) -> None:
    """One version for each line that names one; `lts/*` and `stable` are none."""
    name = source.path.rpartition("/")[2]
    for number, line in numbered(source.text):
        text = line.partition("#")[0].strip()
        if name == ".tool-versions":
            tool, _, version = text.partition(" ")
            _add(_TOOLS.get(tool, tool), version.strip(), number, facts)
        elif name == "rust-toolchain":
            if match := _CHANNEL.match(text):
                _add("rust", match[1], number, facts)
        else:
            _add(_SUBJECTS.get(name, ""), text, number, facts)


def collect_toolchain(channel: Node, facts: FileFacts) -> None:
    """rust-toolchain.toml: the channel, if it is a number."""
    _add("rust", channel.string, channel.line, facts)


def _add(subject: str, version: str, line: int, facts: FileFacts) -> None:
    match = _NUMBER.match(version)
    if subject and match:
        facts.versions.append(Version(subject, match[1], line, "toolchain"))
