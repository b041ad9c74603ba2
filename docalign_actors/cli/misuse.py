"""What a command line that makes no sense is answered with: a code, what is wrong, and what was probably meant."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from typing import NoReturn

from docalign_actors.errors import UsageError

_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_NO_COMMAND = re.compile(r"argument [A-Z]+: invalid choice: '([^']*)'")
_COLUMNS = 80
"""Of what is no terminal."""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows how wide the terminal is without loading what else `shutil` brings: argparse asks with every option that is added."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    told = os.environ.get("COLUMNS", "")
    if told.isdigit() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _COLUMNS if sys.__stdout__ else _COLUMNS
    except (OSError, ValueError):  # no terminal, or closed
        return _COLUMNS


class Parser(argparse.ArgumentParser):
    """argparse with the errors that every other part of the program has."""

    def error(self, message: str) -> NoReturn:
        seen = f"Run `{self.prog} --help` to see what it takes."
        unknown = _UNKNOWN.match(message)
        if unknown and not unknown[1].startswith("-"):
            raise UsageError(f"{unknown[1]!r} is one word too many.", hint=seen)
        if unknown:
            raise UsageError(f"There is no option {unknown[1]!r}.", hint=_meant(unknown[1], _options(self)) or seen)
        if command := _NO_COMMAND.match(message):
            raise UsageError(f"There is no command {command[1]!r}.", hint=_meant(command[1], _commands(self)) or seen)
        raise UsageError(message[:1].upper() + message[1:].rstrip(".") + ".", hint=seen)


def _meant(word: str, known: Iterator[str]) -> str:
    from difflib import get_close_matches  # a command line that makes sense is over before this is loaded

    nearest = get_close_matches(word.partition("=")[0], list(known), 1)
    return f"Did you mean `{nearest[0]}`?" if nearest else ""


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of a command and of those below it."""
    for action in parser._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _options(below)


def _commands(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices
