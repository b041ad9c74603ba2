"""Whether what own code defined once is what a claim names, and what is said of it then."""

from __future__ import annotations

import re

from docalign_actors.engine.claims import Claim, Judgement, Why, uncertain
from docalign_actors.engine.kinds.shared.lookup import Former, Symbols, agrees
from docalign_actors.engine.kinds.shared.modules import module_parts
from docalign_actors.engine.kinds.shared.names import is_distinctive, last_part_replaced
from docalign_actors.engine.kinds.symbol.owners import is_anothers, is_ours, tells_of_another_package
from docalign_actors.engine.kinds.symbol.vanished import DATA, find_definition
from docalign_actors.engine.roles import is_foreign, is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

RULE = "missing-symbol"


class FormerName:
    """One claim, against what was defined once."""

    def __init__(self, claim: Claim, parts: tuple[str, ...], symbols: Symbols, world: World) -> None:
        self.claim = claim
        self.parts = parts
        self.how = claim.value
        self.symbols = symbols
        self.world = world

    def gone(self, former: Former, *, moved: bool = False) -> Judgement:
        """It went, if nothing speaks for something else. `moved`: it may have another module now."""
        former = self._root_cause(former)
        if self.is_too_old(former):
            return uncertain("a name that went long ago, on something unknown")
        if not self.is_named(former.definition.name):
            return uncertain(f"`{former.definition.qualname}` is gone, and this text does not name it")
        if self._is_a_mere_word() and not (former.file.is_fresh or self.world.past.differential):
            return uncertain("a word alone, of what went long ago: it may be somebody else's by now")
        if not former.file.is_fresh and is_anothers(former, self.symbols):
            return uncertain("it may be another project's", Why.PERHAPS_ANOTHERS)
        if self.symbols.may_be_inherited(former):
            return uncertain("its class has a parent that cannot be read", Why.UNREAD)
        if self._may_be_a_parents(former):
            return uncertain(f"of `{self.parts[-2]}`, an object whose class may inherit it", Why.INHERITED)
        definition, blob = former.definition, former.file.blob
        if "\\" in self.claim.text and not self._is_in_namespace(former):
            return uncertain("a name of another namespace")
        in_tests = definition.qualname in self.world.index.test_names
        if in_tests and self.parts[0] not in self.symbols.modules.tops:
            return uncertain("tests or examples define it")
        evidence = Evidence(f"`{definition.qualname}` was defined here", blob.path, definition.line, blob.after)
        subject = definition.qualname
        fix = self._fix(former)
        message, why = f"`{definition.qualname}` is not defined any more", Why.NAME_GONE
        if moved and fix is None:
            path = self.symbols.moved(definition.name, definition.kind)
            if path and path != self.claim.subject:
                module = ".".join(module_parts(blob.path, self.world))
                message = f"`{definition.qualname}` is not in `{module}` any more"
                why = Why.UNTOLD
                fix = Fix(path, True) if self.claim.text == self.claim.subject else None
        return Judgement(Verdict.DRIFTED, RULE, message, (evidence,), 0.95, fix=fix, subject=subject, why=why)

    def _may_be_a_parents(self, former: Former) -> bool:
        """A member of some object, whose class took a parent from another project, and no other name is in its place."""
        facts, owner = former.file.facts, former.definition.qualname.rpartition(".")[0]
        if len(self.parts) < 2 or not owner or self.parts[-2] == owner or self.symbols.renamed(former) is not None:
            return False
        bases = {base.split(".")[0] for d in facts.definitions if d.qualname == owner for base in d.bases}
        return any(
            entry.module[:1] not in (".", "") and entry.module.split(".")[0] not in self.symbols.modules.tops
            for entry in facts.imports
            if not bases.isdisjoint((entry.alias, entry.name))
        )

    def _is_a_mere_word(self) -> bool:
        """Neither called nor qualified, and no example that would say whose it is."""
        return len(self.parts) == 1 and self.how in ("name", "prose") and self.claim.form != "example"

    def _is_in_namespace(self, former: Former) -> bool:
        """PHP: what stands before the name agrees with the folder of the former definition."""
        first = former.definition.qualname.split(".")[0]
        places = [n for n, part in enumerate(self.parts) if part == first]
        outer = self.parts[: places[-1]] if places else ()
        return not outer or agrees(outer, former.file.path, self.world)

    def is_named(self, name: str) -> bool:
        """The claim's text contains the name, so that a reader sees what is meant."""
        return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", self.claim.text) is not None

    def _root_cause(self, former: Former) -> Former:
        """If the class is gone with its method, the class is what is missing."""
        parts = former.definition.qualname.split(".")
        for length in range(1, len(parts)):
            qualname = ".".join(parts[:length])
            if not self.symbols.keeps(former.file.path, qualname):
                owner = find_definition(former.file.facts.definitions, qualname)
                if owner is not None:
                    return Former(former.file, owner)
        return former

    def _fix(self, former: Former) -> Fix | None:
        renamed = self.symbols.renamed(former)
        if renamed is None:
            return None
        new, certain = renamed
        if new.startswith("_") and not former.definition.name.startswith("_"):
            return None  # made private: documentation is not to name it
        text = last_part_replaced(self.claim.text, former.definition.name, new)
        return Fix(text, certain) if text != self.claim.text else None

    def _is_ours(self, root: str) -> bool:
        return (
            root in self.world.index.package_names or root in self.symbols.modules.tops or root in self.symbols.classes
        )

    def was_ours(self, owner: str) -> bool:
        """Something of this name was defined here, or the answer is not in yet."""
        return (
            owner in self.world.index.package_names
            or self.symbols.former((owner,)) is not None
            or owner.lower() in self.symbols.by_variable
        )

    def tells(self, former: Former) -> bool:
        """The name alone points at the former definition: it is distinctive, or its class is still here without it."""
        owner = former.definition.qualname.rpartition(".")[0]
        return not owner or is_distinctive(former.definition.name) or self.symbols.keeps(former.file.path, owner)

    def is_too_old(self, former: Former) -> bool:
        """It went long ago, and the text does not say whose name it is: by now it is more likely somebody else's."""
        if former.file.is_fresh:
            return False
        root = self.parts[0]
        is_on_unknown = len(self.parts) > 1 and not is_ours(root, self.symbols, self.world)
        if len(self.parts) > 1 and root[:1].isupper() and not self._is_ours(root) and not self.was_ours(root):
            return True
        if self.claim.form == "example" and (
            # The class of another library may have the same plain name; in data a word is a key or a value.
            (len(self.parts) > 1 and self.how in ("call", "name") and not is_distinctive(root))
            or (self.how == "prose" and self.claim.language in DATA)
        ):
            return True
        others = self.world.index.occurs(former.definition.name)
        if any(not is_own_code(path) and not is_foreign(path) for path in others):
            return True  # tests and examples use it: it lives on in a library that ours offers
        if self._is_family(former.definition.name) or tells_of_another_package(self.claim, self.world):
            return True
        return self.claim.form == "prose" or (self.claim.form == "example" and (is_on_unknown or self.how == "member"))

    def _is_family(self, name: str) -> bool:
        """`uv_poll` for `uv_poll_init`, `uv_poll_start` and their like: the common part of names that are still here."""
        start = f"{name}_"
        return "_" in name and sum(other.startswith(start) for other in self.world.index.definitions) > 1
