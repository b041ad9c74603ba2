"""One commit renames a documented thing in all of the code: what hid it, or stood beside it, is told apart from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.changes import _was_missed_before
from docalign_actors.engine.claims import Claim, Judgement
from docalign_actors.engine.facts import FileFacts
from docalign_actors.engine.index import CodeIndex
from docalign_actors.engine.past import Past
from docalign_actors.engine.world import World
from docalign_actors.findings.model import Evidence, Verdict
from docalign_actors.hosts.localgit.git import Git
from docalign_actors.hosts.localgit.trees import WorkingTree
from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


@BOTH
def test_a_key_is_missed_although_a_longer_one_ends_like_it(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "```yaml\nrules:\n  key-order: enable\n```\n\nAlso `# tool disable-line rule:key-order`.\n",
        "tool/rules/key_order.py": "ID = 'key-order'\n\n\ndef check(conf):\n    return conf\n",
        "tool/__init__.py": "from tool.rules import key_order\n", "tool/rules/__init__.py": "",
        "tests/test_ignore.py": "NAME = '.ignore-key-order'\n",
    })  # fmt: skip
    repo.replace("'key-order'", "'token-order'", "tool/rules/key_order.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_a_file_is_missed_in_the_output_that_a_session_shows(repository: Make, since: str) -> None:
    page = "```\n$ tool scan\nIssue: bad call\n  Location: ./examples/unsafe.py:24\n```\n"
    repo = repository({"README.md": page, "examples/unsafe.py": "x = 1\ny = 2\n", "tool.py": "z = 3\n"})
    repo.move("examples/unsafe.py", "examples/risky.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_folder_is_missed_that_a_command_names_from_where_one_stands(repository: Make, since: str) -> None:
    repo = repository({"deploy/README.md": "```sh\nkubectl apply -f ./webapp/common\n```\n", "deploy/webapp/common/a.yaml": "kind: x\n"})  # fmt: skip
    repo.move("deploy/webapp/common", "deploy/webapp/shared").commit()
    assert repo.stale_lines(since=since) == {("deploy/README.md", 2)}


def test_output_that_names_a_file_of_long_ago_is_left_alone(repository: Make) -> None:
    page = "# Contributing\n\n```\n$ tool scan\n  Location: ./examples/unsafe.py:24\n```\n"
    repo = repository({"CONTRIBUTING.md": page, "examples/unsafe.py": "x = 1\ny = 2\n", "tool.py": "z = 3\n"})
    repo.move("examples/unsafe.py", "examples/risky.py").commit()
    assert repo.age().stale_lines() == set()


@BOTH
def test_the_pages_among_the_templates_of_a_django_project_are_read(repository: Make, since: str) -> None:
    repo = repository({
        "manage.py": "import os\n", "hc/settings.py": "import os\nX = os.getenv('PING_BODY_LIMIT')\n",
        "templates/docs/config.md": "# Settings\n\nSet `PING_BODY_LIMIT`.\n", "templates/mail/x.md": "`PING_BODY_LIMIT`\n",
    })  # fmt: skip
    repo.replace("PING_BODY_LIMIT", "PING_LIMIT", "hc/settings.py").commit()
    assert repo.stale_lines(since=since) == {("templates/docs/config.md", 3)}


@BOTH
def test_a_class_is_missed_that_an_example_takes_from_a_site_for_scripts(repository: Make, since: str) -> None:
    page = "```ts\nimport {\n  TextParser,\n} from 'https://cdn.jsdelivr.net/npm/tool@2/dist/index.js'\n\nnew TextParser(db)\n```\n"
    repo = repository({
        "README.md": page, "package.json": '{"name": "tool", "version": "1.0.0"}\n', "src/index.ts": "export class TextParser {}\n",
    })  # fmt: skip
    repo.replace("TextParser", "TextReader", "src/index.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_a_variable_is_missed_that_was_written_out_although_names_are_built_as_well(
    repository: Make, since: str
) -> None:
    code = (
        "export const MAP = { A: process.env.TOOL_WEB_PORT, B: process.env.TOOL_BASE_PATH }\n"
        "export const all = Object.keys(process.env).filter((k) => k.startsWith('TOOL_'))\n"
    )
    repo = repository({
        "README.md": "| Option | Variable |\n|---|---|\n| `--base-path` | `TOOL_BASE_PATH` |\n| `--web-port` | `TOOL_WEB_PORT` |\n",
        "package.json": '{"name": "tool", "version": "1.0.0"}\n', "env.js": code,
        "cli.js": "const { program } = require('commander')\nprogram.option('--base-path <p>').option('--web-port <n>')\nprogram.parse()\n",
    })  # fmt: skip
    repo.replace("TOOL_BASE_PATH", "TOOL_ROOT_PATH", "env.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_folder_is_missed_although_gitignore_names_another_in_which_it_might_have_been(
    repository: Make, since: str
) -> None:
    repo = repository({"site/dev.md": "See `src/lib/output`.\n", "src/lib/output/a.ts": "export const a = 1\n", ".gitignore": "/docs\n"})  # fmt: skip
    repo.move("src/lib/output", "src/lib/render").commit()
    assert repo.stale_lines(since=since) == {("site/dev.md", 1)}


def _command(more: str = "") -> dict[str, str | bytes]:
    return {
        "README.md": "Run `php artisan helper:meta`:\n\n```sh\nphp artisan helper:meta\nphp artisan helper:models\n```\n",
        "composer.json": '{"name": "acme/tool"}\n', "src/Other.php": f"<?php\n{more}\n",
        "src/Meta.php": "<?php\nclass Meta\n{\n    protected $name = 'helper:meta';\n}\n",
    }  # fmt: skip


@BOTH
def test_a_command_with_a_colon_is_missed_that_its_class_calls_otherwise_now(repository: Make, since: str) -> None:
    repo = repository(_command())
    repo.replace("helper:meta", "helper:storm", "src/Meta.php").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1), ("README.md", 4)}


@BOTH
def test_a_command_with_a_colon_is_left_alone_that_another_file_still_has(repository: Make, since: str) -> None:
    repo = repository(_command("$aliases = ['helper:meta'];"))
    repo.replace("helper:meta", "helper:storm", "src/Meta.php").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_path_of_another_server_is_no_route_of_ours(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "See https://other.org/reports/summary and `https://api.other.org/reports/summary`.\n",
        "config/routes.rb": "Rails.application.routes.draw do\n  get '/reports/summary', to: 'reports#summary'\nend\n",
    })  # fmt: skip
    repo.replace("/reports/summary", "/reports/all", "config/routes.rb").commit()
    assert repo.stale_lines(since=since) == set()


def test_a_variable_that_its_list_alone_tells_is_not_blamed_on_a_change_elsewhere(repository: Make) -> None:
    names = ("TOOL_COLOR_MODE", "TOOL_LOG_LEVEL", "TOOL_DATA_FOLDER", "TOOL_CACHE_FOLDER")
    listed = "".join(f"- `{name}`\n" for name in (*names, "TOOL_NEVER_THERE"))
    reads = "".join(f"os.environ['{name}']\n" for name in names)
    repo = repository({"README.md": f"# Environment variables\n\n{listed}", "tool.py": f"import os\n{reads}", "other.py": "tool = 1\n"})  # fmt: skip
    repo.age()
    repo.replace("tool", "gadget", "other.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_was_false_before_is_not_blamed_on_the_rename_of_its_document(repository: Make) -> None:
    page = "# Reference\n\nSee [targets](#targets) and [rules](#rules).\n\n## Conditions\n\nWords.\n"
    repo = repository({"docs/Input.md": page, "README.md": "See [it](docs/Input.md).\n", "tool.py": "x = 1\n"})
    repo.move("docs/Input.md", "docs/Source.md").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 1)}


@BOTH
def test_a_command_is_missed_whose_decorator_stands_far_above_its_function(repository: Make, since: str) -> None:
    options = "".join(f"@click.option('--opt-{n}')\n" for n in range(40))
    repo = repository({
        "README.md": "Run `tool chat`:\n\n```sh\ntool chat --opt-1 x\n```\n",
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
        "tool/cli.py": f"import click\n\n\n@click.group()\ndef main():\n    pass\n\n\n@main.command()\n{options}def chat(**kw):\n    pass\n\n\n@main.command()\ndef show():\n    pass\n",
    })  # fmt: skip
    repo.replace("@main.command()\n@click.option('--opt-0')", "@main.command('talk')\n@click.option('--opt-0')", "tool/cli.py").commit()  # fmt: skip
    assert repo.stale_lines(since=since) == {("README.md", 1), ("README.md", 4)}


@BOTH
def test_an_option_is_missed_behind_a_slash(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "Use the `-c/--content` option.\n",
        "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "tool.cli:main"\n',
        "tool/cli.py": "import click\n\n\n@click.command()\n@click.option('-c', '--content')\ndef main(content):\n    pass\n",
    })  # fmt: skip
    repo.replace("--content", "--material", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_folder_is_missed_in_a_pattern_of_files(repository: Make, since: str) -> None:
    repo = repository({"CONTRIBUTING.md": "Tests are in `src/spec/*.spec.ts`.\n", "src/spec/a.spec.ts": "export const a = 1\n", "src/b.ts": "export const b = 2\n"})  # fmt: skip
    repo.move("src/spec", "src/checks").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 1)}


@BOTH
def test_a_port_is_missed_that_stands_alone_after_a_colon(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "* `web.listen-address`\n  Where to listen. Default is `:9187`.\n", "Dockerfile": "FROM alpine\nEXPOSE 9187\n",
        "main.go": 'package main\n\nvar web = flags.Add(app, ":9187")\n', "go.mod": "module example.com/tool\n\ngo 1.22\n",
    })  # fmt: skip
    repo.replace("9187", "9288", "Dockerfile", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
def test_a_heading_of_the_readme_is_missed_although_another_document_has_one_of_that_name(
    repository: Make, since: str
) -> None:
    page = "<!-- toc -->\n\n- [License](#license)\n\n{{ badges }}\n\n## License\n\nMIT.\n"
    repo = repository({"README.md": page, "docs/other.md": "## License\n\nWords.\n", "tool.py": "x = 1\n"})
    repo.replace("## License", "## Terms", "README.md").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_heading_is_missed_from_a_paragraph_that_also_tells_of_older_releases(repository: Make, since: str) -> None:
    page = "# Flow\n\nServicing older releases is done on a branch. The [command](cli.md#preparing-it) makes it.\n"
    repo = repository({"docs/flow.md": page, "docs/cli.md": "# CLI\n\n## Preparing it\n\nWords.\n", "tool.py": "x = 1\n"})  # fmt: skip
    repo.replace("## Preparing it", "## Shipping it", "docs/cli.md").commit()
    assert repo.stale_lines(since=since) == {("docs/flow.md", 3)}


@BOTH
def test_a_variable_that_was_written_out_is_missed_although_its_end_is_a_string_of_the_code(
    repository: Make, since: str
) -> None:
    code = 'package main\n\nimport "os"\n\nvar url = os.Getenv("ACME_REPLICA_URL")\nvar other = lookup("REPLICA_URL")\n'
    repo = repository(
        {"go.mod": "module example.com/acme\n", "main.go": code, "README.md": "Set `ACME_REPLICA_URL`.\n"}
    )
    repo.replace("ACME_REPLICA_URL", "ACME_REPLICA_LINK", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_key_is_not_missed_when_the_file_that_has_it_is_moved(repository: Make, since: str) -> None:
    code = 'package main\n\ntype Info struct {\n\tMinTXID string `json:"min_txid"`\n}\n'
    page = "# Configuration\n\n```yaml\nreplica:\n  min-txid: 1\n  max-size: 2\n```\n"
    repo = repository({"go.mod": "module example.com/acme\n", "cmd/ltx.go": code, "docs/guide.md": page})
    repo.move("cmd/ltx.go", "cmd/shard.go").commit()
    assert repo.stale_lines(since=since) == set()


@pytest.mark.parametrize(
    ("then", "commit", "missed"), [("uncertain", "", True), ("verified", "", False), ("uncertain", "abc", False)]
)
def test_an_option_that_the_others_tell_missing_is_not_blamed_on_a_change_unless_it_held_before(
    repository: Make, then: str, commit: str, missed: bool
) -> None:
    claim = Claim("option", "--log.level", "--log.level", "README.md", 1, 1)
    now = Judgement(
        Verdict.DRIFTED, "unknown-option", "gone", (Evidence("the parser takes others", "a.go", 1, commit),)
    )
    tree = WorkingTree(Git(repository({"README.md": "x\n"}).root))
    before = World(tree=tree, index=CodeIndex({}, {}, ()), documents={}, past=Past(), read=lambda item: FileFacts())
    assert _was_missed_before(claim, now, Judgement(Verdict(then)), before) is missed
