"""Numbers, whole numbers and choices in one space."""

import random

import knowgrad as kg

space = {
    "rate": kg.Float(1e-4, 1e-1, log=True),
    "depth": kg.Int(2, 12),
    "width": kg.Int(16, 1024, log=True),
    "drop": kg.Float(0.0, 0.5, step=0.05),
    "optimizer": ["sgd", "adam", "lion"],
    "norm": [True, False],
}


def error(p):
    good = {"sgd": 0.3, "adam": 0.0, "lion": 0.1}[p["optimizer"]]
    shape = abs(p["depth"] - 6) / 6 + abs(p["width"] - 256) / 512
    return good + shape + p["drop"] + 0.2 * (not p["norm"]) + 10 * abs(p["rate"] - 0.01) + random.gauss(0, 0.05)


best = kg.minimize(error, space, n_trials=24, batch_size=4, seed=0, progress=False)
print(best)
