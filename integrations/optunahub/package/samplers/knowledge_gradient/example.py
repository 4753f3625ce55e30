"""A noisy bowl with four trials at once. Run it at the root of the registry, beside `package/`."""

import random

import optuna
import optunahub

hub = optunahub.load_local_module(package="samplers/knowledge_gradient", registry_root="./package/")


def objective(trial: optuna.Trial) -> float:
    x = trial.suggest_float("x", -5, 5)
    y = trial.suggest_float("y", -5, 5)
    return x**2 + y**2 + random.gauss(0, 1)


study = optuna.create_study(sampler=hub.KnowledgeGradientSampler(seed=0))
study.optimize(objective, n_trials=40, n_jobs=4)
print(study.best_params, "was the luckiest trial")
print(hub.recommend(study).params, "is what to use")
