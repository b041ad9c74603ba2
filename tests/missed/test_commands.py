"""What went and is named by documents yet is missed: commands, scripts and targets."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, JAVA, NODE, PYTHON, Make
from tests.support.renames import Rename, check_rename, readme

RAKE = "namespace :shop do\n  task clear_old: :environment do\n    Shop.clear\n  end\n\n  task seed: :environment do\n    Shop.seed\n  end\nend\n"

PROJECT = (
    '[project]\nname = "tool"\n\n[project.scripts]\ntool-work = "tool.cli:work"\ntool-new-site = "tool.cli:new_site"\n'
)

CLI = "def work(): ...\n\n\ndef new_site(): ...\n"

COMPOSER = '{"name": "a/b", "scripts": {"stan": "phpstan analyse", "lint": "mago lint"}}\n'

WRAPPER = '#!/bin/sh\ndocker exec -it app /bin/sh -c "$*"\n'

DJANGO = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    help = 'Cleans'\n"

COMPARED = {
    "ruby": ("lib/tool/cli.rb", 'class CLI\n  def start(command)\n    if command == "execute"\n      run\n    end\n  end\nend\n'),
    "cases": ("lib/tool/cli.rb", 'class CLI\n  def start(command)\n    case command\n    when "list" then all\n    when "execute" then run\n    end\n  end\nend\n'),
    "javascript": ("lib/cli.js", 'function main(command) {\n  switch (command) {\n    case "list":\n      return all();\n    case "execute":\n      return run();\n  }\n}\n'),
    "go": ("cmd/tool/main.go", 'package main\n\nfunc main() {\n\tcmd := os.Args[1]\n\tswitch cmd {\n\tcase "list":\n\t\tall()\n\tcase "execute":\n\t\trun()\n\t}\n}\n'),
}  # fmt: skip

WASM = '{"name": "wasm", "scripts": {"pack": "wasm-pack"}}\n'

PROJECT_2 = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.cli:main"\n'

GROUP = (
    "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser('tool')\n"
    "    commands = parser.add_subparsers()\n    commands.add_parser('apply')\n    commands.add_parser('run')\n"
    "    return parser.parse_args()\n"
)

COBRA = (
    'package {name}\n\nfunc NewCmd() *cobra.Command {{\n\tcmd := &cobra.Command{{\n\t\tUse: "{name} <id>",\n'
    '\t\tShort: "Does it",\n\t}}\n\tconfirm("{name} this note?")\n\treturn cmd\n}}\n'
)

FOUR = "".join(f"    commands.add_parser('{name}')\n" for name in ("email", "phone", "birthdays", "merge"))

ACTIONS = GROUP.replace("    commands.add_parser('apply')\n    commands.add_parser('run')\n", FOUR)

COMMANDS = """import argparse

COMMANDS = {
    "extras": {"help": "Manage extras.", "fetch": ["Fetch one"]},
}


def build(parser):
    actions = parser.add_subparsers(dest="action")
    for command, properties in COMMANDS.items():
        actions.add_parser(command, help=properties["help"])
    actions.add_parser("status", help="how it is")


parser = argparse.ArgumentParser(prog="tool")
build(parser)
"""

PROJECT_3 = '[project]\nname = "tool"\nversion = "1.0"\n\n[project.scripts]\ntool = "tool.cli:parser"\n'

RUBY = {"shop.gemspec": "Gem::Specification.new do |spec|\n  spec.name = 'shop'\nend\n"}

SCRIPT = "#!/bin/bash\nfetch () {\n  go get ./...\n}\nbuild () {\n  go build\n}\ncase \"$1\" in\n  'build' \\\n  |'fetch' \\\n  |'test')\n  $1\n  ;;\nesac\n"

NODE_2 = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}


def _parsers() -> dict[str, str | bytes]:
    def program(name: str) -> str:
        return (
            "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    subs = parser.add_subparsers()\n"
            f"    subs.add_parser('configure')\n    subs.add_parser('{name}')\n    parser.parse_args()\n"
        )

    manifest = (
        '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli.run:main"\n'
        'tool-admin = "tool.cli.admin:main"\n'
    )
    return {
        "pyproject.toml": manifest, "tool/__init__.py": "", "tool/cli/__init__.py": "",
        "tool/cli/run.py": program("start"), "tool/cli/admin.py": program("list"),
    }  # fmt: skip


GEM = {
    "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool'; s.executables = ['tool'] }\n",
    "exe/tool": "#!/usr/bin/env ruby\n",
}

DOTNET = {
    "src/Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><ToolCommandName>dotnet-tool</ToolCommandName>'
    "</PropertyGroup></Project>\n"
}

COMPOSER_2 = {
    "composer.json": '{"name": "acme/tool", "bin": ["bin/tool"]}\n',
    "bin/tool": "#!/usr/bin/env php\n<?php\n",
}

SWIFT = {
    "Package.swift": 'let package = Package(name: "tool", products: [.executable(name: "tool", targets: ["tool"])])\n'
}

SHELL = {
    "bin/tool": '#!/bin/sh\nexec "libexec/tool-$1"\n',
    "libexec/tool-list": "#!/bin/sh\necho list\n",
    "libexec/tool-pin": "#!/bin/sh\necho pin\n",
}

CASES = [
    Rename(
        "sub-command of Thor by its symbol",
        {**readme("## `tool prune_old`", "", "```sh", "$ tool help prune_old", "$ bundle exec tool prune_old --all", "```"),
         **GEM, "lib/cli.rb": "class CLI < Thor\n  desc :prune_old, 'x'\n  def prune_old\n  end\nend\n"},
        "prune_old", "sweep", "prune_old",
    ),
    Rename(
        "sub-command of System.CommandLine",
        {**readme("Use the `makekey` command:", "", "```sh", "dotnet tool makekey", "dotnet-tool makekey --output x", "```"),
         **DOTNET, "src/Program.cs": 'class P\n{\n    Command Make() => new Command(\n        name: "makekey",\n        description: "x");\n}\n'},
        '"makekey"', '"newkey"', "makekey",
    ),
    Rename(
        "option of System.CommandLine in two joined words",
        {**readme("```sh", "dotnet tool collect --metricUrls x", "```"), **DOTNET,
         "src/Program.cs": 'class P\n{\n    Option Urls() => new Option<string[]>("--metricUrls");\n}\n'},
        "--metricUrls", "--counters", "--metricUrls",
    ),
    Rename(
        "option of Symfony's console",
        {**readme("Use `--nowrite (-N)`, or `tool models --nowrite`."), **COMPOSER_2,
         "src/ModelsCommand.php": "<?php\nclass ModelsCommand extends Command\n{\n    protected function getOptions()\n    {\n        return [\n"
         "            ['nowrite', 'N', InputOption::VALUE_NONE, 'No'],\n        ];\n    }\n}\n"},
        "'nowrite'", "'apart'", "nowrite",
    ),
    Rename(
        "option of getopt_long in bold and in plain words",
        {"docs/manual.md": "# Manual\n\n**--trim-order** *ORDER*\n\nSee --trim-order above.\n",
         "CMakeLists.txt": "add_executable(tool main.cpp)\n",
         "main.cpp": 'const option OPTIONS[] = {\n  {"trim-order", REQUIRED, nullptr, TRIM},\n};\n'},
        '"trim-order"', '"trim-sequence"', "--trim-order",
    ),
    Rename(
        "option of Swift's ArgumentParser",
        {**readme("```sh", "tool run --max-depth 3", "```"), **SWIFT,
         "Sources/tool/main.swift": 'import ArgumentParser\n\nstruct Run: ParsableCommand {\n    @Option(help: "How deep.")\n    var maxDepth: Int = 2\n}\n'},
        "maxDepth", "levels", "--max-depth",
    ),
    Rename(
        "sub-command of Swift's ArgumentParser",
        {**readme("`tool dump-all` shows it."), **SWIFT,
         "Sources/tool/main.swift": 'import ArgumentParser\n\nstruct Dump: ParsableCommand {\n    static let configuration = CommandConfiguration(commandName: "dump-all")\n}\n'},
        "dump-all", "print-all", "dump-all",
    ),
    Rename(
        "sub-command that is a file",
        {**readme("- [tool pin](#tool-pin)", "", "### tool pin", "", "```console", "$ tool pin", "$ tool list", "```"), **SHELL},
        "libexec/tool-none", "", "tool pin", (("libexec/tool-pin", "libexec/tool-freeze"),),
    ),
    Rename(
        "sub-command of a framework that nobody knows",
        {**readme("- [`forwarder truncate`](#x) empties it.", "", "```sh", "tool forwarder truncate", "```"), **DOTNET,
         "src/Truncate.cs": 'namespace Tool;\n\n[Verbs("forwarder", "truncate", "Empty the buffer")]\nclass Truncate {}\n'},
        '"truncate"', '"drain"', "truncate",
    ),
    Rename(
        "option of one word after an archive that is run",
        {**readme("```console", "$ php tool.phar debug:unused --limit=10", "```"), **COMPOSER_2,
         "src/C.php": "<?php\nclass C extends Command\n{\n    function configure()\n    {\n        $this->addOption(\n            'limit',\n            'l',\n        );\n    }\n}\n"},
        "'limit'", "'threshold'", "--limit",
    ),
    Rename(
        "option of argparse4j",
        {**readme("```sh", "./bin/monitor.sh --topic test --broker-list localhost", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "bin/monitor.sh": "#!/bin/sh\nexec java o.Monitor $@\n",
         "src/main/java/o/Monitor.java": 'package o;\n\nclass Monitor {\n    void parse(ArgumentParser parser) {\n        parser.addArgument("--topic").help("x");\n        parser.addArgument("--broker-list").help("x");\n    }\n}\n'},
        "--broker-list", "--brokers", "--broker-list",
    ),
    Rename(
        "rake task of a gem that has a Rakefile too",
        {**readme("```sh", "rake lint", "rake blazer:send_checks", "```"), **GEM, "Rakefile": "require 'bundler/gem_tasks'\n\ntask default: :test\n\ntask :lint do\nend\n",
         "lib/tasks/blazer.rake": "namespace :blazer do\n  task send_checks: :environment do\n    Blazer.send_checks\n  end\nend\n",
         "lib/blazer.rb": "module Blazer\n  def self.send_checks\n  end\nend\n"},
        "task send_checks:", "task notify:", "blazer:send_checks",
    ),
    Rename(
        "sub-command in bold",
        {**readme("- **bootstrap**: Installs all", "- **list**: Lists", "", "```sh", "tool bootstrap --link", "```"), **SWIFT,
         "Sources/tool/Bootstrap.swift": 'class Bootstrap: Command {\n    init() {\n        super.init(tool: tool,\n                   name: "bootstrap",\n                   description: "x")\n    }\n}\n'},
        '"bootstrap"', '"prepare"', "bootstrap",
    ),
    Rename(
        "option of a framework that nobody knows",
        {**readme("| `--invalid-data=VALUE` | How. |", "", "```sh", "tool ingest --invalid-data=ignore", "```", "", "Or `-d`, `--directory=VALUE`."), **DOTNET,
         "src/Feature.cs": 'namespace Tool;\n\nclass Feature\n{\n    void Enable(Options options) { options.Add("invalid-data=", "How", v => {}); options.Add("d=|directory=", "Where", v => {}); }\n}\n'},
        "invalid-data=", "on-invalid=", "--invalid-data",
    ),
    Rename(
        "sub-command in what the help prints",
        {**readme("`tool info` tells:", "", "```", "Usage: tool [COMMAND]", "Commands:", "  info    Displays it", "  list    Lists", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/o/Root.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "tool", subcommands = { Info.class, Lister.class })\npublic class Root {}\n',
         "src/main/java/o/Lister.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "list")\npublic class Lister {}\n',
         "src/main/java/o/Info.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "info")\npublic class Info {}\n'},
        '"info"', '"about"', "info",
    ),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    "told", ["bundle exec rails shop:clear_old", "bin/rails shop:clear_old", "rails shop:clear_old"]
)
def test_a_task_of_rake_that_rails_runs_is_missed(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {
            "README.md": f"# Tool\n\nThen run `{told}`.\n\nThen run `rails shop:seed` and `rails server`.\n",
            "lib/tasks/shop.rake": RAKE,
            "Gemfile": 'source "https://rubygems.org"\ngem "rails"\n',
        }
    )
    repo.replace("clear_old", "purge", "lib/tasks/shop.rake").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_program_of_two_words_is_missed_in_a_block_without_a_language(repository: Make, since: str) -> None:
    text = "Tool\n====\n\nSubmit sites::\n\n    tool-new-site --limit=6 https://example.org/\n"
    repo = repository({"README.rst": text, "pyproject.toml": PROJECT, "tool/__init__.py": "", "tool/cli.py": CLI})
    repo.replace("tool-new-site", "tool-add-site", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 6)}


@BOTH
def test_a_script_that_is_run_through_one_of_ours_is_missed(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n* Run `./indocker composer stan` to check types.\n* Run `./indocker composer lint` to check style.\n"
    )
    repo = repository({"README.md": text, "composer.json": COMPOSER, "indocker": WRAPPER})
    repo.replace('"stan"', '"analyse"', "composer.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_management_command_is_run_from_the_readers_own_folder(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\n/path/manage.py cleanfiles\n```\n"
    repo = repository({"README.md": text, "tool/management/commands/cleanfiles.py": DJANGO, "tool/__init__.py": ""})
    repo.move("tool/management/commands/cleanfiles.py", "tool/management/commands/clean_files.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_a_script_of_three_words_is_the_one_of_the_folder_that_had_it(repository: Make) -> None:
    repo = repository({
        **readme("Run `yarn start:dev:mock`."), "package.json": '{"name": "tool", "version": "1.0.0", "scripts": {"build": "turbo"}}\n',
        "web/package.json": '{"name": "web", "version": "1.0.0", "scripts": {"start:dev:mock": "next dev", "start": "next"}}\n',
    })  # fmt: skip
    repo.replace("start:dev:mock", "start:mock", "web/package.json").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3)}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_command_of_an_application_of_django_is_run_by_the_readers_project(repository: Make, since: str) -> None:
    command = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    pass\n"
    repo = repository({
        **readme("```console", "$ python manage.py qmemory", "$ python manage.py qinfo", "$ python manage.py migrate", "```"),
        "pyproject.toml": '[project]\nname = "queue"\nversion = "1"\n', "queue/__init__.py": "",
        "queue/management/commands/qmemory.py": command, "queue/management/commands/qinfo.py": command + "\nNAME = 1\n",
    })  # fmt: skip
    repo.move("queue/management/commands/qmemory.py", "queue/management/commands/qusage.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize("where", list(COMPARED))
def test_what_a_program_compares_its_command_with_is_a_command(repository: Make, since: str, where: str) -> None:
    path, code = COMPARED[where]
    text = "Run it:\n\n```bash\nbin/tool execute flow.rb\n```\n\nOr `tool execute`.\n"
    other = f"{path.rpartition('/')[0]}/log{path[path.rindex('.') :]}"  # the word is another thing's too
    spoken = (
        'log("execute", "flow")\n'
        if not path.endswith(".go")
        else 'package main\n\nvar words = []string{"execute", "flow"}\n'
    )
    repo = repository({"README.md": text, path: code, "bin/tool": "#!/bin/sh\n", other: spoken})
    repo.replace('"execute"', '"run"', path).commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 7)}


@BOTH
def test_an_option_that_may_be_left_out_may_stand_before_a_command(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser('tool')\nparser.add_argument('--confirm')\n"
        "subs = parser.add_subparsers()\nsubs.add_parser('before')\nsubs.add_parser('retain')\n"
    )
    text = "# Tool\n\nUse `tool retain`.\n\n```sh\n$ tool [--confirm] retain 5\n$ tool [--confirm] before x\n```\n"
    project = '[project]\nname = "tool"\n[project.scripts]\ntool = "tool.cmd:main"\n'
    repo = repository({"README.md": text, "tool/cmd.py": code, "pyproject.toml": project})
    repo.replace("'retain'", "'keep'", "tool/cmd.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_a_management_command_that_stands_alone_is_found(repository: Make, since: str) -> None:
    text = "# Tool\n\n## Commands\n\n`cleanup_old_tokens`\n\n```sh\npython manage.py cleanup_old_tokens\n```\n"
    command = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    help = 'x'\n"
    files = {"tool/management/commands/cleanup_old_tokens.py": command, "tool/__init__.py": "", "README.md": text}
    repo = repository({**PYTHON, **files})
    repo.move("tool/management/commands/cleanup_old_tokens.py", "tool/management/commands/cleanup_tokens.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5), ("README.md", 8)}


@BOTH
@pytest.mark.parametrize(("entered", "reported"), [("cd crates/napi", True), ("cd crates/other", False)])
def test_a_script_is_that_of_the_folder_that_its_section_enters(
    repository: Make, since: str, entered: str, *, reported: bool
) -> None:
    page = f"# Tool\n\n## Bindings\n\n- Go to it: `{entered}`\n- Install: `yarn install`\n- Debug build: `yarn build:debug`\n"
    manifest = '{"name": "napi", "scripts": {"build": "napi build", "build:debug": "napi build --debug"}}\n'
    repo = repository(
        {
            ".github/instructions.md": page,
            "crates/napi/package.json": manifest,
            "crates/wasm/package.json": WASM,
        }
    )
    repo.replace("build:debug", "build:debug-new", "crates/napi/package.json").commit()
    assert repo.stale_lines(since=since) == ({(".github/instructions.md", 7)} if reported else set())


@BOTH
@pytest.mark.parametrize(("settings", "reported"), [('"""Of (\'run\', \'apply\')."""\n', True), ("X = 'run'\n", False)])
def test_a_command_that_only_a_docstring_quotes_has_gone_with_every_place_of_it(
    repository: Make, since: str, settings: str, *, reported: bool
) -> None:
    page = (
        "Tool\n====\n\n.. program:: tool run\n\ntool run\n~~~~~~~~\n\nUse ``tool run x.py``, then ``tool apply x``.\n"
    )
    repo = repository(
        {"doc/tool.rst": page, "tool/cli.py": GROUP, "tool/settings.py": settings, "pyproject.toml": PROJECT_2}
    )
    repo.replace("    commands.add_parser('run')\n", "", "tool/cli.py").commit()
    found = {("doc/tool.rst", line) for line in (4, 6, 9)}
    assert repo.stale_lines(since=since) == (found if reported else set())


@BOTH
@pytest.mark.parametrize(
    ("beside", "reported"),
    [("", True), ('\tif args[0] == "remove" {\n\t\treturn\n\t}\n', False)],
    ids=["told", "taken"],
)
def test_a_command_that_is_only_completed_taken_in_and_asked_about_has_gone(
    repository: Make, since: str, beside: str, *, reported: bool
) -> None:
    root = 'package main\n\nimport (\n\t"own/tool/cmd/add"\n\t"own/tool/cmd/remove"\n)\n\nfunc main() {\n'
    files = {f"cmd/{name}/{name}.go": COBRA.format(name=name) for name in ("add", "remove")}
    repo = repository(
        {
            **files,
            "go.mod": "module own/tool\n",
            "main.go": f'{root}\troot := &cobra.Command{{Use: "tool"}}\n{beside}\troot.AddCommand(add.NewCmd())\n}}\n',
            "tool-completion.bash": 'commands=("add" "remove")\n',
            "COMMANDS.md": "# Commands\n\n```bash\ntool add 1\n\ntool remove 1\n```\n",
        }
    )
    gone = '\tcmd := &cobra.Command{\n\t\tUse: "remove <id>",\n\t\tShort: "Does it",\n\t}\n'
    repo.replace(gone, "\tvar cmd *cobra.Command\n", "cmd/remove/remove.go").commit()
    assert repo.stale_lines(since=since) == ({("COMMANDS.md", 6)} if reported else set())


@BOTH
@pytest.mark.parametrize(
    ("dispatch", "reported"),
    [("ACTIONS = {'email': 1, 'phone': 2, 'birthdays': 3, 'merge': 4}\n", True), ("REGISTRY = ['merge']\n", False)],
    ids=["acts", "registers"],
)
def test_code_that_acts_on_all_commands_does_not_take_the_one_that_its_parser_dropped(
    repository: Make, since: str, dispatch: str, *, reported: bool
) -> None:
    page = "Tool\n====\n\n.. code-block:: shell\n\n   tool email x\n   tool merge [-a source] [terms]\n"
    repo = repository(
        {"doc/tool.rst": page, "tool/cli.py": ACTIONS, "tool/actions.py": dispatch, "pyproject.toml": PROJECT_2}
    )
    repo.replace("    commands.add_parser('merge')\n", "", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == ({("doc/tool.rst", 7)} if reported else set())


@BOTH
def test_a_command_that_is_named_alone_is_gone_wherever_the_only_program_is_called_with_it(
    repository: Make, since: str
) -> None:
    page = (
        "Tool\n====\n\nUse the subcommands ``email``, ``phone`` and ``birthdays``.\n\n.. code-block::\n\n"
        '   set query_command = "tool email --parsable %s"\n   bind editor <Tab> complete-query\n'
    )
    news = "v1\n- Mutt: set query_command= 'tool email --parsable'\n"
    repo = repository(
        {
            "doc/tool.rst": page,
            "tool/cli.py": ACTIONS,
            "CHANGES": news,
            "tool/f.py": "FIELDS = ['email']\n",
            "pyproject.toml": PROJECT_2,
        }
    )
    repo.replace("'email'", "'email-next'", "tool/cli.py").replace("tool email", "tool email-next", "CHANGES").commit()
    found = {(finding.rule, place.line) for finding in repo.drifted(since=since) for place in finding.mentions}
    assert found == {("unknown-command", 4), ("unknown-command", 8)}


@BOTH
def test_an_environment_of_tox_is_no_command_that_went(repository: Make, since: str) -> None:
    code = "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n@cli.command()\ndef repl():\n    pass\n\n\n@cli.command()\ndef show():\n    pass\n"
    tox = "[tox]\nenvlist = py312\n\n[testenv:repl]\nextras = repl\n"
    repo = repository(
        {
            **PYTHON,
            "docs/usage.md": "# Usage\n\nTool supports the `repl` command.\n",
            "tool/cli.py": code,
            "tox.ini": tox,
        }
    )
    repo.replace("def repl", "def shell", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("docs/usage.md", 3)}


@BOTH
def test_a_command_of_a_group_is_one_of_its_folder(repository: Make, since: str) -> None:
    group = "exports.command = '{name}';\nexports.builder = (yargs) => yargs.commandDir('./{name}');\n"
    command = "exports.builder = (yargs) => yargs.option('title', { type: 'string' });\nexports.handler = () => {};\n"
    repo = repository(
        {
            **NODE,
            "package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n',
            "README.md": "# Tool\n\n| Command | What |\n|---|---|\n| `tool pr create` | one |\n| `tool check create` | two |\n",
            "bin/tool.js": "#!/usr/bin/env node\nrequire('yargs').commandDir('./tool').argv;\n",
            "bin/tool/pr.js": group.format(name="pr"),
            "bin/tool/pr/create.js": "exports.command = 'create [path...]';\n" + command,
            "bin/tool/check.js": group.format(name="check"),
            "bin/tool/check/create.js": "exports.command = 'create <file>';\n" + command,
        }
    )
    repo.replace("'create [", "'open [", "bin/tool/pr/create.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


def test_a_command_that_a_statement_of_its_own_puts_among_the_others_is_there(repository: Make) -> None:
    page = "# Tool\n\n```sh\n$ tool extras fetch\n$ tool status\n```\n\nSee `tool extras`.\n"
    repo = repository({"README.md": page, "pyproject.toml": PROJECT_3, "tool/__init__.py": "", "tool/cli.py": COMMANDS})
    now = COMMANDS.replace(
        '    "extras": {"help": "Manage extras.", "fetch": ["Fetch one"]},\n',
        '    "self": {"help": "Manage the tool."},\n',
    )
    now = now.replace(
        "\n\ndef build",
        '\n\nCOMMANDS["extras"] = COMMANDS["self"]["extras"] = {"help": "Manage extras.", "fetch": ["Fetch one"]}\n\n\ndef build',
        1,
    )
    repo.write({"tool/cli.py": now}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"tool/cli.py": now.replace('COMMANDS["extras"] = COMMANDS["self"]["extras"] = ', "OTHERS = ")}).commit()
    assert ("README.md", 4) in {(m.file, m.line) for f in repo.drifted(since="HEAD~2") for m in f.mentions}


def test_a_task_that_another_task_needs_is_there_whoever_makes_it(repository: Make) -> None:
    page = "# Work\n\n```sh\nbundle exec rake spec\nbundle exec rake lint\n```\n"
    rake = "task :spec do\n  run\nend\n\ntask :lint do\n  run\nend\n\ntask :other do\n  run\nend\n\ntask default: %i[lint spec other]\n"
    repo = repository({"CONTRIBUTING.md": page, "Rakefile": rake, "tasks/specs.rb": ""})
    now = rake.replace("task :spec do\n  run\nend\n\n", "").replace("task :lint do\n  run\nend\n\n", "")
    repo.write({"Rakefile": now.replace("[lint ", "["), "tasks/specs.rb": "make_tasks(nil, :ascii)\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 5)}


@BOTH
def test_commands_of_a_block_that_is_called_cli_are_commands(repository: Make, since: str) -> None:
    repo = repository({
        "CONTRIBUTING.md": "```cli\n# build and publish\nmake image publish\n```\n",
        "Makefile": "image:\n\techo\npublish: image\n\techo\n",
    })  # fmt: skip
    repo.replace("publish:", "upload:", "Makefile").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 3)}


@BOTH
def test_a_target_of_a_makefile_that_configure_makes_is_missed(repository: Make, since: str) -> None:
    repo = repository({"doc/INSTALL.md": "Use `make c2s`.\n", "Makefile.in": "all: tool\n\techo\n\nc2s:\n\techo\n"})
    repo.replace("c2s:", "conf:", "Makefile.in").commit()
    assert repo.stale_lines(since=since) == {("doc/INSTALL.md", 1)}


@BOTH
def test_a_sub_command_in_a_table_with_columns_is_missed(repository: Make, since: str) -> None:
    code = 'COMMANDS = {\n  "stop"   => Stop,\n  "status" => Status,\n}\n'
    gemspec = 'Gem::Specification.new do |s|\n  s.name = "tool"\n  s.executables = ["tool"]\nend\n'
    repo = repository({
        "README.md": "```sh\n$ bin/tool status\n```\n", "lib/tool/client.rb": code, "bin/tool": "#!/usr/bin/env ruby\n",
        "tool.gemspec": gemspec,
    })  # fmt: skip
    repo.replace('"status" =>', '"ps"     =>', "lib/tool/client.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


def test_a_command_that_git_runs_by_its_file_is_gone_with_it(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\n## git sweep-branches\n\n```sh\n$ git sweep-branches --dry-run\n$ git status\n```\n",
        "bin/git-sweep-branches": "#!/usr/bin/env bash\necho sweep\n", "bin/git-tidy": "#!/usr/bin/env bash\necho tidy\n",
    })  # fmt: skip
    repo.move("bin/git-sweep-branches", "bin/git-prune-all").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


def test_a_command_that_a_launcher_takes_is_gone_wherever_it_stands(repository: Make) -> None:
    lines = (
        "# Tool",
        "",
        "Run `deployer rolling-update` first.",
        "",
        "Then `rolling-update --migrate`, after `rolling-update`.",
        "",
        "An update rolls.",
    )
    repo = repository({
        "README.md": "\n".join(lines) + "\n", **JAVA, "bin/deployer": "#!/bin/sh\nexec java -jar tool.jar \"$@\"\n",
        "src/main/java/o/Cli.java": 'package o;\n\nclass Cli {\n    Cli() {\n        new RollingUpdateCommand(parse("rolling-update"));\n        new ListCommand(parse("list"));\n    }\n}\n',
        "src/main/java/o/Log.java": 'package o;\n\nclass Log {\n    String text = "A rolling-update of the group was stopped";\n}\n',
    })  # fmt: skip
    repo.replace('"rolling-update"', '"roll"', "src/main/java/o/Cli.java").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5)}


def test_a_command_that_a_file_of_its_folder_was_is_gone_with_the_word(repository: Make) -> None:
    repo = repository({
        "README.md": "# Shop\n\n    $ shop createkeys\n    $ shop encrypt -f file\n", **RUBY, "bin/shop": "#!/usr/bin/env ruby\nrequire 'shop'\n",
        "lib/shop/subcommands/createkeys.rb": "class Createkeys < Subcommand\n  def run; end\nend\n",
        "lib/shop/subcommands/encrypt.rb": "class Encrypt < Subcommand\n  def run; end\nend\n",
    })  # fmt: skip
    repo.move("lib/shop/subcommands/createkeys.rb", "lib/shop/subcommands/keygen.rb")
    repo.replace("Createkeys", "Keygen", "lib/shop/subcommands/keygen.rb").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_sub_command_of_a_script_stands_in_quotes_and_behind_the_name_with_its_ending(
    repository: Make, since: str
) -> None:
    repo = repository({"README.md": "# Tool\n\n```bash\n  ./do.sh fetch\n  ./do.sh build\n```\n", "do.sh": SCRIPT})
    repo.replace("fetch", "deps", "do.sh").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_sub_command_is_what_the_first_argument_is_compared_with(repository: Make, since: str) -> None:
    code = "#!/usr/bin/env node\nconst argv = require('optimist').argv;\nif (argv._[0] === 'setup' || argv.setup) {\n  ask();\n}\n"
    repo = repository({"README.md": "# Tool\n\n    $ tool setup\n\nRun `tool setup`.\n", **NODE_2, "cli.js": code})
    repo.replace("=== 'setup'", "=== 'wizard'", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5)}


@BOTH
def test_a_command_of_one_program_is_none_of_another(repository: Make, since: str) -> None:
    text = "# Tool\n\n```console\n$ tool configure\n$ tool-admin configure\n$ tool start\n```\n"
    repo = repository({"README.md": text, **_parsers()})
    repo.replace("'configure'", "'wizard'", "tool/cli/run.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_console_script_that_a_sentence_names_is_told_when_it_gets_another_name(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool:main"\ntool-import = "tool.load:main"\n'
    text = "# Tool\n\n`tool-import` reads `tool.yml`, and `tool serve` shows `tool-kit`.\n"
    repo = repository(
        {"README.md": text, "pyproject.toml": manifest, "tool/__init__.py": "", "tool/load.py": "x = 1\n"}
    )
    repo.replace("tool-import", "tool-load", "pyproject.toml").commit()
    (finding,) = repo.drifted(since=since)
    assert (finding.rule, finding.line, finding.column) == ("unknown-command", 3, 2)
    assert finding.fix is not None
    assert finding.fix.replacement == "tool-load"


@BOTH
@pytest.mark.parametrize("folder", ["examples/file", "tests/integration"])
def test_a_target_of_a_makefile_beside_the_document_is_missed(repository: Make, folder: str, since: str) -> None:
    repo = repository({
        f"{folder}/README.md": "Run `make serve-all`.\n", f"{folder}/Makefile": "serve-all: build\n\techo\nbuild:\n\techo\n",
        "main.py": "x = 1\n",
    })  # fmt: skip
    repo.replace("serve-all:", "run-all:", f"{folder}/Makefile").commit()
    assert repo.stale_lines(since=since) == {(f"{folder}/README.md", 1)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Rename) -> None:
    check_rename(repository, case)


def test_a_task_of_a_namespace_whose_tasks_code_names_is_there(repository: Make) -> None:
    old = "namespace :paths do\n  task :include do\n    puts 1\n  end\n  task :source do\n    puts 2\n  end\nend\n"
    new = "namespace :paths do\n  names.each do |name|\n    task(name.to_sym) { puts name }\n  end\nend\n"
    repo = repository({"README.md": "# Tool\n\nRun `rake paths:include` for it.\n", "Rakefile": old})
    repo.write({"Rakefile": new}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"Rakefile": old}).commit()
    repo.replace("  task :include do\n    puts 1\n  end\n", "", "Rakefile").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


def test_a_task_that_an_included_file_has_is_there_whatever_that_file_is_called(repository: Make) -> None:
    old = (
        "version: '3'\nincludes:\n  db:\n    taskfile: ci/db.yml\n    flatten: true\ntasks:\n  start:\n    cmds: [go]\n"
    )
    task = "  deploy-db:\n    cmds: [go]\n"
    repo = repository({"README.md": "# Tool\n\nRun `task deploy-db`.\n", "Taskfile.yml": old + task})
    repo.write({"Taskfile.yml": old, "ci/db.yml": "version: '3'\ntasks:\n  db:k8s:deploy:\n    aliases: [deploy-db]\n"})
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"ci/db.yml": "version: '3'\ntasks:\n  db:k8s:deploy:\n    aliases: [deploy-db-now]\n"}).commit()
    assert repo.stale_lines(since="HEAD~2") == {("README.md", 3)}


def test_a_value_that_clap_makes_of_a_variant_is_no_command_that_went(repository: Make) -> None:
    cli = """use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "tool")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    PlainFaucet { name: String },
    NonFungibleFaucet { name: String },
    NewWallet { name: String },
}
"""
    page = "# Tool\n\nThe account type is one of:\n\n- `plain-faucet`\n- `non-fungible-faucet`\n- `new-wallet`\n"
    files: dict[str, str | bytes] = {
        "README.md": page + "\n```sh\ntool new-wallet a\ntool non-fungible-faucet a\n```\n",
        "Cargo.toml": '[package]\nname = "tool"\nversion = "1.0.0"\n',
        "src/main.rs": cli,
    }
    repo = repository(files)
    gone = "    NonFungibleFaucet { name: String },\n"
    repo.replace(gone, "", "src/main.rs").commit()
    assert ("README.md", 11) in repo.stale_lines(since="HEAD~1")
    repo.write(
        {"src/kinds.rs": "#[derive(ValueEnum)]\npub enum Kind {\n    Plain,\n    NonFungibleFaucet,\n}\n"}
    ).commit()
    assert repo.stale_lines(since="HEAD~2") == set()
