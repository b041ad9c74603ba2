"""Finds commands in documents: scripts and targets that a runner is to run, programs, sub-commands, modules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

import msgspec

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.options.common import UBIQUITOUS_PROGRAMS
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.command.extras import extras_of
from docalign_actors.engine.kinds.command.runners import RUNNERS
from docalign_actors.engine.kinds.option.text import owner_of
from docalign_actors.engine.kinds.shared.programs import inside_container, invocation, launched
from docalign_actors.engine.kinds.shared.shell import (
    LINE_LIMIT,
    Call,
    Word,
    calls_of_block,
    calls_of_span,
    is_certain_shell,
    is_shell,
)
from docalign_actors.engine.kinds.shared.spellings import identifiers, parts

_NAME = re.compile(r"[A-Za-z0-9@_][\w:./@+-]*\Z")
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*\Z")
_ENGLISH = frozenset(
    [
        "sure", "it", "the", "a", "an", "this", "that", "these", "those", "your", "you", "use", "sense", "and", "or", "to",
        "for", "in", "on", "of", "with", "them", "all", "is", "are", "be", "any", "some", "changes", "up"
    ]
)  # fmt: skip
_CLAIM_NOUN = re.compile(
    r"\W{0,3}\s{0,2}(?:(?:management|CLI|console) )?(?:sub-?commands?|commands?|scripts?|targets?|tasks?|recipes?|sessions?)\b",
    re.IGNORECASE,
)
_NOUN_BEFORE = re.compile(
    r"\b(?:sub-?commands?|npm scripts?|make targets?|targets?|recipes?|scripts?)\s{1,2}\Z", re.IGNORECASE
)
_LISTING = re.compile(r"\b(?:sub-?commands?|commands?|scripts?|targets?|tasks?|recipes?|make|npm)\b", re.IGNORECASE)
_PLAIN_VALUES = frozenset(
    {"true", "false", "none", "null", "int", "str", "string", "bool", "float", "number", "dict", "object", "default"}
)
_HEADING_COMMAND = re.compile(r"[a-z][\w.-]*(?: [a-z<\[-][\w.:<>\[\]-]*){1,4}\Z")
_HELP_TITLE = re.compile(
    r"\s{0,4}(?:(?:available|main|core|basic|other|additional|management|the) ){0,2}(?:sub)?commands(?: are)?:\s*$",
    re.IGNORECASE,
)
_HELP_COMMAND = re.compile(r"\s{1,8}(?P<name>[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*)(?:,\s[\w-]+)?(?:\s\s+|\t+)\S")
_PROSE_RUN = re.compile(r"\b(?:npm|pnpm|yarn|bun) run(?:-script)? ([A-Za-z][\w:.-]*[\w])")


def command_claims(document: Document) -> Iterator[Claim]:
    """Every command that a document tells the reader to run, and every one that it lists."""
    found = list(_claims(document))
    if not _speaks_of_programs(document):
        # A word alone may be a command where another place of the document calls it one.
        called = {claim.text for claim in found if claim.value == "bare"}
        found = [claim for claim in found if claim.value != "word" or claim.text in called]
    return iter(found)


def _claims(document: Document) -> Iterator[Claim]:
    for block in document.blocks:
        if block.kind == "code":
            if is_shell(block):
                calls = calls_of_block(block)
                certain = bool(calls) and is_certain_shell(block)
                for call in calls:
                    yield from _from_call(document, block, call, "shell", -block.line, certain=certain)
            yield from _from_help(document, block)
            continue
        previous = ""
        inlines = list(block.every_inline())
        for at, inline in enumerate(inlines):
            following = inlines[at + 1].text if at + 1 < len(inlines) and inlines[at + 1].kind == "text" else ""
            if inline.kind == "code":
                yield from _from_span(document, block, inline, previous, following, first=at == 0)
            elif inline.kind == "text":
                yield from _from_prose(document, block, inline)
            previous = inline.text if inline.kind == "text" else ""


def _speaks_of_programs(document: Document) -> bool:
    """Some command of the document has what may be a sub-command: a word alone may then be one too."""
    for block in document.blocks:
        if block.kind == "code" and is_shell(block):
            calls = calls_of_block(block)
        else:
            calls = [c for i in block.every_inline() if i.kind == "code" and " " in i.text for c in calls_of_span(i)]
        for call in calls:
            run = invocation(call)
            if (
                run is not None
                and run.name not in UBIQUITOUS_PROGRAMS
                and run.arguments
                and _SUB_COMMAND.match(run.arguments[0].text)
            ):
                return True
    return False


def _from_help(document: Document, block: Block) -> Iterator[Claim]:
    """Help output lists its commands below a title: `Available Commands:`, each with what it does."""
    listing = False
    for line in block.lines if any("ommands" in line.text or "OMMANDS" in line.text for line in block.lines) else ():
        text = line.text[:LINE_LIMIT]
        if _HELP_TITLE.match(text):
            listing = True
        elif not text.strip() or not text.startswith((" ", "\t")):
            listing = listing and not text.strip()
        elif listing and (match := _HELP_COMMAND.match(text)) is not None and match["name"] not in _ENGLISH:
            word = Word(match["name"], line.line, line.column + match.start("name"))
            yield _claim(
                document, block, word, "help", subject=word.text, owner="", folder="", value="bare", group=-block.line
            )


def _claim(
    document: Document,
    block: Block,
    word: Word,
    form: str,
    *,
    subject: str,
    owner: str,
    folder: str,
    value: str = "",
    group: int = 0,
) -> Claim:
    longest = max(parts(word.text) or ("",), key=len)
    words = tuple(dict.fromkeys([*identifiers(word.text)[:4], *([longest] if len(longest) > 2 else [])]))
    return Claim(
        "command", subject, word.text, document.path, word.line, word.column, form=form, value=value, owner=owner,
        section=block.section,
        context=folder, words=words, group=group or block.group, hypothetical=block.hypothetical,
    )  # fmt: skip


def _from_span(
    document: Document, block: Block, inline: Inline, previous: str, following: str, *, first: bool
) -> Iterator[Claim]:
    text = inline.text[:LINE_LIMIT]
    if " " in text.strip():
        for call in calls_of_span(inline):
            yield from _from_call(document, block, call, "command", block.group, certain=True)
        return
    if not _SUB_COMMAND.match(text) or text in _ENGLISH:
        return
    listed = (
        first
        and block.kind in ("item", "row", "heading")
        and any(_LISTING.search(title) for title in block.section[-2:])
    )
    headed = any(cell.inlines[:1] == (inline,) and _LISTING.search(cell.header) for cell in block.cells)
    if listed or headed or _CLAIM_NOUN.match(following[:40]) or _NOUN_BEFORE.search(previous[-40:]):
        yield _bare(document, block, inline, "bare")
    elif len(text) > 2 and "_" not in text and ":" not in text and text not in _PLAIN_VALUES:
        yield _bare(document, block, inline, "word")


def _bare(document: Document, block: Block, inline: Inline, value: str) -> Claim:
    word = Word(inline.text, inline.line, inline.column)
    return _claim(document, block, word, "span", subject=inline.text, owner="", folder="", value=value)


def _from_prose(document: Document, block: Block, inline: Inline) -> Iterator[Claim]:
    for match in _PROSE_RUN.finditer(inline.text[:LINE_LIMIT]) if " run" in inline.text else ():
        word = Word(match[1], inline.line, inline.column + match.start(1))
        yield _claim(document, block, word, "prose", subject=f"npm {match[1]}", owner="npm", folder="", value="script")
    if block.kind == "heading" and len(block.inlines) == 1 and _SUB_COMMAND.match(inline.text):
        yield _bare(document, block, inline, "word")
    if block.kind == "heading" and _HEADING_COMMAND.match(inline.text):
        for call in calls_of_span(inline):
            yield from _from_call(document, block, call, "heading", block.group, certain=False)


def _from_call(
    document: Document, block: Block, call: Call, form: str, group: int, *, certain: bool
) -> Iterator[Claim]:
    through = launched(call)
    if through is not None and through.program in RUNNERS:
        call = through
    inner = _through_own_script(call)
    if inner is not None:
        named = _from_call(document, block, inner, form, group, certain=certain)
        yield from (msgspec.structs.replace(c, value="weak") for c in named if c.value in ("script", "weak"))
    program = posixpath.basename(call.program)
    for word, runner, folder in extras_of(call):
        yield _claim(
            document, block, word, form,
            subject=f"{runner} {word.text}", owner=runner, folder=folder, value="script", group=group,
        )  # fmt: skip
    reader = RUNNERS.get(program)
    if reader is not None:
        for word, runner, folder in reader(call):
            if word.plain and _NAME.match(word.text) and word.text.lower() not in _ENGLISH:
                value = "weak" if runner.endswith("?") else "script"
                runner = runner.rstrip("?")
                yield _claim(
                    document, block, word, form,
                    subject=f"{runner} {word.text}", owner=runner, folder=folder, value=value, group=group,
                )  # fmt: skip
        inner = inside_container(call)
        if inner is not None:
            yield from _from_call(document, block, inner, form, group, certain=certain)
        if program not in ("poetry", "uv", "pdm", "hatch", "rye", "pipenv", "cargo"):
            return
    run = invocation(call)
    if (
        run is None
        or not run.word.plain
        or run.name in _ENGLISH
        or (run.kind == "name" and (run.name in UBIQUITOUS_PROGRAMS or run.name in RUNNERS))
    ):
        return
    if run.kind == "module":
        yield _claim(
            document,
            block,
            run.word,
            form,
            subject=run.name,
            owner="python -m",
            folder=call.folder,
            value="module",
            group=group,
        )
    # A block without a language may show anything, but a name of two parts (`tool-serve`) is no word of a text.
    sure = certain or (form == "shell" and "-" in run.name)
    if run.kind == "name" and run.word.text == run.name and sure and (run.arguments or form == "shell"):
        yield _claim(
            document,
            block,
            run.word,
            form,
            subject=run.name,
            owner="program",
            folder=call.folder,
            value="program",
            group=group,
        )
    yield from _sub_commands(document, block, run.arguments, owner_of(run), call.folder, form, group, certain)


def _through_own_script(call: Call) -> Call | None:
    """`./indocker composer lint`: a script of the repository that runs what it is given, in a container say.

    That it does is not known. So only what was a script once, and is none now, is missed.
    """
    through = "/" in call.program and len(call.words) > 2 and call.words[1].text in RUNNERS
    return Call(call.words[1:], call.folder) if through else None


def _sub_commands(
    document: Document,
    block: Block,
    arguments: tuple[Word, ...],
    owner: str,
    folder: str,
    form: str,
    group: int,
    certain: bool,
) -> Iterator[Claim]:
    """The words right after the program's name, as long as they look like sub-commands."""
    path: list[str] = []
    flag = ""
    for position, word in enumerate(arguments):
        if word.text.startswith("-"):
            flag = word.text
            continue
        if (
            len(path) >= (3 if certain else 2)
            or (word.text in _ENGLISH and not (certain and path))
            or not word.plain
            or not _SUB_COMMAND.match(word.text)
        ):
            return
        # The word after a flag may be the flag's value.
        value = "first" if position == 0 else f"after {flag}" if flag and "=" not in flag else "later"
        flag = ""
        yield _claim(
            document, block, word, form,
            subject=" ".join([owner, *path, word.text]), owner=owner, folder=folder, value=value, group=group,
        )  # fmt: skip
        path.append(word.text)
