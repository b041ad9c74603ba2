from __future__ import annotations

from tests.documents.reading import blocks, code_of, inlines, read, texts

_PAGE = """\
= Title
:toc:

Intro with `code.py` and +mono+ and *bold*.

[[explicit]]
== Part One

[source,java]
----
class A {}
----

....
literal
....

* one `a`
* two
** deep

CPU:: Defaults to `4`.

// a comment with `gone`

|===
|Name |Default

|`port` |8080
|`host` |local
|===

See link:docs/a.adoc[the `guide`], xref:b.adoc#top[B], <<explicit,here>> and https://a.example/x[label].

image::logo.png[Logo]
include::part.adoc[]
"""


def test_a_page_is_read_in_order() -> None:
    document = read(_PAGE, "asciidoc")
    assert [block.kind for block in document.blocks] == [
        "heading", "paragraph", "heading", "code", "code", "item", "item", "item", "item", "row", "row", "paragraph", "paragraph",
        "paragraph",
    ]  # fmt: skip


def test_monospaced_spans_are_code() -> None:
    assert {"code.py", "mono", "a", "4", "port", "host"} <= set(texts(read(_PAGE, "asciidoc"), "code"))


def test_listings_have_their_language() -> None:
    assert [(b.language, code_of(b)) for b in blocks(read(_PAGE, "asciidoc"), "code")] == [
        ("java", "class A {}"),
        ("", "literal"),
    ]


def test_rows_have_headers() -> None:
    rows = blocks(read(_PAGE, "asciidoc"), "row")
    assert [[(c.header, c.text) for c in row.cells] for row in rows] == [
        [("Name", "port"), ("Default", "8080")],
        [("Name", "host"), ("Default", "local")],
    ]


def test_macros_are_links_and_a_bare_id_is_a_role() -> None:
    document = read(_PAGE, "asciidoc")
    assert texts(document, "link") == ["docs/a.adoc", "b.adoc#top", "https://a.example/x", "part.adoc"]
    assert [(i.text, i.label) for i in inlines(document, "role")] == [("explicit", "xref")]
    assert texts(document, "image") == ["logo.png"]


def test_ids_and_section_names_are_anchors() -> None:
    assert {"explicit", "_part_one", "part-one"} <= read(_PAGE, "asciidoc").anchors


def test_a_term_and_its_definition_are_one_item() -> None:
    assert "CPU Defaults to `4` ." in [block.text for block in blocks(read(_PAGE, "asciidoc"), "item")]
