"""What another batch was expected to be worth, and the threshold below which a run stops."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, canvas, log_ticks
from knowgrad.views import Gains, Snapshot, gains
from knowgrad.views.gain import CHECKPOINTS


def figure(
    snapshot: Snapshot, theme: Theme, *, q: int = 1, threshold: float | None = None, checkpoints: int = CHECKPOINTS
) -> go.Figure:
    """`q` points a batch; `threshold` is the `stop_gain` of a run; at most `checkpoints` (12) moments."""
    return draw(gains(snapshot, q=q, threshold=threshold, checkpoints=checkpoints), theme)


def draw(view: Gains, theme: Theme) -> go.Figure:
    batch = "one more result" if view.q == 1 else f"{view.q} more results"
    chart = canvas(theme, f"What {batch} would add")
    chart.add_scatter(
        x=view.n,
        y=view.value,
        error_y={"array": view.sem, "thickness": 1, "width": 3},
        mode="lines+markers",
        line={"color": theme.green, "width": 2.5},
        name="expected gain",
        hovertemplate="after %{x} results: %{y:.3g}<extra></extra>",
    )
    if view.threshold is not None and view.n:
        chart.add_scatter(
            x=[view.n[0], view.n[-1]],
            y=[view.threshold] * 2,
            mode="lines",
            line={"color": theme.orange, "dash": "dash", "width": 2},
            name="stop below this",
            hovertemplate="threshold %{y:.3g}<extra></extra>",
        )
    chart.update_xaxes(title_text="results")
    chart.update_yaxes(title_text="expected gain, in units of the value", rangemode="tozero")
    levels = (*view.value, *(() if view.threshold is None else (view.threshold,)))
    if len(view.n) > 1 and all(value > 0 for value in levels):
        chart.update_yaxes(log_ticks(min(levels), max(levels)))
    return chart
