"""Everything a kind may look at when it judges a claim."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.dashed import DashedWords
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.documents.reader import DOCUMENT_LIMIT
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.ignored import IgnoreRules
from docalign_actors.engine.index import CodeIndex, Package
from docalign_actors.engine.past import Past
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.reports import TreeWithoutReports

_BY_NAME = frozenset({"python", "javascript", "typescript", "tsx"})
"""Languages whose imports say from which project a name is taken."""
_MOST_NEIGHBOURS = 200
"""Those nearest to a claim tell as well as all of a list of thousands, and each claim of it looks at them."""


class World:
    """A repository at one instant, its documents and code as read, and its past."""

    def __init__(
        self,
        *,
        tree: Tree,
        index: CodeIndex,
        documents: Mapping[str, Document],
        past: Past,
        read: Callable[[tuple[str, str]], FileFacts],
        claims: Iterable[Claim] = (),
    ) -> None:
        """`read`: the facts of a file of the tree, by path and blob id, got without risk to this process."""
        tree = TreeWithoutReports(tree)
        self.tree: Tree = tree
        self.index = index
        self.documents = documents
        self.past = past
        self._read = read
        self._ignored = IgnoreRules(tree)
        self.imported: dict[str, set[str]] = {}
        """The modules that the documentation's examples take a name from."""
        self.spoken: dict[str, set[str]] = {}
        """The first words that documents give each program they run."""
        self.versions: dict[tuple[str, str], set[str]] = {}
        """The versions of each thing that a document tells."""
        self.dashed = DashedWords(tree)
        self._lines: tuple[str, list[bytes]] = ("", [])
        self._folders: dict[str, frozenset[str]] = {}
        self._groups: dict[tuple[str, str, int], list[Claim]] = {}
        for claim in claims:
            if claim.kind == "imports" and claim.value and claim.language in _BY_NAME:
                self.imported.setdefault(claim.value, set()).add(claim.owner)
            if claim.kind == "command" and claim.value == "first":
                self.spoken.setdefault(claim.owner, set()).add(claim.text)
            if claim.kind == "version":
                self.versions.setdefault((claim.file, claim.subject), set()).add(claim.value)
            if claim.group:
                self._groups.setdefault((claim.file, claim.kind, claim.group), []).append(claim)
        for group in self._groups.values():
            if len(group) > _MOST_NEIGHBOURS:
                group.sort(key=_place)

    def neighbours(self, claim: Claim) -> list[Claim]:
        """The claims of the same kind in the same list, table or block, this one included; of very many the nearest."""
        group = self._groups.get((claim.file, claim.kind, claim.group), [claim])
        if len(group) <= _MOST_NEIGHBOURS:
            return group
        at = max(0, bisect_left(group, _place(claim), key=_place) - _MOST_NEIGHBOURS // 2)
        return group[at : at + _MOST_NEIGHBOURS]

    def line(self, claim: Claim) -> bytes:
        """The source line of a claim. Claims come document by document, so one document is kept."""
        if self._lines[0] != claim.file:
            self._lines = (claim.file, self.tree.read(claim.file, DOCUMENT_LIMIT).split(b"\n"))
        lines = self._lines[1]
        return lines[claim.line - 1] if claim.line <= len(lines) else b""

    def facts(self, path: str) -> FileFacts:
        """The facts of a file of the tree, also of one that no claim gave a reason to parse: it is read at the first look."""
        known = self.index.files.get(path)
        return self._read((path, self.tree.entries[path].oid)) if known is None else known

    @cached_property
    def files(self) -> frozenset[str]:
        """Every path of the tree."""
        return frozenset(self.tree.entries)

    def documents_with(self, text: str) -> list[Document]:
        """The documents, those about the past left out, of which some line as it was read holds this text."""
        return [document for document, written in self._written if text in written]

    @cached_property
    def _written(self) -> list[tuple[Document, str]]:
        return [(document, _all_of(document)) for document in self.documents.values() if not document.history]

    @cached_property
    def doors(self) -> frozenset[str]:
        """Submodules and symbolic links: what lies behind them is not listed."""
        return frozenset(path for path, entry in self.tree.entries.items() if entry.mode in ("submodule", "symlink"))

    @cached_property
    def directories(self) -> frozenset[str]:
        """Every folder of the tree, without a slash at the end."""
        found: set[str] = set()
        for path in self.files:
            parent = posixpath.dirname(path)
            while parent and parent not in found:
                found.add(parent)
                parent = posixpath.dirname(parent)
        return frozenset(found)

    @cached_property
    def folder_names(self) -> frozenset[str]:
        """The last parts of all folders' paths."""
        return frozenset(map(posixpath.basename, self.directories))

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """Paths (files and folders) by their last part."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.files | self.directories):
            found.setdefault(posixpath.basename(path), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    def folders_with(self, suffix: str) -> frozenset[str]:
        """The folders in which a file that ends so lies. Asked again and again."""
        if suffix not in self._folders:
            self._folders[suffix] = frozenset(posixpath.dirname(path) for path in self.files if path.endswith(suffix))
        return self._folders[suffix]

    def exists(self, path: str) -> bool:
        """A file or a folder of this path is there. "" and "." are the root."""
        path = path.strip("/")
        return path in ("", ".") or path in self.files or path in self.directories

    def is_ignored(self, path: str) -> bool:
        """`.gitignore` names it: made at run time, not part of the repository."""
        return self._ignored.matches(path)

    def is_filled(self, folder: str) -> bool:
        """`.gitignore` names what lies in it, `folder/*.yml`: it is filled at run time, wherever that is made from."""
        return self._ignored.fills(folder)

    def package_of(self, path: str) -> Package:
        """The innermost package that a document or a source file belongs to."""
        return self.index.package_of(path)


def _all_of(document: Document) -> str:
    """Whatever the inlines and the lines of code of a document say, one below the other."""
    return "\n".join([one.text for block in document.blocks for one in (*block.every_inline(), *block.lines)])


def _place(claim: Claim) -> tuple[int, int]:
    return claim.line, claim.column
