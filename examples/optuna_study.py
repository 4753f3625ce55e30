"""An Optuna study with four trials at once: only the sampler changes."""

import random

import optuna

from knowgrad.integrations.optuna import KnowledgeGradientSampler, recommend

optuna.logging.set_verbosity(optuna.logging.WARNING)


def objective(trial):
    x = trial.suggest_float("x", -5, 5)
    width = trial.suggest_int("width", 1, 256, log=True)
    kind = trial.suggest_categorical("kind", ["plain", "gated"])
    return x**2 + abs(width - 64) / 64 + (kind == "plain") + random.gauss(0, 0.5)


study = optuna.create_study(sampler=KnowledgeGradientSampler(seed=0))
study.optimize(objective, n_trials=16, n_jobs=4)
print("luckiest trial:", study.best_params, round(study.best_value, 2))
print("recommended:   ", recommend(study))
