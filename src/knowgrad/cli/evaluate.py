"""What `run` and `worker` share: the options of a run, and how one ends."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import click

from knowgrad.cli.words import Words, measure_option, read_measure, read_shared, shared_option
from knowgrad.runner import work
from knowgrad.runner.objective import Objective
from knowgrad.runner.patience import PATIENCE
from knowgrad.runner.work import LEASE
from knowgrad.study import Study
from knowgrad.text import note
from knowgrad.trial import Trial

C = TypeVar("C", bound=Callable[..., Any])

OPTIONS = (
    click.option("--trials", "n_trials", type=click.IntRange(min=1), help="Total number of evaluations of the study."),
    click.option(
        "--budget",
        type=click.FloatRange(min=0, min_open=True),
        help="What all evaluations may cost together; in seconds if no costs are told.",
    ),
    click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Evaluations at once."),
    click.option(
        "--batch", "batch_size", type=click.IntRange(min=1), help="Points chosen jointly. Default: one per free worker."
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(min=0),
        help="Seconds after which the run ends.",
    ),
    click.option(
        "--trial-timeout",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds after which an evaluation is ended and counts as failed.",
    ),
    shared_option,
    measure_option,
    click.option(
        "--stop-gain", type=click.FloatRange(min=0), help="End when another batch is worth less than this, per cost."
    ),
    click.option(
        "--lease",
        type=click.FloatRange(min=0, min_open=True),
        default=LEASE,
        show_default=True,
        help="Seconds after which the point of a dead process is offered again.",
    ),
    click.option(
        "--patience",
        type=click.FloatRange(min=0),
        default=PATIENCE,
        show_default=True,
        help="Seconds to wait for a storage that cannot be reached or is full.",
    ),
    click.option(
        "--keep-going", is_flag=True, help="Record failures and continue, even if the first evaluations all fail."
    ),
    click.option(
        "--result",
        metavar="PATTERN",
        help="Where a program prints its result: 'loss: {value}', 'loss {value} ± {sem}', or a regular expression; "
        "named outcomes: 'yield {yield}, price {price} ± {price_sem}'.",
    ),
    click.option(
        "--resumable",
        is_flag=True,
        help="Runs that end early can go on: $KNOWGRAD_CONTINUES is the trial whose checkpoint to load.",
    ),
    click.option("--shell", is_flag=True, help="Let /bin/sh read the command: pipes, redirections."),
)


def run_options(command: C) -> C:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def evaluate(
    study: Study, objective: Objective, *, keep_going: bool, shared: Words, measure: Words, **limits: Any
) -> str:
    """Run it with these options; returns what ended it."""
    failed: list[Trial] = []

    def hear(_: Study, trial: Trial) -> None:
        if trial.state == "failed":
            failed.append(trial)

    limits |= {"catch": BaseException if keep_going else None, "callbacks": [hear], "shared": read_shared(shared)}
    limits["measure"] = read_measure(measure)
    with _ended_by_signals():
        stopped = work(study, objective, **limits, progress=sys.stderr.isatty(), apart=True)
    if failed:
        note(f"{len(failed)} failed, the last, trial {failed[-1].number}, with: {failed[-1].reason}")
    return stopped


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does: what is running is given back at once."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, _: object) -> NoReturn:
    raise KeyboardInterrupt


def leave(stopped: str) -> None:
    """Scripts want to know that a run was ended from outside."""
    if stopped == "interrupted":
        raise click.exceptions.Exit(130)
