"""Configuration keys that the docs name: does the code still know them?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import OCCURS, Claim, Judgement, Rule, uncertain, verified
from docalign_actors.engine.code.manifests.tree import KEY_LIMIT
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.dashed import is_dashed
from docalign_actors.engine.differential import is_borrowed
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import Definition, FileFacts
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.configkey.text import is_multiword, named
from docalign_actors.engine.kinds.shared.filesnow import facts_now, occurs_in_unread
from docalign_actors.engine.kinds.shared.spellings import identifiers, normal, parts
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import successor
from docalign_actors.engine.roles import is_for_other_tools, is_foreign, is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_RULE = "unknown-config-key"
_STRANGERS = 4
"""Keys of a sample, none of which the code knows, that tell it for another program's."""
_READ = 1_000_000
_VALUES = frozenset({"values.yaml", "values.yml"})
_MEMBERS = frozenset({"field", "member", "constant"})
_written_in_code: WeakKeyDictionary[World, dict[str, bool]] = WeakKeyDictionary()


class ConfigKeyKind:
    """`max_retries` in a TOML block, a table of settings or a sentence about them."""

    name = "configkey"
    rules = (Rule(_RULE, "configkey", "The docs name a configuration key that the code does not know.", Severity.HIGH),)
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        """Keys in blocks, tables, lists and spans."""
        for key in named(document):
            yield Claim(
                kind=self.name, subject=key.key, text=key.key, file=document.path, line=key.line, column=key.column, form=key.place,
                value="about" if key.about else "", owner=key.owner, words=_words(key.key), group=key.group,
                hypothetical=key.hypothetical,
            )  # fmt: skip

    def verify(self, claim: Claim, world: World) -> Judgement:
        """The code declares it, looks it up, or at least has the word; or once did."""
        values = _lost_value(claim, world)
        if values is not None:
            return values
        known = _present(claim.subject, world)
        past = _in_the_past(claim, world) if _may_be_gone(claim.subject, known, world) else None
        spellings = _own_words(claim.subject) if known is None else (claim.subject,)
        if past is not None and not occurs_in_unread(world, spellings):
            fix = _fix(claim.subject, past[0], world)
            firm = (fix is not None and fix.safe) or _was_declared(claim.subject, past[0].facts)
            if known is None and _stands_in(claim.subject, world, lambda path: not is_foreign(path)):
                return uncertain("tests or examples still have it")
            recent = past[0].is_fresh and is_multiword(claim.subject)
            if known is None or ((firm or recent) and not _is_written(claim.subject, world)):
                return _drifted(claim, past, fix)
        if known is not None and known.evidence[0].line == 0 and world.past.awaits(claim.subject):
            return uncertain("the past is asked first")
        if known is not None:
            if _is_pascal(claim.subject) and claim.form == "span" and not _is_written(claim.subject, world):
                return uncertain("a class, rather; the code has its words in another spelling only")
            is_meant = bool(claim.value) or claim.form == "block" or _is_key(claim.subject, world)
            return known if is_meant else uncertain("it may be no key")
        if claim.form in ("table", "list") and claim.value and not claim.hypothetical:
            return self._by_neighbours(claim, world)
        return uncertain("nothing shows that it is a key of this project's configuration")

    def _by_neighbours(self, claim: Claim, world: World) -> Judgement:
        others = sorted({c.subject for c in world.neighbours(claim) if c.form in ("table", "list")} - {claim.subject})
        sure = [name for name in others if _declared(name, world) is not None]
        # A list of another tool's keys has common words that we know too: names of two words, all in one file, are ours.
        files = [place.path for name in sure if is_multiword(name) for place in world.index.keys.get(name, ())[:1]]
        ours = max((files.count(path) for path in files), default=0) >= 3
        few = not ours or len(sure) < 0.75 * len(others) or not is_multiword(claim.subject)
        elsewhere = _occurs_anywhere(claim.subject, world) or occurs_in_unread(world, _own_words(claim.subject))
        if few or elsewhere or world.index.is_opaque("keys"):
            return uncertain("nothing shows that it is a key of this project's configuration")
        witness = _declared(sure[0], world)
        return Judgement(
            Verdict.DRIFTED, _RULE, f"The code does not know the key `{claim.subject}`; it knows the others listed with it",
            evidence=(witness,) if witness else (), confidence=0.85,
        )  # fmt: skip


def _may_be_gone(key: str, known: Judgement | None, world: World) -> bool:
    """What the present says leaves room for the past: nothing has the key, or some word of it at most."""
    return known is None or not (known.evidence[0].line or _is_written(key, world))


def _lost_value(claim: Claim, world: World) -> Judgement | None:
    """`hpa.enabled` of a Helm chart: the file of values is the schema, and every value has its whole path there."""
    full = f"{claim.owner}.{claim.subject}"
    if not claim.owner or claim.form == "block" or not _near_chart(claim.file, world):
        return None
    files = world.past.files(claim.subject)
    if claim.subject in world.past.open_texts:
        return uncertain("the past is asked first")
    for file in files:
        then = next((k for k in file.facts.keys if k.name == full), None)
        if then is None or file.path.rpartition("/")[2] not in _VALUES:
            continue
        now = facts_now(world, file.path)
        if now is None or len(now.keys) >= KEY_LIMIT or any(k.name == full for k in now.keys):
            return None  # a longer file was not read to its end
        evidence = Evidence("a value of the chart until then", file.path, then.line, file.blob.after)
        message = f"The chart has no value `{full}` any more"
        return Judgement(Verdict.DRIFTED, _RULE, message, (evidence,), 0.95, subject=full)
    return None


def _near_chart(path: str, world: World) -> bool:
    folder = path.rpartition("/")[0]
    return any(f"{folder}/{name}".lstrip("/") in world.files for name in ("Chart.yaml", "chart/Chart.yaml"))


def _words(key: str) -> tuple[str, ...]:
    longest = max(parts(key), key=len, default="")
    return tuple(dict.fromkeys([*identifiers(key), *([*parts(key)] if "-" in key and longest else [])]))


def _own_words(key: str) -> tuple[str, ...]:
    """The spellings of a key that say it alone: `server` may mean anything, `max_retries` hardly."""
    return identifiers(key) if is_multiword(key) else (key,)


def _declared(key: str, world: World) -> Evidence | None:
    """Code that declares the key, a field or an option of that name."""
    index = world.index
    for spelling in (key, *identifiers(key), key.replace("_", "-")):
        for place in index.keys.get(spelling, ()):
            return Evidence("the key here", place.path, place.fact.line)
        for definition in index.definitions.get(spelling, ()):
            if spelling == key or not (_is_tagged_otherwise(key, definition, world) or _is_a_scripts(definition)):
                return Evidence("defined here", definition.path, definition.fact.line)
    for flag in ("--" + "-".join(parts(key)), "--" + key, "--" + key.replace("_", "-")):
        for option in index.options.get(flag, ()):
            return Evidence("the option here", option.path, option.fact.line)
    return None


def _is_a_scripts(definition: Located[Definition]) -> bool:
    """`export GOPATH=…` in a script of the shell gives the environment something, and knows no key `gopath`."""
    return language_of(definition.path) == "shell"


def _is_tagged_otherwise(key: str, definition: Located[Definition], world: World) -> bool:
    """`TriggerRule *Rules `json:"rule"``: the field's own line says that its key is another one."""
    facts = world.index.files.get(definition.path, FileFacts())
    tags = {k.name.rpartition(".")[2] for k in facts.keys if k.line == definition.fact.line}
    return bool(tags) and key not in tags


def _is_pascal(key: str) -> bool:
    return re.fullmatch(r"(?:[A-Z][a-z0-9]+){2,}", key) is not None


def _is_key(key: str, world: World) -> bool:
    return any(place.fact.origin != "literal" for place in world.index.keys.get(key, ()))


def _present(key: str, world: World) -> Judgement | None:
    """Verified, with a line where the key is declared and without one where its word merely occurs."""
    declared = _declared(key, world)
    if declared is not None and _occurs_as_written(key, world):
        return verified(declared)
    for word in identifiers(key):
        where = world.index.own_occurrences(word)
        if where:
            return verified(Evidence(OCCURS, where[0]))
    if declared is not None or _occurs_as_written(key, world):
        return verified(Evidence(OCCURS if declared is None else "declared in another spelling"))
    return None


def _is_written(key: str, world: World) -> bool:
    """The very spelling stands in own code, or a collector made it out of another: `rename_all`, a naming rule."""
    return bool(world.index.keys.get(key)) or _occurs_as_written(key, world)


def _was_declared(key: str, facts: FileFacts) -> bool:
    """A settings class or a schema had this very spelling: that a field is still called alike does not keep the key."""
    return is_multiword(key) and any(
        item.origin in ("settings", "schema") and item.name.rpartition(".")[2] == key for item in facts.keys
    )


def _occurs_as_written(key: str, world: World) -> bool:
    """The very spelling of the docs stands somewhere in own code. Manuals name the same key hundreds of times."""
    known = _written_in_code.setdefault(world, {})
    if key not in known:
        known[key] = world.index.occurs_in_code(key) if key in identifiers(key) else _stands_in(key, world, is_own_code)
    return known[key]


def _stands_in(key: str, world: World, counts: Callable[[str], bool]) -> bool:
    """The very spelling of the docs stands in some file that counts."""
    if key in identifiers(key):
        return any(counts(path) for path in world.index.occurs(key))
    words = parts(key)
    if not words:
        return False
    shared = frozenset.intersection(*(world.index.occurs(word) for word in words))
    if is_dashed(key):
        return any(world.dashed.holds(path, key) for path in shared if counts(path))
    needle = key.encode()
    whole = re.compile(rb"(?<!\w)(?<!\w-)" + re.escape(needle) + rb"(?![\w-])")
    texts = (world.tree.read(path, _READ) for path in sorted(filter(counts, shared))[:40])
    return any(needle in text and whole.search(text) for text in texts)


def _occurs_anywhere(key: str, world: World) -> bool:
    """Some file, tests and examples included, has the key in one of its spellings."""
    return any(not is_foreign(path) for word in identifiers(key) for path in world.index.occurs(word))


def _in_the_past(claim: Claim, world: World) -> tuple[PastFile, int] | None:
    """An earlier version of own code that declared exactly this key."""
    firm = bool(claim.value) or claim.form == "block"
    if _is_alone_among_strangers(claim, world):
        return None
    # `cache-folder` in the docs, `cacheFolder` or `cache_folder` in a class that a framework fills.
    dashed = "-" in claim.subject and not _is_a_member(claim.subject, world)
    spellings = (claim.subject, *(identifiers(claim.subject)[:2] if dashed else ()))
    for file in (file for spelling in spellings for file in world.past.files(spelling)):
        if is_for_other_tools(file.path) or is_borrowed(claim.subject, file.facts):
            continue
        fresh = file.is_fresh or world.past.differential
        loose = claim.form == "span" and not _stands_among_keys(claim, world)
        if not fresh and (loose or facts_now(world, file.path) is None):
            continue  # a word of a sentence, or known to code that is gone altogether: it may be anybody's by now
        certain = fresh or _is_like_a_key(claim.subject)
        # What a function is given by a plain name is not the `languages` of `search.languages`.
        given = not claim.owner or is_multiword(claim.subject)
        line = next(_places(claim.subject, file.facts, firm=firm, members=certain, dashed=dashed, given=given), 0)
        now = facts_now(world, file.path) if line else None
        # Where it stands, or where it was moved to, the file may have it as before: then nothing went.
        if line and not (now and any(_places(claim.subject, now, firm=firm, members=certain, dashed=dashed))):
            return file, line
    return None


def _is_a_member(key: str, world: World) -> bool:
    """Another class has a field of this name, and may be the one that the key is of: `contentType` for `content-type`."""
    found = (place.fact for spelling in identifiers(key) for place in world.index.definitions.get(spelling, ()))
    return any(fact.kind in _MEMBERS for fact in found)


def _is_alone_among_strangers(claim: Claim, world: World) -> bool:
    """The sample has many keys, and no other word of two is known to the code: it is a file of something else."""
    others = {c.subject for c in world.neighbours(claim) if c.form == "block" and is_multiword(c.subject)} - {
        claim.subject
    }
    return (
        claim.form == "block" and len(others) >= _STRANGERS and not any(_occurs_anywhere(key, world) for key in others)
    )


def _stands_among_keys(claim: Claim, world: World) -> bool:
    """Another name on the same or the next line is a key of the code."""
    near = (other for other in world.neighbours(claim) if abs(other.line - claim.line) <= 1)
    return any(_is_key(other.subject, world) for other in near if other.subject != claim.subject)


def _is_like_a_key(word: str) -> bool:
    """Two words at least, and not written like a class: that a field was called so says that it is meant."""
    return is_multiword(word) and not (word[:1].isupper() and any(c.islower() for c in word))


def _places(
    key: str, facts: FileFacts, *, firm: bool, members: bool, dashed: bool, given: bool = True
) -> Iterator[int]:
    """Lines on which a file declares a key. Where the docs are about configuration, any look-up of two words will do.

    A key in an example file proves nothing: the file may be another program's. `members`: fields and parameters count.
    `dashed`: so do settings in another spelling. `given`: parameters of functions do.
    """
    trusted = {"settings", "schema"}
    if is_multiword(key):
        trusted |= {"lookup", "literal"} if firm else {"lookup"}
    for item in facts.keys:
        name = item.name.rpartition(".")[2]
        if item.origin in trusted and (
            name == key or (firm and dashed and item.origin == "settings" and normal(name) == normal(key))
        ):
            yield item.line
    for definition in facts.definitions if members else ():
        if definition.kind in _MEMBERS and definition.name == key:
            yield definition.line
        if firm and given and any(param.name == key for param in definition.params or ()):
            yield definition.line
    for option in facts.options if is_multiword(key) else ():
        if not option.literal and f"--{key}" in option.names:
            yield option.line


def _fix(key: str, file: PastFile, world: World) -> Fix | None:
    now = facts_now(world, file.path)
    if now is None:
        return None
    before = [(k.name.rpartition(".")[2], (k.default, k.origin)) for k in sorted(file.facts.keys, key=lambda k: k.line)]
    after = [(k.name.rpartition(".")[2], (k.default, k.origin)) for k in sorted(now.keys, key=lambda k: k.line)]
    found = successor(key, before, after)
    return Fix(found[0], found[1]) if found else None


def _drifted(claim: Claim, past: tuple[PastFile, int], fix: Fix | None) -> Judgement:
    file, line = past
    return Judgement(
        Verdict.DRIFTED, _RULE, f"The code does not know the configuration key `{claim.subject}` any more",
        evidence=(Evidence("known until then", file.path, line, file.blob.after),), confidence=0.93, fix=fix,
    )  # fmt: skip
