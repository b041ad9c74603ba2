"""What the manifests say: the commands a repository installs, its scripts and targets, the versions it requires."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from bench.files import Snapshot, is_own

_CONSOLE = re.compile(r"^\s*[\"']?([a-z][\w-]*)\s*=\s*[\w.]+:\w+", re.MULTILINE)


def toml(text: str) -> dict[str, Any]:
    """The table, or {} if it cannot be read."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def package_json(text: str) -> dict[str, Any]:
    """The object, or {} if it cannot be read."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def commands(snapshot: Snapshot, repository: str) -> frozenset[str]:
    """Names under which the repository's own programs are called."""
    names = {repository.rpartition("/")[2].lower().removesuffix(".js")}
    for path, text in snapshot.own.items():
        base = path.rpartition("/")[2]
        if base == "pyproject.toml":
            project = toml(text)
            names.update(project.get("project", {}).get("scripts", {}))
            names.update(project.get("tool", {}).get("poetry", {}).get("scripts", {}))
        elif base in ("setup.py", "setup.cfg") and "console_scripts" in text:
            names.update(_CONSOLE.findall(text[text.index("console_scripts") :][:1500]))
        elif base == "package.json":
            names.update(_bin(package_json(text)))
        elif base == "Cargo.toml":
            names.update(re.findall(r"(?m)^\[(?:package|\[bin\]\])[^\[]*?^name\s*=\s*\"([\w-]+)\"", text))
        elif path.startswith("cmd/") and path.endswith("main.go"):
            names.add(path.split("/")[1])
    return frozenset(names)


def _bin(package: dict[str, Any]) -> list[str]:
    binaries = package.get("bin")
    if isinstance(binaries, dict):
        return list(binaries)
    name = package.get("name")
    return [name.rpartition("/")[2]] if isinstance(binaries, str) and isinstance(name, str) else []


def scripts(snapshot: Snapshot) -> list[tuple[str, str, str]]:
    """(runner, name, manifest) for every script, target and environment of the repository's manifests, a website's too."""
    found: list[tuple[str, str, str]] = []
    for path in sorted(snapshot.code):
        base = path.rpartition("/")[2]
        text = snapshot.code[path]
        if base == "package.json":
            table = package_json(text).get("scripts")
            found.extend(("npm", name, path) for name in (table if isinstance(table, dict) else {}))
        elif base.lower() in ("makefile", "gnumakefile") or base.endswith(".mk") or base.startswith("Makefile."):
            found.extend(("make", name, path) for name in re.findall(r"(?m)^([A-Za-z][\w.-]*)\s*:(?!=)", text))
        elif base.lower() in ("justfile", ".justfile") and is_own(path):
            found.extend(
                ("just", name, path) for name in re.findall(r"(?m)^@?([a-z][\w-]*)(?:\s+[^:=\n]*)?:(?!=)", text)
            )
        elif base in ("tox.ini", "tox.toml"):
            found.extend(("tox", name, path) for name in re.findall(r"(?m)^\[(?:testenv:|env\.)([\w-]+)\]", text))
        elif base == "noxfile.py":
            found.extend(
                ("nox", name, path)
                for name in re.findall(r"(?m)^@nox\.session(?![^\n]*\bname\s*=)[^\n]*\ndef (\w+)", text)
            )
        elif base == "pyproject.toml" and is_own(path):
            found.extend(_python_tasks(toml(text), path))
    return found


def _python_tasks(project: dict[str, Any], path: str) -> list[tuple[str, str, str]]:
    tool = project.get("tool", {})
    tasks = [("poe", name, path) for name in tool.get("poe", {}).get("tasks", {})]
    tasks += [("pdm", name, path) for name in tool.get("pdm", {}).get("scripts", {})]
    tasks += [("tox", name, path) for name in tool.get("tox", {}).get("env", {})]
    for environment in tool.get("hatch", {}).get("envs", {}).values():
        tasks += [("hatch", name, path) for name in environment.get("scripts", {})]
    return tasks
