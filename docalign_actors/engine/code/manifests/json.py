"""JSON files, with comments and trailing commas as people write them: what they are is told by name and keys."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests import navigation, node_project, openapi, schema
from docalign_actors.engine.code.manifests.tree import DEEPEST, GENERIC_LIMIT, Node, collect_keys
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*|[{}\[\],:]|[^\s{}\[\],:"\'/]+|\n|/')
_ESCAPE = re.compile(r'\\(u[0-9a-fA-F]{4}|["\\/bfnrt\'])')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LOCKS = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "composer.lock",
        "Pipfile.lock",
        "bun.lock",
        "deno.lock",
        "tsconfig.json",
    }
)
_MOST_TOKENS = 150_000


class UnreadableError(ValueError):
    """The file is not JSON as it stands."""


def read_json(text: str) -> Node:
    """The value of a JSON text, each part with its line. Duplicate keys: the last one counts."""
    root: Node | None = None
    stack: list[tuple[Node, str | None]] = []
    line, position, count = 1, 0, 0
    while match := _TOKEN.search(text, position):
        lexeme, position, count = match[0], match.end(), count + 1
        if count > _MOST_TOKENS:
            raise UnreadableError("too many values")
        if lexeme == "\n":
            line += 1
        elif lexeme == "/*":
            end = text.find("*/", position)
            line += text.count("\n", position, end if end >= 0 else len(text))
            position = end + 2 if end >= 0 else len(text)
        elif lexeme.startswith("//") or lexeme in (",", ":"):
            continue
        elif lexeme in ("}", "]"):
            if not stack:
                raise UnreadableError(f"line {line}: closes nothing")
            stack.pop()
        elif stack and stack[-1][0].table is not None and stack[-1][1] is None:
            stack[-1] = (stack[-1][0], _unquote(lexeme))
        else:
            node = _node(lexeme, line)
            root = root or node
            _attach(stack, node)
            if node.text is None:
                stack.append((node, None))
            if len(stack) > DEEPEST:
                raise UnreadableError("nested too deep")
    if root is None or stack:
        raise UnreadableError("not whole")
    return root


def _node(lexeme: str, line: int) -> Node:
    if lexeme == "{":
        return Node(line, table={})
    if lexeme == "[":
        return Node(line, items=[])
    return Node(line, _unquote(lexeme))


def _attach(stack: list[tuple[Node, str | None]], node: Node) -> None:
    if not stack:
        return
    parent, key = stack[-1]
    if parent.items is not None:
        parent.items.append(node)
    elif parent.table is not None and key is not None:
        parent.table[key] = node
        stack[-1] = (parent, None)


def _unquote(lexeme: str) -> str:
    if lexeme[0] not in "\"'":
        return lexeme
    inside = lexeme[1:-1]
    if "\\" not in inside:
        return inside
    text = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "u" else _ESCAPED.get(m[1], m[1]), inside)
    # Two halves of a pair become one character; half a pair alone is none.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a JSON file, by what it is."""
    name = source.path.rpartition("/")[2]
    if name in _LOCKS or name.startswith("tsconfig."):
        return
    if len(source.data) > GENERIC_LIMIT and not (name == "package.json" or openapi.looks_like(source.data)):
        facts.notes.append("JSON data: not parsed")
        return
    try:
        root = read_json(source.text)
    except (UnreadableError, ValueError) as error:
        facts.notes.append(f"JSON not read: {error}")
        if name in node_project.NAMES:
            facts.opaque.append("scripts")
        return
    if root.table is None:
        return
    if name in node_project.NAMES:
        node_project.collect_node_project(name, root, facts)
    elif name == "sidebars.json":
        navigation.collect_sidebars(source.path, root, facts)
    elif openapi.is_openapi(root):
        openapi.collect_openapi(root, facts)
    elif schema.is_schema(root):
        schema.collect_schema(source.path, root, facts)
    else:
        collect_keys(source.path, len(source.data), root, facts)
