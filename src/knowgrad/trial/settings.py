"""`Settings`: what was said once about a study, for all of its answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from knowgrad.outcomes import PLAIN, Goals, Limit

Noise = str | float | Callable[[dict[str, Any]], float]
Cost = str | Callable[[dict[str, Any]], float] | None


class Result(NamedTuple):
    """One result of an earlier study, in the parameters of the new one."""

    params: Mapping[str, Any]
    value: float
    sem: float | None


class Earlier(NamedTuple):
    """What an earlier study found."""

    name: str
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a study's answers depend on besides its space and trials."""

    seed: int
    direction: str = "minimize"
    noise: Noise = "learned"
    method: str | object = "qkg"
    fit: str | None = None
    over: tuple[tuple[str, tuple[tuple[Any, float], ...]], ...] = ()
    """Parameters over which an average is to be good: of each the values, with weights that sum to one."""
    cost: Cost = None
    """The cost of a measurement, a function of the params; "learned" from what trials cost; None: from costs told."""
    earlier: tuple[Earlier, ...] = ()
    """Studies to learn from."""
    objectives: tuple[tuple[str, str], ...] = ()
    """Named outcomes to be minimised or maximised: names and directions. None in a plain study."""
    limits: tuple[Limit, ...] = ()
    """The bounds that outcomes have to keep."""
    costs: tuple[tuple[str, float], ...] = ()
    """The cost of measuring each outcome, if it was given: for all of them."""
    noises: tuple[tuple[str, Noise], ...] = ()
    """The noise of outcomes for which it was given; `noise` is that of all others."""

    @property
    def goals(self) -> Goals:
        """Objectives, limits and costs together; false in a plain study."""
        return Goals(self.objectives, self.limits, self.costs) if self.objectives else PLAIN

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of all outcomes: objectives first, then what else has a limit."""
        return self.goals.names
