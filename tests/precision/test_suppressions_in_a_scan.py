"""Which suppressions a scan calls needless."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.engine.settings import ScanSettings, Suppress
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

README = """# Tool

<!-- docalign: ignore[missing-link-target] the build makes it -->
See [gone](gone.md).

<!-- docalign: ignore[missing-link-target] it is there -->
See [the guide](guide.md).

<!-- docalign: ignore[missing-path] nobody knows -->
Copy it to `conf/local_settings.py`.

<!-- docalign: ignore all of it -->
Or to `conf/other_settings.py`.

<!-- docalign: ignore[mising-path] a slip -->
Run `src/app.py`.

Call `load_items`.
"""


def test_what_nothing_needs_is_told_by_a_whole_scan_and_never_by_a_change(repository: Make) -> None:
    files = {"README.md": README, "guide.md": "# Guide\n", "src/app.py": "def load_items():\n    return []\n"}
    repo = repository(dict(files))
    told = {finding.line: finding.message for finding in repo.drifted()}
    assert told == {
        6: "This suppression of missing-link-target suppresses nothing.",
        12: "This suppression of everything suppresses nothing.",
        15: "There is no rule or kind `mising-path`; did you mean `missing-path`?",
    }
    repo.replace("load_items", "fetch_items", "src/app.py").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["load_items"]


def test_an_entry_of_the_configuration_with_a_rule_that_does_not_exist_is_noted(repository: Make) -> None:
    settings = ScanSettings(jobs=1, suppress=(Suppress(rule="mising-path"), Suppress(rule="missing-path")))
    notes = [note.text for note in repository({"README.md": "# A\n"}).scan(settings=settings).notes]
    assert notes == [
        "The configuration suppresses `mising-path`: there is no rule or kind `mising-path`; did you mean `missing-path`?"
    ]
