"""From a state to a study, and from the study to what it answers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

import knowgrad as kg
from tests.recorded.problems import PROBLEMS, Params, Problem, Unit
from tests.recorded.states import State

RADIUS = 0.05  # standard deviation of points near the best one, in shares of a parameter's range
EDGE = 0.8  # trials fail where the first parameter is in the rest of its range, from here to 1

Answers = dict[str, Any]


@dataclass(frozen=True)
class Points:
    """Points of a problem that its space allows, each drawn until it is one."""

    problem: Problem
    space: kg.Space
    rng: np.random.Generator

    def uniform(self, first: float = 0.0) -> Unit:
        """A point whose first number is at least this."""
        while True:
            u = self.rng.random(len(self.problem.parameters))
            u[0] = first + (1.0 - first) * u[0]
            if self._is_allowed(u):
                return u

    def near(self, center: Unit) -> Unit:
        while True:
            u = np.clip(center + RADIUS * self.rng.standard_normal(len(center)), 0.0, 1.0)
            if self._is_allowed(u):
                return u

    def _is_allowed(self, u: Unit) -> bool:
        try:
            self.space.validate(self.problem.params(u))
        except kg.errors.SpaceError:
            return False
        return True


def study_of(state: State) -> kg.Study:
    """The study in this state, in memory; some results are meant to be suspicious."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kg.errors.SuspiciousResultWarning)
        return _made(state)


def _made(state: State) -> kg.Study:
    """The name of the state is the seed of all that is drawn."""
    seed, problem = crc32(state.name.encode()), PROBLEMS[state.problem]
    options = {"direction": state.direction, "noise": state.noise, "method": state.method, "fit": state.fit}
    space = problem.space()
    study = kg.Study(space, seed=seed, **options)
    points = Points(problem, space, np.random.default_rng(seed))
    _add_results(study, state, points)
    for _ in range(state.failed):
        study.fail(_handed_out(study, problem.params(points.uniform(EDGE))), "it broke")
    for _ in range(state.expired):
        study.expire(_handed_out(study, problem.params(points.uniform())))
    for _ in range(state.pending):
        _handed_out(study, problem.params(points.uniform()))
    for _ in range(state.queued):
        study.enqueue(problem.params(points.uniform()))
    return study


def answers(state: State) -> Answers:
    """What the study recommends and expects of q more points, and then the points it hands out."""
    study = study_of(state)
    found: Answers = {}
    if study.best is not None:
        use, gain = study.recommend(), study.gain(state.q)
        found["recommend"] = {"params": use.params, "mean": use.mean, "sd": use.sd}
        found["gain"] = [float(gain), gain.sem]
    batch = study.ask(state.q, last=state.last)
    found["batch"] = [dict(trial.params) for trial in batch]
    found["sources"] = [trial.source for trial in batch]
    if (gain := study.last_gain) is not None:
        found["last_gain"] = [float(gain), gain.sem]
    return found


def spread(state: State) -> float:
    """The standard deviation of the results in the middle: of those between the quartiles, as if they were normal."""
    values = [trial.value for trial in study_of(state).trials if trial.value is not None]
    low, high = np.percentile(values, [25, 75]) if values else (0.0, 0.0)
    return float(high - low) / 1.349


def _add_results(study: kg.Study, state: State, points: Points) -> None:
    """Results at uniform points, near the best of these, and at some of them again; half of them added, half told."""
    formula, sign = points.problem.formula, 1 if state.direction == "minimize" else -1
    n_near = round(state.near * state.n)
    places = [points.uniform() for _ in range(state.n - n_near - state.repeats)]
    if n_near:
        best = min(places, key=lambda u: sign * formula(points.problem.params(u)))
        places += [points.near(best) for _ in range(n_near)]
    places += places[: state.repeats]
    for k, u in enumerate(places):
        params = points.problem.params(u)
        error, factor = state.sd * points.rng.standard_normal(), np.exp(state.ratio * points.rng.standard_normal())
        value = float(formula(params) * factor + error)
        sem = state.sd if state.sem and k % state.sem == 0 else None
        if k % 2:
            study.tell(_handed_out(study, params), value, sem)
        else:
            study.add(params, value, sem)


def _handed_out(study: kg.Study, params: Params) -> kg.Trial:
    study.enqueue(params)
    return study.ask(1)[0]
