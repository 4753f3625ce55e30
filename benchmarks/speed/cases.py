"""What is timed: problems and sizes. Light to import, as the parent's memory would show in that of its children."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """n observations, p pending points, and a batch of q to choose."""

    problem: str
    n: int
    q: int
    p: int = 0

    @property
    def label(self) -> str:
        return f"{self.problem} n={self.n} q={self.q}" + (f" p={self.p}" if self.p else "")


SMALL = (Case("hartmann6", 26, 4), Case("hartmann6", 74, 4), Case("branin", 14, 4), Case("branin", 50, 4))
LARGE = (Case("hartmann6", 74, 1, p=3), Case("hartmann6", 74, 16))
LARGEST = (Case("hartmann6", 1000, 4),)
