"""Which parameters matter."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.views import Importance, Snapshot, importance


def figure(snapshot: Snapshot, theme: Theme) -> go.Figure:
    return draw(importance(snapshot), theme)


def draw(view: Importance, theme: Theme) -> go.Figure:
    chart = canvas(theme, "Which parameters matter", height=max(260, 160 + 34 * len(view.names)))
    names = [plain(name) for name in view.names]
    chart.add_bar(
        y=names,
        x=view.share,
        orientation="h",
        marker={"color": theme.blue},
        name="share of the variance",
        hovertemplate="%{y}: %{x:.1%} of the variance<extra></extra>",
    )
    chart.add_scatter(
        y=names,
        x=view.relevance,
        mode="markers",
        marker={"color": theme.orange, "symbol": "diamond", "size": 12, "line": {"width": 1.5, "color": "#ffffff"}},
        name="relevance by length scale (0: no effect, near 1: dominant)",
        hovertemplate="%{y}: relevance %{x:.2f}<extra></extra>",
    )
    chart.update_layout(bargap=0.45)
    chart.update_xaxes(range=[0, max(1.02, 1.05 * max(view.share))], tickformat=".0%")
    chart.update_yaxes(autorange="reversed", type="category")
    return chart
