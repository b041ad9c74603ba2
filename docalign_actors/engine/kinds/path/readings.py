"""What else than a file of this repository the name of a path may be, told by the line that it stands in."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim
from docalign_actors.engine.differential import is_beside
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_OWNER_AND_NAME = re.compile(r"[a-z0-9][\w-]*/[a-z0-9][\w-]*")
_NEAR = 3
"""Lines."""
_MADE = (".tgz", ".tar.gz", ".tar.xz", ".zip", ".whl", ".jar", ".war", ".deb", ".rpm", ".gem", ".nupkg", ".vsix")
_ENTERS = re.compile(r"(?:^|[;&$#%>]\s*)(?:cd|pushd) +[\"']?(?P<folder>[\w./@+-]+)")
_IMPORTS = re.compile(r"\b(?:import|from|require|include|export|use)\b")
_OWNED = r"\b(?:your|their|the (?:user|reader))(?:'s)? (?:own )?(?:[\w-]+ ){0,2}[\w-]+['’]s? [`'\"*_]*"
"""Before a path: "your manuscript's `src/py/`"."""
_PUT = (
    r"\b(?:store|put|place|keep|save|drop|copy)\s+(?:all |any )?(?:of )?your\s+(?:[\w-]+ ){0,4}(?:in|into|to|under|inside|below)\s+"
    r"(?:the |an? )?[`'\"*_]*(?:\./)?"
)
"""Before a path: "Store your research data in `FIGURES/DATA/`"."""
_LONGEST = 4_000
_IMAGE = re.compile(rb"\b(?:images?|containers?|docker|podman|registry|hub|github)\b", re.IGNORECASE)


def other_reading(claim: Claim, bare: str, world: World) -> str:
    """Why a path that went long ago may not be meant; "" if nothing on its line says so."""
    if bare.lower().endswith(_MADE):
        return "an archive is made by a build"
    line = world.line(claim)
    if _OWNER_AND_NAME.fullmatch(bare) and (len(set(bare.split("/"))) == 1 or _IMAGE.search(line)):
        return "it may be the name of an image or of a repository"
    if audience(claim.file) is not Audience.WORKERS and _is_called_theirs(claim, world):
        return "the document calls it the reader's"
    if re.search(rb"panicked|Traceback|" + re.escape(claim.text.encode()) + rb":\d+:\d", line):
        return "it stands in what some program once printed"
    return ""


def _is_called_theirs(claim: Claim, world: World) -> bool:
    """Some place of a document for users says that it is in what they make: the others mean the same."""
    document = world.documents.get(claim.file)
    blocks = document.blocks if document is not None and claim.form in ("span", "prose") else ()
    texts = [block.text[:_LONGEST] for block in blocks if block.kind != "code" and claim.text in block.text]
    told = re.compile(rf"(?:{_OWNED}|{_PUT}){re.escape(claim.text)}(?![\w-])", re.IGNORECASE)
    return any(told.search(text) for text in texts)


def is_offered(removal: Removal, claim: Claim) -> bool:
    """Not out of tests' data and sample projects, which have files that are called as every reader's own will be."""
    return is_own_code(removal.path) or is_beside(removal.path, claim.file)


def went_lately(candidates: Iterable[str], world: World) -> bool:
    """The very path was there until a moment ago: what has only its end in common is not what is meant."""
    removals = [world.past.removal(candidate) for candidate in candidates]
    return any(removal is not None and removal.recent for removal in removals)


def imported(claim: Claim, world: World) -> str:
    """The file that an example imports from the folder of a program that it is a part of; "" if there is none.

    `import "../errors/Errors.sol"` is seen from where the example's own file would lie, not from the document.
    """
    if not claim.subject.startswith("../") or not _IMPORTS.search(claim.context.partition(claim.text)[0]):
        return ""
    end = "/" + claim.subject.replace("../", "")
    return next((p for p in world.by_name.get(posixpath.basename(end), ()) if f"/{p}".endswith(end)), "")


def entered(claim: Claim, world: World) -> str:
    """The file that a command means in the folder that an earlier block of the document enters; "" if there is none.

    `cd Project/tools/linux` two steps above `./install.sh`: the first part may be the clone's own name.
    """
    document = world.documents.get(claim.file)
    blocks = [b for b in document.blocks if b.kind == "code" and b.line <= claim.line] if document else []
    for line in (line for block in reversed(blocks) for line in reversed(block.lines) if line.line < claim.line):
        for match in _ENTERS.finditer(line.text):
            parts = match["folder"].strip("/").split("/")
            for start in range(len(parts)):
                path = posixpath.normpath(posixpath.join(*parts[start:], claim.subject))
                if path in world.files:
                    return path
    return ""


def folders_beside(claim: Claim, world: World) -> frozenset[str]:
    """The folders of the files that the same sentence or list names: `create.sh` beside `destroy.sh`."""
    document = world.documents.get(claim.file)
    blocks = document.blocks if document is not None and "/" not in claim.subject and "." in claim.subject else ()
    spans = (
        inline.text
        for block in blocks
        if block.line <= claim.line <= block.line + _NEAR
        for inline in block.every_inline()
        if inline.kind == "code" and inline.text != claim.text and abs(inline.line - claim.line) <= _NEAR
    )
    return frozenset(posixpath.dirname(path) for text in spans if "." in text for path in world.by_name.get(text, ()))
