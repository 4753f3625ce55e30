"""Good on average: one recipe for three substrates, of which the first is ordered half of the time."""

import random

import knowgrad as kg

space = {"substrate": ["A", "B", "C"], "temperature": (40.0, 90.0), "minutes": (5.0, 60.0)}
best = {"A": 55, "B": 65, "C": 80}
noise = random.Random(0)


def loss(params):
    off = (params["temperature"] - best[params["substrate"]]) / 40
    return off**2 + (params["minutes"] / 60 - 0.5) ** 2 + noise.gauss(0, 0.05)


study = kg.Study(space, over={"substrate": {"A": 2, "B": 1, "C": 1}}, seed=0)
for _ in range(6):
    for trial in study.ask(4):  # each point says on which substrate it is to be tried
        study.tell(trial, loss(trial.params))
print(study.recommend())  # temperature and minutes: the substrate is not ours to choose
