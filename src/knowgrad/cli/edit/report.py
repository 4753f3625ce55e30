"""`knowgrad report` and `knowgrad stop`: steps of a learning curve, and its end."""

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


@click.command()
@trial_argument
@click.option("--cost", type=number, help="What it cost, if known.")
@of_a_study
def stop(trial: int | str, cost: float | None, storage: str, name: str | None, as_json: bool) -> None:
    """End TRIAL early: its last report is its result, at that fidelity."""
    stopped = load(storage, name).stop(trial, cost=cost)
    answer(record(stopped), line(stopped), as_json=as_json)
