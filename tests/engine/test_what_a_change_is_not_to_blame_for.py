"""A change takes words out of the code, or touches what a false sentence names: not every such sentence became false by it."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository, since: str = "HEAD~1") -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


def test_a_name_that_code_only_used_is_not_missed(repository: Make) -> None:
    code = 'package app\n\nimport "reflect"\n\nfunc Alike(a, b any) bool {\n\treturn reflect.DeepEqual(a, b)\n}\n'
    page = "# App\n\n```go\nif !reflect.DeepEqual(names, nodes) {\n\tupdate()\n}\n```\n\n`Alike` compares.\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.replace("reflect.DeepEqual(a, b)", "a == b", "app.go").replace('import "reflect"\n\n', "", "app.go").commit()
    assert claims(repo) == set()


def test_a_name_that_code_defined_is_missed_though_no_claim_of_it_held(repository: Make) -> None:
    code = "package app\n\nfunc DeepAlike(a, b any) bool {\n\treturn a == b\n}\n"
    page = "# App\n\n```go\nif !other.DeepAlike(names, nodes) {\n\tupdate()\n}\n```\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "app.go": code})
    repo.replace("DeepAlike", "Same", "app.go").commit()
    assert claims(repo) == {("README.md", 4)}


def test_a_word_of_a_pipeline_is_no_name(repository: Make) -> None:
    flow = "name: build\non: push\njobs:\n  build:\n    name: Build on macOS\n    runs-on: macOS-latest\n"
    repo = repository({"README.md": "# App\n\n- macOS: `./app`\n", "app.py": "", ".github/workflows/b.yml": flow})
    repo.replace("macOS", "ubuntu", ".github/workflows/b.yml").commit()
    assert claims(repo) == set()


def test_a_variable_that_a_build_file_only_mentioned_is_not_missed(repository: Make) -> None:
    make = "build:\n\tcd $(GOPATH)/src/app && go build\n"
    page = "# App\n\n```sh\nexport GOPATH=~/go\nmkdir $GOPATH\n```\n"
    repo = repository({"README.md": page, "Makefile": make, "app.go": "package app\n"})
    repo.replace("cd $(GOPATH)/src/app && go build", "go build", "Makefile").commit()
    assert claims(repo) == set()


def test_an_optional_argument_of_a_command_is_no_variable(repository: Make) -> None:
    script = '#!/bin/sh\nWORKER_BASEDIR="$1"\nexport WORKER_BASEDIR\nrun "$WORKER_BASEDIR"\n'
    page = "# App\n\n```sh\napp-worker start [ WORKER_BASEDIR ]\n```\n"
    repo = repository({"README.md": page, "init.sh": script, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "init.sh")
    repo.git("commit", "-qm", "no script")
    assert claims(repo) == set()


def test_a_file_of_a_sample_project_is_not_the_reader_s(repository: Make) -> None:
    page = "# Run it\n\n```sh\ngo run ./main.go\n```\n\nThe types are in `./api` of your project.\n"
    sample = "testdata/v2/operator/"
    repo = repository(
        {"docs/run.md": page, f"{sample}main.go": "package main\n", f"{sample}api/a.go": "package api\n", "a.go": ""}
    )
    repo.git("rm", "-rq", "testdata")
    repo.git("commit", "-qm", "no samples")
    assert claims(repo) == set()


def test_a_telling_path_of_a_sample_project_is_missed(repository: Make) -> None:
    page = "# Secure it\n\nEdit `config/default/manager_auth_patch.yaml` of your project.\n"
    sample = "testdata/v2/operator/config/default/"
    repo = repository({"docs/run.md": page, f"{sample}manager_auth_patch.yaml": "a: 1\nb: 2\n", "a.go": ""})
    repo.git("mv", f"{sample}manager_auth_patch.yaml", f"{sample}manager_metrics_patch.yaml")
    repo.git("commit", "-qm", "renamed")
    assert claims(repo) == {("docs/run.md", 3)}


def test_a_program_that_code_still_calls_by_name_is_not_missed(repository: Make) -> None:
    page = "# Steps\n\nThe folder is passed to the `run_checks.py` command.\n"
    repo = repository({"docs/a.md": page, "contrib/run_checks.py": "", "step.py": "COMMAND = 'run_checks.py %s'\n"})
    repo.git("rm", "-q", "contrib/run_checks.py")
    repo.git("commit", "-qm", "moved out")
    assert claims(repo) == set()


def test_the_scheme_of_an_address_is_no_default(repository: Make) -> None:
    page = "# App\n\n- `https://app.localhost/` is the default value for `app.scheme`.\n"
    repo = repository({"README.md": page, "app.py": 'class App:\n    scheme = "https"\n'})
    repo.replace('"https"', '"http"', "app.py").commit()
    assert claims(repo) == set()


def test_documents_of_an_earlier_release_are_not_judged_in_translation_either(repository: Make) -> None:
    page = "# Callbacks\n\nCall `callback_once`.\n"
    folder = "website/i18n/ja/docusaurus-plugin-content-docs"
    code = "def callback_once():\n    return 1\n"
    repo = repository({f"{folder}/version-0.18.0/a.md": page, f"{folder}/current/a.md": page, "scope.py": code})
    repo.replace("callback_once", "callback", "scope.py").commit()
    assert claims(repo) == {(f"{folder}/current/a.md", 3)}


def test_titles_of_the_documentation_s_own_menu_are_no_defaults(repository: Make) -> None:
    page = "# App\n\n```yaml\n# Whether the API Gateway logs (default: false)\nlogs: false\n```\n"
    repo = repository({"docs/a.md": page, "docs/menu.json": '{\n  "API": "API Gateway",\n  "b": "c"\n}\n', "a.py": ""})
    repo.replace("API Gateway", "REST", "docs/menu.json").commit()
    assert claims(repo) == set()


def test_the_port_of_a_bundler_s_own_server_is_no_default_of_the_program(repository: Make) -> None:
    page = "# App\n\n|Name|What|\n|---|---|\n|`SERVER_PORT`|Port of the server. Default: `8080`|\n"
    vite = "export default {\n  server: {\n    port: 3000,\n  },\n};\n"
    repo = repository(
        {"README.md": page, "app/vite.config.ts": "export default {};\n", "app/a.ts": "export const a = 1;\n"}
    )
    repo.write({"app/vite.config.ts": vite}).commit()
    assert claims(repo) == set()


def test_what_moved_to_another_repository_is_not_missed_where_the_change_says_so(repository: Make) -> None:
    page = "# Hook\n\nPut :src:`contrib/tool_hook.py` into your plugins, with\n\n* ``hook_server``\n* ``hook_port``\n"
    code = "def run(conf):\n    return conf.get('hook_server'), conf.get('hook_port')\n"
    repo = repository({"docs/hook.rst": page, "contrib/tool_hook.py": code, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "contrib/tool_hook.py")
    repo.replace(":src:", ":contrib-src:", "docs/hook.rst").commit()
    assert claims(repo) == set()


def test_what_was_removed_for_good_is_missed_in_the_same_place(repository: Make) -> None:
    page = "# Hook\n\nPut :src:`contrib/tool_hook.py` into your plugins, with\n\n* ``hook_server``\n* ``hook_port``\n"
    code = "def run(conf):\n    return conf.get('hook_server'), conf.get('hook_port')\n"
    repo = repository({"docs/hook.rst": page, "contrib/tool_hook.py": code, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "contrib/tool_hook.py")
    repo.git("commit", "-qm", "no hook")
    assert claims(repo) >= {("docs/hook.rst", 5), ("docs/hook.rst", 6)}


def test_a_variable_that_an_example_declares_is_the_reader_s(repository: Make) -> None:
    code = "package app;\n\npublic class Version {\n    static final String BUILTIN_FORMATS = load();\n    private Config appConfig;\n}\n"
    page = (
        "# App\n\n```java\nList<Format> BUILTIN_FORMATS = new ArrayList<Format>();\nConfig appConfig = new Config();\n"
        "appConfig.addListener(BUILTIN_FORMATS);\n```\n"
    )
    repo = repository({"README.md": page, "src/main/java/app/Version.java": code})
    repo.replace("BUILTIN_FORMATS", "FORMATS", "src/main/java/app/Version.java")
    repo.replace("appConfig", "config", "src/main/java/app/Version.java").commit()
    assert claims(repo) == set()


def test_a_key_that_is_struck_out_is_said_to_be_gone(repository: Make) -> None:
    code = "export interface Options {\n  refSugar?: boolean\n  customElement?: boolean\n}\n"
    page = (
        "# App\n\n## Options\n\n- ~~`refSugar: boolean`: use `customElement` instead.~~\n- `customElement: boolean`\n"
    )
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("  refSugar?: boolean\n", "", "src/index.ts").commit()
    assert claims(repo) == set()


def test_a_value_that_is_listed_beside_the_new_default_is_no_default(repository: Make) -> None:
    page = "# App\n\n`on_problem` is `report` (default), to tell of it, or `warn`, to warn.\n\n`on_loss` is `report` or `warn` (default).\n"
    files: dict[str, str | bytes] = {"README.md": page, "config/default.yml": "on_problem: warn\non_loss: warn\n"}
    repo = repository(files)
    repo.replace("warn", "report", "config/default.yml").commit()
    assert claims(repo) == {("README.md", 5)}


def test_a_key_of_a_service_s_hidden_settings_is_the_service_s(repository: Make) -> None:
    page = "# App\n\nAdd to your `.travis.yml`:\n\n```yaml\nafter_success:\n- app publish\n```\n"
    repo = repository({"README.md": page, "app.py": "x = 1\n", ".frigg.yml": "tasks:\n- test\nafter_success:\n- app\n"})
    repo.git("rm", "-q", ".frigg.yml")
    repo.git("commit", "-qm", "another service")
    assert claims(repo) == set()


def test_a_description_in_other_words_is_no_other_default(repository: Make) -> None:
    code = "export const flags = {\n  root: string({\n    default: '.',\n    description: 'path to the CLI root',\n  }),\n}\n"
    page = "# App\n\n```\nFLAGS\n  -r, --root=<value>  (default: .) description: path to the CLI root\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("path to the CLI root", "Path to the root of the CLI.", "src/index.ts").commit()
    assert claims(repo) == set()


def test_a_script_that_was_not_there_before_is_not_the_change_s(repository: Make) -> None:
    names = [f"test:{name}" for name in ("unit", "chrome", "firefox", "node", "types")]
    page = "# Tests\n\n" + "".join(f"- `npm run {name}` runs them\n" for name in [*names, "test:ie"])
    scripts = ",\n".join(f'    "{name}": "run {name}"' for name in names)
    manifest = '{\n  "name": "app",\n  "scripts": {\n' + scripts + '\n  },\n  "dependencies": {"test": "1.0.0"}\n}\n'
    repo = repository({"test/README.md": page, "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace("1.0.0", "1.0.1", "package.json").commit()
    assert claims(repo) == set()


def test_a_variable_that_an_example_in_a_script_declares_is_the_reader_s(repository: Make) -> None:
    code = "export interface Options {\n  proxyTable?: object\n  router?: object\n}\n"
    page = (
        "# App\n\n```js\nvar proxyTable = {a: 1}\napp({router: proxyTable})\n```\n\n"
        "What matches in the proxyTable is sent there.\n"
    )
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("  proxyTable?: object\n", "", "src/index.ts").commit()
    assert claims(repo) == set()


def test_a_function_that_an_example_takes_from_the_package_is_the_package_s(repository: Make) -> None:
    code = "export function parseItems(text: string) {\n  return text\n}\n"
    page = "# App\n\n```js\nconst parseItems = require('app').parseItems\n```\n\n`parseItems` reads.\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("parseItems", "readItems", "src/index.ts").commit()
    assert claims(repo) >= {("README.md", 7)}


def test_one_of_several_that_left_a_list_did_not_become_the_one_that_joined_it(repository: Make) -> None:
    before = "const plugins = [\n  'doExpressions',\n  'classProperties',\n  'bigInt',\n  'topAwait',\n];\n"
    after = "// No need of classProperties any more.\nconst plugins = [\n  'doExpressions',\n  'decorators',\n];\n"
    page = '# App\n\n## Options\n\nDefault: `{}`\nConfig: `"plugins": ["classProperties"]`\n'
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.js": before})
    repo.write({"src/index.js": after}).commit()
    assert claims(repo) == set()


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
    assert claims(repo) == set()


def test_a_value_of_an_example_is_no_default_where_a_comment_tells_the_default(repository: Make) -> None:
    page = "# App\n\n```ts\nbundle({\n  sourcemap: true, // default is false\n})\n```\n"
    code = "export function bundle(options: Options) {\n  const sourcemap = options.sourcemap ?? true;\n  return sourcemap;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("?? true", "?? false", "src/index.ts").commit()
    assert claims(repo) == set()


def test_a_comment_that_tells_the_default_is_false_when_the_default_is_another(repository: Make) -> None:
    page = "# App\n\n```ts\nbundle({\n  sourcemap: false, // default is true\n})\n```\n"
    code = "export function bundle(options: Options) {\n  const sourcemap = options.sourcemap ?? true;\n  return sourcemap;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("?? true", "?? false", "src/index.ts").commit()
    assert claims(repo) == {("README.md", 5)}


def test_what_the_change_says_for_the_first_time_is_not_of_what_it_took_away(repository: Make) -> None:
    code = "export function addTasks(project) {\n  project.addTask({ taskName: 'upgrade-projen' })\n}\n"
    page = "# App\n\nThe tasks: `upgrade-projen`.\n"
    repo = repository(
        {"README.md": page, "docs/own.md": "# Own\n", "package.json": '{"name": "app"}\n', "src/index.js": code}
    )
    repo.replace("  project.addTask({ taskName: 'upgrade-projen' })\n", "", "src/index.js")
    repo.write({"docs/own.md": "# Own\n\n```js\naddTask(project, { taskName: 'upgrade-projen' })\n```\n"}).commit()
    assert claims(repo) == {("README.md", 3)}


def test_a_value_that_got_longer_is_told_where_the_document_has_all_of_it(repository: Make) -> None:
    page = "# App\n\n| variable | meaning |\n|---|---|\n| `APP_REGION` | The region |\n"
    repo = repository({"README.md": page, "app.toml": '[env]\nAPP_REGION = "The region"\n', "app.go": "package app\n"})
    repo.replace("The region", "The region (Default: tyo1)", "app.toml", "README.md").commit()
    assert claims(repo) == set()


def test_what_is_imported_from_another_place_is_that_one_s(repository: Make) -> None:
    page = '# App\n\n```ts\nimport { createStreaming } from "https://deno.land/x/other@x.x.x/mod.ts";\n```\n'
    code = "export function createStreaming(response: Response) {\n  return response;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "site/formatter.ts": code})
    repo.git("rm", "-q", "site/formatter.ts")
    repo.git("commit", "-qm", "no copy")
    assert claims(repo) == set()


def test_a_version_that_says_again_what_its_title_is_demands_nothing(repository: Make) -> None:
    manifest = '{"name": "app", "engines": {"node": ">=14"}}\n'
    page = "# API\n\n### `NODEJS_14_X`\n\nNode.js 14.x.\n"
    repo = repository({"API.md": page, "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace(">=14", ">=16", "package.json").commit()
    assert claims(repo) == set()


def test_a_mere_version_that_the_change_wrote_demands_nothing(repository: Make) -> None:
    manifest = '{"name": "app", "engines": {"node": ">=14"}}\n'
    repo = repository({"README.md": "# App\n", "package.json": manifest, "src/index.js": "x = 1\n"})
    repo.replace(">=14", ">=16", "package.json")
    repo.write({"docs/api.md": "# API\n\n## Runtimes\n\nNode.js 14.x.\n"}).commit()
    assert claims(repo) == set()


def test_a_module_that_once_was_written_and_is_built_today_can_be_imported(repository: Make) -> None:
    page = "# App\n\n```ts\nimport { Project } from 'app/lib/typescript';\n```\n"
    files: dict[str, str | bytes] = {
        "package.json": '{"name": "app"}\n',
        "lib/typescript.ts": "export class Project {}\n",
    }
    repo = repository(files)
    repo.write({"src/typescript/index.ts": "export class Project {}\n", ".gitignore": "/lib\n"})
    repo.git("rm", "-q", "lib/typescript.ts")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "sources")
    repo.write({"README.md": page}).commit()


def test_a_word_of_a_sentence_beside_a_default_is_not_the_value_that_changed(repository: Make) -> None:
    code = "const shown = blue('openapi') + blue('use');\nexport const flags = {\n  view: string({ default: 'server' }),\n};\n"
    page = "# App\n\n```\nFLAGS\n  -v, --view=<option>  [default: server] View to use when converting openapi\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("blue('use')", "blue('select')", "src/index.ts").commit()
    assert claims(repo) == set()


def test_a_service_s_settings_in_a_manual_are_the_reader_s(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "docs/builds.md": "# Builds\n\n## A sample `.travis.yml`\n\nPut it into `.travis.yml`.\n",
        "CONTRIBUTING.md": "# Contributing\n\nThe builds are told in `.travis.yml`.\n",
        ".travis.yml": "language: node_js\n",
        "src/index.js": "x = 1\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", ".travis.yml")
    repo.git("commit", "-qm", "another service")
    assert claims(repo) == {("CONTRIBUTING.md", 3)}


def test_a_line_that_only_stands_deeper_gave_its_value_to_no_other(repository: Make) -> None:
    page = "# App\n\nThe `patterns` hold `package.json` by default.\n"
    before = 'function make(patterns) {\n  patterns.push("package.json")\n  return patterns\n}\n'
    after = (
        'function make(patterns, all) {\n  if (all) {\n    patterns.push("package.json")\n  }\n'
        '  patterns.push("!.cache")\n  return patterns\n}\n'
    )
    repo = repository({"README.md": page, "src/index.js": before})
    repo.write({"src/index.js": after}).commit()
    assert claims(repo) == set()


def test_the_slug_of_a_heading_elsewhere_is_no_key(repository: Make) -> None:
    code = 'fn app() {\n    Arg::new("schema-repository").long("schema-repository");\n}\n'
    page = "# App\n\nMore [here](https://app.example.org/configuration/#schema-repository).\n"
    repo = repository({"README.md": page, "Cargo.toml": '[package]\nname = "app"\n', "src/lib.rs": code})
    repo.replace("schema-repository", "schema-index", "src/lib.rs").commit()
    assert claims(repo) == set()


def test_a_measurement_s_name_in_its_output_is_not_missed(repository: Make) -> None:
    code = "fn bench_parse_all(b: &mut Bencher) {\n    b.iter(|| 1);\n}\n"
    page = "# App\n\n```\ntest bench_parse_all ... bench: 109,804 ns/iter\n```\n"
    repo = repository({"docs/speed.md": page, "Cargo.toml": '[package]\nname = "app"\n', "benches/parse.rs": code})
    repo.replace("bench_parse_all", "measure_all", "benches/parse.rs").commit()
    assert claims(repo) == set()
