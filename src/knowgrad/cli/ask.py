"""`knowgrad ask`: the next points to try."""

from typing import Any

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record
from knowgrad.cli.words import (
    Words,
    given_option,
    measure_option,
    read_measure,
    read_point,
    read_shared,
    shared_option,
)


@click.command()
@click.argument("count", type=click.IntRange(min=1), default=1)
@click.option("--last", is_flag=True, help="These are the last points of the search.")
@click.option(
    "--lease",
    type=click.FloatRange(min=0),
    help="Seconds until the points are offered again unless renewed. Default: never.",
)
@click.option("--worker", help="A name for who takes the points, shown in tables.")
@given_option
@shared_option
@measure_option
@of_a_study
def ask(
    count: int,
    last: bool,
    lease: float | None,
    worker: str | None,
    given: Words,
    shared: Words,
    measure: Words,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Print COUNT points to try next, chosen jointly, given those still pending."""
    study = load(storage, name)
    how: dict[str, Any] = {"given": read_point(given, study.space), "shared": read_shared(shared)}
    how["measure"] = read_measure(measure)
    trials = study.ask(count, last=last, lease=lease, worker=worker, **how)
    answer([record(trial) for trial in trials], "\n".join(map(line, trials)), as_json=as_json)
