"""`knowgrad restore`: a discarded trial, back in the model."""

import click

from knowgrad.cli.common import load
from knowgrad.cli.edit.saying import of_a_trial, show


@click.command()
@of_a_trial
@click.option("--reason", help="Why.")
def restore(
    trial: int | str, reason: str | None, by: str | None, storage: str, name: str | None, as_json: bool
) -> None:
    """Take the discarded TRIAL, a number or an id, back into the model, as it was."""
    show(load(storage, name).restore(trial, reason=reason, by=by), as_json=as_json)
