"""One run on a study: everything about it checked, then the loop over wherever evaluations run."""

import math
import os
import platform
import time

from knowgrad.checked import count, seconds, spread
from knowgrad.errors import ArgumentError
from knowgrad.runner.claims import Claims
from knowgrad.runner.evaluators import Objective, evaluating
from knowgrad.runner.loop import Loop
from knowgrad.runner.patience import PATIENCE, Patience
from knowgrad.runner.progress import Progress
from knowgrad.study import Study
from knowgrad.text import one_line, shown

LEASE = 60.0  # seconds after which others take a point of a process that shows no sign of life
NODE = 150  # characters of a machine's name


def work(
    study: Study,
    f: Objective,
    *,
    n_trials: int | None,
    workers: int = 1,
    batch_size: int | None = None,
    executor: object = None,
    timeout: float | None = None,
    stop_gain: float | None = None,
    lease: float | None = None,
    patience: float = PATIENCE,
    progress: bool = False,
    apart: bool = False,
) -> str:
    """Evaluate `f` at points of the study until something says stop; returns what did.

    The options are those of `minimize`, and:

    Args:
        n_trials: how many evaluations the study is to have in all; None: no end.
        lease: the study is shared with others, and points are taken for so many seconds at a time; None: it is not.
        apart: evaluate in a process of its own also if there is a single worker.
    """
    if not callable(f):
        raise ArgumentError(f"f: expected a function of params, got {shown(f)}; pass the function itself, not a call")
    most = math.inf if n_trials is None else count(n_trials, "n_trials")
    workers = count(workers, "workers")
    batch_size = workers if batch_size is None else count(batch_size, "batch_size")
    deadline = math.inf if timeout is None else time.monotonic() + seconds(timeout, "timeout")
    least = None if stop_gain is None else spread(stop_gain, "stop_gain")
    waits = Patience(seconds(patience, "patience"))
    with (
        Claims(study, lease, whoami(), waits) as claims,
        Progress(n_trials, show=progress, done=waits.through(claims.evaluated)) as bar,
        evaluating(f, workers, executor, apart=apart) as submit,
    ):
        return Loop(study, claims, submit, bar, most, workers, batch_size, deadline, least, waits).run()


def whoami() -> str:
    """What a trial says about who has it."""
    return f"{one_line(platform.node()):.{NODE}}:{os.getpid()}"
