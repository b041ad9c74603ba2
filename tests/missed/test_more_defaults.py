"""What went and is named by documents yet is missed: defaults."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.renames import Rename, check_rename, readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

PYTHON = {"pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/__init__.py": ""}

SETTINGS = "class Core:\n    max_wait = Attribute('max_wait', float, default=2)\n    low_wait = Attribute('low_wait', float, default=1)\n"

PAGES = {
    "docs/amounts.md": [
        "# Machines", "",
        "!The default machine has 2 CPUs, 2GiB memory and 90GiB storage.", "",
        "!Defaults: **2 CPUs, 2 GiB memory, 90 GiB disk**.", "",
        "A machine with 2 CPUs is small.",
    ],
    "docs/features.md": [
        "# Building", "",
        "```sh", "!cargo install tool --features fast,tls", "```", "",
        "!Secure sockets are behind the `tls` feature, which is off.", "",
        "!- `--cert` (requires tls feature)", "",
        "A `tls` socket is not asked for.",
    ],
    "docs/types.md": ["# Types", "", "!- `in_range(lower, upper, convert=number)` takes a number", "- `in_range(lower, upper)` too"],
    "docs/commands.md": ["# Commands", "", "```sh", "!adev runserver app.py", "!adev build --no-help", "", "!# Set the pause (default: 10 seconds)", "adev build --pause 15", "```"],
    "docs/sessions.md": ["# Sessions", "", "```diff", ">>> from tool.format import format_code", '!>>> print(format_code("a==b", width=3))', "--- a", "+++ b", "```"],
    "docs/routes.md": ["# Routes", "", "| Endpoint | Methods |", "|---|---|", "!| `/tags/` | GET |", "| `/notes/` | GET |", "| `/notes/{id}/` | GET |"],
    "docs/flags.md": ["# Flags", "", "| Name | Description |", "|---|---|", "| beat.database | Where beats are. (default: beats) |", "!| beat.table | What to collect beats of. (default: beats) |"],
}  # fmt: skip

CODE = {
    "setup.py": 'from setuptools import setup\n\nsetup(name="tool", entry_points="""\n    [console_scripts]\n    adev=tool.cli:cli\n    """)\n',
    "tool/__init__.py": "",
    "tool/cli.py": "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n@cli.command()\ndef runserver():\n    pass\n\n\n@cli.command()\n@click.option('--no-help', is_flag=True)\n@click.option('--pause', type=float, default=10.0)\ndef build(**given):\n    pass\n",
    "tool/format.py": "def format_code(text, width=80):\n    return text[:width]\n",
    "tool/types.py": "class InRange:\n    def __init__(self, lower, upper, convert=int):\n        self.range = lower, upper, convert\n\n\nin_range = InRange\n",
    "start.go": 'package main\n\nconst (\n\tdefaultCPU    = 2\n\tdefaultMemory = 2\n\tdefaultDisk   = 90\n)\n\nfunc init() {\n\tstart.Flags().IntVar(&cpu, "cpus", defaultCPU, "how many")\n\tstart.Flags().IntVar(&disk, "disk", defaultDisk, "disk size in GiB")\n}\n',
    "beats.go": 'package main\n\nvar (\n\tdatabase = kingpin.Flag(\n\t\t"beat.database",\n\t\t"Where beats are.",\n\t).Default("beats").String()\n\ttable = kingpin.Flag(\n\t\t"beat.table",\n\t\t"What to collect beats of.",\n\t).Default("beats").String()\n)\n',
    "Cargo.toml": '[package]\nname = "tool"\nversion = "1.0.0"\n\n[features]\ndefault = []\ntls = ["dep:openssl"]\nfast = []\n',
    "src/main.rs": '#[cfg(feature = "tls")]\nmod secure;\n\nfn main() {}\n',
    "server/routes.ts": 'import express from "express";\nconst app = express();\napp.route("/tags/").get(listTags);\napp.route("/notes/").get(listNotes);\napp.route("/notes/:id/").get(readNote);\nexport const columns = ["tags", "title"];\n',
}  # fmt: skip

CHANGES = [
    ("defaultCPU    = 2", "defaultCPU    = 4"), ("defaultDisk   = 90", "defaultDisk   = 60"), ("tls = [", "https = ["),
    ('feature = "tls"', 'feature = "https"'), ("convert", "cast"), ("def runserver", "def start"), ('app.route("/tags/").get(listTags);\n', ""),
    ("width", "columns"), ("default=10.0", "default=5.0"), ("--no-help", "--no-guidance"),
    ('of.",\n\t).Default("beats")', 'of.",\n\t).Default("pulses")'),
]  # fmt: skip

GEM = {"blazer.gemspec": "Gem::Specification.new { |s| s.name = 'blazer' }\n"}

CASES = [
    Rename(
        "default of a Gradle property in a table",
        {**readme("| Property | Default value |", "|---|---|", "| `baseImage` | `openjdk:11.0.16-jre` |", "| `ports` | `[8080]` |"),
         "src/main/java/o/Extension.java": 'package o;\n\npublic class Extension {\n    Extension() {\n        baseImage.convention("openjdk:11.0.16-jre");\n        ports.convention(List.of(8080));\n    }\n}\n'},
        "openjdk:11.0.16-jre", "temurin:17-jre",
    ),
    Rename(
        "default of a link in a chain of calls",
        {**readme("```yaml", "acme:", "  token_ttl: 3600 # default is 3600", "  clock: 1", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->children()\n"
         "                ->scalarNode('token_ttl')\n                    ->defaultValue(3600)\n                ->end()\n"
         "                ->scalarNode('clock')\n                    ->defaultValue(1)\n                ->end();\n    }\n}\n"},
        "3600", "7200", "3600",
    ),
    Rename(
        "value below a title that speaks of defaults",
        {**readme("## Full default configuration", "", "```yaml", "acme:", "  algorithm: RS256", "```", "", "## Other", "", "```yaml", "acme:", "  algorithm: 'RS256'", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->children()\n"
         "                ->scalarNode('algorithm')\n                    ->defaultValue('RS256')\n                ->end();\n    }\n}\n"},
        "'RS256'", "'ES256'", "algorithm: RS256",
    ),
    Rename(
        "default in an item below its option, though the code compares with it",
        {**readme("- `--data-source`/`-d`: where records are", "   - available values: `files`, `settings`", "   - default value: `files`"),
         "tool.gemspec": "Gem::Specification.new { |s| s.name = 'tool' }\n",
         "lib/cli.rb": 'class CLI < Thor\n  method_option :data_source, aliases: "-d",\n    enum: ["files", "settings"], default: "files",\n    desc: "x"\n'
         '  def status\n    puts 1 if data_source == "files"\n  end\nend\n'},
        'default: "files"', 'default: "settings"', "default value",
    ),
    Rename(
        "default of a shell's variable that is a word",
        {**readme("##### `LOG_FACILITY`", "", "String (Default: local0)", "", "What it is."),
         "bin/tool": '#!/bin/bash\nfacility="${LOG_FACILITY:-local0}";\n'},
        ":-local0", ":-user", "local0",
    ),
    Rename(
        "file that a program writes",
        {**readme("It writes `_ide_helper_models.php`."), "composer.json": '{"name": "acme/helper"}\n',
         "config/helper.php": "<?php\nreturn [\n    'models_filename' => '_ide_helper_models.php',\n];\n"},
        "_ide_helper_models", "_ide_models", "_ide_helper_models",
    ),
    Rename(
        "file that an interpreter is told to run",
        {"README.md": "# Shop\n", "src/email/README.md": "# Email\n\nRun it with `bundle exec ruby email_server.rb`.\n",
         "src/email/email_server.rb": "puts 1\n", "src/email/Gemfile": "source 'https://rubygems.org'\n"},
        "nothing", "", "email_server", (("src/email/email_server.rb", "src/email/server.rb"),),
    ),
    Rename(
        "folder that moved below another",
        {**readme("Run `theme/install.sh` then."), "theme/install.sh": "#!/bin/sh\necho 1\n", "src/main/java/A.java": "class A {}\n"},
        "nothing", "", "theme/install.sh", (("theme/install.sh", "src/main/theme/install.sh"),),
    ),
    Rename(
        "property that Spring puts in, as an argument",
        {**readme("```", "--mail.sendEnabled=true", "```"),
         "pom.xml": "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version></project>\n",
         "src/main/java/o/P.java": 'package o;\n\npublic class P {\n    P(@Value("${mail.sendEnabled:false}") boolean sendEnabled) {}\n}\n'},
        "mail.sendEnabled", "mail.sending", "mail.sendEnabled",
    ),
    Rename(
        "keys that a variable joins",
        {**readme("```yaml", "Metrics__RetainedPoints: 6", "```"), "src/Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
         "src/MetricsOptions.cs": "namespace Tool;\n\npublic class MetricsOptions\n{\n    public int? RetainedPoints { get; set; }\n}\n"},
        "RetainedPoints", "KeptPoints", "RetainedPoints",
    ),
    Rename(
        "option of CMake",
        {**readme("- doctest (disable with `-D", "  ENABLE_CHECKS=OFF`)"), "main.cpp": "int main() {}\n",
         "CMakeLists.txt": 'option(ENABLE_CHECKS "Enable checks" ON)\nif(ENABLE_CHECKS)\nendif()\n'},
        "ENABLE_CHECKS", "TOOL_CHECKS", "ENABLE_CHECKS",
    ),
    Rename(
        "method by its owner, though a task keeps its name",
        {**readme("```yaml", "job:", '  command: "Blazer.run_checks(schedule: 1)"', "```", "", "Call `Blazer.run_checks`."), **GEM,
         "lib/tasks/blazer.rake": "task :run_checks do\n  Blazer.run_all\nend\n",
         "lib/blazer.rb": "module Blazer\n  def self.run_checks(schedule: nil)\n    schedule\n  end\nend\n"},
        "self.run_checks", "self.perform_checks", "Blazer.run_checks",
    ),
    Rename(
        "keyword argument of Ruby",
        {**readme("```ruby", "Blazer.run_checks(", "  schedule: '1 day'", ")", "other(schedule: 1)", "```"), **GEM,
         "lib/blazer.rb": "module Blazer\n  def self.run_checks(schedule: nil)\n    where(schedule: 1)\n  end\nend\n"},
        "(schedule: nil)", "(interval: nil)", "schedule: '1 day'",
    ),
    Rename(
        "keyword argument of a function that nothing owns",
        {**readme("```ruby", "make_report(", "  every: '1 day'", ")", "```"), **GEM,
         "lib/blazer.rb": "def make_report(every: nil)\n  every\nend\n\ndef other(every: 1)\n  every\nend\n"},
        "make_report(every: nil)", "make_report(interval: nil)", "every: '1 day'",
    ),
    Rename(
        "address in a file of routes",
        {**readme("Images are at `/media/cache/resolve`, so `https://localhost/media/cache/resolve/thumb/cats.jpeg`."), "composer.json": '{"name": "acme/bundle"}\n',
         "config/routing.yaml": "one:\n    path: /media/cache/resolve/{filter}/rc/{path}\ntwo:\n    path: /media/cache/resolve/{filter}/{path}\n"},
        "/media/cache/resolve", "/media/images", "/media/cache",
    ),
    Rename(
        "settings that the sentence above calls the defaults",
        {**readme("The default configuration looks like this:", "", "```yaml", "acme:", "  driver:    magick", "```"),
         "composer.json": '{"name": "acme/bundle"}\n',
         "src/Configuration.php": "<?php\nclass Configuration\n{\n    function tree($root)\n    {\n        $root->scalarNode('driver')->defaultValue('magick')->end();\n    }\n}\n"},
        "'magick'", "'vips'", "magick",
    ),
    Rename(
        "namespace of PHP",
        {**readme("```php", "use Acme\\Security\\Authenticator\\TokenAuthenticator;", "```"), "composer.json": '{"name": "acme/bundle"}\n',
         "src/Authenticator/TokenAuthenticator.php": "<?php\nnamespace Acme\\Security\\Authenticator;\n\nclass TokenAuthenticator\n{\n}\n",
         "src/Guard/TokenAuthenticator.php": ""},
        "Acme\\Security\\Authenticator", "Acme\\Security\\Guard", "Acme\\Security",
        (("src/Authenticator/TokenAuthenticator.php", "src/Guard/TokenAuthenticator.php"),),
    ),
]  # fmt: skip


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


_FLAGS = """package main

import "github.com/alecthomas/kingpin/v2"

var noArp = kingpin.Flag("exporter.disable-arp", "Turn off ARP.").Default("false").Bool()
"""

_OPTIONS = """class Options
{
    static Options()
    {
        AddOption(Pooling = new(
            keys: new[] { "Pooling" },
            defaultValue: true));

        AddOption(AutoEnlist = new(
            keys: new[] { "AutoEnlist" },
            defaultValue: true));

        AddOption(IgnorePrepare = new(
            keys: new[] { "IgnorePrepare" },
            defaultValue: true));
        int last = 1;
    }
}
"""

PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.main:main"\n'


@BOTH
def test_a_constant_that_is_handed_over_with_a_key_is_that_keys_default(repository: Make, since: str) -> None:
    code = 'const NROUNDS: i64 = 1;\n\nfn load(doc: &Value) -> i64 {\n    read_number(doc, "rounds", NROUNDS)\n}\n'
    text = "# Syntax\n\n- `rounds`: How often it runs (Optional, default: 1)\n- `step`: How far it goes (default: 1)\n"
    repo = repository({"SYNTAX.md": text, "Cargo.toml": '[package]\nname = "tool"\n', "src/config.rs": code})
    repo.replace("i64 = 1", "i64 = 10", "src/config.rs").commit()
    assert repo.stale_lines(since=since) == {("SYNTAX.md", 3)}


@BOTH
def test_a_cross_reference_tells_whose_default_a_sentence_tells(repository: Make, since: str) -> None:
    text = (
        "Running\n=======\n\nThe wait cannot be longer than :attr:`~Core.max_wait` (2s\nby default). It is never 1s.\n"
    )
    repo = repository({"docs/run.rst": text, **PYTHON, "tool/core.py": SETTINGS})
    repo.replace("default=2", "default=5", "tool/core.py").commit()
    assert repo.stale_lines(since=since) == {("docs/run.rst", 4)}


@BOTH
def test_an_item_that_is_nothing_but_an_option_in_a_span_tells_whose_default_stands_below(
    repository: Make, since: str
) -> None:
    code = 'def run(executor: str = "fork", queues: str = "all") -> None:\n    start(executor, queues)\n'
    text = "Workers\n=======\n\n- ``-x``, ``--executor``\n\n  Can be ``fork`` (default) or ``sync``.\n"
    repo = repository({"README.rst": text, **PYTHON, "tool/worker.py": code})
    repo.replace('"fork"', '"sync"', "tool/worker.py").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 6)}


@BOTH
def test_a_constant_that_a_field_is_given_is_that_fields_default(repository: Make, since: str) -> None:
    code = (
        "package server\n\nconst (\n\tdefaultWait = 1 * time.Second\n)\n\nfunc New() *Server {\n\treturn &Server{\n"
        "\t\tBackoffWait: defaultWait,\n\t}\n}\n"
    )
    text = "# Tool\n\n```\n  --backoff-wait duration   How long to wait. (default 1s)\n  --poll-wait duration      How long to poll. (default 1s)\n```\n"
    repo = repository({"README.md": text, "go.mod": "module example.org/tool\n", "server/server.go": code})
    repo.replace("= 1 *", "= 5 *", "server/server.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_what_the_settings_beside_a_document_give_is_what_it_tells(repository: Make, since: str) -> None:
    row = "| Key | Type | Default |\n|---|---|---|\n| host.interface | string | `docker0` |\n"
    code = 'package main\n\nfunc flags(s *Server, fs *Set) {\n\tfs.StringVar(&s.HostInterface, "host-interface", "docker0", "the interface")\n}\n'
    repo = repository({
        "README.md": row, "charts/tool/README.md": row, "charts/tool/values.yaml": "host:\n  interface: docker0\n",
        "go.mod": "module example.org/tool\n", "main.go": code,
    })  # fmt: skip
    repo.replace('"docker0"', '"eth0"', "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_default_of_a_flag_with_one_dash_is_compared(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nfunc main() {\n\tn := flag.Uint("prefetch", 10, "how many")\n\tflag.Parse()\n\t_ = n\n}\n'
    text = "```\nOptions:\n  -prefetch N   how many (default 10)\n```\n"
    repo = repository({"README.md": text, "main.go": code, "go.mod": "module x/tool\n\ngo 1.22\n"})
    repo.replace('"prefetch", 10', '"prefetch", 20', "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_default_is_compared_although_another_clause_follows(repository: Make, since: str) -> None:
    text = "# Settings\n\n`max_query_size`: how many. The default is 10,000, and if you expect more, think again.\n"
    repo = repository(
        {"docs/a.md": text, "pkg/config.py": "def load(conf):\n    conf.setdefault('max_query_size', 10000)\n"}
    )
    repo.replace("10000", "5000", "pkg/config.py").commit()
    assert repo.stale_lines(since=since) == {("docs/a.md", 3)}


@pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])
def test_every_line_that_became_false_is_found_and_no_other(repository: Make, since: str) -> None:
    pages = {path: "\n".join(line.removeprefix("!") for line in lines) + "\n" for path, lines in PAGES.items()}
    repo = repository({**CODE, **pages})
    for old, new in CHANGES:
        for path, text in CODE.items():
            if old in text:
                repo.replace(old, new, path)
    repo.commit("Other names")
    wanted = {
        (path, number) for path, lines in PAGES.items() for number, line in enumerate(lines, 1) if line[:1] == "!"
    }
    found = {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}
    assert found == wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Rename) -> None:
    check_rename(repository, case)


@pytest.mark.parametrize(("name", "missed"), [("QUERY_STAGE_VERSION", []), ("QUERY_STAGE_SIZE", ["1"])])
def test_how_often_a_form_was_changed_is_no_default(repository: Make, name: str, missed: list[str]) -> None:
    told = "# Settings\n\nDefaults: memory 1 GB, and a query waits in its stage.\n"
    code = "export const OTHER = 7;\nexport const {} = {};\n"
    repo = repository({"README.md": told, "src/cache.ts": code.format(name, '"1"')})
    repo.write({"src/cache.ts": code.format(name, '"3"')}).commit("another form")
    assert [f.claim for f in repo.drifted()] == missed


def test_a_key_that_got_another_name_is_no_value_of_an_option(repository: Make) -> None:
    page = "# Tool\n\n* --from-branch git develop branch, default is develop\n* --depth, default is 3\n"
    code = 'def get(branch, depth=3):\n    params = {"branch": branch or "develop"}\n    return params\n'
    repo = repository({"README.md": page, "tool.py": code})
    repo.write({"tool.py": code.replace('"branch":', '"ref":').replace("depth=3", "depth=4")}).commit()
    assert claims(repo) == {("README.md", 4)}


def test_that_a_feature_is_enabled_is_not_said_of_the_flag_that_turns_it_off(repository: Make) -> None:
    page = "# Collectors\n\n| Collector | Default | Flag |\n|---|---|---|\n| ARP | {} | `--exporter.disable-arp` |\n"
    go_mod = "module example.org/app\n\nrequire github.com/alecthomas/kingpin/v2 v2.4.0\n"
    repo = repository({"README.md": "# App\n", "main.go": _FLAGS, "go.mod": go_mod})
    repo.write({"docs/collectors.md": page.format("Enabled")}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.write({"docs/collectors.md": page.format("true")}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/collectors.md", 5)}


def test_of_equal_lines_the_one_went_whose_neighbours_have_it_no_more(repository: Make) -> None:
    page = "# Options\n\n| Name | Default |\n|---|---|\n| Pooling | true |\n| AutoEnlist | true |\n| IgnorePrepare | {} |\n"
    repo = repository({"docs/options.md": page.format("true"), "src/Options.cs": _OPTIONS})
    changed = _OPTIONS.replace("class Options\n", "class  Options\n").replace("int last = 1", "int last = 2")
    head, _, tail = changed.rpartition("defaultValue: true")
    repo.write({"src/Options.cs": f"{head}defaultValue: false{tail}"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/options.md", 7)}


def test_a_value_that_is_listed_beside_the_new_default_is_no_default(repository: Make) -> None:
    page = "# App\n\n`on_problem` is `report` (default), to tell of it, or `warn`, to warn.\n\n`on_loss` is `report` or `warn` (default).\n"
    files: dict[str, str | bytes] = {"README.md": page, "config/default.yml": "on_problem: warn\non_loss: warn\n"}
    repo = repository(files)
    repo.replace("warn", "report", "config/default.yml").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_comment_that_tells_the_default_is_false_when_the_default_is_another(repository: Make) -> None:
    page = "# App\n\n```ts\nbundle({\n  sourcemap: false, // default is true\n})\n```\n"
    code = "export function bundle(options: Options) {\n  const sourcemap = options.sourcemap ?? true;\n  return sourcemap;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("?? true", "?? false", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_word_in_the_help_of_another_option_is_not_its_name(repository: Make) -> None:
    page = """# Tool

```
preserveLinks: if true does not resolve links; defaults to false
followLinks: if true reads what links lead to; defaults to false
```
"""
    code = "module.exports = {\n  links: false,\n  followLinks: false,\n};\n"
    repo = repository({"README.md": page, "package.json": '{"name": "tool", "version": "1.0.0"}\n', "index.js": code})
    repo.replace("inks: false", "inks: true", "index.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_value_of_a_test_within_the_file_is_no_default(repository: Make) -> None:
    page = "# Settings\n\nBy default `max_packets` is `1`.\n\nBy default `max_rounds` is `4`.\n"
    code = """pub fn settings() -> Settings {
    Settings {
        max_rounds: 4,
    }
}

#[cfg(test)]
mod tests {
    fn limits() {
        Settings {
            max_packets: 1,
        }
    }
}
"""
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository({"README.md": page, "Cargo.toml": cargo, "src/lib.rs": code})
    repo.replace("max_packets: 1", "max_packets: 2", "src/lib.rs")
    repo.replace("max_rounds: 4", "max_rounds: 5", "src/lib.rs").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_default_in_a_schema_is_that_of_the_entry_which_it_is_indented_below(repository: Make) -> None:
    page = """# Filter

```yaml
properties:
  period:
    type: string
    description: |
      The seconds over which `max_packets` counts.
    default: 1
  max_rounds:
    default: 4
```
"""
    code = "LIMITS = {\n    'max_packets': 1,\n    'max_rounds': 4,\n}\n"
    repo = repository({"docs/filter.md": page, "tool/limits.py": code, "pyproject.toml": PYPROJECT})
    repo.replace("'max_packets': 1", "'max_packets': 2", "tool/limits.py")
    repo.replace("'max_rounds': 4", "'max_rounds': 5", "tool/limits.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/filter.md", 11)}


def test_a_sample_that_gives_another_setting_of_the_file_a_value_of_its_own_shows_what_somebody_chose(
    repository: Make,
) -> None:
    values = """replicas: 1
store:
  enabled: true
  backend: memory
resources:
  requests:
    memory: 512Mi
    cpu: 500m
  limits:
    memory: 2Gi
    cpu: 2000m
"""
    page = (
        "# Chart\n\n```yaml\n"
        + values
        + "```\n\n## With a store\n\n```yaml\n"
        + values.replace("memory\n", "s3\n", 1)
        + "```\n"
    )
    repo = repository({"docs/chart.md": page, "chart/values.yaml": values, "main.go": "package main\n"})
    repo.replace("memory: 2Gi", "memory: 8Gi", "chart/values.yaml").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/chart.md", 13)}


def test_the_key_of_a_file_of_data_is_not_that_of_other_files_which_have_one_called_so(repository: Make) -> None:
    def thing(name: str, image: str) -> str:
        return f"apiVersion: v1\nkind: Service\nmetadata:\n  name: {name}\nspec:\n  image: {image}\n"

    page = "# Watch\n\nThe following object uses the default settings:\n\n```yaml\n" + thing("watcher", "a") + "```\n"
    files: dict[str, str | bytes] = {
        "README.md": "# App\n",
        "app.py": "print(1)\n",
        "deploy/watcher.yaml": thing("watcher", "a"),
        "deploy/sink.yaml": thing("sink", "b"),
        "deploy/agent.yaml": thing("agent", "b"),
    }
    repo = repository(files)
    repo.delete("deploy/watcher.yaml").commit()
    repo.write({"docs/watch.md": page}).commit()
    assert repo.drifted(since="HEAD~1") == []
    repo.write({"deploy/watcher.yaml": thing("watcher", "a")}).commit()
    repo.replace("image: a", "image: c", "deploy/watcher.yaml").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["a"]


def test_a_command_in_a_sentence_about_a_default_way_is_no_default(repository: Make) -> None:
    page = (
        "# Login\n\n`open` logs in. By default, `open` hands over to `other-tool cloud login`.\n\n"
        "The default of `open` is `other-tool`.\n"
    )
    code = 'module.exports = {\n  open: "other-tool",\n  depth: 3,\n};\n'
    repo = repository({"README.md": page, "package.json": '{"name": "tool"}\n', "src/settings.js": code})
    repo.write({"src/run.js": 'spawn("other-tool", ["cloud"]);\n'}).commit()
    repo.replace('open: "other-tool"', 'open: "own-tool"', "src/settings.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_row_whose_column_tells_the_default_does_not_tell_another_in_its_description(repository: Make) -> None:
    page = (
        "# Image\n\n| Key | Default | What it is |\n|---|---|---|\n"
        "| `image.tag` | none | Default concrete tag; `latest` is rejected. |\n"
        "| `image.policy` | `latest` | Which one, by default `latest`. |\n"
    )
    code = 'module.exports = {\n  tag: "latest",\n  policy: "latest",\n  depth: 3,\n};\n'
    repo = repository({"README.md": page, "package.json": '{"name": "tool"}\n', "src/settings.js": code})
    repo.write({"src/run.js": 'pull("latest", policy);\n'}).commit()
    repo.replace('"latest"', '"stable"', "src/settings.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 6)}


@BOTH
def test_a_default_that_the_comment_above_a_field_tells_is_missed(repository: Make, since: str) -> None:
    code = (
        "const DEFAULT_BEAT = 5000\n\nexport interface Options {\n  /**\n   * How long to wait. Defaults to 5000.\n   */\n"
        "  notifyTimeoutMs?: number\n}\n"
    )
    page = "# Options\n\n* **notifyTimeoutMs** - int, defaults to 5000\n* **other** - int, defaults to 5000\n"
    repo = repository({"package.json": '{"name": "a"}', "src/o.ts": code, "README.md": page})
    repo.replace("5000", "6000", "src/o.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_default_is_missed_beside_the_plain_word_for_it_and_behind_the_term_of_an_argument(
    repository: Make, since: str
) -> None:
    code = 'class Settings:\n    theme = Text("light")\n\n\ndef top_process(limit=3, other=4):\n    pass\n'
    page = (
        "Usage\n=====\n\nBy default it uses the **light** theme, and **dark** by another option.\n\nArgs:\n\n"
        "    limit (int, optional): How many. Defaults to 3.\n\n    number (int): Of another. Defaults to 3.\n"
    )
    repo = repository({"pkg/__init__.py": "", "pkg/s.py": code, "docs/u.rst": page})
    repo.replace('"light"', '"sepia"', "pkg/s.py").replace("limit=3", "limit=2", "pkg/s.py").commit()
    assert repo.stale_lines(since=since) == {("docs/u.rst", 4), ("docs/u.rst", 8)}
