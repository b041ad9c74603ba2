"""YAML files: what they are is told by their name and their top-level keys."""

from __future__ import annotations

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from docalign_actors.engine.code.manifests import (
    compose,
    navigation,
    openapi,
    python_project,
    schema,
    taskfile,
    workflow,
)
from docalign_actors.engine.code.manifests.tree import DEEPEST, GENERIC_LIMIT, Node, collect_keys
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_EVENTS = 60_000
_LOCKS = frozenset({"pnpm-lock.yaml", "conda-lock.yml", "Chart.lock", "pubspec.lock", "packages.lock.yml"})


class UnreadableError(ValueError):
    """The file is not YAML as it stands."""


def read_yaml(text: str) -> list[Node]:
    """The documents of a YAML file. Built from events: aliases are not followed and no tag makes anything."""
    builder = _Builder()
    try:
        for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
            builder.take(event)
            if count > _MOST_EVENTS:
                raise UnreadableError("too many values")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableError(str(error).split("\n")[0][:100] or type(error).__name__) from None
    return builder.documents


class _Builder:
    """Turns events into nodes, with a stack of open collections and the key that each waits for a value for."""

    def __init__(self) -> None:
        self.documents: list[Node] = []
        self._open: list[Node] = []
        self._keys: list[str | None] = []

    def take(self, event: yaml.events.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        match event:
            case ScalarEvent():
                self._put(Node(line, event.value), line)
            case AliasEvent():
                self._put(Node(line), line)
            case MappingStartEvent():
                self._enter(Node(line, table={}))
            case SequenceStartEvent():
                self._enter(Node(line, items=[]))
            case MappingEndEvent() | SequenceEndEvent():
                self._open.pop()
                self._keys.pop()
            case DocumentStartEvent():
                self._open.clear()
                self._keys.clear()

    def _enter(self, node: Node) -> None:
        if len(self._open) > DEEPEST:
            raise UnreadableError("nested too deep")
        self._put(node, node.line)
        self._open.append(node)
        self._keys.append(None)

    def _put(self, node: Node, line: int) -> None:
        if not self._open:
            self.documents.append(node)
            return
        parent = self._open[-1]
        if parent.items is not None:
            parent.items.append(node)
        elif parent.table is not None:
            key = self._keys[-1]
            if key is None:
                # A key that is itself a collection has no name; it is kept apart so that its value is still consumed.
                self._keys[-1] = node.text if node.text is not None else f"?{line}"
            else:
                node.line = node.line if node.text is not None else min(node.line, line)
                parent.table[key] = node
                self._keys[-1] = None


def collect(source: Source, facts: FileFacts) -> None:
    """The facts of a YAML file, by what it is."""
    name = source.path.rpartition("/")[2]
    if name in _LOCKS:
        return
    if len(source.data) > GENERIC_LIMIT and not openapi.looks_like(source.data):
        facts.notes.append("YAML data: not parsed")
        return
    try:
        documents = read_yaml(source.text)
    except UnreadableError as error:
        facts.notes.append(f"YAML not read: {error}")
        if compose.is_compose(name) or _is_taskfile(name):
            facts.opaque.append("scripts")
        return
    for root in documents:
        if root.table:
            _collect_document(source, name, root, facts)


def _is_taskfile(name: str) -> bool:
    return name.lower() in ("taskfile.yml", "taskfile.yaml", "taskfile.dist.yml", "taskfile.dist.yaml")


def _collect_document(source: Source, name: str, root: Node, facts: FileFacts) -> None:
    if "/.github/workflows/" in f"/{source.path}" or name == ".gitlab-ci.yml":
        workflow.collect_workflow(root, facts)
    elif compose.is_compose(name) and root.get("services"):
        compose.collect_compose(root, facts)
    elif _is_taskfile(name):
        taskfile.collect_taskfile(root, facts)
    elif name.startswith("mkdocs") or name in ("_toc.yml", "properdocs.yml", "zensical.yml"):
        navigation.collect_navigation(source.path, root, facts)
    elif name.startswith("environment") and root.get("dependencies"):
        python_project.collect_environment(root, facts)
    elif openapi.is_openapi(root):
        openapi.collect_openapi(root, facts)
    elif schema.is_schema(root):
        schema.collect_schema(source.path, root, facts)
    else:
        collect_keys(source.path, len(source.data), root, facts)
