"""What a point is worth where several outcomes count: a utility of their posterior means and standard deviations.

    u_λ(x) = min_k (g_k(x) / λ_k)^m · Π_c P(c(x) keeps its limits),   g_k = (r_k − y_k)₊

    symbol   name        shape     meaning
    e        –           –         any shape: one entry for each point, sample and direction
    μ, s     mu, sd      (e)       of each outcome, in the units of its model
    y_k      –           (e)       the k-th of m objectives, less is better: a curve of μ_k
    r        reference   (m,)      what any useful point is better than
    λ        lam         (e, m)    a direction: how much is asked of each objective
    P        chance      (e)       that a limit holds; the outcomes are independent processes

On average over the directions of the positive sphere, the best of u_λ is the hypervolume of the front, but for a factor
(Deng & Zhang, 2019; Golovin & Zhang, 2020). For one objective λ = 1, and u is what a choice is expected to be better
than r, if a choice that breaks a limit is no better than r.

With `rays` each direction has a reference point of its own, on a ray from the ideal point i, and its largest λ_k is 1:

    r_k = i_k + λ_k,   u_λ(x) = (1 − max_k (y_k − i_k) / λ_k)₊ · Π_c P(c(x) keeps its limits)

Where the front ends then hardly matters. From a reference point far beyond it, most directions miss the front.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import gamma, inf, log, pi, prod
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr, ndtri
from scipy.stats import qmc

from knowgrad.gp.linalg import Array

TINY = 1e-300
FAR, LARGE = 1e4, 100.0  # standard deviations, and logarithms of slopes, beyond which nothing changes
HALF_LOG = 0.5 * log(2.0 * pi)
LEAST = 1e-9  # of any objective that a direction asks for
FLOOR = 0.1  # the same of a ray, compared with the most
SMOOTH = 0.1  # of a share: how far from the least another counts beside it
SMALL = 0.01  # gain, as a share of the front's extent
Curve = Callable[[Array], tuple[Array, Array]]  # μ -> y and dy/dμ


class Objective(NamedTuple):
    """An outcome to be minimised, by its place among the outcomes."""

    outcome: int
    curve: Curve
    reference: float
    unit: float = 1.0
    """What y = 1 is in user units."""


class Between(NamedTuple):
    """An outcome that is to lie between two values, in the units of its model; one for each outcome at most."""

    outcome: int
    low: float = -inf
    high: float = inf
    soft: float = 0.0
    """A standard deviation on top, which softens a limit that nothing would keep otherwise."""


class Worth(NamedTuple):
    """u (e) with its derivatives by μ and by s of every outcome; None where there is none."""

    value: Array
    by_mean: list[Array | None]
    by_sd: list[Array | None]


@dataclass(frozen=True, eq=False)
class Utility:
    """Of points with `outcomes` outcomes."""

    outcomes: int
    objectives: tuple[Objective, ...]
    limits: tuple[Between, ...] = ()
    rays: bool = False
    """Shares along rays from the ideal point, which is then what the objectives have for references."""

    @property
    def m(self) -> int:
        return len(self.objectives)

    @property
    def limited(self) -> frozenset[int]:
        """The outcomes whose standard deviations count."""
        return frozenset(limit.outcome for limit in self.limits)

    @property
    def factor(self) -> float:
        """The hypervolume in user units is this times the average of the best u over directions."""
        units = prod(each.unit for each in self.objectives)
        return units * pi ** (self.m / 2) / (2**self.m * gamma(self.m / 2 + 1)) if self.m > 1 else units

    @property
    def power(self) -> int:
        """Of the least share."""
        return 1 if self.rays else self.m

    def along_rays(self) -> Utility:
        """The same objectives, in shares of their extents, along rays from the ideal point."""
        return self if self.rays else replace(self._moved(-1.0), rays=True)

    def by_volume(self) -> Utility:
        """The same objectives by hypervolume."""
        return replace(self._moved(1.0), rays=False) if self.rays else self

    def _moved(self, step: float) -> Utility:
        moved = tuple(each._replace(reference=each.reference + step) for each in self.objectives)
        return replace(self, objectives=moved)

    def directions(self, n: int, rng: np.random.Generator) -> Array:
        """n (a power of two) directions (n, m)."""
        lam = directions(self.m, n, rng)
        return np.maximum(lam / lam.max(axis=1, keepdims=True), FLOOR) if self.rays else lam

    def gains(self, mu: Sequence[Array]) -> list[Array]:
        """How far every objective is below its reference (e); less than 0 above it."""
        return [each.reference - each.curve(mu[each.outcome])[0] for each in self.objectives]

    def chance(self, mu: Sequence[Array], sd: Sequence[Array | None]) -> Array | float:
        """That all limits hold (e)."""
        total: Array | float = 1.0
        for limit in self.limits:
            total = total * _between(limit, mu[limit.outcome], sd[limit.outcome])
        return total

    def kept(self, least: Array) -> Array:
        """The least share (e), from the least gain in units of λ."""
        return np.maximum(least + 1.0 if self.rays else least, 0.0)

    def raised(self, least: Array) -> Array:
        """What the least gain in units of λ is worth if all limits hold."""
        share = self.kept(least)
        return share if self.power == 1 else share**self.power

    def worth(self, mu: Sequence[Array], sd: Sequence[Array | None], lam: Array) -> Worth:
        """u and its derivatives; all entries of one shape (e), and lam (e, m)."""
        ln_chance, by_mean, by_sd = self.log_chance(mu, sd)
        chance = np.exp(ln_chance)
        curves = [each.curve(mu[each.outcome]) for each in self.objectives]
        pairs = zip(self.objectives, curves, strict=True)
        gains = np.stack([each.reference - y for each, (y, _) in pairs], axis=-1) / lam
        least, active = self.kept(gains.min(axis=-1)), gains.argmin(axis=-1)
        u = least**self.power * chance
        by_mean = [None if slope is None else u * slope for slope in by_mean]
        steep = self.power * least ** (self.power - 1) * (least > 0.0) * chance
        for k, (each, (_, slope)) in enumerate(zip(self.objectives, curves, strict=True)):
            moved, before = np.where(active == k, -steep * slope / lam[..., k], 0.0), by_mean[each.outcome]
            by_mean[each.outcome] = moved if before is None else before + moved
        return Worth(u, by_mean, [None if slope is None else u * slope for slope in by_sd])

    def log_smooth(self, mu: Sequence[Array], sd: Sequence[Array | None], lam: Array) -> Worth:
        """ln u with a smooth minimum, and its derivatives: what a climb follows. Also where a gain is negative.

        At the best point several objectives have the least share, and along the ridge where they are equal a slope of
        one of them leads nowhere.
        """
        total, by_mean, by_sd = self.log_chance(mu, sd)
        further = [lam[..., k] if self.rays else 0.0 for k in range(self.m)]
        pairs = zip(self.objectives, further, strict=True)
        gains, slopes = zip(*(_log_gain(each, mu[each.outcome], more) for each, more in pairs), strict=True)
        shares = np.stack(gains, axis=-1) - np.log(lam)
        least = shares.min(axis=-1, keepdims=True)
        weight = np.exp((least - shares) / SMOOTH)
        sums = weight.sum(axis=-1)
        for k, each in enumerate(self.objectives):
            moved, before = self.power * weight[..., k] / sums * slopes[k], by_mean[each.outcome]
            by_mean[each.outcome] = moved if before is None else before + moved
        return Worth(total + self.power * (least[..., 0] - SMOOTH * np.log(sums)), by_mean, by_sd)

    def log_chance(self, mu: Sequence[Array], sd: Sequence[Array | None]) -> Worth:
        """ln of the chance that all limits hold, and its derivatives."""
        by_mean: list[Array | None] = [None] * self.outcomes
        by_sd: list[Array | None] = [None] * self.outcomes
        total = np.zeros(np.shape(mu[0]))
        for limit in self.limits:
            k = limit.outcome
            own, by_mean[k], by_sd[k] = _log_between(limit, mu[k], sd[k])
            total = total + own
        return Worth(total, by_mean, by_sd)


def _log_gain(objective: Objective, mu: Array, further: Array | float) -> tuple[Array, Array]:
    """ln g, from so much further than the reference, and its slope; below SMALL it goes on in a straight line.

    So there is a slope where nothing is gained, too.
    """
    y, slope = objective.curve(mu)
    gain = objective.reference + further - y
    at_least = np.maximum(gain, SMALL)
    return np.log(at_least) + np.minimum(gain / SMALL - 1.0, 0.0), -slope / at_least


def directions(m: int, n: int, rng: np.random.Generator) -> Array:
    """n (a power of two) directions of the positive sphere (n, m), spread evenly; of one objective, ones."""
    if m == 1:
        return np.ones((n, 1))
    points = qmc.Sobol(m - 1 if m < 4 else m, scramble=True, rng=rng).random_base2(n.bit_length() - 1)
    if m > 3:
        found = np.abs(ndtri(np.clip(points, LEAST, 1.0 - LEAST)))
        return np.asarray(np.maximum(found / np.linalg.norm(found, axis=1, keepdims=True), LEAST))
    angle = 0.5 * pi * points[:, 0]
    found = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if m == 3:
        height = points[:, 1:]  # by Archimedes, the height on a sphere is uniform
        found = np.hstack([np.sqrt(1.0 - height**2) * found, height])
    return np.asarray(np.maximum(found, LEAST))


def _edges(limit: Between, mu: Array, sd: Array | None) -> tuple[Array, Array, Array]:
    """s, and how many of it the limits are above μ."""
    assert sd is not None
    s = np.maximum(np.hypot(sd, limit.soft) if limit.soft else sd, TINY)
    with np.errstate(over="ignore"):
        return s, np.clip((limit.low - mu) / s, -FAR, FAR), np.clip((limit.high - mu) / s, -FAR, FAR)


def _between(limit: Between, mu: Array, sd: Array | None) -> Array:
    """P(low ≤ c ≤ high)."""
    _, low, high = _edges(limit, mu, sd)
    if limit.low == -inf:
        return np.asarray(ndtr(high))
    return np.asarray(ndtr(-low) if limit.high == inf else ndtr(high) - ndtr(low))


def _log_between(limit: Between, mu: Array, sd: Array | None) -> tuple[Array, Array, Array]:
    """ln P(low ≤ c ≤ high), also where P is beyond a float, and its derivatives by μ and s."""
    s, low, high = _edges(limit, mu, sd)
    if limit.low == -inf:
        ln_p = log_ndtr(high)
    elif limit.high == inf:
        ln_p = log_ndtr(-low)
    else:  # the side on which both tails are small, so that their difference is exact
        side = np.where(low + high > 0.0, -1.0, 1.0)
        upper, lower = log_ndtr(np.where(side > 0.0, high, -low)), log_ndtr(np.where(side > 0.0, low, -high))
        ln_p = upper + np.log1p(-np.exp(np.minimum(lower - upper, -TINY)))
    at_low, at_high = (np.exp(np.minimum(-0.5 * x * x - HALF_LOG - ln_p, LARGE)) for x in (low, high))
    by_s = (low * at_low - high * at_high) / s
    return np.asarray(ln_p), (at_low - at_high) / s, by_s * (np.asarray(sd) / s) if limit.soft else by_s
