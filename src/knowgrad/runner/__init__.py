"""`minimize` and `maximize`: a study and a function, run to the end by one loop over an executor.

The loop keeps up to `workers` evaluations going. Whenever one ends, its outcome is told and the study is asked for as
many new points as there are free workers, jointly, knowing the points still running. With a `batch_size` other than
`workers` it asks for that many points at a time and hands them out before it asks again.

May import: checked, errors, text, trial, space, storage, study.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from knowgrad.checked import count
from knowgrad.errors import NoDataError
from knowgrad.runner.evaluators import Executor, Objective
from knowgrad.runner.patience import PATIENCE, Patience
from knowgrad.runner.work import LEASE, work
from knowgrad.space import Space
from knowgrad.storage import is_durable
from knowgrad.study import Study
from knowgrad.text import one_line
from knowgrad.trial import Gain, Noise, Recommendation

__all__ = ["Executor", "Result", "conclude", "maximize", "minimize", "work"]


@dataclass(frozen=True, repr=False)
class Result(Recommendation):
    """The recommendation at the end of a run, with the study it rests on."""

    study: Study = field(repr=False)
    gain: Gain
    """What one more batch is expected to be worth."""
    stopped: str
    """What ended the run: "n_trials", "timeout", "stop_gain", "interrupted" or "executor broke"."""


def minimize(
    f: Objective,
    space: Space | Mapping[str, Any],
    *,
    n_trials: int,
    batch_size: int | None = None,
    workers: int = 1,
    seed: int | None = None,
    noise: Noise = "learned",
    method: str | object = "qkg",
    fit: str | None = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | str | None = None,
    timeout: float | None = None,
    stop_gain: float | None = None,
    lease: float = LEASE,
    patience: float = PATIENCE,
    progress: bool = True,
) -> Result:
    """Find the params with the lowest expected `f(params)`.

    An exception in `f`, or a result that is not a number, is a failed trial; the run goes on. Ctrl-C ends the run with
    what is known.

    Args:
        f: takes a dict of params; returns a number, or a pair of a number and its standard error.
        space: see `Study`, as for `seed`, `noise`, `method`, `fit`, `storage` and `name`.
        n_trials: how many evaluations the study is to have in all. With a `storage`, those of former runs count, but
            not what was added, given up or lost: the same call again after a crash finishes the job, and several at
            once share it.
        batch_size: how many points to choose jointly; None: as many as there are free workers.
        workers: how many evaluations run at once, each in a process of its own; 1 runs them in this process.
        executor: run evaluations there instead, at most `workers` at once: an executor of `concurrent.futures` or one
            like it, a Dask `Client`, "ray", or "ray://host:port"; what was running before is left running.
        timeout: seconds after which no evaluation is started and those still running are given up.
        stop_gain: stop when one more batch is expected to improve the recommendation by less than this.
        lease: with a `storage`, seconds after which a point of a process that has died is evaluated by another.
        patience: seconds for which a storage that is away or full is waited for, beyond what its calls wait by
            themselves; results are kept meanwhile.
        progress: show a progress bar.
    """
    study = {"seed": seed, "noise": noise, "method": method, "fit": fit, "storage": storage, "name": name}
    run = {"executor": executor, "timeout": timeout, "stop_gain": stop_gain, "progress": progress}
    return _run("minimize", f, space, study, run, n_trials, batch_size, workers, lease, patience)


def maximize(
    f: Objective,
    space: Space | Mapping[str, Any],
    *,
    n_trials: int,
    batch_size: int | None = None,
    workers: int = 1,
    seed: int | None = None,
    noise: Noise = "learned",
    method: str | object = "qkg",
    fit: str | None = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | str | None = None,
    timeout: float | None = None,
    stop_gain: float | None = None,
    lease: float = LEASE,
    patience: float = PATIENCE,
    progress: bool = True,
) -> Result:
    """Find the params with the highest expected `f(params)`; the options are those of `minimize`."""
    study = {"seed": seed, "noise": noise, "method": method, "fit": fit, "storage": storage, "name": name}
    run = {"executor": executor, "timeout": timeout, "stop_gain": stop_gain, "progress": progress}
    return _run("maximize", f, space, study, run, n_trials, batch_size, workers, lease, patience)


def _run(
    direction: str,
    f: Objective,
    space: Space | Mapping[str, Any],
    about: Mapping[str, Any],
    options: Mapping[str, Any],
    n_trials: int,
    batch_size: int | None,
    workers: int,
    lease: float,
    patience: float,
) -> Result:
    """A study with these settings, worked on with these options."""
    n_trials = count(n_trials, "n_trials")  # a worker may go on for ever, a run is to return
    study = Study(space, direction=direction, **about)
    term = lease if is_durable(about["storage"]) else None
    ends = {"n_trials": n_trials, "lease": term, "patience": patience, **options}
    stopped = work(study, f, workers=workers, batch_size=batch_size, **ends)
    return conclude(study, stopped, batch_size or workers, patience)


def conclude(study: Study, stopped: str, batch_size: int, patience: float = PATIENCE) -> Result:
    """What a run that has ended this way has found."""
    if Patience(patience).through(lambda: study.best) is None:
        _explain_nothing(study, stopped)
    return Result(**vars(study.recommend()), study=study, gain=study.gain(batch_size), stopped=stopped)


def _explain_nothing(study: Study, stopped: str) -> NoReturn:
    if stopped == "interrupted":
        raise KeyboardInterrupt
    failed = [trial for trial in study.trials if trial.state == "failed"]
    last = f"; {len(failed)} failed, the last with: {one_line(failed[-1].reason)}" if failed else ""
    raise NoDataError(
        f"expected at least one result, got none from {len(study.trials)} trials (ended by {stopped}){last}; "
        "evaluate one point by itself to see what is wrong"
    )
