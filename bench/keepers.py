"""What may keep a fact true although the mutant has changed it, and what only looks like a fact: the checks of the mutator itself.

A mutant that leaves its fact standing is none, and a tool that says nothing of it is right. Nothing here asks the engine,
and nothing asks how hard a mutant is to find.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from bench.definitions import parse
from bench.doctext import Page, Place
from bench.files import Snapshot, language_of
from bench.registrations import Spans

Span = tuple[int, int]
_COMMENT = re.compile(r"\s*(?:\*|//|/\*|#(?!\[)|--\s)")


@lru_cache(maxsize=256)
def docstrings(text: str) -> tuple[Span, ...]:
    """Where a text of Python describes itself: strings that stand as statements."""
    tree = parse(text)
    if tree is None:
        return ()
    spans = Spans(text)
    told = (
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    return tuple(spans.of(value) for value in told if isinstance(value.value, str))


def is_told(path: str, text: str, at: int) -> bool:
    """The place is an example in a comment or a docstring: nothing is declared there."""
    if _COMMENT.match(text, text.rfind("\n", 0, at) + 1, at + 1):
        return True
    return language_of(path) == "python" and any(start <= at < end for start, end in docstrings(text))


_PARSERS = re.compile(
    r"\b(?:yargs|minimist|mri|meow|getopts|parseArgs|nopt|optimist|sade|dashdash|command-line-args)\b"
)


def declares_option(text: str, name: str) -> bool:
    """A script that parses arguments names the option in a list or as a key: `boolean: ["watch"]`, `alias: { watch: "w" }`."""
    word = re.escape(name)
    form = rf"\[[^\[\]]*[\"'`]{word}[\"'`]|(?<![\w.]){word}[\"'`]?\s*:|[\"'`]{word}[\"'`]\s*[,\]}}]"
    return bool(_PARSERS.search(text)) and re.search(form, text) is not None


_SHELL = frozenset(["sh", "bash", "shell", "console", "zsh", "shell-session", "terminal"])
_PROMPT = re.compile(r"^\s*(?:\$|>|%|#)\s+")
_LAUNCHERS = frozenset([
    "python", "python3", "npx", "uvx", "uv", "pipx", "poetry", "pdm", "hatch", "bundle", "ruby", "echo", "time", "env", "exec",
    "nohup", "watch", "xargs", "bunx", "deno", "rake", "php", "dotnet", "bin", "cat",
])  # fmt: skip
_MOST_LINES = 12


def others_program(page: Page, number: int, own: frozenset[str]) -> bool:
    """The line of a shell block belongs to a command that calls a program of somebody else: `az login --resource x`."""
    if number not in page.blocks:
        return False
    first = number
    while first - 1 in page.blocks and page.lines[first - 2].rstrip().endswith("\\") and number - first < _MOST_LINES:
        first -= 1
    whole = " ".join(page.lines[first - 1 : number])
    if page.blocks[number] not in _SHELL and not _PROMPT.match(page.lines[first - 1]):
        return False
    head = re.match(r"(?:\w+=\S+\s+)*(?:sudo\s+)?([a-z][\w.-]*)(?=\s)", _PROMPT.sub("", whole).strip())
    if head is None or head.group(1) in own or head.group(1) in _LAUNCHERS:
        return False
    return not any(re.search(rf"(?<![\w-]){re.escape(command)}(?![\w-])", whole) for command in own)


def is_output(page: Page, number: int) -> bool:
    """The line of a block was printed by a command of that block, which a prompt tells: it tells of one run."""
    language = page.blocks.get(number)
    if language is None:
        return False
    first = number
    while first - 1 in page.blocks and number - first < 200:
        first -= 1
    lines = page.lines[first - 1 : number]
    prompted = [at for at, line in enumerate(lines) if re.match(r"\s*(?:\$|>>>|%)\s", line)]
    if not prompted or prompted[-1] == len(lines) - 1:
        return False
    return not any(line.rstrip().endswith("\\") for line in lines[prompted[-1] : -1][-1:])


def keeps_target(snapshot: Snapshot, name: str) -> bool:
    """A pattern rule makes the target whatever it is called: `test-%:`."""
    for path, text in snapshot.code.items():
        base = path.rpartition("/")[2].lower()
        if base in ("makefile", "gnumakefile") or base.endswith(".mk"):
            for stem in re.findall(r"(?m)^([\w./-]*%[\w./-]*)\s*:(?![:=])", text):
                head, _, tail = stem.partition("%")
                if name.startswith(head) and name.endswith(tail) and len(name) > len(head) + len(tail):
                    return True
    return False


def is_interpreter(name: str) -> bool:
    """tox knows these environments by their names alone: `py311`, `3.12`, `pypy3`."""
    return re.fullmatch(r"(?:py|pypy|cpython|jython)?\d?\.?\d*t?", name) is not None


def is_dependency(snapshot: Snapshot, manifest: str, name: str) -> bool:
    """The manifest takes in a package of that name, whose program `yarn NAME` or `pdm run NAME` calls."""
    word = re.escape(name)
    form = (
        rf"\"{word}\"\s*:\s*\"[\^~>=<*\dvwl]"
        if manifest.endswith(".json")
        else rf"[\"']{word}(?:\[|[<>=~!; ]|[\"']\s*[,\]])"
    )
    return re.search(form, snapshot.code.get(manifest, "")) is not None


_DATA = re.compile(r"\.(?:json|ya?ml|toml|ini|cfg|conf|properties)$")


def is_key_of_settings(snapshot: Snapshot, dotted: str) -> bool:
    """Data has keys below the name of the module: `"tool.plugins.lint.enabled": …`. Docs that list them speak of settings."""
    key = re.compile(rf"(?m)(?:^\s*|[\"']){re.escape(dotted)}\.[\w.]+[\"']?\s*[:=]")
    return any(key.search(text) for path, text in snapshot.code.items() if _DATA.search(path) and dotted in text)


_DEMANDS = {
    "python": (
        r"(?:pyproject\.toml|setup\.py|setup\.cfg|\.python-version)$",
        r"python[\w-]*[\"']?\s*[=:]\s*[\"'^>=~ ]*{v}",
    ),
    "javascript": (r"package\.json$|\.nvmrc$|\.node-version$", r"\"node\"\s*:\s*\"[\^>=~ v]*{v}"),
    "go": (r"go\.mod$", r"(?m)^go {v}"),
    "rust": (r"Cargo\.toml$|rust-toolchain(?:\.toml)?$|clippy\.toml$", r"(?:rust-version|channel|msrv)\s*=\s*\"{v}"),
    "java": (
        r"pom\.xml$|\.gradle(?:\.kts)?$|gradle\.properties$|libs\.versions\.toml$|\.java-version$|\.sdkmanrc$",
        r"(?i)(?:java|jdk|jvm|release|source|target|languageversion)[\w.-]*\W{{1,12}}(?:of\W+|version_)?(?:1[._])?{v}",
    ),
}


def still_demanded(snapshot: Snapshot, changes: dict[str, str], language: str, version: str) -> bool:
    """Another manifest, or another line of it, asks for the old version still."""
    where, form = _DEMANDS[language]
    line = re.compile(form.format(v=re.escape(version)) + r"(?![\w]|\.[1-9])")
    return any(line.search(changes.get(p, text)) for p, text in snapshot.own.items() if re.search(where, p))


def takes_it_first(path_text: str, class_name: str, argument: str, sources: dict[str, str]) -> bool:
    """Something else receives the argument before the constructor does: `__new__`, or the `__call__` of a metaclass."""
    tree = parse(path_text)
    nodes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == class_name] if tree else []
    for node in nodes:
        metaclass = next((ast.unparse(k.value).rpartition(".")[2] for k in node.keywords if k.arg == "metaclass"), "")
        if _receives(node, "__new__", argument):
            return True
        for text in sources.values() if metaclass else ():
            if re.search(rf"(?m)^\s*class {re.escape(metaclass)}\b", text) and _meta_receives(
                text, metaclass, argument
            ):
                return True
    return False


def _meta_receives(text: str, name: str, argument: str) -> bool:
    tree = parse(text)
    nodes = (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == name) if tree else ()
    return any(_receives(node, "__call__", argument) for node in nodes)


def _receives(node: ast.ClassDef, method: str, argument: str) -> bool:
    for child in node.body:
        if isinstance(child, ast.FunctionDef) and child.name == method:
            given = child.args
            named = {a.arg for a in [*given.posonlyargs, *given.args, *given.kwonlyargs]}
            return argument in named or (given.kwarg is not None and argument in ast.unparse(child))
    return False


def outside(places: set[Place], folder: str, lines: dict[Place, str]) -> set[Place]:
    """Places that become false when the folder goes: a page inside names its neighbours as before, unless by the whole path."""
    return {p for p in places if not p[0].startswith(f"{folder}/") or f"{folder}/" in lines[p]}
