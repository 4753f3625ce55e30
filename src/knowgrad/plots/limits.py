"""How much room each limit has at the recommendation: which of them bind."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.text import likelihood
from knowgrad.views import Room, Snapshot, rooms

BINDS = 0.1  # spreads of all results: a limit with less room binds


def figure(snapshot: Snapshot, theme: Theme) -> go.Figure:
    return draw(rooms(snapshot), theme)


def draw(views: Sequence[Room], theme: Theme) -> go.Figure:
    binding = [view.limit for view in views if view.share < BINDS]
    said = f"Binding: {', '.join(map(plain, binding))}" if binding else "No limit binds"
    chart = canvas(theme, "Distance to the limits", note=said, height=max(260, 170 + 40 * len(views)))
    chart.add_bar(
        y=[plain(view.limit) for view in views],
        x=[view.share for view in views],
        orientation="h",
        marker={"color": [theme.orange if view.share < BINDS else theme.blue for view in views]},
        text=[
            f"chance to hold: {likelihood(view.chance)}; broken by {view.broken:.0%} of the results" for view in views
        ],
        hovertext=[f"{view.mean:.4g} ± {view.sd:.2g} of {view.bound:g}" for view in views],
        hovertemplate="%{y}: expected %{hovertext}<extra></extra>",
        showlegend=False,
    )
    chart.update_layout(bargap=0.45)
    chart.update_xaxes(title_text="distance to the bound, in standard deviations of all results")
    chart.update_yaxes(autorange="reversed", type="category")
    return chart
