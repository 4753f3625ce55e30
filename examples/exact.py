"""A simulation without noise: say so, and no point is tried twice."""

import math

import knowgrad as kg


def drag(params):
    angle, length = params["angle"], params["length"]
    return 1 + math.sin(angle / 10 - 0.3) ** 2 + (length - 2.5) ** 2 + 0.01 * angle * length


best = kg.minimize(drag, {"angle": (-15.0, 15.0), "length": (1.0, 4.0)}, n_trials=20, noise=0, seed=0, progress=False)
print("use", best.params, "with a drag of", best.best.value)
