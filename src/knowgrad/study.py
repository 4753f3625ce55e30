"""`Study`: ask for points, tell results, and ask what to use. The only mutable object of the package.

Every change is one append to the log, made only after everything about it has been checked, and only if the log is
still what it was checked against. So a call that raises has changed nothing, and no two writers contradict each other.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from knowgrad.advisor.asked import (
    check_earlier,
    check_graded,
    check_target,
    check_ties,
    checked_given,
    checked_over,
    checked_shared,
    checked_tolerance,
    picked,
)
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.doubt import Usual, doubt, doubt_outcomes, doubts
from knowgrad.advisor.options import checked_name, checked_settings, checked_worker, restated
from knowgrad.advisor.planned import Plan
from knowgrad.checked import count, price, seconds
from knowgrad.errors import NoDataError, UnknownStudyError, UnknownTrialError
from knowgrad.log.copying import Convert, Copied, copy_log
from knowgrad.log.crowd import Known
from knowgrad.log.dispatch import Asker, first
from knowgrad.log.earlier import checked_earlier, told_earlier
from knowgrad.log.leases import renewed
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.log.record import beginning, check_format, created_over, recalled, resumed
from knowgrad.log.settle import Value
from knowgrad.log.tracing import Tracing
from knowgrad.outcomes import Goals, Limit, checked_goals, checked_measure
from knowgrad.runner import Runs
from knowgrad.space import Space, as_space, graded
from knowgrad.space.looks.graded import decisive
from knowgrad.storage import Clock, find_storage, is_durable, open_storage
from knowgrad.storage.forks import LOADING
from knowgrad.tables.exchange import Exchange
from knowgrad.tables.points import read_points
from knowgrad.trial import (
    Cost,
    Event,
    Front,
    Gain,
    Noise,
    Prediction,
    Recommendation,
    Settings,
    Suggestion,
    Trial,
    best_of,
    within,
)

if TYPE_CHECKING:
    from knowgrad.advisor.snapshot import Snapshot


T = TypeVar("T")


class Study(Tracing, Exchange, Runs):
    """One optimization: a space, a direction, and the trials so far. Several threads may share it."""

    def __init__(
        self,
        space: Space | Mapping[str, Any],
        *,
        name: str | None = None,
        storage: object = None,
        direction: str = "minimize",
        seed: int | None = None,
        noise: Noise = "learned",
        method: str | object = "qkg",
        fit: str | None = None,
        over: Mapping[str, Any] | None = None,
        objectives: Mapping[str, str] | None = None,
        limits: Sequence[str] | None = None,
        costs: Mapping[str, float] | None = None,
        cost: Cost = None,
        learn_from: object = None,
    ) -> None:
        """
        Args:
            space: a `Space`, or a dict of parameters: `{"x": (0.0, 1.0), "layers": kg.Int(1, 8), "act": ["a", "b"]}`.
            name: of the study, one of many in its storage; "study" if there is a storage and no name.
            storage: None keeps the study in memory; a path or `sqlite:///path` in a file on a local disk;
                `postgresql://user@host/database` in a database. If there is a study of that name, with the same space
                and direction, it is continued.
            direction: "minimize" or "maximize".
            seed: the same seed and results give the same points; None draws one, or takes the recorded one.
            noise: "learned" (it may turn out to be none), 0 for exact results, a standard deviation, or params -> that.
            method: how points are chosen, by name, or an object with `propose`.
            fit: how hyperparameters are chosen: "map", "mle", "bayes" (averaged over draws); None: up to the method.
            over: contexts to be good on average over, by their weights: `{"substrate": {"A": 2, "B": 1}}`.
            objectives: outcomes with directions, `{"yield": "maximize"}`, told by name; `noise` may be a dict of them.
            limits: what has to hold of outcomes, `["impurity <= 0.5", "mass <= 3"]`.
            costs: what it costs to measure an outcome, in relation to the others, for `ask(q, measure="auto")`.
            cost: of a measurement: params -> that, "learned" (also from seconds of a run), None: from what was told.
            learn_from: earlier studies, whose results are copied; their spaces may overlap only in part.
        """
        place = as_space(space)
        check_graded(method, place, bool(objectives or limits))
        goals = checked_goals(objectives, limits, costs, place.names)
        settings = checked_settings(seed, direction, noise, method, fit, checked_over(place, over), goals, cost)
        asked = place, replace(settings, earlier=checked_earlier(learn_from, place, settings.direction))
        check_earlier(*asked)
        self._begin(checked_name(name, storage), storage, asked, seed)

    def _begin(self, name: str | None, storage: object, asked: tuple[Space, Settings], seed: int | None) -> None:
        """Create the study that is asked for, or go on with the one of that name if it is the same."""
        self._log = storage if isinstance(storage, Log) else Log(open_storage(storage, name))
        self._asker = Asker(self._log, self._refitting())
        self._last_gain: Gain | None = None
        self._snapshot: Snapshot | None = None
        self._usual = Usual()
        self.copied: Copied | None = None
        """If this study is a copy, made in this session: what was copied."""
        ledger = self._log.read()  # to look at a study takes no lock
        ledger = ledger if ledger.created else self._log.commit(beginning(name, *asked))
        found, self._settings = resumed(ledger, *asked, seed)
        self._spaces = {len(ledger.spaces) - 1: found}
        self._name = ledger.created["name"] if name is None else name

    @classmethod
    def load(
        cls,
        storage: object,
        name: str | None = None,
        *,
        feasible: Callable[[dict[str, Any]], bool] | None = None,
        noise: Noise | None = None,
        method: str | object | None = None,
        fit: str | None = None,
        cost: Cost = None,
    ) -> Self:
        """A study that is there, with what it recorded: nothing is created.

        Args:
            storage: as for `Study`.
            name: may be left out where the storage holds one study.
            feasible: the space's function, if it has one: a function cannot be stored.
            noise: instead of the recorded one; needed where that was a function.
            method: instead of the recorded one; needed where that was an object.
            fit: instead of the recorded one.
            cost: instead of the recorded one; where that was a function and none is given, costs are learned.
        """
        log = Log(find_storage(storage, name))
        ledger = log.read()
        if not ledger.created:
            raise UnknownStudyError("storage: expected a study, got an empty log; create it first")
        check_format(ledger)
        space = Space.from_dict(ledger.spaces[-1], feasible=feasible)
        options = recalled(ledger, {"noise": noise, "method": method, "fit": fit, "cost": cost})
        return cls(space, name=ledger.created["name"], storage=log, **options)

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
        """The contexts it is to be good on average over: of each parameter pairs of a value and its weight."""
        return created_over(self._settings)

    @property
    def objectives(self) -> dict[str, str]:
        """Named outcomes that are to be minimised or maximised, with their directions; empty in a plain study."""
        return dict(self._settings.objectives)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """What has to hold of outcomes."""
        return self._settings.limits

    @property
    def costs(self) -> dict[str, float]:
        """What it costs to measure each outcome, if that was said."""
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
        """Handed out, without an outcome yet."""
        with self._log.lock:
            return tuple(self._log.read().pending)

    @property
    def version(self) -> int:
        """A number that grows whenever anything about the study changes, whoever changed it."""
        with self._log.lock:
            return self._log.read().length

    @property
    def is_durable(self) -> bool:
        """Does it outlive this process?"""
        return is_durable(self._log.storage)

    @property
    def now(self) -> float:
        """Seconds since 1970 on the clock that the deadlines of leases are measured by."""
        return self._log.storage.now()

    @property
    def spent(self) -> float:
        """What its own trials have cost, as far as that is known; what was added from elsewhere does not count."""
        return sum(trial.cost for trial in self.trials if trial.cost is not None and trial.source != "added")

    @property
    def cost(self) -> Cost:
        """As it was said: a function of the params, "learned" or None."""
        return self._settings.cost

    @property
    def are_costs_learned(self) -> bool:
        """Are they learned from what trials have cost, so that a run has to measure that?"""
        return self._settings.cost == "learned" or (self._settings.cost is None and bool(graded(self.space.parameters)))

    def price(self, params: Mapping[str, Any]) -> float | None:
        """What a measurement at these params is expected to cost; None where nothing is known about costs."""
        snapshot = self.snapshot()
        return snapshot.price(snapshot.space.validate(params))

    def _cost_of(self, trial: object, cost: float | None) -> float | None:
        """What was said or, by the study's function, what a trial or params cost."""
        if cost is not None or not callable(self._settings.cost):
            return cost
        with self._log.lock:
            params = trial if isinstance(trial, Mapping) else self._log.read().find(trial).params
        return price(self._settings.cost(dict(params)), "cost(params)")

    @property
    def best(self) -> Trial | None:
        """The trial with the best observed value, luck included; for what to use, see `recommend`.

        With limits, of those whose measured outcomes hold them; None if there are several objectives.
        """
        complete = decisive([trial for trial in self.trials if trial.state == "complete"], self.space)
        return best_of(within(complete, self.limits) if self.goals else complete, self.direction)

    @property
    def has_results(self) -> bool:
        """Is any trial complete?"""
        return any(trial.state == "complete" for trial in self.trials)

    @property
    def last_gain(self) -> Gain | None:
        """What the points handed out last were expected to be worth when they were chosen, if a model chose them."""
        return self._last_gain

    def __repr__(self) -> str:
        trials = self.trials
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Study({name}{self.direction}, {len(trials)} trials, {len(self.pending)} pending)"

    def ask(
        self,
        q: int = 1,
        *,
        last: bool = False,
        lease: float | None = None,
        worker: str | None = None,
        given: Mapping[str, Any] | None = None,
        shared: Mapping[str, int] | Sequence[str] | None = None,
        measure: str | Sequence[str] | None = None,
    ) -> list[Trial]:
        """The next `q` points to try, chosen jointly, with those still running in mind; pending from now on.

        Args:
            q: how many.
            last: the search ends with these: they are to improve the recommendation, not the model.
            lease: seconds after which a point that was neither told nor renewed is offered to somebody else, as a new
                trial; a late `tell` is still taken. None: it is yours for as long as it takes.
            worker: who takes them, for people.
            given: values of some parameters, `{"reactor": "B"}`: the points have these, and are chosen to find what is
                best there, by what is known from everywhere. Queued points that have others stay in the queue.
            shared: how many different values of a parameter the points may have, `{"temperature": 3}`; a list of names
                means one of each. The batch is chosen jointly under this.
            measure: which of the named outcomes are to be measured, `["yield"]`; "auto" chooses them for each point by
                what they tell for what they cost. None: all. `Trial.measure` says which.
        """
        q, worker = count(q, "q"), checked_worker(worker)
        lease = None if lease is None else seconds(lease, "lease")
        context, limits = self._asked(checked_given, given), self._asked(checked_shared, shared)
        check_target(self._settings.method, context)
        check_ties(self._settings.method, limits)
        how: dict[str, Any] = {"last": last, "given": context, "shared": limits}
        if (names := measure if measure is None else checked_measure(measure, self.outcomes)) is not None:
            how["measure"] = names
        suggested = partial(self._suggest, **how) if any(how.values()) else self._suggest
        pick = partial(picked, given=context, shared=limits) if context or limits else first
        forced = names if isinstance(names, tuple) else None
        trials, self._last_gain = self._asker.ask(q, suggested, lease, worker, pick, forced)
        return trials

    def renew(self, *trials: Trial | str | int, lease: float) -> list[Trial]:
        """Keep these for `lease` more seconds; 0 gives them back at once. Those that are settled stay as they are."""
        lease = seconds(lease, "lease")

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            return renewed([ledger.find(trial) for trial in trials], lease, now())

        with self._log.lock:
            ledger = self._log.commit(decide)
            return [ledger.find(trial) for trial in trials]

    def worth_continuing(self, trial: Trial | str | int) -> bool:
        """Is what the rest of this run would tell worth more, per cost, than the best other use of its worker?

        By the reports so far (`report`). If not, `stop` it: that makes it a result at the fidelity that it has reached.
        """
        with self._log.lock:
            found = self._log.read().find(trial)
        told = None if found.state != "pending" else self.snapshot().continuing(found)
        return told is None or told.is_worth_it

    def reclaim(self) -> None:
        """Take back points whose lease has ended; the next `ask`, which does this too, hands them out first."""
        self._asker.reclaim()

    def doubt(self, trial: Trial | str | int | Mapping[str, Any], value: Value, sem: float | None = None) -> str | None:
        """Why this result of a trial, or at these params, looks like a mistake, in words; None if it does not.

        It is compared with the other results, and with the model if there is one. Nothing is fitted or recorded.
        """
        return self._doubt(trial, *self._came(value, sem))

    def _doubt(self, trial: Trial | str | int | Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> str | None:
        """As `doubt` has it, of an outcome that was checked."""
        if kind != "told":
            return None
        ledger, named = self._log.peek(), bool(self._settings.objectives)
        if not named and self._usual.includes(ledger.trials, ledger.changes, data["value"]):
            return None
        with self._log.lock:
            ledger = self._log.peek()
            params = trial if isinstance(trial, Mapping) else None
            with suppress(UnknownTrialError):  # whoever records it will find out
                if params is None and (found := ledger.find(trial)).state != "complete":
                    params = found.params
            if params is None:
                return None
            seen = self._snapshot if self._snapshot and self._snapshot.space is self._space_of(ledger) else None
            if named:
                return doubt_outcomes(ledger.trials, params, data["outcomes"], seen)
            return doubt(ledger.trials, params, data["value"], data["sem"], seen)

    def _doubtful(self, added: Sequence[Trial]) -> dict[int, str]:
        return doubts(self.trials, added)

    def recommend(
        self,
        *,
        given: Mapping[str, Any] | None = None,
        tolerance: Mapping[str, float] | None = None,
        chance: float | None = None,
        weights: Mapping[str, float] | None = None,
        at: Mapping[str, str] | None = None,
    ) -> Recommendation:
        """What to use now: the best point tried as the model sees it, or one never tried that is probably better.

        Its `sd` and its 90 % `interval` count what is unknown of the model too; the search goes by those of `predict`.

        Args:
            given: values of some parameters, `{"reactor": "B"}`: what is best there.
            tolerance: to how much, in user units, settings can be held, `{"temperature": 3}`: what is best on average
                over all settings that near, those beyond a bound taken as at it.
            chance: with which all limits are to hold together; 0.95 if left out. If they do so nowhere, it is the point
                where they are likeliest to.
            weights: of several objectives, what a unit of each is worth; without, they are balanced.
            at: bounds on some of several objectives, `{"price": "<= 3"}`: the best of the others under these.
        """
        context, widths = self._asked(checked_given, given), self._asked(checked_tolerance, tolerance)
        check_target(self._settings.method, context)
        found = self._results("recommend").recommend(context, widths, chance=chance, weights=weights, at=at)
        return replace(found, params=dict(found.params))  # what is kept is nobody's to change

    def front(self, *, chance: float | None = None) -> Front:
        """What can be had of several objectives: points none of which is expected to be better in every objective.

        Of each, what to expect of every outcome and how sure that is; `recommend(weights=…)` or `recommend(at=…)` takes
        one. Where there are limits, they hold with this `chance`, 0.95 if left out.
        """
        return self._results("front").front(chance)

    def predict(self, points: Any) -> Prediction:
        """What the model expects at points: a list of params, or a table with a column for each parameter.

        By the posterior alone, as the search sees it: the `sd` of `recommend` is wider. `outcomes` of the answer has
        each named outcome, `chance` that all limits hold.
        """
        snapshot = self._results("predict")
        params = read_points(points, snapshot.space)
        return snapshot.expect(snapshot.space.encode_many(params))

    def gain(self, q: int | None = None, *, given: Mapping[str, Any] | None = None) -> Gain:
        """By how much `q` more points are expected to improve the recommendation; None: as many as were asked last.

        With `given` values of some parameters, points that have these, and the recommendation for them.
        """
        context = self._asked(checked_given, given)
        check_target(self._settings.method, context)
        with self._log.lock:
            ledger = self._log.read()
            last = sum(trial.batch == ledger.batches - 1 for trial in ledger.trials)
        q = max(last, 1) if q is None else count(q, "q")
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
        """How many points to ask for next, what the budget is expected to buy, and when to stop.

        Args:
            budget: what is left to be spent, in any unit: money, days, samples.
            setup: what a batch costs, however many points it has, in the same unit.
            each: what a point costs.
            sizes: the batch sizes to choose from; None: from 1 to 64.
            given: values of some parameters, as for `ask`.
        """
        context = self._asked(checked_given, given)
        check_target(self._settings.method, context)
        return self._results("plan").plan(budget, setup=setup, each=each, sizes=sizes, given=context)

    def diagnostics(self) -> Diagnostics:
        """Whether the model is to be trusted: noise, length scales, leave-one-out checks, and warnings in words."""
        return self._results("diagnostics").diagnostics

    def copy(
        self,
        storage: object = None,
        *,
        name: str | None = None,
        space: Space | Mapping[str, Any] | None = None,
        convert: Convert | None = None,
    ) -> Self:
        """A new study with the results, queue and audit trail of this one, which stays as it is.

        What has no place in another space is left out, with a warning; `copied` of the new study lists it.

        Args:
            storage: where it is kept, as for `Study`.
            name: of the new study; if left out, that of this one.
            space: another one: a wider or narrower range, more options, other constraints.
            convert: a function of the params of a trial that returns those in the new space, or None to leave it out.
                Needed where parameters were renamed, added or taken away.
        """
        to = None if space is None else as_space(space)
        name, settings = checked_name(self._name if name is None else name, storage), self._settings
        log = Log(open_storage(storage, name))
        report = copy_log(self._log, log, name, to, settings, convert)
        made = type(self)(
            self.space if to is None else to,
            name=name,
            storage=log,
            direction=settings.direction,
            method=settings.method,
            fit=settings.fit,
            over=dict(settings.over),
            **restated(settings),
            cost=settings.cost,
            learn_from=told_earlier(settings.earlier),
        )
        made.copied = report
        return made

    def snapshot(self) -> "Snapshot":
        """The study as it is now, for `knowgrad.views`."""
        with self._log.lock:
            ledger = self._log.read()
            return self._given(ledger.known, self._space_of(ledger))

    def plot(self, kind: str = "history", *, theme: str = "auto", **options: Any) -> Any:
        """A Plotly figure: history, batch, slices, plane, surface, importance, parallel, gain or calibration.

        `theme` is "light", "dark" or "auto" (readable on both); the options are those of `knowgrad.plots`.
        """
        with LOADING:
            from knowgrad.plots import figure

        return figure(self.snapshot(), kind, theme=theme, **options)

    def _asked(self, check: Callable[[Space, object], T], given: object) -> T:
        """What a question says, checked; the log is read only if it says anything."""
        return check(self._space_of(self._log.peek()) if given is None else self.space, given)

    def _check_space(self, space: Space) -> None:
        checked_over(space, dict(self._settings.over) or None)
        if goals := self.goals:
            checked_goals(dict(goals.objectives), goals.limits, dict(goals.costs) or None, space.names)

    def _suggest(self, known: Known, q: int, **how: Any) -> Suggestion:
        with self._log.lock:
            place = self._space_of(self._log.peek(), known.space)
        return self._given(known, place).suggest(q, **how)

    def _results(self, question: str) -> "Snapshot":
        snapshot = self.snapshot()
        if not snapshot.complete:
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
