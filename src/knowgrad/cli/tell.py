"""`knowgrad tell`: the result of a trial."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, point_out, record, trial_argument
from knowgrad.cli.words import number


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@trial_argument
@click.argument("value", type=number)
@click.option("--sem", type=number, help="Its standard error, if known.")
@of_a_study
def tell(trial: int | str, value: float, sem: float | None, storage: str, name: str | None, as_json: bool) -> None:
    """Record VALUE as the result of TRIAL, a number or an id. Telling the same again is fine."""
    study = load(storage, name)
    why = study.doubt(trial, value, sem)
    told = study.tell(trial, value, sem, check=False)
    answer(record(told), line(told), as_json=as_json)
    point_out(why, told, storage, study.name)
