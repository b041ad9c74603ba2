"""A mutant that leaves its fact standing is none: what keeps a fact is looked for in the code, the configuration and the docs."""

from __future__ import annotations

from bench.files import Snapshot
from bench.mutants import Mutant, Repo
from bench.mutate import mutants


def _made(files: dict[str, str], kind: str, variant: str = "rename") -> list[Mutant]:
    repo = Repo(Snapshot(files, frozenset(files)), "own/tool")
    return list(mutants(repo, 1, 9, frozenset([kind]), (variant,)))


_READS = "module.exports = (argv) => render(argv.quality);\n"


def test_an_option_that_is_an_alias_of_a_letter_is_renamed_where_it_is_declared() -> None:
    declared = 'module.exports.builder = (yargs) => {\n  yargs.option("q", {\n    alias: "quality",\n  });\n};\n'
    files = {"README.md": "Pass `--quality 3`.\n", "commands/render.js": _READS + declared}
    [mutant] = _made(files, "option")
    assert "quality" not in mutant.changes["commands/render.js"]


def test_an_option_that_is_only_seen_to_be_read_while_a_parser_lists_it_is_left_alone() -> None:
    files = {
        "README.md": "Pass `--quality 3`.\n",
        "lib/render.js": _READS,
        "bin.js": 'const argv = require("minimist")(process.argv, { string: ["quality", "step"] });\n',
    }
    assert not _made(files, "option")
    assert _made({**files, "bin.js": 'require("minimist")(process.argv);\n'}, "option")


def test_an_option_of_somebody_elses_program_in_a_block_for_a_shell_is_left_alone() -> None:
    code = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--resource-name")\n'
    theirs = "```bash\naz login \\\n  --resource-name x\n```\n"
    assert not _made({"tool/cli.py": code, "README.md": theirs}, "option")
    assert _made({"tool/cli.py": code, "README.md": theirs.replace("az login", "tool login")}, "option")


def test_an_environment_of_tox_goes_from_the_list_of_environments_too() -> None:
    manifest = (
        'env_list = [\n  "lint",\n  "fix",\n]\n\n[env.fix]\ncommands = [["ruff", "fix"]]\n\n[env.lint]\nskip = true\n'
    )
    files = {"tox.toml": manifest, "CONTRIBUTING.md": "Run `tox -e fix`.\n"}
    [renamed] = _made(files, "script")
    assert '"fix",' not in renamed.changes["tox.toml"]
    assert '["ruff", "fix"]' in renamed.changes["tox.toml"]
    [removed] = _made(files, "script", "removal")
    assert removed.changes["tox.toml"].startswith('env_list = [\n  "lint",\n]')


def test_an_environment_that_tox_knows_by_its_name_is_left_alone() -> None:
    files = {"tox.ini": "[testenv:py311]\ndeps = x\n", "CONTRIBUTING.md": "Run `tox -e py311`.\n"}
    assert not _made(files, "script")


def test_a_session_of_nox_stays_a_function_of_python() -> None:
    files = {
        "noxfile.py": 'import nox\n\nnox.options.sessions = ["docs"]\n\n\n@nox.session\ndef docs(session):\n    pass\n',
        "CONTRIBUTING.md": "Run `nox -s docs`.\n",
    }
    [mutant] = _made(files, "script", "affix")
    compile(mutant.changes["noxfile.py"], "noxfile.py", "exec")
    assert '"docs"' not in mutant.changes["noxfile.py"]


def test_a_target_that_a_pattern_rule_makes_is_left_alone() -> None:
    files = {"Makefile": "test-unit:\n\tpytest unit\n", "README.md": "Run `make test-unit`.\n"}
    assert _made(files, "script")
    assert not _made({**files, "rules.mk": "test-%:\n\tpytest $*\n"}, "script")


def test_a_script_that_is_called_like_the_program_of_a_dependency_is_left_alone() -> None:
    manifest = '{"scripts": {"vitest": "vitest run"}, "devDependencies": {"vitest": "^1.0.0"}}\n'
    assert not _made({"package.json": manifest, "README.md": "Run `yarn vitest`.\n"}, "script")
    assert _made({"package.json": manifest, "README.md": "Run `npm run vitest`.\n"}, "script")


def test_pages_that_move_with_their_folder_name_their_neighbours_as_before() -> None:
    files = {
        "docs/source/index.rst": "Tool\n====\n\n.. include:: _usage.rst\n",
        "docs/source/_usage.rst": "Use it.\n",
        "tool.py": "x = 1\n",
    }
    assert not _made(files, "directory")
    [mutant] = _made({**files, "README.md": "See `docs/source/index.rst` in `docs/source/`.\n"}, "directory")
    assert mutant.stale == (("README.md", 1),)


def test_what_a_run_printed_is_not_asked_for() -> None:
    page = "```console\n$ tool data/first_list.yaml\ndata/first_list.yaml is fine\n```\n"
    [mutant] = _made({"README.md": page, "data/first_list.yaml": "a: 1\n", "tool.py": "x = 1\n"}, "file")
    assert mutant.stale == (("README.md", 2),)
    assert ("README.md", 3) in mutant.tolerated


_META = (
    "class Meta(type):\n    def __call__(cls, path, poll_interval: float = 30.0):\n        return super().__call__(path, poll_interval)\n\n\n"
    "class Lock(metaclass=Meta):\n    def __init__(self, path, poll_interval: float = 30.0):\n        self.poll = poll_interval\n"
)


def test_a_parameter_that_a_metaclass_takes_first_is_left_alone() -> None:
    files = {"tool/lock.py": _META, "README.md": "Call `Lock('x', poll_interval=3)`.\n"}
    assert not [m for m in _made(files, "parameter") if m.old.startswith("Lock(")]
    plain = {**files, "tool/lock.py": _META.replace("(metaclass=Meta)", "")}
    assert [m for m in _made(plain, "parameter") if m.old.startswith("Lock(")]


def test_a_default_changes_in_the_metaclass_too() -> None:
    files = {"tool/lock.py": _META, "README.md": "`poll_interval` defaults to 30.0.\n"}
    [mutant] = _made(files, "default")
    assert "30.0" not in mutant.changes["tool/lock.py"]


def test_a_default_that_a_typed_line_of_other_code_gives_still_is_left_alone() -> None:
    files = {
        "tool/lock.py": "def wait(poll_interval: float = 30.0):\n    return poll_interval\n",
        "README.md": "`poll_interval` defaults to 30.0.\n",
    }
    assert _made(files, "default")
    private = "def _wait(poll_interval: float = 30.0):\n    return poll_interval\n"
    assert not _made({**files, "tool/other.py": private}, "default")


def test_a_version_that_another_manifest_asks_for_still_is_left_alone() -> None:
    files = {"pom.xml": "<java.version>11</java.version>\n", "README.md": "Requires Java 11 or newer.\n"}
    assert _made(files, "version")
    assert not _made(
        {**files, "core/.sdkmanrc": "java=11.0.2\n", "core/a.gradle": "targetCompatibility = 1.11\n"}, "version"
    )


def test_a_module_whose_name_begins_keys_of_settings_is_left_alone() -> None:
    files = {
        "README.md": "| `tool.plugins.lint_it.enabled` | boolean |\n",
        "tool/plugins/lint_it.py": "x = 1\n",
        "tool/schema.json": '{"tool.plugins.lint_it.enabled": {"type": "boolean"}}\n',
    }
    assert not _made(files, "module")


def test_an_example_in_a_docstring_declares_nothing() -> None:
    told = '"""Settings.\n\nExample:\n    max_items: int = 250\n"""\n\nmax_items = 3\n'
    files = {"tool/settings.py": told, "README.md": "`max_items` defaults to 250.\n"}
    assert not _made(files, "default")


def test_a_function_that_is_taken_out_takes_its_options_along() -> None:
    code = (
        "import click\n\n\ndef run_all():\n    pass\n\n\n"
        '@click.option("--page-size")\ndef list_pages(page_size):\n    return page_size\n\n\n'
        '@click.option("--page-size")\ndef other(page_size):\n    return page_size\n'
    )
    files = {"tool/cli.py": code, "README.md": "Call `list_pages()`.\n\nPass `--page-size`.\n"}
    [mutant] = _made(files, "function", "removal")
    assert ("README.md", 3) in mutant.tolerated


def test_an_option_of_python_is_not_the_beginning_of_its_new_name() -> None:
    code = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--page-title")\n'
    [mutant] = _made({"tool/cli.py": code, "README.md": "Pass `--page-title x`.\n"}, "option", "affix")
    assert not mutant.new.startswith(mutant.old)


def test_a_default_of_a_parameter_is_not_that_of_an_option_of_the_same_name() -> None:
    page = "`row_limit` defaults to 2000.\n\n- `--row-limit`: defaults to 2000\n- `--row_limit`: defaults to 2000\n"
    code = "def query(row_limit=2000):\n    return row_limit\n"
    [mutant] = _made({"tool/db.py": code, "README.md": page}, "default")
    assert mutant.stale == (("README.md", 1),)


def test_a_module_takes_its_declarations_along() -> None:
    files = {
        "README.md": "Use `tool.read_it.run`.\n",
        "tool/read_it.py": "def run(): ...\n",
        "tool/read_it.pyi": "def run(): ...\n",
    }
    for variant in ("rename", "removal"):
        [mutant] = _made(files, "module", variant)
        assert {*mutant.moves, *mutant.deletes} == {"tool/read_it.py", "tool/read_it.pyi"}


def test_a_command_that_is_taken_out_takes_along_what_is_done_to_its_parser() -> None:
    code = (
        "def main(commands):\n    serve = commands.add_parser('serve-all')\n    serve.add_argument('--fast')\n"
        "    stop = commands.add_parser('stop-all')\n    stop.add_argument('--now')\n"
    )
    files = {"tool/cli.py": code, "README.md": "Run `tool serve-all`.\n"}
    [mutant] = _made(files, "subcommand", "removal")
    assert "serve" not in mutant.changes["tool/cli.py"]
    assert "stop.add_argument" in mutant.changes["tool/cli.py"]


def test_an_option_that_a_tag_of_go_declares_is_renamed_there_too() -> None:
    files = {
        "README.md": "Pass `--page-query x`.\n",
        "cmd/bench/main.go": 'package main\n\nfunc main() {\n\tflag.StringVar(&q, "page-query", "", "what")\n}\n',
        "options.go": 'package tool\n\ntype Options struct {\n\tQuery string `long:"page-query" description:"what"`\n}\n',
    }
    [mutant] = _made(files, "option")
    assert "page-query" not in mutant.changes["options.go"]


def test_a_note_on_releases_without_a_suffix_is_not_refactored() -> None:
    code = 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--page-title")\n'
    files = {"tool/cli.py": code, "README.md": "Pass `--page-title x`.\n", "Changes": "* `--page-title` was added\n"}
    [mutant] = _made(files, "option")
    assert set(mutant.changes) == {"tool/cli.py"}


def test_a_file_of_the_root_that_moves_is_still_called_by_its_name() -> None:
    files = {"README.md": "Files: `page_view.go`.\n", "page_view.go": "package tool\n", "main.go": "package tool\n"}
    assert not _made(files, "file", "moved")
    [mutant] = _made({**files, "README.md": "See [it](page_view.go), or `page_view.go`.\n"}, "file", "moved")
    assert mutant.stale == (("README.md", 1),)
