"""A batch whose points share settings, found jointly: the nested batches of Wang et al. (2015), generalised.

1. A first value for what is shared: of several, the one at which a whole batch is worth most, among the best by its
   first few points.
2. Greedy: each point the best addition; once there are as many values as there may be, at one of these.
3. Joint ascent in which points that share a value move it together, and exchange: of a single point to another
   of the values, and of a value for all points that share it.

Source: Wang, Reyes, Brown, Mirkin & Powell, "Nested-batch-mode learning and stochastic optimization with an application
to sequential multistage testing in materials science", 2015.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.problem import Rows
from knowgrad.acquisition.search.ascent import Acquisition, climb, search
from knowgrad.acquisition.search.batch import Build
from knowgrad.acquisition.search.exchange import exchange
from knowgrad.acquisition.search.starts import common_scale
from knowgrad.acquisition.ties import Tie, are_kept, held
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.space.domain import Domain
from knowgrad.space.held import Held, hold

FIRST, AHEAD = 6, 4  # values that are tried for what is shared, and points by which they are judged at first
WHOLE = 3  # the best of these values, which are judged by the whole batch
SCREENED = 512  # candidates at most, over all values
OTHERS = 10  # values of a list that a value is exchanged for


class Shared(Protocol):
    """A question, of one outcome or of several, whose batch keeps ties."""

    @property
    def model(self) -> Model: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def pending(self) -> Array: ...
    @property
    def q(self) -> int: ...
    @property
    def ties(self) -> tuple[Tie, ...]: ...


@dataclass(frozen=True, eq=False)
class Group:
    """Points of a batch that share a value; `stuck` if points beside it share it too, or only some values may be."""

    members: NDArray[np.intp]
    columns: NDArray[np.intp]
    stuck: bool


def groups_of(ties: tuple[Tie, ...], z: Array) -> list[Group]:
    found = []
    for tie in ties:
        h, columns = len(tie.beside), np.flatnonzero(tie.columns)
        which = np.unique(np.vstack([tie.beside, z])[:, columns], axis=0, return_inverse=True)[1].ravel()
        shares = [which == value for value in np.unique(which[h:])]
        stuck = tie.among is not None
        found += [Group(np.flatnonzero(share[h:]), columns, stuck or bool(share[:h].any())) for share in shares]
    return found


class Together:
    """The domain and the acquisition of batches in which groups move as one, as `climb` takes them."""

    def __init__(self, acquisition: Acquisition, domain: Domain, z: Array, groups: list[Group]) -> None:
        self._acquisition, self._domain, self._z, self._groups = acquisition, domain, z, groups

    def __getattr__(self, name: str) -> Any:
        return getattr(self._domain, name)

    def __call__(self, Z: Array, rows: Rows) -> tuple[Array, Array]:
        value, gradient = self._acquisition(Z, rows)
        return value, self._tied(gradient, np.zeros_like(self._z))

    def project(self, Z: Array) -> Array:
        return self._tied(self._domain.project(Z), self._z)

    def _tied(self, Z: Array, stuck: Array) -> Array:
        """Z (S, q, D) with the mean of each group in its columns: of gradients, the part that keeps ties."""
        Z = Z.copy()
        for group in self._groups:
            at = group.members[:, None], group.columns
            Z[(slice(None), *at)] = stuck[at] if group.stuck else Z[(slice(None), *at)].mean(axis=1, keepdims=True)
        return Z


def tied_greedy(question: Shared, build: Build, candidates: Array, rng: np.random.Generator) -> Array:
    """Each point the best addition to those before it that the ties allow (q, D)."""
    return _grown(question, build, candidates, candidates[:0], question.q, rng)


def tied_batch(question: Shared, build: Build, candidates: Array, rng: np.random.Generator) -> Array:
    """The same; where all points are to share one value, from the best of several values on.

    `build(W)` values one more point together with W, so that the last of a few tells what all are worth.
    """
    single = [tie for tie in question.ties if tie.limit == 1 and not len(tie.beside)]
    if not single:
        return tied_greedy(question, build, candidates, rng)
    columns = np.any([tie.columns for tie in single], axis=0)
    within = held(question.domain, question.ties, candidates[:0])
    points = within.every(candidates) if isinstance(within, Held) else candidates
    few, begun = min(question.q, AHEAD), dict[bytes, tuple[float, Array]]()  # by what is shared
    for start in [None, *_spread(points[:, columns], points)]:
        batch = candidates[:0]
        if start is not None:
            domain = hold(question.domain, columns, start[None])
            points = _within(domain, candidates, rng)[:, None]
            batch = search(build(question.pending), points, domain, common_scale(question.model))
        batch = _grown(question, build, candidates, batch, few, rng)
        same, worth = batch[0, columns].tobytes(), _worth(question, build, batch)
        if same not in begun or worth > begun[same][0]:
            begun[same] = worth, batch
    leading = sorted(begun.values(), key=lambda each: -each[0])[:WHOLE]
    wholes = [_grown(question, build, candidates, batch, question.q, rng) for _, batch in leading]
    return max(wholes, key=lambda whole: _worth(question, build, whole))


def _worth(question: Shared, build: Build, batch: Array) -> float:
    return float(build(np.vstack([question.pending, batch[:-1]])).value(batch[None, -1:])[0])


def _grown(question: Shared, build: Build, candidates: Array, batch: Array, q: int, rng: np.random.Generator) -> Array:
    """The batch with points added until there are q."""
    scale = common_scale(question.model)
    while len(batch) < q:
        domain, points = held(question.domain, question.ties, batch), candidates
        if isinstance(domain, Held):
            points = _within(domain, candidates, rng)
        if len(points) > SCREENED:
            points = points[rng.permutation(len(points))[:SCREENED]]
        acquisition = build(np.vstack([question.pending, batch]))
        batch = np.vstack([batch, search(acquisition, points[:, None], domain, scale)])
    return batch


def _within(domain: Held, candidates: Array, rng: np.random.Generator) -> Array:
    """The candidates with the values that are held; others where none of them can be tried there."""
    points = domain.every(candidates)
    return points if len(points) else domain.sample(64, rng)


def _spread(values: Array, points: Array) -> Array:
    """Points with different values, one after the other the farthest from those before it."""
    distinct, first = np.unique(values, axis=0, return_index=True)
    picked = [int(np.argmin(np.square(distinct - distinct.mean(axis=0)).sum(axis=1)))]
    gaps = np.full(len(distinct), np.inf)
    while len(picked) < min(FIRST, len(distinct)):
        gaps = np.minimum(gaps, np.square(distinct - distinct[picked[-1]]).sum(axis=1))
        picked.append(int(np.argmax(gaps)))
    return points[first[picked]]


def tied_climb(question: Shared, acquisition: Acquisition, z: Array, steps: int = 8) -> Array:
    """The batch moved uphill, shared values together."""
    both = Together(acquisition, question.domain, z, groups_of(question.ties, z))
    moved = climb(both, z[None], both, common_scale(question.model), steps=steps, tol=1e-4)[0][0]
    return moved if are_kept(question.ties, moved) else z


def tied_exchange(question: Shared, acquisition: Acquisition, z: Array, rng: np.random.Generator) -> Array:
    """The batch with what is discrete exchanged, and points moved to other values of what is shared."""
    domain, scale = question.domain, common_scale(question.model)
    z = _swapped(question, acquisition, domain.snap(z))
    within = held(domain, question.ties, z, closed=True)
    levels = not domain.continuous.all()  # else there are only moves from value to value, and the climb comes after
    found = exchange(acquisition.value, z, within, scale, rng, climb=acquisition if levels else None)
    return found if are_kept(question.ties, found) else z


def _swapped(question: Shared, acquisition: Acquisition, z: Array, sweeps: int = 2) -> Array:
    """Values with levels exchanged for all points that share them, while that is worth more."""
    domain, best = question.domain, float(acquisition.value(z[None])[0])
    for _ in range(sweeps):
        before = best
        for group in groups_of(question.ties, z):
            trials = z[None][:0] if group.stuck else _with_others(domain, z, group)
            if len(trials) and not domain.is_unconstrained:
                inside = domain.contains(trials.reshape(-1, domain.dim)).reshape(len(trials), -1).all(axis=1)
                trials = trials[inside]
            if domain.listed is not None:  # the nearest rows may differ in what other ties are about
                trials = trials[np.array([are_kept(question.ties, each) for each in trials], dtype=bool)]
            values = acquisition.value(trials) if len(trials) else np.array([-np.inf])
            if values.max() > best:
                best, z = float(values.max()), trials[np.argmax(values)]
        if best <= before:
            break
    return z


def _with_others(domain: Domain, z: Array, group: Group) -> Array:
    """The batch with another value for all points of a group (m, q, D); in a list, at the nearest rows that have it."""
    first, columns = z[group.members[0]], group.columns
    options = domain.moves(first) if domain.listed is None else domain.listed
    others = np.unique(options[:, columns], axis=0)
    others = others[(others != first[columns]).any(axis=1)]
    trials = np.repeat(z[None], len(others), axis=0)
    trials[:, group.members[:, None], columns] = others[:, None]
    if domain.listed is None:
        return trials
    near = np.argsort(np.square(others - first[columns]).sum(axis=1), kind="stable")[:OTHERS]
    shared = np.isin(np.arange(domain.dim), columns)
    for trial in (trials := trials[near]):
        members = trial[group.members]
        trial[group.members] = hold(domain, shared, members[:1]).snap(members)
    return trials
