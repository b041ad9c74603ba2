"""Finds command-line options in documents: code spans, shell lines, option lists and tables, help output, prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.code.options.common import FOREIGN_PROGRAMS, UBIQUITOUS_PROGRAMS
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.kinds.shared.programs import Invocation, invocation
from docalign_actors.engine.kinds.shared.shell import LINE_LIMIT, Call, Word, calls_of_block, calls_of_span, is_shell
from docalign_actors.engine.kinds.shared.spellings import identifiers, parts

_FLAG = re.compile(r"(?<![\w=/.+\-])(--[A-Za-z0-9][\w.-]*[\w]|--?[A-Za-z0-9](?![\w-])|-[A-Za-z][\w-]*\w)")
_PAIR = re.compile(r"--?[A-Za-z][\w-]*/-")
_EITHER = re.compile(_FLAG.pattern.replace("=/.", "=."))
"""`-c/--content`: one option in two spellings."""
_PROSE = re.compile(r"(?<![\w=/.+`\-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
_QUOTED_FLAG = re.compile(r"(?<![\w=/.+|├└─\-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?![\w-])")
_WORD = re.compile(r"[A-Za-z][\w.-]*")
_ELSEWHERE = FOREIGN_PROGRAMS - frozenset(
    (
        "echo", "printf", "if", "then", "else", "elif", "fi", "for", "while", "do", "done", "case", "esac", "function", "return",
        "local", "set", "export", "test", "code", "file", "type", "install", "python", "python3", "node",
        "source", "read", "true", "false",
        "date", "env", "more", "service",
    )
)  # fmt: skip
_ASSIGNED = re.compile(r"(?:export |set -\w+ )?[A-Z][A-Z0-9_]*(?:OPT|ARG|FLAG)[A-Z0-9_]*[= ]")
"""A variable that holds options."""
_SENTENCE_END = re.compile(r"[.!?](?:\s|\Z)")
_HELP = re.compile(r"\s{0,40}(?:-[A-Za-z0-9?](?:\b|,)|--[A-Za-z\[])|\s{1,12}-[a-z][a-z0-9-]+(?:\s{2}|\s[A-Z<\[]|\t)")
"""A line of help output; Go's own flags have one dash and a long name."""
_USAGE = re.compile(r"\s{0,40}(?:usage:|\[-)", re.IGNORECASE)
_HEAD_END = re.compile(r"\s{2,}(?!-)|\t+(?!-)|\s#\s")
_OPTION_ROLES = frozenset({"option", "opt", "cmdoption"})
_PASSES_ON = frozenset({"--", "&&"})
_RUNNERS = frozenset({"tox", "nox", "npm", "pnpm", "yarn", "just", "hatch", "task", "poe", "inv"})


def owner_of(call: Invocation) -> str:
    """The program as people are told of it."""
    match call.kind:
        case "module":
            return f"python -m {call.name}"
        case "cargo":
            return f"cargo run {call.name}".strip()
        case "go":
            return f"go run {call.name}"
        case _:
            return call.name


def kind_and_name(owner: str) -> tuple[str, str]:
    """An owner as `owner_of` wrote it, back as the kind of invocation and the program's name."""
    for kind, prefix in (("module", "python -m "), ("cargo", "cargo run"), ("go", "go run ")):
        if owner.startswith(prefix):
            return kind, owner[len(prefix) :].strip()
    return ("file" if "/" in owner or re.search(r"\.\w{2,4}$", owner) else "name"), owner


def option_claims(document: Document) -> Iterator[Claim]:
    """Every option that a document names."""
    for block in document.blocks:
        if block.kind == "code":
            if any("-" in line.text for line in block.lines):
                found = list(_from_code(document, block)) if is_shell(block) else []
                yield from found
                yield from _in_passing(document, block, {(claim.line, claim.column) for claim in found})
        else:
            yield from _from_text(document, block)


def flags_of(arguments: Iterable[Word]) -> Iterator[tuple[str, int, int]]:
    """(flag, line, column) of each flag among a command's arguments, up to `--`."""
    for word in arguments:
        if word.text in _PASSES_ON:
            return
        if (word.plain or word.text.startswith("--")) and word.text[:1] in "-[({":
            for match in _FLAG.finditer(word.text[:LINE_LIMIT]):
                # `--pip-args "--retries 10"`: what is quoted whole is a value, and another program's options.
                if word.plain or (not match.start() and word.text[match.end() : match.end() + 1] == "="):
                    yield match[1], word.line, word.column + match.start()


def _claim(
    document: Document,
    block: Block,
    flag: str,
    line: int,
    column: int,
    form: str,
    *,
    owner: str = "",
    context: str = "",
    value: str = "",
    group: int = 0,
) -> Claim:
    name = flag.lstrip("-")
    longest = max(parts(name) or ("",), key=len)
    words = (
        tuple(dict.fromkeys([*identifiers(name)[:4], *([longest] if len(longest) > 2 else [])]))
        if len(name) > 1
        else ()
    )
    return Claim(
        "option", flag, flag, document.path, line, column, form=form, owner=owner, value=value,
        section=block.section, context=context,
        words=words, group=group or block.group, hypothetical=block.hypothetical,
    )  # fmt: skip


def _from_calls(document: Document, block: Block, calls: Iterable[Call], form: str, group: int) -> Iterator[Claim]:
    for call in calls:
        run = invocation(call)
        yield from _passed_on(document, block, call, group)
        if run is None or (run.kind == "name" and run.name in UBIQUITOUS_PROGRAMS):
            continue
        words = " ".join(w.text for w in run.arguments[:8] if w.plain and w.text[:1].isalpha())
        for flag, line, column in flags_of(run.arguments):
            yield _claim(
                document, block, flag, line, column, form,
                owner=owner_of(run), context=call.folder, value=words, group=group,
            )  # fmt: skip


def _passed_on(document: Document, block: Block, call: Call, group: int) -> Iterator[Claim]:
    """`tox -e serve -- --branch=x`: what stands after `--` is for the program that the runner runs."""
    texts = [word.text for word in call.words]
    if texts[0] not in _RUNNERS or "--" not in texts:
        return
    for flag, line, column in flags_of(call.words[texts.index("--") + 1 :]):
        yield _claim(document, block, flag, line, column, "passing", group=group)


def _from_code(document: Document, block: Block) -> Iterator[Claim]:
    group = -block.line
    calls = calls_of_block(block)
    yield from _from_calls(document, block, calls, "shell", group)
    in_commands = {word.line for call in calls if not call.program.startswith(("-", "[")) for word in call.words[1:]}
    heads = sum(bool(_HELP.match(line.text)) for line in block.lines)
    for line in block.lines:
        text = line.text[:LINE_LIMIT]
        if line.line in in_commands and not _USAGE.match(text):
            continue
        if _USAGE.match(text):
            found = _FLAG.finditer(text)
        elif heads > 1 and _HELP.match(text):
            end = _HEAD_END.search(text, len(text) - len(text.lstrip()))
            found = _FLAG.finditer(text, 0, end.start() if end else len(text))
        else:
            continue
        for match in found:
            yield _claim(document, block, match[1], line.line, line.column + match.start(), "usage", group=group)


def _in_passing(document: Document, block: Block, known: set[tuple[int, int]]) -> Iterator[Claim]:
    """Flags in comments, strings and other languages' examples, on lines that name no other program."""
    for line in block.lines:
        text = line.text[:LINE_LIMIT]
        if "--" not in text or not _ELSEWHERE.isdisjoint(_WORD.findall(text)):
            continue
        for match in _QUOTED_FLAG.finditer(text):
            if (line.line, line.column + match.start()) not in known:
                yield _claim(
                    document, block, match[0], line.line, line.column + match.start(), "passing", group=-block.line
                )


def _from_text(document: Document, block: Block) -> Iterator[Claim]:
    inlines = list(block.every_inline())
    if not any("-" in inline.text for inline in inlines):
        return
    others = _programs_by_sentence(inlines)
    sentence = 0
    for inline in inlines:
        text = inline.text[:LINE_LIMIT]
        other = others.get(sentence, "")
        if inline.kind == "text" and _SENTENCE_END.search(text):
            sentence += 1
        if inline.kind == "code" or (inline.kind == "role" and inline.label in _OPTION_ROLES):
            yield from _from_span(document, block, inline, other)
        elif inline.kind == "text" and "--" in text:
            for match in _PROSE.finditer(text):
                yield _claim(
                    document, block, match[0], inline.line, inline.column + match.start(), "prose", context=other
                )


def _programs_by_sentence(inlines: list[Inline]) -> dict[int, str]:
    """Somebody else's program that a code span names, by the number of the sentence it stands in."""
    found: dict[int, str] = {}
    sentence = 0
    for inline in inlines:
        if inline.kind == "text" and _SENTENCE_END.search(inline.text[:LINE_LIMIT]):
            sentence += 1
        elif inline.kind == "code" and (name := inline.text.split(" ")[0]) in FOREIGN_PROGRAMS:
            found.setdefault(sentence, name)
    return found


def _from_span(document: Document, block: Block, inline: Inline, other: str) -> Iterator[Claim]:
    text = inline.text[:300]
    if text.lstrip("[(").startswith("-"):
        for match in (_EITHER if _PAIR.match(text) else _FLAG).finditer(text):
            yield _claim(document, block, match[1], inline.line, inline.column + match.start(), "span", context=other)
            if not re.match(r"[\s,/|\]=]", text[match.end() : match.end() + 1] or " "):
                return
    elif " -" in text or " [-" in text:
        yield from _from_calls(document, block, calls_of_span(inline), "command", block.group)
        if (assigned := _ASSIGNED.match(text)) is not None:
            for match in _QUOTED_FLAG.finditer(text, assigned.end()):
                yield _claim(document, block, match[0], inline.line, inline.column + match.start(), "passing")
