"""One run on a study: everything about it checked, then the loop over wherever evaluations run."""

import os
import platform
from collections.abc import Iterable

from knowgrad.checked import seconds
from knowgrad.errors import ArgumentError
from knowgrad.runner.claims import Claims
from knowgrad.runner.evaluators import evaluating
from knowgrad.runner.limits import Limits
from knowgrad.runner.loop import Loop
from knowgrad.runner.objective import Objective, arguments
from knowgrad.runner.patience import PATIENCE, Patience
from knowgrad.runner.progress import Progress
from knowgrad.runner.sameness import Sameness
from knowgrad.runner.spending import Spending
from knowgrad.runner.start import Catch, Start, checked_catch
from knowgrad.runner.studies import Measure, Runnable, Shared
from knowgrad.runner.watch import Callback, Watch, checked_callbacks
from knowgrad.text import note, one_line, shown

LEASE = 60.0  # seconds after which others take a point of a process that shows no sign of life
NODE = 150  # characters of a machine's name


def work(
    study: Runnable,
    f: Objective,
    *,
    n_trials: int | None,
    budget: float | None = None,
    workers: int = 1,
    batch_size: int | None = None,
    executor: object = None,
    timeout: float | None = None,
    trial_timeout: float | None = None,
    stop_gain: float | None = None,
    catch: Catch = None,
    callbacks: Iterable[Callback] = (),
    lease: float | None = None,
    patience: float = PATIENCE,
    progress: bool = False,
    shared: Shared = None,
    measure: Measure = None,
    resumable: bool = False,
    apart: bool = False,
) -> str:
    """Evaluate `f` at points of the study until something says stop; returns what did.

    The options are those of `minimize`, and:

    Args:
        n_trials: how many evaluations the study is to have in all; None: no end.
        lease: the study is shared with others, and points are taken for so many seconds at a time; None: it is not.
        apart: evaluate in a process of its own also if there is a single worker.
    """
    _check_callable(f)
    limits = Limits.checked(n_trials, workers, batch_size, timeout, trial_timeout, stop_gain)
    spending = Spending.checked(study, budget)
    start, hear = Start(study, limits.workers, checked_catch(catch)), checked_callbacks(callbacks)
    waits, apart = Patience(seconds(patience, "patience")), apart or limits.is_by_the_clock
    with Claims(study, lease, whoami(), waits, shared, measure) as claims:
        done = waits.through(claims.evaluated)
        watch = Watch(study, Progress(n_trials, show=progress, done=done), Sameness(limits.workers), hear)
        _point_out(done, limits)
        with watch.bar, evaluating(f, limits.workers, executor, apart=apart, limit=limits.trial_timeout) as submit:
            how = (arguments(f, study), start, watch, limits, waits, spending, resumable)
            stopped = Loop(study, claims, submit, *how).run()
        watch.sameness.close()
        return stopped


def _check_callable(f: object) -> None:
    if not callable(f):
        raise ArgumentError(f"f: expected a function of params, got {shown(f)}; pass the function itself, not a call")


def _point_out(done: int, limits: Limits) -> None:
    if done >= limits.n_trials:
        note(f"the study has the {done} evaluations asked for already; to continue, ask for more (n_trials, --trials)")


def whoami() -> str:
    """What a trial says about who has it."""
    return f"{one_line(platform.node()):.{NODE}}:{os.getpid()}"
