"""Requirements as manifests write them: a name and what of it is demanded."""

from __future__ import annotations

import re

_REQUIREMENT = re.compile(
    r"^\s*([A-Za-z0-9][\w.-]{0,99})\s*(?:\[[^\]]{0,200}\])?\s*\(?\s*((?:[<>=!~]=?=?\s*[^\s,;()#]+\s*,?\s*){0,10})"
)


def normalised(name: str) -> str:
    """A package's name as package indexes compare it: `Flask_SQLAlchemy` and `flask-sqlalchemy` are one."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def extra_of(package: str) -> str:
    """The runner of a package's extras, among the things that are run by name."""
    return f"extra {normalised(package)}"


def requirement(text: str) -> tuple[str, str] | None:
    """(normalised name, specifier) of a Python requirement; None for a path, an option or an address."""
    if "://" in text or text.lstrip().startswith(("-", ".", "/", "#")):
        return None
    match = _REQUIREMENT.match(text[:500])
    return (normalised(match[1]), re.sub(r"\s+", "", match[2]).strip(",")) if match else None
