"""The part of the unit cube cut out by half-spaces G u <= h. Arrays only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

CYCLES = 60  # of Dykstra's projections; what is still outside then is pulled towards the centre
FAR = 100.0  # from here on a point is as good as its nearest one within: infinities cannot be projected


class Polytope:
    """Box and half-spaces, of which columns without a coefficient are no part.

    `depth` is the radius of the largest ball inside; negative if there is no point at all.
    """

    def __init__(self, G: FloatArray, h: FloatArray, margin: FloatArray) -> None:
        self.active = np.asarray((G != 0).any(axis=0))
        self.G = G
        self.centre, self.depth = deepest_point(G[:, self.active], h)
        self._full_centre = np.zeros(G.shape[1])
        self._full_centre[self.active] = self.centre
        # Never stricter than the centre can bear, so that it stays a point to pull towards even in a flat set.
        self.h = np.maximum(h - margin, G @ self._full_centre)
        self._squared = np.einsum("ij,ij->i", G, G)

    def project(self, U: FloatArray) -> FloatArray:
        """The nearest points of the set to rows (n, dim), to the accuracy of the cycles; in the set always."""
        X = np.minimum(np.maximum(U, 0.0), 1.0)
        outside = (X @ self.G.T - self.h > 0).any(axis=1)
        if outside.any():
            X[outside] = self._pull(self._dykstra(np.clip(U[outside], -FAR, FAR)))
        return X

    def _dykstra(self, X: FloatArray) -> FloatArray:
        lift = np.zeros((len(self.h), len(X)))
        spill = np.zeros_like(X)
        for _ in range(CYCLES):
            start = X
            for i, normal in enumerate(self.G):
                over = (X @ normal - self.h[i]) / self._squared[i] + lift[i]
                over = np.maximum(over, 0.0)
                X = X + (lift[i] - over)[:, None] * normal
                lift[i] = over
            Y = X + spill
            X = np.minimum(np.maximum(Y, 0.0), 1.0)
            spill = Y - X
            if np.abs(X - start).max() < 1e-10:
                break
        return X

    def _pull(self, X: FloatArray) -> FloatArray:
        """Along the line to the centre, just as far as needed."""
        at, home = X @ self.G.T, self.G @ self._full_centre
        over = at - self.h
        share = np.where(over > 0, over / np.where(over > 0, np.maximum(at - home, 1e-300), 1.0), 0.0)
        t = np.minimum(share.max(axis=1), 1.0)[:, None]
        return np.where(self.active, X + t * (self._full_centre - X), X)

    def walk(self, U: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Near uniform points inside: hit-and-run from the centre, one chain per row; other columns stay as in U."""
        G, d = self.G[:, self.active], int(self.active.sum())
        sides = np.vstack([G, np.eye(d), -np.eye(d)])
        limits = np.concatenate([self.h, np.ones(d), np.zeros(d)])
        X = np.tile(self.centre, (len(U), 1))
        for _ in range(30 + 10 * d):
            way = rng.standard_normal(X.shape)
            speed = way @ sides.T
            room = np.maximum(limits - X @ sides.T, 0.0)
            time = room / np.where(speed == 0, np.inf, np.abs(speed))
            ahead = np.where(speed > 0, time, np.inf).min(axis=1)
            behind = np.where(speed < 0, time, np.inf).min(axis=1)
            X = X + (rng.random(len(X)) * (ahead + behind) - behind)[:, None] * way
        U = U.copy()
        U[:, self.active] = np.clip(X, 0.0, 1.0)
        return U


def deepest_point(G: FloatArray, h: FloatArray) -> tuple[FloatArray, float]:
    """Centre and radius of the largest ball in the cube with G u <= h; a negative radius if that is empty.

    A linear programme in (u, s), s = radius + lift: the lift makes the origin a feasible vertex to start from.
    """
    d = G.shape[1]
    norms = np.linalg.norm(G, axis=1)
    lift = max(0.0, float((-h / norms).max()))
    A = np.vstack([G, np.eye(d), -np.eye(d)])
    A = np.column_stack([A, np.concatenate([norms, np.ones(2 * d)])])
    b = np.concatenate([h + norms * lift, np.full(d, 1.0 + lift), np.full(d, lift)])
    vertex = maximise_last(A, np.maximum(b, 0.0))
    return np.clip(vertex[:d], 0.0, 1.0), float(vertex[d] - lift)


def maximise_last(A: FloatArray, b: FloatArray) -> FloatArray:
    """argmax x[-1] over A x <= b, x >= 0, where b >= 0: the simplex method with Bland's rule, which cannot cycle."""
    m, n = A.shape
    table = np.zeros((m + 1, n + m + 1))
    table[:m, :n], table[:m, n : n + m], table[:m, -1] = A, np.eye(m), b
    table[m, n - 1] = 1.0
    basis = np.arange(n, n + m)
    for _ in range(100 * (m + n)):
        rising = np.flatnonzero(table[m, :-1] > 1e-12)
        if not len(rising):
            break
        enter = rising[0]
        column = table[:m, enter]
        ratio = np.where(column > 1e-12, table[:m, -1] / np.where(column > 1e-12, column, 1.0), np.inf)
        ties = np.flatnonzero(ratio <= ratio.min() + 1e-15)
        leave = ties[np.argmin(basis[ties])]
        table[leave] /= table[leave, enter]
        others = np.arange(m + 1) != leave
        table[others] -= np.outer(table[others, enter], table[leave])
        basis[leave] = enter
    x = np.zeros(n + m)
    x[basis] = table[:m, -1]
    return x[:n]
