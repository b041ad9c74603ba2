"""Drawings of a tree of files: whether it is this repository's tree, and what of it is not there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import is_example
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict

_STANDS_FOR_ANY = re.compile(
    r"(?:^|[/_.-])(?:my|your)[-_]?(?:test|app|module|project|package|plugin|file|class|script|feature|component|page|model|service|lib)"
    r"|(?:^|/)[a-z]{1,6}-(?:\d{1,4}|[xn]{1,4})(?:[-_.]|$)",
    re.IGNORECASE,
)
"""`my-plugin`; `T-123.md` and `ADR-NNN.md`, one of many that are numbered."""
_OR = re.compile(r"\.\w{1,5}/\w{1,5}$")
"""`popup.html/js`: two files that are told as one."""

_MADE = frozenset({".venv", "venv", "node_modules", "__pycache__", ".git", ".pytest_cache", ".mypy_cache"})
"""What tools make in everybody's copy and nobody keeps, whether or not a `.gitignore` says so."""

ANY = "<>"
"""In place of a name that stands for many: what is drawn below it lies in each of them, and nowhere else."""
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)+/?")
_LONGEST_LINE = 400
_DEEP = 2
"""Folders above an entry, by which its place can be told."""
_WORDS = re.compile(r" [a-z]+,? [a-z]+")
_FILE = re.compile(
    r"[\w-]\.(?:py|pyi|jsx?|tsx?|mjs|cjs|go|rs|java|kt|rb|php|cs|cpp|cc|hpp|swift|css|scss|html|md|json|ya?ml|toml|sh)$"
)
_WORD = re.compile(r" [a-z]+\s*")
_CAPITALISED = re.compile(r"(?!\w{2,8}file$)[A-Z][a-z]+")
_MANY = re.compile(r"[<>{}*$…]|\.\.\.")
_TO_COME = re.compile(
    r"\b(?:coming|planned|future|upcoming|proposed|todo|tbd|wip|to be (?:added|created|implemented|done|written)|not yet|phase \d"
    r"|(?:git)?ignored|git-ignored|not (?:committed|tracked|checked in)|generated|created (?:at|by|on|when|after|during)"
    r"|at run-?time|optional|build (?:output|artifacts?|artefacts?)|geplant|neu|prévu|nouveau|planificado|nuevo|futuro)\b"
    r"|[\[(（【](?:new|add(?:ed)?|create|optional)[\])）】]|新增|新建|待|计划|規劃|规划|予定|新規|추가|예정|생성",
    re.IGNORECASE,
)
"""What a note beside an entry says of one that is not there yet, or never kept in the repository."""


def stands_for_itself(name: str, rest: str) -> bool:
    """An entry is called just so: neither `<id>`, `tasks/<id>`, `{service}` nor `an old note`.

    `rest`: what follows the name on its line.
    """
    words = "." not in name and "/" not in name and _WORDS.match(rest) is not None
    return not _MANY.search(name) and not rest.startswith("<") and not words


def is_drawn_file(name: str) -> bool:
    """An entry that can hold no others: `main.py`."""
    return _FILE.search(name) is not None


def words_in(drawn: Sequence[tuple[str, str, str]]) -> frozenset[str]:
    """Entries at the ends of a drawing that say in words what is there: `Rate limiting`, and `Firewall` beside it.

    drawn   path, name as written, and what follows it on its line
    """
    folders = {posixpath.dirname(path) for path, *_ in drawn}
    ends = [(p, name, rest) for p, name, rest in drawn if p not in folders and "." not in name and name[-1] != "/"]
    # `bin scripts` may be a folder and what is in it.
    said = {p for p, name, rest in ends if _WORD.fullmatch(rest) and ("/" in name or name[:1].isupper())}
    within = {posixpath.dirname(path) for path in said if posixpath.basename(path)[:1].isupper()}
    # Beside phrases a capitalised word is one of them; `LICENSE` and `Makefile` stand for themselves.
    beside = {p for p, name, _ in ends if posixpath.dirname(p) in within and _CAPITALISED.fullmatch(name)}
    return frozenset(said | beside)


def is_yet_to_come(note: str) -> bool:
    """The words beside an entry of a drawing say that it is planned, or made by a program."""
    return _TO_COME.search(note) is not None


def is_readers_own(root: str) -> bool:
    """A drawing that begins with this folder shows the reader's own project: `my_app/`."""
    return _STANDS_FOR_ANY.match(root) is not None


def is_our_drawing(claim: Claim, world: World) -> bool:
    """Of the entries that are not below the one that went, half or more are there."""
    others = [s for s in claim.value.split("\n") if s and s != claim.subject and not s.startswith(claim.subject + "/")]
    return 2 * _there(others, claim, world) >= len(others)


def is_of_something_else(claim: Claim, removal: Removal, world: World) -> bool:
    """A drawing of other files than this repository's: those of the example that its page tells of, or too little is there."""
    folder = posixpath.dirname(claim.file)
    if is_example(claim.file) and not f"{removal.path}/".startswith(f"{folder}/"):
        return True
    shown = [s for s in claim.value.split("\n") if s]
    return not removal.recent and 2 * _there(shown, claim, world) < len(shown)


def is_there(claim: Claim, world: World) -> bool:
    """The entry lies where most of what is drawn lies, or at the root."""
    entries = [s for s in claim.value.split("\n") if s]
    return world.exists(posixpath.join(_base(entries, claim, world), claim.subject)) or world.exists(claim.subject)


def judge_drawing(claim: Claim, world: World) -> Judgement:
    """A drawing of our own tree: nearly all that it shows is there, and this is not."""
    siblings = [s for s in claim.value.split("\n") if s]
    there = _there(siblings, claim, world)
    if _STANDS_FOR_ANY.search(claim.subject):
        return uncertain("a name that stands for any other")
    folder, name = posixpath.split(claim.subject)
    if _is_told_to_lie_elsewhere(name, claim, world):
        return uncertain("the note beside it says where it lies")
    if name in _MADE or world.is_ignored(posixpath.join(_base(siblings, claim, world), claim.subject)):
        return uncertain("it is made at run time")
    if _OR.search(claim.subject) and _there(_either(claim.subject), claim, world) == 2:
        return uncertain("two files that are told as one: `popup.html/js`")
    if "-" in name and _there([posixpath.join(folder, end) for end in _ends(name)], claim, world) == len(_ends(name)):
        return uncertain("all from the one to the other: `py311-py314`")
    if len(siblings) < 5 or there < 0.8 * len(siblings) or claim.hypothetical:
        return uncertain("not in the repository, and it never was")
    message = f"The drawing shows `{claim.subject}`, which is not in the repository."
    return Judgement(
        Verdict.DRIFTED,
        "missing-path",
        message,
        (Evidence(f"{there} of {len(siblings)} other entries are there"),),
        0.8,
    )


def _is_told_to_lie_elsewhere(name: str, claim: Claim, world: World) -> bool:
    """`Messages/  # shares the student/Messages/ page`: the note names a place of this name that is there."""
    note = world.line(claim)[:_LONGEST_LINE].decode("utf-8", "replace").partition(claim.text)[2]
    named = (posixpath.normpath(match) for match in _PATH.findall(note))
    return any(
        posixpath.basename(path) == name
        and path != claim.subject
        and any(f"/{known}".endswith(f"/{path}") for known in (*world.by_name.get(name, ()), *world.directories))
        for path in named
    )


def _there(entries: list[str], claim: Claim, world: World) -> int:
    return _those_below(_base(entries, claim, world), entries, world)


def _base(entries: list[str], claim: Claim, world: World) -> str:
    """The folder that is drawn: the one in which most of the entries are."""
    bases = {"", claim.owner, posixpath.dirname(claim.file), *_drawn_folder(entries, world)}
    return max(sorted(bases), key=lambda base: _those_below(base, entries, world))


def _those_below(base: str, entries: list[str], world: World) -> int:
    return sum(1 for entry in entries if world.exists(posixpath.join(base, entry)))


def _drawn_folder(entries: list[str], world: World) -> list[str]:
    """The folder that is drawn, where the drawing does not say which: that of the one file that its deepest entry can be."""
    deepest = max(entries, key=lambda entry: entry.count("/"), default="")
    if deepest.count("/") < _DEEP:
        return []
    named = [path for path in world.by_name.get(posixpath.basename(deepest), ()) if path.endswith(f"/{deepest}")]
    return [named[0].removesuffix(f"/{deepest}")] if len(named) == 1 else []


def _either(subject: str) -> list[str]:
    """`popup.html` and `popup.js` of `popup.html/js`."""
    first, _, ending = subject.rpartition("/")
    return [first, f"{posixpath.splitext(first)[0]}.{ending}"]


def _ends(name: str) -> tuple[str, str]:
    first, _, last = name.partition("-")
    return first, last
