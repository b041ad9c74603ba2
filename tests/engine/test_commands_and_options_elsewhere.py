"""Sub-commands and options of languages that are read for names only: what one commit renames is found wherever it is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.test_a_rename_in_every_framework import Case, check, readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

GEM = {
    "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool'; s.executables = ['tool'] }\n",
    "exe/tool": "#!/usr/bin/env ruby\n",
}
DOTNET = {
    "src/Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><ToolCommandName>dotnet-tool</ToolCommandName>'
    "</PropertyGroup></Project>\n"
}
COMPOSER = {"composer.json": '{"name": "acme/tool", "bin": ["bin/tool"]}\n', "bin/tool": "#!/usr/bin/env php\n<?php\n"}
SWIFT = {
    "Package.swift": 'let package = Package(name: "tool", products: [.executable(name: "tool", targets: ["tool"])])\n'
}
SHELL = {
    "bin/tool": '#!/bin/sh\nexec "libexec/tool-$1"\n',
    "libexec/tool-list": "#!/bin/sh\necho list\n",
    "libexec/tool-pin": "#!/bin/sh\necho pin\n",
}

CASES = [
    Case(
        "sub-command of Thor by its symbol",
        {**readme("## `tool prune_old`", "", "```sh", "$ tool help prune_old", "$ bundle exec tool prune_old --all", "```"),
         **GEM, "lib/cli.rb": "class CLI < Thor\n  desc :prune_old, 'x'\n  def prune_old\n  end\nend\n"},
        "prune_old", "sweep", "prune_old",
    ),
    Case(
        "sub-command of System.CommandLine",
        {**readme("Use the `makekey` command:", "", "```sh", "dotnet tool makekey", "dotnet-tool makekey --output x", "```"),
         **DOTNET, "src/Program.cs": 'class P\n{\n    Command Make() => new Command(\n        name: "makekey",\n        description: "x");\n}\n'},
        '"makekey"', '"newkey"', "makekey",
    ),
    Case(
        "option of System.CommandLine in two joined words",
        {**readme("```sh", "dotnet tool collect --metricUrls x", "```"), **DOTNET,
         "src/Program.cs": 'class P\n{\n    Option Urls() => new Option<string[]>("--metricUrls");\n}\n'},
        "--metricUrls", "--counters", "--metricUrls",
    ),
    Case(
        "option of Symfony's console",
        {**readme("Use `--nowrite (-N)`, or `tool models --nowrite`."), **COMPOSER,
         "src/ModelsCommand.php": "<?php\nclass ModelsCommand extends Command\n{\n    protected function getOptions()\n    {\n        return [\n"
         "            ['nowrite', 'N', InputOption::VALUE_NONE, 'No'],\n        ];\n    }\n}\n"},
        "'nowrite'", "'apart'", "nowrite",
    ),
    Case(
        "option of getopt_long in bold and in plain words",
        {"docs/manual.md": "# Manual\n\n**--trim-order** *ORDER*\n\nSee --trim-order above.\n",
         "CMakeLists.txt": "add_executable(tool main.cpp)\n",
         "main.cpp": 'const option OPTIONS[] = {\n  {"trim-order", REQUIRED, nullptr, TRIM},\n};\n'},
        '"trim-order"', '"trim-sequence"', "--trim-order",
    ),
    Case(
        "option of Swift's ArgumentParser",
        {**readme("```sh", "tool run --max-depth 3", "```"), **SWIFT,
         "Sources/tool/main.swift": 'import ArgumentParser\n\nstruct Run: ParsableCommand {\n    @Option(help: "How deep.")\n    var maxDepth: Int = 2\n}\n'},
        "maxDepth", "levels", "--max-depth",
    ),
    Case(
        "sub-command of Swift's ArgumentParser",
        {**readme("`tool dump-all` shows it."), **SWIFT,
         "Sources/tool/main.swift": 'import ArgumentParser\n\nstruct Dump: ParsableCommand {\n    static let configuration = CommandConfiguration(commandName: "dump-all")\n}\n'},
        "dump-all", "print-all", "dump-all",
    ),
    Case(
        "sub-command that is a file",
        {**readme("- [tool pin](#tool-pin)", "", "### tool pin", "", "```console", "$ tool pin", "$ tool list", "```"), **SHELL},
        "libexec/tool-none", "", "tool pin", (("libexec/tool-pin", "libexec/tool-freeze"),),
    ),
    Case(
        "sub-command of a framework that nobody knows",
        {**readme("- [`forwarder truncate`](#x) empties it.", "", "```sh", "tool forwarder truncate", "```"), **DOTNET,
         "src/Truncate.cs": 'namespace Tool;\n\n[Verbs("forwarder", "truncate", "Empty the buffer")]\nclass Truncate {}\n'},
        '"truncate"', '"drain"', "truncate",
    ),
    Case(
        "option of one word after an archive that is run",
        {**readme("```console", "$ php tool.phar debug:unused --limit=10", "```"), **COMPOSER,
         "src/C.php": "<?php\nclass C extends Command\n{\n    function configure()\n    {\n        $this->addOption(\n            'limit',\n            'l',\n        );\n    }\n}\n"},
        "'limit'", "'threshold'", "--limit",
    ),
    Case(
        "option of argparse4j",
        {**readme("```sh", "./bin/monitor.sh --topic test --broker-list localhost", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "bin/monitor.sh": "#!/bin/sh\nexec java o.Monitor $@\n",
         "src/main/java/o/Monitor.java": 'package o;\n\nclass Monitor {\n    void parse(ArgumentParser parser) {\n        parser.addArgument("--topic").help("x");\n        parser.addArgument("--broker-list").help("x");\n    }\n}\n'},
        "--broker-list", "--brokers", "--broker-list",
    ),
    Case(
        "rake task of a gem that has a Rakefile too",
        {**readme("```sh", "rake lint", "rake blazer:send_checks", "```"), **GEM, "Rakefile": "require 'bundler/gem_tasks'\n\ntask default: :test\n\ntask :lint do\nend\n",
         "lib/tasks/blazer.rake": "namespace :blazer do\n  task send_checks: :environment do\n    Blazer.send_checks\n  end\nend\n",
         "lib/blazer.rb": "module Blazer\n  def self.send_checks\n  end\nend\n"},
        "task send_checks:", "task notify:", "blazer:send_checks",
    ),
    Case(
        "sub-command in bold",
        {**readme("- **bootstrap**: Installs all", "- **list**: Lists", "", "```sh", "tool bootstrap --link", "```"), **SWIFT,
         "Sources/tool/Bootstrap.swift": 'class Bootstrap: Command {\n    init() {\n        super.init(tool: tool,\n                   name: "bootstrap",\n                   description: "x")\n    }\n}\n'},
        '"bootstrap"', '"prepare"', "bootstrap",
    ),
    Case(
        "option of a framework that nobody knows",
        {**readme("| `--invalid-data=VALUE` | How. |", "", "```sh", "tool ingest --invalid-data=ignore", "```", "", "Or `-d`, `--directory=VALUE`."), **DOTNET,
         "src/Feature.cs": 'namespace Tool;\n\nclass Feature\n{\n    void Enable(Options options) { options.Add("invalid-data=", "How", v => {}); options.Add("d=|directory=", "Where", v => {}); }\n}\n'},
        "invalid-data=", "on-invalid=", "--invalid-data",
    ),
    Case(
        "sub-command in what the help prints",
        {**readme("`tool info` tells:", "", "```", "Usage: tool [COMMAND]", "Commands:", "  info    Displays it", "  list    Lists", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/o/Root.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "tool", subcommands = { Info.class, Lister.class })\npublic class Root {}\n',
         "src/main/java/o/Lister.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "list")\npublic class Lister {}\n',
         "src/main/java/o/Info.java": 'package o;\n\nimport picocli.CommandLine.Command;\n\n@Command(name = "info")\npublic class Info {}\n'},
        '"info"', '"about"', "info",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_a_word_that_another_string_still_has_is_left_alone(repository: Make) -> None:
    code = 'class A\n{\n    string State() => Pick("truncate", "x");\n}\n'
    other = 'class B\n{\n    Command Make() => Declare("truncate");\n}\n'
    repo = repository({**readme("```sh", "dotnet-tool truncate", "```"), **DOTNET, "src/A.cs": code, "src/B.cs": other})
    repo.replace('"truncate"', '"drain"', "src/A.cs").commit()
    assert repo.stale_lines() == set()


def test_a_command_that_another_file_still_declares_is_left_alone(repository: Make) -> None:
    declare = "class {name} < Thor\n  desc :prune_old, 'x'\n  def prune_old\n  end\nend\n"
    repo = repository({
        **readme("```sh", "tool prune_old", "```"), **GEM,
        "lib/cli.rb": declare.format(name="CLI"), "lib/other.rb": declare.format(name="Other"),
    })  # fmt: skip
    repo.replace("prune_old", "sweep", "lib/cli.rb").commit()
    assert repo.stale_lines() == set()


def test_an_option_of_one_word_in_the_call_of_another_program_is_left_alone(repository: Make) -> None:
    code = "<?php\nclass C extends Command\n{\n    function configure()\n    {\n        $this->addOption('force', 'f');\n    }\n}\n"
    repo = repository({**readme("First `git push --force`, then `--force` here."), **COMPOSER, "src/C.php": code})
    repo.replace("'force'", "'hard'", "src/C.php").commit()
    assert [(m.line, m.column) for f in repo.drifted() for m in f.mentions] == [(3, 33)]
