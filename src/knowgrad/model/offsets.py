"""By how much results at other fidelities and sources differ from those at the target everywhere: their offset.

A network after one epoch is worse than after fifty, whatever its settings. A process with a constant mean would have to
explain that by a low correlation, and could not use what is the same in both. So the offset is taken off first:

    y(x, s) = f(x, target) + h(s)ᵀ a + δ(x, s),   h(target) = 0

    symbol   name     shape      meaning
    h        H        (n, b)     of a source: is it this one; of a fidelity: u − u_target and its square
    a        weights  (b,)       least squares of differences, with a normal prior of two standard deviations of y

Only differences at one x count, y(x, s) − y(x, s'): a search goes where results are good, and looks at other sources
elsewhere, so averages over them differ for another reason. What is left, δ, is the business of the process.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.gp.linalg import Array
from knowgrad.space import Space, graded

PRIOR = 2.0  # standard deviation of a, in standard deviations of y
OWN = 0.5  # standard deviation of δ


@dataclass(frozen=True, eq=False)
class Offsets:
    """h(s)ᵀ a in user units; nothing where there is no other fidelity or source."""

    space: Space
    weights: Array

    def __call__(self, U: Array) -> Array:
        """At the rows of U (n, D)."""
        return np.asarray(basis(self.space, U) @ self.weights) if len(self.weights) else np.zeros(len(U))


def offsets(space: Space, X: Array, values: Array) -> Offsets:
    """From results (n,) at X (n, D), all of one scale."""
    H = basis(space, X) if graded(space.parameters) else np.empty((len(X), 0))
    if not H.any() or np.ptp(values) == 0.0:
        return Offsets(space, np.zeros(0))
    width = float(np.subtract(*np.quantile(values, [0.9, 0.1]))) / 2.56 or float(values.std())
    D = _contrasts(space, X)
    steps, gaps = D @ H, D @ values / width
    prior = np.eye(H.shape[1]) * (OWN / PRIOR) ** 2
    return Offsets(space, np.asarray(width * np.linalg.solve(steps.T @ steps + prior, steps.T @ gaps), dtype=float))


def basis(space: Space, U: Array) -> Array:
    """h at the rows of U (n, D)."""
    columns = []
    for name, kind in graded(space.parameters).items():
        block, home = U[:, space.columns[name]], kind.place(kind.position(kind.target))
        if space.free[space.columns[name].start]:
            away = block[:, 0] - float(home[..., 0])
            columns += [away, away**2]
        else:
            columns += [(block[:, c] != home[c]).astype(float) for c in range(block.shape[1])]
    return np.column_stack(columns)


def _contrasts(space: Space, X: Array) -> Array:
    """Differences (m, n) of each result at an x from the mean of all at that x."""
    looks = np.zeros(space.dim, dtype=bool)
    for name in graded(space.parameters):
        looks[space.columns[name]] = True
    _, which = np.unique(X[:, ~looks], axis=0, return_inverse=True)
    same = (which.ravel()[:, None] == which.ravel()).astype(float)
    together = same.sum(axis=1) > 1
    return np.asarray((np.eye(len(X)) - same / same.sum(axis=1, keepdims=True))[together])
