"""What is there all the same, or was never meant, is left alone: names of code."""

from __future__ import annotations

import pytest

from docalign_actors.engine.lost.features import features
from tests.support.changes import BOTH, NODE, PYTHON, Make
from tests.support.renames import readme
from tests.support.repository import Repository

_CONTROLLER = (
    'using Microsoft.AspNetCore.Mvc;\n\n[ApiController]\n[Route("api/[controller]")]\npublic class OrdersController : ControllerBase\n{\n'
    '    [HttpGet("{id}/lines")]\n    public IActionResult Lines(int id) => Ok();\n\n'
    '    [HttpPost("archive")]\n    public async Task<IActionResult> Archive() => Ok();\n}\n'
)

RUBY = (
    "module Tool\n  class Configuration\n    attr_accessor :poll_interval\n    # Late by more than this. Defaults to 60 seconds.\n"
    "    attr_accessor :grace_period\n\n    def initialize\n      @enabled = true\n      @poll_interval = 30\n      @grace_period = 60\n"
    "      # called prior to the rack chain\n      @mode = :single\n      @before = nil\n    end\n  end\nend\n"
)

CARGO = {"Cargo.toml": '[package]\nname = "tool"\nversion = "0.1.0"\nedition = "2021"\n'}

LABELS = (
    'package a\n\nvar one = []string{"groupname"}\n\nvar two = []string{"groupname", "mode"}\n\ntype GroupName string\n'
)

DOTNET = {
    "src/Tool.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><ToolCommandName>dotnet-tool</ToolCommandName>'
    "</PropertyGroup></Project>\n"
}

_VIEW = "public class View {\n    public void onRender() {\n        draw();\n    }\n}\n"

_PLUGIN = (
    "public class Tool extends JavaPlugin {\n    @Override\n    public void onEnable() {\n        start();\n    }\n}\n"
)


def test_what_asp_net_maps_by_constants_is_not_called_false(repository: Make) -> None:
    text = "# Shop\n\n| Route |\n|---|\n| `GET /api/orders/{id}/lines` |\n| `POST /api/orders/archive` |\n| `GET /api/orders/{id}/notes` |\n"
    repo: Repository = repository({"README.md": text, "src/OrdersController.cs": _CONTROLLER})
    assert repo.stale_lines() == set()


@BOTH
def test_code_that_sets_several_things_tells_of_none_of_them(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\nTasks wait 30s by default, you can change it by setting:\n\n"
        "```ruby\nconfig.wait = 5\nconfig.poll_interval = 10\n```\n"
    )
    repo = repository({"README.md": text, "lib/tool.rb": RUBY})
    repo.replace("= 30", "= 15", "lib/tool.rb").commit()
    assert repo.stale_lines(since=since) == set()


def test_a_release_that_a_document_lists_is_of_the_past_all_the_same(repository: Make) -> None:
    repo = repository({
        "RELEASE.md": "# Release 1.2.0\n\nAdds `--generate-man`.\n", **CARGO,
        "src/main.rs": "use clap::Parser;\n\n#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    generate_man: bool,\n}\n\nfn main() {\n    Cli::parse();\n}\n",
    })  # fmt: skip
    repo.replace("generate_man", "write_man", "src/main.rs").commit()
    assert repo.stale_lines() == set()


@BOTH
@pytest.mark.parametrize("more", ['package a\n\nvar three = "groupname"\n', "package a\n\nfunc groupname() {}\n"])
def test_a_word_that_code_still_has_is_not_missed(repository: Make, since: str, more: str) -> None:
    repo = repository({"README.md": "They have the label `groupname`.\n", "a.go": LABELS, "b.go": more})
    repo.replace('"groupname"', '"group"', "a.go").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_word_of_one_line_alone_says_nothing(repository: Make, since: str) -> None:
    repo = repository({"README.md": "Ask `somebody` first.\n", "a.go": 'package a\n\nvar one = "somebody"\n'})
    repo.replace('"somebody"', '"nobody"', "a.go").commit()
    assert repo.stale_lines(since=since) == set()


def test_what_a_docstrings_example_calls_is_defined_nowhere(repository: Make) -> None:
    page = "# Tool\n\n`user.set_secret_word` of your model is called.\n"
    code = 'def after(user):\n    """Called after.\n\n        user.set_secret_word("x")\n        "set_secret_word": 1\n    """\n    return user\n'
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": "", "tool/hooks.py": code})
    repo.replace("set_secret_word", "set_word", "tool/hooks.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_code_no_longer_gives_to_an_element_is_the_elements(repository: Make) -> None:
    page = "# Tool\n\n```html\n<iframe\n  allowfullscreen\n  allowtransparency\n  autofocus\n></iframe>\n```\n"
    lines = "".join(
        f"  frame.setAttribute('{name}', '');\n" for name in ("allowfullscreen", "allowtransparency", "autofocus")
    )
    repo = repository({**NODE, "README.md": page, "embed.js": f"export function embed(frame) {{\n{lines}}}\n"})
    repo.replace("  frame.setAttribute('allowtransparency', '');\n", "", "embed.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_class_that_the_document_lets_the_reader_write_is_his(repository: Make) -> None:
    page = (
        "# Tool\n\n```python\nrun(style=DocumentStyle)\n```\n\nFor that, write:\n\n"
        "```python\nclass DocumentStyle(Style):\n    pass\n```\n"
    )
    code = "class DocumentStyle:\n    pass\n\n\ndef run(style):\n    return style\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace("class DocumentStyle:\n    pass\n\n\n", "", "tool/__init__.py").commit()
    assert ("README.md", 4) not in repo.stale_lines(since="HEAD~1")


def test_a_word_that_went_with_a_name_of_somebody_else_is_left_alone(repository: Make) -> None:
    repo = repository(
        {"README.md": "Use `fetch_rows` from `databases`.\n", "pkg/db.py": "import databases\ndatabases.fetch_rows()\n"}
    )
    repo.write({"pkg/db.py": "x = 1\n"}).commit()
    assert repo.stale_lines() == set()


def test_features_are_those_of_the_table_and_dependencies_that_may_be_left_out() -> None:
    lines = [
        "[package]",
        "name = 'x'",
        "[features]",
        "tls = []",
        "[dependencies]",
        "a = '1'",
        "ssl = { version = '1', optional = true }",
    ]
    assert features(lines) == {"tls", "ssl"}


def test_a_word_that_another_string_still_has_is_left_alone(repository: Make) -> None:
    code = 'class A\n{\n    string State() => Pick("truncate", "x");\n}\n'
    other = 'class B\n{\n    Command Make() => Declare("truncate");\n}\n'
    repo = repository({**readme("```sh", "dotnet-tool truncate", "```"), **DOTNET, "src/A.cs": code, "src/B.cs": other})
    repo.replace('"truncate"', '"drain"', "src/A.cs").commit()
    assert repo.stale_lines() == set()


def test_a_word_of_a_comment_is_not_the_hook_that_went(repository: Make) -> None:
    page = "# Work\n\n```bash\n# Run all pre-commit checks\ncomposer check\n```\n"
    repo = repository({"docs/work.md": page, ".husky/pre-commit": "composer check\n", "a.php": "<?php\n"})
    repo.delete(".husky/pre-commit").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_method_that_an_example_has_from_anothers_class_is_not_ours(repository: Make) -> None:
    page = (
        "# Use\n\n```java\npublic final class MyPlugin extends JavaPlugin {\n    @Override\n    public void onEnable() {\n"
        "        frame.register();\n    }\n}\n```\n"
    )
    repo = repository({"README.md": page, "src/main/java/Tool.java": _PLUGIN, "src/main/java/View.java": _VIEW})
    repo.replace(
        "    @Override\n    public void onEnable() {\n        start();\n    }\n", "", "src/main/java/Tool.java"
    )
    assert repo.commit().stale_lines(since="HEAD~1") == set()


def test_a_report_that_says_when_it_was_produced_is_of_that_day(repository: Make) -> None:
    page = "# Metric audit\n\nProduced 2026-07-02 by the assessment.\n\n## Table\n\n- `avg_latency_ms` is a gauge.\n"
    code = "class Metrics:\n    def avg_latency_ms(self):\n        return 1\n"
    repo = repository({"evidence/audit.md": page, "tool/run.py": code, "tool/__init__.py": ""})
    repo.replace("avg_latency_ms", "avg_latency_seconds", "tool/run.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_name_that_code_only_used_is_not_missed(repository: Make) -> None:
    code = 'package app\n\nimport "reflect"\n\nfunc Alike(a, b any) bool {\n\treturn reflect.DeepEqual(a, b)\n}\n'
    page = "# App\n\n```go\nif !reflect.DeepEqual(names, nodes) {\n\tupdate()\n}\n```\n\n`Alike` compares.\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.replace("reflect.DeepEqual(a, b)", "a == b", "app.go").replace('import "reflect"\n\n', "", "app.go").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_word_of_a_pipeline_is_no_name(repository: Make) -> None:
    flow = "name: build\non: push\njobs:\n  build:\n    name: Build on macOS\n    runs-on: macOS-latest\n"
    repo = repository({"README.md": "# App\n\n- macOS: `./app`\n", "app.py": "", ".github/workflows/b.yml": flow})
    repo.replace("macOS", "ubuntu", ".github/workflows/b.yml").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_moved_to_another_repository_is_not_missed_where_the_change_says_so(repository: Make) -> None:
    page = "# Hook\n\nPut :src:`contrib/tool_hook.py` into your plugins, with\n\n* ``hook_server``\n* ``hook_port``\n"
    code = "def run(conf):\n    return conf.get('hook_server'), conf.get('hook_port')\n"
    repo = repository({"docs/hook.rst": page, "contrib/tool_hook.py": code, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "contrib/tool_hook.py")
    repo.replace(":src:", ":contrib-src:", "docs/hook.rst").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_one_of_several_that_left_a_list_did_not_become_the_one_that_joined_it(repository: Make) -> None:
    before = "const plugins = [\n  'doExpressions',\n  'classProperties',\n  'bigInt',\n  'topAwait',\n];\n"
    after = "// No need of classProperties any more.\nconst plugins = [\n  'doExpressions',\n  'decorators',\n];\n"
    page = '# App\n\n## Options\n\nDefault: `{}`\nConfig: `"plugins": ["classProperties"]`\n'
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.js": before})
    repo.write({"src/index.js": after}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_code_that_the_ignore_rules_name_is_read_where_it_is_tracked(repository: Make) -> None:
    code = "import { program } from 'commander'\n\nprogram\n  .option('-R, --rulesdir <folder>', 'rules')\n  .parse(process.argv)\n"
    manifest = '{"name": "app", "bin": {"app": "./bin/app.js"}}\n'
    repo = repository(
        {"README.md": "# App\n\n    $ app --rulesdir rules\n", "package.json": manifest, "bin/app.js": code}
    )
    repo.write({".gitignore": "bin\n", "src/bin/app.ts": code})
    repo.git("rm", "-q", "bin/app.js")
    repo.git("add", "-f", "src/bin/app.ts", ".gitignore")
    repo.git("commit", "-qm", "typescript")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_measurement_s_name_in_its_output_is_not_missed(repository: Make) -> None:
    code = "fn bench_parse_all(b: &mut Bencher) {\n    b.iter(|| 1);\n}\n"
    page = "# App\n\n```\ntest bench_parse_all ... bench: 109,804 ns/iter\n```\n"
    repo = repository({"docs/speed.md": page, "Cargo.toml": '[package]\nname = "app"\n', "benches/parse.rs": code})
    repo.replace("bench_parse_all", "measure_all", "benches/parse.rs").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_list_that_got_shorter_with_one_new_name_tells_no_heir_of_those_that_went(repository: Make) -> None:
    page = "# Tool\n\n```ts\nimport {\n    RuleResult,\n    RuleMessage,\n    RuleKept,\n    RuleOther,\n} from 'tool';\n```\n"
    names = ("RuleKept", "RuleOther", "RuleResult", "RuleMessage")
    other = "".join(f"export interface {name} {{}}\n" for name in (*names, "RuleLevel"))
    index = "export {\n" + "".join(f"    {name},\n" for name in names) + "} from './other';\n"
    package = '{"name": "tool", "version": "1.0.0", "main": "index.ts"}\n'
    repo = repository({"README.md": page, "package.json": package, "index.ts": index, "other.ts": other})
    shorter = index.replace("    RuleResult,\n", "").replace("RuleMessage", "RuleLevel") + "export * from './other';\n"
    repo.write({"index.ts": shorter}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


@BOTH
def test_a_name_that_another_library_has_is_left_alone(repository: Make, since: str) -> None:
    code = 'import { useEffect } from "react";\n\nexport function mountApp() {\n  useEffect(() => {});\n}\n'
    page = "In your component:\n\n```js\nuseEffect(() => mountApp());\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "a"}', "src/a.js": code})
    repo.write({"src/a.js": "export function mountApp() {}\n"}).commit()
    assert repo.stale_lines(since=since) == set()


def test_a_name_that_tests_still_have_is_left_alone(repository: Make) -> None:
    repo = repository({
        "README.md": "A template with `{{ load_all_items }}`.\n", "pkg/__init__.py": "",
        "pkg/m.py": "def load_all_items():\n    pass\n", "tests/test_m.py": "load_all_items = 1\n",
    })  # fmt: skip
    repo.replace("load_all_items", "read_all_items", "pkg/m.py").commit()
    assert repo.stale_lines() == set()


@BOTH
def test_a_name_that_an_example_defines_for_itself_is_left_alone(repository: Make, since: str) -> None:
    page = "Write:\n\n```python\ndef make_report(x):\n    ...\n```\n\nand use `{{ make_report }}`.\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": "def make_report():\n    pass\n"})
    repo.replace("make_report", "build_summary", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_method_of_another_librarys_object_is_left_alone(repository: Make, since: str) -> None:
    page = (
        "Options of a session:\n\n```python\nimport argparse\n\nparser = argparse.ArgumentParser()\n"
        "args = parser.parse_inputs()\n```\n"
    )
    code = "class OptionSet:\n    def parse_inputs(self):\n        return 1\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/o.py": code})
    repo.replace("parse_inputs", "decode_words", "pkg/o.py").commit()
    assert repo.stale_lines(since=since) == set()
