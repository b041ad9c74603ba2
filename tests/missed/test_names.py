"""What went and is named by documents yet is missed: names of code."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, JAVA, NODE, PYTHON, Make
from tests.support.renames import Rename, check_rename, readme

PICOCLI = (
    'import picocli.CommandLine.Command;\n\n@Command(description = "Runs")\npublic class App implements Runnable {\n'
    '    @Command(description = "Deletes all topics")\n    public void clean() {\n        work();\n    }\n\n'
    '    @Command(description = "Clears the state")\n    public void reset() {\n        work();\n    }\n}\n'
)

NODE_2 = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}

CASES = [
    Rename(
        "default of a settings file below the sources, which is called as tools call theirs",
        {**readme("| variable | default |", "|---|---|", "| `APP_LIMIT_MAX` | 40 |"), **NODE_2,
         "src/config/limit.config.ts": "export const limit = z.object({\n  max: z.number().int().default(40).describe('APP_LIMIT_MAX'),\n});\n"},
        "default(40)", "default(20)", "| 40 |",
    ),
    Rename(
        "option that yargs is given by its name and a table",
        {**readme("```", "  --clear-config, --cc  Clear the file.", "```"), **NODE_2,
         "cli.js": "const yargs = require('yargs');\nconst args = yargs\n  .options('clear-config', {\n    alias: 'cc',\n    type: 'boolean'\n  })\n  .options('port', {\n    type: 'number'\n  })\n  .argv;\nif (args['clear-config']) run();\n"},
        "clear-config", "reset-config", "--clear-config",
    ),
    Rename(
        "method whose word the language has for one of its own",
        {**readme("#### `memoryUsage`", "", "```js", "console.log(app.memoryUsage())", "```"), **NODE_2,
         "index.js": "module.exports = function (app) {\n  app.decorate('memoryUsage', memoryUsage)\n}\n",
         "lib/now.js": "module.exports = () => process.memoryUsage().rss\n"},
        "'memoryUsage', memoryUsage", "'usageNow', usageNow", "memoryUsage",
    ),
    Rename(
        "key that an example hands to a function which is told of by another name in the code",
        {**readme("```ts", 'import { defineConfig } from "tool";', "", "export default defineConfig({", "  destroyOnExit, // default is `true`.", "});", "```"), **NODE_2,
         "src/index.ts": "export { makeConfig as defineConfig } from './config';\n",
         "src/config.ts": "export interface Config {\n  destroyOnExit?: boolean;\n}\nexport const makeConfig = (config: Config) => config;\n"},
        "destroyOnExit", "closeOnExit", "destroyOnExit",
    ),
    Rename(
        "key of the reader's settings that code only reads",
        {**readme("| Parameter | Type |", "|---|---|", "| `scripts.dialogStyle` | String |", "", "```json", "{", '  "dialogStyle": "critical"', "}", "```"), **NODE_2,
         "index.js": "module.exports = function (script) {\n  return script.dialogStyle === 'critical' ? 1 : 2\n}\n"},
        "dialogStyle", "dialogKind", "dialogStyle",
    ),
    Rename(
        "last part of a path in a column of defaults",
        {**readme("| option | about | default |", "|---|---|---|", "| pidPath | Where pids lie | `[root]/pids` |"), **NODE_2,
         "index.js": "module.exports = function (options) {\n  options.pidPath = options.pidPath || path.join(options.root, 'pids')\n  return options\n}\n"},
        "'pids'", "'run'", "/pids",
    ),
    Rename(
        "default in the description of an option",
        {**readme("- `--theme` option:", "  - Type: string", "  - Description: Choose a theme, defaults to `vue`."), **NODE_2,
         "cli.js": "require('yargs').options({\n  theme: {\n    default: 'vue',\n    type: 'string'\n  }\n}).argv\n"},
        "'vue'", "'core'", "`vue`",
    ),
    Rename(
        "value that is called a default in more words, beside the new one",
        {**readme("## `ipv6Subnet`", "", "Smaller values block more. 56 is a moderately aggressive default. Try 60 or 64."), **NODE_2,
         "index.js": "module.exports = function (options) {\n  const config = {\n    ipv6Subnet: 56,\n    ...options\n  }\n  return config\n}\n"},
        "ipv6Subnet: 56", "ipv6Subnet: 64", "56 is",
    ),
]  # fmt: skip

VIEW = "class View:\n    page_width = 1\n\n    def before_change(self):\n        pass\n\n    def after_change(self):\n        pass\n"

GO_2 = {"go.mod": "module example.org/tool\n\ngo 1.22\n"}

CARGO = {"Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\nedition = "2021"\n'}

NODE_3 = {"package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "cli.js"}}\n'}

SCALE = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.StringVar(&a, "task-group", "", "")\n\tflag.StringVar(&b, "log-level", "INFO", "")\n'
    "\tflag.Parse()\n}\n"
)

CASES_2 = [
    Rename(
        "default that stands behind the type of an option",
        {**readme('* **-log-level** (string: "INFO") How much is logged: DEBUG, INFO or WARN.'), **GO_2, "main.go": SCALE},
        '"INFO"', '"WARN"', "-log-level",
    ),
    Rename(
        "option in bold that a comment of the code still names",
        {**readme('* **-task-group** (string: "") What is scaled.', "", "```", "tool -task-group cache", "```"), **GO_2,
         "main.go": 'package main\n\nfunc main() {\n\tset := flagsOf("scale")\n\tset.Text(&a, "task-group", "")\n\tset.Text(&b, "log-level", "")\n}\n',
         "levels.go": "package main\n\n// task-group within a job.\nfunc levels() {}\n"},
        '"task-group"', '"group"', "-task-group",
    ),
    Rename(
        "file that a template string names",
        {**readme("- A `.toolrc.json` file.", "", "#### `.toolrc.json`"), **NODE_3,
         "cli.js": "const file = `${folder}/.toolrc.json`\nmodule.exports = { file }\n"},
        ".toolrc.json", ".tool.json",
    ),
    Rename(
        "place that the help says a file is looked for at",
        {**readme("- `$XDG_CONFIG_HOME/tool/config.toml`", "- `$HOME/.config/tool.toml`"), **CARGO,
         ".cargo/config.toml": "[build]\n",
         "src/main.rs": 'const HELP: &str = "\\\nLooked for at:\n\n    $XDG_CONFIG_HOME/tool/config.toml\n    $HOME/.config/tool.toml";\n\nfn main() {}\n'},
        "tool/config.toml", "tool/settings.toml",
    ),
    Rename(
        "sub-command in single quotes",
        {**readme("The 'remind' command of tool runs:", "", "```", "tool remind", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": "import argparse\n\ndef main():\n    parser = argparse.ArgumentParser()\n    sub = parser.add_subparsers()\n    sub.add_parser('remind')\n    sub.add_parser('show')\n    parser.parse_args()\n"},
        "'remind'", "'notify'", "remind",
    ),
    Rename(
        "sub-command that a word for command declares",
        {**readme("```sh", "tool mv a b", "```", "", "`tool mv` moves."), "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool' }\n", "bin/tool": "#!/usr/bin/env ruby\n",
         "lib/commands.rb": "module Commands\n  cmd :mv, pos: 'FROM TO'\n  cmd :rm, pos: 'KEY'\nend\n"},
        "cmd :mv", "cmd :move", "tool mv",
    ),
    Rename(
        "routes below a prefix that the file mounts",
        {**readme("- `POST /api/check`", "- `GET /api/stats`", "", "```sh", "curl http://localhost:3000/api/stats", "```"), **NODE_3,
         "server.js": "class Server {\n  routes() {\n    const router = createRouter(this.service)\n    this.app.use('/api', router)\n  }\n}\n",
         "routes.js": "function createRouter(service) {\n  const router = Router()\n  router.post('/check', check)\n  router.get('/stats', stats)\n  return router\n}\n"},
        "'/api'", "'/v1'", "/api/",
    ),
    Rename(
        "default of one part below its own title, which another part has too",
        {**readme("## RSS", "", "| Name | Default |", "|---|---|", "| limit | 25 |", "", "## Videos", "", "Many."), **GO_2,
         "widget-rss.go": "package main\n\ntype rss struct {\n\tLimit int `yaml:\"limit\"`\n}\n\nfunc (w *rss) start() {\n\tw.Limit = 25\n}\n",
         "widget-videos.go": "package main\n\ntype videos struct {\n\tLimit int `yaml:\"limit\"`\n}\n\nfunc (v *videos) start() {\n\tv.Limit = 25\n}\n"},
        "w.Limit = 25\n", "w.Limit = 40\n", "| limit | 25 |",
    ),
    Rename(
        "value of an option that an enumeration has no more",
        {**readme("```sh", "tool --display-mode classic .", "```", "", "```toml", "display_mode = 'Classic'", "```"), **CARGO,
         "src/main.rs": "use clap::{Parser, ValueEnum};\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    display_mode: Option<DisplayMode>,\n}\n\n"
         "#[derive(Clone, ValueEnum)]\nenum DisplayMode {\n    Classic,\n    Standard,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "Classic", "Compact", "lassic",
    ),
    Rename(
        "letter that a parser makes of a field's name",
        {**readme("```sh", "tool -d fast .  # how it is on display", "```"), **CARGO,
         "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(short, long)]\n    display: Option<String>,\n    #[arg(short, long)]\n    color: Option<String>,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "display:", "layout:", "tool -d",
    ),
    Rename(
        "option of two letters, which are options each",
        {**readme("```sh", "tool -do example.org", "```"), **GO_2,
         "main.go": 'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.String("do", "", "the domain")\n\tflag.String("ad", "", "what is added")\n\tflag.Bool("d", false, "slow")\n\tflag.Bool("o", false, "out")\n\tflag.Parse()\n}\n'},
        '"do"', '"dn"', "-do",
    ),
    Rename(
        "folder that is a plain word",
        {**readme("Bundled ones lie in the `middleware` folder."), **NODE_3, "cli.js": "exports.middleware = require('fs')\n",
         "middleware/spa.js": "exports.spa = 1\n"},
        "nothing", "", "middleware", (("middleware/spa.js", "plugins/spa.js"),),
    ),
    Rename(
        "setting by all the names that lead to it",
        {**readme("`settings.networking.trust_env` says it.", "", "```python", "settings.networking.trust_env = True", "```"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/__init__.py": "class Info:\n    def __init__(self, trust_env=False):\n        self.trust_env = trust_env\n",
         "tool/run.py": "def run(settings):\n    return settings.networking.trust_env\n"},
        "settings.networking.trust_env", "settings.networking.use_proxy", "settings.networking.trust_env",
    ),
    Rename(
        "flag that a table of constants holds, though a folder is called so",
        {**readme("```", "  --list, -l      List all", "  --search, -s    Search", "  --update, -u    Update", "```"), **NODE_3,
         "flags.js": "const FLAGS = {\n  LIST: 'list',\n  SEARCH: 'search',\n  UPDATE: 'update'\n}\nmodule.exports = FLAGS\n",
         "cli.js": "require('./search/index.js')\nparse({ [FLAGS.LIST]: 'l', [FLAGS.SEARCH]: 's', [FLAGS.UPDATE]: 'u' })\n",
         "search/index.js": "exports.search = 1\n"},
        "'search'", "'find'", "--search",
    ),
    Rename(
        "default that the help says in words, called so in a table",
        {**readme("## Badge Style", "", "| style | looks |", "|---|---|", "| `flat` | flat |", "| `rounded` (default) | round |"),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
         "tool/cli.py": 'import click\n\n@click.command()\n@click.option(\n    "--badge-style",\n    default=None,\n    help=(\n        "How it looks, with the `-g` flag. "\n'
         '        "`-g` makes one. [default: rounded]"\n    ),\n)\ndef main(badge_style):\n    print(badge_style)\n'},
        "[default: rounded]", "[default: flat]", "(default)",
    ),
    Rename(
        "option in the document that tells how a release is made",
        {"README.md": "# Tool\n", "RELEASE.md": "# Release\n\nRun `--generate-man`:\n\n```sh\ntool --generate-man\n```\n", **CARGO,
         "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    generate_man: bool,\n}\n\nfn main() {\n    Cli::parse();\n}\n"},
        "generate_man", "write_man", "--generate-man",
    ),
    Rename(
        "default of a term in bold, which is a product now",
        {**readme("- **aborttimeout=** How long it waits. The default is 300 seconds.", "- **threads=** How many. The default is 10."),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/config.py": 'class Config(dict):\n    def __init__(self):\n        self["threads"] = 10\n        self["aborttimeout"] = 300\n'},
        "= 300", "= 2 * 60", "300",
    ),
    Rename(
        "one of several keys that went, and nothing in its place",
        {**readme("- **cookiefile=** Where cookies are.", "- **localwebroot=** Where the pages are.", "- **useragent=** Who asks.", "- **proxyhost=** Through whom."),
         "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
         "tool/parse.py": 'def parse(self, part):\n    self.read_option(part, "cookiefile")\n    self.read_option(part, "localwebroot")\n    self.read_option(part, "useragent")\n    self.read_option(part, "proxyhost")\n'},
        '    self.read_option(part, "localwebroot")\n', "", "localwebroot",
    ),
    Rename(
        "function of a Go package, whose word the standard library has",
        {**readme("```go", "if err := agent.Listen(agent.Options{}); err != nil {", "}", "```"), **GO_2,
         "agent/agent.go": 'package agent\n\nimport "net"\n\ntype Options struct{}\n\nfunc Listen(o Options) error {\n\t_, err := net.Listen("tcp", "")\n\treturn err\n}\n'},
        "func Listen(", "func Serve(", "agent.Listen",
    ),
]  # fmt: skip

RUBY = {"shop.gemspec": "Gem::Specification.new do |spec|\n  spec.name = 'shop'\nend\n"}

RUBY_2 = "module Tool\n  class Runner\n    def reload_plan!\n      load\n    end\n  end\nend\n"

GEM = {"tool-runner.gemspec": 'Gem::Specification.new do |s|\n  s.name = "tool-runner"\nend\n'}

PYTHON_2 = {"pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/__init__.py": ""}


@BOTH
def test_a_method_that_is_a_command_is_missed_under_its_old_name(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe following commands are available:\n\n- `clean`: Delete all topics.\n\n- `reset`: Clear the state.\n"
    pom = "<project><artifactId>tool</artifactId></project>\n"
    repo = repository({"README.md": text, "src/main/java/App.java": PICOCLI, "pom.xml": pom})
    repo.replace("void reset()", "void rewind()", "src/main/java/App.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


@BOTH
def test_a_method_of_two_words_behind_a_dot_is_missed_in_a_sentence(repository: Make, since: str) -> None:
    code = "public class App {\n    public Map<String, Object> createKafkaProperties() {\n        return Map.of();\n    }\n}\n"
    repo = repository(
        {
            "README.md": "# Tool\n\nOverride `createKafkaProperties()`.\n\n1. The base\n2. What comes from .createKafkaProperties()\n",
            "src/main/java/App.java": code,
        }
    )
    repo.replace("createKafkaProperties", "createKafkaConfig", "src/main/java/App.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Rename) -> None:
    check_rename(repository, case)


@BOTH
def test_members_that_a_page_of_mkdocstrings_lists_are_missed(repository: Make, since: str) -> None:
    text = "::: tool.view.View\n    options:\n      members:\n        - page_width\n        - before_change\n      filters:\n        - after_change\n"
    repo = repository({"docs/api.md": text, "tool/__init__.py": "", "tool/view.py": VIEW})
    repo.replace("before_change", "on_change", "tool/view.py").replace("after_change", "once", "tool/view.py").commit()
    assert repo.stale_lines(since=since) == {("docs/api.md", 5)}


@BOTH
def test_a_method_of_ruby_goes_by_its_mark(repository: Make, since: str) -> None:
    code = 'require "async"\n\nclass Config\n  def async!\n    @async = true\n  end\n\n  def no_async!\n    @async = false\n  end\nend\n'
    text = (
        "Use `async!` for it.\n\n```ruby\nconfig do\n  agent(:one) { async! }\n  agent(:two) { no_async! }\nend\n```\n"
    )
    repo = repository({"README.md": text, "lib/tool/config.rb": code})
    repo.replace("def async!", "def in_background!", "lib/tool/config.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1), ("README.md", 5)}


@pytest.mark.parametrize("case", CASES_2, ids=lambda case: case.name)
def test_every_mention_is_found_too(repository: Make, case: Rename) -> None:
    check_rename(repository, case)


@BOTH
def test_a_method_of_go_has_gone_although_a_field_of_its_own_is_called_like_it(repository: Make, since: str) -> None:
    page = "# Lines\n\n- **Line** interface — `ID()`, `DisplayString`, `Buffer()`\n"
    method = "\nfunc (l *Line) DisplayString() string {\n\treturn l.displayString\n}\n"
    code = f'package line\n\ntype Line struct {{\n\tid int\n\tdisplayString string\n}}\n{method}\nfunc (l *Line) Buffer() string {{\n\treturn ""\n}}\n'
    repo = repository({"docs/lines.md": page, "line/line.go": code, "go.mod": "module own/tool\n"})
    repo.replace(method, "", "line/line.go").commit()
    assert repo.stale_lines(since=since) == {("docs/lines.md", 3)}


@BOTH
def test_a_key_of_a_schema_is_missed_although_its_last_word_is_everywhere(repository: Make, since: str) -> None:
    schema = '{\n  "tool.plugins.mccabe.threshold": {\n    "type": "integer"\n  },\n  "tool.plugins.style.enabled": {\n    "type": "boolean"\n  }\n}\n'
    code = 'def check(settings, threshold):\n    return settings.get("maximum", threshold)\n'
    page = "# Configuration\n\n| Key | Type |\n|---|---|\n| `tool.plugins.mccabe.threshold` | `integer` |\n| `tool.plugins.style.enabled` | `boolean` |\n"
    repo = repository({**PYTHON, "CONFIGURATION.md": page, "tool/config/schema.json": schema, "tool/check.py": code})
    repo.replace("mccabe.threshold", "mccabe.maximum", "tool/config/schema.json").commit()
    assert repo.stale_lines(since=since) == {("CONFIGURATION.md", 5)}


@BOTH
@pytest.mark.parametrize(
    ("other", "reported"), [("program.leaves", True), ("tree.leaves()", False)], ids=["read", "called"]
)
def test_a_method_of_one_word_is_missed_where_nothing_is_called_so_any_more(
    repository: Make, since: str, other: str, *, reported: bool
) -> None:
    page = (
        "# API\n\n#### .leaves()\n\nReturns modules without dependencies.\n\n```js\nconsole.log(res.leaves());\n```\n"
    )
    code = "class Graph {\n  obj() {\n    return this.tree;\n  }\n\n  leaves() {\n    return Object.keys(this.tree);\n  }\n}\nmodule.exports = Graph;\n"
    cli = f"const program = require('commander');\nif ({other}) {{\n  console.log(1);\n}}\n"
    repo = repository({**NODE, "README.md": page, "lib/api.js": code, "cli.js": cli})
    repo.replace("leaves()", "endpoints()", "lib/api.js").commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3), ("README.md", 8)} if reported else set())


@BOTH
@pytest.mark.parametrize(
    ("told", "reported"), [("`handle_timeout()` is", True), ("It is", False)], ids=["told of", "only shown"]
)
def test_a_method_that_the_reader_is_to_write_is_still_ours(
    repository: Make, since: str, told: str, *, reported: bool
) -> None:
    page = f"# Plugins\n\nSubclasses must implement it:\n\n```python\n@abstractmethod\ndef handle_timeout(self):\n```\n\n{told} called when time is up.\n"
    code = "class Proxy:\n    def poll(self):\n        self.handle_timeout()\n\n    def handle_timeout(self):\n        raise NotImplementedError\n"
    repo = repository({**PYTHON, "docs/plugins.md": page, "tool/proxy.py": code})
    repo.replace("handle_timeout", "check_deadline", "tool/proxy.py").commit()
    assert repo.stale_lines(since=since) == ({("docs/plugins.md", 7), ("docs/plugins.md", 10)} if reported else set())


@BOTH
def test_a_class_behind_the_whole_path_of_its_module_is_one_in_plain_words_too(repository: Make, since: str) -> None:
    page = (
        "# Output\n\nThis is defined by a model\n[tool.lockfile.Lockfile](https://example.com/models.html) of ours.\n"
    )
    code = '"""Lockfile, as it is written."""\n\n\nclass Lockfile:\n    pass\n'
    repo = repository({**PYTHON, "docs/output.md": page, "tool/__init__.py": "", "tool/lockfile.py": code})
    repo.replace("class Lockfile", "class UnifiedLockfile", "tool/lockfile.py").commit()
    assert repo.stale_lines(since=since) == {("docs/output.md", 4)}


def test_an_entry_that_says_which_piece_of_work_is_done_is_not_missed_but_the_list_of_today_is(
    repository: Make,
) -> None:
    page = """# Current work

**Reading the log: complete** (Issue #76 / PR #77)

- Reuses `LogStore.find_by_owner`; no new table

## How it works

The log is read with `LogStore.find_by_owner`.

## Issue 1: the log is closed

Open it with `LogStore.find_by_owner`.
"""
    store = "class LogStore:\n    def find_by_owner(self, owner):\n        return owner\n\n    def put(self):\n        pass\n"
    repo = repository({"docs/current.md": page, "app/store.py": store, "app/__init__.py": ""})
    repo.replace("find_by_owner(self, owner)", "find(self, owner)", "app/store.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/current.md", 9), ("docs/current.md", 13)}


def test_a_term_in_another_spelling_is_there_while_code_makes_longer_names_of_it(repository: Make) -> None:
    page = "# Terms\n\n- `particle_layer_id`: a layer\n- `raster_tile_id`: a tile\n"
    old = (
        "export type ParticleLayerId = string\nexport type RasterTileId = string\nexport const PARTICLE_LAYER_ID = 1\n"
    )
    use = "export const selectedParticleLayerId = 1\n"
    repo = repository({"docs/terms.md": page, "src/ids.ts": old, "src/use.ts": use})
    repo.write({"src/ids.ts": "export const ids = 1\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/terms.md", 4)}


def test_what_lies_in_a_submodule_that_took_the_place_of_a_folder_is_there(repository: Make) -> None:
    page = "# Tools\n\n- `fetch_clean_page` of `web_fetch.py` cleans a page.\n- `list_all_pages` lists them.\n"
    files: dict[str, str | bytes] = {
        "docs/tools.md": page,
        "tools/web/web_fetch.py": "def fetch_clean_page(url):\n    return url\n",
        "app/pages.py": "def list_all_pages():\n    return []\n",
    }
    repo = repository(files)
    repo.git("rm", "-qr", "tools", "app")
    repo.git("update-index", "--add", "--cacheinfo", "160000,362d34d2fabb96e1029b395d680d4e7ab254305f,tools")
    repo.git("commit", "-qm", "a submodule")
    assert repo.stale_lines(since="HEAD~1") == {("docs/tools.md", 4)}


def test_a_string_that_is_only_filled_in_by_another_name_gives_the_same_texts(repository: Make) -> None:
    code = """class Reply:
    def line(self, release):
        return f"TOOL/{release}"

    def path(self, key):
        return "notes/archive:all"
"""
    page = "# Tool\n\nIt answers `TOOL/1.1` and takes `notes/archive:all`.\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/reply.py": code})
    now = code.replace("{release}", "{self.release}").replace("notes/archive:all", "notes/archive:any")
    repo.write({"tool/reply.py": now}).commit()
    told = {(f.claim, m.line) for f in repo.drifted(since="HEAD~1") for m in f.mentions}
    assert told == {("notes/archive:all", 3)}


def test_what_every_script_has_is_not_a_member_of_a_class_of_that_name(repository: Make) -> None:
    page = "# Tool\n\nWrite `module.exports` in it, and read `module.importers`.\n"
    code = "export default class Module {\n  exports: string[] = [];\n  importers: string[] = [];\n  name = '';\n}\n"
    manifest = '{"name": "tool", "version": "1.0.0"}\n'
    repo = repository({"README.md": page, "package.json": manifest, "src/Module.ts": code})
    now = "export default class Module {\n  exported: string[] = [];\n  imported: string[] = [];\n  name = '';\n}\n"
    repo.write({"src/Module.ts": now}).commit()
    told = {f.claim for f in repo.drifted(since="HEAD~1")}
    assert told == {"module.importers"}


def test_a_name_that_an_example_registers_is_the_readers(repository: Make) -> None:
    page = (
        '# Plugins\n\n```python\n@register("custom_operation")\nclass Custom: ...\n```\n\n'
        "Then :func:`tool.op.custom_operation` is there, and :func:`tool.op.other_operation` is not.\n"
    )
    files: dict[str, str | bytes] = {"tool/__init__.py": "", "tool/op.py": "def plain_operation():\n    pass\n"}
    repo = repository({**files, "docs/plugins.rst": "x\n"})
    repo.write({"docs/plugins.md": page}).commit()
    assert "tool.op.custom_operation" not in {f.claim for f in repo.drifted(since="HEAD~1")}


@BOTH
def test_a_key_of_an_own_properties_file_is_missed_in_plain_cells(repository: Make, since: str) -> None:
    text = "| Option | Default |\n|---|---|\n| --import.cache.key | `default` |\n| --import.cache.size | `3` |\n"
    repo = repository({
        "README.md": text, "src/main/resources/application.properties": "import.cache.key=default\nimport.cache.size=3\n",
    })  # fmt: skip
    repo.replace("cache.key", "cache.id", "src/main/resources/application.properties").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_package_of_groovy_may_be_called_build(repository: Make, since: str) -> None:
    path = "src/main/groovy/org/acme/build/release/Plugin.groovy"
    code = "package org.acme.build.release\n\nclass Plugin {\n    void markNextVersion() {}\n    void show() {}\n}\n"
    repo = repository({"docs/tasks.md": "To mark it use `markNextVersion`.\n", path: code})
    repo.replace("markNextVersion", "tagNextVersion", path).commit()
    assert repo.stale_lines(since=since) == {("docs/tasks.md", 1)}


@BOTH
def test_where_settings_are_looked_for_may_lie_elsewhere_below_the_home_folder(repository: Make, since: str) -> None:
    code = 'module Tool\n  CONFIG = File.expand_path("~/.tool.rb")\nend\n'
    repo = repository({"README.md": "It reads `~/.tool.rb` first.\n", "lib/tool.rb": code})
    repo.replace("~/.tool.rb", "~/.config/tool.rb", "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


def test_the_readme_of_a_suite_speaks_of_its_tests(repository: Make) -> None:
    helper = "def start_the_server(port):\n    return port\n"
    repo = repository(
        {**PYTHON, "tests/e2e/README.md": "# Suite\n\n`start_the_server` starts it.\n", "tests/e2e/test_all.py": helper}
    )
    repo.replace("start_the_server", "begin", "tests/e2e/test_all.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("tests/e2e/README.md", 3)}


def test_what_one_run_printed_tells_of_that_run(repository: Make) -> None:
    page = "# Tool\n\n```\nBUILD {'two': <tool.DeclarationWrapper object at 0x1e15610>}\n```\n\nSee `DeclarationWrapper`.\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "class DeclarationWrapper:\n    pass\n"})
    repo.replace("DeclarationWrapper", "Wrapped", "tool/__init__.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}


def test_php_finds_a_method_in_whatever_case_it_is_written(repository: Make) -> None:
    page = "# Tool\n\nCall `$factory->setGlobTtl(2)` and `$factory->setRootPath('/')`.\n"
    code = "<?php\nclass Factory {\n  public function setGlobTtl($ttl) {}\n  public function setRootPath($path) {}\n}\n"
    repo = repository({"composer.json": '{"name": "a/tool"}\n', "README.md": page, "src/Factory.php": code})
    repo.replace("setGlobTtl", "setGlobTTL", "src/Factory.php").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace("setRootPath", "setRoot", "src/Factory.php").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


def test_a_member_of_another_class_than_the_text_names_is_no_loss_of_it(repository: Make) -> None:
    page = "See `Response::NOTHING` and `Logger::ERRORED`.\n"
    code = (
        "<?php\nclass Response {\n  public function end() {}\n}\n"
        "class Logger {\n  const ERRORED = 1;\n  public function flushAll() {}\n}\nclass Code {\n  const NOTHING = 0;\n}\n"
    )
    repo = repository({"composer.json": '{"name": "a/tool"}\n', "docs/response.md": page, "src/all.php": code})
    repo.write(
        {"src/all.php": "<?php\nclass Response {\n  public function end() {}\n}\nclass Logger {}\nclass Code {}\n"}
    ).commit()
    assert {finding.claim for finding in repo.drifted(since="HEAD~1")} == {"Logger::ERRORED"}


def test_a_page_made_of_a_document_does_not_keep_what_the_document_names(repository: Make) -> None:
    text = "Set `extras.get.clone-path` first.\n"
    repo = repository({
        "man/extras-get.md": text, "man/extras-get.html": f"<p>{text}</p>\n",
        "bin/extras-get": "#!/usr/bin/env bash\nroot=$(git config --get extras.get.clone-path)\necho \"$root\"\n",
    })  # fmt: skip
    repo.replace("get.clone-path", "get.root", "bin/extras-get").commit()
    assert repo.stale_lines() == {("man/extras-get.md", 1)}


def test_what_is_deleted_if_a_setting_is_off_is_not_the_setting(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\n- will delete files if `use_trash` is `false`\n- if `use_trash` is `true`, keeps them\n",
        "Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\n', "src/lib.rs": "pub struct Config {\n    pub use_trash: bool,\n}\n",
    })  # fmt: skip
    repo.replace("use_trash", "trash_can", "src/lib.rs").commit()
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 4)}


@pytest.mark.parametrize("folder", ["shop", "shop/install"])
def test_a_generator_of_rails_is_called_by_its_file(repository: Make, folder: str) -> None:
    repo = repository({
        "README.md": "# Shop\n\n```sh\nrails generate shop:install\nrails db:migrate\n```\n", **RUBY,
        f"lib/generators/{folder}/install_generator.rb": "module Shop\n  class InstallGenerator < Rails::Generators::Base\n  end\nend\n",
    })  # fmt: skip
    new = folder.replace("install", "setup")
    repo.move(f"lib/generators/{folder}/install_generator.rb", f"lib/generators/{new}/setup_generator.rb")
    repo.replace("InstallGenerator", "SetupGenerator", f"lib/generators/{new}/setup_generator.rb").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 4)}


def test_a_class_that_takes_its_file_along_is_gone_although_a_remark_elsewhere_has_it(repository: Make) -> None:
    more = "".join(f"    public int step{number}() {{{{\n        return {number};\n    }}}}\n" for number in range(9))
    body = (
        "package o;\n\npublic class {name} {{\n    public static {name} create() {{ return null; }}\n" + more + "}}\n"
    )
    repo = repository({
        "README.md": "# Tool\n\nThe rule `TemporaryJobs` starts it:\n\n```java\nTemporaryJobs jobs = TemporaryJobs.create();\n```\n", **JAVA,
        "src/main/java/o/TemporaryJobs.java": body.format(name="TemporaryJobs"), "start.sh": "#!/bin/sh\n# TemporaryJobs reads this\nrun\n",
    })  # fmt: skip
    repo.move("src/main/java/o/TemporaryJobs.java", "src/main/java/o/JobsRule.java")
    repo.write({"src/main/java/o/JobsRule.java": body.format(name="JobsRule")}).commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_a_method_of_an_object_that_is_called_like_its_file_is_ours(repository: Make, since: str) -> None:
    text = "# Hooks\n\n```js\nvar hooks = require('hooks');\nhooks.beforeEachCheck(run);\n```\n"
    code = "class Hooks {\n  beforeEachCheck(hook) {\n    this.list.push(hook);\n  }\n}\nmodule.exports = Hooks;\n"
    repo = repository({"docs/hooks.md": text, **NODE_2, "lib/Hooks.js": code})
    repo.replace("beforeEachCheck", "beforeEachTest", "lib/Hooks.js").commit()
    assert repo.stale_lines(since=since) == {("docs/hooks.md", 5)}


@BOTH
def test_a_method_of_ruby_is_missed_without_its_mark_and_below_its_name_space(repository: Make, since: str) -> None:
    text = "# Tool\n\n``` ruby\nTool::Runner.instance.reload_plan!\n```\n"
    repo = repository({"README.md": text, **GEM, "lib/tool/runner.rb": RUBY_2})
    repo.replace("reload_plan!", "refresh!", "lib/tool/runner.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_all_of_a_module_that_went_went_with_it(repository: Make, since: str) -> None:
    text = "Time\n====\n\nUse :mod:`tool.tools.time`:\n\n* :func:`~tool.tools.time.zone` finds the zone\n* :func:`~tool.tools.web.get` gets a page\n"
    repo = repository({
        "docs/time.rst": text, **PYTHON_2, "tool/tools/__init__.py": "try:\n    from . import time\nexcept ImportError:\n    pass\n",
        "tool/tools/net.py": "def zone():\n    pass\n", "tool/tools/web.py": "def get():\n    pass\n",
        "tool/tools/time.py": "from tool.tools.net import zone\n\n\ndef show():\n    return zone()\n",
        "tool/app.py": "from tool.tools.time import show\n",
    })  # fmt: skip
    repo.move("tool/tools/time.py", "tool/tools/clock.py").replace("tools.time", "tools.clock", "tool/app.py").commit()
    assert repo.stale_lines(since=since) == {("docs/time.rst", 4), ("docs/time.rst", 6)}


@BOTH
@pytest.mark.parametrize(
    ("name", "told", "found"),
    [
        ("feedMaxItems", "feed_max_items", {3}),
        ("maxItems", "max_items", set()),
        ("feedMaxItems", "FeedMaxItems", set()),
    ],
)
def test_a_name_of_three_words_is_missed_in_another_spelling_though_nothing_came_in_its_place(
    repository: Make, since: str, name: str, told: str, found: set[int]
) -> None:
    field = f"    public int ${name} = 300;\n\n"
    code = f"<?php\nfinal class Configuration {{\n{field}    public string $title = '';\n}}\n"
    feed = f"<?php\nfunction most(Configuration $c): int {{\n    return $c->{name};\n}}\n"
    repo = repository(
        {"docs/options.md": f"# Options\n\n### `{told}`\n", "src/Configuration.php": code, "src/Feed.php": feed}
    )
    repo.replace(field, "", "src/Configuration.php").replace(f"$c->{name}", "100", "src/Feed.php").commit()
    assert repo.stale_lines(since=since) == {("docs/options.md", line) for line in found}


@BOTH
def test_a_class_is_missed_although_a_variable_is_called_alike(repository: Make, since: str) -> None:
    code = "class VenvContainer:\n    pass\n\n\ndef show(venv_container):\n    return venv_container\n"
    repo = repository(
        {"docs/a.md": "# Options\n\n`VenvContainer` holds them.\n", "pkg/__init__.py": "", "pkg/v.py": code}
    )
    repo.replace("class VenvContainer", "class VenvFrame", "pkg/v.py").commit()
    assert repo.stale_lines(since=since) == {("docs/a.md", 3)}


@BOTH
def test_a_method_of_an_unknown_object_is_missed(repository: Make, since: str) -> None:
    code = "exports.toolbar = {\n  registerAceCommand: makeOne('register'),\n};\n"
    example = "```js\ntoolbar.registerAceCommand('list', () => {});\n```\n"
    repo = repository({"doc/a.md": example, "src/bar.js": code, "package.json": '{"name": "pad"}'})
    repo.replace("registerAceCommand", "enrolAceCommand", "src/bar.js").commit()
    assert repo.stale_lines(since=since) == {("doc/a.md", 2)}


@BOTH
def test_a_class_of_the_tests_is_missed_in_the_readme_of_the_test_suite(repository: Make, since: str) -> None:
    code = "class MetricsAssertions {\n  static void assertContentType() {}\n}\n"
    repo = repository({
        "suite/README.md": "Use `MetricsAssertions.assertContentType()` in `MetricsTest`.\n",
        "suite/src/test/java/MetricsAssertions.java": code, "src/main/java/Tool.java": "class Tool {}\n",
        "suite/src/test/java/MetricsTest.java": "class MetricsTest { }\n",
    })  # fmt: skip
    repo.replace("MetricsAssertions", "GaugeChecks", "suite/src/test/java/MetricsAssertions.java").commit()
    assert repo.stale_lines(since=since) == {("suite/README.md", 1)}


def test_a_page_that_the_navigation_has_in_a_comment_only_and_nothing_leads_to_was_put_away(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "mkdocs.yml": "site_name: x\nnav:\n  - Home: index.md\n  - Tracks: more/tracks.md\n  - Steps: steps.md\n",
        "docs/index.md": "# Home\n\nSee [steps](steps.md).\n",
        "docs/more/tracks.md": "# Tracks\n\nCall `track_this()` for it.\n",
        "docs/steps.md": "# Steps\n\nCall `track_this()` too.\n",
        "tool/api.py": "def track_this():\n    pass\n\n\ndef other():\n    pass\n",
    }
    repo = repository(files)
    repo.replace("def track_this():\n    pass\n\n\n", "", "tool/api.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/more/tracks.md", 3), ("docs/steps.md", 3)}
    settings = "site_name: x\nnav:\n  - Home: index.md\n  # - Tracks: more/tracks.md\nplugins:\n"
    repo.write({"mkdocs.yml": settings}).commit()
    assert repo.stale_lines(since="HEAD~2") == {("docs/steps.md", 3)}  # the home page leads there
    repo.write({"docs/index.md": "# Home\n\n<!-- See [steps](steps.md). -->\n"}).commit()
    assert repo.stale_lines(since="HEAD~3") == set()


def test_what_a_module_had_that_became_a_package_of_its_own_is_in_that_package(repository: Make) -> None:
    field = "class MediaField:\n    pass\n"
    files: dict[str, str | bytes] = {
        "docs/plugins.md": "# Plugins\n\nMake a `MediaField` of it:\n\n```python\nmediafile.MediaField('foo')\n```\n",
        "setup.py": "from setuptools import setup\n\nsetup(name='tool', install_requires=['six>=1.9'])\n",
        "tool/__init__.py": "",
        "tool/mediafile.py": field,
    }
    repo = repository(files)
    repo.write({"tool/mediafile.py": "import mediafile\n\nglobals().update(vars(mediafile))\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/plugins.md", 3), ("docs/plugins.md", 6)}
    repo.replace("'six>=1.9'", "'six>=1.9', 'mediafile>=0.1.0'", "setup.py").commit()
    assert repo.stale_lines(since="HEAD~2") == set()


def test_a_name_in_the_address_of_another_project_s_page_is_not_ours(repository: Make) -> None:
    page = "# Tool\n\nWe log [a metric](https://flow.example.org/api/flow.html#flow.log_metric).\n"
    ours = "And [ours](https://docs.example.org/tool/api.html#tool.log_metric).\n"
    files: dict[str, str | bytes] = {
        "README.md": page + ours,
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool/api.py": "def log_metric():\n    pass\n\n\ndef other():\n    pass\n",
    }
    repo = repository(files)
    repo.replace("def log_metric():\n    pass\n\n\n", "", "tool/api.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


def test_a_method_that_an_example_calls_of_its_own_variable_is_no_function_that_went(repository: Make) -> None:
    page = """# Tool

```python
def execute(settings, step_name):
    log = settings.get_run_log()
    step = log.find(step_name)
    catalog(step.get_from_catalog)
```
"""
    functions = "def get_run_log():\n    pass\n\n\ndef get_from_catalog():\n    pass\n\n\n"
    methods = "class Settings:\n    def get_run_log(self):\n        pass\n\n    def get_from_catalog(self):\n        pass\n\n\n"
    rest = "def other():\n    pass\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/api.py": functions + rest})
    repo.write({"tool/api.py": rest}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"tool/api.py": methods + rest}).commit()
    repo.write({"tool/api.py": rest}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5), ("README.md", 7)}


def test_a_setting_of_go_whose_field_only_changed_its_case_is_found_as_before(repository: Make) -> None:
    fields = "package config\n\ntype Encryption struct {\n\tDomain   string\n\tHttpPort int\n\tKeyFile  string\n}\n"
    table = "| Parameter | Type |\n|---|---|\n| Domain | string |\n| `HttpPort` | int |\n| `KeyFile` | string |\n"
    code = "\n```go\nconf := config.Encryption{HttpPort: 80}\n```\n"
    repo = repository({"docs/configuration.md": f"# Settings\n\n{table}{code}", "config/config.go": fields})
    repo.replace("HttpPort", "HTTPPort", "config/config.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/configuration.md", 10)}
    repo.replace("HTTPPort", "PlainPort", "config/config.go").commit()
    assert repo.stale_lines(since="HEAD~2") == {("docs/configuration.md", 6), ("docs/configuration.md", 10)}
