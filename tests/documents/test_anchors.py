from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.documents.anchors import (
    asciidoctor_slug,
    docutils_slug,
    github_slug,
    heading_slugs,
    may_have_offered,
    numbered,
    python_markdown_slug,
)
from tests.documents.reading import read


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Getting Started", "getting-started"), ("What's new?", "whats-new"), ("Foo & Bar", "foo--bar"), ("a - b", "a---b"),
        ("snake_case", "snake_case"), ("C++ / Rust", "c--rust"), ("Über uns", "über-uns"), ("1.2 Setup", "12-setup"),
        (":rocket: Launch", "rocket-launch"), ("🚀 Launch", "-launch"), ("日本語 の", "日本語-の"), ("A  B", "a--b"),
    ],
)  # fmt: skip
def test_github_s_rule(title: str, slug: str) -> None:
    assert github_slug(title) == slug


def test_the_rules_of_sites() -> None:
    assert python_markdown_slug("Foo & Bär") == "foo-bar"
    assert docutils_slug("1.2 Foo_bar & Baz") == "foo-bar-baz"
    assert asciidoctor_slug("Foo-Bar: baz.qux") == "_foo_bar_baz_qux"


def test_repeats_are_numbered_and_do_not_collide() -> None:
    assert {"a", "a-1", "a-1-1"} <= numbered(["a", "a-1", "a"]) | numbered(["a", "a", "a-1"])
    assert {"a", "a-1", "a-2"} <= numbered(["a", "a", "a"])


@given(st.lists(st.sampled_from(["a", "b", "a-1", "a-2", ""]), max_size=12))
def test_every_heading_has_a_slug_of_its_own(slugs: list[str]) -> None:
    assert len(numbered(slugs)) >= len(slugs)


def test_marks_in_a_heading_are_reduced_to_what_is_seen() -> None:
    document = read("# `code` and [link](x.md) **bold** ![logo](y.png)\n\n## The [a][b] thing\n\n[b]: c.md\n")
    assert {"code-and-link-bold-", "the-a-thing"} <= document.anchors


@pytest.mark.parametrize(
    "text",
    ['<a id="here"></a>\n', '<a name="here"></a>\n', "# T {#here}\n", "# T {: #here .x }\n", "(here)=\n# T\n", '<h2 id=here>T</h2>\n',
     "# T {/* #here */}\n", "Text.\n{: #here}\n", "<h2>Here</h2>\n", '<h1 align="center">\n  Here\n</h1>\n'],
)  # fmt: skip
def test_ids_written_out_are_anchors(text: str) -> None:
    assert "here" in read(text).anchors


def test_a_mark_at_the_end_of_a_heading_may_be_no_part_of_the_slug() -> None:
    assert {"primary", "primary-1", "primary-sq"} <= read("# primary [~SQ]\n\n# primary\n").anchors


def test_a_badge_in_a_heading_is_no_part_of_the_slug() -> None:
    assert "parsing-json" in read('# Parsing JSON <Badge text="New" />\n').anchors


def test_an_id_in_braces_is_no_part_of_the_title() -> None:
    assert read("# My Title {#here}\n").blocks[0].info == "My Title"


def test_an_id_in_two_brackets_is_one() -> None:
    document = read("## PR을 열기 위한 방법 [[how-to-open-a-pr]]\n\n## A [[two words]] list\n")
    assert "how-to-open-a-pr" in document.anchors
    assert [block.info for block in document.blocks] == ["PR을 열기 위한 방법", "A [[two words]] list"]


@pytest.mark.parametrize(
    "text",
    [
        "{% include x.md %}\n",
        '--8<-- "a.md"\n',
        "{{ table }}\n",
        "::: pkg.mod\n",
        '{%= apidocs("index.js") %}\n',
        "::: mkdocs-click\n    :module: a\n",
        "<ApiTable of={x} />\n",
        "<!--@include: ./a.md-->\n",
        "==- `info(page, id: ...)`\n\nA panel.\n\n===\n",
    ],
)
def test_what_adds_ids_opens_the_anchors(text: str) -> None:
    assert read("# T\n\n" + text).open_anchors


def test_plain_markdown_does_not_open_the_anchors() -> None:
    assert not read("# T\n\nText with `{x}` and {y}.\n\n> [!NOTE]\n> x\n\n::: tip\nx\n:::\n").open_anchors


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("## What's new?\n", "whats-new"),
        ("## The [Guide](guide.md#top) to `run()` & more\n", "the-guide-to-run--more"),
        ("## Résumé\n", "resume"),
        ("## 选项，如 --harmony\n", "选项如---harmony"),
        ("Setup\n=====\n", "setup"),
        ("## Setup\n\n## Setup\n", "setup-1"),
        ("Setup\n-----\n\nSetup\n-----\n", "id1"),
        ('## Options <Badge text="new" /> here\n', "options-here"),
        ("## [Usage](#usage)\n", "usage"),
        ('<a id="old_name"></a>\n', "old_name"),
    ],
)
def test_whatever_an_earlier_version_offered_it_may_have_offered(text: str, name: str) -> None:
    assert may_have_offered(text.encode(), b"## Other\n", [name])


def test_a_table_of_contents_alone_offers_nothing() -> None:
    assert not may_have_offered(b"- [Set up](#set-up)\n\n## Usage\n", b"", ["set-up"])
    assert not may_have_offered(b"## Usage\n", b"", ["set-up", "install"])


@given(st.lists(st.text("abC 12-_'!.é中,", min_size=1, max_size=12), min_size=1, max_size=3))
def test_no_slug_of_a_heading_is_passed_over(titles: list[str]) -> None:
    text = "".join(f"## {title}\n\n" for title in titles).encode()
    for form in ("markdown", "mdx", "rst", "asciidoc"):
        assert all(may_have_offered(text, b"", [slug.lower()]) for slug in heading_slugs(titles, form))


def test_a_line_that_is_still_there_offers_no_more_than_it_does_now() -> None:
    then = b"## Set up, all\n\ntext\n\n## Gone\n\n## Twice\n\n## Twice\n"
    now = b"## Set up, all\n\nother text\n\n## Twice\n"
    assert not may_have_offered(then, now, ["set-up,-all"])
    assert may_have_offered(then, now, ["gone"])
    assert may_have_offered(then, now, ["twice-1"])


def test_a_panel_s_title_is_an_anchor() -> None:
    assert "pagy-info-pagy-item-name" in read("# T\n\n==- `pagy_info(pagy, item_name: ...)`\n\nText.\n").anchors


def test_vuepress_writes_a_letter_of_cyrillic_as_an_n() -> None:
    found = heading_slugs(["Плагин для сервиса"], "markdown")
    assert {"плагин-для-сервиса", "пnагин-дnя-сервиса"} <= found


def test_a_slug_made_from_the_html_spells_the_angle_brackets_out() -> None:
    assert "lt-name-gt-config" in heading_slugs(["<name>.config"], "markdown")
