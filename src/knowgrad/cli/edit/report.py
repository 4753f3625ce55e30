"""`knowgrad report`, `stop`, `pause` and `resume`: steps of a learning curve, its end, and how it goes on."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record, trial_argument
from knowgrad.cli.words import number


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@trial_argument
@click.argument("at", type=number)
@click.argument("value", type=number)
@of_a_study
def report(trial: int | str, at: float, value: float, storage: str, name: str | None, as_json: bool) -> None:
    """Record VALUE of a running TRIAL at the fidelity AT, and say whether its rest is worth the cost."""
    study = load(storage, name)
    reported = study.report(trial, at=int(at) if at.is_integer() else at, value=value)
    go_on = study.worth_continuing(trial)
    said = "go on" if go_on else "its rest is not worth the cost: stop it"
    answer({**record(reported), "worth_continuing": go_on}, f"{line(reported)}: {said}", as_json=as_json)


cost_option = click.option("--cost", type=number, help="What it cost, if known.")
reason_option = click.option("--reason", help="Why.")


@click.command()
@trial_argument
@cost_option
@reason_option
@of_a_study
def stop(
    trial: int | str, cost: float | None, reason: str | None, storage: str, name: str | None, as_json: bool
) -> None:
    """End TRIAL early: its last report is its result, at that fidelity."""
    stopped = load(storage, name).stop(trial, cost=cost, reason=reason)
    answer(record(stopped), line(stopped), as_json=as_json)


@click.command()
@trial_argument
@cost_option
@reason_option
@of_a_study
def pause(
    trial: int | str, cost: float | None, reason: str | None, storage: str, name: str | None, as_json: bool
) -> None:
    """End TRIAL early, as stop does, but it can be continued at the cost of the rest: ask may propose that."""
    paused = load(storage, name).pause(trial, cost=cost, reason=reason)
    answer(record(paused), line(paused), as_json=as_json)


@click.command()
@trial_argument
@click.option("--at", type=number, help="Up to which fidelity. Default: the target.")
@of_a_study
def resume(trial: int | str, at: float | None, storage: str, name: str | None, as_json: bool) -> None:
    """Have TRIAL, which has ended early, continued before anything else is tried."""
    level = int(at) if at is not None and at.is_integer() else at
    queued = load(storage, name).resume(trial, at=level)
    answer(record(queued), line(queued), as_json=as_json)
