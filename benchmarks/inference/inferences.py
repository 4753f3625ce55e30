"""Ways to learn the hyperparameters of a model from results: the default, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.problems.functions import Array
from knowgrad.gp.fit import fit
from knowgrad.gp.kernel import Kernel, matern52, matern72
from knowgrad.gp.posterior import Posterior
from knowgrad.gp.prior import Prior
from knowgrad.gp.sample import sample
from knowgrad.model.scaling import Units
from knowgrad.model.select import learned
from knowgrad.model.warp import AsinhWarp, Identity

Learned = tuple[Units, list[Posterior]]
Inference = Callable[[Array, Array, Array, np.random.Generator], Learned]
INDEPENDENT = 1e-3  # a common part this small is none


def optimum(prior: Prior | None, warped: bool = False, kernel: Kernel = matern52) -> Inference:
    def inference(X: Array, values: Array, known: Array, rng: np.random.Generator) -> Learned:
        units = Units.of(values, "minimize", AsinhWarp.of if warped else Identity.of)
        return units, [fit(X, units.standardise(values), known, np.arange(X.shape[1]), prior, kernel)]

    return inference


def draws(count: int) -> Inference:
    def inference(X: Array, values: Array, known: Array, rng: np.random.Generator) -> Learned:
        units = Units.of(values, "minimize", Identity.of)
        return units, sample(X, units.standardise(values), known, np.arange(X.shape[1]), Prior(), count, rng)

    return inference


def default(X: Array, values: Array, known: Array, rng: np.random.Generator) -> Learned:
    units, _, post = learned(X, values, np.sqrt(known), np.arange(X.shape[1]), "minimize", "map")
    return units, [post]


INFERENCES: dict[str, Inference] = {
    "default": default,
    "mle": optimum(None),
    "map": optimum(Prior()),
    "map, warped": optimum(Prior(), warped=True),
    "map, smoother": optimum(Prior(), kernel=matern72),
    "map, independent scales": optimum(Prior(own=1.0, common=INDEPENDENT)),
    "map, scales tied closer": optimum(Prior(own=0.25)),
    "map, scales freer": optimum(Prior(own=0.75)),
    "map, scales without tails": optimum(Prior(tail=1e9)),
    "map, long scales": optimum(Prior(ell=1.0)),
    "map, short scales": optimum(Prior(ell=-0.7)),
    "map, tight signal": optimum(Prior(s2=(0.0, 0.5))),
    "average of 4 draws": draws(4),
}
