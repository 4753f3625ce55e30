"""The part of the unit cube cut out by half-spaces G u <= h. Arrays only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

SMALL = 64  # sides: of more, only those that hold a point are solved for
BLOCK = 2**15  # numbers that are worked on at a time, to stay in the cache
WORK = 2**27  # distances to a side that a random walk measures, at most
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
            goal = _held(gram, Y @ C.T - f, on)
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
        """Near uniform points inside: hit-and-run from the centre; other columns stay as in U.

        One chain per row or, where that would take long, fewer: then the later half of each gives several points.
        """
        d, m = len(self.centre), len(self.limits)
        turns = 40 + 20 * d
        n = min(len(U), max(WORK // (turns * m), -(-2 * len(U) // turns)))
        each = max(-(-len(U) // max(n, 1)), 1)
        kept = {turns - 1 - j * (turns // 2 // each) for j in range(each)}
        X, block, found = np.tile(self.centre, (n, 1)), max(BLOCK // m, 1), []
        for turn in range(turns):
            way = rng.standard_normal((n, d))
            if turn % 2:  # along one axis: a set that is long in one and short in another is crossed only so
                way = np.eye(d)[rng.integers(d, size=n)]
            share = rng.random(n)
            for rows in (slice(start, start + block) for start in range(0, n, block)):
                ahead, behind = self._room(X[rows], way[rows])
                X[rows] += (share[rows] * (ahead + behind) - behind)[:, None] * way[rows]
            if turn in kept:
                found.append(X.copy())
        U = U.copy()
        U[:, self.active] = np.clip(np.concatenate(found)[: len(U)], 0.0, 1.0)
        return U

    def _room(self, X: FloatArray, way: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How far one can go from each row, forwards and backwards."""
        speed = way @ self.sides.T
        room = np.maximum(self.limits - X @ self.sides.T, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):  # along a side one may go on for ever
            time = room / speed
        return np.where(speed > 0, time, np.inf).min(axis=1), -np.where(speed < 0, time, -np.inf).max(axis=1)


def _held(gram: FloatArray, over: FloatArray, on: npt.NDArray[np.bool_]) -> FloatArray:
    """The prices (n, m) at which every row is held exactly by the sides that are on, few of many at a time."""
    sides = np.broadcast_to(np.arange(len(gram)), on.shape)
    if len(gram) > SMALL:
        sides = np.argsort(~on, axis=1, kind="stable")[:, : max(int(on.sum(axis=1).max()), 1)]
    used = np.take_along_axis(on, sides, axis=1)
    H = gram[sides[:, :, None], sides[:, None, :]] * (used[:, :, None] & used[:, None, :])
    H += np.eye(sides.shape[1]) * np.where(used, 1e-14, 1.0)[:, None, :]
    right = np.take_along_axis(over, sides, axis=1) * used
    goal = np.zeros_like(over)
    np.put_along_axis(goal, sides, np.linalg.solve(H, right[..., None])[..., 0], axis=1)
    return goal


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
    """argmax x[-1] over A x <= b, x >= 0, where b >= 0: the simplex method with Bland's rule, which cannot cycle.

    Of many sides it takes many steps, so there the steepest column comes first, for as long as that might take.
    """
    m, n = A.shape
    table = np.zeros((m + 1, n + m + 1))
    table[:m, :n], table[:m, n : n + m], table[:m, -1] = A, np.eye(m), b
    table[m, n - 1] = 1.0
    basis = np.arange(n, n + m)
    for turn in range(100 * (m + n)):
        rising = np.flatnonzero(table[m, :-1] > 1e-12)
        if not len(rising):
            break
        enter = rising[np.argmax(table[m, rising])] if m > SMALL and turn < m + n else rising[0]
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
