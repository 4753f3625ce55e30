"""`knowgrad worker`: one of any number of processes, on any machines, that evaluate the points of a stored study."""

from typing import Any

import click

from knowgrad.cli.common import answer, load, of_a_study
from knowgrad.cli.evaluate import evaluate, leave, run_options
from knowgrad.cli.program.objective import read_objective
from knowgrad.runner.work import whoami


@click.command()
@click.argument("target", nargs=-1, required=True, type=click.UNPROCESSED)
@run_options
@of_a_study
def worker(
    target: tuple[str, ...],
    shell: bool,
    result: str | None,
    storage: str,
    name: str | None,
    as_json: bool,
    **limits: Any,
) -> None:
    """Evaluate TARGET (module:function, or a command after --) at points of a stored study.

    Start as many as you like, on any machines that reach the storage: they share nothing else. One that
    dies loses nothing; its point is offered to the others when the lease ends. SIGTERM and Ctrl-C give it back at once.
    """
    study = load(storage, name)
    objective = read_objective(target, study.space, shell=shell, result=result, outcomes=study.outcomes)
    stopped = evaluate(study, objective, **limits)
    mine = sum(trial.worker == whoami() and trial.state in ("complete", "failed") for trial in study.trials)
    data = {"name": study.name, "evaluated": mine, "stopped": stopped}
    answer(data, f"{study.name}: {mine} evaluated, ended by {stopped}", as_json=as_json)
    leave(stopped)
