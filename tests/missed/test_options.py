"""What went and is named by documents yet is missed: options."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, Make
from tests.support.renames import readme
from tests.support.repository import Repository

COMMAND_PHP = "<?php\n\nclass ClearCommand extends Command\n{\n    protected $signature = 'cache:clear {--url=}';\n}\n"

NODE_2 = (
    'const { Command } = require("commander");\nnew Command()\n  .option("--serve-host <host>", "where to listen", "0.0.0.0")\n'
    '  .option("--level <level>", "how much to log", "info")\n  .parse();\nconst token = process.env.TOOL_TOKEN;\n'
)

PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'

FIELD = (
    '# Options\n\n<ParamField path="--serve-host" type="string" env="TOOL_TOKEN" default="0.0.0.0">\n  Where to listen.\n'
    "</ParamField>\n"
)

SWITCHES = 'const known = {\n  boolean: [\n    "auto-restart",\n    "sync-panel",\n  ],\n};\nmodule.exports = known;\n'

TURNED_OFF = "| Option | |\n|---|---|\n| `--auto-restart` | restart |\n| `--no-auto-restart` | do not restart |\n"

NODE_3 = {"package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "cli.js"}}\n'}

CLI = (
    "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser('tool')\n    parser.add_argument('--style')\n"
    "    parser.add_argument('--title')\n    return parser.parse_args()\n"
)

PROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.cli:main"\n'

FLAGS = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tmapping := flag.String("namemapping", "", "comma-separated")\n'
    '\tnames := flag.String("procnames", "", "names")\n\tflag.Parse()\n\t_, _ = mapping, names\n}\n'
)

COMPOSER = {"composer.json": '{"name": "acme/tool", "bin": ["bin/tool"]}\n', "bin/tool": "#!/usr/bin/env php\n<?php\n"}

PACKAGE_2 = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


PROGRAM = """#!/usr/bin/env node
const { program } = require('commander');
program.option('--depth <n>', 'how deep').option('--width <n>', 'how wide').option('--quiet', 'say nothing');
program.parse();
"""

OPTIONS = "# Options\n\n- `--depth`\n- `--width`\n- `--quiet`\n\nWrite a `gulpfile.js`.\n"

PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.main:main"\n'

FLAGS_2 = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.Bool("upgrade", false, "")\n\tflag.Bool("install", false, "")\n'
    "\tflag.Parse()\n}\n"
)

GEM = {
    "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\nend\n",
    "bin/kitchen": "#!/usr/bin/env ruby\n",
}


@BOTH
def test_an_option_of_one_word_stands_after_the_command_of_its_file(repository: Make, since: str) -> None:
    text = "# Tool\n\n```bash\nphp artisan cache:clear --url=/some-uri\ncurl --url=/other\n```\n"
    repo = repository({"README.md": text, "src/ClearCommand.php": COMMAND_PHP})
    repo.replace("{--url=}", "{--uri=}", "src/ClearCommand.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize(
    ("old", "new"), [("--serve-host", "--bind"), ("TOOL_TOKEN", "TOOL_SECRET"), ("0.0.0.0", "127.0.0.1")]
)
def test_what_the_attributes_of_a_field_say_is_a_claim(repository: Make, since: str, old: str, new: str) -> None:
    repo = repository({"docs/options.mdx": FIELD, "cli.js": NODE_2, "package.json": PACKAGE})
    repo.replace(old, new, "cli.js").commit()
    assert repo.stale_lines(since=since) == {("docs/options.mdx", 3)}


@BOTH
def test_what_turns_an_option_off_goes_with_it(repository: Make, since: str) -> None:
    repo = repository({"README.md": TURNED_OFF, "cli.js": SWITCHES, "package.json": PACKAGE})
    repo.replace("auto-restart", "respawn", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}


@BOTH
def test_what_turns_something_off_by_itself_does_not_go_with_it(repository: Make, since: str) -> None:
    code = SWITCHES.replace('    "sync-panel",\n', '    "sync-panel",\n    "no-auto-restart",\n')
    repo = repository({"README.md": TURNED_OFF, "cli.js": code, "package.json": PACKAGE})
    repo.replace('    "auto-restart"', '    "respawn"', "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_a_letter_that_an_installer_is_told_is_not_the_programs_own(repository: Make) -> None:
    repo = repository({
        **readme("```sh", "npm i -g tool", "```", "", "Run `tool -g`."), **NODE_3,
        "cli.js": "const { program } = require('commander')\nprogram.option('-g, --glob', 'all').option('-l, --list', 'list')\nprogram.parse()\n",
    })  # fmt: skip
    repo.replace("'-g, --glob'", "'-p, --glob'", "cli.js").commit()
    assert repo.stale_lines() == {("README.md", 7)}


@BOTH
@pytest.mark.parametrize(
    "session",
    [
        '$ ls | while read -r style; do\n    cat log | tool a.dbc --style "$style" --title "--style \'$style\'"\n  done\n',
        '$ cat log |\n    tool a.dbc --style x --title "--style x"\n',
    ],
    ids=["loop", "pipe"],
)
def test_a_loop_or_a_pipe_that_was_typed_goes_on_without_a_prompt(repository: Make, since: str, session: str) -> None:
    page = f"# Tool\n\n```console\n$ tool --style x\n{session}```\n"
    repo = repository({"README.md": page, "tool/cli.py": CLI, "pyproject.toml": PROJECT})
    repo.replace("'--title'", "'--title-next', dest='title'", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_an_option_of_which_the_letter_is_left_was_dropped_by_its_parser(repository: Make, since: str) -> None:
    page = "# Tool\n\nMake it:\n\n    $ tool announce --input data.iso\n"
    code = (
        "use structopt::StructOpt;\n\n#[derive(StructOpt)]\npub struct Announce {\n"
        '  #[structopt(\n    long = "input",\n    short = "i",\n    help = "Read it"\n  )]\n  input: String,\n}\n'
    )
    manifest = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository(
        {"README.md": page, "src/announce.rs": code, "src/main.rs": "mod announce;\n", "Cargo.toml": manifest}
    )
    repo.replace('    long = "input",\n', "", "src/announce.rs").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_an_option_with_one_dash_is_one_in_plain_words_too(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe -procnames/-namemapping options exist.\n\nIf -namemapping is not given, nothing is mapped.\n"
    repo = repository({"go.mod": "module example.org/tool\n", "README.md": text, "cmd/tool/main.go": FLAGS})
    repo.replace('"namemapping"', '"rename"', "cmd/tool/main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5)}


@BOTH
def test_an_option_that_begins_with_no_is_not_the_negation_of_another(repository: Make, since: str) -> None:
    code = (
        "import argparse\np = argparse.ArgumentParser('tool')\np.add_argument('--cmd', default='z')\n"
        "p.add_argument('--no-cmd', action='store_true')\np.parse_args()\n"
    )
    repo = repository({"README.md": "Options:\n\n- `--cmd`\n- `--no-cmd`\n", "tool.py": code})
    repo.replace("--no-cmd", "--no-alias", "tool.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_flag_with_one_dash_and_a_long_name_is_missed_in_help_output(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nfunc main() {\n\tn, m := flag.Uint("lock-timeout", 15, ""), flag.Uint("prefetch", 1, "")\n\tflag.Parse()\n\t_, _ = n, m\n}\n'
    text = "```\nOptions:\n  -lock-timeout N  seconds to wait\n  -prefetch N      how many\n```\n"
    repo = repository({"README.md": text, "main.go": code, "go.mod": "module x/tool\n\ngo 1.22\n"})
    repo.replace('"lock-timeout"', '"lock-wait"', "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_an_option_of_our_program_is_missed_in_the_document_of_an_example(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\n\ndef main():\n    p = argparse.ArgumentParser('pgweb')\n    p.add_argument('--sessions')\n"
        "    p.parse_args()\n"
    )
    project = '[project]\nname = "pgweb"\nversion = "1"\n[project.scripts]\npgweb = "pgweb.cli:main"\n'
    text = "```sh\npgweb --sessions --other-flag\n```\n"
    repo = repository(
        {"examples/a/README.md": text, "pgweb/cli.py": code, "pgweb/__init__.py": "", "pyproject.toml": project}
    )
    repo.replace("--sessions", "--multi", "pgweb/cli.py").commit()
    assert repo.stale_lines(since=since) == {("examples/a/README.md", 2)}


def test_an_option_of_one_word_in_the_call_of_another_program_is_left_alone(repository: Make) -> None:
    code = "<?php\nclass C extends Command\n{\n    function configure()\n    {\n        $this->addOption('force', 'f');\n    }\n}\n"
    repo = repository({**readme("First `git push --force`, then `--force` here."), **COMPOSER, "src/C.php": code})
    repo.replace("'force'", "'hard'", "src/C.php").commit()
    assert [(m.line, m.column) for f in repo.drifted() for m in f.mentions] == [(3, 33)]


def test_options_that_libraries_put_into_the_standard_set_of_go_are_there(repository: Make) -> None:
    main = """package main

import (
	"flag"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var rootCmd = &cobra.Command{Use: "tool"}

func main() {
	rootCmd.PersistentFlags().String("config", "", "which")
	rootCmd.PersistentFlags().String("format", "", "how")
	rootCmd.PersistentFlags().String("severity", "", "what")
	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)
	rootCmd.Execute()
}
"""
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n",
        "go.mod": "module example.org/tool\n\ngo 1.20\n",
        "main.go": main,
    }
    repo = repository(files)
    page = "# Tool\n\n```sh\ntool --config a --format b --kubeconfig c\n```\n"
    repo.write({"README.md": page}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace("	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)\n", "", "main.go").commit()
    assert repo.stale_lines(since="HEAD~2") == {("README.md", 4)}


def test_an_option_that_another_library_reads_now_or_the_help_still_has_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\n| option | |\n|---|---|\n| `--merge-pattern` | how |\n| `-p` | which |\n| `--left-out` | what |\n| `--range` | of |\n"
    then = (
        "const { program } = require('commander');\nprogram.option('-p, --preset <p>', 'which')"
        ".option('--merge-pattern <p>', 'how').option('--left-out <p>', 'what').option('--all', 'all').option('--range', 'of').parse();\n"
    )
    now = (
        "const { option, alias, autocase } = require('other-parser');\n"
        "read(option(autocase('mergePattern')), option(alias('preset', 'p')), program.option('--every', 'all'), range(3));\n"
    )
    repo = repository({"README.md": page, "package.json": PACKAGE_2, "bin/tool.js": then})
    repo.write({"bin/tool.js": now}).commit()
    assert claims(repo) == {("README.md", 7), ("README.md", 8)}


def test_options_that_a_library_adds_or_that_another_one_reads_are_there(repository: Make) -> None:
    page = "# Tool\n\n```sh\ntool --context dev --gone 1\ntool -sources a -d b\n```\n"
    old = """package main

import "github.com/spf13/pflag"

func main() {
	fs := pflag.NewFlagSet("tool", pflag.ExitOnError)
	fs.StringVar(&context, "context", "", "which")
	fs.StringVar(&gone, "gone", "", "what")
	fs.StringVar(&quiet, "quiet", "", "how")
}
"""
    new = old.replace('	fs.StringVar(&context, "context", "", "which")\n', "	flags.AddFlags(fs)\n")
    new = new.replace('	fs.StringVar(&gone, "gone", "", "what")\n', "")
    new = new.replace("func main() {", "var flags = genericclioptions.NewConfigFlags(true)\n\nfunc main() {")
    other = """package runner

import "flag"

func parse() {
	flag.StringVar(&domain, "d", "", "which")
	flag.StringVar(&sources, "sources", "", "where")
}
"""
    goflags = """package runner

import "github.com/projectdiscovery/goflags"

func parse() {
	set := goflags.NewFlagSet()
	set.NormalizedStringSliceVarP(&o.Domain, "domain", "d", []string{}, "which")
	set.NormalizedStringSliceVarP(&o.Sources, "sources", "s", []string{}, "where")
}
"""
    repo = repository(
        {"README.md": page, "go.mod": "module example.org/tool\n", "main.go": old, "runner/parse.go": other}
    )
    repo.write({"main.go": new, "runner/parse.go": goflags}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["--gone"]


def test_options_that_went_with_the_whole_program_to_another_package_are_not_missed_but_one_of_several_is(
    repository: Make,
) -> None:
    files: dict[str, str | bytes] = {
        "docs/options.md": OPTIONS,
        "package.json": PACKAGE_2,
        "bin/tool.js": PROGRAM,
        "gulpfile.js": "task()\n",
    }
    repo = repository(files)
    repo.replace(".option('--depth <n>', 'how deep')", "", "bin/tool.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/options.md", 3)}
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.write({"bin/tool.js": "#!/usr/bin/env node\nrequire('tool-cli')();\n"}).delete("gulpfile.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_an_option_whose_program_has_no_parser_any_more_is_not_missed_but_one_of_a_deleted_command_is(
    repository: Make,
) -> None:
    parser = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--depth-first')\n"
    clean = "import click\n\n@click.command('clean')\n@click.option('--all-files')\ndef clean(all_files):\n    pass\n"
    page = "# Tool\n\n- `--depth-first`: how\n\n## clean\n\n- `--all-files`: what\n"
    repo = repository({"README.md": page, "tool/main.py": parser, "tool/clean.py": clean, "pyproject.toml": PYPROJECT})
    repo.write({"tool/main.py": "from other import main\n\nmain()\n"}).delete("tool/clean.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}


def test_an_option_that_is_looked_up_in_what_another_file_has_parsed_is_there(repository: Make) -> None:
    whole = "var argv = require('optimist').argv;\nrun(argv.outfile, argv.depth, argv.quiet);\n"
    args = "var argv = require('optimist').argv;\nrun(argv.depth);\nmodule.exports = { argv: argv };\n"
    rest = "var p = require('./args');\nrun(p.argv.outfile || 1, process.argv.length);\n"
    page = "# Options\n\n- `--outfile`: where\n- `--depth`: how\n- `--quiet`: what\n"
    repo = repository({"docs/options.md": page, "package.json": PACKAGE_2, "bin/tool.js": whole})
    repo.write({"bin/tool.js": rest, "bin/args.js": args}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/options.md", 5)}


def test_an_option_whose_name_a_constant_of_the_same_file_holds_now_is_there(repository: Make) -> None:
    page = (
        "# Profiler\n\n- `--profiler-home`: where it is\n- `--profiler-depth`: how deep\n- `--profiler-event`: what\n"
    )
    code = """package org.tool;

import joptsimple.OptionParser;

class Factory {
    void add(OptionParser parser) {
        home = parser.accepts("profiler-home", "Where it is");
        depth = parser.accepts("profiler-depth", "How deep");
        event = parser.accepts("profiler-event", "What");
    }
}
"""
    repo = repository({"README.md": page, "src/main/java/org/tool/Factory.java": code})
    new = code.replace('accepts("profiler-home"', "accepts(HOME_OPTION").replace(
        "profiler-depth", "profiler-stack-depth"
    )
    new = new.replace("Factory {\n", 'Factory {\n    static final String HOME_OPTION = "profiler-home";\n\n')
    new = new.replace("        event =", '        wall = parser.accepts("profiler-wall", "Interval");\n        event =')
    repo.write({"src/main/java/org/tool/Factory.java": new}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


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
def test_an_option_is_missed_in_a_string_of_a_compose_file(repository: Make, since: str) -> None:
    page = (
        "# Listing\n\nRun `./app --install`, or `./app --upgrade` later.\n\n"
        '```yaml\ncommand: [sh, -c, "./app --install && ./app --upgrade"]\n```\n'
    )
    repo = repository({"go.mod": "module example.org/app\n", "main.go": FLAGS_2, "README.md": page})
    repo.replace("upgrade", "renew", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_an_option_is_missed_although_an_alias_is_spelled_alike(repository: Make, since: str) -> None:
    code = (
        'use clap::Parser;\n\n#[derive(Parser)]\n#[command(rename_all = "snake_case")]\nstruct Args {\n'
        '    #[arg(long, alias = "use-binary-prefix")]\n    pub use_binary_prefix: bool,\n    #[arg(long)]\n    pub rate: u32,\n}\n'
    )
    manifest = '[package]\nname = "btm"\nversion = "0.1.0"\n'
    page = "# Options\n\n| Option | |\n|---|---|\n| `--use_binary_prefix` | Binary. |\n"
    repo = repository({"Cargo.toml": manifest, "src/main.rs": code, "docs/o.md": page})
    repo.replace("pub use_binary_prefix", "pub binary_lead", "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("docs/o.md", 5)}


@BOTH
def test_an_option_is_missed_whose_field_stands_far_below_its_attributes(repository: Make, since: str) -> None:
    helped = "".join(f"        // line {n} of a long help\n" for n in range(10))
    code = (
        "use clap::Parser;\n\n#[derive(Parser)]\nstruct Args {\n    #[arg(\n        short = 'r',\n        long,\n"
        f"{helped}    )]\n    pub rate: u32,\n    #[arg(long)]\n    pub basic: bool,\n}}\n"
    )
    manifest = '[package]\nname = "btm"\nversion = "0.1.0"\n'
    page = "# Options\n\n| Option | |\n|---|---|\n| `-r`, `--rate <TIME>` | How often. |\n"
    repo = repository({"Cargo.toml": manifest, "src/main.rs": code, "docs/o.md": page})
    repo.replace("        long,\n", '        long = "pace",\n', "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("docs/o.md", 5)}


@BOTH
def test_an_option_is_missed_that_a_tag_named_first_in_a_list(repository: Make, since: str) -> None:
    code = 'package main\n\ntype Config struct {\n\tKeep bool `flag:"keep-on-failure,default=false,Keep them"`\n}\n'
    page = "# Tool\n\n| Flag | |\n|---|---|\n| `--keep-on-failure` | Keep them. |\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "main.go": code})
    repo.replace("keep-on-failure", "preserve-on-failure", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_an_option_is_missed_on_the_line_of_a_program_that_the_gem_installs(repository: Make, since: str) -> None:
    code = "parser.on('--smell SMELL', 'Only this one') do |smell|\n  @smell = smell\nend\n"
    page = "# Options\n\nPass the `--smell` option:\n\n```bash\nkitchen --smell Long\nother --smell x\n```\n"
    repo = repository({**GEM, "docs/options.md": page, "lib/options.rb": code})
    repo.replace("--smell", "--only", "lib/options.rb").commit()
    assert ("docs/options.md", 6) in repo.stale_lines(since=since)
