"""Finds commands in documents: scripts and targets that a runner is to run, programs, sub-commands, modules."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.options.common import UBIQUITOUS_PROGRAMS
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.option_text import owner_of
from docalign_actors.engine.kinds.programs import invocation
from docalign_actors.engine.kinds.shell import (
    LINE_LIMIT,
    UNKNOWN_FOLDER,
    Call,
    Word,
    calls_of_block,
    calls_of_span,
    is_certain_shell,
    is_shell,
)
from docalign_actors.engine.kinds.spellings import identifiers, parts

Named = tuple[Word, str, str]
"""(the word, its runner, the folder)"""

_NAME = re.compile(r"[A-Za-z0-9@_][\w:./@+-]*\Z")
_SUB_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*\Z")
_ENGLISH = frozenset(
    [
        "sure", "it", "the", "a", "an", "this", "that", "these", "those", "your", "you", "use", "sense", "and", "or", "to",
        "for", "in", "on", "of", "with", "them", "all", "is", "are", "be", "any", "some", "changes", "up"
    ]
)  # fmt: skip
_NPM_BUILT_IN = frozenset(
    [
        "install", "i", "ci", "add", "remove", "rm", "uninstall", "update", "upgrade", "up", "outdated", "audit", "publish",
        "pack", "link", "unlink", "login", "logout", "init", "create", "config", "cache", "version", "view", "info", "search",
        "exec", "x", "dlx", "why", "list", "ls", "prune", "rebuild", "doctor", "fund", "set", "get", "help", "import", "store",
        "patch", "workspace", "workspaces", "run", "test", "start", "stop", "restart", "t", "it", "node", "dedupe", "global",
        "bin", "dir", "plugin", "constraints", "whoami", "owner", "team", "tag", "unpublish", "pm", "deploy", "fetch", "root",
        "env", "server", "self", "setup", "policies", "generate-lock-entry", "licenses", "autoclean", "check", "integrity",
        "tsx", "tsc", "build"
    ]
)  # fmt: skip
_LIFECYCLE = {"test": "test", "t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart"}
_VALUE_FLAGS = frozenset(
    [
        "-C", "--directory", "--prefix", "-w", "--workspace", "--filter", "-F", "-f", "--file", "-j", "--jobs", "-p",
        "--project", "--cwd", "--profile", "-t", "--taskfile", "-d", "--justfile", "--working-directory"
    ]
)  # fmt: skip
_COMPOSE_VERBS = frozenset([
    "up", "run", "exec", "build", "logs", "restart", "stop", "start", "rm", "pull", "push", "kill", "create"
])  # fmt: skip
_CLAIM_NOUN = re.compile(
    r"\W{0,3}\s{0,2}(?:sub-?commands?|commands?|scripts?|targets?|tasks?|recipes?|sessions?)\b", re.IGNORECASE
)
_NOUN_BEFORE = re.compile(
    r"\b(?:sub-?commands?|npm scripts?|make targets?|targets?|recipes?|scripts?)\s{1,2}\Z", re.IGNORECASE
)
_LISTING = re.compile(r"\b(?:sub-?commands?|commands?|scripts?|targets?|tasks?|recipes?|make|npm)\b", re.IGNORECASE)
_HEADING_COMMAND = re.compile(r"[a-z][\w.-]*(?: [a-z<\[-][\w.:<>\[\]-]*){1,4}\Z")
_PROSE_RUN = re.compile(r"\b(?:npm|pnpm|yarn|bun) run(?:-script)? ([A-Za-z][\w:.-]*[\w])")


def command_claims(document: Document) -> Iterator[Claim]:
    """Every command that a document tells the reader to run, and every one that it lists."""
    for block in document.blocks:
        if block.kind == "code":
            if is_shell(block):
                for call in calls_of_block(block):
                    yield from _from_call(document, block, call, "shell", -block.line, certain=is_certain_shell(block))
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
        word = Word(text, inline.line, inline.column)
        yield _claim(document, block, word, "span", subject=text, owner="", folder="", value="bare")


def _from_prose(document: Document, block: Block, inline: Inline) -> Iterator[Claim]:
    for match in _PROSE_RUN.finditer(inline.text[:LINE_LIMIT]):
        word = Word(match[1], inline.line, inline.column + match.start(1))
        yield _claim(document, block, word, "prose", subject=f"npm {match[1]}", owner="npm", folder="", value="script")
    if block.kind == "heading" and _HEADING_COMMAND.match(inline.text):
        for call in calls_of_span(inline):
            yield from _from_call(document, block, call, "heading", block.group, certain=False)


def _from_call(
    document: Document, block: Block, call: Call, form: str, group: int, *, certain: bool
) -> Iterator[Claim]:
    program = posixpath.basename(call.program)
    reader = _RUNNERS.get(program)
    if reader is not None:
        for word, runner, folder in reader(call):
            if word.plain and _NAME.match(word.text) and word.text.lower() not in _ENGLISH:
                value = "weak" if runner.endswith("?") else "script"
                runner = runner.rstrip("?")
                yield _claim(
                    document, block, word, form,
                    subject=f"{runner} {word.text}", owner=runner, folder=folder, value=value, group=group,
                )  # fmt: skip
        if program not in ("poetry", "uv", "pdm", "hatch", "rye", "pipenv"):
            return
    run = invocation(call)
    if (
        run is None
        or not run.word.plain
        or (run.kind == "name" and (run.name in UBIQUITOUS_PROGRAMS or run.name in _RUNNERS))
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
    if run.kind == "name" and certain and (run.arguments or form == "shell"):
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
    for position, word in enumerate(arguments):
        if word.text.startswith("-"):
            continue
        if (
            len(path) >= (3 if certain else 2)
            or word.text in _ENGLISH
            or not word.plain
            or not _SUB_COMMAND.match(word.text)
        ):
            return
        value = "first" if position == 0 else "later"
        yield _claim(
            document, block, word, form,
            subject=" ".join([owner, *path, word.text]), owner=owner, folder=folder, value=value, group=group,
        )  # fmt: skip
        path.append(word.text)


def _arguments(words: Iterable[Word]) -> tuple[list[Word], str]:
    """Positional arguments up to `--`, and the folder that a flag such as `-C` names; "?" if one names another project."""
    found: list[Word] = []
    folder, skip = "", ""
    for word in words:
        if word.text == "--":
            break
        if skip:
            folder = (
                word.text
                if skip in ("-C", "--directory", "--prefix", "--cwd", "-d", "--working-directory")
                else UNKNOWN_FOLDER
            )
            skip = ""
        elif word.text.startswith("-"):
            name, equals, value = word.text.partition("=")
            if name in _VALUE_FLAGS and name not in ("-j", "--jobs"):
                if equals:
                    folder = value if name in ("--directory", "--prefix", "--cwd") else UNKNOWN_FOLDER
                else:
                    skip = name
        else:
            found.append(word)
    return found, folder


def _in(call: Call, folder: str) -> str:
    if UNKNOWN_FOLDER in (folder, call.folder):
        return UNKNOWN_FOLDER
    return posixpath.normpath(posixpath.join(call.folder, folder)) if folder else call.folder


def _npm(call: Call) -> Iterator[Named]:
    words, folder = _arguments(call.words[1:])
    if not words:
        return
    if words[0].text == "workspace" and len(words) > 2:
        words, folder = words[2:], UNKNOWN_FOLDER
    verb, where = words[0].text, _in(call, folder)
    if verb in ("run", "run-script", "rum") and len(words) > 1:
        yield words[1], "npm", where
    elif verb in _LIFECYCLE and call.program != "bun":
        yield Word(words[0].text, words[0].line, words[0].column), "npm?" if verb != _LIFECYCLE[verb] else "npm", where
    elif (call.program in ("yarn", "pnpm", "bun") and verb not in _NPM_BUILT_IN) or (
        call.program in ("yarn", "pnpm") and verb == "build"
    ):
        yield words[0], "npm?", where


def _every(runner: str) -> Callable[[Call], Iterator[Named]]:
    """A runner that takes any number of targets: `make a b VAR=1`."""

    def read(call: Call) -> Iterator[Named]:
        if any(word.text.startswith(("-f", "--file", "--makefile")) for word in call.words):
            return
        words, folder = _arguments(call.words[1:])
        for word in words:
            if "=" not in word.text:
                yield word, runner, _in(call, folder)

    return read


def _first(runner: str, *verbs: str) -> Callable[[Call], Iterator[Named]]:
    """A runner that takes one name, after a verb if it has any: `just fmt x`, `deno task dev`."""

    def read(call: Call) -> Iterator[Named]:
        words, folder = _arguments(call.words[1:])
        if verbs:
            if not words or words[0].text not in verbs:
                return
            words = words[1:]
        if words and "=" not in words[0].text:
            yield words[0], runner, _in(call, folder)

    return read


def _after_flag(runner: str, *flags: str) -> Callable[[Call], Iterator[Named]]:
    """`tox -e py311,lint`, `nox -s lint tests`: names after a flag; several are cut at commas."""

    def read(call: Call) -> Iterator[Named]:
        taking = False
        for word in call.words[1:]:
            if word.text == "--":
                return
            if word.text.startswith("-"):
                taking = word.text in flags
            elif taking:
                column = word.column
                for name in word.text.split(","):
                    yield Word(name, word.line, column, word.plain), runner, call.folder
                    column += len(name) + 1
                taking = runner == "nox"

    return read


def _compose(call: Call) -> Iterator[Named]:
    words = list(call.words[1:])
    if call.program == "docker":
        if not words or words[0].text != "compose":
            return
        words = words[1:]
    if any(word.text in ("-f", "--file", "--project-directory") for word in words):
        return
    names = [word for word in words if not word.text.startswith("-")]
    if len(names) < 2 or names[0].text not in _COMPOSE_VERBS:
        return
    single = names[0].text in ("run", "exec")
    after = words[words.index(names[0]) + 1 :]
    if any(
        word.text.startswith("-")
        and word.text not in ("-d", "--detach", "--rm", "--build", "-f", "--no-deps", "-it", "-T")
        for word in after
    ):
        return
    for word in names[1:2] if single else names[1:]:
        yield word, "compose", call.folder


def _cargo(call: Call) -> Iterator[Named]:
    yield from _after_flag("cargo", "--bin", "--example", "--bench")(call)


_RUNNERS: dict[str, Callable[[Call], Iterator[Named]]] = {
    "npm": _npm, "yarn": _npm, "pnpm": _npm, "bun": _npm, "make": _every("make"), "gmake": _every("make"), "just": _first("just"),
    "task": _every("task"), "go-task": _every("task"), "tox": _after_flag("tox", "-e", "--env"),
    "nox": _after_flag("nox", "-s", "-e", "--session", "--sessions"),
    "poe": _first("poe"), "pdm": _first("pdm?", "run"), "hatch": _first("hatch?", "run"), "rye": _first("rye?", "run"),
    "pipenv": _first("pipenv?", "run"), "invoke": _first("invoke"), "inv": _first("invoke"), "rake": _first("rake?"),
    "composer": _first("composer?", "run", "run-script"), "docker": _compose, "docker-compose": _compose,
    "turbo": _first("turbo", "run"),
    "deno": _first("deno", "task"), "doit": _first("doit?"), "gradle": _every("gradle?"), "gradlew": _every("gradle?"),
    "cargo": _cargo,
    "lerna": _first("npm?", "run"),
}  # fmt: skip
