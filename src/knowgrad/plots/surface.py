"""The value of one more measurement at every point."""

from __future__ import annotations

from itertools import chain

import plotly.graph_objects as go

from knowgrad.plots.plane import field, pair, spots
from knowgrad.plots.style import Theme, blank_note, canvas, scale_of
from knowgrad.views import Snapshot, Surface, surface

TITLE = "What one more measurement is worth (q-KG of one point)"


def figure(snapshot: Snapshot, theme: Theme, *, x: str | None = None, y: str | None = None) -> go.Figure:
    """Over `x` and `y`, by default the two most important parameters; along the only one if there is one."""
    if snapshot.space.n_params == 1:
        return draw(surface(snapshot, snapshot.space.names[0]), theme)
    return draw(surface(snapshot, *pair(snapshot, x, y)), theme)


def draw(view: Surface, theme: Theme) -> go.Figure:
    chart = canvas(theme, TITLE, note=blank_note(chain(*view.value)), height=460)
    chart.update_xaxes(scale_of(view.axes[0]))
    if len(view.axes) == 1:
        chart.add_scatter(
            x=view.x, y=view.value[0], line={"color": theme.green, "width": 2.5}, name="q-KG of one point"
        )
        for x in view.at:
            chart.add_vline(x=x, line={"color": theme.orange, "dash": "dot"}, annotation_text="recommended")
        for (x,) in view.running:
            chart.add_vline(x=x, line={"color": theme.blue, "dash": "dash"}, annotation_text="running")
        chart.update_yaxes(title_text="expected gain, in units of the value", rangemode="tozero")
        return chart
    bar = {"thickness": 12, "outlinewidth": 0, "title": {"text": "gain"}, "exponentformat": "e"}
    chart.add_trace(field(view.x, view.y, view.value, (view.axes[0].scale, view.axes[1].scale), bar))
    ring = {"color": "rgba(0,0,0,0)", "size": 11, "line": {"color": "#e69f00", "width": 2}}
    spots(chart, view.running, "running", ring, showlegend=bool(view.running))
    star = {"color": "#d55e00", "size": 15, "symbol": "star", "line": {"color": "#ffffff", "width": 1}}
    spots(chart, (view.at,), "recommended", star)
    chart.update_yaxes(scale_of(view.axes[1]))
    chart.update_layout(showlegend=True)
    return chart
