"""Each result against the prediction from all the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.advisor.snapshot import Z95, Snapshot
from knowgrad.advisor.threads import one_thread
from knowgrad.errors import NoDataError
from knowgrad.gp.loo import mixture
from knowgrad.trial import value_of
from knowgrad.views.thin import thinned

LEAST = 3
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Calibration:
    """Predicted and observed values run in step; `z` is their difference in standard deviations, `expected` where a
    normal distribution would have the value of this rank."""

    trial: tuple[int, ...]
    observed: tuple[float, ...]
    predicted: tuple[float, ...]
    sd: tuple[float, ...]
    z: tuple[float, ...]
    expected: tuple[float, ...]
    inside_95: float
    """The share of all results that the model rests on inside their 95 % interval."""


@one_thread
def calibration(snapshot: Snapshot) -> Calibration:
    """Leave-one-out predictions in closed form, the noise included; at least three results are needed."""
    from scipy.special import ndtri

    if len(snapshot.complete) < LEAST:
        count = len(snapshot.complete)
        raise NoDataError(f"calibration: expected at least {LEAST} results, got {count}; tell() more first")
    found = snapshot.model
    done = found.done
    mean, variance, _ = mixture(found.observed)
    z = snapshot.sign * (found.observed[0].y - mean) / np.sqrt(variance)
    rank = np.empty(len(z))
    rank[np.argsort(z, kind="stable")] = np.arange(len(z))
    expected = ndtri((rank + 0.5) / len(z))
    keep = thinned(z, MOST)
    predicted, sd = found.units.predictions(mean[keep], np.sqrt(variance[keep]))
    return Calibration(
        trial=tuple(done[i].number for i in keep),
        observed=tuple(value_of(done[i]) for i in keep),
        predicted=tuple(predicted.tolist()),
        sd=tuple(sd.tolist()),
        z=tuple(float(z[i]) for i in keep),
        expected=tuple(float(expected[i]) for i in keep),
        inside_95=float(np.mean(np.abs(z) <= Z95)),
    )
