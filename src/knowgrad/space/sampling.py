"""Feasible points at random, in domains of any size."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from knowgrad.errors import ArgumentError, EmptyDomainError
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.rules import Rules
from knowgrad.space.shapes.rejection import Chance, gather
from knowgrad.text import shown

LISTABLE = 10_000  # a finite space up to this size is searched through before it is called empty
TRIES, LESS = 100_000, 4_096  # proposals to find a domain; to find one that is listed, helped, or known otherwise
STEPS = 32  # of a random walk from points that are known
COARSE, FINE = 4.0, 7.0  # powers of ten of the smallest moves: around points that were found, and in a random walk


class Cube(Protocol):
    """What is asked of a space; see docs/design.md."""

    n_params: int
    groups: npt.NDArray[np.intp]
    free: npt.NDArray[np.bool_]
    is_unconstrained: bool

    @property
    def size(self) -> float: ...
    def from_uniform(self, V: FloatArray) -> FloatArray: ...
    def snap(self, U: FloatArray) -> FloatArray: ...
    def project(self, U: FloatArray) -> FloatArray: ...
    def contains(self, U: FloatArray) -> npt.NDArray[np.bool_]: ...
    def enumerate(self, limit: int) -> FloatArray: ...


class Sampler:
    """Draws from a space: its box, its rules, and points `known` (k, dim) to lie in it."""

    def __init__(self, space: Cube, rules: Rules, known: FloatArray) -> None:
        self.space, self.rules, self._given = space, rules, known
        self._tries = TRIES

    @cached_property
    def known(self) -> FloatArray:
        """Those given that are really inside: a function may have changed since they were tried."""
        return self._given[self.space.contains(self._given)] if len(self._given) else self._given

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """n points. Rejection where that gets anywhere. In a tiny domain of linear constraints: a walk inside them, and
        there at once where equalities hold or components are mixed.

        Where too few are found, neighbours of these and of the known points fill up, and at last repetitions.
        """
        if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
            raise ArgumentError(f"the number of points must be a whole number, at least 0, got {shown(n)}")
        if self.space.is_unconstrained or n == 0:
            return self._draw(n, rng)
        listable, helped = self.space.size <= LISTABLE, self.rules.can_be_drawn
        chances = [Chance(self._draw, max(LESS, 20 * n) if listable or helped else self._tries)]
        if helped and self.rules.equalities.computed:
            chances = [Chance(self._draw_inside, self._tries)]
        elif not listable and helped:
            chances.append(Chance(self._draw_inside, self._tries))
        found = gather(n, rng, chances, self.space.contains)
        if len(found) < n and listable:
            everything = self.space.enumerate(LISTABLE)
            found = everything[rng.integers(len(everything), size=n)] if len(everything) else found
        if len(found) < n and len(self.known):
            found = self._wander(found, n, rng)
        if not len(found):
            raise EmptyDomainError(
                f"no feasible point was found in {self.space!r}; relax the constraints or the feasible function, or "
                "add or enqueue a point that is allowed"
            )
        if len(found) < n:
            near = Chance(lambda m, rng: self._jitter(found[rng.integers(len(found), size=m)], rng, COARSE), 20 * n)
            found = np.concatenate([found, gather(n - len(found), rng, [near], self.space.contains)])
        return np.concatenate([found, found[rng.integers(len(found), size=n - len(found))]])

    def _draw(self, n: int, rng: np.random.Generator) -> FloatArray:
        return self.space.from_uniform(rng.random((n, self.space.n_params)))

    def _draw_inside(self, n: int, rng: np.random.Generator) -> FloatArray:
        return self.space.snap(self.rules.draw(self._draw(n, rng), rng))

    def _wander(self, found: FloatArray, n: int, rng: np.random.Generator) -> FloatArray:
        """n points at most: those found, and where random walks from them and from the known ones lead."""
        self._tries = LESS  # what is known makes up for it, so the next sample need not try as long in vain
        pool = np.concatenate([found, self.known])
        for _ in range(STEPS):
            if len(pool) >= 2 * n:
                break
            moved = self._jitter(pool[rng.integers(len(pool), size=n)], rng, FINE)
            pool = np.concatenate([pool, moved[self.space.contains(moved)]])
        return np.concatenate([found, pool[len(found) :][::-1]])[:n]

    def _jitter(self, U: FloatArray, rng: np.random.Generator, finest: float) -> FloatArray:
        space = self.space
        scale = 10.0 ** -rng.uniform(0.5, finest, size=(len(U), 1))
        moved = space.project(np.where(space.free, U + scale * rng.standard_normal(U.shape), U))
        owners = np.minimum(space.groups, space.n_params - 1)  # the marks of conditions follow from the rest
        swap = (rng.random((len(U), space.n_params)) < 0.3)[:, owners] & ~space.free
        return space.snap(np.where(swap, self._draw(len(U), rng), moved))
