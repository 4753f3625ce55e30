"""A plan for a budget: a run of the reactor takes 4 hours to set up, and an hour for each sample; 60 hours are left."""

import random

import knowgrad as kg

random.seed(1)
study = kg.Study({"temperature": (20.0, 120.0), "time": (1.0, 10.0)}, seed=0)


def measured(params):
    return ((params["temperature"] - 85) / 30) ** 2 + (params["time"] / 10 - 0.4) ** 2 + random.gauss(0, 0.05)


for trial in study.ask(6):
    study.tell(trial, measured(trial.params))

plan = study.plan(60, setup=4, each=1)
print(plan)

hours = 60.0
while hours >= 5:
    plan = study.plan(hours, setup=4, each=1)  # once more after each batch: the model has learned
    if plan.stop == 0:
        break
    for trial in study.ask(plan.q):
        study.tell(trial, measured(trial.params))
    hours -= 4 + plan.q
print(f"{hours:.0f} hours left: {study.recommend()}")
