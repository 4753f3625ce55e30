"""`Front`: what can be had, of several objectives that pull apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from knowgrad.text import brief, brief_repr, measured, one_line

SHOWN = 10  # points of a front in words


@dataclass(frozen=True)
class FrontPoint:
    """One compromise: no other point is expected to be better in every objective.

    Beside these stand exact results, unless another point is surely better.
    """

    params: dict[str, Any]
    means: Mapping[str, float]
    """The posterior mean of every outcome, in user units."""
    sds: Mapping[str, float]
    """The standard deviation of each."""
    chance: float | None = None
    """The probability that all limits hold there; None if there are none."""

    def __str__(self) -> str:
        point = ", ".join(f"{one_line(name)} = {brief(value)}" for name, value in self.params.items())
        said = ", ".join(f"{one_line(name)} {measured(mean, self.sds[name])}" for name, mean in self.means.items())
        return f"{said} at {point}"

    __repr__ = brief_repr


@dataclass(frozen=True)
class Front:
    """Points sorted by the first objective, best first; points that hardly differ are merged."""

    points: tuple[FrontPoint, ...]
    objectives: tuple[tuple[str, str], ...]
    """Their names and directions."""
    hypervolume: float | None = None
    """The volume between the front and the reference point, in the product of the objectives' units."""
    reference: Mapping[str, float] = field(default_factory=dict)
    """The reference point that was learned."""
    n_observed: int = 0

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[FrontPoint]:
        return iter(self.points)

    def __getitem__(self, i: int) -> FrontPoint:
        return self.points[i]

    def __str__(self) -> str:
        """Some of the points, spread evenly over all."""
        n = len(self.points)
        some = sorted({round(i * (n - 1) / (SHOWN - 1)) for i in range(SHOWN)}) if n > SHOWN else range(n)
        lines = [str(self.points[i]) for i in some]
        return "\n".join([*lines, f"({len(lines)} of {n} points)"] if n > SHOWN else lines)
