"""One commit takes a documented thing out of all of the code: a whole scan and a scan of the change both point at it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])


def claims(repo: Repository, since: str) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


@BOTH
def test_a_renamed_file_is_missed_although_gitignore_names_it(repository: Make, since: str) -> None:
    repo = repository({"README.md": "Edit `data/list.txt`.\n", "data/list.txt": "one\ntwo\nthree\n"})
    repo.write({".gitignore": "/data/\n"}).commit()
    repo.git("mv", "-f", "data/list.txt", "data/names.txt")
    repo.git("commit", "-qm", "rename")
    assert claims(repo, since) == {("README.md", 1)}


@BOTH
def test_a_class_is_missed_although_a_variable_is_called_alike(repository: Make, since: str) -> None:
    code = "class VenvContainer:\n    pass\n\n\ndef show(venv_container):\n    return venv_container\n"
    repo = repository(
        {"docs/a.md": "# Options\n\n`VenvContainer` holds them.\n", "pkg/__init__.py": "", "pkg/v.py": code}
    )
    repo.replace("class VenvContainer", "class VenvFrame", "pkg/v.py").commit()
    assert claims(repo, since) == {("docs/a.md", 3)}


@BOTH
def test_a_label_is_missed_although_a_heading_is_called_alike(repository: Make, since: str) -> None:
    page = ".. _moving-paths:\n\nMoving paths\n============\n\nWords.\n"
    repo = repository({"docs/conf.py": "", "docs/a.rst": page, "docs/b.rst": "B\n=\n\nSee :ref:`moving-paths`.\n"})
    repo.replace("_moving-paths", "_moved-paths", "docs/a.rst").commit()
    assert claims(repo, since) == {("docs/b.rst", 4)}


@BOTH
def test_an_option_that_begins_with_no_is_not_the_negation_of_another(repository: Make, since: str) -> None:
    code = (
        "import argparse\np = argparse.ArgumentParser('tool')\np.add_argument('--cmd', default='z')\n"
        "p.add_argument('--no-cmd', action='store_true')\np.parse_args()\n"
    )
    repo = repository({"README.md": "Options:\n\n- `--cmd`\n- `--no-cmd`\n", "tool.py": code})
    repo.replace("--no-cmd", "--no-alias", "tool.py").commit()
    assert claims(repo, since) == {("README.md", 4)}


@BOTH
def test_a_key_is_missed_although_its_field_and_a_longer_key_stay(repository: Make, since: str) -> None:
    code = (
        'package hook\n\ntype Hook struct {\n\tTriggerRule string `json:"trigger-rule,omitempty"`\n'
        '\tTriggerRuleStatus int `json:"trigger-rule-status,omitempty"`\n}\n'
    )
    repo = repository({"docs/Definition.md": "# Properties\n\n * `trigger-rule` - the rule\n", "hook/hook.go": code})
    repo.replace('"trigger-rule,', '"rule,', "hook/hook.go").commit()
    assert claims(repo, since) == {("docs/Definition.md", 3)}


@BOTH
@pytest.mark.parametrize("folder", ["examples/file", "tests/integration"])
def test_a_target_of_a_makefile_beside_the_document_is_missed(repository: Make, folder: str, since: str) -> None:
    repo = repository({
        f"{folder}/README.md": "Run `make serve-all`.\n", f"{folder}/Makefile": "serve-all: build\n\techo\nbuild:\n\techo\n",
        "main.py": "x = 1\n",
    })  # fmt: skip
    repo.replace("serve-all:", "run-all:", f"{folder}/Makefile").commit()
    assert claims(repo, since) == {(f"{folder}/README.md", 1)}


@BOTH
def test_a_script_without_an_ending_is_missed_in_a_shell_block(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "```sh\nimpl/test/scripts/softhsm configure\n```\n",
        "impl/test/scripts/softhsm": "#!/bin/sh\necho configure\necho more\n",
    })  # fmt: skip
    repo.move("impl/test/scripts/softhsm", "impl/test/scripts/token").commit()
    assert claims(repo, since) == {("README.md", 2)}


@BOTH
def test_a_method_of_an_unknown_object_is_missed(repository: Make, since: str) -> None:
    code = "exports.toolbar = {\n  registerAceCommand: makeOne('register'),\n};\n"
    example = "```js\ntoolbar.registerAceCommand('list', () => {});\n```\n"
    repo = repository({"doc/a.md": example, "src/bar.js": code, "package.json": '{"name": "pad"}'})
    repo.replace("registerAceCommand", "enrolAceCommand", "src/bar.js").commit()
    assert claims(repo, since) == {("doc/a.md", 2)}


@BOTH
def test_a_route_is_missed_although_its_word_stays_in_the_code(repository: Make, since: str) -> None:
    code = (
        "const express = require('express');\nconst app = express();\napp.get('/stats', (req, res) => {\n"
        "  res.json({});\n});\napp.get('/health', (req, res) => {\n  res.json('ok');\n});\n"
    )
    other = "module.exports = ['stats', 'users'];\n"
    repo = repository({"README.md": "Open `/stats` in a browser.\n", "src/app.js": code, "src/menu.js": other})
    repo.replace("'/stats'", "'/figures'", "src/app.js").commit()
    assert claims(repo, since) == {("README.md", 1)}


def test_a_document_whose_first_section_is_a_migration_guide_is_judged(repository: Make) -> None:
    text = "---\ntitle: Configuration\n---\n\nFirst.\n\nSecond.\n\nThird.\n\nFourth.\n\n# Migration guide\n\n# Use\n\nSee `src/app.py`.\n"
    repo = repository({"docs/a.md": text, "src/app.py": "x = 1\ny = 2\n"})
    repo.move("src/app.py", "src/main.py").commit()
    assert claims(repo, "") == {("docs/a.md", 17)}


def test_a_word_that_went_with_a_name_of_somebody_else_is_left_alone(repository: Make) -> None:
    repo = repository(
        {"README.md": "Use `fetch_rows` from `databases`.\n", "pkg/db.py": "import databases\ndatabases.fetch_rows()\n"}
    )
    repo.write({"pkg/db.py": "x = 1\n"}).commit()
    assert claims(repo, "") == set()
