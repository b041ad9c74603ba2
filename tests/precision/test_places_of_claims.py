"""Where a sentence stands decides whether it speaks of this project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repository import Repository

MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software and associated\n"
MANIFEST = '[project]\nname = "tool"\nversion = "1"\nlicense = "MIT"\n'


@pytest.mark.parametrize(
    ("place", "reported"),
    [
        ("README.md", True),
        ("docs/index.md", True),
        ("docs/themes/boring/index.md", False),
        (".github/checklist.md", False),
        ("CONTRIBUTING.md", False),
    ],
)
def test_a_licence_is_judged_where_a_project_speaks_for_itself(tmp_path: Path, place: str, reported: bool) -> None:
    text = "# Tool\n\nThis project is licensed under the GPL-3.0 license.\n"
    repo = Repository(tmp_path, {place: text, "LICENSE": MIT, "pyproject.toml": MANIFEST, "README.txt": "x\n"})
    assert bool([f for f in repo.drifted() if f.rule == "wrong-licence"]) == reported


def test_a_link_that_never_was_right_is_uncertain_where_the_only_file_of_its_name_is_elsewhere(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "guides/intro/start.md": "# Start\n\n![a](assets/welcome.png)\n",
        "guides/assets/welcome.png": "x",
    }
    assert Repository(tmp_path, files).drifted() == []


def test_a_link_of_a_readme_is_read_where_it_lies(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"README.md": "# Start\n\n[a](guide.md)\n", "docs/guide.md": "# Guide\n"}
    assert [f.rule for f in Repository(tmp_path, files).drifted()] == ["missing-link-target"]


def test_pages_that_exdoc_makes_are_linked_by_their_names(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "mix.exs": "defmodule Tool.MixProject do\nend\n", "guides/contexts.md": "# Contexts\n",
        "guides/json.md": "# JSON\n\nSee [contexts](contexts.md).\n",
    }  # fmt: skip
    repo = Repository(tmp_path, files)
    repo.move("guides/contexts.md", "guides/data/contexts.md").commit("move")
    assert repo.drifted() == []
