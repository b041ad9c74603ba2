"""Lines drawn as SVG by attributes alone. Pure: numbers in, markup out."""

from __future__ import annotations

from collections.abc import Sequence

from docalign_actors.dashboard.html import Markup, h
from docalign_actors.dashboard.words import MINUS, instant
from docalign_actors.reporting.style import plural
from docalign_actors.scans.views import HealthPointView

WIDTH, HEIGHT = 1000, 100


def health_tone(score: int | None) -> str:
    """Good from 95, bad below 80; nothing known is quiet."""
    if score is None:
        return "quiet"
    return "good" if score >= 95 else "warn" if score >= 80 else "bad"


def sparkline(scores: Sequence[int | None], trend: str) -> Markup:
    """The last scores, oldest first, as a line without axes."""
    known = [score for score in scores if score is not None]
    if len(known) < 2:
        return h("span", MINUS, class_="soft")
    low, high = min(known), max(known)
    span = max(high - low, 4)
    step = 76 / (len(known) - 1)
    points = [(2 + n * step, 20 - (score - low) / span * 16) for n, score in enumerate(known)]
    label = f"{trend}: {known[0]} to {known[-1]} over {plural(len(known), 'scan')}"
    end = h("circle", cx=f"{points[-1][0]:.1f}", cy=f"{points[-1][1]:.1f}", r="2")
    return h(
        "svg", h("polyline", points=_joined(points), fill="none"), end, viewBox="0 0 80 24", role="img", aria_label=label,
        class_=f"spark {trend}",
    )  # fmt: skip


def history(points: Sequence[HealthPointView]) -> Markup | None:
    """The health over the scans of the default branch, newest first as the view gives it; those that decided nothing left out.

    The drawing is stretched to the page's width; what is written stands beside it, so that it stays readable on a phone.
    """
    line = [p for p in reversed(points) if p.score is not None]
    if len(line) < 2:
        return None
    floor = min(90, min(p.score or 0 for p in line) // 10 * 10)
    step = WIDTH / (len(line) - 1)
    spots = [(n * step, _height(p.score or 0, floor)) for n, p in enumerate(line)]
    levels = (100, (floor + 100) // 2, floor)
    label = f"Health from {line[0].score} to {line[-1].score} over {plural(len(line), 'scan')}"
    drawing = h(
        "svg", [_level(level, floor) for level in levels],
        h("polygon", points=f"{_joined(spots)} {WIDTH},{HEIGHT} 0,{HEIGHT}", class_="area"),
        h("polyline", points=_joined(spots), fill="none", class_="line"),
        [_dot(x, y, point) for (x, y), point in zip(spots, line, strict=True)],
        viewBox=f"0 0 {WIDTH} {HEIGHT}", preserveAspectRatio="none", role="img", aria_label=label, class_="chart",
    )  # fmt: skip
    scale = h("div", [h("span", str(level)) for level in levels], class_="levels", aria_hidden="true")
    days = h("div", h("span", f"{line[0].at:%Y-%m-%d}"), h("span", f"{line[-1].at:%Y-%m-%d}"), class_="days")
    return h("div", scale, drawing, days, class_="plot")


def _height(score: int, floor: int) -> float:
    return (100 - score) / (100 - floor) * HEIGHT


def _level(value: int, floor: int) -> Markup:
    y = f"{_height(value, floor):.1f}"
    return h("line", x1="0", x2=str(WIDTH), y1=y, y2=y, class_="grid")


def _dot(x: float, y: float, point: HealthPointView) -> Markup:
    """A line without length and with round ends: a circle would be stretched with the drawing."""
    told = f"{instant(point.at)}: {point.score} of 100, {point.drifted} of {plural(point.total, 'claim')} false"
    return h("path", h("title", told), d=f"M{x:.1f} {y:.1f}h0", class_="dot")


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
