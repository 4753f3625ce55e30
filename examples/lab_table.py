"""A lab bench and a table: run this, do the experiments of the new rows, fill in their yields, run it again.

The table is the only memory. An empty yield is an experiment that is not done; write "failed" for one that went wrong.
"""

import csv
import sys
from pathlib import Path

import knowgrad as kg

SPACE = {"temperature": kg.Float(20, 90, step=0.5), "minutes": kg.Int(5, 60), "catalyst": ["A", "B", "C"]}
AT_ONCE = 4


def point(row):
    return {
        "temperature": float(row["temperature"]),
        "minutes": int(row["minutes"]),
        "catalyst": row["catalyst"],
    }


def main(path):
    rows = list(csv.DictReader(path.read_text().splitlines())) if path.exists() else []
    study = kg.Study(SPACE, direction="maximize", seed=0)
    for row in rows:
        if row["yield"]:
            study.add(point(row), float("nan" if row["yield"] == "failed" else row["yield"]))
        else:
            study.enqueue(point(row))
    undone = sum(not row["yield"] for row in rows)
    if undone:
        study.ask(undone)  # they are running: the next points are chosen with them in mind
    if study.best is not None:
        print("so far, use", study.recommend())
    if undone >= AT_ONCE:
        print(f"{undone} experiments of {path} are still to be done")
        return
    new = [{**trial.params, "yield": ""} for trial in study.ask(AT_ONCE - undone)]
    with path.open("w", newline="") as file:
        table = csv.DictWriter(file, [*SPACE, "yield"])
        table.writeheader()
        table.writerows(rows + new)
    print(f"{len(new)} new rows in {path}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "lab.csv"))
