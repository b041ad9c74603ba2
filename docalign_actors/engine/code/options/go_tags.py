"""Options and sub-commands that Go programs declare in the tags of struct fields: kong, go-flags, go-arg."""

from __future__ import annotations

import re

from tree_sitter import Node

from docalign_actors.engine.code.options.common import add_command, add_option, kebab, mark_opaque
from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.facts import FileFacts

_TAGS = "(field_declaration tag: (raw_string_literal) @tag) @field"
_TAG = re.compile(r'(\w[\w-]*):"((?:[^"\\]|\\.)*)"')


def read_tags(source: Source, facts: FileFacts) -> None:
    """The options and sub-commands that the tags of a file declare."""
    kong, go_arg = b"kong" in source.data, b"go-arg" in source.data
    for _, captures in source.matches(_TAGS):
        tags = dict(_TAG.findall(text_of(captures["tag"][0])[:1000]))
        bare = text_of(captures["tag"][0])
        field = captures["field"][0]
        name = field.child_by_field_name("name")
        plain = kebab(text_of(name)) if name is not None else ""
        boolean = text_of(field.child_by_field_name("type") or field) == "bool"
        if "namespace" in tags and not _is_struct(field):
            mark_opaque(facts, "options")
        if "long" in tags or ("short" in tags and "description" in tags):
            _add_tagged([tags.get("long", ""), tags.get("short", "")], tags, boolean, field, facts)
        elif tags.get("command"):
            add_command(facts, tags["command"], line_of(field), aliases=[tags["alias"]] if "alias" in tags else [])
        elif go_arg and "arg" in tags:
            _read_go_arg(tags, plain, boolean, field, facts)
        elif "cmd" in tags or (re.search(r"`[^`]*\bcmd\b", bare) and kong):
            add_command(
                facts, tags.get("name") or plain, line_of(field), aliases=(tags.get("aliases") or "").split(",")
            )
        elif (
            (kong or "help" in tags)
            and tags.keys() & {"help", "short", "default", "env", "name", "negatable"}
            and "arg" not in tags
        ):
            _add_tagged([tags.get("name") or plain, tags.get("short", "")], tags, boolean, field, facts)


def _add_tagged(names: list[str], tags: dict[str, str], boolean: bool, field: Node, facts: FileFacts) -> None:
    prefix = _prefix(field)
    flags = [f"--{prefix}{names[0]}"] if names[0] else []
    flags += [f"-{names[1]}"] if names[1] else []
    flags += [f"--no-{names[0]}"] if "negatable" in tags and names[0] else []
    add_option(
        facts, flags, line_of(field), default=tags.get("default"), takes_value=not boolean, env=tags.get("env", "").split(",")[0],
        choices=[c for c in tags.get("enum", "").split(",") if c],
    )  # fmt: skip


def _is_struct(field: Node) -> bool:
    """The field's type is a struct written in place, whose own fields are seen."""
    kind = field.child_by_field_name("type")
    return kind is not None and kind.type == "struct_type"


def _prefix(field: Node) -> str:
    """What the groups that a field stands in put before its name: go-flags' namespaces, kong's prefixes."""
    found = ""
    node = field.parent
    while node is not None:
        tag = node.child_by_field_name("tag") if node.type == "field_declaration" else None
        if tag is not None:
            tags = dict(_TAG.findall(text_of(tag)[:1000]))
            found = (tags["namespace"] + "." if tags.get("namespace") else tags.get("prefix", "")) + found
        node = node.parent
    return found


def _read_go_arg(tags: dict[str, str], plain: str, boolean: bool, field: Node, facts: FileFacts) -> None:
    parts = [part.strip() for part in tags["arg"].split(",")]
    if any(part.startswith("subcommand") for part in parts):
        name = next(part for part in parts if part.startswith("subcommand")).partition(":")[2]
        add_command(facts, (name or plain).split("|")[0], line_of(field))
    elif "positional" not in parts:
        names = [part for part in parts if part.startswith("-")]
        env = next((part.partition(":")[2] for part in parts if part.startswith("env:")), "")
        names += [] if any(n.startswith("--") for n in names) else [f"--{plain}"]
        add_option(facts, names, line_of(field), default=tags.get("default"), takes_value=not boolean, env=env)
