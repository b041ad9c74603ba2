"""From the path in an import to files of this repository, language by language."""

from __future__ import annotations

import posixpath
import re
import weakref
from collections.abc import Iterator, Sequence

from docalign_actors.engine.kinds.shared.modules import Modules
from docalign_actors.engine.ports import Removal
from docalign_actors.engine.roles import is_own_code
from docalign_actors.engine.world import World

_SCRIPT_SUFFIXES = (
    "",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".tsx",
    ".jsx",
    ".json",
    ".d.ts",
    "/index.js",
    "/index.ts",
    "/package.json",
)


_SERVED = re.compile(
    r"^(?:npm:|jsr:|https?://(?:cdn\.jsdelivr\.net/npm|esm\.sh|esm\.run|unpkg\.com|cdn\.skypack\.dev)/)"
    r"(?P<name>(?:@[\w.-]+/)?[\w.-]+)"
)
"""A package as a site for scripts, or Deno, names it."""


def served_package(module: str) -> str:
    """The package that a site for scripts serves, without its version and file; "" if it is no such address."""
    served = _SERVED.match(module)
    return served["name"] if served else ""


def script_files(root: str, sub: str) -> Iterator[str]:
    """The files that `pkg/sub` may mean, in the package's folder or in its sources."""
    for folder in ("", "src", "lib"):
        base = posixpath.normpath(posixpath.join(root, folder, sub))
        if not base.startswith(".."):
            for suffix in _SCRIPT_SUFFIXES:
                yield base + suffix


def folder_of_go(module: str, world: World) -> str | None:
    """The folder of an import path that begins with one of our module paths; None if none does."""
    for package in world.index.packages:
        if package.language == "go" and package.name and (module + "/").startswith(package.name + "/"):
            return posixpath.join(package.root, module[len(package.name) :].strip("/")).strip("/")
    return None


def rust_parts(subject: str, world: World) -> list[str] | None:
    """The parts of a path after the crate's name; None if the crate is not ours."""
    crates = {
        package.name.replace("-", "_")
        for package in world.index.packages
        if package.language == "rust" and package.name
    }
    parts = [part for part in re.split(r"::", subject) if part]
    return parts[1:] if parts and parts[0] in crates else None


def java_class(subject: str) -> tuple[str, str]:
    """Package and outermost class: `org.app.Tool.Part` gives `org.app` and `Tool`."""
    parts = subject.split(".")
    for position, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[:position]), part
    return subject, ""


def removed_module(
    parts: Sequence[str], modules: Modules, *, shown: bool = True
) -> tuple[tuple[str, ...], Removal] | None:
    """The first part of a Python name that was a module of ours and is none now, with what became of its file.

    `shown`: none where the package above has a name of its own for it.
    """
    base = next((tuple(parts[:n]) for n in range(2, len(parts) + 1) if not _is_module(parts[:n], modules)), ())
    if not base or (shown and _is_shown(base, modules)):
        return None
    if base[-1] in modules.compiled:
        return None  # written in Cython, C or Rust now, and imported as before
    for root in roots_of(parts[0], modules):
        for tail in (".py", "/__init__.py"):
            removal = modules.world.past.removal(posixpath.join(root, *base) + tail)
            if removal is not None and (removal.recent or not _is_a_sample(removal.path)):
                return base, removal
    return None


def _is_a_sample(path: str) -> bool:
    """Code among the documents, which readers are to write themselves."""
    return not {"docs", "doc"}.isdisjoint(path.split("/")[:-1])


def _is_module(parts: Sequence[str], modules: Modules) -> bool:
    dotted = ".".join(parts)
    return dotted in modules.paths or dotted in modules.namespaces


def _is_shown(base: tuple[str, ...], modules: Modules) -> bool:
    """The package defines or imports something of the same name."""
    path = modules.paths.get(".".join(base[:-1]), "")
    if not path:
        return False
    shown = (entry.alias.partition(".")[0] == base[-1] for entry in modules.world.facts(path).imports)
    return base[-1] in modules.table(path) or any(shown)


def roots_of(top: str, modules: Modules) -> frozenset[str]:
    """The folders that hold a top package or module; of a namespace those that hold a part of it."""
    if top not in modules.roots:
        modules.roots[top] = frozenset(_look_for_roots(top, modules))
    return modules.roots[top]


def _look_for_roots(top: str, modules: Modules) -> set[str]:
    found = set()
    for dotted, path in modules.paths.items():
        if dotted == top or dotted.startswith(f"{top}."):
            whole = path.removesuffix("/__init__.py") if path.endswith("/__init__.py") else path.rpartition(".")[0]
            inside = dotted.replace(".", "/")
            if whole == inside or whole.endswith(f"/{inside}"):
                found.add(whole[: -len(inside)].rstrip("/"))
    return found


def missing_package(parts: Sequence[str], world: World) -> tuple[str, ...]:
    """The first parts of a dotted name that are no Java package of ours, though the package above them is one."""
    packages = java_packages(world)
    length = next((n for n, part in enumerate(parts) if not part.islower()), len(parts))
    for n in range(3, length + 1):
        if ".".join(parts[:n]) not in packages:
            return tuple(parts[:n]) if ".".join(parts[: n - 1]) in packages else ()
    return ()


def removed_package(parts: Sequence[str], world: World) -> tuple[str, Removal] | None:
    """The Java package at the start of a dotted name, if a folder of ours that held it is gone."""
    package = missing_package(parts, world)
    for root in sorted(java_packages(world).get(".".join(package[:-1]), ())):
        removal = world.past.removal(posixpath.join(root, *package))
        if removal is not None:
            return ".".join(package), removal
    return None


def removed_class(parts: Sequence[str], world: World) -> tuple[str, str, Removal] | None:
    """The Java class that a dotted name begins with, if its file is gone from a package of ours, with what it is called now."""
    package, name = java_class(".".join(parts))
    roots = java_packages(world).get(package, ()) if name else ()
    folder = package.replace(".", "/")
    if not roots or any(f"{root}/{folder}/{name}.java".lstrip("/") in world.files for root in roots):
        return None
    for root in sorted(roots):
        removal = world.past.removal(posixpath.join(root, folder, f"{name}.java"))
        if removal is not None:
            below = removal.successor.removeprefix(f"{root}/".lstrip("/"))
            moved = below != removal.successor and below.endswith(".java")
            return f"{package}.{name}", below.removesuffix(".java").replace("/", ".") if moved else "", removal
    return None


_packages: weakref.WeakKeyDictionary[World, dict[str, set[str]]] = weakref.WeakKeyDictionary()
_folders: weakref.WeakKeyDictionary[World, dict[tuple[str, bool], bool]] = weakref.WeakKeyDictionary()


def has_folder(world: World, folder: str, *, kotlin: bool = True) -> bool:
    """Java's code, or Kotlin's, lies in a folder of this path or below, wherever that begins: thousands of imports ask."""
    known = _folders.setdefault(world, {})
    if (folder, kotlin) not in known:
        places = (world.folders_with(suffix) for suffix in (".java", ".kt")[: 1 + kotlin])
        known[folder, kotlin] = any(f"/{folder}/" in f"/{place}/" for found in places for place in found)
    return known[folder, kotlin]


def java_packages(world: World) -> dict[str, set[str]]:
    """Every package of two parts or more that own Java code lives in or under, with the source folders that hold it."""
    if world not in _packages:
        found: dict[str, set[str]] = {}
        for folder in {posixpath.dirname(path) for path in world.files if path.endswith(".java") and is_own_code(path)}:
            above, mark, below = f"/{folder}".rpartition("/java/")
            parts = below.split("/") if mark else []
            for n in range(2, len(parts) + 1):
                found.setdefault(".".join(parts[:n]), set()).add(f"{above}/java".strip("/"))
        _packages[world] = found
    return _packages[world]
