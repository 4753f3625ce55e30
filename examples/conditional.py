"""Parameters that exist only sometimes: the kind of model decides which others there are."""

import math

import knowgrad as kg

space = {
    "booster": ["linear", "trees", "dropout trees"],
    "rate": kg.Float(1e-3, 1.0, log=True, when={"booster": ["trees", "dropout trees"]}),
    "drop": kg.Float(0.0, 0.9, when={"booster": "dropout trees"}),
    "layers": kg.Int(0, 3),
    "width": kg.Int(8, 128, log=True, when="layers >= 1"),
    "penalty": kg.Float(1e-4, 10.0, log=True),
}


def error(p):
    base = {"linear": 0.5, "trees": 0.3, "dropout trees": 0.2}[p["booster"]]
    if p["booster"] != "linear":
        base += 0.1 * (math.log10(p["rate"]) + 1) ** 2
    if "drop" in p:  # what does not exist is not in the params
        base += (p["drop"] - 0.3) ** 2
    base += 0.05 * abs(p["layers"] - 1) + 0.02 * math.log(p.get("width", 32) / 32) ** 2
    return base + 0.02 * math.log10(p["penalty"]) ** 2


best = kg.minimize(error, space, n_trials=28, batch_size=4, seed=0, noise=0, progress=False)
print(best)
