"""What somebody else would rename, and where documents name it: defaults behind a type, values to choose from, letters, prefixes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.test_a_rename_in_every_framework import Case, check, readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

GO = {"go.mod": "module example.org/tool\n\ngo 1.22\n"}
CARGO = {"Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\nedition = "2021"\n'}
NODE = {"package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "cli.js"}}\n'}
SCALE = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.StringVar(&a, "task-group", "", "")\n\tflag.StringVar(&b, "log-level", "INFO", "")\n'
    "\tflag.Parse()\n}\n"
)

CASES = [
    Case(
        "default that stands behind the type of an option",
        {**readme('* **-log-level** (string: "INFO") How much is logged: DEBUG, INFO or WARN.'), **GO, "main.go": SCALE},
        '"INFO"', '"WARN"', "-log-level",
    ),
    Case(
        "option in bold that a comment of the code still names",
        {**readme('* **-task-group** (string: "") What is scaled.', "", "```", "tool -task-group cache", "```"), **GO,
         "main.go": 'package main\n\nfunc main() {\n\tset := flagsOf("scale")\n\tset.Text(&a, "task-group", "")\n\tset.Text(&b, "log-level", "")\n}\n',
         "levels.go": "package main\n\n// task-group within a job.\nfunc levels() {}\n"},
        '"task-group"', '"group"', "-task-group",
    ),
    Case(
        "file that a template string names",
        {**readme("- A `.toolrc.json` file.", "", "#### `.toolrc.json`"), **NODE,
         "cli.js": "const file = `${folder}/.toolrc.json`\nmodule.exports = { file }\n"},
        ".toolrc.json", ".tool.json",
    ),
    Case(
        "place that the help says a file is looked for at",
        {**readme("- `$XDG_CONFIG_HOME/tool/config.toml`", "- `$HOME/.config/tool.toml`"), **CARGO,
         ".cargo/config.toml": "[build]\n",
         "src/main.rs": 'const HELP: &str = "\\\nLooked for at:\n\n    $XDG_CONFIG_HOME/tool/config.toml\n    $HOME/.config/tool.toml";\n\nfn main() {}\n'},
        "tool/config.toml", "tool/settings.toml",
    ),
    Case(
        "sub-command in single quotes",
        {**readme("The 'remind' command of tool runs:", "", "```", "tool remind", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": "import argparse\n\ndef main():\n    parser = argparse.ArgumentParser()\n    sub = parser.add_subparsers()\n    sub.add_parser('remind')\n    sub.add_parser('show')\n    parser.parse_args()\n"},
        "'remind'", "'notify'", "remind",
    ),
    Case(
        "sub-command that a word for command declares",
        {**readme("```sh", "tool mv a b", "```", "", "`tool mv` moves."), "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool' }\n", "bin/tool": "#!/usr/bin/env ruby\n",
         "lib/commands.rb": "module Commands\n  cmd :mv, pos: 'FROM TO'\n  cmd :rm, pos: 'KEY'\nend\n"},
        "cmd :mv", "cmd :move", "tool mv",
    ),
    Case(
        "routes below a prefix that the file mounts",
        {**readme("- `POST /api/check`", "- `GET /api/stats`", "", "```sh", "curl http://localhost:3000/api/stats", "```"), **NODE,
         "server.js": "class Server {\n  routes() {\n    const router = createRouter(this.service)\n    this.app.use('/api', router)\n  }\n}\n",
         "routes.js": "function createRouter(service) {\n  const router = Router()\n  router.post('/check', check)\n  router.get('/stats', stats)\n  return router\n}\n"},
        "'/api'", "'/v1'", "/api/",
    ),
    Case(
        "default of one part below its own title, which another part has too",
        {**readme("## RSS", "", "| Name | Default |", "|---|---|", "| limit | 25 |", "", "## Videos", "", "Many."), **GO,
         "widget-rss.go": "package main\n\ntype rss struct {\n\tLimit int `yaml:\"limit\"`\n}\n\nfunc (w *rss) start() {\n\tw.Limit = 25\n}\n",
         "widget-videos.go": "package main\n\ntype videos struct {\n\tLimit int `yaml:\"limit\"`\n}\n\nfunc (v *videos) start() {\n\tv.Limit = 25\n}\n"},
        "w.Limit = 25\n", "w.Limit = 40\n", "| limit | 25 |",
    ),
    Case(
        "value of an option that an enumeration has no more",
        {**readme("```sh", "tool --display-mode classic .", "```", "", "```toml", "display_mode = 'Classic'", "```"), **CARGO,
         "src/main.rs": "use clap::{Parser, ValueEnum};\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    display_mode: Option<DisplayMode>,\n}\n\n"
         "#[derive(Clone, ValueEnum)]\nenum DisplayMode {\n    Classic,\n    Standard,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "Classic", "Compact", "lassic",
    ),
    Case(
        "letter that a parser makes of a field's name",
        {**readme("```sh", "tool -d fast .  # how it is on display", "```"), **CARGO,
         "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(short, long)]\n    display: Option<String>,\n    #[arg(short, long)]\n    color: Option<String>,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "display:", "layout:", "tool -d",
    ),
    Case(
        "option of two letters, which are options each",
        {**readme("```sh", "tool -do example.org", "```"), **GO,
         "main.go": 'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.String("do", "", "the domain")\n\tflag.String("ad", "", "what is added")\n\tflag.Bool("d", false, "slow")\n\tflag.Bool("o", false, "out")\n\tflag.Parse()\n}\n'},
        '"do"', '"dn"', "-do",
    ),
    Case(
        "folder that is a plain word",
        {**readme("Bundled ones lie in the `middleware` folder."), **NODE, "cli.js": "exports.middleware = require('fs')\n",
         "middleware/spa.js": "exports.spa = 1\n"},
        "nothing", "", "middleware", (("middleware/spa.js", "plugins/spa.js"),),
    ),
    Case(
        "setting by all the names that lead to it",
        {**readme("`settings.networking.trust_env` says it.", "", "```python", "settings.networking.trust_env = True", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/__init__.py": "class Info:\n    def __init__(self, trust_env=False):\n        self.trust_env = trust_env\n",
         "tool/run.py": "def run(settings):\n    return settings.networking.trust_env\n"},
        "settings.networking.trust_env", "settings.networking.use_proxy", "settings.networking.trust_env",
    ),
    Case(
        "flag that a table of constants holds, though a folder is called so",
        {**readme("```", "  --list, -l      List all", "  --search, -s    Search", "  --update, -u    Update", "```"), **NODE,
         "flags.js": "const FLAGS = {\n  LIST: 'list',\n  SEARCH: 'search',\n  UPDATE: 'update'\n}\nmodule.exports = FLAGS\n",
         "cli.js": "require('./search/index.js')\nparse({ [FLAGS.LIST]: 'l', [FLAGS.SEARCH]: 's', [FLAGS.UPDATE]: 'u' })\n",
         "search/index.js": "exports.search = 1\n"},
        "'search'", "'find'", "--search",
    ),
    Case(
        "default that the help says in words, called so in a table",
        {**readme("## Badge Style", "", "| style | looks |", "|---|---|", "| `flat` | flat |", "| `rounded` (default) | round |"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": 'import click\n\n@click.command()\n@click.option(\n    "--badge-style",\n    default=None,\n    help=(\n        "How it looks, with the `-g` flag. "\n'
         '        "`-g` makes one. [default: rounded]"\n    ),\n)\ndef main(badge_style):\n    print(badge_style)\n'},
        "[default: rounded]", "[default: flat]", "(default)",
    ),
    Case(
        "option in the document that tells how a release is made",
        {"README.md": "# Tool\n", "RELEASE.md": "# Release\n\nRun `--generate-man`:\n\n```sh\ntool --generate-man\n```\n", **CARGO,
         "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    generate_man: bool,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "generate_man", "write_man", "--generate-man",
    ),
    Case(
        "default of a term in bold, which is a product now",
        {**readme("- **aborttimeout=** How long it waits. The default is 300 seconds.", "- **threads=** How many. The default is 10."),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/config.py": 'class Config(dict):\n    def __init__(self):\n        self["threads"] = 10\n        self["aborttimeout"] = 300\n'},
        "= 300", "= 2 * 60", "300",
    ),
    Case(
        "one of several keys that went, and nothing in its place",
        {**readme("- **cookiefile=** Where cookies are.", "- **localwebroot=** Where the pages are.", "- **useragent=** Who asks.", "- **proxyhost=** Through whom."),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/parse.py": 'def parse(self, part):\n    self.read_option(part, "cookiefile")\n    self.read_option(part, "localwebroot")\n    self.read_option(part, "useragent")\n    self.read_option(part, "proxyhost")\n'},
        '    self.read_option(part, "localwebroot")\n', "", "localwebroot",
    ),
    Case(
        "function of a Go package, whose word the standard library has",
        {**readme("```go", "if err := agent.Listen(agent.Options{}); err != nil {", "}", "```"), **GO,
         "agent/agent.go": 'package agent\n\nimport "net"\n\ntype Options struct{}\n\nfunc Listen(o Options) error {\n\t_, err := net.Listen("tcp", "")\n\treturn err\n}\n'},
        "func Listen(", "func Serve(", "agent.Listen",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_a_release_that_a_document_lists_is_of_the_past_all_the_same(repository: Make) -> None:
    repo = repository({
        "RELEASE.md": "# Release 1.2.0\n\nAdds `--generate-man`.\n", **CARGO,
        "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    generate_man: bool,\n}\n\nfn main() {\n    Cli::parse();\n}\n",
    })  # fmt: skip
    repo.replace("generate_man", "write_man", "src/main.rs").commit()
    assert repo.stale_lines() == set()


def test_a_name_that_a_crate_has_too_is_the_package_that_scripts_take_it_from(repository: Make) -> None:
    repo = repository({
        **readme("```ts", "import { findClones } from 'tool';", "```"),
        "app/package.json": '{"name": "tool", "version": "1.0.0"}\n',
        "app/index.ts": "export function findClones() {}\n",
        "a/b/c/Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n', "a/b/c/src/main.rs": "fn main() {}\n",
    })  # fmt: skip
    repo.replace("findClones", "detectAll", "app/index.ts").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_a_letter_that_an_installer_is_told_is_not_the_programs_own(repository: Make) -> None:
    repo = repository({
        **readme("```sh", "npm i -g tool", "```", "", "Run `tool -g`."), **NODE,
        "cli.js": "const { program } = require('commander')\nprogram.option('-g, --glob', 'all').option('-l, --list', 'list')\nprogram.parse()\n",
    })  # fmt: skip
    repo.replace("'-g, --glob'", "'-p, --glob'", "cli.js").commit()
    assert repo.stale_lines() == {("README.md", 7)}


def test_a_default_that_is_another_now_may_be_chosen_still(repository: Make) -> None:
    repo = repository({
        **readme("```yaml", "tool:", "  algorithm: 'RS256'", "```"), "composer.json": '{"name": "acme/tool"}\n',
        "src/Configuration.php": "<?php\nfunction tree($root)\n{\n    $root->scalarNode('algorithm')->defaultValue('RS256')->end();\n}\n",
    })  # fmt: skip
    repo.replace("'RS256'", "'ES256'", "src/Configuration.php").commit()
    assert repo.stale_lines() == set()
