"""package.json, and the manifests of its relatives: deno.json, composer.json, turbo, nx, lerna."""

from __future__ import annotations

from docalign_actors.engine.code.manifests.tree import Node
from docalign_actors.engine.facts import FileFacts, Script, Version

NAMES = frozenset(
    {
        "package.json",
        "deno.json",
        "deno.jsonc",
        "composer.json",
        "turbo.json",
        "nx.json",
        "project.json",
        "lerna.json",
        "jsr.json",
    }
)


def collect_node_project(name: str, root: Node, facts: FileFacts) -> None:
    """The facts of a manifest, by its name."""
    match name:
        case "package.json":
            _package_json(root, facts)
        case "composer.json":
            _composer_json(root, facts)
        case "turbo.json":
            for task, value in (*root.get("tasks").pairs(), *root.get("pipeline").pairs()):
                facts.scripts.append(Script(task.rpartition("#")[2], "turbo", value.line))
        case "nx.json" | "project.json":
            for task, value in (*root.get("targetDefaults").pairs(), *root.get("targets").pairs()):
                facts.scripts.append(Script(task, "nx", value.line))
        case _:
            facts.package = root.get("name").string
            _scripts(root.get("tasks"), "deno", facts)
            _own_version(root, facts)


def _package_json(root: Node, facts: FileFacts) -> None:
    facts.package = root.get("name").string
    licence = root.get("license")
    facts.licence = licence.string or licence.get("type").string
    _own_version(root, facts)
    _scripts(root.get("scripts"), "npm", facts)
    _scripts(root.get("wireit"), "npm", facts)
    binary = root.get("bin")
    if binary.string and facts.package:
        facts.scripts.append(Script(facts.package.rpartition("/")[2], "console", binary.line, binary.string))
    _scripts(binary, "console", facts)
    for subject, value in root.get("engines").pairs():
        if value.string:
            facts.versions.append(Version(subject, value.string, value.line, "requires"))
    manager, _, version = root.get("packageManager").string.partition("@")
    if version:
        facts.versions.append(Version(manager, version.partition("+")[0], root.get("packageManager").line, "toolchain"))
    volta = root.get("volta", "node")
    if volta.string:
        facts.versions.append(Version("node", volta.string, volta.line, "toolchain"))
    sections = (
        ("dependencies", "dependency"),
        ("peerDependencies", "dependency"),
        ("optionalDependencies", "optional"),
        ("devDependencies", "dev"),
    )
    for section, origin in sections:
        for subject, value in root.get(section).pairs():
            if value.string and not value.string.startswith(
                ("workspace:", "file:", "link:", "git", "http", "catalog:")
            ):
                facts.versions.append(Version(subject, value.string, value.line, origin))


def _composer_json(root: Node, facts: FileFacts) -> None:
    facts.package = root.get("name").string
    facts.licence = root.get("license").string or " OR ".join(entry.string for entry in root.get("license").elements())
    _own_version(root, facts)
    _scripts(root.get("scripts"), "composer", facts)
    for section, origin in (("require", "dependency"), ("require-dev", "dev")):
        for subject, value in root.get(section).pairs():
            facts.versions.append(
                Version(subject, value.string, value.line, "requires" if subject == "php" else origin)
            )


def _own_version(root: Node, facts: FileFacts) -> None:
    version = root.get("version")
    if version.string and not version.string.startswith("0.0.0"):
        facts.versions.append(Version("self", version.string, version.line, "self"))


def _scripts(table: Node, runner: str, facts: FileFacts) -> None:
    for name, value in table.pairs():
        if name:
            facts.scripts.append(Script(name, runner, value.line, value.string or value.get("command").string))
