"""What earlier studies are worth: LCBench, three tasks to learn from, and a fourth to tune.

    cold        q-KG alone
    warm        q-KG after a study of each of the other tasks, of 40 whole trainings
    misled      q-KG after one of these with its values turned upside down

All are judged by the true accuracy of their recommendation after each training. A start has its own earlier studies.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import knowgrad as kg
from benchmarks.campaigns.trainings import FULL, TASKS, Trainings, space
from benchmarks.problems.lab import EPOCHS, best_accuracy

EARLIER = 1000  # added to the number of a start: earlier studies begin elsewhere, and have other noise
WARM = {"cold": FULL, "warm": FULL // 2, "misled": FULL}  # trainings of each


@cache
def before(data: Path, task: str, start: int) -> kg.Study:
    study = kg.Study(space(), direction="maximize", seed=EARLIER + start, name=task)
    trainings = Trainings(data, task, EARLIER + start)
    for _ in range(FULL):
        trial = study.ask()[0]
        *_, (_, value, _) = trainings.train(trial.params, EPOCHS)
        study.tell(trial, value, check=False)
    return study


def upside_down(study: kg.Study) -> kg.Study:
    values = [trial.value for trial in study.trials if trial.value is not None]
    turned = kg.Study(space(), direction="maximize", seed=0, name="upside down")
    for trial in study.trials:
        turned.add(trial.params, max(values) + min(values) - trial.value, check=False)
    return turned


def searched(data: Path, task: str, start: int, method: str) -> dict[str, Any]:
    """How far the recommendation falls short of the best accuracy, from the first training on."""
    others = [before(data, each, start) for each in TASKS if each != task]
    known = {"cold": [], "warm": others, "misled": [upside_down(others[start % len(others)])]}[method]
    study = kg.Study(space(), direction="maximize", seed=start, learn_from=known or None)
    trainings, best, begun = Trainings(data, task, start), best_accuracy(data, task), time.process_time()
    course = []
    for _ in range(WARM[method]):
        trial = study.ask()[0]
        *_, (_, value, _) = trainings.train(trial.params, EPOCHS)
        study.tell(trial, value, check=False)
        course.append(round(best - trainings.truth(study.recommend().params), 3))
    cpu = round(time.process_time() - begun, 1)
    return {"problem": f"earlier-{task}", "method": method, "seed": start, "shortfall": course, "cpu": cpu}


def learned(
    data: Path, tasks: list[str], starts: range, methods: list[str], known: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """What is known is not done again."""
    done = {(each["problem"], each["seed"], each["method"]) for each in known}
    for start in starts:
        for task in tasks:
            for method in methods:
                if (f"earlier-{task}", start, method) not in done:
                    yield searched(data, task, start, method)
