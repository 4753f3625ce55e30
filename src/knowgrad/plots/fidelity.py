"""Which fidelities and sources were looked at, over what was spent."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, plain
from knowgrad.views import Looks, Snapshot, looks


def figure(snapshot: Snapshot, theme: Theme, *, x: str | None = None) -> go.Figure:
    """`x` is the fidelity or source, by default the first."""
    return draw(looks(snapshot, x), theme)


def draw(view: Looks, theme: Theme) -> go.Figure:
    chart = canvas(theme, f"{plain(view.name)} against cost")
    for here, color, label in ((False, theme.blue, "cheaper evaluations"), (True, theme.orange, "at the target")):
        rows = [i for i, at in enumerate(view.at) if (at == view.target) == here]
        chart.add_scatter(
            x=[view.spent[i] for i in rows],
            y=[view.at[i] for i in rows],
            customdata=[[view.number[i], view.value[i]] for i in rows],
            mode="markers",
            marker={"color": color, "size": 8},
            name=label,
            hovertemplate="trial %{customdata[0]}: %{customdata[1]:.4g} at %{y}, cost so far %{x:.3g}<extra></extra>",
        )
    chart.update_xaxes(title_text="cost spent")
    chart.update_yaxes(title_text=plain(view.name))
    return chart
