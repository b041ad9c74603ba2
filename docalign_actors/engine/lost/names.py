"""Names that own code defined until a moment ago and has nowhere now, wherever documents still write them as code.

The kinds judge what they can read as a claim. A name may also stand where no kind looks for one: in the middle of a code
span, in a comment of an example, in a link to generated pages. That own code defined it, that the last commits or the change
under scan took it away, and that no file has it any more is evidence enough, whatever it is written on.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from docalign_actors.engine.claims import NOWHERE, Claim, Judgement, Why
from docalign_actors.engine.code.reader import SEARCHED, SOURCE_LIMIT, language_of
from docalign_actors.engine.code.source import holds_any
from docalign_actors.engine.differential import FOREIGN, NAMING, is_borrowed, is_variable
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged, PastAsker
from docalign_actors.engine.kinds.shared.filesnow import unread_paths
from docalign_actors.engine.kinds.shared.languages import PROGRAMS
from docalign_actors.engine.kinds.shared.lookup import symbols_of
from docalign_actors.engine.kinds.shared.spellings import identifiers, normal, parts, respelled
from docalign_actors.engine.kinds.symbol.owners import taken_from_others
from docalign_actors.engine.lost.beside import Beside
from docalign_actors.engine.lost.lines import (
    BORROWS,
    COMMENT,
    MOST_SEARCHED,
    SCRIPTS,
    Edit,
    code_gone,
    is_joined,
    renamed_to,
    tests_within,
)
from docalign_actors.engine.lost.mentions import NOT, Mention, in_running_text, is_defined_in, mentions, spellings
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.roles import is_foreign, is_release_note
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_KEY = re.compile(
    r"""["'`](?:--?|[/:@#$])?([A-Za-z_][\w-]*\w)(?:["'`]|(?=,[\w])|(?==["'`{$%]))|(?:^|[(,{])\s*([A-Za-z_][\w-]*\w)\s*:(?![:=])|[\[(,]\s*:([a-z_]\w+)\b"""
    r"""|^\s*(?:option|cmake_dependent_option|set)\(\s*([A-Z][A-Z0-9_]*\w)\s"""
)
"""A whole string, with a mark before it or not, or the first of a list in one (`flag:"dry-run,help=…"`), a variable that is handed
on (`"hook_name=" + name`), what stands before a colon, a symbol of Ruby, or an option of CMake."""
_NO_BACKTICKS = frozenset({"python", "rust", "java", "c", "cpp", "csharp", "ruby", "php", "kotlin", "swift"})
_UNREAD = frozenset({"shell", SEARCHED, ""})
"""Languages of which no collector reads all definitions."""
_DECLARED = (
    r"(?:\b(?:def|defp|fun|fn|func|function|sub|class|object|trait|type|data|module|macro|variable|output|message|rpc|enum|service)"
    r"\s+[\"']?|\$\{{?|^\s*(?:export |readonly |declare )?"
    r"|^\s*(?:\w+ ){{0,4}}(?:void|int|long|boolean|double|[A-Z]\w*(?:<[^<>\n]{{1,60}}>)?(?:\[\])?) (?=\w+\()){name}(?![\w-])"
)
"""What declares a name in most languages, a variable of a shell, what a line begins with, and a method behind its type."""
_IN_A_STRING = (
    r"\b(?:def|fun|fn|func|function|class|interface|struct|enum|trait|void|static \w{{1,40}})\s+{name}\s*[(<{{:]"
)
"""What declares a name also where a collector does not look: in code that a program writes."""
_OF_THE_LANGUAGE = re.compile(
    rb"(?<![\w.$])(?:process|console|Math|JSON|Object|Array|Promise|Reflect|Intl|Buffer|window|document|navigator|performance"
    rb"|os|os\.path|sys|time|logging|asyncio|socket|shutil|subprocess)\.$"
)
"""What every program of the language has: that `process.memoryUsage` is called says nothing of a `memoryUsage` of our own."""
_FEW_FILES = 8
_NOT_BY_CHANCE = 3
"""Words of a name that hardly anybody else gives to something."""
_LONGEST_ADDRESS = 1_000
_TELLING = 3
"""Letters of a package's name that an address hardly has by chance."""
_REPOSITORY = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)/[^/#?]{1,100}/[^/#?]{1,100}"
)
"""Whoever is called so there is a person, an organisation or a repository, whatever own code called by the same name."""
_HOSTS = frozenset({"githubcom", "gitlabcom", "com", "org"})
_VETOES = FOREIGN | {
    Why.SAID_PAST, Why.BUILT, Why.BUILT_OF_KEY, Why.REPORTED, Why.HEDGED, Why.INHERITED,
}  # fmt: skip
"""Doubts that lie in the text, in how code makes names, or in whose the object is."""


class Lost(Struct, frozen=True):
    """Where a name was defined, and what took it away."""

    path: str
    line: int
    commit: str
    renamed: str = ""
    """What stands in its place now, on lines that are the same but for it."""
    local: bool = False
    """Only a function called so what it is given, in a language whose calls name no arguments, or a test was, or its help."""
    defined: bool = True
    """A definition was called so, and not only a key, a string or what a function is given."""
    read: bool = False
    """Own code only read it of something: `script.dialogStyle`, which may be a key of what the reader writes."""


def lost_names(judged: Sequence[Judged], edits: Sequence[Edit], world: World, asker: PastAsker) -> list[Judged]:
    """Claims that no kind made, each with its judgement: places where documents write such a name."""
    words = frozenset().union(*(edit.words for edit in edits))
    named = mentions(words, world.documents) if words else {}
    lost = _lost(edits, frozenset(named), asker) if named else {}
    lost = {n: one for n, one in lost.items() if one.defined or not is_defined_in(world.documents.values(), n)}
    if not lost:
        return []
    there, options = _still_there(lost, named, world)
    symbols = symbols_of(world)
    gone = {name: lost[name] for name in lost if name not in there and not taken_from_others(name, symbols, world)}
    own = frozenset(normal(part) for package in world.index.package_names for part in re.split(r"[/:]", package))
    places = {
        name: [
            m for m in named[name] if _is_meant(name, m, gone[name], there | options) and not _leads_to_others(m, own)
        ]
        for name in gone
    }
    still_off = _still_turned_off(places, world)
    places = {name: [m for m in ms if not (_is_negated(m) and NOT + name in still_off)] for name, ms in places.items()}
    kept = _kept_in_others((n for n, ms in places.items() if any(m.written != n for m in ms)), world)
    places = {name: [m for m in ms if m.written == name or name not in kept] for name, ms in places.items()}
    for name, mention in in_running_text(gone, world.documents):
        places[name].append(mention)
    return list(_judged(places, gone, judged, world))


def _kept_in_others(names: Iterable[str], world: World) -> set[str]:
    """Those of which code still makes longer names: `particle_layer_id` may well be the id of `selectedParticleLayerId`."""
    humps = {name: "".join(map(str.capitalize, parts(name))).encode() for name in names}
    humps = {name: hump for name, hump in humps.items() if len(parts(name)) >= _NOT_BY_CHANCE}
    paths = [path for path in world.files if humps and language_of(path) and _counts(path)]
    plain = sorted(set(humps.values()))
    within = re.compile(rb"(?<=[a-z0-9])(?:" + b"|".join(map(re.escape, plain)) + rb")(?![a-z0-9])")
    found: set[bytes] = set()
    for path in paths if len(paths) <= MOST_SEARCHED else ():
        data = world.tree.read(path, SOURCE_LIMIT)
        if holds_any(data, plain):
            found.update(match.group() for match in within.finditer(data))
    return {name for name, hump in humps.items() if hump in found}


def _is_negated(mention: Mention) -> bool:
    return mention.inline.text[: mention.start].endswith(f"--{NOT}")


def _still_turned_off(places: Mapping[str, Sequence[Mention]], world: World) -> set[str]:
    """Options that turn something off and that code has under this very name: nothing need be there to turn it on."""
    asked = [NOT + name for name, mentions in places.items() if any(map(_is_negated, mentions))]
    return still_written(asked, world) if asked else set()


def _leads_to_others(mention: Mention, own: frozenset[str]) -> bool:
    """The address of a page elsewhere that none of the repository's packages has a part in: the name in it is that page's."""
    address = mention.inline.text[:_LONGEST_ADDRESS]
    if mention.inline.kind != "link" or not address.startswith(("https:", "http:")):
        return False
    repository = _REPOSITORY.match(address)
    if repository is not None and mention.start < repository.end():
        return True
    if not own:
        return False
    return not any(len(name) >= _TELLING and name not in _HOSTS and name in normal(address) for name in own)


def _is_meant(name: str, mention: Mention, lost: Lost, there: set[str]) -> bool:
    """As it stood in the code, or in another spelling that is nowhere either, if it is seen what became of the name or hardly
    anybody else gives it to something."""
    if lost.local and mention.block.kind == "code":
        return False  # an example calls its own variables what it likes
    if not lost.defined and mention.block.language.lower() in PROGRAMS and is_variable(name, mention.inline.text):
        return False
    if lost.read and not _is_a_key(mention):
        return False
    if mention.written == name:
        return name not in there or not mention.inline.text[: mention.start].endswith("--")
    # What stands for an option's value in its help is written in capitals: `--registry REGISTRY`.
    alike = (s for s in spellings(name) if mention.written.isupper() or not s.isupper())
    # Only a setting is written with other marks; a capital more is also an action of somebody else's service.
    marked = ("_" in mention.written or "-" in mention.written) and len(parts(name)) >= _NOT_BY_CHANCE
    return (bool(lost.renamed) or (lost.defined and marked)) and there.isdisjoint(alike)


def _is_a_key(mention: Mention) -> bool:
    """A key of data (`"name": …`), or what a row of a table is about."""
    if mention.block.kind == "code":
        text = mention.inline.text
        rest = text[mention.start + len(mention.written) :].lstrip("\"'")
        return not text[: mention.start].strip(" \t-{,\"'") and rest.lstrip().startswith((":", "="))
    first = mention.block.cells[0].inlines if mention.block.cells else ()
    return any(inline is mention.inline for inline in first)


def _lost(edits: Sequence[Edit], named: frozenset[str], asker: PastAsker) -> dict[str, Lost]:
    """Those of the names that earlier versions of own files defined, or read as keys."""
    telling = [edit for edit in edits if not edit.words.isdisjoint(named)]
    facts = asker.reader.on_demand(asker.history.source)
    facts.expect((edit.blob.path, edit.blob.oid) for edit in telling if not edit.data)
    found: dict[str, Lost] = {}
    for edit in telling:
        words = edit.words & named
        then = facts.of((edit.blob.path, edit.blob.oid)) if not edit.data else FileFacts()
        defined = dict(reversed((*_defined(then, code_gone(edit), words), *_declared(edit, words))))  # the first counts
        taken = {name: line for name, line in _parameters(then) if name in words and name not in defined}
        tests = tests_within(edit)
        for name, line in (*defined.items(), *taken.items()):
            if is_borrowed(name, then):
                continue  # `{"process_time": process_time}`, which the file imported: it is somebody else's
            if name not in found or (found[name].local and name in defined):
                renamed = renamed_to(name, edit.gone, edit.come)
                if renamed or not edit.data:
                    local = (name in taken and then.language not in NAMING) or _is_of_tests(name, edit, tests)
                    known = any(d.name.rstrip("!?=") == name for d in then.definitions)
                    found[name] = Lost(edit.blob.path, line, edit.blob.after, renamed, local, known)
        for name in words - found.keys() if then.language in SCRIPTS else ():
            read = re.compile(rf"[\w\])]\??\.{re.escape(name)}(?![\w(])")
            if any(read.search(line) for line in edit.gone) and (new := renamed_to(name, edit.gone, edit.come)):
                found[name] = Lost(edit.blob.path, 0, edit.blob.after, new, read=True)
    return found


def _is_of_tests(name: str, edit: Edit, tests: set[int]) -> bool:
    """All lines that went with the name are those of a file's own tests."""
    return bool(tests) and all(number in tests for number, line in edit.numbered if name in line)


def _parameters(facts: FileFacts) -> Iterator[tuple[str, int]]:
    return ((param.name, d.line) for d in facts.definitions for param in d.params or () if param.kind != "keyword")


def _declared(edit: Edit, words: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The names of a file of settings, and those whose declarations no collector reads: of another language, or in a string."""
    if edit.data:
        yield from ((name, 0) for name in words)
    else:
        form = _DECLARED if language_of(edit.blob.path) in _UNREAD else _IN_A_STRING
        for name in words:
            declared = re.compile(form.format(name=re.escape(name)))
            if any(declared.search(line) for line in edit.gone):
                yield name, 0


def _defined(facts: FileFacts, gone: Iterable[str], words: frozenset[str]) -> Iterator[tuple[str, int]]:
    """(name, line) of what a file defined or read by name, among some words."""
    for definition in facts.definitions:
        name = definition.name.rstrip("!?=")  # Ruby's marks are no part of a word
        if name in words:
            yield name, definition.line
        keywords = (param.name for param in definition.params or () if param.kind == "keyword")
        yield from ((name, definition.line) for name in keywords if name in words)
    for key in facts.keys:
        if key.name.rpartition(".")[2] in words:
            yield key.name.rpartition(".")[2], key.line
    for line in gone:
        if not BORROWS.search(line) and not COMMENT.match(line):
            for match in _KEY.finditer(line):
                if match.group().startswith("`") and facts.language in _NO_BACKTICKS:
                    continue  # a name in a sentence: a string is written otherwise here
                name = match[1] or match[2] or match[3] or match[4]
                if name in words:
                    yield name, 0


def _still_there(
    lost: Mapping[str, Lost], named: Mapping[str, Sequence[Mention]], world: World
) -> tuple[set[str], set[str]]:
    """The names, and other spellings of them that documents use, that some file other than a document has.

    Then those that got another name, and that files have as an option only (`--name`): what else was called so is gone.

    Where it is seen what a name was changed to, another spelling is not what documents mean; otherwise one with a hyphen is
    there too if the code has it as an identifier.
    """
    same = {name: (name, *(identifiers(name) if "-" in name and not lost[name].renamed else ())) for name in lost}
    told = {name: any(mention.written != name for mention in named[name]) for name in lost}
    wanted = {s for name in lost for s in (*same[name], *(spellings(name) if told[name] else ()))}
    seen = {word for word in wanted if any(map(_counts, world.index.occurs(word)))}
    said = {word for word in seen if word in lost and lost[word].renamed and _is_only_said(word, world)}
    seen -= said
    unknown = sorted(word for word in wanted - seen if word not in world.index.words)
    paths = [path for path in world.files if language_of(path) and _counts(path)] if unknown else []
    paths += filter(_counts, unread_paths(world))
    if len(paths) > MOST_SEARCHED:
        return wanted, set()
    searched = sorted(wanted - seen - said)
    # `key-order` is not in `ignore-key-order`, but it is in `--key-order`.
    pattern = re.compile(
        rb"(?<!\w)(?<!\w-)(?:" + b"|".join(re.escape(word.encode()) for word in searched) + rb")(?!-?\w)"
    )
    options: set[str] = set()
    plain = [word.encode() for word in searched]
    for path in paths if searched else ():
        data = world.tree.read(path, SOURCE_LIMIT)
        for match in pattern.finditer(data) if holds_any(data, plain) and b"\0" not in data[:8192] else ():
            word = match.group().decode()
            if word in lost and lost[word].renamed and _is_no_use(data, match.start()):
                continue
            is_option = data[max(0, match.start() - 2) : match.start()] == b"--"
            (options if is_option else seen).add(word)
    only = {word for word in options - seen if word in lost and lost[word].renamed}
    seen |= options - only
    return seen | {name for name in lost if not seen.isdisjoint(same[name])}, only


def _is_only_said(word: str, world: World) -> bool:
    """Nothing but comments have it still, which are often left as they are, or what is the language's own and called alike."""
    paths = [path for path in world.index.occurs(word) if _counts(path)]
    whole = re.compile(rb"(?<![\w-])" + re.escape(word.encode()) + rb"(?![\w-])")
    for path in paths if len(paths) <= _FEW_FILES else ():
        data = world.tree.read(path, SOURCE_LIMIT)
        if not all(_is_no_use(data, match.start()) for match in whole.finditer(data)):
            return False
    return len(paths) <= _FEW_FILES


def _is_no_use(data: bytes, at: int) -> bool:
    return _is_in_a_comment(data, at) or _OF_THE_LANGUAGE.search(data[max(0, at - 20) : at]) is not None


def _is_in_a_comment(data: bytes, at: int) -> bool:
    start = data.rfind(b"\n", 0, at) + 1
    return COMMENT.match(data[start:at].decode("utf-8", "replace")) is not None


def _counts(path: str) -> bool:
    """That a word stands in this file says that the code has it: not in somebody else's, nor in notes on earlier releases."""
    return not (is_foreign(path) or is_release_note(path))


def _judged(
    named: Mapping[str, Sequence[Mention]], lost: Mapping[str, Lost], judged: Sequence[Judged], world: World
) -> Iterator[Judged]:
    beside = Beside(judged)
    for name, places in named.items():
        for mention in places:
            claim = _claim(mention)
            said = beside.of(claim)
            if lost[name].renamed:
                said = (pair for pair in said if not _is_lifted(*pair, name, lost[name], world))
            if not any(_settles(other, told, claim.text != name) for other, told in said):
                yield claim, _gone(claim, lost[name], name)


def _is_lifted(other: Claim, told: Judgement, name: str, lost: Lost, world: World) -> bool:
    """Doubts that the new name lifts: what a manifest may hold in a way that is not read; whose object it is, if the object is
    called like the file that had a name which nobody has by chance (`hooks.beforeEachItem` of `Hooks.js`), or if own Ruby code
    defines it; who takes the argument, if own code has the function's name and hardly anybody else does."""
    if other.kind == "command":
        return not told.evidence
    if told.why in (Why.OF_ANOTHERS, Why.INHERITED) and len(parts(name)) >= _NOT_BY_CHANCE:
        return normal(other.owner) == normal(posixpath.basename(lost.path).partition(".")[0])
    if told.why in (Why.ANOTHERS, Why.ANOTHERS_OR_GENERATED) and lost.path.endswith(".rb"):
        first = re.split(r"\.|::", other.subject)[0]  # `Tool::Runner.instance.run_all`: below a name space
        return first[:1].isupper() and first in world.index.definitions
    called = other.owner.rpartition(".")[2]
    return told.why is Why.ANOTHERS_OR_GONE and is_joined(called) and bool(world.index.occurs(called))


def _claim(mention: Mention) -> Claim:
    document, block, inline, start, written = mention
    kind = "configkey" if "-" in written else "symbol"
    if inline.text[:start].endswith("--"):
        kind = "option"
    form = "example" if block.kind == "code" else "prose" if inline.kind == "text" else "span"
    return Claim(
        kind, written, written, document.path, inline.line, inline.column + start, form=form, words=(written,),
        section=block.section,
    )  # fmt: skip


def _settles(other: Claim, judgement: Judgement, spelled: bool) -> bool:
    """A claim on the same text has an answer. `spelled`: the name stands here in another spelling than in the code."""
    if judgement.verdict is Verdict.VERIFIED:
        # No file has the name: what holds all the same holds under another spelling, unless it is a file's own name.
        return spelled or other.kind in ("path", "anchor", "navigation", "imports")
    if judgement.verdict is Verdict.DRIFTED:
        return True
    return judgement.why in _VETOES


def _gone(claim: Claim, lost: Lost, name: str) -> Judgement:
    rule = {"configkey": "unknown-config-key", "option": "unknown-option"}.get(claim.kind, "missing-symbol")
    evidence = Evidence("it stood here until then", lost.path, lost.line, lost.commit)
    now = lost.renamed if claim.text == name else respelled(lost.renamed, claim.text)
    became = f": it is `{now}` now" if now else "."
    return Judgement(
        Verdict.DRIFTED, rule, f"`{claim.text}` {NOWHERE}{became}", (evidence,), 0.85,
        fix=Fix(now, True) if now else None, subject=claim.text, why=Why.WORD_GONE,
    )  # fmt: skip
