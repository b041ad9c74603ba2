"""Taskfile.yml: the tasks of go-task."""

from __future__ import annotations

from docalign_actors.engine.code.manifests.tree import Node
from docalign_actors.engine.facts import EnvVar, FileFacts, Script


def collect_taskfile(root: Node, facts: FileFacts) -> None:
    """Tasks with their aliases; included files define others."""
    for name, task in root.get("tasks").pairs():
        facts.scripts.append(Script(name, "task", task.line, task.get("cmd").string or task.string))
        for alias in task.get("aliases").elements():
            facts.scripts.append(Script(alias.string, "task", alias.line, name))
    for name, value in root.get("env").pairs():
        facts.env.append(EnvVar(name, value.line, value.text))
    if root.get("includes"):
        facts.opaque.append("scripts")
