"""Which router in which file a name means: through imports, module paths, packages and default exports."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence

from docalign_actors.engine.facts import FileFacts, Import

Node = tuple[str, str]
_SCRIPT_SUFFIXES = (".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".cts")
_SUFFIXES = (".urls", ".routes", ".router", ".app", ".handler")
_DEPTH = 5


class Modules:
    """Resolves what a mount calls its child. `names` are the routers of each file that has any."""

    def __init__(self, files: Mapping[str, FileFacts], names: Mapping[str, frozenset[str]]) -> None:
        self._files = files
        self._names = names
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        for path in files:
            self._by_stem[_module_stem(path)].append(path)

    def resolve(self, file: str, name: str, depth: int = 0) -> Sequence[Node]:
        """The routers that `name` in `file` stands for; none if it cannot be told."""
        if depth > _DEPTH:
            return ()
        if name.startswith("module:"):
            module, _, attribute = name.removeprefix("module:").partition(":")
            return self._first(self.module_files(file, module), attribute, depth)
        local = self._local(file, name)
        if local:
            return [(file, local)]
        if _language(file) in ("go", "rust", "java"):
            return self._by_qualified_name(file, name)
        return self._imported(file, name, depth)

    def _local(self, file: str, name: str) -> str:
        names = self._names.get(file, frozenset())
        if name in names:
            return name
        for suffix in _SUFFIXES:
            if name.endswith(suffix) and name.removesuffix(suffix) in names:
                return name.removesuffix(suffix)
        return ""

    def _imported(self, file: str, name: str, depth: int) -> Sequence[Node]:
        head, _, rest = name.partition(".")
        for found in self._files[file].imports if file in self._files else ():
            if found.alias == head or (not found.alias and (found.name or found.module) == head):
                nodes = self._through(file, found, rest, depth)
                if nodes:
                    return nodes
            elif not found.name and name.startswith(found.module + "."):
                nodes = self._first(self.module_files(file, found.module), name.removeprefix(found.module + "."), depth)
                if nodes:
                    return nodes
        return ()

    def _through(self, file: str, found: Import, rest: str, depth: int) -> Sequence[Node]:
        """What an import of a module, of a submodule or of a name leads to."""
        if found.name in ("", "*", "default"):
            return self._first(self.module_files(file, found.module), rest, depth)
        separator = "" if found.module.endswith(".") else "."
        submodule = (
            self.module_files(file, f"{found.module}{separator}{found.name}") if _language(file) == "python" else ()
        )
        if submodule:
            return self._first(submodule, rest, depth)
        attribute = f"{found.name}.{rest}".rstrip(".")
        return self._first(self.module_files(file, found.module), attribute, depth)

    def _first(self, files: Sequence[str], attribute: str, depth: int) -> Sequence[Node]:
        for path in files:
            nodes = self.resolve(path, attribute, depth + 1) if attribute else self._main(path, depth)
            if nodes:
                return nodes
            if attribute and "." not in attribute and _language(path) == "script":
                return self._main(path, depth)
        return ()

    def _main(self, path: str, depth: int) -> Sequence[Node]:
        """The router that a module as a whole stands for."""
        names = self._names.get(path, frozenset())
        for name in ("default", "urlpatterns", "router"):
            if name in names:
                return [(path, name)]
        if len(names) == 1:
            return [(path, name) for name in names]
        return self._imported(path, "default", depth + 1) if _language(path) == "script" else ()

    def module_files(self, file: str, module: str) -> Sequence[str]:
        """The files a module path may mean, seen from a file; the nearest first."""
        if _language(file) == "script":
            return self._script_files(file, module)
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module[dots:].split(".") if part]
        if dots:
            folder = file
            for _ in range(dots):
                folder = posixpath.dirname(folder)
            base = "/".join([folder, *parts]) if folder else "/".join(parts)
            return [p for p in (f"{base}.py", f"{base}/__init__.py") if p in self._files]
        return self._ending(file, parts) if parts else ()

    def _script_files(self, file: str, module: str) -> Sequence[str]:
        if module.startswith("."):
            base = posixpath.normpath(posixpath.join(posixpath.dirname(file), module))
            stems = [base, posixpath.splitext(base)[0]] if posixpath.splitext(base)[1] in _SCRIPT_SUFFIXES else [base]
            names = [
                stem + tail
                for stem in stems
                for tail in ("", *_SCRIPT_SUFFIXES, *(f"/index{s}" for s in _SCRIPT_SUFFIXES))
            ]
            return [name for name in names if name in self._files]
        parts = [part for part in module.lstrip("@~#/").split("/") if part]
        return self._ending(file, parts) if len(parts) > 1 else ()

    def _ending(self, file: str, parts: Sequence[str]) -> Sequence[str]:
        """Files whose path ends with these parts, those that share most of the path with `file` first."""
        tail = "/".join(parts)
        found = [p for p in self._by_stem.get(parts[-1], ()) if ("/" + _module_path(p)).endswith("/" + tail)]
        return sorted(found, key=lambda p: (-len(posixpath.commonprefix([p, file])), p))

    def _by_qualified_name(self, file: str, name: str) -> Sequence[Node]:
        """Go, Rust, Java: `users.Register`, `users::router`, `routes`: by name, in the package or module that is named."""
        parts = name.replace("::", ".").split(".")
        last, qualifier = parts[-1], parts[-2] if len(parts) > 1 else ""
        holders = [
            (p, own)
            for p, names in self._names.items()
            if _language(p) == _language(file)
            for own in names
            if own.rpartition(".")[2] == last
        ]
        exact = [node for node in holders if node[1] == name]
        if exact:
            return _nearest(file, exact)
        if not qualifier or qualifier in ("self", "crate", "super"):
            return (
                _nearest(file, holders)[:4]
                if _language(file) != "go"
                else [n for n in holders if _folder(n[0]) == _folder(file)]
            )
        aliased = {i.alias: i.module.replace("::", "/").rpartition("/")[2] for i in self._files[file].imports}
        wanted = {qualifier, aliased.get(qualifier, qualifier)}
        named = [node for node in holders if wanted & {_module_stem(node[0]), posixpath.basename(_folder(node[0]))}]
        near = [node for node in holders if _folder(node[0]) == _folder(file)]  # a method: `h.Register(group)`
        return named or near or (holders if len({path for path, _ in holders}) == 1 else [])


def _nearest(file: str, nodes: list[Node]) -> list[Node]:
    """Those of the file's own folder, if there are any."""
    return (
        [node for node in nodes if node[0] == file]
        or [node for node in nodes if _folder(node[0]) == _folder(file)]
        or nodes
    )


def _folder(path: str) -> str:
    return posixpath.dirname(path)


def _language(path: str) -> str:
    suffix = posixpath.splitext(path)[1]
    return {".py": "python", ".go": "go", ".rs": "rust", ".java": "java"}.get(
        suffix, "script" if suffix in _SCRIPT_SUFFIXES else ""
    )


def _module_path(path: str) -> str:
    """A path without suffix, and without the file that stands for its folder."""
    stem = posixpath.splitext(path)[0]
    return posixpath.dirname(stem) if posixpath.basename(stem) in ("__init__", "index", "mod") else stem


def _module_stem(path: str) -> str:
    return posixpath.basename(_module_path(path))
