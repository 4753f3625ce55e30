"""Named outcomes against each other, with the bounds of limits."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from knowgrad.plots.style import Theme, canvas, lines, plain
from knowgrad.views import Results, Snapshot, results

MOST = 6  # panels
KINDS = ((True, "holds all limits"), (False, "breaks a limit"), (None, "limits not all measured"))


def figure(snapshot: Snapshot, theme: Theme, *, narrow: bool = False) -> go.Figure:
    """One panel for each pair of outcomes, at most six. `narrow`: all below each other."""
    return draw(results(snapshot), theme, narrow=narrow)


def draw(view: Results, theme: Theme, *, narrow: bool = False) -> go.Figure:
    pairs = list(combinations(range(len(view.names)), 2))[:MOST]
    across = 1 if narrow else min(len(pairs), 3)
    down = -(-len(pairs) // across)
    chart = canvas(theme, "Outcomes against each other", height=110 + 320 * down)
    frame = make_subplots(rows=down, cols=across, horizontal_spacing=0.1, vertical_spacing=0.25 / down)
    chart.update_layout({key: frame.layout[key] for key in frame.layout if key[1:5] == "axis"})
    lines(chart, theme)
    for k, (i, j) in enumerate(pairs, 1):
        dots(chart, view, (i, j), k, theme)
        bounds(chart, view, (i, j), k, theme)
    return chart


def dots(chart: go.Figure, view: Results, pair: tuple[int, int], k: int, theme: Theme) -> None:
    """The results in a panel, by whether they hold the limits."""
    i, j = pair
    limited = any(each is not True for each in view.holds)
    colors = {True: theme.blue, False: theme.orange, None: theme.faint}
    for holds, name in KINDS:
        rows = [n for n, each in enumerate(view.holds) if each is holds]
        chart.add_scatter(
            x=[view.values[n][i] for n in rows],
            y=[view.values[n][j] for n in rows],
            mode="markers",
            marker={"color": colors[holds], "size": 7, "symbol": "circle" if holds is not False else "x"},
            name=name if limited else "result",
            customdata=[view.trial[n] for n in rows],
            hovertemplate="trial %{customdata}: %{x:.5g}, %{y:.5g}<extra></extra>",
            xaxis=f"x{k}",
            yaxis=f"y{k}",
            showlegend=k == 1 and bool(rows),
        )
    suffix = "" if k == 1 else str(k)
    chart.update_layout({f"xaxis{suffix}": {"title": title(view, i)}, f"yaxis{suffix}": {"title": title(view, j)}})


def bounds(chart: go.Figure, view: Results, pair: tuple[int, int], k: int, theme: Theme) -> None:
    """Lines at the bounds of limits on the two outcomes of a panel."""
    look: dict[str, Any] = {"line": {"color": theme.orange, "width": 1.5, "dash": "dash"}, "type": "line"}
    n = "" if k == 1 else k
    for bound in view.bounds[view.names[pair[0]]]:
        chart.add_shape(**look, xref=f"x{n}", yref=f"y{n} domain", x0=bound, x1=bound, y0=0, y1=1)
    for bound in view.bounds[view.names[pair[1]]]:
        chart.add_shape(**look, xref=f"x{n} domain", yref=f"y{n}", x0=0, x1=1, y0=bound, y1=bound)


def title(view: Results, i: int) -> str:
    better = {"minimize": " (less is better)", "maximize": " (more is better)"}.get(view.directions[i], "")
    return f"{plain(view.names[i])}{better}"
