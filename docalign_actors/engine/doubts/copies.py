"""Folders that were taken from another repository, whose documents speak of that one and are mended there.

The README says so, or the folder was a submodule once, or it looks like another repository and nobody works in it: it has a licence
of its own, or files that only the root of a repository needs, and came, and changed, by many files at a time; a little more may be
done where the licence names holders that nothing at the root knows of.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence, Set

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import History, Tree
from docalign_actors.engine.stakes import folders_of
from docalign_actors.findings.model import Verdict

_SAYS_SO = re.compile(
    r"\b(?:do(?:n['’]t| not)|never) (?:touch|edit|modify|change) (?:(?:any |the )?(?:files|anything) in )?"
    r"th(?:is|ese) (?:folder|director)"
    r"|\b(?:overwritten|managed|maintained|synced|synchroni[sz]ed|copied) by (?:an? )?(?:automation|bot|script)"
    r"|\b(?:synced|synchroni[sz]ed|mirrored|vendored) (?:automatically )?from\b"
    r"|\bcop(?:y of|ied from) (?:the )?(?:upstream|[\w.-]+/[\w.-]+)",
    re.IGNORECASE,
)
_FIRST = 12
"""Blocks of a README in which such a thing is told."""
_LONGEST = 2_000
_LICENCE = re.compile(r"^(?:licen[cs]e|copying)(?:[-._]\w{1,20}){0,2}$", re.IGNORECASE)
_FRONT = re.compile(
    r"^(?:(?:licen[cs]e|copying|notice|authors|maintainers|readme|contributors|codeowners)(?:[-._][^/]*)?"
    r"|[^/]+\.(?:toml|json|cfg|gemspec|mod|xml))$",
    re.IGNORECASE,
)
"""What tells at the root whose the repository is."""
_HOLDER = re.compile(
    r"^\W{0,6}copyright\W{0,6}(?:\(c\)|©)?\W{0,4}\d{4}[\d ,–-]{0,40}([^\n]{2,120})", re.IGNORECASE | re.MULTILINE
)
_ANY_WORD = re.compile(r"[^\W\d_]+")
_NAME = re.compile(r"[A-Z][^\W\d_]{3,}")
_ANYBODY = frozenset(
    "authors author contributors copyright foundation free software limited reserved rights team original modified project".split()
)
_LONGEST_LICENCE = 40_000
_OF_A_ROOT = re.compile(
    r"^(?:(?:licen[cs]e|copying)(?:[-._]\w{1,20}){0,2}|\.gitmodules|\.travis\.yml|\.readthedocs\.ya?ml|appveyor\.yml)$",
    re.IGNORECASE,
)
_WORKFLOWS = ".github/workflows/"
_FEWEST_FILES, _FILES_A_COMMIT = 10, 4
"""An own package is touched by more commits than it has files; a copy by a few, each of which brings a newer one."""
_COMMITS_A_FILE = 4
"""Of a folder whose licence is another's: more is done in one that has become our own."""
_MOST_ASKED = 20
"""Folders whose history is looked at: each costs a walk through it."""
_COPIED = uncertain(
    "the folder was taken from another repository: the document speaks of that one, and is mended there"
)


def doubt_copied(
    judged: Sequence[Judged],
    documents: Mapping[str, Document],
    tree: Tree,
    history: History,
    *,
    whole: bool,
) -> list[Judged]:
    """The judgements, in doubt where a document was taken over from another repository.

    `whole`: the history may be walked through for former submodules, which a change is too small for.
    """
    folders = folders_of({c.file for c, j in judged if j.verdict is Verdict.DRIFTED})
    if not folders:
        return list(judged)
    copied = {folder for folder in folders if _says_so(folder, documents)}
    copied |= history.former_modules() & folders if whole else set()
    copied |= _taken_over(folders - copied, tree, history)
    if not copied:
        return list(judged)
    return [
        (c, _COPIED if j.verdict is Verdict.DRIFTED and not copied.isdisjoint(folders_of([c.file])) else j)
        for c, j in judged
    ]


def _says_so(folder: str, documents: Mapping[str, Document]) -> bool:
    readmes = (documents.get(f"{folder}/{name}") for name in ("README.md", "README.rst", "README"))
    return any(readme is not None and _is_copy(readme) for readme in readmes)


def _is_copy(readme: Document) -> bool:
    return any(_SAYS_SO.search(block.text[:_LONGEST]) for block in readme.blocks[:_FIRST] if block.kind != "code")


def _of_other_holders(folders: Set[str], tree: Tree) -> set[str]:
    """Of these folders those whose licence names holders that nothing at the root of the repository knows of."""
    licences: dict[str, list[str]] = {}
    for path in tree.entries:
        folder, name = posixpath.split(path)
        if folder in folders and _LICENCE.match(name):
            licences.setdefault(folder, []).append(path)
    if not licences:
        return set()
    front = [path for path in tree.entries if _FRONT.match(path)]
    texts = (tree.read(path, _LONGEST_LICENCE).decode("utf-8", "replace").lower() for path in front)
    known = {word for text in texts for word in _ANY_WORD.findall(text)}
    return {
        folder
        for folder, found in licences.items()
        if (names := {name for path in found for name in _holders(tree.read(path, _LONGEST_LICENCE))})
        and 2 * len(names & known) < len(names)
    }


def _holders(licence: bytes) -> set[str]:
    """The words of the names that a licence gives as those of its holders, in lower case."""
    named = _HOLDER.findall(licence.decode("utf-8", "replace"))
    words = {word.lower() for name in named for word in _NAME.findall(name)}
    return words - _ANYBODY


def _taken_over(folders: Set[str], tree: Tree, history: History) -> set[str]:
    """Of these folders those that look like another repository, and in which nobody works."""
    sizes = dict.fromkeys(folders, 0)
    rooted: set[str] = set()
    for path in tree.entries:
        folder, name = posixpath.split(path)
        if folder in sizes and _OF_A_ROOT.match(name):
            rooted.add(folder)
        if folder.endswith(_WORKFLOWS[:-1]) and folder[: -len(_WORKFLOWS)] in sizes:
            rooted.add(folder[: -len(_WORKFLOWS)])
        while folder:
            if folder in sizes:
                sizes[folder] += 1
            folder = posixpath.dirname(folder)
    others = _of_other_holders(rooted, tree)
    asked = [folder for folder in sorted(rooted) if sizes[folder] >= _FEWEST_FILES or folder in others][:_MOST_ASKED]
    most = _COMMITS_A_FILE * max((sizes[folder] for folder in asked), default=0) + 1
    return {
        folder
        for folder, work in (history.worked(asked, most) if asked else {}).items()
        if not work.moved
        and (
            _FILES_A_COMMIT * work.commits <= sizes[folder]
            or (folder in others and work.commits <= _COMMITS_A_FILE * sizes[folder])
        )
    }
