"""`knowgrad discard`: a trial that is to be out of the model."""

import click

from knowgrad.cli.common import load
from knowgrad.cli.edit.saying import of_a_trial, show


@click.command()
@of_a_trial
@click.argument("reason")
def discard(trial: int | str, reason: str, by: str | None, storage: str, name: str | None, as_json: bool) -> None:
    """Take TRIAL, a number or an id, out of the model, and say why. It is kept, and `restore` brings it back."""
    show(load(storage, name).discard(trial, reason, by=by), as_json=as_json)
