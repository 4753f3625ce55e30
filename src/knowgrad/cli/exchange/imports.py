"""`knowgrad import`: results from elsewhere."""

import dataclasses
from typing import Any

import click

from knowgrad.cli.common import answer, json_option, load, of_a_study, record, storage_option
from knowgrad.errors import ArgumentError


@click.group("import")
def import_() -> None:
    """Take over results from elsewhere."""


@import_.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--value", default="value", show_default=True, help="The column of the results.")
@click.option("--sem", default="sem", show_default=True, help="The column of their standard errors, if there is one.")
@click.option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="As in 0.5 or 0,5.")
@click.option("--repeats", is_flag=True, help="Add rows that equal a result of the study too, as further measurements.")
@of_a_study
def csv(file: str, storage: str, name: str | None, as_json: bool, **options: Any) -> None:
    """Add the rows of the table FILE to an existing study.

    The first row names the columns: one for each parameter, x or params_x, and one for the result. A row without a
    result that has a text in the column reason is a failed trial. Invalid rows are listed, and the
    others are added; if there is no other, nothing is changed and the exit code is 1.
    """
    report = load(storage, name).add_many(file, **options)
    if report.refused and not report.added and not report.known:
        raise ArgumentError(f"{file}: expected at least one row to add, got {report}")
    data = {**dataclasses.asdict(report), "added": [record(trial) for trial in report.added]}
    answer(data, str(report), as_json=as_json)


@import_.command()
@click.argument("url")
@click.argument("study")
@storage_option
@click.option("--name", help="Name of the new study; that of the Optuna study if left out.")
@json_option
def optuna(url: str, study: str, storage: str, name: str | None, as_json: bool) -> None:
    """Take over the results of STUDY in the Optuna storage at URL, such as sqlite:///optuna.db."""
    from knowgrad.integrations.optuna import import_study, load_study

    made = import_study(load_study(url, study), storage=storage, name=name or study)
    known = {state: sum(trial.state == state for trial in made.trials) for state in ("complete", "failed")}
    said = f"{made.name}: {made.direction}, {known['complete']} results and {known['failed']} failures imported"
    answer({"name": made.name, "direction": made.direction, **known}, said, as_json=as_json)
