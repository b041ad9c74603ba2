"""Examples in another language than the code that had the name: Java for a client, in the manual of a server in Go.

Where an example has no label, some lines that only one language has tell which it is in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.languages import is_callable_from
from docalign_actors.findings.model import Verdict

_TELLS = (
    (
        "java",
        re.compile(
            r"^\s*(?:System\.(?:out|err)\.print|public static void main\(String|import (?:java|javax|org|com)\.[\w.]+;)"
        ),
    ),
    ("csharp", re.compile(r"^\s*(?:Console\.Write|using (?:System|Microsoft)\b[\w.]*;)")),
    ("php", re.compile(r"^\s*(?:<\?php\b|\$this->)")),
    ("go", re.compile(r"^(?:package [a-z]\w*|func (?:\([^()]{1,60}\) )?\w+\(.*\{|\s*if err != nil \{)\s*$")),
    ("python", re.compile(r"^(?:from [\w.]+ import [\w*]|\s*(?:async )?def \w+\(.*\)(?: -> [^:]{1,80})?:\s*$)")),
    ("ruby", re.compile(r"^\s*(?:require(?:_relative)? ['\"]|module [A-Z]\w*\s*$|.*\bdo \|\w+\|\s*$)")),
)
_LABELS = {
    "java": "java", "kotlin": "kotlin", "kt": "kotlin", "csharp": "csharp", "c#": "csharp", "cs": "csharp", "php": "php",
    "go": "go", "golang": "go", "python": "python", "py": "python", "ruby": "ruby", "rb": "ruby", "swift": "swift",
    "javascript": "javascript", "js": "javascript", "typescript": "typescript", "ts": "typescript",
}  # fmt: skip
_SCRIPT = re.compile(r"^\s*(?:import|export|const|let|var|function|async|await|class)\b|=>|;\s*$|\brequire\(")
"""What an example that is labelled a script has in it: so are labelled, for their colours, settings in many formats."""
_MOST_LINES = 80
_LONGEST_LINE = 200
_KINDS = frozenset({"symbol", "signature"})
_OTHER = uncertain("the example is in another language than the code that had the name")


def doubt_other_languages(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where all that speaks against an example is code of another language."""
    return [
        (c, _OTHER if j.verdict is Verdict.DRIFTED and c.kind in _KINDS and _is_foreign(c, j, documents) else j)
        for c, j in judged
    ]


def _is_foreign(claim: Claim, judgement: Judgement, documents: Mapping[str, Document]) -> bool:
    document = documents.get(claim.file)
    block = document.block_at(claim.line) if document is not None else None
    language = _spoken(block) if block is not None and block.kind == "code" else ""
    return bool(language) and not any(is_callable_from(language, item.file) for item in judgement.evidence)


def _spoken(block: Block) -> str:
    """The one language that the lines of an example tell; "" if none does, or several."""
    lines = [line.text[:_LONGEST_LINE] for line in block.lines[:_MOST_LINES]]
    if block.language:
        language = _LABELS.get(block.language.lower(), "")
        return "" if language in ("javascript", "typescript") and not any(map(_SCRIPT.search, lines)) else language
    told = [language for language, tells in _TELLS if any(map(tells.match, lines))]
    return told[0] if len(told) == 1 else ""
