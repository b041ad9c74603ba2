"""Edits: every one at its place, none that would hit something else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.findings.fixing import Edit, apply_edits


def test_several_edits_on_one_line_do_not_disturb_each_other() -> None:
    text, made = apply_edits("a b a\n", [Edit(1, 1, "a", "long"), Edit(1, 5, "a", "x")])
    assert (text, made) == ("long b x\n", [Edit(1, 1, "a", "long"), Edit(1, 5, "a", "x")])


def test_an_edit_whose_text_has_moved_is_left_out() -> None:
    assert apply_edits("b a\n", [Edit(1, 1, "a", "x"), Edit(9, 1, "a", "x")]) == ("b a\n", [])


def test_of_two_edits_that_overlap_one_is_made() -> None:
    text, made = apply_edits("abc\n", [Edit(1, 1, "ab", "x"), Edit(1, 2, "bc", "y")])
    assert (text, made) == ("ay\n", [Edit(1, 2, "bc", "y")])


words = st.text(alphabet="ab \n\r\tü", max_size=40)


@given(
    words,
    st.lists(
        st.tuples(
            st.integers(1, 5), st.integers(1, 9), st.sampled_from(["a", "ab", "b "]), st.sampled_from(["X", "", "YY"])
        ),
        max_size=6,
    ),
)
def test_nothing_but_the_edited_places_changes(text: str, wanted: list[tuple[int, int, str, str]]) -> None:
    edits = [Edit(*edit) for edit in wanted]
    after, made = apply_edits(text, edits)
    assert set(made) <= set(edits)
    assert len(made) == len(set(made))
    assert after.count("\n") == text.count("\n")
    if not made:
        assert after == text
