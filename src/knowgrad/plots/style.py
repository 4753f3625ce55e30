"""How figures look: colors that stay apart for every kind of color vision, and axes with the parameters' real units."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from knowgrad.views import Axis

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
BLANK = "Left blank: what the constraints do not allow while the other parameters stay as recommended."


@dataclass(frozen=True)
class Theme:
    """`scale` runs from the worst to the best, `series` are Okabe & Ito's colors, fit for the background."""

    ink: str
    grid: str
    paper: str
    blue: str
    orange: str
    green: str
    faint: str
    series: tuple[str, ...]
    scale: tuple[str, ...]

    def fill(self, color: str, opacity: float = 0.18) -> str:
        red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
        return f"rgba({red},{green},{blue},{opacity})"


_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DARK = ("#56b4e9", "#e69f00", "#2bbd91", "#e199c3", "#f0e442", "#a6d4f2")
_BOTH = ("#2a8ccc", "#d5731c", "#129e77", "#c26f9d", "#b98900", "#5a9bd0")

THEMES = {
    "light": Theme("#24292f", "#e3e6ea", "#ffffff", *_LIGHT[:3], "#8793a1", _LIGHT, ("#d9d2a0", "#8c9a94", "#12406b")),
    "dark": Theme("#d7dce2", "#333a43", "#14171b", *_DARK[:3], "#8a95a3", _DARK, ("#3d4a5c", "#8a9a86", "#ffe66b")),
    "auto": Theme(
        "#767676",
        "rgba(128,128,128,0.28)",
        "rgba(0,0,0,0)",
        *_BOTH[:3],
        "#8a8f96",
        _BOTH,
        ("#b3a13f", "#7f9091", "#2274c4"),
    ),
}


def plain(text: str) -> str:
    """Text as it is: Plotly would take what looks like tags for formatting."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def canvas(theme: Theme, title: str, *, note: str = "", height: int = 420, **layout: Any) -> go.Figure:
    """An empty figure in the style of all others; `note` is a line below the title."""
    figure = go.Figure()
    figure.update_layout(
        template="none",
        title={
            "text": title,
            "subtitle": {"text": note},
            "font": {"size": 16},
            "x": 0.01,
            "xanchor": "left",
            "y": 1.0,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 10},
        },
        font={"family": FONT, "size": 13, "color": theme.ink},
        paper_bgcolor=theme.paper,
        plot_bgcolor="rgba(0,0,0,0)",
        height=height,
        margin={"l": 70, "r": 24, "t": 84, "b": 56},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        hoverlabel={"font": {"family": FONT}},
        **layout,
    )
    lines(figure, theme)
    return figure


def lines(figure: go.Figure, theme: Theme) -> None:
    """Quiet grid lines; to be called again after axes were added."""
    look = {
        "gridcolor": theme.grid,
        "linecolor": theme.grid,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": theme.grid,
        "automargin": True,
        "exponentformat": "e",
    }
    figure.update_xaxes(**look)
    figure.update_yaxes(**look)


def band(figure: go.Figure, theme: Theme, x: list[Any], low: list[float], high: list[float], **where: Any) -> None:
    """A shaded 95 % interval over x."""
    figure.add_scatter(
        x=x + x[::-1],
        y=high + low[::-1],
        mode="lines",
        fill="toself",
        fillcolor=theme.fill(theme.orange),
        line={"width": 0},
        hoverinfo="skip",
        name="95 % interval",
        **where,
    )


def scale_of(axis: Axis) -> dict[str, Any]:
    """A Plotly axis for a parameter: its name, logarithmic if it is, its options by name."""
    look: dict[str, Any] = {"title": {"text": plain(axis.name)}}
    if axis.scale == "log":
        return look | log_ticks(axis.low, axis.high)
    if axis.scale == "choice":
        ticks = [plain(label) for label in axis.labels]
        look |= {"tickmode": "array", "tickvals": list(range(len(ticks))), "ticktext": ticks}
        return look | {"range": [-0.5, len(ticks) - 0.5]}
    return look | {"type": "linear"}


def log_ticks(low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis whose every label is the whole number: left to itself, Plotly writes 2 and 5 for 0.2 and 0.5.

    Decades over a wide range, 1, 2, 5 between them over one or two, and what Plotly finds round within less.
    """
    ratio = high / low
    return {"type": "log", "tickformat": "~g", "dtick": None if ratio < 10 else "D2" if ratio < 99 else 1}


def blank_note(values: Iterable[float | None]) -> str:
    """Why a part of a cut through the domain is empty, if one is."""
    return BLANK if any(value is None for value in values) else ""


def value_title(direction: str) -> str:
    return "value (less is better)" if direction == "minimize" else "value (more is better)"


def described(params: Any) -> str:
    """Params for a label that appears under the mouse."""
    texts = (
        f"{name} = {value:.4g}" if isinstance(value, float) else f"{name} = {value}" for name, value in params.items()
    )
    return "<br>".join(plain(text) for text in texts)
