"""Posterior mean and uncertainty along each parameter, through the recommendation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import plotly.graph_objects as go

from knowgrad.advisor.snapshot import Z95
from knowgrad.plots.panels import across, grid
from knowgrad.plots.style import Theme, band, blank_note, scale_of, value_title
from knowgrad.views import Slice, Snapshot, importance, slice_along
from knowgrad.views.fences import fences

MOST = 6  # panels, if no parameters are named: the most important ones


def figure(
    snapshot: Snapshot,
    theme: Theme,
    *,
    params: Sequence[str] | None = None,
    narrow: bool = False,
    at: Mapping[str, Any] | None = None,
) -> go.Figure:
    """One panel for each of `params`, by default the six most important. `narrow`: all below each other.

    `at`: through this point instead of the recommendation.
    """
    names = importance(snapshot).names[:MOST] if params is None else params
    return draw([slice_along(snapshot, name, at) for name in names], snapshot.settings.direction, theme, narrow=narrow)


def draw(views: Sequence[Slice], direction: str, theme: Theme, *, narrow: bool = False) -> go.Figure:
    blank = blank_note(chain(*(view.mean for view in views)))
    chart = grid(len(views), theme, "Through the recommendation", narrow=narrow, note=blank)
    for k, view in enumerate(views, 1):
        _panel(chart, view, k, theme)
        chart.update_layout({f"xaxis{k if k > 1 else ''}": scale_of(view.axis)})
    bounds = _bounds(views)
    if bounds is not None:
        chart.update_yaxes(range=bounds)
    for k in range(1, len(views) + 1, across(len(views), narrow=narrow)):
        chart.update_layout({f"yaxis{k if k > 1 else ''}": {"title": value_title(direction)}})
    return chart


def _bounds(views: Sequence[Slice]) -> tuple[float, float] | None:
    """Of an axis for the curves and the bulk of the results; None if no result is far from the others."""
    bulk = fences([value for _, value in views[0].observed])
    if bulk is None:
        return None
    curves = [mean for view in views for mean in view.mean if mean is not None]
    low, high = min(*bulk, *curves), max(*bulk, *curves)
    return low - 0.08 * (high - low), high + 0.08 * (high - low)


def _panel(chart: go.Figure, view: Slice, k: int, theme: Theme) -> None:
    where: dict[str, Any] = {"xaxis": f"x{k}", "yaxis": f"y{k}", "showlegend": k == 1}
    known = [(x, m, s) for x, m, s in zip(view.x, view.mean, view.sd, strict=True) if m is not None and s is not None]
    if view.axis.scale == "choice":
        chart.add_scatter(
            x=[x for x, _, _ in known],
            y=[m for _, m, _ in known],
            error_y={"array": [Z95 * s for _, _, s in known], "thickness": 2, "width": 6},
            mode="markers",
            marker={"color": theme.orange, "size": 9},
            name="posterior mean, 95 % interval",
            **where,
        )
    else:
        # A gap in the domain must stay a gap in the band: one patch for each stretch of neighbours.
        for start, stop in _stretches(view):
            patch = [p for p in known if view.x[start] <= p[0] <= view.x[stop]]
            xs = [p[0] for p in patch]
            low, high = [m - Z95 * s for _, m, s in patch], [m + Z95 * s for _, m, s in patch]
            band(chart, theme, xs, low, high, **(where | {"showlegend": k == 1 and start == 0}))
        chart.add_scatter(
            x=view.x,
            y=view.mean,
            mode="lines",
            line={"color": theme.orange, "width": 2.5},
            name="posterior mean",
            **where,
        )
    chart.add_scatter(
        x=[p[0] for p in view.observed],
        y=[p[1] for p in view.observed],
        mode="markers",
        marker={"color": theme.faint, "size": 5},
        opacity=0.55,
        name="results (elsewhere in the other parameters)",
        **where,
    )
    chart.add_scatter(
        x=[view.at],
        y=[view.recommended],
        mode="markers",
        marker={"color": theme.blue, "size": 13, "symbol": "star"},
        name="recommended",
        **where,
    )


def _stretches(view: Slice) -> list[tuple[int, int]]:
    """First and last index of each run of points inside the domain."""
    inside = [False, *(mean is not None for mean in view.mean), False]
    changes = [i for i, (a, b) in enumerate(pairwise(inside)) if a != b]
    return [(start, stop - 1) for start, stop in zip(changes[::2], changes[1::2], strict=True)]
