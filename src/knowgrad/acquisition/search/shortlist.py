"""Which points of the domain are worth a look under a model: samples or, where the domain is a list, its best rows."""

from __future__ import annotations

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.space.domain import Domain

BOUNDS = (0.0, 1.0, 2.0, 3.0)  # standard deviations below the mean: the rows that are lowest by each of these
BLOCK = 4096  # rows at a time


def shortlist(domain: Domain, model: Model, n: int, rng: np.random.Generator) -> Array:
    """n points (n, D): of a domain that is a longer list those of greatest promise, and half of them at random."""
    rows = domain.listed
    if rows is None or len(rows) <= n:
        return domain.sample(n, rng) if rows is None else rows
    mean, sd = np.zeros(len(rows)), np.zeros(len(rows))
    for start in range(0, len(rows), BLOCK):
        part = slice(start, start + BLOCK)
        for post in model:
            mean[part] += post.mean(rows[part]) / len(model)
            sd[part] += np.sqrt(post.var(rows[part])) / len(model)
    each = n // (2 * len(BOUNDS))
    best = np.unique([np.argpartition(mean - bound * sd, each)[:each] for bound in BOUNDS])
    return np.asarray(np.vstack([rows[best], domain.sample(n - len(best), rng)]))
