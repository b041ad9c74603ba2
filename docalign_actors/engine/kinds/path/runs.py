"""Files that a command runs by their names alone: `ruby server.rb`, `bundle exec ruby server.rb`, `python3 -u run.py`."""

from __future__ import annotations

import re

_RUNS = re.compile(
    r"(?<![\w./-])(?:python3?|ruby|node|php|perl|bash|sh|zsh|lua|Rscript|julia|elixir|groovy|ts-node|tsx|deno run|bun|bun run)"
    r"(?: -{1,2}[\w=-]{1,40}){0,4} ([A-Za-z_][\w-]{0,80}\.(?:py|rb|[cm]?js|ts|php|pl|sh|bash|lua|R|jl|exs|groovy))(?![\w./:-])"
)
_RUNNERS = (
    "python",
    "ruby",
    "node",
    "php",
    "perl",
    "sh",
    "lua",
    "Rscript",
    "julia",
    "elixir",
    "groovy",
    "tsx",
    "bun",
    "deno",
)


def files_run(text: str) -> list[re.Match[str]]:
    """What an interpreter is told to run, where no folder is told; group 1 is the file."""
    return list(_RUNS.finditer(text)) if any(runner in text for runner in _RUNNERS) else []
