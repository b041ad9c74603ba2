"""What a whole scan tells of what went long ago, where few other readings are left."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def later(repo: Repository, commits: int = 12) -> None:
    """Lets commits pass that touch nothing of interest."""
    for number in range(commits):
        repo.write({"src/other.py": f"NUMBER = {number}\n"}).commit()


def test_a_target_that_went_long_ago_is_missed_by_those_who_work_here_alone(repository: Make) -> None:
    make = "html:\n\tbuild docs\n\nclean:\n\trm -rf out\n"
    page = "# Contributing\n\nRun `make html` to build the manual, and `make clean` to begin anew.\n"
    repo = repository({"CONTRIBUTING.md": page, "docs/guide.md": page, "Makefile": make, "src/other.py": ""})
    repo.replace("html:\n\tbuild docs\n\n", "", "Makefile").commit()
    later(repo)
    told = {(f.rule, m.file, m.line) for f in repo.drifted() for m in f.mentions}
    assert told == {("unknown-script", "CONTRIBUTING.md", 3)}


def test_what_came_long_after_a_target_went_is_not_its_heir_unless_it_says_some_of_the_same(repository: Make) -> None:
    page = "# Contributing\n\nRun `make push-image` and `make lint-all`.\n"
    make = "push-image:\n\tpush\n\nclean:\n\trm\n\nlint-all:\n\tlint\n"
    repo = repository({"CONTRIBUTING.md": page, "Makefile": make, "src/other.py": ""})
    now = make.replace("push-image:\n\tpush", "update-schemas:\n\tupdate").replace("lint-all:", "lint-code:")
    repo.write({"Makefile": now}).commit()
    later(repo)
    fixes = {f.claim: f.fix.replacement if f.fix else "" for f in repo.drifted()}
    assert fixes == {"push-image": "", "lint-all": "lint-code"}


def test_a_target_of_an_earlier_release_is_not_missed_in_a_section_about_that(repository: Make) -> None:
    page = "# Contributing\n\n## Building version 1.2\n\nRun `make html` to build the manual.\n"
    repo = repository({"CONTRIBUTING.md": page, "Makefile": "html:\n\tbuild\n\nclean:\n\trm\n", "src/other.py": ""})
    repo.replace("html:\n\tbuild\n\n", "", "Makefile").commit()
    later(repo)
    assert repo.drifted() == []


def test_a_readme_that_promises_a_version_which_the_manifest_refuses_is_false_whenever_it_was_written(
    repository: Make,
) -> None:
    page = "# Tool\n\n## Features\n\n- Fast\n- Compatible with Python 3.8+\n- Plugins work with Python 3.7+\n"
    manifest = '[project]\nname = "tool"\nversion = "1.0"\nrequires-python = ">=3.10"\n'
    repo = repository({"README.md": page, "pyproject.toml": manifest, "src/other.py": ""})
    later(repo)
    assert {(f.rule, m.line) for f in repo.drifted() for m in f.mentions} == {("wrong-version", 6)}


def test_an_anchor_that_a_page_had_only_for_a_while_is_known_to_have_been_there(repository: Make) -> None:
    mkdocs = "site_name: Tool\nnav:\n  - index.md\n  - setup.md\n"
    page = "# Setup\n\n## Before\n\nText.\n"
    repo = repository({"mkdocs.yml": mkdocs, "docs/setup.md": page, "docs/index.md": "# Tool\n", "src/other.py": ""})
    later(repo, 2)
    repo.write({"docs/setup.md": page + "\n## Quick tour\n\nText.\n"})
    repo.write(
        {"docs/index.md": "# Tool\n\nTake the [tour](setup.md#quick-tour), or [another](setup.md#never-there).\n"}
    )
    repo.commit()
    repo.write({"docs/setup.md": page}).commit()
    later(repo, 10)
    assert {(f.rule, f.claim) for f in repo.drifted()} == {("missing-anchor", "#quick-tour")}
