"""A commit takes a documented thing away, and something that only looks alike stays: a package, a wrapper, a test, a heading."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, JAVA, NODE, PYTHON, Case, Make, check
from tests.support.repository import Repository

_TOOLS = "src/main/java/com/acme/cloud/tools/Store.java"
_MAIN = """\
import picocli.CommandLine;

@CommandLine.Command(name = "pack", subcommands = {War.class, Jar.class})
public class Main {
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
"""
_WAR = 'import picocli.CommandLine;\n\n@CommandLine.Command(name = "war")\npublic class War implements Runnable {}\n'
_JAR = 'import picocli.CommandLine;\n\n@CommandLine.Command(name = "jar")\npublic class Jar implements Runnable {}\n'

CASES = [
    Case("a Java package that is called tools", ("Call `Store.keepLayersCache` first.!",),
         {**JAVA, _TOOLS: "package com.acme.cloud.tools;\n\npublic class Store extends Other {\n  public void keepLayersCache() {}\n}\n"},
         "keepLayersCache", "keepLayersMemo"),
    Case("a package that is called bench, of a program called so", ("- **migrate-env**: Moves it.!", "", "`bench.RELEASE_NAME` tells.", "", "Run `bench start`."),
         {"pyproject.toml": '[project]\nname = "acme-bench"\nversion = "1"\n[project.scripts]\nbench = "bench.cli:main"\n', "bench/__init__.py": "RELEASE_NAME = 'a'\n",
          "bench/cli.py": "import click\n\n\n@click.group()\ndef main():\n    pass\n\n\n@main.command(\n    'migrate-env', help='Moves it.'\n)\ndef migrate():\n    pass\n\n\n@main.command('start')\ndef start():\n    pass\n"},
         "'migrate-env'", "'switch-python'"),
    Case("the program is a picocli command", ("```sh", "pack war app.war!", "pack jar app.jar", "```"),
         {**JAVA, "src/main/java/o/Main.java": _MAIN, "src/main/java/o/War.java": _WAR, "src/main/java/o/Jar.java": _JAR},
         'name = "war"', 'name = "archive"'),
    Case("xvfb-run before npm", ("```sh", 'xvfb-run -a --server-args="-screen 0 1024x768x24" npm test!', "```"),
         {"package.json": '{"name": "tool", "version": "1.0.0", "scripts": {"test": "node t.js", "lint": "node l.js"}}\n'},
         '"test"', '"trial"'),
    Case("a prompt with a variable", ("```", "$GOPATH/src/example.com/tool $ make checks!", "```"),
         {**NODE, "Makefile": "checks:\n\tgo test ./...\n\nbuild:\n\tgo build\n"}, "checks:", "trial:"),
    Case("a rule for everything", ("Run `make test-docker` first.!",),
         {**NODE, "Makefile": "test-docker:\n\tdocker compose run tox $(filter-out $@,$(MAKECMDGOALS))\n\n%:\n\t@true\n"},
         "test-docker:", "trial-docker:"),
    Case("a class that begins with an acronym", ("The `TODOItem` says what is to be done.!",),
         {**NODE, "todo.js": "class TODOItem {\n  run() {}\n}\n\nmodule.exports = TODOItem\n"}, "TODOItem", "TODOEntry"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_went_is_found_wherever_it_is_told(repository: Make, case: Case) -> None:
    check(repository, case)


def _places(repo: Repository, since: str) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since=since) for mention in finding.mentions}


@BOTH
def test_a_test_that_lies_alike_does_not_stand_for_the_file(repository: Make, since: str) -> None:
    repo = repository(
        {
            "docs/a.md": "See `outbound/hmail.js`.\n",
            "outbound/hmail.js": "one()\ntwo()\n",
            "test/outbound/hmail.js": "it()\n",
        }
    )
    repo.git("mv", "outbound", "sending")
    repo.git("commit", "-qm", "rename")
    assert _places(repo, since) == {("docs/a.md", 1)}


@BOTH
def test_an_example_among_examples_is_a_file_like_any_other(repository: Make, since: str) -> None:
    repo = repository(
        {"docs/a.md": "See `examples/rules/example_one.yaml`.\n", "examples/rules/example_one.yaml": "a: 1\nb: 2\n"}
    )
    repo.git("mv", "examples/rules/example_one.yaml", "examples/rules/sample_one.yaml")
    repo.git("commit", "-qm", "rename")
    assert _places(repo, since) == {("docs/a.md", 1)}


@BOTH
@pytest.mark.parametrize("told", [True, False], ids=["told to make labels of headings", "not told"])
def test_a_heading_is_a_label_only_if_sphinx_is_told_so(repository: Make, told: bool, since: str) -> None:
    conf = "extensions = ['sphinx.ext.autosectionlabel']\n" if told else "extensions = []\n"
    repo = repository(
        {
            "docs/conf.py": conf,
            "docs/index.rst": "Start\n=====\n\nSee :ref:`render.png`.\n",
            "docs/api.rst": ".. _render.png:\n\nrender.png\n----------\n\nWords.\n",
        }
    )
    repo.replace("_render.png:", "_paint.png:", "docs/api.rst").commit()
    assert _places(repo, since) == (set() if told else {("docs/index.rst", 4)})


@BOTH
def test_a_script_is_missed_where_the_text_sends_the_reader_to_its_folder(repository: Make, since: str) -> None:
    scripts = '{"name": "%s", "version": "1.0.0", "scripts": {%s}}\n'
    repo = repository(
        {
            "docs/dev.md": "Run `npm start` inside the client folder.\n\nRun `npm start` in your project.\n",
            "docs/package.json": scripts % ("docs", '"dev": "vuepress"'),
            "client/package.json": scripts % ("client", '"start": "vite", "build": "vite build"'),
        }
    )
    repo.replace('"start"', '"launch"', "client/package.json").commit()
    assert _places(repo, since) == {("docs/dev.md", 1)}


@BOTH
def test_a_recipe_of_a_module_is_not_looked_for_in_the_nearest_justfile(repository: Make, since: str) -> None:
    page = "```sh\njust test\njust biome\njust ui::test\n```\n"
    repo = repository(
        {
            "justfile": "mod ui 'ui/justfile'\n\nall:\n\techo\n",
            "ui/justfile": "test:\n\techo\n\nbiome:\n\techo\n",
            "ui/README.md": page,
            "tool.py": "A = 1\n",
        }
    )
    repo.write({"tool.py": "B = 1\n", "ui/README.md": page + "\nMore.\n"}).commit()
    assert _places(repo, since) == set()


def test_a_port_of_another_service_is_not_taken_for_one_that_went_long_ago(repository: Make) -> None:
    page = "```yaml\nregistry:\n  url: http://registry:8081\n```\n"
    repo = repository({"README.md": page, "application.yml": "server:\n  port: 8081\n", **PYTHON})
    repo.replace("8081", "28081", "application.yml").commit()
    for number in range(40):
        repo.write({"tool/notes.py": f"N = {number}\n"}).commit()
    repo.replace("28081", "29182", "application.yml").commit()
    assert _places(repo, "") == set()


@BOTH
@pytest.mark.parametrize(("page", "told"), [("docs/coverage.md", True), ("COVERAGE.md", False)])
def test_a_page_about_coverage_is_no_report_of_it(repository: Make, since: str, page: str, told: bool) -> None:
    code = "import argparse\n\np = argparse.ArgumentParser()\np.add_argument('--silent-mode')\n"
    repo = repository({page: "# Coverage\n\nPass `--silent-mode`.\n", "tool/cli.py": code, **PYTHON})
    repo.replace("--silent-mode", "--quiet-mode", "tool/cli.py").commit()
    assert _places(repo, since) == ({(page, 3)} if told else set())
