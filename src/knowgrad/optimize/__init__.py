"""`minimize` and `maximize`: a function run to the end on a new study, or on one that its storage has already.

May import: errors, text, trial, space, advisor, runner, study.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import update_wrapper
from inspect import signature
from typing import Any, TypedDict, Unpack

from knowgrad.advisor.asked import checked_shared
from knowgrad.errors import ArgumentError
from knowgrad.runner.evaluators import Executor
from knowgrad.runner.objective import Objective
from knowgrad.runner.running import Result, checked_end
from knowgrad.runner.start import Catch
from knowgrad.runner.watch import Callback
from knowgrad.space import Space, as_space
from knowgrad.study import Study
from knowgrad.text import shown
from knowgrad.trial import Cost, Noise

NAMED = ("objectives", "limits", "costs")  # options of studies with named outcomes
OF_A_STUDY = ("seed", "noise", "method", "fit", "over", "cost", "storage", "name", *NAMED)


class Further(TypedDict, total=False):
    """Options of `minimize` and `maximize` that few runs need."""

    catch: Catch
    """Exceptions that make a failed trial; others end the run. None: any, unless all fail from the first on."""
    callbacks: Iterable[Callback]
    """Called with the study and the trial whenever a trial has ended."""
    shared: Mapping[str, int] | Sequence[str] | None
    """Settings that the points of a batch share, as for `Study.ask`; runs then ask for whole batches."""
    lease: float
    """With a shared storage: seconds after which the point of a dead process is offered to others."""
    patience: float
    """Seconds to wait for a storage that cannot be reached."""
    objectives: Mapping[str, str] | None
    """As for `Study`, and so are `limits` and `costs`: `f` returns a dict of these outcomes."""
    limits: Sequence[str] | None
    costs: Mapping[str, float] | None
    measure: str | Sequence[str] | None
    """Which outcomes to measure, as for `Study.ask`."""
    resumable: bool
    """Runs that end early are paused and may be continued at the cost of the rest: `f` finds the number of the run to
    continue in `trial.continues`."""


def minimize(
    f: Objective,
    space: Space | Mapping[str, Any],
    *,
    n_trials: int | None = None,
    budget: float | None = None,
    batch_size: int | None = None,
    workers: int = 1,
    seed: int | None = None,
    noise: Noise = "learned",
    method: str | object = "qkg",
    fit: str | None = None,
    over: Mapping[str, Any] | None = None,
    cost: Cost = None,
    storage: object = None,
    name: str | None = None,
    executor: Executor | str | None = None,
    timeout: float | None = None,
    trial_timeout: float | None = None,
    stop_gain: float | None = None,
    progress: bool = True,
    **further: Unpack[Further],
) -> Result[Study]:
    """Find the params with the lowest expected `f(params)`: `Study.minimize` on a new study.

    Args:
        f: of the params, or of params and trial; returns a number, `(number, standard error)` or `{"value": …}`.
        space: as for `Study`; so are `seed`, `noise`, `method`, `fit`, `over`, `cost`, `storage` and `name`.
        n_trials: total number of evaluations; those of earlier runs count, added or abandoned trials do not.
        budget: what all evaluations may cost, in the unit of `cost`, else in seconds; once spent, none is started.
        batch_size: number of points chosen jointly; None: one for each free worker.
        workers: evaluations at once, each in a process of its own; a single one without time limits runs in this one.
        executor: where to evaluate instead: an executor, a Dask `Client`, "ray" or "ray://host:port".
        timeout, trial_timeout: seconds after which the run, or an evaluation, is ended; that is a failed trial.
        stop_gain: stop when one more batch is expected to improve the recommendation by less than this (per cost).
        further: see `Further`.
    """
    options: dict[str, Any] = dict(further, seed=seed, noise=noise, method=method, fit=fit, over=over, cost=cost)
    options |= {"storage": storage, "name": name, "budget": budget, "timeout": timeout, "trial_timeout": trial_timeout}
    options |= {"stop_gain": stop_gain, "workers": workers, "executor": executor, "batch_size": batch_size}
    options["progress"] = progress
    return _run("minimize", f, space, n_trials, options)


def maximize(
    f: Objective, space: Space | Mapping[str, Any], *, n_trials: int | None = None, **options: Any
) -> Result[Study]:
    """Find the params with the highest expected `f(params)`; the options are those of `minimize`."""
    return _run("maximize", f, space, n_trials, options)


update_wrapper(maximize, minimize, assigned=(), updated=())  # its signature is that of `minimize`, for whoever looks


def _run(
    direction: str, f: Objective, space: Space | Mapping[str, Any], n_trials: int | None, options: Mapping[str, Any]
) -> Result[Study]:
    if unknown := sorted(options.keys() - signature(minimize).parameters.keys() - Further.__annotations__.keys()):
        raise TypeError(f"{direction}() got an unexpected option {unknown[0]!r}")
    n_trials = checked_end(n_trials, options.get("budget"))  # before a study is made
    checked_shared(as_space(space), options.get("shared"))
    about = {name: value for name, value in options.items() if name in OF_A_STUDY}
    rest = {name: value for name, value in options.items() if name not in OF_A_STUDY}
    if about.get("objectives") is None:
        return Study(space, direction=direction, **about).optimize(f, n_trials=n_trials, **rest)
    wanted = about["objectives"]
    if isinstance(wanted, Mapping) and any(each != direction for each in wanted.values()):
        raise ArgumentError(
            f"{direction}: expected objectives that are to be {direction}d, got {shown(dict(wanted))}; make a study of "
            "them and call its optimize(…)"
        )
    return Study(space, **about).optimize(f, n_trials=n_trials, **rest)
