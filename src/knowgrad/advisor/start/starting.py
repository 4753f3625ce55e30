"""What is left of the starting design at one moment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from knowgrad.advisor.earlier import HERE, KEY
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.start.design import graded_design, latin_hypercube, second_looks, targets
from knowgrad.gp.linalg import Array
from knowgrad.space import Contexts, Params, Space
from knowgrad.trial import Trial, sign_of, value_of


def starting_points(space: Space | Contexts, moment: Moment, at: Params | None = None) -> Array:
    """What is left of the Latin hypercube of 2d + 2 points: every trial there is takes the place of one of its rows.

    In a space of choices and levels there are half as many, and so where earlier studies know something: half of these
    are where they were best. Of parameters that exist only sometimes d counts as many as
    a point has on average. With fidelities and sources the space is that of what one decides upon, in which these are
    `at` their targets, and there are more rows (`design.graded_design`).
    """
    at, known = at or {}, sum(trial.source == "earlier" for trial in moment.trials)
    size, tried = 2 * math.ceil(space.usual_params - 1e-9) + 2, len(moment.trials) - known
    if known or (moment.space.choices and not moment.space.continuous.any()):
        size //= 2  # earlier studies know something; among choices and levels the search itself looks around
    if tried >= size + (targets(size) if at else 0):
        return np.empty((0, space.dim))
    rng = np.random.default_rng([moment.settings.seed, 0])
    if at:
        rows = graded_design(size, space, moment.space, at, rng)[tried:]
        return rows if tried < size else _second_looks(rows, moment, at)
    rows = latin_hypercube(size, space, rng)
    return (np.vstack([_best_before(moment, space)[: (size + 1) // 2], rows])[:size] if known else rows)[tried:]


def _best_before(moment: Moment, space: Space | Contexts) -> Array:
    """Where each earlier study was best (k, D), in this one."""
    sign, best = sign_of(moment.settings.direction), dict[Any, Trial]()
    for trial in moment.trials:
        if trial.source == "earlier":
            study, value = trial.params[KEY], sign * value_of(trial)
            if study not in best or value < sign * value_of(best[study]):
                best[study] = trial
    rows = moment.space.encode_many([{**trial.params, **HERE} for trial in best.values()])
    rows = rows[space.contains(rows)]
    return rows[np.sort(np.unique(rows, axis=0, return_index=True)[1])]


def _second_looks(rows: Array, moment: Moment, at: Params) -> Array:
    """The points of a start at the target: where cheap results were best, once there are any."""
    sign, target = sign_of(moment.settings.direction), np.full(moment.space.dim, np.nan)
    for name in at:
        kind = moment.space.parameters[name]
        target[moment.space.columns[name]] = kind.place(kind.position(at[name]))
    values = [sign * value_of(trial) if trial.state == "complete" else np.nan for trial in moment.trials]
    return second_looks(rows, moment.data.points, np.array(values, dtype=float), target)
