"""One run in a process of its own: `python -m benchmarks.campaigns.run SPEC --out DIR` (or `--probe NAME`, `--serve`).

Prints a line for every batch it has recorded. Called again after a stop it goes on where it was: a pure method is told
the recorded results; any other begins anew, and only its evaluations are taken from the record where the points agree.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from benchmarks import peers
from benchmarks.campaigns.spec import Spec
from benchmarks.campaigns.warm import serve
from benchmarks.problems.experiments import first_points, make_task
from benchmarks.problems.task import Params, Task, clean, contexts_of
from benchmarks.processes import commit
from benchmarks.records import Lines, Record, opened, recorded

FLOOR = 1e-10  # of the regret, before its logarithm is taken
T = TypeVar("T")


class Run:
    """A task, an optimizer, and all evaluations so far."""

    def __init__(self, spec: Spec, task: Task) -> None:
        self.spec, self.task = spec, task
        self.versions = peers.versions(spec.method)
        self.optimizer: Any = peers.create(spec.method, task.parameters, spec.seed, task.noisy)
        self.evaluated: list[tuple[Params, float, float]] = []  # point, observed, true
        self.known: dict[tuple[int, str], tuple[float, float]] = {}  # by number and point
        self.truths: dict[str, float] = {}

    def resume(self, file: Lines, redo: bool = False) -> int:
        """Take in what is recorded; the number of the first batch still to do."""
        old = file.records()
        mixed = any(record["versions"] != self.versions for record in old)
        if len(old) > self.spec.batches and not (mixed and redo):
            return len(old)
        old = [] if mixed else old
        rows = [row for record in old for row in _rows(record)]
        if old and peers.is_pure(self.spec.method):
            for number, record in enumerate(old):
                take_in = self.optimizer.replay if number else self.optimizer.add
                take_in(record["points"], record["observed"])
            self.evaluated = rows
            return len(old)
        self.known |= _by_number(rows)
        file.clear()
        return 0

    def batch(self, number: int) -> Record:
        """Ask (or take the start), evaluate, tell, recommend."""
        chooses = number > 0 or getattr(self.task, "own_start", False)
        if chooses:
            asked, ask = _timed(lambda: self.optimizer.ask(self.spec.q))
            points = [clean(params, self.task.parameters) for params in asked]
        else:
            points, ask = first_points(self.spec.experiment, self.task, self.spec.seed), {"cpu": 0.0, "wall": 0.0}
        values, evaluate = _timed(lambda: [self._evaluate(params) for params in points])
        observed = [value[0] for value in values]
        _, tell = _timed(lambda: self.optimizer.tell(observed) if chooses else self.optimizer.add(points, observed))
        chosen, recommend = _timed(self.optimizer.recommend)
        return {
            **{name: getattr(self.spec, name) for name in ("experiment", "problem", "method", "q", "seed", "scale")},
            "batch": number,
            "evaluations": len(self.evaluated),
            "points": points,
            "observed": observed,
            "true": [value[1] for value in values],
            **self._recommended(chosen),
            "versions": self.versions,
            "commit": commit(),
            "timing": {
                "date": datetime.now(UTC).isoformat(timespec="seconds"),
                **{f"batch_{clock}": ask[clock] + tell[clock] for clock in ask},
                **{f"evaluate_{clock}": evaluate[clock] for clock in evaluate},
                **{f"recommend_{clock}": recommend[clock] for clock in recommend},
            },
        }

    def _evaluate(self, params: Params) -> tuple[float, float]:
        k = len(self.evaluated)
        observed, true = self.known.get((k, _key(params))) or self.task.evaluate(params, k)
        self.evaluated.append((params, observed, true))
        return observed, true

    def _recommended(self, chosen: Params | list[Params] | None) -> Record:
        """By the model and by the best observation; the first counts where there is one. Of contexts, the average."""
        best, _, best_true = min(self.evaluated, key=lambda row: row[1])
        several = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
        cleaned = [clean(params, self.task.parameters) for params in several]
        model = cleaned if isinstance(chosen, list) else cleaned[0] if cleaned else None
        each = [self._truth(params) for params in cleaned]
        shares = [share for _, share in contexts_of(self.task.parameters)] if isinstance(chosen, list) else [1.0]
        true = math.fsum(share * one for share, one in zip(shares, each, strict=True)) if cleaned else None
        found = {"params": model, "value": true, "regret": self._regret(true), "each": each}
        return {
            "model": None if model is None else found,
            "best": {"params": best, "value": best_true, "regret": self._regret(best_true)},
            "value": best_true if true is None else true,
            "regret": self._regret(best_true if true is None else true),
        }

    def _truth(self, params: Params) -> float:
        """Known from an evaluation where there was one; else found out, once."""
        key = _key(params)
        self.truths.update({_key(point): true for point, _, true in self.evaluated})
        if key not in self.truths:
            self.truths[key] = self.task.truth(params)
        return self.truths[key]

    def _regret(self, value: float | None) -> float | None:
        """log10 of the immediate regret."""
        if value is None or self.task.optimum is None:
            return None
        return math.log10(max(value - self.task.optimum, FLOOR))


def evaluated_start(spec: Spec, out: Path) -> dict[tuple[int, str], tuple[float, float]]:
    """What another method has found at the start: evaluation k of a seed is the same for all, so it is done once."""
    for path in sorted(spec.path(out).parent.parent.glob(f"*/{spec.seed:04d}.jsonl")):
        for record in recorded(path)[:1]:
            return _by_number(_rows(record))
    return {}


def _rows(record: Record) -> Iterator[tuple[Params, float, float]]:
    return zip(record["points"], record["observed"], record["true"], strict=True)


def _by_number(rows: Iterable[tuple[Params, float, float]]) -> dict[tuple[int, str], tuple[float, float]]:
    return {(k, _key(params)): (observed, true) for k, (params, observed, true) in enumerate(rows)}


def _key(params: Params) -> str:
    return json.dumps(params)


def _timed(action: Callable[[], T]) -> tuple[T, dict[str, float]]:
    cpu, wall = time.process_time(), time.perf_counter()
    outcome = action()
    return outcome, {"cpu": round(time.process_time() - cpu, 4), "wall": round(time.perf_counter() - wall, 4)}


def perform(spec: Spec, out: Path, data: Path | None, redo: bool = False) -> None:
    """Bring the run to its last batch."""
    with opened(spec.path(out)) as file:
        task = make_task(spec.experiment, spec.problem, spec.seed, data, spec.scale)
        run = Run(spec, task)
        run.known = evaluated_start(spec, out)
        for number in range(run.resume(file, redo), spec.batches + 1):
            began = time.perf_counter()
            file.append(run.batch(number))
            print(json.dumps({"batch": number, "wall": time.perf_counter() - began}), flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.campaigns.run")
    parser.add_argument("spec", nargs="?")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--redo", action="store_true")
    parser.add_argument("--probe")
    parser.add_argument("--serve", action="store_true", help="runs as standard input asks for them")
    chosen = parser.parse_args(arguments)
    if chosen.serve:
        serve(main)
    elif chosen.probe:
        print(json.dumps(peers.probe(chosen.probe)))
    else:
        perform(Spec(**json.loads(chosen.spec)), chosen.out, chosen.data, chosen.redo)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
