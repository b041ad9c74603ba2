"""Options that a change is to be blamed for: a parser must be seen to have dropped them.

That a file declared an option and does not any more is no evidence by itself: a library, another package or a declaration that
is not read may take it now. Evidence is what is left of the declaration. The file, or another one, still takes some of the options
that stood beside it, its own letter, or new ones in their place; or the file went whole with the sub-command that took them. A file
that names the option yet, in a help text or to another library than before, may take it as well. What is given up: a program that
had a single option, or dropped all of them at once, and goes on without any; an option that only a stale help text has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docalign_actors.engine.claims import Claim, Judgement, uncertain
from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.judging import Judged
from docalign_actors.engine.kinds.shared.filesnow import facts_now, is_quoted_in_code, is_told_in_code
from docalign_actors.engine.kinds.shared.spellings import normal, parts
from docalign_actors.engine.ondemand import FactsOnDemand
from docalign_actors.engine.ports import Tree
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict

_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_WRITTEN = re.compile(rb"[\"'`]--?[A-Za-z][\w-]*")
"""A flag as a parser that no collector reads is given it."""
_TOKEN = re.compile(rb"[A-Za-z][\w-]+")
_OWN = re.compile(r"\.|(?:crate|self|super|std|core)\b|node:|[@~]/|$")
"""Modules that are the package's own or the language's: which of them a file takes in says nothing of its parser."""
_STRING = re.compile(rb"[\"'`]([A-Za-z][\w-]*)[\"'`]")
_MOST_ASKED = 8
_COMMON = frozenset({"--help", "--version", "--verbose", "--quiet", "--debug", "--config", "--output"})
"""Options that nearly every program takes: that one is told of elsewhere is no sign of the same parser."""
_UNSEEN = uncertain("no parser is seen to have dropped it: a library or a declaration that is not read may take it")


def doubt_unseen_options(judged: Sequence[Judged], base: Tree, facts: FactsOnDemand, world: World) -> list[Judged]:
    """The judgements, in doubt where an option is called gone and nothing is left of the declaration that held it.

    `facts` are those of the base.
    """
    return [(c, _UNSEEN if _is_unseen(c, j, base, facts, world) else j) for c, j in judged]


def _is_unseen(claim: Claim, judgement: Judgement, base: Tree, facts: FactsOnDemand, world: World) -> bool:
    if judgement.verdict is not Verdict.DRIFTED or judgement.rule != "unknown-option":
        return False
    paths = [item.file for item in judgement.evidence if item.file in base.entries]
    if any(_is_held(claim.subject, path, world) for path in paths):
        return True
    if judgement.fix is not None and judgement.fix.safe:
        return False  # another name stands in its place
    return bool(paths) and not any(_dropped(claim.subject, path, base, facts, world) for path in paths)


def _is_held(subject: str, path: str, world: World) -> bool:
    """The file has a constant with the option's name now, which the parser may be given: `HOME_OPTION = "profiler-home"`."""
    name = subject.lstrip("-")
    if path not in world.files or len(parts(name)) == 1:
        return False
    held = re.compile(
        rb"\b[A-Za-z]\w{1,80}[ \t]*(?::[ \t]*[\w&']{1,40}[ \t]*)?=[ \t]*[\"'`](?:--)?"
        + re.escape(name.encode())
        + rb"[\"'`]"
    )
    return held.search(world.tree.read(path, SOURCE_LIMIT)) is not None


def _dropped(subject: str, path: str, base: Tree, facts: FactsOnDemand, world: World) -> bool:
    """What is left of the file's options, here or elsewhere, is without this one."""
    then, now = facts.of((path, base.entries[path].oid)), facts_now(world, path)
    flags = _names(then)
    if not flags:  # declared in a way that no collector reads
        return _is_written_beside(path, base, world)
    if path in world.files and _is_named_still(subject, then, now, world.tree.read(path, SOURCE_LIMIT)):
        return False
    taken = _names(now) if now is not None else frozenset[str]()
    own = _own_names(subject, then)
    others = flags - own
    if taken - flags or taken & others or taken & own - {subject, *_FLAG.findall(subject)}:
        return True  # also where the letter that stood for it is left
    if _is_declared(subject, world) or _is_told(subject, world):
        return False  # some text of the code has it yet, where no parser is read
    telling = sorted((flag for flag in others if flag not in _COMMON), key=len, reverse=True)[:_MOST_ASKED]
    if any(_is_declared(flag, world) or ("-" in flag[2:] and _is_told(flag, world)) for flag in telling):
        return True
    commands = {command.name for command in then.commands} | {o.command.split()[-1] for o in then.options if o.command}
    return path not in world.files and bool(commands) and commands.isdisjoint(world.index.commands)


def _is_named_still(subject: str, then: FileFacts, now: FileFacts | None, data: bytes) -> bool:
    """The file has the very flag in a text yet; or another library reads its options now, and it has the name as a string,
    or in any spelling if it is of several words.
    """
    flags = [flag for flag in _FLAG.findall(subject) if len(flag) > 1]
    if any(re.search(rb"(?<![\w-])" + re.escape(flag.encode()) + rb"(?![\w-])", data) for flag in flags):
        return True
    if now is None or not _is_read_otherwise(then, now):
        return False
    names = {flag.lstrip("-") for flag in _own_names(subject, then)}
    words = {normal(word.decode()) for word in _TOKEN.findall(data)}
    strings = {word.decode() for word in _STRING.findall(data)}
    told = {name for name in names if name in strings or (len(parts(name)) > 1 and normal(name) in words)}
    # A letter alone is too little: `open(path, "r")`.
    return any(len(name) > 1 for name in told) and told.issuperset(flag.lstrip("-") for flag in flags)


def _is_read_otherwise(then: FileFacts, now: FileFacts) -> bool:
    """The file takes in another package than it did, and one that it took in no more."""
    before, after = ({m for e in facts.imports if not _OWN.match(m := e.module)} for facts in (then, now))
    return bool(before - after) and bool(after - before)


def _names(facts: FileFacts) -> frozenset[str]:
    return frozenset(name for option in facts.options if not option.literal for name in option.names)


def _own_names(subject: str, facts: FileFacts) -> frozenset[str]:
    flags = set(_FLAG.findall(subject)) | {subject}
    return frozenset(n for option in facts.options if not flags.isdisjoint(option.names) for n in option.names) | flags


def _is_declared(flag: str, world: World) -> bool:
    """Own code declares the option, wherever it does so now."""
    return any(not located.fact.literal for located in world.index.options.get(flag, ()))


def _is_told(flag: str, world: World) -> bool:
    """Some text of the code has the flag, or a string its name."""
    return flag.startswith("--") and (is_told_in_code(world, flag) or is_quoted_in_code(world, flag[2:]))


def _is_written_beside(path: str, base: Tree, world: World) -> bool:
    """The file, which had flags as strings, has some of them still, or had none but names of another form."""
    then = set(_WRITTEN.findall(base.read(path, SOURCE_LIMIT)))
    if not then or path not in world.files:
        return True
    return bool(set(_WRITTEN.findall(world.tree.read(path, SOURCE_LIMIT))))
