"""The part of a space that knows which parameters exist where; without conditions, all of them everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from knowgrad.space.conditions.activity import Activity
from knowgrad.space.coordinates import FloatArray
from knowgrad.space.halfspaces import BoolArray


class Existence:
    """What is asked of a space about its conditions. See `activity`."""

    names: tuple[str, ...]
    n_params: int
    activity: Activity | None

    @property
    def always(self) -> tuple[str, ...]:
        """The parameters that exist at every point."""
        return tuple(name for name in self.names if name not in self._sometimes)

    @property
    def order(self) -> tuple[str, ...]:
        """The parameters, each after those that decide whether it exists."""
        return (*self.always, *self._sometimes)

    @property
    def _sometimes(self) -> tuple[str, ...]:
        return () if self.activity is None else self.activity.sometimes

    @property
    def usual_params(self) -> float:
        """How many parameters a point drawn at random has on average."""
        return self.n_params if self.activity is None else self.activity.usual

    def lacks(self, name: str, params: Mapping[str, Any]) -> str | None:
        """Why a parameter does not exist where those before it in `order` have these values; None if it does."""
        return None if self.activity is None else self.activity.fails(name, params)

    def is_told_by(self, names: Iterable[str]) -> bool:
        """Do values of these parameters, with those that only some points have, say which point it is?"""
        return {*self.always} <= {*names}

    def can_omit(self, name: str, params: Mapping[str, Any]) -> bool:
        """May params have no value for it where those before it in `order` have these values?"""
        return self.lacks(name, params) is not None

    def has(self, U: FloatArray, *names: str) -> BoolArray:
        """Which rows of U (n, dim) have all these parameters."""
        if self.activity is None:
            return np.ones(len(U), dtype=bool)
        where = [self.activity.names.index(name) for name in names if name in self.activity.sometimes]
        return np.asarray(self.activity.existing(U)[:, where].all(axis=1))

    def meet(self, name: str, other: str) -> bool:
        """Is there a point that has both?"""
        if self.activity is None or not {name, other} <= set(self.activity.names):
            return True
        return self.activity.meet(self.activity.names.index(name), self.activity.names.index(other))

    def settled(self, U: FloatArray) -> FloatArray:
        """The rows with whatever does not exist at rest."""
        return U if self.activity is None else self.activity.settle(U.copy())

    def movable(self, U: FloatArray) -> BoolArray | None:
        """The columns (…, dim) of parameters that exist at rows; None if all do everywhere."""
        return None if self.activity is None else self.activity.movable(U)

    def stratified(self, V: FloatArray) -> FloatArray:
        """Uniform numbers (n, n_params) of a Latin hypercube, as even over the points that have a parameter."""
        return V if self.activity is None else self.activity.stratified(V)
