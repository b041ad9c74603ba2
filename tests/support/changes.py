"""One change of the code, the document that speaks of it, and the lines of it that are false then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.support.repository import Repository

BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])
"""A scan of all, and one of what the last commit changed."""
Make = Callable[[dict[str, str | bytes]], Repository]


@dataclass(frozen=True)
class Case:
    """`old` becomes `new` in the code files; every line of the document that ends with `!` (which is taken off) is false then."""

    name: str
    lines: tuple[str, ...]
    files: dict[str, str]
    old: str
    new: str


PYTHON = {"pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n'}
NODE = {"package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "cli.js"}}\n'}
GO = {"go.mod": "module example.com/tool\n\ngo 1.22\n"}
RUST = {"Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n'}
JAVA = {"pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n"}


def check(repository: Make, case: Case) -> None:
    """Every false line is found, and no other, by the whole scan and by the scan of the change."""
    text = "\n".join(line.removesuffix("!") for line in ("# Tool", "", *case.lines)) + "\n"
    repo = repository({**case.files, "README.md": text})
    for path, content in case.files.items():
        if case.old in content:
            repo.replace(case.old, case.new, path)
    repo.commit()
    wanted = {number for number, line in enumerate(case.lines, 3) if line.endswith("!")}
    for since in ("", "HEAD~1"):
        found = {mention.line for finding in repo.drifted(since=since) for mention in finding.mentions}
        assert (since, found) == (since, wanted)
