"""Figures of a study, with Plotly: one kind per module, each drawn from a view of plain numbers.

kind          shows
history       every result, the best so far, and the recommendation with its 95 % interval
batch         the running or next points, and what each adds
slices        posterior mean and uncertainty along each parameter, through the recommendation
plane         the same over two parameters
surface       what one more measurement is worth, wherever it is made (q-KG of a single point)
importance    which parameters matter
parallel      every result as a line across all parameters
gain          what another batch was expected to be worth, over time, with the stopping threshold
calibration   each result against what the model makes of the others

May import: errors, text, space, advisor, views.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.text import shown

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from knowgrad.views import Snapshot

KINDS = ("history", "batch", "slices", "plane", "surface", "importance", "parallel", "gain", "calibration")
THEMES = ("auto", "light", "dark")


def figure(snapshot: Snapshot, kind: str = "history", *, theme: str = "auto", **options: Any) -> Figure:
    """A figure of the study, by kind. The options are those of the kind's module.

    `theme` is "light", "dark", or "auto": no background, and colors that can be read on both.
    """
    if kind not in KINDS:
        raise ArgumentError(f"kind: expected one of {', '.join(KINDS)}, got {shown(kind)}; pass one of these")
    if theme not in THEMES:
        raise ArgumentError(f"theme: expected one of {', '.join(THEMES)}, got {shown(theme)}; pass one of these")
    try:
        style = import_module("knowgrad.plots.style")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "plotly":
            raise
        raise MissingPackageError(
            "plots: expected Plotly to be installed, and it is not; run: pip install plotly"
        ) from error
    draw = import_module(f"knowgrad.plots.{kind}").figure
    possible = list(signature(draw).parameters)[2:]
    if unknown := [name for name in options if name not in possible]:
        have = ", ".join(possible) or "none"
        raise ArgumentError(f"{kind}: expected no options but {have}, got {', '.join(unknown)}; leave them out")
    drawn: Figure = draw(snapshot, style.THEMES[theme], **options)
    return drawn
