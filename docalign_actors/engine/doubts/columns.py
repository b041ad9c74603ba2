"""Columns of a database that a document lists: a program which reads fewer of them takes none away.

`| created_date | INTEGER | DEFAULT 0 |` tells of a table, and the type that lost a field of this name may be one that rows are read
into. A table of one's own loses a column now and then, and its scheme says so; where many go at once, and nothing but types of the
code speaks against them, it is the reading that was cut down. What is given up: many columns that a
mapped class really lost at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Document
from docalign_actors.engine.judging import Judged
from docalign_actors.findings.model import Verdict

_TYPE = re.compile(
    r"(?:(?:TINY|SMALL|MEDIUM|BIG)?INT(?:EGER)?|TEXT|BLOB|REAL|NUMERIC|DECIMAL|N?(?:VAR)?CHAR|BOOLEAN|DATE(?:TIME)?|TIMESTAMP(?:TZ)?"
    r"|UUID|JSONB?|STRING|NUMBER|CLOB|FLOAT|DOUBLE(?: PRECISION)?|BYTEA|(?:BIG)?SERIAL)"
    r"(?: ?\(\d{1,5}(?:, ?\d{1,5})?\))?(?: NOT NULL| NULL| UNSIGNED){0,2}"
)
"""The type of a column, in capitals as who describes a scheme writes it."""
_SCHEME = re.compile(r"\.sql$|(?:^|/)(?:migrations?|schemas?)/", re.IGNORECASE)
_MANY = 5
_COLUMN = uncertain("a column of a database, of which the code merely reads fewer")


def doubt_columns(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, in doubt where many columns of tables are called gone at once and no scheme says so."""
    columns = {id(c) for c, j in judged if _is_column(c, j, documents)}
    return [(c, _COLUMN if id(c) in columns and len(columns) >= _MANY else j) for c, j in judged]


def _is_column(claim: Claim, judgement: Judgement, documents: Mapping[str, Document]) -> bool:
    if (
        judgement.verdict is not Verdict.DRIFTED
        or claim.kind not in ("symbol", "configkey")
        or judgement.fix is not None
    ):
        return False
    if any(_SCHEME.search(item.file) for item in judgement.evidence):
        return False
    block = documents[claim.file].block_at(claim.line) if claim.file in documents else None
    cells = block.cells if block is not None else ()
    return any(_TYPE.fullmatch(cell.text.strip("` ")) for cell in cells[1:])
