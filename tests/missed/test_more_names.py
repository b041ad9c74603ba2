"""What went and is named by documents yet is missed: names of code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


PACKAGE = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'

_VIEW = "public class View {\n    public void onRender() {\n        draw();\n    }\n}\n"

PYPROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.main:main"\n'

PAGES = {
    "docs/names.md": [
        "# Names", "",
        "| Property | Type |", "|---|---|", "!| **skipMissing** | Boolean |", "",
        "!- **purge_stale**: throws away", "",
        "!See purge_stale above, which is off.", "", "!Useful flags are -quiet and -purge_stale then.", "",
        "The re-purge_stale of others is not it.", "",
        "!* ``--[no-]npm-registry URL`` asks another one", "",
        "!Set the variable `QUIET_START` for the image.", "",
        "```hcl", "!cursor_blink = true", "```", "",
        "!- `OVERWRITE_RC=(0|1)`: write it anew", "",
        "The HTTP header `max-stale` and the product SkipMissing are others'.", "",
        "```python", "retry_total = 3", "client.wait(retry_total)", "```",
    ],
    "docs/terms.rst": ["Settings", "========", "", "!purge-stale", "    Throws away.", "", "expire-after", "    After it all goes.", "", "!    Default: ``30d``"],
    "docs/values.md": [
        "# Values", "",
        "!By default, workers use at most 256mb of heap.", "",
        "!The lowest supported version of Gradle is `7.4`.", "",
        "!Without a name, `main.csx` is taken for the script, which is the default.", "",
        "!- `FISHDIR=<PATH>`: for completions. (Default: `${DATA}/fish/vendor.d`)", "",
        "For example, the lowest supported version of Gradle may be 7.4 in a report.", "",
        "The page size of 7.4 inches is for print.",
    ],
    "docs/lists.md": [
        "# Lists", "",
        "## Helpers", "", "- **camel**: aB", "!- **shout**: AB", "- **dotted**: a.b", "",
        "!The helper `shout` is loud.", "",
        "## In the prompt", "", "| Command | |", "|---|---|", "| `#load` | reads |", "!| `#cls` | clears |", "| `#reset` | anew |", "",
        "!`#cls` may be given twice.", "",
        "## Keys of others", "", "- **alpha**: 1", "- **fetch**: 2", "- **gamma**: 3", "",
        "## Keys", "", "### editor", "", "An editor.", "", "!### wrapping", "", "The width.", "", "### colours", "", "All.", "",
        "    !check_for_news = true", "",
        "| Argument | |", "|---|---|", "!| `--no-errors` | quiet |", "",
        "!The file `acme.yml` is read.", "",
        "## Releases", "", "!Set `FORCE_RELEASE` to make one.", "",
        "## Users", "", "```sh", "!docker exec tool create_user me", "```",
    ],
    "docs/install.md": [
        "# Installation", "", "```sh",
        "!curl -s https://raw.githubusercontent.com/acme/tool/main/get/install.sh | sh",
        "curl -s https://raw.githubusercontent.com/other/tool/main/get/install.sh | sh", "```",
    ],
}  # fmt: skip

CODE = {
    "README.md": "# Tool\n\n[![ci](https://github.com/acme/tool/actions/workflows/ci.yml/badge.svg)](https://github.com/acme/tool/actions/)\n",
    "lib/tool.rb": "def run(options)\n  go(options[:purge_stale], options['purge-stale'], skipMissing: 1)\n  ask(attributes[:npm_registry]) if attributes[:npm_registry_given?]\nend\n",
    "lib/wait.py": "def wait():\n    retry_total = 3\n    return retry_total\n",
    "server/options.go": 'package server\n\ntype Options struct {\n\tCursorBlink bool `hcl:"cursor_blink"`\n}\n',
    "docker/entrypoint.sh": '#!/bin/sh\nif [ -n "$QUIET_START" ]; then\n  exec tool --quiet\nfi\n',
    "config.mk": "FISHDIR ?= ${DATA}/fish/vendor.d\nOVERWRITE_RC ?= 0\n",
    "changelog/1.2/issue-7": "QUIET_START is new.\n",
    "tool.cfg": "[general]\nexpire-after = 30d\n",
    "src/Worker.kt": 'class Worker {\n    val workerMaxHeap: Property<String> = property {\n        convention("256m")\n    }\n}\n'
    'const val LOWEST_SUPPORTED_GRADLE_VERSION = "7.4.2"\n',
    "src/Init.cs": 'class Init\n{\n    private const string DefaultScriptName = "main.csx";\n}\n',
    "src/helpers.js": "const a = require('case');\n\nmodule.exports = {\n  camel: a.camel,\n  shout: a.shout,\n  dotted: a.dotted,\n};\n",
    "repl/Load.cs": 'class Load : ICommand\n{\n    public string Name => "load";\n}\n',
    "repl/Cls.cs": 'class Cls : ICommand\n{\n    public string Name => "cls";\n}\n',
    "repl/Reset.cs": 'class Reset : ICommand\n{\n    public string Name => "reset";\n}\n',
    "lib/verbs.py": "VERBS = {\n    'fetch': 1,\n    'give': 2,\n    'take': 3,\n}\n",
    "lib/settings.py": "def use(config):\n    return config['wrapping']\n\n\nDEFAULTS = {\n    'editor': '',\n    'wrapping': 79,\n    'colours': {},\n}\n",
    "src/main.rs": 'fn main() {\n    let news = config.get("check_for_news");\n    if matches!(arg, "--no-error" | "--no-errors") {}\n}\n',
    "package.json": '{"name": "acme"}\n',
    "src/load.js": "const found = look('acme.yml');\nif (process.env.FORCE_RELEASE) go();\n",
    "docker/create_user": "#!/bin/sh\nhtpasswd $1\n",
    "get/install.sh": "#!/bin/sh\necho 1\n",
}

CHANGES = [
    ("lib/tool.rb", "purge_stale", "drop_old"), ("lib/tool.rb", "purge-stale", "drop-old"), ("lib/tool.rb", "skipMissing", "keepGoing"),
    ("lib/tool.rb", "npm_registry", "npm_mirror"), ("lib/wait.py", "retry_total", "tries"),
    ("server/options.go", '"cursor_blink"', '"blinking"'), ("docker/entrypoint.sh", "QUIET_START", "SILENT"),
    ("config.mk", "vendor.d", "completions"), ("config.mk", "OVERWRITE_RC", "FORCE_NEW_RC"), ("tool.cfg", "30d", "14d"),
    ("src/Worker.kt", "256m", "512m"), ("src/Worker.kt", "7.4.2", "8.0.2"), ("src/Init.cs", "main.csx", "app.csx"),
    ("src/helpers.js", "shout: a", "loud: a"), ("repl/Cls.cs", '"cls"', '"clear"'), ("lib/verbs.py", "'fetch'", "'bring'"),
    ("lib/settings.py", "wrapping", "width"), ("src/main.rs", "check_for_news", "news_check"),
    ("src/main.rs", '"--no-error" | "--no-errors"', '"--silent"'), ("src/load.js", "acme.yml", "acme.config.yml"), ("src/load.js", "FORCE_RELEASE", "RELEASE_NOW"),
]  # fmt: skip


def test_what_a_section_calls_a_future_enhancement_is_not_missed(repository: Make) -> None:
    page = (
        "# Actions\n\nUse `batch_update_facts`.\n\n## Future Enhancements\n\n- **`batch_update_facts`**: many at once\n"
    )
    code = "def batch_update_facts():\n    pass\n\n\n"
    repo = repository({"docs/actions.md": page, "tool/api.py": f"{code}def other():\n    pass\n"})
    repo.replace(code, "", "tool/api.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/actions.md", 3)}


def test_a_variable_of_an_example_is_not_what_a_function_called_an_argument(repository: Make) -> None:
    page = "# Tool\n\n```go\nserver.Handle(func() { use(userInput) })\n```\n\n`userInput` is what came. `OldHandle` is gone.\n"
    code = "package tool\n\nfunc Handle(userInput string) {\n}\n\nfunc OldHandle() {\n}\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/tool\n", "tool.go": code})
    repo.replace("userInput", "given", "tool.go").replace("OldHandle", "NewHandle", "tool.go").commit()
    assert claims(repo) == {("README.md", 7)}


def test_names_and_paths_in_a_log_or_a_report_that_is_shown_are_not_missed(repository: Make) -> None:
    log = "2011-12-22T17:37:28+01:00 ERR (3): nothing for print_summary in src/old/print_all.py"
    report = '<file path="src/old/print_all.py">\n<error line="9">nothing for print_summary</error>\n</file>'
    page = f"# Tool\n\n```\n{log}\n```\n\n```xml\n{report}\n```\n\n`print_summary` prints.\n"
    repo = repository(
        {"README.md": page, "src/old/print_all.py": "def print_summary():\n    pass\n", "a.py": "x = 1\n"}
    )
    repo.delete("src/old/print_all.py").commit()
    assert claims(repo) == {("README.md", 13)}


def test_what_a_sentence_calls_the_reader_s_own_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nIt replaces your native `send_mail` command.\n\nAdd it to your `send_mail`.\n"
    code = "def send_mail():\n    pass\n\n\ndef take_mail():\n    pass\n"
    repo = repository({"README.md": page, "tool.py": code})
    repo.replace("def send_mail():\n    pass\n\n\n", "", "tool.py").commit()
    assert claims(repo) == {("README.md", 5)}


def test_what_a_script_had_that_nothing_took_in_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nCall `.addEntry()`, then `.addOutput()`.\n"
    code = "exports.{0} = function ({0}File) {{ return {0}File; }};\n"
    files: dict[str, str | bytes] = {
        "README.md": page,
        "package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js"}\n',
        "index.js": "const output = require('./lib/output');\n",
        "lib/output.js": code.format("addOutput"),
        "lib/former.js": "const wrap = require('./wrap');\n",
        "lib/wrap.js": code.format("addEntry"),
    }
    repo = repository(files)
    repo.write({"index.js": "const output = 1;\n"}).delete("lib").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == [".addOutput"]


def test_what_went_from_a_package_of_acceptance_tests_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nCall `render_all` of `./public/index.html`. `draw_all` draws.\n"
    code = "def {0}():\n    pass\n"
    files: dict[str, str | bytes] = {
        "docs/page.md": page,
        "packages/acceptance-tests/src/a.py": code.format("render_all"),
        "packages/acceptance-tests/public/index.html": "<p></p>\n",
        "tool.py": code.format("draw_all"),
        "other.py": code.format("other"),
    }
    repo = repository(files)
    repo.delete("packages", "tool.py").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["draw_all"]


def test_a_class_that_its_module_never_had_is_not_the_change_s_though_a_text_had_the_word(repository: Make) -> None:
    page = "Rooms\n=====\n\nInherit from :class:`~tool.base.MainRoom`, or from :class:`~tool.base.SideRoom`.\n"
    base = "class Other:\n    pass\n\n\nclass SideRoom:\n    pass\n"
    files: dict[str, str | bytes] = {
        "docs/page.rst": page,
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool/__init__.py": "",
        "tool/base.py": base,
        "tool/warn.py": "def warn():\n    log('Use the methods on the MainRoom class instead.')\n",
    }
    repo = repository(files)
    repo.write({"tool/base.py": base.replace("SideRoom", "ThirdRoom"), "tool/warn.py": "x = 1\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["tool.base.SideRoom"]


def test_a_method_that_an_example_defines_is_the_reader_s(repository: Make) -> None:
    page = "# Plugins\n\n```python\nclass Mine(Plugin):\n    def remember(self, args):\n        pass\n```\n\n`keep_all()` keeps.\n"
    repo = repository({"README.md": page, "tool.py": "def remember(name):\n    pass\n\n\ndef keep_all():\n    pass\n"})
    repo.write({"tool.py": "x = 1\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["keep_all"]


def test_what_became_a_package_that_the_change_tells_to_install_is_not_missed(repository: Make) -> None:
    page = (
        "# Tool\n\nInstall the console: `make console`\n\nIt has `run_command()`, and `StatsSpace`. See `httpd.py`.\n"
    )
    files: dict[str, str | bytes] = {
        "docs/console.md": page,
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n',
        "tool/__init__.py": "",
        "tool/web/httpd.py": "def run_command():\n    pass\n",
        "tool/web/space.py": "class StatsSpace:\n    pass\n",
    }
    repo = repository(files)
    repo.delete("tool/web").replace("Install the console: `make console`", "The console is its own.", "docs/console.md")
    repo.commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["run_command", "StatsSpace", "httpd.py"]
    repo.replace("The console is its own.", "Install it:\n\n    $ pip install tool-web", "docs/console.md").commit()
    assert repo.stale_lines(since="HEAD~2") == set()


def test_what_a_function_is_given_in_a_type_is_no_name_of_the_code(repository: Make) -> None:
    page = "# Tool\n\n- status [`(statusCode: number) => void`]\n- end [`endAll()`]\n"
    code = "export interface Context {\n  status(statusCode: number): void\n  endAll(): void\n}\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/types.ts": code})
    repo.write({"src/types.ts": "export interface Context {\n  status(code: number, all: number): void\n}\n"}).commit()
    assert claims(repo) == {("README.md", 4)}


def test_a_method_of_an_object_that_may_inherit_it_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nThere is `default_store.get_valid_name(...)`, and `default_store.get_space_left()`.\n"
    method = "    def {0}(self):\n        return 1\n\n"
    first = "from frame.files import Store\n\n\nclass OurStore(Store):\n" + method.format("get_valid_name")
    other = "class OwnStore:\n" + method.format("get_space_left")
    repo = repository({"README.md": page, "tool/store.py": first + method.format("size"), "tool/own.py": other})
    repo.replace(method.format("get_valid_name"), "", "tool/store.py")
    repo.write({"tool/own.py": "class OwnStore:\n    pass\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["default_store.get_space_left"]


def test_what_a_package_of_go_offers_from_another_folder_is_called_as_before(repository: Make) -> None:
    code = "package telemetry\n\n// TraceHandler hands on.\ntype TraceHandler struct {\n\tinner int\n}\n"
    page = "# Style\n\n- Ids are put in by `telemetry.TraceHandler` for every call.\n"
    files = {"docs/style.md": page, "go.mod": "module example.org/app\n", "internal/telemetry/trace.go": code}
    repo = repository({**files, "internal/telemetry/other.go": "package telemetry\n\nvar x = 1\n"})
    repo.move("internal/telemetry/trace.go", "internal/observe/telemetry/trace.go").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace("TraceHandler", "SpanHandler", "internal/observe/telemetry/trace.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/style.md", 3)}


def test_a_method_that_an_example_has_from_a_class_of_ours_is_missed(repository: Make) -> None:
    page = "# Use\n\n```java\npublic class MyView extends View {\n    @Override\n    public void onRender() {\n    }\n}\n```\n"
    repo = repository({"README.md": page, "src/main/java/View.java": _VIEW})
    repo.replace("onRender", "onDraw", "src/main/java/View.java").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 6)}


def test_what_the_text_says_is_not_there_is_not_missed(repository: Make) -> None:
    page = "# Core\n\n- `kinds.py` has `DeviceType` (no `UpdateTier`, gone with the tiers).\n- `UpdateOrder` \u2014 removed with it.\n- `UpdateSpeed` stays.\n"
    code = "class UpdateTier:\n    a = 1\n\n\nclass UpdateOrder:\n    a = 1\n\n\nclass UpdateSpeed:\n    a = 1\n\n\nclass DeviceType:\n    b = 2\n"
    repo = repository({"docs/core.md": page, "tool/kinds.py": code, "tool/__init__.py": ""})
    repo.write({"tool/kinds.py": "class DeviceType:\n    b = 2\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/core.md", 5)}


def test_an_example_of_a_commit_s_message_does_not_say_that_the_code_has_it(repository: Make) -> None:
    page = "# Contributing\n\nWrite messages so:\n\n```\nfeat(tools): add get_next_task for work\n```\n\nCall `get_next_task`.\n"
    repo = repository(
        {"CONTRIBUTING.md": page, "app.py": "def get_next_task():\n    pass\n\n\ndef other():\n    pass\n"}
    )
    repo.write({"app.py": "def other():\n    pass\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 9)}


def test_a_flag_that_is_said_to_have_another_name_later_is_history(repository: Make) -> None:
    page = (
        "# App\n\nIt came behind the `future.unstable_fetchOnce` flag in 2.9.0 (later stabilized as `future.v3_fetchOnce`).\n\n"
        "Set `future.unstable_fetchOnce`.\n"
    )
    code = "export interface FutureConfig {\n  %s: boolean;\n  other: boolean;\n}\n"
    repo = repository(
        {"README.md": page, "config.ts": code % "unstable_fetchOnce", "package.json": '{"name": "app"}\n'}
    )
    repo.write({"config.ts": code % "v3_fetchOnce"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_name_that_code_defined_is_missed_though_no_claim_of_it_held(repository: Make) -> None:
    code = "package app\n\nfunc DeepAlike(a, b any) bool {\n\treturn a == b\n}\n"
    page = "# App\n\n```go\nif !other.DeepAlike(names, nodes) {\n\tupdate()\n}\n```\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.replace("DeepAlike", "Same", "app.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


def test_documents_of_an_earlier_release_are_not_judged_in_translation_either(repository: Make) -> None:
    page = "# Callbacks\n\nCall `callback_once`.\n"
    folder = "website/i18n/ja/docusaurus-plugin-content-docs"
    code = "def callback_once():\n    return 1\n"
    repo = repository({f"{folder}/version-0.18.0/a.md": page, f"{folder}/current/a.md": page, "scope.py": code})
    repo.replace("callback_once", "callback", "scope.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {(f"{folder}/current/a.md", 3)}


def test_a_function_that_an_example_takes_from_the_package_is_the_package_s(repository: Make) -> None:
    code = "export function parseItems(text: string) {\n  return text\n}\n"
    page = "# App\n\n```js\nconst parseItems = require('app').parseItems\n```\n\n`parseItems` reads.\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("parseItems", "readItems", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") >= {("README.md", 7)}


def test_a_variable_that_a_call_is_given_is_none_of_several_of_a_kind(repository: Make) -> None:
    page = "# Keys\n\n- `store(service, username)`: keeps the `password` for the `username` of the `service`.\n\n`drop_all()` drops.\n"
    code = "def drop_all():\n    pass\n\n\ndef store(service, username, password):\n    save(\n        target=service,\n        user=username,\n        blob=password,\n    )\n"
    repo = repository({"README.md": page, "app.py": code})
    repo.replace("        target=service,", "        target=name_of_it,", "app.py").replace(
        "drop_all", "drop", "app.py"
    )
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 5)}


def test_a_name_in_what_a_program_says_when_it_fails_is_not_missed(repository: Make) -> None:
    page = "# App\n\n```\nWarning: make sure that the mapPacked parameters are given.\n```\n\n`mapPacked` is a flag.\n"
    code = "export const shape = {\n  mapUrl: text,\n  mapPacked: flag,\n};\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/app.js": code})
    repo.replace("  mapPacked: flag,\n", "", "src/app.js").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}


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
    assert repo.stale_lines(since="HEAD~1") == {("docs/api.md", 15)}


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
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 11)}


def test_a_helper_of_tests_within_a_file_is_missed_where_it_is_told_of_but_not_in_an_example(repository: Make) -> None:
    page = "# Tests\n\n- `find_free_port` finds a port\n\n```rust\nlet port = find_free_port().await;\n```\n"
    code = "pub fn run() {}\n\n#[cfg(test)]\nmod tests {\n    async fn find_free_port() -> u16 {\n        1\n    }\n}\n"
    cargo = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository({"docs/testing.md": page, "Cargo.toml": cargo, "src/lib.rs": code})
    repo.write({"src/lib.rs": "pub fn run() {}\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/testing.md", 3)}


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
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3), ("notes/works.md", 3)}


@BOTH
def test_every_place_is_found_and_nothing_else(repository: Make, since: str) -> None:
    pages = {path: "".join(line.replace("!", "", 1) + "\n" for line in lines) for path, lines in PAGES.items()}
    repo = repository({**CODE, **pages})
    for path, old, new in CHANGES:
        repo.replace(old, new, path)
    repo.move("get/install.sh", "scripts/install.sh").move("docker/create_user", "docker/add_user").commit()
    wanted = {(p, n) for p, lines in PAGES.items() for n, line in enumerate(lines, 1) if "!" in line}
    assert repo.stale_lines(since=since) == wanted


@BOTH
def test_a_key_is_missed_in_settings_that_are_called_a_script(repository: Make, since: str) -> None:
    code = 'package config\n\ntype Rule struct {\n\tRequired []string `hcl:"requiredLabels"`\n}\n'
    page = '# Rules\n\n```js\nrule {\n  requiredLabels = ["job"]\n}\n```\n'
    repo = repository({"go.mod": "module example.org/app\n", "config/r.go": code, "docs/r.md": page})
    repo.replace("requiredLabels", "neededLabels", "config/r.go").commit()
    assert repo.stale_lines(since=since) == {("docs/r.md", 5)}


@BOTH
def test_a_method_is_missed_inside_a_template_that_a_span_shows(repository: Make, since: str) -> None:
    code = 'package models\n\ntype Reader struct{}\n\nfunc (r Reader) FirstName() string { return "" }\n'
    page = "# Templates\n\n| Tag | |\n|---|---|\n| `{{ .Reader.FirstName }}` | The first name. |\n"
    repo = repository({"go.mod": "module example.org/app\n", "models/reader.go": code, "docs/t.md": page})
    repo.replace("FirstName", "GivenName", "models/reader.go").commit()
    assert repo.stale_lines(since=since) == {("docs/t.md", 5)}


@BOTH
def test_a_class_is_missed_in_a_link_to_its_generated_page(repository: Make, since: str) -> None:
    page = "See [the formats](https://docs.example.org/latest/enum.PackFormat.html).\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/f.py": "class PackFormat:\n    pass\n"})
    repo.replace("PackFormat", "PackShape", "pkg/f.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
@pytest.mark.parametrize("directive", ["automodule", "module", "currentmodule"])
def test_a_module_is_missed_that_a_page_says_it_describes(repository: Make, directive: str, since: str) -> None:
    repo = repository({
        "docs/conf.py": "", "docs/a.rst": f"A\n=\n\n.. {directive}:: pkg.tools\n", "pkg/__init__.py": "from pkg import tools\n",
        "pkg/tools.py": "def run():\n    pass\n\n\ndef walk():\n    pass\n",
    })  # fmt: skip
    repo.move("pkg/tools.py", "pkg/helpers.py")
    repo.replace("import tools", "import helpers as tools", "pkg/__init__.py").commit()
    assert repo.stale_lines(since=since) == {("docs/a.rst", 4)}


@BOTH
def test_a_name_is_missed_beside_a_sentence_about_the_past_but_not_inside_it(repository: Make, since: str) -> None:
    page = "# A\n\n`load_all_items` reads the list. Its labels were removed in 2.0.\n\n`load_all_items` was renamed in 3.0.\n"
    code = "def load_all_items():\n    pass\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": code})
    repo.replace("load_all_items", "read_every_item", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize("module", ["web-tool/util/adb", "npm:web-tool"])
def test_a_function_is_missed_that_an_example_takes_from_a_part_of_our_package(
    repository: Make, module: str, since: str
) -> None:
    manifest = '{"name": "web-tool", "exports": {".": "./index.js", "./util/adb": "./lib/util/adb.js"}}\n'
    page = f'# A\n\n```js\nimport * as adb from "{module}";\n\nconst ids = await adb.listDevices(bin);\n```\n'
    code = "export async function listDevices(bin) {\n  return [];\n}\n"
    repo = repository({"package.json": manifest, "index.js": "", "src/util/adb.js": code, "README.md": page})
    repo.replace("listDevices", "findPhones", "src/util/adb.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_a_class_that_begins_with_capitals_is_missed_in_any_code(repository: Make, since: str) -> None:
    page = "A template with `{{ RESTObject }}`.\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": "class RESTObject:\n    pass\n"})
    repo.replace("RESTObject", "ApiObject", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}
