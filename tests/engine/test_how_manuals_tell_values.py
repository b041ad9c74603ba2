"""A value of the code changes that a manual tells in a way of its own: as a product, within code, below a title with a sign in it."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import is_test
from tests.support.changes import JAVA, NODE, PYTHON, RUST, Case, Make, check

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
