"""Options in documents, judged against real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.settings import ScanSettings
from docalign_actors.findings.model import Finding
from tests.support.repository import Repository

SETTINGS = ScanSettings(claim_types=("option",), jobs=1)
PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n'
CLI = """import argparse

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-p", "--port", type=int, default=8080)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--output", default="out.txt")
    args = parser.parse_args()
"""


def repository(path: Path, readme: str, cli: str = CLI, **more: str) -> Repository:
    return Repository(path, {"README.md": readme, "pyproject.toml": PYPROJECT, "tool/cli.py": cli, **more})


def drifted(repo: Repository, since: str = "") -> list[Finding]:
    return repo.drifted(since=since, settings=SETTINGS)


EVERYWHERE = """# Tool

Use `--dry-run` to try, or `tool --dry-run`, or plain --dry-run.

## `--dry-run`

| Option | What |
|---|---|
| `--dry-run` | tries |
| `-p, --port` | port |

```console
$ tool --port 80 \\
    --dry-run
done
```

```
usage: tool [-h] [--dry-run]

options:
  -p PORT, --port PORT  the port
  --dry-run             try
```
"""


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_every_mention_of_a_renamed_option_is_reported_with_its_new_name(tmp_path: Path, since: str) -> None:
    repo = repository(tmp_path, EVERYWHERE)
    assert drifted(repo) == []
    repo.replace("--dry-run", "--simulate", "tool/cli.py").commit()
    (finding,) = drifted(repo, since)
    assert finding.rule == "unknown-option"
    assert sorted(m.line for m in finding.mentions) == [3, 3, 3, 5, 9, 14, 19, 23]
    assert finding.fix is not None
    assert (finding.fix.replacement, finding.fix.safe) == ("--simulate", True)
    assert "`--dry-run` is not an option" in finding.message


def test_a_removed_option_is_reported_without_a_fix(tmp_path: Path) -> None:
    repo = repository(tmp_path, "Use `--dry-run`.\n")
    repo.replace('    parser.add_argument("--dry-run", action="store_true")\n', "", "tool/cli.py").commit()
    (finding,) = drifted(repo)
    assert finding.fix is None
    assert finding.evidence[0].file == "tool/cli.py"


def test_options_of_other_programs_are_not_judged(tmp_path: Path) -> None:
    readme = "```bash\npip install --upgrade tool\ngit commit --amend\ndocker run --rm tool\nother --strange\n```\nSee `--amend` of `git commit`.\n"
    assert drifted(repository(tmp_path, readme)) == []


def test_a_flag_beside_another_tool_is_not_ours_although_ours_had_it(tmp_path: Path) -> None:
    repo = repository(tmp_path, "Run `git push` with `--verbose`.\n")
    repo.replace('    parser.add_argument("--verbose", action="store_true")\n', "", "tool/cli.py").commit()
    assert drifted(repo) == []


def test_an_unknown_flag_of_our_fully_read_program_is_reported(tmp_path: Path) -> None:
    (finding,) = drifted(repository(tmp_path, "```bash\ntool --verbos --frobnicate\n```\n"))
    assert finding.claim == "--frobnicate"


def test_an_abbreviation_that_argparse_takes_is_fine(tmp_path: Path) -> None:
    assert drifted(repository(tmp_path, "```bash\ntool --verb\n```\n")) == []


@pytest.mark.parametrize(
    "line",
    [
        '    for name in FIELDS: parser.add_argument(f"--{name}")\n',
        "    parser.parse_known_args()\n",
        '    parser.add_argument("rest", nargs=argparse.REMAINDER)\n',
    ],
)
def test_an_unknown_flag_is_uncertain_where_the_parser_cannot_be_read(tmp_path: Path, line: str) -> None:
    assert drifted(repository(tmp_path, "```bash\ntool --frobnicate\n```\n", CLI + line)) == []


def test_flags_after_two_dashes_are_passed_on(tmp_path: Path) -> None:
    assert drifted(repository(tmp_path, "```bash\ntool -- --frobnicate\n```\n")) == []


def test_a_flag_among_our_flags_in_a_table_is_reported(tmp_path: Path) -> None:
    readme = (
        "| Option | |\n|---|---|\n| `--port` | a |\n| `--output` | b |\n| `--dry-run` | c |\n| `--frobnicate` | d |\n"
    )
    (finding,) = drifted(repository(tmp_path, readme))
    assert finding.claim == "--frobnicate"


def test_a_table_of_mostly_foreign_flags_is_left_alone(tmp_path: Path) -> None:
    readme = "| Option | |\n|---|---|\n| `--port` | a |\n| `--output` | b |\n| `--foo-a` | c |\n| `--foo-b` | d |\n"
    assert drifted(repository(tmp_path, readme)) == []


def test_clusters_negations_and_values_are_understood(tmp_path: Path) -> None:
    cli = CLI.replace('"--verbose"', '"-v", "--verbose"').replace('"--dry-run"', '"-n", "--dry-run"')
    assert drifted(repository(tmp_path, "```bash\ntool -nv --port=80 -p80 --help -h --no-verbose\n```\n", cli)) == []


def test_a_flag_that_moved_to_another_file_is_verified(tmp_path: Path) -> None:
    repo = repository(tmp_path, "Use `--dry-run`.\n")
    line = '    parser.add_argument("--dry-run", action="store_true")\n'
    repo.replace(line, "", "tool/cli.py").write({"tool/more.py": f"def add(parser):\n{line}"}).commit()
    assert drifted(repo) == []


RUST_CLI = """use clap::Parser;
#[derive(Parser)]
struct Cli {
    #[arg(long, default_value_t = 3)]
    max_depth: u32,
    #[arg(long)]
    hidden: bool,
}
"""
GO_CLI = """package main

import "flag"

func main() {
    depth := flag.Int("max-depth", 3, "how deep")
    hidden := flag.Bool("hidden", false, "x")
}
"""
TS_CLI = 'import { program } from "commander";\nprogram.option("--max-depth <n>", "how deep", "3").option("--hidden", "x");\n'
JAVA_CLI = """import picocli.CommandLine.Option;
class Cli {
    @Option(names = {"--max-depth"}, defaultValue = "3") int maxDepth;
    @Option(names = {"--hidden"}) boolean hidden;
}
"""
TYPER_CLI = """import typer
app = typer.Typer()

@app.command()
def main(max_depth: int = 3, hidden: bool = False): ...
"""


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("src/main.rs", RUST_CLI, "max_depth", "depth_limit"),
        ("main.go", GO_CLI, "max-depth", "depth-limit"),
        ("src/cli.ts", TS_CLI, "max-depth", "depth-limit"),
        ("src/main/java/Cli.java", JAVA_CLI, "max-depth", "depth-limit"),
        ("tool/cli.py", TYPER_CLI, "max_depth", "depth_limit"),
    ],
)
@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_renamed_option_is_found_in_every_language(
    tmp_path: Path, path: str, text: str, old: str, new: str, since: str
) -> None:
    repo = Repository(tmp_path, {"README.md": "Set `--max-depth 5`; `--hidden` too.\n", path: text})
    assert drifted(repo) == []
    repo.replace(old, new, path).commit()
    (finding,) = drifted(repo, since)
    assert finding.claim == "--max-depth"
    assert finding.fix is not None
    assert finding.fix.replacement == "--depth-limit"


@pytest.mark.parametrize(
    "readme",
    [
        "```yaml\n- run: tool --dry-run\n```",
        "```dockerfile\nCMD tool --dry-run\n```",
        "```sh\ndocker run -p 80:80 -v /a:/b owner/tool:latest --dry-run\n```",
        "```sh\nhost tool --dry-run\n```",
        "```sh\necho 'forgot --dry-run?'\n```",
        '```python\nsubprocess.run(["tool", "--dry-run"])\n```',
        "```powershell\ntool.exe --dry-run\n```",
    ],
)
def test_a_removed_option_is_found_in_recipes_containers_and_strings(tmp_path: Path, readme: str) -> None:
    repo = repository(tmp_path, readme + "\n")
    repo.replace("--dry-run", "--simulate", "tool/cli.py").commit()
    (finding,) = drifted(repo)
    assert finding.claim == "--dry-run"


def test_options_in_a_quoted_value_are_another_programs(tmp_path: Path) -> None:
    repo = repository(tmp_path, '```console\n$ tool --output "--retries 10 --timeout 3"\n```\n')
    assert drifted(repo) == []


YARGS = """const yargs = require('yargs');
const FLAGS = {'fail-fast': {type: 'boolean'}, concurrency: {alias: 'c'}, 'update-snapshots': {alias: 'u'}};
yargs(process.argv).options(FLAGS).argv;
"""


def test_a_table_of_options_that_is_given_by_name_is_read(tmp_path: Path) -> None:
    text = "Use `--fail-fast`, `--concurrency` (`-c`) and `--update-snapshots`.\n"
    repo = Repository(tmp_path, {"README.md": text, "package.json": '{"name": "t", "bin": "cli.js"}', "cli.js": YARGS})
    assert repo.scan(settings=SETTINGS).summary.verified == 4
    repo.replace("fail-fast", "stop-early", "cli.js").commit()
    assert [f.claim for f in drifted(repo)] == ["--fail-fast"]


def test_options_of_a_file_that_declares_them_in_an_unknown_way_now_are_not_gone(tmp_path: Path) -> None:
    repo = repository(tmp_path, "Use `--dry-run` or `-p`.\n")
    repo.write({"tool/cli.py": "from magic import declare\n\ndeclare(dry_run=bool, port=int)\n"}).commit()
    repo.age()
    assert drifted(repo) == []


def test_a_letter_without_a_long_name_may_be_another_programs(tmp_path: Path) -> None:
    repo = repository(tmp_path, "```\npython tool/cli.py -q\n```\n", cli=CLI.replace('"-p", "--port"', '"-q"'))
    repo.replace('"-q"', '"--port"', "tool/cli.py").commit()
    assert [f.claim for f in drifted(repo)] == ["-q"]
    assert drifted(repo.age()) == []


def test_a_letter_that_stands_among_another_programs_arguments_is_not_ours(tmp_path: Path) -> None:
    repo = repository(tmp_path, "```\ntox -e py -- tool tests -p auto\n```\n")
    repo.replace('"-p", "--port"', '"--port"', "tool/cli.py").commit()
    repo.age()
    assert drifted(repo) == []


@pytest.mark.parametrize(
    "code", ['NAMES = ["dry-run", "port"]\n', 'option("dry_run")\n', 'HELP = """\n  --dry-run   tries\n"""\n']
)
def test_an_option_that_the_code_still_names_may_be_taken_in_a_way_that_is_not_read(tmp_path: Path, code: str) -> None:
    repo = repository(tmp_path, "Use `--dry-run`.\n")
    repo.replace('    parser.add_argument("--dry-run", action="store_true")\n', "", "tool/cli.py").commit()
    assert [f.claim for f in drifted(repo)] == ["--dry-run"]
    repo.write({"tool/names.py": code}).commit()
    repo.age()
    assert drifted(repo) == []


def test_options_of_a_parser_that_is_fed_from_elsewhere_may_be_there(tmp_path: Path) -> None:
    then = "const yargs = require('yargs');\nyargs.option('cache', {type: 'boolean'}).option('port', {}).argv;\n"
    now = "const yargs = require('yargs');\nfor (const [name, given] of entries) yargs.option(name, given);\nyargs.option('port', {}).argv;\n"
    package = '{"name": "t", "bin": "cli.js"}'
    repo = Repository(tmp_path, {"README.md": "Use `--cache`.\n", "package.json": package, "cli.js": then})
    repo.write({"cli.js": now}).commit()
    assert drifted(repo.age()) == []


@pytest.mark.parametrize(("origin", "expected"), [("verbosity_flag", []), ("crate::flags", ["--quiet"])])
def test_options_that_a_parser_takes_in_from_another_crate_are_not_known(
    tmp_path: Path, origin: str, expected: list[str]
) -> None:
    fields = "".join(
        f"    #[arg(long)]\n    pub {name}: bool,\n" for name in ("raw", "addresses", "processes", "connections")
    )
    code = f"use clap::Parser;\nuse {origin}::Verbosity;\n\n#[derive(Parser)]\npub struct Opt {{\n{fields}"
    code += "    #[command(flatten)]\n    pub verbosity: Verbosity,\n}\n\nfn main() { Opt::parse(); }\n"
    shown = "".join(f"      --{name}  x\n" for name in ("raw", "addresses", "processes", "connections", "quiet"))
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    files: dict[str, str | bytes] = {"Cargo.toml": cargo, "src/main.rs": code}
    readme = f"# Tool\n\n```\nUsage: tool [OPTIONS]\n\nOptions:\n{shown}```\n"
    repo = Repository(tmp_path, {**files, "README.md": readme})
    assert [f.claim for f in drifted(repo)] == expected


def test_an_option_that_was_spelled_otherwise_long_ago_is_dated_by_what_went_last(tmp_path: Path) -> None:
    def cli(field: str) -> str:
        return f"use clap::Parser;\n\n#[derive(Parser)]\npub struct Cli {{\n{field}    #[arg(long)]\n    pub raw: bool,\n}}\n"

    spelled, plain = (
        '    #[arg(long = "skip-total")]\n    pub x: bool,\n',
        "    #[arg(long)]\n    pub skip_total: bool,\n",
    )
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    files: dict[str, str | bytes] = {"Cargo.toml": cargo, "README.md": "# Tool\n\n```sh\ntool --skip-total\n```\n"}
    repo = Repository(tmp_path, {**files, "src/main.rs": cli(spelled)})
    repo.write({"src/main.rs": cli(plain)}).commit("as clap does it")
    repo.age().write({"src/main.rs": cli(plain.replace("long", 'long = "omit-sum"'))}).commit("rename")
    assert [f.claim for f in drifted(repo)] == ["--skip-total"]


def test_an_option_whose_file_went_and_whose_name_code_still_has_may_be_taken_elsewhere(tmp_path: Path) -> None:
    repo = repository(tmp_path, "# Tool\n\nRun `tool --output x` or `tool --verbose`.\n")
    repo.delete("tool/cli.py").write({"tool/commands.py": 'FLAGS = {"output": str}\n'}).commit("another parser")
    assert [f.claim for f in drifted(repo)] == ["--verbose"]
