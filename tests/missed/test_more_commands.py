"""What went and is named by documents yet is missed: commands, scripts and targets."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

GEM = {
    "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\nend\n",
    "bin/kitchen": "#!/usr/bin/env ruby\n",
}


def test_a_command_that_code_still_compares_arguments_with_is_there(repository: Make) -> None:
    cli = """import argparse


def main():
    parser = argparse.ArgumentParser(prog="tool")
    commands = parser.add_subparsers()
    commands.add_parser("show")
    commands.add_parser("replay")
    commands.add_parser("sync")
"""
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n\n```sh\ntool show a\ntool replay a\ntool sync a\n```\n",
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
        "tool/cli.py": cli,
    }
    repo = repository(files)
    repo.replace('    commands.add_parser("replay")\n', "", "tool/cli.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}
    repo.write({"tool/ops.py": 'def run(words):\n    if words[0] == "replay":\n        return 1\n'}).commit()
    assert repo.stale_lines(since="HEAD~2") == set()


def test_a_file_in_whose_place_a_change_put_a_link_to_another_has_what_it_had(repository: Make) -> None:
    page = "# App\n\nStart it with `docker compose up -d worker`, look with `docker compose logs worker`.\n"
    compose = "services:\n  web:\n    image: app\n  worker:\n    image: app\n"
    repo = repository({"README.md": page, "docker-compose.yml": compose, "app.py": "print(1)\n"})
    repo.move("docker-compose.yml", "docker/docker-compose.yml")
    (repo.root / "docker-compose.yml").symlink_to("docker/docker-compose.yml")
    repo.commit()
    assert repo.drifted(since="HEAD~1") == []
    assert repo.drifted() == []
    (repo.root / "docker-compose.yml").unlink()
    repo.write({"docker-compose.yml": "services:\n  web:\n    image: app\n"}).commit()
    assert {finding.claim for finding in repo.drifted(since="HEAD~2")} == {"worker"}


@BOTH
def test_a_sub_command_is_missed_behind_options_and_in_quotes(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--plain')\nparser.add_argument('-o')\n"
        "sub = parser.add_subparsers()\nsub.add_parser('list')\nsub.add_parser('describe')\n"
    )
    page = (
        '# Tool\n\nThe "describe" verb tells all, as do the "list" and "describe" operations.\n\n```shell\ntool describe x\n'
        'tool --plain 1 -o "out" "localhost:87" describe x\n```\n'
    )
    manifest = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n'
    repo = repository({"README.md": page, "pyproject.toml": manifest, "tool/cli.py": code, "tool/__init__.py": ""})
    repo.replace("'describe'", "'show'", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6), ("README.md", 7)}


@BOTH
def test_what_is_run_below_the_title_releases_is_judged(repository: Make, since: str) -> None:
    page = "# tool\n\n## Releases\n\n- 1.0: had `make old-thing`.\n\n```sh\nmake publish-all\n```\n"
    repo = repository({"README.md": page, "Makefile": "publish-all:\n\ttrue\n\nold-thing:\n\ttrue\n"})
    repo.write({"Makefile": "ship-all:\n\ttrue\n"}).commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


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


@BOTH
def test_the_script_start_is_missed_although_a_server_lies_in_another_folder(repository: Make, since: str) -> None:
    manifest = '{"name": "a", "scripts": {"start": "node server/server.js", "dev": "x"}}\n'
    repo = repository({"package.json": manifest, "server/server.js": "", "README.md": "Run `npm start`.\n"})
    repo.replace('"start"', '"launch"', "package.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_sub_command_is_missed_that_is_one_of_a_chain(repository: Make, since: str) -> None:
    manifest = '{"name": "web-tool", "bin": {"web-tool": "./bin.js"}}\n'
    code = (
        "import yargs from 'yargs';\n\nyargs()\n  .command('build', 'Builds', commands.build, {})\n"
        "  .command('sign', 'Signs', commands.sign, {})\n  .command('run', 'Runs', commands.run, {})\n  .parse();\n"
    )
    repo = repository({"package.json": manifest, "bin.js": code, "README.md": "Working on `web-tool sign` is hard.\n"})
    repo.replace("'sign'", "'submit'", "bin.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_sub_command_of_thor_is_missed_behind_the_program_that_the_gem_installs(repository: Make, since: str) -> None:
    code = (
        'class CLI < Thor\n  desc "doctor INSTANCE", "Check for problems"\n  def doctor(*args)\n  end\n\n'
        '  desc "list", "List all"\n  def list\n  end\nend\n'
    )
    page = "# Help\n\nRun `kitchen doctor`, not the `doctor` of others.\n\n```text\n  kitchen doctor INSTANCE  # Check\n  kitchen list\n```\n"
    repo = repository({**GEM, "docs/help.md": page, "lib/kitchen/cli.rb": code})
    repo.replace('desc "doctor ', 'desc "check ', "lib/kitchen/cli.rb").replace(
        "def doctor", "def check", "lib/kitchen/cli.rb"
    ).commit()
    assert repo.stale_lines(since=since) == {("docs/help.md", 3), ("docs/help.md", 6)}
