"""Commands in documents, judged against real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding, Verdict
from tests.support.repository import Repository

SETTINGS = ScanSettings(claim_types=("command",), jobs=1)
PACKAGE = '{"name": "app", "scripts": {"build": "tsc -p .", "test": "jest", "lint:fix": "eslint --fix ."}}\n'
MAKEFILE = "test:\n\tpytest\n\nlint:\n\truff check\n\ndocs-html:\n\tsphinx\n"


def drifted(repo: Repository, since: str = "") -> list[Finding]:
    return repo.drifted(since=since, settings=SETTINGS)


EVERYWHERE = """# App

Run `npm run build`, or npm run build, or `yarn build`.

## npm run build

| Script | What |
|---|---|
| `build` | builds |

```sh
$ FOO=1 npm run build && npm test # the lot
ok: npm run build
$ cd docs; ls | cat
```
"""


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_every_mention_of_a_renamed_script_is_reported_with_its_new_name(tmp_path: Path, since: str) -> None:
    repo = Repository(tmp_path, {"README.md": EVERYWHERE, "package.json": PACKAGE})
    assert drifted(repo) == []
    repo.replace('"build"', '"compile"', "package.json").commit()
    (finding,) = drifted(repo, since)
    assert finding.rule == "unknown-script"
    assert sorted(m.line for m in finding.mentions) == [3, 3, 3, 5, 9, 12]
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("compile", True)


@pytest.mark.parametrize(
    ("path", "text", "readme", "old", "new"),
    [
        ("Makefile", MAKEFILE, "```\nmake docs-html\n```", "docs-html:", "html:"),
        ("Makefile", MAKEFILE, "Run `make lint docs-html`.", "docs-html:", "html:"),
        ("justfile", "fmt:\n    ruff format\n\ncheck:\n    ruff check\n", "`just fmt`", "fmt:", "format:"),
        ("Taskfile.yml", "version: '3'\ntasks:\n  generate:\n    cmds: [x]\n", "`task generate`", "generate:", "gen:"),
        (
            "tox.ini",
            "[tox]\nenvlist = typing,docs\n[testenv:typing]\ncommands = mypy\n",
            "`tox -e typing`",
            "typing",
            "types",
        ),
        ("compose.yml", "services:\n  worker:\n    image: x\n", "`docker compose up -d worker`", "worker", "queue"),
    ],
)
def test_a_renamed_target_is_found_whatever_runs_it(
    tmp_path: Path, path: str, text: str, readme: str, old: str, new: str
) -> None:
    repo = Repository(tmp_path, {"CONTRIBUTING.md": readme + "\n", path: text})
    assert drifted(repo) == []
    repo.replace(old, new, path).commit()
    (finding,) = drifted(repo)
    assert finding.rule == "unknown-script"


def test_each_package_is_judged_by_its_own_manifest(tmp_path: Path) -> None:
    files = {
        "a/package.json": '{"name": "a", "scripts": {"bundle": "x"}}',
        "b/package.json": '{"name": "b", "scripts": {"bundle": "y"}}',
        "a/README.md": "`npm run bundle`\n",
        "b/README.md": "`npm run bundle`\n",
        "README.md": "```\ncd a && npm run bundle\n```\n",
    }
    repo = Repository(tmp_path, files)
    repo.replace("bundle", "pack", "a/package.json").commit()
    (finding,) = drifted(repo)
    assert {m.file for m in finding.mentions} == {"README.md", "a/README.md"}


@pytest.mark.parametrize(
    "readme",
    [
        "```\nmake sure it works\nmake it so\n```",
        "`make` and `just` are words. Just make sure.",
        "`npm run dev` in your own project",
        "```js\nmake(nothing)\n```",
        "`make install` and `make all`",
        "```sh\ncat <<EOF > f\nmake frob\nEOF\n```",
        "```sh\n$ make test\nmake: frob\nmake frob\n```",
    ],
)
def test_what_is_no_command_of_ours_is_not_reported(tmp_path: Path, readme: str) -> None:
    repo = Repository(
        tmp_path, {"README.md": readme + "\n", "Makefile": MAKEFILE + "frob:\n\tx\n", "package.json": PACKAGE}
    )
    repo.replace("frob:\n\tx\n", "", "Makefile").commit()
    assert drifted(repo) == []


def test_a_target_that_never_was_is_reported_among_targets_that_are(tmp_path: Path) -> None:
    readme = "```sh\nmake test\nmake docs-html\nmake frobnicate\n```\n"
    (finding,) = drifted(Repository(tmp_path, {"README.md": readme, "Makefile": MAKEFILE}))
    assert finding.claim == "frobnicate"


def test_a_makefile_with_includes_may_have_any_target(tmp_path: Path) -> None:
    readme = "```sh\nmake test\nmake lint\nmake frobnicate\n```\n"
    assert drifted(Repository(tmp_path, {"README.md": readme, "Makefile": "include more.mk\n" + MAKEFILE})) == []


PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n'
CLICK = """import click

@click.group()
@click.option("--verbose", is_flag=True)
def main(): ...

@main.command()
@click.option("--port")
def serve(): ...

@main.command()
def migrate(): ...

@main.group()
def db(): ...

@db.command("list")
def list_all(): ...
"""


def program(path: Path, readme: str) -> Repository:
    return Repository(
        path, {"README.md": readme, "pyproject.toml": PYPROJECT, "tool/cli.py": CLICK, "tool/__main__.py": "x = 1\n"}
    )


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_sub_command_is_reported_wherever_it_is_named(tmp_path: Path, since: str) -> None:
    readme = "Run `tool serve --port 80` or the `serve` command.\n\n## tool serve\n\n```bash\ntool --verbose serve\npython -m tool serve\n```\n"
    repo = program(tmp_path, readme)
    assert drifted(repo) == []
    repo.replace("def serve()", "def run_server()", "tool/cli.py").commit()
    (finding,) = drifted(repo, since)
    assert finding.rule == "unknown-command"
    assert sorted(m.line for m in finding.mentions) == [1, 1, 3, 6, 7]
    assert finding.fix is not None
    assert finding.fix.replacement == "run-server"


def test_a_sub_command_of_an_old_release_and_a_scope_of_messages_are_not_missed(tmp_path: Path) -> None:
    calls = (
        "Run this before you install the new one:\n\n```bash\n# Run with the old tool executable:\ntool serve\n```\n"
    )
    scopes = "Use `tool serve`.\n\nScopes: `cli`, `serve`, `ci`\n"
    repo = program(tmp_path, calls).write({"AGENTS.md": scopes}).commit("say it")
    repo.replace("def serve()", "def run_server()", "tool/cli.py").commit()
    (finding,) = drifted(repo)
    assert [(m.file, m.line) for m in finding.mentions] == [("AGENTS.md", 1)]


def test_a_nested_sub_command_is_told_from_one_of_the_same_name(tmp_path: Path) -> None:
    repo = program(tmp_path, "```bash\ntool db list\ntool db migrate\n```\n")
    repo.replace('"list"', '"show"', "tool/cli.py").commit()
    (finding,) = drifted(repo)
    assert finding.claim == "list"


def test_a_word_after_the_program_may_be_an_argument(tmp_path: Path) -> None:
    assert drifted(program(tmp_path, "```bash\ntool frobnicate\ntool serve here\n```\n")) == []


def test_a_renamed_console_script_is_reported(tmp_path: Path) -> None:
    repo = program(tmp_path, "```bash\ntool serve\n```\n")
    repo.replace("tool = ", "tl = ", "pyproject.toml").commit()
    (finding,) = drifted(repo)
    assert (finding.rule, finding.claim) == ("unknown-command", "tool")
    assert finding.fix is not None
    assert finding.fix.replacement == "tl"


def test_a_moved_module_is_reported(tmp_path: Path) -> None:
    repo = Repository(
        tmp_path, {"README.md": "`python -m tool.server --x`\n", "tool/server.py": "import sys\nprint(sys.argv)\n" * 9}
    )
    repo.move("tool/server.py", "tool/daemon.py").commit()
    (finding,) = drifted(repo)
    assert finding.rule == "unknown-module"
    assert finding.fix is not None
    assert finding.fix.replacement == "tool.daemon"


def test_a_service_that_another_folder_still_defines_is_not_gone(tmp_path: Path) -> None:
    compose = "services:\n  worker:\n    image: x\n"
    repo = Repository(
        tmp_path, {"docs/dev.md": "`docker compose run worker sh`\n", "scripts/docker/compose.yaml": compose}
    )
    repo.replace("image: x", "image: y", "scripts/docker/compose.yaml").commit()
    assert drifted(repo) == []


def test_the_value_of_a_flag_is_no_sub_command(tmp_path: Path) -> None:
    repo = program(tmp_path, "```bash\ntool --mode serve\n```\n")
    repo.replace("def serve()", "def run_server()", "tool/cli.py").commit()
    assert drifted(repo) == []


def test_a_script_of_a_deleted_package_elsewhere_says_nothing_about_the_readers_project(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "```dockerfile\nRUN yarn build\n```\n", "site/package.json": PACKAGE})
    repo.delete("site/package.json").commit()
    assert drifted(repo) == []


def test_npm_start_is_a_script_unless_there_is_a_server_file(tmp_path: Path) -> None:
    package = '{"name": "app", "scripts": {"%s": "node ."}}\n'
    repo = Repository(tmp_path, {"README.md": "Run `npm start`.\n", "package.json": package % "start"})
    repo.write({"package.json": package % "launch"}).commit()
    assert [finding.claim for finding in drifted(repo)] == ["start"]
    repo.write({"server.js": "listen()\n"}).commit()
    assert drifted(repo) == []


def test_a_program_of_a_package_that_has_no_programs_any_more_is_somebody_elses(tmp_path: Path) -> None:
    manifest = '{"name": "app"%s}\n'
    readme = "```console\n$ npm install -g app-generator\n$ app /tmp/foo\n```\n"
    repo = Repository(
        tmp_path,
        {"README.md": readme, "package.json": manifest % ', "bin": {"app": "bin/app.js"}', "bin/app.js": "1\n"},
    )
    repo.write({"package.json": manifest % ""}).delete("bin/app.js").commit()
    assert drifted(repo) == []


def test_our_commands_below_another_program_are_followed(tmp_path: Path) -> None:
    repo = program(tmp_path, "```bash\n./manage.py tool serve\n./manage.py tool unheard\n```\n")
    repo.replace("def serve()", "def run_server()", "tool/cli.py").commit()
    assert [finding.claim for finding in drifted(repo)] == ["serve"]


def test_crontabs_and_containers_are_looked_through(tmp_path: Path) -> None:
    readme = (
        "```console\n*/15 * * * * /path/to/env/bin/tool serve\n```\n\n"
        "```bash\ndocker compose run --rm -e A=1 web tool serve\ndocker exec -it web tool serve\n```\n"
    )
    repo = program(tmp_path, readme)
    assert drifted(repo) == []
    repo.replace("def serve()", "def run_server()", "tool/cli.py").commit()
    assert sorted(m.line for finding in drifted(repo) for m in finding.mentions) == [2, 6, 7]


def test_a_sub_command_that_the_file_still_has_as_a_string_is_not_gone(tmp_path: Path) -> None:
    repo = program(tmp_path, "Run `tool serve`.\n")
    table = "\n\nCOMMANDS = {}\nCOMMANDS['serve'] = COMMANDS['cli'] = run_it\n"
    repo.write(
        {"tool/cli.py": CLICK.replace('@main.command()\n@click.option("--port")\ndef serve(): ...\n', "") + table}
    ).commit()
    assert drifted(repo) == []


SPHINX = "help:\n\tsphinx-build -M help\n\n%: Makefile\n\tsphinx-build -M $@\n"


def test_a_makefile_with_a_rule_for_everything_makes_any_target(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"docs/guide.md": "Run `make man`.\n", "docs/Makefile": "man:\n\tx\n\n$(X):\n\ty\n"})
    repo.write({"docs/Makefile": SPHINX}).commit()
    assert drifted(repo) == []


@pytest.mark.parametrize("flag", ["-ws", "--workspaces", "--workspace=sub", "-w sub", "-r"])
def test_a_script_that_is_run_in_other_packages_is_looked_for_there(tmp_path: Path, flag: str) -> None:
    sub = '{"name": "sub", "scripts": {"format:fix": "x"}}'
    root = '{"name": "app", "scripts": {"format:fix": "y", "test": "z"}}'
    repo = Repository(
        tmp_path,
        {
            "README.md": f"```sh\nnpm run format:fix {flag}\n```\n",
            "package.json": root,
            "packages/sub/package.json": sub,
        },
    )
    repo.write({"package.json": '{"name": "app", "scripts": {"test": "z"}}'}).commit()
    assert drifted(repo) == []
    repo.write({"packages/sub/package.json": '{"name": "sub", "scripts": {}}'}).commit()
    assert [f.claim for f in drifted(repo)] == ["format:fix"]


def test_a_command_that_the_code_still_has_as_a_string_may_be_registered_in_a_way_that_is_not_read(
    tmp_path: Path,
) -> None:
    package = '{"name": "app", "bin": {"app": "cli.js"}}'
    then = "exports.command = ['$0 [spec..]', 'inspect'];\nexports.builder = {};\nexports.handler = () => {};\n"
    repo = Repository(
        tmp_path,
        {"README.md": "Run `app inspect`.\n", "package.json": package, "cli.js": "require('yargs')\n", "run.js": then},
    )
    repo.delete("run.js").write({"run.cjs": "exports.command = ['$0 [spec..]', 'inspect'];\n"}).commit()
    repo.age()
    assert drifted(repo) == []


@pytest.mark.parametrize(("name", "missing"), [("py3", []), ("py312", []), ("speling", ["speling"])])
def test_tox_makes_environments_for_pythons_by_itself(tmp_path: Path, name: str, missing: list[str]) -> None:
    ini = "[testenv:lint]\ncommands = x\n[testenv:docs]\ncommands = y\n"
    repo = Repository(tmp_path, {"README.md": f"- Run `tox -e lint,docs,{name}`.\n", "tox.ini": ini})
    assert [f.claim for f in drifted(repo)] == missing


@pytest.mark.parametrize("launcher", ["uv run", "uv run --group dev", "poetry run", "pipx run"])
def test_a_task_is_seen_behind_what_launches_its_runner(tmp_path: Path, launcher: str) -> None:
    manifest = '[project]\nname = "tool"\nversion = "1"\n\n[tool.poe.tasks]\ncheckall = "pytest"\nlint = "ruff check"\n'
    text = f"# Tool\n\n```shell\n{launcher} poe checkall\n{launcher} poe lint\n```\n"
    repo = Repository(tmp_path, {"README.md": text, "pyproject.toml": manifest})
    repo.replace("checkall", "trial", "pyproject.toml").commit("rename")
    assert [(f.claim, f.line) for f in drifted(repo)] == [("checkall", 4)]


def test_targets_that_every_makefile_has_do_not_say_whose_it_is(tmp_path: Path) -> None:
    readme = "```sh\nmake test\nmake lint\nmake frobnicate\n```\n"
    assert drifted(Repository(tmp_path, {"README.md": readme, "Makefile": MAKEFILE})) == []


@pytest.mark.parametrize("module", ["example.org/tool", "example.org/tool/v2", "example.org/tool.v3"])
def test_the_program_of_a_go_module_has_no_major_version_in_its_name(tmp_path: Path, module: str) -> None:
    code = 'package main\n\nimport "github.com/spf13/cobra"\n\nvar serve = &cobra.Command{Use: "serve", Short: "x"}\n'
    files = {"go.mod": f"module {module}\n\ngo 1.22\n", "main.go": code, "README.md": "```sh\ntool serve\n```\n"}
    report = Repository(tmp_path, files).scan(settings=SETTINGS, show=frozenset({Verdict.VERIFIED}))
    assert [finding.claim for finding in report.findings] == ["tool", "serve"]


def test_each_line_of_a_list_of_commands_may_begin_at_the_root_anew(tmp_path: Path) -> None:
    page = "# Commands\n\n```bash\ncd backend && make test\ncd backend && make phpstan\ncd frontend && make lint\n```\n"
    root = "test:\n\techo\nphpstan:\n\techo\nlint:\n\techo\n"
    files: dict[str, str | bytes] = {
        "Makefile": root,
        "backend/Makefile": root,
        "frontend/Makefile": "lint:\n\techo\n",
        "README.md": "# A\n",
    }
    repo = Repository(tmp_path, files)
    repo.write({"Makefile": "start:\n\techo\n", "docs/commands.md": page}).commit()
    assert repo.drifted() == []
    repo.write({"frontend/Makefile": "check:\n\techo\n"}).commit()
    assert {m.line for f in repo.drifted() for m in f.mentions} == {6}
