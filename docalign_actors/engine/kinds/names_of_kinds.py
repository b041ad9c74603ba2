"""The names of the kinds and of their rules, without loading any: a configuration is checked before anything is scanned."""

from __future__ import annotations

KIND_NAMES = frozenset({
    "path", "anchor", "command", "option", "environment", "symbol", "signature", "imports", "route", "version", "default",
    "configkey", "licence", "navigation", "example",
})  # fmt: skip
RULE_NAMES = frozenset({
    "broken-example", "missing-anchor", "missing-link-target", "missing-page", "missing-path", "missing-symbol", "unknown-command",
    "unknown-config-key", "unknown-environment-variable", "unknown-module", "unknown-option", "unknown-route", "unknown-script",
    "unused-suppression", "wrong-default", "wrong-import", "wrong-licence", "wrong-method", "wrong-port", "wrong-signature",
    "wrong-version",
})  # fmt: skip
