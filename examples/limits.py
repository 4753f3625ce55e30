"""A catalyst for the best yield, where impurity and heat must stay within limits. Results are noisy."""

import numpy as np

import knowgrad as kg

rng = np.random.default_rng(0)


def experiment(params):
    t, load = (params["temperature"] - 20) / 100, params["load"]
    return {
        "yield": 60 + 30 * t * (1.6 - t) + 20 * load * (1.4 - load) + rng.normal(0, 0.3),
        "impurity": (0.1 + 0.5 * t**2 + 0.2 * load + rng.normal(0, 0.01), 0.01),  # with its standard error
        "heat": 1 + 2 * t * load + 0.5 * load + rng.normal(0, 0.02),
    }


study = kg.Study(
    {"temperature": (20.0, 120.0), "load": (0.0, 1.0)},
    objectives={"yield": "maximize"},
    limits=["impurity <= 0.45", "heat <= 2.2"],
    seed=0,
)
for _ in range(5):
    for trial in study.ask(4):
        told = experiment(trial.params)
        study.tell(trial, {"yield": told["yield"], "heat": told["heat"]})
        study.tell(trial, {"impurity": told["impurity"]})  # the assay takes longer: now the trial is complete

best = study.recommend(chance=0.95)
print(best)
for limit, chance in best.chances.items():
    print(f"{limit}: holds with a chance of {chance:.1%}")
