"""What went and is named by documents yet is missed: versions and licences."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, Make

POM = (
    "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>a</groupId>\n  <artifactId>tool</artifactId>\n"
    "  <properties>\n    <java.version>17</java.version>\n  </properties>\n</project>\n"
)


@BOTH
@pytest.mark.parametrize("told", ["jre/jdk 17 or above", "JDK / JRE 17 or later"])
def test_a_runtime_by_two_of_its_names_demands_a_version(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {"README.md": f"# Tool\n\n## Requirements\n\n- {told}\n", "pom.xml": POM, "src/A.java": "class A {}\n"}
    )
    repo.replace("<java.version>17", "<java.version>21", "pom.xml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
@pytest.mark.parametrize("told", ["from Python 3.9 till 3.14", "from Python 3.9 to 3.13"])
def test_a_range_that_begins_with_from_is_no_condition(repository: Make, since: str, told: str) -> None:
    project = '[project]\nname = "tool"\nrequires-python = ">=3.9"\n'
    text = f"# Contributing\n\n3. The pull request should work {told}. Check it.\n"
    repo = repository({"CONTRIBUTING.md": text, "pyproject.toml": project})
    repo.replace(">=3.9", ">=3.10", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 3)}


@BOTH
def test_two_manifests_that_write_one_version_in_two_ways_agree(repository: Make, since: str) -> None:
    project = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
    setup = "from setuptools import setup\n\nsetup(name='tool', python_requires='>=3.10.0')\n"
    repo = repository(
        {"README.md": "# Tool\n\nTool requires Python 3.10 or later.\n", "pyproject.toml": project, "setup.py": setup}
    )
    repo.replace("3.10", "3.12", "pyproject.toml").replace("3.10", "3.12", "setup.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("said", "reported"), [("3.6+", True), ("3.5+", False)])
def test_the_oldest_version_that_is_tested_is_the_one_that_the_manifest_demanded(
    repository: Make, since: str, said: str, *, reported: bool
) -> None:
    page = f"# Tool\n\nIt’s rigorously tested on Python {said}, and officially supports\nDjango 3.0 and 4.0.\n"
    setup = "from setuptools import setup\n\nsetup(name='tool', python_requires='>=3.6,<4')\n"
    repo = repository({"README.md": page, "setup.py": setup})
    repo.replace("3.6", "3.8", "setup.py").commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3)} if reported else set())


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
def test_of_two_javas_of_a_build_the_one_that_changed_is_meant(repository: Make, since: str) -> None:
    pom = (
        "<project>\n<modelVersion>4.0.0</modelVersion>\n<artifactId>tool</artifactId>\n<properties>\n"
        "<maven.compiler.release>17</maven.compiler.release>\n<java.version>25</java.version>\n</properties>\n</project>\n"
    )
    text = "# Contributing\n\nRequirements:\n\n- Java 25 or newer to build\n- Java 17 or newer to run\n"
    repo = repository({"CONTRIBUTING.md": text, "pom.xml": pom, "src/main/java/A.java": "class A {}\n"})
    repo.replace("<java.version>25", "<java.version>26", "pom.xml").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 5)}


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
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_what_one_feature_needs_is_not_what_the_package_demands(repository: Make) -> None:
    page = "# Tool\n\n- `tool.config.ts` (requires Node 22.6+ for native TS support)\n- Tool requires Node 22.6+\n"
    package = '{"name": "tool", "version": "1.0.0", "engines": {"node": ">=22.6.0"}}\n'
    repo = repository({"README.md": page, "package.json": package})
    repo.replace("22.6.0", "22.22.1", "package.json").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 4)}


def test_a_line_of_which_only_the_blanks_are_new_was_as_false_before(repository: Make) -> None:
    page = "# App\n\nIt requires  Python 3.7+ and a database.\n"
    manifest = '[project]\nname = "app"\nrequires-python = ">=3.10"\n'
    repo = repository({"README.md": page, "pyproject.toml": manifest, "app.py": "x = 1\n"})
    repo.replace("requires  Python", "requires Python", "README.md").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
    repo.replace("and a database", "and two databases", "README.md").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


@BOTH
def test_a_version_is_missed_that_is_told_in_brackets(repository: Make, since: str) -> None:
    requires = "".join(f"\texample.org/d{n} v1.0.0\n" for n in range(12))
    manifest = f"module example.org/app\n\ngo 1.27.0\n\nrequire (\n{requires})\n"
    page = "# App\n\nYou can install Go and build it from source (requires Go 1.27+):\n"
    repo = repository({"go.mod": manifest, "main.go": "package main\n", "README.md": page})
    repo.replace("go 1.27.0", "go 1.29.0", "go.mod").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_version_is_missed_in_the_last_clause_of_a_sentence_about_platforms(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "a"\nrequires-python = ">=3.10"\n'
    page = "# A\n\nA is tested on macOS, Linux and Windows\n(partial), and requires Python 3.10 or better.\n"
    repo = repository({"pyproject.toml": manifest, "a.py": "", "README.md": page})
    repo.replace("3.10", "3.12", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}
