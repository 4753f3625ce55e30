"""What the models of all named outcomes expect at points, and whether they can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.criteria.utility import Utility
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.several.parts import Parts
from knowgrad.advisor.several.wishes import betweens
from knowgrad.advisor.threads import one_thread
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import mean_and_sd
from knowgrad.trial import Limit, Prediction

LEAST = 1e-9  # standard deviation below which an outcome is taken as known, in the units of the model


@one_thread
def expected(parts: Parts, U: Array) -> Prediction:
    """By the posteriors alone, in user units, with the chance that all limits hold together."""
    each = {name: Prediction(*part.model.predict(U)) for name, part in parts.each.items()}
    first = each[parts.objectives[0]]
    return Prediction(first.mean, first.sd, each, held(parts, U, parts.limits) if parts.limits else None)


@one_thread
def held(parts: Parts, U: Array, limits: Sequence[Limit]) -> Array:
    """The chance that these limits hold together at points (n, D)."""
    moments = [mean_and_sd(fit.model, U) for fit in parts.fits]
    utility = Utility(len(parts.names), (), betweens(parts, limits))
    chance = utility.chance([mean for mean, _ in moments], [np.maximum(sd, LEAST) for _, sd in moments])
    return np.array(np.broadcast_to(chance, len(U)))


def judged(each: Mapping[str, Diagnostics]) -> Diagnostics:
    """The diagnostics of the first outcome, with those of all and their warnings by name."""
    first = next(iter(each.values()))
    warnings = tuple(f"{name}: {text}" for name, found in each.items() for text in found.warnings)
    return replace(first, warnings=warnings, trusted=all(found.trusted for found in each.values()), outcomes=dict(each))
