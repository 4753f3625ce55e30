"""Fidelities: a run of few epochs is a cheap estimate of a run of many."""

import math

import knowgrad as kg


def error(params):
    learned = 1 - math.exp(-params["epochs"] / (8 + 20 * params["dropout"]))
    return 0.1 + (math.log10(params["rate"]) + 2.5) ** 2 / 10 + (params["dropout"] - 0.3) ** 2 + 0.6 * (1 - learned)


space = {"rate": kg.Float(1e-4, 1e-1, log=True), "dropout": (0.0, 0.8), "epochs": kg.Fidelity(1, 52, log=True)}
study = kg.Study(space, cost=lambda params: params["epochs"], noise=0, seed=0)
found = study.minimize(error, budget=400, progress=False)  # as much as eight trainings to the end
print(found)  # at 52 epochs
print(sorted(trial.params["epochs"] for trial in study.trials))
