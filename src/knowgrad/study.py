"""`Study`: ask for points, tell results, and ask what to use. The only mutable object of the package.

Every change is one append to the log, made only after everything about it has been checked, and only if the log is
still what it was checked against. So a call that raises has changed nothing, and no two writers contradict each other.
"""

import math
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from knowgrad.diagnostics import Diagnostics
from knowgrad.errors import ArgumentError, ConflictError, NoDataError
from knowgrad.options import checked_name, checked_settings
from knowgrad.space import Space, as_space
from knowgrad.storage import OutOfDate, open_storage
from knowgrad.trial import (
    Event,
    Gain,
    History,
    Noise,
    Recommendation,
    Suggestion,
    Trial,
    count,
    fold,
    real,
    spread,
)

if TYPE_CHECKING:
    from knowgrad.views import Snapshot


class _Overtaken(Exception):
    """Somebody else asked while the answer was being computed."""


class Study:
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
    ) -> None:
        """
        Args:
            space: a `Space`, or a dict of parameters: `{"x": (0.0, 1.0), "layers": kg.Int(1, 8), "act": ["a", "b"]}`.
            name: for people; nothing depends on it.
            storage: None keeps the study in memory.
            direction: "minimize" or "maximize".
            seed: the same seed and results give the same points; None draws one, see `Study.seed`.
            noise: "learned", 0 for exact results, their standard deviation, or a function params -> standard deviation.
            method: how points are chosen, by name, or an object with `propose`.
            fit: how the hyperparameters are chosen: "map", "mle" (the paper's), "bayes" (averaged over draws of them);
                None leaves it to the method.
        """
        self._space = as_space(space)
        self._name = checked_name(name)
        self._settings = checked_settings(seed, direction, noise, method, fit)
        self._storage = open_storage(storage)
        self._history, self._length = History(), 0
        self._lock = threading.RLock()  # guards the history; never held while a suggestion is computed
        self._asking = threading.Lock()  # threads of one process ask in turn, so none computes in vain
        self._last_gain: Gain | None = None
        created = Event("created", {"uid": secrets.token_hex(8), "name": self._name, "direction": self.direction})
        self._commit(lambda history: [] if history.uid else [created])

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
    def trials(self) -> tuple[Trial, ...]:
        """All trials, by number."""
        return self._read().trials

    @property
    def pending(self) -> tuple[Trial, ...]:
        """Handed out, without an outcome yet."""
        return tuple(trial for trial in self.trials if trial.state == "pending")

    @property
    def best(self) -> Trial | None:
        """The trial with the best observed value, luck included; for what to use, see `recommend`."""
        complete = [trial for trial in self.trials if trial.value is not None]
        sign = 1 if self.direction == "minimize" else -1
        return min(complete, key=lambda trial: sign * (trial.value or 0.0), default=None)

    @property
    def last_gain(self) -> Gain | None:
        """What the points handed out last were expected to be worth when they were chosen, if a model chose them."""
        return self._last_gain

    def __repr__(self) -> str:
        trials = self.trials
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Study({name}{self.direction}, {len(trials)} trials, {len(self.pending)} pending)"

    def ask(self, q: int = 1) -> list[Trial]:
        """The next `q` points to try, chosen jointly, with those still running in mind; pending from now on."""
        q = count(q, "q")
        with self._asking:
            while True:
                history = self._read()
                events, gain = self._plan(history, q)
                with suppress(_Overtaken):
                    trials = self._hand_out(events, history.turn)
                    self._last_gain = gain
                    return trials

    def tell(self, trial: Trial | str | int, value: float, sem: float | None = None) -> Trial:
        """Record the result of a trial, with its standard error if that is known.

        Telling the same again is fine; anything else is refused. NaN, or the infinity that is worst for the direction,
        makes the trial a failed one.
        """
        kind, outcome = self._outcome(value, sem)
        return self._settle(trial, kind, outcome)

    def fail(self, trial: Trial | str | int, reason: str) -> Trial:
        """Record that a trial came to nothing. Its point counts as tried, without a value."""
        return self._settle(trial, "failed", {"reason": str(reason)})

    def expire(self, trial: Trial | str | int) -> Trial:
        """Give up waiting for a trial: it is no longer pending. A late `tell` is still accepted."""
        return self._settle(trial, "expired", {})

    def add(self, params: Mapping[str, Any], value: float, sem: float | None = None) -> Trial:
        """Record a result obtained elsewhere. It counts towards the starting design."""
        params = self._space.validate(params)
        kind, outcome = self._outcome(value, sem)

        def events(history: History) -> list[Event]:
            number = len(history.trials)
            asked = {"number": number, "params": params, "source": "added", "batch": None}
            return [Event("asked", asked), Event(kind, {"number": number, **outcome})]

        return self._created(events)

    def enqueue(self, params: Mapping[str, Any]) -> Trial:
        """Have this point tried before any other: the next `ask` hands it out, in the order of the queue."""
        params = self._space.validate(params)
        return self._created(lambda history: [Event("queued", {"number": len(history.trials), "params": params})])

    def recommend(self) -> Recommendation:
        """What to use now: the optimum of the posterior mean over the whole domain."""
        from knowgrad.recommend import recommend

        return recommend(self._space, self._known_results("recommend"), self._settings)

    def gain(self, q: int | None = None) -> Gain:
        """By how much `q` more points are expected to improve the recommendation; None: as many as were asked last."""
        from knowgrad.suggest import gain

        history = self._read()
        last = sum(trial.batch == history.batches - 1 for trial in history.trials)
        q = max(last, 1) if q is None else count(q, "q")
        return gain(self._space, self._known_results("gain"), q, self._settings)

    def diagnostics(self) -> Diagnostics:
        """Whether the model is to be trusted: noise, length scales, leave-one-out checks, and warnings in words."""
        from knowgrad.diagnose import diagnose

        return diagnose(self._space, self._known_results("diagnostics"), self._settings)

    def snapshot(self) -> "Snapshot":
        """The study as it is now, for `knowgrad.views`."""
        from knowgrad.views import Snapshot

        return Snapshot(self._space, self._read().known, self._settings)

    def plot(self, kind: str = "history", *, theme: str = "auto", **options: Any) -> Any:
        """A Plotly figure: history, batch, slices, plane, surface, importance, parallel, gain or calibration.

        `theme` is "light", "dark" or "auto" (readable on both); the options are those of `knowgrad.plots`.
        """
        from knowgrad.plots import figure

        return figure(self.snapshot(), kind, theme=theme, **options)

    def _read(self) -> History:
        with self._lock:
            events = self._storage.read(self._length)
            if events:
                self._history, self._length = fold(events, self._history), self._length + len(events)
            return self._history

    def _commit(self, decide: Callable[[History], Sequence[Event]]) -> History:
        """Append what `decide` makes of the latest history, and decide again whenever another writer was faster."""
        while True:
            with self._lock:
                events = decide(self._read())
                try:
                    if events:
                        self._storage.append(events, expected=self._length)
                except OutOfDate:
                    continue
                return self._read()

    def _created(self, events: Callable[[History], Sequence[Event]]) -> Trial:
        numbers: list[int] = []

        def decide(history: History) -> Sequence[Event]:
            numbers.append(len(history.trials))
            return events(history)

        return self._commit(decide).trials[numbers[-1]]

    def _plan(self, history: History, q: int) -> tuple[list[Event], Gain | None]:
        """The queued points first, then as many suggested ones as are missing, with the gain of the suggestion."""
        batch, first = history.batches, len(history.trials)
        queued = history.queued[:q]
        events = [Event("asked", {"number": trial.number, "batch": batch}) for trial in queued]
        if len(queued) == q:
            return events, None
        known = (*history.known, *(replace(trial, state="pending") for trial in queued))
        found = self._suggest(tuple(sorted(known, key=lambda trial: trial.number)), q - len(queued))
        for i, (params, source) in enumerate(zip(found.params, found.sources, strict=True)):
            events.append(Event("asked", {"number": first + i, "params": params, "source": source, "batch": batch}))
        return events, None if found.gain is None else Gain(found.gain, found.sem or 0.0, len(found.params))

    def _hand_out(self, events: list[Event], turn: tuple[int, int]) -> list[Trial]:
        def decide(latest: History) -> list[Event]:
            if latest.turn != turn:
                raise _Overtaken
            return events

        trials = self._commit(decide).trials
        return [trials[event.data["number"]] for event in events]

    def _suggest(self, known: tuple[Trial, ...], q: int) -> Suggestion:
        from knowgrad.suggest import suggest

        return suggest(self._space, known, q, self._settings)

    def _known_results(self, question: str) -> tuple[Trial, ...]:
        known = self._read().known
        if not any(trial.state == "complete" for trial in known):
            raise NoDataError(f"{question}: expected at least one result, got none; tell() or add() one first")
        return known

    def _outcome(self, value: float, sem: float | None) -> tuple[str, dict[str, Any]]:
        """The event that a value makes: told, or failed if it can only mean that something went wrong."""
        number = real(value, "value")
        sem = None if sem is None else spread(sem, "sem")
        worst = math.inf if self.direction == "minimize" else -math.inf
        if math.isnan(number) or number == worst:
            return "failed", {"reason": f"the value was {number}"}
        if number == -worst:
            raise ArgumentError(
                f"value: expected a finite number, got {number}, which nothing could improve on when the direction is "
                f"{self.direction!r}; find out where it comes from, or fail() the trial"
            )
        return "told", {"value": number, "sem": sem}

    def _settle(self, trial: object, kind: str, outcome: dict[str, Any]) -> Trial:
        def decide(history: History) -> list[Event]:
            found = history.find(trial)
            event = Event(kind, {"number": found.number, **outcome})
            if found.state in ("queued", "pending") or (found.state == "expired" and kind != "expired"):
                return [event]
            if fold([event], history).trials[found.number] == found:
                return []
            had = f"value {found.value}, sem {found.sem}" if found.state == "complete" else f"{found.reason}"
            raise ConflictError(
                f"trial {found.number}: expected no second outcome, got {kind} {outcome} after {found.state} ({had}); "
                "the first stands: ask() or add() a new trial for another measurement"
            )

        history = self._commit(decide)
        return history.find(trial)
