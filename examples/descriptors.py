"""Which solvent? Twelve of them, and what is known about each: solvents that are alike give results that are alike."""

import random

import knowgrad as kg

SOLVENTS = {  # dielectric constant, boiling point in °C, density in g/ml
    "water": (80.1, 100.0, 1.00),
    "methanol": (32.7, 64.7, 0.79),
    "ethanol": (24.5, 78.4, 0.79),
    "2-propanol": (17.9, 82.6, 0.79),
    "acetone": (20.7, 56.1, 0.79),
    "acetonitrile": (37.5, 81.6, 0.79),
    "DMF": (36.7, 153.0, 0.95),
    "DMSO": (46.7, 189.0, 1.10),
    "THF": (7.6, 66.0, 0.89),
    "toluene": (2.4, 110.6, 0.87),
    "hexane": (1.9, 68.7, 0.66),
    "chloroform": (4.8, 61.2, 1.49),
}

space = {"solvent": kg.Choice(list(SOLVENTS), features=SOLVENTS), "temperature": (20.0, 60.0)}


def yield_of(p):  # an experiment, with an error of about one point
    polarity = SOLVENTS[p["solvent"]][0]
    return 80 - 0.02 * (polarity - 35) ** 2 - 0.03 * (p["temperature"] - 45) ** 2 + random.gauss(0, 1)


best = kg.maximize(yield_of, space, n_trials=16, seed=0, progress=False)
print(best)
