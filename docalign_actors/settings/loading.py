"""Settings from defaults < TOML file < environment < flags, each value with its origin."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from docalign_actors.errors import ConfigurationError
from docalign_actors.settings.kinds import MASK, Secret, convert, describe, is_secret
from docalign_actors.settings.model import ALIASES, OTHER_VARIABLES, Group, Settings, default_data_dir

PREFIX = "DOCALIGN_"
FILE_NAME = "docalign.toml"
DEFAULT = "default"
_HEADER = re.compile(r"\s{0,200}\[\s{0,50}([^\[\]#]{1,200}?)\s{0,50}\]")
_ASSIGNMENT = re.compile(r"\s{0,200}([A-Za-z0-9_.\-\"']{1,200})\s{0,50}=")
_LONGEST_SHOWN = 80


class Raw(Struct, frozen=True):
    """A value as somebody wrote it, and where."""

    value: Any
    origin: str


class Loaded(Struct, frozen=True):
    """The settings, and where each came from."""

    settings: Settings
    origins: dict[str, str]

    def shown(self) -> list[tuple[str, str, str]]:
        """Key, value and origin of each setting, fit to be printed."""
        return [(key, _shown(_value(self.settings, key)), self.origins[key]) for key in keys()]


@cache
def keys() -> Mapping[str, Any]:
    """The kind of every setting, by its dotted name."""
    found: dict[str, Any] = {}
    for top in fields(Settings):
        if isinstance(top.type, type) and issubclass(top.type, Group):
            found.update({f"{top.name}.{each.name}": each.type for each in fields(top.type)})
        else:
            found[top.name] = top.type
    return found


def _groups() -> set[str]:
    return {key.partition(".")[0] for key in keys() if "." in key}


def variable(key: str) -> str:
    """The environment variable of a setting."""
    return PREFIX + key.upper().replace(".", "_")


def load(
    *, flags: Mapping[str, object] | None = None, environment: Mapping[str, str], config: Path | None = None
) -> Loaded:
    """Read all sources. `flags` has dotted names; a flag that was not given is None."""
    given = {key: Raw(value, _flag(key)) for key, value in (flags or {}).items() if value is not None}
    unknown = next((key for key in given if key not in keys()), None)
    if unknown is not None:
        raise _unknown(unknown, "flag", keys())
    from_environment = read_environment(environment)
    raw = {**_read_files(config, environment, {**from_environment, **given}), **from_environment, **given}
    values = {key: _converted(key, raw[key]) for key in raw}
    origins = {key: raw[key].origin if key in raw else DEFAULT for key in keys()}
    return Loaded(_build(values, origins), origins)


def read_environment(environment: Mapping[str, str]) -> dict[str, Raw]:
    """The settings among the variables. An empty variable is one that is not set."""
    names = {variable(key): key for key in keys()}
    found: dict[str, Raw] = {}
    for name in sorted(environment, key=lambda name: name not in ALIASES):  # our own name wins over the customary one
        key = ALIASES.get(name) or names.get(name)
        if key is not None and environment[name].strip():
            found[key] = Raw(environment[name], f"environment variable {name}")
        elif key is None and name.startswith(PREFIX) and name not in OTHER_VARIABLES:
            raise _unknown(name, "environment variable", names)
    return found


def _read_files(config: Path | None, environment: Mapping[str, str], above: Mapping[str, Raw]) -> dict[str, Raw]:
    named = config or (Path(environment["DOCALIGN_CONFIG"]) if environment.get("DOCALIGN_CONFIG") else None)
    if named is not None:
        return read_file(named)
    data_dir = _converted("data_dir", above["data_dir"]) if "data_dir" in above else default_data_dir()
    file = data_dir / FILE_NAME
    if not file.is_file():
        return {}
    found = read_file(file)
    if "data_dir" in found:
        raise _wrong(f"{found['data_dir'].origin}: data_dir cannot be set in the file that lies in it.")
    return found


def read_file(path: Path) -> dict[str, Raw]:
    """The settings of a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8'}.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong(f"{path} is not TOML: {error}.") from error
    lines = _lines(text)
    found: dict[str, Raw] = {}
    for key, value in _flat(document):
        line = lines.get(key)
        origin = f"{path}, line {line}" if line else str(path)
        if key not in keys():
            raise _unknown(key, origin, _groups() if isinstance(value, dict) else keys())
        found[key] = Raw(value, origin)
    return found


def _flat(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Settings are at most two levels deep; what is deeper belongs to a key that nobody knows."""
    for name, value in document.items():
        if name in _groups() and isinstance(value, dict):
            yield from ((f"{name}.{inner}", each) for inner, each in value.items())
        else:
            yield name, value


def _lines(text: str) -> dict[str, int]:
    """The line of each key, as far as a look at the lines can tell."""
    found: dict[str, int] = {}
    group = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            group = header[1].strip("\"'") + "."
            found.setdefault(group[:-1], number)
        elif assignment := _ASSIGNMENT.match(line):
            found.setdefault(group + assignment[1].strip("\"'"), number)
    return found


def _converted(key: str, raw: Raw) -> Any:
    kind = keys()[key]
    try:
        return convert(raw.value, kind)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        value = MASK if is_secret(kind) else repr(raw.value)[:_LONGEST_SHOWN]
        raise _wrong(f"{raw.origin}: {key} must be {describe(kind)}, not {value}.") from error


def _build(values: Mapping[str, Any], origins: Mapping[str, str]) -> Settings:
    parts: dict[str, Any] = {key: value for key, value in values.items() if "." not in key}
    for top in fields(Settings):
        if isinstance(top.type, type) and issubclass(top.type, Group):
            own = {key.partition(".")[2]: value for key, value in values.items() if key.startswith(top.name + ".")}
            group = parts[top.name] = top.type(**own)
            if group.problem():
                where = ", ".join(sorted({origins[f"{top.name}.{name}"] for name in own}))
                raise _wrong(f"{where}: {top.name}.{group.problem()}.")
    return Settings(**parts)


def _unknown(name: str, origin: str, right: Collection[str]) -> ConfigurationError:
    near = difflib.get_close_matches(name, right, n=1, cutoff=0.6) or [
        key for key in right if key.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    advice = f" Did you mean {near[0]}?" if near else ""
    return _wrong(f"{origin}: there is no setting {name[:_LONGEST_SHOWN]}.{advice}")


def _wrong(message: str) -> ConfigurationError:
    return ConfigurationError(
        message, hint="`docalign config show` lists every setting, its value and where it is set."
    )


def _flag(key: str) -> str:
    return "--" + key.rpartition(".")[2].replace("_", "-")


def _value(settings: Settings, key: str) -> Any:
    value: Any = settings
    for name in key.split("."):
        value = getattr(value, name)
    return value


def _shown(value: Any) -> str:
    if isinstance(value, Secret):
        return value.masked()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
