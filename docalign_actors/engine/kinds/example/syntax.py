"""Whether a piece of code is meant to be whole, and whether it parses."""

from __future__ import annotations

import ast
import json
import re
import textwrap
import warnings
from collections.abc import Sequence
from typing import NamedTuple

# JavaScript and TypeScript are left out: examples mix in JSX, types and bare expressions that no one grammar accepts.
LANGUAGES = {
    "python": "Python", "py": "Python", "python3": "Python", "json": "JSON", "toml": "TOML", "yaml": "YAML", "yml": "YAML",
    "go": "Go", "golang": "Go", "rust": "Rust", "rs": "Rust", "java": "Java",
}  # fmt: skip


class Flaw(NamedTuple):
    """What is wrong, and on which line of the example, from 0."""

    message: str
    line: int


# Whatever stands for something else: an omission, a placeholder, a template, a prompt, a diff, output, numbered steps in words.
_HEDGE = re.compile(
    r"\.\.\.|…|\{\{|\{%|<%|\$\{\{|^\s*(?:>>>|\$ |% |In \[|Out\[|!\w|%\w|\? )|^(?:[+-] |@@|\+\+\+|---\s\S|<<<<|>>>>)"
    r"|Traceback \(most|\b(?:Syntax|Indentation|Parse)Error\b|^[\s#/]*[\^~]+\s*$"
    r"|\[\.\.\]|\betc\b|^\s*(?:→|=>|⇒)|^\s*\w+>\s|^\s*\$\w|^\s*[\w.-]+@[\w.-]+[: ]+~|^[ \t]*\d{1,2}[.)] [A-Z][a-z]+ [A-Za-z]",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(
    r"<[A-Za-z][\w .:|/-]{0,60}>|\[[a-z]+(?: [a-z]+)+\]|\.\[[a-z]+\]"
    r"|\{[A-Za-z]+ (?!(?:for|if|in|is|and|or|not|async)\b)[A-Za-z'-]+(?: [\w'-]+){0,12}\}"
    r"|(?m:^[ \t]*\((?!(?:not|await|yield|lambda)\b)[A-Za-z][\w'-]* (?!(?:for|if|in|is|and|or|not|async)\b)"
    r"[A-Za-z][^\n()]*\)[ \t]*$)"
)
_DOTTED = re.compile(r"^\s*(?:class|def|async def) \w+\.[\w.]+\s*[(:]", re.MULTILINE)
"""A signature as documentation writes it, with the module in front."""
_ANNOTATED = re.compile(r"^\s*(?:[\w.]{1,80} = )?[\w.]{1,80}\(\s*\w{1,60}: ?[A-Za-z_\"']", re.MULTILINE)
"""`task = Task(name: str, retry: int = 1)`: what a call may be given, with types, which no call has."""
_COMMANDS = re.compile(
    r"^\s*(?:[A-Z][A-Z0-9_]*=\S* +[a-z]|(?:sudo|export|pip|npm|npx|yarn|pnpm|docker|git|curl|cd|make|python3?|cargo|go) [\w.-])",
    re.MULTILINE,
)
"""Lines of a shell, in a block that calls itself something else."""
_COMMENTS = re.compile(r"\A(?:\s*#[^\n]*\n)+")
_PYTHON_2 = re.compile(
    r"^\s*print\s+[\"'\w]|^\s*except\s+[\w.]+\s*,\s*\w+\s*:|^\s*exec\s+[\"']|\bur[\"']|`\w+`", re.MULTILINE
)
_PYTHON_WHOLE = re.compile(r"^(?:import \w|from [\w.]+ import |(?:async )?def \w+\(|class \w+)", re.MULTILINE)
_WHOLE = {
    "Go": re.compile(r"\A\s*(?://[^\n]*\n\s*)*package \w+\s*\n"),
    "Rust": re.compile(r"^(?:#\[[^\n]*\]\s*\n)?(?:pub )?(?:async )?fn main\(\)", re.MULTILINE),
    "Java": re.compile(r"\A\s*(?:package [\w.]+;|import [\w.*]+;)[\s\S]*\bclass \w+"),
}
# Flaws that a fragment has as well: a signature without a body, a branch without its condition.
_FRAGMENT_FLAW = re.compile(
    r"indent|expected ':'|EOF|outside|expected 'except'|invalid decimal|non-default|positional|'await'|'yield'|f-string|assign"
    r"|non-printable"
)
_TOML_FLAW = re.compile(r"(Unclosed array|Unterminated string)[^(]*\(at line (\d+)")
"""A value without quotes, or a line without `=`, may be right in a dialect that is only coloured as TOML."""
_JSON_NOTATION = re.compile(r"//|/\*|^\s*#|(?:\"|\bnull|\btrue|\bfalse|\d)[ \t]*\|[ \t]*[\"\w\[{]", re.MULTILINE)
"""Comments, and what a value may be (`"in" | "out"`): a shape is shown, not a document."""
_GRAMMARS = {"Python": "python", "Go": "go", "Rust": "rust", "Java": "java"}


def looks_whole(language: str, code: str) -> bool:
    """The example is complete as it stands: nothing is left out, and nothing else is mixed in."""
    name = LANGUAGES[language]
    if _HEDGE.search(code):
        return False
    if name in _WHOLE:
        return bool(_WHOLE[name].search(code))
    if (
        _PLACEHOLDER.search(code)
        or (name in ("TOML", "YAML", "JSON") and _COMMANDS.search(code))
        or _COMMANDS.match(_COMMENTS.sub("", code))
    ):
        return False
    if name == "Python":
        return bool(_PYTHON_WHOLE.search(textwrap.dedent(code))) and not (
            _PYTHON_2.search(code) or _DOTTED.search(code) or _ANNOTATED.search(code)
        )
    if name == "JSON":
        stripped = code.strip()
        return stripped[:1] + stripped[-1:] in ("{}", "[]") and not _JSON_NOTATION.search(code)
    return True


def syntax_error(language: str, code: str) -> Flaw | None:
    """The flaw that keeps an example from being parsed; None if it parses, or if it is not certain that it does not."""
    name = LANGUAGES[language]
    if name == "Python":
        return _python(code)
    if name == "JSON":
        return _json(code)
    if name == "TOML":
        return _toml(code)
    if name == "YAML":
        return _yaml(code)
    # rustdoc hides lines that begin with `# `; they are part of the program all the same.
    return _tree_error(name, re.sub(r"(?m)^([ \t]*)#(?:[ ]|$)", r"\1", code) if name == "Rust" else code)


def _python(code: str) -> Flaw | None:
    dedented = textwrap.dedent(code)
    flaw = _ast_error(dedented)
    if flaw is None or _FRAGMENT_FLAW.search(flaw.message):
        return None
    if _ast_error("async def example():\n" + textwrap.indent(dedented, "    ") + "\n    pass") is None:
        return None
    if _is_printed(dedented.split("\n"), flaw.line):
        return None
    # The running Python may be older than the example: a second parser has to agree.
    return flaw if _tree_error("Python", dedented) else None


def _is_printed(lines: Sequence[str], flaw: int) -> bool:
    """What cannot be parsed begins right behind a `print(…)` that ends well: it shows what that prints."""
    at = next((index for index in range(min(flaw, len(lines)) - 1, -1, -1) if lines[index].startswith("print(")), -1)
    if at < 0 or _ast_error("\n".join(lines[: at + 1])) is not None:
        return False
    between = "\n".join(lines[at + 1 : flaw])
    return not between.strip() or _ast_error(between) is not None


def _ast_error(code: str) -> Flaw | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except SyntaxError as error:
            return Flaw((error.msg or "invalid syntax")[:160], max((error.lineno or 1) - 1, 0))
        except (ValueError, RecursionError, MemoryError):
            return None
    return None


def _json(code: str) -> Flaw | None:
    """A missing comma, colon or bracket. Trailing commas and bare keys are the dialects that many programs accept."""
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        if error.msg.startswith(("Expecting ',' delimiter", "Expecting ':' delimiter")):
            return Flaw(error.msg[0].lower() + error.msg[1:], error.lineno - 1)
    except RecursionError:
        return None
    return None


def _toml(code: str) -> Flaw | None:
    import tomllib

    try:
        tomllib.loads(code)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_FLAW.match(str(error))
        return Flaw(match[1].strip().lower(), int(match[2]) - 1) if match else None
    except (ValueError, RecursionError):
        return None
    return None


def _yaml(code: str) -> Flaw | None:
    """Events only: no tag is resolved, no alias followed."""
    import yaml

    if "\t" in code:
        return None
    try:
        for _ in yaml.parse(code, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        if error.problem and mark and "mapping values are not allowed" in error.problem:
            return Flaw(str(error.problem), mark.line)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return None


def _tree_error(name: str, code: str) -> Flaw | None:
    """The first place at which tree-sitter cannot go on."""
    from tree_sitter import Parser

    from docalign_actors.engine.code.source import grammar

    node = Parser(grammar(_GRAMMARS[name])).parse(f"{code}\n".encode("utf-8", "replace")).root_node
    if not node.has_error:
        return None
    while not (node.is_error or node.is_missing):
        broken = next((child for child in node.children if child.has_error), None)
        if broken is None:
            break
        node = broken
    return Flaw("syntax error", node.start_point[0])
