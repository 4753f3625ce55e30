"""Noise by source: results of a simulation, a pilot plant and the plant are not equally exact.

Each source has a noise of its own where results say so (`gp/kinds`); with several parameters of sources, each
combination. A measurement has the noise of its source.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from knowgrad.gp.kinds import Kinds, fit_kinds
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise, Posterior
from knowgrad.space import Source, Space, graded

ENOUGH = 4  # results of a source


@dataclass(frozen=True, eq=False)
class SourceNoise:
    """σ²(x) by the columns of x that say the source: the first is the target's, by the posterior."""

    columns: Kinds
    sources: Array
    variances: Array

    def __call__(self, U: Array) -> tuple[Array, Array]:
        rows = U.reshape(-1, U.shape[-1])[:, self.columns]
        same = (rows[:, None] == self.sources).all(axis=-1)
        usual = float(np.exp(np.log(self.variances).mean()))  # of a source without results
        found = np.where(same.any(axis=1), self.variances[np.argmax(same, axis=1)], usual)
        return found.reshape(U.shape[:-1]), np.zeros(U.shape)


@dataclass(frozen=True, eq=False)
class BySource:
    """A posterior under which each source has its noise, and these (m,), the target's first."""

    posterior: Posterior
    known: Array
    columns: Kinds
    sources: Array
    variances: Array

    def noise(self, post: Posterior) -> Noise:
        """Of a measurement, under a draw of the other hyperparameters."""
        return SourceNoise(self.columns, self.sources, np.append(post.noise, self.variances[1:]))


def by_source(space: Space, post: Posterior, known: Array) -> BySource | None:
    """From the posterior with one noise; None where that will do, or too little is known of a second source."""
    columns = source_columns(space)
    if not len(columns):
        return None
    sources, kinds = _kinds(space, post.X[:, columns], columns)
    if np.sum(np.bincount(kinds[np.isnan(known)], minlength=len(sources)) >= ENOUGH) < 2:
        return None
    found = fit_kinds(post, known, kinds, space.groups)
    if found is None:
        return None
    posterior, variances = found
    held = np.where(np.isnan(known) & (kinds > 0), variances[kinds], known)
    return BySource(posterior, held, columns, sources, variances)


def source_columns(space: Space) -> Kinds:
    """The columns that say from which source a result is."""
    found = [name for name, kind in graded(space.parameters).items() if isinstance(kind, Source)]
    every = np.arange(space.dim)
    return np.concatenate([every[space.columns[name]] for name in found]) if found else every[:0]


def _kinds(space: Space, rows: Array, columns: Kinds) -> tuple[Array, Kinds]:
    """The different sources (m, c), that of the target first if it has results, and which one each row (n, c) is of."""
    home = np.zeros(space.dim)
    for name, kind in graded(space.parameters).items():
        if isinstance(kind, Source):
            home[space.columns[name]] = kind.place(kind.position(kind.target))
    sources, kinds = np.unique(rows, axis=0, return_inverse=True)
    order = np.argsort(~(sources == home[columns]).all(axis=1), kind="stable")
    return sources[order], np.argsort(order)[kinds.ravel()]
