"""Learning curves, with the forecast of those that are running."""

from __future__ import annotations

from itertools import cycle

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.views import Curve, Curves, Snapshot, curves


def figure(snapshot: Snapshot, theme: Theme) -> go.Figure:
    return draw(curves(snapshot), theme)


def draw(view: Curves, theme: Theme) -> go.Figure:
    chart = canvas(theme, "Learning curves")
    colors = cycle(theme.series[1:])
    for each in view.each:
        running = each.state == "pending"
        color = next(colors) if running else theme.blue
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
        if each.ended:
            chart.add_scatter(
                x=each.at[-1:],
                y=each.value[-1:],
                mode="markers",
                marker={"color": color, "size": 9, "symbol": "x"},
                showlegend=False,
                hoverinfo="text",
                hovertext=plain(f"trial {each.number}, {each.ended}"),
            )
        if each.ahead:
            _forecast(chart, each, theme, color)
    chart.update_xaxes(title_text=plain(view.name))
    chart.update_yaxes(title_text="value")
    return chart


def _forecast(chart: go.Figure, curve: Curve, theme: Theme, color: str) -> None:
    """What is expected of the rest of a run, with its band."""
    edge = {"x": curve.ahead, "mode": "lines", "line": {"width": 0}, "showlegend": False, "hoverinfo": "skip"}
    chart.add_scatter(y=curve.low, **edge)
    chart.add_scatter(y=curve.high, fill="tonexty", fillcolor=theme.fill(color), **edge)
    chart.add_scatter(
        x=curve.ahead,
        y=curve.mean,
        mode="lines",
        line={"color": color, "dash": "dot"},
        showlegend=False,
        hovertemplate=f"trial {curve.number}, expected: %{{y:.4g}} at %{{x}}<extra></extra>",
    )
