"""The GitHub Action and the pre-commit hook: their own shell lines, run as their hosts run them."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def renamed(repository: Make) -> Repository:
    """A pull request of one commit: it renames a file and leaves the README as it was, which was false elsewhere before."""
    repo = repository(
        {"README.md": "See [gone](gone.md).\n\nEdit `src/app.py`.\n", "src/app.py": "x = 1\n", "gone.md": "# x\n"}
    )
    repo.delete("gone.md").commit("old drift")
    return repo.move("src/app.py", "src/main.py").commit("rename app")


def installed(folder: Path) -> Path:
    """A folder with the command in it, as the Action's step before makes one."""
    command = folder / "docalign" / "bin" / "docalign"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m docalign_actors "$@"\n')
    command.chmod(0o755)
    return command


def step(repo: Repository, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs the Action's scan as a runner does: the script of the step, its inputs as variables."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    (scan,) = [one for one in action["runs"]["steps"] if one.get("id") == "scan"]
    given = {"SCAN_PATH": ".", "SINCE": "", "FAIL_ON": "low", "BASE": "", **inputs}
    assert set(given) == set(scan["env"])
    installed(folder)
    places = {
        "RUNNER_TEMP": folder,
        "GITHUB_OUTPUT": folder / "output",
        "GITHUB_STEP_SUMMARY": folder / "summary",
        "DOCALIGN_CACHE_DIR": folder / "cache",
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", scan["run"]],
        cwd=repo.root,
        env={**os.environ, **given, **{name: str(path) for name, path in places.items()}},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_action_annotates_what_the_pull_request_made_false_and_fails(renamed: Repository, tmp_path: Path) -> None:
    base = renamed.git("rev-parse", "HEAD~1").strip()
    done = step(renamed, tmp_path / "runner", BASE=base)
    assert done.returncode == 1, done.stderr
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert annotation.startswith("::error file=README.md,line=3,col=7,")
    assert "`src/app.py` was renamed" in (tmp_path / "runner" / "summary").read_text()
    name, _, path = (tmp_path / "runner" / "output").read_text().strip().partition("=")
    assert name == "sarif"
    (run,) = json.loads(Path(path).read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["missing-path"]


def test_the_action_scans_everything_when_asked_and_passes_below_the_threshold(
    renamed: Repository, tmp_path: Path
) -> None:
    done = step(renamed, tmp_path / "runner", BASE="0" * 40, SINCE="none", FAIL_ON="never")
    assert done.returncode == 0, done.stderr
    assert len([line for line in done.stdout.splitlines() if line.startswith("::")]) == 2


def test_a_hostile_input_of_the_action_is_a_revision_and_no_command(renamed: Repository, tmp_path: Path) -> None:
    done = step(renamed, tmp_path / "runner", SINCE=f"$(touch {tmp_path}/run) `touch {tmp_path}/run`; x")
    assert done.returncode != 0
    assert not (tmp_path / "run").exists()


def test_the_hook_refuses_a_commit_that_makes_the_documentation_false(repository: Make, tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    repo = repository({"README.md": "Edit `src/app.py`.\n", "src/app.py": "x = 1\n"}).move("src/app.py", "src/main.py")
    command = [str(installed(tmp_path / "hook")), *shlex.split(hook["entry"])[1:]]
    environment = {**os.environ, "DOCALIGN_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=repo.root, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 1
    repo.replace("src/app.py", "src/main.py", "README.md").git("add", "-A")
    done = subprocess.run(command, cwd=repo.root, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
