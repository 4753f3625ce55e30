"""Figures of a study, with Plotly: one kind per module, each drawn from a view of plain numbers.

kind          shows
history       every result, the best so far, and the recommendation with its 95 % interval
batch         the running or next points, and what each adds
slices        posterior mean and uncertainty along each parameter, through the recommendation
plane         the same over two parameters
surface       the value of one more measurement at every point (q-KG of a single point)
importance    which parameters matter
parallel      every result as a line across all parameters
gain          what another batch was expected to be worth, over time, with the stopping threshold
calibration   each result against the prediction from all the others
fidelity      which fidelities and sources were looked at, over what was spent; of studies that have any
curves        learning curves, with the forecast of running trials; of studies that have any
plan          the gain expected from a budget, for each batch size; only if it is asked for

of named outcomes also
front         what can be had of several objectives, with its 95 % interval
outcomes      outcomes against each other, with the bounds of limits
chance        the chance that the limits hold along each parameter, through the recommendation
limits        how much room each limit has at the recommendation: which of them bind

May import: errors, text, space, advisor, views.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from knowgrad.errors import ArgumentError, MissingPackageError
from knowgrad.space import graded
from knowgrad.text import shown

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from knowgrad.space import Space
    from knowgrad.views import Snapshot

KINDS = ("history", "batch", "slices", "plane", "surface", "importance", "parallel", "gain", "calibration")
NAMED = ("front", "outcomes", "chance", "limits")  # of studies with named outcomes alone
LOOKS = ("fidelity", "curves")  # of studies with fidelities, or reports
ASKED = ("plan",)  # of what somebody has to say first
EVERY = (*KINDS, *NAMED, *LOOKS, *ASKED)
WHOLE = ("batch", "surface", "gain", "plan")  # about the study as a whole, not one of several outcomes
THEMES = ("auto", "light", "dark")


def figure(
    snapshot: Snapshot, kind: str = "history", *, theme: str = "auto", outcome: str | None = None, **options: Any
) -> Figure:
    """A figure of the study, by kind. The options are those of the kind's module.

    `theme` is "light", "dark", or "auto": no background, and colors that can be read on both. `outcome` is one of the
    named outcomes, by default the first.
    """
    possible = (*kinds(snapshot), *(() if snapshot.settings.goals else ASKED))
    if kind not in possible:
        raise ArgumentError(f"kind: expected one of {', '.join(possible)}, got {shown(kind)}; pass one of these")
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
    takes = list(signature(draw).parameters)[2:]
    if unknown := [name for name in options if name not in takes]:
        have = ", ".join(takes) or "none"
        raise ArgumentError(f"{kind}: expected no options but {have}, got {', '.join(unknown)}; leave them out")
    if outcome is not None or (snapshot.settings.goals and kind not in NAMED):
        return _of_outcome(snapshot, kind, outcome, style.THEMES[theme], draw, options)
    drawn: Figure = draw(snapshot, style.THEMES[theme], **options)
    return drawn


def kinds(snapshot: Snapshot) -> tuple[str, ...]:
    """What there is to draw of a study."""
    goals = snapshot.settings.goals
    if not goals:
        return (*KINDS, *looks_of(snapshot.space, snapshot.trials))
    fits = {"front": 2 <= len(goals.objectives) <= 3, "outcomes": len(goals.names) > 1}
    named = (kind for kind in NAMED if fits.get(kind, bool(goals.limits)))
    return (*named, *(kind for kind in KINDS if kind not in WHOLE))


def looks_of(space: Space, trials: Iterable[Any]) -> tuple[str, ...]:
    """What there is to draw of fidelities, sources and reports."""
    has = {"fidelity": bool(graded(space.parameters)), "curves": any(trial.curve for trial in trials)}
    return tuple(kind for kind in LOOKS if has[kind])


def _of_outcome(
    snapshot: Snapshot, kind: str, outcome: str | None, theme: Any, draw: Any, options: dict[str, Any]
) -> Figure:
    """A figure of one named outcome, its cuts through what is recommended for all of them."""
    have = snapshot.settings.outcomes
    name = outcome if outcome is not None or not have else have[0]
    if name not in have or kind in NAMED:
        raise ArgumentError(
            f"outcome: expected one of {', '.join(have) or 'a study with named outcomes'}, got {shown(outcome)}; "
            "leave it out"
        )
    takes = signature(draw).parameters
    if "at" in takes:
        options = {"at": snapshot.place, **options}
    if "checkpoints" in takes:
        options |= {"checkpoints": 0}  # what was recommended along the way is about all outcomes
    drawn: Figure = draw(snapshot.outcome(name), theme, **options)
    title = drawn.layout.title.text or ""
    style = import_module("knowgrad.plots.style")
    meta = {**(drawn.layout.meta or {}), "outcome": name}
    drawn.update_layout(title_text=f"{style.plain(name)}: {title[:1].lower()}{title[1:]}", meta=meta)
    return drawn
