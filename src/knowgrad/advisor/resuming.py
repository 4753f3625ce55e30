"""Runs that were paused, as points to try: continuing one costs the rest only.

    max_k max_s KG(x_k, s) / (c(x_k, s) − c(x_k, s_k))   against   KG(z) / c(z)

k runs over the paused runs, s_k is where each stands, s the fidelities beyond. Each point z of a batch gives way to the
rest of a run that is worth more per cost, given that the other points return their posterior means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from knowgrad.acquisition.methods.qkg import QKG
from knowgrad.acquisition.problem import Answer, Cost, Question
from knowgrad.acquisition.search.batch import Average
from knowgrad.acquisition.search.greedy import believe
from knowgrad.acquisition.search.sequential import one_point_kg
from knowgrad.acquisition.search.worth import fresh, true_value
from knowgrad.advisor.moment import Moment
from knowgrad.advisor.prices import LEAST
from knowgrad.gp.linalg import Array
from knowgrad.space.looks.fidelity import has_curves, traced_parameter
from knowgrad.trial import Trial

LEVELS = 8  # fidelities at which the rest of a run is valued
SAMPLES = 128  # of the results of a batch that continues runs


@dataclass(frozen=True, eq=False)
class Rest:
    """Points further along a run (k, D), and what getting there costs from where it stands (k,)."""

    trial: Trial
    rows: Array
    left: Array

    def best(self, kg: Average) -> tuple[float, int]:
        """The largest value per cost, and which of the points has it."""
        rates = kg.value(self.rows[:, None]) / self.left
        return float(rates.max()), int(np.argmax(rates))


def rest_of_run(moment: Moment, trial: Trial, here: float, end: float, cost: Cost) -> Rest:
    """What is left of a run that stands at one fidelity and may go on to another."""
    name = traced_parameter(moment.space)
    kind, column = moment.space.parameters[name], moment.space.columns[name]
    ends = [float(kind.place(kind.position(at))[..., 0]) for at in (here, end)]
    places = np.linspace(ends[0], ends[1], LEVELS + 1)[1:]
    start, *steps = moment.space.encode_many([{**trial.params, name: here}] + [dict(trial.params)] * LEVELS)
    rows = np.array(steps)
    rows[:, column] = places[:, None]
    rows = np.unique(moment.space.snap(rows), axis=0)
    beyond = rows[:, column.start] > start[column.start]
    rows = rows[beyond] if beyond.any() else rows
    price = np.asarray(cost.value(rows))
    return Rest(trial, rows, np.maximum(price - float(cost.value(start[None])[0]), LEAST * price))


def paused_runs(moment: Moment, cost: Cost) -> list[Rest]:
    """The rest of every run that was paused before the target and that nobody has continued."""
    paused = [trial for trial in moment.trials if trial.paused and trial.state == "complete"]
    if not paused or not has_curves(moment.space):
        return []
    name, gone = traced_parameter(moment.space), ("expired", "discarded")
    taken = {trial.continues for trial in moment.trials if trial.state not in gone}
    end = moment.space.parameters[name].target  # type: ignore[attr-defined]
    open_ = [trial for trial in paused if trial.number not in taken and trial.params[name] < end]
    rests = [rest_of_run(moment, trial, trial.params[name], end, cost) for trial in open_]
    return [each for each in rests if moment.space.contains(each.rows).all()]


@dataclass(frozen=True, eq=False)
class Resumed:
    """A batch, the numbers of the runs that its points continue, and what it costs."""

    answer: Answer
    continues: tuple[int | None, ...]
    cost: float


def resumed(moment: Moment, question: Question, answer: Answer, cost: Cost) -> Resumed | None:
    """The batch with points in whose place a paused run is to be continued; None if there is none."""
    domain = question.domain
    runs = [each for each in paused_runs(moment, cost) if domain.contains(domain.snap(each.rows)).all()]
    if not runs or question.ties:
        return None
    plain = replace(question, cost=None)
    sets, _ = QKG().prepare(plain, moment.rng(9))
    Z, numbers, paid = answer.Z.copy(), [None for _ in answer.Z], cost.value(answer.Z)
    value, sem = answer.value, answer.sem
    for i in range(len(Z)):
        model = believe(plain.model, plain.noise, np.vstack([plain.pending, np.delete(Z, i, axis=0)]))
        kg = one_point_kg(plain, sets, model)
        found = _better(runs, kg, float(kg.value(Z[i : i + 1][None])[0] / paid[i]))
        if found is None:
            continue
        rest, k = found
        runs.remove(rest)
        Z[i], numbers[i], paid[i] = rest.rows[k], rest.trial.number, rest.left[k]  # type: ignore[call-overload]
        if len(Z) == 1:
            value, sem = float(kg.value(Z[None])[0]), 0.0
    if len(Z) > 1 and any(number is not None for number in numbers):
        value, sem = true_value(plain, sets, Z, fresh(plain, SAMPLES, moment.rng(10)))
    return Resumed(Answer(Z, value, sem), tuple(numbers), float(paid.sum()))


def _better(runs: Sequence[Rest], kg: Average, rate: float) -> tuple[Rest, int] | None:
    """The run, and the point along it, that is worth most per cost, if that is more than this rate."""
    best = max(((each.best(kg), each) for each in runs), key=lambda pair: pair[0][0], default=None)
    return None if best is None or best[0][0] <= rate else (best[1], best[0][1])
