"""The Pareto front of several objectives: posterior means, with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import plotly.graph_objects as go

from knowgrad.advisor.snapshot import Z95
from knowgrad.plots.outcomes import bounds, dots
from knowgrad.plots.panels import two_panels
from knowgrad.plots.style import Theme, band, canvas, described
from knowgrad.views import Fronts, Snapshot, front

BARS = 12  # points of the front that show their interval


def figure(
    snapshot: Snapshot,
    theme: Theme,
    *,
    chance: float | None = None,
    given: Mapping[str, Any] | None = None,
    narrow: bool = False,
) -> go.Figure:
    """`chance`: the probability that limits hold along the front. `given`: values of some parameters, and the front
    there. `narrow`: one panel above the other.
    """
    return draw(front(snapshot, chance, given), theme, narrow=narrow)


def draw(view: Fronts, theme: Theme, *, narrow: bool = False) -> go.Figure:
    """Of three objectives the first against each of the others."""
    names = view.results.names
    pairs = [pair for pair in combinations(range(len(names)), 2) if pair[0] == 0]
    given = described(view.given).replace("<br>", ", ")
    chart = canvas(theme, f"Pareto front{given and f' with {given}'}: {len(view.points)} compromises", height=460)
    chart.update_layout(meta={"given": given})
    if len(pairs) > 1:
        two_panels(chart, theme, narrow=narrow, gap=0.14)
    for k, pair in enumerate(pairs, 1):
        where: dict[str, Any] = {"xaxis": f"x{k}", "yaxis": f"y{k}"}
        if len(pairs) == 1:
            _band(chart, view, pair, theme, where)
        dots(chart, view.results, pair, k, theme)
        bounds(chart, view.results, pair, k, theme)
        _points(chart, view, pair, theme, where | {"showlegend": k == 1}, line=len(pairs) == 1)
    return chart


def _band(chart: go.Figure, view: Fronts, pair: tuple[int, int], theme: Theme, where: dict[str, Any]) -> None:
    """The 95 % interval of the second objective along the first."""
    x, y = (view.results.names[i] for i in pair)
    points = sorted(view.points, key=lambda point: point.means[x])
    low = [point.means[y] - Z95 * point.sds[y] for point in points]
    high = [point.means[y] + Z95 * point.sds[y] for point in points]
    band(chart, theme, [point.means[x] for point in points], low, high, **where)


def _points(
    chart: go.Figure, view: Fronts, pair: tuple[int, int], theme: Theme, where: dict[str, Any], *, line: bool
) -> None:
    x, y = (view.results.names[i] for i in pair)
    points = sorted(view.points, key=lambda point: point.means[x])
    every = max(1, len(points) // BARS)  # the interval of each would hide the front

    def half(name: str) -> list[float]:
        return [0.0 if i % every else Z95 * point.sds[name] for i, point in enumerate(points)]

    chart.add_scatter(
        x=[point.means[x] for point in points],
        y=[point.means[y] for point in points],
        error_x={"array": half(x), "thickness": 1, "width": 0},
        error_y={"array": half(y), "thickness": 1, "width": 0},
        mode="lines+markers" if line else "markers",
        line={"color": theme.green, "width": 1.5},
        marker={"color": theme.green, "size": 5 if every > 1 else 7},
        name="front (posterior mean, 95 %)",
        text=[described(point.params) for point in points],
        hovertemplate="%{x:.5g}, %{y:.5g}<br>%{text}<extra></extra>",
        **where,
    )
    chart.add_scatter(
        x=[view.recommended[x][0]],
        y=[view.recommended[y][0]],
        mode="markers",
        marker={"color": theme.blue, "size": 14, "symbol": "star"},
        name="recommended",
        **where,
    )
