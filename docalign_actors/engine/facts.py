"""What one source file yields: the facts that claims are judged by. One struct serves every language and manifest.

Facts are read from a file alone, so they are cached by the file's blob id. Whatever needs two files (a router mounted
elsewhere, a re-export) is worked out by the index or by the kind that needs it.
Literal values are kept as source text without quotes: `8080`, `None`, `utf-8`, `True`; a value that is not a literal is None.
"""

from __future__ import annotations

from msgspec import Struct


class Param(Struct, frozen=True, array_like=True):
    """A parameter. kind: positional, keyword, varargs (`*args`, `...rest`) or kwargs (`**kwargs`, an options object)."""

    name: str
    kind: str = "positional"
    default: str | None = None
    required: bool = True


class Definition(Struct, frozen=True, array_like=True):
    """A name that a file defines. kind: function, method, class, type, constant, field, module, macro, member.

    `params` is None where the thing is not called or where its parameters cannot be known; `value` is the literal that a
    constant or a field starts with; `bases` are a class's parents as written, and what a constant is another name of.
    """

    name: str
    qualname: str
    kind: str
    line: int
    params: tuple[Param, ...] | None = None
    value: str | None = None
    bases: tuple[str, ...] = ()
    public: bool = True
    decorators: tuple[str, ...] = ()


class Import(Struct, frozen=True, array_like=True):
    """`from module import name as alias`; `name` is empty for a whole module, `*` for everything. exported: a re-export."""

    module: str
    name: str
    alias: str
    line: int
    exported: bool = False


class Option(Struct, frozen=True, array_like=True):
    """A command-line option. `command` is the sub-command path it belongs to as far as the file tells, "" if it does not.

    literal: no parser is seen to take it, the flag only stands in the code as a string.
    """

    names: tuple[str, ...]
    line: int
    default: str | None = None
    command: str = ""
    takes_value: bool | None = None
    env: str = ""
    choices: tuple[str, ...] = ()
    literal: bool = False


class Command(Struct, frozen=True, array_like=True):
    """A sub-command that a program's parser accepts, with its aliases; `program` is the root command's name if known."""

    name: str
    line: int
    parent: str = ""
    aliases: tuple[str, ...] = ()
    program: str = ""


class EnvVar(Struct, frozen=True, array_like=True):
    """An environment variable that the file reads, sets or declares. prefix: the name is only the start of names."""

    name: str
    line: int
    default: str | None = None
    prefix: bool = False


class Route(Struct, frozen=True, array_like=True):
    """A route as registered. `router` is the local name of the router it hangs on; `method` is `*` for any."""

    method: str
    path: str
    line: int
    router: str = ""
    handler: str = ""


class Mount(Struct, frozen=True, array_like=True):
    """A router put under a prefix: `parent.include_router(child, prefix=...)`; own prefix: child "" and parent the router.

    `replaces`: the prefix stands instead of the child's own, as when Flask registers a blueprint. `alias`: the parent is only
    another name for the child (a default export, a function that returns it), no place that it hangs on.
    """

    prefix: str
    line: int
    parent: str = ""
    child: str = ""
    replaces: bool = False
    alias: bool = False


class Key(Struct, frozen=True, array_like=True):
    """A configuration key that code looks up, a schema or a settings class declares, or an example file holds. Dotted."""

    name: str
    line: int
    default: str | None = None
    origin: str = "lookup"


class Script(Struct, frozen=True, array_like=True):
    """Something to run by name.

    runner: npm, make, just, task, tox, nox, poe, pdm, hatch, rake, console, cargo, go, compose, gradle, composer,
    `extra NAME` for the extras of the Python package NAME.
    """

    name: str
    runner: str
    line: int
    command: str = ""


class Version(Struct, frozen=True, array_like=True):
    """A version that a manifest demands (`python`, `node`, a package's name) or declares for itself (`self`)."""

    subject: str
    spec: str
    line: int
    origin: str = ""


class Port(Struct, frozen=True, array_like=True):
    """A port that a compose file, Dockerfile or piece of code binds. `name` says what for, if known."""

    number: int
    line: int
    name: str = ""


class FileFacts(Struct, omit_defaults=True):
    """Everything one file yields.

    `package` is the name that a manifest gives its package. `opaque` names what the file defines in a way that cannot be
    read ("options", "routes", "symbols", "keys", "env"): nothing may then be called absent on its account.
    """

    language: str = ""
    package: str = ""
    definitions: list[Definition] = []
    imports: list[Import] = []
    exports: list[str] | None = None
    options: list[Option] = []
    commands: list[Command] = []
    env: list[EnvVar] = []
    routes: list[Route] = []
    mounts: list[Mount] = []
    keys: list[Key] = []
    scripts: list[Script] = []
    versions: list[Version] = []
    ports: list[Port] = []
    licence: str = ""
    navigation: list[tuple[str, int]] = []
    opaque: list[str] = []
    notes: list[str] = []
