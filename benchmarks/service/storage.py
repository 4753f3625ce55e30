"""What a study of 10,000 trials costs its users: opening it, telling a result, handing out a point, memory.

    python -m benchmarks.storage [--trials 10000] [--postgres postgresql://…] [--peer optuna] [--against DIR]

Every contender is filled in one process and measured in another, on a file in a folder of its own. Points to hand out
are queued before, so that what is measured is storage and not the choice of points. `--peer optuna` needs
`requirements-peers.txt`. `--against` measures the package in another checkout (`git worktree add DIR COMMIT`) as well,
on SQLite, or on the database given, and prints the ratios. Both take turns, point by point, on one core: other work on
the machine makes every call dearer, in CPU time too, and so it does both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.processes import ROOT, alone, peak

REPEATS = 300
ROUNDS = 5  # of both checkouts, in turns
SPACE = {"x": (0.0, 1.0)}


@dataclass(frozen=True)
class Cost:
    """Seconds, and MB at the peak."""

    opening: float
    tells: list[float]
    asks: list[float]
    memory: float
    opening_cpu: float = 0.0
    cpu: dict[str, list[float]] | None = None
    """CPU seconds of every call."""

    def row(self, name: str) -> str:
        tells = " | ".join(f"{1e3 * quantile(self.tells, q):.1f}" for q in (0.5, 0.99))
        asks = " | ".join(f"{1e3 * quantile(self.asks, q):.1f}" for q in (0.5, 0.99))
        return f"| {name} | {self.opening:.2f} | {tells} | {asks} | {self.memory:.0f} |"


def quantile(values: list[float], q: float) -> float:
    return sorted(values)[min(int(q * len(values)), len(values) - 1)]


def timed(action: Callable[[], Any], cpu: list[float] | None = None) -> float:
    begun, begun_cpu = time.perf_counter(), time.process_time()
    action()
    if cpu is not None:
        cpu.append(time.process_time() - begun_cpu)
    return time.perf_counter() - begun


def fill_knowgrad(url: str, n: int) -> None:
    """A study with `n` results, written in one go."""
    import knowgrad as kg
    from knowgrad.storage import open_storage
    from knowgrad.trial import Event

    kg.Study(SPACE, storage=url, name="large", seed=0)
    events = []
    for i in range(n):
        asked = {"number": i, "params": {"x": i / n}, "source": "sobol", "batch": i, "worker": None}
        events += [Event("asked", asked), Event("told", {"number": i, "value": i % 97 / 97, "sem": None})]
    open_storage(url, "large").append(events)


def measure_knowgrad(url: str, n: int, turn: Callable[[], Any] = lambda: None) -> Cost:
    """`turn` is called before each step, and may wait."""
    import knowgrad as kg

    turn()
    begun, begun_cpu = time.perf_counter(), time.process_time()
    study = kg.Study.load(url, "large")
    assert (len(study.trials), len(study.pending), study.best.value) == (n, 0, 0.0)
    opening, tells, asks = time.perf_counter() - begun, [], []
    opening_cpu, cpu = time.process_time() - begun_cpu, {"enqueue": [], "queued ask": [], "tell": []}
    for k in range(REPEATS):
        turn()
        timed(lambda: study.enqueue({"x": 0.5}), cpu["enqueue"])
        asks.append(timed(lambda: study.ask(1), cpu["queued ask"]))
        tells.append(timed(lambda k=k: study.tell(n + k, k % 97 / 97), cpu["tell"]))
    return Cost(opening, tells, asks, peak(), opening_cpu, cpu)


def fill_optuna(url: str, n: int) -> None:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(storage=url, study_name="large")
    where = {"x": optuna.distributions.FloatDistribution(0.0, 1.0)}
    create = optuna.trial.create_trial
    study.add_trials([create(params={"x": i / n}, distributions=where, value=i % 97 / 97) for i in range(n)])


def measure_optuna(url: str, n: int) -> Cost:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    begun = time.perf_counter()
    sampler = optuna.samplers.RandomSampler()
    study = optuna.load_study(study_name="large", storage=url, sampler=sampler)
    assert (len(study.trials), study.best_value) == (n, 0.0)
    opening, tells, asks = time.perf_counter() - begun, [], []
    for k in range(REPEATS):
        study.enqueue_trial({"x": 0.5})
        found = []
        asks.append(timed(lambda found=found: found.append(study.ask()) or found[0].suggest_float("x", 0.0, 1.0)))
        tells.append(timed(lambda found=found, k=k: study.tell(found[0], float(k + 1))))
    return Cost(opening, tells, asks, peak())


class Elsewhere:
    """The package of a checkout, filled and measured by this script with that source; it waits for its turn."""

    def __init__(self, checkout: Path, url: str, n: int) -> None:
        script = "import json, sys; from dataclasses import asdict; from benchmarks.service.storage import *; "
        script += "turn = lambda: (print('ready', flush=True), sys.stdin.readline()); "
        script += "url, n = sys.argv[1], int(sys.argv[2]); fill_knowgrad(url, n); "
        script += "print(json.dumps(asdict(measure_knowgrad(url, n, turn))))"
        environment = {**os.environ, "PYTHONPATH": f"{checkout.resolve() / 'src'}{os.pathsep}{ROOT}"}
        command = [sys.executable, "-c", script, url, str(n)]
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, text=True, env=environment)
        self._said = self._process.stdout.readline()

    def step(self) -> Cost | None:
        """Do what is next; what it has cost, after the last."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._said = self._process.stdout.readline()
        return None if self._said == "ready\n" else Cost(**json.loads(self._said))


@contextmanager
def empty(postgres: str | None) -> Iterator[str]:
    """A place of its own: a file, or a schema of this database."""
    if postgres is None:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/studies.db"
        return
    import psycopg

    name = f"knowgrad_bench_{secrets.token_hex(4)}"
    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}")
        yield f"{postgres}?options=-csearch_path%3D{name}"
        db.execute(f"DROP SCHEMA {name} CASCADE")


def compare(here: Path, there: Path, n: int, postgres: str | None) -> None:
    """This checkout and another in turns: medians over the rounds, and the ratio of each round."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # both on one core, a step at a time
    costs = []
    for _ in range(ROUNDS):
        with empty(postgres) as ours, empty(postgres) as theirs:
            pair, found = [Elsewhere(here, ours, n), Elsewhere(there, theirs, n)], [None, None]
            while found[0] is None:
                found = [each.step() for each in pair]
        costs.append(found)
    rounds = [[_figures(cost) for cost in pair] for pair in costs]
    print("| | here | there | ratio of a round, median (least to most) |\n|---|---|---|---|")
    for name in rounds[0][0]:
        ours, theirs = ([pair[side][name] for pair in rounds] for side in (0, 1))
        ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
        spread = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"| {name} | {statistics.median(ours):.2f} | {statistics.median(theirs):.2f} | {spread} |")
    for call in costs[0][0].cpu:
        _print_cpu(call, [[1e3 * s for cost in side for s in cost.cpu[call]] for side in zip(*costs, strict=True)])


def _print_cpu(call: str, sides: list[list[float]]) -> None:
    """Of calls that took turns: medians, and the quartiles of the ratios of neighbours."""
    ratios = [a / b for a, b in zip(*sides, strict=True)]
    low, middle, high = (quantile(ratios, q) for q in (0.25, 0.5, 0.75))
    ours, theirs = map(statistics.median, sides)
    print(f"| {call} CPU ms | {ours:.3f} | {theirs:.3f} | {middle:.2f} (quartiles {low:.2f} to {high:.2f}) |")


def _figures(cost: Cost) -> dict[str, float]:
    tells, asks = ([1e3 * quantile(times, q) for q in (0.5, 0.99)] for times in (cost.tells, cost.asks))
    names = ("open s", "tell p50 ms", "tell p99 ms", "queued ask p50 ms", "queued ask p99 ms", "MB", "open CPU s")
    figures = (cost.opening, *tells, *asks, cost.memory, cost.opening_cpu)
    return dict(zip(names, figures, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--postgres", help="the address of an empty database, to be measured too")
    parser.add_argument("--peer", choices=["optuna"])
    parser.add_argument("--against", type=Path, help="a checkout of another version")
    options = parser.parse_args()
    if options.against:
        compare(Path(), options.against, options.trials, options.postgres)
        return
    print("| | open s | tell p50 ms | p99 ms | ask p50 ms | p99 ms | MB |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = (f"sqlite:///{Path(folder) / name}.db" for name in ("knowgrad", "optuna"))
        contenders = [("knowgrad, SQLite", ours, fill_knowgrad, measure_knowgrad)]
        if options.postgres:
            contenders.append(("knowgrad, PostgreSQL", options.postgres, fill_knowgrad, measure_knowgrad))
        if options.peer:
            contenders.append(("Optuna, SQLite", theirs, fill_optuna, measure_optuna))
        for name, url, fill, measure in contenders:
            alone(fill, url, options.trials)
            print(alone(measure, url, options.trials).row(name), flush=True)
