"""Panels of a figure: beside each other, or one above the other where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from knowgrad.plots.style import Theme, canvas, lines


def two_panels(
    chart: go.Figure,
    theme: Theme,
    *,
    narrow: bool,
    gap: float,
    titles: Sequence[str] | None = None,
    widths: Sequence[float] | None = None,
) -> None:
    """Axes x, y and x2, y2. `gap` is the part of the width between them; `narrow` puts the second below the first."""
    shape: dict[str, Any] = {"cols": 2, "horizontal_spacing": gap, "column_widths": widths}
    if narrow:
        above, below = chart.layout.margin.t, chart.layout.margin.b
        inner = chart.layout.height - above - below
        shape = {"rows": 2, "vertical_spacing": (above / 2 + below) / (2 * inner)}
        chart.update_layout(height=2 * inner + above + below)
    frame = make_subplots(subplot_titles=titles, **shape)
    chart.update_layout({key: frame.layout[key] for key in frame.layout if key[1:5] == "axis" or key == "annotations"})
    lines(chart, theme)


def across(n: int, *, narrow: bool) -> int:
    """How many of n panels of one kind stand beside each other."""
    return 1 if narrow else 2 if n == 4 else min(n, 3)


def grid(n: int, theme: Theme, title: str, *, narrow: bool, note: str) -> go.Figure:
    """A figure of n panels with a common y axis: x, y, x2, y2 …"""
    beside = across(n, narrow=narrow)
    down = -(-n // beside)
    chart = canvas(theme, title, note=note, height=110 + 290 * down)
    frame = make_subplots(rows=down, cols=beside, shared_yaxes="all", vertical_spacing=0.28 / down)
    chart.update_layout({key: frame.layout[key] for key in frame.layout if key[1:5] == "axis"})
    lines(chart, theme)
    return chart
