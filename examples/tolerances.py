"""Tolerances: a good setting that is easily missed against one that is not."""

import math

import knowgrad as kg


def loss(params):
    t = params["temperature"]
    return -1.2 * math.exp(-(((t - 35) / 3) ** 2)) - math.exp(-(((t - 70) / 12) ** 2))


study = kg.Study({"temperature": (20.0, 90.0)}, noise=0, seed=0)
study.minimize(loss, n_trials=30, batch_size=3, progress=False)
print(study.recommend())
print(study.recommend(tolerance={"temperature": 3}))  # the mean over ± 3 degrees is what counts
