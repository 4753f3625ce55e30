"""Eight wells of a plate at a time: eight points chosen jointly, then all their results."""

import random

import knowgrad as kg


def run_plate(points):
    return [70 - (p["temperature"] - 55) ** 2 / 20 + 3 * (p["ph"] > 6.5) + random.gauss(0, 1) for p in points]


study = kg.Study({"temperature": (20.0, 90.0), "ph": kg.Float(4.0, 9.0, step=0.1)}, direction="maximize", seed=0)
for plate in range(3):
    trials = study.ask(8)
    for trial, growth in zip(trials, run_plate([trial.params for trial in trials]), strict=True):
        study.tell(trial, growth)
    print(f"plate {plate + 1}: {study.recommend()}")
print(f"another plate is expected to add {study.gain(8):.2f}")
