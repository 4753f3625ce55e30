"""Network trainings that can be stopped: LCBench, emulated, with the seconds that they take as cost.

A training to an epoch reports its accuracy at epochs 1, 2, 4, 8, … and at its last one, or at the rungs of a peer. What
counts is the true accuracy after 52 epochs of what a method recommends, once the seconds it may spend are spent: of a
training that runs on beyond them nothing counts.

    full         q-KG, every training has 52 epochs
    curves       q-KG with a fidelity: it chooses the epochs, and stops a training whose rest is not worth it
    hyperband    Optuna's TPE with its Hyperband pruner (`peers.halving`)
    asha, bohb   those of Syne Tune
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import knowgrad as kg
from benchmarks.peers import halving
from benchmarks.problems.lab import ACCURACY_SD, EPOCHS, LCBENCH, best_accuracy, file_of

TASKS = ("3945", "167168", "189354", "168868")
FULL = 40  # trainings of `full`
MOST = 120  # of `curves`: what is left of the budget then is not spent, which saves minutes
Array = NDArray[np.float64]
Params = dict[str, Any]


@cache
def session(data: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(file_of(data, "lcbench/model.onnx")), options)


@dataclass
class Trainings:
    """One task; evaluation k of a start has the same noise whichever method asks for it."""

    data: Path
    task: str
    start: int
    spent: float = 0.0
    begun: int = 0

    def curve(self, params: Params) -> tuple[Array, Array]:
        """Seconds so far, and true accuracy, after each epoch (52,), (52,)."""
        codes = json.loads(file_of(self.data, "lcbench/encoding.json").read_text(encoding="utf-8"))["OpenML_task_id"]
        row = [params[each.name] for each in LCBENCH]
        x = np.array([[epoch, *row] for epoch in range(1, EPOCHS + 1)], dtype=np.float32)
        given = {"x_cat": np.full((EPOCHS, 1), codes[self.task], dtype=np.int32), "x_cont": x}
        found = np.asarray(session(self.data).run(None, given)[0], dtype=np.float64)
        return np.maximum.accumulate(np.maximum(found[:, 0], 1e-3)), found[:, 1]

    def truth(self, params: Params) -> float:
        return float(self.curve(params)[1][-1])

    def train(
        self, params: Params, epochs: int, at: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    ) -> Iterator[tuple[int, float, float]]:
        """Epoch, accuracy and seconds so far at each report; the seconds are spent as they come."""
        seconds, accuracy = self.curve(params)
        noise = np.random.default_rng([self.start, self.begun]).normal(0.0, ACCURACY_SD, EPOCHS)
        self.begun += 1
        before = 0.0
        for epoch in sorted({*(each for each in at if each < epochs), epochs}):
            self.spent += float(seconds[epoch - 1]) - before
            before = float(seconds[epoch - 1])
            yield epoch, float(accuracy[epoch - 1] + noise[epoch - 1]), before


def space() -> Params:
    kinds: Params = {}
    for each in LCBENCH:
        made = kg.Int(int(each.low), int(each.high), log=each.log) if each.integer else None
        kinds[each.name] = made or kg.Float(each.low, each.high, log=each.log)
    return kinds


def full(trainings: Trainings, budget: float) -> Iterator[float]:
    """The true accuracy of the recommendation after each training; no budget: FULL trainings."""
    study = kg.Study(space(), direction="maximize", seed=trainings.start)
    while trainings.begun < FULL if budget == 0.0 else trainings.spent < budget:
        trial = study.ask()[0]
        *_, (_, value, seconds) = trainings.train(trial.params, EPOCHS)
        study.tell(trial, value, cost=seconds, check=False)
        yield trainings.truth(study.recommend().params)


def curves(trainings: Trainings, budget: float) -> Iterator[float]:
    kinds = {**space(), "epochs": kg.Fidelity(1, EPOCHS, log=True)}
    study = kg.Study(kinds, direction="maximize", seed=trainings.start)
    while trainings.spent < budget and trainings.begun < MOST:
        trial = study.ask()[0]
        for at, value, seconds in trainings.train(trial.params, trial.params["epochs"]):
            if at == trial.params["epochs"]:
                study.tell(trial, value, cost=seconds, check=False)
                break
            study.report(trial, at=at, value=value)
            if not study.worth_continuing(trial):
                study.stop(trial, cost=seconds)
                break
        yield trainings.truth(study.recommend().params)


METHODS = {"full": full, "curves": curves, "hyperband": halving.hyperband, "asha": halving.asha, "bohb": halving.bohb}


def trained(data: Path, task: str, start: int, method: str, budget: float = 0.0) -> dict[str, Any]:
    """One search: how far the accuracy that was to be had within the budget falls short of the best, and its course."""
    trainings, begun, course = Trainings(data, task, start), time.process_time(), list[tuple[float, float]]()
    for accuracy in METHODS[method](trainings, budget):
        if budget and course and trainings.spent > budget:
            break
        if not course or course[-1][1] != round(accuracy, 3):
            course.append((round(trainings.spent, 1), round(accuracy, 3)))
    return {
        "problem": f"lcbench-{task}",
        "method": method,
        "seed": start,
        "accuracy": course[-1][1],
        "shortfall": round(max(best_accuracy(data, task) - course[-1][1], 0.0), 3),
        "spent": round(trainings.spent, 1),
        "budget": round(budget, 1),
        "trainings": trainings.begun,
        "cpu": round(time.process_time() - begun, 1),
        "course": course,
    }


def compared(
    data: Path, tasks: list[str], starts: range, share: float, methods: list[str], known: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """`full` first: the others may spend a share of its seconds. What is known is not done again."""
    done = {(each["problem"], each["seed"], each["method"]): each for each in known}
    for start in starts:
        for task in tasks:
            first = done.get((f"lcbench-{task}", start, "full"))
            if first is None:
                yield (first := trained(data, task, start, "full"))
            for method in methods:
                if (f"lcbench-{task}", start, method) not in done:
                    yield trained(data, task, start, method, share * first["spent"])
