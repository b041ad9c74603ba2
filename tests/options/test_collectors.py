"""What each language's collector reads out of a parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.code.options import names as names_collector
from docalign_actors.engine.code.reader import language_of, read_facts
from docalign_actors.engine.code.source import Source
from docalign_actors.engine.facts import FileFacts, Option


def facts(path: str, text: str) -> FileFacts:
    return read_facts(path, text.encode())


def option(found: FileFacts, name: str) -> Option:
    return next(o for o in found.options if name in o.names)


def names(found: FileFacts) -> set[str]:
    return {name for o in found.options if not o.literal for name in o.names}


def commands(found: FileFacts) -> set[str]:
    return {name for c in found.commands for name in (c.name, *c.aliases)}


ARGPARSE = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-p", "--port", type=int, default=8080, choices=None)
parser.add_argument("--cache", action=argparse.BooleanOptionalAction)
group = parser.add_argument_group("more")
group.add_argument("--level", choices=["low", "high"], default="low")
sub = parser.add_subparsers()
serve = sub.add_parser("serve", aliases=["s"])
serve.add_argument("--host", default="localhost")
"""


def test_argparse_gives_names_defaults_choices_and_the_sub_command() -> None:
    found = facts("cli.py", ARGPARSE)
    assert option(found, "--port").names == ("-p", "--port")
    assert option(found, "--port").default == "8080"
    assert option(found, "--level").choices == ("low", "high")
    assert option(found, "--host").command == "serve"
    assert "--no-cache" in names(found)
    assert commands(found) == {"serve", "s"}


def test_a_wrapper_round_add_argument_registers_what_its_callers_name() -> None:
    text = "import argparse\ndef add(parser, *names, **kw):\n    parser.add_argument(*names, **kw)\nadd(p, '--strict')\n_flag('--lax', default=1)\n"
    found = facts("cli.py", text)
    assert {"--strict", "--lax"} <= names(found)
    assert "options" not in found.opaque


def test_a_wrapper_round_add_parser_names_the_sub_commands() -> None:
    text = "import argparse\ndef _cmd(name, *, help):\n    return sub.add_parser(name, help=help)\n_cmd('install', help='')\n_cmd('run', help='')\n"
    found = facts("cli.py", text)
    assert commands(found) == {"install", "run"}
    assert "commands" not in found.opaque


def test_flags_from_a_loop_make_the_options_opaque() -> None:
    found = facts("cli.py", "import argparse\nfor f in FIELDS:\n    parser.add_argument(f'--{f}')\n")
    assert "options" in found.opaque


def test_click_gives_pairs_envvars_and_names_from_functions() -> None:
    found = facts(
        "cli.py",
        """
import click
@click.group()
def cli(): ...
@cli.command()
@click.option("--shout/--no-shout", " /-S", default=False)
@click.option("-n", "--count", default=3, envvar="COUNT", type=click.Choice(["a", "b"]))
def say_hello_cmd(): ...
@cli.command("bye")
def other(): ...
""",
    )
    assert {"--shout", "--no-shout", "-S", "--count", "-n"} <= names(found)
    assert (option(found, "--count").env, option(found, "--count").default) == ("COUNT", "3")
    assert option(found, "--count").command == "say-hello"
    assert option(found, "--count").choices == ("a", "b")
    assert {"say-hello", "say-hello-cmd", "bye"} <= commands(found)


def test_typer_parameters_are_options() -> None:
    found = facts(
        "cli.py",
        """
import typer
app = typer.Typer()
@app.command()
def create_user(name: str, dry_run: bool = False, port: int = typer.Option(8080, "--port", "-p", envvar="PORT")): ...
app.add_typer(db, name="database")
""",
    )
    assert {"--dry-run", "--no-dry-run", "--port", "-p"} <= names(found)
    assert option(found, "--port").default == "8080"
    assert {"create-user", "database"} <= commands(found)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("from absl import flags\nflags.DEFINE_bool('fast', True, 'x')\n", {"--fast", "--nofast"}),
        ("import getopt, sys\ngetopt.getopt(sys.argv[1:], 'ho:', ['help', 'output='])\n", {"-h", "-o", "--help", "--output"}),
        ("import sys\nfor a in sys.argv:\n    if a == '--raw' or a in ('--wet',):\n        pass\n", {"--raw", "--wet"}),
        ("def pytest_addoption(parser):\n    parser.addoption('--slow', action='store_true')\n", {"--slow"}),
        ('"""Usage:\n  tool ship [--speed=<kn>]\n\nOptions:\n  -h --help  Show.\n"""\nfrom docopt import docopt\nargs = docopt(__doc__)\n', {"--speed", "--help", "-h"}),
    ],
)  # fmt: skip
def test_other_python_parsers(text: str, flags: set[str]) -> None:
    assert flags <= names(facts("cli.py", text))


def test_a_django_management_command_is_named_by_its_file() -> None:
    text = "from django.core.management.base import BaseCommand\nclass Command(BaseCommand):\n    def add_arguments(self, parser):\n        parser.add_argument('--all')\n"
    found = facts("app/management/commands/sync_users.py", text)
    assert commands(found) == {"sync_users"}
    assert names(found) == {"--all"}


def test_arguments_of_another_program_are_no_options() -> None:
    found = facts("build.py", "import subprocess\nsubprocess.run(['git', 'commit', '--amend'])\n")
    assert not found.options


def test_a_flag_that_merely_stands_in_code_is_marked() -> None:
    found = facts("build.py", "import subprocess\nsubprocess.run([tool, '--fast'])\n")
    assert option(found, "--fast").literal


COMMANDER = """
import { Command, Option } from "commander";
program.option("-p, --port <n>", "port", "8080").option("--no-color");
program.command("serve <dir>").alias("s").option("--host <h>", "host", "localhost");
program.addOption(new Option("-t, --timeout <n>").default(60).env("TIMEOUT").choices(["1", "2"]));
"""


def test_commander() -> None:
    found = facts("cli.ts", COMMANDER)
    assert option(found, "--port").default == "8080"
    assert {"--no-color", "--color"} <= names(found)
    assert option(found, "--host").command == "serve"
    assert (option(found, "--timeout").env, option(found, "--timeout").default) == ("TIMEOUT", "60")
    assert commands(found) == {"serve", "s"}


@pytest.mark.parametrize(
    ("text", "flags", "subs"),
    [
        ('yargs.command("build [x]", "d", y => y.option("outDir", {alias: "o", default: "dist"}))', {"--outDir", "--out-dir", "-o"}, {"build"}),
        ('const {values} = parseArgs({options: {port: {type: "string", short: "p"}}})', {"--port", "-p"}, set()),
        ('import arg from "arg"; arg({"--cfg": String, "-c": "--cfg"})', {"--cfg", "-c"}, set()),
        ('const argv = require("minimist")(process.argv.slice(2), {alias: {p: "port"}}); use(argv.dryRun)', {"--port", "-p", "--dry-run"}, set()),
        ('const main = defineCommand({meta: {name: "x"}, args: {dir: {type: "positional"}, force: {type: "boolean"}}, subCommands: {dev: d}})', {"--force"}, {"dev"}),
        ('import meow from "meow"; meow("Usage\\n  --foo  x", {flags: {rainbow: {type: "boolean", shortFlag: "r"}}})', {"--rainbow", "-r"}, set()),
        ('if (process.argv[2] === "--raw") {}', {"--raw"}, set()),
    ],
)  # fmt: skip
def test_other_javascript_parsers(text: str, flags: set[str], subs: set[str]) -> None:
    found = facts("cli.js", text)
    assert flags <= names(found)
    assert subs <= commands(found)
    assert "--dir" not in names(found)


def test_oclif_names_the_command_by_its_file() -> None:
    text = 'import {Command, Flags} from "@oclif/core"; export default class Run extends Command { static flags = {port: Flags.integer({char: "p", default: 1, env: "PORT"})} }'
    found = facts("src/commands/db/migrate.ts", text)
    assert option(found, "--port").names == ("--port", "-p")
    assert option(found, "--port").env == "PORT"
    assert {"migrate", "db:migrate"} <= commands(found)


GO = """
package main
import (
    "flag"
    "github.com/spf13/cobra"
)
var rootCmd = &cobra.Command{Use: "tool [flags]"}
var serveCmd = &cobra.Command{Use: "serve <x>", Aliases: []string{"s"}}
type CLI struct {
    Debug bool `help:"Debug mode." short:"d"`
    Rm struct{} `cmd:"" help:"Remove files."`
    Out string `long:"output" short:"o" default:"x" env:"OUT"`
}
func main() {
    flag.String("listen", "8080", "where")
    serveCmd.Flags().StringVarP(&x, "config", "c", "cfg.yml", "usage")
    app := &cli.App{Flags: []cli.Flag{&cli.StringFlag{Name: "lang", Aliases: []string{"l"}, Value: "en", EnvVars: []string{"L"}}},
        Commands: []*cli.Command{{Name: "add", Aliases: []string{"a"}, Action: f}}}
    switch a {
    case "--raw", "-r":
    }
    exec.Command("git", "log", "--oneline")
}
"""


def test_go_parsers() -> None:
    found = facts("main.go", GO)
    assert {
        "--listen",
        "-listen",
        "--config",
        "-c",
        "--lang",
        "-l",
        "--output",
        "-o",
        "--debug",
        "-d",
        "--raw",
        "-r",
    } <= names(found)
    assert option(found, "--config").default == "cfg.yml"
    assert (option(found, "--lang").default, option(found, "--lang").env) == ("en", "L")
    assert {"serve", "s", "add", "a", "rm", "tool"} == commands(found)
    assert "--oneline" not in {name for o in found.options for name in o.names}


RUST = """
use clap::{Parser, Subcommand};
#[derive(Parser)]
struct Cli {
    /// The port
    #[arg(short, long, default_value_t = 8080, env = "PORT")]
    port: u16,
    #[clap(long = "dry-run", visible_alias = "simulate")]
    dry: bool,
    #[command(subcommand)]
    cmd: Cmd,
}
#[derive(Subcommand)]
enum Cmd {
    ServeAll { #[arg(long)] host: String },
    #[command(name = "rm", alias = "remove")]
    Delete(DeleteArgs),
}
#[derive(Args)]
struct DeleteArgs { #[arg(long)] force_it: bool }
fn old() { Command::new("prog").arg(Arg::new("x").long("exec").short('x').default_value("a")).subcommand(Command::new("sub")); }
fn by_hand() { match a { "--raw" => 1, Long("lex") | Short('l') => 2 } }
impl Flag for Context { fn name_long(&self) -> &'static str { "context" } }
"""


def test_rust_parsers() -> None:
    found = facts("src/cli.rs", RUST)
    assert {
        "--port",
        "-p",
        "--dry-run",
        "--simulate",
        "--host",
        "--exec",
        "-x",
        "--raw",
        "--lex",
        "-l",
        "--context",
    } <= names(found)
    assert (option(found, "--port").default, option(found, "--port").env) == ("8080", "PORT")
    assert option(found, "--host").command == "serve-all"
    assert option(found, "--force-it").command == "rm"
    assert {"serve-all", "rm", "remove", "sub"} <= commands(found)
    assert "--cmd" not in names(found)


JAVA = """
@Command(name = "checksum", aliases = {"cs"})
class CheckSum {
    @Option(names = {"-a", "--algorithm"}, defaultValue = "${env:ALGO:-md5}") String algorithm;
    @Parameter(names = {"-log", "--log-level"}) Integer level = 1;
    @Option(name = "-o", aliases = {"--out"}) File out;
    void f() {
        options.addOption("p", "port", true, "desc");
        Option.builder("f").longOpt("file").build();
        parser.acceptsAll(asList("q", "quiet"));
        if (arg.equals("--raw")) {}
    }
}
"""


def test_java_parsers() -> None:
    found = facts("src/main/java/CheckSum.java", JAVA)
    assert {
        "-a",
        "--algorithm",
        "-log",
        "--log-level",
        "-o",
        "--out",
        "-p",
        "--port",
        "--file",
        "-q",
        "--quiet",
        "--raw",
    } <= names(found)
    assert (option(found, "--algorithm").default, option(found, "--algorithm").env) == ("md5", "ALGO")
    assert option(found, "--log-level").default == "1"
    assert commands(found) == {"checksum", "cs"}


@given(
    st.text(alphabet="\"'-=abc(){}[]@#,.:\n click.option add_argument clap", max_size=300),
    st.sampled_from(["a.py", "a.ts", "a.go", "a.rs", "a.java"]),
)
def test_no_text_breaks_a_collector(text: str, path: str) -> None:
    found = read_facts(path, text.encode())
    assert not any("facts not read" in note for note in found.notes)


@pytest.mark.parametrize(
    ("path", "text", "flags"),
    [
        ("main.c", 'static struct option o[] = {{"port", required_argument, 0, \'p\'}, {"quiet", no_argument, 0, 0}};', {"--port", "--quiet"}),
        ("run.sh", 'case "$1" in\n  -v|--verbose) V=1 ;;\n  --out=*) O=1 ;;\nesac\n', {"-v", "--verbose", "--out"}),
        ("tool.rb", 'opts.on("-p", "--port PORT", "the port") { |p| }', {"-p", "--port"}),
    ],
)  # fmt: skip
def test_languages_that_are_read_for_names_only(path: str, text: str, flags: set[str]) -> None:
    found = FileFacts()
    names_collector.collect(Source(path, language_of(path), text.encode()), found)
    assert flags <= names(found)


def test_a_command_of_cobra_hangs_below_the_one_that_it_is_added_to_and_a_root_is_no_group() -> None:
    found = facts(
        "cmd/jobs.go",
        'package cmd\n\nimport "github.com/spf13/cobra"\n\nvar toolCmd = &cobra.Command{Use: "tool"}\n'
        'var jobsCmd = &cobra.Command{Use: "jobs", Aliases: []string{"j"}}\nvar listCmd = &cobra.Command{Use: "list"}\n\n'
        "func init() {\n\ttoolCmd.AddCommand(jobsCmd)\n\tjobsCmd.AddCommand(listCmd)\n}\n",
    )
    assert {command.name: command.parent for command in found.commands} == {"tool": "", "jobs": "", "list": "jobs"}
