"""INI files: setup.cfg, tox.ini and configuration in general."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.lines import numbered
from docalign_actors.engine.code.manifests.requirement import extra_of, requirement
from docalign_actors.engine.code.manifests.tox import expand
from docalign_actors.engine.code.manifests.tree import GENERIC_LIMIT, KEY_LIMIT, configures_own, short
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Key, Script, Version

_SECTION = re.compile(r"^\[([^\]]+)\]")
_ENVIRONMENT = re.compile(r"^\[(?:tox:)?testenv:([^\]]+)\]")
_PAIR = re.compile(r"^([^\s=:#;\[][^=:]{0,199}?)\s*[=:]\s*(.*)$")

Entry = tuple[str, str, str, int]
"""(section, key, value, line); each further line of a value is an entry of its own with the same key."""


def entries(text: str) -> list[Entry]:
    """Every line that gives a key a value, continuation lines included."""
    found: list[Entry] = []
    section = key = ""
    for number, line in numbered(text):
        stripped = line.strip()
        if not stripped or stripped[0] in "#;":
            continue
        if match := _SECTION.match(line):
            section, key = match[1].strip(), ""
        elif line[0] in " \t" and key:
            found.append((section, key, stripped, number))
        elif match := _PAIR.match(stripped):
            key = match[1].strip()
            found.append((section, key, match[2].strip(), number))
    return found


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of an INI file, by its name."""
    name = source.path.rpartition("/")[2]
    if len(source.data) > GENERIC_LIMIT:
        facts.notes.append("INI data: not parsed")
        return
    found = entries(source.text)
    if name == "setup.cfg":
        _setup_cfg(found, facts)
    if name in ("tox.ini", "setup.cfg"):
        _tox(found, source.text, facts)
    elif configures_own(source.path):
        _keys(found, facts)


def _setup_cfg(found: list[Entry], facts: FileFacts) -> None:
    extras: dict[str, int] = {}
    for section, key, value, line in found:
        match section, key:
            case "metadata", "name":
                facts.package = value
            case "metadata", "version" if re.match(r"\d", value):
                facts.versions.append(Version("self", value, line, "self"))
            case "metadata", "license":
                facts.licence = value
            case "options", "python_requires":
                facts.versions.append(Version("python", value, line, "requires"))
            case "options", "install_requires":
                _requirement(value, line, "dependency", facts)
            case "options.extras_require", extra:
                _requirement(value, line, "optional", facts)
                extras.setdefault(extra, line)
            case "options.entry_points", ("console_scripts" | "gui_scripts"):
                script, _, target = value.partition("=")
                if target:
                    facts.scripts.append(Script(script.strip(), "console", line, target.strip()))
            case "metadata", "classifiers" | "classifier":
                _, _, version = value.partition("Programming Language :: Python :: ")
                if re.fullmatch(r"\d+\.\d+", version):
                    facts.versions.append(Version("python", version, line, "classifier"))
    facts.scripts.extend(Script(extra, extra_of(facts.package), line) for extra, line in extras.items())


def _requirement(text: str, line: int, origin: str, facts: FileFacts) -> None:
    if text and (parsed := requirement(text)):
        facts.versions.append(Version(parsed[0], parsed[1], line, origin))


def _tox(found: list[Entry], whole: str, facts: FileFacts) -> None:
    # A list in braces may go on over several lines, so the values are joined before they are expanded.
    lists: dict[int, str] = {}
    first: dict[str, int] = {}
    sections: dict[str, int] = {}
    for section, key, value, line in found:
        section = section.removeprefix("tox:") if section != "tox:tox" else "tox"
        if section == "tox" and key in ("envlist", "env_list"):
            start = first.setdefault(key, line)
            lists[start] = f"{lists.get(start, '')}\n{value.partition('#')[0]}"
    for line, text in numbered(whole):  # an environment may have nothing of its own
        if (opened := _ENVIRONMENT.match(text)) is not None:
            sections.setdefault(opened[1].strip(), line)
    for line, text in lists.items():
        facts.scripts.extend(Script(name, "tox", line) for name in expand(text))
    for text, line in sections.items():
        facts.scripts.extend(Script(name, "tox", line) for name in expand(text))


def _keys(found: list[Entry], facts: FileFacts) -> None:
    seen: set[str] = set()
    for section, key, value, line in found:
        name = f"{section}.{key}" if section else key
        if name not in seen and len(seen) < KEY_LIMIT:
            seen.add(name)
            facts.keys.append(Key(name, line, short(value.strip("\"'")), "file"))
