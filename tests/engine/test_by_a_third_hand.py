"""Facts that a third reader refactored away: told in components, in lists of members, in blocks below "The default is"."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])

GO = 'package main\n\nvar defaults = Config{\n\tMaxConn: 10000,\n\tLevel: "INFO",\n}\n'
FLAGS = 'package main\n\nfunc load() {\n\tf.IntVar(&cfg.MaxConn, "proxy.maxconn", defaults.MaxConn, "most connections")\n}\n'
NODE = (
    'const { Command } = require("commander");\nnew Command()\n  .option("--serve-host <host>", "where to listen", "0.0.0.0")\n'
    '  .option("--level <level>", "how much to log", "info")\n  .parse();\nconst token = process.env.TOOL_TOKEN;\n'
)
PACKAGE = '{"name": "tool", "bin": {"tool": "cli.js"}}\n'


@BOTH
@pytest.mark.parametrize("told", ["The default is", "The default value is:", "Default:", "It defaults to"])
def test_a_block_below_the_words_the_default_is_states_one(repository: Make, since: str, told: str) -> None:
    text = f"# proxy.maxconn\n\n`proxy.maxconn` tells how many connections are kept.\n\n{told}\n\n    proxy.maxconn = 10000\n"
    repo = repository({"docs/ref.md": text, "default.go": GO, "load.go": FLAGS})
    repo.replace("10000", "20000", "default.go").commit()
    assert repo.stale_lines(since=since) == {("docs/ref.md", 7)}


@BOTH
def test_a_block_that_shows_how_a_setting_is_changed_states_no_default(repository: Make, since: str) -> None:
    text = "# proxy.maxconn\n\nThe default is rarely enough. Set more:\n\n    proxy.maxconn = 10000\n"
    repo = repository({"docs/ref.md": text, "default.go": GO, "load.go": FLAGS})
    repo.replace("10000", "20000", "default.go").commit()
    assert repo.stale_lines(since=since) == set()


FIELD = (
    '# Options\n\n<ParamField path="--serve-host" type="string" env="TOOL_TOKEN" default="0.0.0.0">\n  Where to listen.\n'
    "</ParamField>\n"
)


@BOTH
@pytest.mark.parametrize(
    ("old", "new"), [("--serve-host", "--bind"), ("TOOL_TOKEN", "TOOL_SECRET"), ("0.0.0.0", "127.0.0.1")]
)
def test_what_the_attributes_of_a_field_say_is_a_claim(repository: Make, since: str, old: str, new: str) -> None:
    repo = repository({"docs/options.mdx": FIELD, "cli.js": NODE, "package.json": PACKAGE})
    repo.replace(old, new, "cli.js").commit()
    assert repo.stale_lines(since=since) == {("docs/options.mdx", 3)}


@BOTH
def test_a_tag_over_several_lines_is_read_too(repository: Make, since: str) -> None:
    text = FIELD.replace(' type="string" env', '\n  type="string"\n  env')
    repo = repository({"docs/options.mdx": text, "cli.js": NODE, "package.json": PACKAGE})
    repo.replace("TOOL_TOKEN", "TOOL_SECRET", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("docs/options.mdx", 5)}


VIEW = "class View:\n    page_width = 1\n\n    def before_change(self):\n        pass\n\n    def after_change(self):\n        pass\n"


@BOTH
def test_members_that_a_page_of_mkdocstrings_lists_are_missed(repository: Make, since: str) -> None:
    text = "::: tool.view.View\n    options:\n      members:\n        - page_width\n        - before_change\n      filters:\n        - after_change\n"
    repo = repository({"docs/api.md": text, "tool/__init__.py": "", "tool/view.py": VIEW})
    repo.replace("before_change", "on_change", "tool/view.py").replace("after_change", "once", "tool/view.py").commit()
    assert repo.stale_lines(since=since) == {("docs/api.md", 5)}


SWITCHES = 'const known = {\n  boolean: [\n    "auto-restart",\n    "sync-panel",\n  ],\n};\nmodule.exports = known;\n'
TURNED_OFF = "| Option | |\n|---|---|\n| `--auto-restart` | restart |\n| `--no-auto-restart` | do not restart |\n"


@BOTH
def test_what_turns_an_option_off_goes_with_it(repository: Make, since: str) -> None:
    repo = repository({"README.md": TURNED_OFF, "cli.js": SWITCHES, "package.json": PACKAGE})
    repo.replace("auto-restart", "respawn", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}


@BOTH
def test_what_turns_something_off_by_itself_does_not_go_with_it(repository: Make, since: str) -> None:
    code = SWITCHES.replace('    "sync-panel",\n', '    "sync-panel",\n    "no-auto-restart",\n')
    repo = repository({"README.md": TURNED_OFF, "cli.js": code, "package.json": PACKAGE})
    repo.replace('    "auto-restart"', '    "respawn"', "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_route_that_begins_with_a_dash_is_one(repository: Make, since: str) -> None:
    java = 'class Web {\n  void start() {\n    context.addServlet(new ReloadServlet(), "/-/reload");\n  }\n}\n'
    repo = repository({"README.md": "Run `curl -X POST localhost:9106/-/reload`.\n", "src/main/java/Web.java": java})
    repo.replace("/-/reload", "/-/config/reload", "src/main/java/Web.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_route_that_a_regular_expression_matches_is_one(repository: Make, since: str) -> None:
    script = "exports.handlers = [\n  [/^\\/api\\/routes(\\/.*)?$/, { get: list, post: add }],\n];\n"
    text = "| Method | Endpoint |\n|---|---|\n| GET | /api/routes |\n| POST | /api/routes/{spec} |\n\n    DELETE /api/routes/[:path]\n"
    repo = repository({"README.md": text, "lib/proxy.js": script, "package.json": PACKAGE})
    repo.replace("\\/api\\/", "\\/v1\\/", "lib/proxy.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4), ("README.md", 6)}


@BOTH
def test_a_method_of_ruby_goes_by_its_mark(repository: Make, since: str) -> None:
    code = 'require "async"\n\nclass Config\n  def async!\n    @async = true\n  end\n\n  def no_async!\n    @async = false\n  end\nend\n'
    text = (
        "Use `async!` for it.\n\n```ruby\nconfig do\n  agent(:one) { async! }\n  agent(:two) { no_async! }\nend\n```\n"
    )
    repo = repository({"README.md": text, "lib/tool/config.rb": code})
    repo.replace("def async!", "def in_background!", "lib/tool/config.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1), ("README.md", 5)}


COMPARED = {
    "ruby": ("lib/tool/cli.rb", 'class CLI\n  def start(command)\n    if command == "execute"\n      run\n    end\n  end\nend\n'),
    "cases": ("lib/tool/cli.rb", 'class CLI\n  def start(command)\n    case command\n    when "list" then all\n    when "execute" then run\n    end\n  end\nend\n'),
    "javascript": ("lib/cli.js", 'function main(command) {\n  switch (command) {\n    case "list":\n      return all();\n    case "execute":\n      return run();\n  }\n}\n'),
    "go": ("cmd/tool/main.go", 'package main\n\nfunc main() {\n\tcmd := os.Args[1]\n\tswitch cmd {\n\tcase "list":\n\t\tall()\n\tcase "execute":\n\t\trun()\n\t}\n}\n'),
}  # fmt: skip


@BOTH
@pytest.mark.parametrize("where", list(COMPARED))
def test_what_a_program_compares_its_command_with_is_a_command(repository: Make, since: str, where: str) -> None:
    path, code = COMPARED[where]
    text = "Run it:\n\n```bash\nbin/tool execute flow.rb\n```\n\nOr `tool execute`.\n"
    other = f"{path.rpartition('/')[0]}/log{path[path.rindex('.') :]}"  # the word is another thing's too
    spoken = (
        'log("execute", "flow")\n'
        if not path.endswith(".go")
        else 'package main\n\nvar words = []string{"execute", "flow"}\n'
    )
    repo = repository({"README.md": text, path: code, "bin/tool": "#!/bin/sh\n", other: spoken})
    repo.replace('"execute"', '"run"', path).commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 7)}


@BOTH
def test_a_case_of_something_else_is_no_command(repository: Make, since: str) -> None:
    code = 'class Shape\n  def draw(shape)\n    case shape\n    when "square" then 1\n    when "circle" then 2\n    end\n  end\nend\n'
    more = {"lib/names.rb": 'NAMES = ["square", "circle"]\n', "bin/tool": "#!/bin/sh\n"}
    repo = repository({"README.md": "Run `tool circle`.\n", "lib/shape.rb": code, **more})
    repo.replace('"circle"', '"ring"', "lib/shape.rb").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_title_of_restructuredtext_that_is_referred_to_by_its_words_is_missed(repository: Make, since: str) -> None:
    text = "Tool\n====\n\n* ENDPOINT: see `Choosing the Endpoint`_\n\nChoosing the Endpoint\n---------------------\n\nWords.\n"
    repo = repository({"README.rst": text}).age()
    repo.replace("Choosing the Endpoint\n---------------------", "Endpoints\n---------", "README.rst").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 4)}


DOCKERFILE = 'FROM scratch\nEXPOSE 9106\nENTRYPOINT ["/tool", "9106"]\n'


@BOTH
@pytest.mark.parametrize(
    "told", ["```sh\ndocker run -p 9106 -v /etc/a:/b tool\n```\n", "The\n`9106` port is exposed.\n"]
)
def test_a_port_that_a_container_opens_is_the_programs(repository: Make, since: str, told: str) -> None:
    repo = repository({"README.md": told, "Dockerfile": DOCKERFILE})
    repo.replace("9106", "9206", "Dockerfile").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
@pytest.mark.parametrize("told", ["from Python 3.9 till 3.14", "from Python 3.9 to 3.13"])
def test_a_range_that_begins_with_from_is_no_condition(repository: Make, since: str, told: str) -> None:
    project = '[project]\nname = "tool"\nrequires-python = ">=3.9"\n'
    text = f"# Contributing\n\n3. The pull request should work {told}. Check it.\n"
    repo = repository({"CONTRIBUTING.md": text, "pyproject.toml": project})
    repo.replace(">=3.9", ">=3.10", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 3)}


PARSER = (
    "import argparse\n\nparser = argparse.ArgumentParser()\nshared = argparse.ArgumentParser(add_help=False)\n"
    'shared.add_argument("--pool-size", type=int, default=4)\n'
)


@BOTH
@pytest.mark.parametrize("word", ["parameter", "option"])
def test_this_parameter_is_the_one_that_the_paragraph_above_is_about(repository: Make, since: str, word: str) -> None:
    text = (
        "# Tool\n\n## Throughput\n\nPass `--pool-size` to send more at once.\n\n"
        f"You can also use this {word} when fetching (it defaults to 4).\n"
    )
    repo = repository({"README.md": text, "tool/cmd.py": PARSER})
    repo.replace("default=4", "default=8", "tool/cmd.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


@BOTH
def test_a_setting_in_quotes_that_a_comment_calls_the_default_is_one(repository: Make, since: str) -> None:
    text = '# Tool\n\n```json\n{\n    "name": "", // of the tab\n    "packer": "tar", // default, could be "tar" or "zip"\n    "open": true // a browser\n}\n```\n'
    files = {"README.md": text, "json/config.json": '{\n    "name": "",\n    "packer": "tar",\n    "open": true\n}\n'}
    code = "const parsed = {\n  'packer': config('packer') || 'tar',\n};\nif (parsed.packer === 'zip') zip();\n"
    repo = repository({**files, "cli.js": code, "package.json": PACKAGE})
    repo.replace('"tar"', '"zip"', "json/config.json").replace("|| 'tar'", "|| 'zip'", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_an_option_that_may_be_left_out_may_stand_before_a_command(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser('tool')\nparser.add_argument('--confirm')\n"
        "subs = parser.add_subparsers()\nsubs.add_parser('before')\nsubs.add_parser('retain')\n"
    )
    text = "# Tool\n\nUse `tool retain`.\n\n```sh\n$ tool [--confirm] retain 5\n$ tool [--confirm] before x\n```\n"
    project = '[project]\nname = "tool"\n[project.scripts]\ntool = "tool.cmd:main"\n'
    repo = repository({"README.md": text, "tool/cmd.py": code, "pyproject.toml": project})
    repo.replace("'retain'", "'keep'", "tool/cmd.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


CONFIG = "".join(
    f'  "{name}": true,\n' for name in ("oneFilePanel", "syncPath", "keysPanel", "showDotFiles", "confirmCopy")
)


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
