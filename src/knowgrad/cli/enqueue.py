"""`knowgrad enqueue`: a point to be tried before any other."""

import click

from knowgrad.cli.common import answer, line, load, of_a_study, record
from knowgrad.cli.words import point_argument, read_point


@click.command()
@point_argument
@of_a_study
def enqueue(params: tuple[str, ...], storage: str, name: str | None, as_json: bool) -> None:
    """Queue the point NAME=VALUE … of all parameters: the next ask, run or worker takes it first."""
    study = load(storage, name)
    queued = study.enqueue(read_point(params, study.space))
    answer(record(queued), line(queued), as_json=as_json)
