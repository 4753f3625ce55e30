"""Every result, the best so far, and the recommendation with its interval."""

from __future__ import annotations

import plotly.graph_objects as go

from knowgrad.plots.style import Theme, band, canvas, value_title
from knowgrad.views import History, Snapshot, history
from knowgrad.views.fences import fences
from knowgrad.views.history import CHECKPOINTS

NAMED = 3  # results far from the others that are named


def figure(snapshot: Snapshot, theme: Theme, *, checkpoints: int = CHECKPOINTS, robust: bool = True) -> go.Figure:
    """At most `checkpoints` (24) fits show what was recommended along the way.

    `robust`: the axis covers the bulk of the results, and those far from all others stand at its edge.
    """
    return draw(history(snapshot, checkpoints=checkpoints), theme, robust=robust)


def draw(view: History, theme: Theme, *, robust: bool = True) -> go.Figure:
    bounds = _bounds(view)
    outside = [] if bounds is None else [i for i, y in enumerate(view.value) if not bounds[0] <= y <= bounds[1]]
    chart = canvas(theme, "How the study went", note=_note(view, outside), meta={"far": len(outside)})
    if bounds is not None and outside and robust:
        chart.update_yaxes(range=bounds)
        _edge(chart, view, outside, bounds, theme)
    _curves(chart, view, theme)
    chart.update_xaxes(title_text="results")
    chart.update_yaxes(title_text=value_title(view.direction))
    return chart


def _bounds(view: History) -> tuple[float, float] | None:
    """Of an axis for the bulk of the results and the latest recommendation; None if that is all there is."""
    bulk = fences(view.value)
    if bulk is None:
        return None
    latest = [point.mean for point in view.recommended[-1:]]
    low, high = min(*bulk, *latest), max(*bulk, *latest)
    room = 0.08 * (high - low)
    return low - room, high + room


def _note(view: History, outside: list[int]) -> str:
    told = [f"trial {view.trial[i]}: {view.value[i]:.5g}" for i in outside]
    more = f" and {len(told) - NAMED} more" if len(told) > NAMED else ""
    return f"Far from all others: {', '.join(told[:NAMED])}{more}" if told else ""


def _edge(chart: go.Figure, view: History, outside: list[int], bounds: tuple[float, float], theme: Theme) -> None:
    """Those that the axis does not reach, as arrows at its end."""
    low, high = bounds
    inset = 0.02 * (high - low)
    chart.add_scatter(
        x=[view.count[i] for i in outside],
        y=[high - inset if view.value[i] > high else low + inset for i in outside],
        mode="markers",
        name="result beyond the axis",
        marker={
            "color": theme.orange,
            "size": 11,
            "symbol": ["triangle-up" if view.value[i] > high else "triangle-down" for i in outside],
        },
        text=[f"trial {view.trial[i]}: {view.value[i]:.5g}" for i in outside],
        hovertemplate="%{text}<extra></extra>",
    )


def _curves(chart: go.Figure, view: History, theme: Theme) -> None:
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
