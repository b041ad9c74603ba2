"""Mutants of numbers that stand in manifests and in code alike: a port, a required version."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bench.doctext import Place
from bench.files import is_own, language_of
from bench.keepers import still_demanded
from bench.mutants import Mutant, Proposal, Repo, honest

_PORT = re.compile(
    r"(?i)(?:port\w*[\"']?\W{1,12}(?:\w+\W{1,4}){0,2}?|listen\w*\W{1,12}|[\"'`](?:localhost|0\.0\.0\.0|127\.0\.0\.1)?:|expose\s+)(\d{4,5})(?!\w)"
)
_OTHERS_PORTS = frozenset(
    [
        1433,
        2000,
        2181,
        3306,
        4317,
        4318,
        5432,
        5433,
        5672,
        6379,
        8761,
        9042,
        9092,
        9200,
        9300,
        10000,
        11211,
        15672,
        20000,
        27017,
    ]
)
_PORT_FILE = re.compile(
    r"\.(py|js|mjs|cjs|ts|tsx|go|rs|java|kt|properties|toml)$"
    r"|(^|/)(Dockerfile[\w.-]*|(?:application|docker-compose|compose)[\w.-]*\.ya?ml|\.env(?:\.\w+)?)$"
)


def ports(repo: Repo) -> Iterator[Proposal]:
    """Port numbers that own code listens on and docs state."""
    found: dict[str, str] = {}
    for path, text in sorted(repo.snapshot.own.items()):
        if _PORT_FILE.search(path):
            for match in _PORT.finditer(text):
                before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip()
                number = int(match.group(1))
                if 1025 <= number <= 65000 and number not in _OTHERS_PORTS and not before.startswith(("*", "//", "# ")):
                    found.setdefault(match.group(1), path)
    for port, path in sorted(found.items()):
        yield Proposal("port", port, _port(repo, port, path))


def _port(repo: Repo, port: str, path: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        step = 1 if repo.variant == "affix" else 101
        first = int(port) + (1 if repo.variant == "affix" else 1101)
        new = next((str(n) for n in range(first, int(port) + 2000, step) if not repo.stands_somewhere(str(n))), "")
        number = re.compile(rf"(?<![\w.]){port}(?!\w|\.\d)")
        lines = _port_lines(repo, port)
        if not new or not lines:
            return None
        changes = repo.replaced(number, new, repo.with_text(port))
        near = repo.docs.all_lines(re.compile(rf"(?<!\d){port}(?!\d)"))
        language = language_of(path) or repo.snapshot.language
        return honest(Mutant("port", language, port, new, tuple(lines), tuple(near), changes), repo, number)

    return make


def _port_lines(repo: Repo, port: str) -> list[Place]:
    """Lines that state the port: as a default, in prose, or in a URL of a page where the reader does not choose "
    "the port himself."""
    stated = re.compile(
        rf"(?i)default\w*[^.\n]{{0,30}}(?<![\w.]){port}(?!\w)|(?<![\w.]){port}[`*\s]*\(?(?:by default|is the "
        rf"default)|\[default: [^\]]*{port}\]"
    )
    prose = re.compile(rf"(?i)\bports?\b[\s`*:(]{{1,4}}(?:number\s|is\s)?`?(?<![\w.]){port}(?!\w|:\d)")
    url = re.compile(rf"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):{port}(?!\d)")
    chosen = re.compile(
        rf"(?i)port\W{{1,3}}{port}|-p[= ]?{port}|-l[= ]?{port}|listen\(\W?{port}|\d+:{port}|{port}:\d+|(?:bind"
        rf"|addr|host|socket)\S*[= ]\S*:{port}"
    )
    found: list[Place] = repo.docs.told_lines(stated)
    found += [p for p in repo.docs.told_lines(prose) if p[1] not in repo.docs.pages[p[0]].blocks]
    if not found:
        return []  # a URL alone may be of a server that the reader started himself
    choosing = {p[0] for p in repo.docs.all_lines(chosen) if p[1] in repo.docs.pages[p[0]].blocks}
    found += [p for p in repo.docs.told_lines(url) if p[0] not in choosing]
    return sorted(set(found))


_WORDED = r"(?:\+|\s*(?:or|and)\s+(?:newer|later|higher|above|greater|up|onwards?|over|more)|\s+minimum)"
_JAVA = re.compile(
    r"<(?:java\.version|maven\.compiler\.(?:release|source|target)|release)>(\d+(?:\.\d+)?)<"
    r"|(?:sourceCompatibility|jvmToolchain|languageVersion)\W+(?:JavaVersion\.VERSION_)?(\d+)"
)
_PYTHON = re.compile(r"(?:requires-python|python_requires)\s*=\s*[\"']?>=\s*(3\.\d+)")
_POETRY = re.compile(r"(?m)^python\s*=\s*\"(?:\^|>=)\s*(3\.\d+)")
_REQUIRED = (
    ("Python", "python", re.compile(r"(^|/)(pyproject\.toml|setup\.py|setup\.cfg)$"), _PYTHON),
    ("Python", "python", re.compile(r"^pyproject\.toml$"), _POETRY),
    (
        r"Node(?:\.?js)?", "javascript",
        re.compile(r"(^|/)package\.json$"), re.compile(r"\"node\"\s*:\s*\"(?:>=|\^)\s*(\d+(?:\.\d+)*)"),
    ),
    ("Go", "go", re.compile(r"(^|/)go\.mod$"), re.compile(r"(?m)^go (1\.\d+)")),
    (
        "(?:Rust|rustc)", "rust",
        re.compile(r"(^|/)Cargo\.toml$"), re.compile(r"(?m)^rust-version\s*=\s*\"(\d+\.\d+(?:\.\d+)?)"),
    ),
    ("(?:Java|JDK|JRE)", "java", re.compile(r"^(pom\.xml|build\.gradle(\.kts)?)$"), _JAVA),
)  # fmt: skip


def versions(repo: Repo) -> Iterator[Proposal]:
    """Required versions of the language that manifests demand and docs state."""
    for label, language, where, pattern in _REQUIRED:
        for path, text in sorted(repo.snapshot.code.items()):
            if where.search(path) and is_own(path) and path.count("/") == _depth(repo, where):
                for match in pattern.finditer(text):
                    version = next(g for g in match.groups() if g)
                    yield Proposal(
                        "version", f"{language} {version}", _version(repo, label, language, pattern, version)
                    )


def _depth(repo: Repo, where: re.Pattern[str]) -> int:
    """How deep the outermost manifests lie: those below are of parts, examples and tools, of which the docs seldom speak."""
    return min(path.count("/") for path in repo.snapshot.code if where.search(path))


def _version(
    repo: Repo, label: str, language: str, pattern: re.Pattern[str], version: str
) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        parts = version.split(".")
        parts[min(1, len(parts) - 1)] = str(int(parts[min(1, len(parts) - 1)]) + (1 if repo.variant == "affix" else 2))
        new = ".".join(parts)
        number = rf"{re.escape(version)}(?:\.0)?(?![\w]|\.\d)"
        says = re.compile(
            rf"(?i)\b{label}\W{{0,6}}(?:version\W{{0,4}})?{number}{_WORDED}|{label}\W{{0,4}}(?:version\s*)?(?:>="
            rf"|≥)\s*v?{number}|(?:requires?|needs?|minimum|at least|newer than"
            rf"|supports?)\W[^.\n]{{0,60}}\b{label}\W{{0,6}}(?:version\W{{0,4}})?v?{number}"
            rf"|\b{label}\b[^.\n]{{0,60}}(?:requires?|minimum|at least|is)\W{{0,4}}(?:version\W)?\W{{0,4}}v?{number}"
        )
        changes = {}
        for path, text in ((p, t) for p, t in repo.snapshot.code.items() if version in t):
            result = (
                pattern.sub(lambda m: m.group().replace(version, new), text)
                if path.rpartition("/")[2] in _MANIFESTS
                else text
            )
            result = re.sub(rf".*Python :: {re.escape(version)}[\"',].*\n", "", result) if label == "Python" else result
            if result != text:
                changes[path] = result
        if still_demanded(repo.snapshot, changes, language, version):
            return None
        near = repo.docs.all_lines(re.compile(rf"(?<![\d.]){re.escape(version)}(?!\d)"))
        return honest(
            Mutant(
                "version",
                language,
                f"{language} {version}",
                f"{language} {new}",
                tuple(repo.docs.told_lines(says)),
                tuple(near),
                changes,
            ),
            repo,
            None,
        )

    return make


_MANIFESTS = frozenset(
    [
    "pyproject.toml", "setup.py", "setup.cfg", "package.json", "go.mod", "Cargo.toml", "pom.xml", "build.gradle",
    "build.gradle.kts",
]
)  # fmt: skip
