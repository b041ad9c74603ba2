"""Sphinx labels: `:ref:` to a label that a document holds, held, or never held."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ONLY = ScanSettings(jobs=1, claim_types=("anchor",))
TARGET = ".. _python_api_modes:\n\nModes\n=====\n\nText.\n"
FILES: dict[str, str | bytes] = {
    "docs/conf.py": "",
    "docs/a.rst": "A\n=\n\nSee :ref:`python_api_modes` and :ref:`elsewhere_label`.\n",
    "docs/b.rst": TARGET,
}


def test_a_label_that_some_document_holds_is_verified(repository: Make) -> None:
    report = repository(FILES).scan(settings=ONLY)
    assert (report.summary.verified, report.summary.drifted, report.summary.uncertain) == (1, 0, 1)


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_label_that_was_renamed_is_missing_and_one_that_never_was_is_uncertain(repository: Make, since: str) -> None:
    repo = repository(FILES).replace("_python_api_modes", "_python_rest_modes", "docs/b.rst").commit()
    (finding,) = repo.drifted(since=since, settings=ONLY)
    assert (finding.rule, finding.claim, finding.line) == ("missing-anchor", "python_api_modes", 4)


def test_a_label_that_stands_in_a_changelog_is_not_missing(repository: Make) -> None:
    repo = repository({**FILES, "docs/changelog.rst": ".. _v1:\n\n" + TARGET, "docs/b.rst": "B\n=\n"})
    repo.write({"docs/changelog.rst": ".. _v2:\n\n" + TARGET}).commit()
    assert repo.drifted(settings=ONLY) == []


def test_a_label_that_opens_a_list_item_is_a_label(repository: Make) -> None:
    repo = repository({**FILES, "docs/b.rst": TARGET})
    repo.write({"docs/b.rst": "Modes\n=====\n\n-   .. _python_api_modes:\n\n    Text.\n"}).commit()
    assert repo.drifted(settings=ONLY) == []
