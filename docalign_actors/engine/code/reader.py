"""Which language a file is in, and which collectors read it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable
from functools import cache, cached_property, lru_cache

from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

SOURCE_LIMIT = 1_000_000
"""Bytes. A longer source file is generated or data; it is named in the report and not parsed."""
OPAQUE = ("symbols", "options", "routes", "keys", "env")
"""What a file that could not be read may have defined."""
_LONGEST_LINE = 20_000

_BY_SUFFIX = {
    "py": "python", "pyi": "python", "pyx": "python",
    "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
    "go": "go", "rs": "rust", "java": "java",
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp",
    "cs": "csharp", "rb": "ruby", "rake": "ruby", "gemspec": "ruby",
    "php": "php", "kt": "kotlin", "kts": "kotlin", "swift": "swift",
    "sh": "shell", "bash": "shell", "zsh": "shell",
    "toml": "toml", "yaml": "yaml", "yml": "yaml", "json": "json", "json5": "json", "jsonc": "json",
    "ini": "ini", "cfg": "ini", "env": "dotenv", "mk": "makefile", "just": "justfile", "properties": "properties",
    "gradle": "gradle", "xml": "xml",
}  # fmt: skip
_BY_NAME = {
    "Makefile": "makefile", "makefile": "makefile", "GNUmakefile": "makefile", "Makefile.in": "makefile",
    "justfile": "justfile", "Justfile": "justfile", ".justfile": "justfile",
    "Dockerfile": "dockerfile", "Containerfile": "dockerfile",
    "go.mod": "gomod", "Rakefile": "ruby", "Gemfile": "ruby", "LICENSE": "licence", "COPYING": "licence",
    "LICENCE": "licence", "LICENSE.txt": "licence", "LICENSE.md": "licence", "LICENSE.rst": "licence",
    ".python-version": "version_file", ".nvmrc": "version_file", ".node-version": "version_file",
    ".ruby-version": "version_file", ".tool-versions": "version_file", "rust-toolchain": "version_file",
    "requirements.txt": "requirements", "build.gradle.kts": "gradle", "Pipfile": "toml", "CMakeLists.txt": "searched",
}  # fmt: skip

_LICENCE_NAME = re.compile(r"^(licen[sc]e|copying|unlicense)([-_.][\w.-]+)?$", re.IGNORECASE)
"""`LICENSE-MIT`, `COPYING.LESSER`; a suffix of a language (`license.py`) says that it is code."""

_COLLECTORS: dict[str, tuple[str, ...]] = {
    "python": ("symbols.python", "options.python", "settings.python", "routes.python", "manifests.pyfiles"),
    "javascript": ("symbols.javascript", "options.javascript", "settings.javascript", "routes.javascript"),
    "typescript": ("symbols.javascript", "options.javascript", "settings.javascript", "routes.javascript"),
    "tsx": ("symbols.javascript", "options.javascript", "settings.javascript", "routes.javascript"),
    "go": ("symbols.go", "options.go", "settings.go", "routes.go"),
    "rust": ("symbols.rust", "options.rust", "settings.rust", "routes.rust"),
    "java": ("symbols.java", "options.java", "settings.java", "routes.java"),
    "c": ("symbols.names", "options.names", "settings.names"),
    "cpp": ("symbols.names", "options.names", "settings.names"),
    "csharp": ("symbols.names", "options.names", "settings.names", "routes.csharp"),
    "ruby": ("symbols.names", "options.names", "settings.names", "manifests.rubyfiles"),
    "php": ("symbols.names", "options.names", "settings.names"),
    "kotlin": ("symbols.names", "options.names", "settings.names"),
    "swift": ("symbols.names", "options.names", "settings.names"),
    "shell": ("symbols.names", "options.names", "settings.names"),
    "toml": ("manifests.toml",),
    "yaml": ("manifests.yaml",),
    "json": ("manifests.json",),
    "ini": ("manifests.ini",),
    "dotenv": ("manifests.dotenv",),
    "makefile": ("manifests.makefile",),
    "justfile": ("manifests.justfile",),
    "dockerfile": ("manifests.dockerfile",),
    "gomod": ("manifests.gomod",),
    "licence": ("manifests.licence",),
    "version_file": ("manifests.version_file",),
    "requirements": ("manifests.requirements",),
    "gradle": ("manifests.gradle",),
    "xml": ("manifests.xml",),
    "properties": ("manifests.properties",),
}
MANIFESTS = frozenset(language for language, modules in _COLLECTORS.items() if modules[0].startswith("manifests."))

PYTHON_MANIFESTS = frozenset({"setup.py", "noxfile.py", "tasks.py", "dodo.py", "conf.py"})
"""The only Python files that the collector of manifests looks at."""

_PARTS_OF = {
    "definitions": ("symbols",),
    "imports": ("symbols",),
    "exports": ("symbols",),
    "options": ("options",),
    "commands": ("options",),
    "env": ("settings", "manifests"),
    "keys": ("settings", "manifests"),
    "ports": ("settings", "manifests"),
    "routes": ("symbols", "routes", "manifests"),
    "mounts": ("symbols", "routes", "manifests"),
    "scripts": ("manifests",),
    "versions": ("manifests",),
    "package": ("manifests",),
    "licence": ("manifests",),
    "navigation": ("manifests",),
    "language": (),
    "notes": (),
}
"""The families of collectors that make each field of `FileFacts`, with those whose facts they look at; others: all.

Notes tell why a file was not read at all, and what went wrong with the collectors that ran."""

SEARCHED = "searched"
"""The language of text files that no collector reads: only the words in them count."""
_SEARCHED_SUFFIXES = frozenset(
    "vue svelte astro html htm tmpl tpl j2 jinja jinja2 service timer socket conf sql proto graphql gql css scss less lua "
    "pl pm ex exs erl hs ml scala groovy dart nix ps1 fish bat cmd cmake in tf hcl r jl zig asm s m mm el vim awk rules "
    "plist ejs hbs erb haml slim thrift".split()
)

_INTERPRETERS = {
    "python": "python", "pypy": "python", "uv": "python", "node": "javascript", "nodejs": "javascript", "bun": "typescript",
    "deno": "typescript", "ts-node": "typescript", "tsx": "typescript", "ruby": "ruby", "php": "php",
    "sh": "shell", "bash": "shell", "zsh": "shell", "dash": "shell", "ksh": "shell",
}  # fmt: skip
_SHEBANG = re.compile(rb"#![ \t]*(?:\S{0,200}/)?(?:env[ \t]+(?:(?:-[\w-]*|\w+=\S{0,200})[ \t]+)*)?([a-z][a-z-]*)")

Collector = Callable[[Source, FileFacts], None]


@lru_cache(maxsize=65536)
def language_of(path: str) -> str:
    """The language a file is in, told by its name; "" if nothing here reads or searches it."""
    name = path.rsplit("/", 1)[-1]
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith(".env"):
        return "dotenv"
    if name.startswith("Dockerfile") or name.endswith(".Dockerfile"):
        return "dockerfile"
    if name.endswith((".txt", ".in")) and (
        name.startswith("requirements") or path.rpartition("/")[0].endswith("requirements")
    ):
        return "requirements"
    suffix = name.rpartition(".")[2].lower() if "." in name else ""
    if suffix not in _BY_SUFFIX and _LICENCE_NAME.match(name):
        return "licence"
    searched = suffix in _SEARCHED_SUFFIXES or "." not in name.lstrip(".")
    return _BY_SUFFIX.get(suffix) or (SEARCHED if searched else "")


def language_in(path: str, data: bytes) -> str:
    """The language a file is in; a program whose name has no suffix tells it by its first line."""
    match = _SHEBANG.match(data) if _may_be_script(path) else None
    return _INTERPRETERS.get(match[1].decode(), SEARCHED) if match else language_of(path)


def _may_be_script(path: str) -> bool:
    return language_of(path) == SEARCHED and "." not in path.rpartition("/")[2]


def yields_facts(path: str) -> bool:
    """Some collector may read files of this name."""
    return language_of(path) in _COLLECTORS or _may_be_script(path)


def may_demand(path: str) -> bool:
    """Files of this name may say which version of something the repository needs."""
    name = path.rpartition("/")[2]
    return language_of(path) in MANIFESTS or name in PYTHON_MANIFESTS or name.endswith(".gemspec")


@cache
def _collector(language: str, number: int) -> Collector:
    module = importlib.import_module(f"docalign_actors.engine.code.{_COLLECTORS[language][number]}")
    collect: Collector = module.collect
    return collect


def read_facts(path: str, data: bytes) -> FileFacts:
    """The facts of one file. Never raises on a file's account: what cannot be read is noted and yields nothing."""
    reading = FactReading(path, lambda: data)
    if reading.is_refused:
        return reading.facts
    reading.read(reading.collectors)
    return reading.facts


class FactReading:
    """One file, read as far as somebody asked. Each collector runs at most once."""

    def __init__(
        self, path: str, fetch: Callable[[], bytes], facts: FileFacts | None = None, done: Iterable[int] = ()
    ) -> None:
        """`facts` and `done`: what is known from another time, and by which collectors."""
        self.done = set(done)
        self._path = path
        self._fetch = fetch
        self.facts = facts or FileFacts(
            language=language_in(path, self.data) if _may_be_script(path) else language_of(path)
        )

    @cached_property
    def data(self) -> bytes:
        """The file's bytes."""
        return self._fetch()

    @cached_property
    def _source(self) -> Source | None:
        """The file; None, with a note, if it is not to be parsed."""
        source = Source(self._path, self.facts.language, self.data)
        refusal = _refusal(source.language, source.data)
        if refusal and refusal not in self.facts.notes:
            self.facts.notes.append(refusal)
        return None if refusal else source

    @property
    def is_refused(self) -> bool:
        """The file is not to be parsed, and its facts say why."""
        return self._source is None

    @property
    def collectors(self) -> range:
        """The numbers of all collectors that read files of this language."""
        return range(len(_COLLECTORS.get(self.facts.language, ())))

    def has(self, name: str) -> bool:
        """A field of the facts can be told without running a collector."""
        return name != "notes" and self.done.issuperset(self._makers(name))

    def field(self, name: str) -> object:
        """One field of the facts; the collectors that have to do with it run now if they have not yet."""
        if name == "notes" and self.is_refused:
            return self.facts.notes
        self.read(self._makers(name))
        return getattr(self.facts, name)

    def _makers(self, name: str) -> list[int]:
        modules = _COLLECTORS.get(self.facts.language, ())
        families = _PARTS_OF.get(name)
        return [
            n
            for n, module in enumerate(modules)
            if (families is None or module.partition(".")[0] in families)
            and (module != "manifests.pyfiles" or self._path.rpartition("/")[2] in PYTHON_MANIFESTS)
        ]

    def read(self, numbers: Iterable[int]) -> None:
        """Runs these collectors of the language, in their order."""
        for number in numbers:
            if number not in self.done:
                self.done.add(number)
                if self._source is not None:
                    self._collect(self._source, _collector(self.facts.language, number))

    def _collect(self, source: Source, collect: Collector) -> None:
        try:
            collect(source, self.facts)
        except Exception as error:  # a collector meets code that nobody foresaw; the scan goes on without it
            self.facts.notes.append(
                f"{collect.__module__.rpartition('.')[2]} facts not read: {type(error).__name__}: {str(error)[:120]}"
            )
            self.facts.opaque.extend(OPAQUE)


def _refusal(language: str, data: bytes) -> str:
    """Why a file is not parsed, "" if it is."""
    if len(data) > SOURCE_LIMIT:
        return f"larger than {SOURCE_LIMIT:,} bytes: not parsed"
    if b"\0" in data[:8192]:
        return "binary: not parsed"
    if (
        len(data) > _LONGEST_LINE
        and language not in MANIFESTS
        and max(map(len, data.split(b"\n")), default=0) > _LONGEST_LINE
    ):
        return "minified or generated: not parsed"
    return ""
