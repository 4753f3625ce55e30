"""`knowgrad correct`: a result or a failure that was recorded wrongly."""

import click

from knowgrad.cli.common import load
from knowgrad.cli.edit.saying import of_a_trial, show
from knowgrad.cli.words import number


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@of_a_trial
@click.argument("value", type=number, required=False)
@click.option("--sem", type=number, help="Its standard error; left out, it stays as it was told.")
@click.option("--no-sem", is_flag=True, help="Its standard error is not known.")
@click.option("--failed", metavar="REASON", help="Instead of VALUE: it came to nothing, and why.")
@click.option("--reason", help="Why the record was wrong.")
def correct(
    trial: int | str,
    value: float | None,
    sem: float | None,
    no_sem: bool,
    failed: str | None,
    reason: str | None,
    by: str | None,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Put VALUE in the place of what was recorded for TRIAL, a number or an id. What was there stays in its history."""
    if no_sem and sem is not None:
        raise click.UsageError("--sem and --no-sem exclude each other")
    study = load(storage, name)
    kept = sem is None and not no_sem
    show(study.correct(trial, value, ... if kept else sem, failed=failed, reason=reason, by=by), as_json=as_json)
