"""Removal without replacement: what a rename would have touched is taken out instead, with the code that belongs to it.

A mutant that renames tells where the old name stands, because its new name stands nowhere else. Of Python whole statements go, as
`ast` tells them; of the other languages lines, with the block that opens on them and the comments and annotations above it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace

from bench.definitions import definitions, parse
from bench.doctext import Place
from bench.files import is_document, language_of
from bench.manifests import toml
from bench.mutants import Mutant, Repo

REMOVABLE = frozenset(
    [
        "file", "directory", "function", "method", "class", "option", "subcommand", "env", "script", "route", "config-key",
        "heading", "module",
    ]
)  # fmt: skip
_WITH_HANDLER = frozenset(["route", "subcommand"])
_OPENED = re.compile(r"(?:[{(\[:]|\bdo(?:\s*\|[^|]*\|)?)\s*$|^\s*(?:def|class|module)\b(?!.*[{:(]\s*$)[^;]*$")
_CLOSING = re.compile(r"^\s*(?:[})\]]|end\b|fi\b|done\b)")
_ABOVE = re.compile(r"^\s*(?:@|#\[|///|//|/\*|\*|#\s)")
_NAMING = re.compile(r"^\s*(?:Name|name|long|Use|command|path|url)\s*[:=]")
_LISTING = re.compile(r"^\s*(?:import|from|export|use|pub use|__all__|module\.exports|const\s*\{|[\w\s,'\"]+,?\s*$)")
_MOST_WORDS = 150
_MOST_LINES = 80
_STATEMENTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def removed(mutant: Mutant, repo: Repo) -> Mutant | None:
    """The removal of what this mutant renames; None where it cannot be taken out without breaking what is beside it."""
    if mutant.kind == "heading":
        return _heading(mutant, repo)
    gone = frozenset(mutant.moves)
    changes: dict[str, str] = {}
    for path, new in mutant.changes.items():
        if path not in gone:
            text = _without(mutant, path, repo.snapshot.code[path], new)
            if text is None:
                return None
            changes[path] = text
    if mutant.kind in ("function", "method", "class") and gone:
        return None  # the file is called like what it defines
    stale = tuple(place for place in mutant.stale if place[0] not in gone)
    beside = _vanished(repo, changes, gone)
    if not stale or beside is None:
        return None
    tolerated = tuple(dict.fromkeys([*mutant.tolerated, *beside, *_options_along(repo, changes, gone)]))
    return replace(
        mutant, new="", stale=stale, tolerated=tolerated, changes=changes, moves={}, deletes=gone, variant="removal"
    )


def _heading(mutant: Mutant, repo: Repo) -> Mutant:
    """The title's line is left empty: what stood below it belongs to the section above."""
    changes = {}
    for path, text in mutant.changes.items():
        lines = repo.snapshot.texts[path].split("\n")
        marked = _marked(lines, text.split("\n"))
        changes[path] = "\n".join("" if at in marked else line for at, line in enumerate(lines))
    return replace(mutant, new="", changes=changes, variant="removal")


def _vanished(repo: Repo, changes: dict[str, str], gone: frozenset[str]) -> list[Place] | None:
    """The lines of documents with words that went along. None if so much went that it is no removal of one thing."""
    word = re.compile(r"\w{3,}")
    before: set[str] = set()
    after: set[str] = set()
    for path in {*changes, *gone}:
        before.update(word.findall(repo.snapshot.code.get(path, "")))
        after.update(word.findall(changes.get(path, "")))
    touched = {*changes, *gone}
    lost = {w for w in before - after if w in repo.docs.code_words and not set(repo.snapshot.files_with(w)) - touched}
    for path in gone:  # the code that uses them stays, and still they are not there any more
        lost |= {d.name for d in definitions(path, repo.snapshot.code.get(path, "")) if d.name in repo.docs.code_words}
    if len(lost) > _MOST_WORDS:
        return None
    places = (
        repo.docs.all_lines(re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, lost)))})(?!\w)")) if lost else []
    )
    return places if len(places) <= _MOST_LINES * 4 else None


def _options_along(repo: Repo, changes: dict[str, str], gone: frozenset[str]) -> list[Place]:
    """The lines with options that the code which went had registered: a command takes its options along."""
    lost: set[str] = set()
    for one in repo.registrations:
        if one.path in changes or one.path in gone:
            word = re.compile(rf"(?<!\w){re.escape(one.name)}(?![\w-])")
            left = len(word.findall(changes.get(one.path, "")))
            if left < len(word.findall(repo.snapshot.code[one.path])):
                lost.add(re.escape(one.name))
    return repo.docs.all_lines(re.compile(rf"(?<![\w-])--(?:{'|'.join(sorted(lost))})(?![\w-])")) if lost else []


def _marked(old: list[str], new: list[str]) -> set[int]:
    """The lines that the rename touched; where it added one, the line that it was added to."""
    if len(old) == len(new):
        return {at for at, (one, other) in enumerate(zip(old, new, strict=True)) if one != other}
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return set(range(head, max(head + 1, len(old) - tail)))


def _without(mutant: Mutant, path: str, old: str, new: str) -> str | None:
    lines = old.split("\n")
    marked = _marked(lines, new.split("\n"))
    if mutant.kind == "script":
        return _script(mutant, path, lines, new.split("\n"), marked)
    if language_of(path) == "python" and parse(old) is not None:
        text = _python(mutant, old, marked)
    else:
        text = _plain(mutant, lines, marked)
    if path.endswith(".json"):
        text = re.sub(r",(\s*[}\]])", r"\1", text)
        return text if _is_json(text) or not _is_json(old) else None
    return text if language_of(path) != "python" or parse(text) is not None or parse(old) is None else None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _script(mutant: Mutant, path: str, lines: list[str], new: list[str], marked: set[int]) -> str | None:
    """The script itself goes; where others call it, they call nothing."""
    runner, name = mutant.old.split(" ", 1)
    renamed = re.escape(mutant.new.split(" ", 1)[1])
    word = re.escape(name)
    head = re.compile(rf"^\s*(?:@?{word}\b[^=]*:(?!=)|\"{word}\"\s*:|def {word}\(|\[.*\b{word}\]|\"?{word}\"?\s*=)")
    call = re.compile(
        rf"(?:npm|yarn|pnpm|bun|make|just|tox|nox|poe|pdm|hatch)\b[^&|;\"\n]*?(?<![\w-]){renamed}(?![\w-])"
    )
    drop: set[int] = set()
    kept = dict(enumerate(lines))
    for at in sorted(marked):
        if head.match(lines[at]):
            end = at + 1
            indented = not path.endswith(".json")
            while (
                indented
                and end < len(lines)
                and (
                    lines[end].startswith((" ", "\t"))
                    or (runner in ("tox", "hatch") and lines[end] and not lines[end].startswith("["))
                )
            ):
                end += 1
            start = at
            while start and runner == "nox" and lines[start - 1].startswith("@"):
                start -= 1
            drop.update(range(start, end))
        else:
            kept[at] = call.sub("true", new[at])
            if re.fullmatch(rf"\s*[\"']?{renamed}[\"']?,?\s*", kept[at]):
                drop.add(at)  # an entry of a list
            kept[at] = re.sub(
                rf"([\"'])?{renamed}(?(1)\1),\s*|[, ]*([\"'])?(?<![\w-]){renamed}(?![\w-])(?(2)\2)", "", kept[at]
            )
    if not drop:
        return None
    text = "\n".join(kept[at] for at in range(len(lines)) if at not in drop)
    if path.endswith(".json"):
        text = re.sub(r",(\s*[}\]])", r"\1", text)
        return text if _is_json(text) else None
    return text if not path.endswith(".toml") or toml(text) else None


def _plain(mutant: Mutant, lines: list[str], marked: set[int]) -> str:
    drop: set[int] = set()
    kept = dict(enumerate(lines))
    for at in sorted(marked):
        shorter = _shorter(mutant, lines[at])
        if shorter is not None:
            kept[at] = shorter
        elif at not in drop:
            drop.update(_chunk(mutant.kind, lines, at))
    return "\n".join(kept[at] for at in range(len(lines)) if at not in drop)


def _shorter(mutant: Mutant, line: str) -> str | None:
    """A line that lists the name beside others, without it."""
    if mutant.kind not in ("function", "method", "class") or "," not in line or not _LISTING.match(line):
        return None
    name = rf"[\"']?(?<!\w){re.escape(mutant.old)}(?!\w)[\"']?"
    text = re.sub(rf"{name}\s*,\s*|,\s*{name}", "", line, count=1)
    return text if text.strip(" ,") and not re.search(rf"(?<!\w){re.escape(mutant.old)}(?!\w)", text) else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _chunk(kind: str, lines: list[str], at: int) -> range:
    start = end = at
    while kind in ("option", "subcommand", "route") and start and _is_inside(lines, start):
        start = end = start - 1
    if lines[start].lstrip().startswith(("@", "#[")):
        while kind != "option" or lines[start].lstrip().startswith("#["):
            end = _block_end(lines, end)
            if end + 1 >= len(lines) or not lines[end].lstrip().startswith(("@", "#[", "///")):
                break
            end += 1
        return range(start, end + 1)
    end = _block_end(lines, end)
    if end > at:
        while (
            start
            and lines[start - 1].strip()
            and _indent(lines[start - 1]) >= _indent(lines[at])
            and _ABOVE.match(lines[start - 1])
        ):
            start -= 1
    return range(start, end + 1)


def _is_inside(lines: list[str], at: int) -> bool:
    """The line is the first of a call, or names what a literal declares."""
    above = lines[at - 1].rstrip()
    return (
        above.endswith(("(", "{"))
        and _indent(lines[at - 1]) < _indent(lines[at])
        and (above.endswith("(") or bool(_NAMING.match(lines[at])))
    )


def _block_end(lines: list[str], at: int) -> int:
    """The last line of the block that opens on this line, or the line itself."""
    base = _indent(lines[at])
    while _OPENED.search(lines[at]) and at + 1 < len(lines):
        end = at
        while end + 1 < len(lines) and (not lines[end + 1].strip() or _indent(lines[end + 1]) > base):
            end += 1
        while end > at and not lines[end].strip():
            end -= 1
        if end + 1 < len(lines) and _CLOSING.match(lines[end + 1]) and _indent(lines[end + 1]) == base:
            end += 1
            if lines[end].lstrip().startswith("end"):
                return end
        if end == at:
            return at
        at = end
        if not _CLOSING.match(lines[at]):
            return at
    return at


def _python(mutant: Mutant, text: str, marked: set[int]) -> str:
    """Statements by `ast`. One that others stand in becomes `pass`, so that what is around it stays whole."""
    tree = parse(text)
    assert tree is not None
    lines = text.split("\n")
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    kept: dict[int, str | None] = dict(enumerate(lines))
    for at in sorted(marked):
        if kept[at] is None:
            continue  # it went with what is around it
        shorter = _shorter(mutant, lines[at])
        if shorter is not None or lines[at].lstrip().startswith("#"):
            kept[at] = shorter
            continue
        if mutant.kind in ("function", "method", "class") and re.match(
            rf"\s*[\"']?{re.escape(mutant.old)}[\"']?,\s*$", lines[at]
        ):
            kept[at] = None
            continue
        around = [n for n in statements if _first(n) <= at + 1 <= (n.end_lineno or n.lineno)]
        if not around:
            continue
        node = min(around, key=lambda n: (n.end_lineno or n.lineno) - _first(n))
        first, last = _first(node), node.end_lineno or node.lineno
        if mutant.kind not in _WITH_HANDLER and isinstance(node, _STATEMENTS):
            for decorator in node.decorator_list:
                if decorator.lineno <= at + 1 <= (decorator.end_lineno or decorator.lineno):
                    first, last = decorator.lineno, decorator.end_lineno or decorator.lineno
                    for line in range(first - 1, last):
                        kept[line] = None
                    break
            else:
                _blank(kept, lines, first, last)
            continue
        _blank(kept, lines, first, last)
        for start, end in _calls_on(node, statements):
            _blank(kept, lines, start, end)
    return "\n".join(line for line in (kept[at] for at in range(len(lines))) if line is not None)


def _calls_on(gone: ast.stmt, statements: list[ast.stmt]) -> Iterator[tuple[int, int]]:
    """The statements that do something to what the one that went had made: `serve.add_argument(…)` after `serve = …`."""
    if not isinstance(gone, ast.Assign) or len(gone.targets) != 1 or not isinstance(gone.targets[0], ast.Name):
        return
    name = gone.targets[0].id
    for node in statements:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.lineno > gone.lineno:
            function = node.value.func
            owner = function.value if isinstance(function, ast.Attribute) else None
            if isinstance(owner, ast.Name) and owner.id == name:
                yield node.lineno, node.end_lineno or node.lineno


def _first(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, _STATEMENTS) else []
    return min([node.lineno, *(d.lineno for d in decorators)])


def _blank(kept: dict[int, str | None], lines: list[str], first: int, last: int) -> None:
    for line in range(first - 1, last):
        kept[line] = None
    kept[first - 1] = f"{' ' * _indent(lines[first - 1])}pass"


def is_removable(mutant: Mutant) -> bool:
    """Whether taking out says something that renaming does not."""
    return mutant.kind in REMOVABLE and (mutant.kind == "heading" or not any(is_document(p) for p in mutant.changes))
