"""A change takes a thing from one place, and it is there all the same, or the sentence was never about it."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since="HEAD~1") for mention in finding.mentions}


def test_a_module_of_cython_and_a_decorator_in_another_module_are_there_though_an_import_is_wrong(
    repository: Make,
) -> None:
    page = """# App

`@inject` marks what is to be given.

```python
import app.boxes
from app.injections import inject
```

`app.boxes` holds them.
"""
    inject = "def inject(wrapped):\n    return wrapped\n"
    files: dict[str, str | bytes] = {
        "README.md": page,
        "app/__init__.py": "",
        "app/boxes.py": "class Box:\n    pass\n",
        "app/injections.py": f"{inject}\n\ndef other():\n    pass\n",
        "app/decorators.py": "",
    }
    repo = repository(files)
    repo.write({"app/boxes.pyx": "cdef class Box:\n    pass\n", "app/decorators.py": inject})
    repo.git("rm", "-q", "app/boxes.py")
    repo.replace(f"{inject}\n\n", "", "app/injections.py").commit()
    assert claims(repo) == {("README.md", 7)}


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
    assert claims(repo) == {("README.md", 4)}
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["--gone"]


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
    assert claims(repo) == {("README.md", 5)}


def test_names_of_arguments_classes_services_and_other_tools_keys_are_not_the_code_s(repository: Make) -> None:
    page = """# Tool

```sh
tool add [class_name] [attribute_name]
```

Give the link a class: `<a class="page-link" href="#">`. Keys of the ZoomEye API are read.

```yaml
images:
  - newTag: "1"
```

Older versions run on:

- Ruby 1.9+
"""
    code = """# Talks to ZoomEye.
class Maker
  def add(class_name, attribute_name)
    link('page-link')
  end
end
"""
    files: dict[str, str | bytes] = {
        "README.md": page,
        "lib/maker.rb": code,
        "deploy/kustomization.yaml": "images:\n  - newTag: '{{.Tag}}'\n",
        "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\n  s.required_ruby_version = '>= 1.9'\nend\n",
    }
    repo = repository(files)
    repo.write(
        {"lib/maker.rb": "class Maker\n  def add(kind)\n  end\nend\n", "deploy/kustomization.yaml": "images: []\n"}
    )
    repo.replace(">= 1.9", ">= 2.5", "tool.gemspec").commit()
    assert claims(repo) == set()


def test_a_program_of_a_package_that_moved_into_a_folder_is_there(repository: Make) -> None:
    manifest = '[package]\nname = "tool"\nversion = "0.1.0"\n'
    files: dict[str, str | bytes] = {
        "README.md": "# Tool\n\nRun `tool add`, or start `toold`.\n",
        "Cargo.toml": f'{manifest}\n[[bin]]\nname = "tool"\npath = "src/tool.rs"\n\n[[bin]]\nname = "toold"\npath = "src/d.rs"\n',
        "src/tool.rs": "fn main() {}\n",
        "src/d.rs": "fn main() {}\n",
    }
    repo = repository(files)
    repo.write(
        {
            "tool/Cargo.toml": manifest,
            "tool/src/bin/tool.rs": "fn main() {}\n",
            "Cargo.toml": '[workspace]\nmembers = ["tool"]\n',
        }
    )
    repo.write({"tool/src/bin/toold.rs": "fn main() {}\n"})
    repo.git("rm", "-q", "src/tool.rs", "src/d.rs")
    repo.commit()
    assert claims(repo) == set()


def test_a_link_or_a_path_that_its_line_had_before_is_not_the_change_s(repository: Make) -> None:
    page = "# Tool\n\nSee [this](#never-there) and [that](#start), and `src/old/keys.py`.\n\n## Start\n\nWords.\n"
    repo = repository({"README.md": page, "app.py": "x = 1\n", "src/old/keys.py": "x = 2\n"})
    repo.delete("src/old/keys.py").commit()
    repo.replace("See [this]", "> See [this]", "README.md").replace("## Start", "## Begin", "README.md").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["#start"]


PROGRAM = """#!/usr/bin/env node
const { program } = require('commander');
program.option('--depth <n>', 'how deep').option('--width <n>', 'how wide').option('--quiet', 'say nothing');
program.parse();
"""
OPTIONS = "# Options\n\n- `--depth`\n- `--width`\n- `--quiet`\n\nWrite a `gulpfile.js`.\n"
PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.main:main"\n'
PACKAGE = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


def test_options_that_went_with_the_whole_program_to_another_package_are_not_missed_but_one_of_several_is(
    repository: Make,
) -> None:
    files: dict[str, str | bytes] = {
        "docs/options.md": OPTIONS,
        "package.json": PACKAGE,
        "bin/tool.js": PROGRAM,
        "gulpfile.js": "task()\n",
    }
    repo = repository(files)
    repo.replace(".option('--depth <n>', 'how deep')", "", "bin/tool.js").commit()
    assert claims(repo) == {("docs/options.md", 3)}
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.write({"bin/tool.js": "#!/usr/bin/env node\nrequire('tool-cli')();\n"}).delete("gulpfile.js").commit()
    assert claims(repo) == set()


def test_a_list_that_got_shorter_with_one_new_name_tells_no_heir_of_those_that_went(repository: Make) -> None:
    page = "# Tool\n\n```ts\nimport {\n    RuleResult,\n    RuleMessage,\n    RuleKept,\n    RuleOther,\n} from 'tool';\n```\n"
    names = ("RuleKept", "RuleOther", "RuleResult", "RuleMessage")
    other = "".join(f"export interface {name} {{}}\n" for name in (*names, "RuleLevel"))
    index = "export {\n" + "".join(f"    {name},\n" for name in names) + "} from './other';\n"
    package = '{"name": "tool", "version": "1.0.0", "main": "index.ts"}\n'
    repo = repository({"README.md": page, "package.json": package, "index.ts": index, "other.ts": other})
    shorter = index.replace("    RuleResult,\n", "").replace("RuleMessage", "RuleLevel") + "export * from './other';\n"
    repo.write({"index.ts": shorter}).commit()
    assert claims(repo) == set()


def test_an_option_whose_program_has_no_parser_any_more_is_not_missed_but_one_of_a_deleted_command_is(
    repository: Make,
) -> None:
    parser = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--depth-first')\n"
    clean = "import click\n\n@click.command('clean')\n@click.option('--all-files')\ndef clean(all_files):\n    pass\n"
    page = "# Tool\n\n- `--depth-first`: how\n\n## clean\n\n- `--all-files`: what\n"
    repo = repository({"README.md": page, "tool/main.py": parser, "tool/clean.py": clean, "pyproject.toml": PYPROJECT})
    repo.write({"tool/main.py": "from other import main\n\nmain()\n"}).delete("tool/clean.py").commit()
    assert claims(repo) == {("README.md", 7)}


def test_an_option_that_is_looked_up_in_what_another_file_has_parsed_is_there(repository: Make) -> None:
    whole = "var argv = require('optimist').argv;\nrun(argv.outfile, argv.depth, argv.quiet);\n"
    args = "var argv = require('optimist').argv;\nrun(argv.depth);\nmodule.exports = { argv: argv };\n"
    rest = "var p = require('./args');\nrun(p.argv.outfile || 1, process.argv.length);\n"
    page = "# Options\n\n- `--outfile`: where\n- `--depth`: how\n- `--quiet`: what\n"
    repo = repository({"docs/options.md": page, "package.json": PACKAGE, "bin/tool.js": whole})
    repo.write({"bin/tool.js": rest, "bin/args.js": args}).commit()
    assert claims(repo) == {("docs/options.md", 5)}


def test_a_variable_that_a_call_is_given_is_none_of_several_of_a_kind(repository: Make) -> None:
    page = "# Keys\n\n- `store(service, username)`: keeps the `password` for the `username` of the `service`.\n\n`drop_all()` drops.\n"
    code = "def drop_all():\n    pass\n\n\ndef store(service, username, password):\n    save(\n        target=service,\n        user=username,\n        blob=password,\n    )\n"
    repo = repository({"README.md": page, "app.py": code})
    repo.replace("        target=service,", "        target=name_of_it,", "app.py").replace(
        "drop_all", "drop", "app.py"
    )
    repo.commit()
    assert claims(repo) == {("README.md", 5)}


def test_a_name_in_what_a_program_says_when_it_fails_is_not_missed(repository: Make) -> None:
    page = "# App\n\n```\nWarning: make sure that the mapPacked parameters are given.\n```\n\n`mapPacked` is a flag.\n"
    code = "export const shape = {\n  mapUrl: text,\n  mapPacked: flag,\n};\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/app.js": code})
    repo.replace("  mapPacked: flag,\n", "", "src/app.js").commit()
    assert claims(repo) == {("README.md", 7)}


def test_a_loop_s_variable_everybody_s_environment_and_a_program_s_own_name_are_not_missed(repository: Make) -> None:
    page = (
        "# Tool\n\n```csharp\nforeach (var kindOfBook in All())\n    Add(kindOfBook);\n```\n\n"
        "Turn on caching at `$HOME/.config/tool.json`.\n\nRun `tool-worker`, since `tool-worker` is `drop_all`.\n"
    )
    code = "import os\n\n\ndef drop_all(kindOfBook):\n    return os.environ['HOME'], kindOfBook\n"
    files: dict[str, str | bytes] = {
        "README.md": page,
        "tool.py": code,
        "contrib/bash/tool-worker": "complete -F _tool tool-worker\n",
        "pyproject.toml": '[project]\nname = "tool-worker"\nversion = "1"\n',
    }
    repo = repository(files)
    repo.write({"tool.py": "def drop():\n    pass\n"}).delete("contrib/bash/tool-worker").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["drop_all"]


def test_the_settings_that_readers_have_are_not_the_sample_in_the_repository(repository: Make) -> None:
    page = "# Tool\n\nIt reads `<config_dir>` `/` `tool.toml`.\n\nSee [the sample](config/tool.toml).\n"
    repo = repository({"README.md": page, "Cargo.toml": '[package]\nname = "tool"\n', "config/tool.toml": "a = 1\n"})
    repo.move("config/tool.toml", "config/default.toml").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_value_of_a_container_is_no_default_that_the_program_should_have(repository: Make) -> None:
    code = 'from app.reading import flag\n\nKEEP = flag("KEEP_CLONES", False)\nDEPTH = flag("CLONE_DEPTH", 3)\n'
    files: dict[str, str | bytes] = {
        "app/config.py": code,
        "docker/Dockerfile": "FROM scratch\nENV APP_KEEP_CLONES=true\n",
        "docker/docker-compose-many.yml": "services:\n  app:\n    image: app\n    environment:\n      - APP_CLONE_DEPTH=30\n",
    }
    repo = repository(files)
    page = "# Settings\n\n#### APP_KEEP_CLONES\n\nDefault: `False`\n\n#### APP_CLONE_DEPTH\n\nDefault: `3`\n"
    repo.write({"docs/settings.md": page}).commit()
    assert claims(repo) == set()


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
    assert claims(repo) == {("README.md", 5)}


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
    assert claims(repo) == {("docs/filter.md", 11)}


def test_what_an_example_calls_in_a_language_that_the_repository_has_no_file_of_is_another_s(repository: Make) -> None:
    page = """# Proxy

```python
s3_client = boto3.client('s3')
s3_client.put_object(Key='a')
```

```java
import software.sdk.S3Client;

S3Client client = S3Client.builder().build();
```

```go
client := config.NewStoreClient()
```
"""
    code = 'package config\n\ntype Config struct {\n\tS3Client Client `yaml:"s3_client"`\n\tDepth int `yaml:"depth"`\n}\n\n'
    function = "func NewStoreClient() *Client {\n\treturn nil\n}\n"
    repo = repository(
        {"docs/api.md": page, "go.mod": "module example.org/proxy\n", "config/config.go": code + function}
    )
    repo.replace('\tS3Client Client `yaml:"s3_client"`\n', "", "config/config.go").replace(
        function, "", "config/config.go"
    )
    repo.commit()
    assert claims(repo) == {("docs/api.md", 15)}


def test_what_an_example_asks_of_an_object_of_its_own_is_not_missed(repository: Make) -> None:
    page = """# Tool

```python
async with Session(headers={"a": token, **self._headers}) as session:
    pass
```

```python
class Own(Fetcher):
    def run(self):
        return self._retry_later()
```
"""
    code = """class Fetcher:
    def _headers(self):
        return {}

    def _retry_later(self):
        return 1

    def fetch(self):
        return 2
"""
    repo = repository({"README.md": page, "tool/fetch.py": code, "pyproject.toml": PYPROJECT})
    repo.write({"tool/fetch.py": "class Fetcher:\n    def fetch(self):\n        return 2\n"}).commit()
    assert claims(repo) == {("README.md", 11)}


def test_a_helper_of_tests_within_a_file_is_missed_where_it_is_told_of_but_not_in_an_example(repository: Make) -> None:
    page = "# Tests\n\n- `find_free_port` finds a port\n\n```rust\nlet port = find_free_port().await;\n```\n"
    code = "pub fn run() {}\n\n#[cfg(test)]\nmod tests {\n    async fn find_free_port() -> u16 {\n        1\n    }\n}\n"
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository({"docs/testing.md": page, "Cargo.toml": cargo, "src/lib.rs": code})
    repo.write({"src/lib.rs": "pub fn run() {}\n"}).commit()
    assert claims(repo) == {("docs/testing.md", 3)}


def test_a_route_that_was_none_before_is_not_the_change_s_though_those_beside_it_are_there(repository: Make) -> None:
    page = """# API

- `GET /api/items/:year/:month`
- `POST /api/items`
- `PUT /api/items/:id`
- `DELETE /api/items/:id`
- `POST /api/items/:year/:month/copy-previous`
"""
    head = "const express = require('express');\nconst app = express();\n"
    routes = (("get", "/:year/:month"), ("post", ""), ("put", "/:id"), ("delete", "/:id"), ("get", "/all-previous"))
    code = head + "".join(f"app.{method}('/api/items{rest}', run);\n" for method, rest in routes)
    button = "export const copyPrevious = () => {};\nexport const button = 'copy-previous';\n"
    files: dict[str, str | bytes] = {"README.md": page, "package.json": PACKAGE, "server.js": code}
    repo = repository(files | {"src/button.js": button, "src/other.js": button})
    repo.write(
        {"src/button.js": "export const button = 'all';\n", "README.md": "Text.\n\n- An item.\n\n" + page}
    ).commit()
    assert claims(repo) == set()


def test_a_link_that_led_nowhere_before_its_folders_were_renamed_is_not_the_change_s(repository: Make) -> None:
    page = "# Notes\n\n[gateway](../tests/e2e/gateway.py) and [client](../tests/e2e/client.py)\n"
    repo = repository({"dev/notes.md": page, "tests/e2e/client.py": "x = 1\n", "tool/app.py": "y = 1\n"})
    repo.move("tests/e2e/client.py", "tests/tool/e2e/main.py").replace("tests/e2e", "tests/tool/e2e", "dev/notes.md")
    repo.commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../tests/tool/e2e/client.py"]


def test_a_key_that_stands_deeper_in_the_same_settings_is_there(repository: Make) -> None:
    page = """# Labels

```json
{
  "labels": {
    "major": {
      "name": "BREAKING",
      "title": "It breaks",
      "caption": "What breaks",
      "description": "For what breaks"
    }
  }
}
```
"""
    label = "{\n    name: 'major',\n    title: 'Breaking',\n    description: 'Breaks',\n  }"
    code = (
        "export const defaultLabels = {\n  major: "
        + label
        + ",\n  caption: 'x',\n  name: 'a',\n  description: 'b',\n};\n"
    )
    repo = repository({"docs/labels.md": page, "package.json": PACKAGE, "src/labels.ts": code})
    repo.replace(label, "[" + label + "]", "src/labels.ts").replace("  caption: 'x',\n", "", "src/labels.ts").commit()
    assert claims(repo) == {("docs/labels.md", 9)}


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
    assert claims(repo) == {("README.md", 4)}


def test_a_method_of_a_class_that_does_not_parse_any_more_is_there(repository: Make) -> None:
    page = "# Cache\n\n`ClientCache.close()` closes it, and `ClientCache.drop()` drops it.\n"
    code = """package org.tool

class ClientCache {
  private val pending = mutableListOf<Client>()

  suspend fun close() {
    val closing = mutableListOf<Client>()
    closing.addAll(pending)
    closing.forEach { it.close() }
  }

  fun drop() {
    pending.clear()
  }
}
"""
    repo = repository({"README.md": page, "src/main/kotlin/org/tool/ClientCache.kt": code})
    # Syntax that no grammar knows yet: the definitions below are told line by line, without their class.
    new = code.replace("val closing = mutableListOf<Client>()", "val closing = when (all) {\n      [] -> none")
    new = new.replace("  fun drop() {\n    pending.clear()\n  }\n", "").replace("it.close()", "shut(it)")
    repo.write({"src/main/kotlin/org/tool/ClientCache.kt": new}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["ClientCache.drop"]


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
    assert claims(repo) == {("docs/chart.md", 13)}


def test_columns_of_a_database_of_which_the_code_reads_fewer_are_there(repository: Make) -> None:
    names = ("created_date", "start_date", "transfer_state", "is_outgoing", "user_info", "total_bytes")
    rows = "".join(f"| {name} | INTEGER | DEFAULT 0 |\n" for name in names)
    page = (
        "# Attachment table\n\n| Column | Type | Effect |\n| -- | -- | -- |\n"
        + rows
        + "\n`drop_attachment()` drops one.\n"
    )
    fields = "".join(f"    pub {name}: i32,\n" for name in names)
    code = "pub struct Attachment {\n    pub row_id: i32,\n" + fields + "}\n\npub fn drop_attachment() {}\n"
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository({"docs/tables/attachment.md": page, "Cargo.toml": cargo, "src/tables.rs": code})
    repo.write({"src/tables.rs": "pub struct Attachment {\n    pub row_id: i32,\n}\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["drop_attachment"]


def test_what_a_program_offers_in_words_of_a_list_is_not_the_type_that_makes_it(repository: Make) -> None:
    page = "# Board\n\n## Widgets\n\n* Weather\n* Bookmarks\n* Stocks\n* Calendar\n* Clock\n"
    made = 'func make(kind string) Widget {\n\tswitch kind {\n\tcase "{{}}":\n\t\treturn nil\n'
    kinds = "".join(
        f'\tcase "{name.lower()}":\n\t\treturn &{name}{{}}\n'
        for name in ("Weather", "Bookmarks", "Stocks", "Calendar", "Clock")
    )
    repo = repository(
        {"README.md": page, "go.mod": "module board\n", "widget.go": f"package board\n\n{made}{kinds}\t}}\n}}\n"}
    )
    repo.replace('"stocks"', '"markets", "stocks"', "widget.go").replace("&Stocks", "&Markets", "widget.go").commit()
    assert repo.drifted(since="HEAD~1") == []
    repo.write(
        {"README.md": page.replace("* ", "* `").replace("s\n", "s`\n").replace("r\n", "r`\n").replace("k\n", "k`\n")}
    )
    repo.replace("&Markets", "&Stocks", "widget.go").commit()
    repo.replace("&Stocks", "&Markets", "widget.go").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["Stocks"]


def test_a_file_in_whose_place_a_change_put_a_link_to_another_has_what_it_had(repository: Make) -> None:
    page = "# App\n\nStart it with `docker compose up -d worker`, look with `docker compose logs worker`.\n"
    compose = "services:\n  web:\n    image: app\n  worker:\n    image: app\n"
    repo = repository({"README.md": page, "docker-compose.yml": compose, "app.py": "print(1)\n"})
    repo.move("docker-compose.yml", "docker/docker-compose.yml")
    (repo.root / "docker-compose.yml").symlink_to("docker/docker-compose.yml")
    repo.commit()
    assert repo.drifted(since="HEAD~1") == []
    assert repo.drifted() == []
    (repo.root / "docker-compose.yml").unlink()
    repo.write({"docker-compose.yml": "services:\n  web:\n    image: app\n"}).commit()
    assert {finding.claim for finding in repo.drifted(since="HEAD~2")} == {"worker"}


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


def test_a_path_cannot_lead_above_the_root_of_a_site(repository: Make) -> None:
    page = "# Start\n\n![Done](/../../pictures/done.png)\n\n![Gone](/../../pictures/gone.png)\n"
    repo = repository(
        {"README.md": "# App\n", "app.py": "print(1)\n", "pictures/done.png": b"1", "pictures/gone.png": b"2"}
    )
    repo.move("pictures/done.png", "docs/pictures/done.png").delete("pictures/gone.png").commit()
    repo.write({"docs/guide/start.md": page}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["/../../pictures/gone.png"]


def test_links_that_lead_on_from_pages_as_a_site_serves_them_are_not_wrong_in_new_pages(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "README.md": "# App\n",
        "app.py": "print(1)\n",
        "docs/v1/pictures/a.png": b"1",
        "docs/v1/pictures/b.png": b"2",
        "old/a.png": b"1",
        "old/b.png": b"2",
        "docs/topics/lists/all.md": "# Lists\n",
        "docs/v1/topics/install.md": "# Install\n",
        "docs/v1/topics/lists/index.md": "# Lists\n",
        "docs/v1/old/here.md": "# Here\n\n![A](../pictures/a.png)\n",
    }
    repo = repository(files)
    repo.delete("docs/topics").commit()
    pages: dict[str, str | bytes] = {
        "docs/v1/how/one.md": "# One\n\n![A](../../pictures/a.png) and [lists](../../topics/lists)\n",
        "docs/v1/how/two.md": "# Two\n\n![B](../../pictures/b.png), [install](../../topics/install)\n",
        "docs/v1/how/three.md": "# Three\n\n[Install](../../topics/install/) it; see [this](../../topics/nothing.md).\n",
    }
    repo.write(pages).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../../topics/nothing.md"]
    # What lay deeper before has not been written for a site: its links led somewhere from there.
    repo.write(
        {"docs/v1/deep/er/old.md": "# Old\n\n![B](../../pictures/b.png) is shown here, as it was drawn.\n"}
    ).commit()
    repo.move("docs/v1/deep/er/old.md", "docs/v1/deep/old.md").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["../../pictures/b.png"]


def test_a_command_in_a_sentence_about_a_default_way_is_no_default(repository: Make) -> None:
    page = (
        "# Login\n\n`open` logs in. By default, `open` hands over to `other-tool cloud login`.\n\n"
        "The default of `open` is `other-tool`.\n"
    )
    code = 'module.exports = {\n  open: "other-tool",\n  depth: 3,\n};\n'
    repo = repository({"README.md": page, "package.json": '{"name": "tool"}\n', "src/settings.js": code})
    repo.write({"src/run.js": 'spawn("other-tool", ["cloud"]);\n'}).commit()
    repo.replace('open: "other-tool"', 'open: "own-tool"', "src/settings.js").commit()
    assert claims(repo) == {("README.md", 5)}


def test_a_review_that_cites_lines_of_code_tells_of_its_day_and_a_description_of_today(repository: Make) -> None:
    cited = "".join(f"- `src/run.py:{10 * n}` takes too long.\n" for n in range(1, 11))
    review = f"# What is slow\n\n`load_all_items()` reads twice.\n\n{cited}"
    few = "# How it works\n\n`load_all_items()` reads twice, see `src/run.py:10` and `src/run.py:20`.\n"
    code = "def load_all_items():\n    pass\n\n\ndef run():\n    pass\n"
    files: dict[str, str | bytes] = {
        "README.md": f"# App\n\n`load_all_items()` reads.\n\n{cited}",
        "notes/slow.md": review,
        "notes/works.md": few,
        "src/run.py": code,
    }
    repo = repository(files)
    repo.replace("def load_all_items():\n    pass\n\n\n", "", "src/run.py").commit()
    assert claims(repo) == {("README.md", 3), ("notes/works.md", 3)}


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
    assert claims(repo) == {("README.md", 6)}
