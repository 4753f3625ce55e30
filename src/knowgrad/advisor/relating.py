"""Results of an earlier study on the scale of this one: shifted, and stretched.

    y ≈ a_k + b_k μ_k(x)

    symbol   name      shape   meaning
    μ_k, v_k –         (n,)    posterior mean and variance of the earlier study k alone, at this study's points
    b_k      stretch   ()      the spread of this study's results over that expected of the other, √(var μ_k + v_k)
    a_k      –         ()      the mean of y − b_k μ_k

An accuracy on one data set lies between 20 and 95, on another between 99 and 99.7: what is good is much the same on
both. A process that has to explain the difference by a low correlation cannot use that. Both are compared where this
study has measured: a search goes where results are good, so its own mean and spread would mislead. Few results say
little, and at first an earlier study is taken at its word. One that goes the other way, with ranks that are not
positively related, is left out: no stretch above zero fits it better than none. How closely the others follow is
learned as of any source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted
from knowgrad.trial import Trial, value_of

SHIFTED, STRETCHED = 1.0, 4.0  # results that say as much of a, and of ln b, as is believed beforehand
LEAST = 3  # results of this study
ENOUGH = 6  # of them to say that an earlier study goes the other way
MOST = 1e3  # times that results are stretched or shrunk


def relation(found: Fitted, X: Array, y: Array) -> tuple[float, float] | None:
    """a and b, from results y (n,) at X (n, D) and the model of the earlier study; None where it goes the other way."""
    if (n := len(y)) < LEAST:
        return 0.0, 1.0
    mean, sd = found.predict(X)
    if n >= ENOUGH and np.cov(_ranks(mean), _ranks(y))[0, 1] <= 0.0:
        return None
    expected, spread = float(np.sqrt(np.var(mean) + np.mean(sd**2))), float(np.std(y))
    ratio = spread / expected if expected > 0.0 else 0.0
    if not 1.0 / MOST < ratio < MOST:
        return 0.0, 1.0
    b = ratio ** (n / (n + STRETCHED))
    return float(np.mean(y - b * mean)) * n / (n + SHIFTED), b


def _ranks(values: Array) -> Array:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(float)


def rescaled(trials: Sequence[Trial], a: float, b: float) -> list[Trial]:
    """The trials of an earlier study on the scale of this one."""
    return [replace(t, value=a + b * value_of(t), sem=None if t.sem is None else b * t.sem) for t in trials]
