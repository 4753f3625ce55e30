"""The picture of a demo run, written as SVG by hand: where was tried, and how the answer improved."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

import numpy as np

from knowgrad.problems import Problem
from knowgrad.runner import Result
from knowgrad.study import Study

WIDTH, HEIGHT = 1080, 540
CELLS = 96
BANDS = 14

# Okabe & Ito's colors, which stay apart for every kind of color vision.
ORANGE, BLUE, GREEN, INK = "#d55e00", "#0072b2", "#009e73", "#222222"
DARK, LIGHT = (38, 70, 110), (247, 249, 252)  # low values are dark


@dataclass(frozen=True)
class Curve:
    """Positive values over counts."""

    label: str
    points: Sequence[tuple[int, float]]


@dataclass(frozen=True)
class Panel:
    """A rectangle of the picture, and the ranges of x and y it shows."""

    left: float
    top: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]

    def px(self, x: float) -> float:
        low, high = self.x
        return self.left + (x - low) / (high - low) * self.width

    def py(self, y: float) -> float:
        low, high = self.y
        return self.top + (high - y) / (high - low) * self.height


def draw(problem: Problem, result: Result[Study], curves: Sequence[Curve]) -> str:
    """The whole picture, as the text of an SVG file."""
    (name_x, x), (name_y, y) = problem.space.items()
    field = Panel(70, 66, 400, 400, x, y)
    n = max(len(result.study.trials), 2)
    regrets = [max(value, 1e-3) for curve in curves for _, value in curve.points] or [1.0]
    decades = (math.floor(math.log10(min(regrets))), math.ceil(math.log10(max(regrets)) + 1e-9))
    chart = Panel(590, 66, 460, 400, (0, n), (decades[0], max(decades[1], decades[0] + 1)))
    body = [
        _text(field.left, 30, "Where it was tried", size=17, weight="bold"),
        _text(field.left, 50, "true function, dark is low; points by order, pale to bright", fill="#555"),
        *_shading(problem, field),
        *_ticks(field, _steps(x), _steps(y), name_x, name_y),
        *_trials(result, field),
        *(_cross(field.px(p[name_x]), field.py(p[name_y])) for p in problem.optimizers),
        _star(field.px(result.params[name_x]), field.py(result.params[name_y])),
        *_field_legend(field),
        _text(chart.left, 30, "How good the answer was", size=17, weight="bold"),
        _text(chart.left, 50, "true value of the answer minus the true optimum", fill="#555"),
        *_chart(chart, curves),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK}">'
    )
    title = f"<title>{escape(problem.name)}: {escape(str(result))}</title>"
    return "\n".join([head, title, f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *body, "</svg>", ""])


def _shading(problem: Problem, panel: Panel) -> Iterable[str]:
    """The function in bands of color: a cell per value, runs of equal cells in one rectangle, edges as contours."""
    xs, ys = (low + (np.arange(CELLS) + 0.5) / CELLS * (high - low) for low, high in (panel.x, panel.y))
    grid = problem.values(np.array([(x, y) for y in ys[::-1] for x in xs])).reshape(CELLS, CELLS)
    level = np.log1p(grid - problem.optimum)
    bands = np.minimum((level / level.max() * BANDS).astype(int), BANDS - 1)
    w, h = panel.width / CELLS, panel.height / CELLS
    yield '<g shape-rendering="crispEdges">'
    for row, values in enumerate(bands):
        edges = [0, *(np.flatnonzero(np.diff(values)) + 1), CELLS]
        for start, stop in pairwise(edges):
            color = _mix(values[start] / (BANDS - 1))
            box = f'x="{panel.left + start * w:.2f}" y="{panel.top + row * h:.2f}"'
            yield f'<rect {box} width="{(stop - start) * w:.2f}" height="{h:.2f}" fill="{color}"/>'
    yield "</g>"


def _mix(share: float) -> str:
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(DARK, LIGHT, strict=True))


def _trials(result: Result[Study], panel: Panel) -> Iterable[str]:
    trials = [trial for trial in result.study.trials if trial.value is not None]
    for i, trial in enumerate(trials):
        x, y = trial.params.values()
        age = 0.35 + 0.65 * (i + 1) / len(trials)
        yield (
            f'<circle cx="{panel.px(x):.1f}" cy="{panel.py(y):.1f}" r="4.5" fill="#f0e442" fill-opacity="{age:.2f}" '
            f'stroke="{INK}" stroke-width="0.8"><title>trial {trial.number}: {trial.value:.3f}</title></circle>'
        )


def _field_legend(panel: Panel) -> Iterable[str]:
    y = panel.top + panel.height + 58
    yield f'<circle cx="{panel.left + 6}" cy="{y - 4}" r="4.5" fill="#f0e442" stroke="{INK}" stroke-width="0.8"/>'
    yield _text(panel.left + 18, y, "evaluation")
    yield _cross(panel.left + 126, y - 4)
    yield _text(panel.left + 140, y, "true optimum")
    yield _star(panel.left + 258, y - 4)
    yield _text(panel.left + 274, y, "recommendation")


def _chart(panel: Panel, curves: Sequence[Curve]) -> Iterable[str]:
    low, high = (round(edge) for edge in panel.y)
    for power in range(low, high + 1):
        y = panel.py(power)
        yield _line(panel.left, y, panel.left + panel.width, y, stroke="#dddddd")
    powers = [(power, f"{10.0**power:g}") for power in range(low, high + 1)]
    yield from _ticks(panel, _steps(panel.x), powers, "results", "regret, in units of the function (log scale)")
    styles = [(ORANGE, "none"), (BLUE, "6 4")]
    for i, (curve, (color, dash)) in enumerate(zip(curves, styles, strict=True)):
        spots = [(panel.px(n), panel.py(max(math.log10(max(v, 1e-12)), low))) for n, v in curve.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dash}"/>'
        if i == 0:
            yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" fill="{color}"/>' for x, y in spots)
        x, y = panel.left + 200 * i, panel.top + panel.height + 58
        yield _line(x, y - 4, x + 30, y - 4, stroke=color, width=2.5, dash=dash)
        yield _text(x + 38, y, curve.label)


def _ticks(
    panel: Panel, xs: Sequence[tuple[float, str]], ys: Sequence[tuple[float, str]], label_x: str, label_y: str
) -> Iterable[str]:
    """The frame, its ticks with their values, and the names of the axes."""
    left, bottom = panel.left, panel.top + panel.height
    yield (
        f'<rect x="{left}" y="{panel.top}" width="{panel.width}" height="{panel.height}" fill="none" stroke="{INK}"/>'
    )
    for value, label in xs:
        yield _line(panel.px(value), bottom, panel.px(value), bottom + 5)
        yield _text(panel.px(value), bottom + 19, label, anchor="middle")
    for value, label in ys:
        yield _line(left - 5, panel.py(value), left, panel.py(value))
        yield _text(left - 9, panel.py(value) + 4, label, anchor="end")
    yield _text(left + panel.width / 2, bottom + 36, label_x, anchor="middle")
    x, y = left - 48, panel.top + panel.height / 2
    yield f'<g transform="rotate(-90 {x} {y})">{_text(x, y, label_y, anchor="middle")}</g>'


def _steps(span: tuple[float, float]) -> list[tuple[float, str]]:
    """Round values within a range, about six of them."""
    low, high = span
    rough = (high - low) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [(i * step, f"{i * step:g}") for i in range(first, last + 1)]


def _text(x: float, y: float, text: str, *, size: int = 13, anchor: str = "start", **style: str) -> str:
    extra = "".join(f' {"font-weight" if key == "weight" else key}="{value}"' for key, value in style.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"{extra}>{escape(text)}</text>'


def _line(
    x1: float, y1: float, x2: float, y2: float, *, stroke: str = INK, width: float = 1, dash: str = "none"
) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{stroke}" stroke-width="{width}" stroke-dasharray="{dash}"/>'


def _cross(x: float, y: float, size: float = 7) -> str:
    path = f"M{x - size:.1f},{y:.1f}h{2 * size}M{x:.1f},{y - size:.1f}v{2 * size}"
    outline = f'<path d="{path}" stroke="white" stroke-width="6" stroke-linecap="round"/>'
    return f'{outline}<path d="{path}" stroke="{GREEN}" stroke-width="3" stroke-linecap="round"/>'


def _star(x: float, y: float, size: float = 11) -> str:
    angles = [math.pi * (i / 5 - 0.5) for i in range(10)]
    radii = [size if i % 2 == 0 else 0.42 * size for i in range(10)]
    points = " ".join(
        f"{x + r * math.cos(a):.1f},{y + r * math.sin(a):.1f}" for a, r in zip(angles, radii, strict=True)
    )
    return f'<polygon points="{points}" fill="{ORANGE}" stroke="white" stroke-width="1.5"/>'
