"""Noise that is known: for each result, or as a function of where it is measured."""

import random
import statistics

import knowgrad as kg


def repeats(params, n=5):
    return [(params["dose"] - 3) ** 2 + random.gauss(0, 1.0) for _ in range(n)]


# Each result is a mean of five, and their spread tells its standard error.
study = kg.Study({"dose": (0.0, 10.0)}, seed=0)
for _ in range(6):
    for trial in study.ask(2):
        values = repeats(trial.params)
        study.tell(trial, statistics.mean(values), sem=statistics.stdev(values) / len(values) ** 0.5)
print(study.recommend())


def noise(params):  # the instrument is worse at high doses
    return 0.2 + 0.1 * params["dose"]


study = kg.Study({"dose": (0.0, 10.0)}, noise=noise, seed=0)
for _ in range(6):
    for trial in study.ask(2):
        study.tell(trial, (trial.params["dose"] - 3) ** 2 + random.gauss(0, noise(trial.params)))
print(study.recommend())
