"""Batches that share a setting: an oven holds six samples at one temperature."""

import random

import knowgrad as kg

space = {"temperature": (150.0, 250.0), "minutes": (10.0, 60.0), "flour": ["wheat", "rye", "spelt"]}


def crumb(params):
    heat = (params["temperature"] - 205) / 40
    return heat**2 + (params["minutes"] / 60 - 0.6) ** 2 + 0.2 * (params["flour"] == "rye") + random.gauss(0, 0.05)


# One temperature for each batch of six; shared={"temperature": 2} would allow two.
study = kg.Study(space, seed=0)
for _ in range(4):
    batch = study.ask(6, shared=["temperature"])
    for trial in batch:
        study.tell(trial, crumb(trial.params))
    print(f"{batch[0].params['temperature']:.0f} degrees for {len(batch)} loaves")
print(study.recommend())

# The same with a function.
print(kg.minimize(crumb, space, n_trials=24, batch_size=6, shared=["temperature"], seed=0, progress=False))
