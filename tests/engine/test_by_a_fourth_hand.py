"""Facts that a fourth reader refactored away: told with the value first, through a script, under a described server's path."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])

SETTINGS = (
    'package main\n\ntype Settings struct {\n\tFlush time.Duration `envconfig:"FLUSH_INTERVAL" default:"10s"`\n'
    '\tWait time.Duration `envconfig:"WAIT_TIME" default:"10s"`\n}\n'
)
POM = (
    "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>a</groupId>\n  <artifactId>tool</artifactId>\n"
    "  <properties>\n    <java.version>17</java.version>\n  </properties>\n</project>\n"
)
PROJECT = (
    '[project]\nname = "tool"\n\n[project.scripts]\ntool-work = "tool.cli:work"\ntool-new-site = "tool.cli:new_site"\n'
)
CLI = "def work(): ...\n\n\ndef new_site(): ...\n"
COMPOSER = '{"name": "a/b", "scripts": {"stan": "phpstan analyse", "lint": "mago lint"}}\n'
WRAPPER = '#!/bin/sh\ndocker exec -it app /bin/sh -c "$*"\n'
SWAGGER = "swagger: '2.0'\ninfo: {title: x, version: '1'}\nbasePath: /shop/v1\npaths:\n  /owners:\n    get: {}\n  /pets:\n    get: {}\n"
OPENAPI = SWAGGER.replace("swagger: '2.0'", "openapi: 3.0.0").replace(
    "basePath: /shop/v1", "servers:\n  - url: 'https://{host}/shop/v1'"
)
ROUTES = "# Routes\n\n| Method | Path |\n|---|---|\n| GET | `/shop/v1/owners` |\n| GET | `/pets` |\n"


@BOTH
@pytest.mark.parametrize("told", ["e.g. `10s` is the default value.", "and `10s` is the default."])
def test_a_default_whose_value_is_told_first_is_held_to_the_code(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {
            "README.md": f"# Tool\n\nConfigure it with `FLUSH_INTERVAL`, where the type is `time.Duration`, {told}\n",
            "settings.go": SETTINGS,
        }
    )
    repo.replace('INTERVAL" default:"10s', 'INTERVAL" default:"5s', "settings.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_what_is_the_default_of_something_else_is_no_value(repository: Make) -> None:
    text = "# Tool\n\nConfigure it with `FLUSH_INTERVAL`; `10s` is the default interval of the other program.\n"
    repo = repository({"README.md": text, "settings.go": SETTINGS.replace("10s", "5s")})
    assert repo.stale_lines() == set()


@BOTH
@pytest.mark.parametrize("told", ["jre/jdk 17 or above", "JDK / JRE 17 or later"])
def test_a_runtime_by_two_of_its_names_demands_a_version(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {"README.md": f"# Tool\n\n## Requirements\n\n- {told}\n", "pom.xml": POM, "src/A.java": "class A {}\n"}
    )
    repo.replace("<java.version>17", "<java.version>21", "pom.xml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_program_of_two_words_is_missed_in_a_block_without_a_language(repository: Make, since: str) -> None:
    text = "Tool\n====\n\nSubmit sites::\n\n    tool-new-site --limit=6 https://example.org/\n"
    repo = repository({"README.rst": text, "pyproject.toml": PROJECT, "tool/__init__.py": "", "tool/cli.py": CLI})
    repo.replace("tool-new-site", "tool-add-site", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 6)}


@BOTH
def test_a_script_that_is_run_through_one_of_ours_is_missed(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n* Run `./indocker composer stan` to check types.\n* Run `./indocker composer lint` to check style.\n"
    )
    repo = repository({"README.md": text, "composer.json": COMPOSER, "indocker": WRAPPER})
    repo.replace('"stan"', '"analyse"', "composer.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_what_a_script_of_ours_takes_need_be_no_script_of_a_manifest(repository: Make) -> None:
    repo = repository(
        {"README.md": "# Tool\n\nRun `./dev npm run lint`.\n", "package.json": '{"name": "a"}\n', "dev": WRAPPER}
    )
    assert repo.stale_lines() == set()


@BOTH
@pytest.mark.parametrize("spec", [SWAGGER, OPENAPI])
def test_a_path_under_what_a_description_put_before_its_paths_is_lost_with_it(
    repository: Make, since: str, spec: str
) -> None:
    repo = repository({"README.md": ROUTES, "api.yaml": spec})
    repo.replace("/shop/v1", "/store/v2", "api.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_path_that_a_description_lists_in_full_now_is_not_lost(repository: Make, since: str) -> None:
    repo = repository({"README.md": ROUTES, "api.yaml": SWAGGER})
    repo.replace("/shop/v1", "/", "api.yaml").replace("  /owners", "  /shop/v1/owners", "api.yaml").commit()
    assert repo.stale_lines(since=since) == set()
