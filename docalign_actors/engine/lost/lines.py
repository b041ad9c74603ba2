"""What the last commits took out of own files, line by line, and where documents write something as code."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from docalign_actors.engine.code.reader import MANIFESTS, SOURCE_LIMIT, language_of
from docalign_actors.engine.differential import VERY_FRESH
from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.documents.tone import is_historical, is_history_title, is_mapping, sentence_ends
from docalign_actors.engine.judging import PastAsker
from docalign_actors.engine.kinds.shared.programs import stands_aside
from docalign_actors.engine.ports import PastBlob
from docalign_actors.engine.roles import is_aside, is_for_other_tools, is_foreign, is_own_code
from docalign_actors.engine.world import World

_MOST_FILES = 600
"""Files that the last commits changed. More than that is an import or a reformatting, and tells nothing."""
_MOST_COMPARED = 20
"""Lines that are compared to learn under which name a thing goes on."""
LONGEST_LINE = 1_000
MOST_SEARCHED = 6_000
"""Files that are gone through to see whether something is still there; of larger repositories nothing is told this way."""
SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_LEAST = 6

TOKEN = re.compile(r"[A-Za-z_][\w-]*\w")
_ALONE = re.compile(r"[A-Za-z_][\w-]*\w(?:\.[A-Za-z_][\w-]*\w){0,4}")
"""A name, or several that lead to one: `chart.homepageLine`."""
_JOINED = re.compile(r"[A-Za-z0-9][_-][A-Za-z0-9]|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{3}")
"""Two words in one: hardly English, hardly a name that somebody else has chosen too."""
_ASSIGNED = re.compile(
    r"^\s*(?:export |override |ENV |ARG )?(?P<name>[A-Za-z_][\w-]*\w)\s*(?:[?:+]?=|:(?!=))|^(?:ENV|ARG) (?P<given>[A-Z]\w+)"
)
_OWN_NAMES = frozenset({"makefile", "dockerfile", "ini", "properties", "dotenv"})
"""Files of settings whose names are chosen by whoever writes them."""
_DEFAULT_VARIABLES = re.compile(r"\.env(?:\.(?:defaults?|dist))?")
"""The variables that a program sets where nobody else does; those of an example are anybody's choice."""
HOOKS = ".pre-commit-hooks.yaml"
COMMENT = re.compile(r"\s*(?://|/?\*|#(?!\[|define)|<!--|--\s)")
"""A line that is all comment, in most languages."""
_TRIPLE = re.compile("\"\"\"|'''")
BORROWS = re.compile(
    r"^\s*(?:import|from|use|using|require|include|#include|package|export \*)\b"
    r"|\brequire(?:\.resolve)?\s*\(|\bimport(?:_module)?\s*\(|\bfrom\s*['\"]"
)
"""Lines that name what others define."""

_MODULE = ("mod ", "pub mod ", "pub(crate) mod ")


class Edit(Struct, frozen=True):
    """A file that the last commits changed: the lines that went, those that came, and the words that only the former have."""

    blob: PastBlob
    gone: list[str]
    come: list[str]
    words: frozenset[str]
    before: list[str] = []
    """All lines of the earlier version."""
    data: bool = False
    """A manifest or a file of settings: its values tell something, its names are other tools'."""
    alike: tuple[int, int] = (0, 0)
    """How many lines both versions begin with, and end with: what went stood between them."""
    kept: frozenset[tuple[str, str]] = frozenset()
    """The lines of the present version together with the next, if one of several equal lines went: to tell which."""

    @property
    def numbered(self) -> Iterator[tuple[int, str]]:
        """The lines that went, with their places in the earlier version."""
        left = Counter(self.gone)
        first, last = self.alike
        places: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.before[first : len(self.before) - last], first):
            if line[:LONGEST_LINE] in left:
                places[line[:LONGEST_LINE]].append(number)
        for line, numbers in places.items():
            if len(numbers) > left[line]:  # of ten equal lines, the one that stood beside what still stands here stayed
                numbers.sort(key=self._neighbours)
        went = ((number, line) for line, numbers in places.items() for number in numbers[: left[line]])
        yield from sorted(went)

    def _neighbours(self, number: int) -> int:
        """How many of the lines above and below a line stand beside such a line still."""
        beside = [line[:LONGEST_LINE] for line in self.before[max(0, number - 1) : number + 2]]
        return sum(pair in self.kept for pair in pairwise(beside))


def code_gone(edit: Edit) -> Iterator[str]:
    """The lines that went, without those of Python's docstrings: an example in one defines nothing."""
    if language_of(edit.blob.path) != "python":
        yield from edit.gone
        return
    texts = _docstrings(edit.before)
    yield from (line for number, line in edit.numbered if number not in texts)


def tests_within(edit: Edit) -> set[int]:
    """The numbers of the lines of a Rust file's own tests, below a mark for the compiler: what they give and name is theirs."""
    found: set[int] = set()
    if language_of(edit.blob.path) == "rust":
        marked = within = False
        for number, line in enumerate(edit.before):
            within = within or (marked and line.startswith(_MODULE) and line.rstrip().endswith("{"))
            if within:
                found.add(number)
            marked = line.startswith("#[cfg(test)]") or (marked and line.startswith("#["))
            within = within and not line.startswith("}")
    return found


def _docstrings(lines: Sequence[str]) -> set[int]:
    """The numbers of the lines within strings of several lines, those that begin and end them included."""
    found: set[int] = set()
    mark = ""
    for number, line in enumerate(lines):
        if mark:
            found.add(number)
            mark = "" if line.count(mark) % 2 else mark
        elif (opened := _TRIPLE.search(line)) is not None and line.count(opened[0]) % 2:
            found.add(number)
            mark = opened[0]
    return found


def edits_of(world: World, asker: PastAsker) -> Iterator[Edit]:
    """What the last commits took away from own files. Its words are joined ones that the files have not any more."""
    blobs = [
        blob for blob in asker.blobs if blob.age <= VERY_FRESH and (_tells(blob.path, world) or _is_data(blob.path))
    ]
    blobs = blobs if len(blobs) <= _MOST_FILES else []
    moved = asker.history.removed(blob.path for blob in blobs if blob.path not in world.files)
    for blob in blobs:
        then = asker.history.source.read(blob.path, blob.oid, SOURCE_LIMIT + 1)
        if len(then) > SOURCE_LIMIT or b"\0" in then[:8192]:
            continue
        # A class that gets another name takes its file along.
        path = moved[blob.path].successor if blob.path in moved else blob.path
        now = world.tree.read(path, SOURCE_LIMIT) if path in world.files else b""
        gone = _other_lines(then, now)
        kept = set(TOKEN.findall(now.decode("utf-8", "replace")))
        data = not _tells(blob.path, world)
        named = () if _is_setup(blob.path) else _assigned(gone, blob.path)
        words = frozenset(named if data else filter(_is_telling, _tokens(gone))) - kept
        if gone:
            lines = then.decode("utf-8", "replace").split("\n")
            pairs = _pairs(now) if _are_repeated(gone, lines) else frozenset()
            yield Edit(blob, gone, _other_lines(now, then), words, lines, data, _alike(then, now), pairs)


def _are_repeated(gone: Sequence[str], lines: Sequence[str]) -> bool:
    """The earlier version had some line that went more often than it went."""
    left, had = Counter(gone), Counter(line[:LONGEST_LINE] for line in lines)
    return any(line.strip() and had[line] > count for line, count in left.items())


def _pairs(data: bytes) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(line[:LONGEST_LINE] for line in data.decode("utf-8", "replace").split("\n")))


def _tokens(lines: Sequence[str]) -> Iterator[str]:
    return (word for line in lines for word in TOKEN.findall(line))


def _assigned(lines: Sequence[str], path: str) -> Iterator[str]:
    """The names that a file of settings gives values to, where they are its own: a variable of a Makefile, a key."""
    for line in lines if language_of(path) in _OWN_NAMES else ():
        match = _ASSIGNED.match(line)
        name = (match["name"] or match["given"]) if match is not None else ""
        if _is_telling(name) or (name.isupper() and len(name) >= _LEAST):
            yield name


def _is_data(path: str) -> bool:
    """A manifest or a file of settings that is the repository's own, and no pipeline's."""
    hidden = path.startswith(".") and not (_DEFAULT_VARIABLES.fullmatch(path) or path == HOOKS)
    if _is_setup(path):
        return is_own_code(path)
    return language_of(path) in MANIFESTS and is_own_code(path) and not (hidden or is_aside(path))


def _is_setup(path: str) -> bool:
    """The manifest that is a program: what it is called with are words of its tool."""
    return path == "setup.py" or path.endswith("/setup.py")


def _tells(path: str, world: World) -> bool:
    """Code that documentation speaks of: no manifest, no build script, no pipeline."""
    if language_of(path) in MANIFESTS or is_foreign(path):
        return False
    return is_own_code(path) and not (stands_aside(path, world) or is_for_other_tools(path))


def _is_telling(word: str) -> bool:
    return len(word) >= _LEAST and is_joined(word) and not word.startswith("_")


def is_joined(word: str) -> bool:
    """Two words in one: hardly English, hardly a name that somebody else has chosen too."""
    return _JOINED.search(word) is not None


def _other_lines(these: bytes, those: bytes) -> list[str]:
    """The lines of one version that the other has not."""
    kept = Counter(those.split(b"\n"))
    others: list[str] = []
    for line in these.split(b"\n"):
        kept[line] -= 1
        if kept[line] < 0:
            others.append(line[:LONGEST_LINE].decode("utf-8", "replace"))
    return others


def _alike(then: bytes, now: bytes) -> tuple[int, int]:
    """How many lines two versions begin with, and how many of the others they end with."""
    before, after = then.split(b"\n"), now.split(b"\n")
    most = min(len(before), len(after))
    first = next((n for n in range(most) if before[n] != after[n]), most)
    most -= first
    return first, next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)


def alike_languages(path: str) -> frozenset[str]:
    """The languages whose code may stand for that of the file's own."""
    language = language_of(path)
    return SCRIPTS if language in SCRIPTS else frozenset({language})


def renamed_to(name: str, gone: Sequence[str], come: Sequence[str]) -> str:
    """The one other name that stands on every line which is otherwise the same, "" if there is none or more than one.

    On a line with longer names that hold this one, those may have changed with it: `port`, `port_given`.
    """
    whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    successors: set[str] = set()
    others: list[str] = []
    for line in [line for line in gone if whole.search(line)][:_MOST_COMPARED]:
        like = re.compile(r"([\w-]+)".join(map(re.escape, whole.split(line))))
        heirs = [match.groups() for other in come if (match := like.fullmatch(other))]
        if not heirs:
            others.append(line)
            like = re.compile(_repeated(line.split(name)))
            heirs = [match.groups() for other in come if (match := like.fullmatch(other))]
        successors.update(heir for groups in heirs for heir in groups)
    heir = successors.pop() if len(successors) == 1 else ""
    return heir if heir and all(line.replace(name, heir) in come for line in others) else ""


def _repeated(pieces: Sequence[str]) -> str:
    """A pattern of the pieces with one and the same name between them."""
    first, *rest = map(re.escape, pieces)
    return first + "".join((r"([\w-]+?)" if not number else r"\1") + piece for number, piece in enumerate(rest))


def words_in(block: Block) -> Iterator[Inline]:
    """What is written as code, and what stands alone: a term of a list, a cell, a title, a word in bold, or an option there."""
    yield from code_in(block)
    if not (block.historical or is_mapping([cell.header for cell in block.cells])):
        yield from (
            i for i in block.every_inline() if i.kind == "text" and _ALONE.fullmatch(i.text.lstrip("-").rstrip("="))
        )


def code_in(block: Block) -> Iterator[Inline]:
    """What is written as code, unless it tells of the past."""
    if block.historical and (block.kind == "code" or any(map(is_history_title, block.section))):
        return
    if is_mapping([cell.header for cell in block.cells]):  # a table of old names against new ones
        return
    for inline in block.every_inline():
        if inline.kind != "text" and not (block.historical and _is_of_the_past(inline, block)):
            yield inline
    if block.kind == "code":
        yield from block.lines


def _is_of_the_past(inline: Inline, block: Block) -> bool:
    """The sentence that it stands in tells of the past, not only another one of the same paragraph."""
    text = block.text
    ends = [0, *sentence_ends(text), len(text)]
    told = [text[a:b] for a, b in pairwise(ends) if inline.text in text[a:b]]
    return not told or any(map(is_historical, told))
