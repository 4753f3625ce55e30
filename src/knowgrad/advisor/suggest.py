"""The next batch: the rest of the starting design, then what the method proposes.

Pure in (trials, seed): no files, no clock, no threads of its own, and one BLAS thread. A numerical failure never
reaches the user: a model that cannot be computed is replaced by points far from those tried, and the trial's source
says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from knowgrad.acquisition.methods import resolve
from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Answer, Question
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.target import Target
from knowgrad.acquisition.ties import Tie, beside
from knowgrad.advisor.about import About, about
from knowgrad.advisor.earlier import HERE, extended, stripped
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.prices import Prices, prices, whole_looks
from knowgrad.advisor.repeating import to_repeat
from knowgrad.advisor.resuming import Resumed, resumed
from knowgrad.advisor.start.far import far, unrepeated
from knowgrad.advisor.start.starting import starting_points
from knowgrad.advisor.threads import one_thread
from knowgrad.advisor.tying import elsewhere, tied_rows, ties_of
from knowgrad.advisor.verifying import VERIFIED, unverified
from knowgrad.gp.laplace import least_share
from knowgrad.gp.linalg import Array
from knowgrad.gp.posterior import Model
from knowgrad.model.fitted import Fitted
from knowgrad.space import Contexts, Params, Space
from knowgrad.trial import Gain, Suggestion

NUMERICAL = (ArithmeticError, np.linalg.LinAlgError)


@one_thread
def suggest(
    moment: Moment,
    q: int,
    *,
    last: bool = False,
    given: Params | None = None,
    shared: Mapping[str, int] | None = None,
    hurried: bool = False,
) -> Suggestion:
    """q points to try next, given every trial so far; `last`: the search ends with them; `hurried`: see `Question`.

    `given` are values that they are to have, `shared` how many different values of a parameter they may have.
    """
    if moment.settings.earlier:
        found = suggest(extended(moment), q, last=last, given={**(given or {}), **HERE}, shared=shared, hurried=hurried)
        return replace(found, params=tuple(map(stripped, found.params)))
    subject = about(moment, given)
    shared = {name: limit for name, limit in (shared or {}).items() if name not in subject.fixed}
    if (inner := subject.inside(moment)) is not None:
        found = suggest(inner, q, last=last, shared=shared, hurried=hurried)
        return replace(found, params=tuple(map(subject.whole, found.params)))
    domain = subject.domain(moment)
    ties = ties_of(moment, shared)
    rest = starting_points(subject.decided_in(moment) if subject.at else domain, moment, subject.at)[:q]
    start = tied_rows(rest, domain, ties, moment.data.points, moment.rng(4))
    sources = ["start"] * len(start)
    if len(start) == q:
        return Suggestion(tuple(moment.space.decode(u) for u in start), tuple(sources))
    if not len(start) and not last and not ties and moment.complete:
        start = _verified(moment, subject, domain)
        sources = [VERIFIED] * len(start)
        if len(start) == q:
            return Suggestion(tuple(moment.space.decode(u) for u in start), tuple(sources))
    asked = Asked(moment, domain, subject.target, start, beside(ties, start), q - len(start), last, hurried)
    answer, source, model, taken_up = _proposed(asked)
    params = tuple(moment.space.decode(u) for u in np.vstack([start, answer.Z]))
    sources += [source] * len(answer.Z)
    continues = () if taken_up is None else (None,) * len(start) + taken_up.continues
    if model is None or (worth := _worth(model, answer)) is None:
        return Suggestion(params, tuple(sources), continues=continues)
    paid = None if asked.prices is None else asked.prices.of(answer.Z)
    paid = paid if taken_up is None else taken_up.cost
    return Suggestion(params, tuple(sources), *worth, cost=paid, continues=continues)


def _verified(moment: Moment, subject: About, domain: Space | Contexts) -> Array:
    """A point at the target that cheap evaluations speak for, if it is time to verify it (k, D)."""
    if not subject.at or not isinstance(resolve(moment.settings.method), QKG):
        return np.empty((0, domain.dim))
    try:
        return unverified(moment, subject, domain, prices(moment, domain))
    except NUMERICAL:
        return np.empty((0, domain.dim))  # the reason is said where the others are chosen


@dataclass(frozen=True, eq=False)
class Asked:
    """What is left to be proposed: q points besides the `start`, which keep the ties with it."""

    moment: Moment
    domain: Space | Contexts
    target: Target | None
    start: Array
    ties: tuple[Tie, ...]
    q: int
    last: bool
    hurried: bool = False

    @cached_property
    def prices(self) -> Prices | None:
        return prices(self.moment, self.domain)


@one_thread
def gain(moment: Moment, q: int, given: Params | None = None) -> Gain:
    """How much better, on average, the recommendation would be after q more points, besides those still running.

    Where it is worth more per cost, a point is the rest of a run that was paused.
    """
    if moment.settings.earlier:
        return gain(extended(moment), q, {**(given or {}), **HERE})
    subject = about(moment, given)
    if (inner := subject.inside(moment)) is not None:
        return gain(inner, q)
    domain = subject.domain(moment)
    found, target = moment.model, subject.target
    costs = prices(moment, domain)
    model, pending = running(moment, found)
    question = Question(model, found.noise, found.searched(domain), pending, q, last=True, target=target)
    question = question if costs is None else replace(question, cost=costs.searched)
    answer = QKG().propose(question, moment.rng(1))
    paid = None if costs is None else costs.of(answer.Z)
    if costs is not None and (taken_up := resumed(moment, question, answer, costs.cost)) is not None:
        answer, paid = taken_up.answer, taken_up.cost
    worth = _worth(found, answer)
    assert worth is not None
    return Gain(*worth, q, paid)


def running(moment: Moment, found: Fitted, start: Array | None = None) -> tuple[Model, Array]:
    """The model and the points that are running (p, D), with those of the `start`.

    A point that is running outside a space that was changed cannot be recommended: what it will tell counts, as its
    posterior mean.
    """
    pending, model = moment.data.at("pending"), found.model
    if moment.space.reaches and not (inside := moment.space.holds(pending)).all():
        model, pending = believe(model, found.noise, pending[~inside]), pending[inside]
    return model, pending if start is None else np.vstack([pending, start])


def _worth(found: Fitted, answer: Answer) -> tuple[float, float] | None:
    """The value of a batch and the standard error of that, in user units; None if the method does not say."""
    if answer.value is None or answer.sem is None:
        return None
    return found.units.difference(answer.value), found.units.difference(answer.sem)


def _proposed(asked: Asked) -> tuple[Answer, str, Fitted | None, Resumed | None]:
    """What the method proposes, its name, the model it used, and which runs it takes up again.

    Far points and the reason if there is no model.
    """
    moment, space, q, ties = asked.moment, asked.domain, asked.q, asked.ties
    rng, settings = moment.rng(2), moment.settings
    counted = [trial.state != "discarded" for trial in moment.trials]  # a discarded point may be tried again
    taken = np.vstack([moment.data.points[counted], asked.start])

    def anywhere() -> Answer:
        return Answer(tied_rows(far(space, taken, q, rng), space, ties, taken, rng))

    if not moment.complete:
        return anywhere(), "random: no result to learn from yet", None, None
    try:
        found = moment.hasty if asked.hurried else moment.model
        bolder = found.searching()
        model, pending = running(moment, bolder, asked.start)
        least = partial(least_share, found.observed, found.known, moment.noise_interval)
        where = found.searched(asked.domain)
        ties = elsewhere(ties, where, q, taken, moment.rng(5))
        cost = None if asked.prices is None else asked.prices.searched
        question = Question(model, bolder.noise, where, pending, q, asked.last, least, asked.target, ties, cost=cost)
        question = replace(question, hurried=asked.hurried, again=_again(asked, found))
        answer = resolve(settings.method).propose(question, rng)
        if asked.prices is not None:
            answer = replace(answer, Z=whole_looks(asked.prices.cost, answer.Z, asked.target, where))
        taken_up = _taken_up(asked, question, answer)
    except NUMERICAL as error:
        return anywhere(), f"random: the model failed ({error})", None, None
    if not np.isfinite(answer.Z).all():
        return anywhere(), "random: the model's answer was not finite", None, None
    if taken_up is not None:
        return taken_up.answer, _name(settings.method), found, taken_up
    if found.exact_at(answer.Z):
        answer = Answer(unrepeated(space, taken, answer.Z, rng, ties), answer.value, answer.sem)
    return answer, _name(settings.method), found, None


def _again(asked: Asked, found: Fitted) -> Array | None:
    """What to measure again, in a plain study where no run fails, unless that is running already."""
    if asked.target is not None or asked.prices is not None or asked.ties or found.failing is not None:
        return None
    point, running = to_repeat(found, asked.moment.space), asked.moment.data.at("pending")
    if not len(point) or (running == point).all(axis=1).any() or not asked.domain.contains(point).all():
        return None
    return point


def _taken_up(asked: Asked, question: Question, answer: Answer) -> Resumed | None:
    """The batch with runs that were paused in the place of some points, if there is any such run worth it."""
    if asked.prices is None or not isinstance(resolve(asked.moment.settings.method), QKG):
        return None
    found = resumed(asked.moment, question, answer, asked.prices.cost)
    return None if found is None or not any(each is not None for each in found.continues) else found


def _name(method: Any) -> str:
    return method if isinstance(method, str) else type(method).__name__
