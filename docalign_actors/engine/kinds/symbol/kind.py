"""Names of functions, classes, methods, attributes and constants: does own code define what the documentation names?"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from docalign_actors.engine.claims import Claim, Judgement, Rule, Why, uncertain, verified
from docalign_actors.engine.differential import is_variable
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.kinds.imports.former import in_renamed_package
from docalign_actors.engine.kinds.imports.paths import missing_package
from docalign_actors.engine.kinds.shared.lookup import is_supposed, symbols_of
from docalign_actors.engine.kinds.shared.modules import ALL_READ, Resolution
from docalign_actors.engine.kinds.shared.names import (
    OF_EVERY_SCRIPT,
    is_constant,
    is_distinctive,
    is_keyword,
    is_placeholder,
)
from docalign_actors.engine.kinds.symbol.gone import RULE, FormerName
from docalign_actors.engine.kinds.symbol.owners import (
    is_ours,
    said_to_be_foreign,
    said_to_be_old,
    taken_from_others,
)
from docalign_actors.engine.kinds.symbol.text import extract
from docalign_actors.engine.kinds.symbol.vanished import (
    former_of,
    former_taker,
    is_published,
    vanished_names,
    without_class,
    without_module,
    without_package,
    without_parameter,
)
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Severity, Verdict

_LEAST_PACKAGE = 2
"""Parts that a dotted name has before a class of a Java package, at the least."""
_TITLE = re.compile(r"^.*\s\S+\s.*$|^(?:class|interface|struct|type|the|object|module)\s+", re.IGNORECASE)
"""A heading of three words or more, which is not just a name; or the word before the name."""

YOURS = re.compile(r"(?:My|Your)[A-Z]|(?:my|your)_")


class SymbolKind:
    """A name in a code span, a cross-reference, a heading, an example or the text."""

    name = "symbol"
    rules = (Rule(RULE, "symbol", "A name that the code does not define (any more).", Severity.HIGH),)
    markers: frozenset[str] = frozenset()

    def extract(self, document: Document) -> Iterable[Claim]:
        return extract(document)

    def verify(self, claim: Claim, world: World) -> Judgement:
        parts = tuple(claim.subject.split("."))
        symbols = symbols_of(world)
        if claim.owner and not is_ours(claim.owner, symbols, world):
            return uncertain(f"of `{claim.owner}`, which is not this repository's", Why.OF_ANOTHERS)
        if ".".join(parts[:2]) in OF_EVERY_SCRIPT:
            return uncertain("every script has it", Why.EVERYBODYS)
        if said_to_be_foreign(claim, symbols, world):
            return uncertain("said to be another project's", Why.SAID_ANOTHERS)
        if said_to_be_old(claim):
            return uncertain("said to be of the past", Why.SAID_PAST)
        if renamed := in_renamed_package(claim, symbols, world):
            return renamed
        if claim.value == "path" and parts[0] not in symbols.modules.tops:
            return without_package(claim, world) or uncertain("not this repository's", Why.ANOTHERS)
        if claim.value in ("module", "namespace") and len(parts) > 1:
            gone = without_module(claim, symbols, world, shown=False)
            if gone is not None or claim.value == "namespace":
                return gone or uncertain("what a page says it describes need not be a file")
            if world.past.awaits_file(f"{parts[-1]}.py"):
                return uncertain("the past is asked first")
        judge = _Judge(claim, parts, symbols, world)
        judgement = judge.bare() if len(parts) == 1 else judge.qualified()
        if judgement.verdict is Verdict.UNCERTAIN:
            judgement = judge.vanished() or judgement
        if judgement.verdict is Verdict.DRIFTED and taken_from_others(parts[-1], symbols, world):
            return uncertain("the examples take it from another project", Why.TAKEN)
        if judgement.verdict is Verdict.DRIFTED and YOURS.match(parts[-1]):
            return uncertain("a name that stands for the reader's own")
        return judgement


class _Judge(FormerName):
    """Judges one claim."""

    def bare(self) -> Judgement:
        """A name without an owner."""
        name = self.parts[0]
        plain = not is_distinctive(name) and self.how not in ("call", "member", "role")
        if self.how == "module" or name in self.symbols.modules.tops:
            return (
                verified()
                if name in self.symbols.modules.tops
                else uncertain("a module of somebody else", Why.PERHAPS_ANOTHERS)
            )
        if self.symbols.anything_called(name):
            lost = self._lost_by_context(name)
            if lost is not None:
                return lost
            if self.world.past.awaits(name):
                return uncertain("the past has not answered yet")
            if plain or is_constant(name):
                return uncertain("a common word")
            located = self.world.index.definitions.get(name)
            return verified(*(Evidence("defined", where.path, where.fact.line) for where in (located or ())[:1]))
        if self.how != "role" and (len(name) < 4 or is_keyword(name)):
            return uncertain("too short to be sure of")
        if self.symbols.is_used(name) or (plain and self.world.index.occurs(name)):
            return uncertain("not defined here, but the code uses the word")
        if self.claim.form == "prose" and self.how == "prose" and self.world.index.occurs_in_code(name):
            return uncertain("a word of the text that the code's comments use too")
        # Whether tests define it is asked last: they would be parsed for it, and only what the past knows can be gone.
        if not self.world.past.files(name):
            return uncertain("the code never defined anything of this name")
        if name in self.world.index.test_names:
            return uncertain("tests or examples define it")
        former = self.symbols.former(self.parts)
        if former is None:
            return uncertain("nothing of this name was ever defined here")
        if (plain and former.definition.kind in ("field", "member", "constant")) or not self.tells(former):
            return uncertain("a common word")
        if self.claim.form == "example" and self.how == "prose" and not is_published(former.definition):
            return uncertain("a name that an example may choose for itself")
        return self.gone(former)

    def vanished(self) -> Judgement | None:
        """Some part of the name is a word that the code defined once and has nowhere now."""
        if self.how in ("import", "typed") and not is_ours(self.parts[0], self.symbols, self.world):
            return None
        if len(self.parts) > 1 and self._is_standard():
            return None
        if self.claim.form == "prose" and any(self.world.index.occurs_in_code(part) for part in self.parts[-1:]):
            return None
        is_loose = self.claim.form == "example" and self.how == "prose"
        for name in vanished_names(self.claim, self.symbols, self.world):
            former = former_of(name, self.symbols)
            if former is not None and self.is_too_old(former):
                continue
            if former is not None and not (is_loose and not is_published(former.definition)):
                return self.gone(former)
            taken = former_taker(name, self.symbols, self.world)
            # In an example a word may be a variable or a key of the reader's own, unless the function stands beside it.
            is_meant = not is_loose or (self.world.past.differential and not self._is_handed_over(name))
            if taken is not None and self.how != "member" and (is_meant or taken.is_named_in(self.claim.context)):
                return without_parameter(self.claim, name, taken, self.symbols)
        return None

    def _is_handed_over(self, name: str) -> bool:
        """`fit(train, X_valid)`: what an example gives by its place is a variable of its own, however it is called."""
        return is_variable(name, self.world.line(self.claim).decode("utf-8", "replace"))

    def _lost_by_context(self, name: str) -> Judgement | None:
        """`.bar()` in a section about `Foo`, when `Foo` had a `bar` and has none now, though others have."""
        if self.how not in ("call", "member"):
            return None
        text = " ".join((*self.claim.section, self.claim.context))
        # That a sentence names a class says little; a heading that consists of its name says whose members follow.
        heading = self.claim.section[-1] if self.claim.section else ""
        near = text if self.world.past.differential else _TITLE.sub("", heading)
        for owner in dict.fromkeys(re.findall(r"[A-Za-z_$][\w$]*", near)):
            if owner in self.symbols.classes and self.symbols.bases_lack(owner, name):
                former = self.symbols.former((owner, name))
                if former is not None and not self._others_in(text, name):
                    return self.gone(former)
        return None

    def _others_in(self, text: str, name: str) -> bool:
        """Something else that the text names does have such a member, or is a function of this name."""
        located = self.world.index.definitions.get(name, ())
        if any("." not in where.fact.qualname for where in located):
            return True
        owners = {where.fact.qualname.split(".")[-2] for where in located}
        return any(re.search(rf"\b{re.escape(owner)}\b", text) for owner in owners)

    def qualified(self) -> Judgement:
        """A name with an owner: a module, a class, or an object."""
        if missing_package(self.parts, self.world):
            return without_package(self.claim, self.world) or uncertain("no such package here, and no sign of one")
        without = without_class(self.claim, self.world) if len(self.parts) > _LEAST_PACKAGE else None
        if without is not None:
            return without
        found = self.symbols.resolve(self.parts)
        if found.state == "found":
            where = (
                (Evidence("defined", found.path, found.definition.line if found.definition else 1),)
                if found.path
                else ()
            )
            return verified(*where)
        owner, name = self.parts[-2], self.parts[-1]
        if self.parts[0] in self.symbols.modules.tops:
            without = without_module(self.claim, self.symbols, self.world)
            if without is not None or (self.how == "path" and not self._is_of_a_module()):
                return without or uncertain("may be something else that is written with dots")
            # An object is often called like its package: `datasette.create_token` is a method of `Datasette`.
            objects = self.symbols.by_variable.get(owner, ()) if len(self.parts) == 2 and self.how != "import" else ()
            if objects:
                judgement = self._object_member(owner, name)
                unknown = any(self.symbols.member(candidate, name).state == "unknown" for candidate in objects)
                if unknown or judgement.verdict is not Verdict.UNCERTAIN:
                    return judgement
            return self._module_member(found)
        if owner in self.symbols.classes:
            return self._class_member(owner, name, found)
        if self.how in ("import", "typed") and not is_ours(self.parts[0], self.symbols, self.world):
            return (
                self._formerly_qualified()
                if self.how == "typed" and len(self.parts) == 2
                else uncertain("not this repository's", Why.ANOTHERS)
            )
        if self._is_standard():
            return uncertain("the standard library's", Why.EVERYBODYS)
        return self._object_member(owner, name)

    def _is_of_a_module(self) -> bool:
        """`tool.files.Reader`: a name with a capital behind the whole path of a module of ours is nothing else."""
        module = ".".join(self.parts[:-1])
        capital = self.parts[-1][:1].isupper()
        return capital and len(self.parts) > _LEAST_PACKAGE and module in self.symbols.modules.paths

    def _is_standard(self) -> bool:
        """The name begins with a module of Python's own, in a text that may speak of Python."""
        if self.claim.language != "python" and (self.claim.language or not self.symbols.modules.tops):
            return False
        return self.parts[0] in sys.stdlib_module_names

    def _module_member(self, found: Resolution) -> Judgement:
        """`pkg.mod.name`, with `pkg` one of ours."""
        name = self.parts[-1]
        if found.state == "absent":
            missing = self.parts[: found.depth + 1]
            if not self.is_named(missing[-1]):
                return uncertain(f"`{missing[-1]}` is gone, and this text does not name it")
            if self.how == "import" and self.claim.text.strip("@()") == name and self.symbols.anything_called(name):
                return uncertain("it is elsewhere: the import is what is wrong")
            # What is still where it was has not gone: the name was only ever an abbreviation.
            former = self.symbols.former(missing, lambda path, d: not self.symbols.defines(d.qualname, path))
            return self.gone(former, moved=True) if former is not None else self._closed_world(found)
        former = self.symbols.former(self.parts)
        if former is None or self.symbols.still_there(former):
            return uncertain("something on the way cannot be read", Why.UNFOLLOWED)
        if self.symbols.is_used(name) and (self.symbols.anything_called(name) or self._is_made_here(name)):
            return uncertain("something on the way cannot be read", Why.UNFOLLOWED)
        return self.gone(former)

    def _is_made_here(self, name: str) -> bool:
        """A module on the way contains the word: its `__getattr__` may answer to it."""
        paths = (self.symbols.modules.paths.get(".".join(self.parts[:n]), "") for n in range(1, len(self.parts)))
        return any(path in self.world.index.occurs(name) for path in paths if path)

    def _class_member(self, owner: str, name: str, found: Resolution) -> Judgement:
        former = self.symbols.former((owner, name)) if self.symbols.bases_lack(owner, name) else None
        if former is not None and not self.symbols.still_there(former):
            return self.gone(former)
        if found.state == "absent" and former is None:
            return self._closed_world(found)
        if not self.symbols.is_used(name) and not self.symbols.anything_called(name):
            former = self.symbols.former((owner, name))
            if former is not None:
                return self.gone(former)
        return uncertain("a parent of the class cannot be read", Why.UNREAD)

    def _formerly_qualified(self) -> Judgement:
        former = self.symbols.former(self.parts[-2:])
        if former is not None and not self.symbols.still_there(former):
            return self.gone(former)
        return uncertain("not this repository's", Why.ANOTHERS)

    def _object_member(self, owner: str, name: str) -> Judgement:
        """`app.add_route`: an object of unknown class, or a class that is gone."""
        if owner[:1].isupper() and not self.symbols.anything_called(owner) and not self.symbols.is_used(owner):
            former = self.symbols.former(self.parts[-2:])
            if former is not None and not self.symbols.still_there(former):
                return self.gone(former)
            if former is None and not self.was_ours(owner):
                return uncertain(f"`{owner}` is not this repository's", Why.PERHAPS_ANOTHERS)
        for candidate in self.symbols.by_variable.get(owner.lower(), ()):
            if self.symbols.member(candidate, name).state == "found":
                return verified()
            if self.symbols.bases_lack(candidate, name):
                former = self.symbols.former((candidate, name))
                if former is not None and not self.symbols.still_there(former):
                    return self.gone(former)
        if self.symbols.anything_called(name):
            former = self.symbols.former((owner, name)) if owner in self.symbols.owners else None
            if former is not None and not self.symbols.still_there(former):
                return self.gone(former)
            return uncertain("an object of unknown class")
        if len(name) < 4 or self.symbols.is_used(name) or (self.world.index.occurs(name) and not is_distinctive(name)):
            return uncertain("an object of unknown class")
        former = self.symbols.former((owner, name)) or self.symbols.former(
            (name,), lambda _, d: "." in d.qualname or is_distinctive(name)
        )
        if former is None and self.claim.form in ("span", "heading") and not self.world.index.occurs(name):
            # Delegation: `ctx.query` for what a module of its own exports as `query`.
            former = self.symbols.former((name,))
            former = former if former is not None and name in (former.file.facts.exports or ()) else None
        if former is None or not self.tells(former):
            return uncertain("an object of unknown class")
        return self.gone(former)

    def _closed_world(self, found: Resolution) -> Judgement:
        """No past to go by: the owner is ours, fully read, and has no such member."""
        name = self.parts[found.depth] if found.depth < len(self.parts) else self.parts[-1]
        strong = self.how in ("import", "typed", "role") or (
            self.how == "call" and len(self.parts) > 1 and is_distinctive(self.parts[-2])
        )
        if self.claim.hypothetical or not strong or not found.path or name.startswith("_") or is_placeholder(name):
            return uncertain("its owner has no such member, and never had")
        if self.symbols.is_used(name):
            return uncertain("its owner has no such member, but the code uses the word")
        if is_supposed(name, self.claim.file, self.world):
            return uncertain("the document supposes it")
        if name in self.symbols.described:
            return uncertain("the documentation itself describes it: an interface that the reader implements")
        message = f"`{found.owner}` has no `{name}`"
        return Judgement(
            Verdict.DRIFTED,
            RULE,
            message,
            (Evidence(ALL_READ.format(found.owner), found.path, 1),),
            0.9,
            subject=f"{found.owner}.{name}",
        )
