"""What the tables need of judged states, small enough to be committed: a line for each search, numbers rounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.claims.report import by_search
from benchmarks.records import Record, recorded, rewrite

KEPT = Path(__file__).parents[1] / "kept" / "calibration.jsonl"
SAME = ("kind", "problem", "method", "seed", "version", "noise")  # in every state of a search
DIGITS = 6


def keep(lines: list[Record], path: Path = KEPT) -> None:
    rewrite(path, (_folded(states) for states in by_search(lines).values()))


def kept(path: Path = KEPT) -> list[Record]:
    return [state for line in recorded(path) for state in _unfolded(line)]


def _folded(states: list[Record]) -> Record:
    head = {name: states[0][name] for name in SAME}
    rest = {name: [_rounded(state[name]) for state in states] for name in states[0] if name not in (*SAME, "regret")}
    regrets = {rule: [_rounded(state["regret"][rule]) for state in states] for rule in states[0]["regret"]}
    return head | rest | {"regret": regrets}


def _unfolded(line: Record) -> list[Record]:
    head = {name: line[name] for name in SAME}
    columns = {name: values for name, values in line.items() if name not in (*SAME, "regret")}
    return [
        head
        | {name: values[i] for name, values in columns.items()}
        | {"regret": {rule: values[i] for rule, values in line["regret"].items()}}
        for i in range(len(line["batch"]))
    ]


def _rounded(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
