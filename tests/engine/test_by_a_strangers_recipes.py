"""What a stranger would rename in programs of Python, JavaScript and TypeScript, and what is still there under the same word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.engine.test_a_rename_in_every_framework import Case, check, readme
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

NODE = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}

CASES = [
    Case(
        "default of a settings file below the sources, which is called as tools call theirs",
        {**readme("| variable | default |", "|---|---|", "| `APP_LIMIT_MAX` | 40 |"), **NODE,
         "src/config/limit.config.ts": "export const limit = z.object({\n  max: z.number().int().default(40).describe('APP_LIMIT_MAX'),\n});\n"},
        "default(40)", "default(20)", "| 40 |",
    ),
    Case(
        "option that yargs is given by its name and a table",
        {**readme("```", "  --clear-config, --cc  Clear the file.", "```"), **NODE,
         "cli.js": "const yargs = require('yargs');\nconst args = yargs\n  .options('clear-config', {\n    alias: 'cc',\n    type: 'boolean'\n  })\n  .options('port', {\n    type: 'number'\n  })\n  .argv;\nif (args['clear-config']) run();\n"},
        "clear-config", "reset-config", "--clear-config",
    ),
    Case(
        "method whose word the language has for one of its own",
        {**readme("#### `memoryUsage`", "", "```js", "console.log(app.memoryUsage())", "```"), **NODE,
         "index.js": "module.exports = function (app) {\n  app.decorate('memoryUsage', memoryUsage)\n}\n",
         "lib/now.js": "module.exports = () => process.memoryUsage().rss\n"},
        "'memoryUsage', memoryUsage", "'usageNow', usageNow", "memoryUsage",
    ),
    Case(
        "key that an example hands to a function which is told of by another name in the code",
        {**readme("```ts", 'import { defineConfig } from "tool";', "", "export default defineConfig({", "  destroyOnExit, // default is `true`.", "});", "```"), **NODE,
         "src/index.ts": "export { makeConfig as defineConfig } from './config';\n",
         "src/config.ts": "export interface Config {\n  destroyOnExit?: boolean;\n}\nexport const makeConfig = (config: Config) => config;\n"},
        "destroyOnExit", "closeOnExit", "destroyOnExit",
    ),
    Case(
        "key of the reader's settings that code only reads",
        {**readme("| Parameter | Type |", "|---|---|", "| `scripts.dialogStyle` | String |", "", "```json", "{", '  "dialogStyle": "critical"', "}", "```"), **NODE,
         "index.js": "module.exports = function (script) {\n  return script.dialogStyle === 'critical' ? 1 : 2\n}\n"},
        "dialogStyle", "dialogKind", "dialogStyle",
    ),
    Case(
        "last part of a path in a column of defaults",
        {**readme("| option | about | default |", "|---|---|---|", "| pidPath | Where pids lie | `[root]/pids` |"), **NODE,
         "index.js": "module.exports = function (options) {\n  options.pidPath = options.pidPath || path.join(options.root, 'pids')\n  return options\n}\n"},
        "'pids'", "'run'", "/pids",
    ),
    Case(
        "default in the description of an option",
        {**readme("- `--theme` option:", "  - Type: string", "  - Description: Choose a theme, defaults to `vue`."), **NODE,
         "cli.js": "require('yargs').options({\n  theme: {\n    default: 'vue',\n    type: 'string'\n  }\n}).argv\n"},
        "'vue'", "'core'", "`vue`",
    ),
    Case(
        "value that is called a default in more words, beside the new one",
        {**readme("## `ipv6Subnet`", "", "Smaller values block more. 56 is a moderately aggressive default. Try 60 or 64."), **NODE,
         "index.js": "module.exports = function (options) {\n  const config = {\n    ipv6Subnet: 56,\n    ...options\n  }\n  return config\n}\n"},
        "ipv6Subnet: 56", "ipv6Subnet: 64", "56 is",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_mention_is_found(repository: Make, case: Case) -> None:
    check(repository, case)


def test_a_script_of_three_words_is_the_one_of_the_folder_that_had_it(repository: Make) -> None:
    repo = repository({
        **readme("Run `yarn start:dev:mock`."), "package.json": '{"name": "tool", "version": "1.0.0", "scripts": {"build": "turbo"}}\n',
        "web/package.json": '{"name": "web", "version": "1.0.0", "scripts": {"start:dev:mock": "next dev", "start": "next"}}\n',
    })  # fmt: skip
    repo.replace("start:dev:mock", "start:mock", "web/package.json").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_a_file_that_a_command_reads_is_named_without_its_folder(repository: Make) -> None:
    repo = repository({
        "docs/contributing.md": "# Contributing\n\n```bash\npip install -r dev-requirements.txt\n```\n",
        "dev-requirements.txt": "pytest\n", "tool.py": "def run():\n    pass\n",
    })  # fmt: skip
    repo.move("dev-requirements.txt", "requirements-dev.txt").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/contributing.md", 4)}


def test_a_folder_that_is_called_one_is_none_of_the_packages_that_are_called_alike(repository: Make) -> None:
    repo = repository({
        **readme("Put the binary into the directory `dev-proxy`. `dev-proxy` serves both."),
        "package.json": '{"name": "tool", "version": "1.0.0"}\n',
        "dev-proxy/package.json": '{"name": "dev-proxy", "version": "1.0.0"}\n', "dev-proxy/index.js": "run()\n",
    })  # fmt: skip
    repo.move("dev-proxy", "proxy").commit()
    assert repo.stale_lines() == {("README.md", 3)}


def test_what_code_only_read_is_no_key_in_the_midst_of_a_sentence(repository: Make) -> None:
    repo = repository({
        **readme("Express gives `response.headersSent` to handlers.", "", "```js", "if (response.headersSent) next()", "```"), **NODE,
        "index.js": "module.exports = (response) => {\n  if (response.headersSent) return\n}\n",
    })  # fmt: skip
    repo.replace("headersSent", "writableEnded", "index.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_an_argument_of_somebody_elses_function_is_not_ours_for_its_name(repository: Make) -> None:
    repo = repository({
        **readme("```python", "import requests", "", "requests.get(url, max_retries=3)", "```"),
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/__init__.py": "",
        "tool/net.py": "def fetch(url, max_retries=2):\n    return url, max_retries\n",
    })  # fmt: skip
    repo.replace("max_retries", "attempts", "tool/net.py").commit()
    assert repo.stale_lines() == set()


def test_settings_of_a_tool_beside_the_manifest_are_the_tools(repository: Make) -> None:
    repo = repository({
        **readme("| option | default |", "|---|---|", "| `chunkLimit` | 40 |"), **NODE,
        "vite.config.ts": "export default { chunkLimit: 40 };\n", "index.js": "module.exports = 1\n",
    })  # fmt: skip
    repo.replace("40", "20", "vite.config.ts").commit()
    assert repo.stale_lines() == set()


def test_a_file_that_a_link_leads_to_is_no_default(repository: Make) -> None:
    repo = repository({
        **readme("The `root` is given (the default for both, see [index.js](https://example.org/src/index.js))."), **NODE,
        "index.js": "module.exports = (options) => ({\n  root: 'index.js',\n  ...options\n})\n",
    })  # fmt: skip
    repo.replace("root: 'index.js'", "root: 'jobs.js'", "index.js").commit()
    assert repo.stale_lines() == set()


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_command_of_an_application_of_django_is_run_by_the_readers_project(repository: Make, since: str) -> None:
    command = "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n    pass\n"
    repo = repository({
        **readme("```console", "$ python manage.py qmemory", "$ python manage.py qinfo", "$ python manage.py migrate", "```"),
        "pyproject.toml": '[project]\nname = "queue"\nversion = "1"\n', "queue/__init__.py": "",
        "queue/management/commands/qmemory.py": command, "queue/management/commands/qinfo.py": command + "\nNAME = 1\n",
    })  # fmt: skip
    repo.move("queue/management/commands/qmemory.py", "queue/management/commands/qusage.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}
