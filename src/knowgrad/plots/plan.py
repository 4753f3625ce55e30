"""The gain expected from a budget, for each batch size."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas
from knowgrad.views import Planned, Snapshot, planned


def figure(
    snapshot: Snapshot,
    theme: Theme,
    *,
    budget: float | None = None,
    setup: float = 0.0,
    each: float = 1.0,
    sizes: Sequence[int] | None = None,
) -> go.Figure:
    """`budget`, `setup` and `each` as for `Study.plan`; without a budget, that of 32 points."""
    return draw(planned(snapshot, budget=budget, setup=setup, each=each, sizes=sizes), theme)


def draw(view: Planned, theme: Theme) -> go.Figure:
    chart = canvas(theme, "What the budget is expected to gain, by points a batch")
    for curve in sorted(view.curves, key=lambda each: each.chosen):
        line = {"color": theme.green, "width": 3} if curve.chosen else {"color": theme.faint, "width": 1.5}
        many = "1 point" if curve.q == 1 else f"{curve.q} points"
        chart.add_scatter(
            x=curve.spent,
            y=curve.gain,
            mode="lines+markers+text",
            line=line,
            marker={"size": 7 if curve.chosen else 4},
            text=[*("" for _ in curve.spent[1:]), f"{curve.q}"],
            textposition="middle right",
            textfont={"color": line["color"]},
            name=f"{many} a batch" + (", chosen" if curve.chosen else ""),
            showlegend=curve.chosen,
            hovertemplate=f"{many} a batch, %{{x:.4g}} spent: %{{y:.3g}}<extra></extra>",
        )
    chart.update_xaxes(title_text="spent")
    chart.update_yaxes(title_text="expected gain, in units of the value", rangemode="tozero")
    return chart
