"""What a scan printed is remembered whole, and is printed again only for the same scan of the same files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.cli.printouts import _without_time
from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
FILES: dict[str, str | bytes] = {"README.md": "# Hello\n\nEdit `src/app.py`.\n", "src/app.py": "x = 1\n"}


@pytest.fixture
def drifted(repository: Make) -> Repository:
    """A repository whose README names a file that was renamed."""
    return repository(FILES).move("src/app.py", "src/main.py").commit("rename app")


def _scan(root: Path, cache: Path, form: str) -> tuple[str, set[str]]:
    """What a scan prints, and the modules that it loads."""
    command = [sys.executable, "-X", "importtime", "-m", "docalign_actors", "scan", "--format", form]
    environment = {**os.environ, "NO_COLOR": "1", "DOCALIGN_CACHE_DIR": str(cache)}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    return done.stdout, {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


@pytest.mark.parametrize("form", ["text", "json", "sarif", "html"])
def test_the_same_scan_is_printed_again_in_the_same_words_and_without_the_engine(
    drifted: Repository, tmp_path: Path, form: str
) -> None:
    heavy = {"msgspec", "docalign_actors.engine.scan", "docalign_actors.cli.session"}
    first, loaded = _scan(drifted.root, tmp_path, form)
    assert heavy <= loaded
    second, loaded = _scan(drifted.root, tmp_path, form)
    assert not (heavy | {"shutil", "lzma"}) & loaded
    assert _timeless(form, first) == _timeless(form, second)


def test_a_scan_loads_nothing_that_takes_long_and_is_not_needed(drifted: Repository, tmp_path: Path) -> None:
    drifted.write({".gitignore": "dist/\n*.log\n"})
    _, loaded = _scan(drifted.root, tmp_path, "json")
    assert "pyromark" in loaded
    # Asked for by msgspec, and told that it is not there: then it loads nothing.
    assert not {"inspect", "dataclasses", "html.entities", "yaml", "pathspec", "asyncio", "multiprocessing"} & loaded


def test_a_scan_that_ends_leaves_its_cache_whole(drifted: Repository, tmp_path: Path) -> None:
    """The process ends without taking its objects apart: what must be closed is closed."""
    _scan(drifted.root, tmp_path, "json")
    assert [path.name for path in tmp_path.glob("blobs.sqlite*")] == ["blobs.sqlite"]


def _timeless(form: str, printed: str) -> object:
    if form == "json":
        report = json.loads(printed)
        assert isinstance(report["summary"].pop("duration_ms"), int)
        return report
    return re.sub(r"\d+\.\d\d s\b", "", printed)


def test_a_change_of_the_same_length_on_disk_has_another_printout(drifted: Repository, docalign: Run) -> None:
    assert docalign("scan", cwd=drifted.root).returncode == 1
    drifted.write({"README.md": "# Hello\n\nEdit `src/main.p`.\n".replace("main.p", "main.py")})
    assert docalign("scan", cwd=drifted.root).returncode == 0
    drifted.write({"README.md": FILES["README.md"]})
    assert docalign("scan", cwd=drifted.root).returncode == 1


def test_a_new_document_and_a_new_commit_have_other_printouts(drifted: Repository, docalign: Run) -> None:
    def documents() -> tuple[int, str]:
        report = json.loads(docalign("scan", "--format", "json", cwd=drifted.root).stdout)
        return report["summary"]["documents"], report["commit"]

    count, commit = documents()
    drifted.write({"GUIDE.md": "# Guide\n"})
    assert documents() == (count + 1, commit)
    drifted.commit("a guide")
    assert documents() == (count + 1, drifted.git("rev-parse", "HEAD").strip())


def test_a_configuration_that_changes_has_another_printout(drifted: Repository, docalign: Run) -> None:
    drifted.write({".gitignore": ".docalign.yml\n", "docs/a.md": "Edit `src/app.py`.\n"}).commit()
    inside = drifted.root / "docs"
    assert docalign("scan", cwd=inside).returncode == 1
    drifted.write({".docalign.yml": "suppress:\n  - rule: missing-path\n"})
    assert docalign("scan", cwd=inside).returncode == 0
    drifted.write({".docalign.yml": "supress: []\n"})
    assert docalign("scan", cwd=inside).returncode == 2


def test_a_baseline_that_git_does_not_see_is_looked_at_each_time(drifted: Repository, docalign: Run) -> None:
    drifted.write({".gitignore": ".docalign-baseline.json\n"}).commit()
    assert docalign("scan", cwd=drifted.root).returncode == 1
    assert docalign("baseline", cwd=drifted.root).returncode == 0
    assert docalign("scan", cwd=drifted.root).returncode == 0
    assert docalign("scan", "--no-baseline", cwd=drifted.root).returncode == 1
    (drifted.root / ".docalign-baseline.json").unlink()
    assert docalign("scan", cwd=drifted.root).returncode == 1


def test_a_history_that_was_fetched_later_has_another_printout(
    drifted: Repository, docalign: Run, tmp_path: Path
) -> None:
    clone = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", drifted.root.as_uri(), str(clone)], check=True)
    assert "shallow clone" in docalign("scan", cwd=clone).stdout
    subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=clone, check=True)
    assert "shallow clone" not in docalign("scan", cwd=clone).stdout
    outside = ("scan", "--format", "json", "--output", str(tmp_path / "report.json"))
    assert docalign(*outside, cwd=clone).returncode == 1


def test_nothing_is_remembered_where_nothing_shall_be(drifted: Repository, docalign: Run, tmp_path: Path) -> None:
    assert docalign("scan", "--no-cache", "--cache-dir", str(tmp_path / "none"), cwd=drifted.root).returncode == 1
    assert not (tmp_path / "none").exists()


def test_a_repository_without_a_commit_is_asked_about_as_well(tmp_path: Path, docalign: Run) -> None:
    root = tmp_path / "new"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "README.md").write_text("Edit `src/app.py`.\n")
    first, second = (docalign("scan", cwd=root) for _ in range(2))
    assert first.returncode == second.returncode == 0, first.stderr
    assert "1 document" in second.stdout


def test_a_folder_whose_git_is_broken_is_refused_with_a_code(tmp_path: Path, docalign: Run) -> None:
    (tmp_path / ".git").write_text("nothing of git\n")
    done = docalign("scan", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error[DOCALIGN_E")


def test_the_time_is_found_only_where_nothing_else_differs() -> None:
    assert _without_time(b"took 1111.11 s.", b"took 2222.22 s.") == (b"s", 5, b"took  s.")
    assert _without_time(b'{"ms":1111111}', b'{"ms":2222222}') == (b"ms", 6, b'{"ms":}')
    assert _without_time(b"no time", b"no time") == (b"", 0, b"no time")
    assert _without_time(b"1111111 and 1111.11", b"2222222 and 2222.22") is None
