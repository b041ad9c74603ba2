"""Whose a name is, as far as the text and the examples around it tell."""

from __future__ import annotations

import re

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.reader import SOURCE_LIMIT, language_of
from docalign_actors.engine.kinds.imports.paths import served_package
from docalign_actors.engine.kinds.shared.lookup import Former, Symbols
from docalign_actors.engine.world import World

_SEPARATE = re.compile(
    r"\b(?:in|into|by|from|as|to) (?:a|an|its own|the|another) (?:separate|standalone|different|dedicated|external|own)\s+"
    r"`?(?:\w+ )?(?:package|library|repository|repo|gem|crate|module|project|assembly|artifact|plugin|extension)\b",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(legacy|former(ly)?|previous(ly)?|old|older|renamed|deprecated|removed|obsolete)\b[^.;]*$", re.IGNORECASE
)
_OLD_WORDS = ("legacy", "former", "previous", "old", "renamed", "deprecated", "removed", "obsolete")

_OPEN_EXPORTS = re.compile(
    rb"(?:module\.exports\s*=|export default)\s*(?:new\s|require\(|[\w.$]{1,80}\()|export \* from ['\"][^.'\"]"
)


def is_anothers(former: Former, symbols: Symbols) -> bool:
    """It only stood for another project's thing, or its file exports what another project makes; or, where members are put
    on objects by assignment, something of its name is still there.
    """
    return (
        _is_shim(former, symbols)
        or _has_open_exports(former, symbols.world)
        or _takes_all_of_another(former, symbols)
        or (not former.file.path.endswith(".py") and symbols.anything_called(former.definition.name))
    )


def _is_shim(former: Former, symbols: Symbols) -> bool:
    """`class X(other.X)`, or `X = None` where `import X` fails."""
    definition = former.definition
    if any(base != definition.name and base.rpartition(".")[2] == definition.name for base in definition.bases):
        return True
    imported = (i for i in former.file.facts.imports if i.alias.partition(".")[0] == definition.name)
    foreign = (i.module.partition(".")[0] not in symbols.modules.tops for i in imported if not i.module.startswith("."))
    return any(foreign)


def _has_open_exports(former: Former, world: World) -> bool:
    """`module.exports = new Linter(options)`: what that has is not seen."""
    path = former.file.path
    if language_of(path) not in ("javascript", "typescript", "tsx") or path not in world.files:
        return False
    return _OPEN_EXPORTS.search(world.tree.read(path, SOURCE_LIMIT)) is not None


def _takes_all_of_another(former: Former, symbols: Symbols) -> bool:
    """`from other.query import *`, where the thing was: it may be there still, as the other project's."""
    path = former.file.path
    if not path.endswith(".py") or path not in symbols.world.files:
        return False
    taken = (entry.module for entry in symbols.world.facts(path).imports if entry.name == "*")
    return any(module[:1] != "." and module.partition(".")[0] not in symbols.modules.tops for module in taken)


def taken_from_others(name: str, symbols: Symbols, world: World) -> bool:
    """Every example of the documentation that imports the name takes it from somewhere else."""
    modules = world.imported.get(name, ())
    return bool(modules) and not any(_is_of_ours(module, symbols, world) for module in modules)


def _is_of_ours(module: str, symbols: Symbols, world: World) -> bool:
    """A module path of this repository, or one that is written from where the example stands."""
    module = served_package(module) or module
    root = re.split(r"[./:]", module)[0] if not module.startswith("@") else ""
    packages = world.index.package_names
    return (
        module.startswith((".", "/", "~", "@/", "#"))
        or root in symbols.modules.tops
        or any(module == package or module.startswith((f"{package}/", f"{package}.")) for package in packages)
        or root in ("crate", "self", "super")
        or any(root.replace("-", "_") == package.replace("-", "_") for package in packages)
    )


def is_ours(root: str, symbols: Symbols, world: World) -> bool:
    """A package, module or class of this repository, now or in the past."""
    root = served_package(root) or root
    if root in world.index.package_names or root in symbols.modules.tops or root in symbols.classes:
        return True
    if "/" in root and any(root.startswith(f"{package}/") for package in world.index.package_names):
        return True  # a part of a JavaScript package: `tool/util/files`
    return root[:1].isupper()


def said_to_be_foreign(claim: Claim, symbols: Symbols, world: World) -> bool:
    """`DatabaseURL` from `databases`: the text itself says whose it is."""
    after = claim.context.partition(f"`{claim.text}`")[2][:60] if claim.form == "span" else ""
    match = re.match(r"(?:\(\))?,? (?:from|of|in|by) (?:the )?`?([A-Za-z][\w\-]*)`?", after)
    if match is None or len(match[1]) < 3 or match[1] in ("the", "this", "your", "our", "our", "that", "each", "all"):
        return False
    word = match[1]
    quoted = f"`{word}`" in match.group()
    return (
        quoted
        and not is_ours(word, symbols, world)
        and not symbols.anything_called(word)
        and word not in symbols.modules.stems
    )


def tells_of_another_package(claim: Claim, world: World) -> bool:
    """The document says that what it tells of is in a package or repository of its own."""
    document = world.documents.get(claim.file)
    return document is not None and any(
        _SEPARATE.search(block.text[:600])
        for block in document.blocks[:12]
        if block.kind in ("paragraph", "item", "quote")
    )


def said_to_be_old(claim: Claim) -> bool:
    """ "The legacy name (`llm_model`)": the words before the name say that it is not to be there."""
    before = claim.context.partition(f"`{claim.text}")[0][-60:] if claim.form == "span" and claim.context else ""
    lower = before.lower()
    return any(word in lower for word in _OLD_WORDS) and _OLD.search(before) is not None
