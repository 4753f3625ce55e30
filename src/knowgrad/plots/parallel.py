"""Every result as a line across all parameters, colored by its value."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.colors import sample_colorscale

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.views import Axis, Parallel, Snapshot, parallel

SHADES = 8


def figure(snapshot: Snapshot, theme: Theme) -> go.Figure:
    return draw(parallel(snapshot), snapshot.settings.direction, theme)


def draw(view: Parallel, direction: str, theme: Theme) -> go.Figure:
    """Lines in groups of equal rank, the best on top; drawn as plain lines, so that any browser shows them."""
    shown = f" ({len(view.trial)} of {view.n_observed})" if len(view.trial) < view.n_observed else ""
    chart = canvas(theme, f"All results{shown}", showlegend=False)
    n, places = len(view.rows), list(range(len(view.axes)))
    shades = sample_colorscale(list(theme.scale), [i / (SHADES - 1) for i in range(SHADES)])
    for k, color in enumerate(shades):
        group = range(k * n // SHADES, (k + 1) * n // SHADES)
        x: list[float | None] = [x for _ in group for x in (*places, None)]
        y: list[float | None] = [y for i in group for y in (*view.rows[i], None)]
        label = [f"trial {view.trial[i]}: {view.value[i]:.5g}" for i in group for _ in (*places, None)]
        line = {"color": color, "width": 1 + 1.5 * k / (SHADES - 1)}
        chart.add_scatter(x=x, y=y, mode="lines", line=line, text=label, hovertemplate="%{text}<extra></extra>")
    if n:
        ends = (view.value[0], view.value[-1])
        better = "less is better" if direction == "minimize" else "more is better"
        marker = {
            "color": ends,
            "cmin": min(ends),
            "cmax": max(ends),
            "colorscale": list(theme.scale if ends[0] <= ends[1] else reversed(theme.scale)),
            "size": 0.1,
            "colorbar": {"title": {"text": better}, "thickness": 12, "outlinewidth": 0},
        }
        chart.add_scatter(x=[None, None], y=[None, None], mode="markers", marker=marker, hoverinfo="skip")
    for k, axis in enumerate(view.axes):
        chart.add_vline(x=k, line={"color": theme.ink, "width": 1})
        for position, text in _ticks(axis):
            look = {"xanchor": "left", "xshift": 4, "showarrow": False, "font": {"size": 11}}
            chart.add_annotation(x=k, y=position, text=plain(text), bgcolor=_veil(theme), **look)
    chart.update_xaxes(tickvals=places, ticktext=[plain(axis.name) for axis in view.axes], showgrid=False)
    chart.update_xaxes(range=[-0.1, len(places) - 1 + 0.35])
    chart.update_yaxes(visible=False, range=[-0.06, 1.06])
    return chart


def _veil(theme: Theme) -> str:
    """Behind the ticks, so that lines do not cross them out."""
    return theme.paper if theme.paper.startswith("#") else "rgba(127,127,127,0.18)"


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    if axis.scale == "choice":
        last = len(axis.labels) - 1
        return [(i / last if last else 0.5, label) for i, label in enumerate(axis.labels)]
    middle = (axis.low * axis.high) ** 0.5 if axis.scale == "log" else (axis.low + axis.high) / 2
    return [(0.0, f"{axis.low:.4g}"), (0.5, f"{middle:.3g}"), (1.0, f"{axis.high:.4g}")]
