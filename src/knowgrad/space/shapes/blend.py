"""A mixture with steps, or of at most some components at a time, as points of the cube. Arrays only.

Its k components have k − 1 columns: one of them is computed from the others. Amounts are counted from each component's
least, in steps where there are steps: a (…, k), 0 <= a <= caps, Σ a = total.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

HALVINGS = 60  # of the interval in which the shift lies that makes amounts add up
NOTHING = 1e-9  # of the total: less than this of a component is none of it


@dataclass(frozen=True, eq=False)
class Blend:
    """`columns` (k − 1,) of the cube belong to all components but the last; at most `most` have more than nothing."""

    columns: npt.NDArray[np.intp]
    caps: FloatArray
    total: float
    most: int
    stepped: bool

    def amounts(self, U: FloatArray) -> FloatArray:
        """Of all components (n, k), those of points (n, dim) anywhere; the last may come out negative."""
        kept = U[:, self.columns] * self.caps[:-1]
        return np.column_stack([kept, self.total - kept.sum(axis=1)])

    def _placed(self, U: FloatArray, amounts: FloatArray) -> FloatArray:
        U = U.copy()
        U[:, self.columns] = amounts[:, :-1] / self.caps[:-1]
        return U

    def project(self, U: FloatArray) -> FloatArray:
        """Near points (n, dim) of which at most `most` components are more than nothing, not yet on steps."""
        return self._placed(U, self._near(self.amounts(U))) if len(U) else U

    def snap(self, U: FloatArray) -> FloatArray:
        """Near points that can be tried."""
        if not len(U):
            return U
        near = self._near(self.amounts(U))
        return self._placed(U, self._whole(near) if self.stepped else near)

    def _near(self, amounts: FloatArray) -> FloatArray:
        """The nearest amounts that add up, of the largest components."""
        caps = np.broadcast_to(self.caps, amounts.shape)
        if self.most < amounts.shape[1]:
            caps = np.where(self._chosen(amounts), caps, 0.0)
        reach = float(np.abs(amounts).max()) + self.total + float(self.caps.max())
        low, high = np.full((len(amounts), 1), -reach), np.full((len(amounts), 1), reach)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            more = np.clip(amounts - middle, 0.0, caps).sum(axis=1, keepdims=True) > self.total
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        near: FloatArray = np.clip(amounts - (low + high) / 2, 0.0, caps)
        return np.where(near < NOTHING * self.total, 0.0, near)

    def _chosen(self, amounts: FloatArray) -> npt.NDArray[np.bool_]:
        """The largest `most` of each row; where these cannot hold the total, those that can hold most."""
        first = np.argsort(-amounts, axis=1, kind="stable")[:, : self.most]
        enough = self.caps[first].sum(axis=1, keepdims=True) >= self.total * (1 - NOTHING)
        first = np.where(enough, first, np.argsort(-self.caps, kind="stable")[: self.most])
        chosen = np.zeros(amounts.shape, dtype=bool)
        np.put_along_axis(chosen, first, True, axis=1)
        return chosen

    def _whole(self, near: FloatArray) -> FloatArray:
        """Whole numbers of steps that add up: what is left of a step goes to those that lack least of one."""
        whole = np.floor(near + 1e-9)
        missing = np.rint(self.total - whole.sum(axis=1)).astype(int)
        order = np.argsort(whole - near, axis=1, kind="stable")
        rank = np.empty_like(order)
        np.put_along_axis(rank, order, np.broadcast_to(np.arange(near.shape[1]), order.shape), axis=1)
        return np.asarray(whole + (rank < missing[:, None]))

    def contains(self, U: FloatArray) -> npt.NDArray[np.bool_]:
        """Of snapped points: do they add up within the ranges, and are few enough components in them?"""
        amounts, tiny = self.amounts(U), 10 * NOTHING * self.total
        fits = ((amounts >= -tiny) & (amounts <= self.caps + tiny)).all(axis=1)
        return np.asarray(fits & ((amounts > tiny).sum(axis=1) <= self.most))

    def spaced(self, U: FloatArray) -> FloatArray:
        """Points (n, dim) whose amounts are the spacings of the numbers in their columns, even if these are uniform."""
        marks = np.sort(U[:, self.columns], axis=1)
        gaps = np.diff(marks, axis=1, prepend=0.0, append=1.0)
        return self.snap(self._placed(U, self.total * gaps))

    def draw(self, U: FloatArray, rng: np.random.Generator) -> FloatArray:
        """U (n, dim) with amounts drawn evenly over the faces of `most` components."""
        shape = (len(U), len(self.caps))
        parts = rng.exponential(size=shape)
        if self.most < shape[1]:
            parts = np.where(np.argsort(np.argsort(rng.random(shape), axis=1), axis=1) < self.most, parts, 0.0)
        return self.snap(self._placed(U, self.total * parts / parts.sum(axis=1, keepdims=True)))

    def moves(self, u: FloatArray) -> FloatArray:
        """Points (m, dim) in which one component takes the place of another, or a step of it."""
        here = self.amounts(u[None])[0]
        k, found = len(here), []
        for i in range(k):
            for j in range(k):
                if i != j and here[i] > NOTHING * self.total:
                    amounts = [here[i], 1.0] if self.stepped else [here[i]]
                    found += [here + each * (np.eye(k)[j] - np.eye(k)[i]) for each in amounts]
        if not found:
            return np.empty((0, len(u)))
        points = np.unique(self.snap(self._placed(np.tile(u, (len(found), 1)), np.array(found))), axis=0)
        return np.asarray(points[(points != u).any(axis=1)])
