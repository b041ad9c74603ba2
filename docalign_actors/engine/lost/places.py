"""Where documents name a sub-command or an option that is gone, also beside what is written as code.

A sub-command stands after its program, alone in a span that is called a command, in a heading or the words of a link, and in the
list of commands that a program's help prints. An option of several words is an option in bold and in plain words too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docalign_actors.engine.code.reader import SOURCE_LIMIT
from docalign_actors.engine.documents.model import Block, Document, Inline
from docalign_actors.engine.documents.tone import is_history_title
from docalign_actors.engine.lost.commands import programs_of
from docalign_actors.engine.lost.lines import LONGEST_LINE, code_in
from docalign_actors.engine.world import World

Place = tuple[Document, Block, Inline, int, str]
"""Where a text stands, and how it is written there."""
_CALLED = re.compile(r"^\W{0,3}(?:sub-?)?commands?\b", re.IGNORECASE)
_CALLS = re.compile(r"\b(?:sub-?)?commands?[ :,]{1,3}(?:called |named |is )?$", re.IGNORECASE)
_ALONE = re.compile(r"(?:\s+[\[<{-].*)?[\s:.]*")
"""Nothing but arguments follows: the words stand by themselves, in bold or as a line of their own."""
_COMMANDS = re.compile(r"\W{0,3}(?:sub-?)?commands?\W{0,3}", re.IGNORECASE)
_LISTING = re.compile(r"^\s*(?:[\w ]{0,30}\b)?commands\b[^:]{0,20}:?\s*$", re.IGNORECASE)
_VALUE = r"\"[^\"\n]{0,80}\"|'[^'\n]{0,80}'|[^\s\"'-]\S{0,80}"
_LEFT_OUT = r"--?[A-Za-z][\w-]{0,40}(?:[= ][\w<>-]{1,40})?"
_OPTION = rf"--?[A-Za-z][\w-]{{0,40}}(?:[= ](?:{_VALUE}))?|\[(?:{_LEFT_OUT}|[A-Za-z ]{{1,20}})\]"
_GIVEN = rf"(?:(?:{_OPTION}|\"[^\"\n]{{0,80}}\"|[\w.-]{{1,60}}:\d{{2,5}}) )"
"""What may stand between a program and its sub-command: options, with or without a value or only meant, and an address."""
_CONSOLE_COMMAND = re.compile(r"[\"']([a-z][\w-]{1,40}(?::[a-z][\w-]{1,40}){1,4})(?=[\"'\s{])")
_SAYS = r"verbs?|(?:sub-?)?commands?|operations?|actions?|and|or"


def option_places(flag: str, pattern: re.Pattern[str], world: World, home: str = "") -> Iterator[Place]:
    """Every place of an option: of one with several words, or with one dash, also outside code; in code, one of a single word
    only where nothing else is called than what is ours: a program, or a command of the file that declared the option, `home`."""
    long = re.search(r"\w[-_]\w|[a-z][A-Z]", flag) is not None
    everywhere = long or not flag.startswith("--")
    programs = frozenset[str]() if long else programs_of(world) | _commands_of(home, world)
    for document in world.documents_with(flag):
        for block in document.blocks:
            for inline in written(block) if everywhere else (*code_in(block), *_named_first(block, flag)):
                for match in pattern.finditer(inline.text[: 4 * LONGEST_LINE]) if flag in inline.text else ():
                    told = long or (everywhere and inline.kind == "text" and not block.lines)
                    if told or _is_ours(inline.text, match, programs):
                        yield document, block, inline, match.start(), match.group()


def _commands_of(path: str, world: World) -> frozenset[str]:
    """The commands with a colon that a file names: `cache:clear` of Artisan's or Symfony's console."""
    data = world.tree.read(path, SOURCE_LIMIT) if path.endswith(".php") and path in world.files else b""
    return frozenset(_CONSOLE_COMMAND.findall(data.decode("utf-8", "replace")))


def written(block: Block) -> Iterator[Inline]:
    """What is written as code, and plain words."""
    yield from code_in(block)
    if not block.historical:
        yield from (inline for inline in block.every_inline() if inline.kind == "text")


def _named_first(block: Block, flag: str) -> Iterator[Inline]:
    """What a row begins with, as plain words: `| --depth <n> | how deep |`."""
    first = block.cells[0].inlines[:1] if len(block.cells) > 1 and not block.historical else ()
    yield from (inline for inline in first if inline.kind == "text" and inline.text.startswith(flag))


def _is_ours(text: str, match: re.Match[str], programs: frozenset[str]) -> bool:
    """Nothing stands before it, or a program of ours does, as `tool.phar` too."""
    text, start = text[:LONGEST_LINE], match.start()
    words = {word for form in (r"[\w.-]+", r"[\w-]+", r"[\w-]+(?::[\w-]+)+") for word in re.findall(form, text)}
    return not text[:start].strip(" `[(") or not programs.isdisjoint(words)


def command_places(command: str, documents: Mapping[str, Document]) -> Iterator[Place]:
    """Every place of `program sub-command`."""
    program, _, name = command.rpartition(" ")
    called = re.compile(
        rf"(?<![\w:./-])(?:\.?/?(?:[\w-]+/)*s?bin/|\./|(?P<image>(?:[\w.-]{{1,60}}/){{1,3}}))?"
        rf"(?P<call>{re.escape(program)}(?(image):[\w.:${{}}-]{{1,60}}[\"']?|(?:\.jar)?) "
        rf"(?:help |-h |--help |[a-z][\w-]{{1,30}} |(?P<given>{_GIVEN}{{1,6}}))?(?P<name>{re.escape(name)}))(?![\w:/-]|\.\w)"
    )
    quoted = re.compile(rf"(?<!\w)[\"“'‘](?P<name>{re.escape(name)})[\"”'’](?=,? (?:{_SAYS})\b)", re.IGNORECASE)
    for document in documents.values():
        if document.history:
            continue
        telling = [block for block in document.blocks if name in block.text]
        ours = bool(telling) and any(program in block.text for block in document.blocks)
        for block in telling:
            for inline in code_in(block):
                for match in called.finditer(inline.text[: 4 * LONGEST_LINE]) if name in inline.text else ():
                    # What is given between has answers of its own, and an image's name is no part of a command.
                    told = "name" if match["given"] or match["image"] or ".jar " in match["call"] else "call"
                    yield document, block, inline, match.start(told), match[told]
            if not block.historical and not any(map(is_history_title, block.section)):
                yield from _titled(document, block, called)
                yield from _alone(document, block, name) if ours else ()
                yield from _quoted(document, block, quoted) if ours else ()
                yield from _first(document, block, name) if ours else ()
                yield from _listed(document, block, program, name)
                yield from _composed(document, block, program, name)


def _titled(document: Document, block: Block, called: re.Pattern[str]) -> Iterator[Place]:
    """The words of a heading or of a link that begin with the call, and those in bold that are nothing else."""
    for number, inline in enumerate(block.inlines):
        linked = number + 1 < len(block.inlines) and block.inlines[number + 1].kind == "link"
        lead = len(inline.text) - len(inline.text.lstrip())
        match = called.match(inline.text, lead) if inline.kind == "text" else None
        if match and (block.kind == "heading" or linked or _ALONE.fullmatch(inline.text[match.end() :])):
            yield document, block, inline, lead, match.group()


def _alone(document: Document, block: Block, name: str) -> Iterator[Place]:
    """A span, or a word in bold, that the words beside it call a command, and `the clean command` in plain words."""
    spoken = re.compile(rf"\b[Tt]he (?P<name>{re.escape(name)}) (?:sub-?)?command\b")
    for inline in block.every_inline():
        for match in spoken.finditer(inline.text[: 4 * LONGEST_LINE]) if inline.kind == "text" else ():
            yield document, block, inline, match.start("name"), name
    for inline in block.every_inline() if "-" in name or "_" in name else ():
        # Two words in one are nobody else's: `sync-all`, `sync_all`, `sync-all --force`.
        if inline.kind == "code" and (inline.text == name or inline.text.startswith(f"{name} -")):
            yield document, block, inline, 0, name
    for number, inline in enumerate(block.inlines):
        if inline.kind not in ("code", "text") or inline.text.strip() != name:
            continue
        before = block.inlines[number - 1].text[-40:] if number else ""
        after = block.inlines[number + 1].text[:40] if number + 1 < len(block.inlines) else ""
        if _CALLED.match(after) or _CALLS.search(before):
            yield document, block, inline, inline.text.index(name), name


def _quoted(document: Document, block: Block, quoted: re.Pattern[str]) -> Iterator[Place]:
    """`the "name" verb`, `the "list" and "name" operations`."""
    for inline in block.inlines:
        for match in quoted.finditer(inline.text) if inline.kind == "text" else ():
            yield document, block, inline, match.start("name"), match["name"]


def _first(document: Document, block: Block, name: str) -> Iterator[Place]:
    """`- **name**: what it does`, a list of what a program can be told, and the first words of a row below `Command`."""
    for cell in block.cells[:1]:
        lead = cell.inlines[0] if cell.inlines and _COMMANDS.fullmatch(cell.header) else None
        if lead is not None and re.match(rf"\W{{0,2}}{re.escape(name)}(?![\w-])", lead.text):
            yield document, block, lead, lead.text.index(name), name
    first = block.inlines[0] if block.kind == "item" and block.inlines else None
    match = (
        re.match(rf"(\W{{0,4}}){re.escape(name)}\W{{0,3}}(?::| [-–—])", block.text[:200]) if first is not None else None
    )
    if first is not None and match is not None and name in first.text[: len(name) + 6]:
        yield document, block, first, first.text.index(name), name


def _composed(document: Document, block: Block, program: str, name: str) -> Iterator[Place]:
    """`command: serve --all` of a service that runs the program's image; `"args": ["serve"]` beside the program as `"command"`."""
    called = re.escape(program)
    run = re.compile(rf"^\s*image:\s*[\"']?(?:[\w.:-]+/)*{called}(?![\w-])|\"command\":\s*\"{called}\"", re.MULTILINE)
    if not block.lines or "command" not in block.text or not run.search(block.text):
        return
    given = re.compile(rf"\s*(?:command:\s*\[?|\"args\":\s*\[\s*)[\"']?(?P<name>{re.escape(name)})(?![\w-])")
    for line in block.lines:
        if match := given.match(line.text[:LONGEST_LINE]):
            yield document, block, line, match.start("name"), name


def _listed(document: Document, block: Block, program: str, name: str) -> Iterator[Place]:
    """`  info   Displays …` below `Commands:` in what a program prints."""
    if not block.lines or program not in block.text:
        return
    row = re.compile(rf"^\s{{1,8}}(?P<name>{re.escape(name)})(?:,? [\w<\[(|.-]{{1,30}}){{0,3}}(?:\s{{2,}}|\t)\S")
    listing = False
    for line in block.lines:
        text = line.text[:LONGEST_LINE]
        listing = bool(_LISTING.match(text)) or (listing and (not text.strip() or text.startswith((" ", "\t"))))
        match = row.match(text) if listing else None
        if match is not None:
            yield document, block, line, match.start("name"), name
