"""Reads shell lines as documentation writes them: prompts, continuations, pipes, `cd`, prefixes; output is left out.

One pass over the characters, no look-back: the time is linear in the text whatever it holds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.kinds.shared.prompts import prompt_of

LINE_LIMIT = 2_000
UNKNOWN_FOLDER = "?"
"""The folder that a command runs in after `cd` to a place that cannot be known."""

SHELLS = frozenset(
    [
        "sh", "bash", "shell", "zsh", "fish", "console", "shell-session", "shellsession", "sh-session", "terminal", "term",
        "command", "commands", "cmd", "cli", "bat", "batch", "powershell", "ps1", "pwsh", "ps", "shellscript", "text", "txt",
        "plain", "plaintext", "none", "output", "prompt", "dos", "doscon", "bash-session"
    ]
)  # fmt: skip
"""Languages of code blocks whose lines may be commands."""
_CERTAIN = SHELLS - {"text", "txt", "plain", "plaintext", "none", "output"}

_SCHEDULE = re.compile(r"\s{0,12}(?:[\d*/,-]{1,12}\s{1,4}){5}(?=[/A-Za-z])")
"""When a line of a crontab is to run."""
_RECIPES = frozenset({"yaml", "yml", "dockerfile", "docker", "systemd"})
_KEY = re.compile(
    r"\s{0,60}(?:-\s{1,4})?(?:(?:run|script|command|cmd|entrypoint|exec|test|build|Exec\w{1,12})\s{0,2}[:=]\s{0,4})?"
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_HEREDOC = re.compile(r"<<-?\s{0,4}[\"']?(\w+)")
_OPENS = re.compile(r"(?:^|[\s;])(?:do|then|else|\{)\s*$")
_CLOSES = re.compile(r"\s*(?:done|fi|\})(?![\w-])")
_GOES_ON = re.compile(r"(?:\||&&)\s*$")
_OPERATORS = frozenset({"|", "||", "&&", ";", "&", "(", ")", "|&", "\n"})
_USER = ("-u", "-g")
_PREFIXES: dict[str, tuple[str, ...]] = {
    "sudo": _USER, "doas": _USER, "env": ("-u",), "winpty": (), "cross-env": (), "dotenv": (), "time": (),
    "xvfb-run": ("-s", "-n", "-e", "-f", "-w"), "dbus-run-session": (), "nice": ("-n",), "ionice": ("-c", "-n"), "caffeinate": (),
    "stdbuf": ("-i", "-o", "-e"), "unbuffer": (),
}  # fmt: skip
"""Programs that run what follows them, with those of their flags that take a value."""
_PLAIN_PREFIXES = frozenset(
    {"time", "exec", "nohup", "command", "builtin", "then", "do", "else", "!", "{", "run", "RUN", "CMD", "ENTRYPOINT"}
)


class Word(Struct, frozen=True):
    """One word of a command. plain: it stands in the source as it is, without quotes or expansions."""

    text: str
    line: int
    column: int
    plain: bool = True


class Call(Struct, frozen=True):
    """One simple command: its words without prefixes, and the folder that `cd` led to ("" if none did)."""

    words: tuple[Word, ...]
    folder: str = ""

    @property
    def program(self) -> str:
        return self.words[0].text


def is_shell(block: Block) -> bool:
    """A code block whose lines may be commands: tagged as shell, not tagged at all, or a recipe that holds commands."""
    return block.kind == "code" and (not block.language or block.language in SHELLS or block.language in _RECIPES)


def is_certain_shell(block: Block) -> bool:
    """A code block that says of itself that it holds commands, or shows it by prompts."""
    return block.language in _CERTAIN or any(prompt_of(line.text[:LINE_LIMIT]) for line in block.lines)


def calls_of_block(block: Block) -> list[Call]:
    """The commands of a code block. Where some lines have a prompt, the others are output. Several kinds ask for them."""
    known: list[Call] | None = vars(block).get("calls")
    if known is None:
        known = vars(block)["calls"] = _calls_of_block(block)
    return known


def _calls_of_block(block: Block) -> list[Call]:
    if block.language in _RECIPES:
        return _read([_without_key(line) for line in block.lines], only_prompts=False, multiline=False)
    lines = block.lines
    prompted = sum(prompt_of(line.text[:LINE_LIMIT]) is not None for line in lines)
    only_prompts = prompted and (
        prompted > sum(line.text.lstrip().startswith("> ") for line in lines) or block.language in _CERTAIN
    )
    return _read(lines, only_prompts=bool(only_prompts), multiline=block.language in _CERTAIN)


def _without_key(line: Inline) -> Inline:
    """`- run: make test` in a workflow, `RUN make test` in a Dockerfile, without what stands before the command."""
    match = _KEY.match(line.text[:LINE_LIMIT])
    start = match.end() if match is not None else 0
    return Inline("code", line.text[start:], line.line, line.column + start)


def calls_of_span(inline: Inline) -> list[Call]:
    """The commands of a code span."""
    return _read([inline], only_prompts=False, multiline=False)


def _read(lines: Sequence[Inline], *, only_prompts: bool, multiline: bool) -> list[Call]:
    calls: list[Call] = []
    folder, heredoc = "", ""
    pending: list[Word] = []
    awaited = ""
    reader = _Reader(multiline=multiline)
    for line in lines:
        text = line.text[:LINE_LIMIT]
        if heredoc:
            heredoc = "" if text.strip() == heredoc else heredoc
            continue
        start = 0
        if not reader.continues:
            prompt = prompt_of(text)
            if prompt is None and only_prompts and not awaited:
                continue
            awaited = _what_follows(text, awaited if prompt is None else "")
            start = prompt.end() if prompt is not None else 0
            if start == 0 and (schedule := _SCHEDULE.match(text)) is not None:
                start = schedule.end()
        for item in reader.read(text, start, line.line, line.column):
            if isinstance(item, Word):
                pending.append(item)
                continue
            folder = _finish(pending, folder, calls)
            pending = []
        if not reader.continues:
            folder = _finish(pending, folder, calls)
            pending = []
            if "<<" in text and (mark := _HEREDOC.search(text)):
                heredoc = mark[1]
    _finish(pending, folder, calls)
    return calls


def _what_follows(text: str, awaited: str) -> str:
    """Of a command that was typed: whether lines without a prompt go on with it, a loop until its `end`, a pipe with the `next`."""
    if _OPENS.search(text) or (awaited == "end" and not _CLOSES.match(text)):
        return "end"
    return "next" if _GOES_ON.search(text) else ""


class _Reader:
    """Cuts lines into words and operators; remembers an open quote or a continuation from one line to the next."""

    def __init__(self, *, multiline: bool) -> None:
        self.quote = ""
        self.continued = False
        # Elsewhere an open quote is an apostrophe in prose or output, and does not go on.
        self.multiline = multiline

    @property
    def continues(self) -> bool:
        return bool(self.quote) or self.continued

    def read(self, text: str, start: int, line: int, column: int) -> Iterator[Word | str]:
        self.continued = False
        at, size = start, len(text)
        word: list[str] = []
        begun, plain = (start, False) if self.quote else (-1, True)
        while at < size:
            character = text[at]
            if self.quote:
                if character == self.quote:
                    self.quote = ""
                elif character == "\\" and self.quote == '"':
                    at += 1
                else:
                    word.append(character)
            elif character in "\"'":
                self.quote, plain = character, False
                begun = at if begun < 0 else begun
            elif character in "\\`^" and not text[at + 1 :].strip():
                self.continued = character != "`" or begun < 0
                break
            elif character == "|" and word and word[0] == "[":
                word.append(character)
            elif (
                character in " \t|;&()"
                or (character == "#" and begun < 0)
                or (character in "<>" and not _is_placeholder(text, at))
            ):
                # `2>&1`: the number of a stream is no word.
                if begun >= 0 and not (character in "<>" and text[at - 1].isdigit() and "".join(word).isdigit()):
                    yield Word("".join(word), line, column + begun, plain)
                word, begun, plain = [], -1, True
                if character == "#":
                    break
                if character in "<>":
                    at = _skip_redirection(text, at)
                    continue
                if character in "|;&()":
                    yield character
            else:
                begun = at if begun < 0 else begun
                plain = plain and character not in "$\\`"
                word.append(character)
            at += 1
        if not self.multiline:
            self.quote = ""
        if begun >= 0 or word:
            yield Word("".join(word), line, column + max(begun, start), plain)


def _is_placeholder(text: str, at: int) -> bool:
    """`<name>` stands for a word; `< file` and `> file` are redirections."""
    if text[at] == ">":
        opened = text.rfind("<", max(0, at - 60), at)
        return opened >= 0 and " " not in text[opened:at].strip() and text[opened + 1 : at] != ""
    end = text.find(">", at + 1, at + 60)
    inside = text[at + 1 : end] if end > 0 else ""
    return bool(inside) and not inside[0].isspace() and inside[0] not in "(<&"


def _skip_redirection(text: str, at: int) -> int:
    """The place after `> file`, `2>&1` or `< file`."""
    size = len(text)
    while at < size and text[at] in "<>&|-":
        at += 1
    while at < size and text[at] in " \t":
        at += 1
    while at < size and text[at] not in " \t|;&()":
        at += 1
    return at


def _finish(words: list[Word], folder: str, calls: list[Call]) -> str:
    """Takes one command down. Gives the folder that later commands run in."""
    stripped = _without_prefixes(words)
    if not stripped:
        return folder
    if stripped[0].text in ("cd", "pushd"):
        return _enter(folder, stripped[1].text if len(stripped) > 1 else "~")
    calls.append(Call(tuple(stripped), folder))
    return folder


def _without_prefixes(words: list[Word]) -> list[Word]:
    """Without `FOO=1`, `sudo -E`, `time`, `env A=b`, `xvfb-run -a`."""
    at = 0
    while at < len(words):
        text = words[at].text
        if _ASSIGNMENT.match(text) or (text in _PLAIN_PREFIXES and at + 1 < len(words)):
            at += 1
        elif text in _PREFIXES and at + 1 < len(words):
            at += 1
            while at < len(words) and (words[at].text.startswith("-") or _ASSIGNMENT.match(words[at].text)):
                at += 2 if words[at].text in _PREFIXES[text] else 1
        else:
            break
    return words[at:]


def _enter(folder: str, target: str) -> str:
    if target.startswith(("/", "~", "$", "-", "<")) or "$" in target or folder == UNKNOWN_FOLDER or "\\" in target:
        return UNKNOWN_FOLDER
    joined = posixpath.normpath(posixpath.join(folder, target))
    return "" if joined == "." else joined
