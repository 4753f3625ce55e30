"""`knowgrad correct`: a result or a failure that was recorded wrongly."""

import click

from knowgrad.cli.common import load
from knowgrad.cli.edit.saying import of_a_trial, show
from knowgrad.cli.told import read_result
from knowgrad.cli.words import Words, number


@click.command(context_settings={"ignore_unknown_options": True})  # a value may be negative
@of_a_trial
@click.argument("value", nargs=-1)
@click.option("--sem", type=number, help="Its standard error; if left out, it stays as it was.")
@click.option("--no-sem", is_flag=True, help="Its standard error is not known.")
@click.option("--failed", metavar="REASON", help="Instead of VALUE: it failed, and why.")
@click.option("--reason", help="Why the record was wrong.")
def correct(
    trial: int | str,
    value: Words,
    sem: float | None,
    no_sem: bool,
    failed: str | None,
    reason: str | None,
    by: str | None,
    storage: str,
    name: str | None,
    as_json: bool,
) -> None:
    """Replace the recorded outcome of TRIAL, a number or an id, by VALUE. The old outcome stays in its history.

    Of named outcomes, those that were wrong: price=3.2±0.2.
    """
    if no_sem and sem is not None:
        raise click.UsageError("--sem and --no-sem exclude each other")
    study = load(storage, name)
    kept = sem is None and not no_sem
    right = read_result(value, study) if value else None
    show(study.correct(trial, right, ... if kept else sem, failed=failed, reason=reason, by=by), as_json=as_json)
