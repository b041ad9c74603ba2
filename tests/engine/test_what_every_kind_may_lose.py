"""What a list of refactorings, balanced over the kinds of claims, showed to be missed; and what is still true beside it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])
PYTHON = {"pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n', "tool/__init__.py": ""}
NODE = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}


@BOTH
def test_an_address_with_a_method_goes_on_behind_its_first_placeholder(repository: Make, since: str) -> None:
    code = (
        "async fn main() {\n    App::new()\n        .service(\n"
        '            web::resource("/reporter/{probe}/{node}")\n                .guard(guard::Post())\n                .to(report),\n'
        "        )\n        .service(\n"
        '            web::resource("/reporter/{probe}/{node}/{replica}")\n                .guard(guard::Delete())\n'
        "                .to(flush),\n        );\n}\n"
    )
    text = (
        "# Protocol\n\n`HTTP POST https://status.example.com/reporter/<probe>/<node>/`\n\n"
        "`HTTP DELETE https://status.example.com/reporter/<probe>/<node>/<replica>/`\n"
    )
    repo = repository({"PROTOCOL.md": text, "Cargo.toml": '[package]\nname = "tool"\n', "src/main.rs": code})
    repo.replace("/reporter/", "/report/", "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("PROTOCOL.md", 3), ("PROTOCOL.md", 5)}


@BOTH
@pytest.mark.parametrize(("page", "found"), [("releases", {("README.md", 5)}), ("issues/12", set())])
def test_a_repository_lives_where_its_readme_leads_to_all_releases(
    repository: Make, since: str, page: str, found: set[tuple[str, int]]
) -> None:
    text = f"# Tool\n\nSee https://github.com/acme/tool/{page}.\n\n[here](https://github.com/acme/tool/tree/master/src/locales)\n"
    repo = repository(
        {"README.md": text, "src/locales/de.po": "msgid\n", "src/main.c": "int main(void) { return 0; }\n"}
    )
    repo.move("src/locales", "src/messages").commit()
    assert repo.stale_lines(since=since) == found


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
def test_a_method_of_an_object_that_is_called_like_its_file_is_ours(repository: Make, since: str) -> None:
    text = "# Hooks\n\n```js\nvar hooks = require('hooks');\nhooks.beforeEachCheck(run);\n```\n"
    code = "class Hooks {\n  beforeEachCheck(hook) {\n    this.list.push(hook);\n  }\n}\nmodule.exports = Hooks;\n"
    repo = repository({"docs/hooks.md": text, **NODE, "lib/Hooks.js": code})
    repo.replace("beforeEachCheck", "beforeEachTest", "lib/Hooks.js").commit()
    assert repo.stale_lines(since=since) == {("docs/hooks.md", 5)}


SCRIPT = "#!/bin/bash\nfetch () {\n  go get ./...\n}\nbuild () {\n  go build\n}\ncase \"$1\" in\n  'build' \\\n  |'fetch' \\\n  |'test')\n  $1\n  ;;\nesac\n"


@BOTH
def test_a_sub_command_of_a_script_stands_in_quotes_and_behind_the_name_with_its_ending(
    repository: Make, since: str
) -> None:
    repo = repository({"README.md": "# Tool\n\n```bash\n  ./do.sh fetch\n  ./do.sh build\n```\n", "do.sh": SCRIPT})
    repo.replace("fetch", "deps", "do.sh").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_sub_command_is_what_the_first_argument_is_compared_with(repository: Make, since: str) -> None:
    code = "#!/usr/bin/env node\nconst argv = require('optimist').argv;\nif (argv._[0] === 'setup' || argv.setup) {\n  ask();\n}\n"
    repo = repository({"README.md": "# Tool\n\n    $ tool setup\n\nRun `tool setup`.\n", **NODE, "cli.js": code})
    repo.replace("=== 'setup'", "=== 'wizard'", "cli.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5)}


def _parsers() -> dict[str, str | bytes]:
    def program(name: str) -> str:
        return (
            "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser()\n    subs = parser.add_subparsers()\n"
            f"    subs.add_parser('configure')\n    subs.add_parser('{name}')\n    parser.parse_args()\n"
        )

    manifest = (
        '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli.run:main"\n'
        'tool-admin = "tool.cli.admin:main"\n'
    )
    return {
        "pyproject.toml": manifest, "tool/__init__.py": "", "tool/cli/__init__.py": "",
        "tool/cli/run.py": program("start"), "tool/cli/admin.py": program("list"),
    }  # fmt: skip


@BOTH
def test_a_command_of_one_program_is_none_of_another(repository: Make, since: str) -> None:
    text = "# Tool\n\n```console\n$ tool configure\n$ tool-admin configure\n$ tool start\n```\n"
    repo = repository({"README.md": text, **_parsers()})
    repo.replace("'configure'", "'wizard'", "tool/cli/run.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_folder_of_examples_is_missed_by_its_path_and_where_it_is_called_one(repository: Make, since: str) -> None:
    text = "# Play\n\nStart a server from the `server` directory:\n\n```\ncd example/server\nnode run.js\n```\n"
    repo = repository(
        {"example/README.md": text, "example/server/run.js": "listen(1)\n", "src/main.rs": "fn main() {}\n"}
    )
    repo.move("example/server", "example/backend").commit()
    assert repo.stale_lines(since=since) >= {("example/README.md", 3), ("example/README.md", 6)}


@BOTH
def test_a_project_of_tests_is_missed_by_its_name(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "# Tool\n\nSee `ToolParents.Tests` for examples.\n", "src/Tool/Tool.cs": "class Tool { }\n",
        "test/ToolParents.Tests/Parents.cs": "class Parents { }\n",
    })  # fmt: skip
    repo.move("test/ToolParents.Tests", "test/Above.Tests").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("other", "found"), [("", {("docs/usage.md", 4)}), ("packages/web/lib/outputs/a.js", set())])
def test_a_folder_is_missed_by_its_path_within_its_package(
    repository: Make, since: str, other: str, found: set[tuple[str, int]]
) -> None:
    text = "# Usage\n\n```js\nreporter: ['dot'], // see folder lib/outputs\n```\n"
    files = {"packages/tool/package.json": '{"name": "tool", "version": "1.0.0"}\n'}
    files |= {"packages/web/package.json": '{"name": "web", "version": "1.0.0"}\n', other: "1\n"} if other else {}
    repo = repository({"docs/usage.md": text, **files, "packages/tool/lib/outputs/dot.js": "module.exports = 1\n"})
    repo.move("packages/tool/lib/outputs", "packages/tool/lib/reports").commit()
    assert repo.stale_lines(since=since) == found


@BOTH
def test_a_constant_that_is_handed_over_with_a_key_is_that_keys_default(repository: Make, since: str) -> None:
    code = 'const NROUNDS: i64 = 1;\n\nfn load(doc: &Value) -> i64 {\n    read_number(doc, "rounds", NROUNDS)\n}\n'
    text = "# Syntax\n\n- `rounds`: How often it runs (Optional, default: 1)\n- `step`: How far it goes (default: 1)\n"
    repo = repository({"SYNTAX.md": text, "Cargo.toml": '[package]\nname = "tool"\n', "src/config.rs": code})
    repo.replace("i64 = 1", "i64 = 10", "src/config.rs").commit()
    assert repo.stale_lines(since=since) == {("SYNTAX.md", 3)}


SETTINGS = "class Core:\n    max_wait = Attribute('max_wait', float, default=2)\n    low_wait = Attribute('low_wait', float, default=1)\n"


@BOTH
def test_a_cross_reference_tells_whose_default_a_sentence_tells(repository: Make, since: str) -> None:
    text = (
        "Running\n=======\n\nThe wait cannot be longer than :attr:`~Core.max_wait` (2s\nby default). It is never 1s.\n"
    )
    repo = repository({"docs/run.rst": text, **PYTHON, "tool/core.py": SETTINGS})
    repo.replace("default=2", "default=5", "tool/core.py").commit()
    assert repo.stale_lines(since=since) == {("docs/run.rst", 4)}


@BOTH
def test_an_item_that_is_nothing_but_an_option_in_a_span_tells_whose_default_stands_below(
    repository: Make, since: str
) -> None:
    code = 'def run(executor: str = "fork", queues: str = "all") -> None:\n    start(executor, queues)\n'
    text = "Workers\n=======\n\n- ``-x``, ``--executor``\n\n  Can be ``fork`` (default) or ``sync``.\n"
    repo = repository({"README.rst": text, **PYTHON, "tool/worker.py": code})
    repo.replace('"fork"', '"sync"', "tool/worker.py").commit()
    assert repo.stale_lines(since=since) == {("README.rst", 6)}


@BOTH
def test_a_heading_is_referred_to_by_its_own_words_where_sphinx_makes_labels_of_headings(
    repository: Make, since: str
) -> None:
    text = "Running\n=======\n\nSee the :ref:`section on variables <Supported variables>`.\n\nSupported variables\n-------------------\n\nNone.\n"
    repo = repository({
        "docs/conf.py": "extensions = ['sphinx.ext.autosectionlabel']\n", "docs/run.rst": text, "docs/index.rst": "Tool\n====\n",
    })  # fmt: skip
    repo.replace("Supported variables\n-------------------", "Variables\n---------", "docs/run.rst").commit()
    assert repo.stale_lines(since=since) == {("docs/run.rst", 4)}


RUBY = "module Tool\n  class Runner\n    def reload_plan!\n      load\n    end\n  end\nend\n"
GEM = {"tool-runner.gemspec": 'Gem::Specification.new do |s|\n  s.name = "tool-runner"\nend\n'}


@BOTH
def test_a_method_of_ruby_is_missed_without_its_mark_and_below_its_name_space(repository: Make, since: str) -> None:
    text = "# Tool\n\n``` ruby\nTool::Runner.instance.reload_plan!\n```\n"
    repo = repository({"README.md": text, **GEM, "lib/tool/runner.rb": RUBY})
    repo.replace("reload_plan!", "refresh!", "lib/tool/runner.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_what_ruby_loads_may_have_a_hyphen(repository: Make, since: str) -> None:
    text = "# Tool\n\n``` ruby\nrequire 'sidekiq/web'\nrequire 'tool-runner/web'\n```\n"
    repo = repository(
        {"README.md": text, **GEM, "lib/tool-runner/web.rb": "module Web\nend\n", "lib/tool-runner.rb": RUBY}
    )
    repo.move("lib/tool-runner/web.rb", "lib/tool-runner/ui.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_all_of_a_module_that_went_went_with_it(repository: Make, since: str) -> None:
    text = "Time\n====\n\nUse :mod:`tool.tools.time`:\n\n* :func:`~tool.tools.time.zone` finds the zone\n* :func:`~tool.tools.web.get` gets a page\n"
    repo = repository({
        "docs/time.rst": text, **PYTHON, "tool/tools/__init__.py": "try:\n    from . import time\nexcept ImportError:\n    pass\n",
        "tool/tools/net.py": "def zone():\n    pass\n", "tool/tools/web.py": "def get():\n    pass\n",
        "tool/tools/time.py": "from tool.tools.net import zone\n\n\ndef show():\n    return zone()\n",
        "tool/app.py": "from tool.tools.time import show\n",
    })  # fmt: skip
    repo.move("tool/tools/time.py", "tool/tools/clock.py").replace("tools.time", "tools.clock", "tool/app.py").commit()
    assert repo.stale_lines(since=since) == {("docs/time.rst", 4), ("docs/time.rst", 6)}


@BOTH
def test_a_variable_goes_with_the_key_that_it_stands_for(repository: Make, since: str) -> None:
    text = "# Tool\n\nFor instance, `tool.feed-refresh.interval-max` can be\nset with the `TOOL_FEED_REFRESH_INTERVAL_MAX` variable.\n`OTHER_FEED_REFRESH_INTERVAL_MAX` is not ours.\n"
    code = "interface Configuration {\n    interface FeedRefresh {\n        int intervalMax();\n    }\n}\n"
    model = 'property: "tool.feed-refresh.interval-max"\n'
    repo = repository({
        "README.md": text, "src/main/java/Configuration.java": code, "src/main/resources/model.yaml": model,
    })  # fmt: skip
    repo.replace("intervalMax", "longestInterval", "src/main/java/Configuration.java")
    repo.replace("interval-max", "longest-interval", "src/main/resources/model.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}


@BOTH
def test_a_port_that_a_compose_file_maps_is_told_without_a_language(repository: Make, since: str) -> None:
    text = "# Tool\n\n```\nservices:\n  tool:\n    image: acme/tool\n    ports:\n      - 8082:8082\n  db:\n    ports:\n      - 5432:5432\n```\n"
    repo = repository(
        {"README.md": text, "Dockerfile": "FROM scratch\nEXPOSE 8082\n", "main.c": "int main(void) { return 0; }\n"}
    )
    repo.replace("8082", "8181", "Dockerfile").commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


PORTS = 'class Properties(\n  @param:DefaultValue("9092") val httpPort: Int,\n)\n'


@BOTH
@pytest.mark.parametrize(("published", "found"), [("9092:9092", {4, 5}), ("9092:80", set())])
def test_a_port_that_is_published_under_its_own_number_is_not_chosen(
    repository: Make, since: str, published: str, found: set[int]
) -> None:
    text = f"# Tool\n\n```shell\ndocker run -p 9090:9090 -p {published} acme/tool\ncurl http://localhost:9092/\n```\n"
    repo = repository({"README.md": text, "src/main/kotlin/Properties.kt": PORTS})
    repo.replace("9092", "9094", "src/main/kotlin/Properties.kt").commit()
    assert repo.stale_lines(since=since) == {("README.md", line) for line in found}


@BOTH
def test_the_first_of_several_ports_in_brackets_is_one(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe API runs on dedicated ports (9092 HTTP, 9193 HTTPS).\n"
    repo = repository({"README.md": text, "src/main/kotlin/Properties.kt": PORTS})
    repo.replace("9092", "9094", "src/main/kotlin/Properties.kt").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_constant_that_a_field_is_given_is_that_fields_default(repository: Make, since: str) -> None:
    code = (
        "package server\n\nconst (\n\tdefaultWait = 1 * time.Second\n)\n\nfunc New() *Server {\n\treturn &Server{\n"
        "\t\tBackoffWait: defaultWait,\n\t}\n}\n"
    )
    text = "# Tool\n\n```\n  --backoff-wait duration   How long to wait. (default 1s)\n  --poll-wait duration      How long to poll. (default 1s)\n```\n"
    repo = repository({"README.md": text, "go.mod": "module example.org/tool\n", "server/server.go": code})
    repo.replace("= 1 *", "= 5 *", "server/server.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_what_the_settings_beside_a_document_give_is_what_it_tells(repository: Make, since: str) -> None:
    row = "| Key | Type | Default |\n|---|---|---|\n| host.interface | string | `docker0` |\n"
    code = 'package main\n\nfunc flags(s *Server, fs *Set) {\n\tfs.StringVar(&s.HostInterface, "host-interface", "docker0", "the interface")\n}\n'
    repo = repository({
        "README.md": row, "charts/tool/README.md": row, "charts/tool/values.yaml": "host:\n  interface: docker0\n",
        "go.mod": "module example.org/tool\n", "main.go": code,
    })  # fmt: skip
    repo.replace('"docker0"', '"eth0"', "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(
    ("name", "told", "found"),
    [
        ("feedMaxItems", "feed_max_items", {3}),
        ("maxItems", "max_items", set()),
        ("feedMaxItems", "FeedMaxItems", set()),
    ],
)
def test_a_name_of_three_words_is_missed_in_another_spelling_though_nothing_came_in_its_place(
    repository: Make, since: str, name: str, told: str, found: set[int]
) -> None:
    field = f"    public int ${name} = 300;\n\n"
    code = f"<?php\nfinal class Configuration {{\n{field}    public string $title = '';\n}}\n"
    feed = f"<?php\nfunction most(Configuration $c): int {{\n    return $c->{name};\n}}\n"
    repo = repository(
        {"docs/options.md": f"# Options\n\n### `{told}`\n", "src/Configuration.php": code, "src/Feed.php": feed}
    )
    repo.replace(field, "", "src/Configuration.php").replace(f"$c->{name}", "100", "src/Feed.php").commit()
    assert repo.stale_lines(since=since) == {("docs/options.md", line) for line in found}


@BOTH
def test_what_picocli_reads_of_the_environment_is_a_variable(repository: Make, since: str) -> None:
    code = (
        'class Fetch {\n    @Option(names = "--url", defaultValue = "${env:TOOL_BASE_URL:-https://example.org}",\n'
        '        description = "Where to fetch.%nCan also be passed via TOOL_BASE_URL")\n    String url;\n}\n'
    )
    text = "# Tool\n\n```\n  --url=<url>  Where to fetch.\n               Can also be passed via TOOL_BASE_URL\n```\n"
    repo = repository({"README.md": text, "src/main/java/Fetch.java": code})
    repo.replace("TOOL_BASE_URL", "TOOL_ORIGIN", "src/main/java/Fetch.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_console_script_that_a_sentence_names_is_told_when_it_gets_another_name(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool:main"\ntool-import = "tool.load:main"\n'
    text = "# Tool\n\n`tool-import` reads `tool.yml`, and `tool serve` shows `tool-kit`.\n"
    repo = repository(
        {"README.md": text, "pyproject.toml": manifest, "tool/__init__.py": "", "tool/load.py": "x = 1\n"}
    )
    repo.replace("tool-import", "tool-load", "pyproject.toml").commit()
    (finding,) = repo.drifted(since=since)
    assert (finding.rule, finding.line, finding.column) == ("unknown-command", 3, 2)
    assert finding.fix is not None
    assert finding.fix.replacement == "tool-load"


@pytest.mark.parametrize("since", ["", "HEAD~1"])
def test_a_word_that_is_still_the_packages_name_is_no_lost_console_script(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "tool-import"\nversion = "1"\n\n[project.scripts]\ntool = "tool:main"\ntool-import = "tool.load:main"\n'
    repo = repository(
        {
            "README.md": "# Tool\n\n`tool-import` loads, `tool serve` shows.\n",
            "pyproject.toml": manifest,
            "tool/load.py": "",
        }
    )
    repo.replace('tool-import = "', 'tool-load = "', "pyproject.toml").commit()
    assert repo.drifted(since=since) == []


@BOTH
def test_a_port_in_a_default_that_is_told_whole_is_not_told_once_more(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nvar addr = flag.String("addr", ":8080", "where to listen")\n\nfunc main() { flag.Parse() }\n'
    text = "# lamp\n\n| Flag | Default | |\n|---|---|---|\n| `-addr` | `:8080` | where to listen |\n"
    repo = repository({"README.md": text, "go.mod": "module example.org/lamp\n\ngo 1.21\n", "main.go": code})
    repo.replace(":8080", ":7070", "main.go").commit()
    (finding,) = repo.drifted(since=since)
    assert (finding.rule, finding.line, finding.claim) == ("wrong-default", 5, ":8080")
