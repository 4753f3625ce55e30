"""The running or next points: what each adds, and where they lie."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from knowgrad.plots.style import Theme, canvas, described, lines, plain
from knowgrad.space import Space
from knowgrad.views import Axis, Batch, Snapshot, batch
from knowgrad.views.axis import axis_of, number
from knowgrad.views.parallel import place

LABELLED = 6  # points whose values are written beside them
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def figure(snapshot: Snapshot, theme: Theme, *, q: int = 4) -> go.Figure:
    """The pending points or, if there are none, the next `q`."""
    return draw(batch(snapshot, q=q), snapshot.space, theme)


def draw(view: Batch, space: Space, theme: Theme) -> go.Figure:
    title = "Points running now" if view.running else "What would be tried next"
    chart = canvas(theme, title, height=max(320, 150 + 30 * max(len(view.points), space.n_params)))
    frame = make_subplots(cols=2, column_widths=[0.42, 0.58], horizontal_spacing=0.22)
    chart.update_layout({key: frame.layout[key] for key in ("xaxis", "yaxis", "xaxis2", "yaxis2")}, showlegend=False)
    lines(chart, theme)
    names = [point.label for point in view.points]
    colors = [theme.series[i % len(theme.series)] for i in range(len(names))]
    chart.add_bar(
        y=names,
        x=[point.adds for point in view.points],
        orientation="h",
        marker={"color": colors},
        error_x={"array": [point.sem or 0.0 for point in view.points], "thickness": 1, "width": 3, "color": theme.ink},
        hovertemplate="%{y} adds %{x:.3g}<extra></extra>",
    )
    axes = [axis_of(space, name) for name in space.names]
    for i, point in enumerate(view.points):
        spots = [place(axis, number(space, axis.name, point.params[axis.name])) for axis in axes]
        chart.add_scatter(
            x=spots,
            y=[_named(axis) for axis in axes],
            xaxis="x2",
            yaxis="y2",
            mode="markers+text" if len(view.points) <= LABELLED else "markers",
            text=["" if axis.scale != "choice" else plain(str(point.params[axis.name])) for axis in axes],
            textposition="top center",
            textfont={"size": 11},
            marker={"color": colors[i], "size": 11, "symbol": SYMBOLS[i // len(theme.series) % len(SYMBOLS)]},
            opacity=0.85,
            hovertemplate=f"{point.label}<br>{described(point.params)}<extra></extra>",
        )
    chart.update_layout(
        bargap=0.4,
        xaxis={"title": "adds to the expected gain", "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "type": "category"},
        xaxis2={
            "title": "position in its range",
            "range": [-0.04, 1.04],
            "tickvals": [0, 0.5, 1],
            "ticktext": ["low", "middle", "high"],
        },
        yaxis2={"autorange": "reversed", "type": "category"},
    )
    return chart


def _named(axis: Axis) -> str:
    span = "" if axis.scale == "choice" else f"<br>{axis.low:.3g} … {axis.high:.3g}"
    return plain(axis.name) + span
