"""Settings whose field in Go only changed its case: `HttpPort` is the key of `HTTPPort` as it was of `HttpPort`.

Go's decoders, of JSON as of the libraries for settings, find a field by its name without regard to case, and linters have names
written anew for nothing but the case. PHP finds functions, methods and classes so. What is given up: a field that a table lists and
code of the reader's names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.filesnow import facts_now
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_KINDS = frozenset({"symbol", "configkey"})
_DATA = frozenset({"", "yaml", "yml", "json", "toml", "ini"})
_ANY_CASE = uncertain(
    "only the case of its field is another now, and Go finds a setting in whatever case it is written"
)

_OF_PHP = uncertain("only its case is another now, and PHP finds it in whatever case it is written")


def doubt_mere_case(judged: Sequence[Judged], world: World) -> list[Judged]:
    """The judgements, in doubt where a field of Go, or a name of PHP, is called gone that is there in another case."""
    return [(c, _ANY_CASE if _is_there(c, j, world) else _OF_PHP if _is_php(c, j, world) else j) for c, j in judged]


def _is_php(claim: Claim, judgement: Judgement, world: World) -> bool:
    """Functions, methods and classes of PHP are called in whatever case one likes."""
    if judgement.verdict is not Verdict.DRIFTED or claim.kind != "symbol":
        return False
    paths = {item.file for item in judgement.evidence if item.file}
    if not paths or not all(path.endswith(".php") for path in paths):
        return False
    name = (judgement.subject or claim.subject).rpartition(".")[2].lower()
    return any(known.lower() == name for known in world.index.definitions)


def _is_there(claim: Claim, judgement: Judgement, world: World) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or claim.kind not in _KINDS or claim.language not in _DATA:
        return False
    if "(" in claim.text or (claim.form == "example" and not claim.language):
        return False
    name = (judgement.subject or claim.subject).rpartition(".")[2].lower()
    paths = {item.file for item in judgement.evidence if item.file}
    if not paths or not all(path.endswith(".go") for path in paths):
        return False
    return all(
        path in world.files and _has_field(name, facts_now(world, path)) and not _is_called_otherwise(name, path, world)
        for path in paths
    )


def _is_called_otherwise(name: str, path: str, world: World) -> bool:
    """A tag gives the field another name: `FailStatus int `json:"failCode"``."""
    tagged = re.compile(
        rb"(?im)^\s*%s\s[^`\n]{0,200}`[^`\n]{0,200}\b[a-z]{2,20}:\"([\w.-]{1,80})" % re.escape(name.encode())
    )
    found = [tag[1].decode().lower() for tag in tagged.finditer(world.tree.read(path, SOURCE_LIMIT))]
    return bool(found) and name not in found


def _has_field(name: str, facts: FileFacts | None) -> bool:
    """Decoders see the fields that Go exports; beside a method that went, a field of its own may be called like it."""
    found = facts.definitions if facts is not None else ()
    return any(d.kind == "field" and d.name[:1].isupper() and d.name.lower() == name for d in found)
