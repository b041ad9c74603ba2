"""Whether words tell of the past, or of what may be. Neither is a claim about the code as it is now.

Every list of phrases has its key words, one of which each phrase contains: a text without any of them is settled by a few
searches for plain strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

BLOCK_SCOPE = 300
"""Characters. In a shorter block one historical sentence colours the whole; a longer one is judged by sentence."""

_LONGEST = 4_000


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


def _phrases(*phrases: str, also: str = "") -> re.Pattern[str]:
    """Phrases that begin with a word, for texts that are in lower case already.

    Several times faster than the same with a word's border before each: most letters begin no word.
    """
    return re.compile(rf"\b(?:{'|'.join(phrases)})" + (f"|{also}" if also else ""))


_VERSION = r"v?\d+(?:\.(?:\d+|x))+(?:[-.+]?[a-z]+[-.]?\d*)?"
_CHANGES = rf"(?:[\w./-]+ ){{1,3}}changes (?:(?:in|for|of|with) )?{_VERSION}|(?:api|abi|schema|notable|major|minor|recent) changes$"
"""`API changes 3.13.0`, `API changes`; but neither `Making changes` nor `Proposing changes`, which tell what to do now."""
_NUMBER = r"(?:\d+(?:\.\d+)*\.? ?)?"
"""Of a section: `3.3 `."""
_HISTORY_TITLE = re.compile(
    r"^\W*(?:"
    + "|".join(
        (
            rf"change ?-?log|changes?$|changes (?:in|since|from|between)\b|changes made$|known changes|{_CHANGES}",
            r"historical (?:notes?|background|context)\b|history of\b|old(?:er)? versions?\b|previous versions?\b",
            r"release ?notes?|release history|version history|releases?$|history$|unreleased\b|what['’]?s new|news$",
            r"migration$|migration (?:guide|notes|from|to|path|steps)\b|migrat(?:e|ing) (?:from|to)\b|porting (?:from|to)\b",
            r"upgrading\b|upgrade$|upgrade (?:guide|notes|from|to|instructions|path)\b",
            r"deprecat(?:ed|ions?)\b|breaking\b|removed\b|removals?\b|legacy\b|obsolete\b|roadmap\b|todo\b|to-?do list\b",
            r"planned$|planned (?:features?|work|changes|additions|improvements|examples)\b|future(?: plans?| work| ideas?)?$",
            r"the following (?:is|was) (?:taken |copied )?from\b|(?:original|upstream) readme\b",
            r"wish ?-?list\b|ideas$|coming soon\b|upcoming\b|proposed\b|proposals?\b|not yet \w+|not \w+ yet\b",
            r"(?:backwards?|api)[- ]incompatib|incompatible changes|(?:new|changed|fixed|removed|deprecated) in\b",
            rf"(?:version |release )?\[?{_VERSION}\]?\W*$",
            rf"(?:version |release )?\[?{_VERSION}\]?\W.{{0,60}}(?:\b(?:19|20)\d\d\b|released\b)",
            r"(?:version |release )?\[?(?:v\d+(?:\.\d+)+|\d+\.\d+\.\d+)\S*\s*[-–—:(]",
            rf"\[?\d{{4}}-\d{{2}}-\d{{2}}\b|from {_VERSION} to\b",
            rf"{_NUMBER}(?:(?:key |new )?files? (?:to (?:be )?)?(?:creat|modif|chang|touch)(?:e|y|ed|ied)\b)",
            rf"{_NUMBER}(?:(?:new|changed|modified|created) files\W*$|task breakdown\b|acceptance criteria\b)",
            rf"{_NUMBER}(?:implementation (?:plan|checklist|order|phases)\b|user stor(?:y|ies)\b)",
            rf"{_NUMBER}(?:变更(?:规划|清单|计划|点)|文件变更|修改文件|实施(?:步骤|计划)|开发(?:计划|实施)|任务(?:拆解|分解))",
        )
    )
    + ")",
    re.IGNORECASE,
)
_RELEASES = re.compile(r"\W*releases?\W*", re.IGNORECASE)
_LISTS_RELEASE = re.compile(rf"[\W_]*(?:version |release )?\[?(?:{_VERSION}|\d{{4}}-\d\d-\d\d)", re.IGNORECASE)
_HISTORY_TITLE_ANYWHERE = _any_of(
    r"\b(?:changelog|release notes|migration guide|upgrade guide|upgrade notes|breaking changes|deprecation policy)\b",
    r"\b(?:deprecated|removed|legacy|obsolete)\W*$|\b(?:upgrading|migrating|migration) from\b|\b(?:upgrading|migrating) to\b",
)
_MAKES_NOTES = re.compile(
    r"\b(?:generat|creat|writ|mak|build|produc|updat|maintain|automat)\w{0,8} (?:\w{1,20} ){0,3}(?:change-?log|release notes)"
    r"|\b(?:change-?log|release[ -]notes)[ -]?(?:generat|creat|build|pars|lint|tool|action)|\w-change-?log\b|\bchange-?log-\w",
    re.IGNORECASE,
)
"""What makes such notes, or how they are made: `changelog-generator`, `Writing the release notes`. That is of today."""
_DOCUMENT_TITLE = _any_of(
    rf"^\W*(?:{_CHANGES})",
    r"^\W*(?:change ?-?log|changes$|release ?notes|release history|version history|history$|what['’]?s new|news$|roadmap$)",
    r"^\W*(?:migration$|migration guide\b|migrating (?:from|to)\b|upgrade guide|upgrading\b|deprecations?\b|breaking changes)",
    r"\b(?:changelog|release notes|migration guide|upgrade guide)\s*$",
    r"\bcoverage (?:report|for)\b",
)

_GONE = r"(?:renamed|removed|dropped|deprecated|replaced|superseded|discontinued|moved|changed)"
_RELEASE = r"(?:the |python |node(?:\.js)? |go |rust |java )?(?:version|release|v?\d|next|future|a future|upcoming)"
_HISTORY = _phrases(
    rf"(?:was|were) (?:\w+ )?(?:{_GONE}|merged into|split)\b|(?:has|have|had) been (?:\w+ )?{_GONE}\b",
    r"(?:is|are|being|now|marked as) (?:now )?(?:renamed|deprecated|superseded|discontinued|obsolete)\b",
    rf"renamed (?:from|to|as)\b|{_GONE} (?:in|since|as of|with) {_RELEASE}",
    r"deprecated (?:alias|name|option|flag|and)\b",
    r"(?:removed|dropped|retired) (?:commands?|options?|flags?|functions?|methods?|class(?:es)?|settings?|keys?|endpoints?)\b",
    r"(?:is|are) gone\b|(?:have|has)(?:n['’]t| not) migrated\b|(?:repos?|projects?|users?|those) migrating from\b",
    r"no longer\b|not any ?more\b|used to (?:be|have|do|return|live|take|accept|require|support|work|need)\b",
    r"formerly\b|(?:was|were) previously\b|originally\b|historically\b|in the past\b",
    r"previously (?:called|named|known|used|was|were|had|it|the|this|we|in|available|supported|required|lived|located)\b",
    rf"prior to {_RELEASE}|before (?:version|release|v?\d+\.\d)",
    r"(?:prior to|before) (?:[\w.-]+ ){1,3}v?\d+(?:\.\d+)*\b[^.;]{0,60}\b(?:was|were|had|did)\b",
    r"(?:was|were) (?:then )?(?:called|named) `",
    r"(?:older|old|earlier|early|previous|prior|past|legacy) (?:versions?|releases?)\b",
    r"(?:or|and) (?:older|earlier)\b",
    r"since (?:version |v)?\d+(?:\.\d+)+[^.;]{0,80}\b(?:was|were|had)\b|changed from\b|supersedes\b",
    r"legacy (?:name|alias|option|flag|variable|spelling)\b|old (?:names?|spelling|behaviou?r)\b",
    r"will be (?:removed|renamed|dropped|deprecated|added|introduced|supported) (?:in|soon|with|when)\b",
    r"not yet (?:been )?(?:implemented|supported|available|released)\b|not (?:implemented|supported|available) yet\b",
    also=r"^\W*(?:deprecated|previously|removed|renamed)\b|\(deprecated\b|歷史紀錄|歷史記錄|历史记录|已移除",
)
_HISTORY_KEYS = (
    "renamed", "removed", "dropped", "deprecated", "replaced", "superseded", "discontinued", "moved", "changed", "merged into",
    "split", "obsolete", "no longer", "any more", "anymore", "used to", "formerly", "previously", "originally", "historically",
    "past", "prior", "before", "older", "early ", "old ", "earlier", "previous", "legacy", "since", "supersedes", "will be", " yet",
    " called", " named", " gone", "migrat", "retired", "歷史", "历史", "已移除",
)  # fmt: skip

_HYPOTHETICAL = _phrases(
    r"for (?:example|instance)\b|e\. ?g\.|suppose\b|imagine\b|assum(?:e|ing)\b|hypothetical|fictional\b",
    r"say,? (?:you|we|that|your)\b|let['’]?s\b|let us\b|if you (?:had|have|were)\b|placeholder\b",
    r"create (?:a|an|the|your|another|two|some)\b|(?:save|store|put) (?:this|it|that|them|the following|the code)\b",
    r"(?:add|make|write) (?:a|an|another|your) (?:new )?(?:file|module|folder|directory|script|package)\b",
    r"save .{1,60} (?:as|to|in) |your own\b|something like\b|such as\b|might look\b",
    r"(?:could|would) (?:look|be|have)\b|in your (?:project|app|application|code|repo)|creating (?:this|the|a|an|such)\b",
    r"in (?:your|the) (?:current|working|home|project) (?:working )?(?:directory|folder)\b",
    r"if (?:that|the|this|such a) file (?:does not|doesn['’]t|is not|isn['’]t) (?:exist|there|present|found)\b",
    r"you(?:['’]ve| have)? (?:just )?(?:generated|created|made|wrote|written|downloaded)\b",
)
_HYPOTHETICAL_KEYS = (
    "for example", "for instance", "e.g", "e. g", "suppose", "imagine", "assum", "hypothetical", "fictional", "say", "let",
    "if you", "placeholder", "create", "save", "store", "put ", "add ", "make ", "write ", "your own", "something like",
    "such as", "might look", "could", "would", "in your", "generated", "created", " made", "wrote", "written", "downloaded",
    "creating", "directory", "folder", "if that", "if the", "if this", "if such",
)  # fmt: skip
_CREATES = _phrases(
    r"create\b|sav(?:e|ed|ing)\b|suppose\b|imagine\b|assum(?:e|ing)\b|say,? (?:you|we)\b|new file\b",
    r"(?:put|add) (?:this|it|the following)\b|contents? of\b|given (?:a|an|the|this)\b|let['’]?s\b|your own\b",
    r"for (?:example|instance)\b",
)
_RELEASE_TITLE = r"(?:\w+ )?v?\d+(?:\.\d+)*(?:\.x)?\W*$"
_BEFORE = re.compile(
    rf"^\W*(?:old|before|today\W*$|previous(?:ly)?|former(?:ly)?|from|was|removed|deprecated|legacy|original|{_RELEASE_TITLE})",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"^\W*(?:new|after|now|target\W*$|current(?:ly)?|to\b|replace(?:d by|ment)|instead|use\b|main$|master$|latest"
    rf"|{_RELEASE_TITLE})",
    re.IGNORECASE,
)
_KIND_OF_CHANGE = re.compile(
    r"^\W*(?:(?:kind|type) of change|change(?: type)?|action|operation|变更类型|变更|修改类型|操作)\W*$", re.IGNORECASE
)
_CHANGE = re.compile(
    r"\W*(?:new|add(?:ed)?|creat(?:e|ed)|modif(?:y|ied)|updat(?:e|ed)|edit(?:ed)?|delet(?:e|ed)|remov(?:e|ed)|renamed?|extend(?:ed)?"
    r"|新增|新建|修改|删除|更新|重构)(?: file)?\W*",
    re.IGNORECASE,
)
_WRONG = _phrases(
    r"wrong\b|invalid\b|errors?\b|bad\b|broken\b|fails?\b|incorrect|not valid\b|avoid\b|don['’]t\b",
    r"do(?:es)?(?: not|n['’]t) (?:work|parse|compile|run)\b|pseudo|malformed\b|illegal\b|syntax ?error",
    r"instead of\b|rather than\b",
)
_SENTENCE_END = re.compile(r"""[.!?]["')\]*_]{0,3}(?=\s+[^a-z\s])""")


@lru_cache(maxsize=4096)
def is_history_title(title: str) -> bool:
    """A heading whose section tells of the past: `Changelog`, `v1.2 (2020-01-01)`, `Migrating from 1.x`."""
    title = title.strip()[:200]
    told = _HISTORY_TITLE.match(title) or _HISTORY_TITLE_ANYWHERE.search(title)
    return bool(told) and not _MAKES_NOTES.search(title)


def is_about_releasing(title: str, below: Sequence[str]) -> bool:
    """`Releases`, and no line below begins with a version or a date: it tells how they are made."""
    return _RELEASES.fullmatch(title.strip()) is not None and not any(_LISTS_RELEASE.match(line[:80]) for line in below)


def is_past_in_code(title: str) -> bool:
    """A heading below which code, too, is of the past: what is to be run below `Releases` is run today."""
    return is_history_title(title) and not _RELEASES.fullmatch(title)


def is_history_document(title: str) -> bool:
    """A document's title that says all of it tells of the past."""
    title = title.strip()[:200]
    return bool(_DOCUMENT_TITLE.search(title)) and not _MAKES_NOTES.search(title)


def is_historical(text: str) -> bool:
    """A sentence that tells of the past. "Added in 2.0" does not: what was added is to be there."""
    text = text[:_LONGEST].lower()
    return holds_any(text, _HISTORY_KEYS) and bool(_HISTORY.search(text))


def is_hypothetical(text: str) -> bool:
    """A sentence about what may be, or about the reader's own project."""
    text = text[:_LONGEST].lower()
    return holds_any(text, _HYPOTHETICAL_KEYS) and bool(_HYPOTHETICAL.search(text))


def holds_any(text: str, keys: Sequence[str]) -> bool:
    """One of these stands in the text."""
    for key in keys:  # noqa: SIM110 - asked of every sentence; a generator takes twice as long
        if key in text:
            return True
    return False


def is_mapping(headers: Sequence[str]) -> bool:
    """A table's titles that set what was against what is: its rows name old things on purpose."""
    return any(_BEFORE.match(title) for title in headers) and any(_AFTER.match(title) for title in headers)


def is_to_be_done(headers: Sequence[str], cells: Sequence[str]) -> bool:
    """A table's row that says what one piece of work does to a file: `src/a.py`, "add", "the model"."""
    return any(_KIND_OF_CHANGE.match(title) for title in headers) and any(_CHANGE.fullmatch(cell) for cell in cells)


def introduces_invention(text: str) -> bool:
    """A paragraph after which a code block shows something that the reader is to make up or to create."""
    return bool(_CREATES.search(text[-400:].lower()))


def introduces_mistake(text: str) -> bool:
    """A paragraph after which a code block shows how not to do it."""
    return bool(_WRONG.search(text[-400:].lower()))


def sentence_ends(text: str) -> Iterator[int]:
    """The offsets after which a new sentence begins."""
    return (match.end() for match in _SENTENCE_END.finditer(text))
