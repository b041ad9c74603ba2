"""The words that a change takes away, and whether a word of the documentation is one of them.

Documents and claims are at stake by these words, so the cost of a scan follows them. A lost line has many more words than it
defines: `if err := check(file); err != nil` is one that calls a thing and defines none. Plain words (`file`, `error`, `type`)
count where the line gives something that name, quotes it whole, or where the file has it no more. Names of two words in one
count always: hardly any document has them by chance.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache

from msgspec import Struct

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.lenses import near_differences

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TOKEN = re.compile(r"[A-Za-z_]\w*(?:-\w+)+|[A-Za-z_]\w*")
"""A word of a document: with hyphens it is one, as `wait_timeout` is."""
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?:ms|[smhd]|[kKMGT]i?[bB])?(?!\w)")
"""A port, a default (`300s`) or a version may be all that documentation has in common with the line that went."""
PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_COMMON = frozenset(
    "a an and any are as at be but by can do for from has if in into is it its no not of on or so than that the then this to "
    "was when which will with bool class const def elif else end export fn func function import int let new none null package "
    "private protected pub public return self static str string struct true type use var void while".split()
)
"""Words of every text and every language: a line that has one and went takes it away only if the file has fewer of them now."""
_PROGRAMS = frozenset(
    "python javascript typescript tsx go rust java c cpp csharp ruby php kotlin swift".split()
)  # in the others, which are data, each word may be a key or a value
_COMMENT = re.compile(r"\s*(?://|/\*|\*(?:\s|/|$)|#(?![\[!]|define|include|if|pragma)|--\s)")
_IMPORT = re.compile(
    r"""\s*(?:import|from|use|using|require(?!\s*\()|include|#include|package|namespace)\b|\s*(?:\w+ )?["'][\w./-]+["']\s*$"""
)
"""A line that takes in what others define."""
_DEFINES = re.compile(
    r"\b(?:def|class|function|const|let|var|val|fn|func|fun|type|struct|enum|interface|trait|record|module|mod|object|impl|macro_rules!|"
    r"define|record|protocol|extension|typealias|namespace|annotation)\s+(?:\([^()]{0,80}\)\s*|&?self\.|\w+\.)?([A-Za-z_]\w*)"
)
_GIVEN = re.compile(
    r"([A-Za-z_]\w*)\??\s*(?:=(?![=>~])|:(?![:=]))|^\s*([A-Za-z_]\w*)\s*(?:,|\{|,?$)|(?<!return)[\w>\]?]\s+([A-Za-z_]\w*);"
)
"""A word that is given something, or stands alone: a key, a field, a parameter on its own line, a member of an enumeration."""
_CALLED = re.compile(r"[\w>\]*&?]\s+([A-Za-z_]\w*)\s*\(")
"""A method of a language that has no word for it: `public void run(`."""
_QUOTED = re.compile(r"""(["'`])([^"'`\s]{1,120})(?:\1|(?=\s+(?:[\[<{.-]|[A-Z]{2})))|(?<![\w:]):([A-Za-z_]\w*)""")
"""A string without blanks or what a command's arguments stand behind (`'watch [files]'`), or a symbol of Ruby."""
_SENTENCE = re.compile(r"""(["'`])[A-Za-z][a-z']*(?:[,.;]* [ ,.;]*[A-Za-z][A-Za-z'()-]*){2}[^"'`]*\1""")
"""A string of several words with blanks between them: what is said to somebody. `"store.cache.size"` is a name."""
_PROSE = re.compile(r"""\s*(?:[A-Za-z,.'-]+\s+){3,}[^=(){}\[\];<>"`:]*""")
"""A line of a text in the midst of code: nothing but words."""
_TAG = re.compile(r'\b[a-z]+:(?=")')
"""The name of a tag of a Go struct."""
_NAMING = re.compile(r"""(?<=["'`])[A-Za-z]\w+(?=["'`])|(?<=[\s"'`,]--)[A-Za-z]\w+|(?<=[\s"'`,]-)[A-Za-z]\w+""")
"""What is quoted alone, or written as an option, be it the commonest word."""
_JOINED = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|^[A-Z]{3,}$|[A-Z][A-Z]+[a-z]")
_TAGGED = re.compile(r"@\w")
_AFFIXES = frozenset(
    """new get set with default cmd command handler handle make create register add is has run do opt opts option options flag args
    config settings params controller action task view route endpoint plugin""".split()
)
_KEYWORDS = frozenset(
    """if for return continue break nil len err ok try catch except finally raise throw throws await async yield case switch match
    where using foreach echo print println printf""".split()
)
_VALUES = frozenset({"true", "false", "none", "null"})
_SHOWN_AGAIN = frozenset({"python", "javascript", "typescript", "tsx", "ruby"})
"""Languages in which what one file takes in may be what another offers."""
_STANDS_FOR_FOLDER = re.compile(r"(?:index|__init__|__main__|mod|main|README)\.")
_MOST_PARTS = 12
_BELOW = 12
_LONGEST = 600


class TakenAway(Struct, frozen=True):
    """The words that a change took away, ready to be asked about.

    words    in lower case, and with their parts set apart: `dryrun`, `dry run`
    runs     the runs of their parts that tell: `dry run` of `APP_DRY_RUN`
    parts    every part of them: a word that has none of these is not touched
    phrases  names of several parts as sentences write them: `login timeout` for `DEFAULT_LOGIN_TIMEOUT`
    anchors  anchors and labels that documents had and have no more
    titles   the words of each anchor, by the longest of them
    known    words that were asked about: documentation has the same words again and again
    """

    removed: AbstractSet[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    titles: Mapping[str, list[frozenset[str]]] = {}
    known: dict[str, bool] = {}

    @classmethod
    def of(cls, removed: AbstractSet[str], anchors: frozenset[str] = frozenset()) -> TakenAway:
        known = {word.lower() for word in removed} | {apart(word) for word in removed}
        return cls(
            removed, anchors,
            words=frozenset(word for word in known if len(word) > 1),
            runs=frozenset(run for word in removed for run in told_runs(apart(word)) if len(run) > 1),
            parts=frozenset(part for word in removed for part in apart(word).split(" ")),
            phrases=frozenset(phrase for word in removed if " " in (phrase := core(apart(word)))),
            titles=_by_longest(frozenset(WORD.findall(anchor.lower())) for anchor in anchors),
            known={},
        )  # fmt: skip

    def touches(self, word: str) -> bool:
        """The word was removed, or is part of a removed word, or has one for a part: `APP_DRY_RUN` when `dry_run` went."""
        if word not in self.known:
            parts = apart(word)
            named = word.lower() in self.words
            if not named and not self.parts.isdisjoint(parts.split(" ")):
                named = parts in self.runs or not self.words.isdisjoint(runs(parts))
            self.known[word] = named
        return self.known[word]

    def is_told_of(self, text: str) -> bool:
        """A text has a word that is touched, a number that went, or an anchor: only then may it have become false."""
        if any(map(self.touches, set(TOKEN.findall(text)))) or any(anchor in text for anchor in self.anchors):
            return True
        lowered = text.lower()
        return not self.removed.isdisjoint(NUMBER.findall(text)) or any(phrase in lowered for phrase in self.phrases)

    def takes_anchor(self, told: str) -> bool:
        """All words of an anchor that went stand in the text of a link, which may name the title instead of the slug."""
        words = {"", *WORD.findall(told.lower())}
        return any(words.issuperset(anchor) for word in words for anchor in self.titles.get(word, ()))


def _by_longest(several: Iterable[frozenset[str]]) -> Mapping[str, list[frozenset[str]]]:
    """Groups of words by the longest of each, "" if there is none."""
    found: dict[str, list[frozenset[str]]] = {}
    for words in several:
        found.setdefault(max(words, key=len, default=""), []).append(words)
    return found


def lost_words(path: str, then: bytes, now: bytes) -> set[str]:
    """The words that a file lost, each line that went taken together with the next.

    In Rust also those a little below: the attributes of a field come before its name.
    """
    language = language_of(path)
    lost = near_differences(then, now, _BELOW if language == "rust" else 0).decode("utf-8", "replace").split("\n")
    if language in _PROGRAMS:
        return set(_taken(lost, then, now, language))
    words = {word for line in lost for word in (*WORD.findall(line), *NUMBER.findall(line)) if len(word) > 1}
    return words - {word for word in words if word.lower() in _COMMON and not _has_fewer(word, then, now)}


def _taken(lost: Iterable[str], then: bytes, now: bytes, language: str) -> Iterator[str]:
    """Of a program: what lines define, give or quote, names of several words, numbers, and what the file has no more."""
    plain: set[str] = set()
    for line in lost:
        if _COMMENT.match(line) and not _TAGGED.search(line):
            continue
        yield from (word for word in WORD.findall(line) if _JOINED.search(word))
        yield from (number for number in NUMBER.findall(line) if len(number) > 1)
        code = _SENTENCE.sub(" ", line[:_LONGEST])
        if language == "go":
            code = _TAG.sub(" ", code)
        if not _IMPORT.match(line):
            yield from (word for word in _told(code) if len(word) > 1 and not _is_common(word))
            yield from _NAMING.findall(line[:_LONGEST])
        elif language not in _SHOWN_AGAIN and "pub use" not in line:
            continue
        if not _PROSE.fullmatch(code):
            plain.update(word for word in WORD.findall(code) if len(word) > 1)
    present = set(WORD.findall(now.decode("utf-8", "replace")))
    for word in plain:
        if word.lower() in _VALUES:
            if _has_fewer(word, then, now):
                yield word
        elif word not in present and not _is_common(word):
            yield word


def _is_common(word: str) -> bool:
    return word.lower() in _COMMON or word in _KEYWORDS


def _told(line: str) -> Iterator[str]:
    """The plain words that a line gives to something, or quotes."""
    yield from _DEFINES.findall(line)
    yield from (name for names in _GIVEN.findall(line) for name in names if name)
    yield from _CALLED.findall(line)
    for _, text, symbol in _QUOTED.findall(line):
        yield from WORD.findall(text or symbol)


def _has_fewer(word: str, then: bytes, now: bytes) -> bool:
    return _occurrences(word, then) > _occurrences(word, now)


def _occurrences(word: str, data: bytes) -> int:
    return len(re.findall(rb"\b%s\b" % re.escape(word.encode()), data))


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """Every folder that holds one of the files, however deep."""
    found: set[str] = set()
    for path in paths:
        folder = posixpath.dirname(path)
        while folder and folder not in found:
            found.add(folder)
            folder = posixpath.dirname(folder)
    return frozenset(found)


def named_by(path: str, folders: Collection[str]) -> Iterator[str]:
    """The words by which documents name a file that went: its own name, and those of folders that went with it.

    Of a file that stands for its folder (`index.js`, `__init__.py`) also the folder's.
    """
    folder, _, name = path.rpartition("/")
    yield from WORD.findall(name)
    if _STANDS_FOR_FOLDER.match(name):
        yield from WORD.findall(posixpath.basename(folder))
    while folder and folder not in folders:
        yield from WORD.findall(posixpath.basename(folder))
        folder = posixpath.dirname(folder)


@lru_cache(maxsize=65536)
def apart(word: str) -> str:
    """The parts of a word in lower case: `dry run` for `dryRun` and `DRY_RUN`."""
    return " ".join(PART.findall(word)).lower()


@lru_cache(maxsize=65536)
def runs(parts: str) -> frozenset[str]:
    """All parts that stand side by side: `max`, `retry`, `count`, `max retry`, `retry count`, `max retry count`."""
    words = parts.split(" ")[:_MOST_PARTS]
    return frozenset(" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1))


def told_runs(parts: str) -> frozenset[str]:
    """The runs by which documents may name what a removed word was: one part alone only of a word that is little more than it.

    `newBuildCmd` makes a command `build`; that `ValidateExpansionExperiment` went says nothing of every `experiment`. The `Post` of
    `PostMapping` is what documents call the method of a request.
    """
    methods = {part for part in parts.split(" ") if part.upper() in _METHODS}
    return frozenset(run for run in runs(parts) if " " in run) | {core(parts)} | methods


def core(parts: str) -> str:
    """The parts without those that many names have before or after them: `port` of `default port`."""
    return " ".join(word for word in parts.split(" ") if word not in _AFFIXES) or parts


def spellings(word: str) -> set[str]:
    """As documents may write a word: `dry_run` as `dry-run`, `dryRun` as `DRY_RUN`, the `Post` of `PostMapping` as `POST`,
    `DEFAULT_A_B` as `a-b`."""
    parts = PART.findall(word)
    methods = {part for part in parts if part.upper() in _METHODS}
    rest = [part.lower() for part in parts[1:]] if parts[0:1] and parts[0].lower() == "default" else []
    named = {"-".join(rest), "_".join(rest), "_".join(rest).upper()} if len("".join(rest)) > 3 else set()
    return {word, word.replace("_", "-"), "-".join(parts).lower(), "_".join(parts).lower()} | methods | named
