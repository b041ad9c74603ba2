"""Facts that another hand took away from twelve repositories, and that were not missed."""

from __future__ import annotations

import pytest

from tests.support.changes import NODE, PYTHON, Make

BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])


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


@BOTH
def test_an_environment_of_tox_is_no_command_that_went(repository: Make, since: str) -> None:
    code = "import click\n\n\n@click.group()\ndef cli():\n    pass\n\n\n@cli.command()\ndef repl():\n    pass\n\n\n@cli.command()\ndef show():\n    pass\n"
    tox = "[tox]\nenvlist = py312\n\n[testenv:repl]\nextras = repl\n"
    repo = repository(
        {
            **PYTHON,
            "docs/usage.md": "# Usage\n\nTool supports the `repl` command.\n",
            "tool/cli.py": code,
            "tox.ini": tox,
        }
    )
    repo.replace("def repl", "def shell", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("docs/usage.md", 3)}


@BOTH
def test_a_command_of_a_group_is_one_of_its_folder(repository: Make, since: str) -> None:
    group = "exports.command = '{name}';\nexports.builder = (yargs) => yargs.commandDir('./{name}');\n"
    command = "exports.builder = (yargs) => yargs.option('title', { type: 'string' });\nexports.handler = () => {};\n"
    repo = repository(
        {
            **NODE,
            "package.json": '{"name": "tool", "version": "1.0.0", "bin": {"tool": "bin/tool.js"}}\n',
            "README.md": "# Tool\n\n| Command | What |\n|---|---|\n| `tool pr create` | one |\n| `tool check create` | two |\n",
            "bin/tool.js": "#!/usr/bin/env node\nrequire('yargs').commandDir('./tool').argv;\n",
            "bin/tool/pr.js": group.format(name="pr"),
            "bin/tool/pr/create.js": "exports.command = 'create [path...]';\n" + command,
            "bin/tool/check.js": group.format(name="check"),
            "bin/tool/check/create.js": "exports.command = 'create <file>';\n" + command,
        }
    )
    repo.replace("'create [", "'open [", "bin/tool/pr/create.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
@pytest.mark.parametrize(("shown", "reported"), [(5, True), (9, False)], ids=["defaults", "an example"])
def test_a_block_that_gives_settings_what_code_gives_them_shows_the_defaults(
    repository: Make, since: str, shown: int, *, reported: bool
) -> None:
    items = (("TOOL_SESSION_MINUTES", 60), ("TOOL_MAX_ROWS", 500), ("TOOL_RETRIES", 5), ("TOOL_WORKERS", 4))
    code = (
        "module.exports = [\n"
        + "".join(f"  {{\n    envVar: '{n}',\n    default: {v},\n  }},\n" for n, v in items)
        + "];\n"
    )
    page = (
        "# Configuration\n\n```bash\n# Minutes to keep a session.\nTOOL_SESSION_MINUTES = 60\n\n"
        f"TOOL_MAX_ROWS = {shown}00\nTOOL_RETRIES = {shown}\nTOOL_WORKERS = 4\n```\n"
    )
    repo = repository({**NODE, "docs/configuration.md": page, "lib/items.js": code})
    repo.replace("default: 60", "default: 120", "lib/items.js").commit()
    assert repo.stale_lines(since=since) == ({("docs/configuration.md", 5)} if reported else set())


@BOTH
def test_a_key_of_a_schema_is_missed_although_its_last_word_is_everywhere(repository: Make, since: str) -> None:
    schema = '{\n  "tool.plugins.mccabe.threshold": {\n    "type": "integer"\n  },\n  "tool.plugins.style.enabled": {\n    "type": "boolean"\n  }\n}\n'
    code = 'def check(settings, threshold):\n    return settings.get("maximum", threshold)\n'
    page = "# Configuration\n\n| Key | Type |\n|---|---|\n| `tool.plugins.mccabe.threshold` | `integer` |\n| `tool.plugins.style.enabled` | `boolean` |\n"
    repo = repository({**PYTHON, "CONFIGURATION.md": page, "tool/config/schema.json": schema, "tool/check.py": code})
    repo.replace("mccabe.threshold", "mccabe.maximum", "tool/config/schema.json").commit()
    assert repo.stale_lines(since=since) == {("CONFIGURATION.md", 5)}


@BOTH
def test_a_version_that_is_needed_also_is_missed_when_the_manifest_demands_another(
    repository: Make, since: str
) -> None:
    page = "# Setup\n\nTool only works on Unix. You'll also need to have [Node.js](https://nodejs.org/) v22.12.0 or later pre-installed.\n"
    manifest = '{"name": "tool", "version": "1.0.0", "engines": {"node": ">=22.12.0"}}\n'
    repo = repository({"docs/setup.md": page, "package.json": manifest, "tool.js": "module.exports = 1;\n"})
    repo.replace("22.12.0", "24.0.0", "package.json").commit()
    assert repo.stale_lines(since=since) == {("docs/setup.md", 3)}


@BOTH
@pytest.mark.parametrize(("named", "reported"), [("bin/control.sh", True), ("run/tool.pid", False)])
def test_a_file_is_named_by_the_place_where_the_repository_is_copied_to(
    repository: Make, since: str, named: str, *, reported: bool
) -> None:
    page = f"# Setup\n\nRun `/opt/tool/{named}`.\n\nThe defaults are in `/opt/tool/sample_conf/config.json`.\n"
    repo = repository(
        {**NODE, "docs/setup.md": page, "bin/control.sh": "#!/bin/sh\n", "sample_conf/config.json": '{"a": 1}\n'}
    )
    repo.move("sample_conf/config.json", "defaults/config.json").commit()
    assert repo.stale_lines(since=since) == ({("docs/setup.md", 5)} if reported else set())


@BOTH
def test_a_file_of_three_words_is_missed_in_a_remark_too(repository: Make, since: str) -> None:
    guide = "# Work\n\nStart Redis:\n\n```bash\ndocker compose -f docker-compose.redis.yml up -d\n```\n"
    page = "# Work\n\n```sh\nyarn dev     # starts Redis (docker-compose.redis.yml)\n```\n"
    compose = "services:\n  redis:\n    image: redis\n    ports:\n      - 6379:6379\n"
    repo = repository({**NODE, "CLAUDE.md": guide, "CONTRIBUTING.md": page, "docker-compose.redis.yml": compose})
    repo.move("docker-compose.redis.yml", "compose.dev.yml").commit()
    assert repo.stale_lines(since=since) == {("CLAUDE.md", 6), ("CONTRIBUTING.md", 4)}


@BOTH
@pytest.mark.parametrize(
    ("other", "reported"), [("program.leaves", True), ("tree.leaves()", False)], ids=["read", "called"]
)
def test_a_method_of_one_word_is_missed_where_nothing_is_called_so_any_more(
    repository: Make, since: str, other: str, *, reported: bool
) -> None:
    page = (
        "# API\n\n#### .leaves()\n\nReturns modules without dependencies.\n\n```js\nconsole.log(res.leaves());\n```\n"
    )
    code = "class Graph {\n  obj() {\n    return this.tree;\n  }\n\n  leaves() {\n    return Object.keys(this.tree);\n  }\n}\nmodule.exports = Graph;\n"
    cli = f"const program = require('commander');\nif ({other}) {{\n  console.log(1);\n}}\n"
    repo = repository({**NODE, "README.md": page, "lib/api.js": code, "cli.js": cli})
    repo.replace("leaves()", "endpoints()", "lib/api.js").commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3), ("README.md", 8)} if reported else set())


@BOTH
@pytest.mark.parametrize(
    ("told", "reported"), [("`handle_timeout()` is", True), ("It is", False)], ids=["told of", "only shown"]
)
def test_a_method_that_the_reader_is_to_write_is_still_ours(
    repository: Make, since: str, told: str, *, reported: bool
) -> None:
    page = f"# Plugins\n\nSubclasses must implement it:\n\n```python\n@abstractmethod\ndef handle_timeout(self):\n```\n\n{told} called when time is up.\n"
    code = "class Proxy:\n    def poll(self):\n        self.handle_timeout()\n\n    def handle_timeout(self):\n        raise NotImplementedError\n"
    repo = repository({**PYTHON, "docs/plugins.md": page, "tool/proxy.py": code})
    repo.replace("handle_timeout", "check_deadline", "tool/proxy.py").commit()
    assert repo.stale_lines(since=since) == ({("docs/plugins.md", 7), ("docs/plugins.md", 10)} if reported else set())


@BOTH
def test_a_class_behind_the_whole_path_of_its_module_is_one_in_plain_words_too(repository: Make, since: str) -> None:
    page = (
        "# Output\n\nThis is defined by a model\n[tool.lockfile.Lockfile](https://example.com/models.html) of ours.\n"
    )
    code = '"""Lockfile, as it is written."""\n\n\nclass Lockfile:\n    pass\n'
    repo = repository({**PYTHON, "docs/output.md": page, "tool/__init__.py": "", "tool/lockfile.py": code})
    repo.replace("class Lockfile", "class UnifiedLockfile", "tool/lockfile.py").commit()
    assert repo.stale_lines(since=since) == {("docs/output.md", 4)}
