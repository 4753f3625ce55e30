"""The one maximiser: projected quasi-Newton ascent, all starts in lockstep, ending on the levels of what is discrete.

Each start keeps its own inverse Hessian H, but the objective is called once per step for all starts that still move:
small problems cost NumPy calls, not flops, and S starts in one call cost little more than one.

    symbol  name   shape      meaning
    S       –      –          starts
    m       –      –          variables of one start: q·D, without the columns of large choices
    x, g    x, g   (S, m)     points and gradients
    H       H      (S, m, m)  inverse Hessians of −f (BFGS)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.problem import Objective, Rows
from knowgrad.gp.linalg import Array
from knowgrad.space.domain import Domain

ARMIJO = 1e-4
FIXED = 32  # columns of choices that are carried along: fewer are not worth a copy
LONGEST = 1.0  # a step moves no column by more than this many of its scales
SHORTEST = 1e-3  # share of a direction below which a step is given up


@dataclass
class State:
    """What moves: points, values, gradients, directions, step lengths and inverse Hessians of the active starts."""

    x: Array
    f: Array
    g: Array
    d: Array
    t: Array
    H: Array
    fresh: NDArray[np.bool_]  # H holds no curvature yet

    @classmethod
    def begin(cls, x: Array, f: Array, g: Array, unit: Array) -> State:
        """Every start about to take its first step, along its gradient."""
        S = len(x)
        state = cls(x, f, g, np.zeros_like(g), np.ones(S), _first_H(unit, S), np.ones(S, bool))
        _aim(state, np.ones(S, bool), unit)
        return state

    def keep(self, mask: NDArray[np.bool_]) -> State:
        return State(*(getattr(self, name)[mask] for name in self.__dataclass_fields__))


def ascend(
    fun: Objective,
    Z0: Array,
    domain: Domain,
    scale: Array,
    *,
    steps: int = 30,
    tol: float = 1e-5,
    columns: NDArray[np.bool_] | None = None,
) -> tuple[Array, Array]:
    """Climb from every start (S, q, D) along `columns` (D,); returns the points reached and their values (S,).

    `scale` (D,) is the length over which the objective bends; `tol` is the relative gain at which a start stops.
    Points stay in the domain's relaxation: projected at every step, and refused where `contains` says no.
    """
    S, q, D = Z0.shape
    free = np.tile(domain.free if columns is None else columns, q).astype(float)
    loose = _loose(domain, q)
    unit = np.tile(scale, q)[loose]
    rows = np.arange(S)
    best = domain.project(Z0).reshape(S, -1)
    best_f, g = _call(fun, best, rows, q, free, domain)
    state = State.begin(best[:, loose].copy(), best_f.copy(), np.ascontiguousarray(g[:, loose]), unit)
    for _ in range(steps):
        trial = best[rows]
        trial[:, loose] = state.x + state.t[:, None] * state.d
        trial = domain.project(trial.reshape(-1, q, D)).reshape(len(rows), -1)
        f, g = _call(fun, trial, rows, q, free, domain)
        x, g = np.ascontiguousarray(trial[:, loose]), np.ascontiguousarray(g[:, loose])
        ok = f >= state.f + ARMIJO * np.einsum("sm,sm->s", state.g, x - state.x)
        if not domain.is_unconstrained:
            ok &= domain.contains(trial.reshape(-1, D)).reshape(-1, q).all(axis=1)
        small = ok & (f - state.f <= tol * (np.abs(f) + 1e-12))
        best[rows[ok]], best_f[rows[ok]] = trial[ok], f[ok]
        _advance(state, ok, x, f, g, unit)
        alive = ~small & (state.t >= SHORTEST) & np.any(state.d != 0.0, axis=1)
        if not alive.any():
            break
        if not alive.all():
            rows, state = rows[alive], state.keep(alive)
    return best.reshape(S, q, D), best_f


def climb(
    fun: Objective, Z0: Array, domain: Domain, scale: Array, *, steps: int = 30, tol: float = 1e-5
) -> tuple[Array, Array]:
    """`ascend`, to points that can be tried: what has levels ends on one, what has none is then climbed once more.

    Between levels a climb may lead to where the levels around are worse than the start's own, so each start is also
    climbed without leaving its levels, and the better of the two points is taken.
    """
    Z, value = ascend(fun, Z0, domain, scale, steps=steps, tol=tol)
    if not has_levels(domain):
        return Z, value
    S = len(Z0)
    both = domain.snap(np.concatenate([Z, Z0]))
    both, values = ascend(
        lambda Z, rows: fun(Z, rows % S), both, domain, scale, steps=steps, tol=tol, columns=domain.continuous
    )
    if not domain.is_unconstrained:
        inside = domain.contains(both.reshape(-1, both.shape[-1])).reshape(2 * S, -1).all(axis=1)
        values = np.where(inside, values, -np.inf)
    best = np.where(values[:S] >= values[S:], 0, S) + np.arange(S)
    return both[best], values[best]


def has_levels(domain: Domain) -> bool:
    """Are there columns that a gradient moves but that must end on a level: integers and steps?"""
    return bool((domain.free & ~domain.continuous).any())


class Acquisition(Protocol):
    """What can be maximised: values of batches (S, q, D), and values with gradients for `ascend`."""

    def value(self, Z: Array) -> Array: ...
    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]: ...


def search(
    acquisition: Acquisition,
    Z: Array,
    domain: Domain,
    scale: Array,
    *,
    keep: int = 4,
    steps: int = 8,
    tol: float = 1e-3,
) -> Array:
    """Screen the batches Z (S, q, D), climb from the best few, and return the best batch reached (q, D).

    What is discrete in the last point of the best few is exchanged before the climb.
    """
    value = acquisition.value(Z)
    order = np.argsort(-value, kind="stable")[:keep]
    best = Z[order]
    if not domain.continuous.all():
        best = _with_moves(acquisition, best, value[order], domain)
    reached, value = climb(acquisition, best, domain, scale, steps=steps, tol=tol)
    return np.asarray(reached[np.argmax(value)])


def _with_moves(acquisition: Acquisition, best: Array, value: Array, domain: Domain) -> Array:
    """As many batches as in `best`, the best of these and of those that differ from one of them by a move."""
    moves = [(batch, move) for batch in best for move in domain.moves(batch[-1])]
    if not moves:
        return best
    moved = np.stack([np.vstack([batch[:-1], move]) for batch, move in moves])
    pool, values = np.concatenate([best, moved]), np.append(value, acquisition.value(moved))
    pool, first = np.unique(pool, axis=0, return_index=True)
    return np.asarray(pool[np.argsort(-values[first], kind="stable")[: len(best)]])


def _call(fun: Objective, x: Array, rows: Rows, q: int, free: Array, domain: Domain) -> tuple[Array, Array]:
    Z = x.reshape(len(x), q, -1)
    f, g = fun(Z, rows)
    if (movable := domain.movable(Z)) is not None:  # what does not exist at a point does not move
        free = free * movable.reshape(len(x), -1)
    return np.where(np.isfinite(f), f, -np.inf), np.nan_to_num(g.reshape(len(x), -1)) * free


def _loose(domain: Domain, q: int) -> slice | NDArray[np.intp]:
    """The variables that H is made for: large choices, which nothing here moves, would make it large squared."""
    return np.flatnonzero(np.tile(domain.free, q)) if int((~domain.free).sum()) > FIXED else slice(None)


def _advance(state: State, ok: NDArray[np.bool_], x: Array, f: Array, g: Array, unit: Array) -> None:
    """Move the starts whose step was accepted to (x, f, g), shorten the step of the others, and aim anew."""
    _learn(state, ok, x - state.x, state.g - g)
    state.x[ok], state.f[ok], state.g[ok] = x[ok], f[ok], g[ok]
    state.t = np.where(ok, 1.0, 0.25 * state.t)
    # A start whose curvature misled it gets one more chance along the bare gradient.
    lost = (state.t < SHORTEST) & ~state.fresh
    state.H[lost], state.fresh[lost], state.t[lost] = _first_H(unit, 1)[0], True, 1.0
    _aim(state, ok | lost, unit)


def _first_H(unit: Array, S: int) -> Array:
    return np.broadcast_to(np.diag(unit**2), (S, len(unit), len(unit))).copy()


def _aim(state: State, which: NDArray[np.bool_], unit: Array) -> None:
    """New directions: H g on the columns that are not held by the box, no longer than LONGEST."""
    x, g = state.x[which], state.g[which]
    held = ((x <= 0.0) & (g < 0.0)) | ((x >= 1.0) & (g > 0.0))
    d = np.where(held, 0.0, np.einsum("sij,sj->si", state.H[which], np.where(held, 0.0, g)))
    length = np.max(np.abs(d) / unit, axis=1, initial=0.0)
    # Without curvature the length of the gradient means nothing: begin with a fifth of a scale.
    limit = np.where(state.fresh[which], 0.2, LONGEST)
    shrink = np.where((length > limit) | state.fresh[which], limit / np.maximum(length, 1e-300), 1.0)
    state.d[which] = d * np.where(length > 0.0, shrink, 0.0)[:, None]


def _learn(state: State, ok: NDArray[np.bool_], step: Array, y: Array) -> None:
    """BFGS on the inverse Hessian, for the accepted steps with positive curvature."""
    sy = np.einsum("sm,sm->s", step, y)
    use = ok & (sy > 1e-12 * np.einsum("sm,sm->s", y, y) ** 0.5 * np.einsum("sm,sm->s", step, step) ** 0.5)
    s, y, sy = step[use], y[use], sy[use][:, None, None]
    H, new = state.H[use], state.fresh[use]
    yHy = np.einsum("si,sij,sj->s", y, H, y)[:, None, None]
    H = np.where(new[:, None, None], H * (sy / np.maximum(yHy, 1e-300)), H)
    Hy = np.einsum("sij,sj->si", H, y)
    yHy = np.einsum("si,si->s", y, Hy)[:, None, None]
    outer = Hy[:, :, None] * s[:, None, :]
    H = H + ((1.0 + yHy / sy) * (s[:, :, None] * s[:, None, :]) - outer - np.swapaxes(outer, 1, 2)) / sy
    state.H[use] = H
    state.fresh[use] = False
