"""The names of the kinds, without loading any of them: the command line checks a configuration before it scans."""

from __future__ import annotations

KIND_NAMES = frozenset({
    "path", "anchor", "command", "option", "environment", "symbol", "signature", "imports", "route", "version", "default",
    "configkey", "licence", "navigation", "example",
})  # fmt: skip
