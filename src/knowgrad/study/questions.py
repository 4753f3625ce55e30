"""`Questions`: what the model of a study answers. Whatever is asked at one moment is asked of one snapshot."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from knowgrad.advisor.asked import check_target, checked_given, checked_tolerance
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.planned import Plan
from knowgrad.checked import batch
from knowgrad.errors import NoDataError
from knowgrad.space import Space
from knowgrad.storage.forks import LOADING
from knowgrad.study.facts import Facts
from knowgrad.tables.points import read_points
from knowgrad.trial import Front, Gain, Prediction, Recommendation, Trial

if TYPE_CHECKING:
    from knowgrad.advisor.snapshot import Snapshot

T = TypeVar("T")


class Questions(Facts):
    """What to use, what to expect, what more points are worth, and whether to trust that."""

    _snapshot: "Snapshot | None"

    def recommend(
        self,
        *,
        given: Mapping[str, Any] | None = None,
        tolerance: Mapping[str, float] | None = None,
        chance: float | None = None,
        weights: Mapping[str, float] | None = None,
        at: Mapping[str, str] | None = None,
    ) -> Recommendation:
        """What to use now: the best tried point by the model, or an untried one that is probably better.

        Its `sd` and its 90 % `interval` include the uncertainty of the model; the search uses the narrower `sd` of
        `predict`.

        Args:
            given: values of some parameters, `{"reactor": "B"}`: the best point with these values.
            tolerance: how exactly settings can be held, in user units, `{"temperature": 3}`: what is best on average
                over all settings that near; values beyond a bound count as the bound.
            chance: the probability with which all limits should hold together; 0.95 if left out. If no point reaches
                it, the one that comes nearest.
            weights: what a unit of each of several objectives is worth; if left out, they are balanced.
            at: bounds on some of several objectives, `{"price": "<= 3"}`: the best of the others under these.
        """
        context, widths = self._asked(checked_given, given), self._asked(checked_tolerance, tolerance)
        check_target(self._settings.method, context)
        found = self._results("recommend").recommend(context, widths, chance=chance, weights=weights, at=at)
        return replace(found, params=dict(found.params))  # what is kept is nobody's to change

    def front(self, *, chance: float | None = None, given: Mapping[str, Any] | None = None) -> Front:
        """The Pareto front of several objectives: no point of it is expected to be better in every objective than
        another.

        Each point has the mean and standard deviation of every outcome; `recommend(weights=…)` or `recommend(at=…)`
        chooses one. Limits hold with the probability `chance`, 0.95 if left out. With `given` values of some
        parameters, `{"reactor": "B"}`: the front there.
        """
        return self._results("front").front(chance, self._asked(checked_given, given))

    def predict(self, points: Any) -> Prediction:
        """What the model expects at points: a list of params, or a table with a column for each parameter.

        By the posterior alone, as in the search: the `sd` of `recommend` is wider. `outcomes` of the answer has each
        named outcome, `chance` the probability that all limits hold.
        """
        snapshot = self._results("predict")
        params = read_points(points, snapshot.space)
        return snapshot.expect(snapshot.space.encode_many(params))

    def price(self, params: Mapping[str, Any] | Trial) -> float | None:
        """The expected cost of a measurement at these params; None if nothing is known about costs.

        For a trial that continues a paused run, this is the cost of the rest.
        """
        snapshot = self.snapshot()
        if not isinstance(params, Trial):
            return snapshot.price(snapshot.space.validate(params))
        start = None if params.continues is None else self.trials[params.continues].params
        return snapshot.price(params.params, start)

    def gain(self, q: int | None = None, *, given: Mapping[str, Any] | None = None) -> Gain:
        """By how much `q` more points are expected to improve the recommendation; None: as many as were asked for last.

        With `given` values of some parameters: points with these values, and the recommendation for them.
        """
        context = self._asked(checked_given, given)
        check_target(self._settings.method, context)
        with self._log.lock:
            ledger = self._log.read()
            last = sum(trial.batch == ledger.batches - 1 for trial in ledger.trials)
        q = max(last, 1) if q is None else batch(q)
        return self._results("gain").gain(q, context)

    def plan(
        self,
        budget: float,
        *,
        setup: float = 0.0,
        each: float = 1.0,
        sizes: Sequence[int] | None = None,
        given: Mapping[str, Any] | None = None,
    ) -> Plan:
        """How many points to ask for next, what the budget is expected to gain, and when to stop.

        Args:
            budget: what is left to spend, in any unit: money, days, samples.
            setup: the fixed cost of a batch, in the same unit.
            each: the cost of a point.
            sizes: the batch sizes to choose from; None: from 1 to 64.
            given: values of some parameters, as for `ask`.
        """
        context = self._asked(checked_given, given)
        check_target(self._settings.method, context)
        return self._results("plan").plan(budget, setup=setup, each=each, sizes=sizes, given=context)

    def worth_continuing(self, trial: Trial | str | int) -> bool:
        """Is the rest of this run worth more, per cost, than the best new point?

        Judged by its reports so far (`report`). If not, `stop` it: it is then a result at the fidelity it has reached.
        """
        with self._log.lock:
            found = self._log.read().find(trial)
        told = None if found.state != "pending" else self.snapshot().continuing(found)
        is_worth_it = told is None or told.is_worth_it
        if not is_worth_it:
            self._judged = {**self._judged, found.number: (found.curve, str(told))}
        return is_worth_it

    def diagnostics(self) -> Diagnostics:
        """Whether the model can be trusted: noise, length scales, leave-one-out checks, and warnings in words."""
        return self._results("diagnostics").diagnostics

    def plot(self, kind: str = "history", *, theme: str = "auto", **options: Any) -> Any:
        """A Plotly figure: history, batch, slices, plane, surface, importance, parallel, gain, calibration or plan.

        With named outcomes also front, outcomes, chance and limits; with fidelities or reports fidelity and curves.

        `theme` is "light", "dark" or "auto" (readable on both); the options are those of `knowgrad.plots`.
        """
        with LOADING:
            from knowgrad.plots import figure

        return figure(self.snapshot(), kind, theme=theme, **options)

    def snapshot(self) -> "Snapshot":
        """The study as it is now, for `knowgrad.views`."""
        with self._log.lock:
            ledger = self._log.read()
            return self._given(ledger.known, self._space_of(ledger))

    def _asked(self, check: Callable[[Space, object], T], given: object) -> T:
        """What a question says, checked; the log is read only if it says anything."""
        return check(self._space_of(self._log.peek()) if given is None else self.space, given)

    def _results(self, question: str) -> "Snapshot":
        snapshot = self.snapshot()
        if self._settings.goals:  # outcomes come one by one: there may be results before a trial is complete
            snapshot.parts.check_results(question)
        elif not snapshot.complete:
            raise NoDataError(f"{question}: expected at least one result, got none; tell() or add() one first")
        return snapshot

    def _given(self, known: Sequence[Trial], space: Space) -> "Snapshot":
        """The study with these trials: the snapshot before, or one that takes over what is the same."""
        with LOADING:
            from knowgrad.advisor.snapshot import Snapshot

        with self._log.lock:
            before = self._snapshot
            if before is None or before.space is not space:
                before = Snapshot(space, (), self._settings)
            self._snapshot = before.given(known)
            return self._snapshot
