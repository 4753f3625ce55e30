"""`Study.minimize`, `Study.maximize`, `Study.optimize`: run a function on a study to the end."""

from dataclasses import dataclass, field
from typing import Any, Generic, NoReturn, TypeVar

from knowgrad.checked import count
from knowgrad.errors import ArgumentError, NoDataError
from knowgrad.runner.objective import Objective
from knowgrad.runner.patience import PATIENCE, Patience
from knowgrad.runner.studies import Runnable
from knowgrad.runner.work import LEASE, work
from knowgrad.text import one_line
from knowgrad.trial import Gain, Recommendation

S = TypeVar("S", bound=Runnable)


@dataclass(frozen=True, repr=False)
class Result(Recommendation, Generic[S]):
    """The recommendation at the end of a run, with the study it rests on."""

    study: S = field(repr=False)
    gain: Gain
    """The expected gain of one more batch."""
    stopped: str
    """What ended the run: "n_trials", "budget", "timeout", "stop_gain", "interrupted" or "executor broke"."""


class Runs:
    """What makes a study one that functions can be run on."""

    def optimize(
        self: S,
        f: Objective,
        *,
        n_trials: int | None = None,
        budget: float | None = None,
        workers: int = 1,
        batch_size: int | None = None,
        progress: bool = True,
        patience: float = PATIENCE,
        lease: float = LEASE,
        **options: Any,
    ) -> Result[S]:
        """Evaluate `f` at points of this study until it has `n_trials` evaluations, or these have cost as much as the
        `budget`, as `knowgrad.minimize` does.

        Added results inform the model and do not count; queued points are evaluated first. The options are
        those of `knowgrad.minimize`: `executor`, `timeout`, `trial_timeout`, `stop_gain`, `catch`, `callbacks`,
        `shared` and `measure`. In a study with named outcomes `f` returns a dict of them, as `Study.tell` takes it.
        """
        n_trials = checked_end(n_trials, budget)  # a worker may go on for ever, a run is to return
        options |= {"workers": workers, "batch_size": batch_size, "progress": progress, "patience": patience}
        stopped = work(self, f, n_trials=n_trials, budget=budget, lease=lease if self.is_durable else None, **options)
        return conclude(self, stopped, batch_size or workers, patience)

    def minimize(self: S, f: Objective, *, n_trials: int | None = None, **options: Any) -> Result[S]:
        """Find the params with the lowest expected `f(params)`; the options are those of `knowgrad.minimize`."""
        return _directed(self, "minimize", f, n_trials, options)

    def maximize(self: S, f: Objective, *, n_trials: int | None = None, **options: Any) -> Result[S]:
        """Find the params with the highest expected `f(params)`; the options are those of `knowgrad.minimize`."""
        return _directed(self, "maximize", f, n_trials, options)


def checked_end(n_trials: int | None, budget: float | None) -> int | None:
    """How many evaluations a run may have; None where a budget ends it."""
    if n_trials is None and budget is not None:
        return None
    return count(n_trials, "n_trials")


def _directed(study: S, direction: str, f: Objective, n_trials: int | None, options: dict[str, Any]) -> Result[S]:
    """Refuse to minimise what the study maximises, and the reverse."""
    wanted = dict(study.goals.objectives)
    if wanted and any(each != direction for each in wanted.values()):
        raise ArgumentError(
            f"{direction}: expected objectives that are to be {direction}d, got {wanted}; call study.optimize(…)"
        )
    if study.direction != direction:
        raise ArgumentError(
            f"{direction}: expected a study with direction={direction!r}, got {study.direction!r}; "
            f"call study.{study.direction}(…), or make another study"
        )
    return Runs.optimize(study, f, n_trials=n_trials, **options)


def conclude(study: S, stopped: str, batch_size: int, patience: float = PATIENCE) -> Result[S]:
    """What a run that has ended this way has found."""
    if not Patience(patience).through(lambda: study.has_results):
        _explain_nothing(study, stopped)
    return Result(**vars(study.recommend()), study=study, gain=study.gain(batch_size), stopped=stopped)


def _explain_nothing(study: Runnable, stopped: str) -> NoReturn:
    if stopped == "interrupted":
        raise KeyboardInterrupt
    failed = [trial for trial in study.trials if trial.state == "failed"]
    last = f"; {len(failed)} failed, the last with: {one_line(failed[-1].reason)}" if failed else ""
    raise NoDataError(
        f"expected at least one result, got none from {len(study.trials)} trials (ended by {stopped}){last}; "
        "evaluate the objective at one point of the space by hand to see what is wrong"
    )
