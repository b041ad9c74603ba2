"""One tree for TOML, YAML and JSON: tables, lists and scalars, each with the line it stands on.

Values are source text without quotes, so that every collector reads them alike. Trees are bounded in depth and size by
their readers; what a reader could not follow (an alias, a template) is a scalar without text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from docalign_actors.engine.facts import FileFacts, Key
from docalign_actors.engine.roles import is_own_code

DEEPEST = 60
KEY_LIMIT = 2_000
"""Keys of one file that are read; the values of a large chart are hundreds."""
GENERIC_LIMIT = 200_000
"""Bytes. A longer file without a name that we know is data, not configuration."""

_OTHER_TOOLS = re.compile(
    r"(^|/)(\.(github|gitlab|circleci|devcontainer|vscode|idea|husky|cargo|changeset|storybook|buildkite|azure-pipelines|forgejo|gitea)/"
    r"|\.(pre-commit|eslint|prettier|stylelint|markdownlint|codecov|coverage|travis|readthedocs|gitlab-ci|golangci|goreleaser|yamllint"
    r"|mocharc|nycrc|babelrc|swcrc|lintstaged|commitlint|releaserc|renovate|flake8|pylint|isort|mypy|ruff|pytest|cibuildwheel|appveyor|cirrus"
    r"|rustfmt|clippy|editorconfig|clang|jscsrc|jshint|huskyrc|release-please|mergify|dependabot|pyre|bumpversion|safety|hadolint|lychee)"
    r"|(ruff|rustfmt|clippy|deny|pytest|mypy|tox|codecov|appveyor|renovate|cliff|release|lychee|typos|_typos|taplo|netlify|vercel|cspell|readthedocs"
    r"|release-please-config|biome|jest\.config|angular|rollup|dprint|cloudbuild|snapcraft|crowdin|azure-pipelines|dependabot|pylintrc|alembic)"
    r"\.(toml|ya?ml|jsonc?|ini|cfg)$)"
)
"""Configuration of tools that projects use: their keys are not what the project's documentation speaks of."""


class Node(Struct):
    """A value: `table` for mappings, `items` for lists, otherwise a scalar whose `text` is None if it cannot be known."""

    line: int
    text: str | None = None
    table: dict[str, Node] | None = None
    items: list[Node] | None = None

    def get(self, *path: str) -> Node:
        """The value below a path of keys; an empty scalar if there is none."""
        node = self
        for name in path:
            node = (node.table or {}).get(name, _NOTHING)
        return node

    def pairs(self) -> list[tuple[str, Node]]:
        """The keys and values of a table, in order; nothing for anything else."""
        return list((self.table or {}).items())

    def elements(self) -> list[Node]:
        """The elements of a list; nothing for anything else."""
        return self.items or []

    @property
    def string(self) -> str:
        """A scalar's text, "" for anything else."""
        return self.text or ""

    def __bool__(self) -> bool:
        return self.text is not None or self.table is not None or self.items is not None


_NOTHING = Node(0)


def flatten(root: Node, limit: int = KEY_LIMIT) -> Iterator[tuple[str, Node]]:
    """Every key with its dotted name, tables inside lists included (under the list's own name), at most `limit` of them."""
    stack: list[tuple[str, Node, int]] = [("", root, 0)]
    seen = 0
    while stack:
        prefix, node, depth = stack.pop()
        below: list[tuple[str, Node, int]] = []
        for name, value in node.pairs():
            dotted = f"{prefix}.{name}" if prefix else name
            if len(dotted) > 300:
                continue
            yield dotted, value
            seen += 1
            if seen >= limit:
                return
            if depth < DEEPEST:
                below.extend((dotted, child, depth + 1) for child in (value, *value.elements()) if child.table)
        if not prefix and node.items:
            below.extend(("", child, depth + 1) for child in node.items[:50] if child.table and depth == 0)
        stack.extend(reversed(below))


def configures_own(path: str) -> bool:
    """A configuration file of the repository's own programs, as far as its name tells."""
    return is_own_code(path) and not _OTHER_TOOLS.search(path)


def collect_keys(path: str, size: int, root: Node, facts: FileFacts, origin: str = "file") -> None:
    """The keys of a configuration file of the repository's own, with the literals that they have in it."""
    if size <= GENERIC_LIMIT and configures_own(path):
        seen = {key.name for key in facts.keys}
        for name, value in flatten(root):
            if name not in seen:
                seen.add(name)
                facts.keys.append(Key(name, value.line, short(value.text), origin))


def short(text: str | None) -> str | None:
    """A literal worth comparing: one line, not too long."""
    return text if text is not None and len(text) <= 200 and "\n" not in text else None
