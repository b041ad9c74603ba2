"""Scripts that nothing took in: they went whole, and no file that stayed had named them. What was said of them was false before.

A module of JavaScript or TypeScript is there for those who can import it. If all that led to it went with it, the change took
away what was out of use already. What is given up: a module that readers import by a path which no document and no manifest tells.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.code.reader import SEARCHED, SOURCE_LIMIT, language_of
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.engine.lost.lines import MOST_SEARCHED
from docalign_actors.engine.ports import Change
from docalign_actors.engine.roles import document_format, is_foreign
from docalign_actors.findings.model import Verdict

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_STANDS_FOR_FOLDER = frozenset({"index", "main"})
_NAMING = frozenset({*_SCRIPTS, "json", "yaml", "shell", "makefile", SEARCHED})
_UNUSED = uncertain("nothing that stayed took in the file that had it: it was out of use before")


def doubt_unused(judged: Sequence[Judged], change: Change) -> list[Judged]:
    """The judgements, in doubt where all that speaks against a claim are scripts that were out of use before they went."""
    known: dict[str, bool] = {}
    result: list[Judged] = []
    for claim, judgement in judged:
        # A command that is called like its file is found by its folder: nothing need name it.
        if judgement.verdict is Verdict.DRIFTED and claim.kind not in ("path", "command") and claim.form not in LINKS:
            paths = {item.file for item in judgement.evidence if item.file}
            if paths and all(_went(path, change) for path in paths):
                for path in paths - known.keys():
                    known[path] = not _is_named(path, change)
                judgement = _UNUSED if all(known[path] for path in paths) else judgement
        result.append((claim, judgement))
    return result


def _went(path: str, change: Change) -> bool:
    return path in change.base.entries and path not in change.head.entries and language_of(path) in _SCRIPTS


def _is_named(path: str, change: Change) -> bool:
    """A file that stayed had the script's path, or that of its folder, from which it may be taken by a name made at run time."""
    stayed = [p for p in change.base.entries if p in change.head.entries and _may_name(p)]
    if len(stayed) > MOST_SEARCHED:
        return True
    folder, stem = posixpath.split(posixpath.splitext(path)[0])
    above = re.escape(posixpath.basename(folder).encode())
    own = re.escape(stem.encode())
    forms = [rb"/" + own + rb"(?:\.\w{1,5})?[\"'`)\s]", rb"(?<![\w-])" + own + rb"\.[cm]?[jt]sx?\b"]
    forms += [rb"[\"'`/]" + above + rb"/?[\"'`$*{]"] if above else []
    named = re.compile(b"|".join(forms))
    whole = stem in _STANDS_FOR_FOLDER and not folder
    return whole or any(named.search(change.base.read(p, SOURCE_LIMIT)) for p in stayed)


def _may_name(path: str) -> bool:
    return (language_of(path) in _NAMING or document_format(path) != "") and not is_foreign(path)
