"""Documents that are true of their own time, told by what they and their folders are called.

What a document says of itself is asked in `documents/records.py`, what its sections say in `documents/tone.py`, what its history
tells in `doubts/tending.py`, and whether a change put it away in `doubts/putaway.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise


def _called(*names: str) -> re.Pattern[str]:
    return re.compile("^(?:" + "|".join(names) + ")$", re.IGNORECASE)


_VERSION = r"v?\d+(?:\.\d+)+(?:[-_.]?\w+)*"
_DAY = r"(?:.*[-_ ])?\d{4}[-.]\d{2}[-.]\d{2}"
_MONTH = (
    r"(?:.*[-_ ])?(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|q[1-4])[-_ ]20\d\d|20\d\d[-_ ]q[1-4])"
)
_ENHANCEMENT = "(?:[pskjndtcoxlhg]ep|rfc|adr|[abe]ip)"
"""`PEP`, `KEP`, `JEP` …, `BIP`, `EIP`: what is proposed, decided upon once, and kept."""
_DOCUMENT = _called(
    # what changed, release by release
    r"(?:change[-_]?logs?|(?:(?:api|abi|schema)[-_])?changes|history|news|releases|release[-_]?notes?)(?:[-_]v?\d+\w*)?",
    r"release[-_]v?\d+\w*",
    r"what[-_]?s[-_]?new",
    _VERSION,
    rf"{_DAY}(?:[-_ ].*)?",
    r"(?:.*[-_ ])?20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
    rf"{_MONTH}(?:[-_ ].*)?",
    # how one gets from there to here
    r"upgrad(?:e|ing)(?:[-_].*)?",
    r"(?:.*[-_])?migrat(?:e|ing|ion)s?(?:[-_].*)?",
    r"breaking(?:[-_]?changes)?",
    r"deprecat(?:ed|ions?)",
    # what is, or was, to be done
    r"(?:[a-z]+[-_]){0,2}roadmap(?:[-_](?:.*[-_])?(?:\d+|[a-z]{3}\d{1,4}))?",
    r"(?:.*[-_])?prd",
    r"(?!.*(?:query|explain|test|pricing|data|rate|billing|subscription)[-_]plan(?:$|[-_])).+[-_]plan(?:[-_](?:phase|part|step|stage)?[-_]?\d+)?",
    r"(?-i:PLAN)|plan[-_]\d+(?:[-_].*)?",
    r"(?:[a-z]+[-_])?to[-_]?dos?",
    # what was decided, found or done
    r"decisions|decision[-_]?(?:log|record)s?",
    rf"(?:{_ENHANCEMENT}|spec)[-_]?\d{{1,5}}(?:[-_].*)?",
    r"(?:.*[-_])?pr[-_]?\d+(?:[-_].*)?",
    r"coverage[-_]report|(?-i:COVERAGE|PROGRESS)",
    r"(?:.*[-_])?(?:wrap[-_]?ups?|retrospectives?|post[-_]?mortems?|final[-_]report|meeting[-_]?notes|gso-?c[-_]?\d{2,4})",
    r"(?:(?:dev|work|daily)[-_]?)?(?:journal|diary)|(?:dev|work)[-_]?logs?",
    # what was published on one day
    r"paper",
    # who did it
    r"thanks|authors|contributors|credits",
)
_FOLDER = _called(
    # versions of a manual
    r"(?:[a-z]+[-_])?v?\d+(?:\.\d+)?\.x",
    r"version-v?\d+\.[\d.x]+(?:-[\w.]+)?",
    r"versioned_docs|versioned_sidebars",
    r"(?:previous|older?|past)[-_](?:versions?|docs?|releases?)",
    # what changed, release by release
    r"change[-_]?logs?|changes|\.changes|\.changeset|changelog\.d|changes\.d|news|newsfragments|history|release[-_]?notes?|releases?",
    r"whats[-_]?new|blog|_posts|posts",
    r"migrations?|upgrad(?:e|ing)",
    # what was proposed, decided or done
    r"adrs?|decisions|rfcs?|enhancements?|[pskjntcoxlhg]eps?|[abe]ips?",
    r"designs|design[-_]?(?:docs?|proposals?)|(?:[a-z]+[-_])?proposals?|plans|planning|prds?|wip|backlogs?|\.planning|\.specify|phase[-_]?\d+",
    r"post[-_]?mortems?|retrospectives?|(?:[a-z]+[-_])?wrap[-_]?ups|meeting[-_]?notes|done|completed?|finished|implemented|shipped",
    r"(?:dev|work|daily)[-_]?(?:logs?|journals?)|(?:[a-z]+[-_])?journals?|diary",
    r"(?:.*[-_])?20\d\d-\d\d-\d\d|(?:.*[-_])?future[-_]work",
    r"(?:jos[se][-_])?papers?",
    # what was put away
    r"archive[ds]?|legacy|old|outdated|(?:.*[-_])?(?:old|archived?|deprecated|obsolete)|(?:.*[-_])?to[-_]be[-_](?:deleted|removed)",
)
_PIECE_OF_WORK = re.compile(
    r"^.*\.(?:plan|prd|proposal)\.[a-z]+$|(?i:^.*(?:aktions|[a-zäöüß]{2,}(?:s|ung|tur|ions|ekt))plan\.[a-z]+$)"
    r"|^(?:sprint|epic|story|milestone|phase)[-_ ]?\d"
    r"|^(?!(?:UTF|ISO|SHA|AES|RSA|HTTP|ECMA|IEEE|WCAG|GPT|USB|RS|ES)-)[A-Z]{2,10}-\d{1,6}[-_ ][^/]*\.[a-z]+$"
    r"|(?i:^(?:.*[-_])?(?:refactor(?:ing)?|consolidation|implementation|clean-?up|restructuring|rewrite|overhaul)[-_]"
    r"(?:complete[-_])?(?:summary|completed?|completion|report)\.[a-z]+$)"
    r"|(?i:^(?:.*[-_])?(?:copilot|chatgpt|claude|cursor)[-_](?:chat|conversation|transcript)s?[-_\d]*\.[a-z]+$)"
    r"|^[A-Z\d]+(?:[-_][A-Z\d]+)*[-_](?:SUMMARY|REPORT|COMPLETED?|COMPLETION|PROGRESS|HANDOFF|AUDIT|FINDINGS|IMPLEMENTATION|IMPROVEMENTS)\.[a-z]+$"
)
"""Names that are given to what tells of one piece of work: `auth.plan.md`, `story_09_10.md`, `PROJ-273-design.md`,
`PHASE_2_COMPLETE.md`. In capitals only: `status-report.md` may be a page about reports."""
_ONE_RELEASE = re.compile(r"[-_]v?\d+\.\d+\.\d+\.[a-z]+$")
"""`tool-1.0.2.md`."""
_STAMPED = re.compile(r"[-_.]20\d{6}[-_T]?\d{4,6}(?=[-_.])")
"""`CLAUDE.20251104-122241.md`: a copy that was put aside at that very second."""
_NUMBERED = re.compile(r"#?\d{1,5}[-_]")
_NUMBERED_FOLDERS = frozenset({"design", "designs", "issues", "tickets"})
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _is_of_its_time(folder: str) -> bool:
    """`archive`, `.archive`: hidden or not, it was put away."""
    return _FOLDER.match(folder) is not None or _FOLDER.match(folder.lstrip(".")) is not None


def _is_manual(above: str, folder: str) -> bool:
    """`docs/posts`: a blog lies elsewhere, and its posts have their days in their names or a folder `blog` above them."""
    return folder.lower() == "posts" and above.lower() in ("docs", "doc")


@lru_cache(maxsize=65536)
def tells_history(path: str) -> bool:
    """A changelog, release notes, a migration guide, a decision record: true of its own time, not of today."""
    *folders, name = path.split("/")
    lowered = [folder.lower() for folder in folders]
    # A version is not cut at its first dot; `MigrationGuide` is two words.
    stem = name.rpartition(".")[0] if re.match(r"v?\d", name) else name.split(".")[0]
    stem = _HUMP.sub("-", stem)
    return bool(
        _ONE_RELEASE.search(name)
        or _STAMPED.search(name)
        or _PIECE_OF_WORK.match(name)
        or _DOCUMENT.match(stem)
        or any(_is_of_its_time(folder) for above, folder in pairwise(["", *folders]) if not _is_manual(above, folder))
        # numbered designs and issues are decided upon once, and kept
        or (_NUMBERED.match(name) and not _NUMBERED_FOLDERS.isdisjoint(lowered))
        or (stem.lower() == "log" and lowered[-1:] in (["dev"], ["notes"], ["work"]))
        or lowered[:1] == ["reports"]
    )
