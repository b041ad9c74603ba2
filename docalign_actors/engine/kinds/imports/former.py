"""A top package of Python that was this repository's under another name, and what it is called now."""

from __future__ import annotations

import posixpath

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.code.manifests.requirement import normalised
from docalign_actors.engine.kinds.shared.lookup import Symbols
from docalign_actors.engine.kinds.shared.modules import module_parts
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict


def former_package(top: str, symbols: Symbols, world: World) -> tuple[Removal, str] | None:
    """What became of a package or module of ours that is none now, and its dotted name of today ("" if it has none)."""
    if symbols.anything_called(top) or not symbols.modules.tops or _is_taken_from_elsewhere(top, symbols, world):
        return None
    for path in _files(top):
        removal = world.past.removal(path)
        if removal is not None and is_own_code(path):
            return with_its_folder(removal, world)
    return None


def _files(top: str) -> list[str]:
    return [f"{top}/__init__.py", f"src/{top}/__init__.py", f"{top}.py", f"src/{top}.py"]


def with_its_folder(removal: Removal, world: World) -> tuple[Removal, str]:
    """An empty `__init__.py` is like any other: where git sees no rename of it, its folder tells."""
    folder, name = posixpath.split(removal.path)
    whole = world.past.removal(folder) if name == "__init__.py" and not removal.successor else None
    if whole is not None and whole.successor and f"{whole.successor}/{name}" in world.files:
        return whole, ".".join(module_parts(f"{whole.successor}/{name}", world))
    return removal, ".".join(module_parts(removal.successor, world)) if removal.successor else ""


def _is_taken_from_elsewhere(top: str, symbols: Symbols, world: World) -> bool:
    """A manifest demands a package of this name, or our own code imports it although we have none."""
    names = {top, normalised(top)}
    demands = (entry for name in names for entry in world.index.versions.get(name, ()))
    demanded = any(entry.fact.origin in ("dependency", "optional") for entry in demands)
    return demanded or top in symbols.imported_tops


def package_renamed(top: str, new: str) -> str:
    """The sentence that says so."""
    return f"the package is not called `{top}` any more" + (f": it is `{new}` now" if new else "")


def in_renamed_package(claim: Claim, symbols: Symbols, world: World) -> Judgement | None:
    """The verdict on a dotted name whose package is called otherwise now, and has the rest of the name."""
    top, _, rest = claim.subject.partition(".")
    if not rest or top in symbols.modules.tops or not claim.text.startswith(f"{top}."):
        return None
    gone = former_package(top, symbols, world)
    if not world.past.open_paths.isdisjoint([*_files(top), top, f"src/{top}"]):
        return uncertain("the past is asked first")
    if gone is None or not gone[1] or symbols.modules.resolve((*gone[1].split("."), *rest.split("."))).state != "found":
        return None
    removal, new = gone
    evidence = Evidence(f"renamed to {removal.successor}", removal.path, 0, removal.commit.sha)
    fix = Fix(new + claim.text[len(top) :], True)
    return Judgement(
        Verdict.DRIFTED, "missing-symbol", package_renamed(top, new), (evidence,), 0.95, fix=fix, subject=top
    )
