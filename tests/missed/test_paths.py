"""What went and is named by documents yet is missed: files and folders."""

from __future__ import annotations

import pytest

from tests.support.changes import BOTH, NODE, PYTHON, Make
from tests.support.renames import readme
from tests.support.repository import Repository

PHP = {"composer.json": '{"name": "acme/shop"}\n'}

RUBY = "module Tool\n  class Runner\n    def reload_plan!\n      load\n    end\n  end\nend\n"

GEM = {"tool-runner.gemspec": 'Gem::Specification.new do |s|\n  s.name = "tool-runner"\nend\n'}


def claims(repo: Repository) -> set[tuple[str, int]]:
    return repo.stale_lines(since="HEAD~1")


@BOTH
@pytest.mark.parametrize(
    "line",
    [
        "curl -X PUT http://localhost:1/x --data-binary @./examples/bulk.json",
        "curl -F file=@examples/bulk.json http://localhost:1/x",
        "docker run -v $(pwd)/examples/bulk.json:/etc/bulk.json tool",
        "docker run -v $PWD/examples/bulk.json:/etc/bulk.json tool",
        'docker run -v "${PWD}/examples/bulk.json:/etc/bulk.json" tool',
    ],
)
def test_a_file_that_a_command_sends_or_mounts_is_missed(repository: Make, since: str, line: str) -> None:
    repo = repository({"README.md": f"# Tool\n\n```sh\n{line}\n```\n", "examples/bulk.json": '{"a": 1}\n'})
    repo.move("examples/bulk.json", "examples/many.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_file_that_a_text_of_help_sends_to_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```\nUsage: tool FILE\n  It is merged with the options. See exampleConfig.js\n```\n"
    repo = repository(
        {"README.md": text, "exampleConfig.js": "module.exports = {};\n", "package.json": '{"name": "tool"}'}
    )
    repo.move("exampleConfig.js", "example.config.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_file_that_ruby_requires_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```ruby\ngem 'tool', require: ['prepend_patch', 'tool']\nrequire \"tool/web_server\"\nuse 'prepend_patch'\n```\n"
    files = {"lib/prepend_patch.rb": "A = 1\n", "lib/tool/web_server.rb": "B = 2\nC = 3\n", "lib/tool.rb": "D = 4\n"}
    repo = repository({"README.md": text, "tool.gemspec": "Gem::Specification.new\n", **files})
    repo.move("lib/prepend_patch.rb", "lib/patch_prepended.rb").move(
        "lib/tool/web_server.rb", "lib/tool/http_server.rb"
    ).commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 5)}


def test_a_file_that_a_command_reads_is_named_without_its_folder(repository: Make) -> None:
    repo = repository({
        "docs/contributing.md": "# Contributing\n\n```bash\npip install -r dev-requirements.txt\n```\n",
        "dev-requirements.txt": "pytest\n", "tool.py": "def run():\n    pass\n",
    })  # fmt: skip
    repo.move("dev-requirements.txt", "requirements-dev.txt").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/contributing.md", 4)}


def test_a_folder_that_is_called_one_is_none_of_the_packages_that_are_called_alike(repository: Make) -> None:
    repo = repository({
        **readme("Put the binary into the directory `dev-proxy`. `dev-proxy` serves both."),
        "package.json": '{"name": "tool", "version": "1.0.0"}\n',
        "dev-proxy/package.json": '{"name": "dev-proxy", "version": "1.0.0"}\n', "dev-proxy/index.js": "run()\n",
    })  # fmt: skip
    repo.move("dev-proxy", "proxy").commit()
    assert repo.stale_lines() == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize("srcset", ["img/dark.png", "img/dark.png 1x, img/dark2.png 2x"])
def test_the_picture_of_a_source_is_an_image(repository: Make, since: str, srcset: str) -> None:
    page = f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{srcset}">\n  <img src="img/plain.png">\n</picture>\n'
    images: dict[str, str | bytes] = {"img/dark.png": "one", "img/plain.png": "two", "img/dark2.png": "three"}
    repo = repository({**NODE, "README.md": page, **images})
    repo.move("img/dark.png", "img/night.png").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
@pytest.mark.parametrize(("named", "reported"), [("bin/control.sh", True), ("run/tool.pid", False)])
def test_a_file_is_named_by_the_place_where_the_repository_is_copied_to(
    repository: Make, since: str, named: str, *, reported: bool
) -> None:
    page = f"# Setup\n\nRun `/opt/tool/{named}`.\n\nThe defaults are in `/opt/tool/sample_conf/config.json`.\n"
    repo = repository(
        {**NODE, "docs/setup.md": page, "bin/control.sh": "#!/bin/sh\n", "sample_conf/config.json": '{"a": 1}\n'}
    )
    repo.move("sample_conf/config.json", "defaults/config.json").commit()
    assert repo.stale_lines(since=since) == ({("docs/setup.md", 5)} if reported else set())


@BOTH
def test_a_file_of_three_words_is_missed_in_a_remark_too(repository: Make, since: str) -> None:
    guide = "# Work\n\nStart Redis:\n\n```bash\ndocker compose -f docker-compose.redis.yml up -d\n```\n"
    page = "# Work\n\n```sh\nyarn dev     # starts Redis (docker-compose.redis.yml)\n```\n"
    compose = "services:\n  redis:\n    image: redis\n    ports:\n      - 6379:6379\n"
    repo = repository({**NODE, "CLAUDE.md": guide, "CONTRIBUTING.md": page, "docker-compose.redis.yml": compose})
    repo.move("docker-compose.redis.yml", "compose.dev.yml").commit()
    assert repo.stale_lines(since=since) == {("CLAUDE.md", 6), ("CONTRIBUTING.md", 4)}


def test_sections_that_end_with_a_day_tell_of_that_day_but_one_alone_tells_of_today(repository: Make) -> None:
    notes = """# Notes

## Limiter stopped (2026-02-05)

- `app/limiter.py` looked at the clock twice

## Labels overlap (2026-02-09)

- `app/labels.py` had no look at what lies beside
"""
    state = "# State\n\n## Parts (2026-02-05)\n\n- `app/labels.py` draws the labels\n"
    code = "def draw():\n    return 1\n"
    repo = repository({"NOTES.md": notes, "docs/state.md": state, "app/labels.py": code, "app/limiter.py": "X = 1\n"})
    repo.git("rm", "-q", "app/labels.py")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/state.md", 5)}


def test_a_page_that_a_site_makes_of_a_folder_of_code_is_there_but_one_of_a_folder_of_pages_is_not(
    repository: Make,
) -> None:
    files: dict[str, str | bytes] = {
        "website/docusaurus.config.js": "module.exports = {}\n",
        "website/docs/intro.md": "# Intro\n",
        "website/docs/examples/words/index.md": "# Words\n",
        "website/docs/examples/signs/index.md": "# Signs\n",
        "examples/words/words.py": "print(1)\n",
        "examples/signs/signs.py": "print(1)\n",
        "examples/signs/README.md": "# Signs\n",
    }
    repo = repository(files)
    repo.git("rm", "-qr", "website/docs/examples")
    repo.commit()
    for number in range(9):
        repo.write({"examples/words/words.py": f"print({number + 2})\n"}).commit()
    links = ("words", "signs", "words.md")
    repo.write(
        {"website/docs/guide/first.md": "# First\n" + "".join(f"\n[a](../examples/{to})\n" for to in links)}
    ).commit()
    assert repo.stale_lines(since="HEAD~1") == {("website/docs/guide/first.md", 5)}


def test_the_summary_of_one_session_tells_of_its_day_but_a_page_about_sessions_of_today(repository: Make) -> None:
    told = "## Tests\n\n- `tests/test_history.py`\n"
    files: dict[str, str | bytes] = {
        "notes/260206-evening.md": f"# Session Summary - 2026-02-07\n\n{told}",
        "docs/sessions.md": f"# Session Logs\n\n{told}",
        "tests/test_history.py": "def test_it():\n    pass\n",
        "app/__init__.py": "",
    }
    repo = repository(files)
    repo.git("rm", "-q", "tests/test_history.py")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/sessions.md", 5)}


def test_what_tools_read_in_every_project_is_the_reader_s_in_a_manual_and_ours_for_those_who_work_here(
    repository: Make,
) -> None:
    told = "The options of `pytest.ini` are set for you.\n"
    repo = repository(
        {
            "docs/plugin.md": f"# Plugin\n\n{told}",
            "CONTRIBUTING.md": f"# Working here\n\n{told}",
            "pytest.ini": "[pytest]\n",
        }
    )
    repo.git("rm", "-q", "pytest.ini")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 3)}


def test_a_file_that_the_reader_is_told_to_create_by_its_name_is_not_the_one_that_went(repository: Make) -> None:
    page = """# Searching

Create a new Python file called `query_all.py` and add the following code.

`query_all.py` finds all rows.
"""
    other = "# Parts\n\nThe rows come from `query_all.py`.\n"
    repo = repository({"docs/search.md": page, "docs/parts.md": other, "app/blocks/query_all.py": "X = 1\n"})
    repo.git("rm", "-q", "app/blocks/query_all.py")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/parts.md", 3)}


def test_a_module_that_an_example_of_the_page_imports_is_not_the_folder_of_that_name_that_went(
    repository: Make,
) -> None:
    table = "| what | from |\n|---|---|\n| the context | `tool_plus` |\n"
    example = "\n```python\nfrom tool_plus.project import Project\n```\n"
    repo = repository(
        {
            "docs/kit.md": f"# Kit\n\n{table}{example}",
            "docs/parts.md": f"# Parts\n\n{table}",
            "tests/runtime/tool_plus/version.py": "V = 1\n",
            "tests/runtime/other.py": "X = 1\n",
        }
    )
    repo.git("rm", "-qr", "tests/runtime/tool_plus")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/parts.md", 5)}


def test_an_audit_of_one_month_tells_of_it_but_a_page_about_audits_of_today(repository: Make) -> None:
    told = "\n| id | where |\n|---|---|\n| 1 | `gate/config/router.yaml` |\n"
    repo = repository(
        {
            "docs/audit.md": f"# Consistency Audit — 2026-03\n{told}",
            "docs/audits.md": f"# Audit of configuration\n{told}",
            "gate/config/router.yaml": "a: 1\n",
        }
    )
    repo.git("rm", "-q", "gate/config/router.yaml")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/audits.md", 5)}


def test_what_goes_out_of_a_backup_was_not_where_the_text_says_before(repository: Make) -> None:
    page = "# Running\n\n- `scripts/deploy-all.sh` deploys\n- `scripts/start-all.sh` starts\n"
    script = "#!/bin/sh\necho 1\n"
    repo = repository(
        {
            "docs/run.md": page,
            "backup/scripts/deploy-all.sh": script,
            "scripts/start-all.sh": script,
            "app/a.py": "A = 1\n",
        }
    )
    repo.git("rm", "-qr", "backup", "scripts")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/run.md", 4)}


def test_a_list_that_begins_with_old_scripts_names_what_went(repository: Make) -> None:
    page = (
        "# Running\n\n- Old scripts: `scripts/deploy-all.sh`, `scripts/deploy-one.sh`\n- New: `scripts/deploy-one.sh`\n"
    )
    script = "#!/bin/sh\necho 1\n"
    repo = repository(
        {"docs/run.md": page, "scripts/deploy-all.sh": script, "scripts/deploy-one.sh": script, "app/a.py": "A = 1\n"}
    )
    repo.git("rm", "-qr", "scripts")
    repo.commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/run.md", 4)}


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
    assert repo.stale_lines(since="HEAD~1") == {("docs/parallel.md", 10)}


def test_what_sites_write_for_machines_is_not_missed(repository: Make) -> None:
    page = "For machines\n============\n\n- `llms.txt <llms.txt>`_\n- `terms.txt <terms.txt>`_\n"
    repo = repository({"docs/conf.py": "project = 'tool'\n", "docs/index.rst": "Tool\n====\n"})
    repo.write({"docs/machines.rst": page}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("docs/machines.rst", 5)}


@BOTH
def test_a_folder_of_where_one_is_is_the_repositorys(repository: Make, since: str) -> None:
    text = 'All of `contrib/samples`.\n\n```sh\ndocker run -v "$PWD/contrib/samples":/config tool\n```\n'
    repo = repository({"README.md": text, "contrib/samples/a.json": '{"a": 1,\n"b": 2}\n', "main.py": "x = 1\n"})
    repo.move("contrib/samples", "contrib/examples").replace("x = 1", "x = 2", "main.py").commit()
    assert ("README.md", 4) in repo.stale_lines(since=since)


def test_a_file_that_code_looks_for_by_its_name_is_the_readers_though_samples_had_one(repository: Make) -> None:
    page = "# Tool\n\nReads `.tool-version` files.\n"
    code = "def find(folder):\n    return folder / '.tool-version'\n"
    repo = repository(
        {**PYTHON, "README.md": page, "tool/find.py": code, "features/one/.tool-version": "1\n", "features/a": ""}
    )
    repo.delete("features/one/.tool-version").commit()
    assert repo.stale_lines(since="HEAD~1") == set()

    repo.write({"features/one/.tool-version": "1\n"}).commit()
    repo.delete("features/one/.tool-version").replace(".tool-version", ".tool", "tool/find.py").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


def test_a_file_in_bold_is_missed_when_it_goes(repository: Make) -> None:
    repo = repository({
        "docs/scoping.md": "# Scoping\n\n- **vendor-organizer.php**: moves the code\n- **index.php**: the entry\n", **PHP,
        "vendor-organizer.php": "<?php\necho 'organize';\n", "index.php": "<?php\necho 'index';\n",
    })  # fmt: skip
    repo.move("vendor-organizer.php", "bin/organize.php").move("index.php", "public/start.php").commit()
    for since in ("", "HEAD~1"):
        assert repo.stale_lines(since=since) == {("docs/scoping.md", 3)}


def test_a_module_of_three_words_is_gone_from_its_coordinates_too(repository: Make) -> None:
    repo = repository({
        "README.md": "# Tool\n\nImport the `tool-tracker-elastic` module:\n\n```groovy\ncompile group: 'o', name: 'tool-tracker-elastic'\n```\n",
        "settings.gradle": "include 'tool-tracker-elastic'\n", "tool-tracker-elastic/src/main/java/o/A.java": "package o;\n\npublic class A {}\n",
        "tool-tracker-elastic/build.gradle": "plugins { id 'java' }\n",
    })  # fmt: skip
    repo.move("tool-tracker-elastic", "tool-tracker-open").replace(
        "tracker-elastic", "tracker-open", "settings.gradle"
    ).commit()
    assert repo.stale_lines() == {("README.md", 3), ("README.md", 6)}


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
def test_what_ruby_loads_may_have_a_hyphen(repository: Make, since: str) -> None:
    text = "# Tool\n\n``` ruby\nrequire 'sidekiq/web'\nrequire 'tool-runner/web'\n```\n"
    repo = repository(
        {"README.md": text, **GEM, "lib/tool-runner/web.rb": "module Web\nend\n", "lib/tool-runner.rb": RUBY}
    )
    repo.move("lib/tool-runner/web.rb", "lib/tool-runner/ui.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


@BOTH
def test_a_renamed_file_is_missed_although_gitignore_names_it(repository: Make, since: str) -> None:
    repo = repository({"README.md": "Edit `data/list.txt`.\n", "data/list.txt": "one\ntwo\nthree\n"})
    repo.write({".gitignore": "/data/\n"}).commit()
    repo.git("mv", "-f", "data/list.txt", "data/names.txt")
    repo.git("commit", "-qm", "rename")
    assert repo.stale_lines(since=since) == {("README.md", 1)}


@BOTH
def test_a_script_without_an_ending_is_missed_in_a_shell_block(repository: Make, since: str) -> None:
    repo = repository({
        "README.md": "```sh\nimpl/test/scripts/softhsm configure\n```\n",
        "impl/test/scripts/softhsm": "#!/bin/sh\necho configure\necho more\n",
    })  # fmt: skip
    repo.move("impl/test/scripts/softhsm", "impl/test/scripts/token").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


def test_a_document_whose_first_section_is_a_migration_guide_is_judged(repository: Make) -> None:
    text = "---\ntitle: Configuration\n---\n\nFirst.\n\nSecond.\n\nThird.\n\nFourth.\n\n# Migration guide\n\n# Use\n\nSee `src/app.py`.\n"
    repo = repository({"docs/a.md": text, "src/app.py": "x = 1\ny = 2\n"})
    repo.move("src/app.py", "src/main.py").commit()
    assert repo.stale_lines() == {("docs/a.md", 17)}


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


def test_a_copy_that_lacks_an_object_can_be_compared(repository: Make) -> None:
    repo = repository(
        {"README.md": "Run `tools/build.sh`.\n", "tools/build.sh": "echo one\n" * 9, "data/list.txt": "a\nb\n"}
    )
    repo.move("tools/build.sh", "tools/make.sh").replace("one", "two", "tools/make.sh").commit()
    missing = repo.git("rev-parse", "HEAD:data/list.txt").strip()
    (repo.root / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    (repo.root / "data" / "list.txt").unlink()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 1)}


def test_a_path_in_what_a_program_is_said_to_have_printed_is_not_missed(repository: Make) -> None:
    shown = "<details>\n<summary>output</summary>\n\n```\nsrc/list/old-name.js → src/list/index.js\n```\n\n</details>\n"
    page = f"# Tool\n\n{shown}\nThe first is `src/list/old-name.js`.\n"
    repo = repository({"README.md": page, "src/list/old-name.js": "let x = 1;\n", "src/list/index.js": "let y = 2;\n"})
    repo.git("mv", "src/list/old-name.js", "src/list/new-name.js")
    repo.commit()
    assert claims(repo) == {("README.md", 12)}


def test_a_file_of_a_name_that_several_have_is_not_the_one_that_went(repository: Make) -> None:
    page = "# Tests\n\nEach has a configuration:\n\n```js\nmodule.exports = { entry: './app.ts', other: './start.ts' };\n```\n"
    files: dict[str, str | bytes] = {f"test/{name}/app.ts": f"let x = '{name}';\n" for name in ("one", "two", "three")}
    repo = repository({"test/README.md": page, "test/two/start.ts": "let y = 2;\n", "index.ts": "let z = 3;\n"} | files)
    repo.delete("test/two/app.ts", "test/two/start.ts").commit()
    assert "./app.ts" not in [finding.claim for finding in repo.drifted(since="HEAD~1")]


def test_a_link_that_led_nowhere_before_is_not_the_change_s_for_a_file_elsewhere_or_a_line_that_is_indented(
    repository: Make,
) -> None:
    page = (
        "# A\n\nSee [tests](test.js).\n\n- [Late](#late-jobs)\n- [Some](#some-jobs)\n\n## Late jobs\n\n## Some jobs\n"
    )
    files: dict[str, str | bytes] = {f"packages/{name}/index.js": f"let {name} = 1;\n" for name in "ab"}
    repo = repository(files | {"packages/a/README.md": page, "packages/b/README.md": page, "packages/a/test.js": "x\n"})
    repo.replace("## Late jobs", "## Stalling jobs", "packages/a/README.md").commit()
    repo.move("packages/a/test.js", "packages/a/src/__tests__/index.js").replace("- [", "  - [", "packages/a/README.md")
    repo.replace("## Some jobs", "## Other jobs", "packages/a/README.md").commit()
    assert claims(repo) == {("packages/a/README.md", 3), ("packages/a/README.md", 6)}


def test_a_telling_path_of_a_sample_project_is_missed(repository: Make) -> None:
    page = "# Secure it\n\nEdit `config/default/manager_auth_patch.yaml` of your project.\n"
    sample = "testdata/v2/operator/config/default/"
    repo = repository({"docs/run.md": page, f"{sample}manager_auth_patch.yaml": "a: 1\nb: 2\n", "a.go": ""})
    repo.git("mv", f"{sample}manager_auth_patch.yaml", f"{sample}manager_metrics_patch.yaml")
    repo.git("commit", "-qm", "renamed")
    assert repo.stale_lines(since="HEAD~1") == {("docs/run.md", 3)}


def test_a_service_s_settings_in_a_manual_are_the_reader_s(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "docs/builds.md": "# Builds\n\n## A sample `.travis.yml`\n\nPut it into `.travis.yml`.\n",
        "CONTRIBUTING.md": "# Contributing\n\nThe builds are told in `.travis.yml`.\n",
        ".travis.yml": "language: node_js\n",
        "src/index.js": "x = 1\n",
    }
    repo = repository(files)
    repo.git("rm", "-q", ".travis.yml")
    repo.git("commit", "-qm", "another service")
    assert repo.stale_lines(since="HEAD~1") == {("CONTRIBUTING.md", 3)}
