"""A program whose name has no suffix tells its language by its first line."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.code.reader import language_in
from tests.support.repository import Repository

NODE = "#!/usr/bin/env node\nvar argv = require('minimist')(process.argv.slice(2), {boolean: ['keep-alive']});\nrun(argv['keep-alive']);\n"
PYTHON = "#!/usr/bin/env python3\nimport argparse\np = argparse.ArgumentParser()\np.add_argument('--keep-alive')\n"
SHELL = '#!/bin/sh\ncase "$1" in\n  --keep-alive) shift ;;\nesac\n'


@pytest.mark.parametrize(
    ("first", "language"),
    [
        (b"#!/usr/bin/env node\n", "javascript"),
        (b"#! /usr/local/bin/python3.12 -u\n", "python"),
        (b"#!/usr/bin/env -S uv run --script\n", "python"),
        (b"#!/usr/bin/env -S LANG=C ruby -w\n", "ruby"),
        (b"#!/bin/bash\r\n", "shell"),
        (b"#!/usr/bin/perl\n", "searched"),
        (b"#!\n", "searched"),
        (b"no first line\n#!/bin/sh\n", "searched"),
        (b"", "searched"),
    ],
)
def test_the_first_line_names_the_language(first: bytes, language: str) -> None:
    assert language_in("bin/tool", first) == language


def test_a_suffix_says_more_than_a_first_line() -> None:
    assert language_in("bin/tool.py", b"#!/bin/sh\n") == "python"
    assert language_in("Makefile", b"#!/bin/sh\n") == "makefile"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize("program", [NODE, PYTHON, SHELL], ids=["node", "python", "shell"])
def test_an_option_that_such_a_program_lost_is_missed_in_the_documentation(
    tmp_path: Path, program: str, since: str
) -> None:
    files = {"bin/tool": program, "package.json": '{"name": "tool", "bin": {"tool": "bin/tool"}}\n'}
    repo = Repository(
        tmp_path, {**files, "README.md": "# tool\n\n```sh\ntool --keep-alive\n```\n\nor `--keep-alive`.\n"}
    )
    assert repo.drifted() == []
    repo.replace("keep-alive", "stay-open", "bin/tool").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 7)}
