"""What is said of a path that went, and how one that was renamed is written now, from where the old one was written."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from itertools import takewhile

from msgspec.structs import replace

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.kinds.path.names import is_conventional
from docalign_actors.engine.kinds.path.served import PAGE_SUFFIXES
from docalign_actors.engine.kinds.path.targets import from_elsewhere, spelled
from docalign_actors.engine.past import describe
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Fix, Verdict

_FRAGMENT = re.compile(r"#([^\s)\]>\"']{1,200})")
_CLIMBS = re.compile(r"(?:\.\./)+")

_PUT_AWAY = re.compile(
    r"(?:^|[-_.])(?:old|archived?|attic|deprecated|obsolete|legacy|trash|backup|deleted)(?:[-_.]|$)", re.IGNORECASE
)


def respell(claim: Claim, removal: Removal) -> str:
    """The new text, "" where it cannot be told from which folder the old one was meant."""
    if claim.form in ("link", "image"):
        return _link(claim, removal.path, removal.successor)
    written, old, new = claim.subject, removal.path, removal.successor
    bare = written.strip("/")
    while bare.startswith("./"):
        bare = bare[2:]
    if bare not in claim.text or claim.form == "tree":
        return ""
    climbs = _CLIMBS.match(bare)
    if climbs is not None:
        folder = posixpath.dirname(claim.file)
        if posixpath.normpath(posixpath.join(folder, bare)) == old:
            return claim.text.replace(bare, posixpath.relpath(new, folder or "."))
        rest = bare[climbs.end() :]
        prefix = old[: -len(rest)]
        if not (rest and old.endswith(rest) and new.startswith(prefix)):
            return ""
        return claim.text.replace(bare, climbs.group() + new.removeprefix(prefix))
    prefix = old[: -len(bare)] if old.endswith(bare) else ""
    return claim.text.replace(bare, new.removeprefix(prefix))


def in_other_capitals(claim: Claim, target: str, world: World) -> Fix | None:
    """How a link to a file that is there in other capitals is written right; None if there is no such file."""
    now = spelled(target, world)
    text = _link(claim, target, now) if now else ""
    return Fix(text, safe=_has_fragment_of(claim, now, world)) if text else None


def seen_from_elsewhere(claim: Claim, target: str, world: World) -> Fix | None:
    """How a link that was written as if from another folder is written right. Certain if it tells a folder of the file, too."""
    meant = from_elsewhere(claim, world)
    text = _link(claim, target, meant) if meant else ""
    told = [part for part in claim.subject.split("/") if part not in ("", ".", "..")]
    return Fix(text, safe=len(told) > 1 and _has_fragment_of(claim, meant, world)) if text else None


def _has_fragment_of(claim: Claim, path: str, world: World) -> bool:
    """The heading that the link names behind the path is one of this document: otherwise another one may be meant."""
    document = world.documents.get(path)
    behind = world.line(claim).decode("utf-8", "replace")[claim.column - 1 + len(claim.text) :]
    fragment = _FRAGMENT.match(behind)
    return fragment is None or document is None or fragment[1].lower() in {name.lower() for name in document.anchors}


def _link(claim: Claim, old: str, new: str) -> str:
    written = claim.subject
    if written not in claim.text:
        return ""
    slash = "/" if written.endswith("/") and not new.endswith("/") else ""
    if written.startswith("/"):
        return claim.text.replace(written, "/" + new + slash)
    folder = posixpath.dirname(claim.file)
    target = posixpath.normpath(posixpath.join(folder, written))
    if target != old and target not in [old.removesuffix(suffix) for suffix in PAGE_SUFFIXES]:
        # Not from the document's own folder: a site's rule, such as Antora's. What stands before the path stays unwritten.
        tail = posixpath.normpath(written)
        prefix = old[: -len(tail)] if old.endswith(tail) else ""
        return claim.text.replace(written, new.removeprefix(prefix)) if prefix and new.startswith(prefix) else ""
    relative = posixpath.relpath(new, folder or ".")
    dotted = "./" if written.startswith("./") and not relative.startswith("../") else ""
    return claim.text.replace(written, dotted + relative + slash)


def made_a_folder(removal: Removal, exists: Callable[[str], bool]) -> Removal:
    """`base.js` that is `base/index.js` now. git calls that file the successor which is most alike, and may take a part of it."""
    stem, dot, suffix = removal.path.rpartition(".")
    fronts = (f"{stem}/{name}" for name in (f"index.{suffix}", f"__init__.{suffix}", f"mod.{suffix}"))
    front = (
        next((path for path in fronts if exists(path)), "") if dot and removal.successor.startswith(f"{stem}/") else ""
    )
    return replace(removal, successor=front) if front else removal


def is_a_part(removal: Removal) -> bool:
    """`TEMPLATE.md` that is `TEMPLATE/bug.md` now: one of the pieces that it was cut into, as far as names tell."""
    stem, dot, suffix = removal.path.rpartition(".")
    name = removal.successor.removeprefix(f"{stem}/")
    fronts = (
        f"index.{suffix}",
        f"__init__.{suffix}",
        f"mod.{suffix}",
        f"README.{suffix}",
        posixpath.basename(removal.path),
    )
    return bool(dot) and removal.successor.startswith(f"{stem}/") and name not in fronts


def with_namesake(judgement: Judgement, claim: Claim, removal: Removal, world: World) -> Judgement:
    """The judgement of a file that was removed, with the only one that is called so now for a fix: git does not see every move."""
    name = posixpath.basename(removal.path)
    called = [path for path in world.by_name.get(name, ()) if path in world.files]
    if len(called) != 1 or is_conventional(name) or is_put_away(called[0]):
        return judgement
    text = respell(claim, replace(removal, successor=called[0]))
    return replace(judgement, fix=Fix(text, safe=False)) if text else judgement


def is_put_away(path: str) -> bool:
    """It lies among what is kept for its own sake: `docs-old/a.md`. Whoever reads on is not to be sent there unasked."""
    return any(_PUT_AWAY.search(folder) for folder in path.split("/")[:-1])


def _is_certain(removal: Removal) -> bool:
    """Where the file went is beyond doubt: it went once, kept its name or its ending, and was not put away."""
    old, new = posixpath.basename(removal.path), posixpath.basename(removal.successor)
    stems, endings = zip(*(posixpath.splitext(name) for name in (old, new)), strict=True)
    alike = stems[0] == stems[1] or endings[0] == endings[1]
    return removal.times == 1 and alike and not is_put_away(removal.successor)


def has_nearer_twin(claim: Claim, removal: Removal, world: World) -> bool:
    """Another file of the same name lies nearer to the document than the heir: one file became several, one for each language.

    A link says by itself which of them it means, and what every folder has (`README.md`) is nobody's twin.
    """
    name = posixpath.basename(removal.path)
    if claim.form in ("link", "image") or is_conventional(name):
        return False
    twins = world.by_name.get(name, ())
    shared = _shared(claim.file, removal.successor)
    return any(path in world.files and _shared(claim.file, path) > shared for path in twins)


def _shared(one: str, other: str) -> int:
    """How many folders two files have in common, from the root."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def gone(removal: Removal, rule: str, confidence: float, replacement: str, lone: bool = True) -> Judgement:
    """That a file was renamed or removed, by whom, and the text that mends the place, "" if none does.

    Not `lone`: another file may be meant.
    """
    commit, new = removal.commit, removal.successor
    who = f"{describe(commit)} {commit.subject}".strip() if commit.sha else commit.subject
    message = (
        f"`{removal.path}` was renamed to `{new}`." if new else f"`{removal.path}` was removed from the repository."
    )
    evidence = (Evidence(f"{f'renamed to {new}' if new else 'removed'} by {who}", commit=commit.sha),)
    fix = Fix(replacement, safe=lone and _is_certain(removal)) if replacement else None
    return Judgement(Verdict.DRIFTED, rule, message, evidence, confidence, fix=fix, subject=removal.path)
