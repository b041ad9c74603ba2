"""Compiled regular expressions, kept on disk beside the bytecode, as Python keeps the bytecode itself.

A scan needs some hundreds of patterns, and to compile them takes longer than a small repository takes to scan. What `re`
makes of a pattern depends on the pattern, its flags and the interpreter alone, so it need not be made again in each process.
That goes for patterns that a module makes when it is loaded, and for those that stand in its functions (`re.search("a+", text)`).
`re` has no door for this: where the parts used here are not as expected, patterns are compiled as ever. Where nothing may be
written beside the bytecode they are kept in the user's own cache folder.

    python -m docalign_actors.persistence.patterns      keeps the patterns of all that a scan may need, as an installer would
"""

from __future__ import annotations

import importlib
import marshal
import os
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from types import CodeType, ModuleType
from typing import Protocol, cast

_PATH = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "__pycache__", f"patterns.{sys.implementation.cache_tag}"
)
_PACKAGE = "docalign_actors"
_SCANNING = tuple(f"{_PACKAGE}.{part}" for part in ("cli.scan", "engine", "findings", "hosts.localgit", "reporting"))
"""What a scan is made of."""
_MOST_BYTES = 8_000_000
"""A larger file holds more patterns of earlier versions than of this one."""
_NEAR = 6
"""Frames from a module's own code to here: `re`'s two, and a function of the module that joins the parts of a pattern."""
_ASKING = frozenset("search match fullmatch split sub subn findall finditer".split())
"""The functions of `re` that take a pattern as it stands."""
_BETWEEN = frozenset({"CACHE", "PUSH_NULL", "EXTENDED_ARG"})
"""Instructions that only some interpreters have between a function and its first argument."""
_SKIPPED = re.DEBUG | re.LOCALE
"""Flags with which compiling does more, or depends on more, than the pattern."""

Key = tuple[str | bytes, int]
Made = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""Flags, code, number of groups, groups by name, names by group."""
Compile = Callable[[object, int], re.Pattern[str] | re.Pattern[bytes]]


class _Compiler(Protocol):
    """The parts of the standard library's `re._compiler` that are used here."""

    MAGIC: int
    compile: Compile
    _parser: ModuleType
    _sre: ModuleType

    def _code(self, parsed: object, flags: int) -> list[int]: ...


class PatternStore:
    """What is known of patterns, and what was learned in this process."""

    def __init__(self, path: str = _PATH, also: str = "") -> None:
        """`path` is where what is learned is written; `also`, a file that is only read."""
        self.path = path
        self._compiler = cast(_Compiler, importlib.import_module("re._compiler"))
        self._interpreter = (sys.version, self._compiler.MAGIC, array("I").itemsize)
        self._known: dict[Key, Made] = self._load(path)
        if also and also != path:
            self._known.update(self._load(also))
        self._learned = False
        self._ordinary: Compile = self._compiler.compile

    def _load(self, path: str) -> dict[Key, Made]:
        try:
            with open(path, "rb") as file:
                # Whoever may write beside the bytecode may write bytecode; another folder may be open to many.
                data = file.read(_MOST_BYTES + 1) if path == _PATH or _is_ours(file.fileno()) else b""
            interpreter, known = marshal.loads(data if len(data) <= _MOST_BYTES else b"")  # noqa: S302 - as trusted as bytecode
        except (OSError, ValueError, EOFError, TypeError):
            return {}
        return dict(known) if interpreter == self._interpreter else {}

    def install(self) -> None:
        """From now on `re` asks here first."""
        self._compiler.compile = self.compile

    def remove(self) -> None:
        """`re` is as it was."""
        self._compiler.compile = self._ordinary

    def compile(self, pattern: object, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
        """What `re` would make of the pattern. Its errors are `re`'s own."""
        if not isinstance(pattern, (str, bytes)) or flags & _SKIPPED:
            return self._ordinary(pattern, flags)
        key = (pattern, int(flags))
        try:
            made = self._known.get(key) or self._learn(key)
            compiled: re.Pattern[str] | re.Pattern[bytes] = self._compiler._sre.compile(
                pattern, made[0], array("I", made[1]).tolist(), *made[2:]
            )
        except (AttributeError, TypeError, ValueError, RuntimeError, re.error):
            return self._ordinary(pattern, flags)
        return compiled

    def _learn(self, key: Key) -> Made:
        made = self._make(key)
        if _is_of_a_module():  # others may be made of what a repository holds, which is nobody's business here
            self._known[key] = made
            self._learned = True
        return made

    def learn_what_stands_in(self, modules: Iterable[str]) -> None:
        """Learns the patterns that stand in the functions of these modules."""
        for key in {key for name in modules for key in _standing_in(name)} - self._known.keys():
            with suppress(re.error, OverflowError):
                self._known[key] = self._make(key)
                self._learned = True

    def _make(self, key: Key) -> Made:
        """The same steps as in the standard library."""
        pattern, flags = key
        parsed = self._compiler._parser.parse(pattern, flags)
        code = array("I", self._compiler._code(parsed, flags)).tobytes()
        state = parsed.state
        names: list[str | None] = [None] * state.groups
        for name, number in state.groupdict.items():
            names[number] = name
        return int(flags | state.flags), code, state.groups - 1, dict(state.groupdict), tuple(names)

    def save(self) -> None:
        """Writes what was learned. A folder that cannot be written to is no error."""
        if not self._learned:
            return
        self.learn_what_stands_in(_loaded())
        beside = f"{self.path}.{os.getpid()}"
        with suppress(OSError, ValueError):
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), "wb") as file:
                marshal.dump((self._interpreter, self._known), file)
            os.replace(beside, self.path)
            self._learned = False
        with suppress(OSError):
            os.unlink(beside)


def _is_ours(descriptor: int) -> bool:
    """Nobody but this user could have written the file."""
    status = os.fstat(descriptor)
    return not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)


def place(folder: str) -> str:
    """The file for what is learned: beside the bytecode, or in a folder of the user's where that may not be; "" for neither."""
    if not sys.dont_write_bytecode and os.access(os.path.dirname(_PATH), os.W_OK):
        return _PATH
    return os.path.join(folder, os.path.basename(_PATH)) if folder else ""


@contextmanager
def kept_patterns(folder: str = "") -> Iterator[None]:
    """For a while, patterns are taken from disk, and those that modules add are written there as bytecode would be."""
    path = place(folder)
    try:
        store = PatternStore(path or _PATH, _PATH)
    except (ImportError, AttributeError):  # another Python's `re`
        yield
        return
    store.install()
    try:
        yield
    finally:
        store.remove()
        if path:
            store.save()


def _is_of_a_module() -> bool:
    """A module that is being loaded asks for the pattern: it stands in the source."""
    frame = sys._getframe(2)
    for _ in range(_NEAR):
        if frame.f_code.co_name == "<module>":
            return frame.f_globals.get("__name__") != "__main__"
        if frame.f_back is None:
            return False
        frame = frame.f_back
    return False


def _loaded() -> list[str]:
    """The modules of this package that have been loaded."""
    return [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]


def _standing_in(module: str) -> Iterator[Key]:
    """The patterns that functions of a module hand to `re` as they stand, with each flag that those functions name."""
    spec = getattr(sys.modules[module], "__spec__", None)
    code = spec.loader.get_code(module) if spec and hasattr(spec.loader, "get_code") else None
    waiting = [code] if isinstance(code, CodeType) else []
    while waiting:
        code = waiting.pop()
        waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
        if "re" in code.co_names and not _ASKING.isdisjoint(code.co_names):
            flags = {0, *(int(re.RegexFlag[name]) for name in code.co_names if name in re.RegexFlag.__members__)}
            yield from ((pattern, flag) for pattern in _handed_to_re(code) for flag in flags if not flag & _SKIPPED)


def _handed_to_re(code: CodeType) -> Iterator[str | bytes]:
    """Each text that is the first argument of a function of `re`."""
    import dis  # needed once after an installation

    steps = [step.argval for step in dis.get_instructions(code) if step.opname not in _BETWEEN]
    for library, function, pattern in zip(steps, steps[1:], steps[2:], strict=False):
        if library == "re" and function in _ASKING and isinstance(pattern, (str, bytes)):
            yield pattern


def main() -> None:
    """Loads every module that a scan may need, and keeps their patterns."""
    import pkgutil

    store = PatternStore()
    store.install()
    for name in _SCANNING:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            importlib.import_module(module.name)
    store.learn_what_stands_in(_loaded())
    store.save()


if __name__ == "__main__":
    main()
