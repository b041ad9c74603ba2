"""What a documented name means in this repository's code, now and in the past. Serves symbols, signatures and imports."""

from __future__ import annotations

import posixpath
import re
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.modules import UNKNOWN, Modules, Resolution, module_parts
from docalign_actors.engine.kinds.shared.names import snake
from docalign_actors.engine.kinds.shared.programs import stands_aside
from docalign_actors.engine.kinds.shared.taken import takers_then
from docalign_actors.engine.kinds.shared.uncommented import Uncommented
from docalign_actors.engine.ondemand import read_ahead
from docalign_actors.engine.past import PastFile
from docalign_actors.engine.renames import late_successor, successor
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_CLASSES = frozenset({"class", "type"})
_MOST_PARENTS = 64
"""Classes that are asked for one member, a class and its parents."""
_MAX_READ = 12
"""Files that are looked into for whether a word is more than a comment there."""
_DESCRIBED = re.compile(r"(?:(?:class|async|static|abstract|final) +)*(?:[\w$]+\.)*([\w$]+)")
Takers = dict[str, dict[str, tuple[Definition, str]]]


class Former(Struct, frozen=True):
    """A definition that is no more."""

    file: PastFile
    definition: Definition


class Symbols:
    """Look-ups over one world; made once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.modules = Modules(world)
        self._used: dict[str, bool] = {}
        self._members: dict[tuple[str, str], Resolution] = {}
        self._uncommented = Uncommented(world.tree)
        self._then: dict[int, dict[str, list[Definition]]] = {}
        self._takers: dict[int, tuple[PastFile, Takers]] = {}

    @cached_property
    def classes(self) -> dict[str, list[Located[Definition]]]:
        """Classes and types by name."""
        found: dict[str, list[Located[Definition]]] = defaultdict(list)
        for path, facts in self.world.index.own_files():
            for definition in facts.definitions:
                if definition.kind in _CLASSES:
                    found[definition.name].append(Located(path, definition))
        return found

    @cached_property
    def by_variable(self) -> dict[str, list[str]]:
        """Class names by the variable that usually holds one: `request` for `Request`, `http_server` for `HTTPServer`."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.classes:
            found[snake(name)].append(name)
        return found

    @cached_property
    def owners(self) -> frozenset[str]:
        """Whatever has members: the second last part of every qualified name."""
        return frozenset(
            d.qualname.split(".")[-2]
            for _, facts in self.world.index.own_files()
            for d in facts.definitions
            if "." in d.qualname
        )

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of all parameters of own functions."""
        files = self.world.index.own_files()
        return frozenset(p.name for _, facts in files for d in facts.definitions for p in d.params or ())

    @cached_property
    def aliases(self) -> frozenset[str]:
        """Names that own code imports or re-exports."""
        return frozenset(entry.alias for _, facts in self.world.index.own_files() for entry in facts.imports)

    @cached_property
    def imported_tops(self) -> frozenset[str]:
        """The first parts of all modules that own code imports."""
        files = self.world.index.own_files()
        return frozenset(entry.module.partition(".")[0] for _, facts in files for entry in facts.imports)

    def resolve(self, parts: Sequence[str]) -> Resolution:
        """What a qualified name means now. `absent` only where its owner is ours and fully known."""
        if parts[0] in self.modules.tops:
            found = self.modules.resolve(parts)
            if found.state != "unknown" or len(parts) == 1:
                return found
        for located in self.world.index.definitions.get(parts[-1], ()):
            if matches(parts, located.path, located.fact, self.world):
                return Resolution("found", located.path, located.fact, len(parts))
        if len(parts) < 2 or (len(parts) > 2 and parts[-3][:1].isupper() and not self._has_nested(*parts[-3:-1])):
            return UNKNOWN
        return self.member(parts[-2], parts[-1])

    def _has_nested(self, outer: str, name: str) -> bool:
        """A class of this name stands in the other: one `Builder` is not like another."""
        return any(f".{where.fact.qualname}".endswith(f".{outer}.{name}") for where in self.classes.get(name, ()))

    def member(self, owner: str, name: str) -> Resolution:
        """An attribute of a class of this name, if it is the only one."""
        if (owner, name) not in self._members:
            self._members[owner, name] = self._look_for_member(owner, name)
        return self._members[owner, name]

    def _look_for_member(self, owner: str, name: str) -> Resolution:
        results = [self._member(located, name, set()) for located in self.classes.get(owner, ())]
        for result in results:
            if result.state == "found":
                return result
        if not results or any(result.state == "unknown" for result in results):
            return UNKNOWN
        return results[0]

    def _member(self, located: Located[Definition], name: str, seen: set[tuple[str, str]]) -> Resolution:
        """`seen` holds the classes that were asked: where many share a name, each is still asked once."""
        if language_of(located.path) == "python":
            return self.modules.member(located.path, located.fact, name)
        owner = located.fact.qualname
        for other in self.world.index.definitions.get(name, ()):
            if other.fact.qualname == f"{owner}.{name}" and same_package(other.path, located.path):
                return Resolution("found", other.path, other.fact, owner=owner)
        seen.add((located.path, owner))
        for base in located.fact.bases if len(seen) < _MOST_PARENTS else ():
            for parent in self.classes.get(re.split(r"[.:]+", base)[-1], ()):
                asked = (parent.path, parent.fact.qualname) in seen
                found = UNKNOWN if asked else self._member(parent, name, seen)
                if found.state == "found":
                    return found
        return Resolution("unknown", located.path, owner=owner)

    def bases_lack(self, owner: str, name: str) -> bool:
        """Every class of this name is ours with all its parents, and neither it nor they define the member.

        Unlike `member`, this does not mind attributes that are set at run time: it is asked where the past shows a definition.
        """
        found = self.classes.get(owner, ())
        return bool(found) and all(self._lacks(located, name, set()) for located in found)

    def _lacks(self, located: Located[Definition], name: str, seen: set[tuple[str, str]]) -> bool:
        definition = located.fact
        seen.add((located.path, definition.qualname))
        for other in self.world.index.definitions.get(name, ()):
            if other.fact.qualname == f"{definition.qualname}.{name}":
                return False
        for base in definition.bases if len(seen) < _MOST_PARENTS else ():
            parents = self._parents(located.path, base)
            if parents is None:
                return False
            asked = (parent for parent in parents if (parent.path, parent.fact.qualname) not in seen)
            if any(not self._lacks(parent, name, seen) for parent in asked):
                return False
        return len(seen) < _MOST_PARENTS

    def _parents(self, path: str, base: str) -> list[Located[Definition]] | None:
        """The own classes that a parent's name means; empty for a parent without members, None if it is not known."""
        last = re.split(r"[.:]+", base)[-1]
        if last in ("object", "ABC", "Protocol", "Generic", "Exception", "Enum"):
            return []
        if path.endswith(".py"):
            parent = self.modules.scope_lookup(path, base)
            if parent is None or parent.definition is None:
                return None
            return [Located(parent.path, parent.definition)]
        return list(self.classes.get(last, ())) or None

    def defines(self, qualname: str, path: str = "") -> bool:
        """Some own file, or the named one, defines exactly this qualified name."""
        found = self.world.index.definitions.get(qualname.rpartition(".")[2], ())
        return any(where.fact.qualname == qualname and path in ("", where.path) for where in found)

    def keeps(self, path: str, qualname: str) -> bool:
        """Own code, or the file itself though no claim's word occurs in it, still defines this qualified name."""
        return self.defines(qualname) or (path in self.world.files and qualname in self.modules.table(path))

    def takers_then(self, file: PastFile) -> Takers:
        """What took which parameter in a past version of a file."""
        if id(file.facts) not in self._takers:
            self._takers[id(file.facts)] = (file, takers_then(file.facts))
        return self._takers[id(file.facts)][1]

    def anything_called(self, name: str) -> bool:
        """Own code defines, imports or re-exports something of this name."""
        return name in self.world.index.definitions or name in self.aliases

    def is_used(self, word: str) -> bool:
        """Own code contains the word outside of comments and docstrings."""
        if word not in self._used:
            self._used[word] = self._look_for(word)
        return self._used[word]

    def _look_for(self, word: str) -> bool:
        paths = [p for p in self.world.index.own_occurrences(word) if not p.startswith(("doc/", "docs/"))]
        if len(paths) > _MAX_READ:
            return True
        return any(self._uncommented.holds(path, word) for path in paths)

    def former(self, parts: Sequence[str], accept: Callable[[str, Definition], bool] | None = None) -> Former | None:
        """The newest definition in the past that the name stood for, as far as the name is qualified."""
        files = [f for f in self.world.past.files(parts[-1]) if self.is_offered(f.path) and _may_hold(f, parts)]
        read_ahead((file.facts for file in files), "definitions")
        for file in files:
            for definition in self._defined_then(file, parts[-1]):
                if is_local(definition, file):
                    continue
                if matches(parts, file.path, definition, self.world) and (
                    accept is None or accept(file.path, definition)
                ):
                    return Former(file, definition)
        return None

    def is_offered(self, path: str) -> bool:
        """Code that readers of the documentation are offered, in a part of the repository that still exists.

        Where a whole folder is gone, what it held often lives on in a repository of its own.
        """
        folders = path.split("/")[:-1]
        if not is_own_code(path) or stands_aside(path, self.world):
            return False
        return path in self.world.files or all(folder in self.folders for folder in folders)

    @cached_property
    def folders(self) -> frozenset[str]:
        """The names of all folders of the tree."""
        return frozenset(posixpath.basename(folder) for folder in self.world.directories)

    def _defined_then(self, file: PastFile, name: str) -> list[Definition]:
        table = self._then.get(id(file.facts))
        if table is None:
            table = self._then[id(file.facts)] = {}
            for definition in file.facts.definitions:
                table.setdefault(definition.name, []).append(definition)
        return table.get(name, [])

    def still_there(self, former: Former) -> bool:
        """The same thing is defined now: under the same qualified name, anywhere, or by a parent of its class."""
        definition = former.definition
        for located in self.world.index.definitions.get(definition.name, ()):
            if located.fact.qualname == definition.qualname:
                return True
        owner = definition.qualname.split(".")
        return len(owner) > 1 and self.member(owner[-2], owner[-1]).state == "found"

    def may_be_inherited(self, former: Former) -> bool:
        """Its class is still here with a parent of another project: one that is new, or any if the member went long ago."""
        owner = former.definition.qualname.rpartition(".")[0]
        before = next((d for d in former.file.facts.definitions if d.qualname == owner), None)
        if before is None:
            return False
        found = self.classes.get(before.name, [])
        for located in [w for w in found if w.path == former.file.path] or found:
            new = [base for base in located.fact.bases if base not in before.bases or not former.file.is_fresh]
            if any(self._parents(located.path, base) is None for base in new):
                return True
        return False

    @cached_property
    def described(self) -> frozenset[str]:
        """Names that the documentation describes by a directive (`.. class:: Name`), the last parts of them."""
        found: set[str] = set()
        for document in self.world.documents.values():
            if document.format == "rst":
                for block in document.blocks:
                    for inline in block.inlines:
                        if inline.label and inline.kind == "code" and (match := _DESCRIBED.match(inline.text[:300])):
                            found.add(match[1])
        return frozenset(found)

    def renamed(self, former: Former) -> tuple[str, bool] | None:
        """The former definition's new name (last part), and whether that is certain."""
        owner = former.definition.qualname.rpartition(".")[0]
        path = former.file.path
        if path not in self.world.files:
            removal = self.world.past.removal(path)
            path = removal.successor if removal and removal.successor else ""
        if not path:
            return None
        now = self.world.facts(path).definitions if path in self.world.files else []
        if (
            owner
            and not any(d.qualname == owner for d in now)
            and not any(d.qualname.startswith(owner + ".") for d in now)
        ):
            return None
        find = successor if former.file.is_fresh else late_successor
        return find(former.definition.name, _shapes(former.file.facts.definitions, owner), _shapes(now, owner))

    def moved(self, name: str, kind: str) -> str:
        """The dotted path of the only module that defines this name now, "" if there is none or several."""
        found = {
            ".".join((*module_parts(located.path, self.world), located.fact.qualname))
            for located in self.world.index.definitions.get(name, ())
            if located.fact.kind == kind and located.path.endswith(".py") and "." not in located.fact.qualname
        }
        return found.pop() if len(found) == 1 else ""


def _shapes(definitions: Sequence[Definition], owner: str) -> list[tuple[str, tuple[object, ...]]]:
    return [
        (d.name, (d.kind, d.params and tuple((p.name, p.kind) for p in d.params), d.bases, d.value))
        for d in definitions
        if d.qualname.rpartition(".")[0] == owner
    ]


def _may_hold(file: PastFile, parts: Sequence[str]) -> bool:
    """What a definition is qualified by stands in its file or in the file's path."""
    if len(parts) == 1 or parts[-2] in ("crate", "self", "super"):
        return True
    owner = re.sub(r"\W", "_", parts[-2]).lower()
    return owner in re.sub(r"\W", "_", file.path).lower() or file.holds((parts[-2],))


def is_local(definition: Definition, file: PastFile) -> bool:
    """Defined inside a function: nobody documents it."""
    owner = definition.qualname.rpartition(".")[0]
    if not owner or definition.kind not in ("function", "class"):
        return False
    return any(d.qualname == owner and d.kind in ("function", "method") for d in file.facts.definitions)


def matches(parts: Sequence[str], path: str, definition: Definition, world: World) -> bool:
    """The name may stand for this definition: its last parts are the qualified name's, the parts before agree with the path.

    `click.echo` matches `echo` of click/utils.py: a package may show what its modules define.
    """
    inner = definition.qualname.split(".")
    if len(parts) <= len(inner):
        return list(parts) == inner[len(inner) - len(parts) :]
    if list(parts[len(parts) - len(inner) :]) != inner:
        return False
    outer = parts[: len(parts) - len(inner)]
    return agrees(outer, path, world)


def agrees(outer: Sequence[str], path: str, world: World) -> bool:
    """What stands before a name agrees with the path of the file that defines it."""
    if path.endswith((".py", ".pyi")):
        module = module_parts(path, world)
        return tuple(outer) in (module[: len(outer)], module[len(module) - len(outer) :])
    if path.endswith(".php"):
        # A namespace is a folder, the first of them often the root of the sources.
        folder = posixpath.basename(posixpath.dirname(path)).lower()
        return outer[-1].lower() == folder or folder in ("", "src", "lib")
    folders = [re.sub(r"\W", "_", part) for part in posixpath.splitext(path)[0].split("/")]
    known = {part.lower() for part in folders} | {"crate", "self", "super"}
    return all(re.sub(r"\W", "_", part).lower() in known for part in outer[-1:])


def same_package(a: str, b: str) -> bool:
    """Members of a class may stand in another file of its folder (Go, Rust), or further down (Rust)."""
    return posixpath.dirname(a).startswith(posixpath.dirname(b)) or posixpath.dirname(b).startswith(
        posixpath.dirname(a)
    )


_made: weakref.WeakKeyDictionary[World, Symbols] = weakref.WeakKeyDictionary()


def symbols_of(world: World) -> Symbols:
    """The look-ups of a world."""
    if world not in _made:
        _made[world] = Symbols(world)
    return _made[world]


def words_in(parts: Sequence[str]) -> Iterator[str]:
    """The identifiers of a name, for a claim's `words`."""
    for part in parts:
        yield from re.findall(r"[A-Za-z_]\w*", part)


def is_supposed(name: str, file: str, world: World) -> bool:
    """The document brings the name up as one that may be, "Let's say you write a module called `Spam`", or registers it."""
    document = world.documents.get(file)
    quoted = (f'"{name}"', f"'{name}'")
    return document is not None and any(
        any(mark in block.text for mark in quoted)
        if block.kind == "code"
        else block.hypothetical and any(inline.kind == "code" and inline.text == name for inline in block.inlines)
        for block in document.blocks
    )
