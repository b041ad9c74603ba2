"""The words every part shares: verdict, severity, evidence, mention, fix, finding."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

_SHORT = 9
"""Letters of a commit's id that are shown."""

CERTAIN = 0.75
"""How sure one must be of what is reported unasked."""


class Verdict(Enum):
    """What was decided about a claim."""

    VERIFIED = "verified"
    DRIFTED = "drifted"
    UNCERTAIN = "uncertain"
    ASIDE = "aside"
    """It claims nothing of this repository: another project's name, another program's option."""


CLAIMED = frozenset({Verdict.VERIFIED, Verdict.DRIFTED, Verdict.UNCERTAIN})
"""What is decided, or would be, about claims of this repository."""


class Severity(Enum):
    """How much a false sentence costs the reader who believes it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def weight(self) -> int:
        return {"low": 1, "medium": 2, "high": 3}[self.value]


class Evidence(Struct, frozen=True, omit_defaults=True):
    """A place in the code, or a commit, that decides a claim."""

    text: str
    file: str = ""
    line: int = 0
    commit: str = ""

    @property
    def place(self) -> str:
        """The file, with the line where there is one; "" where a commit alone is the evidence."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    @property
    def told(self) -> str:
        """The text, and the commit where the text does not name it."""
        short = self.commit[:_SHORT]
        return f"{self.text} (commit {short})" if short and short not in self.text else self.text

    @property
    def sentence(self) -> str:
        """Where it is, and what is there."""
        return f"{self.place}: {self.told}" if self.file else self.told


class Mention(Struct, frozen=True, order=True):
    """One place in the documentation that makes a claim.

    `text` is the source text at that place, to the letter; `source` the whole line it stands on; `replacement`, if there
    is one, what to write there instead.
    """

    file: str
    line: int
    column: int
    text: str = ""
    source: str = ""
    replacement: str | None = None
    safe: bool = False


class Fix(Struct, frozen=True):
    """What to write instead of the claim's text, at every mention. `safe`: certain enough to apply unasked."""

    replacement: str
    safe: bool


class Finding(Struct, frozen=True):
    """One claim that the code decides, with every place that makes it."""

    id: str
    rule: str
    kind: str
    verdict: Verdict
    severity: Severity
    confidence: float
    claim: str
    message: str
    mentions: tuple[Mention, ...]
    evidence: tuple[Evidence, ...] = ()
    fix: Fix | None = None
    claim_id: str = ""
    """How the claim is known again, whatever is decided about it; `id` is of what was decided."""
    decided_by: str = ""
    """`agent` where an agent said so, "" where code decided."""

    @property
    def file(self) -> str:
        return self.mentions[0].file

    @property
    def line(self) -> int:
        return self.mentions[0].line

    @property
    def column(self) -> int:
        return self.mentions[0].column
