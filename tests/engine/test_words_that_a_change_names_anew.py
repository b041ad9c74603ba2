"""A command that became a group of commands did not go."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PAGE = "# T\n\nCommands:\n\n- **`run`** - start it\n- **`dev`** - look at it\n- **`check`** - see what it has\n"
CODE = "".join(f"@app.command\ndef {name}():\n    return 1\n\n\n" for name in ("run", "dev", "check", "prepare"))


@pytest.mark.parametrize(("written", "reported"), [("", ["dev"]), ('dev_app = App(name="dev")\n', [])])
def test_a_command_that_the_change_itself_names_anew_is_still_there(
    repository: Make, written: str, reported: list[str]
) -> None:
    repo = repository({"README.md": PAGE, "src/cli.py": CODE})
    repo.write({"src/cli.py": CODE.replace("def dev", "def inspector") + written}).commit("inspector")
    assert [finding.claim for finding in repo.drifted()] == reported
