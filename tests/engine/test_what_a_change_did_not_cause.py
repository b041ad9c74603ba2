"""What stands in examples, messages and output is not the repository's own, nor is what went before a change the change's."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.doubts.unread import doubt_unread
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
PACKAGE = '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n'


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


def test_a_variable_of_an_example_is_not_what_a_function_called_an_argument(repository: Make) -> None:
    page = "# Tool\n\n```go\nserver.Handle(func() { use(userInput) })\n```\n\n`userInput` is what came. `OldHandle` is gone.\n"
    code = "package tool\n\nfunc Handle(userInput string) {\n}\n\nfunc OldHandle() {\n}\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/tool\n", "tool.go": code})
    repo.replace("userInput", "given", "tool.go").replace("OldHandle", "NewHandle", "tool.go").commit()
    assert claims(repo) == {("README.md", 7)}


def test_a_path_in_what_a_program_is_said_to_have_printed_is_not_missed(repository: Make) -> None:
    shown = "<details>\n<summary>output</summary>\n\n```\nsrc/list/old-name.js → src/list/index.js\n```\n\n</details>\n"
    page = f"# Tool\n\n{shown}\nThe first is `src/list/old-name.js`.\n"
    repo = repository({"README.md": page, "src/list/old-name.js": "let x = 1;\n", "src/list/index.js": "let y = 2;\n"})
    repo.git("mv", "src/list/old-name.js", "src/list/new-name.js")
    repo.commit()
    assert claims(repo) == {("README.md", 12)}


def test_an_option_that_went_before_the_change_is_not_its_own_though_its_line_is_new(repository: Make) -> None:
    parser = "import argparse\n\np = argparse.ArgumentParser()\np.add_argument('--deep-first')\np.add_argument('--wide-first')\n"
    repo = repository({"README.md": "# Tool\n\n`--deep-first` is how.\n", "tool.py": parser})
    repo.replace("p.add_argument('--deep-first')\n", "", "tool.py").commit()
    repo.replace("is how", "tells how", "README.md").commit()
    assert claims(repo) == set()


def test_a_package_that_code_looked_for_is_not_missed_where_it_is_installed(repository: Make) -> None:
    page = "# Tool\n\nLeave out `node_modules/tool-prebuilt`. The key `keep-prebuilt` and `tool-helper` do it.\n"
    code = "const at = require.resolve('tool-helper');\nconst it = find('tool-prebuilt', { 'keep-prebuilt': 1 });\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/app.js": code})
    repo.write({"src/app.js": "const it = 1;\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["keep-prebuilt"]


def test_a_file_of_a_name_that_several_have_is_not_the_one_that_went(repository: Make) -> None:
    page = "# Tests\n\nEach has a configuration:\n\n```js\nmodule.exports = { entry: './app.ts', other: './start.ts' };\n```\n"
    files: dict[str, str | bytes] = {f"test/{name}/app.ts": f"let x = '{name}';\n" for name in ("one", "two", "three")}
    repo = repository({"test/README.md": page, "test/two/start.ts": "let y = 2;\n", "index.ts": "let z = 3;\n"} | files)
    repo.delete("test/two/app.ts", "test/two/start.ts").commit()
    assert "./app.ts" not in [finding.claim for finding in repo.drifted(since="HEAD~1")]


def test_what_a_file_had_that_is_not_read_any_more_is_in_doubt_and_what_another_had_is_not() -> None:
    read, unread = FileFacts("javascript"), FileFacts("javascript", notes=["minified or generated: not parsed"])
    files = {"a.js": unread, "b.js": read}
    world = SimpleNamespace(files=files, tree=SimpleNamespace(entries=files), facts=files.get, doors=frozenset())
    claim = Claim("option", "-r", "-r", "README.md", 3, 1)
    told = {path: Judgement(Verdict.DRIFTED, "unknown-option", "gone", (Evidence("it was", path),)) for path in files}
    judged = doubt_unread([(claim, told["a.js"]), (claim, told["b.js"])], cast(World, world))
    assert [judgement.verdict for _, judgement in judged] == [Verdict.UNCERTAIN, Verdict.DRIFTED]


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
    repo = repository({"README.md": page, "package.json": PACKAGE, "bin/tool.js": then})
    repo.write({"bin/tool.js": now}).commit()
    assert claims(repo) == {("README.md", 7), ("README.md", 8)}


def test_a_variable_that_code_may_make_of_a_key_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nSet `SETTINGS_LOGGER_FORMAT` and `SETTINGS_LOGGER_DEPTH`.\n"
    code = "process.env.SETTINGS_LOGGER_FORMAT = ' ';\nprocess.env.SETTINGS_LOGGER_DEPTH = 1;\n"
    kept = "const format = Config.get('settings.loggerFormat');\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/init.ts": code, "src/app.ts": kept})
    repo.write({"src/init.ts": "start();\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["SETTINGS_LOGGER_DEPTH"]


def test_a_route_that_an_example_declares_and_a_package_that_is_installed_are_not_missed(repository: Make) -> None:
    page = "# Tool\n\n```ts\n@Get('/products')\nlist() {}\n```\n\nTry `GET /products`, then `GET /customers`.\n"
    install = "```sh\nnpm install rate-limit-types node-fetch@2\n```\n"
    used = "const it = find({ 'node-fetch': 1 });\n"
    code = "const app = require('express')();\napp.get('/products', f);\napp.get('/customers', f);\napp.get('/', f);\n"
    files: dict[str, str | bytes] = {"README.md": page + install, "package.json": PACKAGE, "src/app.js": used + code}
    repo = repository(files | {"typings/rate-limit-types/index.d.ts": "export {};\n"})
    repo.write({"src/app.js": code.replace("/products", "/goods").replace("/customers", "/people")})
    repo.delete("typings").commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["GET /customers"]


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


def test_a_key_that_got_another_name_is_no_value_of_an_option(repository: Make) -> None:
    page = "# Tool\n\n* --from-branch git develop branch, default is develop\n* --depth, default is 3\n"
    code = 'def get(branch, depth=3):\n    params = {"branch": branch or "develop"}\n    return params\n'
    repo = repository({"README.md": page, "tool.py": code})
    repo.write({"tool.py": code.replace('"branch":', '"ref":').replace("depth=3", "depth=4")}).commit()
    assert claims(repo) == {("README.md", 4)}


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


def test_a_page_that_an_extension_of_the_documentation_writes_is_there(repository: Make) -> None:
    extension = "import os\n\n\ndef make(app):\n    open(os.path.join(app.srcdir, 'ops', 'commands%s' % '.rst'), 'w')\n"
    index = "Ops\n===\n\n.. toctree::\n\n   commands\n   options\n   setup\n"
    files: dict[str, str | bytes] = {
        "docs/source/conf.py": "extensions = ['tool_ext']  # not autosummary\n",
        "docs/source/ops/setup.rst": "Setup\n=====\n",
        "docs/tool_ext.py": extension,
    }
    repo = repository(files)
    repo.write({"docs/source/ops/index.rst": index}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["options"]


def test_what_a_function_is_given_in_a_type_is_no_name_of_the_code(repository: Make) -> None:
    page = "# Tool\n\n- status [`(statusCode: number) => void`]\n- end [`endAll()`]\n"
    code = "export interface Context {\n  status(statusCode: number): void\n  endAll(): void\n}\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/types.ts": code})
    repo.write({"src/types.ts": "export interface Context {\n  status(code: number, all: number): void\n}\n"}).commit()
    assert claims(repo) == {("README.md", 4)}


def test_a_link_that_led_nowhere_before_is_not_the_change_s_for_a_file_elsewhere_or_a_line_that_is_indented(
    repository: Make,
) -> None:
    page = (
        "# A\n\nSee [tests](test.js).\n\n- [Late](#late-jobs)\n- [Some](#some-jobs)\n\n## Late jobs\n\n## Some jobs\n"
    )
    files: dict[str, str | bytes] = {f"packages/{name}/index.js": f"let {name} = 1;\n" for name in "ab"}
    repo = repository(files | {"packages/a/README.md": page, "packages/b/README.md": page, "packages/a/test.js": "x\n"})
    repo.replace("## Late jobs", "## Stalling jobs", "packages/a/README.md").commit()
    repo.move("packages/a/test.js", "packages/a/src/__tests__/index.js").replace("- [", "  - [", "packages/a/README.md")
    repo.replace("## Some jobs", "## Other jobs", "packages/a/README.md").commit()
    assert claims(repo) == {("packages/a/README.md", 3), ("packages/a/README.md", 6)}


def test_a_method_of_an_object_that_may_inherit_it_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\nThere is `default_store.get_valid_name(...)`, and `default_store.get_space_left()`.\n"
    method = "    def {0}(self):\n        return 1\n\n"
    first = "from frame.files import Store\n\n\nclass OurStore(Store):\n" + method.format("get_valid_name")
    other = "class OwnStore:\n" + method.format("get_space_left")
    repo = repository({"README.md": page, "tool/store.py": first + method.format("size"), "tool/own.py": other})
    repo.replace(method.format("get_valid_name"), "", "tool/store.py")
    repo.write({"tool/own.py": "class OwnStore:\n    pass\n"}).commit()
    assert [finding.claim for finding in repo.drifted(since="HEAD~1")] == ["default_store.get_space_left"]


def test_what_a_link_to_another_place_is_called_is_not_missed(repository: Make) -> None:
    page = "# Tool\n\n- [Show-UI](https://github.com/show/show-ui)\n- Keep-UI\n\n`keep-first` keeps.\n"
    code = "const names = { 'Show-UI': 1, 'Keep-UI': 2, 'keep-first': 3 };\n"
    repo = repository({"README.md": page, "package.json": PACKAGE, "src/app.js": code})
    repo.write({"src/app.js": "const names = {};\n"}).commit()
    assert ("README.md", 3) not in claims(repo)
    assert ("README.md", 6) in claims(repo)
