"""From trials to a model: what the results say, where it leaves to search, and the units to answer in."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.avoid import Avoiding
from knowgrad.acquisition.base import Domain, Model
from knowgrad.curves import Bent, Logarithm, Straight
from knowgrad.gp.failures import Failing, discouraged
from knowgrad.gp.fit import Groups, Prior, few, fit
from knowgrad.gp.kernel import Kernel, matern32, matern52, matern72
from knowgrad.gp.linalg import Array
from knowgrad.gp.loo import better_half
from knowgrad.gp.posterior import Noise, Posterior
from knowgrad.gp.sample import sample
from knowgrad.gp.subset import FEW, nearest, subset
from knowgrad.space import Space
from knowgrad.trial import Settings, Trial, spread
from knowgrad.units import Units

LATEST = 256  # trials whose points are known to lie in the domain
STEP = 1e-4  # of a central difference of the user's σ(x), in the unit cube
SEARCHED, SAFE = 0.5, 0.3  # where points are looked for and recommended, failing is no likelier than this
QUIET = 0.01  # noise variance, relative to that of all results, that leaves a function's smoothness to be seen
EXACT = 1e-8  # noise variance, relative to that of all results, that makes no second look worthwhile
EVIDENCE = 5.0  # in log density, that results are exact though nobody said so, a matter of ratios, or kinked
DRAWS = 8  # of the hyperparameters, for fit="bayes"
LIMIT = {"map": 4_000, "mle": 4_000, "bayes": 1_000}  # trials that a model takes in; of more, a subset


class Way(NamedTuple):
    """To see results: in these units, as smooth as this, with noise of these sds (nan: to be learned)."""

    units: Units
    kernel: Kernel
    sd: Array


@dataclass(frozen=True, eq=False)
class Fitted:
    """Posteriors, the noise that a measurement would have under each, and the units to answer in.

    `observed` knows the completed trials only: `done`, all of them or of very many a subset, with their `known` noise
    variances, nan where learned. In `model` failed trials have made their surroundings less attractive; `searched` and
    `safe` leave out where failing is likely.
    """

    done: Sequence[Trial]
    known: Array
    observed: Model
    model: Model
    noise: Sequence[Noise]
    units: Units
    pending: Array
    searched: Domain
    safe: Domain

    def exact_at(self, U: Array) -> bool:
        """A second measurement at the rows of U would tell nothing."""
        return all(noise(U)[0].max() <= EXACT for noise in self.noise)


def fitted(space: Space, trials: Sequence[Trial], settings: Settings, how: str) -> Fitted:
    """The model of the completed trials; at least one is needed."""
    done, X, failed = _taken_in(space, trials, settings.direction, LIMIT[how])
    values = np.array([trial.value for trial in done], dtype=float)
    sd = np.array([_known_sd(trial, settings.noise) for trial in done])
    units, kernel, post = learned(X, values, sd, space.groups, settings.direction, how)
    known, observed = units.variance(sd, values), [post]
    if how == "bayes":
        rng = np.random.default_rng([settings.seed, len(done)])
        observed = sample(X, post.y, known, space.groups, Prior(), DRAWS, rng, kernel)
    pending = _points(space, trials, "pending")
    if callable(settings.noise):
        noise: list[Noise] = [_NoiseFunction(space, settings.noise, units)] * len(observed)
    else:
        noise = [post.constant_noise for post in observed]
    space = known_space(space, trials)
    if not len(failed):
        return Fitted(done, known, observed, observed, noise, units, pending, space, space)
    failing = Failing.fit(X, failed, space.groups)
    p = failing.others()[len(X) :]
    model = [discouraged(post, failed, p) for post in observed]
    domains = (Avoiding(space, failing.chance, limit, X) if p.max() > limit else space for limit in (SEARCHED, SAFE))
    return Fitted(done, known, observed, model, noise, units, pending, *domains)


def learned(
    X: Array, values: Array, sd: Array, groups: Groups, direction: str, how: str
) -> tuple[Units, Kernel, Posterior]:
    """The way to see the results under which their better half is predicted best from all the others.

    Noise hides how smooth a function is, so only quiet results have the smoother kernel tried, and the rougher one if
    that is of no use. Where nobody knows the noise, quiet results may also turn out to be exact, and loud ones a matter
    of ratios. That, and kinks, take more evidence. The paper's maximum likelihood has one of each.
    """
    straight, bent, ratios = (Units.of(values, direction, curve.of) for curve in (Straight, Bent, Logarithm))
    if how == "mle":
        return straight, matern52, fit(X, straight.standardise(values), straight.variance(sd), groups)
    part, usual = few(straight.standardise(values)), Way(straight, matern52, sd)

    def tried(way: Way, at: NDArray[np.intp], near: Posterior | None = None) -> Posterior:
        y, known = way.units.standardise(values[at]), way.units.variance(way.sd[at], values[at])
        return fit(X[at], y, known, groups, Prior(), way.kernel, near)

    def density(way: Way, post: Posterior) -> float:
        half, each = better_half(post)
        unusual = way.sd is not sd or way.units is ratios or way.kernel is matern32
        return float((each + way.units.log_slope(values[part][half])).sum()) - EVIDENCE * unusual

    first = tried(usual, part)
    quiet, unknown = first.noise < QUIET, np.isnan(sd).all()
    kernels = (matern52, matern72) if quiet else (matern52,)
    noises = (sd, np.zeros_like(sd)) if quiet and unknown else (sd,)
    ways = [Way(*parts) for parts in product(dict.fromkeys((straight, bent)), kernels, noises)]
    choices = [(usual, first), *((way, tried(way, part, first)) for way in ways[1:])]
    by_ratios = Way(ratios, matern52, sd)
    if unknown and ratios != straight and (post := tried(by_ratios, part, first)).noise > QUIET:
        choices.append((by_ratios, post))
    way, post = max(choices, key=lambda choice: density(*choice))
    if quiet and way.kernel is matern52:
        rough = way._replace(kernel=matern32)
        way, post = max((way, post), (rough, tried(rough, part, post)), key=lambda choice: density(*choice))
    return way.units, way.kernel, post if len(part) == len(X) else tried(way, np.arange(len(X)), post)


def known_space(space: Space, trials: Sequence[Trial]) -> Space:
    """The space with what was tried of it in mind, for where it is too small to be found by chance."""
    if space.is_unconstrained or not trials:
        return space
    return space.around(space.encode_many([trial.params for trial in trials[-LATEST:]]))


def chosen_fit(settings: Settings, default: str) -> str:
    """The user's `fit`, or the method's."""
    return settings.fit or default


def mean_and_sd(model: Sequence[Posterior], U: Array) -> tuple[Array, Array]:
    """Of f at the rows of U, under the mixture of posteriors: the average mean; the average variance plus the spread of
    the means."""
    means = np.array([post.mean(U) for post in model])
    variances = np.array([post.var(U) for post in model])
    return means.mean(axis=0), np.sqrt(variances.mean(axis=0) + means.var(axis=0))


def _taken_in(space: Space, trials: Sequence[Trial], direction: str, limit: int) -> tuple[list[Trial], Array, Array]:
    """The completed trials that the model is made of, their points, and those of failed trials: `limit` in all."""
    done = [trial for trial in trials if trial.state == "complete"]
    X, failed = (_points(space, trials, state) for state in ("complete", "failed"))
    if len(X) + len(failed) <= limit:
        return done, X, failed
    sign = 1.0 if direction == "minimize" else -1.0
    values = sign * np.array([trial.value for trial in done], dtype=float)
    room = max(limit // 4, limit - len(X))  # for failures, which may be as many
    failed = failed[nearest(failed, X[np.argsort(values, kind="stable")[:FEW]], room)]
    keep = subset(X, values, space.groups, limit - len(failed))
    return [done[i] for i in keep], X[keep], failed


def _points(space: Space, trials: Sequence[Trial], state: str) -> Array:
    return space.encode_many([trial.params for trial in trials if trial.state == state])


def _known_sd(trial: Trial, noise: str | float | Callable[[dict[str, Any]], float]) -> float:
    """The standard deviation of one observation's noise; nan: to be learned."""
    if trial.sem is not None:
        return trial.sem
    if callable(noise):
        return spread(noise(dict(trial.params)), "noise(params)")
    return math.nan if isinstance(noise, str) else float(noise)


@dataclass(frozen=True, eq=False)
class _NoiseFunction:
    """The user's σ(x) as a variance with a gradient, by central differences along the continuous columns."""

    space: Space
    sd: Callable[[dict[str, Any]], float]
    units: Units

    def __call__(self, U: Array) -> tuple[Array, Array]:
        rows = U.reshape(-1, U.shape[-1])
        gradient = np.zeros_like(rows)
        for c in np.flatnonzero(self.space.free):
            up, down = rows.copy(), rows.copy()
            up[:, c], down[:, c] = np.minimum(rows[:, c] + STEP, 1.0), np.maximum(rows[:, c] - STEP, 0.0)
            gradient[:, c] = (self.variance(up) - self.variance(down)) / (up[:, c] - down[:, c])
        return self.variance(rows).reshape(U.shape[:-1]), gradient.reshape(U.shape)

    def variance(self, rows: Array) -> Array:
        sd = [spread(self.sd(self.space.decode(row)), "noise(params)") for row in rows]
        return self.units.variance(np.array(sd, dtype=float))
