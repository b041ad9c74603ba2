"""What the code defines, found by `ast` for Python and by line patterns for the other languages."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from bench.files import language_of


@dataclass(frozen=True)
class Definition:
    """kind: function, method, class or parameter. owner: the class of a method, the function of a parameter."""

    kind: str
    name: str
    path: str
    line: int
    owner: str = ""
    default: str = ""


_JS = (
    ("function", re.compile(r"^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\*?\s+(\w+)\s*\(", re.MULTILINE)),
    ("class", re.compile(r"^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)", re.MULTILINE)),
    ("method", re.compile(r"^\w+(?:\.prototype)?\.(\w+)\s*=\s*(?:async\s+)?function", re.MULTILINE)),
    (
        "method",
        re.compile(
            r"^(?:  |    |\t)(?:static\s+)?(?:async\s+)?(\w+)\s*\([^;=]*\)\s*(?::\s*[\w<>\[\]| ]+)?\{\s*$", re.MULTILINE
        ),
    ),
)
_GO = (
    ("function", re.compile(r"^func\s+(\w+)\s*[(\[]", re.MULTILINE)),
    ("method", re.compile(r"^func\s+\(\s*\w*\s*\*?\w+(?:\[[^\]]*\])?\s*\)\s*(\w+)\s*\(", re.MULTILINE)),
    ("class", re.compile(r"^type\s+(\w+)\s+(?:struct|interface|func)", re.MULTILINE)),
)
_RUST = (
    ("function", re.compile(r"^(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)", re.MULTILINE)),
    ("method", re.compile(r"^[ \t]+(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)", re.MULTILINE)),
    ("class", re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|union)\s+(\w+)", re.MULTILINE)),
)
_JAVA = (
    ("class", re.compile(r"^\s*(?:(?:public|protected|private|static|final|abstract|sealed|data"
    r"|open)\s+)*(?:class|interface|enum|record|@interface)\s+(\w+)", re.MULTILINE)),
    ("method", re.compile(r"^[ \t]+(?:(?:public|protected|private|static|final|abstract|synchronized"
    r"|default)\s+)+(?:<[^>]*>\s*)?[\w.<>\[\],? ]+\s+(\w+)\s*\(", re.MULTILINE)),
)  # fmt: skip
_MODIFIED = (
    r"(?:(?:public|protected|private|internal|static|final|abstract|sealed|partial|readonly|async|virtual|override|open"
    r"|data|inner|suspend|inline|value|enum)\s+)"
)
_KOTLIN = (
    ("class", re.compile(rf"^\s*{_MODIFIED}*(?:class|interface|object)\s+(\w+)", re.MULTILINE)),
    ("function", re.compile(rf"^{_MODIFIED}*fun\s+(?:<[^>\n]*>\s*)?(?:\w+\.)?(\w+)\s*\(", re.MULTILINE)),
    ("method", re.compile(rf"^[ \t]+{_MODIFIED}*fun\s+(?:<[^>\n]*>\s*)?(\w+)\s*\(", re.MULTILINE)),
)
_CSHARP = (
    ("class", re.compile(rf"^\s*{_MODIFIED}*(?:class|interface|struct|enum|record)\s+(\w+)", re.MULTILINE)),
    ("method", re.compile(rf"^[ \t]+{_MODIFIED}+[\w.<>\[\],?]+\s+(\w+)\s*(?:<[^>\n]*>)?\(", re.MULTILINE)),
)
_RUBY = (
    ("class", re.compile(r"^\s*(?:class|module)\s+(?:\w+::)*([A-Z]\w*)", re.MULTILINE)),
    ("method", re.compile(r"^\s*def\s+(?:self\.)?(\w+)", re.MULTILINE)),
)
_PHP = (
    ("class", re.compile(rf"^\s*{_MODIFIED}*(?:class|interface|trait|enum)\s+(\w+)", re.MULTILINE)),
    ("method", re.compile(rf"^[ \t]+{_MODIFIED}+function\s+(\w+)\s*\(", re.MULTILINE)),
    ("function", re.compile(r"^function\s+(\w+)\s*\(", re.MULTILINE)),
)
_PATTERNS = {
    "javascript": _JS, "typescript": _JS, "go": _GO, "rust": _RUST, "java": _JAVA, "kotlin": _KOTLIN, "csharp": _CSHARP,
    "ruby": _RUBY, "php": _PHP,
}  # fmt: skip
_KEYWORDS = frozenset([
    "if", "for", "while", "switch", "catch", "function", "return", "constructor", "super", "main", "new", "else", "do",
    "try", "with",
])  # fmt: skip


def definitions(path: str, text: str) -> list[Definition]:
    """The definitions of one file; none for a language that is not known."""
    language = language_of(path)
    if language == "python":
        tree = parse(text)
        return list(_python(tree, path)) if tree else []
    found: list[Definition] = []
    for kind, pattern in _PATTERNS.get(language, ()):
        for match in pattern.finditer(text):
            if match.group(1) not in _KEYWORDS:
                found.append(Definition(kind, match.group(1), path, text.count("\n", 0, match.start()) + 1))
    return found


def parse(text: str) -> ast.Module | None:
    """The syntax tree, or None if this Python cannot read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _python(tree: ast.Module, path: str) -> Iterator[Definition]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield Definition("class", node.name, path, node.lineno)
            for child in node.body:
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield Definition("method", child.name, path, child.lineno, owner=node.name)
                    yield from _parameters(child, path)
    for child in tree.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Definition("function", child.name, path, child.lineno)
            yield from _parameters(child, path)


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, path: str) -> Iterator[Definition]:
    arguments = function.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [*zip(plain, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    for argument, default in pairs:
        if argument.arg not in ("self", "cls"):
            yield Definition(
                "parameter", argument.arg, path, argument.lineno, function.name, ast.unparse(default) if default else ""
            )
