"""The chance that limits hold along each parameter, through the recommendation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import plotly.graph_objects as go

from knowgrad.plots.panels import grid
from knowgrad.plots.slices import MOST
from knowgrad.plots.style import Theme, blank_note, plain, scale_of
from knowgrad.views import Chances, Snapshot, chances, importance


def figure(snapshot: Snapshot, theme: Theme, *, params: Sequence[str] | None = None, narrow: bool = False) -> go.Figure:
    """One panel for each of `params`, by default the six that matter most to the first limit. `narrow`: all below."""
    if params is None:
        first = snapshot.outcome(snapshot.settings.limits[0].outcome)
        params = importance(first).names[:MOST]
    return draw([chances(snapshot, name) for name in params], theme, narrow=narrow)


def draw(views: Sequence[Chances], theme: Theme, *, narrow: bool = False) -> go.Figure:
    blank = blank_note(chain(*(view.joint for view in views)))
    chart = grid(len(views), theme, "Where the limits hold", narrow=narrow, note=blank)
    for k, view in enumerate(views, 1):
        _panel(chart, view, k, theme)
        chart.update_layout({f"xaxis{k if k > 1 else ''}": scale_of(view.axis)})
    chart.update_yaxes(range=[-0.03, 1.03], tickformat=".0%")
    chart.update_layout(yaxis={"title": "chance"})
    return chart


def _panel(chart: go.Figure, view: Chances, k: int, theme: Theme) -> None:
    where: dict[str, Any] = {"xaxis": f"x{k}", "yaxis": f"y{k}", "showlegend": k == 1}
    mode = "markers" if view.axis.scale == "choice" else "lines"
    colors = theme.series[1:]
    if len(view.each) > 1:
        for i, (limit, values) in enumerate(view.each.items()):
            color = colors[i % len(colors)]
            look = {"line": {"color": color, "width": 1.5, "dash": "dot"}, "marker": {"color": color, "size": 7}}
            chart.add_scatter(x=view.x, y=values, mode=mode, name=plain(limit), **look, **where)
    chart.add_scatter(
        x=view.x,
        y=view.joint,
        mode=mode,
        line={"color": theme.blue, "width": 2.5},
        marker={"color": theme.blue, "size": 9},
        name="all limits" if len(view.each) > 1 else plain(next(iter(view.each))),
        hovertemplate="%{x}: %{y:.1%}<extra></extra>",
        **where,
    )
    if view.at == view.at:
        line = {"color": theme.faint, "width": 1.5, "dash": "dash"}
        chart.add_scatter(
            x=[view.at, view.at], y=[0, 1], mode="lines", line=line, name="recommended", hoverinfo="skip", **where
        )
