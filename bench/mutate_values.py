"""Mutants of defaults: of options, of parameters, of settings."""

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
_DULL = frozenset([
    "0", "1", "True", "False", "None", "true", "false", "nil", "null", "none", "str", "int", "list", "default", "auto",
    "0.0", "1.0", "GET",
])  # fmt: skip
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
                for m in re.compile(rf"default\w*\W{{0,4}}({re.escape(value)})(?![\w.])", re.IGNORECASE).finditer(
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
        rf"default\w*[^.\n]{{0,25}}?(?<![\w.-]){same}(?!\w|[.:-]\w)|^\s*(?:\.\. [\w:]+:: |#+ `?|(?:async )?def "
        rf")[\w.]+\(.*(?<![\w-]){name}(?::\s*\w+\s*)?\s?=\s?[\"']?{same}[\"']?(?=\s*[,)\]])",
        re.IGNORECASE,
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
