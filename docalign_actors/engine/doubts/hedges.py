"""Words around a mention that say it is not a claim about the code as it is.

"Rather than `x`", "`x`, which became the default", "`x`, provided by the other package", "this API no longer exists". Such words
also stand beside things that are there, so they count only where the thing went long ago.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from docalign_actors.engine.claims import Claim, Why, uncertain
from docalign_actors.engine.documents.model import Block, Document
from docalign_actors.engine.documents.reader import lead_of
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.roles import is_skill
from docalign_actors.findings.model import Verdict

_GONE = (
    r"(?:removed|deleted|eliminated|dropped|retired|renamed|replaced|superseded|no longer (?:exists?|supported|available|needed)"
    r"|broken out|split out|extracted|moved (?:to|into|out)|spun off)"
)
_ANYTHING_GONE = re.compile(_GONE, re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:not (?:the|a|an|use|have|need|support|call)|instead of|rather than|unlike|in place of|in lieu of|replac(?:es|ed|ing)"
    r"|used to (?:be|have|use)|the (?:old|older|former|previous|original|legacy|now[- ]removed|deprecated)"
    r"|the (?:resulting|generated|created)|previously|formerly"
    r"|there is no|without (?:the|a)|no more|supersed(?:es|ing))\b[^.;:]{0,60}$",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:not|no|never|older|old|former|legacy|obsolete|deprecated|now[- ]removed)\s+[`'\"*_]*$"
    r"|\b(?:replac|supersed)(?:es|ed|ing) (?:the |our |an? )?(?:old|older|former|legacy|previous|original) (?:[\w-]{1,30} ){0,2}"
    r"[`'\"*_]*$"
    r"|\bno (?:[\w-]{1,30} ){0,2}(?:alias(?:es)?|shims?|equivalents?|replacements?) for (?:the )?[`'\"*_]*(?:[\w-]{1,30} )?$"
    r"|\b(?:rewrit(?:e|ten)|re-?implement(?:ed)?|redone|reworked|rebuilt|refactored) without (?:the |any |an? )?[`'\"*_]*$",
    re.IGNORECASE,
)
"""Directly before the name, this is no claim that the thing is there, however lately it went: "in `a.ts`, not `b.ts`"."""
_TAKEN = re.compile(r"\b(?:removed|deleted|eliminated|dropped)\W{1,4}(?:(?:the|an?|our)\s+)?[`'\"*_]*$", re.IGNORECASE)
_IS_TAKEN = re.compile(
    r"^:?[\d-]{0,12}[`'\"*_]*\s*(?:[(\[]|[—–]|--?(?= ))\s?(?:now |since |was |were )?(?:removed|deleted|retired|gone)\b"
    r"|^`?(?:`[^`]{1,100}`|[\s,()&]|(?:and|or|plus|the|its|their|both|all|suites?|files?|tests?|modules?|helpers?|folders?"
    r"|binary|program|command|service|package|crate|script|tool)\b){0,80}"
    r"(?<![^\s)])(?:was|were|has been|have been) (?:\w{1,20} )?(?:removed|deleted|eliminated|dropped|retired"
    r"|(?:folded|merged|absorbed) (?:in)?to)\b",
    re.IGNORECASE,
)
"""Directly before or behind the name, who wrote it knew that the thing is gone: "removed the `x` function", "`x.go` (removed)",
"`x` — removed", "`x.go`, `y.go` and the tests were retired"."""
_BECAME = re.compile(
    r"^(?:(?!\. )[^;\n]){0,120}?\b(?:later|since|meanwhile|then) (?:stabili[sz]ed|renamed|promoted) (?:as|to|into)\b",
    re.IGNORECASE,
)
"""Behind the name, in the same sentence: "came behind the `unstable_x` flag in 2.9 (later stabilized as `x` in 2.13)"."""
_IS_NEW = re.compile(
    r"^:?[\d-]{0,12}[`'\"*_]*\s*[(\[](?:new(?: files?)?|modified|changed|edited|created|added|updated|deleted)\b(?! in v?\d)",
    re.IGNORECASE,
)
"""Behind a file: a list of what one piece of work made and touched: "`web/panel.ts` (NEW, 140 lines)"."""
_IS_PLANNED = re.compile(
    r"^[`'\"*_)\]]*[^.;\n`]{0,80}[(\[](?:planned|coming soon|to be (?:written|created|added)|tbd|todo|future"
    r"|not yet (?:written|created|there))[)\]]",
    re.IGNORECASE,
)
"""Behind a file, in its entry: "`schema.md` - Database structure (planned)"."""
_FILES_OF_WORK = re.compile(
    r"\bfiles?\W{0,4}\(\s?\d+ (?:new|modified|changed|added|created|touched)\b|\b\d+ new (?:\w{1,20} )?tests? in\b",
    re.IGNORECASE,
)
"""Begins such a list: "Files (4 modified + 1 new)", "5 new unit tests in"."""
_IS_ABSENT = re.compile(
    r"^`?(?:`[^`]{1,100}`|[\s,()&]|(?:and|or|plus|the|its|their|both|all|top-level|files?|tests?|folders?)\b){0,80}"
    r"(?<![^\s)])(?:is|are|must|should) "
    r"(?:not (?:be )?(?:present|there|included|shipped|packaged|committed|tracked)|(?:now |intentionally |deliberately )empty)\b",
    re.IGNORECASE,
)
"""Behind a file: "verify that `tests/` and `demo/` are not present in the wheel"."""
_WAS_UNTIL = re.compile(
    r"\b(?:it|this|that|they|these) (?:was|were|lived in|lay in) (?:the )?[`'\"*_]*$", re.IGNORECASE
)
_UNTIL = re.compile(r"^[`'\"*_]*\s(?:(?!\. )[^;\n]){0,20}?\buntil\b", re.IGNORECASE)
"""Before and behind the name: "It was `ops/git.ts` until the page grew"."""
_PINNED = re.compile(
    r"^[`'\"*_]*\s*[(\[](?:(?:in|at|see) )?(?:commit )?[`'\"]?[0-9a-f]{7,40}[`'\"]?\s?[)\],]", re.IGNORECASE
)
"""Behind a file: the commit in which it can be had."""
_OF_MESSAGES = re.compile(r"\W*(?:[\w-]{1,20} )?(?:scopes?|labels?)\W{0,4}:", re.IGNORECASE)
"""Begins a list of words for messages and tickets: "Scopes: `cli`, `core`, `sync`"."""
_OLD_ONES = re.compile(
    r"\W*(?:old|former|legacy|deprecated|obsolete|removed|superseded) (?:[\w-]{1,20} )?[\w-]{1,20}\W{0,4}:",
    re.IGNORECASE,
)
"""Begins a list of what is not used any more: "Old scripts: `deploy-a.sh`, `deploy-b.sh`"."""
_WITH_THE_OLD = re.compile(
    r"\s*(?:#|//|--|::|REM\b).{0,80}\b(?:old|older|previous|earlier|legacy)\b.{0,40}\b(?:version|release|executable|binary|installation)\b",
    re.IGNORECASE,
)
"""A comment above a command: it is run before one upgrades."""
_COMMENT = re.compile(r"\s*(?:#|//|--|::|REM\b)")
_PERMALINK = re.compile(r"/(?:blob|tree|raw)/[0-9a-f]{40}/")
_TO_MAKE = re.compile(
    r"(?:\bcreat(?:e|ing)\s+(?:(?:a|an|the|new|file)\s+){0,3}|(?:创建|新建|新增)\s*)[`'\"*_]*$", re.IGNORECASE
)
"""Before a file: it is the reader who makes it, or somebody who carried out a plan."""
_TO_MAKE_ONE = (
    r"\bcreat(?:e|ing)\s+(?:a|an|another|your) (?:[\w-]{1,20} ){0,3}(?:file|script|module|folder|directory),? (?:called|named)\s+"
    r"[`'\"*_]*(?:\./)?"
)
"""Before a file: whatever the document says of it, it is the reader's: "Create a new Python file called `query.py`"."""
_MAY_BE_THERE = (
    r"`{name}`(?:(?!\. )[^`\n]){{0,160}}(?:\. )?\b(?:if|when) (?:it|the file|this file|that file|one|they) "
    r"(?:exists?|is (?:present|there|found)|are (?:present|there|found))\b"
    r"|\b(?:if|when) (?:an? |the |your )?`{name}`(?: file| folder| directory)? (?:exists|is (?:present|there|found))\b"
    r"|`{name}`\W{{1,4}}(?:optional|if (?:present|it exists|any|there is one))\b"
)
"""Says of a file that it need not be there: "A `badge_text` file replaces the notice. If it exists …"."""
_PRIVATE = re.compile(r"\bprivate (?:\w+ ){0,2}(?:repo|repos|repository|repositories|monorepo)\b", re.IGNORECASE)
_MIRROR = re.compile(
    r"\b(?:public|filtered|published) (?:mirror|copy|export)\b|\bmirrored publicly\b|\bmirror\b.{0,20}\bfiltered\b",
    re.IGNORECASE,
)
"""A document that tells of both is of the private one, and lies in the public one as well."""
_LINK_WORD = r"(?:if|when|unless|where|while|whose|which|that|with|using|via|by|from|in|on|at|for|to|as|after|before|until|and|or)"
_TO_REMOVE = rf"\b(?:remove|delete|drop|eliminate|get rid of) (?:(?!{_LINK_WORD} )[\w-]+ ){{0,2}}[`'\"*_]*"
"""Before a name: done is done. Not "will delete files if `x` is set", where it is something else that is deleted."""
_INSTANCE = re.compile(
    r"(?:\b(?:like|such as|say,?|for example,?|for instance,?)|\be\.g\.,?)\s*[`\"'(]*$", re.IGNORECASE
)
_RELEASE = r"(?:version )?v?\d+(?:\.x|\.\d+)"
_AFTER = re.compile(
    r"^[`'\"\])*_(]*[, ]*(?:\w+ ){0,3}?(?:(?:which|that) (?:became|was|were|used to|had been|has been removed)|provided by"
    r"|(?:is|are) part of|that (?:comes|ships) with|from the [\w-]+ (?:package|library|module|project)|previously|formerly"
    rf"|(?:from|in) (?:older|earlier|previous)|(?:of|in|from) {_RELEASE}|that \w+ {_RELEASE})",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"\b(?:this|these|that|those|it|they)\b[^.;]{0,60}"
    r"\b(?:no longer (?:exists?|supported|available|works?)|(?:was|were|has been|have been) removed)",
    re.IGNORECASE,
)
_PAGE_OF_THE_GONE = re.compile(
    r"\bthis (?:[\w-]+ )?(?:rule|plug-?in|check|feature|option|setting|command|module|package|class|function|method|api|endpoint"
    r"|extension|integration|provider|driver|component|hook|tool|example|backend|transport)s? "
    r"(?:was|were|has been|have been|is|are) "
    r"(?:now |since )?(?:removed|deleted|retired|discontinued|dropped|no longer (?:available|supported|maintained|part of))\b",
    re.IGNORECASE,
)
"""Above the first section: the page is kept for those who still have the thing."""
_IN_OLD_RELEASES = re.compile(
    rf"\b(?:versions?|releases?)\b[^.;]{{0,30}}\b(?:older|earlier|lower|prior|before|below)\b"
    rf"|\b(?:before|prior to|until) {_RELEASE}\b",
    re.IGNORECASE,
)
"""In the sentence of the name: "Versions of it older than 21.3 have this module as `tool.testing`"."""
_PROJECT = r"(?:project|app(?:lication)?|plugin|package|site|repo(?:sitory)?)"
_GENERATED = re.compile(
    rf"\b(?:boilerplate|scaffold(?:ed|s|ing)?|starter {_PROJECT}|skeleton|(?:generated|new|resulting|created) {_PROJECT}"
    rf"|generat(?:es?|ing) (?:a|an|the|your) (?:new )?(?:\w+ )?{_PROJECT})\b",
    re.IGNORECASE,
)
_ASKS = re.compile(_TO_REMOVE, re.IGNORECASE)
_OF_A_SKILL = uncertain("a skill tells what is to be done in any repository")
_MAKES = re.compile(r"\bgit (?:[-\w=. ]{0,40} )?(?:clone|worktree add|subtree add|submodule add)\b|\b(?:mkdir|touch) ")
_MADE = uncertain("the command makes it")
_KEPT = uncertain("the document tells of a private repository, of which this one is a part")
_REFUSAL = uncertain("the text says that it is not this")
_FUTURE = re.compile(
    r"\W*(?:\d+(?:\.\d+)*\W+)?(?:(?:possible |potential )?future"
    r" (?:enhancement|work|improvement|direction|plan|feature|idea|extension|consideration|addition|development"
    r"|roadmap|release)s?"
    r"|(?:\w+ )?roadmap|.{0,60}\b(?:proposed|propuest[ao]s?|propost[ao]s?|proposée?s?|vorgeschlagene?n?)\b.{0,40}"
    r"|(?:planned|possible|potential|upcoming) (?:feature|enhancement|improvement|addition|extension)s?"
    r"|coming soon|not (?:yet )?implemented(?: yet)?|ideas for (?:the future|later))\W*",
    re.IGNORECASE,
)
"""A section about what may come: that code had it for a while, and took it back, leaves it planned."""
_PLANNED = uncertain("the section tells of what is planned")
_NEAR = 12
"""Blocks before a claim that may say whose project is spoken of."""
_LONGEST = 4_000
_BEHIND = 400
"""Characters behind a mention that are looked at: further names may stand between it and what is said of all of them."""


class Hedges:
    """Whether the text around a claim, or another place of its document, says that the thing is not there."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._kept: dict[str, bool] = {}
        self._gone: dict[str, tuple[str, ...]] = {}
        """Of each document the texts that say of anything that it is gone: few, and a long one is asked about many names."""

    def cover(self, claim: Claim) -> bool:
        """The claim is taken back, or never was one about the code as it is."""
        document = self._documents.get(claim.file)
        if document is None:
            return False
        position = document.position(claim.line)
        if position >= 0 and _is_denied(claim, document.blocks[position]):
            return True
        if self._is_of_the_gone(document):
            return True
        following = document.blocks[position + 1 : position + 2]
        if any(block.kind == "paragraph" and _ANAPHORA.search(block.text[:200]) for block in following):
            return True
        return self._says_it_is_gone(claim, document)

    def _is_of_the_gone(self, document: Document) -> bool:
        """The page says at its top that what it describes was removed."""
        if document.path not in self._kept:
            self._kept[document.path] = any(
                _PAGE_OF_THE_GONE.search(text[:_LONGEST]) for text in lead_of(document.blocks)
            )
        return self._kept[document.path]

    def _says_it_is_gone(self, claim: Claim, document: Document) -> bool:
        """Some place of the document tells that the thing was removed: the mention is about the past."""
        if claim.file not in self._gone:
            prose = (block.text[:_LONGEST].lower() for block in document.blocks if block.kind != "code")
            self._gone[claim.file] = tuple(text for text in prose if _ANYTHING_GONE.search(text))
        name = _name(claim).lower()
        texts = [text for text in self._gone[claim.file] if name in text]  # a hundred times faster than the pattern
        if not texts:
            return False
        name = re.escape(name)
        told = re.compile(
            rf"(?<![\w-]){name}(?![\w-])[^.;]{{0,60}}\b(?:was|were|been|is|are|now) (?:\w+ )?{_GONE}\b"
            rf"|\b(?:removed|deleted|eliminated|dropped|renamed|replaced)\W{{1,4}}(?:the )?[`'\"]?{name}(?![\w-])",
        )
        return any(told.search(text) for text in texts)


def doubt_refused(judged: Sequence[Judged], documents: Mapping[str, Document]) -> list[Judged]:
    """The judgements, with doubt cast on what the text names only to say that it is another thing which is meant."""
    asking: dict[str, tuple[str, ...]] = {}
    drifted = [(c, j) for c, j in judged if j.verdict is Verdict.DRIFTED]
    refused = {id(c): _REFUSAL for c, _ in drifted if _is_refused(c, documents, asking)}
    planned = (c for c, _ in drifted if c.form not in ("link", "image") and any(map(_FUTURE.fullmatch, c.section)))
    refused.update((id(c), _PLANNED) for c in planned)
    filtered = _of_what_is_filtered(drifted, documents)
    refused.update((id(c), _KEPT) for c in filtered)
    made = (c for c, _ in drifted if c.kind == "path" and c.form not in ("link", "image") and _is_made(c, documents))
    refused.update((id(c), _MADE) for c in made)
    # A skill that tells how Go is written names what any program has; that ours has it no more says nothing.
    refused.update(
        (id(c), _OF_A_SKILL)
        for c, j in drifted
        if is_skill(c.file) and (j.why is Why.WORD_GONE or c.kind == "configkey")
    )
    return [(c, refused.get(id(c), j)) for c, j in judged]


def _is_refused(claim: Claim, documents: Mapping[str, Document], asking: dict[str, tuple[str, ...]]) -> bool:
    document = documents.get(claim.file)
    if document is None or claim.kind == "anchor" or claim.form in ("link", "image"):
        return False
    if claim.kind == "symbol":
        if claim.file not in asking:
            asking[claim.file] = _texts_that_ask(document)
        if _is_to_be_removed(claim, asking[claim.file]):
            return True
    if claim.kind == "path" and (_is_to_be_made(claim, document) or _may_be_there(claim, document)):
        return True
    block = document.block_at(claim.line)
    if block is None:
        return False
    if claim.kind == "command" and (_OF_MESSAGES.match(block.text[:80]) or _is_of_an_old_release(claim, block)):
        return True
    if block.kind in ("item", "paragraph") and _OLD_ONES.match(block.text[:80]):
        return True
    return _is_of_a_commit(block) or _every_mention(
        claim,
        block,
        lambda before, after: bool(
            _REFUSED.search(before)
            or _TAKEN.search(before)
            or _IS_TAKEN.match(after)
            or _BECAME.match(after)
            or (_WAS_UNTIL.search(before) and _UNTIL.match(after))
            or (claim.kind == "path" and _is_of_a_list_of_work(before, after))
        ),
    )


def _is_to_be_made(claim: Claim, document: Document) -> bool:
    """Some place of the document tells the reader to make a file of this name."""
    told = re.compile(_TO_MAKE_ONE + re.escape(claim.text.removeprefix("./")) + r"(?![\w/-])", re.IGNORECASE)
    texts = (block.text[:_LONGEST] for block in document.blocks if block.kind != "code")
    return any(told.search(text) for text in texts if claim.text in text)


def _may_be_there(claim: Claim, document: Document) -> bool:
    """Some place of the document says that there need not be such a file."""
    told = re.compile(_MAY_BE_THERE.format(name=re.escape(claim.text)), re.IGNORECASE)
    texts = (block.text[:_LONGEST] for block in document.blocks if block.kind != "code")
    return any(told.search(text) for text in texts if f"`{claim.text}`" in text)


def _of_what_is_filtered(drifted: Sequence[Judged], documents: Mapping[str, Document]) -> list[Claim]:
    """Links that never led anywhere, in documents that lie in the public mirror of a private repository as well."""
    dead = [c for c, j in drifted if c.kind == "path" and not any(item.commit for item in j.evidence)]
    mirrored = {path for path in {c.file for c in dead} if path in documents and _is_of_a_mirror(documents[path])}
    return [claim for claim in dead if claim.file in mirrored]


def _is_of_a_mirror(document: Document) -> bool:
    texts = [block.text[:_LONGEST] for block in document.blocks]
    return any(map(_MIRROR.search, texts)) and any(map(_PRIVATE.search, texts))


def _is_of_a_list_of_work(before: str, after: str) -> bool:
    """A file that is to be made, that one commit had, that some work made or touched, or that is said not to be there."""
    return bool(
        _TO_MAKE.search(before)
        or _PINNED.match(after)
        or _IS_NEW.match(after)
        or _IS_ABSENT.match(after)
        or _IS_PLANNED.match(after)
        or _FILES_OF_WORK.search(before)
    )


def _is_of_a_commit(block: Block) -> bool:
    """An entry that leads to a file as one commit had it: `| name | [a.ts](…/blob/<40 digits>/a.ts#L79) |`."""
    return block.kind in ("row", "item") and any(
        inline.kind == "link" and _PERMALINK.search(inline.text[:500]) for inline in block.every_inline()
    )


def _is_of_an_old_release(claim: Claim, block: Block) -> bool:
    """The comment above the command, or above those that it stands among, says that an old release runs it."""
    above = [line.text[:_LONGEST] for line in block.lines if line.line < claim.line]
    comment = next((text for text in reversed(above) if not text.strip() or _COMMENT.match(text)), "")
    return _WITH_THE_OLD.match(comment) is not None


def _is_made(claim: Claim, documents: Mapping[str, Document]) -> bool:
    """`git submodule add URL .tool/kit`, `mkdir build`: who runs it has the folder afterwards."""
    document = documents.get(claim.file)
    block = document.block_at(claim.line) if document is not None else None
    lines = block.lines if block is not None else ()
    return any(line.line == claim.line and _MAKES.search(line.text[:_LONGEST]) for line in lines)


def _texts_that_ask(document: Document) -> tuple[str, ...]:
    """Those that ask that anything be removed: few, and a long document is asked about many names."""
    texts = (block.text[:_LONGEST] for block in document.blocks if block.kind != "code")
    return tuple(text for text in texts if _ASKS.search(text))


def _is_to_be_removed(claim: Claim, texts: Iterable[str]) -> bool:
    """The document asks that the thing be removed: a list of what is to be done, which was done."""
    name = _name(claim)
    found = [text for text in texts if name in text]
    return bool(found) and any(
        map(re.compile(_TO_REMOVE + re.escape(name) + r"(?![\w-])", re.IGNORECASE).search, found)
    )


def is_of_generated_project(claim: Claim, documents: Mapping[str, Document]) -> bool:
    """The section speaks of a project that a tool makes for its user: scripts and files there are that project's."""
    document = documents.get(claim.file)
    if document is None:
        return False
    position = document.position(claim.line) + 1
    for block in reversed(document.blocks[max(0, position - _NEAR) : position]):
        if block.section != claim.section:
            break
        if _GENERATED.search(block.text[:_LONGEST]):
            return True
    return bool(claim.section) and _GENERATED.search(claim.section[-1]) is not None


def _is_denied(claim: Claim, block: Block) -> bool:
    return _every_mention(
        claim,
        block,
        lambda before, after: bool(
            _BEFORE.search(before)
            or _INSTANCE.search(before)
            or _AFTER.match(after)
            or _IN_OLD_RELEASES.search(before.rpartition(". ")[2])
        ),
    )


def _every_mention(claim: Claim, block: Block, holds: Callable[[str, str], bool]) -> bool:
    """It holds of the words before and after every mention of the claim in the block, and there is one.

    `@tool/admin-kit` is no mention of `tool/admin`.
    """
    if block.kind == "code":
        return False
    text = block.text[:_LONGEST]
    whole = re.compile(rf"(?<![\w@]){re.escape(claim.text)}(?![\w-]*\w)")
    places = [(match.start(), match.end()) for match in whole.finditer(text)]
    return bool(places) and all(holds(text[max(0, at - 90) : at], text[end : end + _BEHIND]) for at, end in places)


def _name(claim: Claim) -> str:
    """What a text would call the thing by: the last part of a path or of a dotted name."""
    if claim.kind == "path":
        return claim.text.rstrip("/").rpartition("/")[2]
    return re.split(r"[.#:]", claim.text)[-1] or claim.text
