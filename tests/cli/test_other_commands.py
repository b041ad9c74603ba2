"""`docalign fix`, `baseline`, `rules`, `explain`, `init` and `doctor`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.cli.rules import fitted
from docalign_actors.engine.kinds.names_of_kinds import KIND_NAMES, RULE_NAMES
from docalign_actors.engine.kinds.registry import kinds
from docalign_actors.engine.scan import all_rules
from docalign_actors.errors import ConfigurationError
from docalign_actors.findings.baseline import Baseline, read_baseline, write_baseline
from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@pytest.fixture
def drifted(repository: Make) -> Repository:
    repo = repository(
        {"README.md": "Edit `src/app.py` or `./src/app.py`.\n\nSee [it](src/app.py).", "src/app.py": "x = 1\n"}
    )
    return repo.move("src/app.py", "src/main.py").commit("rename app")


def test_fix_mends_every_mention_and_the_next_scan_is_clean(drifted: Repository, docalign: Run) -> None:
    done = docalign("fix", cwd=drifted.root)
    assert done.returncode == 0, done.stderr
    assert (
        drifted.root / "README.md"
    ).read_text() == "Edit `src/main.py` or `./src/main.py`.\n\nSee [it](src/main.py)."
    assert done.stdout.splitlines() == [
        "README.md:1:7: `src/app.py` is now `src/main.py`",
        "README.md:1:23: `./src/app.py` is now `./src/main.py`",
        "README.md:3:10: `src/app.py` is now `src/main.py`",
        "3 places were mended.",
    ]
    assert docalign("scan", cwd=drifted.root).returncode == 0
    assert docalign("fix", cwd=drifted.root).stdout == "Nothing is to be mended.\n"


def test_fix_diff_changes_nothing_and_prints_a_patch_that_git_applies(drifted: Repository, docalign: Run) -> None:
    before = (drifted.root / "README.md").read_text()
    done = docalign("fix", "--diff", cwd=drifted.root)
    assert (drifted.root / "README.md").read_text() == before
    subprocess.run(["git", "-C", str(drifted.root), "apply", "-"], input=done.stdout.encode(), check=True)
    assert "src/main.py" in (drifted.root / "README.md").read_text()


def test_fix_leaves_a_dirty_file_alone_unless_told(drifted: Repository, docalign: Run) -> None:
    text = "Edit `src/app.py` now.\n"
    drifted.write({"README.md": text})
    done = docalign("fix", cwd=drifted.root)
    assert (done.returncode, (drifted.root / "README.md").read_text()) == (2, text)
    assert "README.md has uncommitted changes" in done.stderr
    assert docalign("fix", "--allow-dirty", cwd=drifted.root).returncode == 0
    assert (drifted.root / "README.md").read_text() == "Edit `src/main.py` now.\n"


def test_fix_keeps_line_endings_and_broken_bytes(repository: Make, docalign: Run) -> None:
    repo = repository({"README.md": b"caf\xe9 \xff\r\nEdit `src/app.py`.\r\n", "src/app.py": "x = 1\n"})
    repo.move("src/app.py", "src/main.py").commit()
    docalign("fix", cwd=repo.root)
    assert (repo.root / "README.md").read_bytes() == b"caf\xe9 \xff\r\nEdit `src/main.py`.\r\n"


def test_a_baseline_hides_what_is_known_and_shows_what_is_new(drifted: Repository, docalign: Run) -> None:
    assert docalign("baseline", cwd=drifted.root).returncode == 0
    known = json.loads((drifted.root / ".docalign-baseline.json").read_text())
    assert {entry["rule"] for entry in known["findings"]} == {"missing-path", "missing-link-target"}
    assert docalign("scan", cwd=drifted.root).returncode == 0
    assert docalign("scan", "--no-baseline", cwd=drifted.root).returncode == 1
    drifted.write({"docs/new.md": "Also edit `src/app.py`.\n"})
    done = docalign("scan", "--format", "concise", cwd=drifted.root)
    assert done.stdout.startswith("docs/new.md:1:12: missing-path")


def test_prune_takes_out_what_is_no_longer_found(drifted: Repository, docalign: Run) -> None:
    docalign("baseline", cwd=drifted.root)
    drifted.write({"README.md": "Edit `src/main.py`.\n"})
    assert "2 no longer found" in docalign("baseline", "--prune", cwd=drifted.root).stdout
    assert json.loads((drifted.root / ".docalign-baseline.json").read_text())["findings"] == []


def test_a_baseline_is_not_written_through_a_link_nor_where_it_cannot_be(tmp_path: Path) -> None:
    link = tmp_path / "known.json"
    link.symlink_to(tmp_path / "elsewhere")
    write_baseline(link, Baseline())
    assert (link.is_symlink(), (tmp_path / "elsewhere").exists()) == (False, False)
    assert read_baseline(link) == Baseline()
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_baseline(tmp_path / "no" / "such" / "folder.json", Baseline())


def test_a_broken_baseline_is_named(drifted: Repository, docalign: Run) -> None:
    drifted.write({".docalign-baseline.json": "{"})
    done = docalign("scan", cwd=drifted.root)
    assert (done.returncode, "is no baseline" in done.stderr) == (2, True)


def test_every_rule_is_listed_and_can_be_explained(drifted: Repository, docalign: Run) -> None:
    listed = {rule["id"] for rule in json.loads(docalign("rules", "--format", "json", cwd=drifted.root).stdout)}
    assert listed == set(all_rules())
    done = docalign("explain", "missing-path", cwd=drifted.root)
    assert done.stdout.startswith("missing-path (high): ")
    assert "not installed" not in done.stdout


def test_an_explanation_shows_the_comment_that_silences_the_rule_and_none_of_the_pages_own(
    drifted: Repository, docalign: Run
) -> None:
    shown = docalign("explain", "wrong-version", cwd=drifted.root).stdout
    assert "<!-- docalign: ignore[wrong-version] " in shown
    assert "ignore-file[" not in shown


def test_a_kind_is_explained_with_all_of_its_rules(drifted: Repository, docalign: Run) -> None:
    shown = docalign("explain", "default", cwd=drifted.root).stdout.splitlines()
    assert [line.partition(" ")[0] for line in shown[:3]] == ["wrong-default", "wrong-port", ""]


def test_an_explanation_fits_the_terminal_but_for_tables_and_code() -> None:
    page = "# title\n\nfirst words\nof a sentence\n- an item\n  of two lines\n- another\n\n| a | b that is long |\n\n```text\nas it   stands here\n```\n"
    assert fitted(page, 16).splitlines() == [
        "# title", "", "first words of a", "sentence", "- an item of two", "  lines", "- another", "", "| a | b that is long |", "",
        "```text", "as it   stands here", "```",
    ]  # fmt: skip


def test_every_kind_has_a_page_that_names_its_rules() -> None:
    from pathlib import Path

    pages = Path(__file__).parents[2] / "docs" / "rules"
    missing = [
        rule.id for rule in all_rules().values() if f"`{rule.id}`" not in (pages / f"{rule.kind}.md").read_text()
    ]
    assert missing == []


def test_the_names_of_the_kinds_are_those_of_the_registry() -> None:
    assert {kind.name for kind in kinds()} == KIND_NAMES
    assert set(all_rules()) == RULE_NAMES


def test_init_writes_a_configuration_that_is_accepted_and_never_writes_over_one(
    drifted: Repository, docalign: Run
) -> None:
    assert docalign("init", cwd=drifted.root).returncode == 0
    assert docalign("scan", cwd=drifted.root).returncode == 1
    done = docalign("init", cwd=drifted.root)
    assert (done.returncode, "is there already" in done.stderr) == (2, True)


def test_doctor_is_content_with_a_good_repository_and_names_a_bad_configuration(
    drifted: Repository, docalign: Run
) -> None:
    done = docalign("doctor", cwd=drifted.root)
    assert done.returncode == 0
    assert "PostgreSQL 18" in done.stdout
    drifted.write({".docalign.yml": "doc_pattern: []\n"})
    done = docalign("doctor", cwd=drifted.root)
    assert done.returncode == 2
    assert "WRONG  configuration: " in done.stdout
    assert "Did you mean `doc_patterns`?" in done.stdout


def test_doctor_says_what_it_missed_in_words_alone(repository: Make, docalign: Run) -> None:
    done = docalign("doctor", cwd=repository({"app.py": "x = 1\n"}).root)
    assert done.returncode == 2
    assert "WRONG  documentation: there is none to check." in done.stdout


def test_doctor_says_once_that_it_stands_outside_a_repository(tmp_path: Path, docalign: Run) -> None:
    done = docalign("doctor", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.count("is not inside a git repository") == 1


@pytest.mark.parametrize(
    ("said", "problem", "help_"),
    [
        ("scn", "There is no command 'scn'.", "Did you mean `scan`?"),
        ("token creat", "There is no command 'creat'.", "Did you mean `create`?"),
        ("scan --formt json", "There is no option '--formt'.", "Did you mean `--format`?"),
        ("scan --zzz", "There is no option '--zzz'.", "Run `docalign --help` to see what it takes."),
        ("scan . docs", "'docs' is one word too many.", "Run `docalign --help` to see what it takes."),
        (
            "scan --jobs x",
            "Argument --jobs: invalid int value: 'x'.",
            "Run `docalign scan --help` to see what it takes.",
        ),
    ],
)
def test_misuse_gets_a_code_and_what_was_meant(
    repository: Make, docalign: Run, said: str, problem: str, help_: str
) -> None:
    done = docalign(*said.split(), cwd=repository({"README.md": "x\n"}).root)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error[DOCALIGN_E400]: {problem}\n  help: {help_}\n"


def test_without_a_command_the_help_is_shown(repository: Make, docalign: Run) -> None:
    done = docalign(cwd=repository({"README.md": "x\n"}).root)
    assert done.returncode == 2
    assert "COMMAND" in done.stderr
    assert "scan" in done.stderr


def test_the_first_commit_of_a_repository_can_be_checked_before_it_is_made(tmp_path: Path, docalign: Run) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "new")], check=True)
    (tmp_path / "new" / "README.md").write_text("# New\n\nSee [it](#nowhere).\n")
    subprocess.run(["git", "-C", str(tmp_path / "new"), "add", "-A"], check=True)
    done = docalign("scan", "--staged", "--format", "concise", cwd=tmp_path / "new")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("README.md:3:10: missing-anchor")


def test_a_repository_without_a_working_tree_is_called_so(drifted: Repository, tmp_path: Path, docalign: Run) -> None:
    subprocess.run(["git", "clone", "-q", "--bare", str(drifted.root), str(tmp_path / "bare")], check=True)
    done = docalign("scan", cwd=tmp_path / "bare")
    assert done.returncode == 2
    assert "is a repository without a working tree" in done.stderr


def test_a_single_dead_link_is_told_of_in_words_that_fit_it(repository: Make, docalign: Run) -> None:
    root = repository({"README.md": "# Hello\n\nSee [it](gone.md).\n"}).root
    assert "ok     documentation: 1 document, 0 files to judge it by\n" in docalign("doctor", cwd=root).stdout
    assert docalign("fix", cwd=root).stdout.startswith("No place was mended. 1 false place is left for you")
    assert docalign("baseline", cwd=root).returncode == 0
    done = docalign("scan", cwd=root)
    assert done.returncode == 0
    assert done.stdout.startswith("Nothing false was found that the baseline does not know.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_output_that_cannot_be_written_is_said_plainly_and_one_that_is_closed_is_none() -> None:
    command = f"{sys.executable} -m docalign_actors rules"
    full = subprocess.run(
        ["sh", "-c", f"{command} > /dev/full"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (full.returncode, full.stderr.splitlines()[0]) == (
        2, "error[DOCALIGN_E400]: Standard output cannot be written: No space left on device.",
    )  # fmt: skip
    closed = subprocess.run(["sh", "-c", f"{command} >&-"], capture_output=True, text=True, timeout=60, check=False)
    assert (closed.returncode, closed.stderr) == (0, "")
