"""What `docalign fix` leaves as it is: bytes that it was not asked to change, files that it may not or cannot write."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.cli.fix import _mended
from docalign_actors.cli.main import main
from docalign_actors.findings.fixing import Edit
from tests.cli.conftest import Run
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_fix_keeps_a_byte_order_mark_and_an_end_without_a_line_feed(repository: Make, docalign: Run) -> None:
    repo = repository(
        {"README.md": b"\xef\xbb\xbfEdit `src/app.py`.\r\n\nSee [it](<src/app.py>)", "src/app.py": "x = 1\n"}
    )
    repo.move("src/app.py", "src/main.py").commit()
    patch = subprocess.run(
        [sys.executable, "-m", "docalign_actors", "fix", "--diff", "--no-cache"],
        cwd=repo.root,
        capture_output=True,
        check=True,
    ).stdout
    docalign("fix", cwd=repo.root)
    mended = b"\xef\xbb\xbfEdit `src/main.py`.\r\n\nSee [it](<src/main.py>)"
    assert (repo.root / "README.md").read_bytes() == mended
    repo.git("checkout", "-q", ".")
    subprocess.run(["git", "-C", str(repo.root), "apply", "-"], input=patch, check=True)
    assert (repo.root / "README.md").read_bytes() == mended


def test_fix_goes_on_when_a_document_cannot_be_written_and_says_so(
    repository: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "Edit `src/app.py`.\n"
    repo = repository({"README.md": text, "docs/a.md": text, "zz.md": text, "src/app.py": "x = 1\n"})
    repo.move("src/app.py", "src/main.py").commit()
    real = os.replace

    def refuse(source: str, target: Path) -> None:
        if str(target).endswith("a.md"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
        real(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(SystemExit) as ended:
        main(["fix", "--no-cache", "--jobs", "1", str(repo.root)])
    assert ended.value.code == 2
    assert "docs/a.md cannot be written and was left alone: Permission denied." in capsys.readouterr().err
    left = [name for name in ("README.md", "docs/a.md", "zz.md") if "app.py" in (repo.root / name).read_text()]
    assert left == ["docs/a.md"]
    assert repo.git("status", "--porcelain").split() == ["M", "README.md", "M", "zz.md"]  # and nothing half-written


@pytest.mark.parametrize("link", ["docs", "docs/a.md"])
def test_a_link_that_took_the_place_of_a_document_or_its_folder_is_not_followed(tmp_path: Path, link: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "docs").mkdir(parents=True)
    (root / "docs/a.md").write_text("Edit `src/app.py`.\n")
    edits = [Edit(1, 7, "src/app.py", "src/main.py")]
    assert _mended(root, "docs/a.md", edits)[2] == edits
    (root / link).rename(outside)
    (root / link).symlink_to(outside)
    assert _mended(root, "docs/a.md", edits) == ("", "", [])


def test_before_the_first_commit_every_document_is_dirty(tmp_path: Path, docalign: Run) -> None:
    repo = Repository(tmp_path)
    manifest = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.12"\n'
    repo.write({"README.md": "# Tool\n\nRequires Python 3.9 or newer.\n", "pyproject.toml": manifest}).git("add", "-A")
    done = docalign("fix", cwd=repo.root)
    assert (done.returncode, "README.md has uncommitted changes" in done.stderr) == (2, True)


@pytest.mark.parametrize(("old", "new"), [("tool/backup.py", "tool/dump.py"), ("tool", "gear")])
def test_an_import_is_whole_again_once_its_module_is_mended(
    repository: Make, docalign: Run, old: str, new: str
) -> None:
    example = "from tool.backup import (\n    backup,\n    restore,\n)\n\nbackup(restore)\n"
    repo = repository(
        {
            "README.md": f"# Tool\n\n```python\n{example}```\n",
            "tool/__init__.py": "",
            "tool/backup.py": "def backup(what):\n    return what\n\n\ndef restore(what):\n    return what\n",
        }
    )
    repo.move(old, new).commit()
    done = docalign("fix", cwd=repo.root)
    assert done.stdout.splitlines()[1:] == ["1 place was mended."]
    assert done.returncode == 0
    assert docalign("scan", cwd=repo.root).returncode == 0
