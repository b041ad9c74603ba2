"""Mutants of values: a default, a port, a required version."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.definitions import parse
from bench.doctext import Place
from bench.files import language_of
from bench.mutants import Mutant, Proposal, Repo, honest
from bench.registrations import Edit, Spans, apply

_PLAIN_VALUE = re.compile(r"^(?:\d+(?:\.\d+)?|[A-Za-z][\w.:/-]{2,})$")
_DULL = frozenset("0 1 True False None true false nil null none str int list default auto 0.0 1.0 GET".split())
_LITERAL = re.compile(r"(?m)^\s*[\"']?(\w+)[\"']?\s*[:=]\s*(\d[\d_]*(?:\.\d+)?)\s*,?\s*(?://.*|#.*)?$")


@dataclass(frozen=True)
class Given:
    """A default as the code gives it. `span` is that of the bare value; `region` the call or attribute around it."""

    subject: str
    path: str
    value: str
    span: tuple[int, int]
    region: tuple[int, int]
    option: bool


def defaults(repo: Repo) -> Iterator[Proposal]:
    """Defaults of options, parameters and settings that the docs state."""
    table: dict[str, list[Given]] = defaultdict(list)
    for given in _given(repo):
        table[given.subject].append(given)
    for subject, found in sorted(table.items()):
        values = {given.value for given in found}
        if re.search("port|address|listen|bind", subject) and re.search(r"\d{4}", found[0].value):
            continue  # the kind `port` has it
        if len(values) == 1 and _PLAIN_VALUE.match(found[0].value) and found[0].value not in _DULL:
            yield Proposal("default", f"{subject}={found[0].value}", _default(repo, subject, found))


def _given(repo: Repo) -> Iterator[Given]:
    for r in repo.registrations:
        if r.default:
            yield Given(
                r.name.replace("-", "_"),
                r.path,
                r.default,
                _bare(repo, r.path, r.default_span, r.default),
                r.region,
                True,
            )
    for path, text in sorted(repo.snapshot.own.items()):
        if language_of(path) == "python":
            yield from _parameters(path, text)
        elif language_of(path) in ("javascript", "typescript"):
            for m in _LITERAL.finditer(text):
                yield Given(m.group(1), path, m.group(2), m.span(2), m.span(), False)


def _bare(repo: Repo, path: str, span: tuple[int, int], value: str) -> tuple[int, int]:
    """The span without quotes."""
    at = repo.snapshot.code[path].find(value, span[0], span[1] + 1)
    return (at, at + len(value)) if at >= 0 else (0, 0)


def _parameters(path: str, text: str) -> Iterator[Given]:
    tree = parse(text)
    if tree is None:
        return
    spans = Spans(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith(
            "_" if node.name != "__init__" else "\0"
        ):
            plain = [*node.args.posonlyargs, *node.args.args]
            pairs = list(zip(plain[len(plain) - len(node.args.defaults) :], node.args.defaults, strict=True))
            pairs += [(a, d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None]
            for argument, default in pairs:
                if isinstance(default, ast.Constant) and isinstance(default.value, int | float | str):
                    start, end = spans.of(default)
                    quoted = isinstance(default.value, str)
                    inner = (start + 1, end - 1) if quoted else (start, end)
                    yield Given(argument.arg, path, str(default.value), inner, (start, end), False)


def _default(repo: Repo, subject: str, found: list[Given]) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        value = found[0].value
        new = another_value(value)
        stale = _stating(repo, subject, value, any(given.option for given in found))
        if not new or not stale or any(repo.snapshot.code[g.path][slice(*g.span)] != g.value for g in found):
            return None
        edits: dict[str, dict[tuple[int, int], Edit]] = defaultdict(dict)
        for given in found:
            text = repo.snapshot.code[given.path]
            edits[given.path][given.span] = Edit(*given.span, new)
            if given.option:  # the help text beside it says the same
                for m in re.compile(rf"default\w*\W{{0,4}}({re.escape(value)})(?![\w.])", re.I).finditer(
                    text, *given.region
                ):
                    edits[given.path][m.span(1)] = Edit(*m.span(1), new)
        changes = {path: apply(repo.snapshot.code[path], list(e.values())) for path, e in edits.items()}
        near = repo.docs.all_lines(re.compile(rf"(?<![\w]){re.escape(value)}(?!\w)"))
        language = language_of(found[0].path)
        return honest(
            Mutant("default", language, f"{subject}={value}", f"{subject}={new}", tuple(stale), tuple(near), changes),
            repo,
            None,
        )

    return make


def another_value(value: str) -> str:
    """A value of the same form."""
    if re.fullmatch(r"\d+", value):
        number = int(value)
        return str(number - 1 if number < 10 else number * 2 if number < 1024 or number % 1000 == 0 else number + 1111)
    if re.fullmatch(r"\d+\.\d+", value):
        return str(round(float(value) * 0.5, 3))
    if match := re.fullmatch(r"(.*?:)(\d{2,5})", value):
        return f"{match.group(1)}{int(match.group(2)) + 1111}"
    return {
        "info": "warning",
        "utf-8": "latin-1",
        "127.0.0.1": "0.0.0.0",
        "utf8": "latin1",
        "localhost": "127.0.0.1",
        "table": "plain",
    }.get(value, "")


def _stating(repo: Repo, subject: str, value: str, option: bool) -> list[Place]:
    """Lines that state the default: on the subject's own line or row, or under a heading that is the subject."""
    name = re.escape(subject).replace("_", "[_-]") if option else re.escape(subject)
    named = re.compile(rf"(?<![\w-])(?:--)?{name}(?![\w-])")
    same = re.escape(value.removesuffix(".0")) + r"(?:\.0)?" if value.endswith(".0") else re.escape(value)
    says = re.compile(
        rf"default\w*[^.\n]{{0,25}}?(?<![\w.-]){same}(?!\w|[.:-]\w)|^\s*(?:\.\. \w+:: |#+ `?)?[\w.]+\(.*(?<![\w-]){name}(?::\s*\w+\s*)?\s?=\s?[\"']?{same}[\"']?(?=\s*[,)\]])",
        re.I,
    )
    lines = repo.docs.told_lines(says)
    return [place for place in lines if _about(repo, place, named)]


def _about(repo: Repo, place: Place, named: re.Pattern[str]) -> bool:
    lines = repo.docs.pages[place[0]].lines
    if named.search(lines[place[1] - 1]):
        return True
    at = place[1] - 2
    indent = len(lines[place[1] - 1]) - len(lines[place[1] - 1].lstrip())
    for _ in range(12):  # up to the heading, or to the list item or option that this line belongs to
        if at < 0:
            return False
        line = lines[at]
        outer = len(line) - len(line.lstrip())
        heads = line.startswith("#") or (
            at + 1 < len(lines) and re.match(r"^([=\-~^\"'])\1{3,}$", lines[at + 1]) is not None
        )
        if heads or (line.strip() and outer < indent):
            return bool(named.search(line))
        at -= 1
    return False


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
    r"\.(py|js|mjs|ts|go|rs|java|kt|ya?ml|properties|toml|sh)$|(^|/)(Dockerfile|docker-compose[^/]*)$"
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
        new = next(
            (str(n) for n in range(int(port) + 1101, int(port) + 2000, 101) if not repo.stands_somewhere(str(n))), ""
        )
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
    """Lines that state the port: as a default, in prose, or in a URL of a page where the reader does not choose the port himself."""
    stated = re.compile(
        rf"(?i)default\w*[^.\n]{{0,30}}(?<![\w.]){port}(?!\w)|(?<![\w.]){port}[`*\s]*\(?(?:by default|is the default)|\[default: [^\]]*{port}\]"
    )
    prose = re.compile(rf"(?i)\bports?\b[\s`*:(]{{1,4}}(?:number\s|is\s)?`?(?<![\w.]){port}(?!\w|:\d)")
    url = re.compile(rf"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):{port}(?!\d)")
    chosen = re.compile(
        rf"(?i)port\W{{1,3}}{port}|-p[= ]?{port}|-l[= ]?{port}|listen\(\W?{port}|\d+:{port}|{port}:\d+|(?:bind|addr|host|socket)\S*[= ]\S*:{port}"
    )
    found: list[Place] = repo.docs.told_lines(stated)
    found += [p for p in repo.docs.told_lines(prose) if p[1] not in repo.docs.pages[p[0]].blocks]
    choosing = {p[0] for p in repo.docs.all_lines(chosen) if p[1] in repo.docs.pages[p[0]].blocks}
    found += [p for p in repo.docs.told_lines(url) if p[0] not in choosing]
    return sorted(set(found))


_WORDED = r"(?:\+|\s*(?:or|and)\s+(?:newer|later|higher|above|greater|up|onwards?|over|more)|\s+minimum)"
_REQUIRED = (
    ("Python", "python", re.compile(r"(?m)^(pyproject\.toml|setup\.py|setup\.cfg)$"), re.compile(r"(?:requires-python|python_requires)\s*=\s*[\"']?>=\s*(3\.\d+)")),
    ("Python", "python", re.compile(r"^pyproject\.toml$"), re.compile(r"(?m)^python\s*=\s*\"(?:\^|>=)\s*(3\.\d+)")),
    (r"Node(?:\.?js)?", "javascript", re.compile(r"^package\.json$"), re.compile(r"\"node\"\s*:\s*\"(?:>=|\^)\s*(\d+(?:\.\d+)*)")),
    ("Go", "go", re.compile(r"^go\.mod$"), re.compile(r"(?m)^go (1\.\d+)")),
    ("(?:Rust|rustc)", "rust", re.compile(r"(^|/)Cargo\.toml$"), re.compile(r"(?m)^rust-version\s*=\s*\"(\d+\.\d+(?:\.\d+)?)")),
    ("(?:Java|JDK|JRE)", "java", re.compile(r"^(pom\.xml|build\.gradle(\.kts)?)$"), re.compile(r"<(?:java\.version|maven\.compiler\.(?:release|source|target)|release)>(\d+(?:\.\d+)?)<|(?:sourceCompatibility|jvmToolchain|languageVersion)\W+(?:JavaVersion\.VERSION_)?(\d+)")),
)  # fmt: skip


def versions(repo: Repo) -> Iterator[Proposal]:
    """Required versions of the language that manifests demand and docs state."""
    for label, language, where, pattern in _REQUIRED:
        for path, text in sorted(repo.snapshot.code.items()):
            if where.search(path):
                for match in pattern.finditer(text):
                    version = next(g for g in match.groups() if g)
                    yield Proposal(
                        "version", f"{language} {version}", _version(repo, label, language, pattern, version)
                    )


def _version(
    repo: Repo, label: str, language: str, pattern: re.Pattern[str], version: str
) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        parts = version.split(".")
        parts[min(1, len(parts) - 1)] = str(int(parts[min(1, len(parts) - 1)]) + 2)
        new = ".".join(parts)
        number = rf"{re.escape(version)}(?:\.0)?(?![\w]|\.\d)"
        says = re.compile(
            rf"(?i)\b{label}\W{{0,6}}(?:version\W{{0,4}})?{number}{_WORDED}|{label}\W{{0,4}}(?:version\s*)?(?:>=|≥)\s*v?{number}|(?:requires?|needs?|minimum|at least|newer than|supports?)\W[^.\n]{{0,60}}\b{label}\W{{0,6}}(?:version\W{{0,4}})?v?{number}"
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
    "pyproject.toml setup.py setup.cfg package.json go.mod Cargo.toml pom.xml build.gradle build.gradle.kts".split()
)
