"""What went and is named by documents yet is missed: configuration keys."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, NODE, PYTHON, Make
from tests.support.repository import Repository

PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'

CONFIG = "".join(
    f'  "{name}": true,\n' for name in ("oneFilePanel", "syncPath", "keysPanel", "showDotFiles", "confirmCopy")
)

LABELS = (
    'package a\n\nvar one = []string{"groupname"}\n\nvar two = []string{"groupname", "mode"}\n\ntype GroupName string\n'
)

TABLE = """# Tool

```json
{
  "allowlist": [],
  "attributes": [],
  "directives": []
}
```
"""

RULE = """const LIST = []
module.exports = (opts) => {
  const allowlist = opts.allowlist || LIST
  const attributes = opts.attributes || LIST
  const directives = opts.directives || LIST
  return check(allowlist, attributes, directives)
}
"""

PACKAGE_2 = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


PAGE = "# T\n\nCommands:\n\n- **`run`** - start it\n- **`dev`** - look at it\n- **`check`** - see what it has\n"

CODE = "".join(f"@app.command\ndef {name}():\n    return 1\n\n\n" for name in ("run", "dev", "check", "prepare"))


@BOTH
def test_a_key_of_a_file_of_settings_is_gone_although_an_option_is_still_called_so(
    repository: Make, since: str
) -> None:
    text = "# Settings\n\n```json\n{\n" + CONFIG.replace(",\n", ", // what for\n") + "}\n```\n"
    code = "config('syncPath', args.syncPath);\nconfig('keysPanel', args.keysPanel);\nconfig('oneFilePanel', args.oneFilePanel);\n"
    files = {"README.md": text, "json/config.json": "{\n" + CONFIG + '  "last": 1\n}\n', "cli.js": code}
    repo = repository({**files, "package.json": PACKAGE})
    repo.replace('"syncPath"', '"follow"', "json/config.json").replace("'syncPath'", "'follow'", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_the_choices_of_a_usage_lose_a_command_that_is_renamed_with_its_function(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser('tool')\nsub = parser.add_subparsers()\n"
        "sub.add_parser(\n    'check',\n    help='validate')\n\n\nCOMMANDS = {\n    'check': command_check,\n"
        "    'export': command_export,\n    'start': command_start,\n}\n"
    )
    page = (
        "# Tool\n\nIts help:\n\n```text\nusage: tool [-h] {check,export,start} ...\n\ntasks:\n  {check,export,start}\n"
        "    check               validate a file\n    export              write a file\n    start               run it\n```\n"
    )
    repo = repository({**PYTHON, "docs/usage.md": page, "tool/command.py": code})
    repo.replace("check", "validate_all", "tool/command.py").commit()
    assert repo.stale_lines(since=since) == {("docs/usage.md", 6), ("docs/usage.md", 9), ("docs/usage.md", 10)}


def test_a_repository_elsewhere_is_called_what_it_is_called(repository: Make) -> None:
    page = (
        "# Tool\n\n- [`@tool/request-context`](https://github.com/tool/tool-request-context) keeps values\n"
        "- [where](https://tool.example.org/docs/tool-request-context) it was\n"
    )
    code = 'export const known = {\n  "tool-request-context": true,\n  other: true,\n};\n'
    manifest = '{"name": "tool", "version": "1.0.0"}\n'
    repo = repository({"README.md": page, "package.json": manifest, "src/known.ts": code})
    repo.replace('  "tool-request-context": true,\n', "", "src/known.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


def test_a_chart_with_hundreds_of_values_is_read_to_its_end(repository: Make) -> None:
    def values(count: int) -> str:
        return "".join(f"part{n}:\n  enabled: true\n" for n in range(count)) + "last:\n  sizeLimit: 2Gi\n  other: 1\n"

    files: dict[str, str | bytes] = {
        "Chart.yaml": "name: tool\nversion: 1.0.0\n",
        "README.md": "# Tool\n\nSet `last.sizeLimit` and `last.other`.\n",
        "values.yaml": values(100),
    }
    repo = repository(files)
    repo.write({"values.yaml": values(400).replace("  other: 1\n", "")}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"other"}


@BOTH
def test_a_word_that_code_had_as_a_string_is_missed_in_a_span(repository: Make, since: str) -> None:
    repo = repository({"README.md": "They have the label `groupname`.\n", "a.go": LABELS})
    repo.replace('"groupname"', '"group"', "a.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
@pytest.mark.parametrize(
    ("old", "new", "told"), [("artifacts.json", "report.json", True), ("config.json", "settings.json", False)]
)
def test_a_file_that_a_program_writes_is_missed_unless_everybody_has_it(
    repository: Make, since: str, old: str, new: str, told: bool
) -> None:
    code = f'package a\n\nval output = folder.file("{old}")\n'
    repo = repository({"README.md": f"It writes:\n\n1. `{old}`\n", "src/main/kotlin/Task.kt": code})
    repo.replace(old, new, "src/main/kotlin/Task.kt").commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3)} if told else set())


@BOTH
def test_what_a_file_is_called_with_a_dot_before_it_is_missed(repository: Make, since: str) -> None:
    code = "<?php\nclass Deployer\n{\n\tpublic string $file = '.htdeployment';\n}\n"
    text = "An `.htdeployment` file is kept.\n\n```ini\n; hashes (defaults to .htdeployment)\n```\n"
    repo = repository({"readme.md": text, "src/Deployer.php": code})
    repo.replace(".htdeployment", ".htsync", "src/Deployer.php").commit()
    assert repo.stale_lines(since=since) == {("readme.md", 1), ("readme.md", 4)}


@BOTH
def test_a_profile_of_a_crate_is_missed_where_it_is_chosen_and_called_one(repository: Make, since: str) -> None:
    cargo = '[package]\nname = "tool"\n\n[profile.release]\nlto = true\n\n[profile.minimal]\ninherits = "release"\n'
    text = "The `minimal` profile makes it small.\n\n```sh\ncargo build --profile minimal\n```\n\nThe minimal size.\n"
    repo = repository({"docs/build.md": text, "Cargo.toml": cargo, "src/main.rs": "fn main() {}\n"})
    repo.replace("profile.minimal", "profile.small", "Cargo.toml").commit()
    assert repo.stale_lines(since=since) == {("docs/build.md", 1), ("docs/build.md", 4)}


def test_a_variable_that_is_renamed_leaves_the_key_that_it_is_read_from(repository: Make) -> None:
    repo = repository({**NODE, "README.md": TABLE, "rule.js": RULE})
    repo.replace("const allowlist", "const raw", "rule.js").replace("check(allowlist", "check(raw", "rule.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()

    repo.replace("opts.allowlist", "opts.allowed", "rule.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_key_of_several_words_that_other_code_takes_is_there_though_one_place_gives_another(repository: Make) -> None:
    given = "const options = {\n  Client: S,\n  clientOptions: {},\n  clientCapture: c,\n  disablePrefetch: true\n}\n"
    listed = "- `Client`: one\n- `clientOptions`: two\n- `clientCapture`: three\n- `disablePrefetch`: four\n"
    other = "export const take = (options) => ({ ...options.clientOptions })\n"
    repo = repository({**NODE, "README.md": f"# Tool\n\n{listed}", "use.js": given, "take.js": other})
    repo.replace("clientOptions", "credentials", "use.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()

    repo.replace("clientOptions", "credentials", "take.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


def test_a_key_below_another_one_is_not_of_its_kind(repository: Make) -> None:
    page = '# Tool\n\n```json\n{\n  "patterns": [],\n  "priority": 1,\n  "lifecycle": {\n    "retention": "7d"\n  },\n  "meta": {}\n}\n```\n'
    fields = '    "patterns",\n    "priority",\n    "retention",\n    "meta",\n'
    code = f"FIELDS = [\n{fields}]\n"
    repo = repository({**PYTHON, "README.md": page, "tool/__init__.py": code})
    repo.replace('    "retention",\n', "", "tool/__init__.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace('    "priority",\n', "", "tool/__init__.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 6)}


@BOTH
def test_a_variable_goes_with_the_key_that_it_stands_for(repository: Make, since: str) -> None:
    text = "# Tool\n\nFor instance, `tool.feed-refresh.interval-max` can be\nset with the `TOOL_FEED_REFRESH_INTERVAL_MAX` variable.\n`OTHER_FEED_REFRESH_INTERVAL_MAX` is not ours.\n"
    code = "interface Configuration {\n    interface FeedRefresh {\n        int intervalMax();\n    }\n}\n"
    model = 'property: "tool.feed-refresh.interval-max"\n'
    repo = repository({
        "README.md": text, "src/main/java/Configuration.java": code, "src/main/resources/model.yaml": model,
    })  # fmt: skip
    repo.replace("intervalMax", "longestInterval", "src/main/java/Configuration.java")
    repo.replace("interval-max", "longest-interval", "src/main/resources/model.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}


@BOTH
def test_a_key_is_missed_although_its_field_and_a_longer_key_stay(repository: Make, since: str) -> None:
    code = (
        'package hook\n\ntype Hook struct {\n\tTriggerRule string `json:"trigger-rule,omitempty"`\n'
        '\tTriggerRuleStatus int `json:"trigger-rule-status,omitempty"`\n}\n'
    )
    repo = repository({"docs/Definition.md": "# Properties\n\n * `trigger-rule` - the rule\n", "hook/hook.go": code})
    repo.replace('"trigger-rule,', '"rule,', "hook/hook.go").commit()
    assert repo.stale_lines(since=since) == {("docs/Definition.md", 3)}


@BOTH
def test_a_value_of_a_chart_is_missed_although_its_words_stay(repository: Make, since: str) -> None:
    table = "| Parameter | Default | Description |\n|---|---|---|\n| `hpa.enabled` | `false` | scale |\n"
    repo = repository({
        "chart/README.md": f"# Configuration\n\n{table}", "chart/Chart.yaml": "name: tool\nversion: 1.0.0\n",
        "chart/values.yaml": "hpa:\n  enabled: false\nui:\n  enabled: true\n", "deploy/list.yaml": "resources:\n- hpa.yaml\n",
    })  # fmt: skip
    repo.replace("hpa:", "autoscaling:", "chart/values.yaml").commit()
    assert ("chart/README.md", 5) in repo.stale_lines(since=since)


def test_a_setting_of_go_whose_tag_has_another_name_is_gone_though_its_field_is_there(repository: Make) -> None:
    fields = 'package mock\n\ntype Config struct {\n\tFailMode string `json:"failMode"`\n\tFailStatus int `json:"failStatus,omitempty"`\n}\n'
    table = "| Key | |\n|---|---|\n| `failMode` | how |\n| `failStatus` | which |\n"
    repo = repository({"docs/mock.md": f"# Settings\n\n{table}", "mock/config.go": fields})
    repo.replace('"failStatus', '"failCode', "mock/config.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/mock.md", 6)}


def test_a_key_that_another_file_declares_is_still_taken(repository: Make) -> None:
    lane = 'package p\n\ntype Lane struct {\n\tName   string `yaml:"name"`\n\tFilter string `yaml:"filter"`\n}\n'
    view = (
        'package p\n\ntype View struct {\n\tKind   string `yaml:"kind"`\n\tColor string `yaml:"color"`\n'
        '\tLabel string `yaml:"label"`\n\tFilter string `yaml:"filter"`\n}\n'
    )
    page = "# Views\n\n```yaml\nkind: a\ncolor: red\nlabel: x\nfilter: all\n```\n"
    repo = repository({"docs/views.md": page, "p/lane.go": lane, "p/view.go": view})
    repo.replace('\tFilter string `yaml:"filter"`\n', "", "p/view.go").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace('\tFilter string `yaml:"filter"`\n', "", "p/lane.go").commit()
    assert repo.stale_lines(since="HEAD~2") == {("docs/views.md", 7)}


def test_a_word_of_the_language_is_none_of_several_of_a_kind(repository: Make) -> None:
    code = "def kinds(name):\n    add(None)\n    add(FlowKind)\n    add(FileKind)\n    add(HostKind)\n"
    page = "# Kinds\n\n- `None`: nothing\n- `FlowKind`: a flow\n- `FileKind`: a file\n- `HostKind`: a host\n"
    repo = repository({"docs/kinds.md": page, "tool/kinds.py": code})
    repo.replace("add(None)", "add(AnyKind)", "tool/kinds.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace("add(FileKind)", "add(PathKind)", "tool/kinds.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/kinds.md", 5)}


def test_a_package_that_code_looked_for_is_not_missed_where_it_is_installed(repository: Make) -> None:
    page = "# Tool\n\nLeave out `node_modules/tool-prebuilt`. The key `keep-prebuilt` and `tool-helper` do it.\n"
    code = "const at = require.resolve('tool-helper');\nconst it = find('tool-prebuilt', { 'keep-prebuilt': 1 });\n"
    repo = repository({"README.md": page, "package.json": PACKAGE_2, "src/app.js": code})
    repo.write({"src/app.js": "const it = 1;\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["keep-prebuilt"]


def test_what_a_link_to_another_place_is_called_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\n- [Show-UI](https://github.com/show/show-ui)\n- Keep-UI\n\n`keep-first` keeps.\n"
    code = "const names = { 'Show-UI': 1, 'Keep-UI': 2, 'keep-first': 3 };\n"
    repo = repository({"README.md": page, "package.json": PACKAGE_2, "src/app.js": code})
    repo.write({"src/app.js": "const names = {};\n"}).commit()
    assert ("README.md", 3) not in claims(repo)
    assert ("README.md", 6) in claims(repo)


def test_what_a_package_that_is_demanded_from_now_on_took_over_is_there_still(repository: Make) -> None:
    rest = "".join(f"def step_{n}(given):\n    return given + {n}\n\n\n" for n in range(20))
    code = 'def settings(attrs):\n    return attrs.get("min_run_count", 2)\n\n\n' + rest
    page = "# Attributes\n\n- `min_run_count`: how often it is run at least.\n"
    manifest = '[project]\nname = "tool"\ndependencies = ["json5>=1"{}]\n'
    files = {"docs/attributes.md": page, "tool/run.py": code, "tool/__init__.py": ""}
    repo = repository({**files, "pyproject.toml": manifest.format("")})
    repo.write({"tool/run.py": "import tool_runner\n\ntool_runner.main()\n"})
    repo.write({"pyproject.toml": manifest.format(', "tool_runner>=0.1"')}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.git("reset", "-q", "--hard", "HEAD~1")
    repo.write({"tool/run.py": "import json\n\njson.loads('1')\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/attributes.md", 3)}


def test_what_was_removed_for_good_is_missed_in_the_same_place(repository: Make) -> None:
    page = "# Hook\n\nPut :src:`contrib/tool_hook.py` into your plugins, with\n\n* ``hook_server``\n* ``hook_port``\n"
    code = "def run(conf):\n    return conf.get('hook_server'), conf.get('hook_port')\n"
    repo = repository({"docs/hook.rst": page, "contrib/tool_hook.py": code, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "contrib/tool_hook.py")
    repo.git("commit", "-qm", "no hook")
    assert repo.stale_lines(since="HEAD~1") >= {("docs/hook.rst", 5), ("docs/hook.rst", 6)}


def test_what_the_change_says_for_the_first_time_is_not_of_what_it_took_away(repository: Make) -> None:
    code = "export function addTasks(project) {\n  project.addTask({ taskName: 'upgrade-projen' })\n}\n"
    page = "# App\n\nThe tasks: `upgrade-projen`.\n"
    repo = repository(
        {"README.md": page, "docs/own.md": "# Own\n", "package.json": '{"name": "app"}\n', "src/index.js": code}
    )
    repo.replace("  project.addTask({ taskName: 'upgrade-projen' })\n", "", "src/index.js")
    repo.write({"docs/own.md": "# Own\n\n```js\naddTask(project, { taskName: 'upgrade-projen' })\n```\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


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
    repo = repository({"docs/labels.md": page, "package.json": PACKAGE_2, "src/labels.ts": code})
    repo.replace(label, "[" + label + "]", "src/labels.ts").replace("  caption: 'x',\n", "", "src/labels.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/labels.md", 9)}


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


@pytest.mark.parametrize(("written", "reported"), [("", ["dev"]), ('dev_app = App(name="dev")\n', [])])
def test_a_command_that_the_change_itself_names_anew_is_still_there(
    repository: Make, written: str, reported: list[str]
) -> None:
    repo = repository({"README.md": PAGE, "src/cli.py": CODE})
    repo.write({"src/cli.py": CODE.replace("def dev", "def inspector") + written}).commit("inspector")
    assert [finding.claim for finding in repo.drifted()] == reported


@BOTH
def test_a_key_is_missed_in_every_place_although_an_option_of_its_name_and_a_field_like_it_are_left(
    repository: Make, since: str
) -> None:
    code = (
        "package templates\n\n// Dep is one.\ntype Dep struct {\n\tForEach []string\n}\n\n"
        'func read(m map[string]string) {\n\topen(m["template-url"])\n\tprint(m["for_each"])\n}\n'
    )
    page = (
        "# Keys\n\n| Key | |\n|---|---|\n| `template-url` | Where it is. |\n| `for_each` | One for each. |\n\n"
        "Unlike the option `--template-url`:\n\n```yaml\ndependencies:\n  - template-url: ../a\n    for_each: [a]\n```\n"
    )
    usage = 'package main\n\nconst usage = "app --template-url DIR"\n'
    repo = repository({"go.mod": "module example.org/app\n", "templates/d.go": code, "u.go": usage, "docs/k.md": page})
    repo.replace("template-url", "source-url", "templates/d.go").replace('"for_each"', '"each_of"', "templates/d.go")
    repo.commit()
    assert repo.stale_lines(since=since) == {("docs/k.md", line) for line in (5, 6, 12, 13)}
