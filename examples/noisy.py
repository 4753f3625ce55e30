"""A noisy function, four evaluations at once."""

import math
import random

import knowgrad as kg


def loss(params):
    error = (math.log10(params["lr"]) + 3) ** 2 + abs(params["layers"] - 4)
    return error + random.gauss(0, 0.5)  # the same params, another result


if __name__ == "__main__":
    space = {"lr": kg.Float(1e-5, 1e-1, log=True), "layers": kg.Int(1, 8)}
    best = kg.minimize(loss, space, n_trials=16, workers=4, seed=0)
    print("use", best.params)
    print(f"expect {best.mean:.2f} ± {best.sd:.2f}; the luckiest result was {best.best.value:.2f}")
