"""How documentation writes a name: `Foo.bar()`, `.bar()`, `pkg.mod.func`, `Type::method`, `fn!`, `Class#method`."""

from __future__ import annotations

import keyword
import re
import string
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

OF_EVERY_SCRIPT = frozenset(
    {"module.exports", "process.env", "process.argv", "console.log", "console.error", "import.meta"}
)
"""What JavaScript gives every script: no member of an own class that is called so."""
_IDENTIFIER = r"[A-Za-z_$][\w$]*"
_NAME = re.compile(
    rf"(?P<lead>[.@]|::)?(?P<name>{_IDENTIFIER}(?:(?:\.|::|\#|\.prototype\.){_IDENTIFIER})*)"
    r"(?P<tail>!?(?:\s?\(.*\)|<[\w, .<>]*>|\[\])?)",
    re.DOTALL,
)
_PREFIX = re.compile(
    r"(?:(?:await|new|async|def|class|func|fn|function|pub|static|const|type|struct|enum|trait|interface)\s+)+(?=[\w$.]+)"
)
_PLACEHOLDER = re.compile(
    r"(?:my|your|some|foo|bar|baz|example|dummy|sample)(?=[A-Z_\d]|$)|(?:My|Your|Some|Foo|Bar|Baz|Example|Dummy|Sample)(?=[A-Z_\d]|$)"
)
_SEPARATOR = re.compile(r"\.prototype\.|::|\.|#")
_SUFFIXES = frozenset((
    "py", "pyi", "pyx", "js", "mjs", "cjs", "jsx", "ts", "tsx", "mts", "go", "rs", "java", "kt", "rb", "php", "c",
    "h", "cc", "cpp", "hpp", "cs", "swift", "sh", "bash", "zsh", "fish", "ps1", "bat", "md", "mdx", "rst", "txt",
    "adoc", "html", "htm", "css", "scss", "less", "json", "json5", "jsonl", "yaml", "yml", "toml", "ini", "cfg",
    "conf", "lock", "xml", "svg", "png", "jpg", "jpeg", "gif", "ico", "pdf", "csv", "tsv", "sql", "db", "sqlite",
    "log", "zip", "gz", "tar", "tgz", "whl", "jar", "exe", "dll", "so", "dylib", "env", "example", "sample", "com",
    "org", "io", "net", "dev", "app", "ai", "local", "edu", "gov", "test", "tmpl", "tpl", "j2", "jinja", "ejs", "pug",
    "hbs", "vue", "svelte", "proto", "ipynb", "pem", "key", "crt", "gitignore", "editorconfig",
))  # fmt: skip
_KEYWORDS = frozenset(keyword.kwlist) | frozenset((
    "self", "cls", "this", "super", "true", "false", "null", "undefined", "nil", "none", "void", "int", "str", "bool",
    "float", "string", "number", "boolean", "object", "array", "function", "var", "let", "const", "class", "def",
    "fn", "func", "struct", "enum", "trait", "impl", "type", "interface", "import", "export", "require", "module",
    "package", "public", "private", "protected", "static", "final", "async", "await", "return", "yield", "if", "else",
    "elif", "for", "while", "switch", "case", "break", "continue", "try", "catch", "except", "finally", "throw",
    "raise", "with", "as", "in", "is", "not", "and", "or", "new", "delete", "typeof", "instanceof", "default", "any",
    "unknown", "never", "bytes", "dict", "list", "tuple", "set", "map", "vec", "option", "result", "some", "err",
    "ok", "char", "byte", "long", "short", "double", "print", "len", "range", "console", "window", "document",
    "process", "math", "promise", "error", "json", "http", "https", "www", "localhost", "foo", "bar", "baz", "qux",
    "quux", "spam", "eggs", "example", "sample", "todo", "yes", "no", "on", "off", "name", "value", "key", "id",
    "url", "uri", "api", "cli", "gui", "npm", "pip", "git",
))  # fmt: skip
_HUMPS = re.compile(r"[A-Z][a-z0-9]+[A-Z]|[a-z0-9][A-Z]|[A-Z]{3}[a-z]{2}")
_INSTALLS = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|conda|gem|bundle|cargo|brew|apt(?:-get)?|dnf|composer|go|dotnet)\s+"
    r"(?:\w+\s+)?(?:i|install|add|remove|uninstall|require|get|update|upgrade)\s"
)
_PACKAGE = re.compile(r"(?:^|(?<=\s))(@?[A-Za-z][\w./-]{1,80})(?=[\s@=<>~\[`]|$)")
_OPTION = re.compile(r"(?<![\w-])--[\w-]{1,50}[ =]$")
_OPENS = re.compile(r"[\w\]] \[ *$")
_TELLING = re.compile(rf"\(\)|_|\.[A-Za-z_]|{_HUMPS.pattern}")
_SHAPES = str.maketrans(
    dict.fromkeys(string.ascii_lowercase, "a")
    | dict.fromkeys(string.ascii_uppercase, "A")
    | dict.fromkeys(string.digits, "0")
)
"""Leaves the sort of each character: in such a text what `_TELLING` looks for is found by plain searches."""
_CODE_WORD = re.compile(r"`([^`]{1,200})`|(?<![\w$])([A-Za-z_]\w+)(\()?")
_WORD = re.compile(r"(?<![\w$])[A-Za-z_]\w+")
"""`$beforeSave` is not `beforeSave`."""


class Name(Struct, frozen=True):
    """A name as written. `start` and `text` are where its identifiers stand in what was parsed, marks before it included."""

    parts: tuple[str, ...]
    start: int
    text: str
    call: bool
    member: bool
    arguments: str = ""

    @property
    def dotted(self) -> str:
        return ".".join(self.parts)


def is_argument(text: str, match: re.Match[str]) -> bool:
    """`tool start [BASE_DIR]`: what stands for an argument that may be left out."""
    before = text[max(0, match.start() - 8) : match.start()]
    return _OPENS.search(before) is not None and text[match.end() : match.end() + 8].lstrip().startswith("]")


def installed_packages(text: str) -> Iterator[str]:
    """The packages that a command line installs, as it names them."""
    installs = _INSTALLS.search(text)
    if installs is not None:
        yield from (match[1] for match in _PACKAGE.finditer(text, installs.end()))


def is_installed(text: str, match: re.Match[str]) -> bool:
    """`npm install node-fetch@2`: a package by its name, of whatever source, and no value of an option."""
    before, after = text[: match.start()], text[match.end() : match.end() + 1]
    whole = before.endswith((" ", "\t", "/")) and (not after or after in " \t@=<>~")
    return whole and _INSTALLS.search(before) is not None and _OPTION.search(before[-60:]) is None


def parse_name(text: str) -> Name | None:
    """The name that a code span consists of, None if the span is something else."""
    if len(text) > 300 or not text:
        return None
    prefix = _PREFIX.match(text)
    offset = prefix.end() if prefix else 0
    match = _NAME.fullmatch(text, offset)
    if match is None:
        return None
    parts = tuple(_SEPARATOR.split(match["name"]))
    lead, tail = match["lead"] or "", match["tail"]
    call = "(" in tail
    if not call and len(parts) > 1 and parts[-1].lower() in _SUFFIXES:
        return None
    # A name that begins with a dot and is not called is a file (`.gitignore`), an extension or a CSS class.
    if lead == "." and not call and len(parts) == 1:
        return None
    if len(parts) == 1 and (parts[0].lower() in _KEYWORDS and not (call and len(parts[0]) > 4)):
        return None
    if all(len(part) == 1 for part in parts):
        return None
    arguments = tail[tail.index("(") :] if call else ""
    return Name(parts, match.start(), lead + match["name"], call, lead == ".", arguments)


def last_part_replaced(text: str, old: str, new: str) -> str:
    """The text with the last whole occurrence of an identifier replaced."""
    spots = [m.start() for m in re.finditer(rf"(?<![\w$]){re.escape(old)}(?![\w$])", text)]
    return text[: spots[-1]] + new + text[spots[-1] + len(old) :] if spots else text


@lru_cache(maxsize=65536)
def is_distinctive(name: str) -> bool:
    """Nobody writes it by accident: two words in one, and long enough."""
    return len(name) >= 5 and ("_" in name.strip("_") or bool(_HUMPS.search(name)))


def may_hold_names(text: str) -> bool:
    """Some word of the text may be called, dotted or distinctive. Most sentences have none, and need not be taken apart."""
    if "_" in text:
        return True
    if text.islower() and "." not in text and "(" not in text:
        return False
    if not text.isascii():
        return bool(_TELLING.search(text))
    shapes = text.translate(_SHAPES)
    return "aA" in shapes or ".a" in shapes or "()" in shapes or ".A" in shapes or "0A" in shapes or "AAAaa" in shapes


def is_constant(name: str) -> bool:
    """SCREAMING_CASE: as often an environment variable as a name in code."""
    return name.isupper() and len(name) > 1


def is_keyword(name: str) -> bool:
    """A word of some language, or one that examples use for anything."""
    return name.lower() in _KEYWORDS


def snake(name: str) -> str:
    """`HTTPServer` and `HttpServer` as `http_server`: how a variable that holds one is usually called."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


@lru_cache(maxsize=4096)
def code_words(text: str) -> tuple[str, ...]:
    """The words of a text that are names: in backticks, called, or distinctive."""
    found: dict[str, None] = {}
    for span, word, called in _CODE_WORD.findall(text):
        if span:
            found.update(dict.fromkeys(_WORD.findall(span)))
        elif called or is_distinctive(word):
            found[word] = None
    return tuple(found)


def is_placeholder(name: str) -> bool:
    """`MyBackend`, `your_plugin`: a name that stands for the reader's own."""
    return _PLACEHOLDER.match(name) is not None
