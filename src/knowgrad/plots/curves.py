"""Learning curves, with the forecast of those that are running."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.views import Curves, Snapshot, curves


def figure(snapshot: Snapshot, theme: Theme) -> go.Figure:
    return draw(curves(snapshot), theme)


def draw(view: Curves, theme: Theme) -> go.Figure:
    chart = canvas(theme, "Learning curves")
    for each in view.each:
        running = each.state == "pending"
        color = theme.orange if running else theme.blue
        chart.add_scatter(
            x=each.at,
            y=each.value,
            mode="lines+markers",
            line={"color": color, "width": 2 if running else 1},
            opacity=1.0 if running else 0.5,
            name=f"trial {each.number}",
            showlegend=running,
            hovertemplate=f"trial {each.number}: %{{y:.4g}} at %{{x}}<extra></extra>",
        )
        if each.ahead:
            band = {"width": 0}
            chart.add_scatter(x=each.ahead, y=each.low, mode="lines", line=band, showlegend=False, hoverinfo="skip")
            chart.add_scatter(
                x=each.ahead,
                y=each.high,
                mode="lines",
                line=band,
                fill="tonexty",
                showlegend=False,
                hoverinfo="skip",
            )
            chart.add_scatter(
                x=each.ahead,
                y=each.mean,
                mode="lines",
                line={"color": color, "dash": "dot"},
                showlegend=False,
                hovertemplate=f"trial {each.number}, expected: %{{y:.4g}} at %{{x}}<extra></extra>",
            )
    chart.update_xaxes(title_text=plain(view.name))
    chart.update_yaxes(title_text="value")
    return chart
