"""`KnowledgeGradientSearch`: Ray Tune's trials at the points that q-KG chooses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ray.tune.result import DEFAULT_METRIC
from ray.tune.search import Searcher

from knowgrad.advisor.options import checked_settings
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.checked import count, real
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.ray.domains import TuneSpace
from knowgrad.integrations.ray.endings import ended, limited, restored
from knowgrad.integrations.steps import Steps, is_due, without
from knowgrad.outcomes.limits import checked_limits
from knowgrad.space import Params, Space, as_space
from knowgrad.trial import Noise, Recommendation, Settings, Trial


class KnowledgeGradientSearch(Searcher):
    """A search algorithm for `tune.TuneConfig(search_alg=...)`, with `tune.uniform`, `loguniform`, `randint`,
    `lograndint`, their quantized forms and `choice`."""

    def __init__(
        self,
        space: Space | Mapping[str, Any] | None = None,
        metric: str | None = None,
        mode: str | None = None,
        *,
        batch_size: int | None = None,
        points_to_evaluate: Sequence[Mapping[str, Any]] | None = None,
        seed: int | None = None,
        noise: Noise = "learned",
        method: str | object = "qkg",
        fit: str | None = None,
        limits: Sequence[str] | None = None,
        time_attr: str = "training_iteration",
        max_t: int | None = None,
    ) -> None:
        """What to search, for what, and how.

        Args:
            space: a `knowgrad.Space` or a dict; None: the `param_space` of the `Tuner`.
            metric: the result to optimize. Its standard error, if reported, is `<metric>_sem`.
            mode: "min" or "max".
            batch_size: how many points to choose jointly; those left over are dropped when a new result comes in.
                None: as many as `max_concurrent_trials` leaves free, one if that is not set.
            points_to_evaluate: configs to try first.
            seed: the same seed and results give the same points.
            noise: see `knowgrad.Study`, as for `method` and `fit`; a function is given knowgrad's own params.
            limits: what has to hold of other metrics that are reported, `["latency <= 0.1"]`.
            time_attr: which of the reported results says how far a run has come: the fidelity of a report.
            max_t: how far whole runs come; then, or with a `knowgrad.Fidelity` in `space`, reports are learning curves.
        """
        super().__init__(metric=metric, mode=mode)
        self._space = None if space is None else TuneSpace.declared(as_space(space))
        self._batch_size = None if batch_size is None else count(batch_size, "batch_size")
        self._first = list(points_to_evaluate or ())
        self._queue: list[Params] = []  # the same as the space's params, once the space is known
        self._settings = checked_settings(seed, "minimize", noise, method, fit)
        self._limits = () if limits is None else checked_limits(limits)
        self._time_attr, self._max_t = time_attr, _checked_time(max_t, self._limits)
        self._concurrent: int | None = None
        self._trials: dict[str, Trial] = {}
        self._parked: list[Params] = []
        self._steps = self._found_steps()
        self._done: set[str] = set()  # trials that have ended by themselves
        self._decided: dict[str, int] = {}  # after how many reports it was decided whether a trial goes on

    def set_search_properties(
        self, metric: str | None, mode: str | None, config: Mapping[str, Any], **spec: Any
    ) -> bool:
        found = TuneSpace.of(config)
        if self._space is not None and found is not None:
            return False
        self._space = self._space or found
        self._steps = self._found_steps()
        self._metric: str | None = metric or self.metric or DEFAULT_METRIC
        self._mode: str | None = mode or self.mode
        return self._space is not None

    def set_max_concurrency(self, max_concurrent: int) -> bool:
        self._concurrent = max_concurrent
        return False  # Tune goes on to see to it

    def suggest(self, trial_id: str) -> dict[str, Any]:
        space = self._known_space()
        if trial_id not in self._trials:
            queued = bool(self._queue)
            params = {**(self._queue.pop(0) if queued else self._next(space)), **self._whole}
            source = "queue" if queued else ""
            self._trials[trial_id] = Trial(trial_id, len(self._trials), params, "pending", source=source)
        return space.config(without(self._trials[trial_id].params))

    def on_trial_result(self, trial_id: str, result: Mapping[str, Any]) -> None:
        """A step of a learning curve, where there is a fidelity that it can be of."""
        trial, steps = self._trials.get(trial_id), self._steps
        if trial is None or trial.state != "pending":
            return
        if result.get("done"):  # Tune says so of a trial that has ended by itself, and not of one that is stopped
            self._done.add(trial_id)
        value, at = result.get(self.metric), result.get(self._time_attr)
        if steps is None or value is None or at is None:
            return
        reports = {**dict(trial.curve), at: real(value, "the metric")}
        self._trials[trial_id] = replace(trial, curve=steps.curve(reports, trial.params[steps.name]))

    def goes_on(self, trial_id: str, result: Mapping[str, Any], grace: float = 0, startup: int = 1) -> bool:
        """Is the rest of a run worth its cost? A question of the scheduler, before `on_trial_result`."""
        steps = self._steps
        if steps is None:
            raise ArgumentError(
                "KnowledgeGradientScheduler: expected a search with a fidelity, got none; pass max_t=100, say, to "
                "KnowledgeGradientSearch, or a space with a knowgrad.Fidelity"
            )
        self.on_trial_result(trial_id, result)
        trial, done = self._trials.get(trial_id), sum(each.state == "complete" for each in self._trials.values())
        if trial is None or trial.state != "pending" or not trial.curve or result.get("done"):
            return True
        at = trial.curve[-1][0]
        if at >= trial.params[steps.name]:
            return False  # as far as was asked for
        if at < grace or done < startup or not is_due(len(trial.curve), self._decided.get(trial_id, 0)):
            return True
        self._decided[trial_id] = len(trial.curve)
        told = self._snapshot(self._known_space()).continuing(trial, steps.whole)
        return told is None or told.is_worth_it

    def on_trial_complete(self, trial_id: str, result: Mapping[str, Any] | None = None, error: bool = False) -> None:
        trial = self._trials.get(trial_id)
        if trial is None or trial.state != "pending":
            return
        told = {} if error or not result else result
        found = self._reached(ended(trial, told.get(self.metric), told.get(f"{self.metric}_sem")), told)
        self._trials[trial_id] = limited(found, told, self._known_settings()) if self._limits else found
        self._parked.clear()

    def add_evaluated_point(
        self,
        parameters: Mapping[str, Any],
        value: float,
        error: bool = False,
        pruned: bool = False,
        intermediate_values: Sequence[float] | None = None,
    ) -> None:
        name = f"added-{len(self._trials)}"
        params = {**self._known_space().params(parameters), **self._whole}
        trial = Trial(name, len(self._trials), params, "pending")
        self._trials[name] = ended(trial, None if error or pruned else value, None)
        self._parked.clear()

    def recommend(self) -> Recommendation:
        """What to use now: the config with the best posterior mean."""
        space = self._known_space()
        if not any(trial.state == "complete" for trial in self._trials.values()):
            raise NoDataError("recommend: expected at least one result, got none; run the Tuner first")
        found = self._snapshot(space).recommendation
        best = found.best and replace(found.best, params=space.config(without(found.best.params)))
        return replace(found, params=space.config(without(space.rounded(found.params))), best=best)

    def save(self, checkpoint_path: str) -> None:
        """Write the trials as JSON; the space is told anew by whoever restores."""
        trials = [asdict(trial) for trial in self._trials.values()]
        self._known_space()
        state = {"seed": self._settings.seed, "queue": self._queue, "trials": trials}
        Path(checkpoint_path).write_text(json.dumps(state), encoding="utf-8")

    def restore(self, checkpoint_path: str) -> None:
        state = json.loads(Path(checkpoint_path).read_text(encoding="utf-8"))
        self._settings = replace(self._settings, seed=state["seed"])
        self._first, self._queue = [], state["queue"]
        self._trials = {told["id"]: restored(told) for told in state["trials"]}
        self._parked.clear()

    def _next(self, space: TuneSpace) -> Params:
        """A point of the batch in hand, or the first of a new one."""
        if not self._parked:
            free = (self._concurrent or 1) - sum(trial.state == "pending" for trial in self._trials.values())
            q = self._batch_size or max(1, free)
            self._parked = list(self._snapshot(space).suggest(q, given=self._whole or None).params)
        return space.rounded(self._parked.pop(0))

    def _snapshot(self, space: TuneSpace) -> Snapshot:
        where = space.indexed.space if self._steps is None else self._steps.space
        return Snapshot(where, tuple(self._trials.values()), self._known_settings())

    def _found_steps(self) -> Steps | None:
        """What reports on the way are values at; None if there is no fidelity."""
        if self._space is None or self._limits:
            return None
        space = self._space.indexed.space
        return Steps.declared(space) or (None if self._max_t is None else Steps.counted(space, self._max_t))

    @property
    def _whole(self) -> Params:
        return {} if self._steps is None else self._steps.whole

    def _reached(self, trial: Trial, result: Mapping[str, Any]) -> Trial:
        """A trial that has ended, at the fidelity that it has reached: that of its last report, if it was stopped."""
        steps = self._steps
        if steps is None or trial.state != "complete" or trial.value is None or trial.id in self._done:
            return trial
        told = steps.curve({result.get(self._time_attr, 0): trial.value}, trial.params[steps.name])
        return replace(trial, params={**trial.params, steps.name: told[-1][0]}) if told else trial

    def _known_space(self) -> TuneSpace:
        if self._space is None:
            raise ArgumentError("space: expected a space, got none; pass space=..., or param_space=... to the Tuner")
        self._queue += [self._space.params(config) for config in self._first]
        self._first.clear()
        return self._space

    def _known_settings(self) -> Settings:
        if self.mode not in ("min", "max"):
            raise ArgumentError(f'mode: expected "min" or "max", got {self.mode!r}; pass it here or in the TuneConfig')
        settings = replace(self._settings, direction="minimize" if self.mode == "min" else "maximize")
        if not self._limits:
            return settings
        metric = self.metric or DEFAULT_METRIC
        noises = () if settings.noise == "learned" else ((metric, settings.noise),)
        known = replace(settings, noise="learned", noises=noises, limits=self._limits)
        return replace(known, objectives=((metric, settings.direction),))


def _checked_time(max_t: int | None, limits: object) -> int | None:
    if max_t is not None and limits:
        raise ArgumentError("max_t: expected none beside limits, got one; leave out one of them")
    return None if max_t is None else count(max_t, "max_t")
