"""Searches, each run once: points, results and the truth behind them, a line for each."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.claims.problems import make
from benchmarks.peers.ours import fingerprint
from benchmarks.records import Record, gathered, recorded, rewrite
from knowgrad import Study

KEY = ("kind", "problem", "method", "seed", "batches")
Job = tuple[str, str, str, int, int]  # as KEY
Q = 4


def search(job: Job, data: Path | None) -> list[Record]:
    """2d + 2 points of a Latin hypercube, then batches of 4."""
    kind, problem, method, seed, batches = job
    case = make(kind, problem, seed, data)
    study = Study(case.space, seed=seed, noise=case.said, method=method)
    start = 2 * case.space.n_params + 2
    for size in (start, *[Q] * batches):
        for trial in study.ask(size):
            study.tell(trial, case.observe(dict(trial.params), trial.number))
    trials = study.trials
    line = dict(zip(KEY, job, strict=True)) | {"version": fingerprint(), "start": start}
    points = [dict(trial.params) for trial in trials]
    values = [trial.value for trial in trials]
    return [line | {"points": points, "observed": values, "true": [case.truth(point) for point in points]}]


def searches(out: Path, jobs: list[Job], data: Path | None, processes: int) -> list[Record]:
    """The recorded ones, after those were run that were not."""
    return gathered(out, KEY, jobs, partial(search, data=data), processes)


def forget(out: Path) -> None:
    """Leave out what another version has run."""
    rewrite(out, [line for line in recorded(out) if line["version"] == fingerprint()])
