"""Costs: hot ovens cost more, and a budget instead of a number of trials."""

import knowgrad as kg


def loss(params):
    return (params["temperature"] - 70) ** 2 / 1000 + (params["pressure"] - 2) ** 2


def cost(params):
    return 1 + (params["temperature"] / 30) ** 2


space = {"temperature": (20.0, 120.0), "pressure": (1.0, 5.0)}
found = kg.minimize(loss, space, cost=cost, budget=120, noise=0, seed=0, progress=False)
print(found)
print(len(found.study.trials), "evaluations, spent:", round(found.study.spent, 1))
print(found.gain)  # what one more is worth, beside its price
