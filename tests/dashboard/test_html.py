"""Text stays text, whatever it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docalign_actors.dashboard as dashboard
from docalign_actors.dashboard.html import Markup, h, join, visible
from tests.support.markup import Document

TEXT = st.text(max_size=60) | st.sampled_from(
    ["<script>", "</p>", "--><svg onload=x>", "]]>", "&lt;", "'\"`", "\x00", "\ud800"]
)


@given(TEXT)
def test_any_text_comes_out_as_the_text_that_went_in(text: str) -> None:
    page = Document(str(h("p", text)))
    assert [e.name for e in page.elements] == ["p"]
    assert page.elements[0].text == visible(text).replace("\r\n", "\n").replace("\r", "\n") or "\r" in text


@given(TEXT)
def test_any_text_in_an_attribute_stays_in_it(text: str) -> None:
    page = Document(str(h("p", title=text, data_key=text)))
    assert len(page.elements) == 1
    assert page.elements[0].attributes == {"title": visible(text), "data-key": visible(text)}


@given(st.text(max_size=40))
def test_no_address_leads_to_script(text: str) -> None:
    for scheme in (
        "javascript:",
        "JaVaScRiPt:",
        " javascript:",
        "\tjavascript:",
        "data:text/html,",
        "vbscript:",
        "//evil.example/",
        "/\\evil",
    ):
        assert Document(str(h("a", href=scheme + text))).values("href") == ["#"]


@pytest.mark.parametrize("address", ["/", "/scans?status=queued", "#main", "?after=x", "https://example.org/a%20b"])
def test_our_own_addresses_and_those_of_the_web_are_kept(address: str) -> None:
    assert Document(str(h("a", href=address))).values("href") == [address]


@pytest.mark.parametrize("attribute", ["onclick", "onload", "OnError", "style"])
def test_handlers_and_styles_cannot_be_written(attribute: str) -> None:
    with pytest.raises(ValueError, match="allow no"):
        h("p", **{attribute: "x"})


@pytest.mark.parametrize("name", ["p onclick=x", "", "p>", "1p", "scr ipt"])
def test_what_is_no_name_makes_no_element(name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        h(name)


def test_text_cannot_be_declared_to_be_markup() -> None:
    with pytest.raises(TypeError):
        Markup("<b>bold</b>")


def test_markup_inside_an_f_string_is_text_again() -> None:
    assert str(h("p", f"{h('b', 'x')}")) == "<p>&lt;b&gt;x&lt;/b&gt;</p>"


def test_elements_nest_and_nothing_leaves_no_trace() -> None:
    assert str(h("ul", [h("li", n) for n in (1, 2)], None, "")) == "<ul><li>1</li><li>2</li></ul>"
    assert str(join("a", None, h("br"), 1234)) == "a<br>1,234"


def test_attributes_can_be_bare_or_left_out() -> None:
    assert (
        str(h("input", required=True, disabled=False, value=None, aria_label="x", for_="y"))
        == '<input required aria-label="x" for="y">'
    )


def test_what_turns_the_writing_round_is_shown_by_its_number() -> None:
    assert str(h("p", "invoice\u202efdp.exe\x07")) == "<p>invoice⟨U+202E⟩fdp.exe⟨U+0007⟩</p>"


def test_only_the_builder_makes_markup() -> None:
    folder = Path(dashboard.__file__).parent
    makers = [p.name for p in folder.rglob("*.py") if "Markup(" in p.read_text().replace("-> Markup", "")]
    assert makers == ["html.py"]
