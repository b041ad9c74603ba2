"""Links and anchors that have led nowhere for long: broken, or made when the site is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.precision.aged import FILES, told
from tests.support.repository import Repository


def test_a_link_of_a_readme_that_never_led_anywhere_is_broken_and_one_of_a_manual_may_be_the_sites(
    repo: Repository,
) -> None:
    repo.write({"README.md": "[a](docs/lost.md)\n", "docs/guide.md": "[a](lost.md)\n", "docs/other.md": "# O\n"})
    assert told(repo.commit("say it").age()) == [("README.md", "docs/lost.md")]


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


def test_a_folders_own_page_is_the_same_for_a_site_by_either_name(repo: Repository) -> None:
    page = "# Home\n\nThis page tells enough to be known again.\n"
    repo.write({"docs/a/guide.md": "[home](../README.md), [old](README.md)\n", "docs/a/README.md": "# Old\n"})
    repo.write({"docs/README.md": page}).commit("say it").delete("docs/README.md", "docs/a/README.md")
    repo.write({"docs/index.md": page}).commit("another name")
    assert told(repo.age()) == [("docs/a/guide.md", "README.md")]


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


def test_a_heading_that_moved_into_a_part_which_the_document_includes_is_there(repo: Repository) -> None:
    link = "[see](reference.md#basic-parts)\n"
    repo.write({"docs/guide.md": link, "docs/reference.md": "# R\n\n## Basic parts\n"}).commit("say it")
    repo.write({"docs/reference.md": "# R\n\n<!-- include: tool/parts.md -->\n", "tool/parts.md": "## Basic parts\n"})
    assert told(repo.commit("move it")) == []
    repo.write({"tool/parts.md": "## Other parts\n"}).commit("rename it")
    assert told(repo) == [("docs/guide.md", "#basic-parts")]


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


def test_a_link_without_any_words_is_a_mark_for_some_tool(repo: Repository) -> None:
    repo.write({"README.md": "# Tool\n\n[](#mark)\n```javascript\na\n```\n\n[words](#words)\n"}).commit("say it")
    assert told(repo) == [("README.md", "#words")]


@pytest.mark.parametrize("picture", ['<a href="#badge">\n  <img src="x.svg">\n</a>', "[![x](x.svg)](#badge)"])
def test_a_picture_that_links_to_nothing_in_particular_is_no_broken_link(repo: Repository, picture: str) -> None:
    repo.write({"README.md": f"# Tool\n\n{picture}\n\n[words](#words)\n", "x.svg": "x"}).commit("say it")
    assert told(repo) == [("README.md", "#words")]


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


def test_an_anchor_in_capitals_is_made_by_some_tool(repo: Repository) -> None:
    repo.write({"docs/grammar.md": "# Grammar\n\n[rule](#grammar-StructPattern), [lost](#what-is-lost)\n"}).commit(
        "say it"
    )
    assert told(repo.age()) == [("docs/grammar.md", "#what-is-lost")]


def test_github_shows_every_document_at_readme(repo: Repository) -> None:
    repo.write({"README.md": "[a](arrays.md#readme), [b](arrays.md#lost)\n", "arrays.md": "# Arrays\n"}).commit(
        "say it"
    )
    assert told(repo) == [("README.md", "#lost")]


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


def test_a_chapter_that_links_to_no_page_is_broken_unless_the_book_makes_it_or_shows_the_text_elsewhere(
    repo: Repository,
) -> None:
    sound = {f"book/src/{number}.md": "# Text\n" for number in range(40)}
    pages = {
        "book/book.toml": "[book]\n",
        "book/src/SUMMARY.md": "[A](a.md)\n\n- [B](part/b.md)\n- [Made](made.md)\n- [P](part/p.md)\n",
        "book/src/a.md": "# A\n\n{{#include part/p.md}}\n\n[its page](part/index.md), [later](TODO.md)\n",
        "book/src/part/b.md": "[one](part/p.md), [two](../made.md), [three](lost.md)\n",
        "book/src/part/p.md": "[text](part/c.md)\n",
        "book/src/part/loose.md": "[no chapter](lost.md)\n",
        "book/src/all.md": "".join(f"[{path}]({path.removeprefix('book/src/')})\n" for path in sound),
        "guide/page.md": "[no book](part/p.md)\n",
    }
    assert told(repo.write(sound).write(pages).commit("say it").age()) == [
        ("book/src/part/b.md", "part/p.md"),
        ("book/src/part/b.md", "lost.md"),
    ]


@pytest.mark.parametrize(("now", "fix"), [("FORM/bug.md", None), ("FORM/FORM.md", ".github/FORM/FORM.md"), ("forms/bug.md", ".github/forms/bug.md")])  # fmt: skip
def test_one_of_the_pieces_that_a_file_was_cut_into_is_no_certain_fix(
    repo: Repository, now: str, fix: str | None
) -> None:
    text = "# A bug\n\nTell what you did, what came of it and what you had expected.\n"
    repo.write({"CONTRIBUTING.md": "See the [form](.github/FORM.md).\n", ".github/FORM.md": text}).commit("say it")
    (finding,) = repo.delete(".github/FORM.md").write({f".github/{now}": text}).commit("cut it").drifted()
    assert (finding.fix and finding.fix.replacement) == fix


def test_a_hidden_template_takes_in_what_its_links_lead_to(tmp_path: Path) -> None:
    text = "# Tool\n\nSee [all](#all-prompts).\n\n"
    repo = Repository(tmp_path, {**FILES, ".verb.md": text + "## All prompts\n"}).age()
    repo.write({".verb.md": text + "{%= include('./docs/prompts.md') %}\n", "docs/prompts.md": "## All prompts\n"})

    assert told(repo.commit("moved").age()) == []


def test_the_links_of_a_snippet_lead_on_from_where_it_is_put(repo: Repository) -> None:
    text = '# Tool\n\n<img src="./assets/brand/logo.svg">\n'
    repo.write({"assets/brand/logo.svg": b"x", "assets/brand/README_SNIPPET.md": text, "assets/brand/README.md": text})
    assert told(repo.commit("say it").age()) == [("assets/brand/README.md", "./assets/brand/logo.svg")]


def test_a_readme_leads_to_a_page_that_git_ignores_and_its_readers_have_not(repo: Repository) -> None:
    says = "See [what is to do](tasks/todo.md), [the report](reports/run.md) and [the page](tasks/page.html).\n"
    repo.write({".gitignore": "tasks/\nreports/\n", "README.md": says, "CONTRIBUTING.md": says})
    assert told(repo.commit("say it").age()) == [("README.md", "tasks/todo.md")]


@pytest.mark.parametrize(
    ("owner", "branch", "missed"), [("ada", "main", True), ("eve", "main", False), ("ada", "v1", False)]
)
def test_an_address_of_this_repository_leads_to_a_heading_that_its_document_has(
    repo: Repository, owner: str, branch: str, missed: bool
) -> None:
    manifest = '[project]\nname = "tool"\n\n[project.urls]\nHomepage = "https://github.com/ada/tool"\n'
    to = f"https://github.com/{owner}/tool/blob/{branch}/docs/rpc.md"
    says = f"- [peers]({to}#info_get_peers)\n- [status]({to}#get-status)\n"
    repo.write(
        {"pyproject.toml": manifest, "README.md": says, "docs/rpc.md": "# Calls\n\n## Get peers\n\n## Get status\n"}
    )
    assert told(repo.commit("say it").age()) == ([("README.md", "#info_get_peers")] if missed else [])
