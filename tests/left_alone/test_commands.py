"""What is there all the same, or was never meant, is left alone: commands, scripts and targets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.renames import readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

WRAPPER = '#!/bin/sh\ndocker exec -it app /bin/sh -c "$*"\n'

SWAGGER = "swagger: '2.0'\ninfo: {title: x, version: '1'}\nbasePath: /shop/v1\npaths:\n  /owners:\n    get: {}\n  /pets:\n    get: {}\n"

ROUTES = "# Routes\n\n| Method | Path |\n|---|---|\n| GET | `/shop/v1/owners` |\n| GET | `/pets` |\n"

GEM = {
    "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool'; s.executables = ['tool'] }\n",
    "exe/tool": "#!/usr/bin/env ruby\n",
}


def test_what_a_script_of_ours_takes_need_be_no_script_of_a_manifest(repository: Make) -> None:
    repo = repository(
        {"README.md": "# Tool\n\nRun `./dev npm run lint`.\n", "package.json": '{"name": "a"}\n', "dev": WRAPPER}
    )
    assert repo.stale_lines() == set()


@BOTH
def test_a_path_that_a_description_lists_in_full_now_is_not_lost(repository: Make, since: str) -> None:
    repo = repository({"README.md": ROUTES, "api.yaml": SWAGGER})
    repo.replace("/shop/v1", "/", "api.yaml").replace("  /owners", "  /shop/v1/owners", "api.yaml").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_case_of_something_else_is_no_command(repository: Make, since: str) -> None:
    code = 'class Shape\n  def draw(shape)\n    case shape\n    when "square" then 1\n    when "circle" then 2\n    end\n  end\nend\n'
    more = {"lib/names.rb": 'NAMES = ["square", "circle"]\n', "bin/tool": "#!/bin/sh\n"}
    repo = repository({"README.md": "Run `tool circle`.\n", "lib/shape.rb": code, **more})
    repo.replace('"circle"', '"ring"', "lib/shape.rb").commit()
    assert repo.stale_lines(since=since) == set()


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_word_that_is_still_the_packages_name_is_no_lost_console_script(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "tool-import"\nversion = "1"\n\n[project.scripts]\ntool = "tool:main"\ntool-import = "tool.load:main"\n'
    repo = repository(
        {
            "README.md": "# Tool\n\n`tool-import` loads, `tool serve` shows.\n",
            "pyproject.toml": manifest,
            "tool/load.py": "",
        }
    )
    repo.replace('tool-import = "', 'tool-load = "', "pyproject.toml").commit()
    assert repo.drifted(since=since) == []


def test_a_word_that_only_a_build_script_had_is_another_projects(repository: Make) -> None:
    repo = repository(
        {"README.md": "Start it with `gunicorn_paster`.\n", "buildout.cfg": "[app]\nscripts = gunicorn_paster\n", "a.py": "x = 1\n"}
    )  # fmt: skip
    repo.replace("gunicorn_paster", "gunicorn", "buildout.cfg").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_command_that_another_file_still_declares_is_left_alone(repository: Make) -> None:
    declare = "class {name} < Thor\n  desc :prune_old, 'x'\n  def prune_old\n  end\nend\n"
    repo = repository({
        **readme("```sh", "tool prune_old", "```"), **GEM,
        "lib/cli.rb": declare.format(name="CLI"), "lib/other.rb": declare.format(name="Other"),
    })  # fmt: skip
    repo.replace("prune_old", "sweep", "lib/cli.rb").commit()
    assert repo.stale_lines() == set()


def test_a_program_that_code_still_calls_by_name_is_not_missed(repository: Make) -> None:
    page = "# Steps\n\nThe folder is passed to the `run_checks.py` command.\n"
    repo = repository({"docs/a.md": page, "contrib/run_checks.py": "", "step.py": "COMMAND = 'run_checks.py %s'\n"})
    repo.git("rm", "-q", "contrib/run_checks.py")
    repo.git("commit", "-qm", "moved out")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_script_that_was_not_there_before_is_not_the_change_s(repository: Make) -> None:
    names = [f"test:{name}" for name in ("unit", "chrome", "firefox", "node", "types")]
    page = "# Tests\n\n" + "".join(f"- `npm run {name}` runs them\n" for name in [*names, "test:ie"])
    scripts = ",\n".join(f'    "{name}": "run {name}"' for name in names)
    manifest = '{\n  "name": "app",\n  "scripts": {\n' + scripts + '\n  },\n  "dependencies": {"test": "1.0.0"}\n}\n'
    repo = repository({"test/README.md": page, "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace("1.0.0", "1.0.1", "package.json").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_program_of_a_package_that_moved_into_a_folder_is_there(repository: Make) -> None:
    manifest = '[package]\nname = "tool"\nversion = "0.1.0"\n'
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n\nRun `tool add`, or start `toold`.\n",
        "Cargo.toml": f'{manifest}\n[[bin]]\nname = "tool"\npath = "src/tool.rs"\n\n[[bin]]\nname = "toold"\npath = "src/d.rs"\n',
        "src/tool.rs": "fn main() {}\n",
        "src/d.rs": "fn main() {}\n",
    }
    repo = repository(files)
    repo.write(
        {
            "tool/Cargo.toml": manifest,
            "tool/src/bin/tool.rs": "fn main() {}\n",
            "Cargo.toml": '[workspace]\nmembers = ["tool"]\n',
        }
    )
    repo.write({"tool/src/bin/toold.rs": "fn main() {}\n"})
    repo.git("rm", "-q", "src/tool.rs", "src/d.rs")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == set()
