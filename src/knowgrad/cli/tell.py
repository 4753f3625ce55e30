"""`knowgrad tell`: the result of a trial."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, point_out, record, trial_argument
from knowgrad.cli.told import read_result
from knowgrad.cli.words import Words, number


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@trial_argument
@click.argument("value", nargs=-1, required=True)
@click.option("--sem", type=number, help="Its standard error, if known.")
@click.option("--cost", type=number, help="What it cost, if known.")
@of_a_study
def tell(
    trial: int | str,
    value: Words,
    sem: float | None,
    cost: float | None,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Record VALUE as the result of TRIAL, a number or an id. Telling the same again is fine.

    Named outcomes are told as yield=91.2 price=3.1±0.2, or as one word of JSON. They may come one by one: the trial is
    complete when all that were asked for are in.
    """
    study = load(storage, name)
    result = read_result(value, study)
    why = study.doubt(trial, result, sem)
    told = study.tell(trial, result, sem, cost=cost, check=False)
    answer(record(told), line(told), as_json=as_json)
    point_out(why, told, storage, study.name)
