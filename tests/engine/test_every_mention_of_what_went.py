"""Many places in one small repository: each is pointed at when one commit takes what it names away."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])


@BOTH
def test_a_key_is_missed_in_every_place_although_an_option_of_its_name_and_a_field_like_it_are_left(
    repository: Make, since: str
) -> None:
    code = (
        "package templates\n\n// Dep is one.\ntype Dep struct {\n\tForEach []string\n}\n\n"
        'func read(m map[string]string) {\n\topen(m["template-url"])\n\tprint(m["for_each"])\n}\n'
    )
    page = (
        "# Keys\n\n| Key | |\n|---|---|\n| `template-url` | Where it is. |\n| `for_each` | One for each. |\n\n"
        "Unlike the option `--template-url`:\n\n```yaml\ndependencies:\n  - template-url: ../a\n    for_each: [a]\n```\n"
    )
    usage = 'package main\n\nconst usage = "app --template-url DIR"\n'
    repo = repository({"go.mod": "module example.org/app\n", "templates/d.go": code, "u.go": usage, "docs/k.md": page})
    repo.replace("template-url", "source-url", "templates/d.go").replace('"for_each"', '"each_of"', "templates/d.go")
    repo.commit()
    assert repo.stale_lines(since=since) == {("docs/k.md", line) for line in (5, 6, 12, 13)}


@BOTH
def test_what_is_run_below_the_title_releases_is_judged(repository: Make, since: str) -> None:
    page = "# tool\n\n## Releases\n\n- 1.0: had `make old-thing`.\n\n```sh\nmake publish-all\n```\n"
    repo = repository({"README.md": page, "Makefile": "publish-all:\n\ttrue\n\nold-thing:\n\ttrue\n"})
    repo.write({"Makefile": "ship-all:\n\ttrue\n"}).commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


@BOTH
def test_a_module_is_missed_although_its_package_has_an_object_of_its_name(repository: Make, since: str) -> None:
    repo = repository({
        "pkg/__init__.py": "from pkg.logger import logger\n", "pkg/logger.py": "logger = object()\n",
        "README.md": "# pkg\n\n```python\nfrom pkg.logger import logger\n```\n\nor\n\n```python\nfrom pkg import logger\n```\n",
    })  # fmt: skip
    repo.move("pkg/logger.py", "pkg/journal.py").replace("pkg.logger", "pkg.journal", "pkg/__init__.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_an_option_is_missed_in_what_a_program_prints_of_its_commands(repository: Make, since: str) -> None:
    code = (
        'import click\n\n\n@click.command()\n@click.option(\n    "--number_of_shards",\n    type=int,\n)\n'
        "def shrink(number_of_shards):\n    pass\n"
    )
    page = "# Commands\n\n```\nCommands:\n  shrink    Shrink to --number_of_shards\n```\n"
    repo = repository({"pkg/__init__.py": "", "pkg/cli.py": code, "docs/c.md": page})
    repo.replace('"--number_of_shards"', '"--shard_count", "number_of_shards"', "pkg/cli.py").commit()
    assert repo.stale_lines(since=since) == {("docs/c.md", 5)}


@BOTH
def test_what_lies_in_capitals_at_the_top_of_the_tests_is_a_document(repository: Make, since: str) -> None:
    page = "# How to\n\nRun `python -m pytest tests/test_server.py`.\n"
    repo = repository({"tests/HOW_TO_TEST.md": page, "tests/data/INPUT.md": page, "tests/test_server.py": "x = 1\n"})
    repo.move("tests/test_server.py", "tests/test_service.py").commit()
    assert repo.stale_lines(since=since) == {("tests/HOW_TO_TEST.md", 3)}


@BOTH
def test_a_sub_command_is_missed_in_settings_that_call_the_program_and_in_a_role(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    subs = parser.add_subparsers()\n"
        "    subs.add_parser('webdiff')\n    subs.add_parser('plain')\n"
    )
    page = (
        'Diffs\n=====\n\nIn the settings of git::\n\n    [diff "notebook"]\n    command = nb-driver webdiff [--ip IP]\n\n'
        "or call :command:`nb-driver webdiff` yourself.\n\n**nb-driver webdiff**\n\nThe webdiff command opens a browser.\n"
    )
    manifest = '[project]\nname = "nb"\n[project.scripts]\nnb-driver = "pkg.cli:main"\n'
    repo = repository({"pyproject.toml": manifest, "pkg/__init__.py": "", "pkg/cli.py": code, "docs/d.rst": page})
    repo.replace("'webdiff'", "'browser'", "pkg/cli.py").commit()
    assert repo.stale_lines(since=since) == {("docs/d.rst", line) for line in (7, 9, 11, 13)}


@BOTH
def test_a_default_that_the_comment_above_a_field_tells_is_missed(repository: Make, since: str) -> None:
    code = (
        "const DEFAULT_BEAT = 5000\n\nexport interface Options {\n  /**\n   * How long to wait. Defaults to 5000.\n   */\n"
        "  notifyTimeoutMs?: number\n}\n"
    )
    page = "# Options\n\n* **notifyTimeoutMs** - int, defaults to 5000\n* **other** - int, defaults to 5000\n"
    repo = repository({"package.json": '{"name": "a"}', "src/o.ts": code, "README.md": page})
    repo.replace("5000", "6000", "src/o.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_key_is_missed_in_settings_that_are_called_a_script(repository: Make, since: str) -> None:
    code = 'package config\n\ntype Rule struct {\n\tRequired []string `hcl:"requiredLabels"`\n}\n'
    page = '# Rules\n\n```js\nrule {\n  requiredLabels = ["job"]\n}\n```\n'
    repo = repository({"go.mod": "module example.org/app\n", "config/r.go": code, "docs/r.md": page})
    repo.replace("requiredLabels", "neededLabels", "config/r.go").commit()
    assert repo.stale_lines(since=since) == {("docs/r.md", 5)}


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
def test_a_route_is_missed_behind_whatever_the_router_is_mounted_at(repository: Make, since: str) -> None:
    code = (
        "from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.get('/healthz')\ndef h():\n    return 1\n\n\n"
        "@router.get('/search')\ndef s():\n    return 1\n"
    )
    page = "# Routes\n\n| Route |\n|---|\n| `GET {prefix}/healthz` |\n| `GET {prefix}/search` |\n"
    repo = repository({"srv/__init__.py": "", "srv/api.py": code, "README.md": page})
    repo.replace("/search", "/lookup", "srv/api.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_a_default_is_missed_beside_the_plain_word_for_it_and_behind_the_term_of_an_argument(
    repository: Make, since: str
) -> None:
    code = 'class Settings:\n    theme = Text("light")\n\n\ndef top_process(limit=3, other=4):\n    pass\n'
    page = (
        "Usage\n=====\n\nBy default it uses the **light** theme, and **dark** by another option.\n\nArgs:\n\n"
        "    limit (int, optional): How many. Defaults to 3.\n\n    number (int): Of another. Defaults to 3.\n"
    )
    repo = repository({"pkg/__init__.py": "", "pkg/s.py": code, "docs/u.rst": page})
    repo.replace('"light"', '"sepia"', "pkg/s.py").replace("limit=3", "limit=2", "pkg/s.py").commit()
    assert repo.stale_lines(since=since) == {("docs/u.rst", 4), ("docs/u.rst", 8)}


@BOTH
def test_a_sub_command_that_is_declared_with_its_arguments_is_missed_although_its_word_stays(
    repository: Make, since: str
) -> None:
    code = (
        "const sade = require('sade')\n\nconst prog = sade('packit')\n\nprog\n  .command('watch [...entries]')\n"
        "  .action(opts => run(opts.watch))\n\nprog\n  .command('build [...entries]')\n  .action(run)\n"
    )
    page = "# packit\n\n```sh\npackit build\npackit watch --help\n```\n"
    manifest = '{"name": "packit", "bin": {"packit": "cli.js"}}'
    repo = repository({"package.json": manifest, "cli.js": code, "README.md": page})
    repo.replace("'watch [", "'follow [", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}
