"""`KnowledgeGradientSearch`: Ray Tune's trials at the points that q-KG chooses."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from ray.tune.result import DEFAULT_METRIC
from ray.tune.search import Searcher

from knowgrad.advisor.options import checked_settings
from knowgrad.advisor.snapshot import Snapshot
from knowgrad.checked import count, real, spread
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.integrations.ray.domains import TuneSpace
from knowgrad.outcomes import Measured, Outcomes
from knowgrad.outcomes.limits import checked_limits
from knowgrad.space import Params, Space, as_space
from knowgrad.trial import Noise, Recommendation, Settings, Trial, failure


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
    ) -> None:
        """What to search, for what, and how.

        Args:
            space: a `knowgrad.Space`, constraints included, or a dict; None: the `param_space` of the `Tuner`.
            metric: the result to optimize. Its standard error, if reported, is `<metric>_sem`.
            mode: "min" or "max".
            batch_size: how many points to choose jointly; those left over are dropped when a new result comes in.
                None: as many as `max_concurrent_trials` leaves free, one if that is not set.
            points_to_evaluate: configs to try first.
            seed: the same seed and results give the same points.
            noise: see `knowgrad.Study`, as for `method` and `fit`; a function is given knowgrad's own params.
            limits: what has to hold of other metrics that are reported, `["latency <= 0.1"]`.
        """
        super().__init__(metric=metric, mode=mode)
        self._space = None if space is None else TuneSpace.declared(as_space(space))
        self._batch_size = None if batch_size is None else count(batch_size, "batch_size")
        self._first = list(points_to_evaluate or ())
        self._queue: list[Params] = []  # the same as the space's params, once the space is known
        self._settings = checked_settings(seed, "minimize", noise, method, fit)
        self._limits = () if limits is None else checked_limits(limits)
        self._concurrent: int | None = None
        self._trials: dict[str, Trial] = {}
        self._parked: list[Params] = []

    def set_search_properties(
        self, metric: str | None, mode: str | None, config: Mapping[str, Any], **spec: Any
    ) -> bool:
        found = TuneSpace.of(config)
        if self._space is not None and found is not None:
            return False
        self._space = self._space or found
        self._metric: str | None = metric or self.metric or DEFAULT_METRIC
        self._mode: str | None = mode or self.mode
        return self._space is not None

    def set_max_concurrency(self, max_concurrent: int) -> bool:
        self._concurrent = max_concurrent
        return False  # Tune goes on to see to it

    def suggest(self, trial_id: str) -> dict[str, Any]:
        space = self._known_space()
        if trial_id not in self._trials:
            params = self._queue.pop(0) if self._queue else self._next(space)
            self._trials[trial_id] = Trial(trial_id, len(self._trials), params, "pending")
        return space.config(self._trials[trial_id].params)

    def on_trial_complete(self, trial_id: str, result: Mapping[str, Any] | None = None, error: bool = False) -> None:
        trial = self._trials.get(trial_id)
        if trial is None or trial.state != "pending":
            return
        told = {} if error or not result else result
        ended = _ended(trial, told.get(self.metric), told.get(f"{self.metric}_sem"))
        self._trials[trial_id] = _limited(ended, told, self._known_settings()) if self._limits else ended
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
        trial = Trial(name, len(self._trials), self._known_space().params(parameters), "pending")
        self._trials[name] = _ended(trial, None if error or pruned else value, None)
        self._parked.clear()

    def recommend(self) -> Recommendation:
        """What to use now: the config with the best posterior mean."""
        space = self._known_space()
        if not any(trial.state == "complete" for trial in self._trials.values()):
            raise NoDataError("recommend: expected at least one result, got none; run the Tuner first")
        found = self._snapshot(space).recommendation
        best = found.best and replace(found.best, params=space.config(found.best.params))
        return replace(found, params=space.config(space.rounded(found.params)), best=best)

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
        self._trials = {told["id"]: Trial(**{**told, "history": (), "curve": _curve(told)}) for told in state["trials"]}
        self._parked.clear()

    def _next(self, space: TuneSpace) -> Params:
        """A point of the batch in hand, or the first of a new one."""
        if not self._parked:
            free = (self._concurrent or 1) - sum(trial.state == "pending" for trial in self._trials.values())
            q = self._batch_size or max(1, free)
            self._parked = list(self._snapshot(space).suggest(q).params)
        return space.rounded(self._parked.pop(0))

    def _snapshot(self, space: TuneSpace) -> Snapshot:
        return Snapshot(space.indexed.space, tuple(self._trials.values()), self._known_settings())

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


def _curve(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """What was reported along the way, which JSON has as lists."""
    return tuple(tuple(point) for point in told.get("curve", ()))


def _ended(trial: Trial, value: Any, sem: Any) -> Trial:
    """The trial with its outcome; no value, or one that is not finite, is a failure."""
    number = math.nan if value is None else real(value, "the metric")
    if reason := failure(number):
        return replace(trial, state="failed", reason="no value" if value is None else reason)
    return replace(trial, state="complete", value=number, sem=None if sem is None else spread(sem, "the metric's sem"))


def _limited(trial: Trial, result: Mapping[str, Any], settings: Settings) -> Trial:
    """The trial with all outcomes that have a limit; without one of them it has failed."""
    if trial.value is None:
        return trial
    found = {settings.outcomes[0]: Measured(trial.value, trial.sem)}
    for name in settings.outcomes[1:]:
        value, sem = result.get(name), result.get(f"{name}_sem")
        number = math.nan if value is None else real(value, name)
        if reason := failure(number, name):
            why = f"no {name}" if value is None else reason
            return replace(trial, state="failed", value=None, sem=None, reason=why)
        found[name] = Measured(number, None if sem is None else spread(sem, f"{name}_sem"))
    return replace(trial, outcomes=Outcomes(found))
