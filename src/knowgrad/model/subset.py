"""Of very many observations, those that a model is made of.

A posterior costs n² in memory and n³ in time. What is asked of it is where the optimum is, so it needs to know best
what is around the best observations, and the rest only roughly:

* half are those that a small model of a few hundred believes to be lowest, whatever their own value: the lowest values
  of very many are mostly luck, and a model of them is too low;
* an eighth are the latest: what was just told must count when the next point is chosen;
* the sixteen lowest values are in it, lucky or not: where results are exact, they are the best there is;
* all others are drawn at random, once for all: observation number i keeps its random rank however many follow.

So the subset changes little from one question to the next. `docs/large.md` has the comparison with others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knowgrad.gp.fit import HASTY, SUBSET, fit
from knowgrad.gp.kernel import squared_distance
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import Array
from knowgrad.gp.prior import Prior

ALWAYS = 16  # of the lowest values, kept whatever a model believes of them


def subset(X: Array, y: Array, groups: Groups, limit: int) -> NDArray[np.intp]:
    """The indices, in their order, of at most `limit` of the observations y (n,) at X (n, D), in order of arrival."""
    if len(y) <= limit:
        return np.arange(len(y))
    return _chosen(believed(X, y, groups), limit, _first(y, ALWAYS))


def nearest(X: Array, best: Array, limit: int) -> NDArray[np.intp]:
    """The same for points X (n, D) without a value: in place of the lowest, those nearest to the `best` points."""
    if len(X) <= limit:
        return np.arange(len(X))
    return _chosen(squared_distance(X, best).min(axis=1), limit, np.empty(0, dtype=np.intp))


def believed(X: Array, y: Array, groups: Groups) -> Array:
    """What a model of some random observations and of the lowest predicts for all (n,).

    It sees ranks, for only the order is asked for.
    """
    part = np.unique(np.r_[_first(lots(len(y)), SUBSET // 2), _first(y, SUBSET // 4)])
    ranks = np.argsort(np.argsort(y[part], kind="stable"), kind="stable") / len(part)
    y, unknown = (ranks - ranks.mean()) / ranks.std(), np.full(len(part), np.nan)
    post = fit(X[part], y, unknown, groups, Prior(), effort=HASTY)
    return np.concatenate([post.mean(rows) for rows in np.array_split(X, -(-len(X) // SUBSET))])


def lots(n: int) -> Array:
    """The lots of the first n observations."""
    return np.random.default_rng(0).random(n)


def _chosen(rank: Array, limit: int, always: NDArray[np.intp]) -> NDArray[np.intp]:
    """Half by rank, an eighth the latest, the others at random."""
    n = len(rank)
    kept = np.zeros(n, dtype=bool)
    kept[always], kept[n - limit // 8 :] = True, True
    for key, up_to in ((rank, int(kept.sum()) + limit // 2), (lots(n), limit)):
        kept[_first(np.where(kept, np.inf, key), max(min(up_to, limit) - int(kept.sum()), 0))] = True
    return np.flatnonzero(kept)


def _first(key: Array, count: int) -> NDArray[np.intp]:
    return np.argsort(key, kind="stable")[:count]
