"""The gain expected from a budget, for each batch size: the curves of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowgrad.advisor.planned import Plan, PlanOption
from knowgrad.advisor.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Spending:
    """The expected gain after each batch, over what was spent by then; the first is nothing for nothing."""

    q: int
    spent: tuple[float, ...]
    gain: tuple[float, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """A curve for each batch size, and the plan in words."""

    curves: tuple[Spending, ...]
    words: str


def planned(
    snapshot: Snapshot,
    *,
    budget: float | None = None,
    setup: float = 0.0,
    each: float = 1.0,
    sizes: Sequence[int] | None = None,
) -> Planned:
    """Without a budget, that of 32 points."""
    money = setup + 32 * each if budget is None else budget
    found = snapshot.plan(money, setup=setup, each=each, sizes=sizes)
    return Planned(tuple(_spending(found, option) for option in found.options), found.words())


def _spending(found: Plan, option: PlanOption) -> Spending:
    spent = [0.0]
    for q in option.batches:
        spent.append(spent[-1] + found.setup + q * found.each)
    return Spending(option.q, tuple(spent), (0.0, *option.curve), option.q == found.q)
