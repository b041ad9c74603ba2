"""What a function or a class takes when it is called, as far as the code tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from docalign_actors.engine.facts import Definition, Param
from docalign_actors.engine.index import Located
from docalign_actors.engine.kinds.shared.lookup import Symbols
from docalign_actors.engine.kinds.shared.taken import CONSTRUCTORS, DATACLASSES, fields

_TRANSPARENT = frozenset(
    (
        "staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod", "contextmanager", "contextlib.contextmanager",
        "asynccontextmanager", "contextlib.asynccontextmanager", "overload", "typing.overload", "t.overload", "override",
        "typing.override", "lru_cache", "functools.lru_cache", "cache", "functools.cache", "final", "typing.final", "t.final",
        "wraps", "functools.wraps", "deprecated", "warnings.deprecated",
    )
)  # fmt: skip


_GENERATIONS = 6
"""Parents of parents that are asked what they take."""


class Taker(Struct, frozen=True):
    """Something that can be called: where it is defined and what it takes.

    `open`: it may take more than is listed. `source`: whose parameters they are, if a parent's constructor takes them.
    """

    path: str
    definition: Definition
    params: tuple[Param, ...]
    open: bool
    source: str = ""

    @property
    def takes_any(self) -> bool:
        """It takes keywords that are not listed."""
        return any(param.kind == "kwargs" for param in self.params)

    def takes(self, name: str) -> bool:
        """A parameter of this name is listed."""
        return any(param.name == name for param in self.params)


def callables(symbols: Symbols, located: Iterable[Located[Definition]]) -> list[Taker]:
    """The definitions as callables; a class by its constructor, its own or a parent's."""
    return [taker for where in located for taker in _as_callables(symbols, where)]


def _as_callables(symbols: Symbols, where: Located[Definition]) -> Sequence[Taker]:
    is_class = where.fact.kind in ("class", "type")
    if is_class or where.fact.params is not None:
        known = _takers.setdefault(symbols, {})
        if id(where.fact) not in known:
            made = _constructor(symbols, where.path, where.fact, 0) if is_class else _plain(where.path, where.fact)
            known[id(where.fact)] = (where.fact, made or Taker(where.path, where.fact, (), True))
        return known[id(where.fact)][1:]
    if where.fact.kind == "constant" and where.fact.bases:
        return _meant(symbols, where)
    return ()


_takers: WeakKeyDictionary[Symbols, dict[int, tuple[Definition, Taker]]] = WeakKeyDictionary()
"""What each function and each class takes, by the id of its definition, which is kept with it, as far as it was asked for."""


def _meant(symbols: Symbols, where: Located[Definition]) -> list[Taker]:
    """What a name that was given to something else stands for: `in_range = InRange`."""
    meant = symbols.modules.scope_lookup(where.path, where.fact.bases[0])
    if meant is None or meant.definition is None or meant.definition.kind not in ("class", "function"):
        return []
    return callables(symbols, [Located(meant.path, meant.definition)])


def _plain(path: str, definition: Definition) -> Taker:
    params = definition.params or ()
    loose = any(param.kind == "kwargs" for param in params) or any(d not in _TRANSPARENT for d in definition.decorators)
    return Taker(path, definition, params, loose or (not path.endswith(".py")))


def _constructor(symbols: Symbols, path: str, owner: Definition, depth: int) -> Taker | None:
    table = symbols.modules.table(path)
    for name in CONSTRUCTORS:
        own = [_plain(path, definition) for definition in table.get(f"{owner.qualname}.{name}", ())]
        if own:
            # Overloads stand before the definition that takes all they take.
            params = {param.name: param for one in own for param in one.params}
            loose = any(one.open for one in own) or bool(owner.decorators) or name != "__init__"
            return Taker(path, owner, tuple(params.values()), loose)
    if any(decorator in DATACLASSES for decorator in owner.decorators) or not path.endswith(".py"):
        # Parents that are not seen may add fields, and so may the decorator's options.
        return Taker(path, owner, _all_fields(symbols, path, owner), bool(owner.bases) or not path.endswith(".py"))
    for base in owner.bases if depth < _GENERATIONS else ():
        parent = symbols.modules.scope_lookup(path, base)
        if (
            parent is None
            or parent.definition is None
            or parent.definition.kind != "class"
            or parent.definition is owner
        ):
            return Taker(path, owner, fields(symbols.world.facts(path), owner.qualname), True)
        made = _constructor(symbols, parent.path, parent.definition, depth + 1)
        if made is not None:
            # Where a parent that cannot be read makes the constructor, as pydantic's does, it makes it of the child's fields too.
            added = fields(symbols.world.facts(path), owner.qualname) if made.open else ()
            return Taker(path, owner, (*added, *made.params), made.open, made.source or parent.definition.qualname)
    return None


def _all_fields(symbols: Symbols, path: str, owner: Definition, depth: int = 0) -> tuple[Param, ...]:
    """The fields of a class and of its parents, as far as those are seen: what moved to a parent is taken as before."""
    found = fields(symbols.world.facts(path), owner.qualname)
    for base in owner.bases if depth < _GENERATIONS else ():
        parent = symbols.modules.scope_lookup(path, base)
        if parent is None or parent.definition is None or parent.definition.kind != "class":
            continue
        found += _all_fields(symbols, parent.path, parent.definition, depth + 1)
    return found
