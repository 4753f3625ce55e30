"""One run of a campaign, and where its results are: a file for each run, a line for each batch.

    DIR/EXPERIMENT/PROBLEM/METHOD.qQ/SEED.jsonl

Everything that depends on the clock is under "timing"; the rest is a function of the run.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.records import Record, recorded


@dataclass(frozen=True)
class Spec:
    """One run: a method on a problem from the start that belongs to the seed."""

    experiment: str
    problem: str
    method: str
    q: int
    seed: int
    batches: int
    scale: str = ""

    @property
    def label(self) -> str:
        problem = f"{self.problem}-{self.scale}" if self.scale else self.problem
        return f"{self.experiment}/{problem}/{self.method}.q{self.q}/{self.seed:04d}"

    @property
    def key(self) -> tuple[str, str, str, int, int, int]:
        """Within its experiment."""
        return self.problem, self.scale, self.method, self.q, self.seed, self.batches

    def path(self, out: Path) -> Path:
        return out / f"{self.label}.jsonl"

    def text(self) -> str:
        return json.dumps(asdict(self))


def load(out: Path, experiment: str) -> list[Record]:
    """All records of an experiment."""
    return [record for path in sorted((out / experiment).rglob("*.jsonl")) for record in recorded(path)]
