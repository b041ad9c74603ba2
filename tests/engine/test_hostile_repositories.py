"""Whole scans of repositories that mean harm: each ends, says what it did not read, and follows nothing out of the repository."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docalign_actors.engine.claims import Claim
from docalign_actors.engine.facts import Definition
from docalign_actors.engine.kinds.shared.modules import Modules
from docalign_actors.engine.settings import ScanSettings
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Verdict
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
GUIDE = "# Guide\n\nEdit `src/app.py` and call `load_items()`.\n"
CODE = "def load_items():\n    return []\n"


def notes(repo: Repository) -> str:
    return "\n".join(f"{note.file}: {note.text}" for note in repo.scan(settings=ScanSettings(jobs=1)).notes)


def test_a_document_and_a_source_file_of_a_hundred_megabytes_are_named_and_not_read(repository: Make) -> None:
    repo = repository({"README.md": GUIDE, "src/app.py": CODE})
    for name, start in (("docs/huge.md", b"# Huge\n\n`src/gone.py`\n"), ("src/huge.py", b"def load_items(): pass\n")):
        (repo.root / name).parent.mkdir(exist_ok=True)
        with open(repo.root / name, "wb") as file:
            file.write(start)
            file.truncate(100 * 1024 * 1024)
    said = notes(repo)
    assert "docs/huge.md: " in said
    assert repo.scan().summary.verified >= 2


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\x01\x02" * 1000,
        b"# caf\xe9 \xff\xfe\n\nEdit `src/app.py`.\n",
        b"- " * 10_000 + b"deep\n",
        b"> " * 10_000 + b"deep\n",
        b"".join(b" " * n + b"- x\n" for n in range(0, 2000, 2)),
        b"[" * 50_000 + b"](" * 50_000,
        b"`" * 100_001,
        b"<" * 100_000,
        b"|" * 50_000 + b"\n" + b"|-" * 25_000 + b"\n",
        b"a" * 1_000_000,
        b"/" * 200_000,
        b"--" + b"a-" * 100_000,
        b"\xef\xbb\xbf# bom\r\n\r\nEdit `src/app.py`.\r\n",
        b"$ " + b"\\\n" * 20_000,
    ],
)
def test_a_document_of_garbage_costs_its_own_claims_and_nothing_else(repository: Make, content: bytes) -> None:
    repo = repository(
        {
            "README.md": GUIDE,
            "src/app.py": CODE,
            "docs/evil.md": content,
            "docs/evil.rst": content,
            "docs/evil.adoc": content,
        }
    )
    report = repo.scan()
    assert [f for f in report.drifted if f.file == "README.md"] == []
    assert report.summary.verified >= 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "bomb.yml",
            "a: &a [x]\n"
            + "".join(
                f"{c}: &{c} [*{p}, *{p}, *{p}, *{p}, *{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
            ),
        ),
        ("deep.json", "[" * 100_000),
        ("deep.toml", "a." * 20_000 + "b = 1\n"),
        ("deep.yaml", "".join(" " * n + "a:\n" for n in range(3000))),
        ("package.json", '{"scripts": ' * 5_000),
        ("src/deep.py", "(" * 20_000),
        ("src/deep.js", "{" * 20_000),
        ("Makefile", "a" * 300_000 + ":\n"),
        ("go.mod", "module " * 20_000),
    ],
)
def test_code_and_manifests_of_garbage_do_not_stop_a_scan(repository: Make, name: str, content: str) -> None:
    repo = repository(
        {
            "README.md": GUIDE + "\nRun `npm run build`, `make test` and `load_items`.\n",
            "src/app.py": CODE,
            name: content + "\nload_items\n",
        }
    )
    assert repo.scan().summary.verified >= 1


def test_symbolic_links_that_loop_or_lead_out_are_not_followed(repository: Make, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("See [it](nowhere.md).\n")
    repo = repository({"README.md": GUIDE, "src/app.py": CODE})
    os.symlink("loop", repo.root / "loop")
    os.symlink("..", repo.root / "docs")
    os.symlink(tmp_path / "secret.md", repo.root / "secret.md")
    repo.commit()
    assert repo.drifted() == []


def test_a_submodule_is_named_and_not_entered(repository: Make, tmp_path: Path) -> None:
    repo = repository({"README.md": GUIDE, "src/app.py": CODE})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.git('rev-parse', 'HEAD').strip()},vendor-lib")
    repo.git("commit", "-qm", "submodule")
    assert "vendor-lib: a submodule: not read" in notes(repo)


@pytest.mark.parametrize(
    "target",
    ["../../../../etc/passwd", "/etc/passwd", "..%2f..%2fetc/passwd", "a/../../../b.md", "%00.md", "\\..\\x.md"],
)
def test_path_tricks_in_links_read_nothing_outside(repository: Make, target: str) -> None:
    repo = repository({"README.md": GUIDE + f"\n[x]({target})\n", "src/app.py": CODE})
    report = repo.scan(show=frozenset(Verdict))
    named = {e.file for f in report.findings for e in f.evidence if e.file}
    assert named <= {"README.md", "src", "src/app.py"}
    assert {f.verdict for f in report.findings if f.kind == "path" and f.claim in target} <= {Verdict.UNCERTAIN}


def test_file_names_may_hold_anything_that_git_allows(repository: Make) -> None:
    names = ["a b.md", "ünï.md", "-rf.md", "new\nline.md", 'quo"te.md', "tab\t.md", "star*.md", "$(touch x).md"]
    repo = repository(
        {"README.md": GUIDE, "src/app.py": CODE, **{f"docs/{name}": "See `src/app.py`.\n" for name in names}}
    )
    assert repo.scan().summary.verified >= 2 + len(names)
    assert not (repo.root / "x").exists()


def test_modules_that_import_all_of_each_other_are_each_asked_once(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    look = Modules.table

    def count(modules: Modules, path: str) -> dict[str, list[Definition]]:
        asked.append(path)
        return look(modules, path)

    monkeypatch.setattr(Modules, "table", count)
    parts = [f"part{n}" for n in range(5)]
    files: dict[str, str | bytes] = {f"tool/{part}.py": "from tool import lib\n\ndef run(): ...\n" for part in parts}
    files["tool/__init__.py"] = "".join(f"from tool.{part} import *\n" for part in parts)
    repository({**files, "README.md": "Call `tool.lib.start_engine()`.\n"}).scan(settings=ScanSettings(jobs=1))
    assert 0 < len(asked) < 500


def test_a_name_that_is_not_utf8_is_not_called_missing(repository: Make) -> None:
    repo = repository({"README.md": b"# caf\xe9\n\nSee [x](caf\xe9.md) and [y](gone.md).\n", "src/app.py": CODE})
    assert [finding.claim for finding in repo.drifted()] == ["gone.md"]


def test_thousands_of_claims_in_one_list_are_judged_by_those_around_them(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each looks at its neighbours: were those all the others, the time would grow with the square of their number."""
    looked: list[int] = []
    real = World.neighbours

    def neighbours(self: World, claim: Claim) -> list[Claim]:
        found = real(self, claim)
        looked.append(len(found))
        assert claim in found
        return found

    monkeypatch.setattr(World, "neighbours", neighbours)
    rows = "".join(f"| `ACME_{n}` | {n} |\n" for n in range(600))
    repo = repository({
        "README.md": f"# Environment variables\n\n| variable | |\n|---|---|\n{rows}",
        "app.py": "import os\n" + "".join(f'os.environ["ACME_{n}"]\n' for n in range(600) if n != 300),
    })  # fmt: skip
    assert repo.stale_lines() == {("README.md", 305)}
    assert looked
    assert max(looked) <= 200
