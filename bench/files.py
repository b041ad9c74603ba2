"""A commit's files, read once: which of them are documents, which are code, and which words stand in which."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from functools import cached_property
from pathlib import Path

_DOC_SUFFIX = re.compile(r"\.(md|mdx|markdown|rst|adoc|asciidoc)$", re.IGNORECASE)
_TEXT_DOC = re.compile(
    r"(^|/)docs?/.*\.txt$|(^|/)(?:(?i:readme|install|usage|contributing|hacking)[\w-]*\.txt|README|INSTALL|CONTRIBUTING|HACKING"
    r"|(?i:changes|change-?log|news|history|releases?))$"
)
_MANUAL = re.compile(r"\.[1-9](\.\w+)?$|\.(scd|pod|roff)$")
_HISTORY = re.compile(
    r"(^|/)(change[-_]?log|changes|history|news|releases?|release[-_]?notes?|whats[-_]?new|upgrad|migrat|roadmap|todo|thanks|authors"
    r"|contributors|credits|deprecat|security|code[-_]of[-_]conduct|licen[sc]e)[^/]*$"
    r"|(^|/)(changelogs?|changes|changelog\.d|newsfragments|news|blog|_posts|adrs?|rfcs?|plans|backlog|proposals?|releases?|release[-_]notes|migrations?|upgrading|whatsnew|archived?|versioned_docs)/"
    r"|(^|/)[^/]*[-_](migration|upgrade)([-_]guide)?\.\w+$|(^|/)v?\d+(\.\d+)+[^/]*$|-v?\d+(\.\d+)+\.\w+$|(^|/)\d{4}-\d{2}-\d{2}[^/]*$",
    re.IGNORECASE,
)
_FIXTURE = re.compile(
    r"(^|/)(fixtures?|testdata|test-data|test_data|__snapshots__|snapshots|goldens?|cassettes|syntax-tests|assets/syntaxes)/",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"(^|/)(node_modules|vendor|vendored|_vendor|third[-_]party|bower_components|site-packages|dist|\.yarn|target)/"
    r"|\.min\.(js|css)$|\.(map|lock|sum|svg|ipynb)$|(^|/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock)$",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"(^|/)(tests?|testing|test[-_]apps?|__tests__|spec|specs|e2e|testsuite)/|(^|/)test_|_test\.|\.test(-d)?\.|\.tst\.|\.spec\.|Tests?\.(java|kt|cs|php)$|\.Tests?/"
)
_EXAMPLE = re.compile(
    r"(^|/)(\.github|examples?|samples?|demos?|tutorials?|docs?|docs_src|benchmarks?|benches|website|site)/",
    re.IGNORECASE,
)
_ASSET = re.compile(r"(^|/)(static|assets|themes|public|webassets)/")
_LANGUAGES = {
    "py": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript", "ts": "typescript",
    "tsx": "typescript", "go": "go", "rs": "rust", "java": "java", "kt": "kotlin", "cs": "csharp", "rb": "ruby", "php": "php",
}  # fmt: skip
_LARGEST = 2_000_000
_WORD = re.compile(r"\w+")


def is_document(path: str) -> bool:
    """Documentation that a reader reads; a fixture written in Markdown is none."""
    if _FIXTURE.search(path) or _FOREIGN.search(path):
        return False
    return bool(_DOC_SUFFIX.search(path) or _TEXT_DOC.search(path)) or bool(_MANUAL.search(path))


def is_scored(path: str) -> bool:
    """A document whose stale lines a tool is expected to point at: no manual pages, no history."""
    return is_document(path) and not _HISTORY.search(path) and not _MANUAL.search(path)


def is_foreign(path: str) -> bool:
    """Somebody else's code, or generated: never edited."""
    return bool(_FOREIGN.search(path))


def is_own(path: str) -> bool:
    """Code that defines what the documentation speaks of: no tests, no examples."""
    path = path.partition("/main/java/")[0] if "/main/java/" in path else path  # `org.example.samples` is a package
    return not (_TEST.search(path) or _EXAMPLE.search(path) or _FIXTURE.search(path) or _FOREIGN.search(path))


def language_of(path: str) -> str:
    """The language a path's suffix tells, or ""."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def git(repository: Path, *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> bytes:
    """Runs git and returns what it printed. Raises if git fails."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], input=stdin, capture_output=True, check=False, env=env
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


class Snapshot:
    """The files of one commit. `texts` holds every text file; `code` those that a refactoring would edit."""

    def __init__(self, texts: dict[str, str], paths: frozenset[str], links: frozenset[str] = frozenset()) -> None:
        """`links`: symbolic links, which stay where they are when what is beside them moves."""
        self.texts = texts
        self.paths = paths
        self.links = links

    @classmethod
    def read(cls, repository: Path, commit: str = "HEAD") -> Snapshot:
        """Reads all text files of the commit out of git."""
        entries = _entries(repository, commit)
        texts = _blobs(repository, entries)
        return cls(texts, frozenset(path for path, _ in entries), _links(repository, commit))

    @cached_property
    def code(self) -> dict[str, str]:
        return {path: text for path, text in self.texts.items() if not is_document(path) and not is_foreign(path)}

    @cached_property
    def own(self) -> dict[str, str]:
        return {path: text for path, text in self.code.items() if is_own(path)}

    @cached_property
    def foreign_words(self) -> frozenset[str]:
        """Words of vendored and generated files: a name found there too is not only ours."""
        words: set[str] = set()
        for path, text in self.texts.items():
            if is_foreign(path) and not path.endswith((".sum", ".svg", ".map", ".lock")):
                words.update(_WORD.findall(text))
        return frozenset(words)

    @cached_property
    def code_words(self) -> dict[str, list[str]]:
        """Word -> the code files that contain it, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.code):
            for word in set(_WORD.findall(self.code[path])):
                found[word].append(path)
        return found

    @cached_property
    def all_words(self) -> frozenset[str]:
        words: set[str] = set()
        for text in self.texts.values():
            words.update(_WORD.findall(text))
        return frozenset(words)

    @cached_property
    def directories(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self.paths:
            parent = path.rpartition("/")[0]
            while parent and parent not in found:
                found.add(parent)
                parent = parent.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def language(self) -> str:
        """The language most of the code is written in, TypeScript counted apart from JavaScript."""
        counts: dict[str, int] = defaultdict(int)
        for path in self.own:
            if language_of(path) and not _ASSET.search(path):
                counts[language_of(path)] += 1
        return max(sorted(counts), key=lambda name: counts[name]) if counts else "none"

    def files_with(self, word: str) -> list[str]:
        """Code files that contain the word."""
        return self.code_words.get(word, [])


def _entries(repository: Path, commit: str) -> list[tuple[str, str]]:
    listing = git(repository, "ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "surrogateescape")
    entries: list[tuple[str, str]] = []
    for row in listing.split("\0"):
        meta, tab, path = row.partition("\t")
        mode, kind, blob = meta.split() if tab else ("", "", "")
        if kind == "blob" and mode != "120000":
            entries.append((path, blob))
    return entries


def _links(repository: Path, commit: str) -> frozenset[str]:
    listing = git(repository, "ls-tree", "-r", "-z", "--full-tree", commit).decode("utf-8", "surrogateescape")
    rows = (row.partition("\t") for row in listing.split("\0"))
    return frozenset(path for meta, _, path in rows if meta.startswith("120000 "))


def _blobs(repository: Path, entries: list[tuple[str, str]]) -> dict[str, str]:
    """The text files among the entries. Bytes that are not UTF-8 survive a round trip."""
    stream = git(repository, "cat-file", "--batch", stdin="".join(f"{blob}\n" for _, blob in entries).encode())
    texts: dict[str, str] = {}
    at = 0
    for path, _ in entries:
        end = stream.index(b"\n", at)
        head = stream[at:end].split()
        if head[-1] == b"missing":  # a stored snapshot may lack its largest files
            at = end + 1
            continue
        size = int(head[2])
        data = stream[end + 1 : end + 1 + size]
        at = end + 2 + size
        if size <= _LARGEST and b"\0" not in data:
            texts[path] = data.decode("utf-8", "surrogateescape")
    return texts
