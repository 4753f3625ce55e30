"""`Plan`: how a budget is best spent, in numbers and in words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from knowgrad.text import brief
from knowgrad.trial import Gain

REST = 0.05  # of the expected gain: where no more is left, it is time to stop


@dataclass(frozen=True, slots=True)
class PlanOption:
    """The whole budget spent with batches of one size; what is left after the last whole batch buys a smaller one."""

    q: int
    """Points in a batch."""
    batches: tuple[int, ...]
    """Points in each batch."""
    cost: float
    gain: float
    """The expected improvement of the recommendation by all of them, in user units."""
    sem: float
    """Its standard error, from the number of simulated searches."""
    curve: tuple[float, ...]
    """The expected gain after each batch."""
    next: Gain | None
    """What the next batch alone is expected to add, by the joint q-KG; None where it would be too large for that."""

    @property
    def points(self) -> int:
        return sum(self.batches)


@dataclass(frozen=True)
class Plan:
    """How many points to ask for next, what the budget is expected to gain, and when to stop."""

    budget: float
    setup: float
    each: float
    q: int
    """Points in the next batch."""
    options: tuple[PlanOption, ...]
    """Every batch size that was considered, the smallest first."""
    spread: float
    """The standard deviation of all results, for comparison with gains."""
    stop: int
    """The number of batches after which the rest of the budget is expected to add next to nothing."""

    @property
    def chosen(self) -> PlanOption:
        return next(option for option in self.options if option.q == self.q)

    @property
    def gain(self) -> Gain:
        """The expected gain of the budget, spent in batches of `q`."""
        option = self.chosen
        return Gain(option.gain, option.sem, option.points, option.cost)

    @property
    def batches(self) -> int:
        return len(self.chosen.batches)

    def record(self) -> dict[str, Any]:
        """As JSON."""
        options = [asdict(each) | {"next": None if each.next is None else each.next.value} for each in self.options]
        money = {"budget": self.budget, "setup": self.setup, "each": self.each}
        said = {"q": self.q, "gain": self.gain.value, "sem": self.gain.sem, "batches": self.batches, "stop": self.stop}
        return {**said, **money, "words": self.words(), "options": options}

    def words(self) -> str:
        """In sentences, without the table."""
        option = self.chosen
        many = "1 point" if self.q == 1 else f"{self.q} points"
        times = "1 batch" if self.batches == 1 else f"{self.batches} batches"
        lines = [f"Ask for {many} next. The budget buys {times}, {option.points} points, for {brief(option.cost)}."]
        lines.append(f"They are expected to improve the recommendation by {option.gain:.3g} ± {option.sem:.1g}.")
        if option.next is not None:
            lines.append(f"The next batch is expected to add {option.next.value:.3g} ± {option.next.sem:.1g} of that.")
        if self.stop == 0:
            lines.append("That is next to nothing beside the spread of the results: stop here.")
        elif self.stop < self.batches:
            lines.append(f"After batch {self.stop} the rest is expected to add next to nothing: look again then.")
        else:
            lines.append("Every batch is expected to add something: look again after each.")
        return " ".join(lines)

    def __str__(self) -> str:
        rows = [("q", "batches", "points", "cost", "expected gain", "next batch")]
        for each in self.options:
            value = "" if each.next is None else f"{each.next.value:.3g}"
            mark = " *" if each.q == self.q else ""
            gain = f"{each.gain:.3g} ± {each.sem:.1g}"
            cells = (f"{each.q}{mark}", f"{len(each.batches)}", f"{each.points}", brief(each.cost), gain, value)
            rows.append(cells)
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        table = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([self.words(), "", *table])
