"""Cargo.toml: package, versions, features, targets."""

from __future__ import annotations

from docalign_actors.engine.code.manifests.tree import Node
from docalign_actors.engine.facts import FileFacts, Key, Script, Version


def collect_cargo(root: Node, facts: FileFacts) -> None:
    """The facts of a crate or a workspace."""
    for package in (root.get("package"), root.get("workspace", "package")):
        _package(package, facts)
    facts.package = root.get("package", "name").string
    for section in ("bin", "example", "bench", "test"):
        for target in root.get(section).elements():
            name = target.get("name")
            if name.string:
                facts.scripts.append(
                    Script(name.string, "console" if section == "bin" else "cargo", name.line, section)
                )
    for feature, value in root.get("features").pairs():
        facts.keys.append(Key(feature, value.line, None, "feature"))
    _dependencies(root, facts)


def _package(package: Node, facts: FileFacts) -> None:
    for field, subject, origin in (
        ("version", "self", "self"),
        ("rust-version", "rust", "requires"),
        ("edition", "rust-edition", "requires"),
    ):
        value = package.get(field)
        if value.string:
            facts.versions.append(Version(subject, value.string, value.line, origin))
    facts.licence = facts.licence or package.get("license").string


def _dependencies(root: Node, facts: FileFacts) -> None:
    tables = [root, root.get("workspace"), *(target for _, target in root.get("target").pairs())]
    for table in tables:
        for section, origin in (
            ("dependencies", "dependency"),
            ("dev-dependencies", "dev"),
            ("build-dependencies", "dev"),
        ):
            for name, value in table.get(section).pairs():
                spec = value.string or value.get("version").string
                optional = value.get("optional").string == "true"
                if spec:
                    facts.versions.append(Version(name, spec, value.line, "optional" if optional else origin))
                if optional:
                    facts.keys.append(Key(name, value.line, None, "feature"))
