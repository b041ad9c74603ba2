"""A value of the code changes that a manual tells in a way of its own: as a product, within code, below a title with a sign in it."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import is_test
from tests.support.changes import GO, JAVA, NODE, PYTHON, RUST, Case, Make, check

_COOKIE = "var Cookie = module.exports = function Cookie(options) {\n  this.path = '/';\n  this.secret = true;\n  this.httpOnly = true;\n};\n"
_LIMITER = "const defaultWindow = 60000\nconst defaultSubnet = 64\n\nfunction limiter (settings) {\n  return settings.window || defaultWindow || settings.subnet || defaultSubnet\n}\n\nmodule.exports = limiter\n"
_TYPES = "import { limiter } from '..'\n\nexpect(limiter).type.toBeCallableWith({ subnet: 64 })\n"
_MOJO = '@Mojo(name = "run")\npublic class RunMojo {\n  /** What properties begin with. */\n  @Parameter(defaultValue = "git")\n  String prefix;\n}\n'

_LIMITS = "// How much at once.\nfunction store (redis, key = 'tool-limit-') {\n  return { redis, key }\n}\n\nmodule.exports = store\n"
_ROWS = "<table>\n  <tr>\n    <td>Key</td><td>Required</td><td>Default Value</td>\n  </tr>\n  <tr>\n    <td>tool.retry-limit</td><td>False</td><td>50</td>{}\n  </tr>\n  <tr>\n    <td>tool.pool-size</td><td>False</td><td>50</td>\n  </tr>\n</table>"
_PROPERTIES = (
    'public class ToolProperties {\n  private String retryLimit = "50";\n  private String poolSize = "50";\n}\n'
)
_ARGS = "use clap::Parser;\n\n#[derive(Parser)]\nstruct Args {\n    #[arg(\n        long,\n        value_enum,\n        default_value_t = RegressOn::Error,\n    )]\n    regress: RegressOn,\n}\n"
_CHOICES = (
    "Several may be given with the `--regress` flag:",
    "",
    "| Option | Description |",
    "|---|---|",
    "| `error` | The default setting looks for a failure. |{}",
    "| `ice` | A crash. |",
)
_FORMAT = "export const schema = z.object({\n  format: z.string().default('brief'),\n});\n"
_APPS = "<?php\n\nreturn [\n    'apps' => [\n        'enable_messages' => false,\n    ],\n];\n"
_MIGRATION = "<?php\n\n$table->boolean('enable_messages')->default(false);\n"

_TYPES_OF_COMMITS = 'static TYPES: &[&str] = &[\n    "fix", "feat", "docs", "test",\n];\n'
_SETUP = "from setuptools import setup\n\nsetup(\n    name='tool',\n    install_requires=[\n        'django>=4.2',\n    ],\n)\n"
_POM = "<project><groupId>o</groupId><artifactId>tool</artifactId><version>1</version>\n  <prerequisites>\n    <maven>[3.9.0,)</maven>\n  </prerequisites>\n</project>\n"
_PACKAGE = '{\n  "name": "tool",\n  "version": "1.0.0",\n  "peerDependencies": {\n    "react": "^17.0.2"\n  }\n}\n'

_SERVER = {
    **GO,
    "main.go": 'package main\n\nimport "flag"\n\nvar port = flag.Int("port", 8123, "where to listen")\n\nfunc main() { flag.Parse() }\n',
}
_RETRIES = {**PYTHON, "tool/settings.py": "class Settings:\n    retry_limit: int = 25\n    other_thing: int = 3\n"}

CASES = [
    Case("a number told as a product", ("```js", "limiter({", "  window: 5000, // default 1000 * 60!", "})", "```"),
         {**NODE, "index.js": _LIMITER}, "60000", "30000"),
    Case("of two that are alike the one that is called the default", ("```js", "limiter({", "  subnet: 64, // default 64!", "})", "```"),
         {**NODE, "index.js": _LIMITER, "types/index.tst.ts": _TYPES}, "Subnet = 64", "Subnet = 56"),
    Case("a key of an object in a sentence", ("The default value is", "`{ path: '/', httpOnly: true, secret: true }`.!"),
         {**NODE, "cookie.js": _COOKIE}, "httpOnly = true", "httpOnly = false"),
    Case("the same value of another key", ("The default value is `{ path: '/', secure: true }`.",),
         {**NODE, "cookie.js": _COOKIE}, "httpOnly = true", "httpOnly = false"),
    Case("a word with a mark behind it", ("All of them have the configurable prefix (`git.` by default).!",),
         {**JAVA, "src/main/java/RunMojo.java": _MOJO}, '"git"', '"scm"'),
    Case("below a title that gives it something", ("## `quality=NN`", "", "How good it is. Defaults to `85`.!"),
         {**PYTHON, "tool/conf.py": "class Settings:\n    TOOL_QUALITY = 85\n    quality = TOOL_QUALITY\n"}, "TOOL_QUALITY = 85", "TOOL_QUALITY = 90"),
    Case("a text that nothing else is", ("- `nameSpace`: what keys begin with, default is 'tool-limit-'!",),
         {**NODE, "store.js": _LIMITS}, "tool-limit-", "limit-"),
    Case("a table in HTML", tuple(_ROWS.format("!").split("\n")), {**JAVA, "src/main/java/ToolProperties.java": _PROPERTIES}, 'retryLimit = "50"', 'retryLimit = "75"'),
    Case("a list that got a word more", ("| Field | Default |", "|---|---|", "| types | fix, feat, docs, test |!", "| others | fix, feat, docs, test, chore |"),
         {**RUST, "src/config.rs": _TYPES_OF_COMMITS}, '"test",', '"test", "build",'),
    Case("a list of examples", ("Types are words such as `fix`, `feat`, `docs`, `test`.",),
         {**RUST, "src/config.rs": _TYPES_OF_COMMITS}, '"test",', '"test", "build",'),
    Case("what a program in Python needs", ("Thumbnails for Django 4.2+.!", "", "Until Django 4.2 it was called otherwise."),
         {"setup.py": _SETUP, "tool/__init__.py": ""}, "django>=4.2", "django>=5.1"),
    Case("what builds it", ("## Requirements", "", "* Maven 3.9.0!", "* a keyboard"), {"pom.xml": _POM}, "[3.9.0,)", "[3.9.9,)"),
    Case("a peer in a manifest of Node", ("Needs React 17.0.2 or later.!", "", "It was tried with React 17.0.2."),
         {"package.json": _PACKAGE, "index.js": "module.exports = 1;\n"}, "^17.0.2", "^18.2.0"),
    Case("what is used if it is not set", ("If `retry_limit` is not set, 25 is used.!", "", "If `retry_limit` is more than 25, it is too much."), _RETRIES, "= 25", "= 40"),
    Case("what it falls back to", ("`retry_limit` falls back to 25.!",), _RETRIES, "= 25", "= 40"),
    Case("its initial value", ("The initial value of `retry_limit` is 25.!",), _RETRIES, "= 25", "= 40"),
    Case("a title that declares it", ("## `retry_limit: int = 25`!", "", "How often."), _RETRIES, "= 25", "= 40"),
    Case("a parameter in brackets", ("```", "@param {number} [options.retry_limit=25] how often!", "```"), _RETRIES, "= 25", "= 40"),
    Case("a paragraph of an item", ("- `retry_limit`", "", "  How often.", "", "  Defaults to `25`.!", "", "Defaults to `25`, says nobody of what."), _RETRIES, "= 25", "= 40"),
    Case("below a summary", ("<details><summary>retry_limit</summary>", "", "Default: `25`!", "", "</details>", "", "Default: `25`"), _RETRIES, "= 25", "= 40"),
    Case("a port in a column of its own", ("| Service | Port |", "|---|---|", "| tool | 8123 |!", "| another | 9000 |"), _SERVER, "8123", "8456"),
    Case("a port beside the word", ("| Setting | Value |", "|---|---|", "| Port | 8123 |!", "| Workers | 8123 |"), _SERVER, "8123", "8456"),
    Case("an item that begins with the port", ("- `8123`: the HTTP port!", "- `8123`: how many at the most"), _SERVER, "8123", "8456"),
    Case("what only those need who work on it", ("Needs React 17.0.2 or later.",),
         {"package.json": _PACKAGE.replace("peerDependencies", "devDependencies"), "index.js": "module.exports = 1;\n"}, "^17.0.2", "^18.2.0"),
    Case("a table of a type and a default below a title", ("### .sixHours", "", "| Type | Default |", "|---|---|", "| `number` | `21600000` (6 hours) |!"),
         {**NODE, "src/index.ts": "export class Store {\n  private _sixHours = 6 * 60 * 60 * 1000;\n}\n"}, "6 * 60", "24 * 60"),
    Case("a factor of another number", ("```js", "limiter({", "  max: 3, // default 1000!", "  window: 5000, // default 1000 * 60", "})", "```"),
         {**NODE, "index.js": "const defaultMax = 1000\n" + _LIMITER}, "defaultMax = 1000", "defaultMax = 500"),
    Case("a row of values that one may give", tuple(line.format("!") for line in _CHOICES), {**RUST, "src/main.rs": _ARGS}, "RegressOn::Error,\n    )", "RegressOn::Ice,\n    )"),
    Case("an item of values that one may give", ("- `format`: how it is written", "  - `brief`: one line each (default)!", "  - `long`: all of it"),
         {**NODE, "src/schema.ts": _FORMAT}, "'brief'", "'long'"),
    Case("what a migration gave a column once is no default of the program", ("You can modify `enable_messages`. The default value is `false`.!",),
         {"composer.json": '{"name": "acme/tool"}\n', "config/tool.php": _APPS, "database/migrations/0_create.php": _MIGRATION}, "'enable_messages' => false", "'enable_messages' => true"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_line_that_tells_it_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_what_is_asserted_of_types_is_a_test() -> None:
    assert is_test("types/index.tst.ts")


def test_a_choice_that_is_no_default_any_more_stays_a_choice(repository: Make) -> None:
    repo = repository(
        {**NODE, "src/schema.ts": _FORMAT, "README.md": "# Tool\n\n- `format`: how\n  - `brief`: one line (default)\n"}
    )
    repo.replace("'brief'", "'long'", "src/schema.ts")
    repo.commit()
    assert [finding.fix for finding in repo.drifted()] == [None]


def test_a_property_of_java_is_found_where_a_command_gives_it(repository: Make) -> None:
    mojo = '@Mojo(name = "run")\npublic class RunMojo {\n  @Parameter(property = "tool.plugin.keyPrefix")\n  String keyPrefix;\n}\n'
    text = "# Tool\n\nGive it with `-Dtool.plugin.keyPrefix=a`.\n\n```sh\nmvn tool:run -Dtool.plugin.keyPrefix=a\n```\n"
    repo = repository({**JAVA, "src/main/java/RunMojo.java": mojo, "README.md": text})
    repo.replace("tool.plugin.keyPrefix", "tool.plugin.prefix", "src/main/java/RunMojo.java")
    repo.commit()
    assert {m.line for finding in repo.drifted() for m in finding.mentions} == {3, 6}


def test_what_names_begin_with_is_found_in_front_of_them(repository: Make) -> None:
    source = 'object Source {\n  const val DEFAULT_PREFIX = "config.override."\n}\n'
    text = "# Tool\n\nPrefixed with `config.override.`: start it with `-Dconfig.override.name=x`.\n"
    repo = repository({"build.gradle.kts": "", "src/main/kotlin/Source.kt": source, "README.md": text})
    repo.replace("config.override.", "tool.", "src/main/kotlin/Source.kt")
    repo.commit()
    assert {m.line for finding in repo.drifted() for m in finding.mentions} == {3}


def test_what_another_package_gives_is_not_what_a_package_s_manual_tells(repository: Make) -> None:
    code = "export class Store {\n  private _batch = 25;\n\n  get batch(): number {\n    return this._batch;\n  }\n}\n"
    text = "# Store\n\n- `batch`: how many, default `25`\n"
    packages = {
        f"storage/{name}/package.json": f'{{"name": "@acme/{name}", "version": "1.0.0"}}\n' for name in ("red", "blue")
    }
    files = {f"storage/{name}/src/index.ts": code for name in ("red", "blue")}
    repo = repository({**NODE, **packages, **files, "storage/red/README.md": text, "storage/blue/README.md": text})
    repo.replace("25", "40", "storage/red/src/index.ts")
    repo.commit()
    found = repo.drifted(since="HEAD~1")
    assert {(m.file, m.line) for f in found for m in f.mentions} == {("storage/red/README.md", 3)}


def test_a_state_of_a_flag_that_was_turned_round(repository: Make) -> None:
    main = "package main\n\nvar defaults = Config{\n\tEnableHistory: true,\n\tEnableIIS: false,\n}\n\nfunc flags(app *kingpin.Application) {\n"
    main += '\tapp.Flag("process.history", "").BoolVar(&c.EnableHistory)\n\tapp.Flag("process.iis", "").BoolVar(&c.EnableIIS)\n}\n'
    text = "# Tool\n\n### `--process.history`\n\nTells all.\nEnabled by default, and can be turned off.\n\n### `--process.iis`\n\nEnabled by default.\n"
    repo = repository({**GO, "main.go": main, "README.md": text})
    repo.replace("EnableHistory: true", "EnableHistory: false", "main.go")
    repo.commit()
    assert [(f.line, f.fix) for f in repo.drifted()] == [(6, None)]
