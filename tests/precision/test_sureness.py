"""What has been as it is for long is called false only where few other readings are left."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from docalign_actors.engine.audience import Audience, audience
from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

MANIFEST = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
FILES: dict[str, str | bytes] = {
    "pyproject.toml": MANIFEST,
    "tool/__init__.py": "def run(path):\n    return path\n",
    "tool/parts/reader.py": "x = 1\n",
    "Makefile": "test:\n\tpytest\nlint:\n\truff\nold-docs:\n\tsphinx\n",
}
DOUBTFUL_TOO = ScanSettings(jobs=1, min_confidence=0.5)


@pytest.mark.parametrize(
    ("path", "whom"),
    [
        ("CONTRIBUTING.md", Audience.WORKERS),
        ("docs/contributing/setup.md", Audience.WORKERS),
        ("docs/development.rst", Audience.WORKERS),
        ("docs/devel.md", Audience.WORKERS),
        ("AGENTS.md", Audience.WORKERS),
        ("docs/dev/Codebase_Guide.md", Audience.WORKERS),
        ("BUILD.md", Audience.WORKERS),
        ("packages/core/BUILD.md", Audience.WORKERS),
        ("TESTING.md", Audience.WORKERS),
        ("TESTING_DOCS.md", Audience.WORKERS),
        ("docs/testing.md", Audience.USERS),
        ("docs/build.md", Audience.USERS),
        ("build/notes.md", Audience.USERS),
        ("README.md", Audience.VISITORS),
        ("packages/core/README.fr.md", Audience.VISITORS),
        (".github/SECURITY.md", Audience.VISITORS),
        ("INSTALL", Audience.VISITORS),
        ("docs/guide.md", Audience.USERS),
        ("docs/README.md", Audience.USERS),
        ("FAQ.md", Audience.USERS),
        ("website/content/developer-tools.md", Audience.USERS),
        ("src/parts/notes.md", Audience.USERS),
        ("examples/development/notes.md", Audience.USERS),
    ],
)
def test_a_document_is_written_for(path: str, whom: Audience) -> None:
    assert audience(path) is whom


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path, FILES)


def told(repo: Repository, settings: ScanSettings | None = None) -> list[tuple[str, str]]:
    return [(finding.file, finding.claim) for finding in repo.drifted(settings=settings)]


def test_a_path_that_went_long_ago_is_missing_where_the_repository_itself_is_spoken_of(repo: Repository) -> None:
    says = "The reader is in `tool/parts/reader.py`.\n"
    repo.write({"CONTRIBUTING.md": says, "README.md": says, "docs/guide.md": says}).commit("say it")
    repo.delete("tool/parts/reader.py").commit("remove it")
    everywhere = {"CONTRIBUTING.md", "README.md", "docs/guide.md"}
    assert repo.stale_lines() == {(file, 1) for file in everywhere}
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 1), ("README.md", 1)}
    assert [len(f.mentions) for f in repo.drifted(settings=DOUBTFUL_TOO)] == [3]


def test_a_sample_project_has_folders_that_are_called_like_ours(repo: Repository) -> None:
    says = "The `pages/api` folder holds routes.\n"
    repo.write({"docs/pages/api/a.ts": "x\n", "examples/web/README.md": says, "README.md": says}).commit("say it")
    assert told(repo.delete("docs/pages/api/a.ts").commit("remove it").age()) == [("README.md", "pages/api")]


def test_a_readme_that_names_a_file_as_most_projects_have_it_may_mean_the_readers(repo: Repository) -> None:
    repo.write({"src/index.js": "x\n", "README.md": "Open `src/index.js`.\n"}).commit("say it")
    assert told(repo.delete("src/index.js").commit("remove it")) == [("README.md", "src/index.js")]
    assert told(repo.age()) == []


def test_a_link_of_a_readme_that_never_led_anywhere_is_broken_and_one_of_a_manual_may_be_the_sites(
    repo: Repository,
) -> None:
    repo.write({"README.md": "[a](docs/lost.md)\n", "docs/guide.md": "[a](lost.md)\n", "docs/other.md": "# O\n"})
    assert told(repo.commit("say it").age()) == [("README.md", "docs/lost.md")]


def test_a_readme_among_a_tools_settings_tells_of_files_that_need_not_be_there(repo: Repository) -> None:
    repo.write({".github/actions/spelling/README.md": "[only](only.txt)\n", ".github/HELP.md": "[a](lost.md)\n"})
    assert told(repo.commit("say it").age()) == [(".github/HELP.md", "lost.md")]


def test_a_page_that_links_to_code_which_went_is_stale_and_one_that_links_to_a_page_by_its_name_may_be_served_it(
    repo: Repository,
) -> None:
    repo.write({"docs/guide.md": "[code](../tool/parts/reader.py), [page](old)\n", "docs/old.md": "# Old\n"})
    repo.commit("say it").delete("tool/parts/reader.py", "docs/old.md").commit("remove both")
    assert told(repo.age()) == [("docs/guide.md", "../tool/parts/reader.py")]


def test_a_page_that_is_linked_to_as_a_file_is_missed_when_it_was_deleted_and_not_when_it_left_the_manual(
    repo: Repository,
) -> None:
    long = "# Old\n\nThis page tells enough to be known again where it lies now.\n"
    repo.write({"docs/guide.md": "[page](old.md), [part](part.md)\n", "docs/old.md": "# Old\n", "docs/part.md": long})
    repo.commit("say it").delete("docs/old.md", "docs/part.md").write({"part/README.md": long}).commit("move one")
    assert told(repo.age()) == [("docs/guide.md", "old.md")]


def test_a_page_that_many_documents_link_to_may_be_made_when_the_site_is_built(repo: Repository) -> None:
    links = {
        f"docs/{name}.md": "[all](manual.md), [old](old.md)\n" if name == "a" else "[all](manual.md)\n"
        for name in "abc"
    }
    repo.write({**links, "docs/manual.md": "# All\n", "docs/old.md": "# Old\n"}).commit("say it")
    assert told(repo.delete("docs/manual.md", "docs/old.md").commit("generate one").age()) == [("docs/a.md", "old.md")]


def test_a_page_that_is_not_translated_is_shown_in_the_language_that_has_it(repo: Repository) -> None:
    pages = {f"docs/{code}/docs/letter.md": "# Letter\n" for code in ("en", "de")}
    repo.write(
        {**pages, "docs/de/docs/help.md": "[Brief](letter.md), [alt](alt.md)\n", "docs/de/docs/alt.md": "# Alt\n"}
    )
    repo.commit("say it").delete("docs/de/docs/letter.md", "docs/de/docs/alt.md").commit(
        "leave it to the other language"
    )
    assert told(repo.age()) == [("docs/de/docs/help.md", "alt.md")]


def test_a_demand_that_a_manifest_left_behind_long_ago_is_wrong_for_workers_and_visitors_alone(
    repo: Repository,
) -> None:
    says = "## Requirements\n\n- Python 3.10+\n"
    repo.write(
        {
            "CONTRIBUTING.md": says,
            "README.md": says,
            "docs/install.md": says,
            "parts/README.md": says.replace("10", "8"),
        }
    )
    repo.commit("say it").age().replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 3), ("README.md", 3)}


def test_what_the_last_commit_made_false_is_reported_whatever_it_is(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.10+\n"}).commit("say it").age()
    assert repo.drifted() == []
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert told(repo) == [("docs/install.md", "Python 3.10+")]


def test_what_an_old_commit_made_false_stays_old_when_the_file_is_touched_again(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.10+\n"}).commit("say it")
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more").age()
    assert told(repo.replace('version = "1"', 'version = "2"', "pyproject.toml").commit("release")) == []


def test_in_a_quiet_repository_eight_commits_are_long_ago(repo: Repository) -> None:
    repo.write({"docs/guide.md": "The reader is in `tool/parts/reader.py`.\n"}).commit("say it")
    repo.age().delete("tool/parts/reader.py").commit("remove it").age(4)
    assert told(repo) == [("docs/guide.md", "tool/parts/reader.py")]
    later = {"GIT_COMMITTER_DATE": "2024-09-01T12:00:00Z"}
    subprocess.run(
        ["git", "-C", str(repo.root), "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "later"],
        env={**os.environ, **later}, check=True,
    )  # fmt: skip
    assert told(repo) == []


def test_what_is_not_committed_yet_counts_as_new(repo: Repository) -> None:
    repo.write({"docs/guide.md": "The reader is in `tool/parts/reader.py`.\n"}).commit("say it").age()
    (repo.root / "tool/parts/reader.py").unlink()
    assert told(repo) == [("docs/guide.md", "tool/parts/reader.py")]


def test_a_script_that_its_neighbours_prove_ours_is_doubtful_unless_it_is_new(repo: Repository) -> None:
    repo.write({"README.md": "Run:\n\n```sh\nmake test\nmake lint\nmake build-all\n```\n"}).commit("say it")
    assert told(repo.age()) == []


def test_a_manifest_that_the_last_commit_touched_makes_nothing_new_that_it_never_had(repo: Repository) -> None:
    extras = '\n[project.optional-dependencies]\nfast = ["orjson"]\nweb = ["starlette"]\n'
    says = "Install:\n\n```sh\npip install 'tool[fast]'\npip install 'tool[web]'\npip install 'tool[mail]'\n```\n"
    repo.write({"pyproject.toml": MANIFEST + extras, "README.md": says}).commit("say it").age()
    repo.write({"pyproject.toml": MANIFEST.replace('"1"', '"2"') + extras}).commit("release")
    assert told(repo) == []
    without = extras.replace('web = ["starlette"]\n', "")
    repo.write({"pyproject.toml": MANIFEST.replace('"1"', '"2"') + without}).commit("no web")
    assert told(repo) == [("README.md", "web")]


def test_an_example_that_is_no_python_is_broken_and_one_of_another_language_may_be_a_dialect(repo: Repository) -> None:
    python = "```python\nimport tool\n\ntool.run(\n    'a'\nprint('b')\n```\n"
    rust = "```rust\nfn main() {\n    let a = try!(b.map(|c| c.d()));\n    let e = = 2;\n}\n```\n"
    repo.write({"docs/guide.md": python + "\n" + rust}).commit("say it")
    assert {f.rule for f in repo.age().drifted()} == {"broken-example"}
    assert [f.line for f in repo.drifted()] == [4]


def test_an_example_that_python_only_calls_invalid_may_be_a_notation(repo: Repository) -> None:
    text = "```python\nimport tool\n\nasync def use(app):\n    {}\n    return app\n```\n"
    repo.write({"docs/guide.md": text.format("app.[use]"), "docs/other.md": text.format("app run with it")})
    assert [f.file for f in repo.commit("say it").drifted()] == ["docs/other.md"]
    assert repo.age().drifted() == []


def test_a_young_repository_has_no_long_ago(repo: Repository) -> None:
    repo.write({"docs/install.md": "## Requirements\n\n- Python 3.8+\n"}).commit("say it")
    assert told(repo) == [("docs/install.md", "Python 3.8+")]


def test_a_form_for_documents_to_come_claims_nothing(repo: Repository) -> None:
    says = "# Name\n\n```python\nfrom tool import ExtensionName\n```\n"
    repo.write({"docs/_template.md": says, "docs/TEMPLATE.md": says, "docs/page.md": says}).commit("say it")
    assert told(repo) == [("docs/page.md", "ExtensionName")]


def test_a_heading_that_moved_into_a_part_which_the_document_includes_is_there(repo: Repository) -> None:
    link = "[see](reference.md#basic-parts)\n"
    repo.write({"docs/guide.md": link, "docs/reference.md": "# R\n\n## Basic parts\n"}).commit("say it")
    repo.write({"docs/reference.md": "# R\n\n<!-- include: tool/parts.md -->\n", "tool/parts.md": "## Basic parts\n"})
    assert told(repo.commit("move it")) == []
    repo.write({"tool/parts.md": "## Other parts\n"}).commit("rename it")
    assert told(repo) == [("docs/guide.md", "#basic-parts")]


def test_a_version_in_brackets_says_what_the_thing_before_it_came_with(repo: Repository) -> None:
    repo.write({"CONTRIBUTING.md": "## Tests\n\n- **Run them**: use `tool --fast` (Python 3.8+) or by hand.\n"})
    repo.write({"docs/development.md": "We use the modules that are built into Python 3.8 to build.\n"})
    assert told(repo.commit("say it")) == []


@pytest.mark.parametrize("text", ["!!!include(parts/_common.md)!!!", "@@include(_common.md)", "%include _common.md"])
def test_a_page_that_takes_in_another_may_have_its_headings(repo: Repository, text: str) -> None:
    repo.write({"docs/guide.md": "[see](axes.md#common-options)\n", "docs/axes.md": f"# Axes\n\n{text}\n"})
    assert told(repo.commit("say it")) == []


def test_a_page_that_is_made_of_another_has_its_headings(repo: Repository) -> None:
    page = "---\ntitle: Functions\nref: docs/react/functions.md\n---\n\n[//]: # 'Example'\n"
    repo.write({"docs/guide.md": "[see](functions.md#context)\n", "docs/functions.md": page})
    assert told(repo.commit("say it")) == []


def test_a_heading_of_another_page_may_be_put_into_this_one_unless_it_was_here(repo: Repository) -> None:
    pages: dict[str, str | bytes] = {"docs/guide.md": "[see](axes.md#common-options)\n", "docs/axes.md": "# Axes\n"}
    repo.write({**pages, "docs/other.md": "## Common options\n"}).commit("say it")
    assert told(repo) == []
    repo.write({"docs/axes.md": "# Axes\n\n## Common options\n"}).commit("add it")
    assert told(repo.write({"docs/axes.md": "# Axes\n"}).commit("remove it")) == [("docs/guide.md", "#common-options")]


def test_a_type_in_a_documented_signature_is_no_keyword(repo: Repository) -> None:
    text = "Parameters\n==========\n\n.. code-block:: python\n\n    from tool import run\n\n    run(path: str=None, tick: bool=False)\n"
    assert "bool" not in [claim for _, claim in told(repo.write({"README.rst": text}).commit("say it"))]


def test_a_link_without_any_words_is_a_mark_for_some_tool(repo: Repository) -> None:
    repo.write({"README.md": "# Tool\n\n[](#mark)\n```javascript\na\n```\n\n[words](#words)\n"}).commit("say it")
    assert told(repo) == [("README.md", "#words")]


@pytest.mark.parametrize("picture", ['<a href="#badge">\n  <img src="x.svg">\n</a>', "[![x](x.svg)](#badge)"])
def test_a_picture_that_links_to_nothing_in_particular_is_no_broken_link(repo: Repository, picture: str) -> None:
    repo.write({"README.md": f"# Tool\n\n{picture}\n\n[words](#words)\n", "x.svg": "x"}).commit("say it")
    assert told(repo) == [("README.md", "#words")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Don't touch this folder.", []),
        ("The files in this directory are managed by automation.", []),
        ("Synced from https://example.org/other/shared.", []),
        ("What all parts share.", [("eng/common/README.md", "../lost.md")]),
    ],
)
def test_a_folder_that_is_a_copy_is_mended_elsewhere(
    repo: Repository, words: str, expected: list[tuple[str, str]]
) -> None:
    link = "[see](../lost.md)\n"
    repo.write({"eng/common/README.md": f"# Common\n\n{words}\n\n{link}", "eng/lost.md": "# L\n", "eng/a.md": "# A\n"})
    repo.commit("say it").delete("eng/lost.md").commit("remove it")
    assert told(repo.age()) == expected


def test_a_document_of_a_starter_is_of_the_project_that_begins_with_it(repo: Repository) -> None:
    says = "[see](lost.md)\n"
    repo.write({"create/template-vue/README.md": says, "create/README.md": says, "app-templates/README.md": says})
    assert told(repo.commit("say it")) == [("create/README.md", "lost.md")]


def test_a_suppression_of_what_has_become_doubtful_is_not_unused(repo: Repository) -> None:
    says = "<!-- docalign: ignore[missing-path] kept elsewhere -->\nSee `tool/parts/reader.py`.\n"
    repo.write({"docs/guide.md": says}).commit("say it").delete("tool/parts/reader.py").commit("remove it")
    assert repo.drifted() == []
    assert repo.age().drifted() == []


def test_an_anchor_with_the_name_of_the_headings_tag_may_be_the_sites(repo: Repository) -> None:
    text = "[a](#codeload_dotenvcode), [b](#codelost_dotenvcode)\n\n## `load_dotenv`\n"
    assert told(repo.write({"README.md": text}).commit("say it")) == [("README.md", "#codelost_dotenvcode")]


def test_a_page_of_a_manual_may_have_parts_that_its_source_does_not_show(repo: Repository) -> None:
    pages: dict[str, str | bytes] = {
        "docs/guide.md": "[made elsewhere](page.md#made-elsewhere), [nearly there](page.md#first-step)\n",
        "docs/other.md": "# Other\n\n[on this page](#lost-here), [at the root](../FAQ.md#lost-there)\n",
        "docs/page.md": "# Page\n\n## First steps\n",
        "FAQ.md": "# FAQ\n",
    }
    repo.write(pages).commit("say it")
    assert {claim for _, claim in told(repo.age())} == {"#first-step", "#lost-here", "#lost-there"}


def test_a_page_that_once_had_the_anchor_is_known_to_have_lost_it(repo: Repository) -> None:
    repo.write({"docs/guide.md": "[a](page.md#the-plan)\n", "docs/page.md": "# Page\n\n## The plan\n"})
    repo.commit("say it").age()
    repo.write({"docs/page.md": "# Page\n\n## Something quite different\n"}).commit("rewrite it")
    assert told(repo.age()) == [("docs/guide.md", "#the-plan")]


def test_a_page_that_became_the_index_of_a_folder_is_served_where_it_was(repo: Repository) -> None:
    page = {"docs/local.mdx": "# Local\n", "docs/local/events.mdx": "[see](../local.mdx), [lost](../lost.mdx)\n"}
    repo.write({**page, "docs/lost.mdx": "# Lost\n"}).commit("say it")
    repo.delete("docs/local.mdx", "docs/lost.mdx").write({"docs/local/index.mdx": "# Local\n"}).commit("move it")
    assert told(repo) == [("docs/local/events.mdx", "../lost.mdx")]


def test_a_page_with_generated_parts_may_have_in_one_of_them_what_it_had_itself(repo: Repository) -> None:
    link = {"docs/guide.mdx": "[a](page.mdx#the-plan)\n"}
    repo.write({**link, "docs/page.mdx": "# Page\n\n## The plan\n"}).commit("say it").age()
    repo.write({"docs/page.mdx": '# Page\n\n<Details of="plan" />\n'}).commit("generate it")
    assert told(repo) == [("docs/guide.mdx", "#the-plan")]
    assert told(repo.age()) == []


def test_an_anchor_with_dots_is_an_objects_on_a_page_that_shows_objects(repo: Repository) -> None:
    page = "::: tool\n\n[`tool.parts`](#tool.parts)\n\n::: tool.parts\n    options:\n      members: true\n"
    repo.write({"docs/api.md": page}).commit("say it")
    repo.write({"docs/api.md": page.replace("::: tool.parts", "\n::: tool.parts")}).commit("touch it")
    assert told(repo) == []


def test_a_parameter_and_an_import_of_a_plain_word_that_were_wrong_for_long_are_uncertain(repo: Repository) -> None:
    repo.write({"docs/a.md": "```python\nfrom tool import feature_name\n```\n"})
    repo.write({"docs/b.md": "```python\nfrom tool import run\n\nrun(folder=1)\n```\n"}).commit("say it")
    fresh = told(repo)
    assert [file for file, _ in fresh] == ["docs/a.md", "docs/b.md"]
    assert told(repo.age()) == []
    assert told(repo, DOUBTFUL_TOO) == fresh


def test_an_example_that_imports_what_a_module_of_ours_does_not_have_is_wrong_however_old(repo: Repository) -> None:
    says = "# {}\n\n```python\nfrom tool import {}\n```\n"
    repo.write({"tool/parts/reader.py": "def read_all():\n    pass\n", "tool/parts/__init__.py": ""})
    repo.write({"docs/a.md": says.format("Use", "Reader"), "docs/b.md": says.format("Use", "read_all")})
    repo.write({"docs/c.md": says.format("Before 2.0", "Reader"), ".skills/d.md": says.format("Use", "Reader")})
    supposed = "# Test it\n\nLet's say you write a module called `Reader`.\n" + says.format("Use", "Reader")
    repo.write({"docs/e.md": says.format("Use", "run"), "docs/f.md": supposed}).commit("say it")
    assert told(repo.age()) == [("docs/a.md", "Reader"), ("docs/b.md", "read_all")]


def test_a_cross_reference_to_what_a_module_of_ours_does_not_have_is_wrong_however_old(repo: Repository) -> None:
    says = (
        "Guide\n=====\n\n:func:`tool.runn`, :func:`tool.run`, :func:`other.runn`, :class:`tool.Base`, ``tool.lost``\n"
    )
    described = "Base\n====\n\n.. class:: Base\n\n   What the reader writes.\n"
    repo.write({"docs/guide.rst": says, "docs/base.rst": described}).commit("say it")
    assert told(repo.age()) == [("docs/guide.rst", "tool.runn")]


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Tool supports Python 3.6 and newer.", True),
        ("The tool library requires Python 3.6 or later.", True),
        ("Pytest supports Python 3.6 and newer.", False),
        ("This supports Python 3.6 and newer.", False),
        ("Tool supports Python 3.12 and newer.", False),
    ],
)
def test_a_demand_that_no_manifest_ever_made_is_wrong_if_the_sentence_names_the_package(
    repo: Repository, sentence: str, wrong: bool
) -> None:
    repo.write({"CONTRIBUTING.md": f"# Help\n\n## Versions\n\n{sentence}\n", "docs/a.md": f"# A\n\n{sentence}\n"})
    assert repo.commit("say it").age().stale_lines() == ({("CONTRIBUTING.md", 5)} if wrong else set())


def test_what_a_crate_is_said_to_compile_with_can_be_no_other_program(repo: Repository) -> None:
    repo.write({"Cargo.toml": '[package]\nname = "krate"\nversion = "1.0.0"\nrust-version = "1.89.0"\n'})
    repo.write({"README.md": "# Krate\n\nMinimum supported Rust version: 1.86.0\n"}).commit("say it")
    assert repo.age().stale_lines() == {("README.md", 3)}


def test_a_path_that_only_ends_like_one_which_went_may_be_the_readers(repo: Repository) -> None:
    repo.write(
        {"starter/{{ name }}/src/parts/test_run.py": "x\n", "docs/develop/testing.md": "See `src/parts/test_run.py`.\n"}
    )
    repo.commit("say it").delete("starter/{{ name }}/src/parts/test_run.py").commit("remove it")
    assert told(repo.age()) == []


def test_a_readme_that_came_with_a_tool_tells_what_the_tool_demands(repo: Repository) -> None:
    says = "## Requirements\n\n- Python 3.10+\n"
    repo.write({".tool/README.md": says, "parts/README.md": says}).commit("say it").age()
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert told(repo.age()) == [("parts/README.md", "Python 3.10+")]


def test_an_owner_and_a_name_are_an_image_where_images_are_spoken_of(repo: Repository) -> None:
    says = "The default image `tool/parts` is pulled.\n\nWhat is built is in `tool/parts`.\n"
    repo.write({"deploy/README.md": says}).commit("say it").delete("tool/parts/reader.py").commit("remove it")
    assert repo.age().stale_lines() == {("deploy/README.md", 3)}


def test_what_a_program_once_printed_names_the_files_of_that_day(repo: Repository) -> None:
    printed = "```sh\nthread panicked at tool/parts/reader.py:185:5: left is not right\n```\n"
    repo.write({"CONTRIBUTING.md": f"{printed}\nThe reader is `tool/parts/reader.py`.\n"}).commit("say it")
    repo.delete("tool/parts/reader.py").commit("remove it")
    assert repo.age().stale_lines() == {("CONTRIBUTING.md", 5)}


def test_the_manifest_of_a_site_says_what_the_site_needs_and_its_pages_what_the_project_does(repo: Repository) -> None:
    says = "## Requirements\n\n- Node.js 22.15.0 or greater\n- pnpm 10.10.0 or greater\n"
    web, site = (f'{{"engines": {{"node": ">={node}", "pnpm": ">=11"}}}}\n' for node in ("22.13.1", "24.13.0"))
    repo.write({"web/package.json": web, "docs/package.json": site, "docs/contributing/setup.md": says})
    assert {line for _, line in repo.commit("say it").stale_lines()} == {4}


def test_a_manifest_beside_says_nothing_of_what_a_readme_needs(repo: Repository) -> None:
    says = "## Requirements\n\n- Node.js 18 or later\n"
    repo.write(
        {"docs/site/package.json": '{"engines": {"node": ">=24"}}\n', "app/README.md": says, "lib/README.md": says}
    )
    repo.write({"lib/core/package.json": '{"engines": {"node": ">=22"}}\n'}).commit("say it")
    assert told(repo) == [("lib/README.md", "Node.js 18 or later")]


def test_an_anchor_in_capitals_is_made_by_some_tool(repo: Repository) -> None:
    repo.write({"docs/grammar.md": "# Grammar\n\n[rule](#grammar-StructPattern), [lost](#what-is-lost)\n"}).commit(
        "say it"
    )
    assert told(repo.age()) == [("docs/grammar.md", "#what-is-lost")]


def test_an_archive_that_went_long_ago_is_made_by_a_build(repo: Repository) -> None:
    says = "Install `charts/tool-2.4.0.tgz` as `tool/parts/reader.py` does.\n"
    repo.write({"charts/tool-2.4.0.tgz": b"x", "CONTRIBUTING.md": says}).commit("say it")
    repo.delete("charts/tool-2.4.0.tgz", "tool/parts/reader.py").commit("remove both")
    assert told(repo.age()) == [("CONTRIBUTING.md", "tool/parts/reader.py")]


def test_github_shows_every_document_at_readme(repo: Repository) -> None:
    repo.write({"README.md": "[a](arrays.md#readme), [b](arrays.md#lost)\n", "arrays.md": "# Arrays\n"}).commit(
        "say it"
    )
    assert told(repo) == [("README.md", "#lost")]


def test_an_example_that_shows_what_python_says_of_it_is_wrong_on_purpose(repo: Repository) -> None:
    text = "```python\nimport tool\n\ndef use(a=0, *, **more):\n                ^\nSyntaxError: named arguments must follow bare *\n```\n"
    repo.write(
        {"docs/guide.md": text, "docs/other.md": "```python\nimport tool\n\ntool.run(\n    'a'\nprint('b')\n```\n"}
    )
    assert [f.file for f in repo.commit("say it").drifted()] == ["docs/other.md"]


def test_the_chapters_of_a_book_link_to_each_other_as_to_one_page(repo: Repository) -> None:
    chapter = "== Time\n\nSee xref:#_first_steps[first], link:#_first_steps[again] and link:#_lost_part[lost].\n"
    repo.write(
        {"docs/index.adoc": "= Book\n\n== First steps\n\ninclude::pages/time.adoc[]\n", "docs/pages/time.adoc": chapter}
    )
    assert told(repo.commit("say it")) == []


def test_rustdoc_shows_a_readme_with_the_headings_of_the_code(repo: Repository) -> None:
    text = "# Crate\n\nChoose a [rate](#tick-rate).\n"
    repo.write(
        {"one/README.md": text, "one/src/lib.rs": '#![doc = include_str!("../README.md")]\n', "two/README.md": text}
    )
    repo.write({"two/src/lib.rs": "pub fn run() {}\n"})
    assert told(repo.commit("say it")) == [("two/README.md", "#tick-rate")]


def test_a_part_may_need_less_than_the_whole_does_now(repo: Repository) -> None:
    says = (
        "# Tool\n\nBoth of the bundled providers expect at least Python 3.10.\n\nTool expects at least Python 3.10.\n"
    )
    repo.write({"README.md": says}).commit("say it").age()
    repo.replace(">=3.10", ">=3.12", "pyproject.toml").commit("demand more")
    assert repo.stale_lines() == repo.age().stale_lines() == {("README.md", 5)}
