"""Does a result look like a mistake? Asked when it is told, so nothing is fitted: the model that is there is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from knowgrad.model.far import FAR, LEAST, distance
from knowgrad.trial import Measured, Trial

if TYPE_CHECKING:
    from knowgrad.advisor.moment import Moment
    from knowgrad.advisor.snapshot import Snapshot
    from knowgrad.gp.linalg import Array

ENOUGH = 200  # results to compare with
EXTREME = (0.01, 0.99)  # quantiles of very many results: what lies between is not asked about
NEARLY = 0.1  # of the distance of one result: another as far out as that is of the same order
FEW = 32  # results that are looked at first
MANY = 1024  # trials among which a few more make no difference to those


def doubt(
    trials: Sequence[Trial], params: Mapping[str, Any], value: float, sem: float | None, moment: Moment | None
) -> str | None:
    """Why this result at these params looks wrong beside the trials so far, in words; None if it does not.

    `moment`: the study when a model was last asked for; a result that its model expects is no mistake.
    """
    if (usual := _ordinary(trials)) and usual[0] <= value <= usual[1]:
        return None
    known = trials[:: max(1, len(trials) // ENOUGH)]
    others = np.array([trial.value for trial in known if trial.state == "complete"], dtype=float)
    if len(others) < max(LEAST, 2 * len(params)) or distance(value, others, sem or 0.0) <= FAR:
        return None
    if _elsewhere(known, params):
        return None
    if moment is not None and not moment.is_surprising(params, value, sem):
        return None
    return _words(value, others)


def doubt_outcomes(
    trials: Sequence[Trial], params: Mapping[str, Any], told: Mapping[str, Measured], moment: Snapshot | None
) -> str | None:
    """The same of named outcomes: which of them look wrong."""
    known, said = trials[:: max(1, len(trials) // ENOUGH)], []
    for name, (value, sem) in told.items():
        others = np.array([t.outcomes[name].value for t in known if t.state == "complete" and name in t.outcomes])
        if len(others) < max(LEAST, 2 * len(params)) or distance(value, others, sem or 0.0) <= FAR:
            continue
        if _has_company(value, others) or _elsewhere(known, params):
            continue
        if moment is None or moment.outcome(name).is_surprising(params, value, sem):
            said.append(f"{name}: {_words(value, others)}")
    return "; ".join(said) or None


def _has_company(value: float, others: Array) -> bool:
    """Is another result almost as far out, on the same side? Outcomes with a limit often span orders of magnitude."""
    value, others = value / 4.0, others / 4.0  # differences of the largest numbers are none
    middle = np.median(others)
    away = (others - middle) * np.sign(value - middle)
    far_out = max(NEARLY * abs(value - middle), FAR * np.median(np.abs(others - middle)))
    return bool((away >= far_out).any())


def _elsewhere(trials: Sequence[Trial], params: Mapping[str, Any]) -> bool:
    """Do all results share a setting that this point has not? Then they do not say what is usual there: a plate's first
    results differ from those of the plate before."""
    done = [trial.params for trial in trials if trial.state == "complete"]
    return any(
        all(other.get(name) == done[0].get(name) for other in done) and done[0].get(name) != value
        for name, value in params.items()
    )


def _words(value: float, others: Array) -> str:
    low, high = np.quantile(others, [0.1, 0.9])
    return f"{value:.6g} is far from the {len(others)} other results (most are between {low:.4g} and {high:.4g})"


def doubts(trials: Sequence[Trial], some: Sequence[Trial]) -> dict[int, str]:
    """Which of some trials look wrong beside all others, by number, and why. Of very many, the extremes are asked."""
    if any(trial.outcomes for trial in some):
        return {}
    values = [trial.value for trial in some if trial.value is not None]
    low, high = np.quantile(values, EXTREME) if len(values) > ENOUGH else (np.inf, np.inf)
    sample = trials[:: max(1, len(trials) // ENOUGH)]
    found = {}
    for trial in some:
        if trial.value is not None and not low <= trial.value <= high:
            others = [other for other in sample if other.number != trial.number]
            found[trial.number] = doubt(others, trial.params, trial.value, trial.sem, None)
    return {number: why for number, why in found.items() if why}


class Usual:
    """What is surely no mistake among very many: looked up once in a while, so that nobody who tells has to wait."""

    def __init__(self) -> None:
        self._last: tuple[tuple[int, int], tuple[float, float] | None] | None = None

    def includes(self, trials: Sequence[Trial], changes: int, value: float) -> bool:
        """False if there are not so many, too. `changes`: how often results were corrected or discarded."""
        if len(trials) < MANY:
            return False
        moment = len(trials) // FEW, changes
        if self._last is None or self._last[0] != moment:
            self._last = moment, _ordinary(trials, FEW // 2)
        usual = self._last[1]
        return usual is not None and usual[0] <= value <= usual[1]


def _ordinary(trials: Sequence[Trial], least: int = LEAST) -> tuple[float, float] | None:
    """The middle three quarters of a few results, and as much again to both sides; None if there are not enough.

    The `distance` of what is in there is at most 2 · 2.56, and FAR is 8.
    """
    some = trials[:: max(1, len(trials) // FEW)]
    values = sorted([trial.value for trial in some if trial.value is not None and trial.state == "complete"])
    if len(values) < least:
        return None
    edge = -(-len(values) // 8)  # within the deciles
    low, high = values[edge], values[-1 - edge]
    return 2.0 * low - high, 2.0 * high - low
