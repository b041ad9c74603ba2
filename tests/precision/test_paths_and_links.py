"""Paths and links that look broken and are not, next to the same ones that are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
PATHS = ScanSettings(jobs=1, claim_types=("path",))


def reported(repo: Repository) -> list[str]:
    return [finding.claim for finding in repo.drifted(settings=PATHS)]


def grow_old(repo: Repository) -> Repository:
    """Ten commits more: what went before them went long ago."""
    for number in range(10):
        repo.write({"notes/log.cfg": f"{number}\n"}).commit(f"commit {number}")
    return repo


@pytest.mark.parametrize("target", ["../blob/main/CONTRIBUTING.md", "../tree/HEAD/CONTRIBUTING.md", "../issues/12"])
def test_a_link_through_githubs_own_pages_is_followed(repository: Make, target: str) -> None:
    repo = repository({".github/pull_request_template.md": f"See [it]({target}).\n", "CONTRIBUTING.md": "# Hi\n"})
    assert reported(repo) == []


def test_a_link_through_githubs_own_pages_to_a_file_that_went_is_reported(repository: Make) -> None:
    repo = repository(
        {
            ".github/pull_request_template.md": "See [it](../blob/main/GUIDE.md).\n",
            "GUIDE.md": "# Hi\n",
            "README.md": "# Hi\n",
        }
    )
    repo.delete("GUIDE.md").commit("drop the guide")
    assert reported(repo) == ["../blob/main/GUIDE.md"]


def test_antora_names_pages_from_the_pages_folder_of_the_module(repository: Make) -> None:
    files: dict[str, str | bytes] = {
        "docs/antora.yml": "name: x\n",
        "docs/modules/ROOT/nav.adoc": "* xref:index.adoc[Home]\n* xref:lost.adoc[Lost]\n",
        "docs/modules/ROOT/pages/index.adoc": "= Home\n\nimage::logo.png[]\n",
        "docs/modules/ROOT/pages/usage/start.adoc": "= Start\n\nSee xref:index.adoc[home].\n",
        "docs/modules/ROOT/images/logo.png": b"x",
    }
    repo = repository({**files, "docs/modules/ROOT/pages/lost.adoc": "= Lost\n"})
    assert reported(repo) == []
    repo.delete("docs/modules/ROOT/pages/lost.adoc").commit("drop a page")
    assert reported(repo) == ["lost.adoc"]


@pytest.mark.parametrize(
    "target", ["tower_http::trace", "`tower::Service`", "crate#state", "struct.Router.html", "Router"]
)
def test_what_rustdoc_resolves_is_no_path(repository: Make, target: str) -> None:
    repo = repository({"src/docs/middleware.md": f"# M\n\n[layer]({target}) and [other].\n\n[other]: {target}\n"})
    assert reported(repo) == []


def test_a_page_that_is_served_under_an_address_of_its_own_is_there(repository: Make) -> None:
    repo = repository(
        {"docs/help/index.md": "# Help\n", "docs/start.md": "See [help](/help/).\n", "docs/_config.yml": ""}
    )
    repo.delete("docs/help/index.md")
    repo.write({"docs/pages/help.md": "---\npermalink: /help/\n---\n# Other\n"}).commit("move")
    assert reported(repo) == []


def test_a_file_that_the_reader_may_create_is_not_missing(repository: Make) -> None:
    repo = repository({"README.md": "[words.txt](words.txt): creating this file overrides the default words.\n"})
    assert reported(repo) == []


def test_planned_things_are_not_missing(repository: Make) -> None:
    text = "# Examples\n\n## Planned\n\n- [later](examples/later.cpp)\n"
    assert reported(repository({"README.md": text, "examples/now.cpp": ""})) == []


DRAWING = "```\n.\n├── _includes\n│   └── icon-github.html\n├── _layouts\n│   └── home.html\n└── _posts\n```\n"


def test_a_drawing_of_another_tree_says_nothing_of_a_file_that_went_long_ago(repository: Make) -> None:
    repo = repository({"docs/themes.md": DRAWING, "lib/_includes/icon-github.html": "x", "lib/a.rb": ""})
    repo.delete("lib/_includes/icon-github.html").commit("drop the icon")
    assert reported(grow_old(repo)) == []


@pytest.mark.parametrize(
    ("block", "expected"),
    [("```diff\n-  run src/old_one.py\n```", []), ("```sh\nrun src/old_one.py # [!code --]\n```", []), ("```diff\n+  run src/old_one.py\n```", ["src/old_one.py"])],
)  # fmt: skip
def test_the_line_that_a_diff_takes_away_tells_how_it_was(repository: Make, block: str, expected: list[str]) -> None:
    repo = repository({"CONTRIBUTING.md": f"Change it:\n\n{block}\n", "src/old_one.py": "x", "src/b.py": ""})
    assert reported(grow_old(repo.delete("src/old_one.py").commit("drop it"))) == expected


def test_a_drawing_that_a_program_printed_shows_what_was_there_when_it_ran(repository: Make) -> None:
    drawing = "```\n└── src\n    ├── parse.rs\n    ├── error.rs\n    ├── cli.rs\n    └── main.rs\n```\n"
    files: dict[str, str | bytes] = {f"src/{name}.rs": "" for name in ("parse", "error", "main")} | {"src/cli.rs": "x"}
    repo = repository({"README.md": f"Output:\n\n{drawing}", "CONTRIBUTING.md": f"Our tree:\n\n{drawing}", **files})
    repo.delete("src/cli.rs").commit("drop it")
    assert {m.file for f in repo.drifted() for m in f.mentions} == {"README.md", "CONTRIBUTING.md"}
    assert {m.file for f in grow_old(repo).drifted() for m in f.mentions} == {"CONTRIBUTING.md"}


def test_a_drawing_of_our_tree_shows_a_file_that_went_long_ago(repository: Make) -> None:
    drawing = "```\n.\n└── ci\n    ├── scripts\n    ├── golang.yaml\n    └── klipper.yaml\n```\n"
    files: dict[str, str | bytes] = {
        "README.md": drawing,
        "ci/scripts/a.sh": "",
        "ci/golang.yaml": "",
        "ci/klipper.yaml": "x",
    }
    repo = repository(files)
    repo.delete("ci/klipper.yaml").commit("drop klipper")
    assert reported(grow_old(repo)) == ["klipper.yaml"]


@pytest.mark.parametrize(
    "text",
    [
        "```\nExecStart=/bin/puma -C <APP>/puma.rb ../flake.nix\n```\n",
        "```sh\ndocker run -v ./flake.nix:/etc/flake.nix image\n```\n",
        "Make sure `./flake.nix` is as you want it.\n",
        "Specify it in your `flake.nix` file.\n",
    ],
)
def test_a_bare_name_that_may_be_the_readers_own_says_nothing_of_a_file_that_went_long_ago(
    repository: Make, text: str
) -> None:
    repo = repository({"docs/guide.md": text, "flake.nix": "x", "src/a.py": ""})
    repo.delete("flake.nix").commit("drop flake")
    assert reported(grow_old(repo)) == []


def test_a_script_that_is_run_and_went_long_ago_is_reported(repository: Make) -> None:
    repo = repository({"BUILDING.md": "Build it:\n\n```sh\n$ ./install.sh\n```\n", "install.sh": "x", "src/a.py": ""})
    repo.delete("install.sh").commit("drop the script")
    assert reported(grow_old(repo)) == ["./install.sh"]


def test_a_name_that_the_program_itself_reads_is_the_readers_own(repository: Make) -> None:
    code = 'package main\n\nvar names = []string{".releaser.yml", ".releaser.yaml"}\n'
    repo = repository({"docs/guide.md": "The file `.releaser.yml` holds it.\n", ".releaser.yml": "x", "main.go": code})
    repo.move(".releaser.yml", ".releaser.yaml").commit("rename")
    assert reported(grow_old(repo)) == []


def test_what_was_written_after_the_file_had_gone_means_another_file(repository: Make) -> None:
    repo = repository({"README.md": "# Tool\n", "scripts/build_all.py": "x", "src/a.py": ""})
    repo.delete("scripts/build_all.py").commit("drop the script")
    grow_old(repo).write({"README.md": "# Tool\n\nRun `scripts/build_all.py` in it.\n"}).commit("write")
    report = repo.scan(settings=PATHS)
    assert [f.claim for f in report.findings] == []
    assert (report.summary.drifted, report.summary.uncertain) == (0, 1)


def test_what_a_document_said_before_it_moved_and_before_the_file_went_is_reported(repository: Make) -> None:
    repo = repository({"README.md": "Run `scripts/build_all.py` in it.\n", "scripts/build_all.py": "x", "src/a.py": ""})
    repo.delete("scripts/build_all.py").commit("drop the script")
    grow_old(repo).move("README.md", "docs/building.md").commit("move")
    assert reported(repo) == ["scripts/build_all.py"]


def test_a_path_in_a_templates_tag_is_filled_in_later(repository: Make) -> None:
    text = "```\n{% link news/index.html %} and {{ 'news/index.html' | url }} {% x %}, not news/index.html\n```\n"
    repo = repository({"README.md": text, "news/index.html": "x", "news/a.html": "x"})
    repo.delete("news/index.html").commit("drop")
    (finding,) = repo.drifted(settings=PATHS)
    assert [mention.column for mention in finding.mentions] == [text.index("not news") - 4 + 5]


@pytest.mark.parametrize("text", ["![it](shot.png)", "[it](other.md)"])
def test_a_page_or_image_that_a_site_finds_by_its_name_is_there(repository: Make, text: str) -> None:
    repo = repository({"topics/a.md": f"# A\n\n{text}\n", "images/shot.png": b"x", "more/other.md": "# O\n"})
    assert reported(repo) == []


def test_a_name_alone_is_not_a_file_of_some_folder_that_went_long_ago(repository: Make) -> None:
    text = "It looks for `guard_settings.rb` first.\n"
    repo = repository({"README.md": text, "lib/old/guard_settings.rb": "x", "lib/old/a.rb": ""})
    repo.delete("lib/old/guard_settings.rb").commit("drop")
    assert reported(repo) == ["guard_settings.rb"]
    assert reported(grow_old(repo)) == []


@pytest.mark.parametrize("target", ["../getting-started/", "../configuration", "faq/"])
def test_a_link_by_the_address_of_a_page_is_not_broken(repository: Make, target: str) -> None:
    repo = repository({"docs/guide/01-a.md": f"# A\n\n[x]({target})\n", "docs/guide/02-getting-started.md": "# G\n"})
    assert reported(repo) == []


def test_a_path_in_an_example_program_is_the_readers_own_if_it_went_long_ago(repository: Make) -> None:
    text = '# A\n\n```java\nnew File("website/static/logo.png");\n```\n'
    repo = repository({"README.md": text, "website/static/logo.png": b"x", "website/static/a.png": b"y"})
    repo.delete("website/static/logo.png").commit("drop")
    assert reported(repo) == ["website/static/logo.png"]
    assert reported(grow_old(repo)) == []


def test_a_page_of_the_navigation_that_a_script_makes_is_not_missing(repository: Make) -> None:
    nav = "site_name: x\nnav:\n  - Overview: index.md\n  - Guide: guide.md\n"
    files: dict[str, str | bytes] = {"mkdocs.yml": nav, "docs/index.md": "# I\n", "docs/guide.md": "# G\n"}
    repo = repository({**files, "deploy.sh": "cat README.md > docs/index.md\n"})
    repo.delete("docs/index.md", "docs/guide.md").write({"docs/other.md": "# O\n"}).commit("drop")
    doubtful_too = ScanSettings(jobs=1, claim_types=("navigation",), min_confidence=0.5)
    assert [f.claim for f in grow_old(repo).drifted(settings=doubtful_too)] == ["guide.md"]


DOCSIFY = "<script>window.$docsify = {}</script>\n"


@pytest.mark.parametrize(("page", "expected"), [(DOCSIFY, []), ("<h1>Docs</h1>\n", ["adapters/index.md"])])
def test_docsify_reads_links_from_the_folder_of_its_page(repository: Make, page: str, expected: list[str]) -> None:
    repo = repository(
        {
            "docs/index.html": page,
            "docs/adapters/index.md": "# Adapters\n",
            "docs/adapters/custom/index.md": "# Custom\n",
            "docs/middleware/README.md": "See [adapters](adapters/index.md) and [custom](../adapters/custom/index.md).\n",
        }
    )
    assert reported(repo) == expected


@pytest.mark.parametrize(("language", "expected"), [("yaml", []), ("json", []), ("sh", ["./manual/Tasks.yml"])])
def test_a_path_in_an_example_configuration_may_be_the_readers(
    repository: Make, language: str, expected: list[str]
) -> None:
    says = f"# Tool\n\n```{language}\nrun ./manual/Tasks.yml\n```\n"
    repo = repository({"README.md": says, "manual/Tasks.yml": "a: 1\n"})
    repo.move("manual/Tasks.yml", "site/Tasks.yml").commit("move")
    assert reported(repo) == ["./manual/Tasks.yml"]
    assert reported(grow_old(repo)) == expected


@pytest.mark.parametrize(("branch", "expected"), [("main", ["src/tool/select.py"]), ("v1.2.0", []), ("1f0c2aa", [])])
def test_a_path_that_links_to_itself_on_a_branch_is_told_of_today(
    repository: Make, branch: str, expected: list[str]
) -> None:
    link = f"https://github.com/acme/tool/blob/{branch}/src/tool/select.py"
    repo = repository({"README.md": f"Read [src/tool/select.py]({link}) first.\n", "src/tool/select.py": "x = 1\n"})
    repo.move("src/tool/select.py", "src/tool/choose.py").commit("rename")
    assert reported(repo) == expected


def test_a_mark_that_is_escaped_in_an_address_stands_for_itself(repository: Make) -> None:
    text = "[a](docs/first\\_step.md), [b](docs/lost\\_step.md), [c](docs/first\\_step.md#top\\_part)\n"
    repo = repository({"README.md": text, "docs/first_step.md": "# First\n\n## top_part\n"})
    assert reported(repo) == ["docs/lost\\_step.md"]
    assert [finding.claim for finding in repo.drifted()] == ["docs/lost\\_step.md"]


def test_a_list_of_pages_with_a_dozen_that_never_were_there_is_read_by_other_rules(repository: Make) -> None:
    pages: dict[str, str | bytes] = {f"docs/page{n}.md": f"# {n}\n" for n in range(30)}
    text = "".join(f"- [p](docs/page{n}.md)\n" for n in range(42))
    others: dict[str, str | bytes] = {
        f"docs/other{n}.md": "".join(f"[p](page{k}.md)\n" for k in range(30)) for n in range(3)
    }
    repo = repository({**pages, **others, "SUMMARY.md": text})
    assert reported(repo) == []
    few = "".join(f"- [p](docs/page{n}.md)\n" for n in range(33))
    assert len(reported(repo.write({"SUMMARY.md": few}).commit("fewer"))) == 3


@pytest.mark.parametrize(
    ("settings", "document", "expected"),
    [
        ("doc/Doxyfile.in", "doc/modules.md", []),
        ("Doxyfile", "doc/modules.md", []),
        ("doc/other.in", "doc/modules.md", ["#module-screen"]),
        ("doc/Doxyfile.in", "README.md", ["#module-screen"]),
    ],
)
def test_on_a_doxygen_site_a_fragment_is_a_label_of_any_page(
    repository: Make, settings: str, document: str, expected: list[str]
) -> None:
    page = "@page module-screen The screen\n\nText.\n"
    repo = repository(
        {
            settings: "EXTRACT_ALL = YES\n",
            document: "# Modules\n\nSee [screen](#module-screen).\n",
            "doc/screen.md": page,
        }
    )
    found = repo.drifted(settings=ScanSettings(jobs=1, claim_types=("anchor",)))
    assert [finding.claim for finding in found] == expected


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("1261.08 mb/sec", []), ("12,000 ops/s", []), ("parsed 3 files", ["benchmark/bench-parser.js"])],
)
def test_the_command_of_a_measurement_of_long_ago_is_as_it_was_run(
    repository: Make, printed: str, expected: list[str]
) -> None:
    block = f"```\n$ node benchmark/bench-parser.js\n\n{printed}\n```\n"
    repo = repository({"benchmark/bench-parser.js": "run()\nprint()\nend()\n", "README.md": f"# Benchmarks\n\n{block}"})
    repo.move("benchmark/bench-parser.js", "benchmark/index.js").commit("rename")
    assert reported(repo) == ["benchmark/bench-parser.js"]
    assert reported(grow_old(repo)) == expected


@pytest.mark.parametrize("target", ["../../LICENSE", "./Makefile", "src/reader.tsx", "../lib/reader.kt"])
def test_a_link_of_a_readme_to_a_file_that_no_site_makes_is_broken(repository: Make, target: str) -> None:
    files: dict[str, str | bytes] = {
        "LICENSE": "x\n",
        "packages/all/core/README.md": f"[see]({target}), [page](../guide)\n",
    }
    assert [finding.claim for finding in repository(files).drifted()] == [target]


def test_a_folder_that_moved_on_is_not_said_to_be_where_it_went_first(repository: Make) -> None:
    repo = repository({"README.md": "[see](src/old)\n", "src/old/a.py": "x = 1\n", "src/old/b.py": "y = 2\n"})
    repo.move("src/old", "src/new").commit("rename it")
    (finding,) = repo.drifted()
    assert finding.fix is not None
    assert finding.fix.replacement == "src/new"
    repo.move("src/new", "lib").commit("move it")
    (finding,) = repo.drifted()
    assert (finding.message, finding.fix) == ("`src/old` was removed from the repository.", None)


@pytest.mark.parametrize(
    ("path", "expected"), [(".cargo/config.toml", []), (".config/release_steps.toml", [".config/release_steps.toml"])]
)
def test_settings_of_a_tool_that_readers_use_too_are_theirs_when_ours_went_long_ago(
    repository: Make, path: str, expected: list[str]
) -> None:
    repo = repository({path: "[build]\n", "docs/building.md": f"# Building\n\nAdd a line to `{path}`.\n"})
    repo.delete(path).commit("no settings of our own")
    assert reported(repo) == [path]
    assert reported(grow_old(repo)) == expected


def test_a_reference_of_asciidoc_may_go_on_in_the_next_line(repository: Make) -> None:
    text = "= Tool\n\n== The fast mode\n\nText.\n\n== Use\n\nSee <<The fast\nmode,that mode>> and <<The slow mode>>.\n"
    anchors = ScanSettings(jobs=1, claim_types=("anchor",))
    found = repository({"doc/manual.adoc": text}).drifted(settings=anchors)
    assert [finding.claim for finding in found] == ["The slow mode"]


@pytest.mark.parametrize(("code", "expected"), [("//go:embed usage.md", []), ("// nothing", ["#options"])])
def test_a_document_that_code_takes_in_is_shown_with_more_than_it_holds(
    repository: Make, code: str, expected: list[str]
) -> None:
    page = "# Usage\n\nMind the [options](#options).\n"
    repo = repository({"cmd/usage.md": page, "cmd/cmd.go": f"package cmd\n\n{code}\nvar usage string\n"})
    found = repo.drifted(settings=ScanSettings(jobs=1, claim_types=("anchor",)))
    assert [finding.claim for finding in found] == expected


@pytest.mark.parametrize(
    ("title", "expected"), [("Table attribute ^(2.13.3)", []), ("Table attribute of it", ["#table-attribute"])]
)
def test_a_badge_behind_a_title_is_no_part_of_its_anchor(repository: Make, title: str, expected: list[str]) -> None:
    repo = repository({"docs/page.md": f"# Page\n\nSee [it](#table-attribute).\n\n## {title}\n\nText.\n"})
    found = repo.drifted(settings=ScanSettings(jobs=1, claim_types=("anchor",)))
    assert [finding.claim for finding in found] == expected


def test_a_file_that_became_a_folder_is_mended_to_the_front_of_that_folder(repository: Make) -> None:
    body = "".join(f"export const part{n} = {n};\n" for n in range(40))
    repo = repository({"src/base.js": body, "CONTRIBUTING.md": "# Work\n\nThe base is `src/base.js`.\n"})
    repo.move("src/base.js", "src/base/parts.js")
    repo.write({"src/base/index.js": "export * from './parts.js';\n"}).commit("a folder")
    (found,) = repo.drifted(settings=PATHS)
    assert found.fix is not None
    assert found.fix.replacement == "src/base/index.js"


def test_a_heading_that_an_open_code_block_swallows_is_shown_as_the_reason(repository: Make) -> None:
    page = "# Page\n\nSee [below](#more-of-it).\n\n```go\nfunc main() {}\n\n## More of it\n\nText.\n"
    (found,) = repository({"README.md": page}).drifted(settings=ScanSettings(jobs=1, claim_types=("anchor",)))
    assert [item.sentence for item in found.evidence] == [
        "README.md: no heading or id gives `more-of-it`",
        "README.md:8: the heading is taken for code: a block begins at line 5 and is not closed before it",
    ]


def test_a_heading_in_a_block_that_the_next_one_closes_is_shown_as_the_reason_and_the_link_is_not_mended(
    repository: Make,
) -> None:
    page = "# Page\n\nSee [below](#more-of-it).\n\n```go\nfunc main() {}\n\n## More of it\n\n```go\nx := 1\n```\n\n## More of\n"
    (found,) = repository({"README.md": page}).drifted(settings=ScanSettings(jobs=1, claim_types=("anchor",)))
    assert found.fix is None
    assert "is taken for code" in found.evidence[-1].sentence
