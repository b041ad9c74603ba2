"""The chaos run on GitHub, short: the driver itself works, and nothing is lost, doubled or left open in two rounds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.chaos.github_side import doubles, of_repository

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(400)
def test_every_head_has_its_one_check_after_kills_and_lost_webhooks() -> None:
    few = ("--rounds", "2", "--repositories", "2", "--open", "6", "--load", "0.5", "--seed", "4")
    done = subprocess.run(
        [sys.executable, "-m", "bench.chaos", "--github", *few], cwd=ROOT, capture_output=True, text=True, timeout=380, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "violated invariants   0" in done.stdout


def shown(**changes: object) -> dict[str, object]:
    pull = {"number": 1, "open": True, "head": "b" * 40, "heads": ["a" * 40, "b" * 40]}
    check = {"head": "b" * 40, "status": "completed", "conclusion": "success", "title": "t", "id": 1}
    values: dict[str, object] = {
        "name": "acme/tool", "pulls": [pull], "checks": [check], "comments": [], "broken": {"b" * 40: False}, "main": "",
    }  # fmt: skip
    return {**values, **changes}


RUN = {("acme/tool", "b" * 40): ("completed", "", False, "")}
GOOD = {"head": "b" * 40, "status": "completed", "conclusion": "success", "title": "t", "id": 1}


def test_the_invariants_see_what_is_wrong() -> None:
    assert of_repository(shown(), RUN) == []
    assert doubles({"repositories": [shown()]}) == []
    for wrong in (
        shown(checks=[]),
        shown(checks=[{**GOOD, "status": "in_progress"}]),
        shown(checks=[{**GOOD, "conclusion": "action_required"}]),
        shown(broken={"b" * 40: True}),
        shown(checks=[{**GOOD, "conclusion": "action_required"}], broken={"b" * 40: True}),  # and no comment
        shown(checks=[GOOD, {**GOOD, "head": "a" * 40, "status": "queued"}]),
    ):
        assert of_repository(wrong, RUN), wrong
    assert of_repository(shown(), {})
    assert of_repository(shown(), {("acme/tool", "b" * 40): ("cancelled", "", True, "superseded")})
    assert doubles({"repositories": [shown(checks=[GOOD, GOOD])]})
    assert doubles({"repositories": [shown(comments=[1, 1])]})
