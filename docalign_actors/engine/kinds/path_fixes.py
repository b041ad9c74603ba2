"""How a path that was renamed is written now, from where the old one was written."""

from __future__ import annotations

import posixpath
import re

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.kinds.link_targets import PAGE_SUFFIXES
from docalign_actors.engine.ports import Removal

_CLIMBS = re.compile(r"(?:\.\./)+")


def respell(claim: Claim, removal: Removal) -> str:
    """The new text, "" where it cannot be told from which folder the old one was meant."""
    if claim.form in ("link", "image"):
        return _link(claim, removal)
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


def _link(claim: Claim, removal: Removal) -> str:
    written, old, new = claim.subject, removal.path, removal.successor
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
