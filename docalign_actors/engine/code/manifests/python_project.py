"""pyproject.toml, Pipfile, tox.toml and conda environments."""

from __future__ import annotations

import re

from docalign_actors.engine.code.manifests.requirement import extra_of, normalised, requirement
from docalign_actors.engine.code.manifests.tox import expand
from docalign_actors.engine.code.manifests.tree import Node, collect_keys
from docalign_actors.engine.facts import FileFacts, Key, Script, Version

_CLASSIFIER = re.compile(r"^Programming Language :: Python :: (\d+\.\d+)$")
_OWN_TABLES = frozenset({
    "poetry", "pdm", "hatch", "poe", "taskipy", "tox", "rye", "uv", "ruff", "black", "isort", "mypy", "pytest",
    "coverage", "setuptools", "flit", "pylint", "pyright", "bandit", "towncrier", "commitizen", "bumpversion",
    "semantic_release", "cibuildwheel", "interrogate", "pydocstyle", "flake8", "pyre", "codespell", "deptry",
    "maturin", "scikit-build", "setuptools_scm", "versioningit", "hatch-vcs", "pixi", "docformatter", "autoflake",
    "djlint", "nbqa", "check-manifest", "tomlsort", "basedpyright", "ty", "typos", "importlinter", "vulture",
    "jupytext", "pytest-asyncio", "dagster", "briefcase", "distutils", "pycln", "refurb", "yapf", "unasync", "flynt",
})  # fmt: skip


def collect_pyproject(root: Node, facts: FileFacts) -> None:
    """Package, scripts, versions and licence of a Python project."""
    project, tool = root.get("project"), root.get("tool")
    poetry = tool.get("poetry")
    facts.package = project.get("name").string or poetry.get("name").string
    _own_version(project, poetry, facts)
    _licence(project, poetry, facts)
    _dependencies(root, project, facts)
    _poetry_dependencies(poetry, facts)
    for entry in project.get("classifiers").elements():
        if match := _CLASSIFIER.match(entry.string):
            facts.versions.append(Version("python", match[1], entry.line, "classifier"))
    for table in (
        project.get("scripts"),
        project.get("gui-scripts"),
        project.get("entry-points", "console_scripts"),
        poetry.get("scripts"),
    ):
        _scripts(table, "console", facts)
    _tool_scripts(tool, facts)
    if not project.get("name") and project.get("dynamic"):
        facts.opaque.append("scripts")
    if any(entry.string in ("scripts", "entry-points") for entry in project.get("dynamic").elements()):
        facts.opaque.append("scripts")
    for name, table in tool.pairs():
        if name not in _OWN_TABLES:
            holder = FileFacts()
            collect_keys("pyproject.toml", 0, table, holder)
            facts.keys.extend(Key(f"tool.{name}.{key.name}", key.line, key.default, key.origin) for key in holder.keys)


def _own_version(project: Node, poetry: Node, facts: FileFacts) -> None:
    version = project.get("version") or poetry.get("version")
    if version.string and version.string not in ("0.0.0", "0"):
        facts.versions.append(Version("self", version.string, version.line, "self"))


def _licence(project: Node, poetry: Node, facts: FileFacts) -> None:
    licence = project.get("license")
    facts.licence = licence.string or licence.get("text").string.split("\n")[0][:80] or poetry.get("license").string
    if not facts.licence:
        for entry in project.get("classifiers").elements():
            if entry.string.startswith("License :: OSI Approved :: "):
                facts.licence = entry.string.rpartition(" :: ")[2]


def _dependencies(root: Node, project: Node, facts: FileFacts) -> None:
    demanded = project.get("requires-python")
    if demanded.string:
        facts.versions.append(Version("python", demanded.string, demanded.line, "requires"))
    _requirements(project.get("dependencies"), "dependency", facts)
    for name, group in project.get("optional-dependencies").pairs():
        _requirements(group, "optional", facts)
        facts.scripts.append(Script(name, extra_of(facts.package), group.line))
    # Extras of which only the names stand here: their requirements are in files of their own.
    for way in (("hatch", "metadata", "hooks", "requirements_txt"), ("setuptools", "dynamic")):
        for name, group in root.get("tool", *way, "optional-dependencies").pairs():
            facts.scripts.append(Script(name, extra_of(facts.package), group.line))
    for _, group in root.get("dependency-groups").pairs():
        _requirements(group, "dev", facts)
    _requirements(root.get("tool", "uv", "dev-dependencies"), "dev", facts)
    for _, group in root.get("tool", "pdm", "dev-dependencies").pairs():
        _requirements(group, "dev", facts)


def _requirements(entries: Node, origin: str, facts: FileFacts) -> None:
    for entry in entries.elements():
        if found := requirement(entry.string):
            facts.versions.append(Version(found[0], found[1], entry.line, origin))


def _poetry_dependencies(poetry: Node, facts: FileFacts) -> None:
    for name, group in poetry.get("extras").pairs():
        facts.scripts.append(Script(name, extra_of(facts.package), group.line))
    groups = [("dependency", poetry.get("dependencies")), ("dev", poetry.get("dev-dependencies"))]
    groups += [("dev", group.get("dependencies")) for _, group in poetry.get("group").pairs()]
    for origin, group in groups:
        for name, value in group.pairs():
            spec = value.string or value.get("version").string
            if name == "python":
                facts.versions.append(Version("python", spec, value.line, "requires"))
            else:
                optional = value.get("optional").string == "true"
                facts.versions.append(Version(normalised(name), spec, value.line, "optional" if optional else origin))


def _scripts(table: Node, runner: str, facts: FileFacts) -> None:
    for name, value in table.pairs():
        command = value.string or next(
            (value.get(k).string for k in ("cmd", "shell", "script", "call", "reference", "callable") if value.get(k)),
            "",
        )
        facts.scripts.append(Script(name, runner, value.line, command))


def _tool_scripts(tool: Node, facts: FileFacts) -> None:
    _scripts(Node(0, table={k: v for k, v in tool.get("pdm", "scripts").pairs() if k != "_"}), "pdm", facts)
    _scripts(tool.get("poe", "tasks"), "poe", facts)
    _scripts(tool.get("taskipy", "tasks"), "taskipy", facts)
    _scripts(tool.get("rye", "scripts"), "rye", facts)
    _scripts(tool.get("pixi", "tasks"), "pixi", facts)
    if tool.get("poe", "include"):
        facts.opaque.append("scripts")
    for environment, table in tool.get("hatch", "envs").pairs():
        for name, value in table.get("scripts").pairs():
            facts.scripts.append(Script(f"{environment}:{name}", "hatch", value.line, value.string))
            if environment == "default":
                facts.scripts.append(Script(name, "hatch", value.line, value.string))
    collect_tox(tool.get("tox"), facts)


def collect_tox(tox: Node, facts: FileFacts) -> None:
    """The environments of a TOML tox configuration."""
    for entry in (*tox.get("env_list").elements(), *tox.get("envlist").elements()):
        for name in expand(entry.string):
            facts.scripts.append(Script(name, "tox", entry.line))
    for name, value in tox.get("env").pairs():
        facts.scripts.append(Script(name, "tox", value.line))
    legacy = tox.get("legacy_tox_ini")
    if legacy.string:
        facts.opaque.append("scripts")


def collect_pipfile(root: Node, facts: FileFacts) -> None:
    """Python's version, packages and scripts of a Pipfile."""
    for key in ("python_version", "python_full_version"):
        value = root.get("requires", key)
        if value.string:
            facts.versions.append(Version("python", value.string, value.line, "toolchain"))
    for section, origin in (("packages", "dependency"), ("dev-packages", "dev")):
        for name, value in root.get(section).pairs():
            spec = value.string or value.get("version").string
            facts.versions.append(Version(normalised(name), "" if spec == "*" else spec, value.line, origin))
    _scripts(root.get("scripts"), "pipenv", facts)


def collect_environment(root: Node, facts: FileFacts) -> None:
    """What a conda environment installs."""
    for entry in root.get("dependencies").elements():
        for item in (entry, *entry.get("pip").elements()):
            text = item.string.rpartition("::")[2]
            if found := requirement(re.sub(r"(?<![<>=!~])=(?!=)", "==", text, count=1)):
                facts.versions.append(Version(found[0], found[1], item.line, "environment"))
