"""A mortar of cement, water and sand: shares that add up to one, and limits on how they relate."""

import random

import knowgrad as kg

space = kg.Space(
    {"cement": (0.1, 0.5), "water": (0.05, 0.3), "sand": (0.3, 0.8)},
    constraints=["cement + water + sand == 1", "0.3 * cement <= water", "water <= 0.7 * cement"],
)


def strength(p):  # of a specimen, measured with an error of about 1 MPa
    ratio = p["water"] / p["cement"]
    return 60 * p["cement"] ** 0.5 - 80 * (ratio - 0.45) ** 2 - 40 * abs(p["sand"] - 0.6) + random.gauss(0, 1)


best = kg.maximize(strength, space, n_trials=18, seed=0, progress=False)
print(best)

# A glaze of at most three of five oxides, weighed in steps of five grams to a hundred, and how hot to fire it.
glaze = kg.Mixture(["silica", "alumina", "lime", "soda", "zinc"], total=100, at_most=3, step=5)
study = kg.Study({"glaze": glaze, "kiln": kg.Int(1000, 1300, step=50)}, seed=0)
for trial in study.ask(4):
    print(trial.params)
