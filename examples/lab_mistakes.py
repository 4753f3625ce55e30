"""A laboratory's table of past results, with a typing error in it and two failures; then the next experiments."""

import random
from pathlib import Path

import knowgrad as kg

TABLE = """\
water,cure,value,reason
0.40,20,44.1,
0.45,24,46.9,
0.50,18,45.2,
0.35,28,41.8,
0.55,30,44.6,
0.60,22,,mould broke
0.48,34,4.88,
0.42,30,46.4,
0.52,26,47.6,
0.38,16,40.3,
0.58,36,43.9,
0.30,40,,too dry to mix
0.46,38,46.2,
0.50,32,48.1,
"""
Path("past.csv").write_text(TABLE)


def strength(params):
    """What the press shows, in MPa: for this example, a formula and some noise."""
    return 48.5 - 300 * (params["water"] - 0.49) ** 2 - 0.02 * (params["cure"] - 30) ** 2 + random.gauss(0, 0.3)


random.seed(0)
study = kg.Study(
    {"water": (0.3, 0.6), "cure": (12.0, 40.0)}, name="mortar", storage="lab.db", direction="maximize", seed=0
)
print(study.add_many("past.csv"))

# Ten results tell of 40 to 48 MPa, and one of 4.88. The study says which, and what to do about it.
found = study.diagnostics()
assert not found.trusted
print("\n".join(found.warnings))
before = study.gain(4)
for number in found.loo.outliers:
    study.correct(number, 48.8, reason="decimal point, see page 17", by="lab")
print(f"4 more results are worth {before:.2g} MPa before the correction, {study.gain(4):.2g} after it")

# The row of the first failure belongs to another mix: it is kept, and the model does not see it.
study.discard(5, "another sand", by="lab")
study.note(11, "at 35 % humidity", by="rig")

for trial in study.ask(4):
    study.tell(trial, strength(trial.params))
print(study.recommend())
for trial in study.trials:
    for change in trial.history:
        values = f"{change.old.value} -> {change.new.value}"
        print(f"trial {trial.number}: {change.kind} by {change.by}, {values}: {change.reason}")
