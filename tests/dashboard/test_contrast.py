"""The sheet's colours can be read, by day and by night."""

from __future__ import annotations

import re

import pytest

from docalign_actors.dashboard.assets import asset

PAIRS = [
    *((ink, ground) for ink in ("ink", "soft", "link") for ground in ("paper", "card")),
    *((tone, f"{tone}-ground") for tone in ("good", "warn", "bad", "busy", "quiet")),
    ("main-ink", "main"), ("ink", "mark"), ("ink", "code"), ("soft", "quiet-ground"), ("ink", "quiet-ground"), ("ink", "bad-ground"), ("ink", "good-ground"),
    *((tone, "card") for tone in ("good", "warn", "bad", "busy")),
]  # fmt: skip
LINES = [("field", "card"), ("focus", "card"), ("focus", "paper"), ("bar", "rest"), ("good", "rest"), ("bar", "card")]


def sheet() -> str:
    found = asset("app.css")
    assert found is not None
    return found.data.decode()


def colours(dark: bool) -> dict[str, str]:
    roots = re.findall(r":root \{(.*?)\}", sheet(), re.DOTALL)
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", roots[1] if dark else roots[0]))


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_has_a_contrast_of_four_and_a_half(ink: str, ground: str, dark: bool) -> None:
    known = colours(dark)
    assert contrast(known[ink], known[ground]) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("line", "ground"), LINES)
def test_bars_fields_and_the_focus_have_a_contrast_of_three(line: str, ground: str, dark: bool) -> None:
    known = colours(dark)
    assert contrast(known[line], known[ground]) >= 3


def test_both_lights_name_the_same_colours() -> None:
    assert colours(False).keys() == colours(True).keys()


def test_nothing_is_fetched_from_elsewhere() -> None:
    script = asset("app.js")
    assert script is not None
    for text in (sheet(), script.data.decode()):
        assert "http:" not in text
        assert "https:" not in text
        assert "@import" not in text
        assert "innerHTML" not in text
        assert "eval(" not in text
