"""Targets that cargo finds by their files, and extras of Python packages, as commands name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Verdict
from tests.support.repository import Repository

SETTINGS = ScanSettings(claim_types=("command",), jobs=1)
CARGO = '[package]\nname = "tool"\nversion = "0.1.0"\n'
PYPROJECT = '[project]\nname = "Tool_Box"\nversion = "1"\n[project.optional-dependencies]\npostgres = ["psycopg"]\nredis = ["redis"]\n'
POETRY = '[tool.poetry]\nname = "tool-box"\n[tool.poetry.extras]\npostgres = ["psycopg"]\nredis = ["redis"]\n'
SETUP_CFG = "[metadata]\nname = tool-box\n[options.extras_require]\npostgres =\n    psycopg\nredis = redis\n"
SETUP = "from setuptools import setup\nsetup(name='tool-box', extras_require={'postgres': ['psycopg'], 'redis': ['redis']})\n"
INSTALL = "# Tool\n\nRun `pip install tool-box[redis]`, or\n\n```sh\npython -m pip install 'tool-box[redis,postgres]'\nuv add \"tool_box[postgres]\"\npip install other[postgres]\n```\n"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    ("old", "new"), [("examples/resize.rs", "examples/scale.rs"), ("src/bin/resize/main.rs", "src/bin/scale/main.rs")]
)
def test_a_target_that_cargo_finds_by_its_file_is_missed(tmp_path: Path, old: str, new: str, since: str) -> None:
    readme = "```sh\ncargo run --example resize -- in.png\ncargo run --bin resize\n```\n"
    repo = Repository(tmp_path, {"README.md": readme, "Cargo.toml": CARGO, old: "fn main() {}\n"})
    assert repo.drifted(settings=SETTINGS) == []
    repo.move(old, new).commit()
    (finding,) = repo.drifted(since=since, settings=SETTINGS)
    assert [mention.line for mention in finding.mentions] == [2, 3]
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("scale", True)


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_binary_of_the_manifest_is_missed(tmp_path: Path, since: str) -> None:
    manifest = CARGO + '[[bin]]\nname = "seed-data"\npath = "src/seed.rs"\n'
    files = {"README.md": "`cargo run --bin seed-data`\n", "Cargo.toml": manifest, "src/seed.rs": "fn main() {}\n"}
    repo = Repository(tmp_path, files)
    repo.replace("seed-data", "load-data", "Cargo.toml").commit()
    assert [finding.claim for finding in repo.drifted(since=since, settings=SETTINGS)] == ["seed-data"]


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    ("name", "text"),
    [("pyproject.toml", PYPROJECT), ("pyproject.toml", POETRY), ("setup.cfg", SETUP_CFG), ("setup.py", SETUP)],
    ids=["project", "poetry", "setup.cfg", "setup.py"],
)
def test_an_extra_that_was_renamed_is_missed_wherever_it_is_installed(
    tmp_path: Path, name: str, text: str, since: str
) -> None:
    repo = Repository(tmp_path, {"README.md": INSTALL, name: text, "tool_box/__init__.py": ""})
    known = repo.scan(settings=SETTINGS, show=frozenset({Verdict.VERIFIED})).findings
    assert {finding.claim for finding in known} == {"postgres", "redis"}
    repo.replace("postgres", "pg", name).commit()
    (finding,) = repo.drifted(since=since, settings=SETTINGS)
    assert [(mention.line, mention.column) for mention in finding.mentions] == [(6, 39), (7, 18)]
    assert "is not an extra of" in finding.message
    assert finding.fix is not None
    assert finding.fix.replacement == "pg"


def test_points_among_extras_stand_for_whatever_else_is_wanted(tmp_path: Path) -> None:
    text = "# Tool box\n\n```sh\npip install 'tool-box[postgres,..]' 'tool-box[redis,...]' 'tool-box[lost]'\n```\n"
    repo = Repository(tmp_path, {"README.md": text, "pyproject.toml": PYPROJECT, "tool_box/__init__.py": ""})
    assert [finding.claim for finding in repo.drifted(settings=SETTINGS)] == ["lost"]
