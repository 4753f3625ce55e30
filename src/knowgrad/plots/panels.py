"""Two panels of a figure: beside each other, or one above the other where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from knowgrad.plots.style import Theme, lines


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
