"""What has been as it is for long is called false only where few other readings are left."""

from __future__ import annotations

import os
import subprocess

import pytest

from docalign_actors.engine.audience import Audience, audience
from tests.precision.aged import DOUBTFUL_TOO, told
from tests.support.repository import Repository


@pytest.mark.parametrize(
    ("path", "whom"),
    [
        ("CONTRIBUTING.md", Audience.WORKERS),
        ("docs/contributing/setup.md", Audience.WORKERS),
        ("docs/development.rst", Audience.WORKERS),
        ("docs/devel.md", Audience.WORKERS),
        ("AGENTS.md", Audience.WORKERS),
        ("docs/dev/Codebase_Guide.md", Audience.WORKERS),
        ("BUILD.md", Audience.WORKERS),
        ("packages/core/BUILD.md", Audience.WORKERS),
        ("TESTING.md", Audience.WORKERS),
        ("TESTING_DOCS.md", Audience.WORKERS),
        ("docs/testing.md", Audience.USERS),
        ("docs/build.md", Audience.USERS),
        ("build/notes.md", Audience.USERS),
        ("README.md", Audience.VISITORS),
        ("packages/core/README.fr.md", Audience.VISITORS),
        (".github/SECURITY.md", Audience.VISITORS),
        ("INSTALL", Audience.VISITORS),
        ("docs/guide.md", Audience.USERS),
        ("docs/README.md", Audience.USERS),
        ("FAQ.md", Audience.USERS),
        ("website/content/developer-tools.md", Audience.USERS),
        ("src/parts/notes.md", Audience.USERS),
        ("examples/development/notes.md", Audience.USERS),
    ],
)
def test_a_document_is_written_for(path: str, whom: Audience) -> None:
    assert audience(path) is whom


def test_a_path_that_went_long_ago_is_missing_where_the_repository_itself_is_spoken_of(repo: Repository) -> None:
    says = "The reader is in `tool/parts/reader.py`.\n"
    repo.write({"CONTRIBUTING.md": says, "README.md": says, "docs/guide.md": says}).commit("say it")
    repo.delete("tool/parts/reader.py").commit("remove it")
    everywhere = {"CONTRIBUTING.md", "README.md", "docs/guide.md"}
    assert repo.stale_lines() == {(file, 1) for file in everywhere}
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 1), ("README.md", 1)}
    assert [len(f.mentions) for f in repo.drifted(settings=DOUBTFUL_TOO)] == [3]


def test_a_sample_project_has_folders_that_are_called_like_ours(repo: Repository) -> None:
    says = "The `pages/api` folder holds routes.\n"
    repo.write({"docs/pages/api/a.ts": "x\n", "examples/web/README.md": says, "README.md": says}).commit("say it")
    assert told(repo.delete("docs/pages/api/a.ts").commit("remove it").age()) == [("README.md", "pages/api")]


def test_a_readme_that_names_a_file_as_most_projects_have_it_may_mean_the_readers(repo: Repository) -> None:
    repo.write({"src/index.js": "x\n", "README.md": "Open `src/index.js`.\n"}).commit("say it")
    assert told(repo.delete("src/index.js").commit("remove it")) == [("README.md", "src/index.js")]
    assert told(repo.age()) == []


def test_a_readme_among_a_tools_settings_tells_of_files_that_need_not_be_there(repo: Repository) -> None:
    repo.write({".github/actions/spelling/README.md": "[only](only.txt)\n", ".github/HELP.md": "[a](lost.md)\n"})
    assert told(repo.commit("say it").age()) == [(".github/HELP.md", "lost.md")]


def test_what_the_last_commit_made_false_is_reported_whatever_it_is(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.10+\n"}).commit("say it").age()
    assert repo.drifted() == []
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert told(repo) == [("docs/install.md", "Python 3.10+")]


def test_what_an_old_commit_made_false_stays_old_when_the_file_is_touched_again(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.10+\n"}).commit("say it")
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more").age()
    assert told(repo.replace('version = "1"', 'version = "2"', "pyproject.toml").commit("release")) == []


def test_in_a_quiet_repository_eight_commits_are_long_ago(repo: Repository) -> None:
    repo.write({"docs/guide.md": "The reader is in `tool/parts/reader.py`.\n"}).commit("say it")
    repo.age().delete("tool/parts/reader.py").commit("remove it").age(4)
    assert told(repo) == [("docs/guide.md", "tool/parts/reader.py")]
    later = {"GIT_COMMITTER_DATE": "2024-09-01T12:00:00Z"}
    subprocess.run(
        ["git", "-C", str(repo.root), "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "later"],
        env={**os.environ, **later}, check=True,
    )  # fmt: skip
    assert told(repo) == []


def test_what_is_not_committed_yet_counts_as_new(repo: Repository) -> None:
    repo.write({"docs/guide.md": "The reader is in `tool/parts/reader.py`.\n"}).commit("say it").age()
    (repo.root / "tool/parts/reader.py").unlink()
    assert told(repo) == [("docs/guide.md", "tool/parts/reader.py")]


@pytest.mark.parametrize("page", ["README.md", "docs/guide.md", "CONTRIBUTING.md"])
def test_a_script_that_a_line_of_a_shell_runs_is_told_of_however_long_it_is_not_there(
    repo: Repository, page: str
) -> None:
    repo.write({page: "Run:\n\n```sh\nmake test\nmake old-docs\nmake build-all\n```\n"}).commit("say it")
    assert told(repo.age()) == [(page, "build-all")]


def test_a_script_that_a_sentence_names_may_be_run_elsewhere(repo: Repository) -> None:
    says = "- `make test` tests\n- `make old-docs` draws\n- run `make build-all` in the folder of the site\n"
    repo.write({"README.md": says}).commit("say it")
    assert told(repo.age()) == []
    assert told(repo, settings=DOUBTFUL_TOO) == [("README.md", "build-all")]


def test_a_manifest_that_a_manual_has_is_of_the_project_that_it_draws(repo: Repository) -> None:
    says = "```sh\nmake seed\nmake migrate\nmake start-all\n```\n"
    repo.write({"docs/shop/Makefile": "seed:\n\tx\nmigrate:\n\tx\n", "docs/shop/page.md": says}).commit("say it")
    assert told(repo.age()) == []


def test_a_young_repository_has_no_long_ago(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.8+\n"}).commit("say it")
    assert told(repo) == [("docs/install.md", "Python 3.8+")]


def test_a_form_for_documents_to_come_claims_nothing(repo: Repository) -> None:
    says = "# Name\n\n```python\nfrom tool import ExtensionName\n```\n"
    repo.write({"docs/_template.md": says, "docs/TEMPLATE.md": says, "docs/page.md": says}).commit("say it")
    assert told(repo) == [("docs/page.md", "ExtensionName")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Don't touch this folder.", []),
        ("The files in this directory are managed by automation.", []),
        ("Synced from https://example.org/other/shared.", []),
        ("What all parts share.", [("eng/common/README.md", "../lost.md")]),
    ],
)
def test_a_folder_that_is_a_copy_is_mended_elsewhere(
    repo: Repository, words: str, expected: list[tuple[str, str]]
) -> None:
    link = "[see](../lost.md)\n"
    repo.write({"eng/common/README.md": f"# Common\n\n{words}\n\n{link}", "eng/lost.md": "# L\n", "eng/a.md": "# A\n"})
    repo.commit("say it").delete("eng/lost.md").commit("remove it")
    assert told(repo.age()) == expected


def test_a_document_of_a_starter_is_of_the_project_that_begins_with_it(repo: Repository) -> None:
    says = "[see](lost.md)\n"
    repo.write({"create/template-vue/README.md": says, "create/README.md": says, "app-templates/README.md": says})
    assert told(repo.commit("say it")) == [("create/README.md", "lost.md")]


def test_a_suppression_of_what_has_become_doubtful_is_not_unused(repo: Repository) -> None:
    says = "<!-- docalign: ignore[missing-path] kept elsewhere -->\nSee `tool/parts/reader.py`.\n"
    repo.write({"docs/guide.md": says}).commit("say it").delete("tool/parts/reader.py").commit("remove it")
    assert repo.drifted() == []
    assert repo.age().drifted() == []


def test_a_path_that_only_ends_like_one_which_went_may_be_the_readers(repo: Repository) -> None:
    repo.write(
        {"starter/{{ name }}/src/parts/test_run.py": "x\n", "docs/develop/testing.md": "See `src/parts/test_run.py`.\n"}
    )
    repo.commit("say it").delete("starter/{{ name }}/src/parts/test_run.py").commit("remove it")
    assert told(repo.age()) == []


def test_an_archive_that_went_long_ago_is_made_by_a_build(repo: Repository) -> None:
    says = "Install `charts/tool-2.4.0.tgz` as `tool/parts/reader.py` does.\n"
    repo.write({"charts/tool-2.4.0.tgz": b"x", "CONTRIBUTING.md": says}).commit("say it")
    repo.delete("charts/tool-2.4.0.tgz", "tool/parts/reader.py").commit("remove both")
    assert told(repo.age()) == [("CONTRIBUTING.md", "tool/parts/reader.py")]
