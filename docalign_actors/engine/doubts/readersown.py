"""What a document says its readers have: `.travis.yml` or `gulpfile.js` alone, in a page for users, is one of theirs.

So is `tool.toml`, which the program `tool` looks for in a folder of theirs, or any file that lay in a folder here and that code
still looks for by its mere name (`.node-version`), what an example that begins with its path shows (`// test/setup.js`),
and whatever is called so: "your native `sendmail`".
That this repository had one too says nothing of it. Pages for those who work here, and paths with a folder, are not meant, nor is
what only "your" or "your own" stands before: "add this to your `STYLES`", "your own `Handler`" may be of ours.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.documents.model import Inline
from docalign_actors.engine.judging import LINKS, Judged
from docalign_actors.engine.kinds.path.names import is_readers_own
from docalign_actors.engine.kinds.symbol.kind import YOURS
from docalign_actors.engine.lost.commands import own_names
from docalign_actors.engine.lost.still import still_written
from docalign_actors.engine.roles import is_for_other_tools, is_hidden_settings
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_THEIRS = uncertain("it is said of what the reader has")
_OWN = re.compile(
    r"\b(?:your|their|the reader'?s|the user'?s)\s+(?:native|local|(?:operating[- ])?system'?s?"
    r"|distribution'?s?|platform'?s?)(?:\s+[a-z]{2,20})?\s*[`'\"*_]{0,3}$",
    re.IGNORECASE,
)
_NAMES = frozenset({"symbol", "configkey", "command", "option", "environment", "path"})
_NEAR = 80
_TITLE = re.compile(r"\s{0,8}(?://|#|--|;|/\*|<!--|\{/\*)\s{0,4}(?P<path>[\w.@/-]{3,70})\s{0,4}(?:\*/\}?|-->)?\s{0,8}")
"""The comment above an example that tells the file it is of: `// test/setup.js`."""
_COMPOSED = re.compile(r"(?:docker-)?compose(?:[.-][\w-]{1,40})?\.ya?ml")
"""What those who run a service write for themselves, as its manual shows."""
_OF_EVERY_PROJECT = re.compile(
    r"(?:tox|mypy|pytest)\.ini|setup\.cfg|pyproject\.toml|package\.json|conftest\.py|tsconfig[\w.-]{0,40}\.json"
)
"""What tools read in every project that uses them."""
_SETTINGS = frozenset((".toml", ".yml", ".yaml", ".json", ".json5", ".ini", ".conf", ".cfg"))


def doubt_readers_settings(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where all that went is this repository's own file of a kind that its users have too."""
    return [
        (
            c,
            _THEIRS
            if j.verdict is Verdict.DRIFTED
            and (_stands_for_theirs(c, j) or _is_called_theirs(c, world) or _is_theirs(c, j, world))
            else j,
        )
        for c, j in judged
    ]


def _stands_for_theirs(claim: Claim, judgement: Judgement) -> bool:
    """`MyAgentState`, `.env.local`, `./requirements.txt`: whose it is, the name itself says."""
    if claim.kind == "symbol":
        return YOURS.match(claim.subject.rpartition(".")[2]) is not None
    named = claim.kind == "path" and claim.form not in LINKS and judgement.fix is None
    return named and is_readers_own(claim.text, claim.text.strip("/").removeprefix("./"))


def _is_called_theirs(claim: Claim, world: World) -> bool:
    """The words right before it say whose it is."""
    document = world.documents.get(claim.file)
    if claim.kind not in _NAMES or claim.form in LINKS or document is None:
        return False
    block = document.block_at(claim.line)
    if block is None or block.kind == "code":
        return False
    inlines = [i for i in block.every_inline() if i.kind in ("text", "code")]
    at = next((n for n, i in enumerate(inlines) if i.line == claim.line and _holds(i, claim)), None)
    if at is None:
        return False
    before = " ".join(i.text for i in inlines[max(0, at - 4) : at])
    return _OWN.search(f"{before} {inlines[at].text[: claim.column - inlines[at].column]}"[-_NEAR:]) is not None


def _holds(inline: Inline, claim: Claim) -> bool:
    return inline.column <= claim.column < inline.column + len(inline.text)


def _is_shown_to_be_written(claim: Claim, world: World) -> bool:
    """An example of the page begins with a comment that is nothing but this path: it shows what the reader writes there."""
    document = world.documents.get(claim.file)
    firsts = (b.lines[0].text[:_NEAR] for b in (document.blocks if document else ()) if b.kind == "code" and b.lines)
    titles = (_TITLE.fullmatch(first) for first in firsts)
    return any(title is not None and title["path"].removeprefix("./") == claim.subject for title in titles)


def _is_theirs(claim: Claim, judgement: Judgement, world: World) -> bool:
    if claim.kind != "path" or claim.form in ("link", "image"):
        return False
    if audience(claim.file) is Audience.USERS and _is_shown_to_be_written(claim, world):
        return True
    settings = is_hidden_settings(claim.subject) or is_for_other_tools(claim.subject)
    settings = settings or any(p.fullmatch(claim.subject) is not None for p in (_COMPOSED, _OF_EVERY_PROJECT))
    if settings and "/" not in claim.subject and audience(claim.file) is Audience.USERS:
        return True
    stem, suffix = posixpath.splitext(claim.text.lstrip(".").lower())
    # Told by its name alone, although the one that went lay in a folder: it is looked for elsewhere.
    if f"`{claim.text}`" in judgement.message or audience(claim.file) is Audience.WORKERS:
        return False
    if suffix in _SETTINGS and stem in own_names(world):
        return True
    return "/" not in claim.text and judgement.fix is None and bool(still_written([claim.text], world))
