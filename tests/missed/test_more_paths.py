"""What went and is named by documents yet is missed: files and folders."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_the_settings_that_readers_have_are_not_the_sample_in_the_repository(repository: Make) -> None:
    page = "# Tool\n\nIt reads `<config_dir>` `/` `tool.toml`.\n\nSee [the sample](config/tool.toml).\n"
    repo = repository({"README.md": page, "Cargo.toml": '[package]\nname = "tool"\n', "config/tool.toml": "a = 1\n"})
    repo.move("config/tool.toml", "config/default.toml").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_link_that_led_nowhere_before_its_folders_were_renamed_is_not_the_change_s(repository: Make) -> None:
    page = "# Notes\n\n[gateway](../tests/e2e/gateway.py) and [client](../tests/e2e/client.py)\n"
    repo = repository({"dev/notes.md": page, "tests/e2e/client.py": "x = 1\n", "tool/app.py": "y = 1\n"})
    repo.move("tests/e2e/client.py", "tests/tool/e2e/main.py").replace("tests/e2e", "tests/tool/e2e", "dev/notes.md")
    repo.commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../tests/tool/e2e/client.py"]


def test_a_path_cannot_lead_above_the_root_of_a_site(repository: Make) -> None:
    page = "# Start\n\n![Done](/../../pictures/done.png)\n\n![Gone](/../../pictures/gone.png)\n"
    repo = repository(
        {"README.md": "# App\n", "app.py": "print(1)\n", "pictures/done.png": b"1", "pictures/gone.png": b"2"}
    )
    repo.move("pictures/done.png", "docs/pictures/done.png").delete("pictures/gone.png").commit()
    repo.write({"docs/guide/start.md": page}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["/../../pictures/gone.png"]


def test_links_that_lead_on_from_pages_as_a_site_serves_them_are_not_wrong_in_new_pages(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "# App\n",
        "app.py": "print(1)\n",
        "docs/v1/pictures/a.png": b"1",
        "docs/v1/pictures/b.png": b"2",
        "old/a.png": b"1",
        "old/b.png": b"2",
        "docs/topics/lists/all.md": "# Lists\n",
        "docs/v1/topics/install.md": "# Install\n",
        "docs/v1/topics/lists/index.md": "# Lists\n",
        "docs/v1/old/here.md": "# Here\n\n![A](../pictures/a.png)\n",
    }
    repo = repository(files)
    repo.delete("docs/topics").commit()
    pages: dict[str, str | bytes] = {
        "docs/v1/how/one.md": "# One\n\n![A](../../pictures/a.png) and [lists](../../topics/lists)\n",
        "docs/v1/how/two.md": "# Two\n\n![B](../../pictures/b.png), [install](../../topics/install)\n",
        "docs/v1/how/three.md": "# Three\n\n[Install](../../topics/install/) it; see [this](../../topics/nothing.md).\n",
    }
    repo.write(pages).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../../topics/nothing.md"]
    # What lay deeper before has not been written for a site: its links led somewhere from there.
    repo.write(
        {"docs/v1/deep/er/old.md": "# Old\n\n![B](../../pictures/b.png) is shown here, as it was drawn.\n"}
    ).commit()
    repo.move("docs/v1/deep/er/old.md", "docs/v1/deep/old.md").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../../pictures/b.png"]


@BOTH
def test_what_lies_in_capitals_at_the_top_of_the_tests_is_a_document(repository: Make, since: str) -> None:
    page = "# How to\n\nRun `python -m pytest tests/test_server.py`.\n"
    repo = repository({"tests/HOW_TO_TEST.md": page, "tests/data/INPUT.md": page, "tests/test_server.py": "x = 1\n"})
    repo.move("tests/test_server.py", "tests/test_service.py").commit()
    assert repo.stale_lines(since=since) == {("tests/HOW_TO_TEST.md", 3)}


@BOTH
def test_a_file_is_missed_by_its_name_alone_beside_another_of_its_folder(repository: Make, since: str) -> None:
    page = "# Tests\n\nThe folder is made by `create.sh` and deleted by\n`destroy.sh`.\n\nYour own `destroy.sh` is yours.\n"
    repo = repository({"README.md": page, "docker/scripts/create.sh": "a\n", "docker/scripts/destroy.sh": "b\n"})
    repo.move("docker/scripts/destroy.sh", "docker/scripts/remove.sh").commit()
    assert ("README.md", 4) in repo.stale_lines(since=since)


@BOTH
def test_a_path_is_missed_in_sentences_titles_of_examples_and_flags(repository: Make, since: str) -> None:
    page = (
        "# Tool\n\nThe code lies in crates/cli and is small, in crates/cli/ too.\n\n```sh\ncargo install --path crates/cli\n"
        '```\n\n```rust title="crates/cli/src/main.rs"\nfn main() {}\n```\n\n- **crates/cli** holds it\n\n'
        "A crates/cli relation is no path.\n\n```sh\ngo build -ldflags '-X example.org/app/crates/cli.Version=1'\n```\n"
    )
    repo = repository({
        "README.md": page, "go.mod": "module example.org/app\n", "crates/cli/src/main.rs": "fn main() {}\n",
        "crates/cli/v.go": "package cli\n\nvar Version = 1\n",
    })  # fmt: skip
    repo.move("crates/cli", "crates/term").commit()
    assert repo.stale_lines(since=since) == {("README.md", line) for line in (3, 6, 9, 13, 18)}


@BOTH
def test_a_script_beside_the_document_is_missed_although_the_sentence_assumes_something(
    repository: Make, since: str
) -> None:
    page = "# Docs\n\nJust run `serve.sh`, assuming your working directory is this one.\n"
    repo = repository({"docs/README.md": page, "docs/serve.sh": "echo one\necho two\n", "a.py": "x = 1\n"})
    repo.move("docs/serve.sh", "docs/show.sh").commit()
    assert repo.stale_lines(since=since) == {("docs/README.md", 3)}


@BOTH
def test_a_file_that_any_project_may_have_is_missed_when_it_has_just_been_renamed(repository: Make, since: str) -> None:
    page = "# Contributing\n\nAn entry in the `HISTORY.md` is appropriate for most changes.\n"
    repo = repository({"CONTRIBUTING.md": page, "HISTORY.md": "# 1.0\n\n- One.\n- Two.\n", "a.py": "x = 1\n"})
    repo.move("HISTORY.md", "PAST.md").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 3)}


@BOTH
def test_a_link_to_this_repository_on_github_is_missed_when_its_file_moves(repository: Make, since: str) -> None:
    ours, theirs = "https://github.com/owner/tool/blob/main", "https://github.com/owner/other/blob/main"
    page = f"See [it]({ours}/sample.yaml),\n[theirs]({theirs}/sample.yaml)\nand [ours]({ours}/README.md).\n"
    repo = repository({"README.md": page, "go.mod": "module github.com/owner/tool\n", "sample.yaml": "a: 1\nb: 2\n"})
    repo.move("sample.yaml", "examples/sample.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


def test_a_moved_folder_is_missed_where_a_command_names_it_with_a_dot(repository: Make) -> None:
    page = "# Tool\n\nRead `cmd/hi/main.go`, and the folder `cmd/hi`.\n\n```sh\ngo run ./cmd/hi run all\n```\n"
    main = "package main\n\nfunc main() {}\n"
    repo = repository({"CONTRIBUTING.md": page, "go.mod": "module example.org/app\n", "cmd/hi/main.go": main})
    repo.move("cmd/hi/main.go", "cmd/trial/main.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 3), ("CONTRIBUTING.md", 6)}
