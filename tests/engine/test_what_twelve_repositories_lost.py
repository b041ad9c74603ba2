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
        {**PYTHON, "docs/usage.md": "# Usage\n\nTool supports the `repl` command.\n", "tool/cli.py": code, "tox.ini": tox}
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
    code = "module.exports = [\n" + "".join(f"  {{\n    envVar: '{n}',\n    default: {v},\n  }},\n" for n, v in items) + "];\n"
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
