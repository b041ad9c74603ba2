"""Whether anybody looks after a document, told by its own history.

A plan, a report or a note of one piece of work is written within days, no other document leads to it, and nobody touches it
again, while the code goes on. A journal grows and is never corrected. Neither claims to be true today, whatever it is called
and whatever language it is written in; a manual that is looked after is corrected now and then, or another page leads to it.
So it is with what went long ago. What has just gone is missed in a description of the program all the same, and only a document
that has the headings and marks of a report on some work is left alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence, Set

from docalign_actors.engine.audience import is_in_manual
from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.reader import DOCUMENT_LIMIT
from docalign_actors.engine.documents.records import tells_of_work
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.longago import is_noted
from docalign_actors.engine.ports import Change, Tended, Tree
from docalign_actors.engine.roles import SITE_MARKERS, document_format
from docalign_actors.findings.model import Verdict

_STANDING = re.compile(
    r"^(?:readme|contribut\w*|index|install\w*|agents?|claude|gemini|security|support|governance|build(?:ing)?|hacking|testing"
    r"|devel(?:op(?:ment|ing|ers?)?)?|maintain\w*|architecture|usage|get(?:ting)?[-_ ]?started|quick[-_ ]?start|faq)\b",
    re.IGNORECASE,
)
"""Documents that every reader takes for today's, touched or not."""
_READ_BY_TOOLS = frozenset(
    ".github .gitlab .cursor .claude .kiro .agent .agents .windsurf .codex .gemini .opencode .junie .roo .clinerules".split()
)
"""Folders whose documents a forge or an agent's tool shows or reads each time, though nothing leads to them."""
_OF_WORK = frozenset({"spec", "specs", "plans", "tasks"})
"""Below these a README is the first page of one piece of work."""
_WRITTEN_WITHIN = 7 * 24 * 3600
_WENT_ON = 30
"""Commits after which one would have come back to a document that one looks after."""
_SITES = SITE_MARKERS | {
    ".vitepress",
    ".vuepress",
    "astro.config.mjs",
    "docusaurus.config.mjs",
    "_sidebar.md",
    "SUMMARY.md",
}
_SETTINGS = (".yml", ".yaml", ".json", ".toml", ".js", ".ts", ".mjs", ".py")
_MOST = 40
"""Documents that are asked about: each costs a search."""
_LEFT = uncertain("nobody has looked after the document since it was written, and nothing leads to it")
_LEAST_EDITS, _SHARE_CORRECTED = 8, 0.05
"""Of a journal: how often it was added to at the least, and how much of what was added may have been taken away."""


def is_standing(path: str) -> bool:
    """By its name, or by the folder it lies in, a document that speaks of today."""
    *folders, name = path.split("/")
    called = _STANDING.match(name) is not None and not any(folder.lower() in _OF_WORK for folder in folders)
    return called or not _READ_BY_TOOLS.isdisjoint(folders)


def is_of_a_site(path: str, names: Collection[str]) -> bool:
    """A page of a manual that a site is made of, which lists its pages by itself. `names`: of all files and folders."""
    return is_in_manual(path) and any(marker in names for marker in _SITES)


def tells_of_today(claim: Claim, judgement: Judgement) -> bool:
    """Right when it was written, and false only if the document speaks of today.

    A link that never led anywhere helps nobody, and who follows one to a page looks for its heading there today.
    """
    if claim.kind in ("anchor", "navigation"):
        return False
    return claim.form not in ("link", "image") or any(item.commit for item in judgement.evidence)


def led_to(judged: Sequence[Judged]) -> frozenset[str]:
    """The documents and folders that a document, or a site's navigation, leads to; none by itself."""
    return frozenset(
        judgement.evidence[0].file
        for claim, judgement in judged
        if claim.kind in ("path", "navigation")
        and judgement.verdict is Verdict.VERIFIED
        and judgement.evidence
        and judgement.evidence[0].file != claim.file
    )


def is_led(path: str, led: Set[str]) -> bool:
    """Something leads to the document, or to the folder that it lies in."""
    return path in led or posixpath.dirname(path) in led


def is_left_behind(tended: Tended) -> bool:
    """Nobody came back to it: written in one go, or only ever added to. Asked of what nothing leads to."""
    written_once = tended.newest - tended.oldest <= _WRITTEN_WITHIN and not tended.moved
    only_grows = tended.edits >= _LEAST_EDITS and tended.deleted <= _SHARE_CORRECTED * tended.added
    return tended.since >= _WENT_ON and (written_once or only_grows)


def read_text(tree: Tree, path: str) -> str:
    """The text of a document."""
    return tree.read(path, DOCUMENT_LIMIT).decode("utf-8", "replace")


def doubt_left_behind(judged: Sequence[Judged], written: Mapping[str, Collection[int]], change: Change) -> list[Judged]:
    """The judgements of a change, in doubt in a report of some work that nobody looks after. What it wrote is of today."""
    files = {
        c.file
        for c, j in judged
        if j.verdict is Verdict.DRIFTED and c.file not in written and tells_of_today(c, j) and not is_standing(c.file)
    }
    names = {part for path in change.head.entries for part in path.split("/")} if files else set[str]()
    asked = [path for path in sorted(files) if not is_of_a_site(path, names)][:_MOST]
    tended = change.history.tended(asked) if asked else {}
    left = {
        path
        for path, how in tended.items()
        if is_left_behind(how)
        and (is_noted(path) or tells_of_work(read_text(change.head, path)))
        and not _is_named(path, change)
    }
    return [
        (c, _LEFT if c.file in left and j.verdict is Verdict.DRIFTED and tells_of_today(c, j) else j) for c, j in judged
    ]


def _is_named(path: str, change: Change) -> bool:
    """Another document, or the settings of a site, name the document, or link to its folder."""
    folder, name = posixpath.split(path)
    links = [f"]({dot}{folder}{slash})" for dot in ("", "./") for slash in ("", "/")] if folder else []
    found = change.containing([name, *links])
    return found is None or any(other != path and _leads(other) for other in found)


def _leads(path: str) -> bool:
    return bool(document_format(path)) or path.endswith(_SETTINGS)
