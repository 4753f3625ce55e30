"""How a point moves when one of its parameters changes: alone or, where equalities hold, the others in proportion.

In a mixture that is the direction of Cox: a component gets more or less, and all others keep their proportions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from knowgrad.space.coordinates import FloatArray
from knowgrad.space.equalities import ends
from knowgrad.space.parameters import Choice
from knowgrad.space.space import Space

BoolArray = npt.NDArray[np.bool_]


def moved(space: Space, U: FloatArray, blocks: Mapping[str, FloatArray]) -> tuple[FloatArray, BoolArray]:
    """Points (n, dim) with blocks (n, width) in place of some parameters, and which of them are in the domain.

    Of a parameter that is computed, the block is its share of its range (n, 1).
    """
    U, fine = U.copy(), np.ones(len(U), dtype=bool)
    for name, computed in space.rules.equalities.computed.items():
        here = [each for each in (name, *computed.coefficients) if each in blocks]
        if here and not any(space.parameters[each].nonlinear for each in (name, *computed.coefficients)):
            fine &= _in_proportion(space, name, U, {each: blocks[each][:, 0] for each in here})
        elif name in here:
            fine[:] = False  # nothing says what the others would be
    for name, block in blocks.items():
        if name in space.columns:
            U[:, space.columns[name]] = block
    U = space.settled(U)
    fine &= space.has(U, *blocks)
    fine[fine] = space.contains(U[fine])
    for _, blend in space.rules.blends:
        fine &= blend.contains(U)
    return U, fine


def _in_proportion(space: Space, name: str, U: FloatArray, fixed: Mapping[str, FloatArray]) -> BoolArray:
    """Scale, in place, what an equality holds together with the fixed shares (n,); which rows can be had?

    The equality is Σ c_j a_j = R in amounts above the lowest values, a_j = share * span_j.
    """
    total, swing = _row(space, name)
    shares = {each: block_of(space, each, U)[:, 0] for each in swing}
    rest = total - sum(swing[each] * share for each, share in fixed.items())
    others = [each for each in swing if each not in fixed]
    if not others:
        return np.asarray(np.abs(rest) <= 1e-9 * max(abs(s) for s in swing.values()))
    now, whole = sum(swing[each] * shares[each] for each in others), sum(swing[each] for each in others)
    some, fine = np.abs(now) > 1e-12 * abs(total or 1.0), np.ones(len(U), dtype=bool)
    for each in others:
        share = np.where(some, shares[each] * rest / np.where(some, now, 1.0), rest / (whole or 1.0))
        fine &= (share >= -1e-9) & (share <= 1.0 + 1e-9)
        if each != name:
            U[:, space.columns[each].start] = np.clip(share, 0.0, 1.0)
    return fine


def _row(space: Space, name: str) -> tuple[float, dict[str, float]]:
    """R, and c_j span_j of every parameter in the equality that decides the one of this name."""
    computed, parameters = space.rules.equalities.computed[name], space.parameters
    signs = {name: 1.0} | {each: -float(c) for each, c in computed.coefficients.items()}
    spans = {each: tuple(map(float, ends(parameters[each]))) for each in signs}
    total = float(computed.constant) - sum(c * spans[each][0] for each, c in signs.items())
    return total, {each: c * (spans[each][1] - spans[each][0]) for each, c in signs.items()}


def block_of(space: Space, name: str, U: FloatArray) -> FloatArray:
    """The columns (n, width) of a parameter at points (n, dim); of one that is computed, its share of its range."""
    if name in space.columns:
        return U[:, space.columns[name]]
    total, swing = _row(space, name)
    others = [(s, space.parameters[each].linear(block_of(space, each, U))) for each, s in swing.items() if each != name]
    return np.asarray((total - sum(s * share for s, share in others)) / swing[name])[:, None]


def across(space: Space, name: str) -> FloatArray:
    """By how much the columns (dim,) change when a parameter crosses its range, or changes from one option to another.

    Of a parameter that is computed: all of the others that it is computed from share in that.
    """
    way = np.zeros(space.dim)
    if name in space.columns:
        p, where = space.parameters[name], space.columns[name]
        way[where] = p.apart() if isinstance(p, Choice) else 1.0
        return way
    computed = space.rules.equalities.computed[name]
    low, high = ends(space.parameters[name])
    for other, c in computed.coefficients.items():
        least, most = ends(space.parameters[other])
        share = (high - low) / (c * len(computed.coefficients) * (most - least))
        way[space.columns[other].start] = min(abs(float(share)), 1.0)
    return way
