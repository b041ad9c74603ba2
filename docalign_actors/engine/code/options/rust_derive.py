"""Options and sub-commands that Rust programs declare by attributes: clap's derive, structopt, argh."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from docalign_actors.engine.code.options.common import add_command, add_option, dashed, kebab, mark_opaque
from docalign_actors.engine.code.source import Source, line_of, text_of
from docalign_actors.engine.facts import FileFacts

ATTRIBUTES = re.compile(
    rb"#\[(?:arg|clap|command|structopt|argh|options)\b|derive\([^)]{0,200}\b(?:Subcommand|Parser|StructOpt|Args|FromArgs|Clap)\b"
)
_FIELDS = "(field_declaration) @field"
_ENUMS = "(enum_item) @enum"
_RELEVANT = re.compile(r"#\[\s*(arg|clap|command|structopt|argh|options|opt)\s*\((.*)\)\s*\]\s*\Z", re.DOTALL)
_DERIVES_COMMANDS = re.compile(r"derive\([^)]*\b(Subcommand|Parser|StructOpt|Clap|FromArgs)\b", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|\'([^\'\\])\'')
_RENAMES: dict[str, Callable[[str], str]] = {
    "snake_case": lambda name: kebab(name).replace("-", "_"),
    "lower": lambda name: kebab(name).replace("-", ""),
    "lowercase": lambda name: kebab(name).replace("-", ""),
    "verbatim": lambda name: name,
    "camelcase": lambda name: name,
}


class Attributes:
    """The arguments of all the attributes on one item: `long`, `short = 'p'`, `default_value = "1"`, `visible_alias("x")`."""

    def __init__(self, item: Node) -> None:
        self.found: dict[str, list[str]] = {}
        self.text = ""
        self.family = ""
        sibling = item.prev_named_sibling
        for _ in range(60):
            if sibling is None or not (sibling.type == "attribute_item" or sibling.type.endswith("comment")):
                break
            if sibling.type == "attribute_item":
                self._read(text_of(sibling)[:4000])
            sibling = sibling.prev_named_sibling

    def _read(self, text: str) -> None:
        self.text += text
        match = _RELEVANT.match(text)
        if match is None:
            return
        self.family = self.family if match[1] == "command" and self.family else match[1]
        for part in _split(match[2]):
            key, value = _key_and_value(part)
            self.found.setdefault(key, []).append(value)

    def __contains__(self, key: str) -> bool:
        return key in self.found

    def strings(self, *keys: str) -> list[str]:
        """The quoted values of these keys."""
        return [a or b for key in keys for value in self.found.get(key, ()) for a, b in _QUOTED.findall(value)]

    def literal(self, *keys: str) -> str | None:
        """The first value of these keys that is a literal."""
        for key in keys:
            for value in self.found.get(key, ()):
                value = value.strip()
                if re.fullmatch(r"-?[0-9][\w.]*|true|false", value):
                    return value
                if len(value) > 1 and value[0] == value[-1] == '"':
                    return value[1:-1]
        return None


def _split(text: str) -> list[str]:
    """The parts of an argument list, at the commas of the outermost level."""
    parts, depth, start, quoted = [], 0, 0, False
    for position, character in enumerate(text):
        if character == '"' and text[position - 1 : position] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]


def _key_and_value(part: str) -> tuple[str, str]:
    match = re.match(r"\s*(\w+)\s*(=|\()?", part)
    if match is None:
        return "", ""
    return match[1], part[match.end() :].rstrip(") \n") if match[2] == "(" else part[match.end() :].strip()


def collect(source: Source, facts: FileFacts) -> None:
    """Options from fields, sub-commands from the variants of enums."""
    commands = _read_enums(source, facts)
    for _, captures in source.matches(_FIELDS):
        field = captures["field"][0]
        attributes = Attributes(field)
        if not attributes.family:
            continue
        name = field.child_by_field_name("name")
        if name is not None and not ("subcommand" in attributes or "flatten" in attributes or "skip" in attributes):
            _read_field(field, text_of(name).removeprefix("r#"), attributes, commands, facts)
        elif "flatten" in attributes and _is_from_elsewhere(field, source):
            mark_opaque(facts, "options")


def _is_from_elsewhere(field: Node, source: Source) -> bool:
    """The type whose options are taken in comes from another crate."""
    kind = re.match(r"[\w:]+", text_of(field.child_by_field_name("type") or field))
    if kind is None:
        return False
    first = kind[0].split("::")[0].encode()
    return re.search(rb"\buse\s+(?!crate\b|self\b|super\b)\w+::[^;]{0,300}\b" + first + rb"\b", source.data) is not None


def _read_field(field: Node, name: str, attributes: Attributes, commands: dict[str, str], facts: FileFacts) -> None:
    owner, rename = _owner(field)
    command = commands.get(owner, "")
    plain = _renamed(name.strip("_"), rename)
    names: list[str] = []
    if "long" in attributes:
        names += [f"--{n}" for n in attributes.strings("long")] or [f"--{attributes.literal('name', 'id') or plain}"]
    elif attributes.family == "argh" and ("option" in attributes or "switch" in attributes):
        names.append(f"--{kebab(name)}")
    if "short" in attributes:
        names += [f"-{n}" for n in attributes.strings("short")] or [f"-{plain[:1]}"]
    names += [
        dashed(n)
        for n in attributes.strings(
            "alias", "visible_alias", "aliases", "visible_aliases", "short_alias", "visible_short_alias"
        )
    ]
    kind = text_of(field.child_by_field_name("type") or field)
    boolean = kind == "bool" or "Count" in " ".join(attributes.found.get("action", ())) or "switch" in attributes
    env = (attributes.strings("env") or [plain.replace("-", "_").upper()])[0] if "env" in attributes else ""
    add_option(
        facts, names, line_of(field), default=attributes.literal("default_value", "default_value_t", "default"), command=command,
        takes_value=not boolean, env=env, choices=attributes.strings("possible_values"),
    )  # fmt: skip


def _owner(field: Node) -> tuple[str, str]:
    """The struct or variant that a field belongs to, and how its names are spelled."""
    node = field.parent
    while node is not None and node.type not in ("struct_item", "enum_variant", "enum_item"):
        node = node.parent
    name = node.child_by_field_name("name") if node is not None else None
    if node is None or name is None:
        return "", ""
    rename = Attributes(node).strings("rename_all")
    return text_of(name), rename[0] if rename else ""


def _renamed(name: str, rename: str) -> str:
    spell = _RENAMES.get(rename.lower())
    return spell(name) if spell else kebab(name)


def _read_enums(source: Source, facts: FileFacts) -> dict[str, str]:
    """Sub-commands; gives the command that each variant, and each struct that a variant wraps, stands for."""
    commands: dict[str, str] = {}
    for _, captures in source.matches(_ENUMS):
        item = captures["enum"][0]
        attributes = Attributes(item)
        if not _DERIVES_COMMANDS.search(attributes.text) or "ValueEnum" in attributes.text:
            continue
        rename = (attributes.strings("rename_all") or [""])[0]
        body = item.child_by_field_name("body")
        for variant in body.named_children if body is not None else ():
            if variant.type == "enum_variant":
                _read_variant(variant, rename, commands, facts)
    if b"argh" in source.data:
        for match in re.finditer(rb"#\[argh\([^\]]{0,200}subcommand[^\]]{0,200}name\s*=\s*\"([\w-]+)\"", source.data):
            add_command(facts, match[1].decode(), source.data.count(b"\n", 0, match.start()) + 1)
    return commands


def _read_variant(variant: Node, rename: str, commands: dict[str, str], facts: FileFacts) -> None:
    name = variant.child_by_field_name("name")
    attributes = Attributes(variant)
    if name is None or "skip" in attributes:
        return
    if "external_subcommand" in attributes or "flatten" in attributes:
        mark_opaque(facts, *(["commands"] if "external_subcommand" in attributes else []))
        return
    explicit = attributes.strings("name")
    command = explicit[0] if explicit else _renamed(text_of(name), rename)
    aliases = attributes.strings("alias", "aliases", "visible_alias", "visible_aliases", "short_flag", "long_flag")
    add_command(facts, command, line_of(variant), aliases=aliases)
    commands[text_of(name)] = command
    body = variant.child_by_field_name("body")
    if body is not None and body.type == "ordered_field_declaration_list":
        inner = re.search(r"(\w+)\W*\Z", text_of(body)[:200])
        if inner:
            commands[inner[1]] = command
