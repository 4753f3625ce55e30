"""The part of the unit cube cut out by half-spaces G u <= h. Arrays only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

FAR = 100.0  # from here on a point is as good as its nearest one within: infinities cannot be projected


class Polytope:
    """Box and half-spaces, of which columns without a coefficient are no part.

    `depth` is the radius of the largest ball inside; negative if there is no point at all.
    """

    def __init__(self, G: FloatArray, h: FloatArray, margin: FloatArray) -> None:
        self.active = np.asarray((G != 0).any(axis=0))
        self.G = G
        self.centre, self.depth = deepest_point(G[:, self.active], h)
        # Never stricter than the centre can bear, so that it stays a point to pull towards even in a flat set.
        self.h = np.maximum(h - margin, G[:, self.active] @ self.centre)
        d = len(self.centre)
        self.sides = np.vstack([G[:, self.active], np.eye(d), -np.eye(d)])
        self.limits = np.concatenate([self.h, np.ones(d), np.zeros(d)])

    def project(self, U: FloatArray) -> FloatArray:
        """The nearest points of the set to rows (n, dim), rows in the set always."""
        X = np.minimum(np.maximum(U, 0.0), 1.0)
        outside = (X @ self.G.T - self.h > 0).any(axis=1)
        if outside.any():
            bad = np.ix_(outside, self.active)
            X[bad] = self._pull(self._nearest(np.clip(U[bad], -FAR, FAR)))
        return X

    def _nearest(self, Y: FloatArray) -> FloatArray:
        """The active-set method of Lawson and Hanson on the dual, all rows at once: exact after finitely many steps.

        The nearest point is y - prices @ sides for prices >= 0 of the sides that hold it. Cyclic projections would
        be shorter, but take thousands of cycles where two half-spaces meet at a sharp angle.
        """
        C, f = self.sides, self.limits
        gram, X, todo = C @ C.T, Y.copy(), np.arange(len(Y))
        prices = np.zeros((len(Y), len(f)))
        on = np.zeros(prices.shape, dtype=bool)
        for _ in range(20 + 5 * len(f)):
            H = gram * (on[:, :, None] & on[:, None, :]) + np.eye(len(f)) * np.where(on, 1e-14, 1.0)[:, None, :]
            goal = np.linalg.solve(H, ((Y @ C.T - f) * on)[..., None])[..., 0]
            falling = on & (goal <= 0)
            # Go towards the goal until the first price vanishes; that side lets go.
            reach = np.where(falling, prices / np.where(falling, prices - goal, 1.0), np.inf)
            share = np.minimum(reach.min(axis=1), 1.0)[:, None]
            prices = prices + share * (goal - prices)
            on &= ~(falling & (reach <= share))
            prices = np.where(on, prices, 0.0)
            X[todo] = Y - prices @ C
            over = X[todo] @ C.T - f
            arrived = share[:, 0] == 1.0
            on[arrived, over[arrived].argmax(axis=1)] |= over[arrived].max(axis=1) > 1e-12
            left = ~(arrived & (over.max(axis=1) <= 1e-12))
            Y, prices, on, todo = Y[left], prices[left], on[left], todo[left]
            if not len(todo):
                break
        return np.minimum(np.maximum(X, 0.0), 1.0)

    def _pull(self, X: FloatArray) -> FloatArray:
        """Along the line to the centre, just as far as rounding, or a search cut short, makes it necessary."""
        G = self.G[:, self.active]
        at, home = X @ G.T, G @ self.centre
        # A side that touches the centre would pull all the way for a rounding error; there, `contains` forgives it.
        over = np.where(self.h - home < 1e-9, at - self.h - 1e-11, at - self.h)
        share = np.where(over > 0, over / np.where(over > 0, np.maximum(at - home, 1e-300), 1.0), 0.0)
        pulled: FloatArray = X + np.minimum(share.max(axis=1), 1.0)[:, None] * (self.centre - X)
        return pulled

    def walk(self, U: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Near uniform points inside: hit-and-run from the centre, one chain per row; other columns stay as in U."""
        X = np.tile(self.centre, (len(U), 1))
        n, d = X.shape
        for turn in range(40 + 20 * d):
            way = rng.standard_normal((n, d))
            if turn % 2:  # along one axis: a set that is long in one and short in another is crossed only so
                way = np.eye(d)[rng.integers(d, size=n)]
            speed = way @ self.sides.T
            room = np.maximum(self.limits - X @ self.sides.T, 0.0)
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
