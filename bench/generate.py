"""A repository of any size, the same for the same size: Python packages, pages that describe them, some history."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from bench.files import git

_VERBS = [
    "load", "save", "parse", "render", "fetch", "build", "merge", "split", "check", "apply",
]  # fmt: skip
_NOUNS = [
    "order", "invoice", "user", "report", "token", "queue", "index", "batch", "ledger", "route",
]  # fmt: skip
_WHO = (
    "-c",
    "user.name=Maintainer",
    "-c",
    "user.email=maintainer@example.org",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "gc.auto=0",
)


def generate(path: Path, files: int) -> Path:
    """Writes and commits a repository with this many files; the last commit changes one of them."""
    marker = path / ".git" / "generated"
    if marker.exists():
        return path
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    git(path, "init", "-q", "-b", "main")
    dice = random.Random(files)
    for number in range(files - files // 50):
        _write(path / _module(number), _source(number, dice))
    for number in range(files // 50):
        _write(path / f"docs/guide/page_{number:05}.md", _page(number, files, dice))
    _write(path / "pyproject.toml", '[project]\nname = "shop"\nversion = "1.0"\nrequires-python = ">=3.11"\n')
    _write(path / "README.md", "# Shop\n\nSee [the first page](docs/guide/page_00000.md).\n")
    _commit(path, "Write the shop")
    for number in range(0, min(files, 200), 10):
        module = path / _module(number)
        module.write_text(module.read_text() + f"\n\ndef later_{number}() -> int:\n    return {number}\n")
        _commit(path, f"Add later_{number}")
    first = path / _module(0)
    first.write_text(first.read_text().replace(_function(0, 0), "renamed_entry"))
    _commit(path, "Rename the first function")
    marker.write_text("")
    return path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _commit(path: Path, message: str) -> None:
    git(path, "add", "-A")
    git(path, *_WHO, "commit", "-q", "-m", message)


def _module(number: int) -> str:
    return f"shop/area_{number // 100:03}/part_{number // 10 % 10}/module_{number:05}.py"


def _function(module: int, number: int) -> str:
    return f"{_VERBS[(module + number) % 10]}_{_NOUNS[(module // 10 + number) % 10]}_{module:05}_{number}"


def _source(module: int, dice: random.Random) -> str:
    parts = [f'"""Module {module}."""\n\nimport os\n\n']
    for number in range(dice.randint(3, 8)):
        name = _function(module, number)
        parts.append(
            f"\ndef {name}(first: int, second: int = {dice.randint(1, 90)}) -> int:\n"
            f'    """Works on both."""\n    return first + second\n\n'
        )
    parts.append(
        f'\nclass Record{module:05}:\n    limit = int(os.environ.get("SHOP_LIMIT_{module:05}", "10"))\n\n'
        f"    def total(self) -> int:\n        return self.limit\n"
    )
    return "".join(parts)


def _page(page: int, files: int, dice: random.Random) -> str:
    lines = [f"# Page {page}\n"]
    modules = files - files // 50
    for number in range(page * 50, min(page * 50 + 20, modules)):
        lines.append(
            f"- `{_function(number, 0)}()` is in `{_module(number)}`; the limit is read from `SHOP_LIMIT_{number:05}`."
        )
    lines.append(f"\n```python\nfrom shop import area_{dice.randint(0, modules // 100):03}\n```\n")
    return "\n".join(lines) + "\n"
