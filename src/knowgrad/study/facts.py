"""`Facts`: what is said of a study and recorded in it, to be looked up. Nothing here asks a model."""

from collections.abc import Mapping
from typing import Any

from knowgrad.advisor.asked import checked_over
from knowgrad.checked import called, price
from knowgrad.log.ledger import Ledger
from knowgrad.log.record import created_over
from knowgrad.log.tracing import Tracing
from knowgrad.outcomes import Goals, Limit, checked_goals
from knowgrad.space import Space, graded
from knowgrad.space.looks.graded import decisive
from knowgrad.storage import is_durable
from knowgrad.trial import Cost, Settings, Trial, best_of, within

COST = "cost(params)"

LEAST = 1e-9  # of what a whole run costs: its rest costs no less


class Facts(Tracing):
    """Settings, trials and their state, as they are now."""

    _name: str | None
    _settings: Settings

    @property
    def name(self) -> str | None:
        return self._name

    @property
    def direction(self) -> str:
        return self._settings.direction

    @property
    def seed(self) -> int:
        return self._settings.seed

    @property
    def over(self) -> dict[str, list[list[Any]]]:
        """The contexts of an average: for each parameter, pairs of a value and its weight."""
        return created_over(self._settings)

    @property
    def objectives(self) -> dict[str, str]:
        """Named outcomes that are to be minimised or maximised, with their directions; empty in a plain study."""
        return dict(self._settings.objectives)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The bounds that outcomes have to keep."""
        return self._settings.limits

    @property
    def costs(self) -> dict[str, float]:
        """The cost of measuring each outcome, if it was given."""
        return dict(self._settings.costs)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The names of all outcomes, objectives first; none in a plain study."""
        return self._settings.outcomes

    @property
    def goals(self) -> Goals:
        """Objectives, limits and costs together; false in a plain study."""
        return self._settings.goals

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials, by number."""
        with self._log.lock:
            return tuple(self._log.read().trials)

    @property
    def pending(self) -> tuple[Trial, ...]:
        """Trials that were handed out and have no outcome yet."""
        with self._log.lock:
            return tuple(self._log.read().pending)

    @property
    def version(self) -> int:
        """A number that grows whenever anything about the study changes, whoever changed it."""
        with self._log.lock:
            return self._log.read().length

    @property
    def is_durable(self) -> bool:
        """Whether it outlives this process."""
        return is_durable(self._log.storage)

    @property
    def now(self) -> float:
        """Seconds since 1970 on the clock that the deadlines of leases are measured by."""
        return self._log.storage.now()

    @property
    def spent(self) -> float:
        """The total cost of its own trials, as far as it is known; results added from elsewhere do not count."""
        return sum(trial.cost for trial in self.trials if trial.cost is not None and trial.source != "added")

    @property
    def cost(self) -> Cost:
        """As it was given: a function of the params, "learned" or None."""
        return self._settings.cost

    @property
    def are_costs_learned(self) -> bool:
        """Are they learned from what trials have cost, so that a run has to measure that?"""
        return self._settings.cost == "learned" or (self._settings.cost is None and bool(graded(self.space.parameters)))

    @property
    def best(self) -> Trial | None:
        """The trial with the best observed value, luck included; for what to use, see `recommend`.

        With limits, among trials whose measured outcomes keep them; None if there are several objectives.
        """
        complete = decisive([trial for trial in self.trials if trial.state == "complete"], self.space)
        return best_of(within(complete, self.limits) if self.goals else complete, self.direction)

    @property
    def has_results(self) -> bool:
        """Whether any trial is complete."""
        return any(trial.state == "complete" for trial in self.trials)

    def _cost_of(self, trial: object, cost: float | None) -> float | None:
        """What was said or, by the study's function, what a trial or params cost."""
        if cost is not None or not callable(self._settings.cost):
            return cost
        if isinstance(trial, Mapping):
            return price(called(self._settings.cost, trial, COST), COST)
        with self._log.lock:
            ledger = self._log.read()
        return self._cost_at(ledger, found := ledger.find(trial), found.params)

    def _cost_at(self, ledger: Ledger, trial: Trial, params: Mapping[str, Any]) -> float | None:
        """What a trial costs that has come to these params, by the study's function; the rest if it continues one."""
        if not callable(cost := self._settings.cost):
            return None
        whole = price(called(cost, params, COST), COST)
        if trial.continues is None:
            return whole
        before = price(called(cost, ledger.trials[trial.continues].params, COST), COST)
        return max(whole - before, LEAST * whole)

    def _check_space(self, space: Space) -> None:
        checked_over(space, dict(self._settings.over) or None)
        if goals := self.goals:
            checked_goals(dict(goals.objectives), goals.limits, dict(goals.costs) or None, space.names)
