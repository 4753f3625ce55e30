"""A mortar of cement, water and sand: shares that add up to one, and limits on how they relate.

Two shares are searched; the third is what is left.
"""

import random

import knowgrad as kg

space = kg.Space(
    {"cement": (0.1, 0.5), "water": (0.05, 0.3)},
    constraints=["0.3 <= 1 - cement - water <= 0.8", "0.3 * cement <= water", "water <= 0.7 * cement"],
)


def strength(p):  # of a specimen, measured with an error of about 1 MPa
    sand, ratio = 1 - p["cement"] - p["water"], p["water"] / p["cement"]
    return 60 * p["cement"] ** 0.5 - 80 * (ratio - 0.45) ** 2 - 40 * abs(sand - 0.6) + random.gauss(0, 1)


best = kg.maximize(strength, space, n_trials=18, seed=0, progress=False)
print(best, f"with sand = {1 - sum(best.params.values()):.3f}")
