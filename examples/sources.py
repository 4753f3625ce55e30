"""Sources: a simulation that is biased, and the plant that counts."""

import math

import knowgrad as kg


def loss(params):
    plant = (params["temperature"] - 70) ** 2 / 1000 + (params["flow"] - 2) ** 2
    if params["by"] == "plant":
        return plant
    return plant + 3 + 0.1 * math.sin(params["temperature"] / 10)  # too high, and a little different


by = kg.Source(["simulation", "plant"], target="plant", cost={"simulation": 1, "plant": 20})
study = kg.Study({"temperature": (20.0, 120.0), "flow": (1.0, 5.0), "by": by}, noise=0, seed=0)
for _ in range(24):
    for trial in study.ask():
        study.tell(trial, loss(trial.params), cost=1 if trial.params["by"] == "simulation" else 20)
print(study.recommend())  # for the plant
print([trial.params["by"] for trial in study.trials].count("plant"), "of", len(study.trials), "in the plant")
