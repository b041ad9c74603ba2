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


@BOTH
def test_a_file_is_missed_although_gitignore_names_a_folder_that_it_is_not_in(repository: Make, since: str) -> None:
    files = {".gitignore": "/src\npackages/\n", "README.md": "See `tool/toolrc` and `packages/word_engine.py`.\n"}
    repo = repository({**files, "tool/toolrc": "a = 1\nb = 2\n"})
    repo.write({"tool/packages/word_engine.py": "x = 1\ny = 2\nz = 3\n"})
    repo.git("add", "-f", "tool/packages/word_engine.py")
    repo.commit()
    repo.git("mv", "tool/toolrc", "tool/tool.ini")
    repo.git("mv", "tool/packages/word_engine.py", "tool/packages/word_motor.py")
    repo.git("commit", "-qm", "rename")
    assert len(repo.drifted(since=since)) == 2


@BOTH
def test_a_route_that_a_helper_prefixes_is_missed(repository: Make, since: str) -> None:
    code = (
        'package api\n\nimport "github.com/gorilla/mux"\n\nfunc (s *Server) routes(r *mux.Router) {\n'
        '\tr.HandleFunc(s.prefixed("/token/validate"), s.validate).Methods("GET")\n'
        '\tr.HandleFunc(s.prefixed("/token"), s.issue).Methods("POST")\n}\n'
    )
    repo = repository(
        {"README.md": "* `GET /token/validate` validates\n* `POST /token` issues\n", "api/server.go": code}
    )
    repo.replace("/token/validate", "/token/check", "api/server.go").commit()
    assert claims(repo, since) == {("README.md", 1)}


@BOTH
def test_a_variable_is_missed_when_the_start_of_its_name_changed(repository: Make, since: str) -> None:
    code = (
        'package command\n\nimport "os"\n\nconst envVarPrefix = "PGWEB_"\n\nfunc get(name string) string {\n'
        '\treturn os.Getenv(envVarPrefix + name)\n}\n\nvar sessions = get("SESSIONS")\n'
    )
    repo = repository({"README.md": "```sh\nPGWEB_SESSIONS=1 pgweb\n```\n", "command/options.go": code})
    repo.replace("PGWEB_", "WEB_", "command/options.go").commit()
    assert claims(repo, since) == {("README.md", 2)}


@BOTH
def test_a_value_of_a_chart_is_missed_although_its_words_stay(repository: Make, since: str) -> None:
    table = "| Parameter | Default | Description |\n|---|---|---|\n| `hpa.enabled` | `false` | scale |\n"
    repo = repository({
        "chart/README.md": f"# Configuration\n\n{table}", "chart/Chart.yaml": "name: tool\nversion: 1.0.0\n",
        "chart/values.yaml": "hpa:\n  enabled: false\nui:\n  enabled: true\n", "deploy/list.yaml": "resources:\n- hpa.yaml\n",
    })  # fmt: skip
    repo.replace("hpa:", "autoscaling:", "chart/values.yaml").commit()
    assert ("chart/README.md", 5) in claims(repo, since)


@BOTH
@pytest.mark.parametrize(
    "sentence",
    [
        "The latest major version is v21, supporting Node.js 22.21 and up.",
        "Run it if you have installed Node.js v22.21 and later.",
        "`tool` v14 onwards requires Node v22.21 to run.",
        "The minimum version of Node is 22.21, although it may work with older ones.",
    ],
)  # fmt: skip
def test_a_version_is_missed_in_a_sentence_that_speaks_of_more(repository: Make, sentence: str, since: str) -> None:
    repo = repository({
        "README.md": f"# tool\n\n{sentence}\n", "package.json": '{\n "name": "tool",\n "engines": {"node": ">=22.21"}\n}\n',
    })  # fmt: skip
    repo.replace(">=22.21", ">=24.1", "package.json").commit()
    assert claims(repo, since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(
    "line", ["docker run -dp 9898:9898 me/tool", "curl -s tool:9898/token", "telnet tool.local 9898", "nc -v ::1 9898"]
)
def test_a_port_is_missed_in_the_command_of_a_client(repository: Make, line: str, since: str) -> None:
    repo = repository({"README.md": f"```sh\n{line}\n```\n", "Dockerfile": "FROM scratch\nEXPOSE 9898\n"})
    repo.replace("9898", "9797", "Dockerfile").commit()
    assert claims(repo, since) == {("README.md", 2)}


@BOTH
def test_a_default_of_a_flag_with_one_dash_is_compared(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nfunc main() {\n\tn := flag.Uint("prefetch", 10, "how many")\n\tflag.Parse()\n\t_ = n\n}\n'
    text = "```\nOptions:\n  -prefetch N   how many (default 10)\n```\n"
    repo = repository({"README.md": text, "main.go": code, "go.mod": "module x/tool\n\ngo 1.22\n"})
    repo.replace('"prefetch", 10', '"prefetch", 20', "main.go").commit()
    assert claims(repo, since) == {("README.md", 3)}


@BOTH
def test_a_flag_with_one_dash_and_a_long_name_is_missed_in_help_output(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nfunc main() {\n\tn, m := flag.Uint("lock-timeout", 15, ""), flag.Uint("prefetch", 1, "")\n\tflag.Parse()\n\t_, _ = n, m\n}\n'
    text = "```\nOptions:\n  -lock-timeout N  seconds to wait\n  -prefetch N      how many\n```\n"
    repo = repository({"README.md": text, "main.go": code, "go.mod": "module x/tool\n\ngo 1.22\n"})
    repo.replace('"lock-timeout"', '"lock-wait"', "main.go").commit()
    assert claims(repo, since) == {("README.md", 3)}


@BOTH
def test_an_option_of_our_program_is_missed_in_the_document_of_an_example(repository: Make, since: str) -> None:
    code = (
        "import argparse\n\n\ndef main():\n    p = argparse.ArgumentParser('pgweb')\n    p.add_argument('--sessions')\n"
        "    p.parse_args()\n"
    )
    project = '[project]\nname = "pgweb"\nversion = "1"\n[project.scripts]\npgweb = "pgweb.cli:main"\n'
    text = "```sh\npgweb --sessions --other-flag\n```\n"
    repo = repository(
        {"examples/a/README.md": text, "pgweb/cli.py": code, "pgweb/__init__.py": "", "pyproject.toml": project}
    )
    repo.replace("--sessions", "--multi", "pgweb/cli.py").commit()
    assert claims(repo, since) == {("examples/a/README.md", 2)}


@BOTH
def test_a_default_is_compared_although_another_clause_follows(repository: Make, since: str) -> None:
    text = "# Settings\n\n`max_query_size`: how many. The default is 10,000, and if you expect more, think again.\n"
    repo = repository(
        {"docs/a.md": text, "pkg/config.py": "def load(conf):\n    conf.setdefault('max_query_size', 10000)\n"}
    )
    repo.replace("10000", "5000", "pkg/config.py").commit()
    assert claims(repo, since) == {("docs/a.md", 3)}


@BOTH
def test_a_class_of_the_tests_is_missed_in_the_readme_of_the_test_suite(repository: Make, since: str) -> None:
    code = "class MetricsAssertions {\n  static void assertContentType() {}\n}\n"
    repo = repository({
        "suite/README.md": "Use `MetricsAssertions.assertContentType()` in `MetricsTest`.\n",
        "suite/src/test/java/MetricsAssertions.java": code, "src/main/java/Tool.java": "class Tool {}\n",
        "suite/src/test/java/MetricsTest.java": "class MetricsTest { }\n",
    })  # fmt: skip
    repo.replace("MetricsAssertions", "GaugeChecks", "suite/src/test/java/MetricsAssertions.java").commit()
    assert claims(repo, since) == {("suite/README.md", 1)}


def test_a_copy_that_lacks_an_object_can_be_compared(repository: Make) -> None:
    repo = repository(
        {"README.md": "Run `tools/build.sh`.\n", "tools/build.sh": "echo one\n" * 9, "data/list.txt": "a\nb\n"}
    )
    repo.move("tools/build.sh", "tools/make.sh").replace("one", "two", "tools/make.sh").commit()
    missing = repo.git("rev-parse", "HEAD:data/list.txt").strip()
    (repo.root / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    (repo.root / "data" / "list.txt").unlink()
    assert claims(repo, "HEAD~1") == {("README.md", 1)}


def test_a_word_that_only_a_build_script_had_is_another_projects(repository: Make) -> None:
    repo = repository(
        {"README.md": "Start it with `gunicorn_paster`.\n", "buildout.cfg": "[app]\nscripts = gunicorn_paster\n", "a.py": "x = 1\n"}
    )  # fmt: skip
    repo.replace("gunicorn_paster", "gunicorn", "buildout.cfg").commit()
    assert claims(repo, "HEAD~1") == set()
