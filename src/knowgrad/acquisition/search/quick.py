"""The greedy batch among given candidates, in matrices: for when many points are needed at once.

`greedy` climbs from the best candidates for every point, and every value of a climb needs the posterior. Among m fixed
candidates it is needed once, jointly for all. From there on each point that is chosen is one step of a Cholesky
factorisation, whose cost does not depend on the number of results. On the same samples and the same candidates this is
the q-KG of `SampledKG`. The candidates are where the posterior may have its minimum; the joint ascent that follows
moves all points of the batch at once.

    symbol      name    shape       meaning
    μ_j         M       (N, a)      mean on A_n after the points chosen so far, for every sample
    G           G       (a, m)      covariance of f on A_n with f at the candidates, given these
    C           C       (m, m)      the same among the candidates
    σ²          noise   (m,)        of a measurement at each
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knowgrad.acquisition.criteria.lookahead import Lookahead
from knowgrad.acquisition.problem import Question, Rows
from knowgrad.acquisition.search.worth import lookaheads
from knowgrad.gp.linalg import Array

SCREENED = 24  # candidates looked at for a point; for the first one all are


@dataclass(eq=False)
class Chosen:
    """What is known once some points are chosen, under one posterior; the running points come first among m."""

    M: Array
    G: Array
    C: Array
    noise: Array
    before: int

    @classmethod
    def none(cls, ahead: Lookahead, candidates: Array, N: int) -> Chosen:
        seen = ahead.anchors.forward(candidates[None])
        each = [ahead.noise(ahead.pending)[0], ahead.noise(candidates)[0]]
        noise = np.concatenate(each) + ahead.posterior.nugget
        if seen.drawn is None:
            M = np.tile(seen.mu[0], (N, 1))
        else:
            M = np.hstack([seen.drawn[0], seen.drawn[1][0]])
        return cls(M, seen.G[0].copy(), seen.C[0].copy(), noise, int(np.argmin(seen.mu[0])))

    def _sd(self, rows: Rows) -> Array:
        return np.asarray(np.sqrt(np.maximum(self.C[rows, rows], 0.0) + self.noise[rows]))

    def worth(self, rows: Rows, z: Array) -> Array:
        """q-KG (k,) of the points chosen and one of these candidates, whose results are drawn by z (N,)."""
        sigma = (self.G[:, rows] / self._sd(rows)).T
        M = self.M + z[:, None] * sigma[:, None]
        return np.asarray(np.mean(M[:, :, self.before] - M.min(axis=2), axis=1))

    def take(self, row: int, z: Array) -> None:
        """Choose this one; it can be chosen again, for a second measurement."""
        sd = float(self._sd(np.array([row]))[0])
        sigma, c = self.G[:, row] / sd, self.C[:, row] / sd
        self.M += z[:, None] * sigma
        self.G -= sigma[:, None] * c
        self.C -= c[:, None] * c


def quick_greedy(question: Question, sets: Sequence[Array], candidates: Array, Zq: Array) -> Array:
    """Each point the candidate that adds most to those before it (q, D), on the samples Zq (N, crowd + p + q).

    What a candidate adds shrinks as the batch grows, so the best of the first screening stay among the best. The one
    that was chosen goes to the end, and another is looked at.
    """
    p, normals = len(question.pending), Zq[:, question.crowd :].T
    parts = [Chosen.none(ahead, candidates, len(Zq)) for ahead in lookaheads(question, sets, question.pending, Zq)]
    for row in range(p):
        for part in parts:
            part.take(row, normals[row])

    def worth(rows: Rows, z: Array) -> Array:
        return np.asarray(np.sum([part.worth(rows, z) for part in parts], axis=0))

    order = p + np.arange(len(candidates))
    first = [worth(rows, normals[p]) for rows in np.array_split(order, -(-len(order) // SCREENED))]
    order, batch = order[np.argsort(-np.concatenate(first), kind="stable")], []
    for z in normals[p : p + question.q]:
        k = int(np.argmax(worth(order[:SCREENED], z)))
        row = int(order[k])
        for part in parts:
            part.take(row, z)
        order = np.append(np.delete(order, k), row)
        batch.append(candidates[row - p])
    return np.array(batch)
