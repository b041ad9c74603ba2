"""Reads Go, Rust and Java examples line by line: imports, qualified names and calls."""

from __future__ import annotations

import re

from docalign_actors.engine.documents.model import Block
from docalign_actors.engine.kinds.shared.examples import Examples, Imported, Lines, Use

_GO_IMPORT = re.compile(r'^\s*(?:import\s+)?(?:[\w.]+\s+)?"(?P<module>[\w.\-/]+)"\s*$')
_RUST_USE = re.compile(r"^\s*(?:pub\s+)?use\s+(?P<module>[\w:]+?)(?:::\{(?P<names>[\w\s,:]*)\}|::\*)?\s*;")
_JAVA_IMPORT = re.compile(r"^\s*import\s+(?:static\s+)?(?P<module>[\w.]+?)(?:\.\*)?\s*;?\s*$")
_COMMENT = re.compile(r"//|^\s*(\*|/\*)")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_QUALIFIED = re.compile(r"(?<![\w.:$])[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+")
_CALLED = re.compile(r"(?<![\w.:$])[A-Za-z_]\w*(?=!?\s*[({]|::<|<\w+>\()")
_MEMBER = re.compile(r"(?<=[)\]?\w\s]\.)[A-Za-z_]\w*(?=\s*\()")
_KEY = re.compile(r"^\s*([A-Z]\w{3,})\s*:\s")
GO_STANDARD = frozenset(
    "bufio bytes context errors exec filepath flag fmt fs http httptest io ioutil json log maps math net os path rand reflect"
    " regexp runtime signal slices slog sort sql strconv strings sync template testing time unicode url utf8 xml".split()
)
_GO_MAJOR = re.compile(r"/v\d+$")
_DEFINED = re.compile(r"\b(?:func|fn|class|struct|enum|trait|interface|type|record)\s+(?:\([^)]*\)\s*)?(\w+)")


def read(examples: Examples, block: Block, lines: Lines, language: str) -> None:
    """Adds a block's imports and uses."""
    in_imports = False
    for row, (text, _, _) in enumerate(lines.kept):
        stripped = text.strip()
        if language == "go":
            in_imports = (in_imports or stripped.startswith("import (")) and stripped != ")"
        if _import(examples, block, lines, language, row, text, in_imports):
            continue
        examples.defined.update(_DEFINED.findall(text))
        _names(examples, block, lines, language, row, text)


def _import(
    examples: Examples, block: Block, lines: Lines, language: str, row: int, text: str, in_imports: bool
) -> bool:
    if language == "go":
        match = _GO_IMPORT.match(text) if in_imports or text.lstrip().startswith("import") else None
    else:
        match = (_RUST_USE if language == "rust" else _JAVA_IMPORT).match(text)
    if match is None:
        return False
    place = lines.place(row, match.start("module"), match.end("module"))
    if place is not None:
        examples.imports.append(Imported(match["module"], "", place, block, language))
    if language == "rust" and match["names"]:
        for name in re.finditer(r"\w+(?:::\w+)*", match["names"]):
            place = lines.place(row, match.start("names") + name.start(), match.start("names") + name.end())
            if place is not None and name.group() not in ("self", "as"):
                examples.imports.append(Imported(match["module"], name.group(), place, block, language))
    return True


def _names(examples: Examples, block: Block, lines: Lines, language: str, row: int, text: str) -> None:
    comment = _COMMENT.search(text)
    code = _STRING.sub(lambda m: '"' + " " * (len(m.group()) - 2) + '"', text[: comment.start()] if comment else text)
    standard: set[int] = set()
    for match in _QUALIFIED.finditer(code):
        parts = tuple(re.split(r"\.|::", match.group()))
        place = lines.place(row, match.start(), match.end())
        if language == "go" and parts[0] in GO_STANDARD and _is_standard(parts[0], examples):
            standard.add(match.end())
        elif place is not None and len(parts) <= 6:
            call = code[match.end() : match.end() + 1] in ("(", "!")
            examples.uses.append(Use(parts, "free", place, call, block, language))
    key = _KEY.match(code) if language == "go" else None
    place = lines.place(row, key.start(1), key.end(1)) if key else None
    if key and place is not None:
        examples.uses.append(Use((key[1],), "member", place, True, block, language))
    for pattern, how in ((_CALLED, "free"), (_MEMBER, "member")):
        for match in pattern.finditer(code):
            place = lines.place(row, match.start(), match.end())
            if (
                place is not None
                and match.end() not in standard
                and not re.search(r"\b(func|fn|class|struct|enum|trait|interface)\s+$", code[: match.start()])
            ):
                examples.uses.append(Use((match.group(),), how, place, True, block, language))


def _is_standard(name: str, examples: Examples) -> bool:
    """Go's own package, unless the last import of that name so far is of another: only those have a host's dot in their path."""
    modules = (entry.module for entry in reversed(examples.imports) if entry.language == "go")
    module = next((m for m in modules if _GO_MAJOR.sub("", m).rpartition("/")[2] == name), name)
    return "." not in module.partition("/")[0]
