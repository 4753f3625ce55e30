"""`knowgrad fail`: a trial that failed."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record, trial_argument
from knowgrad.cli.words import number


@click.command()
@trial_argument
@click.argument("reason")
@click.option("--cost", type=number, help="What it cost, if known.")
@of_a_study
def fail(trial: int | str, reason: str, cost: float | None, storage: str, name: str | None, as_json: bool) -> None:
    """Record that TRIAL, a number or an id, failed, and why."""
    failed = load(storage, name).fail(trial, reason, cost=cost)
    answer(record(failed), line(failed), as_json=as_json)
