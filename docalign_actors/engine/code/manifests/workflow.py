"""CI workflows: the variables that they set, the versions that they run on."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.tree import DEEPEST, Node, short
from docalign_actors.engine.facts import EnvVar, FileFacts, Version

_VERSION_KEY = re.compile(
    r"^(python|node|go|java|php|ruby|rust)[-_]?versions?$|^(python|node|go|java|php|ruby|rust|toolchain)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^v?\d+(\.\d+)*(\.x)?$")
_MOST = 5000


def collect_workflow(root: Node, facts: FileFacts) -> None:
    """Environment names anywhere in the file, and the versions of matrices and set-up steps."""
    stack: list[tuple[Node, int]] = [(root, 0)]
    seen = 0
    while stack and seen < _MOST:
        node, depth = stack.pop()
        for name, value in node.pairs():
            seen += 1
            if name in ("env", "variables"):
                facts.env.extend(
                    EnvVar(key, child.line, _literal(child))
                    for key, child in value.pairs()
                    if re.fullmatch(r"\w+", key)
                )
            elif match := _VERSION_KEY.match(name):
                _versions((match[1] or match[2]).lower(), value, facts)
            if depth < DEEPEST:
                stack.append((value, depth + 1))
        stack.extend((child, depth + 1) for child in node.elements() if depth < DEEPEST)


def _literal(value: Node) -> str | None:
    return None if "${{" in value.string else short(value.text)


def _versions(subject: str, value: Node, facts: FileFacts) -> None:
    subject = "rust" if subject == "toolchain" else subject
    for entry in (value, *value.elements()):
        if _NUMBER.match(entry.string):
            facts.versions.append(Version(subject, entry.string, entry.line, "ci"))
