"""A distinctive word that own code defined once and has no use for now: gone, whatever it is written on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from docalign_actors.engine.claims import Claim, Judgement, Why
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.kinds.imports.former import with_its_folder
from docalign_actors.engine.kinds.imports.paths import removed_class, removed_module, removed_package
from docalign_actors.engine.kinds.shared.lookup import Former, Symbols
from docalign_actors.engine.kinds.shared.names import is_constant, is_distinctive, last_part_replaced
from docalign_actors.engine.kinds.shared.taken import params_then, shapes
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.renames import successor
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

DATA = frozenset(
    ("json", "json5", "jsonc", "yaml", "yml", "toml", "ini", "xml", "html", "sh", "bash", "shell", "console", "text", "txt", "diff",
     "dockerfile", "makefile", "csv", "log", "dotenv", "properties")
)  # fmt: skip
"""Languages in which a word is a key or a value."""


class Taken(Struct, frozen=True):
    """A parameter that is no more: the version of the file, what took it, and how that is called."""

    file: PastFile
    definition: Definition
    owner: str

    def is_named_in(self, text: str) -> bool:
        """The text names what took the parameter."""
        return re.search(rf"\b{re.escape(self.owner.rpartition('.')[2])}\b", text) is not None


def vanished_names(claim: Claim, symbols: Symbols, world: World) -> Iterator[str]:
    """The words of a claim's text that are distinctive and that code of the repository had once and has no more."""
    for part in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", claim.text)):
        if part in claim.words and is_distinctive(part) and not is_constant(part) and is_nowhere(part, symbols, world):
            yield part


def is_nowhere(word: str, symbols: Symbols, world: World) -> bool:
    """Own code had the word, neither defines, takes, imports nor otherwise uses it now, and tests do not define it.

    Tests are asked last: they would be parsed for it.
    """
    return not (
        symbols.anything_called(word)
        or word in symbols.parameters
        or symbols.is_used(word)
        or not world.past.files(word)
        or word in world.index.test_names
    )


def former_taker(word: str, symbols: Symbols, world: World) -> Taken | None:
    """The newest function that took a parameter of this name, if it is still there without it."""
    for file in world.past.files(word):
        if not symbols.is_offered(file.path) or file.path not in world.files:
            continue
        for owner, (definition, kind) in symbols.takers_then(file).get(word, {}).items():
            by_name = file.path.endswith((".py", ".pyi")) or kind == "keyword"
            if by_name and symbols.keeps(file.path, owner) and not owner.rpartition(".")[2].startswith("_"):
                return Taken(file, definition, owner)
    return None


def without_parameter(claim: Claim, word: str, taken: Taken, symbols: Symbols) -> Judgement:
    """The verdict on a parameter that is named where no call tells whose it is."""
    evidence = Evidence(
        f"`{taken.owner}` took `{word}` here", taken.file.path, taken.definition.line, taken.file.blob.after
    )
    now = [p for d in symbols.world.facts(taken.file.path).definitions
           if d.qualname == taken.definition.qualname for p in d.params or ()]  # fmt: skip
    renamed = successor(word, shapes(params_then(taken.file.facts, taken.definition.qualname)), shapes(now))
    fix = Fix(last_part_replaced(claim.text, word, renamed[0]), renamed[1]) if renamed else None
    return Judgement(
        Verdict.DRIFTED, "missing-symbol", f"`{taken.owner}` takes no `{word}` any more", (evidence,), 0.9, fix=fix,
        subject=f"{taken.owner}({word})",
    )  # fmt: skip


def without_module(claim: Claim, symbols: Symbols, world: World, *, shown: bool = True) -> Judgement | None:
    """The verdict on a dotted name on whose way a module of ours was deleted or renamed.

    `shown`: that the package shows something of the same name is as good as a module.
    """
    parts = claim.subject.split(".")
    gone = removed_module(parts, symbols.modules, shown=shown)
    if gone is None:
        return None
    base, removal = gone
    told = re.findall(r"\w+", claim.text)
    # `backup()` from a module `backup` is the function's name: the module stands in the import alone.
    if base[-1] not in told or len(told) <= len(parts) - len(base):
        return None
    removal, new = with_its_folder(removal, world)
    rest = parts[len(base) :]
    # What the module had may have got another name with it.
    if new and rest and symbols.resolve([*new.split("."), *rest]).state == "absent":
        new = ""
    return _removed(claim, "module", ".".join(base), new, removal)


def without_package(claim: Claim, world: World) -> Judgement | None:
    """The verdict on a dotted name that begins with a Java package of ours which was deleted or renamed."""
    gone = removed_package(claim.subject.split("."), world)
    return _removed(claim, "package", gone[0], "", gone[1]) if gone is not None else None


def without_class(claim: Claim, world: World) -> Judgement | None:
    """The verdict on a dotted name that begins with a Java class of ours which was deleted or moved to another package."""
    gone = removed_class(claim.subject.split("."), world)
    return _removed(claim, "class", *gone) if gone is not None else None


def _removed(claim: Claim, what: str, old: str, new: str, removal: Removal) -> Judgement:
    fix = Fix(new + claim.text[len(old) :], True) if new and f"{claim.text}.".startswith(f"{old}.") else None
    text = f"renamed to {removal.successor}" if removal.successor else "deleted"
    return Judgement(
        Verdict.DRIFTED, "missing-symbol", f"there is no {what} `{old}` any more",
        (Evidence(text, removal.path, 0, removal.commit.sha),), 0.95, fix=fix, subject=old,
        why=Why.MODULE_GONE if what == "module" else Why.UNTOLD,
    )  # fmt: skip


def former_of(word: str, symbols: Symbols) -> Former | None:
    """The newest definition of the word that documentation could mean."""
    return symbols.former((word,), lambda _, d: d.public or "." in d.qualname)


def is_published(definition: Definition) -> bool:
    """Part of what the code offers, rather than a variable."""
    if not definition.public or definition.kind in ("field", "member"):
        return False
    return definition.kind != "constant" or definition.name[:1].isupper()


def find_definition(definitions: Sequence[Definition], qualname: str) -> Definition | None:
    """The definition of this qualified name, if there is one."""
    return next((d for d in definitions if d.qualname == qualname), None)
