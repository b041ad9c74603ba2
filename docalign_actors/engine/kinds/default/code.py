"""The defaults that code gives to what a document names: options, variables, keys, fields, parameters, constants."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from msgspec import Struct

from docalign_actors.engine.code.reader import MANIFESTS, language_of
from docalign_actors.engine.facts import Definition, FileFacts
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.kinds.shared.spellings import identifiers, normal, parts
from docalign_actors.engine.roles import is_for_other_tools, is_hidden_settings, is_own_code
from docalign_actors.engine.world import World

_SITES = frozenset({"docs", "doc", "documentation", "website", "site", "www"})
_VALUED = frozenset({"constant", "field", "member"})
SORTS = frozenset({"option", "variable", "key", "definition", "parameter"})
"""What a candidate may be: the first part of its identity."""


_EXPANSION = re.compile(r"^\$\{([\w.]{1,100}):-?([^${}]{1,100})\}$")


def expansion(value: str | None) -> tuple[str, str]:
    """(variable, default) of a value that the environment fills in, `${APP_PORT:8080}`; ("", "") for any other."""
    found = _EXPANSION.match(value) if value and value.startswith("${") else None
    return (found[1], found[2]) if found else ("", "")


class Candidate(Struct, frozen=True):
    """Something of the right name with a default; `value` is None where that is not a literal.

    identity  what it is, whatever its value: the same before and after a change
    sure      it is of the very sort that the document names
    """

    path: str
    line: int
    value: str | None
    identity: tuple[str, ...]
    sure: bool


class Wanted(Struct, frozen=True):
    """What a document names, and how: option, variable or name."""

    subject: str
    owner: str
    sort: str

    @classmethod
    def of(cls, subject: str, owner: str) -> Wanted:
        sort = "option" if subject.startswith("-") else "variable" if subject.isupper() and len(subject) > 2 else "name"
        return cls(subject, owner, sort)

    @property
    def leaf(self) -> str:
        return self.subject.rpartition(".")[2]

    @property
    def words(self) -> tuple[str, ...]:
        """Identifiers under which code may know it."""
        if self.sort == "variable":
            field = "".join(map(str.capitalize, self.subject.split("_")))  # that a library makes the name from
            return tuple(dict.fromkeys((self.subject, *_without_first_part(self.subject), self.subject.lower(), field)))
        names = identifiers(self.leaf.lstrip("-"))
        upper = names[-1] if names else ""
        return tuple(dict.fromkeys((*names, *((f"DEFAULT_{upper}", f"Default{names[-2]}") if len(names) > 1 else ()))))

    @property
    def texts(self) -> tuple[str, ...]:
        """What to ask the past for: the identifiers, and the name with dashes, which a declaration may have instead."""
        dashed = "-".join(parts(self.leaf))
        return (*self.words, dashed) if "-" in dashed else self.words


def _without_first_part(name: str) -> list[str]:
    rest = name.partition("_")[2].lower()
    return [rest] if len(rest) > 2 else []


@lru_cache(maxsize=65536)
def _bare(name: str) -> str:
    """What a constant stands for: `DEFAULT_PORT` and `port_default_value` for the port."""
    words = parts(name)
    return "".join(w for w in words if w not in ("default", "value")) if "default" in words else "".join(words)


def in_index(wanted: Wanted, world: World) -> list[Candidate]:
    """Every candidate in the repository's own code as it is now."""
    index = world.index
    paths: set[str] = set()
    if wanted.sort == "option":
        paths.update(place.path for place in index.options.get(wanted.subject, ()))
    if wanted.sort == "variable":
        paths.update(place.path for place in index.environment.get(wanted.subject, ()))
    for word in wanted.words:
        paths.update(index.occurs(word))
    own = (path for path in sorted(paths) if path in index.files)
    named = _named_in.setdefault(index, {})
    spelled = {normal(wanted.leaf), normal(wanted.subject), _bare(wanted.subject)}
    found: list[Candidate] = []
    for path in own:
        if is_own_code(path) and not is_for_other_tools(path) and not is_of_a_site(path):
            facts = index.files[path]
            if path not in named:
                named[path] = _places_in(facts)
            if not named[path].keys().isdisjoint(spelled):
                found.extend(in_file(path, _part(facts, named[path], spelled), wanted))
    return _of_that_name(found, wanted)


def _of_that_name(found: list[Candidate], wanted: Wanted) -> list[Candidate]:
    """Of a key with its owners, `admin.guard.enabled`, the very one if code declares it: others end in the same word."""
    whole = normal(wanted.subject) if wanted.subject.count(".") > 1 else ""
    exact = [c for c in found if c.identity[0] == "key" and c.sure and normal(c.identity[1]) == whole] if whole else []
    return exact or found


def is_of_a_site(path: str) -> bool:
    """A file of settings of the manual's own site, or of a tool that looks after the code (`.rubocop.yml`): what it chooses is no
    default of what the manual tells of."""
    if is_hidden_settings(path):
        return True
    return path.split("/")[0].lower() in _SITES and language_of(path) in MANIFESTS


_Place = tuple[str, int]
"""A field of a file's facts, and which of those that it lists."""
_named_in: WeakKeyDictionary[CodeIndex, dict[str, Mapping[str, list[_Place]]]] = WeakKeyDictionary()
"""What is named where in each file. Most files that hold the words of a name declare nothing that is called so, and those
that do declare a thousand other things."""


def _places_in(facts: FileFacts) -> Mapping[str, list[_Place]]:
    """All that `in_file` may find in a file, by name without its spelling: what is called so, and the variables that fill it in."""
    found: dict[str, list[_Place]] = defaultdict(list)
    for field, names_of in _NAMES.items():
        for number, item in enumerate(getattr(facts, field)):
            for name in names_of(item):
                found[name].append((field, number))
    return found


_NAMES: Mapping[str, Callable[[Any], set[str]]] = {
    "options": lambda option: {normal(name) for name in (*option.names, option.env)},
    "env": lambda variable: {normal(variable.name)},
    "keys": lambda key: {
        normal(key.name.rpartition(".")[2]), _bare(key.name), normal(expansion(key.default)[0])
    },
    "definitions": lambda one: {_bare(one.name), *(normal(param.name) for param in one.params or ())},
}  # fmt: skip


def _part(facts: FileFacts, places: Mapping[str, list[_Place]], spelled: Iterable[str]) -> FileFacts:
    """Of the facts those that are called so, in their order."""
    part = FileFacts()
    for field, number in sorted({place for name in spelled for place in places.get(name, ())}):
        getattr(part, field).append(getattr(facts, field)[number])
    return part


def in_file(path: str, facts: FileFacts, wanted: Wanted, sorts: Collection[str] = SORTS) -> Iterator[Candidate]:
    """Every candidate in one file, as it is or as it was, whose identity is of one of these sorts."""
    if wanted.sort == "option":
        yield from _options(path, facts, wanted.subject) if "option" in sorts else ()
        yield from _named(path, facts, wanted, sorts, sure=False)
    elif wanted.sort == "variable":
        for variable in facts.env if "variable" in sorts else ():
            if variable.name == wanted.subject and not variable.prefix:
                yield Candidate(path, variable.line, variable.default, ("variable", variable.name), True)
        for option in facts.options if "option" in sorts else ():
            if option.env == wanted.subject:
                yield Candidate(path, option.line, option.default, ("option", option.names[0], option.command), True)
        for key in facts.keys if "variable" in sorts else ():
            variable_name, default = expansion(key.default)
            if variable_name == wanted.subject:
                yield Candidate(path, key.line, default, ("variable", wanted.subject), True)
        yield from _constants(path, facts.definitions, {wanted.subject}) if "definition" in sorts else ()
        yield from _keys(path, facts, wanted, sure=True) if "key" in sorts else ()
    else:
        yield from _named(path, facts, wanted, sorts, sure=True)


def _options(path: str, facts: FileFacts, flag: str) -> Iterator[Candidate]:
    # Go's own package takes `-name` and `--name` alike.
    spelled = {flag, f"-{flag}"} if re.fullmatch(r"-[a-z][\w-]+", flag) else {flag}
    for option in facts.options:
        if not spelled.isdisjoint(option.names):
            yield Candidate(path, option.line, option.default, ("option", flag, option.command), True)


def _named(path: str, facts: FileFacts, wanted: Wanted, sorts: Collection[str], *, sure: bool) -> Iterator[Candidate]:
    leaf = normal(wanted.leaf)
    if not leaf:
        return
    whole = normal(wanted.subject)  # `es.timeout`: some options have a dot in their names
    keys = list(_keys(path, facts, wanted, sure=sure)) if "key" in sorts else []
    yield from keys
    if sure:
        for option in facts.options if "option" in sorts else ():
            name = next((n for n in option.names if n.startswith("--") and normal(n) in (leaf, whole)), "")
            if name:
                yield Candidate(path, option.line, option.default, ("option", name, option.command), True)
        for variable in facts.env if "variable" in sorts else ():
            if not variable.prefix and variable.name == wanted.leaf:
                yield Candidate(path, variable.line, variable.default, ("variable", variable.name), True)
    for definition in facts.definitions if "definition" in sorts or "parameter" in sorts else ():
        # What an object of a file that looks the key up begins with, for itself, is no default of the key.
        held = definition.name.startswith("_") and any(one.sure for one in keys)
        if definition.kind in _VALUED and _bare(definition.name) == leaf and not held:
            exact = sure and normal(definition.name) == leaf
            yield Candidate(path, definition.line, definition.value, ("definition", definition.qualname), exact)
        for param in definition.params or ():
            if normal(param.name) == leaf and not param.required:
                yield Candidate(
                    path,
                    definition.line,
                    param.default,
                    ("parameter", definition.qualname, param.name),
                    sure and _owns(definition, wanted),
                )


def _owns(definition: Definition, wanted: Wanted) -> bool:
    """The heading, the signature or the sentence names this function, its class or both."""
    owner = wanted.owner or wanted.subject.rpartition(".")[0]
    if not owner:
        return False
    last = owner.rpartition(".")[2]
    parts = definition.qualname.split(".")
    return last == definition.name or (
        definition.name in ("__init__", "constructor", "new", "New", "__call__") and last in parts[:-1]
    )


def _keys(path: str, facts: FileFacts, wanted: Wanted, *, sure: bool) -> Iterator[Candidate]:
    leaf, dotted = normal(wanted.leaf), "." in wanted.subject
    for key in facts.keys:
        if leaf not in (normal(key.name.rpartition(".")[2]), _bare(key.name)):
            continue
        far = dotted and "." in key.name and not _tail_fits(key.name, wanted.subject)
        if not far:
            default = expansion(key.default)[1] or key.default
            certain = sure and key.origin in ("settings", "schema", "lookup")
            yield Candidate(path, key.line, default, ("key", key.name), certain)


def _tail_fits(key: str, subject: str) -> bool:
    a, b = normal(key), normal(subject)
    return a.endswith(b) or b.endswith(a)


def _constants(path: str, definitions: Iterable[Definition], names: set[str]) -> Iterator[Candidate]:
    for definition in definitions:
        if definition.name in names and definition.kind in _VALUED:
            yield Candidate(path, definition.line, definition.value, ("definition", definition.qualname), True)
