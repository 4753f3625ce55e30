"""What is kept of a campaign when its machine is gone: the curve of every run, in files that are committed.

KEPT/EXPERIMENT.jsonl           a line for each run: who, where, from which start, and a number for each batch
KEPT/EXPERIMENT.earlier.jsonl   a line for each method of which only means and errors by batch are kept
KEPT/EXPERIMENT.json            who could not be run, which runs failed
KEPT/campaign.json              what every run is of, once a whole campaign is kept (`sittings`)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.records import Record, read_json, recorded, rewrite, write_json

KEPT = Path(__file__).parents[1] / "kept"
BY_CONTEXT = ("unlike",)  # experiments of which the value in each context is kept


@dataclass(frozen=True)
class Run:
    """One run; what counts is the model's recommendation if there is a model to ask, else the best observed point."""

    problem: str
    scale: str
    method: str
    q: int
    seed: int
    by_model: bool
    date: str
    versions: dict[str, str]
    evaluations: list[int]  # after the start and after each batch, as the next two
    values: list[float]  # log10 regret of what counts, or its value where the optimum is not known
    observed: list[float]  # the same of the best observed point
    cpu: list[float]  # seconds of each batch, the start excepted
    commit: str = ""  # that it ran at
    each: list[list[float]] = field(default_factory=list)  # of contexts: the value in each, after each batch

    @classmethod
    def of(cls, records: list[Record]) -> Run:
        """From the lines of its file."""
        last = records[-1]
        measure = "value" if last["regret"] is None else "regret"
        by_context = last["experiment"] in BY_CONTEXT
        return cls(
            *(last[name] for name in ("problem", "scale", "method", "q", "seed")),
            by_model=last["model"] is not None,
            date=last["timing"]["date"][:10],
            versions=last["versions"],
            evaluations=[record["evaluations"] for record in records],
            values=[round(record[measure], 4) for record in records],
            observed=[round(record["best"][measure], 4) for record in records],
            cpu=[round(record["timing"]["batch_cpu"], 3) for record in records[1:]],
            commit=last.get("commit", ""),
            each=[[round(value, 4) for value in record["model"]["each"]] for record in records] if by_context else [],
        )

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        return self.problem, self.scale, self.method, self.q, self.seed


@dataclass(frozen=True)
class Kept:
    """All there is of one experiment."""

    runs: list[Run]
    earlier: list[dict[str, Any]]  # of `stats.Earlier`
    about: dict[str, Any]

    @property
    def problems(self) -> list[str]:
        """A scale counts as part of a problem."""
        return sorted({part_of(run) for run in self.runs} | {line["problem"] for line in self.earlier})


def part_of(run: Run) -> str:
    return f"{run.problem}-{run.scale}" if run.scale else run.problem


def gather(out: Path, experiment: str, kept: Path) -> None:
    """Take the runs of a campaign in DIR over those that are kept, and what is known of it."""
    files = sorted((out / experiment).rglob("*.jsonl"))
    if not files:
        return
    runs = {run.key: run for run in runs_of(kept / f"{experiment}.jsonl")}
    runs |= {run.key: run for run in map(Run.of, filter(None, map(recorded, files)))}
    rewrite(kept / f"{experiment}.jsonl", (asdict(runs[key]) for key in sorted(runs)))
    about = read_json(kept / f"{experiment}.json")
    methods = read_json(out / experiment / "methods.json")
    reasons = {**about.get("reasons", {}), **{name: found.get("reason") for name, found in methods.items()}}
    failures = [read_json(path) for path in sorted((out / experiment).rglob("*.failed"))]
    about |= {"reasons": {name: reason for name, reason in reasons.items() if reason}}
    about |= {"failed": {failure["run"]: failure["reason"] for failure in failures}}
    write_json(kept / f"{experiment}.json", about)


def begin_anew(experiment: str, kept: Path) -> None:
    """Forget what is kept of an experiment."""
    for end in ("jsonl", "earlier.jsonl", "json"):
        (kept / f"{experiment}.{end}").unlink(missing_ok=True)


def load(experiment: str, kept: Path) -> Kept:
    return Kept(
        runs_of(kept / f"{experiment}.jsonl"),
        recorded(kept / f"{experiment}.earlier.jsonl"),
        read_json(kept / f"{experiment}.json"),
    )


def runs_of(path: Path) -> list[Run]:
    return [Run(**line) for line in recorded(path)]
