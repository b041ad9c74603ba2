"""One commit puts other names and values in the place of documented ones: they are found however a document writes them.

All cases stand in one repository, so that two scans judge them; a line that is to be found begins with `!`, which is cut off.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])

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
def test_a_type_that_only_its_file_was_named_after_is_still_there(repository: Make, since: str) -> None:
    code = "package org.acme\n\nclass Extension {\n    val color = 1\n}\n"
    page = "# Tool\n\n```kotlin\nconfigure<org.acme.Extension> { color }\n```\n"
    repo = repository({"README.md": page, "src/main/kotlin/org/acme/Extension.kt": code})
    repo.move("src/main/kotlin/org/acme/Extension.kt", "src/main/kotlin/org/acme/Settings.kt").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_sub_command_is_missed_behind_options_and_in_quotes(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--plain')\nparser.add_argument('-o')\n"
        "sub = parser.add_subparsers()\nsub.add_parser('list')\nsub.add_parser('describe')\n"
    )
    page = (
        '# Tool\n\nThe "describe" verb tells all, as do the "list" and "describe" operations.\n\n```shell\ntool describe x\n'
        'tool --plain 1 -o "out" "localhost:87" describe x\n```\n'
    )
    manifest = '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n'
    repo = repository({"README.md": page, "pyproject.toml": manifest, "tool/cli.py": code, "tool/__init__.py": ""})
    repo.replace("'describe'", "'show'", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6), ("README.md", 7)}
