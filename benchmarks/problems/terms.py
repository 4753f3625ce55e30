"""The paper's four functions with and without noise in one experiment: "noisy-branin" is Branin with noise."""

from __future__ import annotations

from pathlib import Path

from benchmarks.problems.noisy import Noisy, of_the_paper


def make(problem: str, noise: float, seed: int, data: Path | None, scale: str) -> Noisy:
    """The same tasks as those of `noise-free` and `noisy`."""
    name = problem.removeprefix("noisy-")
    return of_the_paper(name, noise if name != problem else 0.0, seed)
