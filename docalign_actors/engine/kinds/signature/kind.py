"""Parameters: does the function that the documentation calls or describes take what the documentation says?"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.languages import is_callable_from
from docalign_actors.engine.kinds.shared.lookup import Symbols, matches, symbols_of
from docalign_actors.engine.kinds.shared.names import code_words, is_distinctive
from docalign_actors.engine.kinds.shared.taken import params_then, shapes
from docalign_actors.engine.kinds.signature.parameters import Taker, callables
from docalign_actors.engine.kinds.signature.text import extract
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import late_successor, successor
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Severity, Verdict

_RULE = "wrong-signature"
"""How the doubt ends whether what is called is ours: it may have been, or is read no more."""
_MAX_CONTEXT = 8
"""Functions of the surroundings that are asked whether they have a parameter."""
_MOST_TEXTS = 1_000
"""Texts of which it is remembered what they name."""
_around: WeakKeyDictionary[World, dict[str, list[tuple[str, list[Located[Definition]]]]]] = WeakKeyDictionary()


class SignatureKind:
    """A parameter in a call, in a documented signature, or in a list of parameters."""

    name = "signature"
    rules = (Rule(_RULE, "signature", "A parameter that the function does not take (any more).", Severity.HIGH),)
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        return extract(document)

    def verify(self, claim: Claim, world: World) -> Judgement:
        judge = _Judge(claim, symbols_of(world), world)
        return judge.call() if claim.owner else judge.mention()


class _Judge:
    """Judges one claim."""

    def __init__(self, claim: Claim, symbols: Symbols, world: World) -> None:
        self.claim = claim
        self.name = claim.subject
        self.symbols = symbols
        self.world = world

    def call(self) -> Judgement:
        """The function is named with the parameter."""
        parts = self.claim.owner.split(".")
        known = self.claim.value.startswith(("import", "typed"))
        found = callables(self.symbols, self._named(parts, known))
        if not found and parts[-1] in self.symbols.classes:
            return uncertain("what it takes is not seen")
        if not found:
            return uncertain("what is called is not this repository's, or gone", Why.ANOTHERS_OR_GONE)
        if any(one.takes(self.name) for one in found):
            return verified()
        near = callables(self.symbols, self._surroundings())
        if any(one.takes(self.name) for one in near):
            return verified()
        found = [one for one in found if is_callable_from(self.claim.language, one.path)]
        if not found:
            return uncertain("what is called is seen in another language only")
        if self.claim.value == "override" and not self._is_nowhere():
            return uncertain("an overriding method may call its parameters what it likes")
        gone = self._gone(found) or self._gone(near)
        if gone is not None:
            return gone
        if any(one.takes_any for one in found) and self._is_nowhere():
            return self._gone_anywhere(fresh=True)
        if any(one.open for one in found) or not known or self.claim.hypothetical or "keyword" not in self.claim.value:
            return uncertain("it may take more than its definition lists")
        one = found[0]
        message = f"`{one.definition.qualname}` takes no `{self.name}`"
        taken = ", ".join(param.name for param in one.params) or "nothing"
        evidence = Evidence(f"it takes {taken}", one.path, one.definition.line)
        return Judgement(
            Verdict.DRIFTED, _RULE, message, (evidence,), 0.9, subject=f"{one.definition.qualname}({self.name})"
        )

    def _named(self, parts: Sequence[str], known: bool) -> list[Located[Definition]]:
        """The definitions that a called name may mean."""
        index = self.world.index.definitions
        if len(parts) == 1:
            return [where for where in index.get(parts[0], ()) if not known or "." not in where.fact.qualname]
        found = self.symbols.resolve(parts)
        if found.state == "found" and found.definition is not None:
            if not is_callable_from(self.claim.language, found.path):
                return [
                    where for where in index.get(parts[-1], ()) if matches(parts, where.path, where.fact, self.world)
                ]
            same = self.symbols.modules.table(found.path).get(found.definition.qualname, ())
            return [Located(found.path, definition) for definition in same]
        if known:
            return []
        # `app.add_route(...)` with an unknown `app`: every method of that name may be meant.
        return [where for where in index.get(parts[-1], ()) if "." in where.fact.qualname]

    def mention(self) -> Judgement:
        """A parameter named on its own: the heading, the sentence or the paragraph before tells whose it is."""
        surroundings = self._surroundings()
        near = callables(self.symbols, surroundings)
        if any(one.takes(self.name) for one in near):
            return verified()
        if any(self.symbols.member(where.fact.name, self.name).state == "found" for where in surroundings):
            return uncertain("a member, not a parameter")
        named = self.world.index.definitions.get(self.name, ())
        gone = (
            self._gone(near, fresh=True)
            if not any(where.fact.kind in ("function", "method", "class") for where in named)
            else None
        )
        if gone is not None:
            return gone
        if not self._is_nowhere():
            return uncertain("no function that is named nearby has it")
        return self._gone_anywhere()

    def _surroundings(self) -> list[Located[Definition]]:
        named = self._named_around(" ".join((*self.claim.section[-2:], self.claim.context)))
        return [where for word, located in named if word != self.name for where in located][:_MAX_CONTEXT]

    def _named_around(self, text: str) -> list[tuple[str, list[Located[Definition]]]]:
        """What the names of a text may mean that can be called. The claims of one block share their text."""
        known = _around.setdefault(self.world, {})
        if text not in known:
            if len(known) >= _MOST_TEXTS:
                known.clear()
            known[text] = [(word, located) for word in code_words(text) if (located := self._meanings(word))]
        return known[text]

    def _meanings(self, word: str) -> list[Located[Definition]]:
        # `Pipfile` in a sentence is the file, though a class may be called like it.
        if not self.world.files.isdisjoint(self.world.by_name.get(word, ())):
            return []
        located = self.world.index.definitions.get(word, ())
        return [w for w in located if w.fact.params or w.fact.kind == "class"][:3]

    def _is_nowhere(self) -> bool:
        """A distinctive word that own code has no use for, neither as a parameter nor otherwise."""
        if (
            not is_distinctive(self.name)
            or self.name in self.symbols.parameters
            or self.symbols.anything_called(self.name)
        ):
            return False
        return not self.symbols.is_used(self.name)

    def _gone(self, found: Sequence[Taker], *, fresh: bool = False) -> Judgement | None:
        """The past: one of these took the parameter once. `fresh`: not long ago, where only the context tells whose it is."""
        # What takes any keyword and still uses the word may well take it still.
        closed = [one for one in found if not one.takes_any or not self.symbols.is_used(self.name)]
        closed = [one for one in closed if not self._still_taken(one.definition)]
        takers: list[tuple[PastFile, list[Taker]]] = []
        for file in self._past() if closed else ():
            here = [one for one in closed if _same_file(file.path, one.path, self.world)]
            if here and (file.is_fresh or not fresh):
                takers.append((file, here))
        read_ahead((file.facts for file, _ in takers), "definitions")
        for file, here in takers:
            then = self.symbols.takers_then(file).get(self.name, {})
            for one in here:
                known = then.get(one.definition.qualname) or then.get(one.source)
                if known is None or self._is_named_freely(known[1], one.path):
                    continue
                if one.takes_any and not file.is_fresh:
                    continue  # what it hands on, whoever takes it now may know
                return self._drifted(file, known[0], one.definition.qualname, self._fix(file, one))
        return None

    def _still_taken(self, definition: Definition) -> bool:
        """Another definition of the same name takes it: an overload, a stub, a twin for another platform."""
        return self.name in self.world.index.parameters_of(definition.name)

    def _is_named_freely(self, kind: str, path: str) -> bool:
        """Only Python callers write the names of positional parameters; elsewhere documentation calls them what it likes."""
        if "keyword" in self.claim.value and not path.endswith(".py"):
            return kind != "keyword"
        if path.endswith((".py", ".pyi")) or kind == "keyword":
            return len(self.name) < 3 and self.claim.value != "keyword"
        return not is_distinctive(self.name) or self.symbols.is_used(self.name)

    def _gone_anywhere(self, *, fresh: bool = False) -> Judgement:
        for file in self._past():
            if file.path not in self.world.files or (fresh and not file.is_fresh):
                continue
            for owner, (definition, kind) in self.symbols.takers_then(file).get(self.name, {}).items():
                if self.symbols.keeps(file.path, owner) and not self._is_named_freely(kind, file.path):
                    return self._drifted(file, definition, owner, None)
        return uncertain("no function ever had it")

    def _past(self) -> list[PastFile]:
        return [
            file
            for file in self.world.past.files(self.name)
            if self.symbols.is_offered(file.path) and is_callable_from(self.claim.language, file.path)
        ]

    def _fix(self, file: PastFile, one: Taker) -> Fix | None:
        then = params_then(file.facts, one.source or one.definition.qualname)
        find = successor if file.is_fresh else late_successor
        renamed = find(self.name, shapes(then), shapes(one.params))
        return Fix(renamed[0], renamed[1]) if renamed else None

    def _drifted(self, file: PastFile, definition: Definition, owner: str, fix: Fix | None) -> Judgement:
        evidence = Evidence(f"`{owner}` took `{self.name}` here", file.path, definition.line, file.blob.after)
        message = f"`{owner}` takes no `{self.name}` any more"
        return Judgement(Verdict.DRIFTED, _RULE, message, (evidence,), 0.95, fix=fix, subject=f"{owner}({self.name})")


def _same_file(then: str, now: str, world: World) -> bool:
    """The file is the same, or the old one is gone and this one has its name."""
    return then == now or (then not in world.files and posixpath.basename(then) == posixpath.basename(now))
