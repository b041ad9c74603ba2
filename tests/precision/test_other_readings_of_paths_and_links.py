"""A link that no reader is shown, a page that the site finds, what a text says is gone, and what a command makes, are no drift."""

from __future__ import annotations

from pathlib import Path

import pytest

from docalign_actors.engine.documents.generated import line_that_says_so
from tests.precision.aged import FILES, told
from tests.support.repository import Repository


def test_a_definition_that_no_text_links_by_shows_nobody_a_link(tmp_path: Path) -> None:
    text = "# Tool\n\nSee [the guide][guide].\n\n[guide]: docs/guide.md\n[Old  guide]: docs/old.md\n"
    repo = Repository(tmp_path, {**FILES, "README.md": text}).age()

    assert told(repo) == [("README.md", "docs/guide.md")]


def test_docusaurus_finds_a_page_from_the_root_of_its_pages(tmp_path: Path) -> None:
    page = "# Set up\n\nFirst [prepare](intro/setup.md), then [build](intro/build.md).\n"
    files: dict[str, str | bytes] = {
        "docs/contributing/code/start.md": page,
        "docs/intro/setup.md": "",
        "docs/x/setup.md": "",
    }
    for name in ("plain", "site"):
        (tmp_path / name).mkdir()
    plain = Repository(tmp_path / "plain", {**FILES, **files}).age()
    site = Repository(
        tmp_path / "site", {**FILES, **files, "website/docusaurus.config.js": "module.exports = {}\n"}
    ).age()

    both = [("docs/contributing/code/start.md", f"intro/{name}.md") for name in ("setup", "build")]
    assert told(plain) == both
    assert told(site) == both[1:]


@pytest.mark.parametrize(
    "sentence",
    [
        "We removed the `tool/parts/reader.py` of old.",
        "**ELIMINATED** the `tool/parts/reader.py`.",
        "Rows were read by `tool/parts/reader.py:12` (removed).",
        "Both `tool/parts/reader.py` and its tests were deleted in v0.3.",
        "It was settled in `tool/parts/reader.py` (commit `a66d807`).",
        "- `tool/parts/reader.py` - How rows are read (planned)",
    ],
)
def test_who_says_that_a_file_is_gone_or_where_it_can_be_had_knows_it(tmp_path: Path, sentence: str) -> None:
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": f"# Work\n\n{sentence}\n"}).age()
    repo.delete("tool/parts/reader.py").commit("away").age()

    assert told(repo) == []


LONG = (
    "The parts are read one by one, in the order in which they were given, and put together by the tool in the end. "
    * 4
)


@pytest.mark.parametrize(
    ("sentence", "reported"),
    [
        ("The replay half (`a.py`,\n`tool/parts/reader.py` and the `tests/` suites) was retired in May.", False),
        ("`tool/parts/reader.py`, `b.py` were removed.", False),
        ("`tool/parts/reader.py` reads. The rest was removed.", True),
    ],
)
def test_what_is_said_behind_a_list_of_names_is_said_of_all(tmp_path: Path, sentence: str, reported: bool) -> None:
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": f"# Work\n\n{LONG}{sentence}\n"}).age()
    repo.delete("tool/parts/reader.py").commit("away")

    assert told(repo) == ([("CONTRIBUTING.md", "tool/parts/reader.py")] if reported else [])


@pytest.mark.parametrize(("commit", "reported"), [("a" * 40, False), ("main", True)])
def test_an_entry_that_leads_to_one_commit_speaks_of_that_commit(tmp_path: Path, commit: str, reported: bool) -> None:
    row = f"| `tool/parts/reader.py` | [source](https://github.com/a/b/blob/{commit}/x.py#L1) |\n"
    table = f"# Work\n\n| file | where |\n|---|---|\n{row}"
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": table}).age()
    repo.delete("tool/parts/reader.py").commit("away")

    assert bool(told(repo)) is reported


def test_what_was_just_removed_and_is_said_to_be_removed_is_no_news(tmp_path: Path) -> None:
    text = "# Work\n\nRemoved `tool/parts/reader.py`.\n\nRows are read by `tool/parts/reader.py`.\n"
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": text}).age()
    repo.delete("tool/parts/reader.py").commit("away")

    assert repo.stale_lines() == {("CONTRIBUTING.md", 5)}


def test_a_drawing_that_begins_with_the_readers_own_folder_shows_his(tmp_path: Path) -> None:
    drawing = "```\n{}/\n├── pyproject.toml\n├── Makefile\n└── tool/\n    ├── __init__.py\n    └── setup.py\n```\n"
    repo = Repository(tmp_path, {**FILES, "tool/setup.py": "x = 1\n"})
    repo.write({"CONTRIBUTING.md": drawing.format("my_app"), "dev/README.md": drawing.format("tool")}).commit("docs")
    repo.delete("tool/setup.py").commit("away")

    assert [file for file, _ in told(repo)] == ["dev/README.md"]


@pytest.mark.parametrize("commits", [0, 20])
@pytest.mark.parametrize(
    "command",
    [
        "git subtree add --prefix tool/parts https://example.org/parts main",
        "git submodule add https://example.org/parts tool/parts",
    ],
)
def test_a_folder_that_a_command_makes_need_not_be_there(tmp_path: Path, command: str, commits: int) -> None:
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": f"# Work\n\n```sh\n{command}\n```\n"}).age()
    repo.delete("tool/parts").commit("away")
    if commits:
        repo.age(commits)

    assert told(repo) == []


def test_a_page_about_how_things_are_generated_is_not_generated_for_that() -> None:
    assert line_that_says_so(["# Build", "", "## How the documentation is generated", "text"]) == 0
    assert line_that_says_so(["# Options", "", "The documentation is generated from the code."]) == 3


def test_a_folder_that_was_a_submodule_is_somebody_elses(tmp_path: Path) -> None:
    module = '[submodule "bats"]\n\tpath = test/bats\n\turl = https://example.org/bats\n'
    repo = Repository(tmp_path, {**FILES, ".gitmodules": module})
    repo.write({"test/bats/README.md": "See [the guide](docs/guide.md).\n", ".gitmodules": ""}).commit("copied").age()
    repo.write({"dev/README.md": "See [the guide](docs/guide.md).\n"}).commit("ours").age()

    assert told(repo) == [("dev/README.md", "docs/guide.md")]


def test_links_of_a_document_that_is_shown_through_a_symbolic_link_lead_from_there_too(tmp_path: Path) -> None:
    repo = Repository(tmp_path, {**FILES, "ark/README.md": "See [one](tool/__init__.py) and [two](tool/none.py).\n"})
    (repo.root / "README.md").symlink_to("ark/README.md")
    repo.commit("shown at the root").age()

    assert told(repo) == [("ark/README.md", "tool/none.py")]


def test_a_heading_is_found_by_the_slug_of_its_id_as_words_and_by_those_of_the_headings_above_it(
    tmp_path: Path,
) -> None:
    links = "[a](#odd-types-odd) [b](#data-api-setitem) [c](#api-setitem) [d](#data-setitem)"
    text = f"# Data\n\n{links}\n\n## API\n\n### setItem\n\n### Odd types {{#odd}}\n"
    repo = Repository(tmp_path, {**FILES, "README.md": text}).age()

    assert told(repo) == [("README.md", "#data-setitem")]


def test_a_sample_whose_fences_end_it_too_early_says_nothing_of_its_page(tmp_path: Path) -> None:
    sample = "```{}\n# Title\n\n```sh\nmake\n```\n\nSee [style](#code-style).\n```\n"
    repo = Repository(tmp_path, {**FILES, "dev/a.md": sample.format("markdown"), "dev/b.md": sample.format("python")})

    assert told(repo.age()) == [("dev/b.md", "#code-style")]


def test_a_form_that_others_fill_in_has_links_to_what_they_will_write(tmp_path: Path) -> None:
    page = "# Title\n\n- [Posts](#posts)\n"
    repo = Repository(tmp_path, {**FILES, "dev/api-template.md": page, "dev/api.md": page}).age()

    assert told(repo) == [("dev/api.md", "#posts")]


def test_a_heading_is_found_by_the_slug_of_its_source(tmp_path: Path) -> None:
    links = "[a](#a-name-list-a-list-of-events) [b](#a-name-lost-a-list-of-events)"
    repo = Repository(tmp_path, {**FILES, "README.md": f'# T\n\n{links}\n\n## <a name="list"></a> List of events?\n'})

    assert told(repo.age()) == [("README.md", "#a-name-lost-a-list-of-events")]


@pytest.mark.parametrize(("beginning", "missed"), [("\\mainpage Tool\n\n", False), ("# Tool\n\n", True)])
def test_a_page_of_doxygen_is_linked_to_by_its_label(tmp_path: Path, beginning: str, missed: bool) -> None:
    pages = {"dev/README.md": f"{beginning}See [it](dev/more.md).\n", "dev/more.md": "\\page dev/more.md More\n"}
    repo = Repository(tmp_path, {**FILES, **pages}).age()

    assert told(repo) == ([("dev/README.md", "dev/more.md")] if missed else [])


@pytest.mark.parametrize(("image", "missed"), [("AUTOGEN_wide.svg", False), ("AUTO_wide.svg", True)])
def test_an_image_is_made_where_a_build_file_makes_names_that_begin_like_its_own(
    tmp_path: Path, image: str, missed: bool
) -> None:
    pages = {"README.md": f"![wide](images/{image})\n", "CMakeLists.txt": "set(IMAGE AUTOGEN${SPACE}_${NAME}.svg)\n"}
    repo = Repository(tmp_path, {**FILES, **pages}).age()

    assert told(repo) == ([("README.md", f"images/{image}")] if missed else [])


@pytest.mark.parametrize(("address", "missed"), [("/docs/setting/", False), ("/docs/other/", True)])
def test_an_address_that_a_page_of_asciidoc_gives_itself_is_found_by_the_name_of_a_page(
    tmp_path: Path, address: str, missed: bool
) -> None:
    pages = {"docs/README.adoc": "= Tool\n\nSee xref:./setting.adoc[it].\n"}
    pages["docs/setting/readme.adoc"] = f"= Setting\n:page-permalink: {address}\n"
    repo = Repository(tmp_path, {**FILES, **pages}).age()

    assert told(repo) == ([("docs/README.adoc", "./setting.adoc")] if missed else [])


@pytest.mark.parametrize(("ignored", "missed"), [("tool-all\n", False), ("other\n", True)])
def test_a_file_that_is_made_is_no_target_that_went(tmp_path: Path, ignored: str, missed: bool) -> None:
    page = "# Work\n\nRebuild the `tool-all` script with `make build`.\n"
    make = "build: tool-all\n\ntool-all:\n\tcat src/*.sh > tool-all\n"
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": page, "Makefile": make, ".gitignore": ignored})
    repo.write({"Makefile": "build:\n\tcat src/*.sh > tool-all\n"}).commit("one target").age()

    assert told(repo) == ([("CONTRIBUTING.md", "tool-all")] if missed else [])


@pytest.mark.parametrize(
    ("sentence", "reported"),
    [
        ("Functions come from your manuscript's `tool/parts/` modules.", False),
        ("Store your research data in `tool/parts/`, and read it from `tool/parts/`.", False),
        ("Add a line to your `tool/parts/` modules.", True),
        ("The tool's `tool/parts/` modules read rows. Store them.", True),
    ],
)
def test_a_folder_that_a_manual_calls_the_readers_is_not_missed_here(
    tmp_path: Path, sentence: str, reported: bool
) -> None:
    repo = Repository(tmp_path, {**FILES, "README.md": f"# Tool\n\n{sentence}\n\nSee `tool/parts/` for more.\n"}).age()
    repo.delete("tool/parts/reader.py").commit("away").age()

    assert told(repo) == ([("README.md", "tool/parts/")] if reported else [])


def test_who_works_here_stores_their_tests_in_a_folder_of_this_repository(tmp_path: Path) -> None:
    page = "# Work\n\nPut your tests in `tool/parts/`.\n"
    repo = Repository(tmp_path, {**FILES, "CONTRIBUTING.md": page}).age()
    repo.delete("tool/parts/reader.py").commit("away").age()

    assert told(repo) == [("CONTRIBUTING.md", "tool/parts/")]


@pytest.mark.parametrize(
    ("sentence", "reported"),
    [
        ("A `notice_text` file in the root replaces the notice. If it exists, it is sent.", False),
        ("If `notice_text` exists, it is sent.", False),
        ("The `notice_text` (optional) is sent.", False),
        ("The `notice_text` file is sent. If it rains, nothing is.", True),
    ],
)
def test_a_file_that_need_not_be_there_is_not_missed(tmp_path: Path, sentence: str, reported: bool) -> None:
    files = {**FILES, "CONTRIBUTING.md": f"# Work\n\n{sentence.replace('notice_text', 'tool/notice.toml')}\n"}
    repo = Repository(tmp_path, {**files, "tool/notice.toml": "x = 1\n"}).delete("tool/notice.toml").commit("sent")

    assert told(repo) == ([("CONTRIBUTING.md", "tool/notice.toml")] if reported else [])


def test_what_a_public_mirror_is_filtered_of_is_not_missed_there(tmp_path: Path) -> None:
    lead = "The private repository is the source of truth; this is a public mirror of it.\n"
    page = "# Shipping\n\n{lead}\nThe pipeline lives at [release.yml](.github/workflows/release.yml).\n"
    (tmp_path / "mirror").mkdir()
    (tmp_path / "plain").mkdir()
    mirror = Repository(tmp_path / "mirror", {**FILES, "SHIPPING.md": page.format(lead=lead)})
    plain = Repository(tmp_path / "plain", {**FILES, "SHIPPING.md": page.format(lead="")})

    assert told(mirror) == []
    assert told(plain) == [("SHIPPING.md", ".github/workflows/release.yml")]
