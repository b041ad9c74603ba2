"""Which documents a program writes: they say so, or `.gitattributes`, or a command does (a target, a script, a step of a workflow).

Who mends such a page by hand finds the mistake there again after the next run: it is to be mended where the page is made.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping

from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.ignored import matching
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.roles import document_format
from docalign_actors.findings.model import Evidence

_NAMES = frozenset(
    "Makefile GNUmakefile makefile justfile Justfile Taskfile.yml Taskfile.yaml package.json tox.ini noxfile.py mise.toml".split()
)
_ENDINGS = (".mk", ".sh", ".bash", ".just")
_WORKFLOWS = ".github/workflows/"
_MOST, _LIMIT = 80, 200_000
"""Files that are looked into, those nearest to the root first, and bytes of each."""
_VARIABLE = r"\$(?:\(\w{1,60}\)|\{\w{1,60}\}|\w{1,60})/"
_OUTPUT = re.compile(
    r"(?:(?<![-=>])>{1,2}[ \t]{0,4}|(?<![\w-])(?:-o|--?out(?:put|file|-file)?(?:-(?:path|file))?)[ \t=]{1,4})"
    rf"[\"']?(?P<into>{_VARIABLE})?(?:\./)?(?P<path>[\w@+-][\w./@+-]{{2,200}})"
)
_COMMENT = ("#", "//")
_ATTRIBUTES = ".gitattributes"
_GENERATED = frozenset({"linguist-generated", "linguist-generated=true"})


def made_by_programs(paths: Collection[str], documents: Mapping[str, Document], tree: Tree) -> Mapping[str, Evidence]:
    """Of these documents those that a program writes, with the place that says so."""
    saying = {path: documents[path].generated for path in paths if path in documents and documents[path].generated}
    found = {
        path: Evidence("the page says that it is generated: mend what it is made from", path, line)
        for path, line in saying.items()
    }
    found.update(_called_generated(frozenset(paths) - found.keys(), tree))
    return {**_written_by_commands(frozenset(paths) - found.keys(), tree), **found}


def _called_generated(documents: Collection[str], tree: Tree) -> Mapping[str, Evidence]:
    """Of these documents those that `.gitattributes` calls generated."""
    found: dict[str, Evidence] = {}
    for file in sorted(path for path in tree.entries if posixpath.basename(path) == _ATTRIBUTES) if documents else ():
        lines = tree.read(file, _LIMIT).decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, 1):
            pattern, *attributes = line.split() or [""]
            if not pattern.startswith("#") and not _GENERATED.isdisjoint(attributes):
                evidence = Evidence("this calls the page generated: mend what it is made from", file, number)
                found.update((path, evidence) for path in matching(pattern, posixpath.dirname(file), documents))
    return found


def _written_by_commands(documents: Collection[str], tree: Tree) -> Mapping[str, Evidence]:
    """Of these documents those that a command of the repository writes, with the line of it."""
    found: dict[str, Evidence] = {}
    for file in _recipes(tree) if documents else ():
        text = tree.read(file, _LIMIT).decode("utf-8", "replace")
        for number, line in enumerate(text.split("\n"), 1):
            if line.lstrip().startswith(_COMMENT):
                continue
            for output in _OUTPUT.finditer(line[:1000]):
                for path in _meant(output, file, documents):
                    found.setdefault(
                        path, Evidence("this command writes the page: mend what it is made from", file, number)
                    )
    return found


def _recipes(tree: Tree) -> list[str]:
    found = (
        path
        for path, entry in tree.entries.items()
        if (posixpath.basename(path) in _NAMES or path.endswith(_ENDINGS) or path.startswith(_WORKFLOWS))
        and entry.mode not in ("submodule", "symlink")
    )
    return sorted(found, key=lambda path: (path.count("/"), path))[:_MOST]


def _meant(output: re.Match[str], file: str, documents: Collection[str]) -> Iterator[str]:
    """The documents that the command's output may be: seen from the root, or from the folder of the command.

    What a Makefile calls by its name alone lies beside it; a script may be run anywhere.
    """
    path = posixpath.normpath(output["path"])
    if not document_format(path):
        return
    if not output["into"]:
        beside = posixpath.join(posixpath.dirname(file), path)
        bound = "/" not in path and posixpath.basename(file) in _NAMES
        yield from (known for known in ({beside} if bound else {path, beside}) if known in documents)
    elif "/" in path:  # below a folder that only a variable names: a mere file name would be any
        yield from (known for known in documents if f"/{known}".endswith("/" + path))
