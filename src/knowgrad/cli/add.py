"""`knowgrad add`: a result obtained elsewhere."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, point_out, record
from knowgrad.cli.told import read_result
from knowgrad.cli.words import Words, number, read_point


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@click.argument("words", nargs=-1, required=True, metavar="VALUE NAME=VALUE...")
@click.option("--sem", type=number, help="Its standard error, if known.")
@click.option("--cost", type=number, help="What it cost, if known.")
@of_a_study
def add(
    words: Words,
    sem: float | None,
    cost: float | None,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Record VALUE as a result obtained elsewhere, at the point NAME=VALUE … of all parameters.

    Instead of VALUE, named outcomes: yield=91.2 price=3.1±0.2; some are enough.
    """
    study = load(storage, name)
    told = [word for word in words if word.partition("=")[0] in study.outcomes] or list(words[:1])
    value = read_result(tuple(told), study)
    at = read_point(tuple(word for word in words if word not in told), study.space)
    why = study.doubt(at, value, sem)
    added = study.add(at, value, sem, cost=cost, check=False)
    answer(record(added), line(added), as_json=as_json)
    point_out(why, added, storage, study.name)
