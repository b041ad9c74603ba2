"""Files that are named by what leads to them: an address on GitHub (`https://github.com/owner/name/blob/main/docs/a.md`), or what
Ruby loads (`require 'tool/task'`).

Whose repository an address names is told by the manifests. Which branch it means is not known, and another library may have the
same path, so such a claim is called false only if the file went with the last commits or with the change under scan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from docalign_actors.engine.claims import Claim, Judgement, uncertain, verified
from docalign_actors.engine.kinds.path.fixes import gone
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence

_ADDRESS = re.compile(
    r"https?://(?:(?:www\.)?github\.com/(?P<slug>[\w.-]{1,80}/[\w.-]{1,100})/(?:blob|tree|raw|edit)"
    r"|raw\.githubusercontent\.com/(?P<raw>[\w.-]{1,80}/[\w.-]{1,100}))"
    r"/(?:refs/heads/)?(?:main|master|HEAD|develop|dev|trunk)/(?P<path>[\w.@+-]+(?:/[\w.@+-]+)*)/?(?=$|[?#\s\"'`)|;,\]])"
)
_MANIFESTS = frozenset((
    "package.json", "go.mod", "cargo.toml", "pyproject.toml", "setup.py", "setup.cfg", "composer.json", "pom.xml", "build.gradle",
    "build.gradle.kts", "mkdocs.yml", "mkdocs.yaml", "mix.exs", "pubspec.yaml", "antora.yml",
))  # fmt: skip
_OTHERS = (".gemspec", ".csproj", ".cabal", ".podspec")
_LIMIT = 200_000
_MOST_MANIFESTS = 60


def addresses(text: str) -> Iterator[tuple[str, str, int]]:
    """(owner/name, path, where the path begins) of the files that a text leads to on GitHub."""
    for match in _ADDRESS.finditer(text) if "github" in text else ():
        yield match["slug"] or match["raw"], match["path"], match.start("path")


def judge_hosted(claim: Claim, world: World) -> Judgement:
    """The file is there, or the last commits took it away from this repository."""
    path = claim.subject
    if world.exists(path):
        return verified(Evidence("it is there", path))
    removal = world.past.removal(path)
    if removal is None or not removal.recent:
        return uncertain("no file here, and another branch may have it")
    if not is_ours(claim.owner, world):
        return uncertain("the address may be another repository's")
    return gone(removal, "missing-link-target", 0.97, removal.successor)


def judge_required(claim: Claim, world: World) -> Judgement:
    """What Ruby loads by a path below `lib`: there, or taken away by the last commits."""
    if world.exists(claim.subject):
        return verified(Evidence("it is there", claim.subject))
    removal = world.past.removal(claim.subject)
    if removal is None or not removal.recent:
        return uncertain("no file of this repository is loaded by that name")
    new = removal.successor
    heir = new.removeprefix("lib/").removesuffix(".rb") if new.startswith("lib/") and new.endswith(".rb") else ""
    return gone(removal, "missing-path", 0.97, heir)


_told: WeakKeyDictionary[World, dict[str, bool]] = WeakKeyDictionary()


def is_ours(slug: str, world: World) -> bool:
    """The address is this repository's, as it says itself."""
    known = _told.setdefault(world, {})
    if slug not in known:
        known[slug] = _is_told_to_be_ours(slug, world)
    return known[slug]


def _is_told_to_be_ours(slug: str, world: World) -> bool:
    """A manifest of its own says that this repository lives there, or the README shows how its checks went there or leads to
    its releases, its issues or its discussions, all of them: one alone may be another project's."""
    address = rb"github\.com[/:]" + re.escape(slug.encode())
    lives = re.compile(address + rb"(?:\.git)?(?![\w-])", re.IGNORECASE)
    checks = re.compile(
        address + rb"/(?:(?:actions|workflows)/|(?:releases(?:/latest)?|issues(?:/new)?|discussions)/?(?![\w/-]))",
        re.IGNORECASE,
    )
    manifests = [path for path in world.files if _is_manifest(path) and is_own_code(path)][:_MOST_MANIFESTS]
    readmes = [path for path in world.files if path.lower().startswith("readme.")]
    return any(lives.search(world.tree.read(path, _LIMIT)) for path in manifests) or any(
        checks.search(world.tree.read(path, _LIMIT)) for path in readmes
    )


def _is_manifest(path: str) -> bool:
    return path.rpartition("/")[2].lower() in _MANIFESTS or path.endswith(_OTHERS)
