"""What a scan may be told. The command line reads these from `.docalign.yml`, pyproject.toml and flags."""

from __future__ import annotations

from msgspec import Struct

from docalign_actors.findings.model import CERTAIN, Severity

WITH_DOUBTS = 0.5
"""The least confidence where doubtful findings are asked for: what may be meant in another way has 0.6."""


class Suppress(Struct, frozen=True):
    """Findings that nobody wants, by file glob, rule, kind or the text of the claim; all that are given must match."""

    file: str = ""
    rule: str = ""
    kind: str = ""
    claim: str = ""
    reason: str = ""
    line: int = 0
    """Where the configuration says so, for the report that it suppresses nothing."""


class ScanSettings(Struct, frozen=True):
    """Bounds and choices of one scan.

    doc_patterns   globs of the documentation; empty: every document format in the repository
    code_patterns  globs of the code that claims are judged by; empty: everything that can be read
    exclude        globs that are neither
    under          judge only the documents below this folder
    """

    doc_patterns: tuple[str, ...] = ()
    code_patterns: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    claim_types: tuple[str, ...] = ()
    min_severity: Severity = Severity.LOW
    min_confidence: float = CERTAIN
    suppress: tuple[Suppress, ...] = ()
    under: str = ""
    jobs: int = 0
    """Processes for reading files; 0 means one for each core, 1 means none but this one."""
