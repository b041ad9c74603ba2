"""`docalign scan` as a user meets it: output, formats, exit codes, errors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors import __version__
from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
TRUE = {"README.md": "Edit `src/app.py`.\n", "src/app.py": "x = 1\n"}


@pytest.fixture
def drifted(repository: Make) -> Repository:
    """A repository whose README names a file that was renamed, twice."""
    repo = repository({"README.md": "# Hello\n\nEdit `src/app.py`.\n\nRun `src/app.py`.\n", "src/app.py": "x = 1\n"})
    return repo.move("src/app.py", "src/main.py").commit("rename app")


def test_a_true_repository_exits_with_zero_and_says_what_was_examined(repository: Make, docalign: Run) -> None:
    done = docalign("scan", cwd=repository(TRUE).root)
    assert done.returncode == 0, done.stderr
    assert "Nothing false was found." in done.stdout
    assert "1 document, " in done.stdout
    assert done.stderr == ""


def test_a_finding_shows_rule_place_source_evidence_and_help(drifted: Repository, docalign: Run) -> None:
    done = docalign("scan", cwd=drifted.root)
    assert done.returncode == 1
    commit = drifted.git("rev-parse", "--short=9", "HEAD").strip()
    assert done.stdout.startswith(
        "missing-path[high]: `src/app.py` was renamed to `src/main.py`.\n"
        " --> README.md:3:7\n"
        "  |\n"
        "3 | Edit `src/app.py`.\n"
        "  |       ^^^^^^^^^^\n"
        f"  = evidence: renamed to src/main.py by {commit} (2024-05-01) rename app\n"
        "  = also at: README.md:5:6\n"
        "  = help: write `src/main.py`\n"
        "\n"
        "1 finding (1 high); 1 can be mended with `docalign fix`.\n"
    )


def test_what_is_doubtful_is_reported_when_it_is_asked_for_and_told_apart(repository: Make, docalign: Run) -> None:
    page = "# Tool\n\nSet `TOOL_LEVEL` first, then `TOOL_DEPTH`.\n"
    code = 'import os\n\nlevel = os.environ["TOOL_LEVEL"]\ndepth = os.environ["TOOL_DEPTH"]\n'
    repo = repository({"docs/guide.md": page, "tool/__init__.py": "", "tool/items.py": code})
    repo.replace("TOOL_LEVEL", "TOOL_HEIGHT", "tool/items.py").commit().age()
    plain, asked = docalign("scan", cwd=repo.root), docalign("scan", "--doubtful", cwd=repo.root)
    assert (plain.returncode, asked.returncode) == (0, 1), asked.stdout
    assert "`TOOL_LEVEL`" in asked.stdout
    assert "= doubt: it has been so for long" in asked.stdout
    assert docalign("scan", cwd=repo.root).stdout.startswith("Nothing false was found.")


def test_the_json_form_has_the_documented_fields(drifted: Repository, docalign: Run) -> None:
    report = json.loads(docalign("scan", "--format", "json", cwd=drifted.root).stdout)
    assert report["version"] == 1
    assert set(report["summary"]) >= {"documents", "claims", "verified", "drifted", "uncertain", "duration_ms"}
    (finding,) = report["findings"]
    assert (finding["file"], finding["line"], finding["column"], finding["claim"]) == ("README.md", 3, 7, "src/app.py")
    assert [(m["file"], m["line"], m["column"]) for m in finding["mentions"]] == [
        ("README.md", 3, 7),
        ("README.md", 5, 6),
    ]
    assert finding["fix"] == {"replacement": "src/main.py", "safe": True}
    assert finding["evidence"][0]["commit"] == drifted.git("rev-parse", "HEAD").strip()


def test_an_id_survives_lines_that_move(drifted: Repository, docalign: Run) -> None:
    def ids() -> list[str]:
        return [f["id"] for f in json.loads(docalign("scan", "--format", "json", cwd=drifted.root).stdout)["findings"]]

    before = ids()
    drifted.write({"README.md": "# Hello\n\nA new line.\n\nAnother.\n\nEdit `src/app.py`.\n"}).commit()
    assert ids() == before


def test_several_formats_are_written_at_once(drifted: Repository, docalign: Run, tmp_path: Path) -> None:
    sarif, page = tmp_path / "out" / "report.sarif", tmp_path / "out" / "report.html"
    arguments = (
        "--format",
        "sarif",
        "--output",
        str(sarif),
        "--format",
        "html",
        "--output",
        str(page),
        "--format",
        "concise",
    )
    done = docalign("scan", *arguments, cwd=drifted.root)
    assert done.stdout.splitlines()[0] == "README.md:3:7: missing-path[high] `src/app.py` was renamed to `src/main.py`."
    assert json.loads(sarif.read_text())["runs"][0]["results"][0]["ruleId"] == "missing-path"
    assert "<mark>src/app.py</mark>" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("scan", "--format", "pdf"), "DOCALIGN_E400"),
        (("scan", "--format", "json", "--format", "sarif"), "DOCALIGN_E400"),
        (("scan", "--changed-since", "no-such-branch"), "DOCALIGN_E403"),
        (("scan", "--changed-since", ""), "DOCALIGN_E400"),
        (("scan", "nowhere"), "DOCALIGN_E402"),
        (("scan", "--show", "everything"), "DOCALIGN_E400"),
        (("scan", "--jobs", "-3"), "DOCALIGN_E400"),
        (("scan", "--config", "nowhere.yml"), "DOCALIGN_E401"),
        (("explain", "mising-path"), "DOCALIGN_E400"),
    ],
)
def test_misuse_gets_a_code_a_sentence_and_no_stack_trace(
    repository: Make, docalign: Run, arguments: tuple[str, ...], code: str
) -> None:
    done = docalign(*arguments, cwd=repository(TRUE).root)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error[{code}]: ")
    assert "\n  help: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_git_is_refused(tmp_path: Path, docalign: Run) -> None:
    done = docalign("scan", cwd=tmp_path)
    assert (done.returncode, "DOCALIGN_E402" in done.stderr) == (2, True)


def test_a_repository_without_documentation_exits_with_three(repository: Make, docalign: Run) -> None:
    done = docalign("scan", cwd=repository({"src/app.py": "x = 1\n"}).root)
    assert (done.returncode, "DOCALIGN_E404" in done.stderr) == (3, True)


def test_nothing_examined_is_never_called_fine(repository: Make, docalign: Run) -> None:
    done = docalign("scan", cwd=repository({"README.md": "Words, only words.\n"}).root)
    assert "nothing was examined" in done.stdout


def test_fail_on_decides_the_exit_code(drifted: Repository, docalign: Run) -> None:
    assert docalign("scan", "--fail-on", "high", cwd=drifted.root).returncode == 1
    assert docalign("scan", "--fail-on", "never", cwd=drifted.root).returncode == 0


def test_only_the_staged_change_is_judged_with_staged(repository: Make, docalign: Run) -> None:
    repo = repository(
        {"README.md": "Edit `src/app.py` and `src/old.py`.\n", "src/app.py": "x = 1\n", "src/old.py": "y = 1\n"}
    )
    repo.delete("src/old.py").commit("older drift")
    repo.move("src/app.py", "src/main.py")
    done = docalign("scan", "--staged", "--format", "concise", cwd=repo.root)
    assert done.returncode == 1
    assert "`src/app.py` was renamed" in done.stdout
    assert "src/old.py" not in done.stdout.split("\n")[0]


def test_a_hook_sees_what_git_commit_a_is_about_to_commit(repository: Make, docalign: Run) -> None:
    repo = repository({"README.md": "Call `load_items`.\n", "src/app.py": "def load_items():\n    return []\n"})
    repo.replace("load_items", "fetch_items", "src/app.py")
    assert docalign("scan", "--staged", cwd=repo.root).returncode == 0
    index = repo.root / ".git" / "next-index"
    shutil.copyfile(repo.root / ".git" / "index", index)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_INDEX_FILE", str(index))
        repo.git("add", "src/app.py")
        done = docalign("scan", "--staged", "--format", "concise", cwd=repo.root)
        patch.setenv("GIT_INDEX_FILE", str(repo.root / "elsewhere"))
        assert docalign("scan", "--staged", cwd=repo.root).returncode == 0
    assert done.returncode == 1
    assert "`load_items` is not defined any more" in done.stdout


def test_a_second_scan_recalls_the_report_and_a_change_is_seen(drifted: Repository, docalign: Run) -> None:
    first, second = (docalign("scan", "--format", "concise", cwd=drifted.root).stdout for _ in range(2))
    assert first.splitlines()[:2] == second.splitlines()[:2]
    drifted.write({"README.md": "Edit `src/main.py`.\n"})
    assert "Nothing false" in docalign("scan", cwd=drifted.root).stdout


def test_a_cache_that_cannot_be_written_does_not_stop_the_scan(
    drifted: Repository, docalign: Run, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    assert docalign("scan", "--cache-dir", str(tmp_path / "file" / "x"), cwd=drifted.root).returncode == 1
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "blobs.sqlite").write_bytes(b"garbage" * 1000)
    assert docalign("scan", "--cache-dir", str(broken), cwd=drifted.root).returncode == 1


def test_a_scan_of_a_folder_judges_only_its_documents(repository: Make, docalign: Run) -> None:
    repo = repository({"README.md": "See [x](gone.md).\n", "docs/a.md": "See [y](gone2.md).\n"})
    done = docalign("scan", "docs", "--format", "concise", cwd=repo.root)
    assert "docs/a.md:1:" in done.stdout
    assert "README.md" not in done.stdout


def test_the_version_is_told(docalign: Run, tmp_path: Path) -> None:
    assert docalign("--version", cwd=tmp_path).stdout.strip() == f"docalign {__version__}"


def test_a_dash_is_standard_output_and_the_page_names_the_repository(drifted: Repository, docalign: Run) -> None:
    done = docalign(
        "scan", "--format", "html", "--output", "report.html", "--format", "concise", "--output", "-", cwd=drifted.root
    )
    assert done.stdout.startswith("README.md:3:7: missing-path")
    assert (
        f"<title>{drifted.root.name}: 1 false claim in the documentation</title>"
        in (drifted.root / "report.html").read_text()
    )
    assert not (drifted.root / "-").exists()
    # Opened as a file it would be emptied first, where output goes to the end of a file.
    done = docalign("scan", "--format", "html", "--output", "/dev/stdout", "--format", "concise", cwd=drifted.root)
    assert done.returncode == 2
    assert "Only one format can go to standard output." in done.stderr


def test_a_file_without_a_format_gets_the_one_that_its_ending_tells(drifted: Repository, docalign: Run) -> None:
    done = docalign("scan", "--output", "report.json", "--output", "report.md", "--output", "log", cwd=drifted.root)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads((drifted.root / "report.json").read_text())["version"] == 1
    assert (drifted.root / "report.md").read_text().startswith("## ")
    assert (drifted.root / "log").read_text().startswith("missing-path[high]: ")


def test_what_is_another_projects_is_counted_apart_and_shown_when_asked_for(
    repository: Callable[..., Repository], docalign: Run
) -> None:
    repo = repository({"README.md": "# Tool\n\n```sh\nkubectl --namespace web\n```\n", "tool.py": "x = 1\n"})
    told = json.loads(docalign("scan", "--show", "aside", "--format", "json", cwd=repo.root).stdout)
    assert {finding["verdict"] for finding in told["findings"]} == {"aside"}
    assert told["summary"]["aside"] >= len(told["findings"]) > 0
