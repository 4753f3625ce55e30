"""Every result, the best so far, and the recommendation with its interval."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, band, canvas, value_title
from knowgrad.views import History, Snapshot, history
from knowgrad.views.history import CHECKPOINTS


def figure(snapshot: Snapshot, theme: Theme, *, checkpoints: int = CHECKPOINTS) -> go.Figure:
    """At most `checkpoints` (24) fits show what was recommended along the way."""
    return draw(history(snapshot, checkpoints=checkpoints), theme)


def draw(view: History, theme: Theme) -> go.Figure:
    chart = canvas(theme, "How the study went")
    n = [point.n for point in view.recommended]
    low, high = [point.low for point in view.recommended], [point.high for point in view.recommended]
    band(chart, theme, n, low, high)
    errors = [sem or 0.0 for sem in view.sem]
    chart.add_scatter(
        x=view.count,
        y=view.value,
        mode="markers",
        name="result",
        marker={"color": theme.faint, "size": 6},
        error_y={"array": errors, "thickness": 1, "width": 2} if any(errors) else None,
        customdata=view.trial,
        hovertemplate="trial %{customdata}: %{y:.5g}<extra></extra>",
    )
    chart.add_scatter(
        x=[n for n, _ in view.best],
        y=[value for _, value in view.best],
        mode="lines",
        line={"shape": "hv", "color": theme.blue, "width": 2, "dash": "dot"},
        name="best result so far",
        hovertemplate="best of %{x}: %{y:.5g}<extra></extra>",
    )
    chart.add_scatter(
        x=n,
        y=[point.mean for point in view.recommended],
        mode="lines+markers",
        line={"color": theme.orange, "width": 2.5},
        marker={"size": 6},
        name="recommendation (posterior mean)",
        hovertemplate="after %{x} results: %{y:.5g}<extra></extra>",
    )
    chart.update_xaxes(title_text="results")
    chart.update_yaxes(title_text=value_title(view.direction))
    return chart
