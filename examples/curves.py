"""Learning curves: runs that report as they go, and end when their rest is not worth its cost."""

import math

import knowgrad as kg


def train(params):
    error = 0.1 + (math.log10(params["rate"]) + 2.5) ** 2 / 10 + (params["dropout"] - 0.3) ** 2
    for epoch in range(1, params["epochs"] + 1):
        yield epoch, error + 0.6 * math.exp(-epoch / (8 + 20 * params["dropout"]))


space = {"rate": kg.Float(1e-4, 1e-1, log=True), "dropout": (0.0, 0.8), "epochs": kg.Fidelity(1, 52, log=True)}
study = kg.Study(space, cost=lambda params: params["epochs"], noise=0, seed=0)
print(study.minimize(train, budget=300, progress=False))

trial = study.ask()[0]  # the same by hand
for epoch, error in train(trial.params):
    study.report(trial, at=epoch, value=error)
    if epoch in (4, 16) and not study.worth_continuing(trial):
        break
print(study.stop(trial).params)  # at the epoch that it has reached
