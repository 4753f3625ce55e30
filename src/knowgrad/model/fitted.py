"""From results to a model: what they say, where that leaves to search, and the units to answer in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowgrad.gp.fit import HASTY, Effort, fit, usual_effort
from knowgrad.gp.likelihood import Groups
from knowgrad.gp.linalg import PSEUDO_NUGGET, Array
from knowgrad.gp.posterior import Model, Noise, Posterior, is_exact
from knowgrad.gp.prior import BOLD, Prior
from knowgrad.gp.sample import sample
from knowgrad.model.data import Data, known_sd, taken_in
from knowgrad.model.failures import Failing, penalized
from knowgrad.model.noise import NoiseFunction
from knowgrad.model.offsets import Offsets, offsets
from knowgrad.model.robust import counted, robust
from knowgrad.model.scaling import Units
from knowgrad.model.select import Kind
from knowgrad.model.sources import by_source
from knowgrad.model.traces import traced
from knowgrad.space import Space, graded
from knowgrad.space.domain import Domain
from knowgrad.space.restricted import Avoiding, moved_inside
from knowgrad.trial import Settings, Trial, value_of

SEARCHED, SAFE = 0.5, 0.3  # where points are looked for and recommended, failing is no likelier than this
DRAWS = 8  # of the hyperparameters, for fit="bayes"
FEW = 256  # results of a table, up to which the bold prior is averaged with the usual one
LIMIT = 1_000  # trials that a model takes in; of more, a subset
MORE = 20  # of so many trials beyond, the subset has one more


@dataclass(frozen=True, eq=False)
class Fitted:
    """Posteriors, the noise that a measurement would have under each, and the units to answer in.

    `observed` knows the completed trials only: `done`, all of them or of very many a subset, with their `known` noise
    variances, nan where learned. In `model` failed trials have made their surroundings less attractive. Pending trials
    are no part of it.
    """

    done: Sequence[Trial]
    known: Array
    observed: Model
    model: Model
    noise: Sequence[Noise]
    units: Units
    failing: Failing | None = None
    risk: float = 0.0
    """Of failing, where a trial failed: the largest, as the other trials see it."""
    said_exact: bool = False
    """The user says that measurements have no noise, whatever the standard errors of single results."""
    bias: Offsets | None = None
    """By how much results differ from what is modelled, in user units: none where one decides."""
    bold: tuple[tuple[Posterior, Noise], ...] = ()
    """The posterior under the bold prior, of a table: only what to try next is chosen with it."""

    def exact_at(self, U: Array) -> bool:
        """A second measurement at the rows of U would tell nothing."""
        return self.said_exact or is_exact(self.noise, U)

    def is_tried(self, u: Array) -> bool:
        """Is there a result at the point u (D,)?"""
        return bool((u == self.observed[0].X).all(axis=1).any())

    def searching(self) -> Fitted:
        """Averaged with the bold posterior, where there is one."""
        posts, noise = [post for post, _ in self.bold], [noise for _, noise in self.bold]
        return replace(self, model=[*self.model, *posts], noise=[*self.noise, *noise], bold=())

    def predict(self, U: Array) -> tuple[Array, Array]:
        """Mean and standard deviation of f at the rows of U, in user units."""
        mean, sd = self.units.predictions(*mean_and_sd(self.model, U))
        return (mean if self.bias is None else mean + self.bias(U)), sd

    def searched(self, space: Domain) -> Domain:
        """Where to look for points to try: the space without where failing is likely."""
        return self._without_failures(space, SEARCHED)

    def safe(self, space: Domain) -> Domain:
        """Where a recommendation may lie."""
        return self._without_failures(space, SAFE)

    def _without_failures(self, space: Domain, limit: float) -> Domain:
        if self.failing is not None and self.risk > limit:
            return Avoiding(space, self.failing.chance, limit, moved_inside(space, self.observed[0].X))
        return space


def fitted(
    space: Space, data: Data, settings: Settings, how: str, *, linear: bool = False, effort: Effort | None = None
) -> Fitted:
    """The model of the completed trials; at least one is needed. `linear`: of their values as they are."""
    done, X, failed = taken_in(traced(data, space), space.groups, settings.direction, room(len(data.trials), how))
    values = np.array([value_of(trial) for trial in done])
    bias = offsets(space, X, values)
    values = values - bias(X) if len(bias.weights) else values
    sd = np.array([known_sd(trial, settings.noise) for trial in done])
    alike = any(trial.curve for trial in data.trials)  # steps of one curve: fewer of them say as much
    usually = HASTY if alike else usual_effort(len(done))
    kind = kind_of(space, settings)._replace(linear=linear, effort=effort or usually, curves=alike)
    (units, kernel, post), wrong = robust(X, values, sd, space.groups, settings.direction, how, kind)
    sd = np.full_like(sd, np.nan) if not sd.any() and post.noise > 0.0 else sd  # detail that counts as noise
    known = units.variance(sd, values)
    kept = np.delete(np.arange(len(done)), wrong)
    if (apart := None if how == "mle" else by_source(space, post, known[kept])) is not None:
        post, known[kept] = apart.posterior, apart.known
    posts = [post]
    if how == "bayes":
        rng = np.random.default_rng([settings.seed, len(done)])
        posts = sample(post.X, post.y, known[kept], space.groups, Prior(), DRAWS, rng, kernel)
    usual = len(posts)
    if how == "map" and is_table(space) and len(post.X) <= FEW:
        posts.append(_bold(post, known[kept], space.groups))
    if wrong:  # they come last
        posts = [counted(post, units, X[wrong], values[wrong], sd[wrong]) for post in posts]
        order = [*kept, *wrong]
        done, known = [done[i] for i in order], known[order]
    if callable(settings.noise):
        noise: list[Noise] = [NoiseFunction(space, settings.noise, units)] * len(posts)
    else:
        noise = [post.constant_noise if apart is None else apart.noise(post) for post in posts]
    model, failing, risk = posts, None, 0.0
    if len(failed):
        failing = Failing.fit(X, failed, space.groups)
        p = failing.others()[len(X) :]
        model, risk = [penalized(post, failed, p) for post in posts], float(p.max())
    bold, observed = tuple(zip(model[usual:], noise[usual:], strict=True)), posts[:usual]
    model = observed if failing is None else model[:usual]
    said_exact = settings.noise == 0
    return Fitted(done, known, observed, model, noise[:usual], units, failing, risk, said_exact, bias, bold)


def further(found: Fitted, space: Space, data: Data, settings: Settings) -> Fitted:
    """The same model once more is known: completed trials that have no say in hyperparameters and units."""
    X, values = data.points, np.array([value_of(trial) for trial in data.trials])
    sd = np.array([known_sd(trial, settings.noise) for trial in data.trials])
    y = found.units.standardise(values if found.bias is None else values - found.bias(X))
    known = found.units.variance(sd, values)

    def after(posts: Model) -> list[Posterior]:
        noises = [np.where(np.isnan(known), noise(X)[0], known) for noise in found.noise]
        return [
            post.condition(X, np.maximum(each, PSEUDO_NUGGET * post.s2), y)
            for post, each in zip(posts, noises, strict=True)
        ]

    done, observed = [*found.done, *data.trials], after(found.observed)
    model = observed if found.model is found.observed else after(found.model)
    return replace(found, done=done, known=np.append(found.known, known), observed=observed, model=model)


def is_table(space: Space) -> bool:
    """Are there choices, and nothing that is continuous or of several fidelities or sources?"""
    return bool(space.choices) and math.isfinite(space.size) and not graded(space.parameters)


def _bold(post: Posterior, known: Array, groups: Groups) -> Posterior:
    """The same results under the bold prior, exact where they are exact in `post`."""
    known = known if post.noise > 0.0 else np.nan_to_num(known)
    return fit(post.X, post.y, known, groups, BOLD, post.kernel, post)


def kind_of(space: Space, settings: Settings) -> Kind:
    """What is known of results beforehand."""
    limits = tuple(limit.bound for limit in settings.limits)
    kin = bool(graded(space.parameters))
    return Kind(parameters=space.n_params, kin=kin, choices=space.choices, described=space.described, limits=limits)


def room(n: int, how: str) -> int:
    """How many of n trials a model takes in; draws of the hyperparameters cost too much for more than LIMIT."""
    return LIMIT if how == "bayes" else LIMIT + max(n - LIMIT, 0) // MORE


def mean_and_sd(model: Sequence[Posterior], U: Array) -> tuple[Array, Array]:
    """Of f at the rows of U, under the mixture of posteriors: the average mean; the average variance plus the spread of
    the means."""
    means = np.array([post.mean(U) for post in model])
    variances = np.array([post.var(U) for post in model])
    return means.mean(axis=0), np.sqrt(variances.mean(axis=0) + means.var(axis=0))
