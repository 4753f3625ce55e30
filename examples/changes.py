"""A space that changes half way: the range was too narrow, a catalyst arrives, a new valve makes pressure a setting."""

import random

import knowgrad as kg

random.seed(0)
space = {"temperature": (20.0, 80.0), "stirring": (100.0, 500.0), "catalyst": ["A", "B"]}
study = kg.Study(space, direction="maximize", seed=0)


def run(n):
    for _ in range(n):
        for trial in study.ask(2):
            params = trial.params
            yields = 60 - ((params["temperature"] - 95) / 10) ** 2 + 5 * (params["catalyst"] == "C")
            yields -= 2 * (params.get("pressure", 1.0) - 2.5) ** 2
            study.tell(trial, yields + random.gauss(0, 0.5))


run(5)
print(study.recommend())  # at the edge: 80 degrees

print(study.change(temperature=(20, 120), reason="the best is at the edge"))
print(study.change(catalyst=["A", "B", "C"]))
run(4)
print(study.change(pressure=kg.Float(1, 5), earlier={"pressure": 1.0}))
run(6)
print(study.recommend())

# A setting that does nothing is dropped; earlier trials are still shown with it.
print(study.change(stirring=None))
print(study.trials[0].params, study.ask()[0].params)
