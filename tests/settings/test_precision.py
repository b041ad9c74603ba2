"""What is true, foreign or undecidable is not reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.documents.reader import read_document
from docalign_actors.engine.kinds.configkey.kind import ConfigKeyKind
from docalign_actors.engine.kinds.default.kind import DefaultKind
from docalign_actors.engine.kinds.environment import EnvironmentKind
from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

_CODE = 'import os\n\nTOKEN = os.environ["ACME_TOKEN"]\nPATH = os.environ.get("PYTHONPATH")\n'


def test_a_variable_that_was_never_here_is_not_reported(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "Set `OTHER_TOOL_HOME` and `ACME_TOKEN`.\n", "src/acme/a.py": _CODE})
    assert repo.stale_lines() == set()


def test_a_variable_of_other_programs_that_code_stopped_reading_is_not_reported(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "It honours `PYTHONPATH`.\n", "src/acme/a.py": _CODE})
    repo.write({"src/acme/a.py": 'import os\n\nTOKEN = os.environ["ACME_TOKEN"]\n'}).commit("remove")
    assert repo.stale_lines() == set()


def test_a_variable_that_only_a_test_still_sets_is_not_reported(tmp_path: Path) -> None:
    test = 'def test_it(monkeypatch):\n    monkeypatch.setenv("ACME_TOKEN", "x")\n'
    repo = Repository(tmp_path, {"README.md": "Set `ACME_TOKEN`.\n", "src/acme/a.py": _CODE, "tests/test_a.py": test})
    repo.write({"src/acme/a.py": "from acme.env import read\n"}).commit("remove")
    assert repo.stale_lines() == set()


def test_a_variable_missing_among_its_neighbours_is_reported_without_a_past(tmp_path: Path) -> None:
    names = ["ACME_ONE", "ACME_TWO", "ACME_THREE", "ACME_FOUR"]
    rows = "".join(f"| `{name}` | x |\n" for name in [*names, "ACME_LOST"])
    code = "import os\n" + "".join(f'os.environ["{name}"]\n' for name in names)
    repo = Repository(
        tmp_path,
        {"README.md": f"# Environment variables\n\n| Variable | Use |\n|---|---|\n{rows}", "src/acme/a.py": code},
    )
    assert repo.stale_lines() == {("README.md", 9)}


def test_a_variable_below_a_prefix_that_code_builds_names_from_is_not_reported(tmp_path: Path) -> None:
    names = ["ACME_ONE", "ACME_TWO", "ACME_THREE", "ACME_FOUR"]
    rows = "".join(f"| `{name}` | x |\n" for name in [*names, "ACME_ANY"])
    code = "import os\n" + "".join(f'os.environ["{name}"]\n' for name in names) + 'os.environ[f"ACME_{x}"]\n'
    repo = Repository(
        tmp_path,
        {"README.md": f"# Environment variables\n\n| Variable | Use |\n|---|---|\n{rows}", "src/acme/a.py": code},
    )
    assert repo.stale_lines() == set()


@pytest.mark.parametrize(
    "sentence",
    [
        "`timeout` defaults to `None`.",
        "`timeout` defaults to the number of cores.",
        "`timeout` defaults to 30 on Windows.",
        "`timeout` defaults to `auto`.",
        "The default `timeout` handler is fine.",
        "`timeout` defaults to 45 seconds.",
    ],
)
def test_a_default_that_cannot_be_compared_or_is_right_is_not_reported(tmp_path: Path, sentence: str) -> None:
    code = "class Config:\n    timeout: float = 45.0\n"
    repo = Repository(tmp_path, {"README.md": f"{sentence}\n", "src/acme/config.py": code})
    assert repo.stale_lines() == set()


def test_a_default_that_several_things_of_one_name_have_is_not_reported_without_a_past(tmp_path: Path) -> None:
    code = "class AConfig:\n    timeout = 1\n\n\nclass BConfig:\n    timeout = 2\n"
    repo = Repository(tmp_path, {"README.md": "`timeout` defaults to 3.\n", "src/acme/config.py": code})
    assert repo.stale_lines() == set()


def test_other_tools_files_make_no_claims_about_keys() -> None:
    workflow = b"# Configuration\n\n```yaml\njobs:\n  a:\n    runs-on: ubuntu-latest\n```\n\n```toml\n[build-system]\nbuild-backend = 'x'\n```\n"
    assert list(ConfigKeyKind().extract(read_document("README.md", "markdown", workflow))) == []


_PAGE = """# Configuration

Set `APP_PORT` (default `8080`), or $APP_HOST. The *timeout* `server.read_timeout` defaults to **30 seconds**.

| Name | Default | Notes |
|------|---------|-------|
| `--max-size SIZE` | 10MB | `APP_MAX_SIZE` too |

- `retry-limit`: defaults to `3`
  and more on `log.file_name`

```toml
[tool.app.lint]
max_size = 3  # default: 10
```

```sh
$ APP_PORT=1 app --x   # http://localhost:8080
  --port INT   port [default: 8080]
```
"""


@pytest.mark.parametrize("kind", [EnvironmentKind(), ConfigKeyKind(), DefaultKind()], ids=lambda kind: kind.name)
def test_every_claim_stands_where_it_says(kind: EnvironmentKind | ConfigKeyKind | DefaultKind) -> None:
    lines = _PAGE.splitlines()
    claims = list(kind.extract(read_document("README.md", "markdown", _PAGE.encode())))
    assert claims
    for claim in claims:
        assert lines[claim.line - 1][claim.column - 1 : claim.column - 1 + len(claim.text)] == claim.text


def test_a_variable_that_a_script_without_a_suffix_reads_is_not_reported(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {"README.md": "Set `ACME_TOKEN`.\n", "src/acme/a.py": _CODE})
    repo.write({"src/acme/a.py": "x = 1\n", "docker/run": '#!/bin/sh\nexec acme "$ACME_TOKEN"\n'}).commit(
        "move into the script"
    )
    assert repo.stale_lines() == set()


def test_a_variable_that_code_builds_out_of_parts_is_not_reported(tmp_path: Path) -> None:
    code = "package acme\n\n// ACME_ACTIVE_HELP turns it off.\nconst global = {}\n"
    repo = Repository(
        tmp_path, {"README.md": "Set `ACME_ACTIVE_HELP`.\n", "help.go": code.format('"ACME_ACTIVE_HELP"')}
    )
    repo.write({"help.go": code.format('prefix + "_" + "ACTIVE_HELP"')}).commit("build the name")
    assert repo.stale_lines() == set()


def test_a_variable_that_only_the_pipeline_set_is_not_reported(tmp_path: Path) -> None:
    workflow = "jobs:\n  publish:\n    env:\n      {}: x\n"
    path = ".github/workflows/publish.yml"
    repo = Repository(
        tmp_path, {"README.md": "Name the secret `PYPI_PASSWORD`.\n", path: workflow.format("PYPI_PASSWORD")}
    )
    repo.write({path: workflow.format("PYPI_TOKEN")}).commit("rename")
    assert repo.stale_lines() == set()


def test_a_key_of_another_tools_file_is_not_reported(tmp_path: Path) -> None:
    readme = "# Options\n\n```python\nsetup(\n    long_description='x',\n)\n```\n"
    repo = Repository(tmp_path, {"README.md": readme, "setup.py": "OPTIONS = {'long_description': 'x'}\n"})
    repo.write({"setup.py": "OPTIONS = {'name': 'x'}\n"}).commit("remove")
    assert repo.stale_lines() == set()


_KEYS = "def load(config):\n    return config['retry_count'], config['retry_delay']\n"


def test_a_word_of_a_sentence_that_was_a_key_long_ago_is_not_reported(tmp_path: Path) -> None:
    text = (
        "# Options\n\nIt uses the `retry_delay` of the other library.\n\n- `retry_count`, `retry_delay`: as they say\n"
    )
    repo = Repository(tmp_path, {"README.md": text, "src/acme/a.py": _KEYS})
    repo.write({"src/acme/a.py": "def load(config):\n    return config['retry_count']\n"}).commit("remove")
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 5)}
    old_too = ScanSettings(jobs=1, min_confidence=0.5)
    assert {m.line for f in repo.age().drifted(settings=old_too) for m in f.mentions} == {5}


def test_a_key_of_code_that_is_gone_altogether_is_not_reported_for_long(tmp_path: Path) -> None:
    text = "# Configuration\n\n```yaml\nretry_delay: 1\nother: 2\n```\n"
    repo = Repository(tmp_path, {"README.md": text, "src/acme/a.py": _KEYS, "src/acme/b.py": ""})
    repo.delete("src/acme/a.py").commit("remove")
    assert repo.stale_lines() == {("README.md", 4)}
    assert repo.age().stale_lines() == set()


def test_a_variable_of_another_tool_that_code_read_long_ago_is_not_reported(tmp_path: Path) -> None:
    code = 'import os\n\nTOKEN = os.environ["ACME_TOKEN"]\n'
    then = code + 'ROOT = os.environ["PYENV_ROOT"]\nOLD = os.environ["ACME_OLD"]\n'
    text = "It looks into `PYENV_ROOT` and `ACME_OLD`.\n"
    manifest = '[project]\nname = "acme"\nversion = "1"\n'
    repo = Repository(tmp_path, {"README.md": text, "src/acme/a.py": then, "pyproject.toml": manifest})
    repo.write({"src/acme/a.py": code}).commit("remove")
    assert {f.claim for f in repo.drifted()} == {"PYENV_ROOT", "ACME_OLD"}
    assert {f.claim for f in repo.age().drifted(settings=ScanSettings(jobs=1, min_confidence=0.5))} == {"ACME_OLD"}


def test_a_variable_with_the_name_of_a_dependency_may_be_read_by_it(tmp_path: Path) -> None:
    code = 'import os\n\nTHEME = os.environ["LENS_THEME"]\n'
    manifest = '[project]\nname = "acme"\nversion = "1"\ndependencies = ["lens>=1"]\n'
    files = {"README.md": "Set `LENS_PAGER`.\n", "acme/a.py": code + 'P = os.environ["LENS_PAGER"]\n'}
    repo = Repository(tmp_path, {**files, "pyproject.toml": manifest})
    repo.write({"acme/a.py": code}).commit("remove")
    assert [f.claim for f in repo.drifted()] == ["LENS_PAGER"]
    assert repo.age().drifted(settings=ScanSettings(jobs=1, min_confidence=0.5)) == []


def test_a_variable_that_code_puts_together_is_not_reported(tmp_path: Path) -> None:
    then = 'import os\n\nA = os.environ["SHELL_SQL_LIMIT"]\nB = os.environ["SHELL_TOKEN"]\n'
    now = 'import os\n\nB = os.environ["SHELL_TOKEN"]\nA = os.environ["%s_SQL_LIMIT" % prefix]\n'
    repo = Repository(tmp_path, {"README.md": "Set `SHELL_SQL_LIMIT`.\n", "src/acme/a.py": then})
    repo.write({"src/acme/a.py": now}).commit("join")
    assert repo.stale_lines() == set()


_POLICY = 'POLICY = {"style-src": ["self"], "img-src": ["self"]}\n'


@pytest.mark.parametrize("left", ["tests/views.py", "examples/site/policy.py"])
def test_a_key_with_a_dash_that_only_a_test_or_an_example_still_has_is_not_reported(tmp_path: Path, left: str) -> None:
    sentence = "The settings know the keys `style-src` and `img-src`.\n"
    repo = Repository(tmp_path, {"README.md": sentence, "acme/policy.py": _POLICY, left: _POLICY})
    repo.write({"acme/policy.py": 'POLICY = {"img-src": ["self"]}\n'}).commit("remove")
    assert repo.stale_lines() == set()


def test_a_key_with_a_dash_that_went_is_reported(tmp_path: Path) -> None:
    sentence = "The settings know the keys `style-src` and `img-src`.\n"
    repo = Repository(tmp_path, {"README.md": sentence, "acme/policy.py": _POLICY})
    repo.write({"acme/policy.py": 'POLICY = {"img-src": ["self"]}\n'}).commit("remove")
    assert repo.stale_lines() == {("README.md", 1)}


@pytest.mark.parametrize(("another", "found"), [("batch_size", 1), ("ground_truth_size", 0)])
def test_a_key_of_a_sample_is_missed_only_if_the_code_knows_another_of_its_keys(
    tmp_path: Path, another: str, found: int
) -> None:
    keys = ["computed_at", "commit_sha", "true_positives", "false_positives", another]
    sample = ",\n".join(f'  "{key}": 1' for key in keys)
    told = f"# Configuration\n\nThe file of the configuration:\n\n```json\n{{\n{sample}\n}}\n```\n"
    code = "def load(data):\n    return data['commit_sha'], data['batch_size']\n"
    repo = Repository(tmp_path, {"docs/format.md": told, "src/acme/a.py": code, "src/acme/b.py": ""})
    repo.write({"src/acme/a.py": "def load(data):\n    return data['batch_size']\n"}).commit("remove")
    # That the word is nowhere any more is told all the same, by the last commit and as what it is: a word.
    missed = [finding.claim for finding in repo.drifted() if finding.rule == "unknown-config-key"]
    assert missed == ["commit_sha"] * found


def test_a_number_that_was_the_projects_version_is_not_missed_wherever_it_stands(tmp_path: Path) -> None:
    header = " * Plugin Name:       Acme Tools\n * Version:           1.0.0\n * Requires PHP:      8.0\n"
    code = f"<?php\n/**\n{header} */\n\ndefine( 'ACME_TOOLS_VERSION', '1.0.0' );\n"
    told = "# Acme Tools - Requirements Document\n\n**Version:** 1.0.0  \n**Plugin Slug:** `acme-tools`\n"
    repo = Repository(tmp_path, {"dev-notes/requirements.md": told, "acme-tools.php": code, "README.md": "# Acme\n"})
    repo.replace("1.0.0", "1.1.0", "acme-tools.php").commit("release")
    repo.replace("1.1.0", "1.1.1", "acme-tools.php").commit("release")
    assert repo.drifted() == []


@pytest.mark.parametrize(("shown", "missed"), [("Whois", []), ("Scanner", ["api_key"])])
def test_a_type_that_the_example_declares_has_settings_of_its_own(
    tmp_path: Path, shown: str, missed: list[str]
) -> None:
    fields = '    flags = ["safe"]\n    meta = {"description": "a"}\n    api_key = ""\n    watched = ["NAME"]\n'
    page = f"# How to write a module\n\n```python\nclass {shown}(Base):\n{fields}```\n"
    files = {"docs/howto.md": page, "tool/scanner.py": f"class Scanner(Base):\n{fields}"}
    repo = Repository(tmp_path, {**files, "tool/other.py": 'class Other(Base):\n    api_key = ""\n'})
    repo.replace('    api_key = ""\n', "", "tool/scanner.py").commit("no key is needed")

    assert [finding.claim for finding in repo.drifted()] == missed
