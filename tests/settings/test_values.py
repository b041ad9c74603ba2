"""Values are compared by what they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.engine.kinds.shared.values import arithmetic, parse, rewritten, same

_EQUAL = [
    ("30", "30.0"), ("1_000", "1000"), ("1,000", "1000"), ("1e3", "1000"), ("true", "True"), ("yes", "true"), ("off", "False"),
    ("None", "null"), ("''", "None"), ("30s", "30"), ("5 min", "300"), ("10MB", "10 * 1024 * 1024"), ("10 MB", "10 << 20"),
    ("30 seconds", "30 * time.Second"), ("30s", "Duration::from_secs(30)"), ("1h30m", "5400"), ("50%", "0.5"), ("500ms", "0.5"),
    ("INFO", "logging.INFO"), ('"a"', "a"), ("[1, 2]", "(1,2)"), ("0x10", "16"), ("8080u16", "8080"), ("./data/", "data"),
    ("30 days", "timedelta(days=30)"), ("10MB", "10000000"),
]  # fmt: skip


@pytest.mark.parametrize(("documented", "actual"), _EQUAL)
def test_one_value_in_two_spellings_is_one_value(documented: str, actual: str) -> None:
    assert same(documented, actual) is True
    assert same(actual, documented) is True


@pytest.mark.parametrize(
    ("documented", "actual"), [("8080", "9090"), ("true", "False"), ("a", "b"), ("30s", "60 * time.Second")]
)
def test_two_values_are_two_values(documented: str, actual: str) -> None:
    assert same(documented, actual) is False


@pytest.mark.parametrize(
    ("documented", "actual"), [("auto", "5"), ("8080", "None"), ("true", "7"), ("info", "20"), ("10MB", "30s")]
)
def test_what_cannot_be_compared_is_neither_equal_nor_different(documented: str, actual: str) -> None:
    assert same(documented, actual) is None


@pytest.mark.parametrize(
    ("documented", "actual", "written"),
    [("8080", "9090", "9090"), ("1,000", "2000", "2,000"), ("30s", "60 * time.Second", "60s"), ("Yes", "False", "No"), ("'a'", "b", "'b'"),
     ("20.0", "30", "30.0"), ("30 seconds", "Duration::from_secs(45)", "45 seconds")],
)  # fmt: skip
def test_a_fix_keeps_the_spelling_of_the_docs(documented: str, actual: str, written: str) -> None:
    assert rewritten(documented, actual) == written


@given(st.integers(-(10**12), 10**12))
def test_a_number_is_itself_with_and_without_separators(number: int) -> None:
    assert same(f"{number:_}", str(number)) is True
    assert same(f"{number:,}", str(number)) is True
    assert same(str(number), str(number + 1)) is False


@given(st.text(max_size=300))
def test_any_text_is_parsed_and_equals_itself(text: str) -> None:
    assert parse(text) == parse(text)
    assert same(text, text) is not False


@given(st.text(alphabet="0123456789+-*/<>()._ex ", max_size=80))
def test_arithmetic_never_raises_and_never_runs_away(text: str) -> None:
    result = arithmetic(text)
    assert result is None or abs(result) < 1e60
