"""One commit takes away or changes what documents tell in passing: amounts in words, features, parameters of another name.

All cases stand in one repository, so that two scans judge them; a line that is to be found begins with `!`, which is cut off.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.documents.model import Block, Inline
from docalign_actors.engine.lost.features import FEATURES, features, in_block
from docalign_actors.engine.lost.subjects import of_words
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PAGES = {
    "docs/amounts.md": [
        "# Machines", "",
        "!The default machine has 2 CPUs, 2GiB memory and 90GiB storage.", "",
        "!Defaults: **2 CPUs, 2 GiB memory, 90 GiB disk**.", "",
        "A machine with 2 CPUs is small.",
    ],
    "docs/features.md": [
        "# Building", "",
        "```sh", "!cargo install tool --features fast,tls", "```", "",
        "!Secure sockets are behind the `tls` feature, which is off.", "",
        "!- `--cert` (requires tls feature)", "",
        "A `tls` socket is not asked for.",
    ],
    "docs/types.md": ["# Types", "", "!- `in_range(lower, upper, convert=number)` takes a number", "- `in_range(lower, upper)` too"],
    "docs/commands.md": ["# Commands", "", "```sh", "!adev runserver app.py", "!adev build --no-help", "", "!# Set the pause (default: 10 seconds)", "adev build --pause 15", "```"],
    "docs/sessions.md": ["# Sessions", "", "```diff", ">>> from tool.format import format_code", '!>>> print(format_code("a==b", width=3))', "--- a", "+++ b", "```"],
    "docs/routes.md": ["# Routes", "", "| Endpoint | Methods |", "|---|---|", "!| `/tags/` | GET |", "| `/notes/` | GET |", "| `/notes/{id}/` | GET |"],
    "docs/flags.md": ["# Flags", "", "| Name | Description |", "|---|---|", "| beat.database | Where beats are. (default: beats) |", "!| beat.table | What to collect beats of. (default: beats) |"],
}  # fmt: skip
CODE = {
    "setup.py": 'from setuptools import setup\n\nsetup(name="tool", entry_points="""\n    [console_scripts]\n    adev=tool.cli:cli\n    """)\n',
    "tool/__init__.py": "",
    "tool/cli.py": "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n@cli.command()\ndef runserver():\n    pass\n\n\n@cli.command()\n@click.option('--no-help', is_flag=True)\n@click.option('--pause', type=float, default=10.0)\ndef build(**given):\n    pass\n",
    "tool/format.py": "def format_code(text, width=80):\n    return text[:width]\n",
    "tool/types.py": "class InRange:\n    def __init__(self, lower, upper, convert=int):\n        self.range = lower, upper, convert\n\n\nin_range = InRange\n",
    "start.go": 'package main\n\nconst (\n\tdefaultCPU    = 2\n\tdefaultMemory = 2\n\tdefaultDisk   = 90\n)\n\nfunc init() {\n\tstart.Flags().IntVar(&cpu, "cpus", defaultCPU, "how many")\n\tstart.Flags().IntVar(&disk, "disk", defaultDisk, "disk size in GiB")\n}\n',
    "beats.go": 'package main\n\nvar (\n\tdatabase = kingpin.Flag(\n\t\t"beat.database",\n\t\t"Where beats are.",\n\t).Default("beats").String()\n\ttable = kingpin.Flag(\n\t\t"beat.table",\n\t\t"What to collect beats of.",\n\t).Default("beats").String()\n)\n',
    "Cargo.toml": '[package]\nname = "tool"\nversion = "1.0.0"\n\n[features]\ndefault = []\ntls = ["dep:openssl"]\nfast = []\n',
    "src/main.rs": '#[cfg(feature = "tls")]\nmod secure;\n\nfn main() {}\n',
    "server/routes.ts": 'import express from "express";\nconst app = express();\napp.route("/tags/").get(listTags);\napp.route("/notes/").get(listNotes);\napp.route("/notes/:id/").get(readNote);\nexport const columns = ["tags", "title"];\n',
}  # fmt: skip
CHANGES = [
    ("defaultCPU    = 2", "defaultCPU    = 4"), ("defaultDisk   = 90", "defaultDisk   = 60"), ("tls = [", "https = ["),
    ('feature = "tls"', 'feature = "https"'), ("convert", "cast"), ("def runserver", "def start"), ('app.route("/tags/").get(listTags);\n', ""),
    ("width", "columns"), ("default=10.0", "default=5.0"), ("--no-help", "--no-guidance"),
    ('of.",\n\t).Default("beats")', 'of.",\n\t).Default("pulses")'),
]  # fmt: skip


@pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])
def test_every_line_that_became_false_is_found_and_no_other(repository: Make, since: str) -> None:
    pages = {path: "\n".join(line.removeprefix("!") for line in lines) + "\n" for path, lines in PAGES.items()}
    repo = repository({**CODE, **pages})
    for old, new in CHANGES:
        for path, text in CODE.items():
            if old in text:
                repo.replace(old, new, path)
    repo.commit("Other names")
    wanted = {
        (path, number) for path, lines in PAGES.items() for number, line in enumerate(lines, 1) if line[:1] == "!"
    }
    found = {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}
    assert found == wanted


def test_features_are_those_of_the_table_and_dependencies_that_may_be_left_out() -> None:
    lines = [
        "[package]",
        "name = 'x'",
        "[features]",
        "tls = []",
        "[dependencies]",
        "a = '1'",
        "ssl = { version = '1', optional = true }",
    ]
    assert features(lines) == {"tls", "ssl"}


def test_a_word_is_a_feature_where_it_is_called_one_or_switched_on() -> None:
    code = Block("code", 1, lines=(Inline("code", "cargo run -F tls --cert tls.pem", 1, 1),))
    assert [start for _, start in in_block("tls", code, FEATURES)] == [13]
    text = Block(
        "paragraph",
        1,
        inlines=(Inline("text", "The feature ", 1, 1), Inline("code", "tls", 1, 13), Inline("text", " is on", 1, 18)),
    )
    assert [inline.text for inline, _ in in_block("tls", text, FEATURES)] == ["tls"]


def test_an_amount_is_of_what_stands_behind_it_and_its_unit() -> None:
    flat = "It has 2 CPUs and 8 GiB memory by default."
    block = Block("paragraph", 1, inlines=(Inline("text", flat, 1, 1),))
    assert "cpu" in of_words(block, flat, flat.index("2"), "2")
    assert "memory" in of_words(block, flat, flat.index("8"), "8")
