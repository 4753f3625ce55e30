"""The next batch where several outcomes count: points, and what to measure at each.

As for one outcome: first the starting design, at which everything is measured, then q-KG. With one objective and no
limit that could bind, it is the batch of the plain study of that objective.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from knowgrad.acquisition.criteria.noise_bound import Scaled
from knowgrad.acquisition.methods.several import SeveralQKG
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.several import SeveralAnswer, SeveralQuestion
from knowgrad.acquisition.ties import beside
from knowgrad.advisor.about import about
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.several.parts import Parts, waiting
from knowgrad.advisor.several.wishes import betweens, binding, utility_of
from knowgrad.advisor.start.far import far, unrepeated
from knowgrad.advisor.start.starting import starting_points
from knowgrad.advisor.suggest import NUMERICAL, Asked, gain, suggest
from knowgrad.advisor.threads import one_thread
from knowgrad.advisor.tying import elsewhere, tied_rows, ties_of
from knowgrad.gp.laplace import least_share
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Noise
from knowgrad.space import Params
from knowgrad.space.domain import Domain
from knowgrad.trial import Gain, Suggestion, Trial

SCREEN = 256  # points at which it is seen whether a limit might bind
AUTO = "auto"
Mask = NDArray[np.bool_]


@one_thread
def suggest_several(
    moment: Moment,
    parts: Parts,
    q: int,
    *,
    last: bool = False,
    given: Params | None = None,
    shared: Mapping[str, int] | None = None,
    measure: str | tuple[str, ...] | None = None,
) -> Suggestion:
    """q points to try next; `measure`: what to measure there, None for everything, "auto" for what pays best.

    `given` are values that they are to have, `shared` how many different values of a parameter they may have.
    """
    subject, everything = about(moment, given), measure is None or len(parts.names) == 1
    domain, ties = subject.domain(moment), ties_of(moment, shared or {})
    parts = parts.within(subject, domain)
    rest = starting_points(domain, moment)[:q]
    if everything and (len(rest) == q or is_plain(parts, domain, moment.rng(5))):
        return suggest(parts.first, q, last=last, given=given, shared=shared)
    start = tied_rows(rest, domain, ties, moment.data.points, moment.rng(4))
    forced = measure if isinstance(measure, tuple) else None
    if len(start) == q:
        params = tuple(moment.space.decode(u) for u in start)
        return Suggestion(params, ("start",) * q, measures=(forced,) * q if forced else ())
    asked = Asked(moment, domain, None, start, beside(ties, start), q - len(start), last)
    points, masks, sources, worth = _proposed(asked, parts, measure)
    U, every = np.vstack([start, points]), np.vstack([_start_masks(parts, forced, len(start)), masks])
    params = tuple(moment.space.decode(u) for u in U)
    measures = tuple(_names(parts, mask) for mask in every)
    gain, sem = worth or (None, None)
    told = measures if any(measures) else ()
    return Suggestion(params, ("start",) * len(start) + sources, gain, sem, measures=told)


@one_thread
def gain_several(moment: Moment, parts: Parts, q: int, given: Params | None = None) -> Gain:
    """How much better q more points make what is best: in the objective's units, or in hypervolume of the front."""
    parts.check_results("gain")
    subject = about(moment, given)
    domain = subject.domain(moment)
    parts = parts.within(subject, domain)
    if is_plain(parts, domain, moment.rng(5)):
        return gain(parts.first, q, given)
    rng, asked = moment.rng(1), Asked(moment, domain, None, np.empty((0, domain.dim)), (), q, True)
    question = question_of(asked, parts, np.ones((1, len(parts.names)), bool), np.ones(1), rng)
    answer = SeveralQKG().propose(question, rng)
    return Gain(*_worth(parts, answer), q)


def is_plain(parts: Parts, domain: Domain, rng: np.random.Generator) -> bool:
    """Is there one objective, and no limit that could bind?"""
    if len(parts.objectives) > 1:
        return False
    if not parts.limits:
        return True
    if not parts.have_results:
        return False
    U = np.vstack([domain.sample(SCREEN, rng), parts.tried])
    return not binding(parts, betweens(parts, parts.limits), U)


def question_of(asked: Asked, parts: Parts, options: Mask, costs: Array, rng: np.random.Generator) -> SeveralQuestion:
    """For the points that are asked for, beside those that are running and those of the start."""
    moment, domain, start, last = asked.moment, asked.domain, asked.start, asked.last
    where = parts.first.model.searched(domain)
    spread = domain.sample(SCREEN, rng)
    limits = binding(parts, betweens(parts, parts.limits), np.vstack([spread, parts.tried]))
    utility = utility_of(parts, limits, where, spread)
    noises = [_noise(part, last) for part in parts.each.values()]
    models, known = [fit.model for fit in parts.fits], None if parts.where is None else parts.tried
    pending, running = moment.data.at("pending"), waiting(moment.trials, parts.names)
    here = parts.inside(trial for trial in moment.trials if trial.state == "pending")
    if not here.all():  # what cannot be recommended in the context: what it will tell counts, as its mean
        away = [pending[~here & running[:, k]] for k in range(len(models))]
        models = [believe(*each) if len(each[2]) else each[0] for each in zip(models, noises, away, strict=True)]
    pending = np.vstack([pending[here], start])
    running = np.vstack([running[here], np.ones((len(start), len(models)), bool)])
    told = pending, running, asked.q, options, costs, last, asked.ties, known
    return SeveralQuestion(models, noises, utility, where, *told)


def _noise(part: Moment, last: bool) -> list[Noise]:
    """Of a measurement; if it is learned, at its lower bound, as `qkg` has it."""
    fit = part.model
    share = 1.0 if last else least_share(fit.observed, fit.known, part.noise_interval)
    return list(fit.noise) if share == 1.0 else [Scaled(noise, share) for noise in fit.noise]


def _proposed(
    asked: Asked, parts: Parts, measure: str | tuple[str, ...] | None
) -> tuple[Array, Mask, tuple[str, ...], tuple[float, float] | None]:
    """Points besides the start, what to measure there, where they come from, and what they are worth."""
    moment, domain, start, ties, q = asked.moment, asked.domain, asked.start, asked.ties, asked.q
    rng = moment.rng(2)
    counted = [trial.state != "discarded" for trial in moment.trials]
    taken = np.vstack([moment.data.points[counted], start])
    forced = measure if isinstance(measure, tuple) else None

    def anywhere(why: str) -> tuple[Array, Mask, tuple[str, ...], tuple[float, float] | None]:
        rows = tied_rows(far(domain, taken, q, rng), domain, ties, taken, rng)
        return rows, _start_masks(parts, forced, q), (why,) * q, None

    if not parts.have_results:
        return anywhere("random: no result of every outcome to learn from yet")
    options, costs = _options(moment, parts, measure)
    try:
        ties = elsewhere(ties, domain, q, taken, moment.rng(5))
        question = question_of(replace(asked, ties=ties), parts, options, costs, rng)
        answer = SeveralQKG().propose(question, rng)
    except NUMERICAL as error:
        return anywhere(f"random: the model failed ({error})")
    if not np.isfinite(answer.Z).all():
        return anywhere("random: the model's answer was not finite")
    Z, measured = answer.Z, answer.measured
    if all(fit.exact_at(Z) for fit in parts.fits):
        if measured.all():
            Z = unrepeated(domain, taken, Z, rng, ties)
        elif not ties:
            had = [_has(parts, trial) for trial in moment.trials if trial.state != "discarded"]
            Z, measured = _news(domain, taken, np.vstack([*had, _start_masks(parts, forced, len(start))]), answer, rng)
    return Z, measured, ("qkg",) * q, _worth(parts, answer)


def _has(parts: Parts, trial: Trial) -> Mask:
    """Which outcomes a trial has or will have; a failed one is not asked for any again."""
    names = {*trial.outcomes, *(trial.measure or parts.names)} if trial.state == "pending" else {*trial.outcomes}
    return np.array([trial.state == "failed" or name in names for name in parts.names])


def _news(
    domain: Domain, taken: Array, had: Mask, answer: SeveralAnswer, rng: np.random.Generator
) -> tuple[Array, Mask]:
    """Points of exact results, and of what is to be measured there what was not; others where nothing is left."""
    Z, measured = answer.Z.copy(), answer.measured.copy()
    for i, asked in enumerate(answer.measured):
        measured[i] &= ~had[(taken == Z[i]).all(axis=1)].any(axis=0)
        if not measured[i].any():
            Z[i], measured[i] = unrepeated(domain, taken, Z[i : i + 1], rng, ())[0], asked
        taken, had = np.vstack([taken, Z[i]]), np.vstack([had, measured[i]])
    return Z, measured


def _options(moment: Moment, parts: Parts, measure: str | tuple[str, ...] | None) -> tuple[Mask, Array]:
    """The sets of outcomes that may be measured at a point, and their costs: everything, and each alone."""
    K, costs = len(parts.names), dict(moment.settings.costs)
    each = np.array([costs.get(name, 1.0) for name in parts.names])
    if measure == AUTO and K > 1:
        options = np.vstack([np.ones((1, K), bool), np.eye(K, dtype=bool)])
    else:
        options = _start_masks(parts, measure if isinstance(measure, tuple) else None, 1)
    return options, options @ each


def _start_masks(parts: Parts, forced: tuple[str, ...] | None, n: int) -> Mask:
    row = [forced is None or name in forced for name in parts.names]
    return np.tile(np.array(row, dtype=bool), (n, 1))


def _names(parts: Parts, mask: Mask) -> tuple[str, ...] | None:
    """What to measure by name; None for everything."""
    return None if mask.all() else tuple(name for name, asked in zip(parts.names, mask, strict=True) if asked)


def _worth(parts: Parts, answer: SeveralAnswer) -> tuple[float, float]:
    """In user units: those of the one objective, or the product of all."""
    if len(parts.objectives) > 1:
        return answer.value, answer.sem
    units = parts.first.model.units
    return units.difference(answer.value), units.difference(answer.sem)
