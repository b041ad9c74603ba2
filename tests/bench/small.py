"""A tiny repository that holds one documented fact of every kind, and a few traps."""

from __future__ import annotations

from bench.files import Snapshot
from bench.mutants import Repo

FILES = {
    "README.md": """# Tool

Run `make check-style` before you commit; see [the guide](docs/guide.md) and [Quick start](#quick-start-here).
Requires Python 3.10 or newer. The server listens on port 8123 by default.

## Quick start here

```python
from tool.parse_items import load_items
load_items("x", page_size=3)
record = ItemStore().count_rows()
```

Start it with `tool serve-all --dry-run`. `TOOL_CACHE_DIR` names the folder. Helpers are in `tools/seed_data.py`.

| option | meaning |
|---|---|
| `--max-items` | how many; defaults to `250` |

`GET /api/v1/orders` lists orders. See [examples/basic-app](examples/basic-app).

```toml
retry_policy = "none"
```
""",
    "docs/guide.md": "# Guide\n\n`load_items()` reads. `retry_policy` is a key. Pass `--dry-run` to `tool serve-all`.\n",
    "docs/old.rst": "Old\n===\n\n.. versionchanged:: 2.0\n   ``load_items`` was added.\n\nNew text about ``load_items``.\n",
    "CHANGELOG.md": "# 1.0\n\n- `load_items` and `--dry-run` added\n",
    "Makefile": "check-style:\n\truff check .\nall: check-style\n",
    "pyproject.toml": '[project]\nname = "tool"\nrequires-python = ">=3.10"\n[project.scripts]\ntool = "tool.cli:main"\n',
    "tool/__init__.py": "from tool.parse_items import load_items\n\n__all__ = ['load_items']\n",
    "tool/parse_items.py": (
        'def load_items(path, page_size=10):\n    """load_items reads."""\n    return path, page_size\n\n\n'
        "class ItemStore:\n    def count_rows(self):\n        return 0\n"
    ),
    "tool/cli.py": (
        "import argparse\nimport os\n\nfrom tool.parse_items import load_items\n\nDEFAULT_PORT = 8123\n\n\ndef main():\n"
        "    parser = argparse.ArgumentParser()\n    commands = parser.add_subparsers()\n"
        '    serve = commands.add_parser("serve-all")\n    serve.add_argument("--dry-run", action="store_true")\n'
        '    serve.add_argument("--max-items", type=int, default=250)\n    args = parser.parse_args()\n'
        '    load_items(os.environ.get("TOOL_CACHE_DIR"))\n    return args.dry_run, settings.get("retry_policy")\n'
    ),
    "tool/web.py": 'router = APIRouter(prefix="/api/v1")\n\n\n@router.get("/orders")\ndef orders():\n    return []\n',
    "tools/seed_data.py": "print('seed')\n",
    "examples/basic-app/app.py": "print('hello')\n",
    "tests/test_items.py": "from tool.parse_items import load_items\n\n\ndef test_it():\n    assert load_items('x')\n",
}


def small_repo(**changed: str) -> Repo:
    """The repository, with files replaced or added (`docs__guide_md` stands for docs/guide.md)."""
    files = {**FILES, **{name.replace("__", "/").replace("_md", ".md"): text for name, text in changed.items()}}
    return Repo(Snapshot(files, frozenset(files)), "own/tool")
