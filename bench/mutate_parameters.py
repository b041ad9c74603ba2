"""Mutants of parameters with common names (`timeout`): renamed in one function and in the calls of it, not everywhere.

Only of Python, whose `ast` tells what belongs to the function.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bench.definitions import parse
from bench.doctext import Page, Place
from bench.files import is_scored, language_of
from bench.keepers import takes_it_first
from bench.mutants import Mutant, Proposal, Repo, honest, whole_word
from bench.registrations import Edit, Spans, apply

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LONGEST_CALL = 2_000


@dataclass(frozen=True)
class Callee:
    """A function as it is called: by its own name, or by its class's if it is the constructor."""

    name: str
    path: str
    node: _Function


def parameters(repo: Repo) -> Iterator[Proposal]:
    """Parameters that docs pass by name, or show in a signature, to a function that is defined once."""
    callees: dict[str, list[Callee]] = defaultdict(list)
    for path, text in sorted(repo.snapshot.own.items()):
        tree = parse(text) if language_of(path) == "python" else None
        for callee in _callees(path, tree) if tree else ():
            callees[callee.name].append(callee)
    for name, found in sorted(callees.items()):
        if len(found) == 1 and len(repo.definitions.get(name, [])) == 1 and name in repo.docs.code_words:
            for argument in _named(found[0].node):
                yield Proposal("parameter", f"{name}({argument})", _renamed(repo, found[0], argument), rank=1)


def _callees(path: str, tree: ast.Module) -> Iterator[Callee]:
    for node in tree.body:
        if isinstance(node, _Function):
            yield Callee(node.name, path, node)
        elif isinstance(node, ast.ClassDef):
            for child in node.body:
                if isinstance(child, _Function):
                    yield Callee(node.name if child.name == "__init__" else child.name, path, child)


def _named(function: _Function) -> list[str]:
    """The parameters that a call may name, if nothing else would take the old name."""
    decorated = any("option" in ast.dump(d) or "argument" in ast.dump(d) for d in function.decorator_list)
    if function.args.kwarg or decorated or (function.name.startswith("_") and function.name != "__init__"):
        return []
    arguments = [*function.args.args, *function.args.kwonlyargs]
    return [a.arg for a in arguments if a.arg not in ("self", "cls") and len(a.arg) >= 4]


def _renamed(repo: Repo, callee: Callee, argument: str) -> Callable[[], Mutant | None]:
    def make() -> Mutant | None:
        new = repo.rename(argument)
        stale = [place for page in _pages(repo) for place in _passing(page, callee.name, argument)]
        if not new or not stale or keyword.iskeyword(new):
            return None
        text = repo.snapshot.code[callee.path]
        if callee.node.name == "__init__" and takes_it_first(text, callee.name, argument, repo.snapshot.own):
            return None
        removal = repo.variant == "removal"
        changes = _dropped(repo, callee, argument) if removal else _changes(repo, callee, argument, new)
        near = repo.docs.all_lines(whole_word(argument))
        old, fresh = f"{callee.name}({argument})", "" if removal else f"{callee.name}({new})"
        variant = "removal" if removal else "rename"
        mutant = Mutant("parameter", "python", old, fresh, tuple(stale), tuple(near), changes, variant=variant)
        return honest(mutant, repo, None)

    return make


def _pages(repo: Repo) -> Iterator[Page]:
    return (page for page in repo.docs.pages.values() if is_scored(page.path))


def _passing(page: Page, name: str, argument: str) -> Iterator[Place]:
    """Lines on which a call or a signature of the function names the argument, over several lines of a block too."""
    opened = re.compile(rf"(?<![\w]){re.escape(name)}\(")
    named = re.compile(rf"(?<![\w.]){re.escape(argument)}\s*(?:=(?!=)|:\s*\w+[^=,()]*=)")
    for number in sorted(page.code):
        if number in page.untold:
            continue
        for part in page.code[number]:
            for call in opened.finditer(part):
                yield from _in_call(page, number, part[call.end() :], named)


def _in_call(page: Page, number: int, rest: str, named: re.Pattern[str]) -> Iterator[Place]:
    depth, line = 1, number
    while line - number < 30:
        own = _outermost(rest, depth)
        if named.search(own[0]):
            yield page.path, line
        depth = own[1]
        line += 1
        if depth <= 0 or line not in page.blocks:
            return
        rest = page.lines[line - 1][:_LONGEST_CALL]


def _outermost(text: str, depth: int) -> tuple[str, int]:
    """The part of the text that belongs to the call itself and not to one inside it, and how deep the text ends."""
    kept: list[str] = []
    for sign in text[:_LONGEST_CALL]:
        depth += (sign in "([{") - (sign in ")]}")
        if depth <= 0:
            break
        kept.append(sign if depth == 1 else " ")
    return "".join(kept), depth


def _python_files(repo: Repo, word: str) -> Iterator[tuple[str, str, ast.Module]]:
    """The files of Python that have a word and can be parsed, each with its tree."""
    for path in repo.snapshot.files_with(word):
        text = repo.snapshot.code[path]
        tree = parse(text) if language_of(path) == "python" else None
        if tree is not None:
            yield path, text, tree


def _changes(repo: Repo, callee: Callee, argument: str, new: str) -> dict[str, str]:
    changes: dict[str, str] = {}
    for path, text, tree in _python_files(repo, argument):
        edits = [Edit(at, at + len(argument), new) for at in _uses(text, tree, callee, path, argument)]
        if edits:
            changes[path] = apply(text, edits)
    return changes


def _dropped(repo: Repo, callee: Callee, argument: str) -> dict[str, str]:
    """The function without the argument, whose default stands in its place; the calls without it."""
    changes: dict[str, str] = {}
    for path, text, tree in _python_files(repo, argument):
        edits = list(_cuts(text, tree, callee, path, argument))
        result = apply(text, edits) if edits else text
        if parse(result) is None:
            return {}
        if edits:
            changes[path] = result
    return changes if callee.path in changes else {}


def _cuts(text: str, tree: ast.Module, callee: Callee, path: str, argument: str) -> Iterator[Edit]:
    spans = Spans(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == callee.name:
            for given in node.keywords:
                if given.arg == argument:
                    end = spans.of(given.value)[1]
                    yield _with_comma(text, text.rindex(argument, 0, spans.of(given.value)[0]), end)
    if path == callee.path:
        arguments = callee.node.args
        defaults = dict(zip([a.arg for a in reversed(arguments.args)], reversed(arguments.defaults), strict=False))
        defaults |= {a.arg: d for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d}
        default = defaults.get(argument)
        for node in [*arguments.args, *arguments.kwonlyargs]:
            if node.arg == argument:
                yield _with_comma(text, spans.of(node)[0], spans.of(default or node)[1])
        instead = ast.unparse(default) if default else "None"
        for child in (n for statement in callee.node.body for n in ast.walk(statement)):
            if isinstance(child, ast.Name) and child.id == argument and isinstance(child.ctx, ast.Load):
                yield Edit(*spans.of(child), instead)
        described = callee.node.body[0]
        if isinstance(described, ast.Expr) and isinstance(described.value, ast.Constant):
            for match in whole_word(argument).finditer(text, *spans.of(described.value)):
                yield Edit(*match.span(), "it")


def _with_comma(text: str, start: int, end: int) -> Edit:
    """The stretch with the comma that parts it from its neighbour."""
    if behind := re.compile(r"\s*,\s*").match(text, end):
        return Edit(start, behind.end(), "")
    before = re.search(r"\s*,\s*$", text[max(0, start - 200) : start])
    return Edit(start - len(before.group()) if before else start, end, "")


def _uses(text: str, tree: ast.Module, callee: Callee, path: str, argument: str) -> Iterator[int]:
    """Where the name has to change: in the function, and where it is passed by name in a call of it."""
    spans = Spans(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == callee.name:
            for given in node.keywords:
                if given.arg == argument:
                    yield text.rindex(argument, 0, spans.of(given.value)[0])
    if path == callee.path:
        for node in ast.walk(callee.node):
            if (isinstance(node, ast.arg) and node.arg == argument) or (
                isinstance(node, ast.Name) and node.id == argument
            ):
                yield spans.of(node)[0]
        described = callee.node.body[0]
        if isinstance(described, ast.Expr) and isinstance(described.value, ast.Constant):
            start, end = spans.of(described.value)
            yield from (m.start() for m in whole_word(argument).finditer(text, start, end))


def _called(call: ast.Call) -> str:
    function = call.func
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
