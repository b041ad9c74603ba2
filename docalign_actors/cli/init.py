"""`docalign init`: writes a configuration to start from."""

from __future__ import annotations

import argparse

from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES
from docalign_actors.errors import UsageError
from docalign_actors.hosts.localgit.git import find_repository

_TEMPLATE = """\
# What docalign checks. Every value here is the default: delete what you do not change.
# docalign explain RULE and docalign rules tell more.

# Which files are documentation. Left out: every Markdown, MDX, reStructuredText, AsciiDoc and text file that is not
# a changelog, a fixture or somebody else's.
# doc_patterns:
#   include: ["README.md", "docs/**/*.md"]
#   exclude: ["docs/archive/**"]

# Which files the claims are judged by. Left out: everything that can be read.
# code_patterns:
#   exclude: ["generated/**"]

verification:
  min_severity: low          # low, medium or high: what is reported at all
  min_confidence: 0.75       # from 0 to 1
  max_claims_per_pr: 50      # how many findings a scan of a change shows, the most important first (200 at most)

check:
  min_severity_to_block: low # from which severity on the command fails, and the GitHub App's check asks for action
  # comment_when_clean: true # a comment of the GitHub App also where nothing is false (left out: as the service is set)

# Kinds of claim that are not to be checked:
# claim_types:
{kinds}

# Findings that are known and wanted, with the reason:
# suppress:
#   - file: "docs/tutorial/**"
#     rule: missing-path
#     reason: the reader makes these files
"""


def run_init(given: argparse.Namespace) -> int:
    """Writes .docalign.yml at the repository's root."""
    path = find_repository(given.path).root / ".docalign.yml"
    if path.exists() and not given.force:
        raise UsageError(f"{path.name} is there already.", hint="Use --force to write over it.")
    kinds = "\n".join(f"#   {kind}: false" for kind in sorted(KIND_NAMES))
    path.write_text(_TEMPLATE.format(kinds=kinds), "utf-8")
    print(f"Wrote {path.name}. Run `docalign scan` to see what it finds.")
    return 0
