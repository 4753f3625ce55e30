"""`Source`: a parameter that says where a result comes from: a simulation, a pilot plant, the plant itself.

Each source other than the target has a column of its own, `APART` there and 0 elsewhere, with a length scale of its
own: how much it has to do with the target is learned for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from knowgrad.errors import KnowgradError, SpaceError
from knowgrad.space.conditions.when import read_when
from knowgrad.space.coordinates import FloatArray, store
from knowgrad.space.looks.graded import Graded
from knowgrad.space.parameters import Choice
from knowgrad.space.scalars import Scalar, finite
from knowgrad.text import shown

APART = 0.1  # from the target to another source, in its column: less than the ends of a range, for they are relatives


@dataclass(frozen=True, repr=False)
class Source(Graded, Choice):
    """Where a result comes from: the `target`, which recommendations are for, or a cheaper source.

    Other sources may be biased; how closely they follow the target is learned, and so is their noise. `cost`: what a
    measurement by each
    costs, a mapping or a list in their order; else the study's `cost`, or the costs of trials.
    """

    _: KW_ONLY
    target: Any = None
    cost: Any = None

    def __post_init__(self) -> None:
        if self.features is not None or read_when(self.when) is not None:
            raise SpaceError("Source takes neither features nor when; leave them out")
        Choice.__post_init__(self)
        if self.target is None and len(self.options) > 1:
            raise SpaceError(
                f"Source needs a target, the source to recommend for, one of {shown(list(self.options))}; pass "
                f"target={shown(self.options[-1])}, say"
            )
        try:
            store(self, target=self.options[0] if len(self.options) == 1 else self.check(self.target))
        except SpaceError as error:
            raise SpaceError(f"Source: target: {error}") from None
        store(self, width=max(len(self.options) - 1, 1), one_hot=0, cost=_costs(self.cost, self.options))

    @property
    def _others(self) -> list[int]:
        return [k for k, option in enumerate(self.options) if k != self.options.index(self.target)]

    @property
    def parts(self) -> tuple[int, ...]:
        return (1,) * self.width

    def locate(self, block: FloatArray) -> FloatArray:
        others, home = np.array([*self._others, self.options.index(self.target)]), len(self._others)
        if not home:
            return np.zeros(block.shape[:-1])
        return np.asarray(
            others[np.where(block.max(axis=-1) > 0.5 * APART, np.argmax(block, axis=-1), home)], dtype=float
        )

    def place(self, coordinate: npt.ArrayLike) -> FloatArray:
        if not self._others:
            return np.zeros((*np.shape(coordinate), 1))
        return np.where(np.asarray(coordinate)[..., None] == np.array(self._others), APART, 0.0)

    def prices(self, block: FloatArray) -> FloatArray:
        if self.cost is None:
            return np.ones(block.shape[:-1])
        each = np.asarray(self.cost, dtype=float) / self.cost[self.options.index(self.target)]
        return np.asarray(each[self.locate(block).astype(np.intp)])

    def cheap(self) -> list[Scalar]:
        order = sorted(self._others, key=lambda k: 0.0 if self.cost is None else self.cost[k])
        return [self.options[k] for k in order]

    def describe(self) -> dict[str, Any]:
        told = {"type": "source", "options": list(self.options), "target": self.target}
        return told if self.cost is None else {**told, "cost": list(self.cost)}

    def __repr__(self) -> str:
        cost = "" if self.cost is None else f", cost={list(self.cost)}"
        return f"Source({list(self.options)!r}, target={self.target!r}{cost})"


def _costs(cost: Any, options: tuple[Scalar, ...]) -> tuple[float, ...] | None:
    """Of each option, in their order."""
    if cost is None:
        return None
    try:
        is_named = isinstance(cost, Mapping)
        each = [cost[option] for option in options] if is_named and len(cost) == len(options) else list(cost)
        found = tuple(finite(value, "Source: cost") for value in each)
    except (KeyError, TypeError, KnowgradError):
        found = ()
    if len(found) != len(options) or not all(value > 0.0 for value in found):
        raise SpaceError(
            f"Source: cost: expected a number above 0 for each of {shown(list(options))}, got {shown(cost)}; pass "
            f"cost={{{shown(options[0])}: 0.1, …}}"
        )
    return found
