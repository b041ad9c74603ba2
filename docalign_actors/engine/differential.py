"""The differential question: did it hold before this change, and does it hold now?

A claim that nothing decides by itself may still be decided by what a change did to it: the word it is about stood in the
repository's own code, this change took it away, and it stands nowhere in the code any more.
"""

from __future__ import annotations

import re

from docalign_actors.engine.claims import NOWHERE, OCCURS, Claim, Judgement, Rule, Why
from docalign_actors.engine.code.reader import MANIFESTS, language_of
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.kinds.shared.languages import PROGRAMS
from docalign_actors.engine.kinds.shared.programs import stands_aside
from docalign_actors.engine.roles import (
    is_aside,
    is_for_other_tools,
    is_foreign,
    is_hidden_settings,
    is_own_code,
    is_release_note,
    is_test,
)
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NAMES = frozenset({"symbol", "signature", "imports", "option", "environment", "configkey"})
"""Kinds whose claims are about a name that code must contain."""
_TOLD = frozenset({"symbol", "option", "environment"})
"""Of these, the kinds that read every such name; another kind's claim on the same text adds nothing but its own doubts."""
FOREIGN = frozenset(
    {
        Why.ANOTHERS, Why.ANOTHERS_OR_GONE, Why.ANOTHERS_OR_GENERATED, Why.PERHAPS_ANOTHERS, Why.SAID_ANOTHERS, Why.OF_ANOTHERS,
        Why.TAKEN, Why.UNREAD, Why.UNFOLLOWED,
    }
)  # fmt: skip
"""Doubts that own code's past cannot lift: the name is another's, or may come from what is not in the repository."""
NAMING = frozenset({"python", "ruby", "kotlin", "swift"})
"""Languages whose calls name arguments as a matter of course."""
_OTHERS = frozenset(
    {
        Why.OF_ANOTHERS, Why.INHERITED, Why.SHARED, Why.SAID_ANOTHERS, Why.SAID_PAST, Why.TAKEN, Why.BUILT_OF_KEY,
    }
)  # fmt: skip
"""The text or the examples show that a name is another project's, or everybody's, or that it may be made in another way."""
_TOLD_OTHERWISE = frozenset({Why.SAID_ANOTHERS, Why.SAID_PAST, Why.BUILT, Why.BUILT_OF_KEY})
VERY_FRESH = 2
"""Samples back, which is two commits: a word alone is little evidence, and in a quiet repository eight commits are years."""
_LONG = 8
_GENERATIONS = 3
_JOINED = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]")
"""Two words in one: hardly English, hardly a name that somebody else has chosen too."""


def broken(
    claim: Claim, then: Judgement, base: CodeIndex, head: CodeIndex, removed: set[str], rule: Rule
) -> Judgement | None:
    """A judgement if this change took the claim's word out of the code for good, None if it did not."""
    if claim.kind not in _NAMES or (claim.kind == "imports" and _is_of_others(then)):
        return None
    lost = [w for w in _WORD.findall(claim.text) if w in removed and w in claim.words and not _occurs(w, claim, head)]
    if then.verdict is not Verdict.VERIFIED:
        lost = [w for w in lost if is_distinctive(w)]
    word = lost[-1] if lost else ""
    if word and claim.kind == "symbol" and _is_of_another_class(word, claim, base):
        return None
    before = sorted(path for path in base.occurs(word) if is_own_code(path) or is_described(path, claim.file, base))
    before = [path for path in before if not is_aside(path) or is_described(path, claim.file, base)]
    before = [path for path in before if not is_hidden_settings(path)]
    before = [path for path in before if not (is_for_other_tools(path) and language_of(path) in MANIFESTS)]
    if word.isupper():
        before = [path for path in before if not _is_a_scripts_own(word, base.files.get(path))]
    # Build scripts and what configures tools are full of others' names, and a plain word may be anything's.
    if not is_upheld(then) or not (_JOINED.search(word) or word[:1].isupper() or "-" in claim.text):
        before = [path for path in before if not is_for_other_tools(path) and language_of(path) != "ini"]
        example = claim.form == "example"
        below = claim.owner if claim.kind == "configkey" else claim.kind == "symbol" and f".{word}" in claim.text
        given = not below or _JOINED.search(word) is not None
        before = [path for path in before if defines(word, base.files.get(path), by_name=example, given=given)]
    if not before or all(is_borrowed(word, base.files.get(path)) for path in before):
        return None
    evidence = tuple(Evidence(f"`{word}` stood here before this change", path) for path in before[:3])
    message = f"`{word}` {NOWHERE}: this change took it away."
    return Judgement(Verdict.DRIFTED, rule.id, message, evidence, 0.85, subject=word, why=Why.WORD_GONE)


def _is_of_others(then: Judgement) -> bool:
    """In the base already the module was none of this repository's: that code had a name like its own says nothing."""
    return then.why in (Why.ANOTHERS, Why.ANOTHERS_OR_GENERATED)


def is_upheld(then: Judgement) -> bool:
    """The base held more for the claim than the mere word, which code may use without being what the claim speaks of."""
    return then.verdict is Verdict.VERIFIED and not any(item.text == OCCURS for item in then.evidence)


def defines(word: str, facts: FileFacts | None, *, by_name: bool = False, given: bool = True) -> bool:
    """The file makes the name: a definition, a parameter, a key, an option, a variable; it does not only use it.

    `by_name`: a parameter counts only if a call can name it. An example calls its own variables what it likes.
    `given`: parameters count at all: one called `languages` is not the key `search.languages`.
    """
    if facts is None:
        return False
    named = not by_name or facts.language in NAMING
    return (
        any(word == d.name for d in facts.definitions)
        or any(
            word == p.name
            for d in facts.definitions
            for p in d.params or ()
            if given and (named or p.kind == "keyword")
        )
        or any(word in key.name.split(".") for key in facts.keys)
        or any(word == variable.name for variable in facts.env)
        or any(word in _WORD.findall(name) for option in facts.options for name in option.names)
        or any(word == command.name or word in command.aliases for command in facts.commands)
    )


def _is_of_another_class(word: str, claim: Claim, base: CodeIndex) -> bool:
    """The text, or the title of the page or the section, says of which class it is, and that one never had it: another's went."""
    *qualified, _ = re.split(r"::|->|[.#]", claim.text.rpartition(word)[0] + word)
    titles = [title.strip("`* ") for title in reversed(claim.section)]
    named = next((name for name in (*reversed(qualified), *titles) if _is_class(name, base)), "")
    if not named:
        return False
    owners = {named.rpartition("\\")[2]}
    for _ in range(_GENERATIONS):
        classes = [where.fact for owner in owners for where in base.definitions.get(owner, ())]
        owners |= {parent.rpartition(".")[2].rpartition("\\")[2] for found in classes for parent in found.bases}
    holders = {
        where.fact.qualname.split(".")[-2:-1][0]
        for where in base.definitions.get(word, ())
        if "." in where.fact.qualname
    }
    return bool(holders) and holders.isdisjoint(owners)


def _is_class(name: str, base: CodeIndex) -> bool:
    return any(where.fact.kind == "class" for where in base.definitions.get(name.rpartition("\\")[2], ()))


def _is_a_scripts_own(word: str, facts: FileFacts | None) -> bool:
    """A script of the shell gives it a value before it looks at it: nobody else's value counts."""
    return facts is not None and facts.language == "shell" and all(word != variable.name for variable in facts.env)


def _occurs(word: str, claim: Claim, index: CodeIndex) -> bool:
    """Own code has the word, or its tests and examples use it: they run, so that another package offers it now."""
    return any(not is_foreign(path) or is_beside(path, claim.file) for path in index.occurs(word))


def is_beside(path: str, document: str) -> bool:
    """Code of whatever role below the document's own folder: the README of a test suite speaks of the tests."""
    folder = document.rpartition("/")[0]
    return bool(folder) and not is_aside(document) and path.startswith(folder + "/")


def is_described(path: str, document: str, index: CodeIndex) -> bool:
    """Beside a document, and no test of what else lies there: the README of a package does not speak of the tests below it."""
    if not is_beside(path, document):
        return False
    folder = document.rpartition("/")[0] + "/"
    return not is_test(path.removeprefix(folder)) or not any(
        other.startswith(folder) and is_own_code(other) and language_of(other) and language_of(other) not in MANIFESTS
        for other in index.paths
    )


def is_anothers(now: Judgement) -> bool:
    """The text or the examples show that the name is another project's, or everybody's: what this code lost says nothing of it."""
    return now.why in _OTHERS


def is_borrowed(word: str, facts: FileFacts | None) -> bool:
    """The file imported the name: it is somebody else's, and that this code has no use for it any more says nothing of it."""
    return facts is not None and any(word in (entry.name, entry.alias) for entry in facts.imports)


def is_distinctive(word: str) -> bool:
    """A word that is hardly English: joined with underscores, capitals inside, or long."""
    return "_" in word.strip("_") or any(c.isupper() for c in word[1:]) or len(word) >= _LONG


def is_variable(word: str, line: str) -> bool:
    """Stands alone in an example: neither called, nor a key or the name of an argument, nor a member of something."""
    if word[:1].isupper() and word[1:2] != "_":  # `X_train` is called so by custom, `Client` is a class
        return False
    return re.search(rf"(?<![\w.:>]){re.escape(word)}(?!\w|\s{{0,4}}[(:=<{{\[.!?])", line) is not None


def recently_gone(claim: Claim, now: Judgement, world: World, rule: Rule) -> Judgement | None:
    """The same question without a base: the word stood in own code until a few commits ago, and stands nowhere now.

    Asks the past, so that the answer may come with the second look only.
    """
    if claim.kind not in _TOLD or now.why in _TOLD_OTHERWISE:
        return None
    foreign = now.why in FOREIGN
    for word in dict.fromkeys(_WORD.findall(claim.text)):
        if word not in claim.words or not _JOINED.search(word) or world.index.occurs(word):
            continue
        if claim.kind == "symbol" and word.isupper():
            continue  # what is written like a variable of the environment is for the kind that knows how those are built
        for file in world.past.files(word, beside=True):
            if file.blob.age > VERY_FRESH or is_release_note(file.path):
                continue
            # Own code may use somebody else's name; the tests beside a document define what it speaks of.
            if not (
                (is_own_code(file.path) and not foreign)
                or (is_test(file.path) and is_described(file.path, claim.file, world.index))
            ):
                continue
            program = claim.form == "example" and claim.language in PROGRAMS
            if (world.past.differential or claim.form == "prose" or program) and not defines(
                word, file.facts, by_name=program
            ):
                continue  # that a file merely had the word, maybe in a comment, says nothing of a thing of this name
            if program and is_variable(word, world.line(claim).decode("utf-8", "replace")):
                continue
            aside = stands_aside(file.path, world) or is_for_other_tools(file.path) or file.facts.language in MANIFESTS
            if not aside and not is_borrowed(word, file.facts):
                evidence = Evidence(f"`{word}` stood here until then", file.path, commit=file.blob.after)
                message = f"`{word}` {NOWHERE}."
                return Judgement(Verdict.DRIFTED, rule.id, message, (evidence,), 0.85, subject=word, why=Why.WORD_GONE)
    return None
