"""A table of past results, a range that turned out too narrow, and on from there."""

import csv

import knowgrad as kg

SPACE = {"temperature": (20.0, 60.0), "catalyst": ["A", "B"]}


def run(params):
    bonus = {"A": 0.0, "B": 4.0}[params["catalyst"]]
    return 60.0 + bonus - 0.01 * (params["temperature"] - 65.0) ** 2


with open("past.csv", "w", newline="") as file:  # what a laboratory has: a result, an empty cell, a failure
    table = csv.writer(file)
    table.writerow(["date", "temperature", "catalyst", "yield", "reason"])
    for temperature, catalyst in [(25, "A"), (35, "B"), (45, "A"), (55, "B"), (60, "A")]:
        table.writerow(["May", temperature, catalyst, run({"temperature": temperature, "catalyst": catalyst}), ""])
    table.writerow(["May", 50, "B", "", "spilled"])
    table.writerow(["June", 70, "B", 63.8, ""])

study = kg.Study(SPACE, direction="maximize", seed=0)
print(study.add_many("past.csv", value="yield"))  # one row is refused: 70 is outside the range

wider = study.copy(space={**SPACE, "temperature": (20.0, 90.0)})
print(wider.add_many("past.csv", value="yield"))  # what is there is not added twice
for trial in wider.ask(3):
    wider.tell(trial, run(trial.params))

print(wider.recommend())
print(wider.predict([{"temperature": 65.0, "catalyst": catalyst} for catalyst in "AB"]).mean)
print(wider.to_dataframe()[["state", "value", "params_temperature", "params_catalyst"]])
