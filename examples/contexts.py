"""Contexts: three reactors behave alike but not the same, and today only one of them is there."""

import random

import knowgrad as kg

space = {"reactor": ["A", "B", "C"], "temperature": (40.0, 90.0), "minutes": (5.0, 60.0)}
best = {"A": 60, "B": 66, "C": 72}


def loss(params):
    off = (params["temperature"] - best[params["reactor"]]) / 20
    return off**2 + (params["minutes"] / 60 - 0.5) ** 2 + random.gauss(0, 0.05)


study = kg.Study(space, seed=0)
for reactor in "AABBCC":
    for trial in study.ask(4, given={"reactor": reactor}):  # what was learned in the others counts
        study.tell(trial, loss(trial.params))

for reactor in space["reactor"]:
    print(study.recommend(given={"reactor": reactor}))
print(study.gain(4, given={"reactor": "C"}))
