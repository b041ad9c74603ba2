"""The one list of kinds. A new kind is a module and a line here."""

from __future__ import annotations

import importlib
from functools import cache

from docalign_actors.engine.claims import Kind, Rule

_KINDS = (
    "path:PathKind",
    "anchor:AnchorKind",
    "command:CommandKind",
    "option:OptionKind",
    "environment:EnvironmentKind",
    "symbol:SymbolKind",
    "signature:SignatureKind",
    "imports:ImportKind",
    "route:RouteKind",
    "version:VersionKind",
    "default:DefaultKind",
    "configkey:ConfigKeyKind",
    "licence:LicenceKind",
    "navigation:NavigationKind",
    "example:ExampleKind",
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
