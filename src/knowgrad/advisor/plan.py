"""A plan for a budget: searches played through under the model, with batches of each size (`acquisition/rollout`).

A batch of q points costs setup + q · each. Larger batches buy more points and fewer chances to learn from them. Both
count, over the whole budget and not the next batch alone: so the searches are played to its end. Draws of the
hyperparameters take turns, because what is unknown of them decides how much there is to gain.

Results that are all of one sign are taken not to change it: durations, errors and concentrations have a zero, which a
Gaussian process does not know.

Sizes that differ by less than a twentieth cannot be told apart by a model that may be wrong. Small batches trust it
that few points are enough, large ones that it is right already. The plan takes the middle one of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from knowgrad.acquisition.problem import Question
from knowgrad.acquisition.rollout import fantasy
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.starts import starts
from knowgrad.advisor.about import about
from knowgrad.advisor.evidence import CAUTION
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.planned import REST, Plan, PlanOption
from knowgrad.advisor.recommend import recommend
from knowgrad.advisor.suggest import gain, running
from knowgrad.advisor.threads import one_thread
from knowgrad.checked import count, real
from knowgrad.errors import ArgumentError
from knowgrad.gp.linalg import Array
from knowgrad.model.fitted import Fitted
from knowgrad.space import Params
from knowgrad.text import shown
from knowgrad.trial import Settings, value_of

SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
JOINT = 16  # points that are valued together at most
SEARCHES = 256  # that are played through for each size
MOST = 256  # points of such a search; what comes later adds nothing
LARGEST = 10_000  # points that a budget may buy
ALIKE = 0.05  # gains that differ by less, relative to the largest, are not told apart
LITTLE = 0.005  # of the spread of all results: a gain below this is next to nothing


def checked_plan(budget: object, setup: object, each: object, sizes: object) -> tuple[float, float, float, list[int]]:
    """What a plan is asked for: budget and costs in one unit, and the batch sizes that the budget allows."""
    cost = real(each, "each")
    if not 0.0 < cost < math.inf:
        raise ArgumentError(
            f"each: expected the cost of a point, finite and above 0, got {shown(each)}; pass each=1, say"
        )
    first = real(setup, "setup")
    if not 0.0 <= first < math.inf:
        raise ArgumentError(f"setup: expected the cost of a batch, finite and at least 0, got {shown(setup)}; pass 0")
    money = real(budget, "budget")
    if not first + cost <= money < math.inf:
        raise ArgumentError(
            f"budget: expected a finite number of at least setup + each = {first + cost:g}, which a batch of one point "
            f"costs, got {shown(budget)}; pass more"
        )
    if money > LARGEST * cost:
        raise ArgumentError(
            f"budget: expected what buys at most {LARGEST:,} points at {cost:g} each, got {shown(budget)}; pass less"
        )
    if sizes is None:
        wanted: list[int] = list(SIZES)
    elif isinstance(sizes, Sequence) and not isinstance(sizes, str) and len(sizes):
        wanted = sorted({count(q, "sizes") for q in sizes})
    else:
        raise ArgumentError(f"sizes: expected a list of batch sizes, got {shown(sizes)}; pass [1, 4, 16], say")
    allowed = [q for q in wanted if first + q * cost <= money * (1 + 1e-12)]
    if not allowed:
        raise ArgumentError(f"sizes: expected one that the budget of {money:g} allows, got {wanted}; pass smaller ones")
    return money, first, cost, allowed


def batches_for(q: int, budget: float, setup: float, each: float) -> tuple[int, ...]:
    """As many batches of q as the budget buys, and a smaller one with what is left."""
    whole = math.floor(budget / (setup + q * each) * (1 + 1e-12))
    left = math.floor((budget - whole * (setup + q * each) - setup) / each * (1 + 1e-12))
    whole = max(whole, 0 if left >= 1 else 1)
    return (q,) * whole + ((min(left, q),) if left >= 1 else ())


@one_thread
def plan(
    moment: Moment, budget: float, setup: float, each: float, sizes: Sequence[int], given: Params | None = None
) -> Plan:
    """At least one trial must be complete."""
    subject = about(moment, given)
    if (inner := subject.inside(moment)) is not None:
        return plan(inner, budget, setup, each, sizes)
    found = replace(moment, settings=_open_minded(moment)).model
    sign, spread = found.units.sign, found.units.difference(1.0)
    now = sign * recommend(moment, given).mean / spread  # in spreads: sums and squares of gains are numbers then
    least = 0.0 if all(sign * value_of(trial) > 0.0 for trial in found.done) else -math.inf
    batches = [batches_for(q, budget, setup, each) for q in sizes]
    options, worths = [], []
    for q, parts, values in zip(sizes, batches, _played(moment, found, given, batches), strict=True):
        gains = np.nan_to_num(now - np.maximum(values[:, 1:], least) / spread, nan=0.0, posinf=0.0, neginf=0.0)
        cost, mean = len(parts) * setup + sum(parts) * each, gains.mean(axis=0).clip(0.0)
        curve, sem = spread * np.maximum.accumulate(mean), spread * float(gains[:, -1].std() / math.sqrt(len(gains)))
        worth = gain(moment, q, given) if q <= JOINT else None
        options.append(PlanOption(q, parts, cost, float(curve[-1]), sem, tuple(curve.tolist()), worth))
        worths.append(float((values[:, 0] - values[:, -1]).mean()))
    chosen = options[_middle(worths)]
    return Plan(budget, setup, each, chosen.q, tuple(options), spread, _stop(chosen.curve, spread))


def _open_minded(moment: Moment) -> Settings:
    """Draws of the hyperparameters, and noise that is learned at the lower end of its interval: few results in many
    dimensions look like noise, and then there would be nothing to gain."""
    settings = replace(moment.settings, fit="bayes")
    if settings.noise != "learned" or moment.model.exact_at(moment.model.observed[0].X[:1]):
        return settings
    return replace(settings, noise=moment.model.units.difference(moment.noise_interval()[0]))


def _played(moment: Moment, found: Fitted, given: Params | None, batches: Sequence[Sequence[int]]) -> list[Array]:
    """For each sequence of batches, the least mean before and after each of them in every search (s, b + 1): in user
    units, less being better."""
    subject, rng = about(moment, given), moment.rng(6)
    domain = subject.domain(moment)
    model, pending = running(moment, found)
    model = believe(model, found.noise, pending)
    where = found.searched(domain)
    question = Question(model, found.noise, where, pending[:0], 1, last=True, target=subject.target)
    begin, M = starts(question, rng), -(-SEARCHES // len(model))
    fantasies = [
        fantasy(question, post, noise, begin, low, M, rng, CAUTION)
        for post, noise, low in zip(model, found.noise, begin.lows, strict=True)
    ]
    eps = rng.standard_normal((len(model), M, MOST))  # the same for all sizes, so that these differ by nothing else
    played = []
    for parts in batches:
        short = _at_most(parts, MOST)
        lows = np.vstack([each.lows(short, noise) for each, noise in zip(fantasies, eps, strict=True)])
        values = found.units.sign * np.array([[found.units.value(low) for low in row] for row in lows.tolist()])
        played.append(values[:, [min(b, len(short)) for b in range(len(parts) + 1)]])
    return played


def _at_most(parts: Sequence[int], points: int) -> list[int]:
    """The first batches, with no more points than these in all."""
    ends = np.minimum(np.cumsum(parts), points)
    return [size for size in np.diff(ends, prepend=0).tolist() if size > 0]


def _middle(gains: Sequence[float]) -> int:
    """Of those that are as good as the best, the middle one, or the first of two."""
    good = [i for i, gain in enumerate(gains) if gain >= max(gains) - ALIKE * abs(max(gains))]
    return good[(len(good) - 1) // 2] if good else 0  # none where results are beyond what numbers can hold


def _stop(curve: Sequence[float], spread: float) -> int:
    """After how many batches next to nothing is left; 0 if all of it is next to nothing."""
    if curve[-1] < LITTLE * spread:
        return 0
    return next(i for i, reached in enumerate(curve, start=1) if reached >= (1.0 - REST) * curve[-1])
