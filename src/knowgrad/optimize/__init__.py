"""`minimize` and `maximize`: a function run to the end on a new study, or on one that its storage has already.

`lease` and `patience` are about a storage that is shared or away: seconds after which a point of a process that has
died is evaluated by another, and for which the storage is waited for.

May import: checked, trial, space, advisor, runner, study.
"""

from collections.abc import Iterable, Mapping
from functools import update_wrapper
from inspect import signature
from typing import Any

from knowgrad.advisor.asked import checked_shared
from knowgrad.checked import count
from knowgrad.runner.evaluators import Executor
from knowgrad.runner.objective import Objective
from knowgrad.runner.patience import PATIENCE
from knowgrad.runner.running import Result
from knowgrad.runner.start import Catch
from knowgrad.runner.studies import Shared
from knowgrad.runner.watch import Callback
from knowgrad.runner.work import LEASE
from knowgrad.space import Space, as_space
from knowgrad.study import Study
from knowgrad.trial import Noise

OF_A_STUDY = ("seed", "noise", "method", "fit", "over", "storage", "name")


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
    over: Mapping[str, Any] | None = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | str | None = None,
    timeout: float | None = None,
    trial_timeout: float | None = None,
    stop_gain: float | None = None,
    catch: Catch = None,
    callbacks: Iterable[Callback] = (),
    shared: Shared = None,
    lease: float = LEASE,
    patience: float = PATIENCE,
    progress: bool = True,
) -> Result[Study]:
    """Find the params with the lowest expected `f(params)`: `Study.minimize` on a new study.

    Args:
        f: of the params, or of params and trial; returns a number, `(number, standard error)` or `{"value": …}`.
        space: as for `Study`; so are `seed`, `noise`, `method`, `fit`, `over`, `storage` and `name`.
        n_trials: evaluations the study is to have in all; former runs count, what was added or given up does not.
        batch_size: points that are chosen jointly; None: one for each free worker.
        workers: evaluations at once, each in a process of its own; a single one without time limits runs in this one.
        executor: where to evaluate instead: an executor, a Dask `Client`, "ray" or "ray://host:port".
        timeout, trial_timeout: seconds after which the run, or an evaluation, is ended; that is a failed trial.
        stop_gain: stop when one more batch is expected to improve the recommendation by less than this.
        catch: exceptions that make a failed trial; others end the run. None: any, unless all fail from the first on.
        callbacks: called with the study and the trial whenever a trial has come to its end.
        shared: settings that the points of a batch share, as for `Study.ask`; batches are asked for as a whole then.
    """
    about = {"seed": seed, "noise": noise, "method": method, "fit": fit, "over": over, "storage": storage, "name": name}
    ends = {"timeout": timeout, "trial_timeout": trial_timeout, "stop_gain": stop_gain, "catch": catch}
    where = {"workers": workers, "executor": executor, "callbacks": callbacks, "lease": lease, "patience": patience}
    rest = {"batch_size": batch_size, "shared": shared, "progress": progress}
    return _run("minimize", f, space, n_trials, {**about, **ends, **where, **rest})


def maximize(f: Objective, space: Space | Mapping[str, Any], *, n_trials: int, **options: Any) -> Result[Study]:
    """Find the params with the highest expected `f(params)`; the options are those of `minimize`."""
    return _run("maximize", f, space, n_trials, options)


update_wrapper(maximize, minimize, assigned=(), updated=())  # its signature is that of `minimize`, for whoever looks


def _run(
    direction: str, f: Objective, space: Space | Mapping[str, Any], n_trials: int, options: Mapping[str, Any]
) -> Result[Study]:
    if unknown := sorted(options.keys() - signature(minimize).parameters.keys()):
        raise TypeError(f"{direction}() got an unexpected option {unknown[0]!r}")
    n_trials = count(n_trials, "n_trials")  # before a study is made
    checked_shared(as_space(space), options.get("shared"))
    about = {name: value for name, value in options.items() if name in OF_A_STUDY}
    rest = {name: value for name, value in options.items() if name not in OF_A_STUDY}
    return Study(space, direction=direction, **about).optimize(f, n_trials=n_trials, **rest)
