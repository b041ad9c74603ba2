"""What can add ids to a document that its source does not show: every way of writing it is seen."""

from __future__ import annotations

import pytest

from docalign_actors.engine.documents.anchors import may_have_more
from docalign_actors.engine.documents.reader import read_document

_MARKDOWN = (
    "{{ page.title }}", "--8<-- 'part.md'", "{%= include %}", "{% include part.html %}", "{%- render x %}", "```{include} part.md",
    "```{eval-rst}", ":::{autofunction} x", "```{click} tool:cli", "{!part.md!}", "#include part.md", "<!-- include: part.md -->",
    "<!-- @include part.md -->", "[[include part.md]]", "@include part.md", "@import './part.md'", "@/parts/one.md", "@./part.md",
    "[filename](part.md ':include')", "<<< @/code.js", "::: mkdocstrings", "<Parts />", "<xi:include href='x'/>", "<include >",
    "[!INCLUDE [x](part.md)]", "snippet: name", "%include part", "ref: docs/react/functions.md", "source: other.mdx", "of: a/b.rst",
    "from: a.adoc", '{% partial file="a.md" /%}', "{% api-method x %}", "<api-table></api-table>", "  <doc-parts :of='x'></doc-parts>",
)  # fmt: skip


@pytest.mark.parametrize("line", _MARKDOWN)
@pytest.mark.parametrize("format", ["markdown", "mdx"])
def test_a_line_that_takes_something_in_is_seen(line: str, format: str) -> None:
    assert may_have_more(["# Title", line], format)


@pytest.mark.parametrize(("line", "format"), [
    ("  <Parts of='x' />", "mdx"), ("{props.children}", "mdx"), (".. include:: part.rst", "rst"), ("   .. autoclass:: X", "rst"),
    (".. py:function:: f", "rst"), ("include::part.adoc[]", "asciidoc"), ("ifdef::x[]", "asciidoc"), ("ifeval::[1]", "asciidoc"),
])  # fmt: skip
def test_so_it_is_in_the_other_formats(line: str, format: str) -> None:
    assert may_have_more(["= Title", line], format)


@pytest.mark.parametrize(
    "line",
    [
        "Plain words.",
        "::: tip",
        "See guide.md for more.",
        "<b>bold</b>",
        "a { b }",
        "{% hint style='info' %}",
        "{% endtab %}",
    ],
)
def test_plain_text_takes_nothing_in(line: str) -> None:
    assert not may_have_more(["# Title", line], "markdown")


@pytest.mark.parametrize(("text", "anchor"), [
    ("## :rocket: Getting started", "getting-started"), ("## :rocket: Getting started", "rocket-getting-started"),
    ('=== "On Linux"\n\n    Run it.', "on-linux"), ("<div markdown>\n## Inside\n</div>", "inside"),
])  # fmt: skip
def test_what_only_some_sites_make_an_anchor_of_is_one(text: str, anchor: str) -> None:
    assert anchor in read_document("docs/page.md", "markdown", f"# Title\n\n{text}\n".encode()).anchors
