"""Which of the catalysts on the shelf? Only these exist; the model sees what is known about them, not their names."""

import random

import knowgrad as kg

random.seed(0)
shelf = [
    {
        "name": f"cat-{i:03}",
        "pore": round(random.uniform(3, 30), 2),
        "area": random.randrange(200, 4000),
        "metal": random.choice(["Ni", "Co", "Fe"]),
    }
    for i in range(400)
]


def yield_of(p):  # an experiment, with an error of about one point
    return 70 - 0.2 * (p["pore"] - 12) ** 2 + p["area"] / 200 + 5 * (p["metal"] == "Ni") + random.gauss(0, 1)


best = kg.maximize(yield_of, kg.Candidates(shelf, labels=["name"]), n_trials=20, seed=0, progress=False)
print(best)
