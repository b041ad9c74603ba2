"""Files that are named by what leads to them: an address on GitHub (`https://github.com/owner/name/blob/main/docs/a.md`), or what
Ruby loads (`require 'tool/task'`).

Whose repository an address names is told by the manifests. Which branch it means is not known, and another library may have the
same path, so such a claim is called false only if the file went with the last commits or with the change under scan.
"""

from __future__ import annotations

import re

from docalign_actors.engine.claims import Claim, Judgement, uncertain, verified
from docalign_actors.engine.kinds.path_fixes import gone
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence

ADDRESS = re.compile(
    r"^https?://(?:(?:www\.)?github\.com/(?P<slug>[\w.-]{1,80}/[\w.-]{1,100})/(?:blob|tree|raw|edit)"
    r"|raw\.githubusercontent\.com/(?P<raw>[\w.-]{1,80}/[\w.-]{1,100}))"
    r"/(?:refs/heads/)?(?:main|master|HEAD|develop|dev|trunk)/(?P<path>[\w.@+-]+(?:/[\w.@+-]+)*)/?(?=$|[?#])"
)
_MANIFESTS = frozenset((
    "package.json", "go.mod", "cargo.toml", "pyproject.toml", "setup.py", "setup.cfg", "composer.json", "pom.xml", "build.gradle",
    "build.gradle.kts", "mkdocs.yml", "mkdocs.yaml", "mix.exs", "pubspec.yaml", "antora.yml",
))  # fmt: skip
_OTHERS = (".gemspec", ".csproj", ".cabal", ".podspec")
_LIMIT = 200_000


def judge_hosted(claim: Claim, world: World) -> Judgement:
    """The file is there, or the last commits took it away from this repository."""
    path = claim.subject
    if world.exists(path):
        return verified(Evidence("it is there", path))
    removal = world.past.removal(path)
    if removal is None or not removal.recent:
        return uncertain("no file here, and another branch may have it")
    if not _is_ours(claim.owner, world):
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


def _is_ours(slug: str, world: World) -> bool:
    """A manifest at the root says that this repository lives there."""
    address = re.compile(rb"github\.com[/:]" + re.escape(slug.encode()) + rb"(?:\.git)?(?![\w-])", re.IGNORECASE)
    roots = (path for path in world.files if "/" not in path and (path.lower() in _MANIFESTS or path.endswith(_OTHERS)))
    return any(address.search(world.tree.read(path, _LIMIT)) for path in roots)
