"""The little repositories whose findings the pages in docs/rules show: one a page, each with what its last commit changed."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

_APACHE = "Apache License\nVersion 2.0, January 2004\nhttp://www.apache.org/licenses/\n"


def _changed(files: dict[str, str | bytes], changed: dict[str, str | bytes], why: str) -> Callable[[Repository], None]:
    def make(repo: Repository) -> None:
        repo.write(files).commit("first")
        if changed:
            repo.write(changed).commit(why)

    return make


def _moved(files: dict[str, str | bytes], old: str, new: str) -> Callable[[Repository], None]:
    def make(repo: Repository) -> None:
        repo.write(files).commit("first")
        repo.move(old, new).commit(f"move {old.rpartition('/')[2]}")

    return make


EXAMPLES: dict[str, Callable[[Repository], None]] = {
    "anchor": _changed(
        {"README.md": "See [how to install it](#installing-it).\n\n## Installing it at home\n"}, {}, ""
    ),
    "command": _changed(
        {"README.md": "Run `npm run lint` first.\n", "package.json": '{"name": "tool", "scripts": {"lint": "eslint ."}}\n'},
        {"package.json": '{"name": "tool", "scripts": {"check": "eslint ."}}\n'},
        "rename lint",
    ),
    "configkey": _changed(
        {
            "docs/config.md": "# Configuration\n\n```yaml\nmax_retries: 3\n```\n",
            "tool/settings.py": "from pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n    max_retries: int = 3\n",
        },
        {"tool/settings.py": "from pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n    max_attempts: int = 3\n"},
        "rename max_retries",
    ),
    "default": _changed(
        {
            "README.md": "`--port` defaults to `8080`.\n",
            "tool/cli.py": 'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--port", default=8080)\n',
        },
        {"tool/cli.py": 'import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--port", default=9090)\n'},
        "another port",
    ),
    "environment": _changed(
        {"README.md": "Set `APP_PORT` before you start it.\n", "app.py": 'import os\n\nport = os.environ["APP_PORT"]\n'},
        {"app.py": 'import os\n\nport = os.environ["APP_LISTEN_PORT"]\n'},
        "rename APP_PORT",
    ),
    "example": _changed(
        {"README.md": '# Tool\n\n```python\nfrom tool import run\n\nrun(path="a", limit=3\nprint("done")\n```\n', "tool.py": "def run(path, limit): ...\n"},
        {}, "",
    ),
    "imports": _moved(
        {"README.md": "```python\nfrom pkg.old import fetch\n```\n", "pkg/__init__.py": "", "pkg/old.py": "def fetch(): ...\n"},
        "pkg/old.py", "pkg/web.py",
    ),
    "licence": _changed({"README.md": "# Tool\n\nReleased under the MIT license.\n", "LICENSE": _APACHE}, {}, ""),
    "navigation": _moved(
        {"mkdocs.yml": "site_name: tool\nnav:\n  - Start: guide/intro.md\n", "docs/guide/intro.md": "# Intro\n\nIt begins.\n"},
        "docs/guide/intro.md", "docs/guide/start.md",
    ),
    "option": _changed(
        {
            "README.md": "Try `tool --dry-run` first.\n",
            "tool/cli.py": 'import click\n\n\n@click.command()\n@click.option("--dry-run", is_flag=True)\ndef tool(dry_run): ...\n',
        },
        {"tool/cli.py": 'import click\n\n\n@click.command()\n@click.option("--preview", is_flag=True)\ndef tool(preview): ...\n'},
        "rename --dry-run",
    ),
    "path": _moved({"README.md": "The program is in `src/app.py`.\n", "src/app.py": "x = 1\n"}, "src/app.py", "src/main.py"),
    "route": _changed(
        {
            "README.md": "| route | |\n|---|---|\n| `GET /reports/today` | the newest report |\n",
            "app.py": 'from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/reports/today")\ndef daily(): ...\n',
        },
        {"app.py": 'from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/reports/daily")\ndef daily(): ...\n'},
        "rename a route",
    ),
    "signature": _changed(
        {
            "README.md": "```python\nfrom pkg.web import fetch_page\n\nfetch_page(url, timeout_seconds=3)\n```\n",
            "pkg/__init__.py": "", "pkg/web.py": "def fetch_page(url, timeout_seconds=30): ...\n",
        },
        {"pkg/web.py": "def fetch_page(url, patience=30): ...\n"},
        "rename a parameter",
    ),
    "suppression": _changed(
        {"README.md": "<!-- docalign: ignore[missing-path] the reader creates it -->\nSee `src/app.py`.\n", "src/app.py": "x = 1\n"}, {}, ""
    ),
    "symbol": _changed(
        {"README.md": "Call `load_items` once.\n", "app/store.py": "def load_items(path): ...\n"},
        {"app/store.py": "def fetch_items(path): ...\n"},
        "rename load_items",
    ),
    "version": _changed(
        {"README.md": "# Tool\n\nRequires Python 3.8 or newer.\n", "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'},
        {}, "",
    ),
}  # fmt: skip
