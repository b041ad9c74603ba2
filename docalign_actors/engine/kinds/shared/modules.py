"""The Python modules of this repository, and what a dotted name means in them: re-exports, parents of classes, nesting.

Strict about what it does not know: a compiled module, a star import from outside, a parent from another project or a
`__getattr__` make the answer `unknown`, never `absent`.
"""

from __future__ import annotations

import builtins
import posixpath
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from weakref import WeakKeyDictionary

from msgspec import Struct

from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.facts import Definition, Import
from docalign_actors.engine.kinds.shared.spellings import normal
from docalign_actors.engine.roles import is_foreign, is_own_code
from docalign_actors.engine.world import World

_MAX_DEPTH = 12
_MOST_STEPS = 2_000
"""Modules that are looked into for one name."""
_SAFE_DECORATORS = frozenset((
    "dataclass", "dataclasses.dataclass", "final", "total_ordering", "functools.total_ordering", "runtime_checkable",
    "typing.final",
))  # fmt: skip
_EMPTY_BASES = frozenset((
    "object", "ABC", "abc.ABC", "Protocol", "typing.Protocol", "Generic", "typing.Generic", "t.Protocol", "t.Generic",
))  # fmt: skip
_NOT_PACKAGES = frozenset(("docs", "doc", "scripts", "benchmarks", "bench"))
_NOT_MODULES = frozenset((
    "setup", "conftest", "noxfile", "tasks", "manage", "conf", "fabfile", "dodo", "build", "docs", "doc", "scripts",
    "script", "tools", "tool", "bin", "bench", "benchmarks", "ci",
))  # fmt: skip
_COMPILED = (".pyx", ".so", ".pyd", ".c", ".cpp", ".rs")


class Resolution(Struct, frozen=True):
    """What a name came to. state: found, absent (the owner is fully known and has no such name) or unknown.

    `depth` is how many parts of the name were resolved; `owner` describes what the next part is absent from.
    """

    state: str
    path: str = ""
    definition: Definition | None = None
    depth: int = 0
    owner: str = ""


UNKNOWN = Resolution("unknown")
ALL_READ = "all of `{}` was read"
"""The evidence that what has no such name is known to have none."""


class Modules:
    """Module paths of a tree."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._tables: dict[str, dict[str, list[Definition]]] = {}
        self.roots: dict[str, frozenset[str]] = {}
        """By top package, the folders that hold it, as far as they were asked for."""
        self._resolved: dict[tuple[str, ...], Resolution] = {}
        self._imports: dict[str, dict[str, list[tuple[int, Import]]]] = {}
        self._under_way: set[tuple[str, tuple[str, ...]]] = set()
        self._steps = 0

    @cached_property
    def paths(self) -> dict[str, str]:
        """Module → file. Packages are listed under their own name with their `__init__.py`."""
        return {
            dotted: next((p for p in files if p.endswith(".py")), files[-1]) for dotted, files in self._files.items()
        }

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """Module → every file that could be it, in order."""
        found: dict[str, list[str]] = {}
        above: dict[str, tuple[str, ...]] = {}
        projects = _projects(self.world)
        for path in sorted(path for path in self.world.files if path.endswith((".py", ".pyi"))):
            if not is_foreign(path):
                folder, _, name = path.rpartition("/")
                if folder not in above:
                    above[folder] = _packages(folder, self.world.files, projects)
                dotted = ".".join((*above[folder], *_stem(name)))
                if dotted:
                    found.setdefault(dotted, []).append(path)
        return found

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """Every prefix of a module's name."""
        return frozenset(
            ".".join(parts[:n]) for parts in (m.split(".") for m in self.paths) for n in range(1, len(parts))
        )

    @cached_property
    def tops(self) -> frozenset[str]:
        """The names that `import` finds this repository's own code under."""
        found = set()
        for dotted, path in self.paths.items():
            top = dotted.partition(".")[0]
            if top in found or top in sys.stdlib_module_names or not is_own_code(path):
                continue
            if "." in dotted or path.endswith("__init__.py"):
                if top not in _NOT_PACKAGES:
                    found.add(top)
            elif top not in _NOT_MODULES and path.count("/") <= 1:
                found.add(top)
        return frozenset(found)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The names of files and folders, without suffixes: what a text may call a module."""
        return frozenset(part.split(".")[0] for path in self.world.files for part in path.split("/"))

    @cached_property
    def compiled(self) -> frozenset[str]:
        """The stems of files that may become extension modules."""
        return frozenset(
            posixpath.basename(p).split(".")[0] for p in self.world.files if p.endswith(_COMPILED) and not is_foreign(p)
        )

    def table(self, path: str) -> dict[str, list[Definition]]:
        """A file's definitions by qualified name."""
        if path not in self._tables:
            table: dict[str, list[Definition]] = {}
            for definition in self.world.facts(path).definitions:
                table.setdefault(definition.qualname, []).append(definition)
            self._tables[path] = table
        return self._tables[path]

    def imports(self, path: str, name: str) -> list[Import]:
        """The imports of a file that may give it a name, in their order: those of everything too."""
        if path not in self._imports:
            found: dict[str, list[tuple[int, Import]]] = {}
            for number, entry in enumerate(self.world.facts(path).imports):
                known_as = "*" if entry.name == "*" else entry.alias.partition(".")[0]
                found.setdefault(known_as, []).append((number, entry))
            self._imports[path] = found
        known = self._imports[path]
        return [entry for _, entry in sorted([*known.get(name, ()), *known.get("*", ())], key=itemgetter(0))]

    def resolve(self, parts: Sequence[str]) -> Resolution:
        """What an absolute dotted name means; its first part is one of `tops`. Documents name the same things again and again."""
        asked = tuple(parts)
        if asked not in self._resolved:
            self._resolved[asked] = self._resolve(asked, 0)
        return self._resolved[asked]

    def _resolve(self, parts: Sequence[str], depth: int) -> Resolution:
        for length in range(len(parts), 0, -1):
            dotted = ".".join(parts[:length])
            if dotted in self.paths:
                found = self._in_module(self.paths[dotted], dotted, parts[length:], length, depth)
                in_doubt = found.state == "absent" and (
                    self._is_hidden(parts[:length])
                    or self._is_in_twin(parts, length)
                    or "__path__" in self.table(self.paths[dotted])  # its modules may lie in any other folder
                )
                return UNKNOWN if in_doubt else found
            if dotted in self.namespaces:
                if length == len(parts):
                    return Resolution("found", depth=length)
                return (
                    UNKNOWN
                    if self._may_be_compiled(parts[length])
                    else Resolution("absent", depth=length, owner=dotted)
                )
        return UNKNOWN

    def _is_hidden(self, parts: Sequence[str]) -> bool:
        """The package imports something of the module's name from elsewhere: that is what readers get."""
        package = ".".join(parts[:-1])
        path = self.paths.get(package, "")
        return bool(path) and any(
            entry.alias == parts[-1] and f"{self.absolute(path, package, entry.module)}.{entry.name}" != ".".join(parts)
            for entry in self.imports(path, parts[-1])
        )

    def _is_in_twin(self, parts: Sequence[str], length: int) -> bool:
        """Another file that could be the module has the name: which of them readers import is not told."""
        files = self._files[".".join(parts[:length])]
        return len(files) > 1 and any(parts[length] in self.table(path) for path in files)

    def _may_be_compiled(self, name: str) -> bool:
        return name in self.compiled

    def _in_module(self, path: str, dotted: str, rest: Sequence[str], done: int, depth: int) -> Resolution:
        """What a name of a module means. Modules that import all of each other lead round in circles: each is asked once."""
        if not rest:
            return Resolution("found", path, depth=done)
        asked = (path, tuple(rest))
        self._steps = self._steps + 1 if self._under_way else 0
        if depth > _MAX_DEPTH or asked in self._under_way or self._steps > _MOST_STEPS:
            return UNKNOWN
        self._under_way.add(asked)
        try:
            return self._look_in(path, dotted, rest, done, depth)
        finally:
            self._under_way.discard(asked)

    def _look_in(self, path: str, dotted: str, rest: Sequence[str], done: int, depth: int) -> Resolution:
        name = rest[0]
        if name in self.table(path):
            return self._in_definition(path, name, rest[1:], done + 1, depth)
        facts = self.world.facts(path)
        stars = False
        for entry in self.imports(path, name):
            if entry.name == "*" and not self._shows(self.absolute(path, dotted, entry.module), name):
                continue
            found = self._imported(path, dotted, entry, rest, done, depth)
            if found.state == "found" or entry.name != "*":
                return found
            stars = stars or found.state == "unknown"
        if stars or "symbols" in facts.opaque or facts.notes or self._may_be_compiled(name) or path.endswith(".pyi"):
            return UNKNOWN
        if name.startswith("__") or self._is_in_stub(path, name):
            return UNKNOWN
        return Resolution("absent", path, depth=done, owner=dotted)

    def _shows(self, module: str, name: str) -> bool:
        """Who imports everything of the module gets the name: what it lists in `__all__`, or all but what begins with `_`."""
        if module not in self.paths:
            return True
        facts = self.world.facts(self.paths[module])
        if facts.exports is None:
            return not name.startswith("_")
        return name in facts.exports or "exports" in facts.opaque or bool(facts.notes)

    def _is_in_stub(self, path: str, name: str) -> bool:
        """The stub beside the module has the name: type checkers find it there, and an example may mean that."""
        return f"{path}i" in self.world.files and name in self.table(f"{path}i")

    def _imported(
        self, path: str, dotted: str, entry: Import, rest: Sequence[str], done: int, depth: int
    ) -> Resolution:
        module = self.absolute(path, dotted, entry.module)
        if module.partition(".")[0] not in self.tops:
            return Resolution("unknown", path, depth=done + 1)
        target = module.split(".") + (
            [] if not entry.name else list(rest) if entry.name == "*" else [entry.name, *rest[1:]]
        )
        if not entry.name:
            target += list(rest[1:]) if entry.alias != entry.module else []
            if entry.alias == entry.module:
                target = list(rest)
        if target == dotted.split(".") + list(rest):
            return UNKNOWN
        found = self._resolve(target, depth + 1)
        shift = done + len(rest) - len(target)
        if found.state == "absent" and entry.name not in ("", "*") and found.depth + shift <= done:
            # The package imports a name that cannot be found: it is made by something that was not read.
            return UNKNOWN
        return Resolution(found.state, found.path, found.definition, max(done, found.depth + shift), found.owner)

    def absolute(self, path: str, dotted: str, module: str) -> str:
        """`.mod` as the importing module means it."""
        if not module.startswith("."):
            return module
        dots = len(module) - len(module.lstrip("."))
        is_package = path.endswith(("/__init__.py", "/__init__.pyi"))
        base = dotted.split(".")
        base = base[: len(base) - dots + (1 if is_package else 0)]
        return ".".join([*base, *filter(None, module.lstrip(".").split("."))])

    def _in_definition(self, path: str, qualname: str, rest: Sequence[str], done: int, depth: int) -> Resolution:
        definition = self.table(path)[qualname][0]
        if not rest:
            return Resolution("found", path, definition, done)
        if definition.kind != "class":
            return UNKNOWN
        found = self.member(path, definition, rest[0], depth)
        if found.state == "found" and found.definition is not None and len(rest) > 1:
            return self._in_definition(found.path, found.definition.qualname, rest[1:], done + 1, depth)
        return Resolution(found.state, found.path, found.definition, done + (found.state == "found"), qualname)

    def member(self, path: str, owner: Definition, name: str, depth: int = 0) -> Resolution:
        """An attribute of a class, its own or a parent's."""
        table = self.table(path)
        if f"{owner.qualname}.{name}" in table:
            return Resolution("found", path, table[f"{owner.qualname}.{name}"][0], owner=owner.qualname)
        if depth > _MAX_DEPTH:
            return UNKNOWN
        facts = self.world.facts(path)
        dynamic = any(f"{owner.qualname}.{hook}" in table for hook in ("__getattr__", "__getattribute__"))
        unknown = dynamic or bool(facts.notes) or "symbols" in facts.opaque or name.startswith("__")
        unknown = unknown or any(decorator not in _SAFE_DECORATORS for decorator in owner.decorators)
        for base in owner.bases:
            found = self._base_member(path, owner, base, name, depth)
            if found.state == "found":
                return found
            unknown = unknown or found.state == "unknown"
        return UNKNOWN if unknown else Resolution("absent", path, owner=owner.qualname)

    def _base_member(self, path: str, owner: Definition, base: str, name: str, depth: int) -> Resolution:
        if base in _EMPTY_BASES:
            return Resolution("absent")
        parent = self.scope_lookup(path, base)
        if (
            parent is not None
            and parent.definition is not None
            and parent.definition.kind == "class"
            and parent.definition is not owner
        ):
            return self.member(parent.path, parent.definition, name, depth + 1)
        builtin = getattr(builtins, base, None) if parent is None else None
        if isinstance(builtin, type) and not hasattr(builtin, name):
            return Resolution("absent")
        return UNKNOWN

    def scope_lookup(self, path: str, name: str) -> Resolution | None:
        """A name as a module's own code means it; None if the module neither defines nor imports it."""
        dotted = next(iter(self._module_names(path)), "")
        first = name.split(".")[0]
        known = first in self.table(path) or bool(self.imports(path, first))
        return self._in_module(path, dotted, name.split("."), 0, 1) if known else None

    def _module_names(self, path: str) -> Iterator[str]:
        dotted = ".".join(module_parts(path, self.world))
        if dotted:
            yield dotted


_PROJECTS: WeakKeyDictionary[World, dict[str, str]] = WeakKeyDictionary()
_PARTS: WeakKeyDictionary[World, dict[str, tuple[str, ...]]] = WeakKeyDictionary()


def _projects(world: World) -> dict[str, str]:
    if world not in _PROJECTS:
        found = [package for package in world.index.packages if package.language == "python"]
        _PROJECTS[world] = {package.root: normal(package.name) for package in found}
    return _PROJECTS[world]


def module_parts(path: str, world: World) -> tuple[str, ...]:
    """A Python file's module: the packages above it as far as they go, and beyond `src` never."""
    known = _PARTS.setdefault(world, {})
    if path not in known:
        folder, _, name = path.rpartition("/")
        known[path] = (*_packages(folder, world.files, _projects(world)), *_stem(name))
    return known[path]


def _stem(name: str) -> tuple[str, ...]:
    stem = name.split(".")[0]
    return () if stem == "__init__" else (stem,)


def _packages(folder: str, files: frozenset[str], projects: Mapping[str, str]) -> tuple[str, ...]:
    parts: list[str] = []
    above = folder.split("/") if folder else []
    while above and (_is_package("/".join(above), files) or _is_package("/".join(above[:-1]), files)):
        # A folder without `__init__.py` inside a package is a part of it all the same.
        parts.insert(0, above.pop())
    if "src" in above:
        # Folders without `__init__.py` below `src` are namespace packages.
        return (*above[len(above) - above[::-1].index("src") :], *parts)
    return (*_namespace(above, projects), *parts) if parts else ()


def _namespace(above: list[str], projects: Mapping[str, str]) -> list[str]:
    """The folders between a project and its package that the project's own name begins with: `acme/` of `acme-storage`."""
    for at in range(len(above) - 1, -1, -1):
        name = projects.get("/".join(above[:at]))
        if name:
            return above[at:] if name.startswith(normal(" ".join(above[at:]))) else []
    return []


def _is_package(folder: str, files: frozenset[str]) -> bool:
    return bool(folder) and (f"{folder}/__init__.py" in files or f"{folder}/__init__.pyi" in files)


def is_python(path: str) -> bool:
    """A Python file that can be parsed whole."""
    return language_of(path) == "python" and not path.endswith(".pyx")
