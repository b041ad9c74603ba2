"""Targets that cargo finds by their files: `cargo run --example resize` runs `examples/resize.rs`, whatever Cargo.toml says."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from docalign_actors.engine.claims import Claim, Judgement, verified
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_FOLDERS = ("src/bin", "examples", "benches", "tests")


def verify_target(claim: Claim, chain: Sequence[str], world: World) -> Judgement | None:
    """The file is there, or a commit took it away; None if it never was in one of these folders."""
    for path in _places(claim.text, chain, world):
        if path in world.files:
            return verified(Evidence(f"the target {claim.text}", path))
    for path in _places(claim.text, chain, world):
        removal = world.past.removal(path)
        if removal is not None:
            new = _name(removal.successor) if _name(path) != _name(removal.successor) else ""
            said = f"renamed to {removal.successor}" if removal.successor else "removed"
            return Judgement(
                Verdict.DRIFTED, "unknown-script", f"`{claim.text}` is not a target of this package any more",
                (Evidence(f"{path} was {said}", commit=removal.commit.sha),), 0.97 if removal.recent else 0.6, None,
                Fix(new, True) if new else None, subject=f"cargo {claim.text}",
            )  # fmt: skip
    return None


def program_of_files(name: str, world: World) -> Judgement | None:
    """A program of some package of the repository that needs no entry in Cargo.toml: `src/bin/tool.rs`; None if there is none."""
    path = next((path for path in _places(name, (), world, _FOLDERS[:1]) if path in world.files), "")
    return verified(Evidence(f"the program {name}", path)) if path else None


def _places(name: str, chain: Sequence[str], world: World, folders: Sequence[str] = _FOLDERS) -> Iterator[str]:
    members = [package.root for package in world.index.packages if package.language == "rust"]
    for root in dict.fromkeys([*chain, *members]):
        for folder in folders:
            plain = posixpath.join(root, folder, name)
            yield f"{plain}.rs"
            yield f"{plain}/main.rs"


def _name(path: str) -> str:
    return posixpath.basename(path.removesuffix("/main.rs").removesuffix(".rs"))
