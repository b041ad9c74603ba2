"""The one list of kinds. A new kind is a package or a module, and a line here."""

from __future__ import annotations

import importlib
from functools import cache

from docalign_actors.engine.claims import Kind, Rule

_KINDS = (
    "path.kind:PathKind",
    "anchor.kind:AnchorKind",
    "command.kind:CommandKind",
    "option.kind:OptionKind",
    "environment:EnvironmentKind",
    "symbol.kind:SymbolKind",
    "signature.kind:SignatureKind",
    "imports.kind:ImportKind",
    "route.kind:RouteKind",
    "version.kind:VersionKind",
    "default.kind:DefaultKind",
    "configkey.kind:ConfigKeyKind",
    "licence.kind:LicenceKind",
    "navigation:NavigationKind",
    "example.kind:ExampleKind",
)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of claim, made once a process."""
    found: list[Kind] = []
    for entry in _KINDS:
        module, _, name = entry.partition(":")
        found.append(getattr(importlib.import_module(f"docalign_actors.engine.kinds.{module}"), name)())
    return tuple(found)


def rules() -> tuple[Rule, ...]:
    """Every rule of every kind, and the rules about suppressions."""
    return tuple(rule for kind in kinds() for rule in kind.rules)
