"""Much changes between two releases: what is there in another way, or was never this repository's, is not missed."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.engine.code.reader import read_facts
from docalign_actors.engine.lost.lines import Edit
from docalign_actors.engine.lost.siblings import renamed_words
from docalign_actors.engine.ports import PastBlob
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def claims(repo: Repository) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since="HEAD~1") for mention in finding.mentions}


COMMANDS = """import argparse

COMMANDS = {
    "extras": {"help": "Manage extras.", "fetch": ["Fetch one"]},
}


def build(parser):
    actions = parser.add_subparsers(dest="action")
    for command, properties in COMMANDS.items():
        actions.add_parser(command, help=properties["help"])
    actions.add_parser("status", help="how it is")


parser = argparse.ArgumentParser(prog="tool")
build(parser)
"""
PROJECT = '[project]\nname = "tool"\nversion = "1.0"\n\n[project.scripts]\ntool = "tool.cli:parser"\n'


def test_a_command_that_a_statement_of_its_own_puts_among_the_others_is_there(repository: Make) -> None:
    page = "# Tool\n\n```sh\n$ tool extras fetch\n$ tool status\n```\n\nSee `tool extras`.\n"
    repo = repository({"README.md": page, "pyproject.toml": PROJECT, "tool/__init__.py": "", "tool/cli.py": COMMANDS})
    now = COMMANDS.replace(
        '    "extras": {"help": "Manage extras.", "fetch": ["Fetch one"]},\n',
        '    "self": {"help": "Manage the tool."},\n',
    )
    now = now.replace(
        "\n\ndef build",
        '\n\nCOMMANDS["extras"] = COMMANDS["self"]["extras"] = {"help": "Manage extras.", "fetch": ["Fetch one"]}\n\n\ndef build',
        1,
    )
    repo.write({"tool/cli.py": now}).commit()
    assert claims(repo) == set()
    repo.write({"tool/cli.py": now.replace('COMMANDS["extras"] = COMMANDS["self"]["extras"] = ', "OTHERS = ")}).commit()
    assert ("README.md", 4) in {(m.file, m.line) for f in repo.drifted(since="HEAD~2") for m in f.mentions}


def test_a_string_that_is_only_filled_in_by_another_name_gives_the_same_texts(repository: Make) -> None:
    code = """class Reply:
    def line(self, release):
        return f"TOOL/{release}"

    def path(self, key):
        return "notes/archive:all"
"""
    page = "# Tool\n\nIt answers `TOOL/1.1` and takes `notes/archive:all`.\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/reply.py": code})
    now = code.replace("{release}", "{self.release}").replace("notes/archive:all", "notes/archive:any")
    repo.write({"tool/reply.py": now}).commit()
    told = {(f.claim, m.line) for f in repo.drifted(since="HEAD~1") for m in f.mentions}
    assert told == {("notes/archive:all", 3)}


def test_a_repository_elsewhere_is_called_what_it_is_called(repository: Make) -> None:
    page = (
        "# Tool\n\n- [`@tool/request-context`](https://github.com/tool/tool-request-context) keeps values\n"
        "- [where](https://tool.example.org/docs/tool-request-context) it was\n"
    )
    code = 'export const known = {\n  "tool-request-context": true,\n  other: true,\n};\n'
    manifest = '{"name": "tool", "version": "1.0.0"}\n'
    repo = repository({"README.md": page, "package.json": manifest, "src/known.ts": code})
    repo.replace('  "tool-request-context": true,\n', "", "src/known.ts").commit()
    assert claims(repo) == {("README.md", 4)}


def test_what_every_script_has_is_not_a_member_of_a_class_of_that_name(repository: Make) -> None:
    page = "# Tool\n\nWrite `module.exports` in it, and read `module.importers`.\n"
    code = "export default class Module {\n  exports: string[] = [];\n  importers: string[] = [];\n  name = '';\n}\n"
    manifest = '{"name": "tool", "version": "1.0.0"}\n'
    repo = repository({"README.md": page, "package.json": manifest, "src/Module.ts": code})
    now = "export default class Module {\n  exported: string[] = [];\n  imported: string[] = [];\n  name = '';\n}\n"
    repo.write({"src/Module.ts": now}).commit()
    told = {f.claim for f in repo.drifted(since="HEAD~1")}
    assert told == {"module.importers"}


def test_what_is_made_in_the_folder_that_is_drawn_is_not_missed(repository: Make) -> None:
    names = [
        f"{name}.py" for name in "app auth blog db forms views mail feeds tags users admin errors cache urls".split()
    ]
    drawing = "".join(f"├── {name}\n" for name in names)
    page = f"# Layout\n\n```text\nsample/\n├── tests/\n│   └── parts/\n│       └── test_parts.py\n{drawing}"
    page += "├── .venv/\n├── instance/\n└── wsgi.py\n```\n"
    files: dict[str, str | bytes] = {f"examples/sample/{name}": f"# {name}\n" for name in names}
    files["examples/sample/tests/parts/test_parts.py"] = "# tests\n"
    repo = repository({**files, "README.md": "# Tool\n", "examples/sample/.gitignore": "instance/\n"})
    repo.write({"docs/layout.md": page}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"wsgi.py"}


def test_an_example_that_begins_with_its_path_shows_what_the_reader_writes(repository: Make) -> None:
    page = (
        "# Parallel\n\n```js\n// test/setup.js\nexports.hooks = {};\n```\n\nThen run it with `--require test/setup.js`.\n"
        "\nThe hooks are called by `lib/hooks.js`.\n"
    )
    repo = repository(
        {"docs/parallel.md": page, "test/setup.js": "start();\n", "lib/hooks.js": "go();\n", "lib/other.js": "1;\n"}
    )
    repo.git("rm", "-q", "test/setup.js", "lib/hooks.js")
    repo.commit()
    assert claims(repo) == {("docs/parallel.md", 10)}


def test_what_sites_write_for_machines_is_not_missed(repository: Make) -> None:
    page = "For machines\n============\n\n- `llms.txt <llms.txt>`_\n- `terms.txt <terms.txt>`_\n"
    repo = repository({"docs/conf.py": "project = 'tool'\n", "docs/index.rst": "Tool\n====\n"})
    repo.write({"docs/machines.rst": page}).commit()
    assert claims(repo) == {("docs/machines.rst", 5)}


def test_a_default_that_moved_to_another_file_is_not_that_of_a_namesake(repository: Make) -> None:
    page = (
        "# Settings\n\n| Option | Description | Default |\n|---|---|---|\n"
        "| `providers.docker.endpoint` | where it listens | unix:///run/docker.sock |\n"
    )
    docker = (
        'package docker\n\ntype Provider struct {\n\tEndpoint string `json:"endpoint"`\n}\n\n'
        'func (p *Provider) SetDefaults() {\n\tp.Endpoint = "unix:///run/docker.sock"\n}\n'
    )
    other = docker.replace("package docker", "package otel").replace("unix:///run/docker.sock", "localhost:4317")
    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n", "docs/settings.md": page}
    repo = repository({**files, "pkg/docker/docker.go": docker, "pkg/otel/otel.go": other})
    repo.git("rm", "-q", "pkg/docker/docker.go")
    head, body = docker.split("\nfunc ")
    repo.write({"pkg/docker/config.go": head.replace("Provider", "Config")})
    repo.write(
        {"pkg/docker/all.go": f"package docker\n\ntype Provider struct {{\n\tConfig\n}}\n\nfunc {body}"}
    ).commit()
    assert claims(repo) == set()


def test_what_a_file_of_declarations_takes_from_elsewhere_is_not_defined_there() -> None:
    declared = (
        b"declare global {\n  const isDefined: typeof import('@others/core')['isDefined']\n  const ours: number\n}\n"
    )
    facts = read_facts("src/auto.d.ts", declared)
    assert [definition.name for definition in facts.definitions] == ["ours"]
    assert [(entry.module, entry.name) for entry in facts.imports] == [("@others/core", "isDefined")]


def test_a_term_of_a_definition_list_has_an_anchor_on_a_site(repository: Make) -> None:
    links = "[one](#methods), [two](#others), [`AddPage`](#addpage) and [none](#nothing)"
    page = f"# Adapters\n\n{links}\n\n## Methods\n\n## AddPage\n\nAdds one.\n\n## Others\n\n## Nothing\n\nText.\n"
    repo = repository({"docs/hugo.toml": "title = 'Tool'\n", "docs/content/adapters.md": page})
    now = page.replace("## AddPage\n\nAdds one.\n", "`AddPage`\n: Adds one.\n").replace("## Nothing\n\n", "")
    repo.write({"docs/content/adapters.md": now}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"#nothing"}


def test_what_the_manuals_own_site_sets_is_no_default(repository: Make) -> None:
    page = "# Caches\n\n| Key | Default |\n|---|---|\n| `maxAge` | `30` |\n| `maxSize` | `10` |\n"
    code = 'package cache\n\nvar config = Config{\n\tMaxSize: 10,\n}\n\ntype Config struct {\n\tMaxSize int `json:"maxSize"`\n}\n'
    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n", "cache/cache.go": code}
    repo = repository({**files, "docs/caches.md": page, "docs/site.toml": "[caches]\nmaxAge = 30\n"})
    repo.replace("maxAge = 30", "maxAge = 60", "docs/site.toml").commit()
    assert claims(repo) == set()


def test_a_chart_with_hundreds_of_values_is_read_to_its_end(repository: Make) -> None:
    def values(count: int) -> str:
        return "".join(f"part{n}:\n  enabled: true\n" for n in range(count)) + "last:\n  sizeLimit: 2Gi\n  other: 1\n"

    files: dict[str, str | bytes] = {
        "Chart.yaml": "name: tool\nversion: 1.0.0\n",
        "README.md": "# Tool\n\nSet `last.sizeLimit` and `last.other`.\n",
        "values.yaml": values(100),
    }
    repo = repository(files)
    repo.write({"values.yaml": values(400).replace("  other: 1\n", "")}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"other"}


def test_a_task_that_another_task_needs_is_there_whoever_makes_it(repository: Make) -> None:
    page = "# Work\n\n```sh\nbundle exec rake spec\nbundle exec rake lint\n```\n"
    rake = "task :spec do\n  run\nend\n\ntask :lint do\n  run\nend\n\ntask :other do\n  run\nend\n\ntask default: %i[lint spec other]\n"
    repo = repository({"CONTRIBUTING.md": page, "Rakefile": rake, "tasks/specs.rb": ""})
    now = rake.replace("task :spec do\n  run\nend\n\n", "").replace("task :lint do\n  run\nend\n\n", "")
    repo.write({"Rakefile": now.replace("[lint ", "["), "tasks/specs.rb": "make_tasks(nil, :ascii)\n"}).commit()
    assert claims(repo) == {("CONTRIBUTING.md", 5)}


def test_what_looks_after_the_code_gives_no_defaults(repository: Make) -> None:
    page = "# Cops\n\n| Name | Default |\n|---|---|\n| `maxLines` | `10` |\n| `minLines` | `1` |\n"
    files: dict[str, str | bytes] = {"docs/cops.md": page, ".checker.yml": "maxLines: 10\n", "lib/a.rb": "X = 1\n"}
    repo = repository({**files, "config/default.yml": "minLines: 1\n"})
    repo.replace("10", "14", ".checker.yml").commit()
    assert claims(repo) == set()


def test_a_value_that_is_one_of_several_now_is_still_given(repository: Make) -> None:
    code = 'BINDINGS = [\n    Binding("quit_key", default="ctrl+c"),\n    Binding("next_key", default="ctrl+n"),\n]\n'
    page = "# Keys\n\nThe default of `quit_key` is `ctrl+c`, that of `next_key` is `ctrl+n`.\n"
    repo = repository({"README.md": page, "tool/__init__.py": "", "tool/keys.py": code})
    now = code.replace('"ctrl+c"', '"ctrl+c,super+c"').replace('"ctrl+n"', '"ctrl+j"')
    repo.write({"tool/keys.py": now}).commit()
    assert {f.claim for f in repo.drifted(since="HEAD~1")} == {"ctrl+n"}


def test_what_a_file_of_go_imports_is_none_of_several_of_ours() -> None:
    def renamed(line: str) -> list[tuple[str, str]]:
        then, now = line, line.replace("context", "reflect")
        edit = Edit(PastBlob("main.go", "1", "a", "b"), [then], [now], frozenset(), before=["x (", then, ")"])
        return [(one.old, one.new) for one in renamed_words(edit)]

    assert renamed('\t"context"') == []
    assert renamed('\tregister("context")') == [("context", "reflect")]


def test_a_name_that_an_example_registers_is_the_readers(repository: Make) -> None:
    page = (
        '# Plugins\n\n```python\n@register("custom_operation")\nclass Custom: ...\n```\n\n'
        "Then :func:`tool.op.custom_operation` is there, and :func:`tool.op.other_operation` is not.\n"
    )
    files: dict[str, str | bytes] = {"tool/__init__.py": "", "tool/op.py": "def plain_operation():\n    pass\n"}
    repo = repository({**files, "docs/plugins.rst": "x\n"})
    repo.write({"docs/plugins.md": page}).commit()
    assert "tool.op.custom_operation" not in {f.claim for f in repo.drifted(since="HEAD~1")}


def test_the_words_of_a_comment_that_all_settings_have_name_none_of_them(repository: Make) -> None:
    def settings(package: str, name: str, minutes: int) -> str:
        note = f"\t// {name} tells how long.\n\t//\n\t// Optional. Default: {minutes} * time.Minute\n\t{name} time.Duration\n"
        given = f"\t{name}: {minutes} * time.Minute,\n"
        return f'package {package}\n\nimport "time"\n\ntype Config struct {{\n{note}}}\n\nvar Default = Config{{\n{given}}}\n'

    def page(name: str) -> str:
        return f"# {name}\n\n```go\ntype Config struct {{\n    // Optional. Default: 1 * time.Minute\n    {name} time.Duration\n}}\n```\n"

    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n"}
    for package, name in (("cache", "Expiration"), ("retry", "Interval")):
        files |= {f"{package}/config.go": settings(package, name, 1), f"docs/{package}.md": page(name)}
    repo = repository(files)
    repo.write({"cache/config.go": settings("cache", "Expiration", 5)}).commit()
    assert "docs/retry.md" not in {path for path, _ in claims(repo)}
