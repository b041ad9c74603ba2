"""JSON Schema files: the configuration keys they declare, with defaults."""

from __future__ import annotations

from docalign_actors.engine.code.manifests.tree import DEEPEST, KEY_LIMIT, Node, short
from docalign_actors.engine.facts import FileFacts, Key
from docalign_actors.engine.roles import is_own_code


def is_schema(root: Node) -> bool:
    """It describes properties and says that it is a schema, or looks like nothing else."""
    declared = "json-schema.org" in root.get("$schema").string
    return declared or (root.get("type").string == "object" and root.get("properties").table is not None)


def collect_schema(path: str, root: Node, facts: FileFacts) -> None:
    """Dotted names of properties; definitions that are referred to stand under no prefix."""
    if not is_own_code(path):
        return
    stack: list[tuple[str, Node, int]] = [("", root, 0)]
    while stack and len(facts.keys) < KEY_LIMIT:
        prefix, node, depth = stack.pop()
        if depth > DEEPEST:
            continue
        for name, value in node.get("properties").pairs():
            dotted = f"{prefix}.{name}" if prefix else name
            facts.keys.append(Key(dotted[:300], value.line, short(value.get("default").text), "schema"))
            stack.append((dotted[:300], value, depth + 1))
        below = [("", value) for _, value in (*node.get("definitions").pairs(), *node.get("$defs").pairs())]
        below += [(prefix, value) for choice in ("allOf", "anyOf", "oneOf") for value in node.get(choice).elements()]
        below += [(prefix, node.get(inner)) for inner in ("items", "additionalProperties")]
        stack.extend((name, value, depth + 1) for name, value in below if value.table)
