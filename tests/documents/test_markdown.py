from __future__ import annotations

import pytest

from docalign_actors.engine.documents.markdown import language_of_info
from tests.documents.reading import blocks, code_of, inlines, read, texts


def test_a_code_span_stands_where_it_says() -> None:
    document = read("# Title\n\nRun `tool --flag` in `src/`.\n")
    assert [(i.text, i.line, i.column) for i in inlines(document, "code")] == [("tool --flag", 3, 6), ("src/", 3, 23)]


def test_a_code_span_with_two_backticks_holds_a_backtick() -> None:
    assert texts(read("Write `` a`b `` here."), "code") == ["a`b"]


def test_a_code_span_over_two_lines_gives_a_piece_for_each() -> None:
    assert [(i.text, i.line) for i in inlines(read("a `b\nc` d"), "code")] == [("b", 1), ("c", 2)]


def test_an_unclosed_backtick_is_text() -> None:
    assert texts(read("a `b and [c](d.md)"), "link") == ["d.md"]


def test_a_link_gives_its_target_and_what_the_reader_sees() -> None:
    [link] = inlines(read('See [the `app` guide](docs/app.md "Title").'), "link")
    assert (link.text, link.label) == ("docs/app.md", "the app guide")


def test_a_code_span_in_a_label_is_an_inline_of_its_own() -> None:
    assert texts(read("See [`app.py`](src/app.py)."), "code") == ["app.py"]


@pytest.mark.parametrize("target", ["a(b).md", "a%20b.md", "../x/y.md#z"])
def test_a_target_is_kept_to_the_letter(target: str) -> None:
    assert texts(read(f"[a]({target})"), "link") == [target]


def test_a_target_in_angle_brackets_may_hold_blanks() -> None:
    assert texts(read("[a](<my file.md>)"), "link") == ["my file.md"]


def test_an_image_is_no_link_and_a_badge_is_both() -> None:
    document = read("[![build](badge.svg)](ci.md)")
    assert texts(document, "image") == ["badge.svg"]
    assert texts(document, "link") == ["ci.md"]


def test_a_reference_link_is_one_link_at_its_definition() -> None:
    document = read("See [a][ref] and [b][ref] and [ref].\n\n[ref]: docs/a.md 'T'\n")
    assert [(i.text, i.line, i.column) for i in inlines(document, "link")] == [("docs/a.md", 3, 8)]


@pytest.mark.parametrize(("label", "links"), [("//", 0), ("comment", 0), ("#", 0), ("a", 1), ("1", 1), ("日", 1)])
def test_a_definition_that_stands_for_a_comment_is_no_link(label: str, links: int) -> None:
    document = read(f"Text, [a][{label}].\n\n[{label}]: lost.md\n")
    found = [i for b in document.blocks for i in b.every_inline() if i.kind == "link" and i.line == 3]
    assert len(found) == links


def test_a_cross_reference_without_definition_is_a_role() -> None:
    document = read("See [the client][pkg.Client.get] and [`pkg.run`][] and [no][such].")
    assert [(i.text, i.label) for i in inlines(document, "role")] == [("pkg.Client.get", "obj"), ("pkg.run", "obj")]


def test_autolinks_and_bare_addresses_are_links() -> None:
    assert texts(read("<https://a.example/x> or https://b.example/y."), "link") == [
        "https://a.example/x",
        "https://b.example/y",
    ]


def test_emphasis_marks_are_not_words_but_globs_and_dunders_are() -> None:
    assert texts(read("**Default:** *8080* for *.py and __init__"), "text") == [
        "Default:",
        "8080",
        "for *.py and __init__",
    ]


def test_each_item_of_a_list_is_a_block_of_the_same_group() -> None:
    items = blocks(read("- one\n- two\n  - deep\n\nx\n\n- other\n"), "item")
    assert [item.text for item in items] == ["one", "two", "deep", "other"]
    assert items[0].group == items[1].group != items[2].group
    assert items[3].group not in {items[0].group, items[2].group}


def test_a_row_has_a_cell_for_each_column_with_its_header() -> None:
    document = read("| Name | Default |\n|---|---|\n| `port` | 8080 \\| none |\n| `host` |\n")
    rows = blocks(document, "row")
    assert [[(cell.header, cell.text) for cell in row.cells] for row in rows] == [
        [("Name", "port"), ("Default", "8080 \\| none")],
        [("Name", "host")],
    ]
    assert rows[0].group == rows[1].group


def test_a_table_in_a_quotation_keeps_its_columns() -> None:
    [row] = blocks(read("> | a | b |\n> |---|---|\n> | `x` | `y` |\n"), "row")
    assert [inline.column for inline in row.every_inline()] == [6, 12]


def test_a_fence_gives_its_lines_with_their_columns() -> None:
    [block] = blocks(read("- item\n\n  ```sh\n  $ make\n\n    deep\n  ```\n"), "code")
    assert (block.language, code_of(block), block.line) == ("sh", "$ make\n\n  deep", 3)
    assert block.lines[0].column == 3


def test_indented_code_is_code() -> None:
    assert code_of(blocks(read("text\n\n    a = 1\n      b\n"), "code")[0]) == "a = 1\n  b"


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"), ("Python title=\"x.py\"", "python"), ("{.python .numberLines}", "python"), ("js{1,3}", "js"),
        ("{code-block} toml", "toml"), ("{python}", "python"), ("c++", "c++"), ("", ""), ("title=\"x\"", "title"),
        ("{click:example}", ""), ("rust,no_run", "rust"), ("language-json", "json"),
    ],
)  # fmt: skip
def test_the_language_is_the_first_word_of_the_info_string(info: str, language: str) -> None:
    assert language_of_info(info) == language


def test_sections_are_the_headings_above() -> None:
    document = read("# A\n\n## B\n\nx\n\n## C `d`\n\ny\n")
    assert [block.section for block in blocks(document, "paragraph")] == [("A", "B"), ("A", "C d")]


def test_front_matter_is_skipped() -> None:
    assert [b.text for b in read("---\ntitle: `x`\n---\n\nBody.\n").blocks] == ["Body."]


def test_html_gives_links_images_and_code() -> None:
    document = read('<p align="center">\n<a href="docs/a.md"><img src="logo.png"></a> <code>x.py</code>\n</p>\n')
    assert (texts(document, "link"), texts(document, "image"), texts(document, "code")) == (
        ["docs/a.md"],
        ["logo.png"],
        ["x.py"],
    )


def test_what_is_commented_out_is_not_read() -> None:
    assert read("<!-- `gone.py`\n\n`gone2.py` -->\n\na <!-- `gone3.py` --> b\n").blocks[-1].text == "a b"
    assert texts(read("<!-- `gone.py`\n`gone2.py` -->\n"), "code") == []


def test_preformatted_html_is_code() -> None:
    [block] = blocks(read('<pre><code class="language-sh">make install\nmake</code></pre>\n'), "code")
    assert (block.language, code_of(block)) == ("sh", "make install\nmake")


def test_an_alert_is_documentation_and_a_quotation_is_a_quotation() -> None:
    document = read("> [!NOTE]\n> Use `a`.\n\n> They said `b`.\n")
    assert [block.kind for block in document.blocks] == ["paragraph", "quote"]


def test_a_placeholder_in_angle_brackets_stays_a_word() -> None:
    assert texts(read("Use <your-name> here."), "text") == ["Use <your-name> here."]


def test_an_item_of_a_tight_list_is_read_from_its_first_mark_to_its_last_line() -> None:
    document = read("- \\*one* `a`\n  and `b`\n- two\n\n  > three `c`\n  four `d`\n")
    assert [(i.text, i.line, i.column) for i in inlines(document, "code")] == [
        ("a", 1, 11), ("b", 2, 8), ("c", 5, 12), ("d", 6, 9),
    ]  # fmt: skip
    assert [block.kind for block in document.blocks] == ["item", "item", "quote"]


def test_a_rule_ends_the_text_of_an_item() -> None:
    assert [b.text for b in read("- one\n  ***\n  two\n").blocks] == ["one", "two"]


@pytest.mark.parametrize("heading", ["## The `x` part ##", "The `x`\n  part\n---", "##\tThe `x` part"])
def test_a_heading_is_its_words_however_it_is_marked(heading: str) -> None:
    document = read(f"> {heading.replace(chr(10), chr(10) + '> ')}\n")
    assert [block.info for block in blocks(document, "heading")] == ["The x part"]
    assert "the-x-part" in document.anchors or "the-xpart" in document.anchors


def test_a_hash_without_a_blank_is_no_mark_of_a_heading() -> None:
    assert [block.info for block in blocks(read("#tag and more\n===\n"), "heading")] == ["#tag and more"]


def test_positions_count_characters_whatever_stands_before() -> None:
    document = read("# Ünïcode ☃\n\nÄ `a.py`\n\n- ☃ [`b`](b.md)\n\n[é]: ü.md\n\n[é] is used\n")
    assert [(i.text, i.line, i.column) for i in inlines(document, "link")] == [("b.md", 5, 11), ("ü.md", 7, 6)]


def test_what_a_component_of_mdx_indents_is_read_as_markdown_to_some_depth() -> None:
    document = read("<Tabs>\n    Text `a`\n\n    ```sh\n    run b\n    ```\n\n        Deeper `c`\n</Tabs>\n", "mdx")
    assert texts(document, "code") == ["a", "c"]
    assert [code_of(block) for block in blocks(document, "code")] == ["run b"]
    assert texts(read("Text\n\n    code `a`\n"), "code") == []
