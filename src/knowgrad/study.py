"""`Study`: ask for points, tell results, and ask what to use. The only mutable object of the package.

Every change is one append to the log, made only after everything about it has been checked, and only if the log is
still what it was checked against. So a call that raises has changed nothing, and no two writers contradict each other.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from knowgrad.advisor.asked import (
    check_target,
    check_ties,
    checked_given,
    checked_over,
    checked_shared,
    checked_tolerance,
    picked,
)
from knowgrad.advisor.diagnostics import Diagnostics
from knowgrad.advisor.doubt import Usual, doubt, doubts
from knowgrad.advisor.options import checked_name, checked_settings, checked_worker
from knowgrad.checked import count, seconds
from knowgrad.errors import NoDataError, UnknownStudyError, UnknownTrialError
from knowgrad.log.copying import Convert, Copied, copy_log
from knowgrad.log.dispatch import Asker
from knowgrad.log.leases import renewed
from knowgrad.log.ledger import Ledger
from knowgrad.log.log import Log
from knowgrad.log.record import created, created_over, recalled, resumed
from knowgrad.log.recording import Recording
from knowgrad.log.settle import outcome
from knowgrad.runner import Runs
from knowgrad.space import Space, as_space
from knowgrad.storage import Clock, find_storage, is_durable, open_storage
from knowgrad.storage.forks import LOADING
from knowgrad.tables.exchange import Exchange
from knowgrad.tables.points import read_points
from knowgrad.trial import Event, Gain, Noise, Prediction, Recommendation, Suggestion, Trial, best_of

if TYPE_CHECKING:
    from knowgrad.advisor.snapshot import Snapshot


class Study(Recording, Exchange, Runs):
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
            fit: how the hyperparameters are chosen: "map", "mle" (the paper's), "bayes" (averaged over draws of them);
                None leaves it to the method.
            over: contexts to be good on average over, by their weights: `{"substrate": {"A": 2, "B": 1}}`.
        """
        place = as_space(space)
        asked = place, checked_settings(seed, direction, noise, method, fit, checked_over(place, over))
        name = checked_name(name, storage)
        self._log = storage if isinstance(storage, Log) else Log(open_storage(storage, name))
        self._asker = Asker(self._log)
        self._last_gain: Gain | None = None
        self._snapshot: Snapshot | None = None
        self._usual = Usual()
        self.copied: Copied | None = None
        """If this study is a copy, made in this session: what was copied."""

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            return [] if ledger.created else [Event("created", created(name, *asked, now()))]

        record = self._log.read().created or self._log.commit(decide).created  # to look at a study takes no lock
        self._space, self._settings = resumed(record, *asked, seed)
        self._name = record["name"] if name is None else name

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
    ) -> Self:
        """A study that is there, with what it recorded: nothing is created.

        Args:
            storage: as for `Study`.
            name: may be left out where the storage holds one study.
            feasible: the space's function, if it has one: a function cannot be stored.
            noise: instead of the recorded one; needed where that was a function.
            method: instead of the recorded one; needed where that was an object.
            fit: instead of the recorded one.
        """
        log = Log(find_storage(storage, name))
        record = log.read().created
        if not record:
            raise UnknownStudyError("storage: expected a study, got an empty log; create it first")
        space = Space.from_dict(record["space"], feasible=feasible)
        options = recalled(record, {"noise": noise, "method": method, "fit": fit})
        return cls(space, name=record["name"], storage=log, **options)

    @property
    def space(self) -> Space:
        return self._space

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
    def best(self) -> Trial | None:
        """The trial with the best observed value, luck included; for what to use, see `recommend`."""
        complete = [trial for trial in self.trials if trial.state == "complete"]
        return best_of(complete, self.direction)

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
        """
        q, worker = count(q, "q"), checked_worker(worker)
        lease = None if lease is None else seconds(lease, "lease")
        context, limits = checked_given(self._space, given), checked_shared(self._space, shared)
        check_target(self._settings.method, context)
        check_ties(self._settings.method, limits)
        how: dict[str, Any] = {"last": last, "given": context, "shared": limits}
        suggested = partial(self._suggest, **how) if any(how.values()) else self._suggest
        pick = partial(picked, given=context, shared=limits)
        trials, self._last_gain = self._asker.ask(q, suggested, lease, worker, pick)
        return trials

    def renew(self, *trials: Trial | str | int, lease: float) -> list[Trial]:
        """Keep these for `lease` more seconds; 0 gives them back at once. Those that are settled stay as they are."""
        lease = seconds(lease, "lease")

        def decide(ledger: Ledger, now: Clock) -> list[Event]:
            return renewed([ledger.find(trial) for trial in trials], lease, now())

        with self._log.lock:
            ledger = self._log.commit(decide)
            return [ledger.find(trial) for trial in trials]

    def reclaim(self) -> None:
        """Take back points whose lease has ended; the next `ask`, which does this too, hands them out first."""
        self._asker.reclaim()

    def doubt(self, trial: Trial | str | int | Mapping[str, Any], value: float, sem: float | None = None) -> str | None:
        """Why this result of a trial, or at these params, looks like a mistake, in words; None if it does not.

        It is compared with the other results, and with the model if there is one. Nothing is fitted or recorded.
        """
        return self._doubt(trial, *outcome(value, sem, self.direction))

    def _doubt(self, trial: Trial | str | int | Mapping[str, Any], kind: str, data: Mapping[str, Any]) -> str | None:
        """As `doubt` has it, of an outcome that was checked."""
        if kind != "told":
            return None
        with self._log.lock:
            ledger, params = self._log.peek(), trial if isinstance(trial, Mapping) else None
            if self._usual.includes(ledger.trials, ledger.changes, data["value"]):
                return None
            with suppress(UnknownTrialError):  # whoever records it will find out
                if params is None and (found := ledger.find(trial)).state != "complete":
                    params = found.params
            if params is None:
                return None
            return doubt(ledger.trials, params, data["value"], data["sem"], self._snapshot)

    def _doubtful(self, added: Sequence[Trial]) -> dict[int, str]:
        return doubts(self.trials, added)

    def recommend(
        self, *, given: Mapping[str, Any] | None = None, tolerance: Mapping[str, float] | None = None
    ) -> Recommendation:
        """What to use now: the best point tried as the model sees it, or one never tried that is probably better.

        Its `sd` and its 90 % `interval` count what is unknown of the model too; the search goes by those of `predict`.

        Args:
            given: values of some parameters, `{"reactor": "B"}`: what is best there.
            tolerance: to how much, in user units, settings can be held, `{"temperature": 3}`: what is best on average
                over all settings that near, those beyond a bound taken as at it.
        """
        context, widths = checked_given(self._space, given), checked_tolerance(self._space, tolerance)
        check_target(self._settings.method, context)
        found = self._results("recommend").recommend(context, widths)
        return replace(found, params=dict(found.params))  # what is kept is nobody's to change

    def predict(self, points: Any) -> Prediction:
        """What the model expects at points: a list of params, or a table with a column for each parameter.

        By the posterior alone, as the search sees it: the `sd` of `recommend` is wider.
        """
        params = read_points(points, self._space)
        return Prediction(*self._results("predict").predict(self._space.encode_many(params)))

    def gain(self, q: int | None = None, *, given: Mapping[str, Any] | None = None) -> Gain:
        """By how much `q` more points are expected to improve the recommendation; None: as many as were asked last.

        With `given` values of some parameters, points that have these, and the recommendation for them.
        """
        context = checked_given(self._space, given)
        check_target(self._settings.method, context)
        with self._log.lock:
            ledger = self._log.read()
            last = sum(trial.batch == ledger.batches - 1 for trial in ledger.trials)
        q = max(last, 1) if q is None else count(q, "q")
        return self._results("gain").gain(q, context)

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
        to = self._space if space is None else as_space(space)
        name, settings = checked_name(self._name if name is None else name, storage), self._settings
        log = Log(open_storage(storage, name))
        report = copy_log(self._log, log, name, to, settings, convert)
        made = type(self)(
            to,
            name=name,
            storage=log,
            direction=settings.direction,
            noise=settings.noise,
            method=settings.method,
            fit=settings.fit,
            over=dict(settings.over),
        )
        made.copied = report
        return made

    def snapshot(self) -> "Snapshot":
        """The study as it is now, for `knowgrad.views`."""
        with self._log.lock:
            return self._given(self._log.read().known)

    def plot(self, kind: str = "history", *, theme: str = "auto", **options: Any) -> Any:
        """A Plotly figure: history, batch, slices, plane, surface, importance, parallel, gain or calibration.

        `theme` is "light", "dark" or "auto" (readable on both); the options are those of `knowgrad.plots`.
        """
        with LOADING:
            from knowgrad.plots import figure

        return figure(self.snapshot(), kind, theme=theme, **options)

    def _suggest(self, known: tuple[Trial, ...], q: int, **how: Any) -> Suggestion:
        return self._given(known).suggest(q, **how)

    def _results(self, question: str) -> "Snapshot":
        snapshot = self.snapshot()
        if not snapshot.complete:
            raise NoDataError(f"{question}: expected at least one result, got none; tell() or add() one first")
        return snapshot

    def _given(self, known: Sequence[Trial]) -> "Snapshot":
        """The study with these trials: the snapshot before, or one that takes over what is the same."""
        with LOADING:
            from knowgrad.advisor.snapshot import Snapshot

        with self._log.lock:
            before = self._snapshot or Snapshot(self._space, (), self._settings)
            self._snapshot = before.given(known)
            return self._snapshot
