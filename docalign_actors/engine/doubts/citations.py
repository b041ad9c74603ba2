"""Documents that cite lines of code again and again: `src/run.py:42`.

The number of a line is right for a day. Who writes ten of them tells what the code was like then: a review, an audit, an
inventory before some work. That the work was done does not make it false. What every reader takes for today's is meant to be
kept up to date all the same, and so is a page of a site; so is what the change itself touches.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from docalign_actors.engine.claims import uncertain
from docalign_actors.engine.code.reader import language_of
from docalign_actors.engine.doubts.tending import is_of_a_site, is_standing, read_text, tells_of_today
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.ports import Tree
from docalign_actors.findings.model import Verdict

_CITED = re.compile(r"(?<![\w-])[\w-]{1,60}\.[A-Za-z]{1,6}:\d{1,5}(?![\w:])")
_LEAST = 10
"""Differently written ones: a manual may show a few in a sample of output, over and over."""
_OF_A_DAY = uncertain("the document cites lines of code as they were on one day")


def doubt_cited(judged: Sequence[Judged], written: Mapping[str, Collection[int]], tree: Tree) -> list[Judged]:
    """The judgements of a change, in doubt in what cites lines of code and which the change does not touch."""
    files = {
        c.file
        for c, j in judged
        if j.verdict is Verdict.DRIFTED and c.file not in written and tells_of_today(c, j) and not is_standing(c.file)
    }
    names = {part for path in tree.entries for part in path.split("/")} if files else set[str]()
    dated = {path for path in files if not is_of_a_site(path, names) and cites_lines(read_text(tree, path))}
    return [
        (c, _OF_A_DAY if c.file in dated and j.verdict is Verdict.DRIFTED and tells_of_today(c, j) else j)
        for c, j in judged
    ]


def cites_lines(text: str) -> bool:
    """Ten lines of programs at the least, by file and number."""
    found: set[str] = set()
    for match in _CITED.finditer(text):
        if language_of(match.group().rpartition(":")[0]):
            found.add(match.group())
            if len(found) == _LEAST:
                return True
    return False
