"""Mutants of defaults: of options, of parameters, of settings."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from bench.definitions import parse
from bench.doctext import Place
from bench.files import language_of
from bench.mutants import Mutant, Proposal, Repo, honest
from bench.registrations import Edit, Spans, apply
from bench.settings import Given, given_in_settings

_PLAIN_VALUE = re.compile(r"^(?:\d+(?:\.\d+)?|[A-Za-z][\w.:/-]{2,})$")
_DULL = frozenset([
    "0", "1", "True", "False", "None", "true", "false", "nil", "null", "none", "str", "int", "list", "default", "auto",
    "0.0", "1.0", "GET",
])  # fmt: skip
_LITERAL = re.compile(r"(?m)^\s*[\"']?(\w+)[\"']?\s*[:=]\s*(\d[\d_]*(?:\.\d+)?)\s*,?\s*(?://.*|#.*)?$")


def defaults(repo: Repo) -> Iterator[Proposal]:
    """Defaults of options, parameters and settings that the docs state."""
    table: dict[str, list[Given]] = defaultdict(list)
    for given in _given(repo):
        table[given.subject].append(given)
    for subject, found in sorted(table.items()):
        values = {given.value for given in found}
        if re.search("port|address|listen|bind", subject) and re.search(r"\d{4}", found[0].value):
            continue  # the kind `port` has it
        found = list({(given.path, given.span): given for given in found}.values())
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
    yield from given_in_settings(repo.snapshot)


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
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            node.name in ("__init__", "__new__", "__call__") or not node.name.startswith("_")
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
        new = (next_value(value) if repo.variant == "affix" else another_value(value)) or (
            repo.rename_token(value) if value.isalpha() and value.islower() else ""
        )
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
        for path, span in _told_in_code(repo, subject, value):
            edits[path][span] = Edit(*span, new)
        changes = {path: apply(repo.snapshot.code[path], list(e.values())) for path, e in edits.items()}
        if _given_elsewhere(repo, subject, value, changes):
            return None
        near = repo.docs.all_lines(re.compile(rf"(?<![\w]){re.escape(value)}(?!\w)"))
        language = language_of(found[0].path)
        return honest(
            Mutant("default", language, f"{subject}={value}", f"{subject}={new}", tuple(stale), tuple(near), changes),
            repo,
            None,
        )

    return make


def _given_elsewhere(repo: Repo, subject: str, value: str, changes: dict[str, str]) -> bool:
    """Another line of own code gives the same name the same value: `config.get("storage", "file")`."""
    line = re.compile(
        rf"(?<!\w){re.escape(subject)}[\"']?\s*(?::[^=\n]{{1,60}}=|[,=:])[^=\n]{{0,20}}?"
        rf"(?<![\w.-]){re.escape(value)}(?![\w.-])"
    )
    return any(line.search(changes.get(path, text)) for path, text in repo.snapshot.own.items() if subject in text)


def _told_in_code(repo: Repo, subject: str, value: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Comments that state the default above the line which declares the subject: `@defaultValue 10`."""
    stated = rf"[@(]default\w*[\s:=]{{1,4}}[`\"']?({re.escape(value)})[`\"']?(?![\w.])"
    declared = rf"(?:[^\n]*\n){{1,3}}?\s*[\"']?{re.escape(subject)}[\"']?\??\s*[:=]"
    told = re.compile(stated + declared)
    for path in repo.snapshot.files_with(subject):
        yield from ((path, match.span(1)) for match in told.finditer(repo.snapshot.code[path]))


def next_value(value: str) -> str:
    """The number behind it, or "": what one who turns a screw would write."""
    if re.fullmatch(r"\d+", value):
        return str(int(value) + 1)
    if match := re.fullmatch(r"(\d+)\.(\d+)", value):
        return f"{int(match.group(1)) + 1}.{match.group(2)}"
    return ""


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
    named = re.compile(rf"(?<![\w-])(?:--)?{name}(?![\w-])" if option else rf"(?<![\w-]){name}(?![\w-])")
    same = re.escape(value.removesuffix(".0")) + r"(?:\.0)?" if value.endswith(".0") else re.escape(value)
    says = re.compile(
        rf"default\w*[^.\n]{{0,25}}?(?<![\w.-]){same}(?!\w|[.:-]\w)|^\s*(?:\.\. [\w:]+:: |#+ `?|(?:async )?def "
        rf")[\w.]+\(.*(?<![\w-]){name}(?::\s*\w+\s*)?\s?=\s?[\"']?{same}[\"']?(?=\s*[,)\]])",
        re.IGNORECASE,
    )
    lines = [*repo.docs.told_lines(says), *_cells(repo, same, named)]
    return sorted({place for place in lines if _about(repo, place, named)})


def _cells(repo: Repo, same: str, named: re.Pattern[str]) -> Iterator[Place]:
    """Rows of a table with a column of defaults whose cell there is the value."""
    value = re.compile(rf"^[`*\"'\s]*{same}[`*\"'\s]*$")
    for path, line in repo.docs.told_lines(re.compile(rf"^\s*\|.*(?<![\w.-]){same}(?![\w.-]).*\|\s*$")):
        lines = repo.docs.pages[path].lines
        at = line - 1
        while at > 0 and lines[at - 1].lstrip().startswith("|"):
            at -= 1
        head, cells = _row(lines[at]), _row(lines[line - 1])
        told = [n for n, title in enumerate(head) if re.match(r"(?i)[*`\s]*default", title)]
        if told and told[0] < len(cells) and value.match(cells[told[0]]) and named.search(cells[0]):
            yield path, line


def _row(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


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
