"""The running or next points: what each adds, and where they lie."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.panels import two_panels
from knowgrad.plots.style import Theme, canvas, described, plain
from knowgrad.space import Space
from knowgrad.views import Axis, Batch, Snapshot, batch
from knowgrad.views.axis import axis_of
from knowgrad.views.parallel import position

LABELLED = 6  # points whose values are written beside them
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def figure(snapshot: Snapshot, theme: Theme, *, q: int = 4, narrow: bool = False) -> go.Figure:
    """The pending points or, if there are none, the next `q`. `narrow`: one panel above the other."""
    return draw(batch(snapshot, q=q), snapshot.space, theme, narrow=narrow)


def draw(view: Batch, space: Space, theme: Theme, *, narrow: bool = False) -> go.Figure:
    title = "Points running now" if view.running else "What would be tried next"
    chart = canvas(theme, title, height=max(320, 150 + 30 * max(len(view.points), space.n_params)))
    chart.update_layout(showlegend=False)
    two_panels(chart, theme, narrow=narrow, gap=0.22, widths=[0.42, 0.58])
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
    axes = [axis_of(space, name) for name in space.seen]
    for i, point in enumerate(view.points):
        spots = [position(space, axis, point.params) for axis in axes]
        chart.add_scatter(
            x=spots,
            y=[_named(axis) for axis in axes],
            xaxis="x2",
            yaxis="y2",
            mode="markers+text" if len(view.points) <= LABELLED else "markers",
            text=["" if axis.scale != "choice" else plain(str(point.params.get(axis.name, ""))) for axis in axes],
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
