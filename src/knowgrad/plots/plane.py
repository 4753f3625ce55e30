"""Posterior mean and uncertainty over two parameters, through the recommendation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import plotly.graph_objects as go

from knowgrad.errors import ArgumentError
from knowgrad.plots.panels import two_panels
from knowgrad.plots.style import Theme, blank_note, canvas, scale_of
from knowgrad.space import Space
from knowgrad.views import Plane, Snapshot, importance, plane


def figure(
    snapshot: Snapshot,
    theme: Theme,
    *,
    x: str | None = None,
    y: str | None = None,
    narrow: bool = False,
    at: Mapping[str, Any] | None = None,
) -> go.Figure:
    """Over `x` and `y`, by default the two most important parameters. `narrow`: one panel above the other.

    `at`: through this point instead of the recommendation.
    """
    return draw(plane(snapshot, *pair(snapshot, x, y), at), theme, narrow=narrow)


def pair(snapshot: Snapshot, x: str | None, y: str | None) -> tuple[str, str]:
    """Two parameters: those named, and for what is not named the most important of the others."""
    names = [name for name in importance(snapshot).names if name not in (x, y)]
    if snapshot.space.n_params < 2:
        raise ArgumentError('plane: expected at least two parameters, got one; see kind "slices"')
    first = x if x is not None else names.pop(0) if y is None else together(snapshot.space, y, names)
    return first, y if y is not None else together(snapshot.space, first, names)


def together(space: Space, name: str, others: Sequence[str]) -> str:
    """The first of the others that exists where this parameter does; the first of all if none does."""
    return next((other for other in others if space.meet(name, other)), others[0])


def draw(view: Plane, theme: Theme, *, narrow: bool = False) -> go.Figure:
    chart = canvas(theme, "Around the recommendation", note=blank_note(chain(*view.mean)), height=460)
    chart.update_layout(margin={"t": 110})
    two_panels(chart, theme, narrow=narrow, gap=0.2, titles=["posterior mean", "its standard deviation"])
    chart.update_layout(legend={"y": 1.04 if narrow else 1.08})
    for k, values in enumerate((view.mean, view.sd), 1):
        where: dict[str, Any] = {"xaxis": f"x{k}", "yaxis": f"y{k}"}
        bar = _bar(k, narrow=narrow) | {"thickness": 12, "outlinewidth": 0, "exponentformat": "e"}
        chart.add_trace(field(view.x, view.y, values, (view.x_axis.scale, view.y_axis.scale), bar, **where))
        dots = {"color": "#ffffff", "size": 5, "line": {"color": "#222222", "width": 1}}
        spots(chart, view.tried, "tried", dots, showlegend=k == 1, **where)
        ring = {"color": "rgba(0,0,0,0)", "size": 11, "line": {"color": "#e69f00", "width": 2}}
        spots(chart, view.running, "running", ring, showlegend=k == 1 and bool(view.running), **where)
        star = {"color": "#d55e00", "size": 15, "symbol": "star", "line": {"color": "#ffffff", "width": 1}}
        spots(chart, (view.at,), "recommended", star, showlegend=k == 1, **where)
        suffix = "" if k == 1 else str(k)
        chart.update_layout({f"xaxis{suffix}": scale_of(view.x_axis), f"yaxis{suffix}": scale_of(view.y_axis)})
    if not narrow:
        chart.update_layout(yaxis2={"title": None})  # as on the left
    return chart


def _bar(panel: int, *, narrow: bool) -> dict[str, float]:
    """Where the color bar of a panel stands."""
    if narrow:
        return {"x": 1.0, "y": 0.79 if panel == 1 else 0.21, "len": 0.42}
    return {"x": 0.4 if panel == 1 else 1.0, "len": 0.95}


def field(
    x: Any, y: Any, values: Any, scales: tuple[str, str], bar: dict[str, Any], **where: Any
) -> go.Contour | go.Heatmap:
    """Values over a plane: contours where both parameters are numbers, cells where one is a choice."""
    common = {"x": x, "y": y, "z": values, "colorscale": "Cividis", "colorbar": bar, **where}
    if "choice" in scales:
        return go.Heatmap(**common, hovertemplate="%{x}, %{y}: %{z:.4g}<extra></extra>")
    return go.Contour(
        **common, ncontours=18, line={"width": 0.5}, hovertemplate="%{x:.4g}, %{y:.4g}: %{z:.4g}<extra></extra>"
    )


def spots(chart: go.Figure, points: Any, name: str, marker: dict[str, Any], **where: Any) -> None:
    x, y = [p[0] for p in points], [p[1] for p in points]
    chart.add_scatter(x=x, y=y, mode="markers", marker=marker, name=name, **where)
