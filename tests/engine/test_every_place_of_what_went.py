"""What one commit took out of the code altogether is pointed at wherever documents write it, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])
FLAGS = (
    'package main\n\nimport "flag"\n\nfunc main() {\n\tflag.Bool("upgrade", false, "")\n\tflag.Bool("install", false, "")\n'
    "\tflag.Parse()\n}\n"
)


@BOTH
def test_a_method_is_missed_inside_a_template_that_a_span_shows(repository: Make, since: str) -> None:
    code = 'package models\n\ntype Reader struct{}\n\nfunc (r Reader) FirstName() string { return "" }\n'
    page = "# Templates\n\n| Tag | |\n|---|---|\n| `{{ .Reader.FirstName }}` | The first name. |\n"
    repo = repository({"go.mod": "module example.org/app\n", "models/reader.go": code, "docs/t.md": page})
    repo.replace("FirstName", "GivenName", "models/reader.go").commit()
    assert repo.stale_lines(since=since) == {("docs/t.md", 5)}


@BOTH
def test_a_class_is_missed_in_a_link_to_its_generated_page(repository: Make, since: str) -> None:
    page = "See [the formats](https://docs.example.org/latest/enum.PackFormat.html).\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/f.py": "class PackFormat:\n    pass\n"})
    repo.replace("PackFormat", "PackShape", "pkg/f.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_name_that_another_library_has_is_left_alone(repository: Make, since: str) -> None:
    code = 'import { useEffect } from "react";\n\nexport function mountApp() {\n  useEffect(() => {});\n}\n'
    page = "In your component:\n\n```js\nuseEffect(() => mountApp());\n```\n"
    repo = repository({"README.md": page, "package.json": '{"name": "a"}', "src/a.js": code})
    repo.write({"src/a.js": "export function mountApp() {}\n"}).commit()
    assert repo.stale_lines(since=since) == set()


def test_a_name_that_tests_still_have_is_left_alone(repository: Make) -> None:
    repo = repository({
        "README.md": "A template with `{{ load_all_items }}`.\n", "pkg/__init__.py": "",
        "pkg/m.py": "def load_all_items():\n    pass\n", "tests/test_m.py": "load_all_items = 1\n",
    })  # fmt: skip
    repo.replace("load_all_items", "read_all_items", "pkg/m.py").commit()
    assert repo.stale_lines() == set()


@BOTH
def test_a_name_that_an_example_defines_for_itself_is_left_alone(repository: Make, since: str) -> None:
    page = "Write:\n\n```python\ndef make_report(x):\n    ...\n```\n\nand use `{{ make_report }}`.\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": "def make_report():\n    pass\n"})
    repo.replace("make_report", "build_summary", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_an_option_is_missed_in_a_string_of_a_compose_file(repository: Make, since: str) -> None:
    page = (
        "# Listing\n\nRun `./app --install`, or `./app --upgrade` later.\n\n"
        '```yaml\ncommand: [sh, -c, "./app --install && ./app --upgrade"]\n```\n'
    )
    repo = repository({"go.mod": "module example.org/app\n", "main.go": FLAGS, "README.md": page})
    repo.replace("upgrade", "renew", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


@BOTH
def test_a_route_is_missed_at_the_address_of_somebodys_server(repository: Make, since: str) -> None:
    code = (
        'package main\n\nimport "net/http"\n\nfunc main() {\n\thttp.HandleFunc("/auth/oidc", login)\n'
        '\thttp.HandleFunc("/auth/form", form)\n}\n'
    )
    page = (
        "# Login\n\n- Set the redirect to `http://localhost:9000/auth/oidc`.\n"
        "- It looks like `https://lists.yoursite.com/auth/oidc`.\n"
    )
    repo = repository({"go.mod": "module example.org/app\n", "main.go": code, "README.md": page})
    repo.replace("/auth/oidc", "/auth/token", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 4)}


@BOTH
def test_an_option_is_missed_although_an_alias_is_spelled_alike(repository: Make, since: str) -> None:
    code = (
        'use clap::Parser;\n\n#[derive(Parser)]\n#[command(rename_all = "snake_case")]\nstruct Args {\n'
        '    #[arg(long, alias = "use-binary-prefix")]\n    pub use_binary_prefix: bool,\n    #[arg(long)]\n    pub rate: u32,\n}\n'
    )
    manifest = '[package]\nname = "btm"\nversion = "0.1.0"\n'
    page = "# Options\n\n| Option | |\n|---|---|\n| `--use_binary_prefix` | Binary. |\n"
    repo = repository({"Cargo.toml": manifest, "src/main.rs": code, "docs/o.md": page})
    repo.replace("pub use_binary_prefix", "pub binary_lead", "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("docs/o.md", 5)}


@BOTH
def test_an_option_is_missed_whose_field_stands_far_below_its_attributes(repository: Make, since: str) -> None:
    helped = "".join(f"        // line {n} of a long help\n" for n in range(10))
    code = (
        "use clap::Parser;\n\n#[derive(Parser)]\nstruct Args {\n    #[arg(\n        short = 'r',\n        long,\n"
        f"{helped}    )]\n    pub rate: u32,\n    #[arg(long)]\n    pub basic: bool,\n}}\n"
    )
    manifest = '[package]\nname = "btm"\nversion = "0.1.0"\n'
    page = "# Options\n\n| Option | |\n|---|---|\n| `-r`, `--rate <TIME>` | How often. |\n"
    repo = repository({"Cargo.toml": manifest, "src/main.rs": code, "docs/o.md": page})
    repo.replace("        long,\n", '        long = "pace",\n', "src/main.rs").commit()
    assert repo.stale_lines(since=since) == {("docs/o.md", 5)}


@BOTH
@pytest.mark.parametrize("directive", ["automodule", "module", "currentmodule"])
def test_a_module_is_missed_that_a_page_says_it_describes(repository: Make, directive: str, since: str) -> None:
    repo = repository({
        "docs/conf.py": "", "docs/a.rst": f"A\n=\n\n.. {directive}:: pkg.tools\n", "pkg/__init__.py": "from pkg import tools\n",
        "pkg/tools.py": "def run():\n    pass\n\n\ndef walk():\n    pass\n",
    })  # fmt: skip
    repo.move("pkg/tools.py", "pkg/helpers.py")
    repo.replace("import tools", "import helpers as tools", "pkg/__init__.py").commit()
    assert repo.stale_lines(since=since) == {("docs/a.rst", 4)}


@BOTH
def test_the_script_start_is_missed_although_a_server_lies_in_another_folder(repository: Make, since: str) -> None:
    manifest = '{"name": "a", "scripts": {"start": "node server/server.js", "dev": "x"}}\n'
    repo = repository({"package.json": manifest, "server/server.js": "", "README.md": "Run `npm start`.\n"})
    repo.replace('"start"', '"launch"', "package.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_version_is_missed_that_is_told_in_brackets(repository: Make, since: str) -> None:
    requires = "".join(f"\texample.org/d{n} v1.0.0\n" for n in range(12))
    manifest = f"module example.org/app\n\ngo 1.27.0\n\nrequire (\n{requires})\n"
    page = "# App\n\nYou can install Go and build it from source (requires Go 1.27+):\n"
    repo = repository({"go.mod": manifest, "main.go": "package main\n", "README.md": page})
    repo.replace("go 1.27.0", "go 1.29.0", "go.mod").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


def test_a_feature_that_needs_a_newer_version_is_no_demand_of_the_project(repository: Make) -> None:
    manifest = '[project]\nname = "a"\nrequires-python = ">=3.9"\n'
    page = "# A\n\nPattern lists (requires Python 3.10+) are optional.\n"
    repo = repository({"pyproject.toml": manifest, "a.py": "", "README.md": page})
    repo.replace("3.9", "3.11", "pyproject.toml").commit()
    assert repo.stale_lines() == set()


@BOTH
def test_a_heading_is_missed_although_another_ends_in_a_placeholder(repository: Make, since: str) -> None:
    page = "# Lists\n\n- [delete](#delete-lists)\n\n## DELETE /lists/{list_id}\n\nOne.\n\n## DELETE /lists\n\nMany.\n"
    repo = repository({"README.md": page})
    repo.replace("## DELETE /lists\n", "## Discard many\n", "README.md").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_script_beside_the_document_is_missed_although_the_sentence_assumes_something(
    repository: Make, since: str
) -> None:
    page = "# Docs\n\nJust run `serve.sh`, assuming your working directory is this one.\n"
    repo = repository({"docs/README.md": page, "docs/serve.sh": "echo one\necho two\n", "a.py": "x = 1\n"})
    repo.move("docs/serve.sh", "docs/show.sh").commit()
    assert repo.stale_lines(since=since) == {("docs/README.md", 3)}


@BOTH
def test_a_method_of_another_librarys_object_is_left_alone(repository: Make, since: str) -> None:
    page = (
        "Options of a session:\n\n```python\nimport argparse\n\nparser = argparse.ArgumentParser()\n"
        "args = parser.parse_inputs()\n```\n"
    )
    code = "class OptionSet:\n    def parse_inputs(self):\n        return 1\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/o.py": code})
    repo.replace("parse_inputs", "decode_words", "pkg/o.py").commit()
    assert repo.stale_lines(since=since) == set()


@BOTH
def test_a_name_is_missed_beside_a_sentence_about_the_past_but_not_inside_it(repository: Make, since: str) -> None:
    page = "# A\n\n`load_all_items` reads the list. Its labels were removed in 2.0.\n\n`load_all_items` was renamed in 3.0.\n"
    code = "def load_all_items():\n    pass\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": code})
    repo.replace("load_all_items", "read_every_item", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_version_is_missed_in_the_last_clause_of_a_sentence_about_platforms(repository: Make, since: str) -> None:
    manifest = '[project]\nname = "a"\nrequires-python = ">=3.10"\n'
    page = "# A\n\nA is tested on macOS, Linux and Windows\n(partial), and requires Python 3.10 or better.\n"
    repo = repository({"pyproject.toml": manifest, "a.py": "", "README.md": page})
    repo.replace("3.10", "3.12", "pyproject.toml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
@pytest.mark.parametrize("module", ["web-tool/util/adb", "npm:web-tool"])
def test_a_function_is_missed_that_an_example_takes_from_a_part_of_our_package(
    repository: Make, module: str, since: str
) -> None:
    manifest = '{"name": "web-tool", "exports": {".": "./index.js", "./util/adb": "./lib/util/adb.js"}}\n'
    page = f'# A\n\n```js\nimport * as adb from "{module}";\n\nconst ids = await adb.listDevices(bin);\n```\n'
    code = "export async function listDevices(bin) {\n  return [];\n}\n"
    repo = repository({"package.json": manifest, "index.js": "", "src/util/adb.js": code, "README.md": page})
    repo.replace("listDevices", "findPhones", "src/util/adb.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


@BOTH
def test_a_sub_command_is_missed_that_is_one_of_a_chain(repository: Make, since: str) -> None:
    manifest = '{"name": "web-tool", "bin": {"web-tool": "./bin.js"}}\n'
    code = (
        "import yargs from 'yargs';\n\nyargs()\n  .command('build', 'Builds', commands.build, {})\n"
        "  .command('sign', 'Signs', commands.sign, {})\n  .command('run', 'Runs', commands.run, {})\n  .parse();\n"
    )
    repo = repository({"package.json": manifest, "bin.js": code, "README.md": "Working on `web-tool sign` is hard.\n"})
    repo.replace("'sign'", "'submit'", "bin.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
@pytest.mark.parametrize(
    "line",
    ["Import `example.org/own/tool/v2/cmd/tool`.", "```sh\ngo install example.org/own/tool/v2/cmd/tool@latest\n```"],
)
def test_a_package_of_go_is_missed_in_a_span_and_in_the_command_that_fetches_it(
    repository: Make, line: str, since: str
) -> None:
    files: dict[str, str | bytes] = {"go.mod": "module example.org/own/tool/v2\n", "README.md": f"# Tool\n\n{line}\n"}
    repo = repository(
        {**files, "cmd/tool/main.go": "package main\n\nfunc main() {\n\trun()\n}\n", "t.go": "package tool\n"}
    )
    repo.move("cmd/tool/main.go", "cmd/other/main.go").commit()
    assert {number for _, number in repo.stale_lines(since=since)} == {3 if line.startswith("I") else 4}


@BOTH
def test_a_file_that_any_project_may_have_is_missed_when_it_has_just_been_renamed(repository: Make, since: str) -> None:
    page = "# Contributing\n\nAn entry in the `HISTORY.md` is appropriate for most changes.\n"
    repo = repository({"CONTRIBUTING.md": page, "HISTORY.md": "# 1.0\n\n- One.\n- Two.\n", "a.py": "x = 1\n"})
    repo.move("HISTORY.md", "PAST.md").commit()
    assert repo.stale_lines(since=since) == {("CONTRIBUTING.md", 3)}


@BOTH
def test_a_heading_that_is_a_number_is_missed(repository: Make, since: str) -> None:
    repo = repository({"README.md": "# A\n\nSee [one](#1).\n\n## 1\n\nWords.\n"})
    repo.replace("## 1\n", "## Panel\n", "README.md").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_link_to_this_repository_on_github_is_missed_when_its_file_moves(repository: Make, since: str) -> None:
    ours, theirs = "https://github.com/owner/tool/blob/main", "https://github.com/owner/other/blob/main"
    page = f"See [it]({ours}/sample.yaml),\n[theirs]({theirs}/sample.yaml)\nand [ours]({ours}/README.md).\n"
    repo = repository({"README.md": page, "go.mod": "module github.com/owner/tool\n", "sample.yaml": "a: 1\nb: 2\n"})
    repo.move("sample.yaml", "examples/sample.yaml").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


def test_a_moved_folder_is_missed_where_a_command_names_it_with_a_dot(repository: Make) -> None:
    page = "# Tool\n\nRead `cmd/hi/main.go`, and the folder `cmd/hi`.\n\n```sh\ngo run ./cmd/hi run all\n```\n"
    main = "package main\n\nfunc main() {}\n"
    repo = repository({"CONTRIBUTING.md": page, "go.mod": "module example.org/app\n", "cmd/hi/main.go": main})
    repo.move("cmd/hi/main.go", "cmd/trial/main.go").commit()
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 3), ("CONTRIBUTING.md", 6)}


@BOTH
def test_an_option_is_missed_that_a_tag_named_first_in_a_list(repository: Make, since: str) -> None:
    code = 'package main\n\ntype Config struct {\n\tKeep bool `flag:"keep-on-failure,default=false,Keep them"`\n}\n'
    page = "# Tool\n\n| Flag | |\n|---|---|\n| `--keep-on-failure` | Keep them. |\n"
    repo = repository({"README.md": page, "go.mod": "module example.org/app\n", "main.go": code})
    repo.replace("keep-on-failure", "preserve-on-failure", "main.go").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_page_about_building_is_read(repository: Make, since: str) -> None:
    code = 'fn run(c: &mut Command) {\n    c.env("TOOL_STAGING_DIR", "a");\n}\n'
    page = "# Hooks\n\n- `TOOL_STAGING_DIR`: the staging folder.\n"
    cargo = '[package]\nname = "tool"\nversion = "0.1.0"\n'
    repo = repository({"guide/src/build/hooks.md": page, "Cargo.toml": cargo, "src/hooks.rs": code})
    repo.replace("TOOL_STAGING_DIR", "TOOL_STAGE_DIR", "src/hooks.rs").commit()
    assert repo.stale_lines(since=since) == {("guide/src/build/hooks.md", 3)}


@BOTH
def test_a_class_that_begins_with_capitals_is_missed_in_any_code(repository: Make, since: str) -> None:
    page = "A template with `{{ RESTObject }}`.\n"
    repo = repository({"README.md": page, "pkg/__init__.py": "", "pkg/m.py": "class RESTObject:\n    pass\n"})
    repo.replace("RESTObject", "ApiObject", "pkg/m.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 1)}


GEM = {
    "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\nend\n",
    "bin/kitchen": "#!/usr/bin/env ruby\n",
}


@BOTH
def test_a_sub_command_of_thor_is_missed_behind_the_program_that_the_gem_installs(repository: Make, since: str) -> None:
    code = (
        'class CLI < Thor\n  desc "doctor INSTANCE", "Check for problems"\n  def doctor(*args)\n  end\n\n'
        '  desc "list", "List all"\n  def list\n  end\nend\n'
    )
    page = "# Help\n\nRun `kitchen doctor`, not the `doctor` of others.\n\n```text\n  kitchen doctor INSTANCE  # Check\n  kitchen list\n```\n"
    repo = repository({**GEM, "docs/help.md": page, "lib/kitchen/cli.rb": code})
    repo.replace('desc "doctor ', 'desc "check ', "lib/kitchen/cli.rb").replace(
        "def doctor", "def check", "lib/kitchen/cli.rb"
    ).commit()
    assert repo.stale_lines(since=since) == {("docs/help.md", 3), ("docs/help.md", 6)}


@BOTH
def test_an_option_is_missed_on_the_line_of_a_program_that_the_gem_installs(repository: Make, since: str) -> None:
    code = "parser.on('--smell SMELL', 'Only this one') do |smell|\n  @smell = smell\nend\n"
    page = "# Options\n\nPass the `--smell` option:\n\n```bash\nkitchen --smell Long\nother --smell x\n```\n"
    repo = repository({**GEM, "docs/options.md": page, "lib/options.rb": code})
    repo.replace("--smell", "--only", "lib/options.rb").commit()
    assert ("docs/options.md", 6) in repo.stale_lines(since=since)
