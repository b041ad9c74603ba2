"""Command-line options as the code registers them: where, in which way, and with which default."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.definitions import parse
from bench.files import Snapshot, language_of


@dataclass(frozen=True)
class Edit:
    """Replace text[start:end] by `text`; offsets are into the file's characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Registration:
    """An option without its dashes. `literal`: the span of the quoted or bare name that has to change, with what surrounds it.

    keep      an edit that keeps the attribute under which the program reads the option, where it would be derived from the name
    default   the default as the code writes it, without quotes, and the span of that literal
    """

    name: str
    path: str
    literal: tuple[int, int]
    written: str
    """How the new name is to be written into `literal`: a format string with one place."""
    keep: Edit | None = None
    default: str = ""
    default_span: tuple[int, int] = (0, 0)
    region: tuple[int, int] = (0, 0)
    read: bool = False
    """The code is only seen to read it; what declares it may stand elsewhere."""


_GO = re.compile(
    r"\.(?:Flag|(?:Persistent)?(?:Bool|String|Int|Int64|Uint|Float64|Duration|StringSlice|StringArray|Count)(?:Var)?P?|Var|VarP)\("
    r"\s*(?:&?[\w.]+(?:\[[^\]]*\])?,\s*)?\"([a-z][\w.-]+)\"(?:,\s*\"\w?\")?(?:,\s*([^,()\n]+?))?\s*,"
)
_GO_DEFAULT = re.compile(r"\.Default\(\"([^\"\n]+)\"\)")
_GO_TAG = re.compile(r"`[^`\n]*\blong:\"([a-z][\w.-]+)\"")
_GO_CASE = re.compile(r"case (?:\"-\w\", )?\"--([a-z][\w-]+)\"")
_CLAP_LONG = re.compile(r"\blong\s*=\s*\"([a-z][\w-]*)\"|\.long\(\s*\"([a-z][\w-]*)\"")
_CLAP_FIELD = re.compile(
    r"#\[(?:arg|clap|structopt)\(([^\]]*?)\blong\b(?!\s*=)([^\]]*)\)\]\s*(?:(?:///[^\n]*|#\[[^\]]*\])\s*)*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:"
)
_CLAP_DEFAULT = re.compile(r"default_value(?:_t)?\s*(?:=|\()\s*\"?([\w.:/-]+)\"?")
_RIPGREP = re.compile(r"fn name_long\(&self\) -> &'static str \{\s*\"([a-z][\w-]*)\"")
_JS = re.compile(
    r"\.(?:option|requiredOption|addOption"
    r"|Option)\(\s*(?:new\s+\w*\.?Option\()?\s*['\"](?:-\w,?\s*)?--([a-z][\w-]*)(?:[ =][^'\"]*)?['\"]"
)
_JS_DEFAULT = re.compile(r"['\"`],\s*['\"]?([\w./:-]+)['\"]?\s*\)")
_PICOCLI = re.compile(r"names\s*=\s*\{?[^})]*?\"--([a-z][\w-]*)\"")
_ARGV = re.compile(r"\bargv(?:(\.[a-z]\w+)|\[['\"]([a-z][\w-]+)['\"]\])")
_PY_CALLS = frozenset({"add_argument", "option", "Option", "add_option"})


def registrations(snapshot: Snapshot) -> list[Registration]:
    """Every registration in the repository's own code, in order."""
    found: list[Registration] = []
    for path in sorted(snapshot.own):
        text = snapshot.own[path]
        language = language_of(path)
        if language == "python":
            found.extend(_python(path, text))
        elif language == "go":
            found.extend(_go(path, text))
        elif language == "rust":
            found.extend(_rust(path, text))
        elif language in ("javascript", "typescript"):
            found.extend(_plain(path, text, _JS, _JS_DEFAULT))
            found.extend(_argv(path, text))
        elif language == "java":
            found.extend(_plain(path, text, _PICOCLI, re.compile(r"defaultValue\s*=\s*\"([^\"\n]+)\"")))
    return [r for r in found if not _in_comment(snapshot.own[r.path], r.literal[0])]


def _in_comment(text: str, at: int) -> bool:
    """The line is an example in a comment."""
    return text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith(("*", "//", "/*", "#!", "# "))


def _plain(path: str, text: str, pattern: re.Pattern[str], default: re.Pattern[str]) -> Iterator[Registration]:
    """Registrations that write the dashes: nothing but the name has to change."""
    for match in pattern.finditer(text):
        value = default.search(text, match.end(), match.end() + 200)
        span = value.span(1) if value else (0, 0)
        yield Registration(
            match.group(1),
            path,
            match.span(1),
            "{}",
            default=value.group(1) if value else "",
            default_span=span,
            region=_lines(text, match.start(), 4),
        )


def _argv(path: str, text: str) -> Iterator[Registration]:
    """Options read from a parsed `argv` whose help is written by hand."""
    for match in _ARGV.finditer(text):
        if match.group(1):
            yield Registration(match.group(1)[1:], path, match.span(1), "['{}']", read=True)
        else:
            yield Registration(match.group(2), path, match.span(2), "{}", read=True)


def _lines(text: str, start: int, count: int) -> tuple[int, int]:
    end = start
    for _ in range(count):
        end = text.find("\n", end + 1)
        if end < 0:
            return text.rfind("\n", 0, start) + 1, len(text)
    return text.rfind("\n", 0, start) + 1, end


def _go(path: str, text: str) -> Iterator[Registration]:
    for match in _GO.finditer(text):
        line_end = text.find("\n", match.end())
        kingpin = _GO_DEFAULT.search(text, match.end(), min(line_end + 300, len(text)))
        default, span = (match.group(2) or "").strip('"` '), match.span(2)
        if ".Flag(" in match.group():
            near = kingpin is not None and ".Flag(" not in text[match.end() : kingpin.start()]
            default, span = (kingpin.group(1), kingpin.span(1)) if kingpin and near else ("", (0, 0))
        yield Registration(
            match.group(1),
            path,
            match.span(1),
            "{}",
            default=default,
            default_span=span,
            region=_lines(text, match.start(), 3),
        )
    for match in _GO_TAG.finditer(text):
        yield Registration(match.group(1), path, match.span(1), "{}")
    for match in _GO_CASE.finditer(text):
        yield Registration(match.group(1), path, match.span(1), "{}")


def _rust(path: str, text: str) -> Iterator[Registration]:
    for match in _CLAP_LONG.finditer(text):
        group = 1 if match.group(1) else 2
        yield _with_clap_default(text, Registration(match.group(group), path, match.span(group), "{}"))
    for match in _CLAP_FIELD.finditer(text):
        start = match.end(1)
        span = (start, start + len("long"))
        yield _with_clap_default(text, Registration(match.group(3).replace("_", "-"), path, span, 'long = "{}"'))
    for match in _RIPGREP.finditer(text):
        yield Registration(match.group(1), path, match.span(1), "{}")


def _with_clap_default(text: str, registration: Registration) -> Registration:
    opened = text.rfind("#[", 0, registration.literal[0])
    closed = text.find(")]", registration.literal[0])
    if opened < 0 or closed < 0 or closed - opened > 800:
        return registration
    value = _CLAP_DEFAULT.search(text, opened, closed)
    if value is None:
        return registration
    return Registration(
        registration.name,
        registration.path,
        registration.literal,
        registration.written,
        default=value.group(1),
        default_span=value.span(1),
        region=(opened, closed),
    )


def offsets_of(text: str) -> list[int]:
    """The offset, in bytes of UTF-8, at which each line begins: what `ast` counts columns by."""
    starts = [0]
    for line in text.encode("utf-8", "surrogateescape").splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


class Spans:
    """Turns a node's place into a span of characters."""

    def __init__(self, text: str) -> None:
        self._data = text.encode("utf-8", "surrogateescape")
        self._starts = offsets_of(text)
        self._plain = len(self._data) == len(text)

    def of(self, node: ast.expr | ast.arg) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        if self._plain:
            return start, end
        return len(self._data[:start].decode("utf-8", "surrogateescape")), len(
            self._data[:end].decode("utf-8", "surrogateescape")
        )


def _python(path: str, text: str) -> Iterator[Registration]:
    if "--" not in text:
        return
    tree = parse(text)
    if tree is None:
        return
    spans = Spans(text)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _called(call) in _PY_CALLS:
            yield from _python_call(path, text, call, spans)


def _called(call: ast.Call) -> str:
    function = call.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


def _python_call(path: str, text: str, call: ast.Call, spans: Spans) -> Iterator[Registration]:
    words = [a for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    options = [a for a in words if str(a.value).startswith("--") and "/" not in str(a.value)]
    explicit = any(not str(a.value).startswith("-") for a in words) or any(k.arg == "dest" for k in call.keywords)
    default = next((k.value for k in call.keywords if k.arg == "default"), None)
    value, value_span = "", (0, 0)
    if isinstance(default, ast.Constant) and default.value not in (None, True, False, ""):
        value, value_span = str(default.value), spans.of(default)
    for option in options:
        start, _end = spans.of(option)
        name = str(option.value)[2:]
        if text[start + 1 : start + 3] != "--":
            continue
        keep = None if explicit or len(options) > 1 else _keep(call, words, name, spans)
        yield Registration(
            name, path, (start + 3, start + 3 + len(name)), "{}", keep, value, value_span, spans.of(call)
        )


def _keep(call: ast.Call, words: list[ast.Constant], name: str, spans: Spans) -> Edit:
    at = spans.of(words[-1])[1]
    attribute = name.replace("-", "_").replace(".", "_")
    given = f', dest="{attribute}"' if _called(call) in ("add_argument", "add_option") else f', "{attribute}"'
    return Edit(at, at, given)


def apply(text: str, edits: list[Edit]) -> str:
    """The text with all edits made, last first."""
    for edit in sorted(set(edits), key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
