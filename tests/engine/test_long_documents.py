"""What a scan costs grows with the length of a document, not with its square."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import pytest

from docalign_actors.engine.lost import printed
from tests.support.repository import Repository

_FEW, _MANY = 80, 240
_CODE = "import os\n\n\ndef {name}(path): ...\n\n\nx = os.environ['{variable}']\n"


def _steps(repo: Repository, since: str) -> int:
    """Calls, and turns of loops that are generators, in the process that judges."""
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(seen)
    try:
        assert repo.drifted(since=since)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("since", ["", "HEAD~1"])
@pytest.mark.parametrize(
    "piece",
    [
        "```python\nload_items(a=1)\n```\n\n",
        "Call `load_items`, set `ACME_PORT` and edit `src/app.py`.\n\n",
        "| `load_items` | `ACME_PORT` | [x](src/app.py) |\n",
    ],
)
def test_three_times_the_claims_cost_about_three_times_the_steps(tmp_path: Path, piece: str, since: str) -> None:
    steps = []
    for number in (1, _FEW, _MANY):  # the first loads what it takes
        head = "| a | b | c |\n|---|---|---|\n" if piece.startswith("|") else ""
        (root := tmp_path / str(number)).mkdir()
        code = _CODE.format(name="load_items", variable="ACME_PORT")
        repo = Repository(root, {"README.md": f"# Tool\n\n{head}{piece * number}", "src/app.py": code})
        repo.write({"src/app.py": _CODE.format(name="fetch_items", variable="ACME_SOCKET")}).commit("rename")
        steps.append(_steps(repo, since))
    assert steps[2] < 3.3 * steps[1]


def test_lines_that_are_no_help_are_not_compared_with_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[str] = []
    monkeypatch.setattr(printed, "_difference", lambda then, now: compared.append(then))
    helps = [
        '    "  --level LEVEL  how much is said, 1 at the least\\n"',
        '    "  --level LEVEL  how much is said, 2 at the least\\n"',
    ]
    texts = [
        "\n".join([*(f"value_{n} = {word}({n}) - {n}" for n in range(500)), "USAGE = (", line, ")"])
        for word, line in zip(("first", "second"), helps, strict=True)
    ]
    repo = Repository(tmp_path, {"README.md": "# Tool\n", "tool.py": texts[0]})
    repo.write({"tool.py": texts[1]}).commit("change")

    repo.scan()

    assert len(compared) == 1


def test_three_times_the_imports_of_three_times_the_files_cost_about_three_times_the_steps(tmp_path: Path) -> None:
    steps = []
    for number in (1, _FEW, _MANY):
        (root := tmp_path / str(number)).mkdir()
        lines = "".join(f"import org.acme.tool{n}.Thing;\n" for n in range(number))
        files: dict[str, str | bytes] = {
            f"src/main/java/org/acme/part{n}/Part{n}.java": f"package org.acme.part{n};\n\npublic class Part{n} {{}}\n"
            for n in range(number)
        }
        repo = Repository(
            root, {"README.md": f"# Tool\n\n```java\n{lines}```\n\nSee `src/gone.py`.\n", "src/gone.py": "x = 1\n"}
        )
        repo.write(files).delete("src/gone.py").commit()
        steps.append(_steps(repo, ""))
    assert steps[2] < 4 * steps[1]
