"""Mutants of names: function, method, class, parameter, environment variable, configuration key.

A name is taken only if it is distinctive: of two parts at least, defined once in all of the code, and unknown to vendored files.
Then a rename of the whole word everywhere is what a refactoring tool would do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bench.definitions import Definition
from bench.doctext import Place
from bench.files import is_own, language_of
from bench.keepers import is_told
from bench.mutants import Mutant, Proposal, Repo, honest, whole_word
from bench.words import parts_of

_DEFINING = (
    r"(?:def|class|function|const|let|var|fn|func|type|struct|enum|interface|trait|public|private|void"
    r"|async)\s+(?:\([^)]*\)\s*)?{name}\b"
)
_COMMON = frozenset(
    [
    "to_string", "toString", "get_name", "getName", "set_name", "setName", "as_str", "from_str", "to_json", "toJSON",
    "hasOwnProperty", "getOwnPropertyNames", "add_argument", "setTimeout", "setInterval", "read_text", "write_text",
    "is_file", "is_dir", "NotFound", "NotImplemented", "is_empty", "push_str", "unwrap_or", "as_ref", "to_owned",
    "exitCode", "beforeAll", "afterAll", "beforeEach", "afterEach", "StatusCode", "ResponseWriter", "HandlerFunc",
    "ListenAndServe",
]
)  # fmt: skip
_IMPORTED_OWNERS = frozenset(
    [
    "os", "sys", "re", "io", "json", "time", "http", "fmt", "strings", "strconv", "bytes", "errors", "context", "sync",
    "url", "path", "fs", "util", "events", "stream", "std", "str", "vec", "string", "net", "log", "typing", "functools",
    "itertools", "inspect", "asyncio", "anyio", "logging", "types", "pathlib", "shutil", "subprocess", "process", "console",
    "math",
]
)  # fmt: skip
_ENVIRONMENT = re.compile(
    r"""(?:environ(?:\.get|\.setdefault|\.pop)?\s*[\[(]|getenv\s*\(|getEnv\s*\(|Getenv\(|LookupEnv\(|process\.env(?:\.|\[)|env::var(?:_os)?\(|var_os\(|envvar\s*=|env\s*=|Envar\(|"""
    r"""env!?\(|environ\.\w+\(|_env\w*\s*=\s*)\s*["'`]?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b"""
)
_SHARED_ENV = re.compile(
    r"^(NO_COLOR|FORCE_COLOR|CLICOLOR\w*|XDG_\w+|GITHUB_\w+|CI_\w+|HTTPS?_PROXY|NO_PROXY|NODE_\w+|PYTHON\w*|GO_?PATH|DOCKER_\w+|AWS_\w+|LC_\w+|LS_COLORS|"
    r"SSL_CERT_\w+|REQUESTS_CA_BUNDLE|JAVA_\w+|CARGO_\w+|RUST_\w+|USER_AGENT|APP_DATA|NPM_\w+|PIP_\w+|DJANGO_\w+|VIRTUAL_ENV|DATABASE_URL|SECRET_KEY|PG\w+|COLUMNS|LISTEN_FDS|LISTEN_PID|COMP_\w+|BABEL_\w+|WEBPACK_\w+|JEST_\w+|VITE_\w+|VSCODE_\w+)$"
)


def symbols(repo: Repo) -> Iterator[Proposal]:
    """Functions, methods, classes and parameters that the docs name in code."""
    table = repo.definitions
    for name in sorted(table):
        found = table[name]
        if name in repo.docs.code_words and distinctive(name, repo) and is_own(found[0].path):
            kinds = {d.kind for d in found}
            if len(found) == 1 or (kinds == {"parameter"} and all(is_own(d.path) for d in found)):
                yield Proposal(found[0].kind, name, _renaming(repo, found[0], {d.owner for d in found}))


def distinctive(name: str, repo: Repo) -> bool:
    """Nobody would use this name for something else."""
    return (
        len(name) >= 6
        and len(parts_of(name)) >= 2
        and not name.startswith("_")
        and not name.startswith("test")
        and name not in _COMMON
        and name not in repo.snapshot.foreign_words
    )


def _renaming(repo: Repo, definition: Definition, owners: set[str]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        name = definition.name
        new = repo.rename(name)
        word = whole_word(name)
        files = repo.snapshot.files_with(name)
        if not new or _defined_in_docs(repo, name) or _borrowed(repo, definition, files):
            return None
        stale = repo.docs.stale(word)
        if not _spoken_of(repo, definition, owners, stale):
            return None
        named = re.compile(rf"(?:^|/){re.escape(name)}\.\w+$")  # imports of the file are renamed with the rest
        moves = {
            p: p[: -len(p.rpartition("/")[2])] + p.rpartition("/")[2].replace(name, new, 1)
            for p in files
            if named.search(p)
        }
        return honest(
            Mutant(
                definition.kind, language_of(definition.path), name, new, tuple(stale),
                tuple(repo.docs.all_lines(loose(name))), repo.replaced(word, new, files), moves,
            ),
            repo, word,
        )  # fmt: skip

    return make


def loose(name: str) -> re.Pattern[str]:
    """The name in any of its spellings: lines that match are never counted as unrelated."""
    return re.compile(r"[\W_]*".join(map(re.escape, parts_of(name))), re.IGNORECASE)


def _borrowed(repo: Repo, definition: Definition, files: list[str]) -> bool:
    """The name is also that of something that is not ours: it overrides, or is called on a class or package defined elsewhere."""
    text = repo.snapshot.code[definition.path]
    lines = text.splitlines()
    if definition.line >= 2 and "@Override" in lines[definition.line - 2]:
        return True
    if definition.kind == "parameter":
        return False
    if f"super().{definition.name}(" in text:
        return True
    if definition.kind != "class" and _is_key_too(repo, definition.name, files):
        return True
    qualified = re.compile(rf"(?<![\w.])([A-Za-z]\w*)(?:\.|::){re.escape(definition.name)}(?!\w)")
    owners = {m.group(1) for path in files for m in qualified.finditer(repo.snapshot.code[path])}
    return any(owner in _IMPORTED_OWNERS or (owner[0].isupper() and not _is_ours(repo, owner)) for owner in owners)


def _is_key_too(repo: Repo, name: str, files: list[str]) -> bool:
    """Own code has the name in quotes as well: docs may speak of a key, a setting or an output field."""
    quoted = re.compile(rf"[\"']{re.escape(name)}[\"']")
    sources = (p for p in files if p in repo.snapshot.own and not p.endswith(("__init__.py", "index.js", "index.ts")))
    option = re.compile(rf"--[\w.]*{re.escape(name)}")
    return any(quoted.search(repo.snapshot.code[p]) for p in sources) or bool(repo.docs.stale(option))


def _is_ours(repo: Repo, owner: str) -> bool:
    return owner in repo.defined


def _spoken_of(repo: Repo, definition: Definition, owners: set[str], stale: list[Place]) -> bool:
    """Some mention is of this thing and not of a word: a call, an attribute, the whole of a span; a parameter near its function."""
    name = re.escape(definition.name)
    if definition.kind == "parameter":
        keyword = re.compile(rf"(?<![\w.]){name}=(?!=)|^{name}=?$")
        if repo.docs.all_lines(re.compile(rf"\b(?:def|lambda)\b.*(?<!\w){name}(?!\w)")):
            return False  # a function of the reader's own, that may call its parameters as it likes
        by_keyword = [
            p for p in stale if any(keyword.search(part.strip()) for part in repo.docs.pages[p[0]].code[p[1]])
        ]
        return any(_near(repo, place, owner) for place in by_keyword for owner in owners)
    form = re.compile(
        rf"(?<!\w){name}\(|[.:]{name}(?!\w)|^[\w.]*{name}$|(?:import|new|extends|use)\W.*{name}|[@<]{name}"
    )
    return any(form.search(part.strip()) for path, line in stale for part in repo.docs.pages[path].code[line])


def _near(repo: Repo, place: Place, owner: str) -> bool:
    lines = repo.docs.pages[place[0]].lines
    around = "\n".join(lines[max(0, place[1] - 12) : place[1] + 4])
    return owner != "__init__" and bool(whole_word(owner).search(around))


def _defined_in_docs(repo: Repo, name: str) -> bool:
    """An example in the docs that defines the name itself does not speak of ours."""
    given = rf"|^\s*{re.escape(name)}\s*(:[^=]*)?:?=\s"
    return bool(repo.docs.all_lines(re.compile(_DEFINING.format(name=re.escape(name)) + given)))


def environment(repo: Repo) -> Iterator[Proposal]:
    """Environment variables that own code reads and docs name."""
    names: dict[str, str] = {}
    for path in sorted(repo.snapshot.own):
        for match in _ENVIRONMENT.finditer(repo.snapshot.own[path]):
            if not is_told(path, repo.snapshot.own[path], match.start()):
                names.setdefault(match.group(1), language_of(path) or repo.snapshot.language)
    for name, language in sorted(names.items()):
        if name in repo.docs.code_words and not _SHARED_ENV.match(name) and name not in repo.snapshot.foreign_words:
            yield Proposal("env", name, word_renaming(repo, "env", name, language, keep=1))


def word_renaming(repo: Repo, kind: str, name: str, language: str, *, keep: int = 0) -> Callable[[], Mutant | None]:
    """The rename of a distinctive word everywhere in code."""

    def make() -> Mutant | None:
        new = repo.rename(name, keep=keep)
        word = whole_word(name)
        if not new:
            return None
        changes = repo.replaced(word, new, repo.snapshot.files_with(name))
        stale = tuple(repo.docs.stale(word))
        return honest(
            Mutant(kind, language, name, new, stale, tuple(repo.docs.all_lines(loose(name))), changes), repo, word
        )

    return make
