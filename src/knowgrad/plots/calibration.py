"""Each result against the prediction from all the others."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.advisor.snapshot import Z95
from knowgrad.plots.panels import two_panels
from knowgrad.plots.style import Theme, canvas
from knowgrad.views import Calibration, Snapshot, calibration


def figure(snapshot: Snapshot, theme: Theme, *, narrow: bool = False) -> go.Figure:
    """`narrow`: one panel above the other."""
    return draw(calibration(snapshot), theme, narrow=narrow)


def draw(view: Calibration, theme: Theme, *, narrow: bool = False) -> go.Figure:
    title = f"How well does the model predict? {view.inside_95:.0%} of the results lie in their 95 % interval"
    chart = canvas(theme, title, height=440, showlegend=False)
    two_panels(chart, theme, narrow=narrow, gap=0.16)
    ends = [min(*view.observed, *view.predicted), max(*view.observed, *view.predicted)]
    diagonal = {"mode": "lines", "line": {"color": theme.faint, "dash": "dot"}, "hoverinfo": "skip"}
    chart.add_scatter(x=ends, y=ends, **diagonal)
    chart.add_scatter(
        x=view.observed,
        y=view.predicted,
        error_y={
            "array": [Z95 * sd for sd in view.sd],
            "thickness": 1,
            "width": 0,
            "color": theme.fill(theme.blue, 0.5),
        },
        mode="markers",
        marker={"color": theme.blue, "size": 6},
        customdata=view.trial,
        hovertemplate="trial %{customdata}: observed %{x:.5g}, predicted %{y:.5g}<extra></extra>",
    )
    far = [min(*view.expected, *view.z), max(*view.expected, *view.z)]
    chart.add_scatter(x=far, y=far, xaxis="x2", yaxis="y2", **diagonal)
    chart.add_scatter(
        x=view.expected,
        y=view.z,
        xaxis="x2",
        yaxis="y2",
        mode="markers",
        marker={"color": theme.orange, "size": 6},
        customdata=view.trial,
        hovertemplate="trial %{customdata}: %{y:.2f} sd<extra></extra>",
    )
    chart.update_layout(
        xaxis={"title": "observed"},
        yaxis={"title": "predicted from the others"},
        xaxis2={"title": "expected of a normal distribution, in sd"},
        yaxis2={"title": "observed − predicted, in sd"},
    )
    return chart
