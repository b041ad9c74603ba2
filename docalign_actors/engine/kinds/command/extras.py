"""Extras of Python packages: `pip install 'tool[postgres]'` names one of `tool`'s."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docalign_actors.engine.code.manifests.requirement import extra_of
from docalign_actors.engine.kinds.command.runners import Named
from docalign_actors.engine.kinds.shared.shell import Call, Word

_INSTALLERS = frozenset(["pip", "pip3", "pipx", "uv", "poetry", "pdm", "rye", "hatch", "python", "python3", "py"])
_WANTED = re.compile(r"([A-Za-z0-9][\w.-]{0,99})\[([\w.,\s-]{1,200})\]")
_EXTRA = re.compile(r"(?<![\w.-])\w[\w.-]*")
"""Two or three points stand for whatever else one wants."""


def extras_of(call: Call) -> Iterator[Named]:
    """Every extra that a command installs, with the package whose it is as its runner."""
    if call.program not in _INSTALLERS:
        return
    for word in call.words[1:]:
        wanted = _WANTED.match(word.text)
        if wanted is None:
            continue
        for extra in _EXTRA.finditer(wanted[2]):
            # Brackets are mostly quoted for the shell's sake: what is not plain begins with a quote.
            column = word.column + wanted.start(2) + extra.start() + (not word.plain)
            yield Word(extra[0], word.line, column), extra_of(wanted[1]), call.folder
