"""A command that is named by its file goes with the file: Django's management commands, oclif's commands."""

from __future__ import annotations

import pytest

from tests.support.changes import NODE, PYTHON, Make

_DJANGO = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    def handle(self):\n        pass\n"
_OCLIF = "import { Command } from '@oclif/core';\nexport default class X extends Command {\n  async run() {}\n}\n"
_IN_DJANGO = "tool/management/commands/"
_IN_OCLIF = "src/commands/config/context/"

CASES = {
    "Django": (
        {**PYTHON, f"{_IN_DJANGO}addthing.py": _DJANGO, f"{_IN_DJANGO}clearthings.py": _DJANGO},
        (f"{_IN_DJANGO}addthing.py", f"{_IN_DJANGO}makething.py"),
        "# Tool\n\nThe `addthing` management command adds one.\n\nIf you let `addthing` choose, it shows the name.\n\n`clearthings` stays.\n",
        {3, 5},
    ),
    "oclif": (
        {**NODE, f"{_IN_OCLIF}use.ts": _OCLIF, f"{_IN_OCLIF}list.ts": _OCLIF},
        (f"{_IN_OCLIF}use.ts", f"{_IN_OCLIF}select.ts"),
        "# Tool\n\n```sh\n$ tool config context use one\n$ tool config context list\n```\n",
        {4},
    ),
}


@pytest.mark.parametrize("framework", CASES)
@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_every_place_of_a_command_whose_file_was_renamed_is_found(repository: Make, framework: str, since: str) -> None:
    files, (old, new), text, wanted = CASES[framework]
    repo = repository({**files, "README.md": text})
    repo.git("mv", old, new)
    repo.commit()
    findings = repo.drifted(since=since)
    assert {mention.line for finding in findings for mention in finding.mentions} == wanted
    assert {finding.rule for finding in findings} == {"unknown-command"}
