"""Named SQL statements, out of the `.sql` files in the folder `sql` beside this module.

    -- name: enqueue_runs
    -- Adds runs that are waiting; one that is known already stays as it is.
    INSERT INTO scan_runs …

A name stands once in all files together; the sentence after it is required: it says what the statement is for.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

_MARK = "-- name:"


def query(name: str) -> str:
    """The statement of that name; a name that no file has is a KeyError."""
    return statements()[name]


@cache
def statements() -> dict[str, str]:
    """Every named statement of the package."""
    return read(resources.files(__package__) / "sql")


def read(folder: Traversable) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".sql"):
            for name, text in parse(file.read_text(encoding="utf-8")).items():
                if name in found:
                    raise ValueError(f"{file.name}: the name {name} is taken")
                found[name] = text
    return found


def parse(text: str) -> dict[str, str]:
    """The statements of one file. Comments are kept out of what is sent: a percent sign in them would be a parameter."""
    found: dict[str, str] = {}
    for part in ("\n" + text).split("\n" + _MARK)[1:]:
        name, _, rest = part.partition("\n")
        lines = [line.rstrip() for line in rest.splitlines()]
        body = "\n".join(line for line in lines if line and not line.lstrip().startswith("--"))
        name = name.strip()
        if not name.isidentifier() or name in found:
            raise ValueError(f"{name!r} is no name, or is taken")
        if not lines or not lines[0].startswith("-- ") or not body:
            raise ValueError(f"{name}: a sentence and a statement must follow the name")
        found[name] = body.rstrip(";")
    return found
