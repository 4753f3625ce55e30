"""The gain expected from a budget, for each batch size."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas
from knowgrad.views import Planned, Snapshot, planned
from knowgrad.views.plan import Spending


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
    chart = canvas(theme, "What the budget is expected to gain, by batch size")
    heights = _apart(view)
    for curve in sorted(view.curves, key=lambda each: each.chosen):
        line = {"color": theme.green, "width": 3} if curve.chosen else {"color": theme.faint, "width": 1.5}
        many = "1 point" if curve.q == 1 else f"{curve.q} points"
        chart.add_scatter(
            x=curve.spent,
            y=curve.gain,
            mode="lines+markers",
            line=line,
            marker={"size": 7 if curve.chosen else 4},
            name=f"{many} a batch" + (", chosen" if curve.chosen else ""),
            showlegend=curve.chosen,
            hovertemplate=f"{many} a batch, %{{x:.4g}} spent: %{{y:.3g}}<extra></extra>",
        )
        label = {"text": f"{curve.q}", "font": {"color": line["color"]}, "showarrow": False}
        chart.add_annotation(x=curve.spent[-1], y=heights[curve.q], xanchor="left", xshift=7, **label)
    chart.update_xaxes(title_text="spent")
    chart.update_yaxes(title_text="expected gain, in units of the value", rangemode="tozero")
    return chart


def _apart(view: Planned) -> dict[int, float]:
    """By batch size, where the label of its line stands: near its end, but on no other label."""
    near, least = 0.05 * max(curve.spent[-1] for curve in view.curves), 0.05 * max(max(c.gain) for c in view.curves)
    heights: dict[int, float] = {}
    group: list[Spending] = []
    for curve in sorted(view.curves, key=lambda each: each.spent[-1]):
        if group and curve.spent[-1] - group[-1].spent[-1] > near:
            group = []
        group.append(curve)
        group.sort(key=lambda each: each.gain[-1])
        ends = [each.gain[-1] for each in group]
        apart = [max(end + least * i for i, end in zip(range(k, -1, -1), ends, strict=False)) for k in range(len(ends))]
        lift = (sum(apart) - sum(ends)) / len(ends)
        heights |= {each.q: y - lift for each, y in zip(group, apart, strict=True)}
        group.sort(key=lambda each: each.spent[-1])
    return heights
