"""Finds configuration keys in a document: in blocks of configuration formats, in tables and lists of keys, in spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.names import OF_EVERY_SCRIPT
from docalign_actors.engine.kinds.shared.spellings import normal

_LONGEST = 1000
_TITLE = re.compile(
    r"(?i)\b(?:config\w*|settings?|options?|propert(?:y|ies)|preferences|parameters?|customi[sz]\w*|schema"
    r"|keys?|fields?|attributes?|defaults?)\b|\.(?:toml|ya?ml|json|ini|cfg|conf)\b"
)
_HEADER = re.compile(
    r"(?i)^(?:key|option|setting|name|property|parameter|param|field|attribute|config\w*(?: key| option)?"
    r"|variable|prop|argument)s?(?: name)?$"
)
_FORMATS = {
    "toml": "toml", "ini": "toml", "cfg": "toml", "conf": "toml", "properties": "toml", "yaml": "yaml", "yml": "yaml",
    "json": "json", "json5": "json", "jsonc": "json", "hjson": "json",
}  # fmt: skip
_LINE = {
    "toml": re.compile(r"""^\s*(?:[#;]\s?)?["']?([A-Za-z_][\w.\-]*)["']?\s*=(?!=)"""),
    "yaml": re.compile(r"""^\s*(?:#\s?)?(?:-\s+)?["']?([A-Za-z_][\w.\-]*)["']?\s*:(?=\s|$)"""),
    "json": re.compile(r"""["']([A-Za-z_][\w.\-]*)["']\s*:"""),
}
_TABLE = re.compile(r"^\s*\[{1,2}\s*([\w.\-\" ]{1,120}?)\s*\]{1,2}")
_FOREIGN_BLOCK = re.compile(
    r"(?m)^\s*(?:-\s)?(?:runs-on|jobs|apiVersion|services|repos|site_name|openapi|swagger|hosts|playbook"
    r"|before_install|stages|FROM|server\s*\{|location\s)\s*:?"
    r"|\"(?:dependencies|devDependencies|scripts|compilerOptions|peerDependencies|\$schema|private|engines"
    r"|mcpServers)\"\s*:|^\s*\[(?:build-system|project|package|dependencies|Unit|Service)\b"
)
_OTHER_TOOL = re.compile(
    r"^(?:project|build-system|package|dependencies|dev-dependencies|workspace|profile|lib|bin|features|metadata)\b"
)
_KEY = re.compile(r"^[A-Za-z_]\w*(?:[.\-][A-Za-z_]\w*)*$")
_SPAN = re.compile(r"""^\[?"?([A-Za-z_]\w*(?:[.\-][A-Za-z_]\w*)*)"?\]?(?:\s?[=:](?:\s.*|"[^"]*"|'[^']*'|\w+)?)?$""")
FILE_ENDING = re.compile(
    r"\.(?:py|js|mjs|cjs|ts|tsx|jsx|go|rs|java|rb|php|kt|swift|c|h|cpp|cs|sh|md|mdx|rst|txt|toml|ya?ml|json|ini"
    r"|cfg|conf|lock|xml|html?|css|exe|zip|gz|log|env|org|com|io|dev|net|sql|db|sock|pid|png|svg|jar|so|dll)"
    r"(?:\.(?:sample|example|dist|default|template|tmpl|tpl|bak|orig|old))?$",
    re.IGNORECASE,
)
_NO_KEY = re.compile(r"^[A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+$|^[a-z]{2,3}-[A-Z][A-Za-z]{1,3}$")
"""Headers, and language tags such as `pt-BR`."""
_PROGRAMS = frozenset(
    "js javascript ts typescript jsx tsx mjs html vue svelte astro python py go rust ruby php".split()
)
_ROLES = frozenset({"ref", "confval", "setting", "option", "std:ref", "term"})
_REFERENCES = frozenset({"ref", "std:ref"})
_WORD = re.compile(
    r"(?i)^(?:true|false|none|null|nil|yes|no|on|off|default|string|int|integer|bool|boolean|float|number|list"
    r"|array|object|dict|any|void)$"
)


class Named(Struct, frozen=True):
    """A key where it stands. place: block, table, list or span; `about`: the section is about configuration."""

    key: str
    line: int
    column: int
    place: str
    about: bool
    group: int
    owner: str = ""
    hypothetical: bool = False


@lru_cache(maxsize=4096)
def _is_about_keys(title: str) -> bool:
    return _TITLE.search(title) is not None


def named(document: Document) -> Iterator[Named]:
    """Every key, or what may be one, that a document names."""
    path_about = _is_about_keys(document.path.rpartition("/")[2].replace("-", " ").replace("_", " "))
    before = ""
    labels = _mere_labels(document)
    for position, block in enumerate(document.blocks, 1):
        about = path_about or any(map(_is_about_keys, block.section[-3:]))
        if block.lines:
            yield from _in_block(block, about or bool(_TITLE.search(before)), -position)
        else:
            yield from _in_spans(block, about, position, labels)
            before = block.text[-200:]


def is_multiword(key: str) -> bool:
    """Two words at least: hardly an English word by chance."""
    return bool(re.search(r"[a-z0-9][A-Z]|[\w][_\-.]\w", key))


def _in_block(block: Block, about: bool, group: int) -> Iterator[Named]:
    form = _FORMATS.get(block.language.lower(), "")
    if not form:
        if about and block.language.lower() in _PROGRAMS:
            yield from _in_program(block, group)
        return
    text = "\n".join(line.text[:_LONGEST] for line in block.lines[:400])
    if _FOREIGN_BLOCK.search(text) and not (form == "toml" and re.search(r"(?m)^\s*\[tool\.", text)):
        return
    table = ""
    for line in block.lines[:1000]:
        content = line.text[:_LONGEST]
        header = _TABLE.match(content) if form == "toml" else None
        if header:
            table = header[1].strip()
            yield from _table_keys(header, line, about, group, block)
            continue
        if _OTHER_TOOL.match(table):
            continue
        for found in _LINE[form].finditer(content) if form == "json" else filter(None, [_LINE[form].match(content)]):
            yield from _dotted(found[1], line, found.start(1), "block", about, group, table, block)


def _in_program(block: Block, group: int) -> Iterator[Named]:
    """Keys that a program's text sets: entries of objects, keyword arguments, and assignments of a file that only assigns."""
    defines = any(re.match(r"\s*(?:async )?(?:class|def|function|fn|func)\s", line.text) for line in block.lines)
    for line in block.lines[:400]:
        text = line.text[:_LONGEST]
        found = re.match(r"""^(\s*)["']?([A-Za-z][\w\-]*)["']?\s?(:\s|=(?!=))""", text)
        if found is None or not is_multiword(found[2]):
            continue
        if found[3] == "=" and defines and not text.rstrip().endswith((",", ")")):
            continue
        yield Named(
            found[2], line.line, line.column + found.start(2), "block", True, group, hypothetical=block.hypothetical
        )


def _table_keys(header: re.Match[str], line: Inline, about: bool, group: int, block: Block) -> Iterator[Named]:
    if not _OTHER_TOOL.match(header[1]) and _KEY.match(header[1]):
        yield from _dotted(
            header[1],
            line,
            header.start(1),
            "block",
            about,
            group,
            "",
            block,
            skip=2 if header[1].startswith("tool.") else 0,
        )


def _dotted(
    text: str, line: Inline, offset: int, place: str, about: bool, group: int, owner: str, block: Block, skip: int = 0
) -> Iterator[Named]:  # fmt: skip
    """A dotted key is as many keys as it has parts, each under those before it."""
    at = offset
    before = [owner] if owner else []
    for number, part in enumerate(text.split(".")):
        if number >= skip and _KEY.match(part) and len(part) > 2:
            yield Named(part, line.line, line.column + at, place, about, group, ".".join(before), block.hypothetical)
        before.append(part)
        at += len(part) + 1


def _mere_labels(document: Document) -> frozenset[str]:
    """The labels of a document that no section of the same name stands below: a reference to one names a place, and no key."""
    titles = {normal(block.text) for block in document.blocks if block.kind == "heading"} if document.labels else set()
    return frozenset(label for label in document.labels if normal(label) not in titles)


def _in_spans(block: Block, about: bool, position: int, labels: frozenset[str]) -> Iterator[Named]:
    listed = _listed_span(block, about)
    for inline in block.every_inline():
        is_listed = inline is listed
        named_by_role = inline.kind == "role" and inline.label in _ROLES
        if named_by_role and inline.label in _REFERENCES and inline.text in labels:
            continue
        if inline.kind != "code" and not is_listed and not named_by_role and block.kind != "heading":
            continue
        text = inline.text[:200]
        found = _SPAN.match(text.strip())
        if (
            not found
            or text.strip().isupper()
            or FILE_ENDING.search(found[1])
            or _WORD.match(found[1])
            or _NO_KEY.match(found[1])
            or found[1] in OF_EVERY_SCRIPT
        ):
            continue
        if not is_listed and not is_multiword(found[1]):
            continue
        place = ("table" if block.kind == "row" else "list") if is_listed else "span"
        lead = len(text) - len(text.lstrip())
        group = block.group or -position
        for key in _dotted(found[1], inline, lead + found.start(1), place, about, group, "", block):
            if is_listed or is_multiword(key.key) or "." in found[1]:
                yield key


def _listed_span(block: Block, about: bool) -> Inline | None:
    """The inline that names the key of a table's row or of a list's item."""
    if block.kind == "row" and len(block.cells) > 1 and block.cells[0].inlines:
        headed = bool(_HEADER.match(block.cells[0].header.strip()))
        typed = any(re.match(r"(?i)^(?:default|type)", cell.header) for cell in block.cells)
        return block.cells[0].inlines[0] if headed and (about or typed) else None
    if block.kind == "item" and about and block.inlines and block.inlines[0].kind == "code":
        return block.inlines[0]
    return None
