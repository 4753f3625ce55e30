"""`knowgrad add`: a result obtained elsewhere."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, point_out, record
from knowgrad.cli.words import number, point_argument, read_point


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@click.argument("value", type=number)
@point_argument
@click.option("--sem", type=number, help="Its standard error, if known.")
@of_a_study
def add(
    value: float, params: tuple[str, ...], sem: float | None, storage: str, name: str | None, as_json: bool
) -> None:
    """Record VALUE as a result obtained elsewhere, at the point NAME=VALUE … of all parameters."""
    study = load(storage, name)
    at = read_point(params, study.space)
    why = study.doubt(at, value, sem)
    added = study.add(at, value, sem, check=False)
    answer(record(added), line(added), as_json=as_json)
    point_out(why, added, storage, study.name)
