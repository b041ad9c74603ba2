"""Pages that a site was made without: its navigation names them no more, or in a comment, and nothing that is read leads there.

Whoever takes a page out of the navigation and leaves the file has put it away, to be written anew or deleted one day. What it says
was true of its own time, and nobody mends it line by line. What is given up: a page that readers find by searching alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import Change, Tree
from docalign_actors.engine.reading import DOCUMENT_LIMIT
from docalign_actors.engine.roles import document_format
from docalign_actors.findings.model import Verdict

_SETTINGS = frozenset({"mkdocs.yml", "mkdocs.yaml"})
_NAVIGATION = re.compile(r"^nav:[^\n]*\n(?P<entries>(?:(?:[ \t#-][^\n]*)?\n)*)", re.MULTILINE)
"""Up to the next key of the settings; a comment at the margin is a part of it."""
_ENTRY = re.compile(r"(?P<page>[\w./-]{1,200}(?:\.md|/|\*))[\"']?\s*$")
_FOLDER = re.compile(r"^docs_dir:[ \t]*[\"']?([\w./-]{1,200})", re.MULTILINE)
_COMMENT = re.compile(r"<!--.{0,2000}?-->", re.DOTALL)
_AWAY = uncertain("the site's navigation has the page no more, and nothing leads there: it was put away")


def doubt_put_away(judged: Sequence[Judged], change: Change) -> list[Judged]:
    """The judgements, in doubt where they are about a page that was put away."""
    told = {claim.file for claim, judgement in judged if judgement.verdict is Verdict.DRIFTED}
    away = _unlinked(frozenset(_unlisted(change)), change) if told else frozenset[str]()
    if away.isdisjoint(told):
        return list(judged)
    return [(c, _AWAY if j.verdict is Verdict.DRIFTED and c.file in away else j) for c, j in judged]


def _unlisted(change: Change) -> Iterator[str]:
    """Pages that are there, and that the navigation of the head has in a comment only, or not although the base had them."""
    for settings in change.head.entries:
        if posixpath.basename(settings) not in _SETTINGS:
            continue
        shown, hidden = _entries(change.head, settings)
        then, _ = _entries(change.base, settings) if settings in change.base.entries else (set[str](), set[str]())
        folders = tuple(entry.rstrip("*") for entry in shown if entry.endswith(("/", "*")))
        given = _FOLDER.search(_text(change.head, settings))
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(settings), given[1] if given else "docs"))
        for page in (hidden | then) - shown if shown else ():
            path = posixpath.join(folder, page)
            if path in change.head.entries and not (folders and page.startswith(folders)):
                yield path


def _entries(tree: Tree, settings: str) -> tuple[set[str], set[str]]:
    """What the navigation lists, and what it has in comments."""
    shown, hidden = set[str](), set[str]()
    navigation = _NAVIGATION.search(_text(tree, settings))
    for line in navigation["entries"].split("\n") if navigation else ():
        entry = _ENTRY.search(line[:400])
        if entry is not None:
            (hidden if line.lstrip().startswith("#") else shown).add(entry["page"].removeprefix("./"))
    return shown, hidden - shown


def _unlinked(pages: frozenset[str], change: Change) -> frozenset[str]:
    """Those to which no document leads but such as are put away too."""
    away = set(pages)
    names = sorted({posixpath.basename(page) for page in pages})
    holding = change.containing(names) if names else frozenset[str]()
    naming = [path for path in (change.head.entries if holding is None else holding) if document_format(path)]
    targets = {path: _targets(path, names, change.head) for path in naming}
    while reached := {page for path, found in targets.items() if path not in away for page in found & away}:
        away -= reached
    return frozenset(away)


def _targets(path: str, names: Collection[str], tree: Tree) -> set[str]:
    """The pages of these names that a document links to; what stands in a comment is not read."""
    text = _COMMENT.sub("", tree.read(path, DOCUMENT_LIMIT).decode("utf-8", "replace"))
    link = re.compile(
        rf"[(\s\"'<](?P<to>[\w./%-]{{0,200}}(?<![\w-])(?:{'|'.join(map(re.escape, names))}))(?=[)#\s\"'>/])"
    )
    folder = posixpath.dirname(path)
    return {posixpath.normpath(posixpath.join(folder, match["to"].lstrip("/"))) for match in link.finditer(text)}


def _text(tree: Tree, path: str) -> str:
    return tree.read(path, SOURCE_LIMIT).decode("utf-8", "replace")
