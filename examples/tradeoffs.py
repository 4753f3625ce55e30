"""Yield against price: what can be had, and one point of it."""

import knowgrad as kg


def experiment(params):
    t, load = (params["temperature"] - 20) / 100, params["load"]
    return {"yield": 60 + 30 * t * (1.6 - t) + 20 * load * (1.4 - load), "price": 2 + 3 * load + t**2}


study = kg.Study(
    {"temperature": (20.0, 120.0), "load": (0.0, 1.0)},
    objectives={"yield": "maximize", "price": "minimize"},
    noise=0,
    seed=0,
)
study.optimize(experiment, n_trials=16, batch_size=4, progress=False)

front = study.front()
for point in (front[0], front[len(front) // 2], front[-1]):
    print(point)

print("balanced:", study.recommend())
print("at most 3 for it:", study.recommend(at={"price": "<= 3"}))
print("a unit of price is worth 5 of yield:", study.recommend(weights={"yield": 1, "price": 5}))

dear = kg.Study(
    {"temperature": (20.0, 120.0), "load": (0.0, 1.0)},
    objectives={"yield": "maximize", "price": "minimize"},
    costs={"yield": 10, "price": 1},
    noise=0,
    seed=0,
)
for batch in range(3):
    for trial in dear.ask(4, measure=None if batch == 0 else "auto"):
        asked = trial.measure or dear.outcomes
        told = experiment(trial.params)
        dear.tell(trial, {name: told[name] for name in asked})
print("yield measured", sum("yield" in trial.outcomes for trial in dear.trials), "times of", len(dear.trials))
