"""Coordinate exchange: what gradients cannot move. Integers, steps and choices; and points at an odd-shaped border."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from knowgrad.acquisition.problem import Objective
from knowgrad.acquisition.search.ascent import ascend
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

PROMISING = 8  # neighbours that are climbed from


def exchange(
    value: Callable[[Array], Array],
    z: Array,
    domain: Domain,
    scale: Array,
    rng: np.random.Generator,
    sweeps: int = 2,
    climb: Objective | None = None,
) -> Array:
    """Snap batch z (q, D), then replace one point at a time by its best neighbour while the value rises.

    With `climb`, the value with its gradient, the most promising neighbours are moved along what is continuous before
    they are judged: where a choice is different, the best place may be another.
    """
    current = pull_inside(domain, z, rng)
    best = float(value(current[None])[0])
    for _ in range(sweeps):
        before = best
        for j in range(len(z)):
            options = neighbours(domain, current[j], scale, rng)
            if not len(options):
                continue
            trials = np.repeat(current[None], len(options), axis=0)
            trials[:, j] = options
            values = value(trials)
            if climb is not None and domain.continuous.any():
                trials = trials[np.argsort(-values, kind="stable")[:PROMISING]]
                trials, values = ascend(climb, trials, domain, scale, steps=4, tol=1e-4, columns=domain.continuous)
            if values.max() > best:
                best, current = float(values.max()), trials[np.argmax(values)]
        if best <= before:
            break
    return current


def neighbours(domain: Domain, u: Array, scale: Array, rng: np.random.Generator) -> Array:
    """Discrete moves of u and, where the border is not a box, small random ones."""
    moves = domain.moves(u)
    if domain.is_unconstrained:
        return moves
    spread = 10.0 ** rng.uniform(-3.0, -0.5, size=(32, 1))
    near = domain.snap(domain.project(u + spread * scale * domain.free * rng.standard_normal((32, domain.dim))))
    return np.vstack([moves, near[domain.contains(near)]])


def pull_inside(domain: Domain, z: Array, rng: np.random.Generator) -> Array:
    """Snapped points in the domain; one that snaps to the outside is drawn towards the nearest feasible sample."""
    z = domain.snap(z)
    if domain.is_unconstrained:
        return z
    for j in np.flatnonzero(~domain.contains(z)):
        safe = domain.sample(64, rng)
        safe = safe[np.argmin(((safe - z[j]) ** 2).sum(axis=1))]
        steps = np.linspace(0.0, 1.0, 33)[1:, None]
        line = domain.snap(np.where(domain.free, z[j] + steps * (safe - z[j]), safe))
        inside = np.flatnonzero(domain.contains(line))
        z[j] = line[inside[0]] if len(inside) else safe
    return z
