"""Lines drawn as SVG by attributes alone. Pure: numbers in, markup out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docalign_actors.dashboard.html import Markup, h
from docalign_actors.dashboard.words import MINUS, instant, plural
from docalign_actors.scans.views import HealthPointView

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 180, 34, 24, 10


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
    """The health over the scans of the default branch, newest first as the view gives it; gaps where nothing was decided."""
    line = [p for p in reversed(points) if p.score is not None]
    if len(line) < 2:
        return None
    floor = min(90, min(p.score or 0 for p in line) // 10 * 10)
    step = (WIDTH - LEFT - 10) / (len(line) - 1)
    spots = [(LEFT + n * step, _height(p.score or 0, floor)) for n, p in enumerate(line)]
    area = f"{_joined(spots)} {spots[-1][0]:.1f},{HEIGHT - BOTTOM} {LEFT},{HEIGHT - BOTTOM}"
    dots = [_dot(x, y, point) for (x, y), point in zip(spots, line, strict=True)]
    label = f"Health from {line[0].score} to {line[-1].score} over {plural(len(line), 'scan')}"
    return h(
        "svg", h("title", label), list(_grid(floor)), h("polygon", points=area, class_="area"),
        h("polyline", points=_joined(spots), fill="none", class_="line"), dots, _days(line),
        viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label, class_="chart",
    )  # fmt: skip


def _height(score: int, floor: int) -> float:
    return TOP + (100 - score) / (100 - floor) * (HEIGHT - TOP - BOTTOM)


def _grid(floor: int) -> Iterator[Markup]:
    for value in (floor, (floor + 100) // 2, 100):
        y = f"{_height(value, floor):.1f}"
        yield h("line", x1=str(LEFT), x2=str(WIDTH - 10), y1=y, y2=y, class_="grid")
        yield h("text", str(value), x=str(LEFT - 6), y=y, text_anchor="end", dominant_baseline="middle")


def _dot(x: float, y: float, point: HealthPointView) -> Markup:
    told = f"{instant(point.at)}: {point.score} of 100, {point.drifted} of {plural(point.total, 'claim')} false"
    radius = "3"
    return h("circle", h("title", told), cx=f"{x:.1f}", cy=f"{y:.1f}", r=radius, class_="dot")


def _days(line: Sequence[HealthPointView]) -> list[Markup]:
    y = str(HEIGHT - 6)
    return [
        h("text", f"{line[0].at:%Y-%m-%d}", x=str(LEFT), y=y, text_anchor="start"),
        h("text", f"{line[-1].at:%Y-%m-%d}", x=str(WIDTH - 10), y=y, text_anchor="end"),
    ]


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
